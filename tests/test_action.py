"""The action for other people's workflows: its form, and its steps as they run."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.folders import ROOT
from tests.support.packs import CLAIMS, CODE, HEAD, write

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SETTINGS: dict[str, dict[str, str]] = ACTION["inputs"]
BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
"""What a workflow runs a script of `shell: bash` with."""
FAILING = CLAIMS.replace("equals: 16", "equals: 32")


@pytest.mark.parametrize(
    ("file", "schema"),
    [
        ("action.yml", "vendor.github-actions"),
        ("docs/workflow.yml", "vendor.github-workflows"),
        ("docs/workflow-matrix.yml", "vendor.github-workflows"),
    ],
)
def test_it_has_the_form_that_github_asks_for(file: str, schema: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "check_jsonschema", "--builtin-schema", schema, str(ROOT / file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "ok -- validation done")


def step(name: str) -> dict[str, Any]:
    """A step by its name."""
    return next(one for one in STEPS if one.get("name") == name)


OF_THE_TEST = "kvaudit: settings of the environment, KVAUDIT_VERIFY_...: path\n"
"""What is said of how `Runner.audit` names the code, for which the action has no input."""


@dataclass(frozen=True)
class Done:
    """What a script left."""

    status: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: str


@dataclass(frozen=True)
class Runner:
    """A machine that runs scripts of the action in `work`, where there are a pack and its code."""

    folder: Path

    def run(self, name: str, env: Mapping[str, str]) -> Done:
        files = {key: self.folder / key.lower() for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        script = self.folder / "script.sh"
        script.write_text(step(name)["run"], encoding="utf-8")
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("KVAUDIT_", "GITHUB_"))},
            **{key: str(file) for key, file in files.items()},
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(self.folder),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "CI": "true",
            **env,
        }
        done = subprocess.run(
            [*BASH, str(script)], cwd=self.folder / "work", env=environment, capture_output=True, text=True, check=False
        )
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return Done(done.returncode, done.stdout, done.stderr, outputs, files["GITHUB_STEP_SUMMARY"].read_text("utf-8"))

    def audit(self, **given: str) -> Done:
        """The step that audits, with these inputs and the defaults of the others."""
        values = {name: given.get(name, SETTINGS[name].get("default", "")) for name in SETTINGS}
        env = {key: values[key.lower()] for key in step("Audit")["env"]}
        return self.run("Audit", {**env, "KVAUDIT_VERIFY_PATH": "engine=src", "KVAUDIT_ARTICLE_PATH": "engine=src"})

    def verdict(self, audited: Done, advisory: str = "false") -> Done:
        return self.run("Verdict", {"STATUS": audited.outputs.get("status", ""), "ADVISORY": advisory})


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    kvaudit = f'#!/bin/sh\nexec "{sys.executable}" -m auditor "$@"\n'
    write(tmp_path, {"bin/kvaudit": kvaudit, "temp/.keep": ""})
    (tmp_path / "bin" / "kvaudit").chmod(0o755)
    write(tmp_path / "work" / "demo", {"pack.yaml": HEAD, "engine.yaml": CLAIMS})
    write(tmp_path / "work" / "src", CODE)
    return Runner(tmp_path)


def test_claims_as_recorded_pass_and_every_report_is_there(runner: Runner) -> None:
    done = runner.audit(pack="demo", formats="json html junit text sarif")
    assert (done.status, done.err) == (0, OF_THE_TEST)
    assert "::notice title=kvaudit::2 claims, all as recorded" in done.out
    assert "engine" in done.summary
    reports = Path(done.outputs["reports"])
    assert done.outputs == {"status": "0", "reports": str(reports), "sarif": str(reports / "kvaudit.sarif")}
    names = {"stderr.txt", "summary.md", *(f"kvaudit.{suffix}" for suffix in ("sarif", "json", "html", "xml", "txt"))}
    assert {path.name for path in reports.iterdir()} == names
    assert runner.verdict(done).status == 0


def test_a_claim_that_fails_fails_the_last_step_and_no_earlier_one(runner: Runner) -> None:
    write(runner.folder / "work" / "demo", {"engine.yaml": FAILING})
    done = runner.audit(pack="demo")
    assert (done.status, done.outputs["status"]) == (0, "1")
    assert "::error file=demo/engine.yaml,line=2," in done.out
    assert "engine/size/sixteen" in done.summary
    assert (runner.verdict(done).status, runner.verdict(done, "true").status) == (1, 0)


@pytest.mark.parametrize("advisory", ["true", "false"])
def test_an_audit_that_could_not_run_fails_though_it_is_advisory(advisory: str, runner: Runner) -> None:
    done = runner.audit(pack="nowhere")
    assert (done.status, done.outputs["status"], "sarif" in done.outputs) == (0, "2", False)
    assert "::error title=kvaudit could not run::kvaudit: nowhere is no pack" in done.out
    assert done.summary.startswith("kvaudit could not run:\n\n")
    assert "\n    kvaudit: nowhere is no pack" in done.summary
    assert runner.verdict(done, advisory).status == 2


def test_a_step_that_was_skipped_is_no_pass(runner: Runner) -> None:
    assert runner.run("Verdict", {"STATUS": "", "ADVISORY": "true"}).status == 2


def test_texts_take_the_targets_and_the_baseline_too(runner: Runner) -> None:
    write(runner.folder / "work", {"notes.md": "See `engine/pool.py:999`.\n"})
    done = runner.audit(pack="demo", texts="notes.md", target="engine")
    assert (done.outputs["status"], "::error file=notes.md,line=1," in done.out) == ("1", True), done.err
    saved = Path(done.outputs["reports"]) / "kvaudit.json"
    saved.rename(runner.folder / "before.json")
    done = runner.audit(pack="demo", texts="notes.md", target="engine", baseline=str(runner.folder / "before.json"))
    assert (done.outputs["status"], "::error" in done.out) == ("0", False), done.err


def test_strict_and_a_baseline_are_passed_on(runner: Runner) -> None:
    write(runner.folder / "work" / "demo", {"engine.yaml": CLAIMS.replace("pool.py:2", "pool.py:1")})
    saved = runner.audit(pack="demo")
    baseline = Path(saved.outputs["reports"]) / "kvaudit.json"
    baseline = baseline.rename(runner.folder / "baseline.json")
    assert saved.outputs["status"] == "0"
    assert runner.audit(pack="demo", strict="true").outputs["status"] == "1"
    done = runner.audit(pack="demo", baseline=str(baseline))
    assert (done.outputs["status"], done.err) == ("0", OF_THE_TEST)


def test_several_values_are_several_options_and_none_is_a_command(runner: Runner) -> None:
    for value in ("--help", "--version", "$(touch hacked)", "; touch hacked", "`touch hacked`", "*"):
        done = runner.audit(pack=value, target=value, formats="json")
        assert (done.status, done.outputs["status"]) == (0, "2")
    assert not (runner.folder / "work" / "hacked").exists()
    done = runner.audit(pack="demo", target="engine pump")
    assert "--target pump: there is no such target; there are engine" in done.err


def test_no_script_has_an_input_written_into_it() -> None:
    assert [one["name"] for one in STEPS if "${{" in one.get("run", "")] == []


def test_every_input_is_used_and_explained_and_only_inputs_are() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert [name for name in SETTINGS if f"inputs.{name}" not in text] == []
    assert [name for name, one in SETTINGS.items() if not one["description"] or "default" not in one] == []


def test_code_scanning_may_be_missing_and_a_fork_is_not_asked() -> None:
    upload = step("Upload to code scanning")
    assert upload["continue-on-error"] is True
    assert "!github.event.pull_request.head.repo.fork" in upload["if"]
    assert STEPS[-1]["name"] == "Verdict"


def test_the_workflow_may_write_nothing_but_results_and_keeps_the_status() -> None:
    workflow = yaml.safe_load((ROOT / "docs" / "workflow.yml").read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read", "security-events": "write", "actions": "read"}
    steps = workflow["jobs"]["audit"]["steps"]
    piped = [one for one in steps if "|" in one.get("run", "")]
    assert [one["shell"] for one in piped] == ["bash"]
    [used] = [one for one in steps if one.get("uses", "").startswith("OWNER/")]
    assert set(used["with"]) <= set(SETTINGS)


@pytest.mark.online
def test_it_installs_from_its_own_folder(runner: Runner) -> None:
    done = runner.run("Install kvaudit", {})
    if done.status and "CI" not in os.environ:
        pytest.skip(done.err[-300:])
    assert (done.status, done.err) == (0, "")
    [folder] = (runner.folder / "github_path").read_text().split()
    kvaudit = Path(folder) / "kvaudit"
    found = subprocess.run([kvaudit, "claim", "lint"], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
