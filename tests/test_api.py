"""The names that other programs rely on, and the example of the documentation."""

import re
from pathlib import Path

import pytest

from auditor import api
from tests.support.folders import ROOT
from tests.support.packs import CLAIMS, CODE, HEAD, write

NAMES = "AuditError Kind Outcome Pack Result Revision Run audit commit directory installed load_pack release report"
EXPECTED = tuple(NAMES.split())


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> api.Pack:
    write(tmp_path / "claims", {"pack.yaml": HEAD, "engine.yaml": CLAIMS})
    write(tmp_path / "engine", CODE)
    monkeypatch.chdir(tmp_path)
    return api.load_pack("claims")


def test_the_names_are_those_that_are_promised() -> None:
    assert sorted(api.__all__) == sorted(EXPECTED)
    told = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert [name for name in EXPECTED if name != "Revision" and not re.search(rf"\b{name}\b", told)] == []


def test_a_pack_is_audited_from_python(pack: api.Pack) -> None:
    run = api.audit(pack, "engine", api.directory("engine"))
    assert [(result.claim.id, result.kind) for result in run.results] == [
        ("engine/pool/class", api.Kind.PASS),
        ("engine/size/sixteen", api.Kind.PASS),
    ]
    assert "2 claims: 2 pass" in api.report(run, pack)
    assert api.report(run, pack, "json").startswith('{\n "schema": "kvaudit/1"')


@pytest.mark.usefixtures("pack")
def test_the_example_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/library.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, "library.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[-2:] == ["engine/size/sixteen pass Pool.size is 16", "0 claims fail"]


@pytest.mark.parametrize(
    ("target", "revision", "message"),
    [
        ("vllm", api.directory("engine"), "demo has no target vllm; there are engine"),
        ("engine", api.Revision("svn", "1"), "there is no source svn"),
        ("engine", api.directory("nowhere"), "nowhere: no such folder"),
    ],
)
def test_what_cannot_be_read_is_said(target: str, revision: api.Revision, message: str, pack: api.Pack) -> None:
    with pytest.raises(api.AuditError, match=re.escape(message)):
        api.audit(pack, target, revision)


def test_an_unknown_format_is_said(pack: api.Pack) -> None:
    with pytest.raises(api.AuditError, match="there is no format pdf"):
        api.report(api.audit(pack, "engine", api.directory("engine")), pack, "pdf")
