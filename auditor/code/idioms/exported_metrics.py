"""Every Prometheus metric that a code base exports, however it builds them.

The code that constructs metrics is interpreted: class attributes that hold metric classes, loops over tables, f-strings,
helper functions, subclasses. Where a name, a type or the labels depend on a function's parameters, its callers are
interpreted too, a level at a time; a method called on a receiver that is not known is that of each class which has one.
What still has no name is listed with its place and the reason, so a list says whether it is complete.

Constructors and their parameters: `prometheus_client/metrics.py`; families of a custom collector:
`prometheus_client/metrics_core.py`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.idioms.prometheus import FAMILIES, TYPES, MetricType, family_of, samples_of
from auditor.code.interpretation.interpreter import Interpreter
from auditor.code.interpretation.machine import Arguments, ExhaustedError, Handler, Machine
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import (
    ClassValue,
    FunctionValue,
    Instance,
    Items,
    Path,
    Unknown,
    Value,
    alternatives,
)
from auditor.code.phrases import quoted
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from auditor.model import Location, Region, Text

if TYPE_CHECKING:
    from auditor.code.interpretation.frames import Frame
    from auditor.code.project.codebase import Codebase
    from auditor.code.project.symbols import Symbol

_LEVELS = 5
_LABEL_LEVELS = 3
_MOST_CALLERS = 60  # of one name: one with more is no name that tells who is called
_MOST_STEPS = 150_000  # for one function and what it calls
_DISTINCTIVE = 12  # characters of a method's name that tells which classes are meant
_MOST_CLASSES = 12
_BESIDE = 2  # calls of small functions inside one another
_SMALL = 200  # nodes of a function that is followed whatever it is called
_CONSTRUCTED = re.compile(
    r"\b(?:Counter|Gauge|Histogram|Summary|Info|Enum)(?:MetricFamily)?\(|\bdocumentation=|[\"']documentation[\"']"
)
_HOLDER = re.compile(
    r"^[ \t]*(?:self\.|cls\.)?(\w+)[ \t]*(?::[^=\n]+)?=[ \t]*[^=\n(]*\b(?:Counter|Gauge|Histogram|Summary)\b\]?[ \t]*$",
    re.MULTILINE,
)


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
    when: str | None
    """The path condition under which it is constructed; None: always."""
    mode: str | None
    """How processes are added up: a gauge's `multiprocess_mode`."""
    location: Location

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


def exported_metrics(codebase: "Codebase", paths: Iterable[str]) -> ExportedMetrics:
    """The metrics that the code in some files constructs; what these call is read too, wherever it is."""
    return _Search(codebase, sorted(paths)).run()


@dataclass(frozen=True, slots=True)
class _Call:
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
class _Site:
    """Where a constructor is called."""

    location: Location
    calls: list[_Call] = field(default_factory=list)

    @property
    def named(self) -> "list[_Call]":
        """The calls that tell a name and a type, of the innermost function that tells any."""
        found = [call for call in self.calls if call.type is not None and _names(call) is not None]
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


def _names(call: _Call) -> list[tuple[str, Path]] | None:
    """The names it can have; None when one of them is not known."""
    found = [(item.value, item.when) for item in alternatives(call.name)]
    return [(str(name), when) for name, when in found] if all(isinstance(name, str) for name, _ in found) else None


class _Candidates(dict[str, list[tuple[str, str]]]):
    """The classes that have a method, for a receiver that is not known: looked for when it is called."""

    def __init__(self, search: "_Search", machine: Machine) -> None:
        super().__init__(search.candidates)
        self._search = search
        self._machine = machine

    def __contains__(self, method: object) -> bool:
        if super().__contains__(method):
            return bool(self[str(method)])
        if not isinstance(method, str) or len(method) < _DISTINCTIVE or not self._search.is_on_the_way(self._machine):
            return False
        found = self._search.defining(method)
        self[method] = found if len(found) <= _MOST_CLASSES else []
        return bool(self[method])


class _Search:
    """From the constructors up to the callers that say what these are given."""

    def __init__(self, codebase: "Codebase", paths: list[str]) -> None:
        self._codebase = codebase
        self._texts = {path: codebase.text(path) for path in paths}
        self._sites: dict[tuple[str, Region], _Site] = {}
        self._relevant: set[str] = set()
        self._sizes: dict[int, int] = {}
        self._roots: set[tuple[str, str]] = set()
        self.candidates: dict[str, list[tuple[str, str]]] = {}
        self._reasons: list[UnresolvedMetric] = []
        self._reached: set[tuple[str, Region]] = set()
        self._level = 0

    def run(self) -> ExportedMetrics:
        files = [path for path, text in self._texts.items() if "prometheus_client" in text]
        holders = {name for path in files for name in _HOLDER.findall(self._texts[path]) if name.endswith("cls")}
        called = re.compile(rf"\b(?:self|cls)\.(?:{'|'.join(sorted(holders)) or '(?!)'})\(")
        files += [
            path
            for path, text in self._texts.items()
            if path not in files and any(f".{one}(" in text for one in holders)
        ]
        words = re.compile(rf"{_CONSTRUCTED.pattern}|{called.pattern}")
        functions = {_handled(name): self._handler(type_) for name, type_ in TYPES.items()}
        functions |= {f"prometheus_client.metrics.{name}": self._handler(type_) for name, type_ in TYPES.items()}
        for name, type_ in FAMILIES.items():
            for module in ("core", "metrics_core"):
                functions[f"prometheus_client.{module}.{name}"] = self._handler(type_)
        methods: dict[str, Handler] = dict.fromkeys(holders, self._handler(None))
        self._interpret(functions, methods, files, words)
        return self._result()

    def _interpret(
        self, functions: Mapping[str, Handler], methods: Mapping[str, Handler], files: list[str], words: re.Pattern[str]
    ) -> None:
        wanted = {path: [s for s in self._outermost(path) if words.search(self._lines(path, s))] for path in files}
        for self._level in range(_LEVELS):
            machine = Interpreter(self._codebase, functions, methods, most_steps=_MOST_STEPS)
            machine.is_followed = partial(self._is_followed, machine)
            machine.candidates = _Candidates(self, machine)
            machine.on_unknown = self._suspected
            reached: dict[tuple[str, str], set[tuple[str, Region]]] = {}
            for path, symbols in wanted.items():
                reached |= self._run(machine, path, symbols)
            ways = [root for root, sites in reached.items() if self._is_worthwhile(root, sites)]
            wanted = self._callers(ways)
            if not any(wanted.values()):
                return

    def _is_worthwhile(self, root: tuple[str, str], sites: set[tuple[str, Region]]) -> bool:
        """Whether the callers of a function may tell a name or a type; or the labels, which constructors are given."""
        if any(not self._sites[at].is_named for at in sites):
            return True
        is_constructor = root[1].rpartition(".")[2] == "__init__"
        return is_constructor and self._level < _LABEL_LEVELS and any(not self._sites[at].is_settled for at in sites)

    def _suspected(self, machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
        """A call of something that is not known, which is given what a metric's constructor takes."""
        if {"name", "documentation"} <= arguments.keywords.keys():
            return self._handler(None)(machine, arguments, term, frame)
        return None

    def _run(
        self, machine: Interpreter, path: str, symbols: "Iterable[Symbol]"
    ) -> dict[tuple[str, str], set[tuple[str, Region]]]:
        """Interpret functions of a file; which constructors each of them reaches."""
        machine.module(path)
        reached: dict[tuple[str, str], set[tuple[str, Region]]] = {}
        for symbol in symbols:
            owner, _, name = symbol.name.rpartition(".")
            self._roots.add((path, symbol.name))
            self._reached = reached[path, symbol.name] = set()
            try:
                found = machine.found(path, symbol.name)
                if isinstance(found, FunctionValue):
                    machine.begin()
                    machine.run(_received(machine, found, path, owner))
            except ExhaustedError:
                where = Location(path, symbol.region, symbol.name)
                self._reasons.append(
                    UnresolvedMetric(Text("its code takes too long to follow", "代码过长，无法跟踪"), where)
                )
            except (Undecidable, RecursionError):
                continue
        return reached

    def _is_followed(self, machine: Machine, function: FunctionValue) -> bool:
        """Whether a function may say what a constructor is given: one on the way to it, or a small one beside."""
        if self._is_relevant(function):
            return True
        if sum(not self._is_relevant(one) for one in machine.stack[-_BESIDE:]) == _BESIDE:
            return False
        at = id(function.term)
        if at not in self._sizes:
            self._sizes[at] = sum(1 for _ in zip(function.term.walk(), range(_SMALL + 1), strict=False))
        return self._sizes[at] <= _SMALL

    def is_on_the_way(self, machine: Machine) -> bool:
        """Whether what is being executed leads to a constructor."""
        return bool(machine.stack) and self._is_relevant(machine.stack[-1])

    def _is_relevant(self, function: FunctionValue) -> bool:
        owner = function.cls.name if function.cls is not None and function.name == "__init__" else function.name
        return owner in self._relevant

    def _outermost(self, path: str) -> "Iterator[Symbol]":
        """The functions of a file that are in no other function."""
        end = 0
        for symbol in self._codebase.index(path).symbols:
            if symbol.type == "function" and symbol.region.start > end:
                end = symbol.region.end
                yield symbol

    def _lines(self, path: str, symbol: "Symbol") -> str:
        return "\n".join(self._texts[path].split("\n")[symbol.region.start - 1 : symbol.region.end])

    def _callers(self, ways: "Iterable[tuple[str, str]]") -> "dict[str, list[Symbol]]":
        """The functions that call some, of those that have not been interpreted."""
        names: set[str] = set()
        for _, name in sorted(ways):
            owner, _, last = name.rpartition(".")
            names |= self._aliases(owner.rpartition(".")[2] if last == "__init__" else last)
            if owner and last != "__init__":
                self.candidates[last] = self.defining(last)
        self._relevant |= names
        if not names:
            return {}
        word = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\b")
        found: dict[str, list[Symbol]] = {}
        for path, text in self._texts.items():
            if not any(one in text for one in names):
                continue
            symbols = [
                s
                for s in self._outermost(path)
                if (path, s.name) not in self._roots and word.search(self._lines(path, s))
            ]
            if symbols:
                found[path] = symbols
        return found

    def _aliases(self, name: str) -> set[str]:
        """A name, those that are assigned it, and the classes that derive from it; none when it is too common."""
        word = re.escape(name)
        found = {name}
        mentions = 0
        for text in self._texts.values():
            if name not in text:
                continue
            mentions += 1
            found |= set(re.findall(rf"^[ \t]*(\w+)[ \t]*(?::[^=\n]+)?=[ \t]*{word}[ \t]*$", text, re.MULTILINE))
            found |= set(re.findall(rf"^[ \t]*class[ \t]+(\w+)\([^)\n]*\b{word}\b", text, re.MULTILINE))
        return found if mentions <= _MOST_CALLERS else set()

    def defining(self, method: str) -> list[tuple[str, str]]:
        """The classes that define a method."""
        found = []
        for path, text in self._texts.items():
            if f"def {method}(" in text:
                for symbol in self._codebase.index(path).symbols:
                    owner, _, last = symbol.name.rpartition(".")
                    if symbol.type == "function" and last == method and owner and "." not in owner:
                        found.append((path, owner))
        return found if len(found) <= _MOST_CALLERS else []

    def _handler(self, type_: MetricType | None) -> Handler:
        def constructed(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
            if not (arguments.has(0, "name") or arguments.is_open) or len(arguments.args) + len(arguments.keywords) < 2:
                return Unknown(term)
            stated = arguments.get(2, "labelnames", arguments.keywords.get("labels"))
            labels, are_known = _labels(machine, stated, arguments)
            region = term.region or Region(1, 1)
            path = frame.module.path
            site = self._sites.setdefault((path, region), _Site(self._location(path, region)))
            self._reached.add((path, region))
            before = tuple(str(value) for key in ("namespace", "subsystem") if (value := arguments.keywords.get(key)))
            unit, help_, mode = (
                value if isinstance(value, str) else None
                for value in (
                    arguments.keywords.get("unit"),
                    arguments.get(1, "documentation"),
                    arguments.keywords.get("multiprocess_mode"),
                )
            )
            name = arguments.get(0, "name", Unknown(term))
            site.calls.append(
                _Call(
                    name,
                    type_,
                    labels,
                    are_known,
                    help_,
                    unit,
                    mode,
                    before,
                    machine.condition,
                    len(machine.stack) < 2,
                    self._level,
                )
            )
            return Unknown(term)

        return constructed

    def _location(self, path: str, region: Region) -> Location:
        enclosing = self._codebase.index(path).enclosing(region)
        return Location(path, region, enclosing.name if enclosing else None)

    def _result(self) -> ExportedMetrics:
        metrics: dict[tuple[str, str, Location], ExportedMetric] = {}
        unresolved = list(self._reasons)
        for site in self._sites.values():
            level = site.named[0].level if site.named else 0
            is_root = not site.named
            unnamed = [
                one
                for one in site.calls
                if one.level == level and (is_root or not one.is_first) and (one.type is None or _names(one) is None)
            ]
            unresolved += [_unresolved(call, site.location) for call in unnamed[:1]]
            labels: dict[str, _Call] = {}
            for call in site.calls:
                for name in [one for one, _ in _names(call) or []]:
                    labels[name] = max(
                        labels.get(name, call), call, key=lambda one: (one.are_labels_known, len(one.labels))
                    )
            for call in site.named:
                for name, when in _names(call) or []:
                    told = labels.get(name, call)
                    known = replace(call, labels=told.labels, are_labels_known=told.are_labels_known)
                    made = _exported(name, known, (*call.when, *when), site.location)
                    at = (made.name, made.type, made.location)
                    metrics[at] = _either(metrics[at], made) if at in metrics else made
        ordered = sorted(metrics.values(), key=lambda one: (one.name, one.location.path, str(one.location)))
        return ExportedMetrics(tuple(ordered), tuple(dict.fromkeys(unresolved)))


def _handled(name: str) -> str:
    return f"prometheus_client.{name}"


def _received(machine: Interpreter, function: FunctionValue, path: str, owner: str) -> FunctionValue:
    """A method with a receiver that was not made here, of its class."""
    marks = {str(mark.parts.get("attr") or mark.parts.get("id")) for mark in function.term.terms("decorators")}
    if not owner or function.is_bound or "staticmethod" in marks:
        return function
    cls = machine.found(path, owner)
    if not isinstance(cls, ClassValue):
        return function
    receiver: Value = cls if "classmethod" in marks else Instance(cls, term=name("self"))
    return FunctionValue(function.term, function.frame, receiver, is_bound=True, cls=cls)


def _labels(machine: Machine, value: Value, arguments: Arguments) -> tuple[tuple[str, ...], bool]:
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


def _unresolved(call: _Call, location: Location) -> UnresolvedMetric:
    if call.type is None and _names(call) is not None:
        reason = Text("the type of {} cannot be told", "无法判断 {} 的类型").filled(quoted(_names(call)[0][0]))  # type: ignore[index]
        return UnresolvedMetric(reason, location)
    shown = unparse(reified(next(alternatives(call.name)).value, Term("Name", {"id": "name"})))
    reason = Text("its name depends on {}", "名称取决于 {}").filled(
        quoted(shown if len(shown) < 120 else f"{shown[:120]}...")
    )
    return UnresolvedMetric(reason, location)


def _exported(name: str, call: _Call, when: Path, location: Location) -> ExportedMetric:
    type_ = call.type or "gauge"
    family = family_of(name, type_, call.before, call.unit or "")
    tests = list(dict.fromkeys(map(unparse, when)))
    condition = " and ".join(tests) or None
    return ExportedMetric(
        name, family, type_, call.labels, call.are_labels_known, call.help, call.unit, condition, call.mode, location
    )


def _either(one: ExportedMetric, other: ExportedMetric) -> ExportedMetric:
    """The same metric as two paths construct it."""
    labels = tuple(dict.fromkeys((*one.labels, *other.labels)))
    best = one if one.are_labels_known or not other.are_labels_known else other
    ways = [way for way in (one.when, other.when) if way is not None]
    when = min(ways, key=len) if len(ways) == 2 else None
    same = set(one.labels) == set(other.labels)
    known = best.are_labels_known and (same or not (one.are_labels_known and other.are_labels_known))
    return replace(best, labels=best.labels if known else labels, are_labels_known=known, when=when)
