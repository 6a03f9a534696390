"""Show where the cache is and how large, or clear it."""

import click

from auditor.cli import cache_options


@click.command()
@click.option("--clear", is_flag=True, help="Remove everything in it.")
@cache_options.cache_dir
def command(*, clear: bool, cache_dir: str | None) -> None:
    """Show where the cache is and how large, or clear it."""
    from auditor.cache import Store

    folder = cache_options.folder(cache_dir)
    store = Store(folder)
    size = store.size()
    if clear:
        store.clear()
    click.echo(f"{folder}: {size:,} bytes{' removed' if clear else ''}")
