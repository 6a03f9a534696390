"""The timeline's page: a heat map of claims and revisions, with what changed under each cell."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from auditor.formats import visible
from auditor.formats.pages import template, words
from auditor.formats.pages.links import upstream
from auditor.formats.pages.words import KINDS
from auditor.model import BaselineState, Claim, Kind, Location, Log, Outcome, Result, Run, Target, Text


@dataclass(frozen=True, slots=True)
class Row:
    """A claim at each revision; None where a revision has nothing of it."""

    claim: Claim
    cells: tuple[Result | None, ...]

    @property
    def is_steady(self) -> bool:
        return len({cell and cell.kind for cell in self.cells}) == 1


@dataclass(frozen=True, slots=True)
class Course:
    """The revisions of a target, oldest first: all releases, or all commits. Each but the first has a baseline."""

    target: Target
    runs: tuple[Run, ...]
    rows: tuple[Row, ...]

    @property
    def title(self) -> Text:
        """What is in a course, and how much of it."""
        number, zh = len(self.runs), "次提交" if self.runs[0].revision.commit else "个发布版"
        return Text(f"{number} {self.what}", f"{number} {zh}")

    @property
    def what(self) -> str:
        one = "commit" if self.runs[0].revision.commit else "release"
        return one if len(self.runs) == 1 else f"{one}s"

    @property
    def differing(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not row.is_steady)

    @property
    def steady(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.is_steady)

    def steady_counts(self) -> list[tuple[Kind, int]]:
        """How many of the steady ones are of each kind."""
        counted = Counter(row.cells[0].kind for row in self.steady if row.cells[0])
        return [(kind, counted[kind]) for kind in Kind if counted[kind]]


def courses(log: Log) -> Iterator[Course]:
    """The courses of a log whose runs are sorted by their targets, and of each oldest first."""
    for _, several in groupby(log.runs, key=lambda run: (run.target.name, run.revision.commit is not None)):
        runs = tuple(several)
        results = [{result.claim.id: result for result in run.results} for run in runs]
        claims = {result.claim.id: result.claim for run in runs for result in run.results}
        rows = (Row(claims[one], tuple(of_run.get(one) for of_run in results)) for one in sorted(claims))
        yield Course(runs[0].target, runs, tuple(rows))


@dataclass(frozen=True, slots=True)
class CellChange:
    """What differs at a cell from the revision before: sentences, and where the code is."""

    lines: tuple[Text, ...]
    place: Location | None


def cell_change(result: Result) -> CellChange | None:
    """None where nothing differs that a reader would ask about."""
    state, before, after = result.baseline, result.earlier, result.outcome
    if state not in (BaselineState.NEW, BaselineState.RESOLVED, BaselineState.UPDATED):
        return None
    lines = [] if before is None else list(_changed(before, after))
    if after.message.en:
        lines.append(Text(visible(after.message.en, 400), visible(after.message.zh, 400)))
    return CellChange(
        tuple(lines) or (Text("lines cited are lost", "引用的行丢失"),), after.locations[0] if after.locations else None
    )


def _changed(before: Outcome, after: Outcome) -> Iterator[Text]:
    if before.kind is not after.kind:
        yield Text("{} → {}", "{} → {}").filled(KINDS[before.kind], KINDS[after.kind])
    for what, field in ((Text("expected", "预期"), "expected"), (Text("actual", "实际"), "actual")):
        one, other = value(getattr(before, field)), value(getattr(after, field))
        if one != other:
            yield Text("{} {} → {}", "{} {} → {}").filled(what, one, other)
    places = [str(outcome.locations[0]) if outcome.locations else None for outcome in (before, after)]
    if places[0] != places[1]:
        yield Text("code was at {}", "代码原在 {}").filled(places[0] or Text("no place", "别处"))
    if before.fingerprint != after.fingerprint:
        yield Text("the code differs", "代码有变")


def value(given: object) -> str:
    """A value of a record; of code there is only a digest in it."""
    if isinstance(given, str) and given.startswith("#"):
        return f"code {given}"
    return visible(given if isinstance(given, str) else repr(given), 120)


def render(log: Log, home: str | None = None) -> str:
    """The page of a log as `courses` takes it; `home` is the page that it belongs to."""
    return template("timeline.html.j2", ("page.css", "timeline.css")).render(
        log=log,
        courses=tuple(courses(log)),
        name=_name,
        upstream=upstream,
        cell_change=cell_change,
        words=words,
        home=home,
    )


def _name(run: Run) -> str:
    revision = run.revision
    return revision.name[:10] if revision.name == revision.commit else revision.name


def names(runs: Sequence[Run]) -> list[str]:
    """What a person calls revisions."""
    return [_name(run) for run in runs]
