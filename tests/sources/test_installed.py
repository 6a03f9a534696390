"""Which environment is meant, what it has, and what of it is read."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.errors import SourceError
from auditor.model import Revision, Snapshot, Target
from auditor.sources import Access, NotThereError
from auditor.sources.installed import Installed

TARGET = Target("engine", project="engine-kv", near_pin="1.0")
POOL = "engine_kv/pool.py"
SITE = "lib/python3.12/site-packages"
DETAILS = "engine_kv-1.0.dist-info"
METADATA = "Metadata-Version: 2.1\nName: engine_kv\nVersion: 1.0\n"
FILES = {POOL: "size = 16\n", f"{DETAILS}/METADATA": METADATA, f"{DETAILS}/RECORD": f"{POOL},,\n"}

Files = Mapping[str, str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("site.getuserbase", lambda: str(tmp_path / "user"))
    return tmp_path


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def venv(folder: Path, files: Files = FILES, settings: str = "version = 3.12.4\n") -> Path:
    """A virtual environment with these packages, and an interpreter that must not be started."""
    write(folder, {"pyvenv.cfg": settings, "bin/python": "\x7fELF"})
    write(folder / SITE, files)
    return folder


def opened(place: Path | str, target: Target = TARGET) -> Snapshot:
    return Installed().open(target, str(place), Access(None))


def notes(snapshot: Snapshot) -> tuple[str, ...]:
    return tuple(getattr(snapshot, "notes", ()))


def error(read: Callable[[], object]) -> str:
    """The one line that it ends in."""
    with pytest.raises(SourceError) as caught:
        read()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def outcome(read: Callable[[], object]) -> str:
    """The end of the one line that it ends in; empty when it does not."""
    try:
        read()
    except SourceError as reason:
        return str(reason)[str(reason).rindex("damaged") :]
    return ""


@pytest.mark.parametrize(
    "place",
    ["env/bin/python", "env", f"env/{SITE}", "python"],
    ids=["interpreter", "folder", "packages", "on the path"],
)
def test_an_environment_is_named_by_its_interpreter_or_its_folder(
    place: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (venv(home / "env") / "bin/python").chmod(0o755)
    monkeypatch.setenv("PATH", str(home / "env/bin"))
    monkeypatch.chdir(home)
    snapshot = opened(place)
    assert Revision("installed", "1.0") == snapshot.revision
    assert {path: snapshot.read(path) for path in snapshot.files()} == {POOL: b"size = 16\n"}


@pytest.mark.parametrize(
    "layout",
    [
        "lib/python3.12/site-packages",
        "lib64/python3.12/site-packages",
        "lib/python3/dist-packages",
        "local/lib/python3.12/dist-packages",
    ],
)
def test_an_interpreter_without_environment_has_its_packages_beside_it(layout: str, home: Path) -> None:
    write(home / "usr/bin", {"python3.12": "\x7fELF"})
    (home / "usr/bin/python3").symlink_to("python3.12")
    write(home / "usr" / layout, FILES)
    write(home / "usr/lib/python3.11/site-packages", {"engine_kv-0.9.dist-info/METADATA": METADATA})
    assert opened(home / "usr/bin/python3").read(POOL) == b"size = 16\n"


def test_an_environment_that_links_to_an_interpreter_is_not_that_interpreter(home: Path) -> None:
    write(home / "usr", {"bin/python3.12": "\x7fELF", f"{SITE}/engine_kv/pool.py": "no"})
    environment = venv(home / "env")
    (environment / "bin/python").unlink()
    (environment / "bin/python").symlink_to(home / "usr/bin/python3.12")
    assert opened(environment / "bin/python").read(POOL) == b"size = 16\n"
    assert "not installed" in error(lambda: opened(home / "usr/bin/python3.12"))


@pytest.mark.parametrize(("sees_system", "holds"), [("true", True), ("false", False)])
def test_an_environment_sees_the_system_if_its_settings_say_so(sees_system: str, holds: bool, home: Path) -> None:
    write(home / "usr" / SITE, FILES)
    settings = f"home = {home}/usr/bin\nversion = 3.12.4\ninclude-system-site-packages = {sees_system}\n"
    place = venv(home / "env", {"other.py": ""}, settings)
    if holds:
        assert opened(place).read(POOL) == b"size = 16\n"
    else:
        assert "not installed" in error(lambda: opened(place))


def test_what_is_in_the_users_own_site_is_read_and_said(home: Path) -> None:
    write(home / "usr", {"bin/python3.12": "\x7fELF", f"{SITE}/other.py": ""})
    write(home / "user" / SITE, FILES)
    snapshot = opened(home / "usr/bin/python3.12")
    assert snapshot.read(POOL) == b"size = 16\n"
    assert notes(snapshot) == ("engine-kv 1.0 is installed in the user's own site, which other users do not have",)


def test_an_environment_does_not_see_the_users_own_site(home: Path) -> None:
    write(home / "user" / SITE, FILES)
    assert "not installed" in error(lambda: opened(venv(home / "env", {"other.py": ""})))


def test_without_a_place_it_is_the_environment_kvaudit_runs_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(write(home / "packages", FILES))
    assert opened("").read(POOL) == b"size = 16\n"


def test_the_folder_it_was_started_in_is_not_its_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(home / "here", FILES))
    monkeypatch.syspath_prepend(str(home / "here"))
    with pytest.raises(NotThereError) as caught:
        opened("")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert (
        f"engine-kv: it is not installed in this environment (Python {version}); install it there, "
        "name another one: --installed engine=PYTHON, or use --release"
    ) == str(caught.value)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.0", ()),
        ("1.0.0+cu129", ()),
        ("1.0.post1", ("engine-kv 1.0.post1 is installed; the pinned commit is nearest to 1.0",)),
        ("0.9", ("engine-kv 0.9 is installed; the pinned commit is nearest to 1.0",)),
        ("dev-build", ("engine-kv dev-build is installed; the pinned commit is nearest to 1.0",)),
    ],
)
def test_a_version_that_is_not_the_pinned_one_is_said(version: str, expected: tuple[str, ...], home: Path) -> None:
    metadata = METADATA.replace("1.0\n", f"{version}\n")
    snapshot = opened(venv(home / "env", {**FILES, f"{DETAILS}/METADATA": metadata}))
    assert (version, expected) == (snapshot.revision.name, notes(snapshot))


@pytest.mark.parametrize("form", ["direct_url", "path file", "import hook", "annotated hook", "egg", "src"])
def test_an_editable_installation_is_read_from_its_source(form: str, home: Path) -> None:
    source = write(home / "source", {POOL: "size = 32\n", "docs/guide.md": ""})
    link = json.dumps({"url": source.as_uri(), "dir_info": {"editable": True}})
    mapping = f"{{'engine_kv': {str(source / 'engine_kv')!r}}}"
    hook, path_file = "__editable___engine_kv_1_0_finder.py", "__editable__.engine_kv-1.0.pth"
    added = {
        "direct_url": {f"{DETAILS}/direct_url.json": link},
        "path file": {path_file: f"{source}\n", f"{DETAILS}/RECORD": f"{path_file},,\n"},
        "src": {path_file: f"# comment\n{source}\n", f"{DETAILS}/RECORD": f"{path_file},,\n"},
        "import hook": {hook: f"import sys\nMAPPING = {mapping}\n1 / 0\n", f"{DETAILS}/RECORD": f"{hook},,\n"},
        "annotated hook": {hook: f"MAPPING: dict[str, str] = {mapping}\n", f"{DETAILS}/RECORD": f"{hook},,\n"},
    }
    if form == "egg":
        write(source, {"engine_kv.egg-info/PKG-INFO": METADATA})
        place = venv(home / "env", {"easy-install.pth": f"import sys; 1 / 0\n{source}\n"})
    else:
        place = venv(home / "env", {f"{DETAILS}/METADATA": METADATA, f"{DETAILS}/RECORD": "", **added[form]})
    snapshot = opened(place)
    assert (snapshot.roots[0], snapshot.read(POOL)) == ((""), b"size = 32\n")
    assert Revision("installed", "1.0") == snapshot.revision
    assert notes(snapshot) == ("engine-kv 1.0 is editable: its source folder was read",)


def test_a_source_folder_below_a_prefix_is_read_as_the_whole_repository(home: Path) -> None:
    source = write(home / "source", {f"python/{POOL}": "size = 32\n", "docs/guide.md": ""})
    link = json.dumps({"url": (source / "python").as_uri(), "dir_info": {"editable": True}})
    place = venv(home / "env", {**FILES, f"{DETAILS}/direct_url.json": link})
    snapshot = opened(place, replace(TARGET, prefix="python/"))
    assert {f"python/{POOL}", "docs/guide.md"} == snapshot.files()


def test_a_source_folder_that_is_gone_is_one_line(home: Path) -> None:
    link = json.dumps({"url": (home / "gone").as_uri(), "dir_info": {"editable": True}})
    place = venv(home / "env", {**FILES, f"{DETAILS}/direct_url.json": link})
    said = f"engine-kv 1.0 is installed from {home}/gone, which holds no engine_kv/; install it again"
    assert said == error(lambda: opened(place))


@pytest.mark.parametrize("link", ["{", "[]", '{"dir_info": []}', '{"dir_info": {"editable": true}}', "null"])
def test_an_odd_note_of_the_installer_is_passed_over(link: str, home: Path) -> None:
    place = venv(home / "env", {**FILES, f"{DETAILS}/direct_url.json": link})
    assert opened(place).read(POOL) == b"size = 16\n"


def test_what_an_import_would_read_is_read_and_what_is_listed_and_gone_is_named(home: Path) -> None:
    record = f"{POOL},,\nengine_kv/gone.py,,\nengine_kv/../../secret.py,,\n/etc/passwd,,\n"
    write(home / f"env/{SITE}", {"engine_kv/extra.py": "", "../secret.py": ""})
    snapshot = opened(venv(home / "env", {**FILES, f"{DETAILS}/RECORD": record}))
    assert {POOL, "engine_kv/extra.py"} == snapshot.files()
    assert [one.path for one in snapshot.omissions] == ["engine_kv/gone.py"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("RECORD", b"\xff\xfe"),
        ("RECORD", b'a,,,,\n"'),
        ("RECORD", b"engine_kv/pool.py,sha256=x,many\n"),
        ("RECORD", b'"' + b"x" * 200_000),
        ("RECORD", b"\0,,\n"),
        ("direct_url.json", b"[" * 100_000),
        ("direct_url.json", b"\xff"),
        ("direct_url.json", b'{"url": "file://[", "dir_info": {"editable": true}}'),
        ("METADATA", METADATA.encode() + b"Summary: \xff\n"),
        ("top_level.txt", b"\xff"),
    ],
)
def test_damaged_metadata_leaves_the_code_readable_or_is_one_line(name: str, data: bytes, home: Path) -> None:
    place = venv(home / "env")
    (place / SITE / DETAILS / name).write_bytes(data)
    assert outcome(lambda: opened(place).read(POOL)) in ("", "damaged; install it again")


@pytest.mark.parametrize(
    "metadata",
    [b"", b"\xff\xff", b"Name: engine_kv\n", b"Name: engine_kv\nVersion:\n", b"Version: 1.0\n" * 3, b"\0" * 100],
)
def test_metadata_without_a_version_is_one_line(metadata: bytes, home: Path) -> None:
    place = venv(home / "env")
    (place / SITE / DETAILS / "METADATA").write_bytes(metadata)
    assert outcome(lambda: opened(place)) in ("", "damaged; install it again")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
@pytest.mark.parametrize(("name", "is_read"), [("METADATA", False), ("RECORD", True)])
@pytest.mark.parametrize("is_pipe", [True, False])
def test_metadata_that_never_ends_is_damaged(name: str, is_read: bool, is_pipe: bool, home: Path) -> None:
    place = venv(home / "env") / SITE / DETAILS / name
    place.unlink()
    os.mkfifo(place) if is_pipe else place.symlink_to("/dev/zero")
    assert outcome(lambda: opened(home / "env")) == ("" if is_read else "damaged; install it again")


def test_a_version_of_thousands_of_digits_is_damaged(home: Path) -> None:
    files = {**FILES, f"{DETAILS}/METADATA": f"Name: engine-kv\nVersion: {'9' * 5_000}\n"}
    assert outcome(lambda: opened(venv(home / "env", files))) == "damaged; install it again"


def test_path_files_and_settings_of_an_environment_may_be_anything(home: Path) -> None:
    place = venv(home / "env", settings="version = \x00\nhome = \x00\ninclude-system-site-packages = true\n")
    (place / SITE / "a.pth").write_bytes(b"\xff\n")
    (place / SITE / "b.pth").write_bytes(b"\0\n/\0\n" + b"x" * 10_000 + b"\nimport os; os.abort()\n")
    assert opened(place).read(POOL) == b"size = 16\n"


def test_without_a_list_of_files_the_folder_is_read(home: Path) -> None:
    place = venv(home / "env", {POOL: "size = 16\n", f"{DETAILS}/METADATA": METADATA})
    assert {POOL} == opened(place).files()


def test_files_that_an_installer_has_linked_are_followed(home: Path) -> None:
    place = venv(home / "env")
    (place / SITE / POOL).unlink()
    (place / SITE / POOL).symlink_to(write(home / "store", {"pool.py": "size = 64\n"}) / "pool.py")
    assert opened(place).read(POOL) == b"size = 64\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(
            {"other.py": ""},
            "engine-kv: it is not installed in PLACE (Python 3.12); install it there, "
            "name another one: --installed engine=PYTHON, or use --release",
            id="not installed",
        ),
        pytest.param(
            {f"{DETAILS}/RECORD": ""},
            "engine-kv: what PLACE (Python 3.12) says of it is damaged; install it again",
            id="no metadata",
        ),
        pytest.param(
            {f"{DETAILS}/METADATA": METADATA, f"{DETAILS}/RECORD": "other.py,,\n", "other.py": ""},
            "engine-kv 1.0: engine_kv/ is not among its installed files; install it again, or check the pack's project "
            "and prefix",
            id="something else",
        ),
    ],
)
def test_an_environment_without_the_package_is_one_helpful_line(files: Files, message: str, home: Path) -> None:
    place = venv(home / "env", files)
    assert message.replace("PLACE", str(place)) == error(lambda: opened(place))


@pytest.mark.parametrize(
    ("files", "place", "message"),
    [
        ({"x": ""}, "none", "no such interpreter or environment"),
        ({"folder/x": ""}, "folder", "no packages are where an interpreter or an environment has them"),
        ({"shims/python": "#!/bin/sh\n"}, "shims/python", "is a script; name the interpreter that it starts"),
    ],
)
def test_what_is_no_environment_is_one_helpful_line(files: Files, place: str, message: str, home: Path) -> None:
    said = error(lambda: opened(write(home, files) / place))
    assert message in said
    assert said.endswith("; --installed expects an interpreter or a virtual environment")


def test_a_target_that_cannot_be_installed_is_one_line() -> None:
    said = "engine: its pack names no project, so none can be installed; use another source"
    assert said == error(lambda: opened("", replace(TARGET, project=None)))


@pytest.mark.skipif(sys.platform == "win32", reason="the layout is another one")
def test_a_real_environment_is_read_and_nothing_in_it_runs(home: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home / "env")], check=True)
    [site] = (home / "env").glob("lib/python*/site-packages")
    loud = f"import pathlib; pathlib.Path({str(home / 'ran')!r}).touch()\n"
    write(site, {**FILES, "engine_kv/__init__.py": loud, "sitecustomize.py": loud, "loud.pth": loud})
    assert opened(home / "env/bin/python").read(POOL) == b"size = 16\n"
    assert not (home / "ran").exists()
    assert os.access(home / "env/bin/python", os.X_OK)
