"""At which commits claims changed, in repositories with all that histories have."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import progress_bars
from auditor.sources import Progress
from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import ALONE, Repository

__all__ = ["kvaudit"]

POOL, INIT = "engine/pool.py", "engine/__init__.py"
SIZE, CLASS = "engine/size/sixteen", "engine/pool/class"


def pool(size: int, more: str = "") -> bytes:
    return f"class Pool:\n    size = {size}\n{more}".encode()


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A commit where both claims hold, tagged `start`."""
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    made = Repository(tmp_path / "origin")
    made.commit({INIT: b"", POOL: pool(16)}, "first")
    made.git("tag", "start")
    return made


@pytest.fixture
def bisected(kvaudit: CommandLine, origin: Repository) -> Callable[..., dict[str, str]]:
    """The changes of each claim that has some: kinds and subjects."""

    def bisected(*options: str, place: str | None = None) -> dict[str, str]:
        repo = f"engine={place or origin.folder}"
        done = kvaudit("bisect", "--pack", "demo", "--from", "start", "--repo", repo, "-f", "json", *options)
        assert done.status == 0, done.err
        claims: list[dict[str, Any]] = json.loads(done.out)["claims"]
        return {
            claim["claim"]: ", ".join(
                [claim["from"]["kind"], *(f"{one['after']['kind']} at {one['subject']}" for one in claim["changes"])]
            )
            for claim in claims
            if claim["changes"] or claim["branched"]
        }

    return bisected


Bisected = Callable[..., dict[str, str]]


def test_a_default_that_flips_and_flips_back_changed_twice(origin: Repository, bisected: Bisected) -> None:
    origin.commit({"engine/other.py": b"x = 1\n"}, "other")
    origin.commit({POOL: pool(32)}, "up")
    origin.commit({POOL: pool(32, "# note\n")}, "note")
    origin.commit({POOL: pool(16)}, "down")
    assert bisected() == {SIZE: "pass, fail at up, pass at down"}


def test_a_merge_is_not_charged_with_what_it_brings(origin: Repository, bisected: Bisected) -> None:
    origin.git("checkout", "--quiet", "-b", "side")
    origin.commit({POOL: pool(32)}, "on the side")
    origin.git("checkout", "--quiet", "main")
    origin.commit({"engine/other.py": b"x = 1\n"}, "other")
    origin.git("merge", "--quiet", "--no-ff", "--message", "merge", "side")
    origin.commit({"docs/guide.md": b"# Guide\n"}, "docs")
    assert bisected() == {SIZE: "pass, fail at on the side"}


def test_a_merge_is_charged_with_what_it_makes(origin: Repository, bisected: Bisected) -> None:
    origin.git("checkout", "--quiet", "-b", "side")
    origin.commit({POOL: pool(16, "# side\n")}, "side")
    origin.git("checkout", "--quiet", "main")
    origin.commit({"engine/other.py": b"x = 1\n"}, "other")
    origin.git("merge", "--quiet", "--no-commit", "--no-ff", "side")
    origin.commit({POOL: pool(32, "# side\n")}, "merge")
    assert bisected() == {SIZE: "pass, fail at merge"}


def test_a_file_that_moved_is_followed(origin: Repository, bisected: Bisected) -> None:
    origin.commit({POOL: None, "engine/kv/pool.py": pool(16)}, "move")
    origin.commit({"engine/kv/pool.py": pool(32)}, "up")
    origin.commit({"engine/kv/pool.py": None, "engine/kv/manager.py": pool(32)}, "move again")
    origin.commit({"engine/kv/manager.py": pool(16)}, "down")
    assert bisected() == {SIZE: "pass, fail at up, pass at down"}


def test_a_file_that_was_split_is_followed(origin: Repository, bisected: Bisected) -> None:
    origin.commit({POOL: pool(16, "\nclass Queue:\n    length = 4\n")}, "grow")
    origin.commit({POOL: b"class Queue:\n    length = 4\n", "engine/sizes.py": pool(16)}, "split")
    origin.commit({"engine/sizes.py": pool(32)}, "up")
    assert bisected() == {SIZE: "pass, fail at up"}


def test_a_second_definition_elsewhere_leaves_the_claim_open_while_it_is_there(
    origin: Repository, bisected: Bisected
) -> None:
    origin.commit({POOL: None, "engine/a.py": pool(16)}, "move")
    origin.commit({"engine/b.py": pool(16)}, "copy")
    origin.commit({"engine/c.py": b"x = 1\n"}, "other")
    origin.commit({"engine/b.py": b"y = 2\n"}, "no copy")
    changed = "pass, open at copy, pass at no copy"
    assert bisected() == {SIZE: changed, CLASS: changed}


def test_what_appears_and_goes_is_seen_though_its_file_does_not_exist_before(
    origin: Repository, bisected: Bisected
) -> None:
    origin.commit({POOL: b"x = 1\n"}, "gone")
    origin.commit({"engine/unrelated.py": b"Pool = None\nclass Poolside:\n    size = 16\n"}, "no such thing")
    origin.commit({"engine/late.py": pool(16)}, "there")
    assert bisected(SIZE)[SIZE].endswith(" at gone, pass at there")


def test_a_commit_that_cannot_be_parsed_leaves_claims_open(origin: Repository, bisected: Bisected) -> None:
    origin.commit({POOL: b"class Pool(:\n"}, "broken")
    origin.commit({POOL: pool(16)}, "mended")
    changed = "pass, open at broken, pass at mended"
    assert bisected() == {SIZE: changed, CLASS: changed}


def test_an_end_that_branched_off_is_told_apart(kvaudit: CommandLine, origin: Repository, bisected: Bisected) -> None:
    origin.git("checkout", "--quiet", "-b", "release")
    origin.commit({POOL: pool(32)}, "only in the release")
    origin.git("tag", "--force", "start")
    origin.git("checkout", "--quiet", "main")
    origin.commit({"engine/other.py": b"x = 1\n"}, "other")
    assert bisected() == {SIZE: "fail"}
    done = kvaudit("bisect", SIZE, "--pack", "demo", "--from", "start", "--repo", f"engine={origin.folder}")
    assert "start branched off: there it is fail" in done.out


def test_every_commit_of_a_line_is_what_verify_says_of_it(kvaudit: CommandLine, origin: Repository) -> None:
    texts = [pool(16), pool(32), b"class Pool(:\n", b"x = 1\n", pool(32, "# note\n"), pool(16)]
    commits = [origin.git("rev-parse", "HEAD"), *(origin.commit({POOL: text}, f"{text!r}") for text in texts)]
    repo = ("--repo", f"engine={origin.folder}")
    done = kvaudit("bisect", "--pack", "demo", "--from", "start", *repo, "-f", "json")
    kvaudit.pack(head=(kvaudit.folder / "demo/pack.yaml").read_text().replace('engine"}', 'engine", project: engine}'))
    for claim in json.loads(done.out)["claims"]:
        kinds, kind = {}, claim["from"]["kind"]
        turns = {change["commit"]: change["after"]["kind"] for change in claim["changes"]}
        for commit in commits:
            kind = kinds[commit] = turns.get(commit, kind)
        said = {}
        for commit in commits:
            run = kvaudit("verify", "demo", "--commit", commit, *repo, "-f", "json", "--select", claim["claim"])
            # Where no claim can be decided, verify says so in place of a report's status; the report is there.
            said[commit] = json.loads(run.out)["runs"][0]["results"][0]["kind"]
        assert kinds == said


@pytest.mark.parametrize("is_url", [True, False], ids=["url", "clone"])
def test_only_commits_that_touch_what_was_read_are_visited(
    is_url: bool, kvaudit: CommandLine, origin: Repository
) -> None:
    for number in range(5):
        origin.commit({f"engine/part{number}.py": b"x = 1\n"}, f"part {number}")
    origin.commit({POOL: pool(32)}, "up")
    origin.commit({POOL: pool(16)}, "down")
    origin.commit({POOL: pool(32)}, "up again")
    before = origin.state()
    place = origin.url if is_url else origin.folder
    done = kvaudit("bisect", "--pack", "demo", "--from", "start", "--repo", f"engine={place}")
    # Twice the file is what it was in a commit visited before.
    said, _, seconds = done.err.strip().rpartition(", ")
    assert said == "kvaudit: engine: 8 commits between, 4 visited, 2 blobs read"
    assert seconds.endswith(" s")
    assert before == origin.state()


def test_a_commit_is_shown_with_its_pull_request(kvaudit: CommandLine, origin: Repository) -> None:
    commit = origin.commit({POOL: pool(32)}, "Double the \x1b[31mpool (#41) (#44594)")
    done = kvaudit("bisect", SIZE, CLASS, "--pack", "demo", "--from", "start", "--repo", f"engine={origin.folder}")
    assert (done.status, done.out.splitlines()) == (
        0,
        [
            f"{CLASS}: pass throughout",
            "",
            f"{SIZE}: pass -> fail",
            f"  {commit[:10]}  2026-01-03  A  #44594  pass -> fail",
            "    Double the \\x1b[31mpool (#41) (#44594)",
            "    before  Pool.size is 16",
            "    after   Pool.size is 32, not 16",
            "",
            "engine start..HEAD: 1 of 2 claims changed",
        ],
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "main", "--to", "start"], "it has no commit that the older one lacks"),
        (["--from", "gone"], "there is no gone"),
        (["--from", "--output=x"], "'--output=x' is not a repository or the name of a commit"),
        (["engine/none/such", "--from", "start"], "engine/none/such: there is no such claim"),
        (["--from", "start", "--target", "none"], "--target none: there is no such target; there are engine"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    arguments: list[str], message: str, kvaudit: CommandLine, origin: Repository
) -> None:
    origin.commit({POOL: pool(32)})
    done = kvaudit("bisect", "--pack", "demo", "--repo", f"engine={origin.folder}", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


def test_a_shallow_clone_says_how_to_complete_it(kvaudit: CommandLine, origin: Repository, tmp_path: Path) -> None:
    for number in range(3):
        origin.commit({POOL: pool(number)})
    origin.git("clone", "--quiet", "--depth=2", "--no-single-branch", origin.url, str(tmp_path / "shallow"))
    done = kvaudit("bisect", "--pack", "demo", "--from", "start", "--repo", f"engine={tmp_path / 'shallow'}")
    assert (done.status, "git fetch --unshallow completes it" in done.err) == (2, True)


def test_offline_a_history_is_followed_that_was_followed_before(kvaudit: CommandLine, origin: Repository) -> None:
    origin.commit({POOL: pool(32)})
    options = ("--pack", "demo", "--from", "start", "--repo", f"engine={origin.url}")
    done = kvaudit("bisect", *options, "--offline")
    assert (done.status, "run once without --offline" in done.err) == (2, True)
    first = kvaudit("bisect", *options)
    shutil.rmtree(origin.folder)
    second = kvaudit("bisect", *options, "--offline")
    assert ((0, first.out), True) == ((second.status, second.out), "1 of 2 claims changed" in first.out)


def test_progress_counts_the_commits_that_were_visited(
    origin: Repository, bisected: Bisected, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[tuple[str, int]] = []

    @contextmanager
    def watched(**_: object) -> Iterator[Progress]:
        yield lambda what, done, _: counts.append((what, done))

    monkeypatch.setattr(progress_bars, "watched", watched)
    origin.commit({POOL: pool(32)}, "up")
    assert bisected() == {SIZE: "pass, fail at up"}
    assert counts[:2] == [("engine: commits", 1), ("engine: commits", 2)]
