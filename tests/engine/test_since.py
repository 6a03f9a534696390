"""What became of cited code between two revisions: moved, or lost though something like it is there."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from auditor.engine.since import audit_since
from auditor.model import AnchorState, BaselineState, Kind
from tests.support.packs import TARGET, Tree, claim, entries

CLIENT = """\
class Client:
    def request(self, url, timeout=None):
        self.check(url)
        return self.send(url, timeout)
"""
ATTIC = CLIENT.replace("timeout=None", "timeout=None, verify=True").replace("self.check(url)\n        ", "")
OTHER = CLIENT.replace("Client", "Caller").replace("request", "call").replace("=None", "=30")
TIMEOUT = """\
cites: ["engine/wire.py:2"]
at: engine/wire.py::Client.request
check: default-value
parameter: timeout
equals: None"""
WAS = {"engine/__init__.py": "", "engine/wire.py": CLIENT, "engine/attic.py": ATTIC}
GONE = {"engine/__init__.py": "", "engine/attic.py": ATTIC, "engine/http.py": OTHER}

Found = tuple[Kind, AnchorState, BaselineState | None]


def became(folder: Path, rest: str, old: Mapping[str, str], new: Mapping[str, str]) -> Found:
    run = audit_since(TARGET, entries(folder, claim(rest)), Tree(old), Tree(new, "2.0"))
    (result,) = run.results
    return result.kind, result.citations[0].state, result.baseline


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        pytest.param(GONE, (Kind.OPEN, AnchorState.LOST, BaselineState.NEW), id="deleted, beside a namesake"),
        pytest.param(
            {**GONE, "engine/net/wire.py": CLIENT},
            (Kind.PASS, AnchorState.MOVED, BaselineState.UNCHANGED),
            id="moved, beside a namesake",
        ),
        pytest.param(
            {"engine/__init__.py": "", "engine/wire/__init__.py": "import ssl\n\n" + CLIENT, "engine/attic.py": ATTIC},
            (Kind.PASS, AnchorState.MOVED, BaselineState.UNCHANGED),
            id="a package now, beside a namesake",
        ),
        pytest.param(
            {**WAS, "engine/wire.py": "import ssl\n" + CLIENT},
            (Kind.PASS, AnchorState.SHIFTED, BaselineState.UNCHANGED),
            id="where it was",
        ),
    ],
)
def test_a_definition_is_not_its_namesake(new: Mapping[str, str], expected: Found, tmp_path: Path) -> None:
    assert became(tmp_path, TIMEOUT, WAS, new) == expected


LOOP = """\
class Loop:
    def step(self, r):
        if r.stale:
            self.free(r)
            r.count += 1
        self.note(r)
        if r.done:
            self.free(r)
            r.count += 2
        return r
"""
FREED = 'cites: ["engine/loop.py:{}"]\nat: engine/loop.py::Loop.step\ncheck: pattern\ncode: self.free(r)'
FIRST_GONE = LOOP.replace("            self.free(r)\n", "", 1)
SECOND_GONE = (
    "            self.free(r)\n".join(LOOP.split("            self.free(r)\n")[:2]) + LOOP.split("self.free(r)\n")[2]
)


@pytest.mark.parametrize(
    ("line", "after", "state"),
    [
        (4, FIRST_GONE, AnchorState.LOST),
        (8, FIRST_GONE, AnchorState.SHIFTED),
        (8, SECOND_GONE, AnchorState.LOST),
        (4, SECOND_GONE, AnchorState.EXACT),
        (4, LOOP, AnchorState.EXACT),
        (4, "# Loops.\n" + LOOP, AnchorState.SHIFTED),
    ],
)
def test_a_statement_is_not_its_twin(line: int, after: str, state: AnchorState, tmp_path: Path) -> None:
    kind, found, baseline = became(tmp_path, FREED.format(line), {"engine/loop.py": LOOP}, {"engine/loop.py": after})
    is_lost = state is AnchorState.LOST
    assert (kind, found, baseline is BaselineState.NEW) == (Kind.PASS, state, is_lost)
