"""Code that is written to end an audit, or to hold it up, leaves open what is claimed of it, and nothing else."""

from pathlib import Path

import pytest

from auditor.engine import audit
from auditor.limits import CLAIM_SECONDS, CODE_BYTES, PARSE_SECONDS
from auditor.model import Kind, Run
from tests.support.packs import TARGET, Tree, claim, entries
from tests.support.snapshots import NEWER

EVIL = claim("at: engine/evil.py::X\ncheck: default-value\nequals: 16", "engine/a/evil")
GOOD = claim("at: engine/good.py::X\ncheck: default-value\nequals: 16", "engine/b/good")
ABSENT = claim("check: absence\nscope: engine\nword: swap_in", "engine/c/absent")
N = 3_000

CHAINS = {
    "lambda": "Y = " + "lambda a: " * N + "1",
    "attributes": "Y = " + "a." * N + "b",
    "calls": "Y = f" + "()" * N,
    "sum": "Y = 1" + "+1" * N,
    "powers": "Y = 1" + "**1" * N,
    "ternary": "Y = " + "a if b else " * N + "c",
    "elif": "if a:\n    pass\n" + "elif a:\n    pass\n" * N,
    "brackets": "Y = " + "[" * 150 + "]" * 150,
    "not": "Y = " + "not " * N + "1",
    "strings": "Y = " + "'a'" * N,
    "decorator": "@" + "a." * N + "b\ndef f(): ...",
    "base": "class Q(" + "-" * N + "a): ...",
    "indent": "\n".join(" " * depth + "if a:" for depth in range(90)) + "\n" + " " * 90 + "pass",
    "number": "Y = " + "9" * 5_000,
    "hexadecimal": "Y = 0x" + "f" * 100_000,
    "fields": "Y = f'" + "{a}" * 4_000 + "'",
    "annotation": "y: " + "a[" * 150 + "b" + "]" * 150,
    "match": "match a:\n case " + "[" * 40 + "]" * 40 + ":\n  pass",
    "comparison": "Y = a" + " < a" * N,
    "and": "Y = a" + " and a" * N,
}


NATIVE = ("lambda", "elif", "match", "brackets", "fields", "number")
"""Those that libcst is tried on: it takes its time, or its process."""


@pytest.mark.parametrize(
    ("code", "head"),
    [*((code, "") for code in CHAINS.values()), *((CHAINS[name], NEWER) for name in NATIVE)],
    ids=[*(f"ast-{name}" for name in CHAINS), *(f"libcst-{name}" for name in NATIVE)],
)
def test_deep_and_long_code_costs_its_own_claims_alone(
    code: str, head: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PARSE_SECONDS.variable, "1")
    files = {"engine/evil.py": f"{head}{code}\nX = 16\n", "engine/good.py": "X = 16\n"}
    run = audit(TARGET, entries(tmp_path, EVIL, GOOD, ABSENT), Tree(files))
    evil, good, absent = (result.kind for result in run.results)
    assert not any(note.is_bug for note in run.notifications)
    assert good is absent is Kind.PASS
    assert evil in (Kind.PASS, Kind.OPEN)


VALUES = {
    "f-strings": 'A = "x" * 60000\nB = f"' + "{A}" * 1000 + '"\nC = f"' + "{B}" * 100 + '"\nX = len(C)',
    "shared lists": "A0 = [0] * 1000\nB0 = [0] * 1000\n"
    + "".join(f"{name}{n} = [{name}{n - 1}] * 1000\n" for n in range(1, 6) for name in "AB") + "X = A5 == B5",
    "shared tuples": "T0 = (0,)\n" + "".join(f"T{n} = (T{n - 1},) * 100\n" for n in range(1, 12)) + "X = {T11: 1}",
    "sum of lists": "A = [[0] * 400] * 400\nX = len(sum([A] * 400, []))",
    "power": "X = 9 ** 9 ** 9",
    "shift": "X = 1 << 10 ** 12",
    "product": "A = [0] * 100000\nX = A * 100000",
    "text of a number": "X = str(1 << 900000)",
    "text of lists": "A = [0] * 1000\nB = [A] * 1000\nX = len(str([B] * 1000))",
    "itself": "X = X + 1",
    "each other": "X = Y\nY = X",
    "doubling": "A0 = 'x'\n" + "".join(f"A{n} = A{n - 1} * 30\n" for n in range(1, 14)) + "X = A13",
    "dictionaries": "A0 = {0: 0}\n" + "".join(f"A{n} = {{**A{n - 1}, {n}: [A{n - 1}] * 90}}\n" for n in range(1, 14))
    + "X = A13",
    "rounding": "X = round(1.5, 10 ** 12)",
    "format": "X = '%999999999d' % 1",
}  # fmt: skip


@pytest.mark.parametrize("code", VALUES.values(), ids=VALUES)
def test_a_value_that_grows_without_end_is_not_worked_out(code: str, tmp_path: Path) -> None:
    files = {"engine/evil.py": code + "\n", "engine/good.py": "X = 16\n"}
    run = audit(TARGET, entries(tmp_path, EVIL, GOOD), Tree(files))
    assert [result.kind for result in run.results] == [Kind.OPEN, Kind.PASS]
    assert run.notifications == ()


@pytest.mark.parametrize("name", ["undefined", "punycode", "idna", "unicode_escape", "hex", "zlib", "rot13", "x" * 500])
def test_a_file_in_an_odd_encoding_is_open(name: str, tmp_path: Path) -> None:
    files = {"engine/evil.py": f"# coding: {name}\nX = 16\n", "engine/good.py": "X = 16\n"}
    run = audit(TARGET, entries(tmp_path, EVIL, GOOD, ABSENT), Tree(files))
    assert [result.kind for result in run.results] == [Kind.OPEN, Kind.PASS, Kind.OPEN]
    assert "is not text in its stated encoding" in run.results[0].outcome.message.en


def one(text: str, check: str, folder: Path) -> Run:
    tree = Tree({"engine/good.py": "X = 16\n", "engine/evil.py": text})
    return audit(TARGET, entries(folder, claim(f"at: engine/evil.py::{check}"), GOOD), tree)


def test_a_file_of_many_characters_is_not_parsed(tmp_path: Path) -> None:
    run = one(
        "X = '" + "x" * CODE_BYTES.value + "'",
        "X\ncheck: default-value\nequals: 1",
        tmp_path,
    )
    assert [result.kind for result in run.results] == [Kind.OPEN, Kind.PASS]
    assert CODE_BYTES.variable in run.results[0].outcome.message.en


@pytest.mark.parametrize("operator", ["*", "+", "/", "**"])
def test_a_formula_of_many_factors_is_compared_or_left_open(operator: str, tmp_path: Path) -> None:
    factors = f" {operator} ".join(f"(a + b{n} + c{n} + d{n})" for n in range(20))
    check = f"fn\ncheck: formula\nequals: {factors}"
    run = one(f"def fn(a):\n    return {factors.replace('a + b3', 'b3 + a')}\n", check, tmp_path)
    assert run.results[0].kind in (Kind.PASS, Kind.OPEN)
    assert run.notifications == ()


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="this system has no such timer")
# The exception may be raised in a callback of the garbage collector (hypothesis has one), where it is lost once.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_claim_that_takes_too_long_is_open_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLAIM_SECONDS.variable, "1")
    nested = "x"
    for n in range(60):
        nested = f"({nested} if a{n} < {nested} else abs({nested}))" if n < 8 else f"abs({nested})"
    run = one(f"def fn():\n    return {nested}\n", f"fn\ncheck: formula\nequals: {nested} + 1", tmp_path)
    assert run.results[1].kind is Kind.PASS
    assert not any(note.is_bug for note in run.notifications)


def test_claims_themselves_may_be_deep(tmp_path: Path) -> None:
    deep = claim("check: arithmetic\nexpression: " + "-" * 2_000 + "1\nequals: 2")
    run = audit(TARGET, entries(tmp_path, deep, GOOD), Tree({"engine/good.py": "X = 16\n"}))
    assert [result.kind for result in run.results] == [Kind.OPEN, Kind.PASS]
