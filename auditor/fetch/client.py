"""HTTP as the sources need it: whole answers or an error, a few tries, and a count of what it cost."""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from auditor import __version__
from auditor.fetch import FetchError, MissingError, UnreachableError
from auditor.fetch.settings import Settings

if TYPE_CHECKING:
    import requests

T = TypeVar("T")

PARALLEL = 4
"""Requests at a time: as many as a browser allows itself."""
TIMEOUT = (10.0, 30.0)
"""Seconds to connect, and between two packets."""
PAUSES = (0.2, 0.8)
"""Seconds before each further try."""


class RangesRefusedError(FetchError):
    """The registry gives a file whole or not at all."""


class _TransientError(Exception):
    """Something that may well be different the next time."""


class Client:
    """A session with the registry. May be used by several threads."""

    def __init__(self, settings: Settings) -> None:
        self.requests = 0
        self.received = 0
        """Bytes of all bodies, as they travelled."""
        self._settings = settings
        self._lock = threading.Lock()
        self._session: requests.Session | None = None

    def page(self, url: str, accept: str) -> "requests.Response":
        """A whole answer, read. Raises FetchError."""
        return self._try(lambda: self._answer(url, {"Accept": accept}))

    def size(self, url: str) -> int:
        """Bytes of a file. Raises RangesRefusedError, FetchError."""
        return self._try(lambda: self._part(url, 0, 1, None))[1]

    def part(self, url: str, start: int, end: int, size: int) -> bytes:
        """Bytes `start` to before `end` of a file of `size` bytes. Raises RangesRefusedError, FetchError."""
        return self._try(lambda: self._part(url, start, end, size))[0]

    def download(self, url: str, file: IO[bytes], digests: Mapping[str, str], told: Callable[[int], None]) -> None:
        """A whole file, which has the digests the registry gives. Raises FetchError."""
        self._try(lambda: self._download(url, file, digests, told))

    def _download(self, url: str, file: IO[bytes], digests: Mapping[str, str], told: Callable[[int], None]) -> None:
        checks = {name: hashlib.new(name) for name in digests if name in hashlib.algorithms_guaranteed}
        file.seek(0)
        file.truncate()
        with self._request(url, {"Accept-Encoding": "identity"}) as answer:
            for chunk in answer.iter_content(1024 * 1024):
                file.write(chunk)
                for check in checks.values():
                    check.update(chunk)
                self._count(received=len(chunk))
                told(file.tell())
        for name, check in checks.items():
            if (actual := check.hexdigest()) != digests[name].lower():
                raise FetchError(f"its {name} is {actual} and not {digests[name]}, as the registry says")

    def _part(self, url: str, start: int, end: int, expected: int | None) -> tuple[bytes, int]:
        headers = {"Range": f"bytes={start}-{end - 1}", "Accept-Encoding": "identity"}
        with self._request(url, headers) as answer:
            extent, _, size = answer.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
            if answer.status_code != 206 or not size.isdigit():
                raise RangesRefusedError("the registry does not give parts of files")
            if expected not in (None, int(size)):
                raise FetchError(f"the file has {size} bytes and not {expected}: it is damaged, or was replaced")
            data = answer.content
        self._count(received=len(data))
        if extent != f"{start}-{end - 1}" or len(data) != end - start:
            raise FetchError(f"the registry gave bytes {extent} instead of {start}-{end - 1}")
        return data, int(size)

    def _answer(self, url: str, headers: dict[str, str]) -> "requests.Response":
        with self._request(url, headers) as answer:
            self._count(received=int(answer.headers.get("Content-Length") or len(answer.content)))
            answer.content  # noqa: B018 # reads it, so that it counts as one try
            return answer

    @contextmanager
    def _request(self, url: str, headers: dict[str, str]) -> Iterator["requests.Response"]:
        self._count(requests=1)
        # `verify` is given with each request, because REQUESTS_CA_BUNDLE would win over the session's.
        verify = self._settings.certificates
        with self.session().get(url, headers=headers, stream=True, timeout=TIMEOUT, verify=verify) as answer:
            if answer.status_code in (404, 410):
                raise MissingError("the registry does not have it")
            if answer.status_code == 416:
                raise FetchError("the file is shorter than the registry says: it is damaged, or was replaced")
            if answer.status_code >= 500 or answer.status_code in (408, 429):
                raise _TransientError(f"it answers {answer.status_code}")
            if answer.status_code >= 400:
                raise FetchError(f"the registry answers {answer.status_code}")
            yield answer

    def _try(self, once: Callable[[], T]) -> T:
        import requests

        for pause in (*PAUSES, None):
            try:
                return once()
            except (requests.RequestException, _TransientError) as error:
                if pause is None:
                    raise UnreachableError(f"the registry cannot be reached ({_reason(error)})") from error
                time.sleep(pause)
            except OSError as error:  # what requests says of certificates that are not there
                raise FetchError(f"the registry cannot be asked ({error})") from error
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
    return " ".join(words.split())
