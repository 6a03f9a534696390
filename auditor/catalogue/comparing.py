"""How the catalogues of two revisions differ, and what was renamed."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.catalogues import Catalogue, Change, ChangeKind, Comparison, Metric, Option, Recorded, Sureness, digest

_UNITS = ("seconds", "milliseconds", "ms", "bytes", "gb", "mb", "tokens", "blocks", "perc", "ratio", "requests", "gib",
          "chunks", "pages", "steps")  # fmt: skip
_WORD = re.compile(r"[a-z0-9]+")


def compared(old: Catalogue, new: Catalogue) -> Comparison:
    """Every difference, the worst first."""
    changes = [*_metrics(old.metrics, new.metrics), *_options(old.options, new.options)]
    ranks = list(ChangeKind)
    changes.sort(key=lambda one: (ranks.index(one.kind), _rank(one.name), one.name))
    return Comparison(new.target, old.revision, new.revision, tuple(changes))


def _rank(name: str) -> int:
    """What most people use comes first: metrics and flags, then variables, then fields."""
    return 0 if ":" in name or name.startswith("-") else 1 if name.isupper() else 2


def _metrics(old: Sequence[Metric], new: Sequence[Metric]) -> Iterator[Change]:
    before, after = ({one.family: one for one in reversed(side)} for side in (old, new))
    added = [one for name, one in after.items() if name not in before]
    taken: set[str] = set()
    for name, one in before.items():
        if name in after:
            yield from _metric(one, after[name])
            continue
        found = successor(one, after.values(), added)
        if found is None:
            yield Change(ChangeKind.REMOVED, "metric", one.name, before=one.type, old_place=one.place)
            continue
        now, sureness = found
        taken.add(now.family)
        yield Change(
            ChangeKind.RENAMED, "metric", one.name, one.name, now.name, now.name, sureness, one.place, now.place
        )
        yield from (change for change in _metric(one, now) if change.kind in (ChangeKind.TYPE, ChangeKind.LABELS))
    for one in added:
        if one.family not in taken:
            yield Change(ChangeKind.ADDED, "metric", one.name, after=one.type, new_place=one.place)


def _metric(old: Metric, new: Metric) -> Iterator[Change]:
    def change(kind: ChangeKind, before: str | None, after: str | None) -> Change:
        return Change(kind, "metric", old.name, before or "", after or "", None, None, old.place, new.place)

    if old.type != new.type:
        yield change(ChangeKind.TYPE, old.type, new.type)
    is_told = all(one.labels or one.are_labels_known for one in (old, new))
    if is_told and set(old.labels) != set(new.labels):
        yield change(ChangeKind.LABELS, ", ".join(old.labels), ", ".join(new.labels))
    if old.unit != new.unit or _is_other_unit(units(old.help), units(new.help)):
        yield change(ChangeKind.UNIT, old.help, new.help)
    elif old.help != new.help:
        yield change(ChangeKind.HELP, old.help, new.help)
    if old.when != new.when and _is_exact(old.when) and _is_exact(new.when):
        yield change(ChangeKind.CONDITION, old.when, new.when)


def _is_other_unit(before: frozenset[str], after: frozenset[str]) -> bool:
    """Whether texts name units of which neither are among the other's: one that says more is no change."""
    return bool(before and after) and not (before <= after or after <= before)


_DISPATCHED = re.compile(r"\bis [A-Z](?!one\b|rue\b|alse\b)\w*")


def _is_exact(when: str | None) -> bool:
    """Whether a condition is all of it, and no guess of which class a receiver is of."""
    return when is None or not (when.endswith(" or ...") or _DISPATCHED.search(when))


def units(text: str | None) -> frozenset[str]:
    """The units that a help text names."""
    return frozenset(_WORD.findall((text or "").lower())) & frozenset(_UNITS)


def recorded(metric: Metric, revision: str) -> Recorded:
    """What is to be remembered of a metric, without its text."""
    named = tuple(dict.fromkeys(_NAME.findall(metric.help or ""))) if _DEPRECATED.search(metric.help or "") else ()
    others = tuple(one for one in named if one != metric.family)
    return Recorded(metric.family, ((revision, revision),), metric.type, metric.labels, others, digest(metric.help))


_NAME = re.compile(r"(?<![\w:])[a-zA-Z_]\w*:\w*\w|(?<![\w:])[a-z]+(?:_[a-z0-9]+){2,}")
_DEPRECATED = re.compile(r"deprecat|renam|replac|use ", re.IGNORECASE)


def successor(gone: Metric, there: Iterable[Metric], added: Sequence[Metric] = ()) -> tuple[Metric, Sureness] | None:
    """What a metric is called now: proven by the old one's help, or by everything else being the same."""
    there = list(there)
    named = [one for one in there if gone.help and re.search(rf"(?<![\w:]){re.escape(one.family)}(?!\w)", gone.help)]
    if len(named) == 1 and _DEPRECATED.search(gone.help or ""):
        return named[0], Sureness.PROVEN
    scored = sorted(((_likeness(gone, one), one) for one in there if one.type == gone.type), key=lambda pair: -pair[0])
    if not scored or scored[0][0] < _POSSIBLE:
        return None
    score, best = scored[0]
    is_alone = len(scored) < 2 or scored[1][0] < score - _MARGIN
    is_new = best in added
    same = gone.help == best.help and set(gone.labels) == set(best.labels) and gone.help is not None
    if same and is_new and is_alone and _units_in(gone.family) == _units_in(best.family):
        return best, Sureness.PROVEN
    if score >= _LIKELY and is_alone and _units_in(gone.family) == _units_in(best.family):
        return best, Sureness.LIKELY
    return best, Sureness.POSSIBLE


_POSSIBLE, _LIKELY, _MARGIN = 0.62, 0.8, 0.04


def _likeness(old: Metric, new: Metric) -> float:
    """How alike two metrics are, 0 to 1: most of all their names, then what their help says."""
    name = nearness(old.family, new.family)
    if not old.help or not new.help:
        return name
    text = difflib.SequenceMatcher(None, old.help.lower(), new.help.lower(), autojunk=False).ratio()
    return 0.6 * name + 0.4 * text


def nearness(one: str, other: str) -> float:
    """How near two names are, by their words and by their letters."""
    left, right = (_WORD.findall(name.lower().replace("_", " ")) for name in (one, other))
    shared = len(set(left) & set(right)) / max(1, len(set(left) | set(right)))
    letters = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    return max(0.5 * shared + 0.5 * letters, letters - 0.05 if letters >= _TYPO else 0.0)


_TYPO = 0.93


def _units_in(name: str) -> frozenset[str]:
    return frozenset(name.lower().replace(":", "_").split("_")) & frozenset(_UNITS)


def _options(old: Sequence[Option], new: Sequence[Option]) -> Iterator[Change]:
    after = _spellings(new)
    seen: set[str] = set()
    for one in old:
        now = next((after[key] for key in _keys(one) if key in after), None)
        if now is None:
            found = _option_successor(one, [two for two in new if two.kind == one.kind], _spellings(old))
            now_name = found[0].name if found else None
            kind = ChangeKind.RENAMED if found else ChangeKind.REMOVED
            if found:
                seen.add(found[0].name)
            yield Change(
                kind, "option", one.name, _default(one), _default(found[0]) if found else "", now_name,
                found[1] if found else None, one.place, found[0].place if found else None,
            )  # fmt: skip
            continue
        seen.add(now.name)
        yield from _option(one, now)
    before = _spellings(old)
    for one in new:
        if one.name not in seen and not any(key in before for key in _keys(one)):
            yield Change(ChangeKind.ADDED, "option", one.name, after=_default(one), new_place=one.place)


def _keys(one: Option) -> list[str]:
    return [f"{one.kind} {name}" for name in (one.flags or (one.field,))]


def _spellings(options: Sequence[Option]) -> Mapping[str, Option]:
    return {key: one for one in options for key in _keys(one)}


def _option_successor(
    gone: Option, there: Sequence[Option], before: Mapping[str, Option]
) -> tuple[Option, Sureness] | None:
    if gone.instead:
        for one in there:
            if any(re.search(rf"{re.escape(flag)}(?![\w-])", gone.instead) for flag in one.flags):
                return one, Sureness.PROVEN
    if gone.help and gone.is_deprecated:
        for one in there:
            for flag in one.flags:
                if re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", gone.help):
                    told = re.search(rf"\buse\W+{re.escape(flag)}(?![\w-])", gone.help, re.IGNORECASE)
                    return one, Sureness.PROVEN if told else Sureness.POSSIBLE
    fresh = [one for one in there if not any(key in before for key in _keys(one))]
    scored = sorted(((nearness(gone.name, one.name), one) for one in fresh), key=lambda pair: -pair[0])
    if not scored or scored[0][0] < _LIKELY:
        return None
    return scored[0][1], Sureness.LIKELY if scored[0][1].help == gone.help and gone.help else Sureness.POSSIBLE


def _option(old: Option, new: Option) -> Iterator[Change]:
    def change(kind: ChangeKind, before: str, after: str) -> Change:
        return Change(kind, "option", old.name, before, after, None, None, old.place, new.place)

    if _default(old) != _default(new) and not (_alternatives(old) & _alternatives(new)):
        yield replace(
            change(ChangeKind.DEFAULT, _default(old), _default(new)),
            sureness=None if old.is_static and new.is_static else Sureness.POSSIBLE,
        )
    gone = [flag for flag in old.flags if flag not in new.flags]
    if gone:
        yield Change(
            ChangeKind.RENAMED, "option", gone[0], " ".join(old.flags), " ".join(new.flags), new.name,
            Sureness.PROVEN, old.place, new.place,
        )  # fmt: skip
    unseen = [flag for flag in new.flags if flag not in old.flags]
    if unseen and not gone:
        yield Change(
            ChangeKind.ADDED, "option", unseen[0], " ".join(old.flags), " ".join(new.flags), new_place=new.place
        )  # fmt: skip
    if old.type != new.type:
        yield change(ChangeKind.TYPE, old.type or "", new.type or "")
    if old.choices != new.choices and () not in (old.choices, new.choices):
        lost = set(map(str, old.choices or ())) - set(map(str, new.choices or ()))
        fresh = set(map(str, new.choices or ())) - set(map(str, old.choices or ()))
        yield change(ChangeKind.CHOICES, ", ".join(sorted(lost)), ", ".join(sorted(fresh)))
    if new.is_deprecated and not old.is_deprecated:
        yield change(ChangeKind.DEPRECATED, "", new.instead or new.help or "")
    if old.when != new.when:
        yield change(ChangeKind.CONDITION, old.when or "", new.when or "")
    if old.help != new.help:
        yield change(ChangeKind.HELP, old.help or "", new.help or "")


def _default(one: Option) -> str:
    return "(required)" if one.is_required else repr(one.default) if one.is_static else f"{one.default}"


def _alternatives(one: Option) -> set[str]:
    """The values that a default may have: one that is worked out, else each that the code leaves possible."""
    return {str(one.default)} if one.is_static or one.is_required else set(str(one.default).split(" | "))
