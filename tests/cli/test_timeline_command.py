"""`kvaudit timeline`: the matrix of claims and revisions."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.claims import load
from auditor.engine import audit
from auditor.engine.series import Series
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.pypi import Pypi
from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import ALONE, Repository
from tests.support.packs import CLAIMS, HEAD
from tests.support.registry_server import Registry, serving, wheel

__all__ = ["kvaudit"]

PROJECT = HEAD.replace('engine"}', 'engine", project: engine-kv}')
MOVED = CLAIMS.replace("engine/pool.py", "engine_kv/pool.py")
SIZES = {"1.0": 16, "1.1": 32, "1.1.post1": 32, "1.2": 16, "1.10": 16}


def code(size: int, lines: int = 0) -> dict[str, bytes]:
    pool = "#\n" * lines + f"class Pool:\n    size = {size}\n"
    return {"engine_kv/__init__.py": b"", "engine_kv/pool.py": pool.encode()}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, kvaudit: CommandLine) -> Iterator[Registry]:
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        for version, size in SIZES.items():
            registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(code(size)))
        kvaudit.pack(MOVED, PROJECT)
        yield registry


TEXT = """\
engine: 5 releases, 1.0 to 1.10; 1 of 2 claims differs between them

  1 1 1 1 1
  . . . . .
  0 1 1 2 1
      .   0
      p
      o
      s
      t
      1
  ✓ ✕ ✕ ✓ ✓  engine/size/sixteen
               pass 1.0, fail 1.1 to 1.1.post1, pass 1.2 to 1.10
  1 claim is the same throughout: 1 pass

"""


@pytest.mark.usefixtures("registry")
def test_releases_are_columns_and_claims_that_differ_are_rows(kvaudit: CommandLine) -> None:
    done = kvaudit("timeline", "demo", "--releases", "1.0..")
    assert (done.status, done.out, done.err) == (0, TEXT, "")


def test_the_ledger_says_the_same_without_the_network(registry: Registry, kvaudit: CommandLine) -> None:
    assert kvaudit("record", "demo", "--release", "1.0..").status == 0
    asked = len(registry.asked)
    assert kvaudit("timeline", "demo").out == TEXT
    assert asked == len(registry.asked)


@pytest.mark.parametrize(
    ("arguments", "revisions"),
    [
        (["--releases", "1.1..1.2"], ["1.1", "1.1.post1", "1.2"]),
        (["--releases", "1.2,1.0"], ["1.0", "1.2"]),
        (["--releases", "engine=..1.1"], ["1.0", "1.1"]),
        (["--releases", "1.0..", "--last", "2"], ["1.2", "1.10"]),
        (["--releases", "1.10", "--last", "9"], ["1.10"]),
    ],
)
@pytest.mark.usefixtures("registry")
def test_revisions_are_in_the_order_of_their_age(
    arguments: list[str], revisions: list[str], kvaudit: CommandLine
) -> None:
    done = kvaudit("timeline", "demo", *arguments, "-f", "json")
    [target] = json.loads(done.out)["targets"]
    assert [one["name"] for one in target["revisions"]] == revisions


@pytest.mark.usefixtures("registry")
def test_json_has_each_cell_and_the_intervals(kvaudit: CommandLine) -> None:
    report = json.loads(
        kvaudit("timeline", "demo", "--releases", "1.0..1.2", "--select", "engine/size", "-f", "json").out
    )
    assert (report["schema"], report["pack"]) == ("kvaudit/1", "demo")
    [claim] = report["targets"][0]["claims"]
    assert claim["claim"] == "engine/size/sixteen"
    assert claim["intervals"] == [
        {"kind": "pass", "first": "1.0", "last": "1.0"},
        {"kind": "fail", "first": "1.1", "last": "1.1.post1"},
        {"kind": "pass", "first": "1.2", "last": "1.2"},
    ]
    cells = [(cell["kind"], cell["baseline"], cell["actual"], cell["location"]) for cell in claim["cells"]]
    assert cells == [
        ("pass", None, "16", "engine_kv/pool.py:2"),
        ("fail", "new", "32", "engine_kv/pool.py:2"),
        ("fail", "unchanged", "32", "engine_kv/pool.py:2"),
        ("pass", "resolved", "16", "engine_kv/pool.py:2"),
    ]


def test_commits_are_a_matrix_of_their_own(
    registry: Registry, kvaudit: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    origin = Repository(tmp_path / "origin")
    for tag, size in (("v1", 16), ("v2", 32)):
        origin.commit(code(size))
        origin.git("tag", tag)
    repo = ["--repo", f"engine={origin.folder}"]
    done = kvaudit("timeline", "demo", "--releases", "1.0", "--commits", "v2, v1", *repo, "-f", "json")
    report = json.loads(done.out)
    shown = [[one["name"] for one in target["revisions"]] for target in report["targets"]]
    assert shown == [["1.0"], ["v1", "v2"]]
    assert [cell["kind"] for cell in report["targets"][1]["claims"][1]["cells"]] == ["pass", "fail"]
    assert registry.asked


@pytest.mark.usefixtures("registry")
def test_the_page_is_a_table_that_needs_neither_colour_nor_script_nor_network(kvaudit: CommandLine) -> None:
    done = kvaudit("timeline", "demo", "--releases", "1.0..", "-o", "a.html")
    assert (done.status, done.out) == (0, "")
    page = (kvaudit.folder / "a.html").read_text(encoding="utf-8")
    assert "default-src 'none'; style-src 'sha256-" in page
    assert "<script" not in page
    assert re.findall(r'(?:src|href)="(?!https://example\.org/engine/|data:,")', page) == []
    assert page.count('<th scope="col">') == 2 * (1 + len(SIZES))
    assert page.count('<th scope="row"') == 2
    english = re.sub(r'<span lang="en">(.*?)</span>', r"\1", re.sub(r'<span lang="zh-Hans">.*?</span>', "", page))
    cells = re.findall(r'<td class="([^"]+)">(?:<details><summary>)?<span[^>]*>(.)</span><span[^>]*>([^<]+)', english)
    assert cells[:4] == [
        ("pass", "✓", "pass"),
        ("fail new", "✕", "fail, new in 1.1"),
        ("fail", "✕", "fail"),
        ("pass resolved", "✓", "pass, resolved in 1.2"),
    ]
    assert "pass → fail" in english
    assert "actual 16 → 32" in english
    assert "成立 → 不成立" in page
    assert 'href="https://example.org/engine/blob/v1.1/engine_kv/pool.py#L2"' in page


@pytest.mark.usefixtures("registry")
def test_what_a_page_is_given_is_text(kvaudit: CommandLine) -> None:
    kvaudit.pack(MOVED.replace("The size is 16.", '"<script>alert(1)</script>"'), PROJECT)
    kvaudit("timeline", "demo", "--releases", "1.0..", "-o", "a.html")
    page = (kvaudit.folder / "a.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.usefixtures("registry")
def test_a_ledger_of_another_text_is_said_to_be(kvaudit: CommandLine) -> None:
    assert kvaudit("record", "demo", "--release", "1.0").status == 0
    kvaudit.pack(MOVED.replace("equals: 16", "equals: 17"), PROJECT)
    done = kvaudit("timeline", "demo")
    assert done.status == 0
    assert "1 claim recorded of another text, or not at all: engine/size/sixteen; kvaudit record --again" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "reports has no record of engine; name releases: --releases A.., or begin a ledger"),
        (["--releases", "7.."], "--releases 7..: engine-kv has no release between these"),
        (["--releases", "other=1.."], "--releases other=1..: there is no target other; there are engine"),
        (["--select", "nothing"], "--select nothing: no claim's id or rule begins so; see `kvaudit claim list`"),
        (["--repo", "x=y"], "reports has no record of engine; name releases: --releases A.., or begin a ledger"),
        (["--releases", "1.0", "--repo", "x=y"], "--repo x=y: say of what target: TARGET=PLACE; there are engine"),
    ],
)
@pytest.mark.usefixtures("registry")
def test_what_cannot_be_shown_is_one_line(arguments: list[str], message: str, kvaudit: CommandLine) -> None:
    done = kvaudit("timeline", "demo", *arguments)
    assert (done.status, done.out, done.err) == (2, "", f"kvaudit: {message}\n")


RELEASES: dict[str, dict[str, bytes]] = {
    "1.0": {**code(16), "engine_kv/tank.py": b"class Tank: ...\n"},
    "1.1": {**code(32), "engine_kv/tank.py": b"class Tank: ...\n"},
    "1.2": {**code(16, lines=3), "engine_kv/tank.py": b"class Tank: ...\n"},
    "1.3": code(16),
    "1.4": {**code(32), "engine_kv/pond.py": b"class Tank: ...\n"},
    "1.5": {**code(32), "engine_kv/pond.py": b"class Tank: ...\n", "engine_kv/tank.py": b""},
    "1.6": {"engine_kv/__init__.py": b"", "engine_kv/tank.py": b"class Tank: ...\nclass Pool:\n    size = 16\n"},
    "1.7": {**code(16), "engine_kv/tank.py": b"class Tank: ...\n"},
}
MORE = """
- id: engine/tank/class
  statement: {en: There is a tank., zh: 有一个罐。}
  cites: ["engine_kv/tank.py:1", "engine_kv"]
  at: engine_kv/tank.py::Tank
  check: symbol
- id: engine/well/none
  statement: {en: There is no well., zh: 没有井。}
  at: engine_kv/well.py::Well
  check: symbol
"""


class Counting:
    """A release that tells what is read of it."""

    is_fixed = True

    def __init__(self, release: object, reads: list[tuple[str, str]]) -> None:
        self._release = release
        self._reads = reads

    def __getattr__(self, name: str) -> object:
        return getattr(self._release, name)

    def read(self, path: str) -> bytes:
        found = self._release.read(path)  # type: ignore[attr-defined]
        self._reads.append((path, self._release.digests[path]))  # type: ignore[attr-defined]
        return bytes(found)


@pytest.mark.parametrize("order", [1, -1], ids=["forwards", "backwards"])
def test_one_after_another_is_what_each_alone_is_and_reads_each_content_once(
    order: int, registry: Registry, kvaudit: CommandLine, tmp_path: Path
) -> None:
    for version, files in RELEASES.items():
        registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(files))
    kvaudit.pack(MOVED + MORE, PROJECT)
    target, entries = Target("engine", project="engine-kv"), load(kvaudit.folder / "demo").entries["engine"]
    releases = [Pypi().open(target, version, Access(tmp_path / "cache")) for version in RELEASES][::order]
    reads: list[tuple[str, str]] = []
    series = Series(target, entries)
    told: list[tuple[str, int, int]] = []
    counted = [Counting(one, reads) for one in releases]
    runs = series.runs(counted, lambda *what: told.append(what))  # type: ignore[arg-type] # the rest is the release's
    assert told == [("engine: revisions", number, len(releases)) for number in range(len(releases))]
    assert [audit(target, entries, one) for one in releases] == list(runs)
    assert len(reads) == len(set(reads)) == series.read
    # 1.3 to 1.5 have a pool of 1.0 or 1.1; 1.7 is 1.0.
    assert series.decided < len(releases) * len(entries) - 4
    assert len({tuple(result.kind for result in run.results) for run in runs}) == 3
