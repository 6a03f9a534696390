"""The state of an interpretation, and what its parts ask of each other."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from auditor.code.interpretation.values import (
    External,
    FunctionValue,
    Item,
    ModuleValue,
    OneOf,
    Path,
    Unknown,
    Value,
    alternatives,
)
from auditor.code.syntax.normal_forms import negation
from auditor.code.syntax.term import Term, encode

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame
    from auditor.code.project.codebase import Codebase

_MOST_STEPS = 1_500_000
_MOST_ALTERNATIVES = 16


class Completion(Enum):
    """How statements end."""

    NORMAL = auto()
    CONTINUE = auto()
    BREAK = auto()
    RETURN = auto()
    RAISE = auto()


class ExhaustedError(Exception):
    """The interpretation has taken too many steps."""


@dataclass(slots=True)
class Arguments:
    """What a call is given."""

    args: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    is_open: bool = False
    """Whether there may be more, by `*` or `**` of what is not known."""
    origin: str | None = None
    """The field of a class that its keywords were made from."""
    owner: Value = None
    """That class."""

    def get(self, place: int, name: str, default: Value = None) -> Value:
        """An argument by its position or its name."""
        if name in self.keywords:
            return self.keywords[name]
        return self.args[place] if 0 <= place < len(self.args) else default

    def has(self, place: int, name: str) -> bool:
        return name in self.keywords or 0 <= place < len(self.args)


Handler = Callable[["Machine", Arguments, Term, "Frame"], Value]
"""Takes a call of something that is not interpreted."""


class Machine(ABC):
    """One interpretation: the code base, the path condition, and who is told of calls."""

    def __init__(
        self,
        codebase: "Codebase",
        functions: Mapping[str, Handler],
        methods: Mapping[str, Handler],
        *,
        is_environment_empty: bool,
        most_steps: int = _MOST_STEPS,
    ) -> None:
        """`functions` take calls of what is outside by its dotted name, `methods` those on unknown receivers.

        With `is_environment_empty`, environment variables are unset; otherwise they are not known.
        """
        self.codebase = codebase
        self.functions = functions
        self.methods = methods
        self.is_environment_empty = is_environment_empty
        self.modules: dict[str, ModuleValue] = {}
        self.path: list[Term] = []
        self.candidates: Mapping[str, Sequence[tuple[str, str]]] = {}
        """Methods to try, by name, on a receiver that is not known: the file and the class of each."""
        self.on_unknown: Handler | None = None
        """Is told of calls of what is not known."""
        self.is_followed: Callable[[FunctionValue], bool] = lambda _: True
        """Whether a call of a function is executed."""
        self.stack: list[FunctionValue] = []
        """The functions that are being executed."""
        self._holding: set[str] = set()
        self._most_steps = most_steps
        self._steps = 0
        self._codes: dict[int, tuple[Term, str]] = {}
        """Conditions as texts to be compared; the term is kept so that its id stays its own."""

    def begin(self) -> None:
        """Begin anew to count steps."""
        self._steps = 0

    def step(self) -> None:
        """Count a step. Raises ExhaustedError."""
        self._steps += 1
        if self._steps > self._most_steps:
            raise ExhaustedError

    # The path condition

    @property
    def condition(self) -> Path:
        return tuple(self.path)

    def since(self, depth: int) -> Path:
        """The part of the path condition that came after one of some length."""
        return tuple(self.path[depth:])

    def holds(self, test: Term) -> bool | None:
        """Whether the path condition says that a test comes out true, or false."""
        if not self._holding:
            return None
        if self._encoded(test) in self._holding:
            return True
        return False if encode(negation(test)) in self._holding else None

    def _encoded(self, test: Term) -> str:
        if id(test) not in self._codes:
            self._codes[id(test)] = (test, encode(test))
        return self._codes[id(test)][1]

    @contextmanager
    def assuming(self, tests: Sequence[Term]) -> Iterator[bool]:
        """With tests that hold; gives whether they can."""
        before = len(self.path)
        added: list[str] = []
        try:
            yield self._assume(tests, added)
        finally:
            del self.path[before:]
            self._holding.difference_update(added)

    def _assume(self, tests: Sequence[Term], added: list[str]) -> bool:
        for test in tests:
            if test.type == "BooleanOperation" and test.parts["operator"] == "and":
                if not self._assume(test.terms("values"), added):
                    return False
                continue
            held = self.holds(test)
            if held is False:
                return False
            if held is None:
                self.path.append(test)
                added.append(self._encoded(test))
                self._holding.add(added[-1])
        return True

    def keep_assuming(self, tests: Sequence[Term]) -> list[str]:
        """Add tests to the path condition until `forget` is given what this returns."""
        added: list[str] = []
        self._assume(tests, added)
        return added

    def forget(self, added: list[str]) -> None:
        if added:
            del self.path[len(self.path) - len(added) :]
            self._holding.difference_update(added)

    def each(self, value: Value) -> Iterator[Value]:
        """Every alternative of a value that is possible here, each while its condition is assumed."""
        for item in alternatives(value):
            with self.assuming(item.when) as is_possible:
                if is_possible:
                    yield item.value

    def lifted(self, operation: Callable[..., Value], *values: Value) -> Value:
        """What an operation gives for values: one of several, where some of them are."""
        if not any(isinstance(value, OneOf) for value in values):
            return operation(*values)
        found: list[Item] = []
        self._lift(operation, values, [], len(self.path), found)
        return self.one_of(found)

    def _lift(
        self, operation: Callable[..., Value], values: Sequence[Value], done: list[Value], depth: int, found: list[Item]
    ) -> None:
        if len(found) >= _MOST_ALTERNATIVES:
            return
        if not values:
            found.append(Item(operation(*done), self.since(depth)))
            return
        for value in self.each(values[0]):
            self._lift(operation, values[1:], [*done, value], depth, found)

    def one_of(self, items: Sequence[Item]) -> Value:
        """Alternatives as one value."""
        flat: list[Item] = []
        for item in items:
            for inner in alternatives(item.value):
                if not any(inner.value is other.value and other.when == () for other in flat):
                    flat.append(Item(inner.value, _together(item.when, inner.when)))
        if len(flat) == 1 or (flat and all(item.value is flat[0].value for item in flat)):
            return flat[0].value
        return OneOf(tuple(flat[:_MOST_ALTERNATIVES])) if flat else Unknown(_NOTHING)

    # What the parts of an interpreter ask of each other

    @abstractmethod
    def evaluate(self, term: Term, frame: "Frame") -> Value: ...

    def defaults(self, function: Term, frame: "Frame") -> dict[str, Value]:
        """The defaults of a function's parameters that are no literals, evaluated once, where it is defined."""
        given = {param.text("name"): param.parts["default"] for param in function.terms("params")}
        return {
            local: self.evaluate(default, frame)
            for local, default in given.items()
            if isinstance(default, Term) and default.type != "Literal"
        }

    @abstractmethod
    def test(self, term: Term, frame: "Frame") -> "bool | Term":
        """How a test comes out, or as what condition."""

    @abstractmethod
    def execute(self, statements: Sequence[Term], frame: "Frame") -> Completion:
        """Run statements, and how they end."""

    @abstractmethod
    def call(self, callee: Value, arguments: Arguments, term: Term, frame: "Frame") -> Value: ...

    @abstractmethod
    def attribute(self, owner: Value, name: str, term: Term) -> Value: ...

    @abstractmethod
    def resolved(self, value: Value) -> Value:
        """What an imported name stands for; another value as it is."""

    @abstractmethod
    def module(self, path: str) -> ModuleValue: ...

    @abstractmethod
    def imported(self, dotted: str, importer: str) -> ModuleValue | External: ...

    @abstractmethod
    def iterated(self, value: Value, term: Term) -> tuple[list[Item], bool]:
        """What looping over a value gives, and whether there may be more."""


_NOTHING = Term("Name", {"id": "None"})


def _together(first: Path, second: Path) -> Path:
    if not first or not second:
        return first or second
    known = {id(one) for one in first}
    return (*first, *(one for one in second if id(one) not in known))


def negated(path: Path) -> Path:
    """That a path condition does not hold."""
    if len(path) == 1:
        return (negation(path[0]),)
    return (negation(Term("BooleanOperation", {"operator": "and", "values": path})),) if path else ()
