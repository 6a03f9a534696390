"""The check `option`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.checks import Check, Wanting
from auditor.code import Undecidable
from auditor.code.flow.string_values import string_values
from auditor.code.phrases import files, quoted
from auditor.code.syntax.term import Term
from auditor.model import Kind, Location, Outcome, Text

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase

State = Literal["present", "deprecated", "absent"]

_STATES = {"present": "存在", "deprecated": "已弃用", "absent": "不存在"}
_DECLARES = ("add_argument", "option", "add_option")


@dataclass(frozen=True, kw_only=True)
class Option(Check):
    """A command-line option exists, is deprecated, or is gone.

    *What it checks.* Whether a call of `add_argument`, or of click's `option`, in the files of `scope` declares the
    flag; it is deprecated when it says `deprecated=True`, or its help or its action does. One that is declared only in
    a branch is `review`. That there is none is said only where no flag is worked out from a name that could be this
    one: where `--swap-space` could come from a field `swap_space`, it is `open`.

    *Parameters.* `scope`: folders and files; `flag`, with its dashes; `state` (optional): present, deprecated or
    absent; without it, present.

    *中文。* 命令行选项存在、已弃用或已移除。

    *Example.*

        check: option
        scope: vllm/engine/arg_utils.py
        flag: --swap-space
        state: absent
    """

    scope: tuple[str, ...]
    flag: str
    state: State = "present"

    def problems(self) -> Iterator[str]:
        if not self.flag.startswith("-") or not self.flag.strip("-"):
            yield f"flag begins with a dash: --{self.flag.strip('-')}"
        if not self.scope:
            yield "scope names no place"

    def run(self, codebase: "Codebase") -> Outcome:
        paths = codebase.python_files(self.scope)
        found = [one for path in paths for one in self._declared(codebase, path)]
        if not found:
            return self._missing(codebase, paths)
        is_old = [one for one in found if one.is_deprecated]
        actual: State = "deprecated" if len(is_old) == len(found) else "present"
        kind = Kind.PASS if actual == self.state else Kind.FAIL
        if kind is Kind.FAIL and is_old and self.state == "deprecated":
            kind = Kind.REVIEW
        message = Text(f"{self.flag} is {actual}", f"`{self.flag}` {_STATES[actual]}")
        if kind is Kind.FAIL:
            message += Text(f", not {self.state}", f"，而不是{_STATES[self.state]}")
        if kind is Kind.PASS and all(one.is_in_branch for one in found):
            kind = Kind.REVIEW
            message += Text(", declared only under a condition", "，但只在某个条件下声明")
        return Outcome(kind, message, self.state, actual, tuple(one.place for one in found))

    def _missing(self, codebase: "Codebase", paths: list[str]) -> Outcome:
        name = self.flag.strip("-").replace("-", "_")
        for path in paths:
            if any(word in codebase.text(path) for word in (name, name.replace("_", "-"))):
                for term in codebase.whole(path).code.by_type.get("Literal", ()):
                    if term.parts["value"] in (name, self.flag, self.flag.strip("-")):
                        raise self._unknown(codebase.whole(path).location_of(term))
                for symbol in codebase.index(path).symbols:
                    if symbol.name.rpartition(".")[2] == name and symbol.type == "field":
                        raise self._unknown(Location(path, symbol.region, symbol.name))
        kind = Kind.PASS if self.state == "absent" else Kind.FAIL
        where = Text("in {}", "在 {}中").filled(files(len(paths), self.scope))
        message = Text("{}, nothing declares {}", "{}，没有声明 {}").filled(where, quoted(self.flag))
        return Outcome(kind, message, self.state, "absent")

    def wanting(self, outcome: Outcome) -> Wanting | None:
        return Wanting() if outcome.actual == "absent" else None

    def _unknown(self, place: Location) -> Undecidable:
        message = Text(
            "nothing declares {} as such, but it may come from the name at {}",
            "没有直接声明 {}，但它可能来自 {} 处的名称",
        )
        return Undecidable(message.filled(quoted(self.flag), place))

    def _declared(self, codebase: "Codebase", path: str) -> "Iterator[_Declared]":
        if self.flag not in codebase.text(path):
            return
        whole = codebase.whole(path)
        branches = [
            one
            for type_, parts in _BRANCHES.items()
            for term in whole.code.by_type.get(type_, ())
            for part in parts
            for one in term.terms(part)
        ]
        for call in whole.code.by_type.get("Call", ()):
            func = call.term("func")
            name = str(func.parts.get("attr") or func.parts.get("id"))
            if name in _DECLARES and any(arg.parts.get("value") == self.flag for arg in call.terms("args")):
                is_inside = any(one.region and call.region and one.region.contains(call.region) for one in branches)
                yield _Declared(whole.location_of(call), _is_deprecated(call), is_inside)


_BRANCHES = {
    "If": ("body", "orelse"), "For": ("body", "orelse"), "While": ("body", "orelse"), "Try": ("handlers", "orelse"),
}  # fmt: skip
"""What of a statement runs under a condition."""


@dataclass(frozen=True)
class _Declared:
    place: Location
    is_deprecated: bool
    is_in_branch: bool


def _is_deprecated(call: Term) -> bool:
    """Whether a declaration says so itself."""
    for keyword in call.terms("keywords"):
        value = keyword.term("value")
        if keyword.text("name") == "deprecated":
            return value.parts.get("id") == "True" or (value.type == "Literal" and bool(value.parts["value"]))
        if (
            keyword.text("name") == "action"
            and "deprecated" in str(value.parts.get("id", value.parts.get("attr", ""))).lower()
        ):
            return True
        if keyword.text("name") == "help" and any("deprecated" in one.text.lower() for one in string_values(value)):
            return True
    return False
