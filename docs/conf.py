"""The documentation's site: `make docs`, or `sphinx-build docs docs/_build`."""

from pathlib import Path

from auditor import __version__
from auditor.cli.reference import write

project = "kvaudit"
release = __version__
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]
html_theme = "alabaster"
html_theme_options = {"description": "Audits claims about source code", "page_width": "1000px"}

write(Path(__file__).with_name("reference"))
