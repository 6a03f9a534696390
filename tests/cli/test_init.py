"""A pack is begun for whatever a project is called and laid out as, and its first claim holds."""

from collections.abc import Iterator

import pytest
import yaml

from auditor.engine.projects import own, tag_pattern
from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import ALONE, Repository
from tests.support.packs import write
from tests.support.registry_server import Files, Registry, sdist, serving, wheel

__all__ = ["kvaudit"]

POOL = b"class Pool:\n    size = 16\n"


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    with serving() as registry:
        for name, value in {**registry.environment, **ALONE}.items():
            monkeypatch.setenv(name, value)
        yield registry


def publish(registry: Registry, version: str, files: Files, source: Files, day: str = "") -> None:
    metadata = {f"engine_kv-{version}.dist-info/METADATA": b"Name: engine-kv\n"}
    registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel({**files, **metadata}), day=day)
    registry.publish(f"engine_kv-{version}.tar.gz", sdist(source), day=day)


@pytest.mark.parametrize(
    ("files", "source", "expected"),
    [
        pytest.param({"engine_kv/pool.py": POOL}, {"engine_kv/pool.py": POOL}, {}, id="plain"),
        pytest.param(
            {"kv/__init__.py": POOL}, {"src/kv/__init__.py": POOL}, {"packages": ["kv"], "prefix": "src/"}, id="renamed"
        ),
        pytest.param({"kv.py": POOL}, {"lib/kv.py": POOL}, {"packages": ["kv.py"], "prefix": "lib/"}, id="module"),
        pytest.param(
            {"ns/kv/__init__.py": POOL}, {"src/ns/kv/__init__.py": POOL}, {"packages": ["ns/kv"], "prefix": "src/"},
            id="namespace",
        ),
        pytest.param(
            {"a/__init__.py": POOL, "b/__init__.py": b"", "tests/__init__.py": b""}, {"a/__init__.py": POOL},
            {"packages": ["a", "b"]}, id="several",
        ),
    ],
)  # fmt: skip
def test_a_project_of_the_registry_is_found(
    files: Files, source: Files, expected: dict[str, object], registry: Registry, kvaudit: CommandLine
) -> None:
    publish(registry, "1.0", files, source)
    done = kvaudit("init", "engine-kv", "--cache-dir", "cache")
    assert (done.status, "kvaudit verify\n" in done.out) == (0, True), done
    head = yaml.safe_load((kvaudit.folder / "claims/pack.yaml").read_text())
    assert head["targets"]["engine-kv"] == {"project": "engine-kv", "near-pin": 1.0, **expected}
    verified = kvaudit("verify", "--cache-dir", "cache")
    assert verified.status == 0, verified
    assert "1 claim: 1 pass; citations: 1" in verified.out
    assert kvaudit("claim", "lint").status == 0


def test_a_project_whose_folder_differs_in_case_alone_is_found(registry: Registry, kvaudit: CommandLine) -> None:
    publish(registry, "1.0", {"engine_kv/pool.py": POOL}, {"engine_kv/pool.py": POOL})
    assert kvaudit("init", "Engine-KV", "--cache-dir", "cache").status == 0
    assert kvaudit("verify", "--cache-dir", "cache").status == 0


def test_the_release_of_a_day_is_pinned(registry: Registry, kvaudit: CommandLine) -> None:
    for version, day in (("1.0", "2024-01-10"), ("1.1", "2024-02-10"), ("2.0", "2024-03-10")):
        publish(registry, version, {"engine_kv/__init__.py": POOL}, {"engine_kv/__init__.py": POOL}, day)
    for day, expected in (("2024-02-28", "1.1"), ("2023-01-01", "1.0"), ("2026-01-01", "2.0")):
        done = kvaudit("init", "engine-kv", "--date", day, "--into", day, "--cache-dir", "cache")
        assert (done.status, done.out.splitlines()[0]) == (0, f"engine-kv {expected}: engine_kv")


def test_the_first_claim_holds_in_older_releases_too(registry: Registry, kvaudit: CommandLine) -> None:
    for version in ("1.0", "2.0"):
        files = {"engine_kv/version.py": f"number = '{version}'\n".encode(), "engine_kv/z.py": POOL}
        newer = {"engine_kv/a.py": b"class New:\n    size = 1\n"} if version == "2.0" else {}
        publish(registry, version, files | newer, files | newer)
    assert kvaudit("init", "engine-kv", "--cache-dir", "cache").status == 0
    assert 'cites: ["engine_kv/z.py:' in (kvaudit.folder / "claims/engine-kv.yaml").read_text()


def test_a_release_can_be_named_with_the_project(registry: Registry, kvaudit: CommandLine) -> None:
    for version in ("1.0", "2.0"):
        publish(registry, version, {"engine_kv/__init__.py": POOL}, {"engine_kv/__init__.py": POOL})
    done = kvaudit("init", "engine-kv==1.0", "--cache-dir", "cache")
    assert (done.status, done.out.splitlines()[0]) == (0, "engine-kv 1.0: engine_kv")
    twice = kvaudit("init", "engine-kv==1.0", "--release", "2.0", "--into", "b")
    assert (twice.status, twice.err) == (2, "kvaudit: engine-kv==1.0 names a release; leave --date and --release out\n")


def test_a_checkout_is_pinned_at_its_commit(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    about = b'[project]\nname = "Engine.KV"\n[project.urls]\nHome = "https://github.com/a/engine"\n'
    made = Repository(kvaudit.folder / "checkout")
    commit = made.commit({"src/engine/__init__.py": POOL, "tests/test_pool.py": b"", "pyproject.toml": about})
    done = kvaudit("init", "./checkout")
    assert (done.status, done.out.splitlines()[-1]) == (0, "  kvaudit verify --path engine-kv=./checkout"), done
    head = yaml.safe_load((kvaudit.folder / "claims/pack.yaml").read_text())
    assert head["targets"]["engine-kv"] == {
        "repository": "https://github.com/a/engine", "commit": commit, "date": head["targets"]["engine-kv"]["date"],
        "project": "Engine.KV", "prefix": "src/", "packages": ["engine"],
    }  # fmt: skip
    assert kvaudit("verify", "--path", "engine-kv=./checkout").status == 0
    assert kvaudit("verify", "--repo", "engine-kv=checkout").status == 0


def test_nothing_is_written_over(kvaudit: CommandLine) -> None:
    assert kvaudit("init", "./src", "--into", "demo").status == 2
    write(kvaudit.folder, {"kvaudit.toml": "strict = true\n"})
    done = kvaudit("init", "./src")
    assert (done.status, done.out.splitlines()[-1]) == (0, "  kvaudit verify claims --path src=./src")
    assert (kvaudit.folder / "kvaudit.toml").read_text() == "strict = true\n"


def test_a_folder_without_python_is_one_line(kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"empty/readme.md": ""})
    assert kvaudit("init", "./empty").err == "kvaudit: empty: there is no Python in it\n"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["main", "v1.2", "v1.2.3"], "v{version}"),
        (["1.2.3"], "{version}"),
        (["engine-1.2.3", "engine-11.2.3"], "engine-{version}"),
        (["v11.2.3", "v0.1.2.3", "main"], None),
    ],
)
def test_tags_tell_how_they_name_releases(names: list[str], expected: str | None) -> None:
    assert tag_pattern("1.2.3", names) == expected


def test_tests_and_documentation_are_not_the_packages_of_a_project() -> None:
    assert own(["docs", "engine", "setup.py", "tests"]) == ("engine",)
    assert own(["tests"]) == ("tests",)
