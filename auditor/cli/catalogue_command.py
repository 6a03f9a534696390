"""What `kvaudit metrics` and `kvaudit options` have in common."""

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from auditor import __version__
from auditor.cli import catalogue_inputs as inputs
from auditor.cli import finding_output, packs, revisions, streams
from auditor.cli import options as shared
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.cli.catalogue_inputs import Part

EPILOG = """\b
Exit status:
  0    the catalogue was read; all that files use is there
  1    something that files use is not there
  2    it could not run
  3    a bug in kvaudit
"""


def arguments(used: str, help_: str) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """The options of a command that shows a catalogue."""

    def decorated(command: Callable[..., object]) -> Callable[..., object]:
        for decorate in (
            shared.reaching,
            click.option(
                "--all", "is_all", is_flag=True, help="Also what is only possibly wrong, or is there at times."
            ),
            click.option("--strict", is_flag=True, help="Fail on what needs a look, too."),
            finding_output.options("json", "html"),
            click.option("--record", is_flag=True, help="Add what was read to the ledger."),
            click.option("--timeline", metavar="NAME", help="In which recorded releases NAME is; asks no network."),
            click.option("--against", multiple=True, metavar="[TARGET=]REVISION", help="What changed since."),
            click.option(used, "files", multiple=True, metavar="FILE", help=help_),
            revisions.reading,
            inputs.choosing,
        ):
            command = decorate(command)
        return command

    return decorated


def run(part: "Part", files: Sequence[str], options: dict[str, Any]) -> int:
    """Show a catalogue, what changed of it, or what files use of it. Raises ConfigError, SourceError."""
    pack = packs.load(options["pack"], shared.store(options))
    chosen = inputs.targets(pack, options, [part])
    if options["timeline"]:
        return _timeline(pack, [target.name for target in chosen], options)
    paired = finding_output.pairs(options["format"], options["output"], "json", "html")
    if not files and any(name not in ("text", "json", "markdown", "html") for name, _ in paired):
        raise ConfigError("sarif, junit and github are of what files use; name some")
    parts: list[Part] = ["metrics", "options"] if files or options["record"] else [part]
    found = inputs.catalogues(inputs.specs(pack, chosen, options), options, parts)
    if options["record"]:
        from auditor.engine.catalogue_history import record

        for one in found:
            streams.tell(f"{record(inputs.ledger(options), pack.id, one)}: {one.label}")
        return 0
    comparisons = inputs.compared(pack, chosen, found, options, parts)
    from auditor.formats.catalogue import html, text
    from auditor.formats.catalogue import json as as_json
    from auditor.usage.report import judged, log

    read = inputs.read_files(files, found) if files else []
    used = judged(read, found, inputs.histories(pack, [one.target for one in found], options)) if read else []
    findings = log(part, read, used, found, __version__, is_all=options["is_all"] or options["strict"])
    of_json = as_json.metrics if part == "metrics" else as_json.options
    of_text = text.metrics if part == "metrics" else text.options
    own = {
        "json": lambda: of_json(found, comparisons, used, __version__),
        "html": lambda: html.catalogues(found, comparisons, findings, part, __version__),
    }
    if not files:
        own["text"] = lambda: of_text(found, comparisons)
        own["markdown"] = lambda: text.markdown(part.capitalize(), found, comparisons, part)
    finding_output.write(findings, paired, options["color"], own)
    return 0 if findings.is_clean(strict=options["strict"]) or options["exit_zero"] else 1


def _timeline(pack: Any, names: Sequence[str], options: dict[str, Any]) -> int:
    from auditor.engine.catalogue_history import history_of

    histories = inputs.histories(pack, names, options)
    if not histories:
        raise ConfigError(f"{inputs.ledger(options)} holds no catalogue; record one with --record --release VERSION")
    found = [one for history in histories.values() if (one := history_of(history, options["timeline"]))]
    if "json" in options["format"]:
        streams.put(json.dumps({"schema": "kvaudit-timeline/1", "found": found}, indent=2) + "\n")
    for one in found if "json" not in options["format"] else ():
        spans = ", ".join(first if first == last else f"{first} to {last}" for first, last in one["releases"])
        streams.tell(
            f"{one['target']}: {one['kind']} {one['name']} in {spans}{'' if one['isPresent'] else '; gone since'}"
        )
        for default in one["defaults"]:
            streams.tell(f"  default {default['value']} since {default['since']}")
    if not found and not options["quiet"]:
        known = ", ".join(f"{one.target} {one.revisions[0]} to {one.revisions[-1]}" for one in histories.values())
        streams.say(f"kvaudit: {options['timeline']} is in no recorded release ({known})")
    return 0 if found else 1
