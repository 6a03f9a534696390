"""The page in a browser: what a reader can do with it, and what it must never do."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.formats.html import Html
from auditor.model import Log
from tests import logs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

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
WATERMARK = "vllm/watermark/default-zero"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM and "CI" not in os.environ, reason="there is no chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "the browser tests need chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture
def context(browser: "Browser") -> Iterator["BrowserContext"]:
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    yield opened
    opened.close()


def saved(folder: Path, log: Log) -> str:
    path = folder / "report.html"
    path.write_text(Html().render(log), "utf-8")
    return path.as_uri()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return saved(tmp_path, logs.ordinary)


@pytest.fixture
def page(context: "BrowserContext", url: str) -> "Page":
    opened = context.new_page()
    opened.goto(url)
    return opened


def shown(page: "Page") -> list[str]:
    claims: list[str] = page.eval_on_selector_all(
        ".claim", "all => all.filter(e => e.checkVisibility()).map(e => e.id)"
    )
    return claims


@pytest.mark.parametrize("log", [logs.ordinary, logs.hostile], ids=["ordinary", "hostile"])
def test_page_asks_for_nothing_and_complains_of_nothing(context: "BrowserContext", tmp_path: Path, log: Log) -> None:
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: said.append(request.url))
    address = saved(tmp_path, log)
    page.goto(address)
    page.get_by_role("button", name="Unfold all").click()
    page.get_by_role("searchbox").fill("watermark")
    page.keyboard.press("Enter")
    assert said == [address]
    assert page.locator("script").count() == 1


@pytest.mark.parametrize("log", [logs.ordinary, logs.hostile], ids=["ordinary", "hostile"])
@pytest.mark.parametrize("width", [390, 768, 1440])
def test_page_never_scrolls_sideways(context: "BrowserContext", tmp_path: Path, log: Log, width: int) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(saved(tmp_path, log))
    page.get_by_role("button", name="Unfold all").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_kinds_and_targets_narrow_the_page(page: "Page") -> None:
    page.get_by_label("fail 2").check()
    assert shown(page) == ["sglang/1.2/reserved-expression-at-line-37", "sglang/3/retracted-total-metric-name"]
    page.get_by_label("review 2").check()
    page.get_by_role("checkbox", name="vllm").check()
    assert shown(page) == ["vllm/watermark/only-waiting-or-preempted"]
    assert page.get_by_role("status").inner_text() == "1 of 12 claims"


def test_what_needs_a_person_can_be_shown_alone(page: "Page") -> None:
    page.get_by_label("needs a person 3").check()
    assert shown(page) == [
        "sglang/1.2/reserved-expression-at-line-37",
        "sglang/4/tier-definitions",
        "sglang/4.1/write-back-default",
    ]


@pytest.mark.parametrize(
    ("words", "claims"),
    [
        ("DEFAULT_BLOCK_SIZE", ["vllm/block-size/default-16"]),
        ("watermark 0.01", ["vllm/watermark/old-v1-default-0-01"]),
        ("不启用", [WATERMARK]),
        ("no such words", []),
    ],
)
def test_search_looks_in_statements_ids_and_code(page: "Page", words: str, claims: list[str]) -> None:
    page.get_by_role("searchbox").fill(words)
    assert shown(page) == claims
    assert page.get_by_text("No claim matches").is_visible() is not bool(claims)


def test_filters_survive_a_reload_and_can_be_reset(page: "Page") -> None:
    page.get_by_role("searchbox").fill("watermark & more?")
    page.get_by_role("searchbox").fill("watermark")
    page.get_by_label("pass 5").check()
    page.reload()
    assert shown(page) == [WATERMARK]
    page.get_by_role("button", name="Reset").click()
    page.reload()
    assert len(shown(page)) == 12


def test_deep_link_opens_its_claim_and_keeps_the_filters(page: "Page", url: str) -> None:
    page.goto(f"{url}#{WATERMARK}?target=vllm&lang=both")
    claim = page.locator(f'[id="{WATERMARK}"]')
    assert claim.locator("pre").is_visible()
    assert claim.evaluate("e => 0 <= e.getBoundingClientRect().top && e.getBoundingClientRect().top < innerHeight")
    assert len(shown(page)) == 6
    page.reload()
    assert page.url == f"{url}#{WATERMARK}?target=vllm&lang=both"
    assert len(shown(page)) == 6


def test_link_of_a_claim_leads_to_it(page: "Page", url: str) -> None:
    page.get_by_label("pass 5").check()
    page.get_by_role("link", name=f"Link to {WATERMARK}").click()
    page.wait_for_url(f"{url}#{WATERMARK}?kind=pass")
    assert page.locator(".claim.current").get_attribute("id") == WATERMARK


def test_deep_link_to_a_hidden_claim_shows_it(page: "Page", url: str) -> None:
    page.goto(f"{url}#{WATERMARK}?kind=fail")
    assert page.locator(f'[id="{WATERMARK}"]').is_visible()


def test_language_of_the_statements_can_be_switched(page: "Page") -> None:
    heading = page.locator(f'[id="{WATERMARK}"] h4')
    assert heading.inner_text() == "The watermark defaults to 0.0, which disables it."
    page.get_by_label("中文").check()
    assert heading.inner_text() == "watermark 默认是 0.0，也就是不启用。"
    page.reload()
    assert heading.inner_text() == "watermark 默认是 0.0，也就是不启用。"
    page.get_by_label("Both").check()
    assert heading.locator(":visible").count() == 2


def test_what_was_found_is_told_in_the_chosen_language(page: "Page") -> None:
    claim = page.locator('[id="sglang/1.2/reserved-expression-at-line-37"]')
    message, note = claim.locator(".message"), claim.locator(".note")
    assert message.inner_text() == "reserve() adds `length + page`; the sum of three is in estimate(), which only logs"
    assert note.inner_text() == "the three terms are here"
    page.get_by_label("中文").check()
    assert message.inner_text() == "reserve() 加的是 `length + page`；三项之和在 estimate() 里，它只写日志"
    assert note.inner_text() == "三项在这里"
    page.get_by_label("Both").check()
    assert [message.locator(":visible").count(), note.locator(":visible").count()] == [2, 2]


def test_filters_work_from_the_keyboard(page: "Page") -> None:
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.get_by_label("pass 5").is_checked()
    assert len(shown(page)) == 5


def test_cited_and_found_lines_are_marked(page: "Page") -> None:
    lines = page.locator('[id="sglang/4.1/hicache-ratio-default"] .l')
    marks = lines.evaluate_all("all => all.map(e => `${e.dataset.n} ${e.className.slice(2)}`.trim())")
    assert marks == [
        "98 cited",
        "99 cited",
        "100 cited found",
        "101 cited found",
        "102 found",
        "103 found evidence",
        "104 found evidence",
        "105 found evidence",
    ]


def test_all_can_be_read_without_javascript(browser: "Browser", url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{url}#{WATERMARK}")
    claim = page.locator(f'[id="{WATERMARK}"]')
    claim.locator("summary").click()
    assert claim.locator("pre").is_visible()
    assert claim.locator("h4 [lang]:visible").count() == 2
    assert page.locator(".claim:visible").count() == 12
    assert not page.locator("#filters").is_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_against_its_background(browser: "Browser", url: str, scheme: str) -> None:
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name="Unfold all").click()
    faint = page.evaluate(CONTRAST)
    assert faint == []
    context.close()


# WCAG AA for text: 4.5 to 1. Colours come as rgb(); the first opaque background above an element is what it is on.
CONTRAST = """() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (color.startsWith("rgb(")) return channels(color);
    }
  };
  const faint = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!says || !element.checkVisibility() || element.matches("script")) continue;
    const [a, b] = [channels(getComputedStyle(element).color), behind(element)].map(light).sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.add(`${element.tagName}.${element.className} ${ratio.toFixed(1)}`);
  }
  return [...faint];
}"""
