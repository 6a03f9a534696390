"""Whatever is said to a reviewer is said in English and in Chinese."""

import ast
import re
import time
from functools import cache
from string import Formatter

import pytest

from auditor.code.phrases import quoted
from auditor.model import Text
from tests.support.chinese import CHINESE, is_chinese
from tests.support.folders import ROOT

PACKAGE = ROOT / "auditor"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("`SIZE` 是 `16`", True),
        ("SIZE is 16", False),
        ("`SIZE` is `16`", False),
        ("`SIZE` 是 16, not 32", False),
        ("在 engine/is/not 下的 1 个文件中，没有 `x is not None`", True),
        ("gauge `vllm:usage` 的 token 数", True),
        ("", False),
    ],
)
def test_english_is_told_from_chinese(sentence: str, expected: bool) -> None:
    assert expected == is_chinese(sentence)


@cache
def literals() -> list[tuple[str, ast.expr, ast.expr]]:
    """Where the program has a text, and what it says in each language."""
    return [
        (f"{path.relative_to(PACKAGE)}:{node.lineno}", node.args[0], node.args[1])
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text"
        if len(node.args) == 2
    ]


def said(node: ast.expr) -> str | None:
    """The words of a literal, `{}` for each value put in; None where it is computed."""
    match node:
        case ast.Constant(value=str(words)):
            return words
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
        case _:
            return None


def test_the_program_has_texts() -> None:
    assert len(literals()) > 100


def is_in_both_languages(en: ast.expr, zh: ast.expr) -> bool:
    english, chinese = said(en), said(zh)
    if english is None or chinese is None:
        return True
    return CHINESE.search(english) is None and (is_chinese(chinese) or not re.search(r"[a-z]{4}", english))


def test_a_text_of_the_program_is_in_both_languages() -> None:
    assert [place for place, en, zh in literals() if not is_in_both_languages(en, zh)] == []


def has_the_same_gaps(en: ast.expr, zh: ast.expr) -> bool:
    if not (isinstance(en, ast.Constant) and isinstance(zh, ast.Constant)):
        return True
    gaps = [[name for _, name, _, _ in Formatter().parse(str(text.value)) if name is not None] for text in (en, zh)]
    numbered = [[name or str(number) for number, name in enumerate(names)] for names in gaps]
    return sorted(numbered[0]) == sorted(numbered[1]) and all(len(set(map(bool, names))) < 2 for names in gaps)


def test_a_text_has_the_same_gaps_in_both_languages() -> None:
    assert [place for place, en, zh in literals() if not has_the_same_gaps(en, zh)] == []


def test_a_text_is_filled_with_texts_and_with_what_reads_the_same() -> None:
    both = Text("{} is {}", "{1} 是 {0}").filled(Text("a class", "类"), "{x}")
    assert both == Text("a class is {x}", "{x} 是类")


@pytest.mark.parametrize(
    ("written", "shown"),
    [("{} 是 `x y`", "类是 `x y`"), ("在 {} 中", "在类中"), ("`类 类` 与 {} ，", "`类 类` 与类，")],
)
def test_chinese_has_blanks_beside_code_alone(written: str, shown: str) -> None:
    assert Text("{}", written).filled(Text("class", "类")).zh == shown


def test_texts_are_joined_and_added() -> None:
    one, other = Text("one", "一"), Text("two", "二")
    assert Text(" and ", "和").join([one, other]) + Text("!", "！") == Text("one and two!", "一和二！")
    assert Text(", ", "、").join([]) == Text("", "")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("x is not None", "x is not None"),
        ("r.ready and (f is called)", "r.ready and (f 被调用)"),
        ("case 2 of Point(x=0, y=1) matches", "第 2 个 case（Point(x=0, y=1)）匹配"),
        (
            "the try of line 3 catches no exception and the lambda is called",
            "第 3 行的 try 没有捕获到异常 and 该 lambda 被调用",
        ),
        ("self.size (one of 3 of that name)", "self.size（3 个同名者之一）"),
        ("{} {0} {x}", "{} {0} {x}"),
    ],
)
def test_what_is_said_in_the_place_of_code_is_said_in_chinese(code: str, shown: str) -> None:
    assert Text(code, f"`{shown}`") == quoted(code)


@pytest.mark.parametrize("piece", ["x", "case 1 of ", "` ", "中 ", "the try of line "])
def test_long_code_is_quoted_at_once(piece: str) -> None:
    code = piece * (20_000 // len(piece))
    start = time.perf_counter()
    assert Text("{} a", "{} 是").filled(quoted(code)).en == f"{code} a"
    assert time.perf_counter() - start < 1
