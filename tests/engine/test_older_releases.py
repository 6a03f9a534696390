"""What an older release lacks refutes no claim about the pinned one; another value does, and what a newer one lost."""

from dataclasses import replace
from pathlib import Path

import pytest

from auditor.code.project.codebase import Codebase
from auditor.engine.decide import decide
from auditor.model import Kind, Outcome, Revision
from tests.support.packs import TARGET, Tree, claim, entries

PINNED = replace(TARGET, near_pin="0.31.0")

NOW = """\
LIMIT = 3
class Pool:
    def take(self, request):
        if request.waits:
            self.reserve(request, margin=1)
        self.free -= 1
    def rest(self):
        return self.free - self.offset
"""
HEAD = {"engine/__init__.py": ""}


class Released(Tree):
    """A release, in a registry that has the pinned one too."""

    def __init__(self, version: str, code: str, other: str = "") -> None:
        super().__init__({**HEAD, "engine/pool.py": code, "engine/other.py": other})
        self.revision = Revision("pypi", version)


def decided(rest: str, version: str, code: str, folder: Path, other: str = "") -> Outcome:
    (one,) = entries(folder, claim(rest))
    pinned = Released("0.31.0", NOW)
    return decide(one, Codebase(Released(version, code, other), PINNED, lambda _: pinned))


RESERVES = "check: pattern\nat: engine/pool.py::Pool.take\ncode: self.reserve(...)"
INLINE = NOW.replace("self.reserve(request, margin=1)", "self.offset += 1")
GUARDED = "check: guard\nat: engine/pool.py::Pool.take\ncode: self.reserve(...)\nwhen: request.waits"
ONLY = "check: callers\nscope: engine\ncode: $X.reserve(...)\nonly: [engine/pool.py::Pool.take]"
RESTS = "check: formula\nat: engine/pool.py::Pool.rest\nequals: self.free - self.offset"
LIMITED = "check: symbol\nat: engine/pool.py::LIMIT"
BOTH = f"all:\n  - {{{', '.join(LIMITED.splitlines())}}}\n  - {{{', '.join(RESTS.splitlines())}}}"
ORDERED = "check: order\nat: engine/pool.py::Pool.take\nfirst: request.waits\nthen: self.free -= 1"
NEVER_SO = "check: pattern\nat: engine/pool.py::Pool.take\ncode: self.evict(...)"
NEVER = "check: pattern\nat: engine/pool.py::Pool.take\ncode: self.reserve(...)\ncount: 0"


@pytest.mark.parametrize(
    ("rest", "code", "older", "newer"),
    [
        (RESERVES, INLINE, Kind.NOT_APPLICABLE, Kind.FAIL),
        (RESERVES, INLINE + "    def reserve(self): ...\n", Kind.OPEN, Kind.FAIL),
        (RESERVES, NOW, Kind.PASS, Kind.PASS),
        (GUARDED, INLINE, Kind.NOT_APPLICABLE, Kind.FAIL),
        (GUARDED, NOW.replace("request.waits", "request.runs"), Kind.FAIL, Kind.FAIL),
        (ONLY, INLINE, Kind.NOT_APPLICABLE, Kind.FAIL),
        (ONLY, NOW + "    def put(self):\n        self.reserve(None)\n", Kind.FAIL, Kind.FAIL),
        (ORDERED, NOW.replace("request.waits", "True"), Kind.NOT_APPLICABLE, Kind.FAIL),
        (LIMITED, NOW.replace("LIMIT", "MOST"), Kind.NOT_APPLICABLE, Kind.FAIL),
        (RESTS, NOW.replace("- self.offset", "+ self.offset"), Kind.FAIL, Kind.FAIL),
        # A contradiction is a witness, whatever else is not there yet.
        (BOTH, NOW.replace("LIMIT", "MOST").replace("- self.offset", "+ self.offset"), Kind.FAIL, Kind.FAIL),
        (BOTH, NOW.replace("LIMIT", "MOST"), Kind.NOT_APPLICABLE, Kind.FAIL),
        # What does not hold in the pinned release either is no news of later code.
        (NEVER_SO, NOW, Kind.FAIL, Kind.FAIL),
        (NEVER, NOW, Kind.FAIL, Kind.FAIL),
        (NEVER, INLINE, Kind.PASS, Kind.PASS),
    ],
)
def test_what_an_older_release_lacks_refutes_nothing(
    rest: str, code: str, older: Kind, newer: Kind, tmp_path: Path
) -> None:
    kinds = [decided(rest, version, code, tmp_path).kind for version in ("0.30.0", "0.31.0", "0.32.0")]
    assert kinds == [older, newer, newer]


def test_a_name_anywhere_in_the_package_may_be_the_code_under_another_roof(tmp_path: Path) -> None:
    other = "def admit(pool, request):\n    pool.reserve(request)\n"
    outcome = decided(RESERVES, "0.30.0", INLINE, tmp_path, other)
    assert outcome.kind == Kind.OPEN
    assert "which alone does not refute it" in outcome.message.en


def test_the_reason_names_what_is_not_there_yet(tmp_path: Path) -> None:
    outcome = decided(RESERVES, "0.30.0", INLINE, tmp_path)
    assert outcome.message.en.startswith("0.30.0 has no reserve yet, and 0.31.0 does: ")
    assert outcome.message.zh.startswith("0.30.0 还没有 `reserve`，而 0.31.0 有：")


def test_without_the_pinned_code_nobody_knows_whether_it_came_later(tmp_path: Path) -> None:
    (one,) = entries(tmp_path, claim(RESERVES))
    codebase = Codebase(Released("0.30.0", INLINE), PINNED)
    codebase.begin()
    assert decide(one, codebase).kind == Kind.FAIL
    assert not codebase.dependencies.is_lasting


def test_another_form_that_is_there_decides_where_it_holds(tmp_path: Path) -> None:
    form = "\nelsewhere:\n  - {check: pattern, at: 'engine/pool.py::Pool.take', code: self.offset += 1}"
    assert decided(RESERVES + form, "0.30.0", INLINE, tmp_path).kind == Kind.PASS
    assert decided(RESERVES + form, "0.30.0", INLINE.replace("+=", "-="), tmp_path).kind == Kind.NOT_APPLICABLE


class Committed(Released):
    """A commit that is no release, of a repository that lacks the pinned one."""

    def __init__(self, day: str, code: str) -> None:
        super().__init__("0", code)
        self.revision = Revision("git", "abcdef", "abcdef")
        self.date = f"{day}T08:00:00Z"


@pytest.mark.parametrize(
    ("rest", "code", "older", "newer"),
    [
        (RESERVES, INLINE, Kind.OPEN, Kind.FAIL),
        (RESERVES, NOW, Kind.PASS, Kind.PASS),
        (RESTS, NOW.replace("- self.offset", "+ self.offset"), Kind.FAIL, Kind.FAIL),
        (NEVER_SO, NOW, Kind.FAIL, Kind.FAIL),
    ],
)
def test_a_commit_is_as_old_as_its_date(rest: str, code: str, older: Kind, newer: Kind, tmp_path: Path) -> None:
    (one,) = entries(tmp_path, claim(rest))
    dated = replace(PINNED, date="2026-09-25")
    codes = [
        Codebase(Committed(day, code), dated, lambda _: Released("0.31.0", NOW)) for day in ("2026-09-24", "2026-09-25")
    ]
    assert [decide(one, code).kind for code in codes] == [older, newer]


LOGS = 'check: log-message\nat: engine/pool.py::Pool.take\ntext: "no room for ..."\nlevel: warning'
LOGGED = NOW.replace("        self.free -= 1", '        logger.warning(f"no room for {request}")')
RAISES = 'check: exception-message\nat: engine/pool.py::Pool.take\ntext: "no room for ..."'
RAISED = NOW.replace("        self.free -= 1", '        raise ValueError(f"no room for {request}")')


@pytest.mark.parametrize(
    ("rest", "pinned", "code", "kind"),
    [
        (LOGS, LOGGED, NOW, Kind.OPEN),
        (LOGS, LOGGED, LOGGED.replace("warning", "info"), Kind.FAIL),
        (RAISES, RAISED, NOW, Kind.OPEN),
        (RAISES, RAISED, RAISED.replace("no room", "nothing"), Kind.OPEN),
    ],
)
def test_a_message_that_an_older_release_lacks_refutes_nothing(
    rest: str, pinned: str, code: str, kind: Kind, tmp_path: Path
) -> None:
    (one,) = entries(tmp_path, claim(rest))
    found = decide(one, Codebase(Released("0.30.0", code), PINNED, lambda _: Released("0.31.0", pinned)))
    assert found.kind is kind, found.message
