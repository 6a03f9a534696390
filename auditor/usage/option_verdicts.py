"""What a revision says of the options that command lines and documentation name."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

from auditor.catalogue.comparing import nearness
from auditor.catalogues import Catalogue, History, Option
from auditor.text import Text
from auditor.usage.defaults import is_same_default
from auditor.usage.documents import HOLE
from auditor.usages import Usage, Used, Verdict

_NEAR = 0.85
_LONGEST = 300  # characters of a name
_SHORT, _TYPO = 12, 0.8
"""Of a name so short two letters that changed places are a fifth."""
_OF_ARGPARSE = ("--help",)
_SENTENCE = re.compile(r"[^\W\d]{2,}\s+[^\W\d]{2,}")
"""Words rather than a value, as in "same as the model"."""
_TEMPLATED = ("{", "$", "<", "%", HOLE)


class Options:
    """The options of the revisions that are read, by their spellings."""

    def __init__(self, catalogues: Sequence[Catalogue], histories: Mapping[str, History]) -> None:
        self._catalogues = [one for one in catalogues if one.options]
        self._histories = histories
        self._flags = {
            one.target: {flag: option for option in one.options if option.kind == "flag" for flag in option.flags}
            for one in self._catalogues
        }
        self._variables = {
            one.target: {option.field: option for option in one.options if option.kind == "environment"}
            for one in self._catalogues
        }

    def used(self, usage: Usage) -> Used | None:
        """What is to be said of a flag or a variable; None for one that is none of ours."""
        if len(usage.name) > _LONGEST or HOLE in usage.name:
            return None
        if usage.what == "variable":
            return self._variable(usage)
        name = usage.name.partition(".")[0].replace("_", "-")
        own = [one for one in self._catalogues if usage.of in ("", one.target)]
        if name in _OF_ARGPARSE:
            return None
        found: Used | None = None
        for catalogue in own:
            option = self._option(name, catalogue.target, usage)
            if option is not None:
                used = self._there(usage, option, catalogue)
                if used.verdict is not Verdict.DEFAULT:
                    return used  # a table says a default of one of them
                found = found or used
        if found is not None:
            return found
        if not own or (usage.of == "" and not usage.is_default):
            return None
        return self._missing(usage, name, own[0])

    def _option(self, name: str, target: str, usage: Usage) -> Option | None:
        option = self._flags[target].get(name)
        return option if option is not None or usage.is_default else self._abbreviated(name, target)

    def knows(self, usage: Usage) -> bool:
        """Whether some target has a flag, written in full."""
        name = usage.name.replace("_", "-")
        return any(name in flags for flags in self._flags.values())

    def _abbreviated(self, name: str, target: str) -> Option | None:
        """argparse takes a beginning of a flag that is no other's."""
        found = {id(one): one for flag, one in self._flags[target].items() if flag.startswith(name) and len(name) > 2}
        return next(iter(found.values())) if len(found) == 1 else None

    def _there(self, usage: Usage, option: Option, catalogue: Catalogue) -> Used:
        place = f"{option.place}"
        if usage.is_default and usage.value is not None and option.is_static and not option.is_required:
            if not is_same_default(usage.value, option.default) and not _SENTENCE.search(usage.value):
                message = Text(
                    f"the default of {option.name} is {option.default!r} in {catalogue.label} ({place}), "
                    f"not {usage.value}",
                    f"在 {catalogue.label} 中，`{option.name}` 的默认值是 `{option.default!r}`（{place}），"
                    f"而不是 `{usage.value}`",
                )
                return Used(usage, Verdict.DEFAULT, message, str(option.default))
        elif usage.value and option.choices and not usage.is_default:
            choices = [str(one) for one in option.choices if one is not None]
            if usage.value not in choices and not any(mark in usage.value for mark in _TEMPLATED):
                message = Text(
                    f"{option.name} does not take {usage.value} in {catalogue.label}; "
                    f"it takes {', '.join(choices[:12])}",
                    f"在 {catalogue.label} 中，`{option.name}` 不接受 `{usage.value}`；可取 {'、'.join(choices[:12])}",
                )
                return Used(usage, Verdict.VALUE, message)
        elif option.type == "bool" and not usage.is_default and (usage.value or "").lower() in ("true", "false"):
            no = next((one for one in option.flags if one.startswith(("--no-", "--disable-"))), None)
            off = Text(f"; to turn it off, write {no}", f"；要关闭请写 `{no}`") if no else Text("", "")
            message = Text(
                f"{usage.name} is a switch in {catalogue.label}, which takes no value",
                f"在 {catalogue.label} 中，`{usage.name}` 是开关，不接受取值",
            )
            return Used(usage, Verdict.VALUE, message + off)
        if option.is_deprecated:
            instead = option.instead or option.help or ""
            message = Text(
                f"{option.name} is deprecated in {catalogue.label}: {instead[:200]}",
                f"`{option.name}` 在 {catalogue.label} 中已弃用：`{instead[:200]}`",
            )
            return Used(usage, Verdict.DEPRECATED, message, option.instead)
        message = Text(f"{catalogue.label} has {option.name}", f"{catalogue.label} 有 `{option.name}`")
        return Used(usage, Verdict.EXPORTED, message)

    def _missing(self, usage: Usage, name: str, catalogue: Catalogue) -> Used:
        history = self._histories.get(catalogue.target)
        recorded = history.options.get(name) if history else None
        flags = self._flags[catalogue.target]
        best = max(flags, key=lambda flag: nearness(name, flag), default="")
        is_near = bool(best) and nearness(name, best) >= _NEAR
        if not is_near and len(name) <= _SHORT and (typo := difflib.get_close_matches(name, flags, 1, _TYPO)):
            best, is_near = typo[0], True
        near = Text(f"; the nearest is {best}", f"；最接近的是 `{best}`") if is_near else Text("", "")
        if recorded is not None and history is not None:
            since = history.first_after(recorded, catalogue.revision.name)
            message = Text(
                f"{catalogue.target} had {name} up to {recorded.last}; {catalogue.label} does not take it",
                f"{catalogue.target} 到 {recorded.last} 为止有 `{name}`；{catalogue.label} 不再接受",
            )
            if since is not None:
                message = Text(
                    f"{catalogue.target} has {name} only since {since}; {catalogue.label} does not take it",
                    f"{catalogue.target} 从 {since} 起才有 `{name}`；{catalogue.label} 不接受",
                )
            return Used(usage, Verdict.GONE, message + near, best if is_near else None)
        message = Text(f"{catalogue.label} has no option {name}", f"{catalogue.label} 没有选项 `{name}`") + near
        # Of a command line that starts something else than the engine, one that is like none of ours is only unknown.
        is_wrong = (is_near or (usage.is_sure and usage.of != "")) and not catalogue.unresolved_options
        return Used(usage, Verdict.NOT_EXPORTED if is_wrong else Verdict.UNKNOWN, message, best if is_near else None)

    def _variable(self, usage: Usage) -> Used | None:
        for catalogue in self._catalogues:
            if usage.name in self._variables[catalogue.target]:
                message = Text(f"{catalogue.label} reads {usage.name}", f"{catalogue.label} 读取 `{usage.name}`")
                return Used(usage, Verdict.EXPORTED, message)
        for catalogue in self._catalogues:
            history = self._histories.get(catalogue.target)
            if history and usage.name in history.options:
                last = history.options[usage.name].last
                message = Text(
                    f"{catalogue.target} read {usage.name} up to {last}; {catalogue.label} does not",
                    f"{catalogue.target} 到 {last} 为止读取 `{usage.name}`；{catalogue.label} 不再读取",
                )
                return Used(usage, Verdict.GONE, message)
        return None


def variables(catalogues: Iterable[Catalogue]) -> tuple[str, ...]:
    """How environment variables of the targets begin."""
    names = [o.field for one in catalogues for o in one.options if o.kind == "environment"]
    counted: dict[str, int] = {}
    for name in names:
        prefix = name.partition("_")[0] + "_"
        counted[prefix] = counted.get(prefix, 0) + 1
    return tuple(prefix for prefix, count in counted.items() if count > max(3, len(names) // 10))
