"""Prometheus metrics as code constructs them, and the names under which they are scraped.

`prometheus_client`: a counter's series gain `_total` (once: a name that ends so already keeps it), a histogram's
`_bucket`, `_sum` and `_count`, a summary's `_sum` and `_count`, an info's `_info`; the name is what the constructor is
given, never the attribute it is assigned to. (`prometheus_client/metrics.py`, `_child_samples` and `_build_full_name`.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.code import Undecidable
from auditor.code.computed import described
from auditor.code.term import Term, dotted, negation
from auditor.code.values import Scope, evaluate

if TYPE_CHECKING:
    from auditor.code.codebase import Definition
    from auditor.model import Location

MetricType = Literal["counter", "gauge", "histogram", "summary", "info", "enum"]

_TYPES: dict[str, MetricType] = {
    "Counter": "counter", "Gauge": "gauge", "Histogram": "histogram", "Summary": "summary", "Info": "info",
    "Enum": "enum",
}  # fmt: skip
_SUFFIXES: dict[MetricType, tuple[str, ...]] = {
    "counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count"),
    "summary": ("", "_sum", "_count"), "info": ("_info",), "enum": ("",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metric:
    """One constructed metric: the name its constructor is given, and its type (None: a class we cannot resolve)."""

    name: str
    type: MetricType | None
    location: "Location"
    guard: str | None = None
    """The condition under which it is constructed; None: always."""

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which it is scraped."""
        if self.type is None:
            return ()
        name = self.name.removesuffix("_total") if self.type == "counter" else self.name
        return tuple(name + suffix for suffix in _SUFFIXES[self.type])


def metrics(definition: "Definition") -> Iterator[Metric]:
    """The metrics that a definition, or a whole file, constructs, in source order."""
    for top in definition.terms:
        yield from _metrics(top, definition, (), definition.cls)


def _metrics(term: Term, definition: "Definition", guards: tuple[Term, ...], cls: str | None) -> Iterator[Metric]:
    if term.type == "ClassDef":
        cls = f"{cls}.{term.text('name')}" if cls and definition.symbol is None else cls or term.text("name")
    if term.type == "If":
        test = term.term("test")
        for block, guard in (("body", test), ("orelse", negation(test))):
            for inner in term.terms(block):
                yield from _metrics(inner, definition, (*guards, guard), cls)
        return
    if term.type == "Call" and (metric := _metric(term, definition, guards, cls)):
        yield metric
    for child in term.children():
        yield from _metrics(child, definition, guards, cls)


def _metric(call: Term, definition: "Definition", guards: tuple[Term, ...], cls: str | None) -> Metric | None:
    keywords = {keyword.text("name"): keyword.term("value") for keyword in call.terms("keywords")}
    args = call.terms("args")
    given = keywords.get("name") or (args[0] if args else None)
    has_help = "documentation" in keywords or len(args) > 1 or ("name" not in keywords and len(keywords) > 0)
    type_ = _type(call.term("func"), definition, cls)
    if given is None or not (type_ or ("name" in keywords and "documentation" in keywords)) or not has_help:
        return None
    try:
        name = evaluate(given, Scope(definition.codebase, definition.path, cls))
    except Undecidable:
        return None
    location = definition.location_of(call)
    return Metric(name, type_, location, described(guards)) if isinstance(name, str) else None


def _type(func: Term, definition: "Definition", cls: str | None) -> MetricType | None:
    """The metric type that a callee constructs: a class of prometheus_client, or an alias of one."""
    owner, _, last = (dotted(func) or "").rpartition(".")
    if owner in ("self", "cls"):
        return _field_type(last, definition, cls)
    _, original = definition.codebase.index(definition.path).imports.get(last, (None, None))
    return _TYPES.get(last) or _TYPES.get(original or "")


def _field_type(attribute: str, definition: "Definition", cls: str | None) -> MetricType | None:
    for found in definition.codebase.definitions(definition.path, f"{cls}.{attribute}"):
        if found.symbol and found.symbol.type == "field" and found.term.type == "Assign":
            return _TYPES.get((dotted(found.term.term("value")) or "").rpartition(".")[2])
    for base in definition.codebase.index(definition.path).bases.get(cls or "", ()):
        return _field_type(attribute, definition, base)
    return None
