"""The check `metric-help`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.flow.string_values import is_match, readable, string_values
from auditor.code.idioms.prometheus import metrics
from auditor.code.phrases import quoted
from auditor.code.syntax.term import Term
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class MetricHelp(Check):
    """The help of a Prometheus metric says something.

    *What it checks.* The metric `name` that `at` makes has a help with the words of `text` in it, `...` standing for
    anything between them; white space does not matter. Text put together from literals is followed. Where a part of
    the help is not static and the words are not in the rest, it is `open`.

    *Parameters.* `name`: as the constructor is given it; `text`.

    *中文。* Prometheus 指标的帮助文字里有所述的话。

    *Example.*

        check: metric-help
        at: vllm/v1/metrics/loggers.py
        name: vllm:kv_cache_usage_perc
        text: 1 means 100 percent usage
    """

    at: Anchor
    name: str
    text: str

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        found = [metric.location for metric in metrics(definition) if self.name in (metric.name, metric.family)]
        if not found:
            message = Text("{} makes no metric {}", "{} 没有创建指标 {}")
            raise Undecidable(message.filled(quoted(definition.name), quoted(self.name)))
        texts = [(text, place) for place in found for text in _help(definition, place)]
        same = [one for one in texts if is_match(f"...{self.text}...", one[0])]
        others = [one for one in texts if one not in same]
        first = (others or same)[0]
        shown = readable(first[0])
        message = Text("the help of {} is {}", "{} 的帮助文本是 {}").filled(quoted(self.name), quoted(repr(shown)))
        kind = Kind.PASS if not others else Kind.REVIEW if same else Kind.FAIL
        if kind is Kind.FAIL and shown != first[0]:
            kind = Kind.OPEN
            message += Text(", part of which is not static", "，其中一部分不是静态的")
        places = tuple(dict.fromkeys(place for _, place in (*others, *same)))
        return Outcome(kind, message, self.text, shown, places, definition.fingerprint)


def _help(definition: "Definition", place: Location) -> list[str]:
    """What the help of a metric can be. Raises Undecidable for one without."""
    for call in definition.code.by_type.get("Call", ()):
        if definition.location_of(call) == place and (term := _documentation(call)) is not None:
            return [value.text for value in string_values(term)]
    raise Undecidable(Text("{}: its help cannot be told", "{}：无法得知它的帮助文本").filled(place))


def _documentation(call: Term) -> Term | None:
    keywords = {one.text("name"): one.term("value") for one in call.terms("keywords")}
    args = call.terms("args")
    return keywords.get("documentation") or (args[1] if len(args) > 1 else None)
