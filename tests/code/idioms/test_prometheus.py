"""The metrics that code makes."""

import pytest

from auditor.code.idioms.prometheus import metrics
from tests.support.snapshots import definition

MADE = [
    ('Counter("a", "x")', [("a", "counter", ["a_total"], None)]),
    ('Counter("a_total", "x")', [("a_total", "counter", ["a_total"], None)]),
    ('Gauge("a", "x")', [("a", "gauge", ["a"], None)]),
    ('Histogram("a", "x")', [("a", "histogram", ["a_bucket", "a_sum", "a_count"], None)]),
    ('Summary("a", "x")', [("a", "summary", ["a", "a_sum", "a_count"], None)]),
    ('Info("a", "x")', [("a", "info", ["a_info"], None)]),
    ('Enum("a", "x", states=[])', [("a", "enum", ["a"], None)]),
    ('Gauge("a", "x", namespace="n", subsystem="s", unit="u")', [("a", "gauge", ["n_s_a_u"], None)]),
    ('Counter("a_total", "x", unit="u")', [("a_total", "counter", ["a_u_total"], None)]),
    ('Gauge("a_u", "x", unit="u")', [("a_u", "gauge", ["a_u"], None)]),
    ('prometheus_client.Gauge(documentation="x", name="a")', [("a", "gauge", ["a"], None)]),
    ('make(documentation="x", name="a")', [("a", None, [], None)]),
    ('make("a", "x")', []),
    ('Gauge("a")', []),
    ("Gauge(x, 'y')", []),
    ("Gauge(1, 'y')", []),
    ('if x: Gauge("a", "x")', [("a", "gauge", ["a"], "x")]),
    ('if x: pass\nelse: Gauge("a", "x")', [("a", "gauge", ["a"], "not x")]),
    ('if x: return\nGauge("a", "x")', [("a", "gauge", ["a"], "not x")]),
    (
        'for y in x:\n  if y: continue\n  Gauge("a", "x")',
        [("a", "gauge", ["a"], "the loop over x has a round and not y")],
    ),
    ('for y in (1, 2):\n  Gauge("a", "x")', [("a", "gauge", ["a"], None)]),
    ('while x:\n  Gauge("a", "x")', [("a", "gauge", ["a"], "x")]),
    ('x and Gauge("a", "x")', [("a", "gauge", ["a"], "x")]),
    ('x or Gauge("a", "x")', [("a", "gauge", ["a"], "not x")]),
    ('lambda: Gauge("a", "x")', [("a", "gauge", ["a"], "the lambda is called")]),
    ('[Gauge("a", "x") for y in x if y]', [("a", "gauge", ["a"], "the loop over x has a round and y")]),
    ('[Gauge("a", "x") if x else None]', [("a", "gauge", ["a"], "x")]),
    ('f(Gauge("a", "x"), Counter("b", "x"))', [("a", "gauge", ["a"], None), ("b", "counter", ["b_total"], None)]),
]


@pytest.mark.parametrize(("body", "expected"), MADE)
def test_a_function_makes_metrics(body: str, expected: list[tuple[str, str | None, list[str], str | None]]) -> None:
    found = metrics(definition("def f(x):\n  " + body.replace("\n", "\n  ") + "\n", "f"))
    assert expected == [(one.name, one.type, list(one.series), one.guard) for one in found]
