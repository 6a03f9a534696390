"""What making an object of a class runs: constructors, hooks and validators of its lineage, and the methods they call.

It answers what gives an attribute of a new object its value beside what its class declares. A method that is called is
looked up from the class of the object, as it is at run time, and so is the setter of a property; a function that is
handed the object first is followed, a method of another object is not.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.implicit_calls import with_reflected_items
from auditor.code.project.names import referents
from auditor.code.syntax.blocks import walk_scope
from auditor.code.syntax.dynamic_attributes import attribute_access, may_change_any_attribute, with_named_attributes
from auditor.code.syntax.targets import assigned_pairs, bound_targets
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_HOOKS = (
    "__new__", "__init__", "__post_init__", "__post_init_post_parse__", "__attrs_pre_init__", "__attrs_post_init__",
    "model_post_init",
)  # fmt: skip
_MOST = 200  # functions


def constructing_functions(codebase: "Codebase", cls: Class) -> "tuple[Definition, ...]":
    """The functions that run when an object of a class is made, as far as they are its own. Raises Undecidable."""
    lineage = Hierarchy(codebase, ()).lineage(cls)
    pending: list[Definition] = []
    for hook in _HOOKS:
        pending += next((found for one in lineage if (found := _method(codebase, one, hook))), ())
    pending += next((found for one in lineage[1:] if (found := _method(codebase, one, "__init_subclass__"))), ())
    for one in lineage:
        for symbol in codebase.index(one.path).symbols:
            owner, _, name = symbol.name.rpartition(".")
            if owner == one.name and symbol.type == "function" and any("validator" in d for d in symbol.decorators):
                pending += _method(codebase, one, name)
    reached: dict[tuple[str, int], Definition] = {}
    while pending and len(reached) < _MOST:
        function = pending.pop(0)
        key = (function.path, function.region.start)
        if key not in reached:
            reached[key] = function
            pending += _called(codebase, lineage, function)
    return tuple(reached.values())


def _method(codebase: "Codebase", cls: Class, name: str) -> "tuple[Definition, ...]":
    found = codebase.definitions(cls.path, f"{cls.name}.{name}")
    return tuple(one for one in found if one.symbol is not None and one.symbol.type == "function")


def _called(codebase: "Codebase", lineage: tuple[Class, ...], function: "Definition") -> "Iterator[Definition]":
    """The methods that a function calls on the object that is made, and the functions that it hands it to."""
    own = self_name(function)
    behind = [number for number, one in enumerate(lineage) if (one.path, one.name) == (function.path, function.cls)]
    terms = list(body_of_object(function))
    bound = {dotted(place) for term in terms for place in bound_targets(term)}
    calls_local = any(term.type == "Call" and term.term("func").parts.get("id") in bound for term in terms)
    functions = {id(term.term("func")) for term in terms if term.type == "Call"}
    for term in terms:
        for place in bound_targets(term):
            owner, _, name = (dotted(place) or "").rpartition(".")
            yield from _setters(codebase, lineage, name) if owner == own else ()
        is_named = term.type == "Attribute" and id(term) not in functions and dotted(term.term("value")) in (own, "cls")
        if calls_local and is_named:  # `f = self.f; f()`
            yield from _of_lineage(codebase, lineage, term.text("attr"))
        if term.type == "Call":
            yield from _callees(codebase, lineage, lineage[behind[0] + 1 :] if behind else (), term, function)


def _callees(
    codebase: "Codebase", lineage: tuple[Class, ...], above: tuple[Class, ...], call: Term, function: "Definition"
) -> "Iterator[Definition]":
    called, own = call.term("func"), self_name(function)
    is_handed = bool(call.terms("args")) and dotted(call.terms("args")[0]) == own
    if called.type != "Attribute":
        yield from _functions(codebase, dotted(called), function.path) if is_handed else ()
        return
    receiver, name = called.term("value"), called.text("attr")
    if dotted(receiver) in (own, "cls"):
        yield from _of_lineage(codebase, lineage, name)
    elif receiver.type == "Call" and receiver.term("func").parts.get("id") == "super":
        yield from _of_lineage(codebase, above, name)
    elif is_handed:  # Base.__init__(self), module.settle(self)
        owner = (dotted(receiver) or "").rpartition(".")[2]
        named = tuple(one for one in lineage if one.name == owner)
        yield from _of_lineage(codebase, named, name) if named else _functions(codebase, dotted(called), function.path)


def _of_lineage(codebase: "Codebase", classes: tuple[Class, ...], name: str) -> "tuple[Definition, ...]":
    return next((found for one in classes if (found := _method(codebase, one, name))), ())


def _setters(codebase: "Codebase", lineage: tuple[Class, ...], name: str) -> "tuple[Definition, ...]":
    """What assigning to an attribute runs: the setter of the property of this name."""
    return next((found for one in lineage if (found := codebase.setters(one.path, f"{one.name}.{name}"))), ())


def _functions(codebase: "Codebase", name: str | None, path: str) -> "Iterator[Definition]":
    for target in sorted(referents(codebase, name, path), key=str) if name else ():
        if target.type == "function" and target.name:
            yield from codebase.definitions(target.path, target.name)


def self_name(function: "Definition") -> str:
    """What a method calls its object."""
    params = function.function.terms("params")
    return params[0].text("name") if params else "self"


def writes(function: "Definition", attribute: str) -> Iterator[Term]:
    """The terms of a method that give an attribute of its object a value, by whatever name it has there."""
    places = {f"{name}.{attribute}" for name in names_of_object(function)}
    for term in body_of_object(function):
        if any(dotted(place) in places for place in bound_targets(term)):
            yield term


def opaque_writes(function: "Definition", attribute: str) -> Iterator[Term]:
    """The terms of a method that may change an attribute of its object in a way that is not followed.

    `setattr(self, name, x)`, `vars(self)`, `partial(setattr, self)`, the call of a method whose name is worked out, and
    what a validator does to the input, or gives instead of a default.
    """
    names = names_of_object(function)
    for term in body_of_object(function):
        is_about = any(dotted(inner) in names for inner in term.walk())
        if is_about and (may_change_any_attribute(term) or _calls_worked_out(term) or _hands_on_setattr(term)):
            yield term
    for decorator in function.function.terms("decorators"):
        if _may_replace(decorator, function, attribute):
            yield function.function
            return


def body_of_object(function: "Definition") -> Iterator[Term]:
    """The terms of a function and of those inside it that have its object from it; `x.n` for `getattr(x, "n")`."""
    own = self_name(function)
    pending = [
        with_reflected_items(with_named_attributes(statement))
        for statement in reversed(function.function.terms("body"))
    ]
    while pending:
        term = pending.pop()
        if term.type in ("FunctionDef", "Lambda") and any(p.parts["name"] == own for p in term.terms("params")):
            continue
        yield term
        pending += reversed(list(term.children()))


def _calls_worked_out(term: Term) -> bool:
    """`getattr(self, name)()`."""
    access = attribute_access(term.term("func")) if term.type == "Call" else None
    return access is not None and access.access == "read" and access.name is None


def _hands_on_setattr(term: Term) -> bool:
    return term.type == "Call" and any(
        (dotted(arg) or "").endswith(("setattr", "__setattr__")) for arg in term.terms("args")
    )


def _may_replace(decorator: Term, function: "Definition", attribute: str) -> bool:
    """Whether a pydantic validator may give a field another value where its input has none.

    Those of a field run on a default only if they say `always`, or the class says `validate_default`; those of a model
    that run before the fields, if they name it.
    """
    name = (dotted(decorator.term("func") if decorator.type == "Call" else decorator) or "").rpartition(".")[2]
    keywords = (
        {k.text("name"): k.term("value") for k in decorator.terms("keywords")} if decorator.type == "Call" else {}
    )
    args = {arg.parts.get("value") for arg in decorator.terms("args")} if decorator.type == "Call" else set()
    if name in ("validator", "field_validator"):
        runs = dotted(keywords.get("always", Term("Name", {"id": "False"}))) != "False"
        runs = runs or "validate_default" in function.codebase.text(function.path)
        return runs and bool(args & {attribute, "*"})
    if name not in ("model_validator", "root_validator"):
        return False
    mode = keywords["mode"].parts.get("value") if "mode" in keywords else None
    if name == "model_validator" and mode == "after":
        return False  # it has the object itself
    words = {term.parts.get("value") for term in body_of_object(function) if term.type == "Literal"}
    words |= {term.parts.get("name") for term in body_of_object(function) if term.type == "Keyword"}
    return attribute in words or any(_may_change_any_item(term) for term in body_of_object(function))


def _may_change_any_item(term: Term) -> bool:
    """Whether a term writes an item whose key is worked out."""
    places = [place for place in bound_targets(term) if place.type == "Subscript"]
    return any(inner.type != "Literal" for place in places for inner in place.terms("slice"))


def names_of_object(function: "Definition") -> frozenset[str]:
    own = self_name(function)
    aliases = {
        target.text("id")
        for term in walk_scope(function.function.terms("body"))
        for target, value in _given(term)
        if target.type == "Name" and (dotted(value) == own or _makes_object(value))
    }
    return frozenset({own, *aliases})


def _given(term: Term) -> Iterator[tuple[Term, Term]]:
    """What a statement or an expression gives names: by `=`, `:=` and `with ... as`."""
    if term.type == "Assign":
        pairs = (pair for target in term.terms("targets") for pair in assigned_pairs(target, term.term("value")))
        yield from ((target, value) for target, value in pairs if value is not None)
    elif term.type == "NamedExpr":
        yield term.term("target"), term.term("value")
    elif term.type == "WithItem" and isinstance(named := term.parts["asname"], Term):
        yield named, term.term("item")


def _makes_object(value: Term) -> bool:
    """`super().__new__(cls)`."""
    return value.type == "Call" and value.term("func").parts.get("attr") == "__new__"
