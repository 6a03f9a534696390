"""HTTP as the sources need it: whole answers or an error, a few tries, and a count of what it cost."""

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, TypeVar
from urllib.parse import urljoin, urlsplit

from auditor import __version__
from auditor.fetch import FetchError, MissingError, UnreachableError
from auditor.fetch.pypi.deadline import Clock, within
from auditor.fetch.pypi.settings import Settings
from auditor.limits import DOWNLOAD_BYTES, PAGE_BYTES, Limit

if TYPE_CHECKING:
    import requests

T = TypeVar("T")

PARALLEL = 4
"""Requests at a time: as many as a browser allows itself."""
TIMEOUT = (10.0, 15.0)
"""Seconds to connect, and between two packets."""
PAUSES = (0.2, 0.8)
"""Seconds before each further try."""
_CHUNK = 64 * 1024
_HOPS = 10  # redirections
_EXTENT = re.compile(r"bytes ([0-9]{1,15})-([0-9]{1,15})/([0-9]{1,15})", re.ASCII)
_DIGESTS = ("sha256", "sha384", "sha512")


class RangesRefusedError(FetchError):
    """The registry gives a file whole or not at all."""


class _TransientError(Exception):
    """Something that may well be different the next time."""


class Client:
    """A session with the registry. May be used by several threads.

    Every fetch, with its further tries, has one deadline, and every answer a limit of bytes.
    """

    def __init__(self, settings: Settings) -> None:
        self.requests = 0
        self.received = 0
        """Bytes of all bodies, as they travelled."""
        self._settings = settings
        self._lock = threading.Lock()
        self._session: requests.Session | None = None

    def page(self, url: str, accept: str) -> "requests.Response":
        """A whole answer, read. Raises FetchError."""
        return self._try(lambda clock: self._answer(url, {"Accept": accept}, clock))

    def size(self, url: str) -> int:
        """Bytes of a file. Raises RangesRefusedError, FetchError."""
        return self._try(lambda clock: self._part(url, 0, 1, None, clock))[1]

    def part(self, url: str, start: int, end: int, size: int) -> bytes:
        """Bytes `start` to before `end` of a file of `size` bytes. Raises RangesRefusedError, FetchError."""
        return self._try(lambda clock: self._part(url, start, end, size, clock))[0]

    def download(
        self,
        url: str,
        file: IO[bytes],
        size: int | None,
        digests: Mapping[str, str],
        told: Callable[[int], None],
    ) -> None:
        """A whole file, which has the size and the digests that the registry gives. Raises FetchError."""
        self._try(lambda clock: self._download(url, file, size, digests, told, clock))

    def _download(
        self,
        url: str,
        file: IO[bytes],
        size: int | None,
        digests: Mapping[str, str],
        told: Callable[[int], None],
        clock: Clock,
    ) -> None:
        checks = {name: hashlib.new(name) for name in digests if name in _DIGESTS}
        file.seek(0)
        file.truncate()
        with self._request(url, {"Accept-Encoding": "identity"}, clock) as answer:
            for chunk in self._body(answer, clock, DOWNLOAD_BYTES, size):
                file.write(chunk)
                for check in checks.values():
                    check.update(chunk)
                told(file.tell())
        for name, check in checks.items():
            if (actual := check.hexdigest()) != digests[name].lower():
                raise FetchError(f"its {name} is {actual} and not {digests[name]}, as the registry says")

    def _part(self, url: str, start: int, end: int, expected: int | None, clock: Clock) -> tuple[bytes, int]:
        headers = {"Range": f"bytes={start}-{end - 1}", "Accept-Encoding": "identity"}
        with self._request(url, headers, clock) as answer:
            extent = _EXTENT.fullmatch(answer.headers.get("Content-Range", ""))
            if answer.status_code != 206 or extent is None:
                raise RangesRefusedError("the registry does not give parts of files")
            first, last, size = map(int, extent.groups())
            if expected not in (None, size):
                raise FetchError(f"the file has {size} bytes and not {expected}: it is damaged, or was replaced")
            if (first, last) != (start, end - 1):
                raise FetchError(f"the registry gave bytes {first}-{last} instead of {start}-{end - 1}")
            data = b"".join(self._body(answer, clock, DOWNLOAD_BYTES, end - start))
        if len(data) != end - start:
            raise _TransientError(f"it gave {len(data)} bytes instead of {end - start}")
        return data, size

    def _answer(self, url: str, headers: dict[str, str], clock: Clock) -> "requests.Response":
        with self._request(url, headers, clock) as answer:
            answer._content = b"".join(self._body(answer, clock, PAGE_BYTES, None))
            return answer

    def _body(self, answer: "requests.Response", clock: Clock, limit: Limit, size: int | None) -> Iterator[bytes]:
        """What an answer holds, unpacked, as it comes. Raises FetchError when it is longer than `size` or the limit."""
        most, total = limit.value, 0
        before = 0
        while chunk := answer.raw.read1(_CHUNK, decode_content=True):
            travelled = answer.raw.tell()
            clock.received += travelled - before
            self._count(received=travelled - before)
            before = travelled
            clock.check()
            total += len(chunk)
            if total > most:
                raise FetchError(f"the registry's answer has {limit.exceeded()}")
            if size is not None and total > size:
                raise FetchError(f"the registry's answer has more than the {size:,} bytes that it said")
            yield chunk

    @contextmanager
    def _request(self, url: str, headers: dict[str, str], clock: Clock) -> Iterator["requests.Response"]:
        # Redirections are followed here because requests would read the whole body of each, however long.
        for _ in range(_HOPS):
            clock.check()
            self._count(requests=1)
            # `verify` is given with each request, because REQUESTS_CA_BUNDLE would win over the session's.
            verify = self._settings.certificates
            with self.session().get(
                url, headers=headers, stream=True, timeout=TIMEOUT, verify=verify, allow_redirects=False
            ) as answer:
                if answer.is_redirect:
                    url = urljoin(url, answer.headers["Location"])
                    continue
                _check_status(answer.status_code)
                yield answer
                return
        raise FetchError(f"the registry redirects more than {_HOPS} times")

    def _try(self, once: Callable[[Clock], T]) -> T:
        return within(lambda clock: self._tried(once, clock))

    def _tried(self, once: Callable[[Clock], T], clock: Clock) -> T:
        import requests
        from urllib3.exceptions import HTTPError

        for pause in (*PAUSES, None):
            try:
                return once(clock)
            except (requests.RequestException, HTTPError, _TransientError) as error:
                if pause is None:
                    raise UnreachableError(f"the registry cannot be reached ({_reason(error)})") from error
                time.sleep(pause)
            except OSError as error:  # what requests says of certificates that are not there
                raise FetchError(f"the registry cannot be asked ({error})") from error
            except ValueError as error:  # of an address, or of a header
                raise FetchError(f"the registry's answer makes no sense ({_reason(error)})") from error
        raise AssertionError("the last try returns or raises")

    def session(self) -> "requests.Session":
        import requests

        with self._lock:
            if self._session is None:
                self._session = requests.Session()
                self._session.headers["User-Agent"] = f"kvaudit/{__version__}"
                self._session.auth = self._authorize
            return self._session

    def _authorize(self, request: "requests.PreparedRequest") -> "requests.PreparedRequest":
        """Give the index its credentials, and no other host."""
        if self._settings.credentials and _host(request.url) == _host(self._settings.index):
            from requests.auth import HTTPBasicAuth

            HTTPBasicAuth(*self._settings.credentials)(request)
        return request

    def _count(self, *, requests: int = 0, received: int = 0) -> None:
        with self._lock:
            self.requests += requests
            self.received += received


def _check_status(status: int) -> None:
    """Raises FetchError, _TransientError."""
    if status in (404, 410):
        raise MissingError("the registry does not have it")
    if status == 416:
        raise FetchError("the file is shorter than the registry says: it is damaged, or was replaced")
    if status >= 500 or status in (408, 429):
        raise _TransientError(f"it answers {status}")
    if status >= 400:
        raise FetchError(f"the registry answers {status}")


def _host(url: str | None) -> tuple[str | None, str | None, int | None]:
    parts = urlsplit(url or "")
    return parts.scheme, parts.hostname, parts.port


def _reason(error: BaseException) -> str:
    """The words of the innermost error: what wraps it repeats the address several times."""
    words = ""
    innermost: BaseException | None = error
    while innermost is not None:
        words = getattr(innermost, "strerror", None) or str(innermost) or words
        innermost = innermost.__cause__ or innermost.__context__
    return " ".join(words.split())[:200]
