"""One page on which a reviewer sees each claim beside the code that proves or refutes it."""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from auditor.formats import Format, values
from auditor.model import AnchorState, Citation, Excerpt, Kind, Location, Log, Region, Result, Run

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = Path(__file__).parent / "templates"

MEANINGS = {
    Kind.PASS: "hold",
    Kind.FAIL: "contradicted by the code",
    Kind.REVIEW: "hold with a qualification",
    Kind.OPEN: "could not be decided",
    Kind.NOT_APPLICABLE: "do not speak of this revision",
}
SYMBOLS = {Kind.PASS: "✓", Kind.FAIL: "✕", Kind.REVIEW: "±", Kind.OPEN: "?", Kind.NOT_APPLICABLE: "–"}
STATES = {
    AnchorState.EXACT: "the code is there as cited",
    AnchorState.INSIDE: "the code is within these lines",
    AnchorState.SHIFTED: "the code has shifted",
    AnchorState.MOVED: "the code has moved to another file",
    AnchorState.LOST: "the code is nowhere in this revision",
    AnchorState.UNAVAILABLE: "this source does not ship the file",
}


class Html(Format):
    """One self-contained page: each claim beside its code, with filters and links that reproduce the view.

    It works from a file, without a network and without JavaScript.
    """

    def render(self, log: Log, *, color: bool = False) -> str:  # noqa: ARG002
        return _template().render(log=log, pages=_pages(log))


@dataclass(frozen=True, slots=True)
class Entry:
    """A result and the fragment of the URL that leads to it."""

    result: Result
    id: str

    @property
    def needs_person(self) -> bool:
        return not self.result.is_as_recorded()

    @property
    def why(self) -> str:
        """Why it needs a person."""
        accepted = self.result.claim.accepted
        if accepted and self.result.is_acceptance_stale:
            return f"accepted as {accepted.kind}, but it is {self.result.kind} now"
        return "a citation is lost" if self.result.lost else self.result.outcome.message

    @property
    def displaced(self) -> list[AnchorState]:
        """How citations are out of place, each way once."""
        states = {found.state for found in self.result.citations}
        return [state for state in AnchorState if state in states and not state.is_in_place]


@dataclass(frozen=True, slots=True)
class Section:
    """The claims about one section of the article: the second part of their ids."""

    name: str
    id: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What is shown of one run."""

    run: Run
    id: str
    sections: tuple[Section, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for section in self.sections for entry in section.entries)

    @property
    def accepted(self) -> Counter[Kind]:
        return Counter(result.kind for result in self.run.results if result.is_suppressed)

    @property
    def states(self) -> list[tuple[AnchorState, int]]:
        counted = Counter(found.state for result in self.run.results for found in result.citations)
        return [(state, counted[state]) for state in AnchorState if counted[state]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an excerpt; `marks` are classes of the style sheet."""

    number: int
    text: str
    marks: str


def _pages(log: Log) -> list[Page]:
    taken: Counter[str] = Counter()

    def unique(wanted: str) -> str:
        taken[wanted] += 1
        return wanted if taken[wanted] == 1 else f"{wanted}~{taken[wanted]}"

    pages = []
    for run in log.runs:
        page = unique(f"{run.target.name}/")
        sections = tuple(
            Section(
                name,
                unique(f"{run.target.name}/{name}/"),
                tuple(Entry(result, unique(result.claim.id)) for result in results),
            )
            for name, results in groupby(run.results, _section)
        )
        pages.append(Page(run, page, sections))
    return pages


def _section(result: Result) -> str:
    parts = result.claim.id.split("/")
    return parts[1] if len(parts) > 1 else ""


def _ref(run: Run) -> str | None:
    """What the repository calls this revision; None where nobody can know."""
    if run.revision.commit:
        return run.revision.commit
    # NOTE: not str.format, which would let a pack reach into objects.
    return run.target.tag.replace("{version}", run.revision.name) if run.revision.source == "pypi" else None


def _upstream(run: Run, place: Location | Citation | None = None) -> str | None:
    """The URL of a place, or of the whole revision, where it can be read in a browser."""
    ref = _ref(run)
    repository = run.target.repository or ""
    try:
        url = urlsplit(repository)
    except ValueError:
        return None
    if ref is None or url.scheme not in ("http", "https") or not url.hostname:
        return None
    base, at = repository.rstrip("/").removesuffix(".git"), _quoted(ref)
    if place is None:
        return f"{base}/tree/{at}"
    lines = ""
    if place.region is not None:
        start, end = place.region.start, place.region.end
        lines = f"#L{start}" if start == end else f"#L{start}-L{end}"
    return f"{base}/blob/{at}/{_quoted(place.path)}{lines}"


def _marks(result: Result, excerpt: Excerpt) -> dict[str, list[Region]]:
    """Which lines of an excerpt the article cites, where its code is, and what decided the claim."""
    places: dict[str, list[Location | Citation]] = {
        "cited": [found.citation for found in result.citations],
        "found": [found.found for found in result.citations if found.found],
        "evidence": list(result.outcome.locations),
    }
    shown = Region(excerpt.start, excerpt.start + len(excerpt.lines) - 1)
    return {
        mark: regions
        for mark, all_places in places.items()
        if (
            regions := sorted(
                {
                    place.region
                    for place in all_places
                    if place.path == excerpt.path and place.region and place.region.overlaps(shown)
                }
            )
        )
    }


def _lines(result: Result, excerpt: Excerpt) -> Iterator[Line]:
    marks = _marks(result, excerpt)
    margin = min((len(text) - len(text.lstrip()) for text in excerpt.lines if text.strip()), default=0)
    for number, text in enumerate(excerpt.lines, excerpt.start):
        line = Region(number, number)
        yield Line(
            number, text[margin:], " ".join(mark for mark in marks if any(line.overlaps(at) for at in marks[mark]))
        )


def _visible(text: str) -> str:
    """`text` with an escape for whatever would reorder or hide what a reader sees, or cannot be UTF-8."""
    return "".join(char if char.isprintable() or char in "\n\t\u3000\xa0" else ascii(char)[1:-1] for char in text)


def _fragment(element: str) -> str:
    return "#" + _quoted(_visible(element))


def _quoted(text: str) -> str:
    return quote(text, safe="/~", errors="replace")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _template() -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup, escape

    environment = Environment(
        autoescape=True,
        finalize=lambda value: value if isinstance(value, Markup) else _visible(str(value)),
        loader=FileSystemLoader(TEMPLATES),
        lstrip_blocks=True,
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    style = (TEMPLATES / "report.css").read_text("utf-8")
    script = (TEMPLATES / "report.js").read_text("utf-8")
    environment.globals |= {
        "Kind": Kind,
        "meanings": MEANINGS,
        "symbols": SYMBOLS,
        "states": STATES,
        "style": Markup(style),
        "script": Markup(script),
        "style_digest": _digest(style),
        "script_digest": _digest(script),
        "upstream": _upstream,
        "marks": _marks,
        "lines": _lines,
        "values": values,
    }
    environment.filters |= {
        "breakable": lambda place: Markup(escape(_visible(str(place))).replace("/", Markup("/<wbr>"))),
        "fragment": _fragment,
    }
    return environment.get_template("report.html.j2")
