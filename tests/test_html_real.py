"""The page of a real audit, in a browser: the whole pack on the releases nearest its pins."""

import os
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.cli import run
from auditor.formats.html import Html
from auditor.formats.json import read
from auditor.model import Log
from tests.browser import CHROMIUM, barriers, heard

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parent.parent
IS_CI = "CI" in os.environ
PACK = ROOT / "anchors" / "l1-kv-pool"
CLAIM = "vllm/watermark/default-zero"

pytestmark = [
    pytest.mark.online,
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM and not IS_CI, reason="there is no chromium"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the audit is, as report.html and run.json."""
    made = tmp_path_factory.mktemp("audit")
    outputs = ["-f", "html", "-o", str(made / "report.html"), "-f", "json", "-o", str(made / "run.json")]
    said = StringIO()
    with redirect_stderr(said):
        status = run(["verify", str(PACK), "--release", "near-pin", "--cache-dir", str(made / "cache"), *outputs])
    if status == 2 and "cannot be reached" in said.getvalue() and not IS_CI:
        pytest.skip(said.getvalue())
    assert status in (0, 1)
    return made


@pytest.fixture(scope="module")
def log(folder: Path) -> Log:
    return read((folder / "run.json").read_text("utf-8"))


@pytest.fixture
def page(context: "BrowserContext", folder: Path) -> "Page":
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.goto((folder / "report.html").as_uri())
    return opened


def test_saved_run_gives_the_same_bytes(folder: Path, log: Log) -> None:
    assert Html().render(log).encode() == (folder / "report.html").read_bytes()


def test_page_is_of_a_size_that_a_browser_takes_easily(folder: Path, page: "Page", log: Log) -> None:
    claims = sum(len(run.results) for run in log.runs)
    assert claims > 200
    assert page.locator(".claim").count() == claims
    assert (folder / "report.html").stat().st_size < 4_000_000


def test_page_asks_for_nothing_and_complains_of_nothing(context: "BrowserContext", folder: Path) -> None:
    page = context.new_page()
    page.set_default_timeout(60_000)
    said = heard(page)
    url = (folder / "report.html").as_uri()
    page.goto(url)
    page.get_by_label("中文").check()
    page.get_by_role("button", name="全部展开").click()
    page.get_by_role("searchbox").fill("watermark")
    assert said == [url]


def test_filters_deep_links_and_language_work(page: "Page", folder: Path, log: Log) -> None:
    fails = [result.claim.id for run in log.runs for result in run.results if result.kind == "fail"]
    page.locator("#filters").get_by_role("checkbox", name="fail").check()
    shown = page.eval_on_selector_all(".claim:not([hidden])", "all => all.map(e => e.id)")
    assert sorted(shown) == sorted(fails)
    page.goto(f"{(folder / 'report.html').as_uri()}#{CLAIM}?target=vllm&lang=zh")
    claim = page.locator(f'[id="{CLAIM}"]')
    claim.locator("figure").first.wait_for(state="visible")
    assert claim.evaluate("e => 0 <= e.getBoundingClientRect().top && e.getBoundingClientRect().top < innerHeight")
    assert page.locator(".claim:not([hidden])").count() == sum(
        len(r.results) for r in log.runs if r.target.name == "vllm"
    )
    english = "all => all.filter(e => e.checkVisibility()).length"
    assert page.eval_on_selector_all("body [lang=en]", english) == 0


@pytest.mark.parametrize("width", [390, 1440])
def test_page_never_scrolls_sideways(page: "Page", width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.get_by_role("button", name="Unfold all").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier(browser: "Browser", folder: Path, scheme: str) -> None:
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    page.set_default_timeout(300_000)
    page.goto(
        f"{(folder / 'report.html').as_uri()}#claims?kind=fail&target=vllm&lang={'zh' if scheme == 'dark' else 'en'}"
    )
    page.evaluate(
        "document.querySelectorAll('.claim[hidden]').forEach(e => e.remove())"
    )  # axe is slow in what is hidden
    page.evaluate("document.querySelectorAll('.claim details').forEach(e => e.open = true)")
    assert barriers(page) == []
    context.close()
