"""What strangers write, mutated: every claim has its result, no claim costs another, and errors are of a known kind.

A short run of this is part of the tests. `KVAUDIT_FUZZ=5000 pytest tests/fuzz` tries as many of each, at random.
"""

import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor import ledger
from auditor.article.audit import audit_text, read_text
from auditor.article.trees import Tree as ArticleTree
from auditor.cache import Memory
from auditor.code.project.codebase import Codebase
from auditor.engine import audit
from auditor.errors import AuditError, ClaimError
from auditor.fetch import FetchError
from auditor.fetch.pypi.archive import RemoteWheel, unpack
from auditor.fetch.pypi.index import Index
from auditor.fetch.pypi.ranges import RangeFile
from auditor.fetch.pypi.settings import Settings
from auditor.formats.json import Json
from auditor.formats.json import read as read_run
from auditor.model import Run
from tests.support import mutations
from tests.support.check_cases import FOLDER, Case, cases
from tests.support.logs import ordinary
from tests.support.packs import CLAIMS, HEAD, TARGET, Files, Tree, claim, entries, write
from tests.support.registry_server import Registry, sdist, wheel
from tests.support.snapshots import MODULE

if TYPE_CHECKING:
    from auditor.fetch.pypi.client import Client

EXAMPLES = int(os.environ.get("KVAUDIT_FUZZ", "0"))
T = TypeVar("T")
Test = Callable[..., None]


def fuzzed(strategy: "st.SearchStrategy[T]", examples: int = 40) -> Callable[[Test], Test]:
    """Try a test on examples: always the same few, or as many at random as the environment says."""

    def decorate(test: Test) -> Test:
        how = settings(
            max_examples=EXAMPLES or examples, derandomize=not EXAMPLES, database=None, deadline=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        return how(given(strategy)(test))

    return decorate


@contextmanager
def one_line(expected: type[Exception]) -> Iterator[None]:
    """Nothing goes wrong, or what is expected, in one line."""
    try:
        yield
    except expected as reason:
        is_one = "\n" not in str(reason) or isinstance(reason, ClaimError)
        if not is_one:
            raise AssertionError(str(reason)) from reason


CASES = tuple(case for path in sorted(FOLDER.glob("*.md")) for case in cases(path) if len(case.files) == 1)
GOOD = claim("at: good.py::X\ncheck: default-value\nequals: 16", "engine/z/good")


def audited(folder: Any, written: str, code: str) -> Run:
    """The run of a claim on a text, beside a claim that holds; of one that does not load, of that alone."""
    tree = Tree(
        {**dict.fromkeys((MODULE, "engine/a.py"), code.encode("utf-8", "surrogatepass")), "good.py": "X = 16\n"}
    )
    try:
        claims = entries(folder, claim(written.replace("\ud800", "\ufffd")), GOOD)
    except AuditError:
        claims = entries(folder, GOOD)
    run = audit(TARGET, claims, tree)
    assert len(run.results) == len(claims)
    assert run.results[-1].kind == "pass"
    assert [note.message for note in run.notifications if note.is_bug] == []
    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return tmp_path_factory.mktemp("fuzz")


@fuzzed(st.data(), 120)
def test_source(folder: Any, drawn: st.DataObject) -> None:
    case = drawn.draw(st.sampled_from(CASES))
    audited(folder, stated(case), drawn.draw(mutations.texts(tuple(case.files.values()))))


@fuzzed(st.data(), 120)
def test_claims_and_patterns(folder: Any, drawn: st.DataObject) -> None:
    case = drawn.draw(st.sampled_from(CASES))
    audited(folder, drawn.draw(mutations.texts((stated(case),))), next(iter(case.files.values())))


def stated(case: Case) -> str:
    """The check of a case, whose places name their file."""
    rule = "" if re.search("^check:", case.written, re.MULTILINE) else f"check: {case.rule}\n"
    place = re.compile(r"(?<![\w-])at: ([\w.]+)$", re.MULTILINE)
    return rule + place.sub(lambda found: f"at: {next(iter(case.files))}::{found[1]}", case.written)


@fuzzed(mutations.texts((HEAD, CLAIMS)))
def test_files_of_a_pack(folder: Any, text: str) -> None:
    from auditor.claims import load

    data = text.encode("utf-8", "surrogatepass")
    pairs: list[Files] = [{"pack.yaml": data, "engine.yaml": CLAIMS}, {"pack.yaml": HEAD, "engine.yaml": data}]
    for files in pairs:
        with one_line(AuditError):
            load(write(folder / "pack", files))


MEMBERS = {"engine_kv/__init__.py": b"", "engine_kv/pool.py": b"size = 16\n" * 20, "engine_kv/sub/x.py": b"x"}
WHEELS, SDISTS = (wheel(MEMBERS),), (sdist(MEMBERS),)


@fuzzed(mutations.data(WHEELS), 80)
def test_wheels(data: bytes) -> None:
    kept: dict[str, bytes] = {}
    with one_line(FetchError):
        unpack(io.BytesIO(data), "x.whl", kept.__setitem__)
    with one_line(FetchError):
        remote = RemoteWheel(RangeFile(len(data), lambda start, end: data[start:end]))
        for name, content in remote.read(set(MEMBERS), lambda *_: None):
            assert MEMBERS[name] == content


@fuzzed(mutations.data(SDISTS), 80)
def test_sdists(data: bytes) -> None:
    import gzip

    for one in (data, gzip.compress(data), gzip.compress(gzip.decompress(SDISTS[0])[: len(data)] + data)):
        with one_line(FetchError):
            unpack(io.BytesIO(one), "x.tar.gz", lambda *_: None)


def page(*, speaks_json: bool) -> str:
    registry = Registry(speaks_json=speaks_json)
    registry.publish("engine_kv-1.0-py3-none-any.whl", WHEELS[0])
    registry.publish("engine_kv-0.9.tar.gz", SDISTS[0], yanked=True)
    return registry.page()[1].decode()


@pytest.mark.parametrize("speaks_json", [True, False], ids=["json", "html"])
def test_index_pages(speaks_json: bool) -> None:
    kind = "application/vnd.pypi.simple.v1+json" if speaks_json else "text/html"

    @fuzzed(mutations.texts((page(speaks_json=speaks_json),)), 60)
    def run(text: str) -> None:
        import requests

        answer = requests.Response()
        answer.status_code, answer._content, answer.url = 200, text.encode("utf-8", "surrogatepass"), "http://x/"
        answer.headers["Content-Type"] = kind
        client = cast("Client", SimpleNamespace(page=lambda *_: answer))
        with one_line(FetchError):
            Index("http://x/", "engine-kv", Memory(), client).find("latest")

    run()
    assert Settings().index is None


RUN = Json().render(ordinary)


@fuzzed(mutations.texts((RUN,)), 60)
def test_saved_runs(text: str) -> None:
    with one_line(AuditError):
        read_run(text)


@fuzzed(st.data(), 60)
def test_records(folder: Any, drawn: st.DataObject) -> None:
    from tests.support.folders import ROOT

    path = next((ROOT / "reports").glob("*/*/*.json"))
    text = path.read_text("utf-8")[-8_000:]
    record = folder / "reports" / path.relative_to(ROOT / "reports")
    write(
        record.parent,
        {record.name: drawn.draw(mutations.texts((text, '{"claims": [' + text))).encode("utf-8", "surrogatepass")},
    )
    with one_line(AuditError):
        ledger.read(record)


ARTICLE = """\
# KV

The pool is `engine/pool.py:1-2`, see [code](https://example.org/engine/blob/main/engine/pool.py#L1-L2) and pool.py:2.

| what | where |
|---|---|
| size | `Pool.size`, engine/pool.py L2 |

```python
# engine/pool.py:1
class Pool:
    size = 16
```

<p>engine/pool.py:1</p> 见 `engine/pool.py` 第 1-2 行。
"""


@fuzzed(mutations.texts((ARTICLE,)), 60)
def test_articles(text: str) -> None:
    snapshot = Tree({"engine/__init__.py": "", "engine/pool.py": "class Pool:\n    size = 16\n"})
    trees = [ArticleTree(TARGET, snapshot, Codebase(snapshot, TARGET))]
    for name in ("a.md", "a.html", "a.txt", "a.ipynb", "a.rst"):
        with one_line(AuditError):
            audit_text(read_text(name, text.encode("utf-8", "surrogatepass")), trees, {})
