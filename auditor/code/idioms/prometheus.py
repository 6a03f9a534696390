"""Prometheus metrics as code constructs them, and the names under which they are scraped.

`prometheus_client`: a counter's series gain `_total` (once: a name that ends so already keeps it), a histogram's
`_bucket`, `_sum` and `_count`, a summary's `_sum` and `_count`, an info's `_info`; the name is what the constructor is
given, never the attribute it is assigned to. (`prometheus_client/metrics.py`, `_child_samples` and `_build_full_name`.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from auditor.code.flow.string_sources import text_sources
from auditor.code.flow.string_values import GAP
from auditor.code.flow.symbolic_values import described
from auditor.code.phrases import CAUGHT
from auditor.code.syntax.normal_forms import formatted, literal, name, negation
from auditor.code.syntax.targets import local_names
from auditor.code.syntax.term import Term, dotted
from auditor.code.values.constants import Scope

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition
    from auditor.model import Location

MetricType = Literal["counter", "gauge", "histogram", "summary", "info", "enum"]

TYPES: dict[str, MetricType] = {
    "Counter": "counter", "Gauge": "gauge", "Histogram": "histogram", "Summary": "summary", "Info": "info",
    "Enum": "enum",
}  # fmt: skip
FAMILIES: dict[str, MetricType] = {f"{name}MetricFamily": type_ for name, type_ in TYPES.items() if name != "Enum"}
"""What a custom collector yields, by the name of its class."""
_OTHERS = ("collections", "enum")  # which have a Counter and an Enum of their own
_LEAVES = ("Return", "Continue", "Break")
_SUFFIXES: dict[MetricType, tuple[str, ...]] = {
    "counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count"),
    "summary": ("", "_sum", "_count"), "info": ("_info",), "enum": ("",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metric:
    """One constructed metric: the name its constructor is given, and its type (None: a class we cannot resolve)."""

    name: str
    family: str
    """What its series are named after: the name, with the namespace, the subsystem and the unit it is given."""
    type: MetricType | None
    location: "Location"
    guard: str | None = None
    """The condition under which it is constructed; None: always."""
    is_called: bool = True
    """Whether anything in its file calls the function that constructs it, or it is a constructor."""

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which it is scraped."""
        return () if self.type is None else samples_of(self.family, self.type)


def samples_of(family: str, type_: MetricType) -> tuple[str, ...]:
    """The names under which a family is scraped."""
    return tuple(family + suffix for suffix in _SUFFIXES[type_])


def family_of(own: str, type_: MetricType | None, before: Sequence[str] = (), unit: str = "") -> str:
    """What a metric's series are named after: its name, with namespace and subsystem `before` it, and its unit."""
    family = "_".join([*filter(None, before), own])
    if type_ == "counter":
        family = family.removesuffix("_total")
    return f"{family}_{unit}" if unit and not family.endswith(f"_{unit}") else family


def metrics(definition: "Definition") -> tuple[Metric, ...]:
    """The metrics that a definition, or a whole file, constructs, in source order.

    Names are followed through constants, locals, tables that are looped over, f-strings, helpers and the parameters
    that the calls in the same file give.
    """
    return tuple(one for one in _every(definition) if GAP not in one.family)


def unresolved_metrics(definition: "Definition") -> tuple[Metric, ...]:
    """The metrics it constructs whose names cannot be worked out; a gap stands for what is not known."""
    return tuple(one for one in _every(definition) if GAP in one.family)


def _every(definition: "Definition") -> tuple[Metric, ...]:
    scope = Scope(definition.codebase, definition.path, definition.cls)
    return definition.codebase.memoized(
        ("metrics", definition), lambda: tuple(_block(definition.terms, definition, (), scope))
    )


def _block(
    terms: tuple[Term, ...], definition: "Definition", guards: tuple[Term, ...], scope: Scope
) -> Iterator[Metric]:
    """The metrics of some statements: what stands after `if x: return` stands under `not x`."""
    for term in terms:
        yield from _metrics(term, definition, guards, scope)
        if term.type == "If" and any(inner.type in _LEAVES for inner in term.terms("body")):
            guards = (*guards, negation(term.term("test")))


def _metrics(term: Term, definition: "Definition", guards: tuple[Term, ...], scope: Scope) -> Iterator[Metric]:
    match term.type:
        case "If" | "IfExp":
            test = term.term("test")
            for block, guard in (("body", test), ("orelse", negation(test))):
                part = term.parts[block]
                inner = (part,) if isinstance(part, Term) else term.terms(block)
                yield from _block(inner, definition, (*guards, guard), scope)
            return
        case "ClassDef":
            outer = f"{scope.cls}." if scope.cls else ""
            scope = replace(scope, cls=outer + term.text("name"), locals=None)
        case "FunctionDef":
            scope = replace(scope, locals=(scope.locals or frozenset()) | local_names(term))
        case "ExceptHandler":
            guards = (*guards, name(CAUGHT.en))
        case "Call":
            yield from _made(term, definition, guards, scope)
        case _:
            pass
    for part in term.parts.values():
        terms = part if isinstance(part, tuple) else (part,)
        yield from _block(tuple(one for one in terms if isinstance(one, Term)), definition, guards, scope)


def _made(call: Term, definition: "Definition", guards: tuple[Term, ...], scope: Scope) -> Iterator[Metric]:
    """The metrics that a call constructs, one for each name it may be given."""
    keywords = {keyword.text("name"): keyword.term("value") for keyword in call.terms("keywords")}
    args = call.terms("args")
    argument = keywords.get("name") or (args[0] if args else None)
    has_help = "documentation" in keywords or len(args) > 1 or ("name" not in keywords and len(keywords) > 0)
    type_ = _type(call.term("func"), definition, scope.cls)
    if argument is None or not (type_ or ("name" in keywords and "documentation" in keywords)) or not has_help:
        return
    if argument.type == "Literal" and not isinstance(argument.parts["value"], str):
        return
    parts = [keywords[key] for key in ("namespace", "subsystem") if key in keywords]
    unit = keywords.get("unit", literal(""))
    whole = Term("FString", {"parts": (*_joined((*parts, argument, unit)),)})
    function = _function_around(call, definition)
    for source in text_sources(whole, function, definition):
        *before, own, unit_text = source.value.text.split(_SEPARATOR)
        family = family_of(own, type_, before, unit_text)
        guard = described(tuple(dict.fromkeys((*source.tests, *guards))))
        yield Metric(own, family, type_, definition.location_of(call), guard, source.is_called)


_SEPARATOR = "\x1f"


def _joined(parts: tuple[Term, ...]) -> Iterator[Term]:
    """The parts of a name with something between them that no name has."""
    for number, part in enumerate(parts):
        if number:
            yield literal(_SEPARATOR)
        yield formatted(part, None, None)


def _function_around(call: Term, definition: "Definition") -> "Definition":
    """The innermost function around a call; outside of any, the file."""
    place = definition.location_of(call)
    found = definition.codebase.definitions(place.path, place.symbol) if place.symbol else ()
    around = [one for one in found if place.region is not None and one.region.contains(place.region)]
    if around and around[0].term.type == "FunctionDef":
        return around[0]
    return definition.codebase.whole(definition.path)


def _type(func: Term, definition: "Definition", cls: str | None) -> MetricType | None:
    """The metric type that a callee constructs: a class of prometheus_client, or an alias of one."""
    owner, _, last = (dotted(func) or "").rpartition(".")
    if owner in ("self", "cls"):
        return _field_type(last, definition, cls)
    imports = definition.codebase.index(definition.path).imports
    module, original = imports.get(owner.partition(".")[0] or last, (None, None))
    if module in _OTHERS:
        return _assigned_type(last, definition)
    return TYPES.get(last) or (None if owner else TYPES.get(original or ""))


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
