"""Every check against its case file, as written and under changes that must not matter.

A case file is Markdown. A heading is a test; a `yaml` block is the check; `python` blocks are the files, with a path in
backquotes on the line above where it matters (`0.2.0:path` is of another release). `at` may be a symbol alone, of the
first file. A comment `# pass`, `# fail: part of the message`, `# review`, `# open` marks the first line of the primary
location, `# related` that of every other; on a line of its own it says that there is no location. `Not run <variation>:
reason.` leaves one out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from auditor.checks import Check, checks
from auditor.claims import load
from tests.support.folders import CASES
from tests.support.snapshots import MODULE, NEWER, codebase

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


UNRELATED = 'def unrelated(first, second=3):\n    """Nothing."""\n    return [first, second]\n\n\n'

VARIATIONS: Mapping[str, Callable[[str], str | bytes]] = {
    "written": lambda text: text,
    "inserted": lambda text: UNRELATED + text,
    "indented": lambda text: "if True:\n" + re.sub(r"^(?=.*\S)", "    ", text, flags=re.MULTILINE),
    "newer": lambda text: text + NEWER,
    "crlf": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
}


def of_rule(rule: str) -> list[Case]:
    path = FOLDER / f"{rule}.md"
    return cases(path) if path.is_file() else []


ALL = [case for rule in checks() for case in of_rule(rule)]


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_check_finds_what_its_case_says(case: Case, tmp_path: Path) -> None:
    check = loaded(case.rule, case.written, next(iter(case.files), MODULE), tmp_path)
    outcome = check.audit(codebase(case.files))
    assert (case.kind, True) == (outcome.kind.value, case.message in outcome.message.en), outcome.message
    places = [(place.path, place.region.start if place.region else 1) for place in outcome.locations]
    assert case.lines == (*places[:1], *sorted(places[1:])), outcome.message


@pytest.mark.parametrize("variation", [name for name in VARIATIONS if name != "written"])
@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_change_that_must_not_matter_does_not(case: Case, variation: str, tmp_path: Path) -> None:
    if variation in case.left_out:
        return
    check = loaded(case.rule, case.written, next(iter(case.files), MODULE), tmp_path)
    changed = codebase({path: VARIATIONS[variation](text) for path, text in case.files.items()})
    outcome = check.audit(changed)
    assert case.kind == outcome.kind.value, outcome.message


def test_every_check_has_a_case_file_and_every_case_file_a_check() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(checks())


@pytest.mark.parametrize("rule", checks())
def test_a_case_file_shows_a_claim_that_holds_and_one_that_does_not(rule: str) -> None:
    kinds = {"open"} if rule == "undecidable" else {"pass", "fail", "open"}
    assert {case.kind for case in of_rule(rule)} >= kinds


@pytest.mark.parametrize("rule", checks())
def test_the_titles_of_a_case_file_are_unique(rule: str) -> None:
    titles = [case.title for case in of_rule(rule)]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.parametrize(("rule", "check"), checks().items())
@pytest.mark.parametrize("heading", ["*What it checks.*", "*Parameters.*", "*Example.*"])
def test_the_docstring_of_a_check_has_its_headings(rule: str, check: type[Check], heading: str) -> None:
    assert check.help().count(heading) == 1, rule


@pytest.mark.parametrize(("rule", "check"), checks().items())
def test_the_example_of_a_check_loads_as_that_check(rule: str, check: type[Check], tmp_path: Path) -> None:
    _, _, example = check.help().partition("*Example.*")
    written = re.sub(r"^    ", "", example.strip("\n"), flags=re.MULTILINE)
    assert check is type(loaded(rule, written, MODULE, tmp_path))
