"""What names a commit, what a repository and its server may be, and what reading one must leave alone."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.model import Target
from auditor.sources import Access
from auditor.sources.git import Git
from tests.support.engine_repository import (
    FILES,
    POOL,
    TARGET,
    alone,
    cache,
    error,
    old_protocol,
    opened,
    origin,
    original,
    spent,
)
from tests.support.git_repositories import Repository

__all__ = ["alone", "cache", "origin", "original"]


@pytest.mark.parametrize("is_url", [True, False], ids=["url", "clone"])
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("HEAD", "main"),
        ("@", "main"),
        ("main", "main"),
        ("side", "side"),
        ("refs/heads/side", "side"),
        ("v1.0", "v1.0^{commit}"),
        ("v1.1", "v1.1"),
        ("HEAD~3", "main~3"),
        ("HEAD~2^2", "side"),
        ("v1.1^", "v1.1^"),
        ("v1.1~1~2", "v1.0^{commit}"),
    ],
)
def test_a_name_means_what_it_means_to_git(name: str, meant: str, is_url: bool, origin: Repository) -> None:
    expected = origin.git("rev-parse", meant)
    snapshot = opened(origin.url if is_url else origin.folder, name)
    assert (name, expected) == (snapshot.revision.name, snapshot.revision.commit)


@pytest.mark.parametrize("is_url", [True, False], ids=["url", "clone"])
@pytest.mark.parametrize("digits", [40, 10, 7])
@pytest.mark.parametrize("date", ["2026-01-03", "2026-01-12", "2026-06-01", None])
def test_a_commit_is_found_by_the_beginning_of_its_id(
    digits: int, date: str | None, is_url: bool, origin: Repository
) -> None:
    full = origin.git("rev-parse", "side")
    target = replace(TARGET, date=date, repository=origin.url if is_url else str(origin.folder))
    revision = Git().open(target, full[:digits], Access(None)).revision
    assert (full[:digits], full) == (revision.name, revision.commit)


@pytest.mark.parametrize("is_url", [True, False], ids=["url", "clone"])
def test_steps_back_from_an_abbreviated_commit_are_counted(is_url: bool, origin: Repository) -> None:
    snapshot = opened(origin.url if is_url else origin.folder, f"{origin.git('rev-parse', 'HEAD')[:10]}~1")
    assert origin.git("rev-parse", "v1.1") == snapshot.revision.commit


def test_a_date_that_is_none_is_one_line(origin: Repository) -> None:
    target = replace(TARGET, date="soon", repository=origin.url)
    said = "engine 0123456789: the pack's date soon is not one of the form YYYY-MM-DD; give a clone: "
    assert error(lambda: Git().open(target, "0123456789", Access(None))).startswith(said)


def test_files_are_those_of_the_commit(origin: Repository) -> None:
    old, new = opened(origin.url, "v1.0"), opened(origin.url, "v1.1")
    assert FILES.keys() == old.files()
    assert {"engine_kv/__init__.py", POOL, "engine_kv/new.py", "engine_kv/side.py"} == new.files()
    assert (old.read(POOL), new.read(POOL)) == (b"size = 16\n", b"size = 32\n")


def test_a_package_that_moved_later_is_read_under_the_paths_of_its_pack(tmp_path: Path) -> None:
    made = Repository(tmp_path / "origin")
    old = made.commit({"engine/pool.py": b"size = 1", "tests/pool.py": b""})
    made.commit({"engine/pool.py": None, "src/engine/pool.py": b"size = 2"})
    target = Target("engine", repository=str(made.folder), prefix="src/")
    read = [Git().open(target, spec, Access(None)) for spec in (old, "HEAD")]
    assert [one.read("src/engine/pool.py") for one in read] == [b"size = 1", b"size = 2"]
    assert read[0].files() == {"src/engine/pool.py", "tests/pool.py"}


@pytest.mark.parametrize("form", ["worktree", "linked worktree", "mirror", "detached"])
def test_a_clone_is_left_exactly_as_it_is(form: str, origin: Repository, tmp_path: Path) -> None:
    place = origin.folder
    if form == "linked worktree":
        place = tmp_path / "linked"
        origin.git("worktree", "add", "--quiet", str(place), "side")
    elif form == "mirror":
        place = tmp_path / "mirror.git"
        origin.git("clone", "--quiet", "--mirror", origin.url, str(place))
    elif form == "detached":
        origin.git("checkout", "--quiet", "v1.0")
    (origin.folder / POOL).write_bytes(b"size = 64\n")
    (origin.folder / "engine_kv/more.py").write_bytes(b"")
    before = origin.state()
    snapshot = opened(place, "v1.1")
    snapshot.prefetch(snapshot.files())
    assert (snapshot.read(POOL), len(snapshot.files())) == (b"size = 32\n", 4)
    assert "there is no gone" in error(lambda: opened(place, "gone"))
    assert before == origin.state()


def test_all_wanted_files_come_in_one_request_and_are_kept(origin: Repository, cache: Path) -> None:
    commit = origin.git("rev-parse", "v1.1")
    first = opened(origin.url, commit, cache)
    first.prefetch(first.files())
    assert spent(first) == 2
    second = opened(origin.url, commit, cache)
    assert [first.read(path) for path in sorted(first.files())] == [
        second.read(path) for path in sorted(second.files())
    ]
    assert spent(second) == 0


def test_the_next_commit_costs_what_has_changed(origin: Repository, cache: Path) -> None:
    origin.commit({f"engine_kv/part{number}/x.py": os.urandom(100) for number in range(200)})
    first = opened(origin.url, "HEAD", cache)
    first.prefetch(first.files())
    origin.commit({POOL: b"size = 48\n"})
    second = opened(origin.url, "HEAD", cache)
    second.prefetch(second.files())
    assert first.client
    assert second.client
    assert second.read(POOL) == b"size = 48\n"
    assert second.client.received * 5 < first.client.received


def test_a_tag_that_has_moved_is_read_where_it_is_now(origin: Repository, cache: Path) -> None:
    opened(origin.url, "v1.1", cache)
    origin.git("tag", "--force", "v1.1", "side")
    assert origin.git("rev-parse", "side") == opened(origin.url, "v1.1", cache).revision.commit


def test_offline_reads_what_was_read_before_and_nothing_else(origin: Repository, cache: Path) -> None:
    assert (
        error(lambda: opened(origin.url, "v1.1", cache, offline=True))
        == "engine v1.1: it is not in the cache; run once without --offline"
    )
    opened(origin.url, "v1.1", cache).read(POOL)
    shutil.rmtree(origin.folder)
    snapshot = opened(origin.url, "v1.1", cache, offline=True)
    assert snapshot.read(POOL) == b"size = 32\n"
    assert "without --offline" in error(lambda: snapshot.read("engine_kv/new.py"))


def test_a_server_that_refuses_filters_gives_the_whole_commit_and_that_is_said(origin: Repository) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    snapshot = opened(origin.url, "v1.1")
    assert snapshot.read(POOL) == b"size = 32\n"
    assert snapshot.client
    assert (
        snapshot.client.requests,
        snapshot.client.remarks,
    ) == (1, ["its server refuses filters, so whole commits were fetched"])


def test_a_server_that_gives_no_single_files_gives_the_whole_commit(
    origin: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin.git("config", "uploadpack.allowAnySHA1InWant", "false")
    old_protocol(tmp_path, monkeypatch)
    snapshot = opened(origin.url, "v1.1")
    assert snapshot.read(POOL) == b"size = 32\n"
    assert snapshot.client
    assert snapshot.client.remarks == ["its server gives no single files, so the whole commit was fetched"]


def test_a_server_that_gives_no_single_commits_is_one_line(
    origin: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin.git("config", "uploadpack.allowAnySHA1InWant", "false")
    old_protocol(tmp_path, monkeypatch)
    commit = origin.git("rev-parse", "main~1~1")
    assert (
        f"engine {commit}: its server has no such commit, or gives none but the newest of branches and tags; "
        "give a clone: --repo engine=PATH"
    ) == error(lambda: opened(origin.url, commit))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("v1.2", "engine v1.2: there is no v1.2; the nearest are v1.1, v1.0"),
        ("1.1", "engine 1.1: there is no 1.1; the nearest are v1.1"),
        ("HEAD~90", "engine HEAD~90: there is no "),
        ("0123456789", "engine 0123456789: there is no 0123456789"),
        ("0" * 39 + "1", "engine 0000"),
        ("quite-different", "engine quite-different: there is no quite-different"),
        ("--upload-pack=x", "engine: '--upload-pack=x' is not a repository or the name of a commit"),
        ("a\nb", "engine: 'a\\nb' is not"),
    ],
)
@pytest.mark.parametrize("is_url", [True, False], ids=["url", "clone"])
def test_a_name_that_there_is_not_is_one_helpful_line(
    name: str, message: str, is_url: bool, origin: Repository
) -> None:
    assert error(lambda: opened(origin.url if is_url else origin.folder, name)).startswith(message)


@pytest.mark.parametrize("name", ["main:x", "main main", "+main", "^main", "main..side", "ma*", "main@{1}", ":/x"])
def test_a_server_is_asked_for_plain_names_only(name: str, origin: Repository) -> None:
    said = f"engine {name}: this is not the name of a commit, branch or tag; give a clone: --repo engine=PATH"
    assert said == error(lambda: opened(origin.url, name))


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("file:///none/such", "'/none/such' does not appear to be a git repository"),
        ("ext::sh -c true", "transport 'ext' not allowed"),
        ("http://127.0.0.1:9/x", "transport 'http' not allowed"),
        ("https://me:secret@127.0.0.1:9/x", "unable to access 'https://127.0.0.1:9/x/'"),
    ],
)
def test_what_cannot_be_reached_says_what_else_to_do(place: str, reason: str) -> None:
    said = error(lambda: opened(place, "HEAD"))
    assert reason in said
    assert "secret" not in said
    assert said.endswith(
        "; try again, give a clone: --repo engine=PATH, or audit the nearest release: kvaudit verify --release near-pin"
    )


def test_a_folder_that_is_no_repository_is_one_line(tmp_path: Path) -> None:
    said = f"engine HEAD: {tmp_path} is no git repository; for a folder of code use --path"
    assert said == error(lambda: opened(tmp_path, "HEAD"))


def test_a_repository_around_a_folder_is_not_taken_for_it(origin: Repository) -> None:
    assert "is no git repository" in error(lambda: opened(origin.folder / "engine_kv", "HEAD"))


def test_a_target_without_repository_is_one_line() -> None:
    said = "engine: its pack names no repository; give one: --repo engine=URL_OR_PATH"
    assert said == error(lambda: Git().open(TARGET, "HEAD", Access(None)))


def test_a_shallow_clone_says_how_to_complete_it(origin: Repository, tmp_path: Path) -> None:
    origin.git("clone", "--quiet", "--depth=1", origin.url, str(tmp_path / "shallow"))
    assert origin.git("rev-parse", "HEAD") == opened(tmp_path / "shallow", "HEAD").revision.commit
    commit = origin.git("rev-parse", "side")
    said = f"engine {commit}: there is no {commit}; it is a shallow clone: git fetch --unshallow completes it"
    assert said == error(lambda: opened(tmp_path / "shallow", commit))


def test_a_partial_clone_is_not_filled_behind_its_owners_back(origin: Repository, tmp_path: Path) -> None:
    place = tmp_path / "partial.git"
    origin.git("clone", "--quiet", "--bare", "--filter=blob:none", origin.url, str(place))
    before = sorted(place.rglob("*"))
    snapshot = opened(place, "v1.0")
    assert FILES.keys() == snapshot.files()
    said = f"engine v1.0: {place} is a partial clone without some of its files; leave --repo out"
    assert said == error(lambda: snapshot.read(POOL))
    assert before == sorted(place.rglob("*"))


def test_a_clone_without_trees_is_one_line(origin: Repository, tmp_path: Path) -> None:
    place = tmp_path / "commits.git"
    origin.git("clone", "--quiet", "--bare", "--filter=tree:0", origin.url, str(place))
    before = sorted(place.rglob("*"))
    assert "partial clone" in error(lambda: opened(place, "v1.0"))
    assert before == sorted(place.rglob("*"))


def test_a_sha256_repository_is_read_from_a_clone_and_refused_from_a_url(tmp_path: Path) -> None:
    made = Repository(tmp_path / "long", "--object-format=sha256")
    commit = made.commit(FILES)
    assert (len(commit), opened(made.folder, commit[:10]).read(POOL)) == (64, b"size = 16\n")
    assert error(lambda: opened(made.url, "HEAD")) == (
        "engine HEAD: it is a SHA-256 repository, which is read from a clone only; give a clone: --repo engine=PATH"
    )


@pytest.mark.parametrize("is_url", [True, False], ids=["url", "clone"])
def test_links_are_followed_within_the_commit_only(is_url: bool, origin: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("secret")
    links = {
        "inside.py": "pool.py",
        "twice.py": "inside.py",
        "up.py": "../docs/guide.md",
        "outside.py": str(tmp_path / "secret.py"),
        "above.py": "../../secret.py",
        "folder": "../docs",
        "loop.py": "loop.py",
        "nowhere.py": "none.py",
    }
    for name, leads in links.items():
        (origin.folder / "engine_kv" / name).symlink_to(leads)
    origin.commit({})
    snapshot = opened(origin.url if is_url else origin.folder, "HEAD")
    found = {path for path in snapshot.files() if path.removeprefix("engine_kv/") in links}
    assert {"engine_kv/inside.py", "engine_kv/twice.py", "engine_kv/up.py"} == found
    assert [snapshot.read(path) for path in sorted(found)] == [b"size = 32\n", b"size = 32\n", b"# Guide\n"]
    with pytest.raises(FileNotFoundError):
        snapshot.read("engine_kv/outside.py")


def test_a_pointer_of_git_lfs_is_not_taken_for_the_file(origin: Repository) -> None:
    origin.commit({"engine_kv/big.py": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"})
    said = "engine HEAD: engine_kv/big.py is in git-lfs, and only a pointer to it in the repository; use --path"
    assert said == error(lambda: opened(origin.url, "HEAD").read("engine_kv/big.py"))


def test_submodules_and_names_that_are_no_text_are_left_out(origin: Repository) -> None:
    before = opened(origin.url, "HEAD").files()
    commit = origin.git("rev-parse", "HEAD")
    origin.git("update-index", "--add", "--cacheinfo", f"160000,{commit},engine_kv/vendor")
    Path(os.fsdecode(os.fsencode(f"{origin.folder}/engine_kv/") + b"\xff.py")).write_bytes(b"")
    origin.git("add", "engine_kv/*.py")
    origin.git("commit", "--quiet", "--message", "odd")
    snapshot = opened(origin.url, "HEAD")
    assert before == snapshot.files()
    with pytest.raises(FileNotFoundError):
        snapshot.read("engine_kv/vendor")


def test_names_in_any_script_are_kept(origin: Repository) -> None:
    origin.commit({"engine_kv/调度\t.py": b"x"})
    assert opened(origin.url, "HEAD").read("engine_kv/调度\t.py") == b"x"
