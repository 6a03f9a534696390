"""The page of a real audit, in a browser: the whole pack on the releases nearest its pins."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.formats.html import Html
from auditor.formats.json import read
from auditor.formats.pages.note import note
from auditor.model import Log
from tests.support.browser import CHROMIUM, barriers, heard
from tests.support.releases import IS_CI, NearPin, near_pin, release_cache

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

__all__ = ["near_pin", "release_cache"]

CLAIM = "vllm/watermark/default-zero"
BY_COLOR = ["color-contrast", "link-in-text-block"]
UNFOLD = "document.querySelectorAll('details').forEach(e => e.open = true)"

# Of the claims only these stay on the page, unfolded, with two items of each list and two lines of each excerpt: axe
# takes minutes over all of them.
ONLY = """([part, parts]) => {
    for (const [number, claim] of document.querySelectorAll(".claim").entries()) {
        if (number % parts !== part) claim.remove();
    }
    document.querySelectorAll(".claim :is(wbr, :is(li, [data-n]):nth-child(n + 3))").forEach(e => e.remove());
    document.querySelectorAll("details").forEach(e => e.open = true);
    document.querySelectorAll(".claim").forEach(e => e.style.contentVisibility = "visible");
}"""

# Of all text of claims whose elements and their ancestors have the same names and classes, so that it looks the
# same, one stays.
ONE_OF_EACH = """() => {
    document.querySelectorAll(".claim").forEach(e => e.style.contentVisibility = "visible");
    const seen = new Set();
    const own = e => [e.tagName, ...e.classList].join(".");
    const named = e => own(e) + (e.matches(".claim") ? "" : " " + named(e.parentElement));
    for (const e of document.querySelectorAll(".claim *")) {
        if (![...e.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
        const name = named(e);
        if (seen.has(name) || !e.checkVisibility()) continue;
        seen.add(name);
        e.dataset.kept = "";
    }
    for (const e of document.querySelectorAll(".claim, .claim *")) {
        if (!e.closest("[data-kept]") && !e.querySelector("[data-kept]")) e.remove();
    }
    return seen.size;
}"""

pytestmark = [
    pytest.mark.online,
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM and not IS_CI, reason="there is no chromium"),
]


@pytest.fixture(scope="module")
def folder(near_pin: NearPin) -> Path:
    """Where the audit is, as report.html and run.json."""
    assert near_pin.status in (0, 1)
    return near_pin.folder


@pytest.fixture(scope="module")
def log(folder: Path) -> Log:
    return read((folder / "run.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def url(folder: Path) -> str:
    return (folder / "report.html").as_uri()


@pytest.fixture
def page(context: "BrowserContext", url: str) -> "Page":
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.goto(url)
    return opened


def shown(page: "Page") -> list[str]:
    claims: list[str] = page.eval_on_selector_all(".claim:not([hidden])", "all => all.map(e => e.id)")
    return claims


def test_saved_run_gives_the_same_bytes(folder: Path, log: Log) -> None:
    assert Html().render(log).encode() == (folder / "report.html").read_bytes()


def test_page_is_of_a_size_that_a_browser_takes_easily(folder: Path, page: "Page", log: Log) -> None:
    claims = sum(len(run.results) for run in log.runs)
    assert claims > 200
    assert page.locator(".claim").count() == claims
    assert page.locator(".claim .strip").count() > claims // 2
    assert (folder / "report.html").stat().st_size < 4_000_000


def test_page_asks_for_nothing_and_complains_of_nothing(context: "BrowserContext", url: str) -> None:
    page = context.new_page()
    page.set_default_timeout(60_000)
    said = heard(page)
    page.goto(url)
    page.locator("#lang-zh").check()
    page.locator("#unfold").click()
    page.locator("#q").fill("watermark")
    assert said == [url]


def test_every_element_that_a_link_leads_to_is_there_once(page: "Page") -> None:
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    wanted = page.eval_on_selector_all("a[href^='#']", "all => all.map(e => decodeURIComponent(e.hash.slice(1)))")
    assert {one.partition("?")[0] for one in wanted} <= set(ids)


def test_filters_and_their_address_narrow_the_page(page: "Page", url: str, log: Log) -> None:
    fails = [result.claim.id for run in log.runs for result in run.results if result.kind == "fail"]
    assert fails
    page.locator("#filters input[value=fail]").check()
    assert sorted(shown(page)) == sorted(fails)
    assert page.url == f"{url}#?kind=fail"
    page.reload()
    assert sorted(shown(page)) == sorted(fails)
    page.locator("#reset").click()
    page.locator("#q").fill(CLAIM)
    assert CLAIM in shown(page)


def test_deep_link_opens_its_claim_among_those_of_its_target_in_its_language(page: "Page", url: str, log: Log) -> None:
    page.goto(f"{url}#{CLAIM}?target=vllm&lang=zh")
    claim = page.locator(f'[id="{CLAIM}"]')
    claim.locator("figure").first.wait_for(state="visible")
    assert claim.evaluate("e => 0 <= e.getBoundingClientRect().top && e.getBoundingClientRect().top < innerHeight")
    assert sorted(shown(page)) == sorted(
        result.claim.id for run in log.runs for result in run.results if run.target.name == "vllm"
    )
    page.evaluate(UNFOLD)
    english = "all => all.filter(e => e.checkVisibility()).length"
    assert page.eval_on_selector_all("body [lang=en]", english) == 0


def test_claims_can_be_walked_through_and_copied_with_keys(
    context: "BrowserContext", page: "Page", url: str, log: Log
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{url}#?q={CLAIM}&lang=zh")
    page.locator("html[lang=zh-Hans]").wait_for(state="attached")  # the page heeds a new address a moment later
    page.keyboard.press("j")
    page.keyboard.press("c")
    page.locator("#said", has_text="Markdown").wait_for(state="attached")
    chosen = shown(page)[0]
    run, result = next((run, one) for run in log.runs for one in run.results if one.claim.id == chosen)
    assert page.evaluate("navigator.clipboard.readText()") == note(run, result, log.version).zh
    assert not page.locator(f'[id="{chosen}"] .body').is_visible()
    page.keyboard.press("o")
    assert page.locator(f'[id="{chosen}"] .body').is_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_page_never_scrolls_sideways(page: "Page", width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.evaluate(UNFOLD)
    page.eval_on_selector_all(".claim", "all => all.forEach(e => e.style.contentVisibility = 'visible')")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_print_has_every_claim_open(page: "Page", log: Log) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    visible = "all => all.filter(e => e.checkVisibility()).length"
    assert page.eval_on_selector_all(".claim .words", visible) == sum(len(run.results) for run in log.runs)
    assert page.locator("html").evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("part", range(4))
def test_axe_finds_no_barrier(page: "Page", part: int) -> None:
    page.locator("#lang-both").check()
    page.evaluate(ONLY, [part, 4])
    assert page.locator(".claim").count() > 50
    assert barriers(page, without=BY_COLOR) == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_enough_contrast_in_all_that_looks_different(page: "Page", scheme: str, language: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.locator(f"#lang-{language}").check()
    page.evaluate(UNFOLD)
    assert page.evaluate(ONE_OF_EACH) > 100
    assert barriers(page, rules=BY_COLOR) == []
