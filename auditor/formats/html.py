"""One page on which a reviewer sees each claim beside the code that proves or refutes it."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from auditor.formats import Format, Show, urgency, values
from auditor.formats.pages import code, links, note, template, words
from auditor.model import AnchorState, BaselineState, Kind, Log, Result, Run, Text


class Html(Format):
    """One self-contained page: each claim beside its code, with filters and links that reproduce the view.

    It works from a file, without a network and without JavaScript.
    """

    def __init__(self, show: Show | None = None, *, home: str | None = None) -> None:
        super().__init__(show)
        self.home = home
        """The page that it belongs to."""

    def render(self, log: Log, *, color: bool = False) -> str:  # noqa: ARG002
        unique = _unique()
        page = template("report.html.j2", ("page.css", "report.css"), ("report.js",))
        return page.render(
            log=log,
            home=self.home,
            pages=[_page(run, self.results(run), unique) for run in sorted(log.runs, key=_is_about_no_code)],
            words=words,
            upstream=links.upstream,
            marks=code.marks,
            rows=code.rows,
            diff=code.diff,
            note=note.note,
            values=values,
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A result and the fragment of the URL that leads to it, which is empty where the page has only its name."""

    run: Run
    result: Result
    id: str = ""

    @property
    def needs_person(self) -> bool:
        return urgency(self.run, self.result) == 0

    @property
    def why(self) -> Text:
        """Why it needs a person."""
        if self.result.outdated is not None:
            return self.result.outdated
        return Text("a citation is lost", "有一处引用丢失") if self.result.lost else self.result.outcome.message

    @property
    def gist(self) -> Text | None:
        """What a reader is told before the claim is opened: why it does not simply hold."""
        if self.result.kind in (Kind.PASS, Kind.NOT_APPLICABLE) and not self.needs_person:
            return None
        accepted = self.result.claim.accepted
        return _cut(accepted.reason if accepted and self.result.is_suppressed else self.why)

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

    @property
    def label(self) -> str:
        """What it is called in the contents: its name, where it has no title."""
        return "" if self.entries[0].result.claim.section else self.name

    @property
    def title(self) -> Text:
        if (own := self.entries[0].result.claim.section) is not None:
            return own
        if re.match(r"[0-9]", self.name):
            return Text(f"Section {self.name}", f"第 {self.name} 节")
        return Text(self.name.replace("-", " ").capitalize() or "Claims", self.name or "论断")


@dataclass(frozen=True, slots=True)
class Page:
    """What is shown of one run."""

    run: Run
    id: str
    sections: tuple[Section, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The claims that are shown."""
        return tuple(entry for section in self.sections for entry in section.entries)

    @property
    def states(self) -> list[tuple[AnchorState, int]]:
        counted = Counter(found.state for result in self.run.results for found in result.citations)
        return [(state, counted[state]) for state in AnchorState if counted[state]]

    @property
    def since(self) -> dict[BaselineState, list[Entry]]:
        """The claims of which something else is to be said than of the baseline."""
        ids = {entry.result.claim.id: entry.id for entry in self.entries}
        everything = [Entry(self.run, one, ids.get(one.claim.id, "")) for one in self.run.results]
        everything += [Entry(self.run, one) for one in self.run.absent]
        found = {
            state: [entry for entry in everything if entry.result.baseline is state]
            for state in words.SINCE
            if state is not BaselineState.UNCHANGED
        }
        return {state: entries for state, entries in found.items() if entries}


def _unique() -> Callable[[str], str]:
    """Names elements: as wanted, but no two alike."""
    taken: Counter[str] = Counter()

    def unique(wanted: str) -> str:
        taken[wanted] += 1
        return wanted if taken[wanted] == 1 else f"{wanted}~{taken[wanted]}"

    return unique


def _is_about_no_code(run: Run) -> bool:
    """Whether the claims are about arithmetic, say: what a reader needs least comes last."""
    return run.revision.source == "pack"


def _page(run: Run, shown: list[Result], unique: Callable[[str], str]) -> Page:
    return Page(
        run,
        unique(f"{run.target.name}/"),
        tuple(
            Section(
                name,
                unique(f"{run.target.name}/{name}/"),
                tuple(Entry(run, result, unique(result.claim.id)) for result in results),
            )
            for name, results in groupby(sorted(shown, key=_order), _section)
        ),
    )


def _section(result: Result) -> str:
    parts = result.claim.id.split("/")
    return parts[1] if len(parts) > 2 else ""


def _order(result: Result) -> tuple[bool, list[int], str]:
    """Numbered sections as in a table of contents, then the others by name; the sort is stable."""
    name = _section(result)
    is_numbered = re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})*", name) is not None
    return not is_numbered, [int(part) for part in name.split(".")] if is_numbered else [], name


def _cut(text: Text) -> Text:
    def cut(said: str) -> str:
        return said if len(said) <= 240 else said[:240].rstrip() + " …"

    return Text(cut(text.en), cut(text.zh))
