"""`kvaudit claim lint` finds claims that could prove nothing, and targets without claims; `verify` heeds both."""

import json

import pytest

from tests.support.command_line import CommandLine, kvaudit
from tests.support.packs import CLAIMS, HEAD, claim, write

__all__ = ["kvaudit"]

GROW = "class Pool:\n    size = 16\n\n    def grow(self, by):\n        if by:\n            self.size += by\n"
VACUOUS = {
    "a word that is none": (
        "check: absence\nscope: engine\nword: swap-in",
        "no name can match swap-in",
    ),
    "all is left out": (
        "check: absence\nscope: engine\nword: swap_in\nexcept: engine",
        "what is allowed or left out is the whole scope",
    ),
    "all is allowed": (
        "check: callers\nscope: engine/pool.py\ncode: $X += by\nonly: engine",
        "what is allowed or left out is the whole scope",
    ),
    "any code": ("check: pattern\nat: engine/pool.py::Pool.grow\ncode: $X", "$X matches everything"),
    "any condition": (
        "check: guard\nat: engine/pool.py::Pool.grow\ncode: self.size += by\nwhen: by or not by",
        "the condition by or not by always holds",
    ),
}


@pytest.mark.parametrize(("rest", "why"), VACUOUS.values(), ids=VACUOUS.keys())
def test_what_proves_nothing_is_named_and_at_best_open(rest: str, why: str, kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS + claim(rest))
    kvaudit.code({"engine/pool.py": GROW})
    done = kvaudit("claim", "lint", "demo")
    assert (done.status, done.out, f"engine/a/b: {why}" in done.err.replace("`", "")) == (2, "", True)
    assert done.err.startswith("kvaudit: demo/engine.yaml:")
    results = json.loads(kvaudit.verify("-f", "json").out)["runs"][0]["results"]
    assert {one["claim"]: one["kind"] for one in results}["engine/a/b"] == "open"


def test_what_is_left_out_to_the_last_statement_leaves_nothing(kvaudit: CommandLine) -> None:
    rest = "check: absence\nscope: engine/pool.py\nword: swap_in\nexcept: engine/pool.py::Pool"
    kvaudit.pack(CLAIMS + claim(rest))
    kvaudit.code({"engine/pool.py": '"""Pools."""\nimport os\n' + GROW})
    assert "open[absence] engine/a/b" in kvaudit.verify().out
    kvaudit.code({"engine/pool.py": GROW + "\n\nLIMIT = 3\n"})
    assert "pass[absence] engine/a/b" in kvaudit.verify().out


TWO = HEAD + '  other: {repository: "https://example.org/other"}\n'


@pytest.mark.parametrize("claims", [None, "claims: []\n"])
def test_a_target_without_claims_is_said_and_costs_no_other(claims: str | None, kvaudit: CommandLine) -> None:
    kvaudit.pack(head=TWO)
    if claims:
        write(kvaudit.folder / "demo", {"other.yaml": claims})
    done = kvaudit("claim", "lint", "demo")
    assert (done.status, "demo/pack.yaml: other has no claims: write them in other.yaml" in done.err) == (2, True)
    done = kvaudit.verify("--path", "other=src")
    assert (done.status, "engine/size/sixteen" in done.out) == (2, True)
    assert "other has no claims" in done.err
    assert "other could not be audited" in done.out
    assert kvaudit.verify("--target", "engine").status == 0


def test_a_target_that_cannot_be_read_is_said_and_costs_no_other(kvaudit: CommandLine) -> None:
    kvaudit.pack(head=TWO)
    write(kvaudit.folder / "demo", {"other.yaml": CLAIMS.replace("engine", "other")})
    done = kvaudit.verify("--path", "other=src")
    assert (done.status, "engine/size/sixteen" in done.out, "other" in done.err) == (2, True, True)
    done = kvaudit("verify", "demo", "--path", "engine=demo", "--path", "other=demo")
    assert (done.status, done.out) == (2, "")


@pytest.mark.parametrize("lines", ["1", "1-3", "4,7", "L12-L20"])
def test_lines_without_a_file_are_no_citation(lines: str, kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS.replace('["engine/pool.py:2"]', f'["{lines}"]'))
    done = kvaudit("claim", "lint", "demo")
    assert (done.status, f"'{lines}' names no file: write path:lines" in done.err) == (2, True)


@pytest.mark.parametrize("prefix", ["src", "src/", "/src/"])
def test_a_prefix_is_a_folder_however_it_ends(prefix: str, kvaudit: CommandLine) -> None:
    kvaudit.pack(
        CLAIMS.replace("engine/pool.py", "src/engine/pool.py"), HEAD.replace('engine"', f'e", prefix: {prefix}')
    )
    write(kvaudit.folder / "checkout/src/engine", {"__init__.py": "", "pool.py": GROW})
    assert kvaudit("verify", "demo", "--path", "engine=checkout").status == 0
