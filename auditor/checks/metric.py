"""The check `metric`."""

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.checks import Check, Wanting
from auditor.code.flow.string_values import GAP, may_match, readable
from auditor.code.idioms.prometheus import metrics, unresolved_metrics
from auditor.code.phrases import OR, THEN, listed, quoted
from auditor.code.program.self_calls import with_called_methods
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.idioms.prometheus import Metric as Found
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class Metric(Check):
    """A Prometheus metric is constructed, or a series scraped, under the stated name.

    *What it checks.* A metric whose constructor is given `name` is made inside `at`, or in a method that it calls;
    `series` is the name as a scrape shows it: a counter's gains `_total`, a histogram's `_bucket`, `_sum`, `_count`.
    Names are followed through tables, locals, parameters and helpers; where one cannot be worked out and may be it, the
    claim is `open`. The attribute that holds a metric does not matter. When there is none, the message names the
    nearest that exists. One that is made only under a condition is `review`, with the condition.

    *Parameters.* `name`, `series`, or both; `type` (optional): counter, gauge, histogram, summary, info or enum.

    *中文。* 以所述的名称构造了 Prometheus 指标，或由此抓取到该序列。

    *Example.*

        check: metric
        at: vllm/v1/metrics/loggers.py
        name: vllm:num_preemptions
        type: counter
    """

    at: Anchor
    name: str | None = None
    series: str | None = None
    type: Literal["counter", "gauge", "histogram", "summary", "info", "enum"] | None = None

    def problems(self) -> Iterator[str]:
        if self.name is None and self.series is None:
            yield "give a name, a series, or both"

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        found = _of(definition, metrics)
        named = [metric for metric in found if self._is_named(metric)]
        same = [metric for metric in named if self.type in (None, metric.type)]
        expected = f"{self.type or 'metric'} {self.name or self.series}"
        fingerprint = definition.fingerprint
        untold = [metric for metric in found if metric.type is None and (self.series or "").startswith(metric.family)]
        if not named and untold and self.name in (None, untold[0].name):
            message = Text(
                f"the type of {untold[0].name} cannot be told, nor whether it is scraped as {self.series}",
                f"无法判断 `{untold[0].name}` 的类型，也无法判断它抓取时是否名为 `{self.series}`",
            )
            return Outcome(Kind.OPEN, message, expected, None, (untold[0].location,), fingerprint)
        unresolved = [metric for metric in _of(definition, unresolved_metrics) if self._may_be(metric)]
        if not named and unresolved:
            message = Text("{} makes a metric whose name cannot be told: {}", "{} 创建了名称无法判断的指标：{}")
            shown_name = quoted(readable(unresolved[0].family))
            message = message.filled(quoted(definition.name), shown_name)
            return Outcome(Kind.OPEN, message, expected, None, (unresolved[0].location,), fingerprint)
        if not named:
            wanted, is_series = self.name or self.series or "", self.name is None
            of_type = [metric for metric in found if self.type in (None, metric.type)]
            near = _nearest(wanted, of_type, is_series=is_series) or _nearest(wanted, found, is_series=is_series)
            message = Text("no metric in {} is scraped as {}", "{} 中没有抓取时名为 {} 的指标")
            if self.name:
                message = Text("no metric in {} is named {}", "{} 中没有名为 {} 的指标")
            message = message.filled(quoted(definition.name), quoted(wanted))
            if near:
                message += Text("; the nearest is {}", "；最接近的是 {}").filled(_described(near))
            where = (near.location if near else definition.location,)
            actual = (near.name if self.name else ", ".join(near.series)) if near else None
            return Outcome(Kind.FAIL, message, expected, actual, where, fingerprint)
        shown = same or named
        made = THEN.join(dict.fromkeys(map(_described, shown)))
        message = Text("{} has the {}", "{} 中有 {}").filled(quoted(definition.name), made)
        locations = tuple(metric.location for metric in shown)
        if not same and any(metric.type is None for metric in named):
            kind = Kind.OPEN
            message += Text(", whose type cannot be told", "，但无法判断其类型")
        elif not same:
            kind = Kind.FAIL
            message += Text(f", not a {self.type}", f"，而不是 {self.type}")
        elif not any(metric.is_called for metric in same):
            kind = Kind.REVIEW
            message += Text(", in a function that nothing calls", "，但所在的函数没有被任何代码调用")
        elif all(metric.guard for metric in same if metric.is_called):
            kind = Kind.REVIEW
            guards = OR.join(quoted(guard) for guard in dict.fromkeys(one.guard for one in same if one.is_called))
            message += Text(", only if {}", "，仅当 {} 时").filled(guards)
        else:
            kind = Kind.PASS
        return Outcome(kind, message, expected, ", ".join(shown[0].series) or shown[0].name, locations, fingerprint)

    def wanting(self, outcome: Outcome) -> Wanting | None:
        wanted = self.name or self.series or ""
        found = str(outcome.actual or "").split(", ")
        return None if any(one.startswith(wanted) for one in found) else Wanting(frozenset({_word(wanted)}))

    def _may_be(self, metric: "Found") -> bool:
        """Whether a metric of which only a part of the name is known may be the one."""
        if self.type not in (None, metric.type) and metric.type is not None:
            return False
        if self.name is not None:
            return may_match(self.name, metric.name)
        return any(may_match(self.series or "", one) for one in metric.series or (f"{metric.family}{GAP}",))

    def _is_named(self, metric: "Found") -> bool:
        return self.name in (None, metric.name) and (self.series is None or self.series in metric.series)


_DEPTH = 2
"""Calls of own methods that are followed from a function."""


def _of(definition: "Definition", make: "Callable[[Definition], tuple[Found, ...]]") -> "list[Found]":
    """The metrics of a definition; of a function, those of the own methods that it calls too."""
    found = list(make(definition))
    called = with_called_methods(definition, _DEPTH)[1:] if definition.symbol else ()
    for body in called:
        every = make(definition.codebase.whole(body.path))
        found += [one for one in every if one.location.region and body.region.contains(one.location.region)]
    return found


def _word(name: str) -> str:
    """The last word of a name, as code that puts the name together writes it: without what scraping appends."""
    return name.rpartition(":")[2].removesuffix("_total")


def _described(metric: "Found") -> Text:
    type_, scraped = metric.type or "metric", ", ".join(metric.series)
    described = Text(f"{type_} {metric.name}", f"{metric.type or '指标'} `{metric.name}`")
    if scraped != metric.name:
        described += Text(", scraped as {}", "，抓取时名为 {}").filled(listed(map(quoted, metric.series)))
    return described


def _nearest(name: str, found: Sequence["Found"], *, is_series: bool) -> "Found | None":
    names = {series: metric for metric in found for series in (metric.series if is_series else (metric.name,))}
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return names[near[0]] if near else None
