"""What lies below the sources: pip's settings, parts of files, limits."""

import gzip
import io
import os
import struct
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import requests

from auditor.fetch import FetchError
from auditor.fetch.pypi import archive
from auditor.fetch.pypi.archive import unpack
from auditor.fetch.pypi.client import Client
from auditor.fetch.pypi.ranges import GAP, LONGEST, Extent, RangeFile, joined
from auditor.fetch.pypi.settings import Settings, pip_files, pip_settings
from auditor.limits import TREE_FILES, UNPACKED_BYTES, Limit
from tests.support.registry_server import sdist, wheel


@pytest.mark.parametrize(
    ("text", "environment", "expected"),
    [
        ("", {}, Settings()),
        ("[global]\nindex-url = https://a/simple\ncert = /ca.pem\n", {}, Settings("https://a/simple", None, "/ca.pem")),
        ("[global]\nindex_url = https://a\n[install]\nindex-url = https://b%20\n", {}, Settings("https://b%20")),
        ("[search]\nindex-url = https://a\n", {}, Settings()),
        ("[global]\nindex-url = https://a\n", {"PIP_INDEX_URL": "https://c"}, Settings("https://c")),
        ("[global]\nindex-url = https://a\n", {"PIP_INDEX_URL": ""}, Settings("https://a")),
        ("", {"PIP_INDEX_URL": "https://me:p%40ss@a:8/x"}, Settings("https://a:8/x", ("me", "p@ss"))),
        ("", {"PIP_CERT": "/b.pem"}, Settings(certificates="/b.pem")),
    ],
)
def test_pips_settings_are_read_as_pip_reads_them(
    text: str, environment: dict[str, str], expected: Settings, tmp_path: Path
) -> None:
    (tmp_path / "pip.conf").write_text(text)
    assert expected == pip_settings(environment, [tmp_path / "none.conf", tmp_path / "pip.conf"])


def test_a_later_file_wins_over_an_earlier_one_option_by_option(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("[global]\nindex-url = https://a\ncert = /a.pem\n")
    (tmp_path / "b.conf").write_text("[global]\nindex-url = https://b\n")
    assert Settings("https://b", None, "/a.pem") == pip_settings({}, [tmp_path / "a.conf", tmp_path / "b.conf"])


@pytest.mark.parametrize("url", ["http://[", "http://[x]/", "//["])
def test_an_index_that_is_no_address_is_one_line(url: str) -> None:
    with pytest.raises(FetchError, match=r"^pip's settings name .*, which is no address"):
        pip_settings({"PIP_INDEX_URL": url}, [])


@pytest.mark.parametrize("text", ["index-url = x", "[global\n", "[global]\ncert = \xff"])
def test_settings_that_pip_could_not_read_are_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "pip.conf").write_bytes(text.encode("latin-1"))
    with pytest.raises(FetchError, match=r"^pip's settings in .*pip\.conf cannot be read \(.*\)$"):
        pip_settings({}, [tmp_path / "pip.conf"])


def test_a_file_named_in_the_environment_comes_first_and_replaces_the_users_own(tmp_path: Path) -> None:
    (named := tmp_path / "named.conf").write_text("")
    everywhere = list(pip_files({}))
    found = list(pip_files({"PIP_CONFIG_FILE": str(named)}))
    assert named == found[0]
    assert [path for path in everywhere if not path.is_relative_to(Path.home())] == [
        path for path in found[1:] if not path.is_relative_to(Path.home())
    ]
    assert len(found) == len(everywhere) - 1
    assert list(pip_files({"PIP_CONFIG_FILE": os.devnull})) == []


@pytest.mark.parametrize(
    ("host", "header"),
    [("http://a.test/simple/x/", "Basic bWU6cA=="), ("http://b.test/x.whl", None), ("https://a.test/x.whl", None)],
)
def test_credentials_of_the_index_go_to_the_index_alone(host: str, header: str | None) -> None:
    client = Client(Settings("http://a.test/simple", ("me", "p")))
    request = client.session().prepare_request(requests.Request("GET", host))
    assert header == request.headers.get("Authorization")


@pytest.mark.parametrize(
    ("extents", "expected"),
    [
        ([], []),
        ([(0, 10)], [(0, 10)]),
        ([(20, 30), (0, 10)], [(0, 30)]),
        ([(0, 10), (5, 8)], [(0, 10)]),
        ([(0, 10), (10 + GAP, 20 + GAP)], [(0, 20 + GAP)]),
        ([(0, 10), (11 + GAP, 20 + GAP)], [(0, 10), (11 + GAP, 20 + GAP)]),
        ([(0, LONGEST), (LONGEST, LONGEST + 1)], [(0, LONGEST), (LONGEST, LONGEST + 1)]),
    ],
)
def test_near_neighbours_are_fetched_as_one(extents: list[Extent], expected: list[Extent]) -> None:
    assert expected == joined(extents)


def test_a_range_file_reads_like_the_file_and_fetches_nothing_twice() -> None:
    data = bytes(range(256)) * 4
    fetched: list[Extent] = []

    def fetch(start: int, end: int) -> bytes:
        fetched.append((start, end))
        return data[start:end]

    file = RangeFile(len(data), fetch)
    file.load([(500, 600)])
    file.seek(-24, io.SEEK_END)
    assert data[-24:] == file.read()
    file.seek(450)
    assert data[450:700] == file.read(250)
    assert file.tell() == 700
    assert RangeFile(0, fetch).read() == b""
    file.load([(500, 550), (650, 690)])
    assert fetched == [(500, 600), (1000, 1024), (450, 500), (600, 700)]


def zeros(start: int, end: int) -> bytes:
    return bytes(end - start)


def test_a_directory_that_claims_to_be_enormous_is_not_fetched() -> None:
    size, claimed = 10**9, 9 * 10**8
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, claimed, 0, 0)
    file = RangeFile(size, zeros)
    file.keep(size - len(end), end)
    with pytest.raises(FetchError, match="directory has more than the 8,388,608 bytes"):
        archive.RemoteWheel(file, end)


@pytest.mark.parametrize(("name", "pack"), [("x.whl", wheel), ("x.tar.gz", sdist)], ids=["wheel", "sdist"])
@pytest.mark.parametrize("limit", [UNPACKED_BYTES, TREE_FILES], ids=lambda limit: limit.name)
def test_an_archive_that_unpacks_without_end_is_refused(
    name: str, pack: Callable[[Mapping[str, bytes]], bytes], limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(limit.variable, "5")
    content = io.BytesIO(pack({f"p/{number}.py": b"x" for number in range(6)}))
    with pytest.raises(FetchError, match=rf"more than the 5 .*{limit.variable} raises this"):
        unpack(content, name, lambda *_: None)


def test_a_stream_is_not_unpacked_to_look_for_the_next_member(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UNPACKED_BYTES.variable, "20000000")
    content = io.BytesIO(sdist({"p/huge.bin": bytes(40 * 1024 * 1024), "p/x.py": b""}))
    with pytest.raises(FetchError, match="unpacks to more than"):
        unpack(content, "x.tar.gz", lambda *_: None)


@pytest.mark.parametrize("type_", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XGLTYPE])
def test_a_header_of_a_tar_archive_is_not_unpacked_without_end(type_: bytes) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = type_, 30_000_000
    content = io.BytesIO(gzip.compress(info.tobuf() + bytes(30_000_000), 1))
    with pytest.raises(FetchError, match="headers of a member of a tar archive"):
        unpack(content, "x.tar.gz", lambda *_: None)


def test_a_chain_of_tar_headers_is_damage() -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 0
    with pytest.raises(FetchError, match="damaged or cut short"):
        unpack(io.BytesIO(gzip.compress(info.tobuf() * 2_000)), "x.tar.gz", lambda *_: None)


def test_a_member_without_a_name_is_none() -> None:
    """Found by fuzzing."""
    data = wheel({"x.py": b"x", "y.py": b"y"})
    at = data.index(b"PK\1\2")
    damaged = bytearray(data)
    damaged[at + 28 : at + 30] = b"\0\0"  # the length of the first name in the directory
    damaged[at + 32 : at + 34] = b"\4\0"  # that of its comment, which follows
    file = RangeFile(len(damaged), lambda start, end: bytes(damaged[start:end]))
    assert "x.py" not in archive.RemoteWheel(file).sizes
    unpack(io.BytesIO(bytes(damaged)), "x.whl", lambda *_: None)
