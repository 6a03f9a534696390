"""Which release is read, and what a registry, a wheel and a cache may get wrong."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from auditor.errors import SourceError
from auditor.model import Target
from auditor.sources import Access, silent
from auditor.sources.pypi import Published, Pypi
from tests.support.engine_releases import FILES, NAME, POOL, TARGET, cache, error, opened, publish, registry
from tests.support.registry_server import Registry, sdist, wheel

__all__ = ["cache", "registry"]


@pytest.mark.parametrize(
    ("spec", "version"),
    [
        ("1.0", "1.0"),
        ("1", "1.0"),
        ("v1.0.0", "1.0"),
        ("1.1rc1", "1.1rc1"),
        ("1.1.RC.1", "1.1rc1"),
        ("0.9", "0.9"),
        ("latest", "1.0.post1"),
    ],
)
@pytest.mark.parametrize("speaks_json", [True, False], ids=["json", "html"])
def test_a_version_names_its_release_however_it_is_spelt(
    spec: str, version: str, speaks_json: bool, registry: Registry
) -> None:
    registry.speaks_json = speaks_json
    publish(registry, "1.0", "1.1rc1", "1.0.post1")
    publish(registry, "0.9", "2.0", yanked=True)
    registry.publish("not a distribution", b"")
    assert version == opened(spec).revision.name


@pytest.mark.parametrize(
    ("versions", "yanked", "expected"),
    [
        pytest.param(["1.0a1", "1.0b1"], [], "1.0b1", id="only pre-releases"),
        pytest.param(["1.0", "2.0.dev1"], [], "1.0", id="a pre-release is newer"),
        pytest.param(["0.9", "0.10"], ["0.11"], "0.10", id="the newest is yanked"),
    ],
)
def test_latest_is_what_pip_would_install(
    versions: list[str], yanked: list[str], expected: str, registry: Registry
) -> None:
    publish(registry, *versions)
    publish(registry, *yanked, yanked=True)
    assert expected == opened("latest").revision.name


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("1.5", "engine-kv 1.5: the registry has no such release; the nearest are 0.9, 1.0, 2.0"),
        ("0.1", "engine-kv 0.1: the registry has no such release; the nearest are 0.8"),
        ("newest", "engine-kv newest: this is no version; name one such as 1.2.3, or latest"),
    ],
)
def test_an_unknown_version_names_its_neighbours(spec: str, message: str, registry: Registry) -> None:
    publish(registry, "0.8", "0.9", "1.0", "2.0")
    assert message == error(lambda: opened(spec))


def test_a_project_without_files_or_with_none_but_yanked_ones_has_no_latest(registry: Registry) -> None:
    assert "lists no wheel and no sdist" in error(lambda: opened("latest"))
    publish(registry, "1.0", yanked=True)
    assert error(lambda: opened("latest")) == "engine-kv latest: every release has been yanked; name a version"


def test_a_project_that_the_registry_lacks_is_named(registry: Registry) -> None:
    target = Target("x", project="No.Such_Project")
    message = error(lambda: Pypi().open(target, "1.0", Access(None)))
    assert message == "No.Such_Project 1.0: the registry has no such project"
    assert registry.asked == ["/simple/no-such-project/"]


def test_a_target_without_a_project_cannot_be_a_release() -> None:
    assert "x: its pack names no project" in error(lambda: Pypi().open(Target("x"), "1.0", Access(None)))


def test_the_smallest_wheel_is_preferred_to_all_others_and_to_an_sdist(registry: Registry) -> None:
    registry.publish("engine_kv-1.0.tar.gz", sdist(FILES))
    registry.publish("engine_kv-1.0-cp312-cp312-linux_x86_64.whl", wheel({**FILES, "big.so": os.urandom(5000)}))
    registry.publish("engine_kv-1.0-cp311-cp311-linux_x86_64.whl", wheel(FILES))
    registry.publish("engine_kv-1.0-cp313-cp313-linux_x86_64.whl", wheel(FILES))
    opened()
    assert registry.asked[-1] == "/files/engine_kv-1.0-cp311-cp311-linux_x86_64.whl"


def test_only_the_wanted_parts_of_a_wheel_travel(registry: Registry) -> None:
    wanted = [f"engine_kv/wanted{number}.py" for number in range(5)]
    files = {path: os.urandom(1000) for path in wanted} | {"engine_kv/lib.so": os.urandom(3_000_000), POOL: b"x"}
    registry.publish(NAME, wheel(files))
    snapshot = opened()
    snapshot.prefetch(frozenset(wanted))
    assert [files[path] for path in wanted] == [snapshot.read(path) for path in wanted]
    assert snapshot.client.received < 100_000
    assert snapshot.client.requests == len(registry.asked) == 3


def test_progress_is_told_in_bytes(registry: Registry) -> None:
    registry.has_ranges = False
    registry.publish(NAME, data := wheel(FILES))
    told: list[tuple[str, int, int]] = []
    Pypi().open(TARGET, "1.0", Access(None, progress=lambda *what: told.append(what)))
    assert ("engine-kv 1.0", len(data), len(data)) == told[-1]


def test_a_file_that_another_release_had_is_not_fetched_again(registry: Registry, cache: Path) -> None:
    same = {f"engine_kv/same{number}.py": os.urandom(200_000) for number in range(3)}
    for version in ("1.0", "1.1"):
        registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel({**same, POOL: version.encode()}))
    older, newer = opened("1.0", cache), opened("1.1", cache)
    older.prefetch(older.files())
    newer.prefetch(newer.files())
    assert [newer.read(path) for path in [*same, POOL]] == [*same.values(), b"1.1"]
    assert (older.client.received > 600_000, newer.client.received < 200_000) == (True, True)
    assert {path for path in newer.files() if newer.digests[path] != older.digests[path]} == {POOL}


def test_a_record_that_was_not_kept_up_to_date_makes_no_file_pass_for_an_older_one(
    registry: Registry, cache: Path
) -> None:
    registry.publish(NAME, wheel(FILES))
    assert opened("1.0", cache).read(POOL) == FILES[POOL]
    changed = {**FILES, POOL: b"size = 32\n"}
    registry.publish("engine_kv-1.1-py3-none-any.whl", wheel(changed, record=FILES))
    assert "not the file that the wheel's RECORD lists" in error(lambda: opened("1.1", cache).read(POOL))


def test_the_list_of_releases_serves_to_open_them(registry: Registry, cache: Path) -> None:
    publish(registry, "1.0", "1.1", "1.2rc1")
    publish(registry, "1.3", yanked=True)
    versions = [Pypi().versions(TARGET, "1.0", "", Access(cache), pre=pre) for pre in (False, True)]
    assert versions == [("1.0", "1.1"), ("1.0", "1.1", "1.2rc1")]
    asked = len(registry.asked)
    assert "engine-kv latest: it is not in the cache" in error(lambda: opened("latest", cache, offline=True))
    opened("1.1", cache)
    assert "/simple/engine-kv/" not in registry.asked[asked:]
    assert opened("latest", cache, offline=True).revision.name == "1.1"


def damaged(data: bytes) -> bytes:
    """The wheel with another byte in the middle of `POOL`'s data."""
    info = zipfile.ZipFile(io.BytesIO(data)).getinfo(POOL)
    at = info.header_offset + 30 + len(POOL) + info.compress_size // 2
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(
            wheel(FILES, record={**FILES, POOL: b"size = 32\n"}), "not the file that the wheel's RECORD", id="hash"
        ),
        pytest.param(wheel(FILES, record={}), "not the file that the wheel's RECORD", id="not in RECORD"),
        pytest.param(wheel(FILES, name="nothing"), "no RECORD", id="no RECORD"),
        pytest.param(damaged(wheel(FILES)), "damaged or cut short", id="checksum"),
    ],
)
def test_a_member_that_cannot_be_trusted_is_not_read(data: bytes, message: str, registry: Registry) -> None:
    registry.publish(NAME, data)
    found = error(lambda: opened().read(POOL))
    assert message in found
    assert found.startswith("engine-kv 1.0: ")
    assert "--path engine=DIR" in found


@pytest.mark.parametrize("has_ranges", [True, False], ids=["parts", "whole"])
def test_a_member_that_unpacks_to_far_more_is_not_read(has_ranges: bool, registry: Registry) -> None:
    registry.has_ranges = has_ranges
    registry.publish(NAME, wheel({**FILES, POOL: bytes(3_000_000)}))
    snapshot = opened()
    assert "unpack to 3,000,000 are no source code" in error(lambda: snapshot.read(POOL))
    assert snapshot.read("engine_kv/other.py") == FILES["engine_kv/other.py"]


@pytest.mark.parametrize("has_size", [True, False], ids=["size known", "size unknown"])
def test_a_wheel_that_was_cut_short_is_refused(has_size: bool, registry: Registry) -> None:
    data = wheel(FILES)
    registry.publish(NAME, data, has_size=has_size)
    registry.files[NAME].data = data[:-30]
    assert "damaged" in error(opened)


@pytest.mark.parametrize("name", [NAME, "engine_kv-1.0.tar.gz", "engine_kv-1.0.zip"])
def test_a_whole_file_must_have_the_registrys_hash(name: str, registry: Registry) -> None:
    registry.has_ranges = False
    registry.publish(name, sdist(FILES), sha256="0" * 64)
    assert "its sha256 is" in error(opened)


@pytest.mark.parametrize("name", [NAME, "engine_kv-1.0.tar.gz", "engine_kv-1.0.zip"])
@pytest.mark.parametrize("data", [b"", b"no archive", sdist(FILES)[:-50]], ids=["empty", "text", "cut"])
def test_a_whole_file_that_is_no_archive_is_refused(name: str, data: bytes, registry: Registry) -> None:
    registry.has_ranges = False
    registry.publish(name, data)
    assert "damaged or cut short" in error(opened)


def test_members_that_leave_their_root_do_not_exist(registry: Registry) -> None:
    strange = [
        "/etc/passwd",
        "../up.py",
        "engine_kv/../../up.py",
        "engine_kv/./x.py",
        "engine_kv\\x.py",
        "engine_kv//x",
    ]
    registry.publish(NAME, wheel({**FILES, **dict.fromkeys(strange, b"")}))
    registry.publish("engine_kv-2.0.tar.gz", sdist({**FILES, **dict.fromkeys(strange, b"")}))
    for version in ("1.0", "2.0"):
        snapshot = opened(version)
        assert FILES.keys() == snapshot.files()
        assert {"engine_kv/x", "engine_kv/x.py"} == {
            one.path for one in snapshot.omissions if one.touches("engine_kv/")
        }


def test_links_in_an_sdist_do_not_exist(registry: Registry) -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo(f"top/{POOL}"))
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo(f"top/engine_kv/{kind.decode()}.py")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    registry.publish("engine_kv-1.0.tar.gz", content.getvalue())
    assert {POOL} == opened().files()
    assert [one.path for one in opened().omissions] == ["engine_kv/1.py", "engine_kv/2.py"]


@pytest.mark.parametrize("failures", [[503], [503, 429], [0]], ids=str)
@pytest.mark.parametrize("has_ranges", [True, False], ids=["parts", "whole"])
def test_a_registry_that_stumbles_is_asked_again(failures: list[int], has_ranges: bool, registry: Registry) -> None:
    registry.has_ranges = has_ranges
    publish(registry, "1.0")
    registry.failures = failures
    snapshot = opened()
    registry.failures = list(failures)
    assert FILES[POOL] == snapshot.read(POOL)


def test_a_registry_that_stays_ill_is_one_line(registry: Registry) -> None:
    registry.failures = [503] * 3
    assert error(opened) == (
        "engine-kv 1.0: the registry cannot be reached (it answers 503); "
        "try again, use --offline if it was read before, or --path engine=DIR"
    )
    assert len(registry.asked) == 3


@pytest.mark.parametrize("index", ["http://127.0.0.1:9/simple", "http://no.such.host.invalid/", "file:///none"])
def test_a_registry_that_is_not_there_is_one_short_line(index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", index)
    message = error(opened)
    assert message.startswith("engine-kv 1.0: the registry cannot be reached (")
    assert len(message) < 200


def test_a_page_that_is_no_index_is_one_line(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(registry, "1.0")
    monkeypatch.setattr(registry, "page", lambda: ("application/vnd.pypi.simple.v1+json", b"{"))
    assert "page of the project cannot be read" in error(opened)


@pytest.mark.online
def test_a_file_of_a_real_wheel_is_read_in_small_parts(cache: Path) -> None:
    try:
        snapshot = Pypi().open(Target("vllm", project="vllm"), "0.31.0", Access(cache, progress=silent))
    except SourceError as reason:
        if "CI" in os.environ or "cannot be reached" not in str(reason):
            raise
        pytest.skip(str(reason))
    assert isinstance(snapshot, Published)
    assert b"class BlockPool" in snapshot.read("vllm/v1/core/block_pool.py")
    assert snapshot.client.received < 4_000_000


def test_what_a_wheel_vendors_has_a_record_of_its_own(registry: Registry, cache: Path) -> None:
    vendored = {"engine_kv/_vendor/x-1.0.dist-info/RECORD": b"engine_kv/pool.py,sha256=AAAA,1\n", **FILES}
    registry.publish(NAME, wheel(vendored))
    assert opened("1.0", cache).read(POOL) == FILES[POOL]
