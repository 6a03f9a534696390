"""`kvaudit article` on files and folders, `kvaudit repair` and `kvaudit claim new` on texts."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.article_cases import FOLDER
from tests.support.command_line import CommandLine, kvaudit

__all__ = ["kvaudit"]

SOURCE = ("--path", f"engine={FOLDER / 'source'}")
LATER = ("--path", f"engine={FOLDER / 'later'}")
RIGHT = "`take_block` (`engine/core/pool.py:20-23`) and :pages:\n"
WRONG = "`give_back`（engine/core/pool.py:20-23）, other/place.py:3\n"


@pytest.fixture
def text(kvaudit: CommandLine) -> Path:
    path = kvaudit.folder / "notes.md"
    path.write_text(RIGHT, encoding="utf-8")
    return path


def test_a_text_that_is_right_exits_0_and_says_what_was_checked(kvaudit: CommandLine, text: Path) -> None:
    done = kvaudit("article", text.name, *SOURCE)
    assert done.status == 0, done.err
    assert "1 citations found, 1 resolved" in done.out
    assert "1 checked by names beside them" in done.out


def test_a_text_that_is_wrong_exits_1_at_its_own_line(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(WRONG, encoding="utf-8")
    done = kvaudit("article", text.name, *SOURCE)
    assert done.status == 1
    assert "notes.md:1:13: fail[name-elsewhere] engine/core/pool.py:20-23 (likely)" in done.out
    assert kvaudit("article", text.name, *SOURCE, "--exit-zero").status == 0


def test_strict_fails_on_what_is_not_understood(kvaudit: CommandLine, text: Path) -> None:
    text.write_text("See other/place.py:3.\n", encoding="utf-8")
    assert kvaudit("article", text.name, *SOURCE).status == 0
    done = kvaudit("article", text.name, *SOURCE, "--strict")
    assert (done.status, "open[not-understood] other/place.py:3" in done.out) == (1, True)


def test_json_names_what_the_contract_names(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(WRONG, encoding="utf-8")
    document = json.loads(kvaudit("article", text.name, *SOURCE, "-f", "json").out)
    assert document["schema"] == "kvaudit-article/1"
    (file,) = document["files"]
    assert file["path"] == "notes.md"
    (citation,) = file["citations"]
    names = ("text", "line", "column", "target", "path", "start", "end", "state", "offset", "symbol")
    assert [citation[name] for name in names] == [
        "engine/core/pool.py:20-23",
        1,
        13,
        "engine",
        "engine/core/pool.py",
        20,
        23,
        "shifted",
        5,
        "BlockPool.take_block",
    ]
    assert citation["found"] == {"path": "engine/core/pool.py", "start": 25, "end": 28, "symbol": "BlockPool.give_back"}
    assert [(one["rule"], one["kind"], one["confidence"]) for one in citation["findings"]] == [
        ("name-elsewhere", "fail", "likely")
    ]
    assert [(one["text"], one["line"]) for one in file["notUnderstood"]] == [("other/place.py:3", 1)]


def test_the_page_shows_the_text_and_obeys_nothing_in_it(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(WRONG + "<script>alert(1)</script><img src=x onerror=alert(1)>\n", encoding="utf-8")
    kvaudit("article", text.name, *SOURCE, "-o", "page.html")
    page = (kvaudit.folder / "page.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img" in page
    assert "<script" not in page
    assert '<a class="mark wrong" id="t1" href="#c1">engine/core/pool.py:20-23</a>' in page
    assert '<a class="mark unknown" id="t2" href="#c2">other/place.py:3</a>' in page
    assert "heapq.<" in page or "heapq" in page


def test_the_text_is_annotated_with_footnotes(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(WRONG, encoding="utf-8")
    done = kvaudit("article", text.name, *SOURCE, "-f", "annotated")
    assert done.out.startswith("`give_back`（engine/core/pool.py:20-23[^kvaudit-1]）, other/place.py:3[^kvaudit-2]\n")
    assert "[^kvaudit-1]: engine/core/pool.py:20-23: give_back is at 25-28" in done.out


@pytest.mark.parametrize("format_", ["sarif", "junit", "github", "markdown"])
def test_every_format_is_at_the_line_of_the_text(kvaudit: CommandLine, text: Path, format_: str) -> None:
    text.write_text(WRONG, encoding="utf-8")
    done = kvaudit("article", text.name, *SOURCE, "-f", format_)
    assert (done.status, "notes.md" in done.out) == (1, True)


def test_of_a_folder_in_a_repository_what_is_tracked_is_read(kvaudit: CommandLine) -> None:
    notes = kvaudit.folder / "notes"
    notes.mkdir()
    for name in ("tracked.md", "other.md"):
        (notes / name).write_text(RIGHT, encoding="utf-8")
    assert len(json.loads(kvaudit("article", "notes", *SOURCE, "-f", "json").out)["files"]) == 2
    git = ("git", "-C", str(notes), "-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "tracked.md"], check=True)
    found = json.loads(kvaudit("article", "notes", *SOURCE, "-f", "json").out)["files"]
    assert [one["path"] for one in found] == ["notes/tracked.md"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"\xff\xfe", "is no UTF-8 text"), (b"a\0b", "holds NUL bytes"), (b"x" * 4_000_001, "more than 4,000,000")],
)
def test_what_is_no_text_is_said_and_the_others_are_read(
    kvaudit: CommandLine, text: Path, content: bytes, message: str
) -> None:
    (kvaudit.folder / "bad.md").write_bytes(content)
    done = kvaudit("article", "bad.md", *SOURCE)
    assert (done.status, message in done.err) == (2, True)
    done = kvaudit("article", "bad.md", text.name, *SOURCE)
    assert (done.status, message in done.err, "1 citations found" in done.out) == (1, True, True)


def test_a_name_that_is_no_file_is_an_error(kvaudit: CommandLine) -> None:
    done = kvaudit("article", "nowhere.md", *SOURCE)
    assert (done.status, done.err) == (2, "kvaudit: nowhere.md: there is no such file or folder\n")


def test_a_text_is_carried_to_another_revision(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(RIGHT + "`watermark` (engine/core/pool.py:18), engine/core/queue.py:5-6\n", encoding="utf-8")
    done = kvaudit("article", text.name, *SOURCE, "--to", f"engine=dir:{FOLDER / 'later'}")
    assert done.status == 1, done.err
    assert "the same code is at 21-24 there" in done.out
    assert "write     engine/core/pool.py:21-24" in done.out
    assert "notes.md:2:14: review[moved-code] engine/core/pool.py:18 (likely)\n  the code has changed" in done.out
    assert "the same code is at engine/core/waiting.py:5-6 there" in done.out


def test_repair_writes_into_the_text_itself(kvaudit: CommandLine, text: Path) -> None:
    done = kvaudit("repair", text.name, "--from", f"engine={FOLDER / 'source'}", *LATER)
    assert done.status == 0, done.err
    assert text.read_text("utf-8") == RIGHT.replace("20-23", "21-24")
    assert "1 to write, 0 right as they are, 0 left" in done.out


def test_a_dry_run_prints_a_patch_and_leaves_the_text(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(RIGHT + WRONG, encoding="utf-8")
    done = kvaudit("repair", text.name, "--from", f"engine={FOLDER / 'source'}", *LATER, "--dry-run")
    assert done.status == 1
    assert text.read_text("utf-8") == RIGHT + WRONG
    subprocess.run(["git", "apply"], input=done.out.encode(), cwd=kvaudit.folder, check=True)
    assert text.read_text("utf-8") == RIGHT.replace("20-23", "21-24") + WRONG
    assert "is left: even in" in done.err


def test_a_draft_pack_of_a_text_verifies(kvaudit: CommandLine, text: Path) -> None:
    done = kvaudit("claim", "new", text.name, *SOURCE, "--into", "draft")
    assert done.status == 0, done.err
    draft = (kvaudit.folder / "draft" / "engine.yaml").read_text("utf-8")
    assert "# notes.md:1 cites this; pass" in draft
    assert 'cites: ["engine/core/pool.py:20-23"]' in draft
    assert kvaudit("verify", "draft", *SOURCE).status == 0
    assert "statement: " in draft
    assert "。" not in draft
    text.write_text(RIGHT + "\n这段代码属于内存池，文中其余部分都是中文，由此可知语言。" * 3, "utf-8")
    assert "。" in kvaudit("claim", "new", text.name, *SOURCE).out


def test_a_baseline_leaves_only_what_is_new(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(WRONG, encoding="utf-8")
    assert kvaudit("article", text.name, *SOURCE, "-o", "before.json").status == 1
    text.write_text("A line above.\n\n" + WRONG, encoding="utf-8")
    done = kvaudit(
        "article",
        text.name,
        *SOURCE,
        "--baseline",
        "before.json",
        "-f",
        "text",
        "-o",
        "-",
        "-f",
        "json",
        "-o",
        "now.json",
    )
    assert (done.status, "fail[" in done.out) == (0, False)
    assert "1 findings that before.json has, too, are left out" in done.out
    assert json.loads((kvaudit.folder / "now.json").read_text("utf-8"))["files"][0]["citations"][0]["findings"]
    text.write_text(WRONG + "\n`usage` (engine/core/pool.py:9)\n", encoding="utf-8")
    done = kvaudit("article", text.name, *SOURCE, "--baseline", "before.json")
    assert (done.status, "notes.md:3:10: fail" in done.out) == (1, True)


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"schema": "kvaudit/1"}', '{"schema": "kvaudit-article/1", "files": 3}']
)
def test_a_baseline_that_is_none_is_refused(content: str, kvaudit: CommandLine, text: Path) -> None:
    (kvaudit.folder / "before.json").write_text(content, encoding="utf-8")
    done = kvaudit("article", text.name, *SOURCE, "--baseline", "before.json")
    assert (done.status, done.err.startswith("kvaudit: before.json: ")) == (2, True)


def test_only_the_citations_of_one_target_are_checked(kvaudit: CommandLine, text: Path) -> None:
    text.write_text(WRONG, encoding="utf-8")
    assert kvaudit("article", text.name, *SOURCE, "--target", "engine").status == 1
    done = kvaudit("article", text.name, *SOURCE, "--target", "nowhere")
    assert (done.status, "--target nowhere: no such target" in done.err) == (2, True)
