"""Show where the cache is and how large, or clear it."""

import click

from auditor.cli import options as shared
from auditor.cli import streams


@click.command()
@click.option("--clear", is_flag=True, help="Remove everything in it.")
@shared.cache_dir
def command(*, clear: bool, cache_dir: str | None) -> None:
    """Show where the cache is and how large, or clear it."""
    from auditor.cache import Store

    folder = shared.cache_folder(cache_dir)
    store = Store(folder)
    size = store.size()
    if clear:
        store.clear()
    streams.tell(f"{folder}: {size:,} bytes{' removed' if clear else ''}")
