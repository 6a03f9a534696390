"""The index of a site: recorded revisions, and where the pages of the latest audits are."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from auditor.formats.pages import template, words
from auditor.formats.pages.links import upstream
from auditor.formats.pages.timeline import Course, Row, courses, names
from auditor.model import BaselineState, Interval, Log, Run

TIMELINE = "timeline.html"


@dataclass(frozen=True, slots=True)
class Report:
    """A saved run, and the name of its page."""

    log: Log
    name: str

    @property
    def page(self) -> str:
        """Where its page is in the site."""
        return f"audits/{self.name}.html"

    @property
    def data(self) -> str:
        """Where the run itself is."""
        return f"audits/{self.name}.json"


def named(latest: Sequence[Log]) -> Iterator[Report]:
    """Saved runs with names that no two share, and that every file system and URL takes as they are."""
    taken: Counter[str] = Counter()
    for log in latest:
        called = "_".join(f"{run.target.name}-{names([run])[0]}" for run in log.runs)
        name = re.sub(r"[^a-z0-9._-]+", "-", called.lower()).strip(".-")[:100] or "audit"
        taken[name] += 1
        yield Report(log, name if taken[name] == 1 else f"{name}~{taken[name]}")


def render(recorded: Log, reports: Sequence[Report]) -> str:
    """The index; `recorded` is a log as `courses` takes it."""
    return template("site.html.j2", ("page.css", "site.css")).render(
        log=recorded,
        reports=reports,
        courses=tuple(courses(recorded)),
        timeline=TIMELINE,
        words=words,
        upstream=upstream,
        names=names,
        changed=changed,
        steps=steps,
    )


def steps(course: Course, row: Row) -> Iterator[Interval[str]]:
    """What the revisions of a course say of a claim."""
    points = [(name, cell.kind) for name, cell in zip(names(course.runs), row.cells, strict=True) if cell]
    for kind, run in groupby(points, key=lambda point: point[1]):
        called = [name for name, _ in run]
        yield Interval(kind, called[0], called[-1])


def changed(run: Run) -> list[tuple[BaselineState, int]]:
    """How many claims came out differently than in the revision before."""
    counted = Counter(result.baseline for result in [*run.results, *run.absent])
    return [(state, counted[state]) for state in words.SINCE if counted[state] and state is not BaselineState.UNCHANGED]
