"""`claim new` suggests claims that hold, and `claim test` says whether one can fail."""

import pytest

from tests.support.command_line import CommandLine, kvaudit
from tests.support.packs import CLAIMS, claim

__all__ = ["kvaudit"]

WHERE = ("--pack", "demo", "--path", "engine=src")
CODE = """\
class Pool:
    size = 16

    def used(self, free):
        if free > self.size:
            raise ValueError("too many")
        return self.size - free
"""


def test_a_place_suggests_claims_that_can_be_added_and_hold(kvaudit: CommandLine) -> None:
    kvaudit.code({"engine/pool.py": CODE})
    done = kvaudit("claim", "new", "engine", "engine/pool.py:7", *WHERE, "--write")
    assert done.status == 0
    first, verdict, *claim_lines = done.out.splitlines()
    assert first.startswith("# engine/pool.py:7 in engine src; its code has the fingerprint ")
    assert verdict.startswith("# pass: ")
    assert claim_lines[:4] == [
        "- id: engine/pool/pool-used-formula",
        '  statement: "`Pool.used` returns `self.size - free`."',
        '  cites: ["engine/pool.py:7"]',
        "  at: engine/pool.py::Pool.used",
    ]
    assert kvaudit("claim", "list", "demo").out.count("engine/pool/pool-used-formula") == 1
    assert kvaudit.verify("--select", "engine/pool/pool-used").status == 0
    again = kvaudit("claim", "new", "engine", "engine/pool.py::Pool.used", *WHERE, "--language", "zh", "--most", "1")
    assert "抛出" in again.out
    assert "- id: engine/pool/pool-used-formula-2" not in again.out.split("# ")[0]


def test_a_claim_is_added_to_a_file_without_one(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims: []\n")
    assert kvaudit("claim", "new", "engine", "engine/pool.py:2", *WHERE, "--write").status == 0
    assert kvaudit.verify().status == 0


def test_a_call_s_arguments_and_the_first_of_each_rule_are_suggested(kvaudit: CommandLine) -> None:
    code = "LIMITS = Limits(most=100)\nALL = Group(\n    first=Option(1, type='int'),\n    second=Option(2),\n"
    code += "".join(f"    one{number}=Option({number}),\n" for number in range(9)) + ")\n"
    kvaudit.code({"engine/pool.py": f"{code}def f(a=1, b=2):\n    continue_ = g()\n    return\n"})
    done = kvaudit("claim", "new", "engine", "engine/pool.py:1-4", *WHERE)
    for part in ("LIMITS = Limits(most=100)", "Group(..., first=Option(1, type='int'), ...)"):
        assert f"code: {part}" in done.out.replace('"', "")
    assert "Option(..., type=" not in done.out
    done = kvaudit("claim", "new", "engine", "engine/pool.py::f", *WHERE)
    rules = [line.removeprefix("# ").strip() for line in done.out.splitlines() if "check: " in line]
    assert rules[:2] == ["check: default-value", "check: pattern"]
    assert "code: return" not in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("vllm", "engine/pool.py:2"), "demo has no target vllm; there are engine"),
        (("engine", "engine/pool.py:200"), "the file has 3 lines"),
        (("engine", "engine/pol.py:2"), "engine/pol.py is not in src"),
        (("engine", "pool.py:2"), "pool.py is not in src; there is engine/pool.py"),
        (("engine", "engine/pool.py:x"), "is not PATH:LINES"),
        (("engine", "engine/pool.py::Pol"), "the nearest there is Pool"),
    ],
)
def test_a_place_that_is_not_there_is_one_line(arguments: tuple[str, str], message: str, kvaudit: CommandLine) -> None:
    done = kvaudit("claim", "new", *arguments, *WHERE)
    assert (done.status, done.out, message in done.err) == (2, "", True), done


def test_a_claim_that_notices_is_said_to(kvaudit: CommandLine) -> None:
    done = kvaudit("claim", "test", "engine/size/sixteen", *WHERE)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[:2] == ["The size is 16.", "demo/engine.yaml:2; engine src"]
    for line in (
        "check default-value: pass", "  expected  16", "  shows     engine/pool.py:2 (Pool.size)",
        "  read      engine/pool.py", "pass: Pool.size is 16",
        "2 of 2 edits that change what the code does are noticed", "           + size = 17",
    ):  # fmt: skip
        assert line in lines


def test_a_claim_that_misses_an_edit_is_said_to(kvaudit: CommandLine) -> None:
    kvaudit.code({"engine/pool.py": CODE})
    kvaudit.pack("claims:\n" + claim("at: engine/pool.py::Pool.used\ncheck: pattern\ncode: self.size"))
    done = kvaudit("claim", "test", "engine/a/b", *WHERE, "--most", "4")
    assert done.status == 1
    assert "  missed   pass " in done.out
    kvaudit.pack("claims:\n" + claim("at: engine/pool.py::Pool.used\ncheck: symbol\ntype: function"))
    assert "no edit is known" in kvaudit("claim", "test", "engine/a/b", *WHERE).out


@pytest.mark.parametrize(
    ("rest", "status", "says"),
    [
        ("check: default-value\nat: engine/pool.py::Pool.size\nequals: [17, 18]", 0, "it can fail: it does so here"),
        ("check: undecidable\nbecause: it is measured at run time", 1, "no edit is tried: it must be decided first"),
    ],
)
def test_a_claim_that_does_not_hold_is_not_tried(rest: str, status: int, says: str, kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + claim(rest))
    done = kvaudit("claim", "test", "engine/a/b", *WHERE)
    assert (done.status, says in done.out, "actual    None" in done.out) == (status, True, False), done.err


def test_a_claim_about_no_code_has_nothing_to_edit(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims:\n" + claim("check: absence\nscope: engine\nword: swap"))
    done = kvaudit("claim", "test", "engine/a/b", *WHERE)
    assert (done.status, "no edit is known" in done.out) == (0, True)


def test_a_claim_that_there_is_not_has_near_ones(kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS)
    done = kvaudit("claim", "test", "engine/size/sixten", *WHERE)
    assert (done.status, "the nearest are engine/size/sixteen" in done.err) == (2, True)
