"""The check `default-value`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.checks import Check, holding_inlined
from auditor.code import Undecidable
from auditor.code.flow.effective_defaults import Setting, filled_in, settings
from auditor.code.flow.symbolic_execution import assigned_to
from auditor.code.flow.symbolic_values import SymbolicValue, distinctive
from auditor.code.matching.notation import Constant, Formula
from auditor.code.phrases import OR, quoted, under_condition
from auditor.code.program.class_hierarchy import Class
from auditor.code.program.decorators import undecorated
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Term, encode
from auditor.code.values import argparse_defaults
from auditor.code.values.bounded_arithmetic import value_text
from auditor.code.values.constant_sites import constant_sites
from auditor.code.values.constants import PossibleValue, Scope, possible_values, scope_of
from auditor.code.values.initializers import changed_defaults, initializer
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


@dataclass(frozen=True, kw_only=True)
class DefaultValue(Check):
    """A default is the stated value.

    *What it checks.* The value is worked out, not compared as text: `10 * 1024`, constants and enum members of the same
    code base, `Field(default=...)`, `field(default_factory=...)`, `Annotated[...]`, `EnvFloat(0.7)`. With nothing more
    said, it is the value of the field or constant `at`, which may be inherited. When the stated value is one of
    several, each under its condition, the claim needs that condition said: `review`. So it is where a constructor or
    validator, of the class or a base, or a method that it calls sets the field again; and where the stated value is
    what is put in place of a declared None. A value that is not static, and a constructor that may set any field, are
    `open`. A default that argparse gives to `type` is what comes out.

    *Parameters.* `equals`: a Python literal. At most one of `parameter`: a parameter of the function `at`; `argument`:
    a flag that `at` gives to argparse; `variable`: what `at` assigns to a local, an attribute or an item. `item`
    (optional): of a field or constant that is a table, written as nested dictionaries, the keys that lead to the value.

    *中文。* 默认值是所述的值。

    *Example.*

        check: default-value
        at: vllm/config/scheduler.py::SchedulerConfig.watermark
        equals: 0.0
    """

    at: Anchor
    equals: Constant
    parameter: str | None = None
    argument: str | None = None
    variable: Formula | None = None
    item: tuple[str, ...] | None = None

    def problems(self) -> Iterator[str]:
        if sum(given is not None for given in (self.parameter, self.argument, self.variable)) > 1:
            yield "give only one of parameter, argument and variable"
        if self.item is not None and (self.parameter or self.argument or self.variable):
            yield "item is of a field or constant; leave parameter, argument and variable out"
        if self.at.symbol is None:
            yield "at needs a symbol: path::Class.field or path::function"

    def run(self, codebase: "Codebase") -> Outcome:
        definition = codebase.locate(self.at)
        return holding_inlined(self._in, definition) if self.variable else self._in(definition)

    def _in(self, definition: "Definition") -> Outcome:
        found = list(self._values(definition))
        what = (
            (self.item and ".".join(self.item))
            or self.parameter
            or self.argument
            or (self.variable and self.variable.text)
            or definition.name
        )
        # A constant that the default is, is as good a place for it as the default; what is read comes first.
        locations = tuple(dict.fromkeys(location for _, location, _ in found))
        lines = {(location.path, location.region) for location in locations}
        constants = (place for *_, places in found for place in places)
        locations += tuple(dict.fromkeys(place for place in constants if (place.path, place.region) not in lines))
        same = [value for value, *_ in found if self.equals.is_same(value.value)]
        others = [value for value, *_ in found if not self.equals.is_same(value.value)]
        actual = OR.join(
            dict.fromkeys(under_condition(value_text(value.value), value.condition) for value, *_ in found)
        )
        expected = value_text(self.equals.value)
        message = Text("{} is {}", "{} 是 {}").filled(quoted(what), actual)
        kind = Kind.PASS if same and not others else Kind.REVIEW if same else Kind.FAIL
        if not same:
            message += Text(", not {}", "，而不是 {}").filled(quoted(expected))
        if later_settings := self._settings(definition):
            kind, words = self._with_settings(kind, later_settings)
            message += words
            locations += tuple(one.function.location_of(one.statement) for one in later_settings[:1])
        return Outcome(kind, message, expected, actual.en, locations, definition.fingerprint)

    def _item(self, definition: "Definition", term: Term) -> Term:
        """What the keys of `item` lead to. Raises Undecidable."""
        for key in self.item or ():
            found = _entry(term, key)
            if found is None:
                message = Text("{}: {} has no item {} that is written out", "{}：{} 中没有直接写出的项 {}")
                raise Undecidable(message.filled(definition.location, quoted(definition.name), quoted(key)))
            term = found
        return term

    def _settings(self, definition: "Definition") -> list[Setting]:
        """What gives another value later: to each new object's field, or instead of a parameter's default."""
        if self.parameter is not None:
            return list(filled_in(definition, self.parameter, _parameter(definition.function, self.parameter)))
        is_field = definition.symbol is not None and definition.symbol.type == "field" and definition.cls is not None
        if self.argument is not None or self.variable is not None or not is_field:
            return []
        path, (owner, _, name) = self.at.path, (self.at.symbol or "").rpartition(".")
        if not definition.codebase.is_there(path) or not definition.codebase.definitions(path, owner):
            path, owner = definition.path, definition.cls or ""
        found = settings(definition.codebase, Class(path, owner), name, initializer(definition))
        return [one if self.item is None else replace(one, values=None) for one in found]

    def _with_settings(self, kind: Kind, found: Sequence[Setting]) -> tuple[Kind, Text]:
        """The kind of a default that is set again, and what is to be said of that."""
        named = [one for one in found if not one.is_opaque]
        first = (named or found)[0]
        who, where = quoted(first.function.name), first.function.location_of(first.statement)
        if not named:
            may = Text("; but {} may set it again, at {}", "；但 {} 可能在 {} 再给它赋值").filled(who, where)
            return Kind.OPEN, may
        given = [value for one in named if one.values is not None for value in one.values]
        if self.parameter is not None and kind is not Kind.FAIL:
            return kind, Text("", "")  # the default is what is declared; what it stands for is another question
        if kind is Kind.FAIL and not any(map(self.equals.is_same, given)) and all(one.values for one in named):
            return kind, Text("", "")
        again = Text("; but {} sets it again, at {}", "；但 {} 又在 {} 给它赋值").filled(who, where)
        if given:
            values = OR.join(dict.fromkeys(quoted(value_text(value)) for value in given))
            again = Text("; but {} makes it {}, at {}", "；但 {} 使它成为 {}，位于 {}").filled(who, values, where)
        is_unknown = kind is Kind.FAIL and not any(map(self.equals.is_same, given))
        return Kind.OPEN if is_unknown else Kind.REVIEW, again

    def _values(self, definition: "Definition") -> "Iterator[_Found]":
        """Each value that is assigned, where, and where the constants in it are. Raises Undecidable."""
        if self.parameter is None and self.argument is None and self.variable is None:
            if definition.symbol is None or definition.symbol.type not in ("field", "constant"):
                message = Text(
                    "{}: {} is no field or constant; say what is read",
                    "{}：{} 既不是字段也不是常量，请写明读取的是什么",
                )
                raise Undecidable(message.filled(definition.location, quoted(definition.name)))
            term = self._item(definition, initializer(definition))
            for value in possible_values(term, scope_of(definition)):
                place = definition.location if self.item is None else definition.location_of(term)
                yield value, place, _constants(term, scope_of(definition))
            return
        function = definition.function
        scope = scope_of(definition)
        if self.variable is not None:
            yield from _assigned(self.variable, definition, scope)
        elif self.parameter is not None:
            if changed := changed_defaults(undecorated(definition)):
                message = Text("{}: the defaults of {} are changed later, by {}", "{}：{} 的默认值之后又被 {} 改变")
                raise Undecidable(message.filled(definition.location, quoted(definition.name), quoted(changed)))
            term = _parameter(function, self.parameter)
            # A default stands outside its function, as a decorator does.
            outside = replace(scope, locals=None)
            for value in possible_values(term, outside):
                yield value, definition.location_of(term), _constants(term, outside)
        else:
            for term, type_ in argparse_defaults.defaults(function, self.argument or ""):
                for value in possible_values(term, scope):
                    given = PossibleValue(argparse_defaults.converted(value.value, type_), value.condition)
                    yield given, definition.location_of(term), _constants(term, scope)


_Found = tuple[PossibleValue, Location, tuple[Location, ...]]


def _constants(term: Term, scope: Scope) -> tuple[Location, ...]:
    return tuple(definition.location for definition in constant_sites(term, scope))


def _entry(table: Term, key: str) -> Term | None:
    """The value of a key in a dictionary: the last, since it is the one that counts; None where it cannot be told."""
    for element in reversed(table.terms("elements") if table.type == "Dict" else ()):
        if element.type != "DictElement":
            return None  # what is spread there may hold it
        if element.term("key").parts.get("value") == key:
            return element.term("value")
    return None


def _assigned(variable: Formula, definition: "Definition", scope: Scope) -> Iterator[_Found]:
    found = assigned_to(definition.term, variable.term) or _renamed(definition, variable.term)
    if not found:
        message = Text("{}: {} assigns nothing to {}", "{}：{} 没有给 {} 赋值")
        raise Undecidable(message.filled(definition.location, quoted(definition.name), quoted(variable)))
    for computed, guard in zip(found, distinctive(found), strict=True):
        for value in possible_values(computed.value, scope):
            condition = " and ".join(filter(None, (guard, value.condition)))
            where = definition.location_of(computed.statement)
            yield PossibleValue(value.value, condition or None), where, _constants(computed.value, scope)


def _renamed(definition: "Definition", item: Term) -> tuple[SymbolicValue, ...]:
    """The values of the item of the one local that has it, where the local named in the claim is none of the code's."""
    names = {one.parts["id"] for one in definition.code.by_type.get("Name", ())}
    if item.type != "Subscript" or item.term("value").parts.get("id", "") in names | {""}:
        return ()
    key = encode(item.parts["slice"])
    same = {
        encode(place): place
        for statement in definition.code.by_type.get("Assign", ())
        for place in bound_targets(statement)
        if place.type == "Subscript" and encode(place.parts["slice"]) == key and place.term("value").type == "Name"
    }
    return assigned_to(definition.term, next(iter(same.values()))) if len(same) == 1 else ()


def _parameter(function: Term, name: str) -> Term:
    for param in function.terms("params"):
        if param.text("name") == name:
            if isinstance(default := param.parts["default"], Term):
                return default
            message = Text("the parameter {} of {} has no default", "{1} 的参数 {0} 没有默认值")
            raise Undecidable(message.filled(quoted(name), quoted(function.text("name"))))
    message = Text("{} has no parameter {}", "{} 没有参数 {}")
    raise Undecidable(message.filled(quoted(function.text("name")), quoted(name)))
