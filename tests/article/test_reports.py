"""What is reported of a text, in every format, against golden files; and a text that tries to break out of the page."""

import re

import pytest

from auditor.article.audit import audit_text, read_text
from auditor.article.report import log
from auditor.articles import AuditedText
from auditor.formats import finding_formats, formats
from auditor.formats.article import html, json
from tests.support.article_cases import FOLDER, tree
from tests.support.folders import GOLDEN
from tests.support.logs import EVIL

TEXT = """\
# Notes on the pool

`take_block`（`engine/core/pool.py:20-23`）counts up, `give_back` (pool.py:20-23) down.

| what | where |
| --- | --- |
| waiting | engine/core/queue.py:40-50 |
| elsewhere | other/place.py:3 |

```python
# engine/core/pool.py:25-28
def give_back(self, block: Block) -> None:
    block.ref_count -= 1
```
"""


def audited(text: str = TEXT) -> AuditedText:
    return audit_text(read_text("notes/pool.md", text.encode()), [tree()], {})


def reports() -> dict[str, str]:
    texts = [audited()]
    findings = log(texts, [tree().revision], ["a remark"], "0.1.0", is_all=True)
    names = {name: formats()[name].suffix or name for name in finding_formats()}
    shown = {f"{name}.{suffix}": finding_formats()[name]().render_findings(findings) for name, suffix in names.items()}
    return shown | {
        "article.json": json.render(texts, "0.1.0"),
        "article.html": html.render(texts, ["engine 1"], "0.1.0"),
    }


@pytest.mark.parametrize("name", reports())
def test_a_report_equals_its_golden_file(name: str, request: pytest.FixtureRequest) -> None:
    path, actual = GOLDEN / "article" / name, reports()[name].encode()
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(actual)
    assert path.read_bytes() == actual


def test_nothing_of_a_text_is_obeyed_by_its_page() -> None:
    evil = EVIL.replace("\x00", "").replace("\ud800", "")
    page = html.render([audited(f"{evil}\nengine/core/pool.py:20\n{evil}")], [evil], evil)
    assert page.count("<script") == 0
    assert {char for char in page if not char.isprintable()} <= {"\n", "\t"}
    assert re.search("<[^>]*javascript:", page) is None


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "](",
        "`",
        "``` ",
        "a/",
        "a.py:1,",
        "(:1",
        "<a href=",
        "&#",
        "|",
        "> ",
        "- ",
        "https://a.b/",
        "a.py:1-",
        "::",
        "1,",
        "第1行",
        "lines 12 ",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt", "a.json", "a.py", "a.rst"])
def test_a_hostile_text_is_read_in_time(piece: str, name: str) -> None:
    text = piece * (6_000 // len(piece))
    read_text(name, text.encode())


def test_the_cases_are_about_two_revisions() -> None:
    both = [{one.relative_to(FOLDER / name) for one in (FOLDER / name).rglob("*.py")} for name in ("source", "later")]
    assert len(both[0] & both[1]) > 1
    assert both[0] != both[1]
