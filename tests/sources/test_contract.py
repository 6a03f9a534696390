"""Every source gives the same names, the same bytes and the same errors."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest

from auditor.errors import SourceError
from auditor.model import Revision, Snapshot, Target
from auditor.sources import Access, sources
from tests.support.git_repositories import ALONE, Repository
from tests.support.registry_server import Files, Registry, sdist, serving, wheel

TARGET = Target("engine", project="engine-kv", prefix="python/")
FLAT = Target("engine", project="engine-kv")

PACKAGE = {
    "engine_kv/__init__.py": b"",
    "engine_kv/pool.py": b"class Pool:\n    size = 16\n",
    "engine_kv/core/scheduler.py": "# 调度\r\nbudget = 1\r\n".encode(),
    "engine_kv/core/limits.json": b'{"rows": ["\xff"]}',
}
EXPECTED = {f"python/{name}": data for name, data in PACKAGE.items()}
COMMIT = "f6895c814b5e31bc8da8852a4ada2c8b01f1094d"
"""What git calls these files, made on the first of January by a certain person."""
BESIDE = {"docs/guide.md": b"# Guide\n", "python/pyproject.toml": b"[project]\n"}


@lru_cache(maxsize=8)
def original(folder: Path, files: frozenset[tuple[str, bytes]]) -> Repository:
    made = Repository(folder / str(len(list(folder.iterdir()))))
    made.commit({f"python/{name}": data for name, data in files} | BESIDE)
    made.git("tag", "--annotate", "--message", "1.0", "v1.0")
    made.commit({"docs/later.md": b""})
    return made


@dataclass
class Materials:
    """Where a source's copy is made."""

    folder: Path
    registry: Registry
    originals: Path
    """A folder that outlives the test, for what several tests copy."""
    target: Target = TARGET

    def write(self, files: Files) -> str:
        for name, data in files.items():
            path = self.folder / "copy" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return str(self.folder / "copy")

    def repository(self, files: Files) -> Repository:
        """A repository with these files as v1.0, and something else since."""
        return original(self.originals, frozenset(files.items())).copied(self.folder / "origin")

    def read_from(self, place: str) -> tuple[str, str]:
        self.target = replace(TARGET, repository=place)
        return "git", "v1.0"


def checkout(materials: Materials, files: Files) -> tuple[str, str]:
    return "directory", materials.write({f"python/{name}": data for name, data in files.items()} | BESIDE)


def unpacked_wheel(materials: Materials, files: Files) -> tuple[str, str]:
    return "directory", materials.write({**files, "engine_kv-1.0.dist-info/RECORD": b"", "other/x.py": b""})


def unpacked_sdist(materials: Materials, files: Files) -> tuple[str, str]:
    return "directory", materials.write({**files, "PKG-INFO": b"", "setup.py": b""})


def unpacked_sdist_of_the_repository(materials: Materials, files: Files) -> tuple[str, str]:
    _, folder = checkout(materials, files)
    materials.write({"PKG-INFO": b""})
    return "directory", folder


def wheel_in_parts(materials: Materials, files: Files) -> tuple[str, str]:
    materials.registry.publish("engine_kv-1.0-py3-none-any.whl", wheel({**files, "engine_kv-1.0.data/x.py": b""}))
    return "pypi", "1.0"


def wheel_of_unknown_size(materials: Materials, files: Files) -> tuple[str, str]:
    materials.registry.speaks_json = False
    return wheel_in_parts(materials, files)


def whole_wheel(materials: Materials, files: Files) -> tuple[str, str]:
    materials.registry.has_ranges = False
    return wheel_in_parts(materials, files)


def packed_sdist(materials: Materials, files: Files) -> tuple[str, str]:
    materials.registry.publish("engine_kv-1.0.tar.gz", sdist({**files, "PKG-INFO": b"", "tests/x.py": b""}))
    return "pypi", "1.0"


def packed_sdist_of_the_repository(materials: Materials, files: Files) -> tuple[str, str]:
    within = {f"python/{name}": data for name, data in files.items()}
    materials.registry.publish("engine_kv-1.0.tar.gz", sdist(within | BESIDE))
    return "pypi", "1.0"


def worktree(materials: Materials, files: Files) -> tuple[str, str]:
    return materials.read_from(str(materials.repository(files).folder))


def mirror(materials: Materials, files: Files) -> tuple[str, str]:
    made = materials.repository(files)
    made.git("clone", "--quiet", "--mirror", made.url, str(materials.folder / "mirror.git"))
    return materials.read_from(str(materials.folder / "mirror.git"))


def partial_clone(materials: Materials, files: Files) -> tuple[str, str]:
    return materials.read_from(materials.repository(files).url)


def clone_from_a_server_without_filters(materials: Materials, files: Files) -> tuple[str, str]:
    made = materials.repository(files)
    made.git("config", "uploadpack.allowFilter", "false")
    return materials.read_from(made.url)


def installed_wheel(materials: Materials, files: Files) -> tuple[str, str]:
    packages, details = "lib/python3.12/site-packages/", "engine_kv-1.0.dist-info/"
    record = "".join(f"{name},,\n" for name in files) + f"{details}RECORD,,\n../../../bin/engine,,\n"
    metadata = b"Metadata-Version: 2.1\nName: engine-kv\nVersion: 1.0\n"
    held = {**files, f"{details}RECORD": record.encode(), f"{details}METADATA": metadata, "other/x.py": b""}
    made = {packages + name: data for name, data in held.items()}
    return "installed", materials.write({**made, "pyvenv.cfg": b"version = 3.12.1\n"})


def editable_installation(materials: Materials, files: Files) -> tuple[str, str]:
    source = materials.folder / "source"
    for name, data in ({f"python/{name}": data for name, data in files.items()} | BESIDE).items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    installed_wheel(materials, {})
    link = {"url": (source / "python").as_uri(), "dir_info": {"editable": True}}
    details = "lib/python3.12/site-packages/engine_kv-1.0.dist-info"
    return "installed", materials.write({f"{details}/direct_url.json": json.dumps(link).encode()})


Copy = Callable[[Materials, Files], tuple[str, str]]
COPIES: dict[Copy, str] = {
    checkout: "",
    unpacked_wheel: "python/engine_kv/",
    unpacked_sdist: "python/engine_kv/",
    unpacked_sdist_of_the_repository: "python/engine_kv/",
    wheel_in_parts: "python/engine_kv/",
    wheel_of_unknown_size: "python/engine_kv/",
    whole_wheel: "python/engine_kv/",
    packed_sdist: "python/engine_kv/",
    packed_sdist_of_the_repository: "python/engine_kv/",
    worktree: "",
    mirror: "",
    partial_clone: "",
    clone_from_a_server_without_filters: "",
    installed_wheel: "python/engine_kv/",
    editable_installation: "",
}
"""The forms a target comes in, and the root that each ships. A new source adds its own here."""


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("originals")


@pytest.fixture
def materials(tmp_path: Path, originals: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Materials]:
    with serving() as registry:
        for name, value in {**registry.environment, **ALONE}.items():
            monkeypatch.setenv(name, value)
        yield Materials(tmp_path, registry, originals)


def opened(source: str, spec: str, cache: Path | None = None, target: Target = TARGET) -> Snapshot:
    return sources()[source]().open(target, spec, Access(cache))


@pytest.fixture(params=COPIES, ids=lambda copy: copy.__name__.replace("_", " "))
def copy(request: pytest.FixtureRequest, materials: Materials) -> Callable[[Files], Snapshot]:
    """Makes a copy of some files in one of the sources' forms, and opens it."""

    def make(files: Files) -> Snapshot:
        source, spec = request.param(materials, files)
        return opened(source, spec, target=materials.target)

    return make


def test_a_source_gives_the_same_names_and_bytes(copy: Callable[[Files], Snapshot]) -> None:
    snapshot = copy(PACKAGE)
    names = {path for path in snapshot.files() if path.startswith("python/engine_kv/")}
    assert {path: snapshot.read(path) for path in names} == EXPECTED


def test_prefetching_changes_nothing_and_forgives_what_does_not_exist(copy: Callable[[Files], Snapshot]) -> None:
    snapshot = copy(PACKAGE)
    snapshot.prefetch(frozenset([*EXPECTED, "python/engine_kv/none.py", "../x"]))
    snapshot.prefetch(frozenset())
    assert {path: snapshot.read(path) for path in EXPECTED} == EXPECTED


@pytest.mark.parametrize(
    "path",
    ["python/engine_kv/none.py", "python/engine_kv/core", "engine_kv/pool.py", "/etc/passwd", "python/../python/x", ""],
)
def test_a_file_that_is_not_listed_is_not_found(copy: Callable[[Files], Snapshot], path: str) -> None:
    snapshot = copy(PACKAGE)
    with pytest.raises(FileNotFoundError):
        snapshot.read(path)


@pytest.mark.parametrize("form", COPIES, ids=lambda form: form.__name__.replace("_", " "))
def test_a_source_says_what_it_ships(form: Copy, materials: Materials) -> None:
    source, spec = form(materials, PACKAGE)
    snapshot = opened(source, spec, target=materials.target)
    assert snapshot.roots == (COPIES[form],)
    assert [path for path in snapshot.files() if not path.startswith(snapshot.roots)] == []


def test_a_revision_holds_nothing_of_this_machine(copy: Callable[[Files], Snapshot]) -> None:
    assert copy(PACKAGE).revision in (
        Revision("directory", "copy"),
        Revision("pypi", "1.0"),
        Revision("git", "v1.0", COMMIT),
        Revision("installed", "1.0"),
    )


def test_a_huge_file_is_listed_and_refused(copy: Callable[[Files], Snapshot]) -> None:
    snapshot = copy({**PACKAGE, "engine_kv/huge.py": bytes(16 * 1024 * 1024 + 1)})
    snapshot.prefetch(frozenset(["python/engine_kv/huge.py"]))
    with pytest.raises(SourceError, match=r"engine_kv/huge\.py: .*16,777,216"):
        snapshot.read("python/engine_kv/huge.py")
    assert snapshot.read("python/engine_kv/__init__.py") == b""


def test_a_copy_without_the_package_is_refused(copy: Callable[[Files], Snapshot]) -> None:
    with pytest.raises(SourceError, match="python/engine_kv/"):
        copy({"other/x.py": b""})


def test_a_checkout_ships_everything_but_what_git_and_python_keep(materials: Materials) -> None:
    _, folder = checkout(materials, PACKAGE)
    materials.write(
        {".git/config": b"", "python/engine_kv/__pycache__/pool.pyc": b"", "env/pyvenv.cfg": b"", "env/x": b""}
    )
    snapshot = opened("directory", folder)
    assert snapshot.roots == ("",)
    assert EXPECTED.keys() | BESIDE.keys() == snapshot.files()
    assert [one.path for one in snapshot.omissions] == ["env/"]


@pytest.mark.parametrize(
    ("beside", "roots"),
    [
        pytest.param({"docs/guide.md": b""}, ("",), id="checkout"),
        pytest.param({"engine_kv-1.0.dist-info/RECORD": b""}, ("engine_kv/",), id="wheel"),
        pytest.param({"PKG-INFO": b"", "docs/guide.md": b""}, ("engine_kv/",), id="sdist"),
    ],
)
def test_a_folder_without_prefix_is_told_apart_by_what_is_beside(
    beside: Files, roots: tuple[str, ...], materials: Materials
) -> None:
    snapshot = opened("directory", materials.write({**PACKAGE, **beside}), target=FLAT)
    assert snapshot.roots == roots


@pytest.mark.parametrize(
    ("files", "below", "message"),
    [
        pytest.param({}, "none", "none: no such folder; --path expects a checkout or an unpacked", id="no folder"),
        pytest.param({"x.whl": b""}, "x.whl", "x.whl: not a folder; unpack it, since --path expects", id="a file"),
        pytest.param(
            {"docs/x": b""}, "", "expects .* with python/engine_kv/ or engine_kv/ in it$", id="something else"
        ),
        pytest.param({"a/engine_kv/x.py": b"", "b/x": b""}, "", "in it; did you mean .*copy/a$", id="one level down"),
        pytest.param({"a/engine_kv/x": b"", "b/engine_kv/x": b""}, "", "in it$", id="which of two"),
        pytest.param({"engine_kv/__init__.py": b""}, "engine_kv", "did you mean .*copy$", id="one level up"),
    ],
)
def test_a_folder_that_does_not_fit_is_one_helpful_line(
    files: Files, below: str, message: str, materials: Materials
) -> None:
    materials.write({"README": b"", **files})
    with pytest.raises(SourceError, match=message) as caught:
        opened("directory", str(materials.folder / "copy" / below))
    assert "\n" not in str(caught.value)


def test_links_that_leave_the_folder_are_not_followed(materials: Materials) -> None:
    _, folder = unpacked_wheel(materials, PACKAGE)
    (materials.folder / "secret.py").write_text("secret")
    package = Path(folder) / "engine_kv"
    (package / "inside.py").symlink_to("pool.py")
    (package / "outside.py").symlink_to(materials.folder / "secret.py")
    (package / "above.py").symlink_to("../../secret.py")
    (package / "parent").symlink_to(materials.folder)
    (package / "loop.py").symlink_to("loop.py")
    (package / "nowhere.py").symlink_to("none.py")
    snapshot = opened("directory", folder)
    assert EXPECTED.keys() | {"python/engine_kv/inside.py"} == snapshot.files()
    assert [Path(one.path).name for one in snapshot.omissions] == ["above.py", "outside.py", "parent"]
    assert PACKAGE["engine_kv/pool.py"] == snapshot.read("python/engine_kv/inside.py")


def test_a_file_that_becomes_a_link_after_listing_is_not_followed(materials: Materials) -> None:
    _, folder = unpacked_wheel(materials, PACKAGE)
    snapshot = opened("directory", folder)
    (materials.folder / "secret.py").write_text("secret")
    (Path(folder) / "engine_kv/pool.py").unlink()
    (Path(folder) / "engine_kv/pool.py").symlink_to(materials.folder / "secret.py")
    with pytest.raises(SourceError, match=r"pool\.py: a link out of"):
        snapshot.read("python/engine_kv/pool.py")


def test_names_and_files_that_are_no_source_are_left_out(materials: Materials) -> None:
    _, folder = unpacked_wheel(materials, PACKAGE)
    try:
        Path(os.fsdecode(os.fsencode(f"{folder}/engine_kv/") + b"\xff.py")).write_bytes(b"")
    except OSError:
        pytest.skip("this file system has text for names")
    os.mkfifo(f"{folder}/engine_kv/pipe.py")
    snapshot = opened("directory", folder)
    assert EXPECTED.keys() == snapshot.files()
    assert [one.path for one in snapshot.omissions] == [r"python/engine_kv/\udcff.py"]


def test_a_folder_that_was_named_by_a_relative_path_has_a_name(
    materials: Materials, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, folder = unpacked_wheel(materials, PACKAGE)
    monkeypatch.chdir(folder)
    assert Revision("directory", "copy") == opened("directory", ".").revision
