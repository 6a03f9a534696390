"""Where reports go, and in what colour."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor import files
from auditor.cli import streams
from auditor.errors import ConfigError
from auditor.formats import Show, formats

if TYPE_CHECKING:
    from auditor.model import Log

STDOUT = "-"


def report_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command that writes reports."""
    choices = click.Choice(list(formats()))
    show = click.Choice([one.value for one in Show])
    for option in (
        click.option("--show", type=show, help="Leave out what holds, or not; json is whole.  [default: the format's]"),
        click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour of text."),
        click.option("-o", "--output", multiple=True, metavar="FILE", help="Where the format goes; - is stdout."),
        click.option("-f", "--format", "format", multiple=True, type=choices, help="Report format, paired with -o."),
    ):
        command = option(command)
    return command


def pairs(
    given: Sequence[str], outputs: Sequence[str], suffixes: Mapping[str, str] | None = None
) -> list[tuple[str, str]]:
    """Formats with their outputs, in the order of the command line. Raises ConfigError.

    `suffixes` says how a file in each format ends (default: the formats of an audit).
    """
    if not given and outputs:
        known = suffixes or {id_: one.suffix or id_ for id_, one in formats().items()}
        given = [_format_of(output, known) for output in outputs]
    given = given or ["text"]
    if len(outputs) > len(given):
        raise ConfigError("there are more -o than -f; give them in pairs: -f html -o report.html")
    paired = [*zip(given, [*outputs, *[STDOUT] * (len(given) - len(outputs))], strict=True)]
    places = [output if output == STDOUT else Path(output).resolve() for _, output in paired]
    for place, (_, output) in zip(places, paired, strict=True):
        if places.count(place) > 1:
            raise ConfigError(f"two reports go to {'stdout' if output == STDOUT else output}; give each its own -o")
        if output == STDOUT and sys.stdout is None:
            raise ConfigError("stdout is closed; say where the report goes: -o report.txt")
        if output != STDOUT and not Path(output).absolute().parent.is_dir():
            raise ConfigError(f"{output}: there is no folder {Path(output).parent}")
    return paired


def _format_of(output: str, suffixes: Mapping[str, str]) -> str:
    known = {suffix: id_ for id_, suffix in suffixes.items()}
    found = known.get(Path(output).suffix.lower()[1:] or "txt")
    if found is None:
        raise ConfigError(f"{output}: say its format with -f: {', '.join(suffixes)}")
    return found


def write(
    log: "Log", paired: Sequence[tuple[str, str]], color: str, show: str | None = None, *, is_long: bool = False
) -> None:
    """Render and write every report; nothing is written when one cannot be rendered. Raises ConfigError."""
    rendered = []
    for name, output in paired:
        report = formats()[name](Show(show) if show else None)
        report.is_long = is_long
        rendered.append((output, report.render(log, color=report.can_color and output == STDOUT and is_colored(color))))
    put(rendered)


def put(rendered: Iterable[tuple[str, str]]) -> None:
    """Write texts to where they go. Raises ConfigError."""
    for output, text in rendered:
        try:
            if output == STDOUT:
                streams.put(text)
            else:
                files.replace(Path(output), text.encode("utf-8", "replace"))
        except OSError as error:
            raise ConfigError(f"{output} cannot be written: {error.strerror}; what was there still is") from None


def is_colored(color: str) -> bool:
    """Whether text on stdout is to have colour."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")
