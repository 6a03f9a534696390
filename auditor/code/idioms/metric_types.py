"""Which Prometheus metric a callee constructs: a class of prometheus_client, an alias, or one derived from it."""

from typing import TYPE_CHECKING, Literal

from auditor.code.program.aliases import full_names
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.project.names import referents
from auditor.code.syntax.dynamic_attributes import with_named_attributes
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition

MetricType = Literal["counter", "gauge", "histogram", "summary", "info", "enum"]

TYPES: dict[str, MetricType] = {
    "Counter": "counter", "Gauge": "gauge", "Histogram": "histogram", "Summary": "summary", "Info": "info",
    "Enum": "enum",
}  # fmt: skip
FAMILIES: dict[str, MetricType] = {f"{name}MetricFamily": type_ for name, type_ in TYPES.items() if name != "Enum"}
"""What a custom collector yields, by the name of its class."""
_OTHERS = ("collections", "enum")  # which have a Counter and an Enum of their own


def metric_type(func: Term, definition: "Definition", cls: str | None) -> MetricType | None:
    """The type of the metric that a callee constructs; None where it constructs none, or that is not known."""
    func = with_named_attributes(func)
    if _is_base_constructor(func) and cls is not None:
        return _derived_type(Class(definition.path, cls), definition)
    owner, _, last = (chain := dotted(func) or "").rpartition(".")
    if owner in ("self", "cls"):
        return _field_type(last, definition, cls)
    codebase, path = definition.codebase, definition.path
    imports = codebase.index(path).imports
    module, _ = imports.get(owner.partition(".")[0] or last, (None, None))
    if module in _OTHERS:
        return _assigned_type(last, definition)
    own = [one for one in referents(codebase, chain, path) if one.type in ("class", "function")] if chain else []
    for target in own:
        made = Class(target.path, target.name or "")
        if target.type == "class" and not Hierarchy(codebase, ()).inherited(made, "__init__"):
            return _derived_type(made, definition)
    if own:
        return None
    if (known := TYPES.get(last) or FAMILIES.get(last)) is not None:
        return known
    names = (full.rpartition(".") for full in (full_names(codebase, chain, path) if chain else ()))
    found = next((TYPES[name] for source, _, name in names if "prometheus_client" in source and name in TYPES), None)
    return found or (None if owner else _assigned_type(last, definition))


def is_unknown(func: Term, definition: "Definition", locals_: frozenset[str]) -> bool:
    """Whether a callee may be anything: an item, what a call gives, a local, an attribute that is no method."""
    chain = dotted(func)
    if chain is None:
        return func.type in ("Subscript", "Call")
    owner, _, last = chain.rpartition(".")
    return chain in locals_ and not referents(definition.codebase, chain, definition.path) and not owner and bool(last)


def _is_base_constructor(func: Term) -> bool:
    """Whether a callee is `super().__init__`."""
    if func.type != "Attribute" or func.parts["attr"] != "__init__" or func.term("value").type != "Call":
        return False
    return func.term("value").term("func").parts.get("id") == "super"


def _derived_type(cls: Class, definition: "Definition") -> MetricType | None:
    """The type of a class here that derives from one of prometheus_client."""
    codebase = definition.codebase
    hierarchy = Hierarchy(codebase, ())
    for one in hierarchy.lineage(cls):
        for base in codebase.index(one.path).bases.get(one.name, ()):
            last = base.rpartition(".")[2]
            if last in TYPES and not any(True for _ in hierarchy.classes(base, one.path)):
                return None if codebase.index(one.path).imports.get(last, ("",))[0] in _OTHERS else TYPES[last]
    return None


def _assigned_type(local: str, definition: "Definition") -> MetricType | None:
    """The type of what functions assign to a name, of the imported classes: `Counter = self._own or _Other`."""
    classes = {
        original: other
        for other, module, original in definition.codebase.index(definition.path).every_import
        if module.partition(".")[0] not in _OTHERS
    }
    types = {other: TYPES[original] for original, other in classes.items() if original in TYPES}
    found = {
        types[inner.text("id")]
        for term in definition.code.by_type.get("Assign", ())
        if any(dotted(target) == local for target in term.terms("targets"))
        for inner in term.term("value").walk()
        if inner.type == "Name" and inner.text("id") in types
    }
    return found.pop() if len(found) == 1 else None


def _field_type(attribute: str, definition: "Definition", cls: str | None) -> MetricType | None:
    for found in definition.codebase.definitions(definition.path, f"{cls}.{attribute}"):
        if found.symbol and found.symbol.type == "field" and found.term.type == "Assign":
            return TYPES.get((dotted(found.term.term("value")) or "").rpartition(".")[2])
    for base in definition.codebase.index(definition.path).bases.get(cls or "", ()):
        return _field_type(attribute, definition, base)
    return None
