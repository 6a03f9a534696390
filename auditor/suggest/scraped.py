"""The suggester `scraped`."""

from collections.abc import Iterator

from auditor.checks.metric import Metric
from auditor.code.idioms.prometheus import metrics
from auditor.code.phrases import ticked
from auditor.model import Anchor, Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_IS = Text("{} is a {}.", "{} 是 {}。")


class Scraped(Suggester):
    """Prometheus metrics, with their type."""

    rank = 1

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        at = Anchor(lines.path)
        for metric in metrics(lines.codebase.whole(lines.path)):
            region = metric.location.region
            if region is not None and region.overlaps(lines.region) and metric.type:
                check = Metric(at=at, name=metric.name, type=metric.type)
                yield Suggestion(check, _IS.filled(ticked(metric.name), ticked(metric.type)))
