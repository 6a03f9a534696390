"""Reachability in the call graph: the attributes read and the functions called, over all files of a scope.

A reference to a function counts as a call of it, so callbacks and partials are followed. A method of a known class is
followed in all classes below it; one of which only the name is known, in every class that has a method of this name:
certainly where these are one family, else as a possibility.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from auditor.code.program.call_edges import CallEdges
from auditor.code.program.call_paths import CallPath, Reachability
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.implicit_calls import (
    truth_tests,
    with_reflected_items,
    written_places,
)
from auditor.code.program.type_inference import Inference, frame_of
from auditor.code.syntax.dynamic_attributes import (
    with_named_attributes,
)

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_MOST_FUNCTIONS = 4_000


def reachability(
    roots: "tuple[tuple[Definition, Class | None], ...]", hierarchy: Hierarchy, through: Mapping[str, Class], depth: int
) -> Reachability:
    """What the roots reach in at most `depth` calls. Raises Undecidable for a file that cannot be parsed."""

    def walked() -> Reachability:
        walk = _Search(hierarchy, Inference(hierarchy, through), depth)
        walk.run([CallPath(function, cls) for function, cls in roots])
        return walk.found

    key = ("closure", roots, tuple(hierarchy.paths), tuple(sorted(through.items())), depth)
    return hierarchy.codebase.memoized(key, walked)


class _Search:
    def __init__(self, hierarchy: Hierarchy, inference: Inference, depth: int) -> None:
        self.hierarchy = hierarchy
        self.codebase: Codebase = hierarchy.codebase
        self.inference = inference
        self.depth = depth
        self.found = Reachability()
        self.seen: set[tuple[Definition, Class | None, bool]] = set()

    def run(self, pending: list[CallPath]) -> None:
        """Breadth first, so that what is reached at all is reached on the shortest way; what is certain goes first."""
        while pending:
            certain = [step for step in pending if step.is_certain]
            current, pending = (certain, [s for s in pending if not s.is_certain]) if certain else (pending, [])
            for step in current:
                key = (step.function, step.cls)
                if (*key, True) in self.seen or (*key, step.is_certain) in self.seen:
                    continue
                if step.depth > self.depth or len(self.found.functions) >= _MOST_FUNCTIONS:
                    self.found.cut[step.function.name] = None
                    continue
                self.seen.add((*key, step.is_certain))
                self.found.functions.append(step)
                pending += self.visit(step)

    def visit(self, step: CallPath) -> list[CallPath]:
        function = self.codebase.memoized(
            ("named attributes", step.function), lambda: with_reflected_items(with_named_attributes(step.function.term))
        )
        edges = CallEdges(self.hierarchy, self.inference, self.found, step, frame_of(step.function, step.cls))
        parents = {id(term.term("func")): term for term in function.walk() if term.type == "Call"}
        inner = {id(term.term("value")) for term in function.walk() if term.type == "Attribute"}
        for test in truth_tests(function):
            edges.truth(test)
        written = written_places(function)
        for term in function.walk():
            match term.type:
                case "Attribute" if id(term) in written:
                    edges.write(term)
                case "Name" if id(term) in written:
                    pass
                case "Attribute":
                    edges.dynamic(term)
                    edges.attribute(term, is_called=id(term) in parents, is_inner=id(term) in inner)
                case "Name":
                    edges.name(term, is_called=id(term) in parents)
                case "Call":
                    edges.call(term)
                    edges.dynamic(term)
                case "MatchCase":
                    edges.pattern(term)
                case _:
                    pass
            edges.implicit(term)
        return edges.next
