"""The audit of a target in a process of its own."""

from pathlib import Path

import pytest

from auditor.engine.opening import Spec
from auditor.engine.second_process import Job, started
from auditor.sources import Access
from tests.support.packs import CLAIMS, CODE, HEAD, TARGET, write


def job(folder: Path, claims: str = CLAIMS) -> Job:
    write(folder, {"demo/pack.yaml": HEAD, "demo/engine.yaml": claims})
    write(folder / "src", CODE)
    spec = Spec(TARGET, "directory", str(folder / "src"))
    return Job(folder / "demo", frozenset({"engine/size/sixteen"}), spec, Access(folder / "cache"))


def test_its_run_is_that_of_this_process(tmp_path: Path) -> None:
    own = job(tmp_path)
    with started(own) as wait:
        found = wait()
    assert found == own.run()
    assert found is not None
    assert [result.claim.id for result in found.results] == ["engine/size/sixteen"]


def test_what_goes_wrong_there_is_no_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with started(job(tmp_path, claims="claims: [")) as wait:
        assert wait() is None
    assert capfd.readouterr() == ("", "")


def test_it_ends_with_whoever_began_it(tmp_path: Path) -> None:
    import multiprocessing

    with pytest.raises(KeyError), started(job(tmp_path)):
        raise KeyError("x")
    assert multiprocessing.active_children() == []
