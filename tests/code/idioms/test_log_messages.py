"""The texts that code can log."""

import pytest

from auditor.code.flow.activations import Activation
from auditor.code.flow.program_points import ProgramPoint
from auditor.code.flow.string_values import GAP
from auditor.code.idioms.log_messages import messages
from auditor.code.syntax.unparse import unparse
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
    ('x = logger.info("a")', [("a", "info", None)]),
    ('x and logger.info("a")', [("a", "info", "x")]),
    ('say = logger.info if x else logger.debug\nsay("a")', [("a", "info", "x"), ("a", "debug", "not x")]),
    ('def g():\n  logger.info("a")', [("a", "info", "g is called")]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), LOGGED)
def test_a_function_logs(body: str, expected: list[tuple[str, str, str | None]]) -> None:
    function = definition("def f(x, y):\n  " + body.replace("\n", "\n  ") + "\n", "f")
    found = [(one.text.replace(GAP, "*"), one.level, guards(one.point)) for one in messages(Activation(function))]
    assert found == expected


def guards(point: ProgramPoint) -> str | None:
    return " and ".join(unparse(one.source) for one in point.conditions) or None
