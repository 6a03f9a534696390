"""The documentation builds into a site, without a warning, with a reference that is made from the code."""

import shutil
import subprocess
import sys
from pathlib import Path

from auditor.checks import checks
from auditor.cli.reference import pages
from auditor.formats import formats
from auditor.sources import sources
from tests.support.folders import ROOT


def test_the_reference_has_everything_that_there_is() -> None:
    found = pages()
    for name, ids in (("rules.md", checks()), ("sources.md", sources()), ("formats.md", formats())):
        assert [id_ for id_ in ids if f"\n## {id_}\n" not in found[name]] == []
    assert "| `--offline` |" in found["commands.md"]
    assert "| `packages` | What its wheel holds" in found["packs.md"]
    empty = [line for page in found.values() for line in page.splitlines() if line.endswith("` |  |")]
    assert empty == []


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("reference", "_build"))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "docs", "site"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "default-value" in (tmp_path / "site/reference/rules.html").read_text(encoding="utf-8")
