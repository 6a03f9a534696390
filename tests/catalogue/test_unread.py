"""A file that no parser reads makes the list of metrics incomplete, and leaves the others' there."""

import pytest

from auditor.catalogue.metrics import metrics
from auditor.model import Target
from tests.support.snapshots import codebase

MADE = 'from prometheus_client import Counter\nA = Counter("engine:a", "h")\n'
TARGET = Target("engine", metrics=("engine/",))


@pytest.mark.parametrize(
    ("evil", "reason"),
    [
        (MADE + "X = " + "lambda: " * 3_000 + "1", "nested too deeply"),
        (MADE + "X = " + "+".join("a" * 3_000), "nested too deeply"),
        (MADE + "def f(:", "cannot be parsed"),
        ("# coding: undefined\n" + MADE, "is not text in its stated encoding"),
    ],
)
def test_other_files_are_read(evil: str, reason: str) -> None:
    files = {"engine/good.py": MADE.replace("engine:a", "engine:good"), "engine/evil.py": evil + "\n"}
    found, unresolved = metrics(codebase(files), TARGET)
    assert "engine:good" in [one.name for one in found]
    assert any(reason in one.reason.en and one.place.path == "engine/evil.py" for one in unresolved)
