"""List the Prometheus metrics that a revision exports, and check what uses them."""

from typing import Any

import click

from auditor.cli import catalogue_command


@click.command(epilog=catalogue_command.EPILOG)
@catalogue_command.arguments("--used", "A dashboard, rule, manifest or text, or a folder of these; repeatable.")
def command(files: tuple[str, ...], **options: Any) -> int:
    """List every Prometheus metric that a revision exports, from its source, whatever way it builds them.

    Without options the releases nearest the pins are read. With --used, what files use is checked instead: Grafana
    dashboards, Prometheus rules, monitors, adapters and autoscalers, gateway flags, Helm templates, plain text. A name
    that the revision does not export is wrong where it once was exported, or is nearly one that is; any other may be
    another exporter's, and is only said to be unknown.
    """
    return catalogue_command.run("metrics", files, options)
