"""The page of texts in a browser: every mark leads to its code, and back."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.article.audit import audit_text, read_text
from auditor.formats.article import html
from tests.support.article_cases import tree
from tests.support.browser import CHROMIUM, barriers, heard, saved

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

TEXT = """\
# 块的分配

`take_block`（`engine/core/pool.py:20-23`）与 `give_back`（engine/core/pool.py:20-23），other/place.py:3。
另见 `BlockPool.lend()`, engine/core/pool.py:5-6。

<script>alert(1)</script>
"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM and "CI" not in os.environ, reason="there is no chromium"),
]


@pytest.mark.parametrize("width", [1400, 390])
def test_every_mark_leads_to_its_code_and_back(context: "BrowserContext", tmp_path: Path, width: int) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    audited = audit_text(read_text("a.md", TEXT.encode()), [tree()], {})
    place = saved(tmp_path, html.render([audited], ["engine"], "1"))
    said = heard(page)
    page.goto(place)
    for mark in page.locator("a.mark").all():
        mark.click()
        target = page.url.partition("#")[2]
        code = page.locator(f"#{target}")
        assert code.is_visible()
        code.get_by_role("link").first.click()
        assert page.url.endswith(f"#{mark.get_attribute('id')}")
    items = page.locator(".wrong li")
    assert items.count() == 4
    for item in items.all():
        item.get_by_role("link").first.click()
        assert page.locator(f"#{page.url.partition('#')[2]}").is_visible()
    page.get_by_label("中文").check()
    assert page.get_by_role("heading", name="需要修改").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(page) == []
    assert [one for one in said if one.partition("#")[0] != place] == []
