"""A registry that wants to harm: what it sends is bounded in bytes and time, and ends in one line."""

import gzip
import io
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress

import pytest

from auditor.cache import Memory
from auditor.errors import SourceError
from auditor.fetch import FetchError
from auditor.fetch.pypi.client import Client
from auditor.fetch.pypi.index import Index
from auditor.fetch.pypi.settings import Settings
from auditor.limits import FETCH_SECONDS, FETCH_SPEED, PAGE_BYTES
from auditor.model import Target
from auditor.sources import Access
from auditor.sources.pypi import Pypi
from tests.support.registry_server import Registry, serving, wheel

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # sockets that are given up

Send = Callable[[bytes], None]
JSON = b"Content-Type: application/vnd.pypi.simple.v1+json\r\n"


@contextmanager
def speaking(answer: Callable[[Send], None]) -> Iterator[str]:
    """A server that answers each connection so; its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    threading.Thread(target=one, args=(connection,), daemon=True).start()

        def one(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                connection.recv(10_000)
                answer(connection.sendall)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        server.shutdown(socket.SHUT_RDWR)


def drip(send: Send, data: bytes) -> None:
    while True:
        send(data)
        time.sleep(0.05)


def endless(send: Send) -> None:
    send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + JSON + b"\r\n")
    while True:
        send(b"10000\r\n" + bytes(65536) + b"\r\n")


def dripping_body(send: Send) -> None:
    send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    drip(send, b"x")


def dripping_header(send: Send) -> None:
    send(b"HTTP/1.1 200 OK\r\nX: ")
    drip(send, b"x")


def dripping_continue(send: Send) -> None:
    drip(send, b"HTTP/1.1 100 Continue\r\n\r\n")


def dripping_redirection(send: Send) -> None:
    send(b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 100000\r\n\r\n")
    drip(send, b"x")


def silent(_: Send) -> None:
    time.sleep(5)


def bomb(send: Send) -> None:
    body = gzip.compress(bytes(200_000_000), 1)
    send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n%b\r\n" % (len(body), JSON))
    send(body)


def bomb_in_bomb(send: Send) -> None:
    body = gzip.compress(zlib.compress(bytes(200_000_000)), 1)
    send(b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate, gzip\r\nContent-Length: %d\r\n\r\n" % len(body))
    send(body)


def header(line: bytes, body: bytes = b"{}") -> Callable[[Send], None]:
    def answer(send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\n" + line + b"\r\nConnection: close\r\n\r\n" + body)

    return answer


def location(place: bytes) -> Callable[[Send], None]:
    def answer(send: Send) -> None:
        send(b"HTTP/1.1 302 Found\r\nLocation: " + place + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    return answer


@pytest.mark.parametrize(
    "answer",
    [dripping_body, dripping_header, dripping_continue, dripping_redirection, silent],
    ids=lambda answer: answer.__name__,
)
def test_a_server_that_is_slow_has_one_deadline(
    answer: Callable[[Send], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FETCH_SECONDS.variable, "1")
    with speaking(answer) as address, pytest.raises(FetchError, match=r"too slow|more than 10 times"):
        Client(Settings()).page(address, "*/*")


def test_what_comes_fast_enough_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FETCH_SECONDS.variable, "1")
    monkeypatch.setenv(FETCH_SPEED.variable, "1000")

    def answer(send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 12000\r\n\r\n")
        for _ in range(12):
            send(bytes(1000))
            time.sleep(0.1)

    with speaking(answer) as address:
        assert len(Client(Settings()).page(address, "*/*").content) == 12_000


@pytest.mark.parametrize("answer", [endless, bomb, bomb_in_bomb], ids=lambda answer: answer.__name__)
def test_an_answer_without_end_is_cut_off(answer: Callable[[Send], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PAGE_BYTES.variable, "1000000")
    with speaking(answer) as address, pytest.raises(FetchError, match=f"{PAGE_BYTES.variable} raises this"):
        Client(Settings()).page(address, "*/*")


@pytest.mark.parametrize(
    "answer",
    [
        location(b"http://["),
        location(b"file:///etc/passwd"),
        location(b"http://a:99999999/"),
        location(b"http://\xff\xfe/"),
        location(b"/" + b"x" * 60_000),
        location(b"http://" + b"a" * 300 + b"/"),
        location(b"//"),
        header(b"Content-Length: abc"),
        header(b"Content-Length: -1"),
        header(b"Content-Length: 10, 20"),
        header(b"Content-Length: " + b"9" * 5000),
        header(b"Content-Encoding: gzip"),
        header(b"Content-Encoding: br, gzip, x"),
        header(b"Content-Type: text/html; charset=\xff"),
        header(b"Content-Type: text/html; charset=none", b"<a>"),
        header(b"Transfer-Encoding: chunked", b"zz\r\n"),
        header(b"Transfer-Encoding: chunked", b"f" * 5000 + b"\r\n"),
        header(b"X: " + b"x" * 100_000),
        header(b"\r\n".join(b"X-%d: y" % number for number in range(200))),
        header(JSON.strip(), b"[" * 100_000),
        header(JSON.strip(), b'{"files": {}}'),
        header(JSON.strip(), b"null"),
        header(JSON.strip(), b'{"meta": {"api-version": "9.9"}, "name": "x", "files": []}'),
        header(JSON.strip(), b'{"meta": 1, "name": [], "files": [1]}'),
        header(JSON.strip(), b"1" * 10_000),
        header(b"Content-Type: text/html", b"<a>" * 150_000),
        header(b"Content-Type: text/html", b"<!--" * 40_000),
        header(b"Content-Type: text/html", b"<a " * 40_000),
        header(b"Content-Type: text/html", b"<a b='" * 40_000),
        header(JSON.strip(), rb'{"meta": {"api-version": "1.0"}, "name": "x", "files": [{"filename": "x-1.0.tar.gz",'
               rb' "hashes": {}, "url": "http://127.0.0.1:1/\ud800"}]}'),
        header(b"Content-Type: text/html", b"<base href='http://['><a href='x-1.0.tar.gz'>x-1.0.tar.gz</a>"),
        lambda send: send(b"\xff" * 10_000),
        lambda send: send(b"HTTP/1.1 99999 \r\n\r\n"),
        lambda send: send(b"HTTP/9.9 200 OK\r\n\r\n"),
        lambda send: send(b""),
    ],
)  # fmt: skip
def test_an_answer_that_makes_no_sense_is_one_line(
    answer: Callable[[Send], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("auditor.fetch.pypi.client.PAUSES", ())
    monkeypatch.setenv(FETCH_SECONDS.variable, "5")
    with speaking(answer) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        with pytest.raises(SourceError) as caught:
            Pypi().open(Target("x", project="x"), "1.0", Access(None))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        yield registry


@pytest.mark.parametrize("extent", ["", "bytes", "bytes 0-0/*", "bytes 0-0/²", "bytes 0-0/" + "9" * 5000, "x 1-0/-5"])
def test_a_range_that_makes_no_sense_is_a_refusal_of_ranges(extent: str) -> None:
    def answer(send: Send) -> None:
        line = f"Content-Range: {extent}\r\n".encode()
        send(b"HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n" + line + b"Connection: close\r\n\r\nx")

    with speaking(answer) as address, pytest.raises(FetchError, match="does not give parts"):
        Client(Settings()).size(address)


def test_a_part_that_is_longer_than_asked_for_is_refused() -> None:
    def answer(send: Send) -> None:
        send(b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/100\r\nConnection: close\r\n\r\n" + bytes(999))

    with speaking(answer) as address, pytest.raises(FetchError, match="more than the 10 bytes that it said"):
        Client(Settings()).part(address, 0, 10, 100)


def test_a_file_that_is_longer_than_the_registry_says_is_refused() -> None:
    def answer(send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + bytes(99_999))

    with speaking(answer) as address, pytest.raises(FetchError, match="more than the 100 bytes that it said"):
        Client(Settings()).download(address, io.BytesIO(), 100, {}, lambda _: None)


@pytest.mark.parametrize("digests", [{"shake_128": "00"}, {"sha256": "é"}, {"x" * 1000: ""}])
def test_digests_of_other_kinds_are_passed_over_and_wrong_ones_refused(digests: dict[str, str]) -> None:
    def answer(send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nx")

    is_wrong = pytest.raises(FetchError, match="its sha256 is") if "sha256" in digests else nullcontext()
    with speaking(answer) as address, is_wrong:
        Client(Settings()).download(address, io.BytesIO(), None, digests, lambda _: None)


def test_versions_of_thousands_of_digits_are_no_versions(registry: Registry) -> None:
    registry.publish(f"engine_kv-1.{'9' * 5000}-py3-none-any.whl", b"")
    registry.publish("engine_kv-1.0-py3-none-any.whl", wheel({"engine_kv/x.py": b""}))
    target = Target("x", project="engine-kv")
    assert Pypi().open(target, "latest", Access(None)).revision.name == "1.0"
    with pytest.raises(SourceError, match="this is no version"):
        Pypi().open(target, "9" * 5000, Access(None))


def test_what_one_registry_says_of_a_file_is_not_believed_of_anothers() -> None:
    from auditor.fetch.pypi.index import Release
    from auditor.fetch.pypi.remote import Distribution

    blobs = Memory()
    with serving() as registry:
        registry.publish("engine_kv-1.0-py3-none-any.whl", wheel({"engine_kv/evil.py": b""}))
        url = f"{registry.address}/files/engine_kv-1.0-py3-none-any.whl"
        release = Release("1.0", "engine_kv-1.0-py3-none-any.whl", url, None, {"sha256": "0" * 64}, False)
        Distribution(release, blobs, Client(Settings()), lambda *_: None)
    with serving() as registry:
        registry.publish("engine_kv-1.0-py3-none-any.whl", wheel({"engine_kv/good.py": b""}))
        url = f"{registry.address}/files/engine_kv-1.0-py3-none-any.whl"
        other = Release("1.0", "engine_kv-1.0-py3-none-any.whl", url, None, {"sha256": "0" * 64}, False)
        found = Distribution(other, blobs, Client(Settings()), lambda *_: None)
        assert "engine_kv/good.py" in found.sizes


@pytest.mark.parametrize("address", ["http://user:pw@[", "http://user:pw@x:99999999/", "http://user:pw@127.0.0.1:1/"])
def test_credentials_in_an_address_are_never_printed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.fetch.pypi.client.PAUSES", ())
    monkeypatch.setenv("PIP_INDEX_URL", address)
    with pytest.raises(SourceError) as caught:
        Pypi().open(Target("x", project="x"), "1.0", Access(None))
    assert "user" not in str(caught.value)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize(
    "links",
    [
        b"<a href='/f/x-1.0.tar.gz'>x-1.0.tar.gz</a>",
        b"<base href='/f/'><A HREF=\"x-1.0.tar.gz#sha256=00\" data-requires-python='>=3.8'>\nx-1.0.tar.gz\n</A>",
        b"<p><b><a href='/f/x-1.0.tar.gz' data-yanked>x-1.0.tar.gz",
    ],
)
def test_the_links_of_a_page_are_all_that_is_read_of_it(links: bytes) -> None:
    client = Client(Settings())
    with speaking(header(b"Content-Type: text/html", b"<!DOCTYPE html><!-- <b> -->" + links)) as address:
        release = Index(address, "x", Memory(), client).find("1.0")
    client.session().close()
    assert release.url.partition("#")[0].endswith("/f/x-1.0.tar.gz")
