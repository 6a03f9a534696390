"""New names of metrics, written into dashboards, rules and texts where they are proven."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli import catalogue_inputs as inputs
from auditor.cli import options as shared
from auditor.cli import packs, patch, streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.findings import Finding


def repair(names: "Sequence[str]", pack: str | None, options: dict[str, Any]) -> int:
    """Write what is proven, or print it as a patch; list the rest. Raises ConfigError, SourceError."""
    from auditor import __version__
    from auditor.usage.report import judged, log

    loaded = packs.load(pack, shared.store(options))
    options = {**options, "ledger": None, "pack": pack}
    chosen = inputs.targets(loaded, options, ["metrics"])
    found = inputs.catalogues(inputs.specs(loaded, chosen, options), options, ["metrics"])
    read = inputs.read_files(names, found)
    used = judged(read, found, inputs.histories(loaded, [one.target for one in found], options))
    findings = log("repair", read, used, found, __version__).findings
    changes: dict[Path, tuple[str, str]] = {}
    left = [one for one in findings if one.is_failure and one.replacement is None]
    for file in {one.path for one in findings if one.replacement is not None}:
        before = Path(file).read_bytes().decode("utf-8", "surrogateescape")
        after = _mended(before, [one for one in findings if one.path == file and one.replacement is not None])
        if after != before:
            changes[Path(file)] = (before, after)
    if options["dry_run"]:
        streams.put(patch.patch(changes))
    for path, (_, text) in changes.items() if not options["dry_run"] else ():
        patch.write(path, text)
    for one in left if not options["quiet"] else ():
        streams.say(f"{one.path}:{one.span.line}: {one.message.en}")
    return 1 if left and not options["exit_zero"] else 0


def _mended(text: str, findings: "Sequence[Finding]") -> str:
    """The text with each name replaced at its own place, if it is there; the last first, so that places stay."""
    lines = text.split("\n")
    for one in sorted(findings, key=lambda finding: finding.span, reverse=True):
        at, line = one.span.column - 1, lines[one.span.line - 1]
        end = at + len(one.about)
        is_whole = line[at:end] == one.about and not (
            line[end : end + 1].isalnum() or line[end : end + 1] in ("_", ":")
        )
        if is_whole and one.replacement is not None:
            lines[one.span.line - 1] = line[:at] + one.replacement + line[end:]
    return "\n".join(lines)
