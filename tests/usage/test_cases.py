"""What files use, and what a revision says of it (tests/cases/usage)."""

import re
from dataclasses import replace
from typing import Any

import pytest

from auditor.catalogues import Catalogue, History, Metric, Option, Place, Recorded, digest
from auditor.findings import Finding
from auditor.model import Revision
from auditor.usage import command_lines
from auditor.usage.defaults import is_same_default
from auditor.usage.documents import parsed
from auditor.usage.promql import Selected, UnreadableError, selected
from auditor.usage.reading import read
from auditor.usage.report import judged, log, vocabulary
from tests.support.catalogue_cases import Case, cases
from tests.support.chinese import CHINESE, is_chinese

_PLACE = Place("engine/metrics.py", 1, 1)


def _metric(name: str, type_: str, *labels: str, when: str | None = None, help_: str = "Something.") -> Metric:
    family = name.removesuffix("_total") if type_ == "counter" else name
    suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(type_, ("",))
    samples = tuple(family + suffix for suffix in suffixes)
    return Metric(name, family, samples, type_, labels, True, help_, None, when, None, _PLACE)


def _option(flag: str, default: Any, choices: tuple[str, ...] | None = None) -> Option:
    return Option("flag", (flag,), flag[2:], default, True, False, None, choices, None, False, None, None, (), _PLACE)


CATALOGUE = Catalogue(
    "app",
    Revision("pypi", "0.3"),
    (
        _metric("app:running", "gauge", "model"),
        _metric("app:used_perc", "gauge", "model", "tier", help_="How much of the pool is used."),
        _metric("app:served_total", "counter", "model"),
        _metric("app:latency_seconds", "histogram", "model"),
        _metric("app:lora", "gauge", "model", when="config.lora"),
    ),
    options=(
        _option("--port", 8000),
        _option("--size", 10240),
        _option("--mode", "safe", ("safe", "fast")),
        _option("--name", None),
        replace(_option("--fast", None), flags=("--fast", "--no-fast"), type="bool"),
    ),
)
HISTORY = History(
    "app",
    ("0.1", "0.3", "0.4"),
    {
        "app:newest": Recorded("app:newest", (("0.4", "0.4"),), "gauge"),
        "app:old_perc": Recorded(
            "app:old_perc", (("0.1", "0.1"),), "gauge", ("model", "tier"), (), digest("How much of the pool is used.")
        ),
        "app:dead": Recorded("app:dead", (("0.1", "0.1"),), "gauge", ("model",)),
    },
    {"--swap": Recorded("--swap", (("0.1", "0.1"),))},
)


_STARTS = re.compile(r"\b(?P<app>app)\s+serve\b|\b(?P<vllm_image>app)/image[:\w]*(?=[ \t]+--)")


@pytest.mark.parametrize("case", cases("usage/usages.md"), ids=str)
def test_usages(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_lines, "_STARTS", _STARTS)
    monkeypatch.setattr(command_lines, "_ENGINE", re.compile("app"))
    words = vocabulary([CATALOGUE])
    files = [read(path, text, words) for path, text in case.files.items()]
    findings = log(
        "metrics", files, judged(files, [CATALOGUE], {"app": HISTORY}), [CATALOGUE], "0", is_all=True
    ).findings
    assert tuple(sorted(_finding(one) for one in findings if one.message.en)) == tuple(sorted(case.expected))
    for one in findings:
        assert is_chinese(one.message.zh), one.message
        assert CHINESE.search(one.message.en) is None, one.message


def _finding(one: Finding) -> str:
    now = f" -> {one.replacement}" if one.replacement else ""
    return f"{one.path}:{one.span.line} {one.kind} {one.about}{now}"


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("up", [("up", ())]),
        ('a{b="c"} / on(d) e', [("a", ("b",)), ("e", ())]),
        ("sum by (x) (rate(a[$__interval]))", [("a", ("x",))]),
        ("sum by (x) (label_replace(a, 'x', '$1', 'y', '(.*)'))", [("a", ())]),
        ("topk($n, a{b=~'$b'})", [("a", ("b",))]),
        ("a[5m:$step] offset 1h", [("a", ())]),
    ],
)
def test_what_an_expression_selects(expression: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert selected(expression) == [Selected(*one) for one in found]


def test_a_regular_expression_of_names_is_a_pattern() -> None:
    assert selected('{__name__=~"app:.*", job="x"}') == [Selected("app:.*", ("job",), True)]


@pytest.mark.parametrize("expression", ["sum(", "(" * 300 + "a" + ")" * 300, "a" * 30_000])
def test_what_cannot_be_read_is_refused(expression: str) -> None:
    with pytest.raises(UnreadableError):
        selected(expression)


@pytest.mark.parametrize(
    ("text", "default", "is_same"),
    [
        ("10 * 1000 * 1000", 10_000_000, True),
        ("1e-6", 0.000001, True),
        ("-", None, True),
        ("auto", None, True),
        ("None", 0, False),
        ("True", True, True),
        ("1", True, True),
        ("false", True, False),
        ("`[1, 2]`".strip("`"), [1, 2], True),
        ("16", 16.0, True),
        ("16", 32, False),
        ("'mp'", "mp", True),
    ],
)
def test_ways_to_write_a_default(text: str, default: object, is_same: bool) -> None:
    assert is_same_default(text, default) is is_same


@pytest.mark.parametrize(
    "text", ["a: " + "[" * 200 + "]" * 200, "- &a [*a, *a]", "x: !!python/object:os.system {}", "\0"]
)
def test_hostile_yaml_ends_in_a_problem_or_a_plain_tree(text: str) -> None:
    found = parsed(text)
    assert found.problem is not None or found.documents


@pytest.mark.parametrize(
    "name", ["app:" + "a" * 100_000, "| --" + "x" * 100_000 + " | 1 |", "app serve --" + "y" * 50_000]
)
def test_a_name_that_no_person_would_write_takes_no_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_lines, "_STARTS", re.compile(r"\b(?P<app>app)\s+serve\b"))
    files = [
        read("notes.md", f"{name}\n", vocabulary([CATALOGUE])),
        read("x.json", f'{{"expr": "{name}"}}', vocabulary([CATALOGUE])),
    ]
    assert all(len(one.usage.name) < 1_000 for one in judged(files, [CATALOGUE], {"app": HISTORY}))
