"""Two targets of which nothing is kept are audited in two processes, and nobody can tell but by the time it takes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT

__all__ = ["kvaudit"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one process does it all")


def done(script: str, folder: Path) -> str:
    """What a program of its own prints; it has a minute."""
    command = [sys.executable, "-W", "error", "-c", f"from auditor.cli import second_process\n{script}"]
    run = subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60, check=False
    )
    return run.stdout + run.stderr


def test_work_is_done_beside_and_waited_for(tmp_path: Path) -> None:
    script = """
from pathlib import Path
with second_process.started(lambda: Path("made").write_text("there")) as wait:
    wait()
    print(Path("made").read_text())
"""
    assert done(script, tmp_path) == "there\n"


def test_what_the_work_raises_or_prints_late_is_lost(tmp_path: Path) -> None:
    script = """
def work():
    print("unflushed")
    raise KeyError("x")
with second_process.started(work) as wait:
    wait()
print("went on")
"""
    assert done(script, tmp_path) == "went on\n"


def test_work_that_is_not_waited_for_is_ended(tmp_path: Path) -> None:
    script = """
import time
try:
    with second_process.started(lambda: time.sleep(600)):
        raise KeyError("x")
except KeyError:
    print("over")
"""
    assert done(script, tmp_path) == "over\n"


def test_a_process_with_threads_is_not_copied(tmp_path: Path) -> None:
    script = """
import threading
print(second_process.is_possible())
threading.Timer(0.1, print, ("later",)).start()
print(second_process.is_possible())
"""
    assert done(script, tmp_path) == "True\nFalse\nlater\n"


def test_two_targets_are_audited_to_the_same_report(kvaudit: CommandLine) -> None:
    targets = "".join(f'  {name}: {{repository: "https://example.org/{name}"}}\n' for name in ("one", "other"))
    head = f"id: two\ntitle: {{en: two, zh: 二}}\ntargets:\n{targets}"
    claims = {
        name: "claims:\n"
        + "".join(
            f"- id: {name}/a/c{number}\n  statement: {{en: a, zh: b}}\n  at: {name}/m.py::C{number}\n  check: symbol\n"
            for number in range(30)
        )
        for name in ("one", "other")
    }
    for name, text in {"pack.yaml": head, **{f"{name}.yaml": text for name, text in claims.items()}}.items():
        (kvaudit.folder / "two").mkdir(exist_ok=True)
        (kvaudit.folder / "two" / name).write_text(text, encoding="utf-8")
    for name in ("one", "other"):
        (kvaudit.folder / "src" / name).mkdir(parents=True)
        (kvaudit.folder / "src" / name / "m.py").write_text("".join(f"class C{n}: ...\n" for n in range(0, 30, 2)))
    options = ["verify", "two", "--path", "one=src", "--path", "other=src", "-f", "json"]
    reports = []
    for more in (
        ["--cache-dir", "cache"],
        ["--cache-dir", "cache"],
        ["--cache-dir", "cold", "-j", "1"],
        ["--no-cache"],
    ):
        process = kvaudit.apart(*options, *more)
        out, err = process.communicate()
        reports.append((process.returncode, out, err))
    assert (reports[0][0], reports[0][2][:60]) == (1, b"kvaudit: 30 claims not as recorded: one/a/c1 (fail), one/a/c")
    assert len(set(reports)) == 1
