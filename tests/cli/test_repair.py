"""`kvaudit repair` writes what is proven, and lists the rest."""

import subprocess
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine, Done, kvaudit
from tests.support.packs import HEAD, Files, write

__all__ = ["kvaudit"]

POOL = """\
class Pool:
    size = 16

    def grow(self, by):
        self.size += by
        self.grown = True

    def shrink(self, by):
        self.size -= by
"""

PACK = """\
# The pack of the tests.
claims:
- id: engine/size/sixteen   # a comment
  statement: {en: The size is 16., zh: 大小是 16。}
  cites: ["engine/pool.py:2"]  # another
  at: engine/pool.py::Pool.size
  check: default-value
  equals: 16

- id: engine/pool/grows
  statement:
    en: It grows.
    zh: 会变大。
  cites:
  - 'engine/pool.py:4-6,8-9'
  -   lines:   engine/pool.py:5
      at: engine/pool.py::Pool.grow
      code: self.size += by
  all:
  - check: pattern
    at: engine/pool.py::Pool.grow
    code: self.size += by
  - check: pattern
    at: engine/pool.py::Pool
    code: self.size -= by
"""

ABOVE = '"""Pools."""\n\nimport math\n\n\n'


@pytest.fixture
def repair(kvaudit: CommandLine) -> CommandLine:
    kvaudit.pack(PACK)
    kvaudit.code({"engine/pool.py": POOL})
    return kvaudit


def run(repair: CommandLine, after: Files, *args: str) -> Done:
    """Repair the pack from `src` to other code."""
    write(repair.folder / "now", after)
    return repair("repair", "demo", "--from", "engine=src", "--path", "engine=now", *args)


def claims(repair: CommandLine) -> str:
    return (repair.folder / "demo" / "engine.yaml").read_bytes().decode()


SHIFTED = (
    PACK.replace("pool.py:2", "pool.py:7").replace("pool.py:4-6,8-9", "pool.py:9-11,13-14").replace("y:5\n", "y:10\n")
)


def test_lines_of_the_same_code_are_written_and_nothing_else_is_touched(repair: CommandLine) -> None:
    done = run(repair, {"engine/pool.py": ABOVE + POOL})
    assert (done.status, done.err, claims(repair)) == (0, "", SHIFTED)
    assert "engine src -> now: 3 to write, 0 right as they are, 0 left\n" in done.out


def test_a_second_repair_finds_all_right(repair: CommandLine) -> None:
    run(repair, {"engine/pool.py": ABOVE + POOL})
    done = repair("repair", "demo", "--from", "engine=now", "--path", "engine=now")
    assert (done.status, done.out) == (0, "engine now -> now: 0 to write, 4 right as they are, 0 left\n\n")


def test_what_is_repaired_verifies(repair: CommandLine) -> None:
    run(repair, {"engine/pool.py": ABOVE + POOL})
    assert repair("verify", "demo", "--path", "engine=now", "--strict").status == 0


@pytest.mark.parametrize("tool", [["git", "apply", "-p1"], ["patch", "-p1", "-s"]], ids=["git", "patch"])
@pytest.mark.parametrize("text", [PACK, PACK.rstrip("\n"), PACK.replace("\n", "\r\n")], ids=["lf", "no end", "crlf"])
def test_the_patch_of_a_dry_run_does_what_the_repair_does(repair: CommandLine, tool: list[str], text: str) -> None:
    place = repair.folder / "demo" / "engine.yaml"
    place.write_bytes(text.encode())
    done = run(repair, {"engine/pool.py": ABOVE + POOL}, "--dry-run")
    assert (0, text) == (done.status, claims(repair))
    options = ["--binary"] if tool[0] == "patch" else []
    subprocess.run([*tool, *options], input=done.out.encode(), cwd=repair.folder, check=True, capture_output=True)
    patched = claims(repair)
    place.write_bytes(text.encode())
    run(repair, {"engine/pool.py": ABOVE + POOL})
    assert claims(repair) == patched != text


def test_a_dry_run_with_nothing_to_do_prints_an_empty_patch(repair: CommandLine) -> None:
    done = run(repair, {"engine/pool.py": POOL}, "--dry-run")
    assert (done.status, done.out) == (0, "")
    assert "4 right as they are" in done.err


def test_changed_code_is_written_when_the_claim_holds_there(repair: CommandLine) -> None:
    after = POOL.replace("self.grown = True", "self.grown = by > 0")
    done = run(repair, {"engine/pool.py": ABOVE + after})
    assert (done.status, claims(repair)) == (0, SHIFTED)
    assert "engine/pool.py:4-6,8-9 -> engine/pool.py:9-11,13-14  (the claim holds there)" in done.out


def test_changed_code_is_left_when_the_claim_fails_there(repair: CommandLine) -> None:
    after = POOL.replace("self.size += by", "self.size = by")
    done = run(repair, {"engine/pool.py": ABOVE + after})
    assert (1, PACK.replace("pool.py:2", "pool.py:7")) == (done.status, claims(repair))
    assert "engine/pool.py:4-6 (engine/pool/grows) is left: the code has changed, and the claim is fail: " in done.out
    assert "      |         self.size += by\n    now engine/pool.py:10\n" in done.out


def test_lines_that_were_wrong_from_the_start_are_left(repair: CommandLine) -> None:
    repair.pack(PACK.replace("pool.py:2", "pool.py:3"))
    done = run(repair, {"engine/pool.py": ABOVE + POOL})
    assert (1, SHIFTED.replace("pool.py:7", "pool.py:3")) == (done.status, claims(repair))
    assert "is left: even in src these lines do not hold the code, which is at engine/pool.py:2" in done.out


def test_a_claim_that_failed_from_the_start_is_left(repair: CommandLine) -> None:
    wrong = PACK.replace("equals: 16", "equals: 17")
    repair.pack(wrong)
    done = run(repair, {"engine/pool.py": ABOVE + POOL})
    assert (1, SHIFTED.replace("pool.py:7", "pool.py:2").replace("16\n\n", "17\n\n")) == (done.status, claims(repair))
    assert "is left: even in src the claim fails: " in done.out


def test_a_claim_whose_failure_is_accepted_is_mended(repair: CommandLine) -> None:
    accepted = "equals: 17\n  accepted: It was 17 before."
    repair.pack(PACK.replace("equals: 16", accepted))
    done = run(repair, {"engine/pool.py": ABOVE + POOL})
    assert (0, SHIFTED.replace("equals: 16", accepted)) == (done.status, claims(repair)), done.out
    repair.pack(PACK.replace("equals: 16", accepted))
    changed = run(repair, {"engine/pool.py": ABOVE + POOL.replace("size = 16", "size = 15")})
    assert (changed.status, "pool.py:2" in claims(repair)) == (1, True)


def test_lost_code_is_left_with_its_text_and_where_it_may_be(repair: CommandLine) -> None:
    grown = "\n    def grow_{}(self, by):\n        self.size += by\n        self.grown = True\n"
    after = POOL.replace(POOL[POOL.index("\n    def grow") : POOL.index("\n    def shrink")], "")
    done = run(repair, {"engine/pool.py": after + grown.format("device") + grown.format("host")})
    assert (done.status, claims(repair)) == (1, PACK)
    assert "      |     def grow(self, by):\n" in done.out
    assert "    perhaps engine/pool.py:7-9 Pool.grow_device (" in done.out
    assert "    perhaps engine/pool.py:11-13 Pool.grow_host (" in done.out
    assert "    looked in engine/pool.py, 0 files that changed" in done.out


def test_lines_printed_together_are_written_together(repair: CommandLine) -> None:
    done = run(repair, {"engine/pool.py": ABOVE + POOL.replace("        self.size -= by\n", "        pass\n")})
    assert done.status == 1
    assert "'engine/pool.py:4-6,8-9'" in claims(repair)
    assert "it is at engine/pool.py:9-11; but it is printed with lines that are left" in done.out


def test_an_anchor_is_written_when_its_symbol_has_another_name_and_the_same_syntax(repair: CommandLine) -> None:
    users = "\n\ndef use(pool):\n    pool.grow(1)\n"
    repair.code({"engine/pool.py": POOL + users})
    after = ABOVE + (POOL + users).replace("grow(", "enlarge(")
    done = run(repair, {"engine/pool.py": after})
    assert (0, SHIFTED.replace("Pool.grow", "Pool.enlarge")) == (done.status, claims(repair))
    assert "engine/pool.py::Pool.grow -> engine/pool.py::Pool.enlarge  (the same code)" in done.out
    assert repair("verify", "demo", "--path", "engine=now", "--strict").status == 0


def test_an_anchor_is_left_when_its_symbol_is_nowhere(repair: CommandLine) -> None:
    done = run(repair, {"engine/pool.py": POOL.replace("    size = 16\n\n", "")})
    assert (done.status, "at: engine/pool.py::Pool.size" in claims(repair)) == (1, True)
    assert "engine/pool.py::Pool.size (engine/size/sixteen) is left: `at:` is nowhere now: " in done.out


def test_citations_and_anchors_follow_code_to_another_file(repair: CommandLine) -> None:
    done = run(repair, {"engine/pools/device.py": ABOVE + POOL, "engine/pool.py": "import math\n"})
    assert (0, SHIFTED.replace("engine/pool.py", "engine/pools/device.py")) == (done.status, claims(repair))
    assert repair("verify", "demo", "--path", "engine=now", "--strict").status == 0


def test_a_citation_stays_where_its_anchor_cannot_follow(repair: CommandLine) -> None:
    changed = POOL.replace("    size = 16\n", "    size = 16\n    used = 0\n    kind = 'device'\n")
    done = run(repair, {"engine/pools/device.py": changed, "engine/pool.py": "import math\n"})
    assert done.status == 1
    assert "but what its `at:` names is not proven to be the same there" in done.out
    assert "'engine/pool.py:4-6,8-9'" in claims(repair)


def test_what_cannot_be_edited_in_place_is_left(repair: CommandLine) -> None:
    folded = PACK.replace('["engine/pool.py:2"]  # another', "\n  - >-\n    engine/pool.py:2")
    repair.pack(folded)
    done = run(repair, {"engine/pool.py": ABOVE + POOL})
    assert (done.status, ">-\n    engine/pool.py:2\n" in claims(repair)) == (1, True)
    assert "it is at engine/pool.py:7; but it is written in a way that cannot be edited" in done.out


def test_what_a_source_does_not_ship_is_left(repair: CommandLine) -> None:
    repair.pack(
        PACK.replace("pool.py:2", "gone.py:2").replace("at: engine/pool.py::Pool.size", "at: engine/gone.py::x")
    )
    done = run(repair, {"engine/pool.py": POOL})
    assert done.status == 1
    assert "engine/gone.py:2 (engine/size/sixteen) is left: " in done.out


def test_only_what_is_selected_is_repaired(repair: CommandLine) -> None:
    done = run(repair, {"engine/pool.py": ABOVE + POOL}, "--select", "engine/size")
    assert (0, PACK.replace("pool.py:2", "pool.py:7")) == (done.status, claims(repair))


USAGE = [
    (["repair", "demo"], "say where the code is now"),
    (["repair", "demo", "--path", "engine=src"], "the pack pins no commit of engine"),
    (["repair", "demo", "--from", "motor=src", "--path", "engine=src"], "there is no target motor"),
    (["repair", "demo", "--from", "engine=src", "--path", "engine=nowhere"], "nowhere"),
    (["repair", "demo", "--from", "src", "--path", "engine=src", "--repo", "engine=x"], "--repo engine=x"),
    (["repair", "nothing", "--path", "engine=src"], "nothing is no pack"),
]


@pytest.mark.parametrize(("args", "message"), USAGE, ids=[" ".join(args) for args, _ in USAGE])
def test_what_cannot_run_ends_in_one_line(repair: CommandLine, args: list[str], message: str) -> None:
    done = repair(*args)
    assert (done.status, done.out, done.err.count("\n"), message in done.err) == (2, "", 1, True), done.err


def test_a_pack_that_cannot_be_written_is_said_and_kept(repair: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    done = run(repair, {"engine/pool.py": ABOVE + POOL})
    assert (done.status, claims(repair)) == (2, PACK)
    assert "engine.yaml cannot be written: Permission denied" in done.err
    assert sorted(path.name for path in (repair.folder / "demo").iterdir()) == ["engine.yaml", "pack.yaml"]


def test_a_hostile_path_is_shown_and_not_obeyed(repair: CommandLine) -> None:
    done = run(repair, {"engine/pool.py": POOL.replace("size = 16", "size = 17 # \x1b[2J")})
    assert done.status == 1
    assert "\x1b" not in done.out + done.err


def test_the_pack_of_the_head_is_unchanged(repair: CommandLine) -> None:
    run(repair, {"engine/pool.py": ABOVE + POOL})
    assert (repair.folder / "demo" / "pack.yaml").read_text("utf-8") == HEAD


def test_a_patch_is_only_made_of_files_below_the_folder(repair: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repair.folder / "now", {"engine/pool.py": ABOVE + POOL})
    elsewhere = repair.folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    done = repair("repair", "../demo", "--from", "engine=../src", "--path", "engine=../now", "--dry-run")
    assert (done.status, done.out, "is not below this folder" in done.err) == (2, "", True)


ASK = """\
class Desk:
    def ask(
        self,
        name,
        timeout=None,
        retry=2,
    ):
        return name
"""
TIMEOUT = """\
claims:
- id: engine/desk/timeout
  statement: {en: There is no timeout., zh: 没有超时。}
  cites: ["engine/desk.py:5"]
  at: engine/desk.py::Desk.ask
  check: default-value
  parameter: timeout
  equals: None
"""


@pytest.mark.parametrize(
    ("now", "line"),
    [
        (ASK.replace("timeout=None", "timeout: float | None = None").replace("):", ') -> "Answer":'), "5"),
        ("import typing\n\n" + ASK.replace("name,", "name: str,").replace("timeout=", "timeout: float = "), "7"),
        (ASK.replace("name,\n        timeout=None,", "name, timeout: float = None,"), "4"),
        ("class Desk:\n    def ask(self, name, timeout=None, retry=2):\n        return name\n", "2"),
    ],
)
def test_a_parameter_is_where_its_name_is_not_the_whole_signature(repair: CommandLine, now: str, line: str) -> None:
    repair.pack(TIMEOUT)
    repair.code({"engine/desk.py": ASK})
    done = run(repair, {"engine/__init__.py": "", "engine/desk.py": now})
    assert (done.status, f'cites: ["engine/desk.py:{line}"]' in claims(repair)) == (0, True), done.out


def test_a_wrong_citation_costs_no_other_claim(repair: CommandLine) -> None:
    two = TIMEOUT.replace('.py:5"]', '.py:5", "engine/desk.py:8"]')
    repair.pack(two + TIMEOUT.removeprefix("claims:\n").replace("desk/timeout", "desk/again"))
    repair.code({"engine/desk.py": ASK})
    done = run(repair, {"engine/__init__.py": "", "engine/counter.py": ASK})
    assert (done.status, done.err) == (1, "")
    assert "engine/desk.py:8, cited with it, is left" in done.out
    assert "these lines do not hold the code" in done.out
    assert claims(repair).count('cites: ["engine/counter.py:5"]\n  at: engine/counter.py::Desk.ask') == 1
    assert two.removeprefix("claims:\n") in claims(repair)
