"""The interpreter: its parts put together, and modules executed when a name of theirs is asked for."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from auditor.code import Undecidable
from auditor.code.interpretation import attributes, calls, comprehensions, expressions, statements
from auditor.code.interpretation.classes import members
from auditor.code.interpretation.library import FUNCTIONS
from auditor.code.interpretation.machine import Arguments, Completion, ExhaustedError, Handler, Machine
from auditor.code.interpretation.values import (
    ClassValue,
    External,
    FieldName,
    Frame,
    FunctionValue,
    Item,
    Items,
    ModuleValue,
    OneOf,
    Table,
    Unknown,
    Value,
    is_enum,
)
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

_COMPREHENSIONS = ("ListComp", "SetComp", "DictComp", "GeneratorExp")
_LONGEST = 200  # characters of a string that is looped over


class Interpreter(Machine):
    """Executes code over abstract values. Raises ExhaustedError when that takes too long."""

    def __init__(
        self,
        codebase: "Codebase",
        functions: Mapping[str, Handler],
        methods: Mapping[str, Handler],
        *,
        is_environment_empty: bool = False,
        most_steps: int = 1_500_000,
    ) -> None:
        super().__init__(
            codebase,
            {**FUNCTIONS, **functions},
            methods,
            is_environment_empty=is_environment_empty,
            most_steps=most_steps,
        )

    def evaluate(self, term: Term, frame: Frame) -> Value:
        if term.type in _COMPREHENSIONS:
            return comprehensions.comprehended(self, term, frame)
        return self.resolved(expressions.evaluate(self, term, frame))

    def test(self, term: Term, frame: Frame) -> bool | Term:
        return expressions.test(self, term, frame)

    def execute(self, statements_: Sequence[Term], frame: Frame) -> Completion:
        return statements.execute(self, statements_, frame)

    def call(self, callee: Value, arguments: Arguments, term: Term, frame: Frame) -> Value:
        return calls.call(self, callee, arguments, term, frame)

    def attribute(self, owner: Value, name: str, term: Term) -> Value:
        return attributes.attribute(self, owner, name, term)

    def resolved(self, value: Value) -> Value:
        return attributes.resolved(self, value) if isinstance(value, attributes.Imported) else value

    def module(self, path: str) -> ModuleValue:
        """A module, executed: in part, while it is being executed itself."""
        if path not in self.modules:
            module = self.modules[path] = ModuleValue(path)
            module.names["__name__"] = path.removesuffix(".py").replace("/", ".")
            frame = Frame(module, names=module.names, is_body=True, depth=len(self.path))
            before, self.path = self.path, []
            holding, self._holding = self._holding, set()
            stack, self.stack = self.stack, []
            steps = self._steps
            self.begin()
            with suppress(Undecidable, ExhaustedError):  # what was read of it until then is known
                try:
                    self._body(self.codebase.index(path).terms(), frame)
                finally:
                    self.path, self._holding, self.stack, self._steps = before, holding, stack, steps
            module.names = frame.names
            module.is_done = True
        return self.modules[path]

    def _body(self, body: Sequence[Term], frame: Frame) -> None:
        """The statements of a module, whose names are seen by what they call."""
        for statement in body:
            statements.execute(self, [statement], frame)
            frame.module.names = frame.names

    def imported(self, dotted: str, importer: str) -> ModuleValue | External:
        path = self.codebase.module(dotted, importer)
        if path is None:
            return External(dotted)
        return self.modules.get(path) or ModuleValue(path)

    def iterated(self, value: Value, term: Term) -> tuple[list[Item], bool]:
        if isinstance(value, OneOf):
            found: list[Item] = []
            is_open = False
            for option in value.options:
                items, more = self.iterated(option.value, term)
                found += [Item(one.value, (*option.when, *one.when)) for one in items]
                is_open |= more
            return found, is_open
        if isinstance(value, Items):
            return list(value.items), value.is_open
        if isinstance(value, Table):
            keys = [
                Item(Items.of("tuple", one) if isinstance(one, tuple) else one, held.when)
                for one, held in value.entries.items()
            ]
            return keys, value.is_open
        if isinstance(value, str) and not isinstance(value, FieldName) and len(value) <= _LONGEST:
            return [Item(char) for char in value], False
        if isinstance(value, ClassValue) and is_enum(value):
            return list(members(value).items), False
        return [], True

    # Where to begin

    def symbol(self, path: str, symbol: str) -> Value:
        """The value of a symbol of a file: a function, a method as its class has it, a class, a constant."""
        value: Value = self.module(path)
        for part in symbol.split("."):
            if isinstance(value, ClassValue):
                value = self.resolved(value.names.get(part, Unknown(name(part))))
            else:
                value = self.attribute(value, part, name(part))
        return value

    def run(self, function: FunctionValue) -> None:
        """Execute a function whose arguments are not known."""
        if function.term.type != "FunctionDef":
            return
        frame = calls.entered(self, function, None)
        self.stack.append(function)
        try:
            self.execute(function.term.terms("body"), frame)
        finally:
            self.stack.pop()
