"""An index of some code's terms, and its blocks."""

from auditor.code.syntax.term_index import TermIndex
from tests.support.snapshots import definition

TEXT = """
def start(a):
  if a:
    f(1)
  else:
    f(2)
  try:
    f(3)
  except E:
    f(4)
  finally:
    f(5)
  match a:
    case 1:
      f(6)
  return lambda: f(7)
"""


def test_terms_stand_by_type_in_source_order() -> None:
    index = TermIndex(definition(TEXT, "start").terms)
    assert [call.terms("args")[0].parts["value"] for call in index.by_type["Call"]] == [1, 2, 3, 4, 5, 6, 7]
    assert "While" not in index.by_type


def test_blocks_stand_from_the_top_and_each_once() -> None:
    index = TermIndex(definition(TEXT, "start").terms)
    lines = [block[0].region.start for block in index.blocks if block[0].region]
    assert lines == [2, 3, 4, 6, 8, 10, 12, 15]
