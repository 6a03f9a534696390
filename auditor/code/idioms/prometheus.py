"""Prometheus metrics as code constructs them, and the names under which they are scraped.

`prometheus_client`: a counter's series gain `_total` (once: a name that ends so already keeps it), a histogram's
`_bucket`, `_sum` and `_count`, a summary's `_sum` and `_count`, an info's `_info`; the name is what the constructor is
given, never the attribute it is assigned to. (`prometheus_client/metrics.py`, `_child_samples` and `_build_full_name`.)
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.code.flow.string_sources import closed, text_sources
from auditor.code.flow.string_values import GAP
from auditor.code.flow.symbolic_values import described
from auditor.code.idioms.metric_types import MetricType, is_unknown, metric_type
from auditor.code.phrases import CAUGHT, LAMBDA_CALLED, MATCHES, ROUND
from auditor.code.syntax.normal_forms import formatted, literal, name, negation
from auditor.code.syntax.targets import local_names
from auditor.code.syntax.term import Term
from auditor.code.syntax.unparse import unparse
from auditor.code.values.constants import Scope
from auditor.code.values.emptiness import has_items

if TYPE_CHECKING:
    from auditor.code.project.codebase import Definition
    from auditor.model import Location

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
        case "While":
            guards = (*guards, term.term("test"))
        case "For" | "CompFor" if not _has_rounds(term.term("iter"), definition, scope):
            guards = (*guards, name(ROUND.filled(unparse(term.term("iter"), 3)).en))
        case "Lambda":
            guards = (*guards, name(LAMBDA_CALLED.en))
        case "BooleanOperation":
            for value in term.terms("values"):
                yield from _metrics(value, definition, guards, scope)
                guards = (*guards, value if term.parts["operator"] == "and" else negation(value))
            return
        case "MatchCase":
            guards = (*guards, name(MATCHES.filled(term.text("pattern")).en))
        case "ListComp" | "SetComp" | "DictComp" | "GeneratorExp":
            for loop in term.terms("for_in"):
                yield from _metrics(loop, definition, guards, scope)
                if not _has_rounds(loop.term("iter"), definition, scope):
                    guards = (*guards, name(ROUND.filled(unparse(loop.term("iter"), 3)).en))
                guards = (*guards, *loop.terms("ifs"))
        case "Call":
            yield from _made(term, definition, guards, scope)
        case _:
            pass
    for part in term.parts.values():
        terms = part if isinstance(part, tuple) else (part,)
        yield from _block(tuple(one for one in terms if isinstance(one, Term)), definition, guards, scope)


def _has_rounds(iterable: Term, definition: "Definition", scope: Scope) -> bool:
    """Whether a loop certainly runs a round: over a table that is written out, or that a local is assigned."""
    function = _function_around(iterable, definition)
    return any(has_items(one, replace(scope, locals=None)) for one in closed(iterable, function))


def _made(call: Term, definition: "Definition", guards: tuple[Term, ...], scope: Scope) -> Iterator[Metric]:
    """The metrics that a call constructs, one for each name it may be given."""
    keywords = {keyword.text("name"): keyword.term("value") for keyword in call.terms("keywords")}
    args = call.terms("args")
    argument = keywords.get("name") or (args[0] if args else None)
    has_help = "documentation" in keywords or len(args) > 1 or ("name" not in keywords and len(keywords) > 0)
    type_ = metric_type(call.term("func"), definition, scope.cls)
    if argument is not None and argument.type == "Starred":
        argument, has_help = Term("Unknown", {}), True
    is_told = type_ is not None or ("name" in keywords and "documentation" in keywords)
    is_possible = not is_told and _may_make_one(call, definition, scope)
    if argument is None or not (is_told or is_possible) or not has_help:
        return
    if argument.type == "Literal" and not isinstance(argument.parts["value"], str):
        return
    parts = [keywords[key] for key in ("namespace", "subsystem") if key in keywords]
    unit = keywords.get("unit", literal(""))
    whole = Term("FString", {"parts": (*_joined((*parts, argument, unit)),)})
    function = _function_around(call, definition)
    for source in text_sources(whole, function, definition):
        *before, own, unit_text = source.value.text.split(_SEPARATOR)
        family = family_of(own, type_, before, unit_text) + GAP * is_possible
        guard = described(tuple(dict.fromkeys((*source.tests, *guards))))
        yield Metric(own, family, type_, definition.location_of(call), guard, source.is_called)


def _may_make_one(call: Term, definition: "Definition", scope: Scope) -> bool:
    """Whether something that is not known is called with what may be a name and a documentation."""
    args = call.terms("args")[:2]
    texts = [one.parts["value"] for one in args if one.type == "Literal" and isinstance(one.parts["value"], str)]
    if len(texts) < 2 or not _NAME.fullmatch(str(texts[0])):
        return False
    return is_unknown(call.term("func"), definition, scope.locals or frozenset())


_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
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
