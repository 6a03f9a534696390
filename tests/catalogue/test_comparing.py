"""What changed between two catalogues."""

import pytest

from auditor.catalogue.comparing import compared
from auditor.catalogues import Catalogue, ChangeKind, Option, Place
from auditor.model import Revision


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [((1, True), (2, True), 1), (("0 | None", False), (0, True), 0), (("4 | None", False), (8, True), 1)],
)
def test_a_default_that_may_be_the_same_has_not_changed(
    before: tuple[object, bool], after: tuple[object, bool], changes: int
) -> None:
    place = Place("a.py", 1, 1)
    old, new = (
        Option("flag", ("--x",), "x", value, is_static, False, "int", None, None, False, None, None, (), place)
        for value, is_static in (before, after)
    )
    revision = Revision("pypi", "1.0")
    found = compared(Catalogue("t", revision, options=(old,)), Catalogue("t", revision, options=(new,)))
    assert [one.kind for one in found.changes] == [ChangeKind.DEFAULT] * changes
