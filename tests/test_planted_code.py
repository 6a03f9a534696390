"""Code planted wherever it could run: nothing of it does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT
from tests.support.git_repositories import ALONE, Repository
from tests.support.packs import CLAIMS, HEAD, write
from tests.support.registry_server import sdist, serving, wheel

__all__ = ["kvaudit"]

NAMES = [
    "setup.py",
    "conftest.py",
    "sitecustomize.py",
    "usercustomize.py",
    "evil.pth",
    "engine/__main__.py",
    "engine/conftest.py",
    "libcst.py",
    "libcst/__init__.py",
    "git.py",
    "yaml.py",
    "click.py",
    "ast.py",
    "json.py",
    "signal.py",
    "pickle.py",
    "multiprocessing/__init__.py",
    "tempfile.py",
    "resource.py",
    "warnings.py",
    "auditor/__init__.py",
    "auditor/sources/evil.py",
    "encodings/__init__.py",
    "noxfile.py",
    "tox.ini",
    "Makefile",
    "kvaudit.py",
    "requests.py",
    "sympy.py",
    "pygments/__init__.py",
]
CODE = "class Pool:\n    size = 16\n"


def loud(marker: Path) -> str:
    return f"open({str(marker)!r}, 'w').close()\n"


@pytest.fixture
def tree(kvaudit: CommandLine) -> Path:
    """A checkout, in which the audit is started, with code in every place that something looks at."""
    run = loud(kvaudit.folder / "ran")
    files = dict.fromkeys(NAMES, run)
    code = {"engine/__init__.py": run, "engine/pool.py": CODE + run, "engine/new.py": f"y = t'a'\n{run}"}
    return write(kvaudit.folder / "src", {**files, **code})


PACK = (
    CLAIMS
    + """\
- id: engine/new/nothing
  statement: {en: There is no swap., zh: 没有 swap。}
  check: absence
  scope: engine
  word: swap_in
"""
)


def started(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """kvaudit as a shell starts it: by its script, which puts no folder of a stranger on the path."""
    script = (
        f"import sys\nsys.path[0] = {str(ROOT)!r}\n"
        "from auditor.__main__ import main\nif __name__ == '__main__':\n    main()\n"
    )
    write(folder.parent, {"bin/kvaudit": script})
    return subprocess.run(
        [sys.executable, "../bin/kvaudit", *arguments],
        cwd=folder,
        env={**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, **ALONE},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip


def test_a_tree_in_which_the_audit_is_started_runs_nothing(kvaudit: CommandLine, tree: Path) -> None:
    kvaudit.pack(PACK)
    done = started(tree, "verify", "../demo", "--path", "engine=.", "-f", "html", "-o", "../r.html")
    assert (done.returncode, (kvaudit.folder / "ran").exists()) == (0, False), done.stderr


def test_two_targets_in_two_processes_run_nothing(kvaudit: CommandLine, tree: Path) -> None:
    claims = "claims:\n" + "".join(
        f"- id: NAME/size/c{number}\n  statement: {{en: 'Size {number}.', zh: 大小。}}\n"
        "  at: NAME/pool.py::Pool.size\n  check: default-value\n  equals: 16\n"
        for number in range(30)
    )
    head = HEAD + '  other: {repository: "https://example.org/other"}\n'
    files = {
        "pack.yaml": head,
        "engine.yaml": claims.replace("NAME", "engine"),
        "other.yaml": claims.replace("NAME", "other"),
    }
    write(kvaudit.folder / "demo", files)
    write(tree, {"other/__init__.py": "", "other/pool.py": CODE})
    done = started(tree, "verify", "../demo", "--path", "engine=.", "--path", "other=.")
    assert (done.returncode, (kvaudit.folder / "ran").exists()) == (0, False), done.stderr


HOOKS = [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-auto-gc",
    "fsmonitor-watchman",
    "pre-receive",
    "update",
    "post-receive",
    "post-update",
    "post-merge",
    "pre-commit",
    "proc-receive",
]
SETTINGS = """
[core]
    fsmonitor = RUN
    sshCommand = RUN
    pager = RUN
    editor = RUN
    askPass = RUN
    gitProxy = RUN
    alternateRefsCommand = RUN
[diff]
    external = RUN
[diff "evil"]
    command = RUN
    textconv = RUN
[filter "evil"]
    clean = RUN
    smudge = RUN
    process = RUN
    required = true
[merge "evil"]
    driver = RUN
[credential]
    helper = !RUN
[gpg]
    program = RUN
[log]
    showSignature = true
[pager]
    log = RUN
    cat-file = RUN
    ls-tree = RUN
[alias]
    ls-tree = !RUN
    cat-file = !RUN
    rev-parse = !RUN
[uploadpack]
    packObjectsHook = RUN
[gc]
    auto = 1
"""


def test_a_repository_runs_nothing(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = kvaudit.folder / "ran"
    shell = f"touch {marker}"
    made = Repository(kvaudit.folder / "origin")
    modules = b'[submodule "x"]\n path = x\n url = ext::sh -c touch% ran\n update = !touch ran\n'
    attributes = b"* filter=evil diff=evil merge=evil text eol=crlf\n"
    code = {"engine/__init__.py": b"", "engine/pool.py": CODE.encode()}
    made.commit({**code, ".gitattributes": attributes, ".gitmodules": modules})
    for hook in HOOKS:
        (path := made.folder / ".git/hooks" / hook).parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{shell}\n")
        path.chmod(0o755)
    with (made.folder / ".git/config").open("a") as config:
        config.write(SETTINGS.replace("RUN", shell))
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    for spec in ("HEAD", "main~0"):
        kvaudit("verify", "demo", "--repo", f"engine={made.folder}", "--commit", f"engine={spec}")
        kvaudit("drift", "--repo", f"engine={made.folder}", "git:HEAD", "git:HEAD", "--pack", "demo")
    assert not marker.exists()
    assert kvaudit("verify", "demo", "--repo", f"engine={made.folder}", "--commit", "engine=HEAD").status == 0


def test_wheels_and_sdists_run_nothing(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    run = loud(kvaudit.folder / "ran").encode()
    kvaudit.pack(head=HEAD.replace("{repository:", "{project: engine-kv, packages: [engine], repository:"))
    members = {**dict.fromkeys(NAMES, run), "engine/__init__.py": run, "engine/pool.py": CODE.encode() + run}
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        registry.publish("engine_kv-1.0-py3-none-any.whl", wheel(members))
        registry.publish("engine_kv-2.0.tar.gz", sdist(members))
        statuses = [kvaudit("verify", "demo", "--release", f"engine={version}").status for version in ("1.0", "2.0")]
    assert (statuses, (kvaudit.folder / "ran").exists()) == ([0, 0], False)


@pytest.mark.parametrize(
    "evil",
    [
        "!!python/object/apply:os.system ['touch ran']",
        "!!python/name:os.system",
        "!!python/module:evil",
        "__import__('os').system('touch ran')",
        "{{ cycler.__init__.__globals__.os.system('touch ran') }}",
        "${jndi:ldap://x} $(touch ran) `touch ran`",
    ],
)
def test_packs_articles_and_saved_runs_run_nothing(evil: str, kvaudit: CommandLine) -> None:
    ran = kvaudit.folder / "ran"
    for text in (CLAIMS.replace("equals: 16", f"equals: {evil}"), CLAIMS.replace("The size is 16.", json.dumps(evil))):
        kvaudit.pack(text)
        kvaudit.verify("-f", "html", "-o", "r.html", "-f", "json", "-o", "r.json", "--no-cache")
    kvaudit.pack(CLAIMS.replace("check: default-value\n  equals: 16", f"check: formula\n  equals: {json.dumps(evil)}"))
    kvaudit.verify("--no-cache")
    kvaudit.pack()
    kvaudit.verify("-f", "json", "-o", "run.json")
    saved = (kvaudit.folder / "run.json").read_text()
    write(
        kvaudit.folder,
        {"run.json": saved.replace("size", json.dumps(evil)[1:-1]), "a.md": f"`engine/pool.py:1` {evil}\n"},
    )
    kvaudit("report", "run.json", "-f", "html", "-o", "r.html")
    kvaudit("article", "a.md", "--pack", "demo", "--path", "engine=src")
    assert not ran.exists()
