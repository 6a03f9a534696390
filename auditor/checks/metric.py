"""The check `metric`."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.checks import Check
from auditor.code.metrics import metrics
from auditor.model import Anchor, Kind, Outcome

if TYPE_CHECKING:
    from auditor.code.codebase import Codebase
    from auditor.code.metrics import Metric as Found


@dataclass(frozen=True, kw_only=True)
class Metric(Check):
    """A Prometheus metric is constructed, or a series scraped, under the stated name.

    *What it checks.* A metric whose constructor is given `name` is made inside `at`; `series` is the name as a scrape
    shows it: a counter's gains `_total`, a histogram's `_bucket`, `_sum`, `_count`. The attribute that holds a metric
    does not matter. When there is none, the message names the nearest that exists. One that is made only under a
    condition is `review`, with the condition.

    *Parameters.* `name`, `series`, or both; `type` (optional): counter, gauge, histogram, summary, info or enum.

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

    def run(self, code: "Codebase") -> Outcome:
        definition = code.locate(self.at)
        found = list(metrics(definition))
        named = [metric for metric in found if self._is_named(metric)]
        same = [metric for metric in named if self.type in (None, metric.type)]
        expected = f"{self.type or 'metric'} {self.name or self.series}"
        fingerprint = definition.fingerprint
        untold = [metric for metric in found if metric.type is None and (self.series or "").startswith(metric.family)]
        if not named and untold and self.name in (None, untold[0].name):
            message = f"the type of {untold[0].name} cannot be told, nor whether it is scraped as {self.series}"
            return Outcome(Kind.OPEN, message, expected, None, (untold[0].location,), fingerprint)
        if not named:
            wanted, is_series = self.name or self.series or "", self.name is None
            of_type = [metric for metric in found if self.type in (None, metric.type)]
            near = _nearest(wanted, of_type, is_series=is_series) or _nearest(wanted, found, is_series=is_series)
            hint = f"; the nearest is {_described(near)}" if near else ""
            what = f"no metric in {definition.name} is " + ("named" if self.name else "scraped as")
            where = (near.location if near else definition.location,)
            actual = (near.name if self.name else ", ".join(near.series)) if near else None
            return Outcome(Kind.FAIL, f"{what} {self.name or self.series}{hint}", expected, actual, where, fingerprint)
        shown = same or named
        message = "; ".join(dict.fromkeys(map(_described, shown)))
        locations = tuple(metric.location for metric in shown)
        if not same:
            unresolved = any(metric.type is None for metric in named)
            kind = Kind.OPEN if unresolved else Kind.FAIL
            message += f", {'whose type cannot be told' if unresolved else f'not a {self.type}'}"
        elif all(metric.guard for metric in same):
            kind = Kind.REVIEW
            message += f", only if {' or '.join(dict.fromkeys(metric.guard or '' for metric in same))}"
        else:
            kind = Kind.PASS
        return Outcome(kind, message, expected, ", ".join(shown[0].series) or shown[0].name, locations, fingerprint)

    def _is_named(self, metric: "Found") -> bool:
        return self.name in (None, metric.name) and (self.series is None or self.series in metric.series)


def _described(metric: "Found") -> str:
    scraped = ", ".join(metric.series)
    return f"{metric.type or 'metric'} {metric.name}" + (f", scraped as {scraped}" if scraped != metric.name else "")


def _nearest(name: str, found: Sequence["Found"], *, is_series: bool) -> "Found | None":
    names = {series: metric for metric in found for series in (metric.series if is_series else (metric.name,))}
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return names[near[0]] if near else None
