"""Render a saved run in another format."""

import json

import click

from auditor.cli import report_output, saved_runs, streams


@click.command()
@click.argument("run", type=click.Path(dir_okay=False), required=False)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a saved run.")
@report_output.report_options
def command(
    run: str | None,
    schema: bool,
    color: str,
    output: tuple[str, ...],
    format: tuple[str, ...],  # noqa: A002 # the option
    show: str | None,
) -> None:
    """Render RUN, a report that was saved with `-f json`. Needs no network."""
    if schema:
        from auditor.formats.json import schema as described

        streams.put(json.dumps(described(), indent=2, ensure_ascii=False) + "\n")
        return
    if run is None:
        raise click.UsageError("say which saved run: kvaudit report RUN.json; or --schema for what is in one")
    paired = report_output.pairs(format, output)
    report_output.write(saved_runs.read(run), paired, color, show)
