"""The texts that code can log, and the metrics that it makes."""

import pytest

from auditor.code.idioms.log_messages import GAP, is_written, messages
from auditor.code.idioms.prometheus import metrics
from tests.support.snapshots import definition

AGREEING = [("ac", "info", "x and x"), ("b", "info", "not x and not x")]
LOGGED = [
    ('logger.info("a")', [("a", "info", None)]),
    ('logger.info("a %s b", x)', [("a * b", "info", None)]),
    ('logger.info("100% done")', [("100% done", "info", None)]),
    ('logger.info("%d%% of %(n)s", x)', [("*% of *", "info", None)]),
    ('logger.info("%5.2f|%-10s|%x|%%s", x)', [("*|*|*|%s", "info", None)]),
    ('logger.info("a %s" % x)', [("a *", "info", None)]),
    ('logger.info("a {} {b!r:>3}".format(x, b=y))', [("a * *", "info", None)]),
    ('logger.info(f"a {x} {{}}")', [("a * {}", "info", None)]),
    ('logger.info("a" "b")', [("ab", "info", None)]),
    ('logger.info("a " + str(x) + " b")', [("a * b", "info", None)]),
    ('logger.info("a" if x else "b")', [("a", "info", "x"), ("b", "info", "not x")]),
    ('logger.info(("a" if x else "b") + ("c" if x else ""))', AGREEING),
    ("logger.info(x)", [("*", "info", None)]),
    ('m = "a"\nlogger.info(m)', [("a", "info", None)]),
    ('m = "a"\nif x:\n  m += "b"\nlogger.info(m)', [("ab", "info", "x"), ("a", "info", "not x")]),
    ('if x:\n  logger.info("a")', [("a", "info", "x")]),
    ('logger.warn("a")', [("a", "warning", None)]),
    ('logger.exception("a")', [("a", "error", None)]),
    ('logger.fatal("a")', [("a", "critical", None)]),
    ('logger.info_once("a")', [("a", "info", None)]),
    ('self._logger.debug("a")', [("a", "debug", None)]),
    ('LOG.error("a")', [("a", "error", None)]),
    ('logging.getLogger("x").error("a")', [("a", "error", None)]),
    ('logger.log(logging.DEBUG, "a")', [("a", "debug", None)]),
    ('logger.log(n, "a %s", x)', [("a *", "", None)]),
    ("logger.info()", []),
    ("logger.log()", []),
    ("logger.setLevel(1)", []),
    ('catalog.error("a")', []),
    ('dialog.info("a")', []),
    ('print("a")', []),
    ('x = logger.info("a")', []),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), LOGGED)
def test_a_function_logs(body: str, expected: list[tuple[str, str, str | None]]) -> None:
    function = definition("def f(x, y):\n  " + body.replace("\n", "\n  ") + "\n", "f").term
    assert expected == [(one.text.replace(GAP, "*"), one.level, one.guard) for one in messages(function)]


WRITTEN = [
    ("a b", "a b", True),
    ("a b", "a  \n b", True),
    ("a", "a b", False),
    ("a ...", f"a {GAP}", True),
    ("a ...", "a b c", True),
    ("a ... c", "a c", True),
    ("... c", "a b c", True),
    ("a", f"a{GAP}", False),
    ("a.c", "abc", False),
    ("(a) [b] *", "(a) [b] *", True),
    ("...", "anything", True),
]


@pytest.mark.parametrize(("wanted", "text", "expected"), WRITTEN)
def test_a_wanted_text_is_the_whole_of_a_message(wanted: str, text: str, expected: bool) -> None:
    assert expected == is_written(wanted, text)


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
    ('for y in x:\n  if y: continue\n  Gauge("a", "x")', [("a", "gauge", ["a"], "not y")]),
    ('[Gauge("a", "x") if x else None]', [("a", "gauge", ["a"], "x")]),
    ('f(Gauge("a", "x"), Counter("b", "x"))', [("a", "gauge", ["a"], None), ("b", "counter", ["b_total"], None)]),
]


@pytest.mark.parametrize(("body", "expected"), MADE)
def test_a_function_makes_metrics(body: str, expected: list[tuple[str, str | None, list[str], str | None]]) -> None:
    found = metrics(definition("def f(x):\n  " + body.replace("\n", "\n  ") + "\n", "f"))
    assert expected == [(one.name, one.type, list(one.series), one.guard) for one in found]
