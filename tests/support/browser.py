"""What tests of pages need: what a browser says of one, and what axe finds in it."""

import shutil
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def saved(folder: Path, text: str, name: str = "report.html") -> str:
    """The address of a page."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path.as_uri()


def heard(page: "Page") -> list[str]:
    """What the page will say on the console, throw, pop up or ask for."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: said.append(request.url))
    return said


def barriers(page: "Page", *, rules: Sequence[str] = (), without: Sequence[str] = ()) -> list[str]:
    """What axe finds, of whatever impact: the rule, and the first elements that break it.

    `rules` are all that is asked, if any are given. The contrast takes more than twice as long on twice the text.
    """
    options = {
        "resultTypes": ["violations"],
        "rules": {rule: {"enabled": False} for rule in without},
        **({"runOnly": list(rules)} if rules else {}),
    }
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [f"{one['impact']} {one['id']}: {[node['html'][:150] for node in one['nodes'][:3]]}" for one in found]
