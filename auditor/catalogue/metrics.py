"""The metrics that a revision exports."""

from typing import TYPE_CHECKING

from auditor.catalogues import Metric, Place, Unresolved
from auditor.code.idioms.exported_metrics import exported_metrics

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.model import Location, Target


def metrics(codebase: "Codebase", target: "Target") -> tuple[tuple[Metric, ...], tuple[Unresolved, ...]]:
    """The metrics that the code under the target's `metrics` constructs, and what could not be resolved of it."""
    found = exported_metrics(codebase, _paths(codebase, target))
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
        tuple(Unresolved(one.reason, place_of(one.location)) for one in found.unresolved),
    )


def _paths(codebase: "Codebase", target: "Target") -> list[str]:
    without = tuple(one[1:] for one in target.metrics if one.startswith("!"))
    folders = [one for one in target.metrics if not one.startswith("!")]
    found = {path for folder in folders for path in codebase.python_under(folder, without)}
    return sorted(path for path in found if not path.startswith(without))


def place_of(location: "Location") -> Place:
    """A place of code as lines: of a whole file, its first."""
    region = location.region
    return Place(location.path, region.start, region.end) if region else Place(location.path, 1, 1)
