"""Dynamic attribute access: `getattr`, `setattr` and their like with a name as a string, and what may reach any."""

from dataclasses import dataclass, replace
from typing import Literal

from auditor.code.syntax.normal_forms import attribute_chain
from auditor.code.syntax.term import Term, dotted

Access = Literal["read", "write", "delete"]

_BUILTINS: dict[str, Access] = {"getattr": "read", "hasattr": "read", "setattr": "write", "delattr": "delete"}
_METHODS: dict[str, Access] = {
    "__getattribute__": "read", "__getattr__": "read", "__setattr__": "write", "__delattr__": "delete",
}  # fmt: skip
_GETTERS = ("attrgetter", "methodcaller")
_REFLECTION = ("vars", "eval", "exec", "globals", "locals")
_READING_ALL = ("asdict", "astuple", "_asdict", "model_dump", "__getstate__")


@dataclass(frozen=True, slots=True)
class AttributeAccess:
    """A call that reads, writes or deletes an attribute by its name."""

    access: Access
    owner: Term | None
    """Whose attribute it is; None of `attrgetter`, which is not applied yet."""
    name: str | None
    """None where the code works it out."""
    call: Term
    named_by: Term
    """What gives the name."""
    value: Term | None = None
    """What is written."""

    @property
    def attribute(self) -> Term | None:
        """The attribute as a term, as if it stood there; None where its name is worked out."""
        if self.owner is None or self.name is None or not self.name.isidentifier():
            return None
        return Term("Attribute", {"value": self.owner, "attr": self.name}, self.call.region)


def attribute_access(term: Term) -> AttributeAccess | None:
    """The dynamic attribute access that a call is; None where it is something else.

    `getattr(x, "n")`, `object.__setattr__(x, "n", v)`, `super().__setattr__("n", v)`, `x.__setattr__("n", v)`,
    `attrgetter("n")`, `partial(setattr, x, "n")(v)`.
    """
    if term.type != "Call":
        return None
    function, args = term.term("func"), term.terms("args")
    if any(arg.type == "Starred" for arg in args):
        return None
    called = function.parts.get("id") if function.type == "Name" else function.parts.get("attr")
    if function.type == "Name" and called in _BUILTINS and len(args) > 1:
        return _made(_BUILTINS[str(called)], args[0], args[1:], term)
    if function.type == "Call" and (dotted(function.term("func")) or "").endswith("partial"):
        made, *given = function.terms("args") or (function,)
        given += args
        if made.parts.get("id") in _BUILTINS and len(given) > 1:
            return _made(_BUILTINS[str(made.parts["id"])], given[0], tuple(given[1:]), term)
    if called in _GETTERS and args:
        return _made("read", None, args, term)
    if function.type == "Attribute" and called in _METHODS and args:
        receiver, access = function.term("value"), _METHODS[str(called)]
        if receiver.type == "Call" and receiver.term("func").parts.get("id") == "super":
            return _made(access, Term("Name", {"id": "self"}, term.region), args, term)
        needed = 3 if access == "write" else 2
        if len(args) == needed:  # through a class: `object.__setattr__(x, "n", v)`
            return _made(access, args[0], args[1:], term)
        return _made(access, receiver, args, term) if len(args) == needed - 1 else None
    return None


def _made(access: Access, owner: Term | None, args: tuple[Term, ...], call: Term) -> AttributeAccess:
    name = literal_text(args[0])
    value = args[1] if access == "write" and len(args) > 1 else None
    return AttributeAccess(access, owner, name, call, args[0], value)


def literal_text(term: Term) -> str | None:
    """The text that literals make, however they are put together; None for any other term."""
    match term.type:
        case "Literal":
            value = term.parts["value"]
            return value if isinstance(value, str) else None
        case "BinaryOperation" if term.parts["operator"] == "+":
            pieces = [literal_text(term.term(side)) for side in ("left", "right")]
        case "FString":
            pieces = [literal_text(part) for part in term.terms("parts")]
        case "Field" if not term.parts["conversion"] and term.parts["spec"] is None:
            pieces = [literal_text(term.term("expression"))]
        case _:
            return None
    return None if None in pieces else "".join(piece for piece in pieces if piece)


def item_name(term: Term) -> str | None:
    """The attribute or the variable that `vars(x)["n"]`, `x.__dict__["n"]` or `globals()["n"]` is."""
    if term.type != "Subscript" or not _is_reflection(term.term("value")):
        return None
    items = term.terms("slice")
    return literal_text(items[0]) if len(items) == 1 else None


def named_by_getter(call: Term) -> tuple[str, ...]:
    """The attributes that `attrgetter("a", "b.c")` reads of what it is given, whatever that is."""
    function = call.term("func")
    if (function.parts.get("id") or function.parts.get("attr")) not in _GETTERS:
        return ()
    names = (arg.parts.get("value") for arg in call.terms("args") if arg.type == "Literal")
    return tuple(part for one in names if isinstance(one, str) for part in one.split("."))


def with_named_attributes(term: Term) -> Term:
    """Code with attributes in place of their names in strings: `x.n = v` for `setattr(x, "n", v)`, `x.n` for `getattr`.

    A module that a call imports is put in its place, too. At the same lines; the term itself where there is none.
    """
    term = term.rebuilt(with_named_attributes, keeps_lines=True)
    if (module := imported_by_call(term)) is not None:
        return replace(attribute_chain(module), region=term.region)
    call = term.term("value") if term.type == "Expr" else term
    access = attribute_access(call)
    if access is None or access.attribute is None:
        return term
    if term.type == "Expr" and access.access == "write" and access.value is not None:
        return Term("Assign", {"targets": (access.attribute,), "value": access.value}, term.region)
    return access.attribute if call is term and access.access == "read" else term


def imported_by_call(term: Term) -> str | None:
    """The module that `__import__("m")`, `importlib.import_module("m")` or `sys.modules["m"]` is, by its full name."""
    if term.type == "Call" and len(args := term.terms("args")) == 1:
        chain, named = dotted(term.term("func")), args[0]
        is_import = chain in ("__import__", "importlib.import_module", "import_module")
        is_whole = chain != "__import__"
    elif term.type == "Subscript" and dotted(term.term("value")) == "sys.modules" and len(term.terms("slice")) == 1:
        is_import, is_whole, named = True, True, term.terms("slice")[0]
    else:
        return None
    name = named.parts.get("value") if is_import and named.type == "Literal" else None
    if not isinstance(name, str) or not all(map(str.isidentifier, name.split("."))):
        return None
    return name if is_whole else name.partition(".")[0]


def may_read_any_attribute(term: Term) -> bool:
    """Whether a term may read an attribute that its text does not name: `getattr` of a name worked out, `vars(x)`."""
    if (access := attribute_access(term)) is not None:
        return access.name is None and access.access == "read"
    if term.type == "Call":
        function = term.term("func")
        if (function.parts.get("id") or function.parts.get("attr")) in _READING_ALL:
            return True
    return _is_reflection(term)


def may_change_any_attribute(term: Term) -> bool:
    """Whether a term may change an attribute that its text does not name: `setattr` of a name worked out, `vars(x)`."""
    if (access := attribute_access(term)) is not None:
        return access.name is None and access.access != "read"
    return _is_reflection(term)


def _is_reflection(term: Term) -> bool:
    if term.type == "Attribute":
        return term.parts["attr"] == "__dict__"
    return term.type == "Call" and term.term("func").parts.get("id") in _REFLECTION


def owner_of_any_write(term: Term) -> Term | None:
    """Whose attributes a call writes or deletes where the name is worked out: `x` of `setattr(x, name, v)`."""
    access = attribute_access(term)
    is_any = access is not None and access.access != "read" and access.name is None
    return access.owner if access is not None and is_any else None
