"""Alias analysis of names: code as it reads with what its names stand for written out.

A local or an attribute of `self` that is assigned once from another name, a name that an import gives to something
else, and an attribute that is named in a string (`getattr(x, "n")`) are replaced by what they stand for.
"""

import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.code.project.names import Referent, referents
from auditor.code.syntax.dynamic_attributes import with_named_attributes
from auditor.code.syntax.normal_forms import attribute_chain, name
from auditor.code.syntax.targets import assigned_names, assigned_pairs
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.term_index import TermIndex

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_MOST_READINGS = 6
_DEPTH = 4  # aliases of aliases


def readings(statements: tuple[Term, ...], imports: "Imports") -> Iterator[TermIndex]:
    """Statements as written, and as they read with `getattr` and each of what aliases may stand for written out."""
    yield TermIndex(statements)
    named = tuple(with_named_attributes(statement) for statement in statements)
    for names in (imports.renamed, imports.qualified):
        for turn in range(_MOST_READINGS):
            expansion = _Expansion(imports, turn)
            expanded = tuple(expansion.of(statement, names) for statement in named)
            if any(new is not old for new, old in zip(expanded, statements, strict=True)):
                yield TermIndex(expanded)
            if turn + 1 >= expansion.most:
                break


@dataclass(frozen=True, slots=True)
class Imports:
    """What the names that a file imports stand for."""

    renamed: Mapping[str, tuple[Term, ...]]
    """Those that are other names elsewhere: the names there."""
    modules: frozenset[str]
    """Those of modules of the code base."""
    qualified: Mapping[str, tuple[Term, ...]]
    """The same and all others by their full names: `time.sleep` of `from time import sleep`."""


def imports_of(
    definition: "Definition", chains: Sequence[str] = (), passed_on: Collection[str] = frozenset()
) -> Imports:
    """What a file imports. Full names are worked out where some dotted ones are looked for, `chains`.

    `passed_on` are names by which a module that it imports may pass one of these on.
    """
    codebase, path = definition.codebase, definition.path
    imports = codebase.index(path).every_import
    renamed = {local: (name(original),) for local, _, original in imports if original and original not in (local, "*")}
    modules = {
        local
        for local, module, original in imports
        if codebase.module(module if original is None else f"{module.rstrip('.')}.{original}", path)
        or (original is not None and not module.strip(".") and codebase.module(module + original, path))
    }
    qualified: dict[str, tuple[Term, ...]] = {}
    may_matter = _candidates(codebase.text(path), chains, passed_on) if chains else None
    for local, module, _ in imports if chains else ():
        if may_matter is not None and local not in may_matter and local != "*":
            continue
        if local == "*":
            for known in passed_on:
                if names := full_names(codebase, known, path):
                    qualified[known] = tuple(map(attribute_chain, names))
            for star in star_modules(codebase, module, path):
                brought = (chain.removeprefix(f"{star}.") for chain in chains if chain.startswith(f"{star}."))
                qualified |= {one: (attribute_chain(f"{star}.{one}"),) for one in brought if "." not in one}
        else:
            within = rf"\b{local}(?:\.\w+)*\.(?:{'|'.join(passed_on)})\b"  # `pack.module.name`
            given = re.findall(within, codebase.text(path)) if passed_on and local in modules else ()
            for known in dict.fromkeys((local, *given)):
                if names := [one for one in full_names(codebase, known, path) if one != known]:
                    qualified[known] = tuple(map(attribute_chain, names))
    for local in _assigned(definition) if chains else ():
        if may_matter is not None and local.partition(".")[0] not in may_matter:
            continue
        if names := [one for one in full_names(codebase, local, path) if not f".{one}".endswith(f".{local}")]:
            qualified.setdefault(local, tuple(map(attribute_chain, names)))
    return Imports(renamed, frozenset(modules), qualified)


_HANDED_ON = re.compile(r"=[ \t]*(\w+)[ \t]*(?=$|[,)#]|(?:if|else|or|and)\b)", re.MULTILINE)


def _candidates(text: str, chains: Sequence[str], passed_on: Collection[str]) -> frozenset[str] | None:
    """The names of a file that may lead to one of some dotted names; None where any may, by reflection.

    Those that stand before one of their last names, are it or imported for it, or are assigned to something.
    """
    lasts = {*passed_on, *(chain.rpartition(".")[2] for chain in chains)}
    if any(f"'{one}'" in text or f'"{one}"' in text for one in lasts):
        return None
    either = "|".join(map(re.escape, sorted(lasts)))
    before = re.compile(rf"\b(\w+)(?:\s*\.\s*\w+)*\s*\.\s*(?:{either})\b")
    lines = text.split("\n")
    near = "\n".join(line for line in lines if any(one in line for one in lasts) or line.lstrip()[:1] == ".")
    renamed = re.compile(rf"\b(?:{either})\s+as\s+(\w+)")
    return frozenset((*lasts, *before.findall(near), *renamed.findall(near), *_HANDED_ON.findall(text)))


def star_modules(codebase: "Codebase", module: str, path: str, depth: int = _DEPTH) -> Iterator[str]:
    """The modules of other projects all of whose names `from module import *` brings, through modules here."""
    source = codebase.module(module, path)
    if source is None:
        yield module
    elif source != path and depth:
        for local, inner, _ in codebase.index(source).every_import:
            if local == "*":
                yield from star_modules(codebase, inner, source, depth - 1)


def _assigned(definition: "Definition") -> Iterator[str]:
    """The names that a file gives to what other names stand for, by assignments of the module and of its classes."""
    codebase, path = definition.codebase, definition.path
    for symbol in codebase.index(path).symbols:
        if symbol.type in ("constant", "field"):
            yield symbol.name


def _values(codebase: "Codebase", referent: Referent) -> Iterator[Term]:
    """What a name of a module or a class is assigned."""
    for made in codebase.definitions(referent.path, referent.name):
        if made.term.type == "Assign":
            yield made.term.term("value")


def full_names(codebase: "Codebase", local: str, path: str, depth: int = _DEPTH) -> list[str]:
    """The full dotted names of what a name stands for, through re-exports and assignments; of a module `a.b.c`, `b.c`
    too."""
    found: list[str] = []
    for one in sorted(referents(codebase, local, path), key=lambda referent: (referent.path, str(referent.name))):
        if one.type == "value" and depth:
            for value in _values(codebase, one):
                chain = dotted(plain := with_named_attributes(value)) or ""
                found += [chain] if plain is not value and chain else full_names(codebase, chain, one.path, depth - 1)
        module = one.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        full = ".".join(filter(None, (module, one.name)))
        found.append(full)
        short = ".".join(full.split(".")[-2:])
        if one.type in ("function", "class") and short.partition(".")[0] not in sys.stdlib_module_names:
            found.append(short)
    return list(dict.fromkeys(found))


@dataclass
class _Expansion:
    """Writes out what names stand for; where that is one of several, the one whose `turn` it is."""

    imports: Imports
    turn: int
    most: int = 1

    def of(self, term: Term, aliases: Mapping[str, tuple[Term, ...]]) -> Term:
        if term.type == "FunctionDef":
            own = assigned_names(term)
            aliases = {chain: values for chain, values in aliases.items() if chain not in own}
        if term.type in ("FunctionDef", "ClassDef"):
            aliases = {**aliases, **_aliases(term)}
        if term.type == "Assign":  # the alias itself stays as it is
            value = self.of(term.term("value"), aliases)
            return term if value is term.parts["value"] else replace(term, parts={**term.parts, "value": value})
        if term.type in ("Import", "ImportFrom"):
            return term
        chain = dotted(term)
        if chain is not None and chain in aliases:
            return replace(self.chosen(aliases[chain], aliases), region=term.region)
        owner = chain.rpartition(".")[0] if chain else ""
        root = owner.partition(".")[0]
        if root in self.imports.modules and root not in aliases:
            return name(term.text("attr"), term.region)
        return term.rebuilt(lambda inner: self.of(inner, aliases), keeps_lines=True)

    def chosen(self, values: tuple[Term, ...], aliases: Mapping[str, tuple[Term, ...]]) -> Term:
        self.most = min(max(self.most, len(values)), _MOST_READINGS)
        value = values[self.turn % len(values)]
        for _ in range(_DEPTH):  # an alias of an alias
            value = self.substituted(value, aliases)
        return value

    def substituted(self, term: Term, aliases: Mapping[str, tuple[Term, ...]]) -> Term:
        if (chain := dotted(term)) and chain in aliases:
            return aliases[chain][self.turn % len(aliases[chain])]
        return term.rebuilt(lambda inner: self.substituted(inner, aliases), keeps_lines=True)


def _aliases(block: Term) -> Mapping[str, tuple[Term, ...]]:
    """What the names of a function, or the attributes of a class, may stand for: `a = self.b.c`."""
    found: dict[str, dict[str, Term]] = {}
    defaults = {
        one.text("name"): default
        for one in block.walk()
        if one.type == "Param" and isinstance(default := one.parts["default"], Term) and dotted(default)
    }
    bindings = [pair for term in block.walk() for pair in _bindings(term)]
    if block.type == "FunctionDef":
        bindings += [(name(param), default) for param, default in defaults.items()]
    else:
        own = (pair for term in block.terms("body") for pair in _bindings(term) if pair[0].type == "Name")
        bindings += [(attribute_chain(f"self.{target.text('id')}"), value) for target, value in own]
    for target, value in bindings:
        chain = dotted(target) or ""
        is_own = block.type == "FunctionDef" or chain.startswith("self.")
        for taken in _choices(value) if chain and is_own and chain.count(".") <= 1 else ():
            is_param = block.type == "ClassDef" and taken.parts.get("id") in defaults
            for choice in (taken, defaults[taken.text("id")]) if is_param else (taken,):
                other = dotted(choice)
                if other and not f"{other}.".startswith(f"{chain}."):
                    found.setdefault(chain, {})[other] = choice
    return {chain: tuple(values.values()) for chain, values in found.items()}


def _bindings(term: Term) -> Iterator[tuple[Term, Term]]:
    match term.type:
        case "Assign":
            for target in term.terms("targets"):
                yield from _paired(target, term.term("value"))
        case "NamedExpr":
            yield term.term("target"), term.term("value")
        case "For" | "CompFor" if term.term("iter").type in ("Tuple", "List"):
            for item in term.term("iter").terms("elements"):
                yield from _paired(term.term("target"), item)
        case "WithItem" if isinstance(named := term.parts["asname"], Term):
            yield named, term.term("item")
        case _:
            pass


def _paired(target: Term, value: Term) -> Iterator[tuple[Term, Term]]:
    yield from ((place, item) for place, item in assigned_pairs(target, value) if item is not None)


def _choices(value: Term) -> Iterator[Term]:
    """The values that a conditional expression may be."""
    if value.type == "IfExp":
        yield from _choices(value.term("body"))
        yield from _choices(value.term("orelse"))
    elif value.type == "BooleanOperation":
        for inner in value.terms("values"):
            yield from _choices(inner)
    else:
        yield value


def followed_references(function: Term) -> frozenset[int]:
    """The identities of the expressions that a local stands for which is only ever called: `say = a if x else b`.

    Where the local is called, `readings` has the call of what it stands for.
    """
    loads: dict[str, list[int]] = {}
    for inner in function.walk():
        if inner.type == "Name":
            loads.setdefault(inner.text("id"), []).append(id(inner))
    called = {id(call.term("func")) for call in function.walk() if call.type == "Call"}
    found: set[int] = set()
    for term in function.walk():
        for target, value in _bindings(term) if term.type == "Assign" else ():
            if target.type == "Name" and all(one in called or one == id(target) for one in loads[target.text("id")]):
                found |= {id(choice) for choice in _choices(value)}
    return frozenset(found)
