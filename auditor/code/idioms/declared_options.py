"""Options as code declares them: argparse, fields of records, environment variables.

A function that fills a parser is interpreted, and every `add_argument` it comes to is an option, so options made from
the fields of a class in a loop are found as those are that stand in the text. Actions: `parser_actions`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from auditor.code import Undecidable
from auditor.code.idioms.option_values import OptionValue, option_value, type_text
from auditor.code.idioms.parser_actions import OPTIONAL, SWITCHES, acted, initialised, negated
from auditor.code.interpretation.attributes import FIELDS
from auditor.code.interpretation.classes import fields, is_record
from auditor.code.interpretation.interpreter import Interpreter
from auditor.code.interpretation.library import FUNCTIONS
from auditor.code.interpretation.machine import Arguments, ExhaustedError, Machine
from auditor.code.interpretation.symbolic import reified
from auditor.code.interpretation.values import (
    MISSING,
    ClassValue,
    External,
    FunctionValue,
    Instance,
    Items,
    Table,
    Unknown,
    Value,
    concrete,
)
from auditor.code.phrases import listed, quoted
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from auditor.model import Anchor, Location, Region, Text

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame
    from auditor.code.project.codebase import Codebase

_KEY = re.compile(r"^\s*[\"'](\w+)[\"']\s*:")
_PREFIXES = ("deprecated", "(deprecated", "[deprecated")


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """One option: a flag, a field of a configuration class, or an environment variable."""

    kind: Literal["flag", "field", "environment"]
    flags: tuple[str, ...]
    """Its spellings on a command line; empty for a positional argument, a field or a variable."""
    field: str
    """The attribute that holds its value; `Class.field`; the variable's name."""
    default: OptionValue
    type: str | None
    choices: tuple[object, ...] | None
    """The values that it takes; empty where a run decides them."""
    help: str | None
    is_deprecated: bool
    instead: str | None
    """What its declaration says to use in its place."""
    when: str | None
    location: Location


@dataclass(frozen=True, slots=True)
class DeclaredOptions:
    """The options of a revision. `unresolved` are declarations that could not be read, with the reason."""

    options: tuple[DeclaredOption, ...]
    unresolved: tuple[tuple[Text, Location], ...] = ()


def declared_options(codebase: "Codebase", anchors: Iterable[Anchor]) -> DeclaredOptions:
    """The options that begin at some functions, classes and tables. An anchor that is not in this revision is left out,
    as long as another one has its symbol; a folder or file stands for the record classes in it."""
    return _Reader(codebase).read(list(anchors))


@dataclass(slots=True)
class _Reader:
    codebase: "Codebase"
    found: list[DeclaredOption] = field(default_factory=list)
    unresolved: list[tuple[Text, Location]] = field(default_factory=list)
    records: list[ClassValue] = field(default_factory=list)
    """Classes whose fields were gone through, the latest last."""
    defaults: dict[str, Value] = field(default_factory=dict)
    """What `set_defaults` sets."""
    actions: dict[External | str, Value] = field(default_factory=dict)
    """Actions that a parser's class registers in the place of others."""

    def read(self, anchors: list[Anchor]) -> DeclaredOptions:
        machine = Interpreter(
            self.codebase,
            dict.fromkeys(("dataclasses.fields", "msgspec.structs.fields"), self._fields)
            | dict.fromkeys(("argparse.Action", f"argparse.{OPTIONAL}"), initialised),
            {"add_argument": self._added, "set_defaults": self._set, "register": self._registered},
            is_environment_empty=True,
        )
        for path, symbol in self._places(anchors):
            machine.begin()
            try:
                self._begin(machine, path, symbol)
            except (ExhaustedError, RecursionError):
                where = Location(path, None, symbol)
                self.unresolved.append((Text("its code takes too long to follow", "代码过长，无法跟踪"), where))
            except Undecidable as error:
                self.unresolved.append((error.reason, Location(path, None, symbol)))
        unique = {(one.kind, one.flags or (one.field,)): one for one in reversed(self.found)}
        ordered = sorted(unique.values(), key=lambda one: (one.kind, one.flags[:1] or (one.field,), one.field))
        return DeclaredOptions(tuple(ordered), tuple(self.unresolved))

    def _places(self, anchors: list[Anchor]) -> Iterator[tuple[str, str | None]]:
        """Where each symbol is in this revision: at one of its anchors, or in the one other file that has it."""
        files = self.codebase.files
        for symbol in dict.fromkeys(anchor.symbol for anchor in anchors):
            own = [anchor for anchor in anchors if anchor.symbol == symbol]
            if symbol is None:
                for anchor in own:
                    folder = [path for path in self.codebase.python_under(anchor.path) if path in files]
                    yield from ((path, None) for path in folder)
                continue
            there = [a for a in own if a.path in files and self.codebase.definitions(a.path, symbol)]
            for anchor in there:
                yield anchor.path, symbol
            if there:
                continue
            moved = self._moved(own, symbol)
            if len(moved) == 1:
                yield moved[0], symbol
                continue
            reason = Text("there is no {}", "没有 {}").filled(quoted(own[0]))
            if moved:
                reason += Text("; it may be one of {}", "；可能是 {} 之一").filled(listed(map(quoted, moved)))
            self.unresolved.append((reason, Location(own[0].path, None, symbol)))

    def _moved(self, anchors: list[Anchor], symbol: str) -> list[str]:
        """The files that a symbol may have gone to: those of the same name, else all that have it."""
        last = symbol.rpartition(".")[2]
        word = re.compile(rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{last}\b|^{last}\b.*=", re.MULTILINE)
        folder = self.codebase.package_of(anchors[0].path)
        found = [
            path
            for path in self.codebase.python_under(folder)
            if last in (text := self.codebase.text(path))
            and word.search(text)
            and self.codebase.definitions(path, symbol)
        ]
        names = {anchor.path.rpartition("/")[2] for anchor in anchors}
        return [path for path in found if path.rpartition("/")[2] in names] or found

    def _begin(self, machine: Interpreter, path: str, symbol: str | None) -> None:
        if symbol is None:
            for value in list(machine.module(path).names.values()):
                if isinstance(value, ClassValue) and value.path == path and is_record(value):
                    self._record(machine, value)
            return
        value = machine.symbol(path, symbol)
        if isinstance(value, FunctionValue):
            self.defaults.clear()
            self._parser(machine, value)
            before = len(self.found)
            machine.run(value)
            self.found[before:] = [self._defaulted(one) for one in self.found[before:]]
        elif isinstance(value, Table):
            self._variables(machine, value, path)
        elif isinstance(value, ClassValue):
            if is_record(value):
                self._record(machine, value)
            else:
                self._class_of_variables(machine, value)
        else:
            reason = Text("{} is no function, class or table", "{} 不是函数、类或字典").filled(quoted(symbol))
            self.unresolved.append((reason, Location(path, None, symbol)))

    # argparse

    def _fields(self, machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
        cls = arguments.get(0, "class_or_instance")
        if isinstance(cls, ClassValue) and cls not in self.records:
            self.records.append(cls)
        return FUNCTIONS["dataclasses.fields"](machine, arguments, term, frame)

    def _parser(self, machine: Interpreter, function: FunctionValue) -> None:
        """The actions that the parser's own class puts in the place of others."""
        for param in function.term.terms("params"):
            cls = machine.evaluate(param.annotation, function.frame) if param.annotation is not None else None
            init = machine.attribute(cls, "__init__", name("__init__")) if isinstance(cls, ClassValue) else None
            if isinstance(cls, ClassValue) and isinstance(init, FunctionValue):
                machine.run(init.bound_to(Instance(cls, term=name("self")), init.cls))

    def _registered(self, machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG002
        replaced, by = arguments.get(1, "value"), arguments.get(2, "object")
        if arguments.get(0, "registry_name") == "action" and isinstance(replaced, External | str):
            self.actions[replaced] = by
        return None

    def _set(self, machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:  # noqa: ARG002
        self.defaults |= arguments.keywords
        return None

    def _defaulted(self, option: DeclaredOption) -> DeclaredOption:
        if option.kind == "flag" and option.field in self.defaults:
            return replace(option, default=option_value(self.defaults[option.field]))
        return option

    def _added(self, machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
        region = term.region or Region(1, 1)
        location = Location(frame.module.path, region)
        for given in machine.each(Items.of("tuple", arguments.args)):
            names = [str(one) for one in given.values if isinstance(one, str)] if isinstance(given, Items) else []
            if not names:
                shown = ", ".join(map(unparse, term.terms("args"))) or unparse(term)
                reason = Text("the name of an option depends on {}", "选项的名称取决于 {}").filled(quoted(shown))
                self.unresolved.append((reason, location))
                continue
            self._option(machine, names, arguments, location)
        return Unknown(term)

    def _option(self, machine: Machine, names: list[str], arguments: Arguments, location: Location) -> None:
        keywords = arguments.keywords
        flags = [one for one in names if one.startswith("-")]
        long = next((one for one in flags if one.startswith("--")), names[0])
        dest = keywords.get("dest")
        attribute = str(dest) if isinstance(dest, str) else long.lstrip("-").replace("-", "_")
        action = keywords.get("action")
        if isinstance(action, External | str):
            action = self.actions.get(action, action)
        made = acted(machine, action, flags, attribute, keywords)
        if isinstance(action, External) and action.last == OPTIONAL:
            flags += negated(flags)
        elif isinstance(spellings := made.get("option_strings"), Items):
            flags = [str(one) for one in spellings.values if isinstance(one, str)] or flags
        owner = arguments.owner if isinstance(arguments.owner, ClassValue) else self._owner(attribute)
        own = arguments.origin or attribute
        help_ = keywords.get("help")
        text = " ".join(help_.split()) if isinstance(help_, str) and help_.strip() else None
        if owner is not None:
            text = text or owner.docs.get(own)
            if arguments.origin is None and (statement := owner.places.get(own)) is not None:
                location = Location(owner.path, statement.region)
        action_name = action.name if isinstance(action, ClassValue) else ""
        is_deprecated = (
            "Deprecated" in action_name
            or keywords.get("deprecated") is True
            or (text or "").lower().startswith(_PREFIXES)
        )
        instead = keywords.get("new_flag")
        default = option_value(self._default(keywords, action, arguments, made))
        when = " and ".join(dict.fromkeys(map(unparse, machine.condition))) or None
        self.found.append(
            DeclaredOption(
                "flag",
                tuple(flags),
                attribute,
                replace(default, is_required=True) if keywords.get("required") is True else default,
                type_text(keywords, action),
                _choices(keywords.get("choices")),
                text,
                is_deprecated,
                str(instead) if isinstance(instead, str) else None,
                when,
                location,
            )
        )

    def _default(
        self, keywords: Mapping[str, Value], action: Value, arguments: Arguments, made: Mapping[str, Value]
    ) -> Value:
        if "default" in keywords:
            return keywords["default"]
        if arguments.is_open:
            return Unknown(name("default"))
        return SWITCHES.get(action) if isinstance(action, str) else made.get("default")

    def _owner(self, attribute: str) -> ClassValue | None:
        """The class whose field an option was made from, where they were gone through in a loop."""
        having = [cls for cls in self.records if attribute in cls.annotations]
        return having[-1] if having else None

    # records and variables

    def _record(self, machine: Interpreter, cls: ClassValue) -> None:
        for one in fields(machine, cls):
            label = str(one.names["name"])
            owner = next((base for base in cls.lineage if label in base.places), cls)
            default = one.names["default"]
            statement = owner.places.get(label, owner.term)
            factory = one.names["default_factory"]
            if isinstance(default, Instance) and default.cls in FIELDS:
                default, factory = (default.names.get(part, MISSING) for part in ("default", "default_factory"))
            if default is MISSING and one.names["init"] is False:
                default = Unknown(statement.term("value"))  # nobody can give it: its class makes it
            if factory not in (None, MISSING):
                default = _made(machine, factory, statement)
            text = owner.docs.get(label)
            annotation = owner.annotations.get(label)
            self.found.append(
                DeclaredOption(
                    "field",
                    (),
                    f"{cls.name}.{label}",
                    option_value(default),
                    unparse(annotation) if annotation else None,
                    None,
                    text,
                    (text or "").lower().startswith(_PREFIXES),
                    None,
                    None,
                    Location(owner.path, statement.region),
                )
            )

    def _variables(self, machine: Interpreter, table: Table, path: str) -> None:
        written = {
            key: at for at, line in enumerate(self.codebase.text(path).split("\n"), 1) for key in _KEY.findall(line)
        }
        for key, item in table.entries.items():
            if isinstance(key, str):
                own = item.value.term.region if isinstance(item.value, FunctionValue) else None
                at = written.get(key)
                is_here = own is not None and at is not None and own.start in (at, at + 1)
                region = own if is_here or at is None else Region(at, at)
                value = _made(machine, item.value, name(key))
                self.found.append(_variable(key, value, Location(path, region)))

    def _class_of_variables(self, machine: Interpreter, cls: ClassValue) -> None:
        for key, statement in cls.places.items():
            value = cls.names.get(key)
            if isinstance(value, Instance) and isinstance(value.cls, ClassValue) and "default" in value.names:
                default = value.names["default"]
                made = _made(machine, default, statement) if isinstance(default, FunctionValue) else default
                self.found.append(_variable(key, made, Location(cls.path, statement.region)))


def _variable(key: str, value: Value, location: Location) -> DeclaredOption:
    return DeclaredOption(
        "environment", (), str(key), option_value(value), None, None, None, False, None, None, location
    )


def _made(machine: Interpreter, factory: Value, term: Term) -> Value:
    """What a function without arguments gives."""
    if isinstance(factory, FunctionValue):
        return machine.call(factory, Arguments(), term, factory.frame)
    if isinstance(factory, ClassValue):
        return Instance(factory)
    if isinstance(factory, type):
        empty: dict[type, Value] = {list: Items("list"), dict: Table(), set: Items("set"), tuple: Items("tuple")}
        return empty.get(factory, Unknown(term))
    return Unknown(Term("Call", {"func": reified(factory, term), "args": (), "keywords": ()}))


def _choices(value: Value) -> tuple[object, ...] | None:
    if value is None:
        return None
    try:
        found = concrete(value)
    except ValueError:
        return ()
    if isinstance(found, list | tuple | set):
        return tuple(sorted(found, key=str) if isinstance(found, set) else found)
    return ()
