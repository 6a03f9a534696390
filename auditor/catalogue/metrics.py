"""The metrics that a revision exports."""

from typing import TYPE_CHECKING

from auditor.catalogues import Metric, Place, Unresolved
from auditor.code import Undecidable
from auditor.code.idioms.exported_metrics import exported_metrics
from auditor.code.idioms.metric_calls import ExportedMetrics, UnresolvedMetric
from auditor.model import Location, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.model import Target


def metrics(codebase: "Codebase", target: "Target") -> tuple[tuple[Metric, ...], tuple[Unresolved, ...]]:
    """The metrics that the code under the target's `metrics` constructs, and what could not be resolved of it."""
    found, unread = _exported(codebase, set(_paths(codebase, target)))
    return (
        tuple(
            Metric(
                one.name,
                one.family,
                one.samples,
                one.type,
                one.labels,
                one.are_labels_known,
                one.help,
                one.unit,
                one.when,
                one.mode,
                place_of(one.location),
            )
            for one in found.metrics
        ),
        tuple(Unresolved(one.reason, place_of(one.location)) for one in (*found.unresolved, *unread)),
    )


def _exported(codebase: "Codebase", paths: set[str]) -> "tuple[ExportedMetrics, list[UnresolvedMetric]]":
    """The metrics that some files construct, but for those that cannot be read or parsed, which are given too."""
    unread: dict[str, Text] = {}
    while True:
        try:
            found = exported_metrics(codebase, paths - unread.keys())
            return found, [UnresolvedMetric(unread[path], Location(path)) for path in sorted(unread)]
        except Undecidable:
            more = {path: why.reason for path in paths - unread.keys() if (why := codebase.unreadable(path))}
            if not more:
                raise
            unread |= more


def _paths(codebase: "Codebase", target: "Target") -> list[str]:
    without = tuple(one[1:] for one in target.metrics if one.startswith("!"))
    folders = [one for one in target.metrics if not one.startswith("!")]
    found = {path for folder in folders for path in codebase.python_under(folder, without)}
    return sorted(path for path in found if not path.startswith(without))


def place_of(location: "Location") -> Place:
    """A place of code as lines: of a whole file, its first."""
    region = location.region
    return Place(location.path, region.start, region.end) if region else Place(location.path, 1, 1)
