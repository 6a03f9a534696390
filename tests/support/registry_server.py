"""A package registry of one's own: wheels and sdists made in memory, behind HTTP on this machine."""

import hashlib
import io
import json
import os
import tarfile
import threading
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Files = Mapping[str, bytes]


def wheel(files: Files, record: Files | None = None, name: str = "engine_kv-1.0.dist-info") -> bytes:
    """A wheel of these files. `record` is what its RECORD lists, if something else."""
    rows = [
        f"{path},sha256={urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
        for path, data in (files if record is None else record).items()
    ]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
        archive.writestr(f"{name}/RECORD", "\n".join([*rows, f"{name}/RECORD,,"]))
    return content.getvalue()


def sdist(files: Files, top: str = "engine_kv-1.0") -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz", compresslevel=1) as archive:
        for path, data in files.items():
            info = tarfile.TarInfo(f"{top}/{path}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return content.getvalue()


@dataclass
class Published:
    """A file in the registry, and what the registry says of it."""

    data: bytes
    sha256: str
    size: int | None
    yanked: bool
    day: str = ""


@dataclass
class Registry:
    """What the server has, how it behaves, and what it was asked."""

    address: str = ""
    has_ranges: bool = True
    speaks_json: bool = True
    failures: list[int] = field(default_factory=list)
    """Statuses of the next answers; 0 closes the connection halfway through."""
    asked: list[str] = field(default_factory=list)
    files: dict[str, Published] = field(default_factory=dict)

    @property
    def index(self) -> str:
        return f"{self.address}/simple/"

    @property
    def environment(self) -> dict[str, str]:
        """What makes pip, and so us, ask this registry and no other."""
        return {"PIP_INDEX_URL": self.index, "PIP_CONFIG_FILE": os.devnull, "NO_PROXY": "127.0.0.1"}

    def publish(
        self, name: str, data: bytes, *, sha256: str = "", has_size: bool = True, yanked: bool = False, day: str = ""
    ) -> None:
        actual = hashlib.sha256(data).hexdigest()
        self.files[name] = Published(data, sha256 or actual, len(data) if has_size else None, yanked, day)

    def page(self) -> tuple[str, bytes]:
        """The project's page; every file is of the one project there is."""
        if self.speaks_json:
            files = [
                {
                    "filename": name,
                    "url": f"../../files/{name}",
                    "hashes": {"sha256": file.sha256},
                    "yanked": file.yanked,
                }
                | ({"size": file.size} if file.size is not None else {})
                | ({"upload-time": f"{file.day}T12:00:00.000000Z"} if file.day else {})
                for name, file in self.files.items()
            ]
            page = {"meta": {"api-version": "1.1"}, "name": "engine-kv", "versions": [], "files": files}
            return "application/vnd.pypi.simple.v1+json", json.dumps(page).encode()
        links = [
            f'<a href="../../files/{name}#sha256={file.sha256}"{" data-yanked" if file.yanked else ""}>{name}</a>'
            for name, file in self.files.items()
        ]
        return "text/html", "\n".join(["<!DOCTYPE html><html><body>", *links, "</body></html>"]).encode()


@contextmanager
def serving() -> Iterator[Registry]:
    registry = Registry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name http.server asks for
            registry.asked.append(self.path)
            failure = registry.failures.pop(0) if registry.failures else None
            if failure:
                self.send_error(failure)
            elif self.path == "/simple/engine-kv/":
                self._answer(200, *registry.page(), cut=failure == 0)
            elif (file := registry.files.get(self.path.removeprefix("/files/"))) is None:
                self.send_error(404)
            elif registry.has_ranges and "Range" in self.headers:
                self._part(file.data, self.headers["Range"], cut=failure == 0)
            else:
                self._answer(200, "application/octet-stream", file.data, cut=failure == 0)

        def _part(self, data: bytes, wanted: str, *, cut: bool) -> None:
            start, end = map(int, wanted.removeprefix("bytes=").split("-"))
            if start >= len(data):
                self.send_error(416)
                return
            end = min(end, len(data) - 1)
            extent = f"bytes {start}-{end}/{len(data)}"
            self._answer(206, "application/octet-stream", data[start : end + 1], extent, cut=cut)

        def _answer(self, status: int, kind: str, body: bytes, extent: str = "", *, cut: bool) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if extent:
                self.send_header("Content-Range", extent)
            self.end_headers()
            with suppress(ConnectionError):  # a client that asked for a part hangs up on a whole file
                self.wfile.write(body[: len(body) // 2] if cut else body)

        def log_message(self, *_: object) -> None:
            """Quietly."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    registry.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
