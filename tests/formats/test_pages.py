"""What pages are made of: colours, diffs, notes in Markdown."""

import html
import re
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from auditor.formats.html import Html
from auditor.formats.json import Json, read
from auditor.formats.pages.code import diff, rows
from auditor.formats.pages.highlight import highlighted
from auditor.formats.pages.links import upstream
from auditor.formats.pages.note import note
from auditor.model import (
    Change,
    Claim,
    DiffLine,
    Excerpt,
    Kind,
    Location,
    Log,
    Outcome,
    Region,
    Result,
    Revision,
    Run,
    Target,
    Text,
)
from tests.support import compared, logs
from tests.support.engine_code import COUNTERS, RATIO


def plain(lines: Sequence[str]) -> list[str]:
    return [html.unescape(re.sub(r"<[^>]*>", "", line)) for line in lines]


def classes(lines: Sequence[str]) -> list[list[tuple[str, str]]]:
    """The coloured words of each line."""
    return [
        [(class_, html.unescape(word)) for class_, word in re.findall(r'<i class="(\w)">(.*?)</i>', line)]
        for line in lines
    ]


CODE = '''\
@property
def ratio(self) -> float:  # of two
    """Twice the pool
    is the default."""
    return 2.0 if self.full else None
'''


def test_syntax_has_colours_and_a_string_of_many_lines_has_them_on_each() -> None:
    assert classes(highlighted("a.py", tuple(CODE.splitlines()))) == [
        [("d", "@property")],
        [("k", "def"), ("f", "ratio"), ("b", "float"), ("c", "# of two")],
        [("s", '"""Twice the pool')],
        [("s", '    is the default."""')],
        [("k", "return"), ("n", "2.0"), ("k", "if"), ("k", "else"), ("n", "None")],
    ]


@pytest.mark.parametrize(
    ("lines", "colors"),
    [
        (("    of the pool.", '    """', "    if full:"), ["s", "s", "k"]),
        (('    """', "    return None"), ["s", "k"]),
        (("    if full:", '        """The half', "        of it is cut"), ["k", "s", "s"]),
    ],
)
def test_docstring_that_is_cut_off_does_not_turn_code_and_prose_around(
    lines: tuple[str, ...], colors: list[str]
) -> None:
    assert [line[0][0] for line in classes(highlighted("a.py", lines))] == colors


@pytest.mark.parametrize("path", ["a.md", "a.cu", "a.mdx", ""])
def test_what_is_not_python_has_no_colours(path: str) -> None:
    assert classes(highlighted(path, ("return if",))) == [[]]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no finding
@given(st.lists(st.text()), st.sampled_from(["a.py", "a.txt"]))
def test_every_line_is_there_and_nothing_of_it_is_markup(lines: list[str], path: str) -> None:
    found = highlighted(path, tuple(lines))
    assert len(found) == len(lines)
    for line, before in zip(plain(found), lines, strict=True):
        assert "\n" not in line
        assert line == before or not before.isprintable()


@pytest.mark.parametrize(
    "text", ["'" * 10_000, 'f"""{' * 2_000, "(" * 10_000, "\\" * 10_000, "@a.b" * 2_500, "0" * 10_000]
)
def test_long_lines_are_shown_whole_and_take_no_time(text: str) -> None:
    start = time.process_time()
    assert plain(highlighted("a.py", (text, "return"))) == [text, "return"]
    assert plain(highlighted("a.py", tuple(text[at : at + 400] for at in range(0, len(text), 400)))) != []
    assert time.process_time() - start < 5


def test_sides_of_a_diff_are_coloured_as_the_code_that_they_are() -> None:
    lines = (
        DiffLine(1, None, 'x = """opens'),
        DiffLine(2, None, 'and closes"""'),
        DiffLine(None, 1, "x = None"),
        DiffLine(3, 2, "return x"),
    )
    rows = list(diff(Change(Location("a.py"), Location("a.py"), lines)))
    assert [(row.number, row.change) for row in rows] == [("1", "del"), ("2", "del"), ("1", "ins"), ("2", "same")]
    assert classes([row.code for row in rows]) == [
        [("s", '"""opens')],
        [("s", 'and closes"""')],
        [("n", "None")],
        [("k", "return")],
    ]


def test_code_that_is_new_or_gone_is_a_diff_too() -> None:
    [new] = diff(Change(None, Location("a.py"), (DiffLine(None, 7, "  return"),)))
    [gone] = diff(Change(Location("a.py"), None, (DiffLine(7, None, "  return"),)))
    assert [(row.number, row.change, str(row.code)) for row in (new, gone)] == [
        ("7", "ins", '<i class="k">return</i>'),
        ("7", "del", '<i class="k">return</i>'),
    ]
    assert list(diff(Change(None, None, ()))) == []


def test_note_says_what_a_person_needs_to_act() -> None:
    [result] = [one for one in logs.sglang.results if one.claim.id == "sglang/3/retracted-total-metric-name"]
    file = f"https://github.com/sgl-project/sglang/blob/{logs.SGLANG.commit}/{logs.COLLECTOR}"
    assert note(logs.sglang, result, "0.1.0").en.split("\n\n") == [
        "> The retraction counter is sglang:num_retracted_reqs_total.",
        "In sglang f4de6abee6 this is contradicted by the code: no metric is exported under this name; the nearest is "
        "sglang:retracted_requests_total",
        "- Expected: `sglang:num_retracted_reqs_total`\n- Actual: `sglang:retracted_requests_total`",
        f"The code: [`{logs.COLLECTOR}:471-475`]({file}#L471-L475)",
        f"```python\n{COUNTERS.replace('        ', '', 1).replace(chr(10) + '        ', chr(10)).rstrip()}\n```",
        "The article cites",
        f"- [`{logs.COLLECTOR}:469-486`]({file}#L469-L486): the code is within these lines",
        "How to mend it: Only the attribute is called that. Write sglang:retracted_requests_total.",
        "`sglang/3/retracted-total-metric-name`, audited with kvaudit 0.1.0\n",
    ]


def test_note_says_the_same_in_chinese() -> None:
    [result] = [one for one in logs.sglang.results if one.claim.id == "sglang/1.2/remaining-total"]
    said = note(logs.sglang, result, "0.1.0").zh
    assert said.startswith(
        "> 剩余的准入预算等于空闲加可驱逐，减去偏移。\n\n在 sglang f4de6abee6 里，这条论断与代码相符："
    )
    assert "：代码下移 2 行，现在是 [" in said
    assert said.endswith("`sglang/1.2/remaining-total`，由 kvaudit 0.1.0 审计\n")


@pytest.mark.parametrize("run", logs.hostile.runs)
def test_note_is_never_more_than_text(run: Run) -> None:
    for result in run.results:
        said = note(run, result, logs.EVIL)
        for markdown in (said.en, said.zh):
            tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)
            spans = [token for block in tokens for token in [block, *(block.children or ())]]
            kinds = {token.type for token in spans}
            assert kinds.isdisjoint({"html_block", "image", "heading_open", "em_open", "strong_open", "s_open", "hr"})
            assert {token.content for token in spans if token.type == "html_inline"} <= {"<!-- -->"}
            links = [str(token.attrs["href"]) for token in spans if token.type == "link_open"]
            assert all(link.startswith("https://example.org/") for link in links)


@pytest.mark.parametrize("log", [logs.ordinary, compared.log], ids=["ordinary", "compared"])
def test_page_of_a_saved_run_is_the_same_page(log: Log) -> None:
    page = Html().render(log)
    assert Html().render(read(Json().render(log))) == page
    assert Html().render(log) == page


def test_sections_are_in_the_order_of_the_article() -> None:
    names = ["2.10", "index", "2", "10", "2.2", "2.2.1", "", "x" * 50, "9" * 5000, "²"]
    results = tuple(
        replace(logs.vllm.results[0], claim=replace(logs.vllm.results[0].claim, id=f"vllm/{name}/a")) for name in names
    )
    page = Html().render(replace(logs.ordinary, runs=(replace(logs.vllm, results=results),)))
    found = re.findall(r'<section class="section" id="vllm/(.*?)/">', page)
    assert found == ["2", "2.2", "2.2.1", "2.10", "10", "", "9" * 5000, "index", "x" * 50, "²"]


def test_whole_audit_of_claims_is_rendered_quickly() -> None:
    results = tuple(
        replace(one, claim=replace(one.claim, id=f"{one.claim.id}-{number}"), excerpts=(*one.excerpts, excerpt))
        for number in range(50)
        for one in logs.vllm.results
        for excerpt in [logs.excerpt("a.py", number, f"{number}\n" + RATIO * 5)]
    )
    start = time.process_time()
    page = Html().render(replace(logs.ordinary, runs=(replace(logs.vllm, results=results),)))
    assert page.count('<article class="claim') == 300
    assert time.process_time() - start < 10


def test_message_of_many_parts_is_a_list_and_code_in_it_is_code() -> None:
    said = Text("`a; b` occurs once; but only `c`", "`a; b` 出现 1 次；但只有 `c`")
    outcome = replace(logs.vllm.results[0].outcome, message=said)
    log = replace(logs.ordinary, runs=(replace(logs.vllm, results=(replace(logs.vllm.results[0], outcome=outcome),)),))
    [message] = re.findall(r'<div class="message both">(.*?)</div>', Html().render(log), re.DOTALL)
    assert re.findall(r"<li(.*?)</li>", message) == [
        "><code>a; b</code> occurs once",
        ' class="but">but only <code>c</code>',
        "><code>a; b</code> 出现 1 次",
        ' class="but">但只有 <code>c</code>',
    ]


@pytest.mark.parametrize(("last", "marked"), [(2, [1, 2]), (15, list(range(1, 16))), (16, [1]), (200, [1])])
def test_of_a_whole_definition_only_the_head_is_evidence(last: int, marked: list[int]) -> None:
    outcome = Outcome(Kind.PASS, Text("It is so", "如此"), locations=(Location("a.py", Region(1, last)),))
    result = Result(Claim("t/a/b", Text("It is so.", "如此。"), "t.yaml:2", "symbol"), outcome)
    excerpt = Excerpt("a.py", 1, ("x = 1",) * last)
    assert [row.number for row in rows(result, excerpt) if "evidence" in row.marks] == marked


def test_a_link_that_would_be_a_guess_is_none() -> None:
    release, commit = Revision("pypi", "1.0"), Revision("git", "main", "0123abcd")
    known = Target("t", "https://github.com/a/b", tag="release-{version}")
    unknown = replace(known, tag="")
    links = [upstream(target, revision) for target in (known, unknown) for revision in (release, commit)]
    tree = "https://github.com/a/b/tree"
    assert links == [f"{tree}/release-1.0", f"{tree}/0123abcd", None, f"{tree}/0123abcd"]
