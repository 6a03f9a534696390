"""A backward slice of a function: the statements that bear on what some of its lines do, and on whether they run.

Data dependence goes by the reaching definitions of the names and attributes that are used, transitively; control
dependence by the heads of the blocks around a statement, and the early exits before the lines asked for.
Source: M. Weiser, "Program slicing", ICSE 1981. What a method changes of `self` or of an argument is not followed, and
neither are aliases: a slice serves to notice a change of what a finding rests on, not to prove that there is none.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from auditor.code.syntax.blocks import PARTS, header, is_compound
from auditor.code.syntax.targets import bound_targets
from auditor.code.syntax.term import Part, Term, dotted
from auditor.model import Region

_SCOPES = ("FunctionDef", "ClassDef")
_LOOPS = ("For", "While")
_EXITS = ("Return", "Raise", "Break", "Continue")
_LOGS = frozenset({"logger", "logging", "log", "print", "warnings"})
_REFLECTION = frozenset({"vars", "eval", "exec", "globals", "locals"})
_OBJECT = ("self", "cls")


@dataclass(slots=True)
class _Statement:
    term: Term
    around: tuple[int, ...]
    """The statements and clauses that it is in, the outermost first."""
    last: int = 0
    """The last of those in it; itself when it has no blocks."""


@dataclass(slots=True)
class SliceIndex:
    """The statements of a function or a class, by number in source order, and by what they bind."""

    root: Term
    statements: list[_Statement] = field(default_factory=list)
    binders: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    exits: list[int] = field(default_factory=list)
    is_opaque: bool = False
    """Whether names are bound in ways that are not seen: `exec`, `global` and their like."""

    def slice(self, regions: Collection[Region]) -> Term:
        """The function with the slice from the statements in these lines alone; all of it where that can't be found."""
        own = self.root.region
        if self.is_opaque or own is None or any(region.contains(own) for region in regions):
            return self.root
        kept = _Slicing(self).from_lines(regions)
        return _parameters(_pruned(self.root, {id(self.statements[one].term) for one in kept}), regions)


def slice_index(root: Term) -> SliceIndex:
    """The index of a function or a class, to be made once for all slices of it."""
    index = SliceIndex(root)
    _add(index, root.terms("body"), ())
    for statement in root.terms("body"):
        for term in statement.walk():
            if term.type in ("Global", "Nonlocal") or (
                term.type == "Call" and term.term("func").parts.get("id") in _REFLECTION
            ):
                index.is_opaque = True
    return index


def _add(index: SliceIndex, block: Iterable[Term], around: tuple[int, ...]) -> None:
    for term in block:
        number = len(index.statements)
        made = _Statement(term, around)
        index.statements.append(made)
        for chain in _bound(term):
            index.binders[_key(chain)].append((chain, number))
        if term.type in _EXITS:
            index.exits.append(number)
        if is_compound(term) and term.type not in _SCOPES:
            for part in PARTS:
                inner = term.parts.get(part)
                if isinstance(inner, tuple):
                    _add(index, [one for one in inner if isinstance(one, Term)], (*around, number))
        made.last = len(index.statements) - 1


class _Slicing:
    def __init__(self, index: SliceIndex) -> None:
        self.index = index
        self.kept: set[int] = set()
        self.pending: list[int] = []

    def from_lines(self, regions: Collection[Region]) -> set[int]:
        statements = self.index.statements
        for number, one in enumerate(statements):
            region = one.term.region
            if region is None or not any(region.overlaps(wanted) for wanted in regions):
                continue
            is_around = one.last > number and not any(wanted.contains(region) for wanted in regions)
            is_silent = is_log(one.term) and region not in regions
            if not is_silent and (not is_around or _is_in_head(one.term, regions)):
                self._keep(number)
        for number in sorted(self.kept):
            self._exits(number)
        while self.pending:
            number = self.pending.pop()
            for outer in statements[number].around:
                self._keep(outer)
            for chain in _used(statements[number].term):
                self._use(chain, number)
        return self.kept

    def _keep(self, number: int) -> None:
        if number not in self.kept:
            self.kept.add(number)
            self.pending.append(number)

    def _exits(self, number: int) -> None:
        around = self.index.statements[number].around
        for exit_ in self.index.exits:
            if exit_ >= number:
                break
            if exit_ not in self.kept and self._leaves(exit_, around):
                self._keep(exit_)

    def _leaves(self, exit_: int, around: tuple[int, ...]) -> bool:
        statements = self.index.statements
        one = statements[exit_]
        if one.term.type in ("Return", "Raise"):
            return True
        loop = next((outer for outer in reversed(one.around) if statements[outer].term.type in _LOOPS), None)
        return loop in around

    def _use(self, chain: str, at: int) -> None:
        for bound, number in self.index.binders.get(_key(chain), ()):
            is_part = f"{bound}.".startswith(f"{chain}.") or f"{chain}.".startswith(f"{bound}.")
            if is_part and number not in self.kept and (number < at or self._in_one_loop(number, at)):
                self._keep(number)

    def _in_one_loop(self, one: int, other: int) -> bool:
        statements = self.index.statements
        shared = set(statements[one].around) & set(statements[other].around)
        return any(statements[outer].term.type in _LOOPS for outer in shared)


def _is_in_head(term: Term, regions: Collection[Region]) -> bool:
    """Whether some lines are in the head of a statement, none of its blocks."""
    heads = [one.region for part in header(term).values() for one in _terms(part) if one.region is not None]
    return any(wanted.contains(head) or head.contains(wanted) for head in heads for wanted in regions)


def _key(chain: str) -> str:
    first, _, rest = chain.partition(".")
    return f"{first}.{rest.partition('.')[0]}" if first in _OBJECT and rest else first


def _bound(term: Term) -> Iterator[str]:
    """The names and attributes that a statement's own part can give another value."""
    if term.type in _SCOPES:
        yield term.text("name")
        return
    for part in header(term).values():
        for outer in _terms(part):
            for inner in outer.walk():
                yield from filter(None, map(_place, bound_targets(inner)))
    yield from filter(None, map(_place, bound_targets(term)))
    if term.type == "Expr" and not is_log(term):
        for call in (one for one in term.walk() if one.type == "Call"):
            function = call.term("func")
            chain = _place(function.term("value")) if function.type == "Attribute" else None
            if chain and chain not in _OBJECT:
                yield chain


def _place(target: Term) -> str | None:
    """The name or attribute that is bound, or that holds the item that is."""
    while target.type in ("Subscript", "Starred"):
        target = target.term("value")
    return dotted(target)


def _used(statement: Term) -> Iterator[str]:
    """The names and attributes in a statement's own part; of one that is not followed inside, in all of it."""
    parts = statement.parts if statement.type in _SCOPES else header(statement)
    pending = [one for part in parts.values() for one in _terms(part)]
    while pending:
        term = pending.pop()
        chain = dotted(term) if term.type in ("Name", "Attribute") else None
        if chain is None:
            pending.extend(term.children())
        else:
            yield chain
        if term.type == "Call" and term.term("func").type == "Attribute":
            receiver = dotted(term.term("func").term("value"))
            if receiver and receiver not in _OBJECT:
                yield receiver


def is_log(term: Term) -> bool:
    """Whether a statement does nothing but log."""
    value = term.parts.get("value") if term.type == "Expr" else None
    is_call = isinstance(value, Term) and value.type == "Call"
    return is_call and isinstance(value, Term) and (dotted(value.term("func")) or "").partition(".")[0] in _LOGS


def _pruned(term: Term, kept: set[int]) -> Term:
    """The statement with those in its blocks that are in the slice."""
    parts: dict[str, Part] = dict(term.parts)
    for part in PARTS:
        inner = parts.get(part)
        if isinstance(inner, tuple):
            parts[part] = tuple(
                _pruned(one, kept) if is_compound(one) and one.type not in _SCOPES else one
                for one in inner
                if isinstance(one, Term) and id(one) in kept
            )
    return term.with_parts(parts)


def _parameters(function: Term, regions: Collection[Region]) -> Term:
    """The function with the parameters that its body names, or that are in some lines."""
    if function.type != "FunctionDef":
        return function
    named = {one.text("id") for statement in function.terms("body") for one in statement.walk() if one.type == "Name"}
    params = tuple(
        one
        for one in function.terms("params")
        if one.text("name") in named or (one.region and any(one.region.overlaps(wanted) for wanted in regions))
    )
    return function.with_parts({"params": params})


def _terms(part: Part) -> Sequence[Term]:
    if isinstance(part, Term):
        return (part,)
    return [inner for one in part for inner in _terms(one)] if isinstance(part, tuple) else ()
