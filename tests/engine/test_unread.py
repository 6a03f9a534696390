"""What a source did not read is not passed over: what was searched there is open, and says where and why."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.engine import audit
from auditor.model import Kind, Omission, Run, Target, Text
from auditor.sources import Access, sources
from tests.support.git_repositories import ALONE, Repository
from tests.support.packs import TARGET, Tree, claim, entries

ABSENT = claim("check: absence\nscope: engine\nword: swap_in", "engine/a/absent")
CALLERS = claim("check: callers\nscope: engine\ncode: take()\nonly: [engine/pool.py::use]", "engine/b/callers")
SIZE = claim("at: engine/pool.py::size\ncheck: default-value\nequals: 16", "engine/c/size")
POOL = b"size = 16\ndef take(): ...\ndef use():\n    take()\n"
CODE = {"engine/__init__.py": b"", "engine/pool.py": POOL}
OPEN, PASS, FAIL = Kind.OPEN, Kind.PASS, Kind.FAIL


def kinds(run: Run) -> dict[str, Kind]:
    return {result.claim.id.rpartition("/")[2]: result.kind for result in run.results}


@pytest.mark.parametrize(
    ("path", "absent", "callers"),
    [
        ("engine/linked", OPEN, OPEN),
        ("engine/", OPEN, OPEN),
        ("engine/sub/x.py", OPEN, OPEN),
        ("engine2/", PASS, PASS),
        ("docs/linked", PASS, PASS),
    ],
)
def test_a_search_over_what_was_not_read_is_open(path: str, absent: Kind, callers: Kind, tmp_path: Path) -> None:
    tree = Tree(CODE)
    tree.omissions = (Omission(path, Text("it is a link", "它是链接")),)
    run = audit(TARGET, entries(tmp_path, ABSENT, CALLERS, SIZE), tree)
    assert kinds(run) == {"absent": absent, "callers": callers, "size": PASS}
    if absent is OPEN:
        message = run.results[0].outcome.message
        assert f"{path} (it is a link)" in message.en
        assert f"{path}（它是链接）" in message.zh
        assert f"{path} was not read: it is a link" in [note.message for note in run.notifications]
    else:
        assert run.notifications == ()


def test_a_witness_stands_whatever_was_not_read(tmp_path: Path) -> None:
    tree = Tree({**CODE, "engine/swap.py": b"def swap_in(): ...\n"})
    tree.omissions = (Omission("engine/linked", Text("it is a link", "它是链接")),)
    assert audit(TARGET, entries(tmp_path, ABSENT), tree).results[0].kind is FAIL


Make = Callable[[Path], None]


def outside(package: Path) -> None:
    (package / "linked").symlink_to("/")


def outside_file(package: Path) -> None:
    (package / "linked.py").symlink_to("/etc/hostname")


def no_text(package: Path) -> None:
    Path(os.fsdecode(os.fsencode(package) + b"/\xff.py")).write_bytes(b"")


def no_text_folder(package: Path) -> None:
    Path(os.fsdecode(os.fsencode(package) + b"/\xff")).mkdir()


def long_path(package: Path) -> None:
    here = Path.cwd()
    os.chdir(package)
    try:
        for _ in range(25):
            Path("x" * 200).mkdir()
            os.chdir("x" * 200)
        Path("y.py").write_text("def swap_in(): ...")
    finally:
        os.chdir(here)


def environment(package: Path) -> None:
    (package / "env").mkdir()
    (package / "env/pyvenv.cfg").write_text("")


def nothing(_: Path) -> None:
    """Everything can be read."""


def inside(package: Path) -> None:
    """A folder that an import reads under two names."""
    real = package.parent / "real"
    real.mkdir()
    (real / "swap.py").write_text("def swap_in(): ...\n")
    (package / "linked").symlink_to("../real")


def loop(package: Path) -> None:
    (package / "loop").symlink_to(".")
    (package / "other").symlink_to("../engine")
    (package / "broken.py").symlink_to("none")


def whole(package: Path) -> None:
    """Through a link to the root, what lies beside the package is in it."""
    (package.parent / "swap.py").write_text("def swap_in(): ...\n")
    (package / "root").symlink_to("..")


FORMS: list[tuple[Make, Kind]] = [
    (nothing, PASS), (loop, PASS), (inside, FAIL), (whole, FAIL), (outside, OPEN), (outside_file, OPEN),
    (no_text, OPEN), (no_text_folder, OPEN), (long_path, OPEN), (environment, OPEN),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected"), FORMS, ids=lambda one: getattr(one, "__name__", one))
def test_a_folder_knows_what_it_did_not_read(make: Make, expected: Kind, tmp_path: Path) -> None:
    package = tmp_path / "src/engine"
    package.mkdir(parents=True)
    for name, data in CODE.items():
        (package.parent / name).write_bytes(data)
    make(package)
    snapshot = sources()["directory"]().open(TARGET, str(package.parent), Access(None))
    assert kinds(audit(TARGET, entries(tmp_path / "pack", ABSENT), snapshot)) == {"absent": expected}


def test_a_file_that_cannot_be_read_is_open_alone(tmp_path: Path) -> None:
    (package := tmp_path / "src/engine").mkdir(parents=True)
    for name, data in {**CODE, "engine/huge.py": bytes(17 * 1024**2)}.items():
        (package.parent / name).write_bytes(data)
    snapshot = sources()["directory"]().open(TARGET, str(package.parent), Access(None))
    run = audit(TARGET, entries(tmp_path / "pack", ABSENT, SIZE), snapshot)
    assert kinds(run) == {"absent": OPEN, "size": PASS}
    assert "huge.py cannot be read" in run.results[0].outcome.message.en


def submodule(made: Repository) -> object:
    return made.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},engine/module")


def linked(made: Repository, target: str, name: str = "engine/linked") -> object:
    (made.folder / name).symlink_to(target)
    return made.git("add", name)


def strange(made: Repository) -> None:
    Path(os.fsdecode(os.fsencode(made.folder) + b"/engine/\xff.py")).write_bytes(b"")
    made.git("add", "--all")


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (bool, PASS),
        (submodule, OPEN),
        (strange, OPEN),
        (lambda made: linked(made, "/"), OPEN),
        (lambda made: linked(made, "../../other"), OPEN),
        (lambda made: (submodule(made), linked(made, "module/x.py", "engine/x.py")), OPEN),
        (lambda made: linked(made, "."), PASS),
        (lambda made: linked(made, "none"), PASS),
        (lambda made: linked(made, "linked"), OPEN),
        (lambda made: linked(made, "../real"), FAIL),
        (lambda made: linked(made, ".."), FAIL),
        (lambda made: (linked(made, "../real", "engine/via"), linked(made, "via/swap.py", "engine/x.py")), FAIL),
    ],
    ids=["nothing", "submodule", "no text", "absolute", "outside", "into a submodule", "loop", "broken", "itself",
         "inside", "root", "through another"],
)  # fmt: skip
@pytest.mark.parametrize("is_url", [True, False], ids=["url", "clone"])
def test_a_commit_knows_what_it_did_not_read(
    make: Callable[[Repository], object], expected: Kind, is_url: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    made = Repository(tmp_path / "origin")
    for name, data in {**CODE, "real/swap.py": b"def swap_in(): ...\n"}.items():
        (made.folder / name).parent.mkdir(exist_ok=True)
        (made.folder / name).write_bytes(data)
    made.git("add", "--all")
    make(made)
    made.git("commit", "--quiet", "--message", "x")
    target = Target("engine", repository=made.url if is_url else str(made.folder))
    snapshot = sources()["git"]().open(target, "HEAD", Access(None))
    assert kinds(audit(target, entries(tmp_path / "pack", ABSENT), snapshot)) == {"absent": expected}
