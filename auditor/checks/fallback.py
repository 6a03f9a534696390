"""The check `fallback`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.matching.notation import Constant, Pattern
from auditor.code.matching.search import unify
from auditor.code.phrases import OR, quoted
from auditor.code.program.decorators import undecorated
from auditor.code.syntax.term import Term, dotted, encode
from auditor.code.values.bounded_arithmetic import value_text
from auditor.code.values.constants import evaluate, scope_of
from auditor.model import Anchor, Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_READERS = ("get", "pop", "setdefault", "getenv")
_NO_DEFAULT = ("pop", "getattr")
"""What raises an error, where it is given no default; the others give None."""


@dataclass(frozen=True, kw_only=True)
class Fallback(Check):
    """What a lookup gives when there is nothing.

    *What it checks.* Every lookup of `key` in `at`: `d.get(key, x)`, `d.pop(key, x)`, `d.setdefault(key, x)`,
    `os.environ.get(key, x)`, `os.getenv(key, x)`, `getattr(o, key, x)`. Of `d.get(key) or x` the default is `x`. All of
    them must give the stated value; where some do, it is `review`. A lookup with a key that is worked out, and a
    default that is not static, are `open`.

    *Parameters.* `key`: the key or the attribute, without quotes; `equals`: a Python literal. `of` (optional): what is
    looked in, a pattern.

    *中文。* 查找落空时给出的值。

    *Example.*

        check: fallback
        at: src/requests/utils.py::should_bypass_proxies
        key: no_proxy
        equals: None
    """

    at: Anchor
    key: str
    equals: Constant
    of: Pattern | None = None

    def problems(self) -> Iterator[str]:
        if self.of is not None and not self.of.is_expression:
            yield "of is not an expression"

    def run(self, codebase: "Codebase") -> Outcome:
        definition = undecorated(codebase.locate(self.at))
        found = list(self._lookups(definition))
        name = quoted(definition.name)
        if not found:
            raise Undecidable(Text("{} looks up no {}", "{} 没有查找 {}").filled(name, quoted(self.key)))
        same = [one for one in found if one[0] is not None and self.equals.is_same(one[0].value)]
        shown = OR.join(dict.fromkeys(quoted(value_text(one.value)) if one else _ERROR for one, _ in found))
        message = Text("{} looks up {} with the default {}", "{} 查找 {} 时的默认值是 {}").filled(
            name, quoted(self.key), shown
        )
        kind = Kind.PASS if len(same) == len(found) else Kind.REVIEW if same else Kind.FAIL
        if kind is Kind.FAIL:
            message += Text(", not {}", "，而不是 {}").filled(quoted(self.equals))
        # What differs comes first, since it decides.
        places = [place for _, place in sorted(found, key=lambda one: one in same)] if kind is not Kind.PASS else []
        locations = tuple(dict.fromkeys(places or [place for _, place in found]))
        return Outcome(kind, message, value_text(self.equals.value), shown.en, locations, definition.fingerprint)

    def _lookups(self, definition: "Definition") -> "Iterator[tuple[_Value | None, Location]]":
        """The default of each lookup; None where it raises an error. Raises Undecidable."""
        calls = definition.code.by_type.get("Call", ())
        found = [(call, *parts) for call in calls if (parts := _lookup(call)) and self._is_of_owner(parts[0])]
        own = [one for one in found if self._is_own_key(definition, one[2])]
        owners = {encode(owner) for _, owner, _, _ in own}
        for _, owner, key, _ in found:
            if encode(owner) in owners and not _is_known(definition, key):
                where = definition.location_of(key)
                raise Undecidable(Text("it may also be looked up at {}, where the key is worked out",
                                       "{} 处也可能查找它，那里的键是运行时算出的").filled(where))  # fmt: skip
        either = {
            id(call): term for term in definition.code.by_type.get("BooleanOperation", ()) for call in _first(term)
        }
        for call, _, _, default in own:
            yield self._value(definition, call, default, either.get(id(call))), definition.location_of(call)

    def _is_of_owner(self, owner: Term) -> bool:
        of = self.of
        return of is None or any(True for _ in unify(of.terms[0].term("value"), owner, {}, of))

    def _is_own_key(self, definition: "Definition", key: Term) -> bool:
        try:
            return evaluate(key, scope_of(definition)) == self.key
        except Undecidable:
            return False

    def _value(
        self, definition: "Definition", call: Term, default: Term | None, either: Term | None
    ) -> "_Value | None":
        name = (dotted(call.term("func")) or "").rpartition(".")[2] or call.term("func").text("attr")
        if default is None and name in _NO_DEFAULT:
            return None
        value = None if default is None else evaluate(default, scope_of(definition))
        if either is not None and not value:
            value = evaluate(either.terms("values")[1], scope_of(definition))
        return _Value(value)


def _is_known(definition: "Definition", key: Term) -> bool:
    try:
        evaluate(key, scope_of(definition))
    except Undecidable:
        return False
    return True


@dataclass(frozen=True)
class _Value:
    value: object


_ERROR = Text("an error", "抛出异常")


def _first(term: Term) -> Iterator[Term]:
    """The first operand of `x or y`."""
    if term.parts["operator"] == "or" and len(term.terms("values")) == 2:
        yield term.terms("values")[0]


def _lookup(call: Term) -> tuple[Term, Term, Term | None] | None:
    """What is looked in, the key, and the default, if it is given; None for another call."""
    func, args = call.term("func"), call.terms("args")
    keywords = {one.text("name"): one.term("value") for one in call.terms("keywords")}
    if dotted(func) == "getattr" and len(args) in (2, 3):
        return args[0], args[1], args[2] if len(args) == 3 else None
    name = str(func.parts.get("attr") or func.parts.get("id"))
    if name not in _READERS or not args or len(args) > 2 or any(arg.type == "Starred" for arg in args):
        return None
    if func.type == "Name" and name != "getenv":
        return None
    owner = func.term("value") if func.type == "Attribute" else func
    return owner, args[0], args[1] if len(args) == 2 else keywords.get("default")
