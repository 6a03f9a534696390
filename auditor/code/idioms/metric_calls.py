"""Metrics as values, and calls of their constructors as they were interpreted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from auditor.code.idioms.metric_types import MetricType
from auditor.code.idioms.prometheus import family_of, samples_of
from auditor.code.interpretation.machine import Arguments, Machine
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import Items, Path, Value, alternatives
from auditor.code.phrases import quoted
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from auditor.model import Location, Text


@dataclass(frozen=True, slots=True)
class ExportedMetric:
    """One metric family."""

    name: str
    """What its constructor is given."""
    family: str
    """What its samples are named after: with namespace, subsystem and unit, a counter's without `_total`."""
    type: MetricType
    labels: tuple[str, ...]
    are_labels_known: bool
    """Whether these are all of its labels."""
    help: str | None
    unit: str | None
    ways: tuple[tuple[str, ...], ...]
    """The path conditions under which it is constructed, each as its tests."""
    mode: str | None
    """How processes are added up: a gauge's `multiprocess_mode`."""
    location: Location

    @property
    def when(self) -> str | None:
        """What holds wherever it is constructed; None: always."""
        return condition_of(self.ways)

    @property
    def samples(self) -> tuple[str, ...]:
        """The names that a scrape shows."""
        return samples_of(self.family, self.type)


@dataclass(frozen=True, slots=True)
class UnresolvedMetric:
    """A metric whose name cannot be told."""

    reason: Text
    location: Location


@dataclass(frozen=True, slots=True)
class ExportedMetrics:
    """What some files export. `unresolved` is empty where that is all of it."""

    metrics: tuple[ExportedMetric, ...]
    unresolved: tuple[UnresolvedMetric, ...]


@dataclass(frozen=True, slots=True)
class MetricCall:
    """A constructor's call, as it was interpreted once."""

    name: Value
    type: MetricType | None
    labels: tuple[str, ...]
    are_labels_known: bool
    help: str | None
    unit: str | None
    mode: str | None
    before: tuple[str, ...]
    when: Path
    is_first: bool
    """Whether nothing called the function in which the constructor is: its parameters are not known."""
    level: int
    """How many calls above the constructor's the interpretation began."""


@dataclass(slots=True)
class MetricSite:
    """Where a constructor is called."""

    location: Location
    calls: list[MetricCall] = field(default_factory=list)

    @property
    def named(self) -> "list[MetricCall]":
        """The calls that tell a name and a type, of the innermost function that tells any."""
        found = [call for call in self.calls if call.type is not None and names_of(call) is not None]
        level = min((call.level for call in found), default=0)
        return [call for call in found if call.level == level]

    @property
    def is_named(self) -> bool:
        """Whether every call of that level is told."""
        found = self.named
        return bool(found) and len(found) == sum(call.level == found[0].level for call in self.calls)

    @property
    def is_settled(self) -> bool:
        return self.is_named and any(call.are_labels_known for call in self.calls)


def names_of(call: MetricCall) -> list[tuple[str, Path]] | None:
    """The names it can have; None when one of them is not known."""
    found = [(item.value, item.when) for item in alternatives(call.name)]
    return [(str(name), when) for name, when in found] if all(isinstance(name, str) for name, _ in found) else None


def labels_of(machine: Machine, value: Value, arguments: Arguments) -> tuple[tuple[str, ...], bool]:
    """The label names that are known, and whether these are all."""
    if value is None:
        return (), not arguments.is_open
    found: dict[str, None] = {}
    is_known = True
    items, is_open = machine.iterated(value, Term("Name", {"id": "labels"}))
    for item in items:
        for one in alternatives(item.value):
            if isinstance(one.value, str):
                found[str(one.value)] = None
            else:
                is_known = False
    if isinstance(value, Items) or items:
        return tuple(found), is_known and not is_open
    return tuple(found), False if is_open else is_known


def unresolved_of(call: MetricCall, location: Location) -> UnresolvedMetric:
    if call.type is None and names_of(call) is not None:
        reason = Text("the type of {} cannot be told", "无法判断 {} 的类型").filled(quoted(names_of(call)[0][0]))  # type: ignore[index]
        return UnresolvedMetric(reason, location)
    shown = unparse(reified(next(alternatives(call.name)).value, Term("Name", {"id": "name"})))
    reason = Text("its name depends on {}", "名称取决于 {}").filled(
        quoted(shown if len(shown) < 120 else f"{shown[:120]}...")
    )
    return UnresolvedMetric(reason, location)


def metric_of(name: str, call: MetricCall, when: Path, location: Location) -> ExportedMetric:
    type_ = call.type or "gauge"
    family = family_of(name, type_, call.before, call.unit or "")
    ways = (tuple(dict.fromkeys(map(unparse, when))),)
    return ExportedMetric(
        name, family, type_, call.labels, call.are_labels_known, call.help, call.unit, ways, call.mode, location
    )


def merged_of(one: ExportedMetric, other: ExportedMetric) -> ExportedMetric:
    """The same metric as two paths construct it."""
    labels = tuple(dict.fromkeys((*one.labels, *other.labels)))
    best = one if one.are_labels_known or not other.are_labels_known else other
    ways = tuple(dict.fromkeys((*one.ways, *other.ways)))
    same = set(one.labels) == set(other.labels)
    known = best.are_labels_known and (same or not (one.are_labels_known and other.are_labels_known))
    return replace(best, labels=best.labels if known else labels, are_labels_known=known, ways=ways)


_LONGEST = 240


def condition_of(ways: Sequence[tuple[str, ...]]) -> str | None:
    """The tests that all paths have in common, and what each of them has beside where that is short; None: always."""
    common = [test for test in ways[0] if all(test in way for way in ways)]
    rests = list(dict.fromkeys(" and ".join(test for test in way if test not in common) for way in ways))
    shown = " or ".join(rests)
    if "" in rests or (len(shown) > _LONGEST and common):
        return " and ".join(common) or None
    if len(shown) > _LONGEST:
        return f"{min(rests, key=len)} or ..."
    return " and ".join([*common, f"({shown})" if common and len(rests) > 1 else shown])


_SPELLED = re.compile(
    r"\b(?:Counter|Gauge|Histogram|Summary|Info|Enum)(?:MetricFamily)?\(\s*(?:#[^\n]*\n\s*)*(?:name\s*=\s*)?f?[\"']([a-zA-Z_:][\w:]{3,})[\"']\s*,"
)


def spelled(text: str) -> Iterator[tuple[int, str]]:
    """The constructors that a text calls with a name that is written there: the line and the name of each."""
    for found in _SPELLED.finditer(text):
        if "#" not in text[text.rfind("\n", 0, found.start()) + 1 : found.start()]:
            yield text.count("\n", 0, found.start()) + 1, found[1]
