"""A function in canonical form, for a digest that does not tell how it is written.

Locals are numbered as they come (alpha-conversion), a variable that is used once, in the statement after, stands there
itself (copy propagation), so does what a plain function of the module gives (inlining), and the operands of sums and
products, branches and independent neighbours have one order. Parameters keep their names, which callers may use.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.code.flow.backward_slice import slice_index
from auditor.code.matching.plain_calls import with_plain_calls
from auditor.code.syntax.blocks import BLOCKS, PARTS, is_compound
from auditor.code.syntax.independence import are_independent
from auditor.code.syntax.normal_forms import integer_bound, name, negation, whole_number
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Part, Term, encode

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition
    from auditor.model import Region

_MOST_CALLS = 3
"""Calls within a function that is written out, written out too."""
_COMMUTING = ("+", "*")
_TEXTS = ("FString", "List", "Tuple", "ListComp", "Dict")
_SCOPES = ("FunctionDef", "ClassDef", "Lambda")
_NAMED_BY_TEXT = ("ExceptHandler", "Alias", "FunctionDef", "ClassDef", "MatchCase")


def canonical_digest(definition: "Definition") -> str:
    """16 hex digits, the same for functions that differ in these things only. Raises Undecidable."""
    if definition.symbol is None or definition.symbol.type != "function":
        return definition.fingerprint

    def made() -> str:
        text = encode(_canonical(with_plain_calls(definition, _MOST_CALLS).term))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    return definition.codebase.memoized(("canonical", definition.path, definition.name, definition.region), made)


def sliced_digest(definition: "Definition", regions: frozenset["Region"]) -> str:
    """The same of the backward slice from some lines of a function or a class. Raises Undecidable."""
    if definition.symbol is None or definition.symbol.type not in ("function", "class"):
        return canonical_digest(definition)
    key = ("sliced digest", definition.path, definition.name, definition.region, regions)

    def made() -> str:
        found = sliced(definition, regions)
        text = encode(_canonical(found) if found.type == "FunctionDef" else found)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    return definition.codebase.memoized(key, made)


def sliced(definition: "Definition", regions: frozenset["Region"]) -> Term:
    """The backward slice from some lines of a function or a class; of what is neither, all. Raises Undecidable."""
    if definition.symbol is None or definition.symbol.type not in ("function", "class"):
        return definition.term
    codebase, key = definition.codebase, (definition.path, definition.name, definition.region)
    index = codebase.memoized(
        ("slice index", *key), lambda: slice_index(with_plain_calls(definition, _MOST_CALLS).term)
    )
    return codebase.memoized(("sliced", *key, regions), lambda: index.slice(regions))


def _canonical(function: Term) -> Term:
    counted = Counter(term.text("id") for term in function.walk() if term.type == "Name")
    bound = Counter(
        place.text("id") for term in function.walk() for place in bound_targets(term) if place.type == "Name"
    )
    fixed = {param.text("name") for param in function.terms("params")}
    for term in function.walk():
        if term.type in _NAMED_BY_TEXT:
            fixed |= {place.text("id") for place in bound_targets(term) if place.type == "Name"}
        elif term.type in ("Global", "Nonlocal"):
            fixed |= {str(one) for one in _items(term.parts["names"])}
    once = {one for one, count in bound.items() if count == 1 and counted[one] == 2 and one not in fixed}
    plain = _ordered(_propagated(function, once), frozenset(bound) - fixed)
    order: dict[str, str] = {}
    for term in plain.walk():
        local = term.text("id") if term.type == "Name" else ""
        if local in bound and local not in fixed:
            order.setdefault(local, f"local {len(order)}")
    return _with_numbered_operands_in_order(_renamed(plain, order))


def _with_numbered_operands_in_order(term: Term) -> Term:
    """The code with sums and products of locals in the order of their numbers."""
    made = term.rebuilt(_with_numbered_operands_in_order)
    return _with_operands_in_order(made, encode) if made.type == "BinaryOperation" else made


def _propagated(statement: Term, once: set[str]) -> Term:
    """A compound statement in whose blocks a variable that is used once, right after, stands where it is used."""
    parts: dict[str, Part] = dict(statement.parts)
    for part in PARTS:
        inner = parts.get(part)
        if isinstance(inner, tuple):
            parts[part] = _block([one for one in inner if isinstance(one, Term)], once)
    return statement.with_parts(parts)


def _block(statements: Sequence[Term], once: set[str]) -> tuple[Term, ...]:
    made: list[Term] = []
    for statement in reversed(statements):
        done = _propagated(statement, once) if is_compound(statement) else statement
        local = _single_target(done)
        if local in once and made:
            following = _substituted(made[-1], str(local), done.term("value"))
            if following is not made[-1]:
                made[-1] = following
                continue
        made.append(done)
    return tuple(reversed(made))


def _single_target(statement: Term) -> str | None:
    targets = statement.terms("targets") if statement.type == "Assign" else ()
    return targets[0].text("id") if len(targets) == 1 and targets[0].type == "Name" else None


def _substituted(statement: Term, local: str, value: Term) -> Term:
    """The statement with a value in place of a local, where its own part, not a block's, uses it; else the same."""
    parts: dict[str, Part] = {}
    is_used = False
    for key, part in statement.parts.items():
        own = [part] if isinstance(part, Term) else [one for one in _items(part) if isinstance(one, Term)]
        if key in PARTS or not any(_uses(one, local) for one in own):
            parts[key] = part
            continue
        is_used = True
        replaced = [_replaced(one, local, value) for one in own]
        parts[key] = replaced[0] if isinstance(part, Term) else tuple(replaced)
    return statement.with_parts(parts) if is_used and statement.type not in _SCOPES else statement


def _uses(term: Term, local: str) -> bool:
    return any(one.type == "Name" and one.text("id") == local for one in term.walk())


def _replaced(term: Term, local: str, value: Term) -> Term:
    if term.type == "Name":
        return value if term.text("id") == local else term
    return term.rebuilt(lambda inner: _replaced(inner, local, value))


def _ordered(term: Term, locals_: frozenset[str]) -> Term:
    """The code with one order of what may stand in any, and one form of what may be written in several."""
    anonymous = dict.fromkeys(locals_, "local")

    def key(one: Term) -> str:
        return encode(_renamed(one, anonymous))

    def block(statements: Sequence[Term]) -> tuple[Term, ...]:
        found: list[Term] = []
        for statement in statements:
            place = len(found)
            while place and are_independent(found[place - 1], statement) and key(statement) < key(found[place - 1]):
                place -= 1
            found.insert(place, statement)
        return tuple(found)

    def of(one: Term) -> Term:
        made = one.rebuilt(of)
        blocks = {part: block(made.terms(part)) for part in BLOCKS if isinstance(made.parts.get(part), tuple)}
        made = made.with_parts(blocks) if blocks else made
        match made.type:
            case "AugAssign":
                target = made.term("target")
                sides = {"left": target, "operator": made.parts["operator"], "right": made.term("value")}
                return Term("Assign", {"targets": (target,), "value": of(Term("BinaryOperation", sides))})
            case "BinaryOperation":
                return _with_operands_in_order(made, key)
            case "Comparison":
                return integer_bound(made, ("<",)) or made
            case "If" | "IfExp":
                test = made.term("test")
                other = negation(test)
                if test.parts.get("operator") == "not" or (other.type == "Comparison" and key(other) < key(test)):
                    return made.with_parts({"test": other, "body": made.parts["orelse"], "orelse": made.parts["body"]})
            case _:
                pass
        return made

    return of(term)


def _with_operands_in_order(term: Term, key: Callable[[Term], str]) -> Term:
    """A sum or product with its operands in order; one of two whole numbers worked out."""
    left, right = term.term("left"), term.term("right")
    if (value := whole_number(term)) is not None:
        return value
    if term.text("operator") not in _COMMUTING or key(left) <= key(right):
        return term
    is_text = any(one.type in _TEXTS or isinstance(one.parts.get("value"), str | bytes) for one in term.walk())
    return term if is_text else term.with_parts({"left": right, "right": left})


def _renamed(term: Term, names: Mapping[str, str]) -> Term:
    if term.type == "Name":
        return name(names.get(term.text("id"), term.text("id")))
    return term.rebuilt(lambda inner: _renamed(inner, names))


def _items(part: Part) -> Sequence[Part]:
    return part if isinstance(part, tuple) else ()
