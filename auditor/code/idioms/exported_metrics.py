"""Every Prometheus metric that a code base exports, however it builds them.

The code that constructs metrics is interpreted: class attributes that hold metric classes, loops over tables,
f-strings, helper functions, subclasses. Where a name, a type or the labels depend on a function's parameters, its
callers are interpreted too, a level at a time; a method called on a receiver that is not known is that of each class
which has one.
What still has no name is listed with its place and the reason, so a list says whether it is complete.

Constructors and their parameters: `prometheus_client/metrics.py`; families of a custom collector:
`prometheus_client/metrics_core.py`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.idioms.metric_calls import (
    ExportedMetric,
    ExportedMetrics,
    MetricCall,
    MetricSite,
    UnresolvedMetric,
    labels_of,
    merged_of,
    metric_of,
    names_of,
    spelled,
    unresolved_of,
)
from auditor.code.idioms.metric_types import FAMILIES, TYPES, MetricType
from auditor.code.interpretation.interpreter import Interpreter
from auditor.code.interpretation.machine import Arguments, ExhaustedError, Handler, Machine
from auditor.code.interpretation.values import ClassValue, FunctionValue, Instance, Unknown, Value, alternatives
from auditor.code.phrases import quoted
from auditor.code.syntax.normal_forms import name as named
from auditor.code.syntax.term import Term
from auditor.model import Location, Region, Text

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame
    from auditor.code.project.codebase import Codebase
    from auditor.code.project.symbols import Symbol

_PLACES = {"labelnames": 2, "namespace": 3, "subsystem": 4, "unit": 5}
_MODULES = ("", ".core", ".metrics", ".metrics_core")
"""The parts of prometheus_client from which its classes can be imported."""
_LEVELS = 5
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


def exported_metrics(codebase: "Codebase", paths: Iterable[str]) -> ExportedMetrics:
    """The metrics that the code in some files constructs; what these call is read too, wherever it is."""
    return _Search(codebase, sorted(paths)).run()


_Reached = dict[tuple[str, Region], bool]
"""Constructors, by their places: whether what the first function is given decides a name or a type there."""


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
        if self[method]:
            self._search.follow(method)
        return bool(self[method])


class _Search:
    """From the constructors up to the callers that say what these are given."""

    def __init__(self, codebase: "Codebase", paths: list[str]) -> None:
        self._codebase = codebase
        self._texts = {path: codebase.text(path) for path in paths}
        self._sites: dict[tuple[str, Region], MetricSite] = {}
        self._relevant: set[str] = set()
        self._sizes: dict[int, int] = {}
        self._roots: dict[tuple[str, str], set[str]] = {}
        """The functions that were interpreted from, each with the names that were followed from there."""
        self.candidates: dict[str, list[tuple[str, str]]] = {}
        self._reasons: list[UnresolvedMetric] = []
        self._reached: _Reached = {}
        self._level = 0

    def run(self) -> ExportedMetrics:
        files = [path for path, text in self._texts.items() if "prometheus_client" in text]
        holders = {name for path in files for name in _HOLDER.findall(self._texts[path]) if name.endswith("cls")}
        called = re.compile(rf"\b(?:self|cls)\.(?:{'|'.join(sorted(holders)) or '(?!)'})\(")
        files += [p for p in self._texts if p not in files and any(f".{one}(" in self._texts[p] for one in holders)]
        words = re.compile(rf"{_CONSTRUCTED.pattern}|{called.pattern}")
        functions = {
            f"prometheus_client{module}.{name}": self._handler(type_, is_family=name in FAMILIES)
            for module in _MODULES
            for name, type_ in (TYPES | FAMILIES).items()
        }
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
            reached: dict[tuple[str, str], _Reached] = {}
            for path, symbols in wanted.items():
                reached |= self._run(machine, path, symbols)
            ways = [root for root, sites in reached.items() if self._is_worthwhile(root, sites)]
            wanted = self._callers(ways)
            if not wanted:
                return

    def _is_worthwhile(self, root: tuple[str, str], sites: _Reached) -> bool:
        """Whether the callers of a function may tell a name, a type or labels: what they give it decides these."""
        if any(is_given and not self._sites[at].is_named for at, is_given in sites.items()):
            return True
        is_settled = all(self._sites[at].is_settled for at in sites)
        return not is_settled and self._takes_labels(*root)

    def _takes_labels(self, path: str, name: str) -> bool:
        """Whether a function may be given labels: one of its parameters is called so, or stands for any."""
        params = [one for symbol in self._codebase.index(path).find(name) for one in symbol.term().terms("params")]
        return any("label" in one.text("name") or one.text("kind") in ("*", "**") for one in params)

    def _suspected(self, machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
        """A call of something that is not known, which is given what a metric's constructor takes."""
        if {"name", "documentation"} <= arguments.keywords.keys():
            return self._handler(None)(machine, arguments, term, frame)
        return None

    def _run(self, machine: Interpreter, path: str, symbols: "Iterable[Symbol]") -> dict[tuple[str, str], _Reached]:
        """Interpret functions of a file; which constructors each of them reaches."""
        self._reached = {}
        try:
            machine.module(path)
        except RecursionError:
            self._reasons.append(UnresolvedMetric(Text("it is nested too deeply", "嵌套过深"), Location(path)))
        reached: dict[tuple[str, str], _Reached] = {}
        for symbol in symbols:
            owner = symbol.name.rpartition(".")[0]
            self._roots[path, symbol.name] = set(self._relevant)
            self._reached = reached[path, symbol.name] = {}
            try:
                found = machine.symbol(path, symbol.name)
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

    def follow(self, name: str) -> None:
        """Execute what has this name, from now on."""
        self._relevant.add(name)

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
        """The functions that call some, but for those from which these were followed."""
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
                if set(word.findall(self._lines(path, s))) - self._roots.get((path, s.name), set())
            ]
            if symbols or self._is_called_by_module(path, word):
                found[path] = symbols
        return found

    def _is_called_by_module(self, path: str, word: re.Pattern[str]) -> bool:
        """Whether the body of a module itself names something, other than to import it."""
        inside = {
            line
            for symbol in self._codebase.index(path).symbols
            if symbol.type in ("class", "function")
            for line in range(symbol.region.start, symbol.region.end + 1)
        }
        lines = enumerate(self._texts[path].split("\n"), 1)
        return any(
            at not in inside and word.search(line) and "(" in line and "import" not in line for at, line in lines
        )

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

    def _handler(self, type_: MetricType | None, *, is_family: bool = False) -> Handler:
        """Notes a call of a constructor, or of a family that a custom collector makes, which takes other parameters."""
        places = {"labelnames": 3, "namespace": -1, "subsystem": -1, "unit": -1} if is_family else _PLACES

        def constructed(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
            if not (arguments.has(0, "name") or arguments.is_open) or len(arguments.args) + len(arguments.keywords) < 2:
                return Unknown(term)
            stated = arguments.get(places["labelnames"], "labelnames", arguments.keywords.get("labels"))
            labels, are_known = labels_of(machine, stated, arguments)
            region = term.region or Region(1, 1)
            path = frame.module.path
            site = self._sites.setdefault((path, region), MetricSite(self._location(path, region)))
            parts = [arguments.get(places[key], key) for key in ("namespace", "subsystem", "unit")]
            help_, mode = arguments.get(1, "documentation"), arguments.keywords.get("multiprocess_mode")
            # A prefix or a unit that is not known leaves the name unknown.
            name = next(
                (part for part in parts if part and not isinstance(part, str)),
                arguments.get(0, "name", Unknown(term)),
            )
            before = tuple(part for part in parts[:2] if isinstance(part, str) and part)
            is_given = type_ is None or _is_of_parameters(machine, name)
            self._reached[path, region] = self._reached.get((path, region), False) or is_given
            unit, help_, mode = (value if isinstance(value, str) else None for value in (parts[2], help_, mode))
            site.calls.append(
                MetricCall(
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

    def _unreached(self) -> "Iterator[UnresolvedMetric]":
        """Constructors with a name that stand in a file and that nothing which was interpreted came to."""
        reached: dict[str, list[Region]] = {}
        for path, region in self._sites:
            reached.setdefault(path, []).append(region)
        for path, text in self._texts.items():
            if "prometheus_client" not in text:
                continue
            for line, name in spelled(text):
                if not any(one.start <= line <= one.end for one in reached.get(path, ())):
                    reason = Text("nothing that was followed comes to {}", "跟踪的代码都没有到达 {}")
                    yield UnresolvedMetric(reason.filled(quoted(name)), self._location(path, Region(line, line)))

    def _location(self, path: str, region: Region) -> Location:
        enclosing = self._codebase.index(path).enclosing(region)
        return Location(path, region, enclosing.name if enclosing else None)

    def _result(self) -> ExportedMetrics:
        metrics: dict[tuple[str, str, Location], ExportedMetric] = {}
        unresolved = list(self._reasons)
        for site in self._sites.values():
            level = site.named[0].level if site.named else 0
            is_root = not site.named
            told = {name for call in site.named for name, _ in names_of(call) or []}
            unnamed = [
                one
                for one in site.calls
                if one.level == level and (is_root or not one.is_first) and (one.type is None or names_of(one) is None)
                if not (ways := names_of(one)) or not told.issuperset(name for name, _ in ways)
            ]
            unresolved += [unresolved_of(call, site.location) for call in unnamed[:1]]
            labels: dict[str, MetricCall] = {}
            for call in site.calls:
                for name in [one for one, _ in names_of(call) or []]:
                    labels[name] = max(
                        labels.get(name, call), call, key=lambda one: (one.are_labels_known, len(one.labels))
                    )
            called = {name for call in site.named if not call.is_first for name, _ in names_of(call) or []}
            for call in site.named:
                for name, when in names_of(call) or []:
                    if call.is_first and name in called:
                        continue  # its callers say the same, and under which condition they call
                    best = labels.get(name, call)
                    known = replace(call, labels=best.labels, are_labels_known=best.are_labels_known)
                    made = metric_of(name, known, (*call.when, *when), site.location)
                    at = (made.name, made.type, made.location)
                    metrics[at] = merged_of(metrics[at], made) if at in metrics else made
        unresolved += self._unreached()
        ordered = sorted(metrics.values(), key=lambda one: (one.name, one.location.path, str(one.location)))
        return ExportedMetrics(tuple(ordered), tuple(dict.fromkeys(unresolved)))


def _is_of_parameters(machine: Machine, name: Value) -> bool:
    """Whether a name is made of what the function from which the interpretation began is given."""
    if not machine.stack:
        return False
    params = {one.text("name") for one in machine.stack[0].term.terms("params")}
    ways = [one for one in alternatives(name) if not isinstance(one.value, str)]
    terms = [one.value.term for one in ways if isinstance(one.value, Unknown)]
    terms += [test for one in alternatives(name) for test in one.when] if ways else []
    return any(part.parts.get("id") in params for term in terms for part in term.walk())


def _received(machine: Interpreter, function: FunctionValue, path: str, owner: str) -> FunctionValue:
    """A method with a receiver that was not made here, of its class."""
    marks = {str(mark.parts.get("attr") or mark.parts.get("id")) for mark in function.term.terms("decorators")}
    if not owner or function.is_bound or "staticmethod" in marks:
        return function
    cls = machine.symbol(path, owner)
    if not isinstance(cls, ClassValue):
        return function
    receiver: Value = cls if "classmethod" in marks else Instance(cls, term=named("self"))
    return function.bound_to(receiver, cls)
