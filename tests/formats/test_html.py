"""The page in a browser: what a reader can do with it, and what it must never do."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.formats.html import Html
from auditor.formats.pages.note import note
from auditor.model import Log
from tests.support import compared, logs
from tests.support.browser import CHROMIUM, barriers, heard, saved

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

WATERMARK = "vllm/watermark/default-zero"
FAILING = "sglang/1.2/reserved-expression-at-line-37"
LOGS = {"ordinary": logs.ordinary, "hostile": logs.hostile, "compared": compared.log}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM and "CI" not in os.environ, reason="there is no chromium"),
]


def address(folder: Path, log: Log) -> str:
    return saved(folder, Html().render(log))


@pytest.fixture
def url(tmp_path: Path) -> str:
    return address(tmp_path, compared.log)


@pytest.fixture
def page(context: "BrowserContext", url: str) -> "Page":
    opened = context.new_page()
    opened.goto(url)
    return opened


def claim(page: "Page", id_: str) -> "Locator":
    return page.locator(f'[id="{id_}"]')


def read(element: "Locator") -> str:
    """What is there to read; what is far away is rendered only a frame after it comes near."""
    element.scroll_into_view_if_needed()
    words: str = element.evaluate("e => new Promise(done => setTimeout(() => done(e.innerText), 100))")
    return words


def check(page: "Page", name: str) -> None:
    page.locator("#filters").get_by_role("checkbox", name=name).check()


def shown(page: "Page") -> list[str]:
    claims: list[str] = page.eval_on_selector_all(
        ".claim", "all => all.filter(e => e.checkVisibility()).map(e => e.id)"
    )
    return claims


@pytest.mark.parametrize("name", LOGS)
def test_page_asks_for_nothing_and_complains_of_nothing(context: "BrowserContext", tmp_path: Path, name: str) -> None:
    page = context.new_page()
    said = heard(page)
    place = address(tmp_path, LOGS[name])
    page.goto(place)
    page.get_by_role("button", name="Unfold all").click()
    page.get_by_role("searchbox").fill("watermark")
    page.get_by_label("中文").check()
    page.keyboard.press("Escape")
    for key in "jocko?":
        page.keyboard.press(key)
    assert said == [place]
    assert page.locator("script").count() == 1


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_page_never_scrolls_sideways(context: "BrowserContext", tmp_path: Path, name: str, width: int) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(address(tmp_path, LOGS[name]))
    page.get_by_role("button", name="Unfold all").click()
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", LOGS)
def test_axe_finds_no_barrier(browser: "Browser", tmp_path: Path, name: str, scheme: str) -> None:
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    page.goto(address(tmp_path, LOGS[name]))
    for language in ("English", "中文"):
        page.get_by_label(language).check()
        page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
        assert barriers(page) == []
    page.keyboard.press("?")
    assert barriers(page) == []
    context.close()


def test_the_answer_comes_first(page: "Page") -> None:
    tiles = page.locator(".tiles li").all_inner_texts()
    assert [" ".join(tile.split()) for tile in tiles] == [
        "5 ✓ pass hold",
        "2 ✕ fail are contradicted by the code; 1 accepted",
        "2 ± review hold only with a qualification; 1 accepted",
        "2 ? open could not be decided; 1 accepted",
        "1 – notApplicable do not speak of this revision",
    ]
    assert page.locator(".sentence").inner_text() == "✕ 3 of 12 claims need a person."
    since = page.locator(".card .since")
    assert [" ".join(text.split()) for text in since.locator("h3, summary").all_inner_texts()] == [
        "Since 0.30.0 pypi",
        "1 resolved the claim comes out better than in the baseline",
        "1 updated the claim comes out the same, on code that differs",
        "1 absent only the baseline has the claim",
    ]
    assert since.locator("a").first.get_attribute("href") == f"#{WATERMARK}"


def test_what_changed_is_shown_as_a_diff_with_what_was_said_before(page: "Page") -> None:
    found = claim(page, WATERMARK)
    found.locator("summary").first.click()
    rows = found.locator(".change .r").evaluate_all(
        "all => all.map(e => `${e.tagName} ${e.dataset.n} ${e.textContent}`.trim())"
    )
    assert rows == [
        "SPAN 198",
        "DEL 190 watermark: float = 0.01",
        'DEL 191 """Part of the blocks',
        "INS 199 watermark: float = Field(default=0.0, ge=0.0, lt=1.0)",
        'INS 200 """Part of the blocks',
        'SPAN 201 that admission leaves free."""',
        "SPAN  ⋮ -2 +7",
        'SPAN 219 policy: Policy = "fcfs"',
    ]
    assert found.locator("pre > code").evaluate_all(
        "all => all.every(code => [...code.childNodes].every(node => node.nodeType === 1))"
    )
    assert found.locator(".change i.s").all_inner_texts()[-2:] == ['that admission leaves free."""', '"fcfs"']
    before = found.locator(".values > div", has_text="Before")
    assert before.inner_text().split("\n")[1:] == ["✕ fail 0.30.0 0.01", "the default of watermark is 0.01"]


def test_timeline_tells_in_words_what_it_draws(page: "Page") -> None:
    claim(page, WATERMARK).locator("summary").first.click()
    steps = claim(page, WATERMARK).locator(".strip li").all_inner_texts()
    assert [" ".join(step.split()) for step in steps] == ["0.29.0 – 0.30.0 ✕ fail", "0.31.0 ✓ pass"]


def test_kinds_and_targets_narrow_the_page(page: "Page") -> None:
    check(page, "fail 2")
    assert shown(page) == [FAILING, "sglang/3/retracted-total-metric-name"]
    check(page, "review 2")
    check(page, "vllm")
    assert shown(page) == ["vllm/watermark/only-waiting-or-preempted"]
    assert page.locator(".shown [role=status]").inner_text() == "1 of 12 claims"


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        ("needs a person 3", [FAILING, "sglang/4/tier-definitions", "sglang/4.1/write-back-default"]),
        ("new 1", [FAILING]),
        ("resolved 2", ["sglang/4.1/write-back-default", WATERMARK]),
    ],
)
def test_what_a_reader_looks_for_can_be_shown_alone(page: "Page", name: str, claims: list[str]) -> None:
    check(page, name)
    assert shown(page) == claims


def test_tile_shows_its_kind(page: "Page") -> None:
    page.get_by_role("link", name="fail are contradicted").click()
    page.wait_for_function("location.hash === '#claims?kind=fail'")
    assert len(shown(page)) == 2


@pytest.mark.parametrize(
    ("words", "claims"),
    [
        ("DEFAULT_BLOCK_SIZE", ["vllm/block-size/default-16"]),
        ("watermark 0.01", [WATERMARK, "vllm/watermark/old-v1-default-0-01"]),
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
    check(page, "pass 5")
    page.reload()
    assert shown(page) == [WATERMARK]
    page.get_by_role("button", name="Reset").click()
    page.reload()
    assert len(shown(page)) == 12


def test_deep_link_opens_its_claim_and_keeps_the_filters(page: "Page", url: str) -> None:
    page.goto(f"{url}#{WATERMARK}?target=vllm&lang=both")
    found = claim(page, WATERMARK)
    assert found.locator("figure").first.is_visible()
    assert found.evaluate("e => 0 <= e.getBoundingClientRect().top && e.getBoundingClientRect().top < innerHeight")
    assert len(shown(page)) == 6
    page.reload()
    assert page.url == f"{url}#{WATERMARK}?target=vllm&lang=both"
    assert len(shown(page)) == 6


def test_link_of_a_claim_leads_to_it(page: "Page", url: str) -> None:
    check(page, "pass 5")
    claim(page, WATERMARK).locator("summary").first.click()
    claim(page, WATERMARK).get_by_role("link", name="Link to this claim").click()
    page.wait_for_url(f"{url}#{WATERMARK}?kind=pass")
    assert page.locator(".claim.current").get_attribute("id") == WATERMARK


def test_deep_link_to_a_hidden_claim_shows_it(page: "Page", url: str) -> None:
    page.goto(f"{url}#{WATERMARK}?kind=fail")
    assert claim(page, WATERMARK).is_visible()


def test_language_of_everything_can_be_switched(page: "Page") -> None:
    heading = claim(page, WATERMARK).locator("h4")
    assert read(heading) == "The watermark defaults to 0.0, which disables it."
    page.get_by_label("中文").check()
    assert read(heading) == "watermark 默认是 0.0，也就是不启用。"
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    assert page.title() == "KV 缓存在哪里先用完 – kvaudit"
    assert page.get_by_role("searchbox").get_attribute("placeholder") == "搜索论断、编号、代码"
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert page.locator("body [lang=en]:visible").count() == 0
    page.reload()
    assert read(heading) == "watermark 默认是 0.0，也就是不启用。"
    page.get_by_label("Both").check()
    assert heading.locator(":visible").count() == 2


def test_nothing_but_names_and_code_is_said_in_one_language_only(page: "Page") -> None:
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    said_twice_or_code = "body [lang], pre, code, .place, .path, .notifications span"
    page.evaluate(f"document.querySelectorAll('{said_twice_or_code}').forEach(e => e.remove())")
    sections = {"block-size", "design", "kv", "watermark"}
    words = {word for word in page.locator("body").inner_text().split() if re.search("[A-Za-z]", word)}
    assert words - sections == {"English", "f4de6abee6", "git", "kvaudit", "l1-kv-pool", "pypi", "sglang", "vllm"}


def test_what_was_found_is_told_in_the_chosen_language(page: "Page") -> None:
    message, told = claim(page, FAILING).locator(".message"), claim(page, FAILING).locator(".note")
    assert message.inner_text().split("\n") == [
        "reserve() adds length + page",
        "the sum of three is in estimate(), which only logs",
    ]
    assert told.inner_text() == "the three terms are here"
    page.get_by_label("中文").check()
    assert message.inner_text().split("\n") == [
        "reserve() 加的是 length + page",
        "三项之和在 estimate() 里，它只写日志",
    ]
    assert told.inner_text() == "三项在这里"
    page.get_by_label("Both").check()
    assert [message.locator("ul:visible").count(), told.locator("[lang]:visible").count()] == [2, 2]


def test_filters_work_from_the_keyboard(page: "Page") -> None:
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert len(shown(page)) == 5


def test_claims_can_be_walked_through_with_keys(page: "Page", url: str) -> None:
    check(page, "fail 2")
    for key in "jj":
        page.keyboard.press(key)
    focused = page.locator("summary:focus")
    second = "sglang/3/retracted-total-metric-name"
    assert focused.locator("xpath=ancestor::article").get_attribute("id") == second
    assert focused.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    assert page.url == f"{url}#{second}?kind=fail"
    assert not claim(page, second).locator(".body").is_visible()
    page.keyboard.press("o")
    assert claim(page, second).locator(".body").is_visible()
    page.keyboard.press("o")
    assert not claim(page, second).locator(".body").is_visible()
    page.keyboard.press("k")
    assert focused.locator("xpath=ancestor::article").get_attribute("id") == FAILING


def test_search_and_help_have_keys_that_do_not_get_in_the_way_of_typing(page: "Page") -> None:
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()
    page.keyboard.press("/")
    page.keyboard.type("j?ok/")
    assert page.get_by_role("searchbox").input_value() == "j?ok/"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()


@pytest.mark.parametrize("language", ["English", "中文"])
def test_claim_can_be_copied_as_markdown(context: "BrowserContext", page: "Page", language: str) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label(language).check()
    claim(page, FAILING).locator(".copy").click()
    page.locator("#said", has_text="Markdown").wait_for(state="attached")
    result = next(result for result in logs.sglang.results if result.claim.id == FAILING)
    expected = note(logs.sglang, result, logs.ordinary.version)
    assert page.evaluate("navigator.clipboard.readText()") == (expected.en if language == "English" else expected.zh)


def test_markdown_can_be_copied_by_hand_where_the_clipboard_is_closed(page: "Page") -> None:
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false")
    claim(page, FAILING).locator(".copy").click()
    page.locator("#said", has_text="Ctrl+C").wait_for(state="attached")
    assert page.evaluate("getSelection().toString()").startswith("> The sum at line 37 is what reserve()")


def test_cited_and_found_lines_are_marked(page: "Page") -> None:
    lines = claim(page, "sglang/4.1/hicache-ratio-default").locator("[data-n]")
    marks = lines.evaluate_all("all => all.map(e => `${e.dataset.n} ${e.className}`.trim())")
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


def test_all_can_be_read_without_javascript_in_either_language(browser: "Browser", url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{url}#{WATERMARK}")
    claim(page, WATERMARK).locator("summary").first.click()
    assert claim(page, WATERMARK).locator("figure").first.is_visible()
    assert page.locator(".claim:visible").count() == 12
    assert not page.locator("#filters").is_visible()
    assert not page.locator(".copy:visible").count()
    assert page.locator("body [lang=zh-Hans]:visible").count() == 0
    page.get_by_label("中文").check()
    assert page.locator("body [lang=en]:visible").count() == 0
    context.close()


def test_print_has_everything_open_and_says_where_links_lead(page: "Page") -> None:
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".claim .body:visible").count() == 12
    assert not page.locator("#filters").is_visible()
    assert (
        page.locator("body").evaluate("e => getComputedStyle(e.parentElement).backgroundColor") == "rgb(255, 255, 255)"
    )
    link = claim(page, WATERMARK).locator("a.place").first
    href = link.get_attribute("href")
    assert href
    assert link.evaluate("e => getComputedStyle(e, '::after').content") == f'" <{href}>"'
