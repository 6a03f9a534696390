"""The options of a revision."""

from typing import TYPE_CHECKING

from auditor.catalogue.effective import effective
from auditor.catalogue.metrics import place_of
from auditor.catalogues import Option, Unresolved
from auditor.code.idioms.declared_options import declared_options
from auditor.model import Anchor

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase
    from auditor.model import Target


def options(codebase: "Codebase", target: "Target") -> tuple[tuple[Option, ...], tuple[Unresolved, ...]]:
    """The options that begin at the target's `options`, and what could not be read of them."""
    anchors = [Anchor(path, symbol or None) for path, _, symbol in (one.partition("::") for one in target.options)]
    for place in target.resolved:  # fetched together, rather than one by one as they are imported
        codebase.python_under(place)
    found = declared_options(codebase, anchors)
    later = effective(codebase, target.resolved, found.options)
    return (
        tuple(
            Option(
                one.kind,
                one.flags,
                one.field,
                one.default.value,
                one.default.is_static,
                one.default.is_required,
                one.type,
                one.choices,
                one.help,
                one.is_deprecated,
                one.instead,
                one.when,
                later.get(one.field, ()),
                place_of(one.location),
            )
            for one in found.options
        ),
        tuple(Unresolved(reason, place_of(location)) for reason, location in found.unresolved),
    )
