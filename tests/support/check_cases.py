"""The case files of the checks, read: what a check is given, and what it is to find.

A case file is Markdown. A heading is a test; a `yaml` block is the check; `python` blocks are the files, with a path in
backquotes on the line above where it matters (`0.2.0:path` is of another release). `at` may be a symbol alone, of the
first file. A comment `# pass`, `# fail: part of the message`, `# review`, `# open` marks the first line of the primary
location, `# related` that of every other; on a line of its own it says that there is no location. `Not run <variation>:
reason.` leaves one out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from auditor.checks import Check
from auditor.claims import load
from tests.support.folders import CASES
from tests.support.snapshots import MODULE

FOLDER = CASES / "checks"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
BLOCK = re.compile(
    r"(?:^`(?P<path>[^`\n]+)`\n+)?^```(?P<language>yaml|python)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
EXPECTED = re.compile(r"\s*# (?P<kind>pass|fail|review|open|related)(?:: (?P<message>.*))?$")
LEFT_OUT = re.compile(r"^Not run (\w+): ", re.MULTILINE)

Files = Mapping[str, str]


@dataclass(frozen=True)
class Case:
    """One heading: what the check is given, and what it is to find. `lines` are the primary line and the others."""

    rule: str
    title: str
    written: str
    files: Files
    kind: str
    message: str
    lines: tuple[tuple[str, int], ...]
    left_out: frozenset[str]

    def __str__(self) -> str:
        return f"{self.rule}: {self.title}"


def cases(path: Path) -> list[Case]:
    _, *parts = HEADING.split(path.read_text("utf-8"))
    return [case(path.stem, *pair) for pair in zip(parts[::2], parts[1::2], strict=True)]


def case(rule: str, title: str, text: str) -> Case:
    written, files = "", {}
    for block in BLOCK.finditer(text):
        if block["language"] == "yaml":
            written = block["text"]
        else:
            files[block["path"] or MODULE] = block["text"]
    found = Case(rule, title, written, {}, "", "", (), frozenset(LEFT_OUT.findall(text)))
    related: list[tuple[str, int]] = []
    for name, content in files.items():
        lines = content.splitlines()
        for number, line in enumerate(lines, 1):
            if (comment := EXPECTED.search(line)) is None:
                continue
            lines[number - 1] = line[: comment.start()]
            place = ((name, number),) if lines[number - 1].strip() else ()
            if comment["kind"] == "related":
                related += place
            else:
                assert found.kind == "", f"{rule}: {title}: two kinds are expected"
                found = replace(found, kind=comment["kind"], message=comment["message"] or "", lines=place)
        files[name] = "\n".join(lines) + "\n"
    assert found.kind, f"{rule}: {title}: no kind is expected"
    return replace(found, files=files, lines=(*found.lines, *sorted(related)))


def loaded(rule: str, written: str, file: str, folder: Path) -> Check:
    """The check that some YAML states, through a pack; `at` may be a symbol of `file`."""
    at = re.compile(r"(?<![\w-])at: ([\w.]+)$", re.MULTILINE)
    placed = at.sub(lambda given: given[0] if "/" in given[1] else f"at: {file}::{given[1]}", written)
    claim = f"id: engine/case/only\nstatement: {{en: It is so, zh: 如此}}\n{placed}"
    if re.search("^check:", written, re.MULTILINE) is None:
        claim += f"\ncheck: {rule}\n"
    (folder / "pack.yaml").write_text("id: cases\ntitle: {en: Cases, zh: 案例}\ntargets: {engine: {}}\n", "utf-8")
    indented = claim.strip().replace("\n", "\n    ")
    (folder / "engine.yaml").write_text(f"claims:\n  - {indented}\n", "utf-8")
    ((entry,),) = load(folder).entries.values()
    (check,) = entry.checks
    return check


def of_rule(rule: str) -> list[Case]:
    """The cases of a rule; none where it has no file yet."""
    path = FOLDER / f"{rule}.md"
    return cases(path) if path.is_file() else []
