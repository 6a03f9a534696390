"""Displays and comprehensions: the elements that are all written out, and comprehensions whatever they name theirs."""

from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.targets import own_names
from auditor.code.syntax.term import Term

_DISPLAYS = ("Tuple", "List", "Set")
_COLLECTIONS = ("tuple", "list", "set", "frozenset")


def elements_of(term: Term) -> tuple[Term, ...] | None:
    """The elements of a display such as `(a, b)`, also through `frozenset(...)`; None where they are not all there."""
    if term.type == "Call" and term.term("func").parts.get("id") in _COLLECTIONS and not term.terms("keywords"):
        args = term.terms("args")
        return elements_of(args[0]) if len(args) == 1 else None
    if term.type in ("GeneratorExp", "ListComp") and (spread := _comprehended(term)) is not None:
        return spread
    if term.type not in _DISPLAYS or not term.terms("elements"):
        return None
    found = term.terms("elements")
    return None if any(one.type == "Starred" for one in found) else found


def _comprehended(term: Term) -> tuple[Term, ...] | None:
    """The elements of `f(x) for x in (a, b)`."""
    (loop, *others), items = term.terms("for_in"), None
    if not others and not loop.terms("ifs") and loop.term("target").type == "Name" and not loop.parts["is_async"]:
        items = elements_of(loop.term("iter"))
    if items is None:
        return None
    local = loop.term("target").text("id")
    names = {local, *(inner.text("id") for item in items for inner in item.walk() if inner.type == "Name")}
    if not names.isdisjoint(own_names(term.term("elt"))):
        return None  # a name would become another one's
    return tuple(renamed(term.term("elt"), {local: item}) for item in items)


def with_numbered_names(term: Term) -> Term:
    """A comprehension without the names it gives what it runs over: they are numbered, those inside it further on."""
    targets = (loop.term("target") for loop in term.terms("for_in"))
    bound = dict.fromkeys(n.text("id") for target in targets for n in target.walk() if n.type == "Name")
    taken = {n.text("id") for n in term.walk() if n.type == "Name" and n.text("id").startswith(_BOUND)}
    return renamed(term, {own: name(f"{_BOUND}{len(taken) + number}") for number, own in enumerate(bound)})


def renamed(term: Term, names: dict[str, Term]) -> Term:
    if term.type == "Name":
        return names.get(term.text("id"), term)
    return term.rebuilt(lambda inner: renamed(inner, names))


_BOUND = "bound′"
