"""A claim that names its releases says nothing of others."""

from dataclasses import replace

import pytest

from auditor.engine.applicable import silence
from auditor.model import Claim, Kind, Revision, Target, Text

CLAIM = Claim("t/a/b", Text("It is so.", "如此。"), "t.yaml:2", "symbol", first="0.30.0", last="0.31")
TARGET = Target("t", commit="8b365ff949", near_pin="0.31.0", tag="v{version}")


@pytest.mark.parametrize(
    ("source", "name", "speaks"),
    [
        ("pypi", "0.29.1", False),
        ("pypi", "0.30.0", True),
        ("pypi", "0.31.0", True),
        ("pypi", "0.31.1", False),
        ("pypi", "0.30.0rc1", False),
        ("installed", "0.31.0+cu128", True),
        ("git", "v0.29.0", False),
        ("git", "v0.30.0", True),
        ("git", "0.29.0", True),
        ("git", "8b365ff949", True),
        ("git", "main", True),
        ("directory", "0.29.0", True),
    ],
)
def test_a_release_outside_is_not_spoken_of(source: str, name: str, speaks: bool) -> None:
    outcome = silence(CLAIM, TARGET, Revision(source, name))
    assert (outcome is None) is speaks
    assert outcome is None or outcome.kind is Kind.NOT_APPLICABLE


def test_a_bound_that_is_missing_bounds_nothing() -> None:
    assert silence(replace(CLAIM, first=None), TARGET, Revision("pypi", "0.1")) is None
    assert silence(replace(CLAIM, last=None), TARGET, Revision("pypi", "9.9")) is None
