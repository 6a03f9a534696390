"""What is read of a person's files: up to a limit, and never for ever."""

import os
from pathlib import Path

import pytest

from auditor import files
from auditor.limits import INPUT_BYTES
from tests.support.command_line import CommandLine, kvaudit

__all__ = ["kvaudit"]

ENDLESS = "/dev/zero"


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(INPUT_BYTES.variable, "10000")


@pytest.mark.usefixtures("narrow")
@pytest.mark.skipif(not Path(ENDLESS).exists(), reason="no such device")
@pytest.mark.parametrize(
    "arguments",
    [
        ["report", ENDLESS],
        ["verify", "demo", "--path", "engine=src", "--baseline", ENDLESS],
        ["drift", ENDLESS, ENDLESS, "--pack", "demo"],
        ["site", "out", "demo", "--run", ENDLESS],
        ["article", ENDLESS],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_file_without_end_is_one_line(arguments: list[str], kvaudit: CommandLine) -> None:
    done = kvaudit(*arguments)
    assert (done.status, ENDLESS in done.err, len(done.err.splitlines())) == (2, True, 1), done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
@pytest.mark.parametrize("name", ["demo/engine.yaml", "demo/pack.yaml", "kvaudit.toml", "pyproject.toml"])
def test_a_pipe_where_a_file_is_due_is_not_waited_for(name: str, kvaudit: CommandLine) -> None:
    (kvaudit.folder / name).unlink(missing_ok=True)
    os.mkfifo(kvaudit.folder / name)
    done = kvaudit.verify()
    is_settings = name.endswith(".toml")  # which are looked for, and no settings are there
    assert done.status == (0 if is_settings else 2), done.err
    assert is_settings or name.rpartition("/")[2] in done.err


@pytest.mark.usefixtures("narrow")
def test_a_pipe_that_is_named_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"x")
    os.close(writing)
    assert files.read(Path(f"/dev/fd/{reading}"), is_named=True) == b"x"
    os.close(reading)
    (tmp_path / "large").write_bytes(bytes(10_001))
    with pytest.raises(OSError, match=INPUT_BYTES.variable):
        files.read(tmp_path / "large")
