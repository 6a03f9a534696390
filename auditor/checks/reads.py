"""The check `reads`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.checks import Check
from auditor.code import Undecidable
from auditor.code.flow.string_sources import text_sources
from auditor.code.matching.notation import Formula, Place, Regex
from auditor.code.phrases import OR, counted, files, listed, quoted
from auditor.code.program.call_graph import reachability
from auditor.code.program.call_paths import Access, CallPath, Reachability
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.identifiers import may_match
from auditor.code.project.lookup_errors import no_function
from auditor.code.syntax.term import Term, dotted
from auditor.code.syntax.unparse import unparse
from auditor.model import Anchor, Kind, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition


_MOST = 8  # names of each kind that a message gives


@dataclass(frozen=True, kw_only=True)
class Reads(Check):
    """What a computation can read, and what it never does.

    *What it checks.* All attributes, functions and globals that computing `at` can reach, through the functions it
    calls or hands on, over the versions of subclasses too. The message says how far the search went and which calls
    could not be resolved. A name that is only reached by a call of which no more than the name is known, an attribute
    whose name is worked out (`getattr(x, name)`, `vars`), and a search that ends at `depth`, leave the claim `open`;
    `through`, `scope` and `depth` help.

    *Parameters.* `at`: a function or property. `never`: regular expressions; no name or dotted chain may match.
    `only`: regular expressions; every attribute that is read and not itself followed matches one wholly. `scope`
    (optional): folders and files, the package otherwise. `through` (optional): chain -> path::Class, the class behind
    an attribute. `depth` (optional, 6): how many calls deep.

    *中文。* 一项计算能读到什么，以及从不读什么。

    *Example.*

        check: reads
        at: python/sglang/srt/mem_cache/prefill_budget.py::PrefillBudget.remaining_total
        scope: python/sglang/srt/mem_cache
        never: [host]
        through:
          self.tree_cache: python/sglang/srt/mem_cache/base_prefix_cache.py::BasePrefixCache
    """

    at: Anchor
    never: tuple[Regex, ...] = ()
    only: tuple[Regex, ...] = ()
    scope: tuple[str, ...] = ()
    through: Mapping[Formula, Place] = field(default_factory=dict)
    depth: int = 6

    def problems(self) -> Iterator[str]:
        if not self.never and not self.only:
            yield "say never, only or both"
        if self.at.symbol is None:
            yield "at needs a function: path::function"
        if not 1 <= self.depth <= 30:
            yield "depth is 1 to 30"
        for chain, place in self.through.items():
            if dotted(chain.term) is None:
                yield f"through: {chain} is no attribute or name"
            if place.anchor.symbol is None:
                yield f"through: {place} names no class: path::Class"

    def run(self, codebase: "Codebase") -> Outcome:
        root = codebase.locate(self.at)
        if root.symbol is None or root.symbol.type != "function":
            raise no_function(root.location, root.name)
        scope = self.scope or (codebase.package_of(root.path),)
        hierarchy = Hierarchy(codebase, {*codebase.python_files(scope), root.path})
        through = {
            str(dotted(chain.term)): _class(codebase.locate(place.anchor)) for chain, place in self.through.items()
        }
        found = reachability(tuple(_roots(root, hierarchy)), hierarchy, through, self.depth)
        wrong = [one for one in found.reached if self._is_wrong(one)]
        certain = [one for one in wrong if one.step.is_certain]
        reach = _reach(found, scope)
        for chain, cls in through.items():
            taken = Text("; with {} taken for {}, or a class below it", "；其中把 {} 当作 {} 或其子类")
            reach += taken.filled(quoted(chain), quoted(cls.name))
        expected = f"never {_or(self.never).en}" if self.never else f"only {_or(self.only).en}"
        name = quoted(root.name)
        if certain:
            first = certain[0]
            names = dict.fromkeys(one.chain for one in certain)
            reads = Text("{} reads {}: {} reads {} at {}; {}", "{0} 读取了 {1}：{2} 在 {4} 读取 {3}；{5}")
            message = reads.filled(
                name, listed(map(quoted, names)), quoted(first.step), quoted(first.chain), first.location, reach
            )
            places = tuple(dict.fromkeys(one.location for one in certain))[:10]
            return Outcome(Kind.FAIL, message, expected, ", ".join(names), (*places, root.location), root.fingerprint)
        if wrong:
            first = wrong[0]
            may = Text(
                "{} may read {}: {} reads it at {}, which is reached by a call of which only the name is known; say "
                "its class with through. {}",
                "{} 可能读取 {}：{} 在 {} 读取它，而到达那里的调用只知道名称；请用 through 写明它的类。{}",
            )
            raise Undecidable(may.filled(name, quoted(first.chain), quoted(first.step), first.location, reach))
        for term, worked_out, step in found.dynamic:
            if self._may_be(worked_out, step.function, hierarchy):
                any_name = Text(
                    "{} may read anything by a name that is worked out, {} at {}; {}",
                    "{} 可能以运行时算出的名称读取任何内容：{}，位于 {}；{}",
                )
                raise Undecidable(any_name.filled(name, quoted(unparse(term)), step.function.location_of(term), reach))
        if found.cut:
            end = Text(
                "{}: the search ended {} calls deep, before {}; give a larger depth. {}",
                "{}：搜索在第 {} 层调用处停止，尚未进入 {}；请加大 depth。{}",
            )
            raise Undecidable(end.filled(name, self.depth, listed(map(quoted, found.cut), _MOST), reach))
        message = Text("{} reads only {}; {}", "{} 只读取 {}；{}")
        if self.never:
            message = Text("{} reads nothing that matches {}; {}", "{} 不读取任何与 {} 匹配的内容；{}")
        message = message.filled(name, _or(self.never or self.only), reach)
        return Outcome(Kind.PASS, message, expected, expected, (root.location,), root.fingerprint)

    def _may_be(self, worked_out: Term | None, function: "Definition", hierarchy: Hierarchy) -> bool:
        """Whether a name that is worked out may be one that is never read, none of those that are, or that of code."""
        if worked_out is not None:
            texts = [source.value for source in text_sources(worked_out, function)]
            if all(one.is_complete for one in texts):
                names = [Access(one.text, one.text, CallPath(function, None), function.location, True) for one in texts]
                return any(self._is_wrong(one) or hierarchy.count(one.name) for one in names)
        return worked_out is None or bool(self.only) or any(may_match(worked_out, regex) for regex in self.never)

    def _is_wrong(self, one: Access) -> bool:
        if any(regex.matches(one.name) or regex.matches(one.chain) for regex in self.never):
            return True
        names = (one.name, one.chain, one.chain.removeprefix("self."))
        is_said = any(regex.compiled.fullmatch(name) for regex in self.only for name in names)
        return bool(self.only) and one.is_leaf and not is_said


def _class(definition: "Definition") -> Class:
    return Class(definition.path, definition.name)


def _roots(root: "Definition", hierarchy: Hierarchy) -> "Iterator[tuple[Definition, Class | None]]":
    """The function itself, and the versions of the classes below its own."""
    cls = Class(root.path, root.cls) if root.cls else None
    yield root, cls
    for below, versions in hierarchy.versions(cls, root.name.rpartition(".")[2]).items() if cls else ():
        for version in versions:
            yield version, below


def _reach(found: Reachability, scope: tuple[str, ...]) -> Text:
    functions = {step.function for step in found.functions}
    searched = Text("followed {} in {}", "跟踪了 {1}中的 {0}").filled(
        Text(counted(len(functions), "function"), f"{len(functions)} 个函数"),
        files(len({function.path for function in functions}), scope),
    )
    reach = searched + Text(", every call resolved", "，所有调用均已解析")
    if found.unresolved:
        reach = searched + Text(", not resolved: {}", "，未能解析：{}").filled(
            listed(map(quoted, found.unresolved), _MOST)
        )
    if found.outside:
        reach += Text("; outside: {}", "；范围之外：{}").filled(listed(map(quoted, found.outside), _MOST))
    return reach


def _or(regexes: tuple[Regex, ...]) -> Text:
    return OR.join(map(quoted, regexes))
