"""`kvaudit query` shows every match with its place, and its status says whether there was one."""

import json

import pytest

from tests.support.command_line import CommandLine, kvaudit
from tests.support.registry_server import serving, wheel

__all__ = ["kvaudit"]

WHERE = ("--pack", "demo", "--path", "engine=src")


def test_a_match_is_shown_with_its_definition_and_lines(kvaudit: CommandLine) -> None:
    kvaudit.code(
        {"engine/pool.py": "class Pool:\n    size = 16\n\n    def used(self):\n        return min(self.size, 3)\n"}
    )
    done = kvaudit("query", "min($A, ...)", *WHERE)
    assert (done.status, done.err) == (0, "")
    assert done.out == "engine/pool.py:5: Pool.used  $A = self.size\n    return min(self.size, 3)\n".replace(
        "    r", " " * 12 + "r"
    )
    (entry,) = map(json.loads, kvaudit("query", "min($A, ...)", *WHERE, "-f", "json").out.splitlines())
    assert entry == {
        "target": "engine", "path": "engine/pool.py", "start": 5, "end": 5, "symbol": "Pool.used",
        "bound": {"A": "self.size"}, "lines": ["        return min(self.size, 3)"],
    }  # fmt: skip


def test_no_match_is_status_1(kvaudit: CommandLine) -> None:
    done = kvaudit("query", "nothing_like_it()", *WHERE)
    assert (done.status, done.out, done.err) == (1, "", "kvaudit: no match in engine src\n")
    assert kvaudit("query", "size = ...", *WHERE, "--in", "engine/other").status == 1


def test_what_cannot_be_searched_is_status_2(kvaudit: CommandLine) -> None:
    assert "is not Python" in kvaudit("query", "min(", *WHERE).err
    kvaudit.code({"engine/broken.py": "nothing_like_it(\n"})
    done = kvaudit("query", "nothing_like_it()", *WHERE)
    assert (done.status, "engine/broken.py may hold a match" in done.err) == (2, True)


def test_no_more_are_shown_than_wanted(kvaudit: CommandLine) -> None:
    kvaudit.code({"engine/many.py": "f(1)\n" * 5})
    done = kvaudit("query", "f(1)", *WHERE, "--most", "3")
    assert (done.out.count("engine/many.py"), done.err) == (3, "kvaudit: there are more than 3; --most 0 shows all\n")
    assert kvaudit("query", "f(1)", *WHERE, "--most", "5").err == ""


def test_claims_need_not_be_right(kvaudit: CommandLine) -> None:
    kvaudit.pack("claims: [{id: x}]\n")
    assert kvaudit("query", "size = 16", *WHERE).status == 0


def test_a_project_that_no_pack_is_about_is_found(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        registry.publish("engine_kv-1.0-py3-none-any.whl", wheel({"kv/pool.py": b"size = min(1, 2)\n"}))
        done = kvaudit("query", "min(...)", "--pack", "demo", "--release", "engine-kv=1.0", "--cache-dir", "cache")
    assert (done.status, done.out) == (0, "kv/pool.py:1: (module)\n    size = min(1, 2)\n"), done
