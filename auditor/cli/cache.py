"""Show where the cache is and how large, or clear it."""

from pathlib import Path

import click


@click.command()
@click.option("--clear", is_flag=True, help="Remove everything in it.")
@click.option(
    "--cache-dir", type=click.Path(file_okay=False), envvar="KVAUDIT_VERIFY_CACHE_DIR", help="The cache's folder."
)
def command(*, clear: bool, cache_dir: str | None) -> None:
    """Show where the cache is and how large, or clear it."""
    from platformdirs import user_cache_path

    from auditor.cache import Store

    folder = Path(cache_dir) if cache_dir else user_cache_path("kvaudit")
    store = Store(folder)
    size = store.size()
    if clear:
        store.clear()
    click.echo(f"{folder}: {size:,} bytes{' removed' if clear else ''}")
