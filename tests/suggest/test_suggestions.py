"""What lines suggest is what they say, holds there, and is loaded again as it was written out."""

from pathlib import Path

import pytest

from auditor.claims import load
from auditor.claims.yaml_text import check_lines, claim_text
from auditor.code import Absent
from auditor.model import Kind, Region
from auditor.suggest import suggestions
from tests.support.packs import HEAD, write
from tests.support.snapshots import codebase

CODE = '''\
import logging
from prometheus_client import Counter

logger = logging.getLogger(__name__)
LIMIT = 10 * 1024
preempted = Counter("engine:preempted", "Preemptions.")


class Pool:
    """A pool."""

    size: int = 16
    name = "l1: #1"

    def usage(self, free, scale=1.5):
        if free > self.size:
            raise ValueError(f"only {self.size} are free, not {free}")
        logger.warning("pool is at %s", free)
        used = 1 - free / self.size
        self.state = "used"
        self.note(used)
        self.publish()
        if not used:
            return None
        return used
'''
PATH = "engine/pool.py"


def keys(lines: str) -> list[list[str]]:
    start, _, end = lines.partition("-")
    found = suggestions(codebase({PATH: CODE}), PATH, Region(int(start), int(end or start)))
    return [list(check_lines(tried.suggestion.check)) for tried in found]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param("5", ["at: engine/pool.py::LIMIT", "check: default-value", "equals: 10240"], id="constant"),
        pytest.param(
            "6", ["at: engine/pool.py", "check: metric", "name: engine:preempted", "type: counter"], id="metric"
        ),
        pytest.param("12", ["at: engine/pool.py::Pool.size", "check: default-value", "equals: 16"], id="field"),
        pytest.param(
            "13", ["at: engine/pool.py::Pool.name", "check: default-value", "equals: \"'l1: #1'\""], id="field-of-text"
        ),
        pytest.param(
            "15",
            ["at: engine/pool.py::Pool.usage", "check: default-value", "equals: 1.5", "parameter: scale"],
            id="parameter",
        ),
        pytest.param(
            "17",
            [
                "at: engine/pool.py::Pool.usage",
                "check: exception-message",
                'text: "only ... are free, not ..."',
                "type: ValueError",
            ],
            id="exception",
        ),
        pytest.param(
            "18",
            ["at: engine/pool.py::Pool.usage", "check: log-message", "text: pool is at ...", "level: warning"],
            id="log",
        ),
        pytest.param(
            "19",
            ["at: engine/pool.py::Pool.usage", "check: formula", "equals: 1 - free / self.size", "variable: used"],
            id="formula",
        ),
        pytest.param(
            "20",
            ["at: engine/pool.py::Pool.usage", "check: default-value", "equals: \"'used'\"", "variable: self.state"],
            id="assigned",
        ),
        pytest.param(
            "21-22",
            ["at: engine/pool.py::Pool.usage", "check: order", "first: self.note(...)", "then: self.publish()"],
            id="order",
        ),
        pytest.param(
            "24", ["at: engine/pool.py::Pool.usage", "check: returns", "value: None", "when: not used"], id="returns"
        ),
        pytest.param("9", ["at: engine/pool.py::Pool", "check: symbol", "type: class"], id="class"),
    ],
)  # fmt: skip
def test_lines_suggest_what_they_say(lines: str, expected: list[str]) -> None:
    assert keys(lines)[0] == expected


def test_every_suggestion_holds_and_is_loaded_as_it_was_written(tmp_path: Path) -> None:
    code = codebase({PATH: CODE})
    found = suggestions(code, PATH)
    assert len(found) > 12
    assert {tried.outcome.kind for tried in found} <= {Kind.PASS, Kind.REVIEW}
    claims = [
        claim_text(
            f"engine/a/{number}", tried.suggestion.statement, [f"{PATH}:1-24"], tried.suggestion.check, ("en", "zh")
        )
        for number, tried in enumerate(found)
    ]
    pack = load(write(tmp_path, {"pack.yaml": HEAD, "engine.yaml": "claims:\n" + "".join(claims)}))
    for tried, entry in zip(found, sorted(pack.entries["engine"], key=lambda one: int(one.claim.id[9:])), strict=True):
        (check,) = entry.checks
        assert list(check_lines(check)) == list(check_lines(tried.suggestion.check))
        assert check.audit(code).kind is tried.outcome.kind
        assert entry.claim.statement == tried.suggestion.statement


def test_a_file_that_is_not_there_suggests_nothing() -> None:
    with pytest.raises(Absent):
        suggestions(codebase({PATH: CODE}), "engine/other.py")
