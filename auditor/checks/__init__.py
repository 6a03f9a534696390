"""What can be decided about code. One module is one check, and its name is the rule."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from auditor.code import Undecidable
from auditor.code.matching.notation import Constant, Formula, Pattern, Place, Regex
from auditor.code.matching.plain_calls import with_plain_calls
from auditor.code.matching.vacuity import is_tautology, matches_everything, matches_no_name
from auditor.code.phrases import quoted
from auditor.code.program.self_calls import overridden_member
from auditor.model import Anchor, Kind, Location, Outcome, Rule, Text
from auditor.registry import Plugin, discover

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, slots=True)
class Wanting:
    """Code that a check looked for and did not find."""

    names: frozenset[str] = frozenset()
    """Names without which it cannot be there."""
    is_nowhere: bool = False
    """Whether the whole package was searched for it."""


@dataclass(frozen=True, kw_only=True)
class Check(Plugin, ABC):
    """One question to the code. Its fields are the keys that a claim gives it; those without a default are required."""

    is_of_existence: ClassVar[bool] = False
    """Whether it asks only that `at` is there, which an inherited definition is."""

    def problems(self) -> Iterator[str]:
        """What is wrong with the fields taken together."""
        yield from ()

    def anchors(self) -> Iterator[Anchor]:
        """Every place in code that its fields name, in their order: `at`, `only`, steps, a nested check's own."""
        for one in fields(self):
            yield from _named(getattr(self, one.name))

    def subjects(self) -> Iterator[Anchor]:
        """Those of the anchors without which it has nothing to look at: `at`, of it and of what is nested in it."""
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Check):
                yield from value.subjects()
            elif not isinstance(value, Mapping) and not _are_places(value):
                yield from _named(value)

    def vacuities(self) -> Iterator[Text]:
        """Why an answer would prove nothing, whatever the code is: a word that can be no name, `when: True`."""
        for one in fields(self):
            for value in _items(getattr(self, one.name)):
                yield from _vacuous(one.name, value)
        scope, left_out = getattr(self, "scope", ()), getattr(self, "except_", ()) + _places(getattr(self, "only", ()))
        if scope and all(any(_covers(place, path) for place in left_out) for path in scope):
            yield Text("what is allowed or left out is the whole scope", "排除或允许的部分就是整个范围")

    @abstractmethod
    def run(self, codebase: "Codebase") -> Outcome:
        """What the code answers. Raises Undecidable."""

    def wanting(self, outcome: Outcome) -> Wanting | None:  # noqa: ARG002
        """What it failed for want of, where that alone is why.

        None where there is another witness: another value, a place where the code should not be. In a release that is
        older than the pinned one, what is wanting refutes nothing (`auditor.engine.older_releases`).
        """
        return None

    def audit(self, codebase: "Codebase") -> Outcome:
        """What the code answers, worked out once; `open`, with the reason, where no static reading tells."""
        return codebase.memoized(("audited", _identity(self)), lambda: self._audited(codebase))

    def answered(self, codebase: "Codebase") -> "Outcome | Undecidable":
        """What `run` returns or raises, worked out once."""

        def answer() -> Outcome | Undecidable:
            try:
                return self.run(codebase)
            except Undecidable as reason:
                return reason

        return codebase.memoized(("answered", _identity(self)), answer)

    def _audited(self, codebase: "Codebase") -> Outcome:
        try:
            outcome = self._of_inherited(self.run(codebase), codebase)
        except Undecidable as reason:
            return Outcome(Kind.OPEN, reason.reason)
        if outcome.kind.holds and (why := next(self.vacuities(), None)):
            proves = Text("; that proves nothing: {}", "；但这证明不了什么：{}").filled(why)
            return replace(outcome, kind=Kind.OPEN, message=outcome.message + proves)
        return outcome

    def _of_inherited(self, outcome: Outcome, codebase: "Codebase") -> Outcome:
        """What holds in a base's method need not in the class: it may have another of what the method calls."""
        at = getattr(self, "at", None)
        is_decided = outcome.kind in (Kind.PASS, Kind.FAIL, Kind.REVIEW) and not self.is_of_existence
        base = codebase.inherited(at) if isinstance(at, Anchor) and (is_decided or outcome.kind is Kind.PASS) else None
        if base is None or base.symbol is None or base.symbol.type != "function":
            return outcome
        if is_decided and isinstance(at, Anchor) and (other := overridden_member(base, at)) is not None:
            otherwise = _ANOTHER.filled(quoted(base.name), quoted(other))
            return replace(outcome, kind=Kind.OPEN, message=outcome.message + otherwise)
        if outcome.kind is not Kind.PASS:
            return outcome
        inherited = Text("; it is inherited from {}", "；它继承自 {}").filled(quoted(base.name))
        kind = Kind.PASS if self.is_of_existence else Kind.REVIEW
        return replace(outcome, kind=kind, message=outcome.message + inherited)


def _identity(value: object) -> Hashable:
    """Equal for what claims write the same: many share a check."""
    if isinstance(value, Pattern | Regex | Constant | Formula):
        return type(value), value.text
    if isinstance(value, Place):
        return value.anchor
    if isinstance(value, tuple):
        return tuple(map(_identity, value))
    if isinstance(value, Mapping):
        return tuple((key, _identity(item)) for key, item in value.items())
    if is_dataclass(value):  # a check, a step
        return type(value), *(_identity(getattr(value, one.name)) for one in fields(value))
    return type(value), value


_ANOTHER = Text(
    "; it is inherited from {}, and uses {}, which is another one here",
    "；它继承自 {}，而它用到的 {} 在此处是另一个",
)


def _named(value: object) -> Iterator[Anchor]:
    """The places that a field's value names."""
    match value:
        case Anchor():
            yield value
        case Place(anchor=anchor):
            yield anchor
        case Check():
            yield from value.anchors()
        case tuple():
            for item in value:
                yield from _named(item)
        case Mapping():
            for item in value.values():
                yield from _named(item)
        case _ if hasattr(value, "at"):  # a step
            yield from _named(value.at)


def _items(value: object) -> Iterator[object]:
    """A field's value, or each of several."""
    if isinstance(value, tuple):
        yield from value
    elif isinstance(value, Mapping):
        yield from value.values()
    else:
        yield value


def _vacuous(name: str, value: object) -> Iterator[Text]:
    """Why one value of a field says nothing."""
    match value:
        case Check():
            yield from value.vacuities()
        case Regex() if matches_no_name(value, is_dotted=name not in ("word", "parameter", "field")):
            yield Text("no name can match {}", "没有名字能与 {} 匹配").filled(quoted(value))
        case Pattern() if name == "when" and is_tautology(value):
            yield Text("the condition {} always holds", "条件 {} 恒成立").filled(quoted(value))
        case Pattern() if matches_everything(value):
            yield Text("{} matches everything", "{} 与一切都匹配").filled(quoted(value))


def _places(value: object) -> tuple[Place, ...]:
    return tuple(one for one in value if isinstance(one, Place)) if isinstance(value, tuple) else ()


def _covers(place: Place, path: str) -> bool:
    """Whether a folder or file, named as such, holds all of another."""
    own = place.anchor.path.rstrip("/")
    return place.anchor.symbol is None and (path.rstrip("/") == own or path.startswith(own + "/"))


def _are_places(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(item, Place) for item in value)


def checks() -> dict[str, type[Check]]:
    """Every check by rule."""
    return discover(__name__, Check)


_ALL = Rule(
    "all", "Several checks decide together, and each of them must hold.", "Its checks are under `all` in the claim."
)


def rules(ids: Iterable[str]) -> tuple[Rule, ...]:
    """What reports say of these rules, sorted by id; a claim with several checks has the rule `all`."""
    known = checks()
    return tuple(
        Rule(rule, known[rule].summary(), known[rule].help()) if rule in known else _ALL for rule in sorted(set(ids))
    )


def holding_inlined(judged: "Callable[[Definition], Outcome]", definition: "Definition") -> Outcome:
    """What a definition says as it stands or, where that does not hold, with the plain functions it calls written out.

    Raises Undecidable.
    """
    own: Outcome | Undecidable
    try:
        own = judged(definition)
    except Undecidable as reason:
        own = reason
    if isinstance(own, Undecidable) or not own.kind.holds:
        plain = with_plain_calls(definition, _MOST_CALLS)
        is_open = isinstance(own, Undecidable) or own.kind is Kind.OPEN
        with suppress(Undecidable):
            other = judged(plain) if plain is not definition else None
            if other is not None and (other.kind.holds or (is_open and other.kind is Kind.FAIL)):
                return other
    if isinstance(own, Undecidable):
        raise own
    return own


_MOST_CALLS = 3
"""Calls within a function that is written out, written out too."""


def holding(outcomes: Iterable[Outcome]) -> Outcome:
    """The first of some outcomes by which a claim holds, of readings of the same code; else the first undecided one,
    or the first of all.
    """
    found: list[Outcome] = []
    for outcome in outcomes:
        if outcome.kind.holds:
            return outcome
        found.append(outcome)
    return next((one for one in found if one.kind is not Kind.FAIL), found[0])


def possibly(absent: Outcome, place: Location) -> Outcome:
    """The outcome of code that does not occur, but that may be used by another name at a place: `open`."""
    message = absent.message + Text("; but {} may be it, by another name", "；但 {} 处可能以另一个名称使用了它").filled(
        place
    )
    return replace(absent, kind=Kind.OPEN, message=message, locations=(place, *absent.locations))
