"""What became of cited code between two revisions: moved, or lost though something like it is there."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from auditor.engine.comparison import audit_since
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


POOL = """\
from engine.sizes import LIMIT, rounded


class Pool:
    def grow(self, by):
        if by > LIMIT:
            by = LIMIT
        self.size = self._sum(by)
        self.tell()

    def _sum(self, by):
        return self._half(by) + rounded(by)

    def _half(self, by):
        return by / 2

    def tell(self):
        logger.info("grown")

    def shrink(self, by):
        self.size = by
"""
SIZES = "LIMIT = 10\n\n\ndef rounded(size):\n    return int(size)\n\n\ndef other():\n    return 1\n"
SUM = "at: engine/pool.py::Pool.grow\ncheck: pattern\ncode: self.size = self._sum(by)"
SAME = {"engine/__init__.py": "", "engine/pool.py": POOL, "engine/sizes.py": SIZES}


@pytest.mark.parametrize(
    ("path", "before", "after", "helper"),
    [
        ("engine/pool.py", "return self._half(by) +", "return 2 * self._half(by) +", "engine/pool.py::Pool._sum"),
        ("engine/pool.py", "return by / 2", "return by / 3", "engine/pool.py::Pool._half"),
        ("engine/sizes.py", "int(size)", "round(size)", "engine/sizes.py::rounded"),
        ("engine/sizes.py", "return 1", "return 2", None),
        ("engine/pool.py", "self.size = by\n", "self.size = -by\n", None),
        ("engine/pool.py", '"grown"', '"has grown"', None),
        (
            "engine/pool.py",
            "def _half(self, by):",
            'def _half(self, by: int) -> float:\n        """Half of it."""',
            None,
        ),
        ("engine/pool.py", "from engine", "# Pools.\nfrom engine", None),
    ],
)
def test_a_claim_rests_on_what_its_code_calls(
    path: str, before: str, after: str, helper: str | None, tmp_path: Path
) -> None:
    new = {**SAME, path: SAME[path].replace(before, after)}
    assert new != SAME
    run = audit_since(TARGET, entries(tmp_path, claim(SUM)), Tree(SAME), Tree(new, "2.0"))
    (result,) = run.results
    expected = BaselineState.UPDATED if helper else BaselineState.UNCHANGED
    assert (result.kind, result.baseline, result.changed_helpers) == (Kind.PASS, expected, (helper,) if helper else ())
    assert [str(change.after and change.after.symbol) for change in result.changes] == (
        [helper.partition("::")[2]] if helper else []
    )
