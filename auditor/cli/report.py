"""Render a saved run in another format."""

from pathlib import Path

import click

from auditor.cli import _output
from auditor.errors import ConfigError


@click.command()
@click.argument("run", type=click.Path(dir_okay=False))
@_output.report_options
def command(run: str, color: str, output: tuple[str, ...], format: tuple[str, ...]) -> None:  # noqa: A002 # the option
    """Render RUN, a report that was saved with `-f json`. Needs no network."""
    from auditor.formats.json import read

    paired = _output.pairs(format, output)
    try:
        text = Path(run).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{run} cannot be read: {getattr(error, 'strerror', error)}") from None
    try:
        log = read(text)
    except ConfigError as error:
        raise ConfigError(f"{run}: {error}") from error
    _output.write(log, paired, color)
