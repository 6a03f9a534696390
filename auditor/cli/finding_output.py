"""Reports of findings in a person's own files: the options, and where each report goes."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from auditor.cli import report_output
from auditor.formats import finding_formats
from auditor.text import escaped

if TYPE_CHECKING:
    from auditor.findings import FindingLog

C = Callable[..., object]


def options(*own: str) -> Callable[[C], C]:
    """-f, -o and --color of a command whose reports are the finding formats, and `own`, which it renders itself."""

    def decorated(command: C) -> C:
        choices = click.Choice([*finding_formats(), *own])
        for option in (
            click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Of text."),
            click.option("-o", "--output", multiple=True, metavar="FILE", help="Where the format goes; - is stdout."),
            click.option("-f", "--format", multiple=True, type=choices, help="Report format, paired with -o."),
        ):
            command = option(command)
        return command

    return decorated


def pairs(given: Sequence[str], outputs: Sequence[str], *own: str) -> list[tuple[str, str]]:
    """Formats with their outputs. Raises ConfigError; call it before any work, so that nothing is done in vain."""
    suffixes = {id_: one.suffix or id_ for id_, one in finding_formats().items()}
    return report_output.pairs(given, outputs, suffixes | {name: name for name in own})


def write(
    log: "FindingLog", paired: Sequence[tuple[str, str]], color: str, own: Mapping[str, Callable[[], str]]
) -> None:
    """Render and write every report; nothing is written when one cannot be rendered. Raises ConfigError."""
    rendered = []
    for name, output in paired:
        if name in own:
            text = own[name]()
            is_obeyed = output == report_output.STDOUT and sys.stdout.isatty()  # an article may hold anything
            rendered.append((output, escaped(text) if is_obeyed else text))
            continue
        report = finding_formats()[name]()
        is_colored = report.can_color and output == report_output.STDOUT and report_output.is_colored(color)
        rendered.append((output, report.render_findings(log, color=is_colored)))
    report_output.put(rendered)
