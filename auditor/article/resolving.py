"""Which file of which target each citation means."""

import os.path
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.article.beside import beside
from auditor.article.contexts import Contexts
from auditor.article.resolved import AT_COMMIT, NO_LINES, NO_TARGET, NOT_BEFORE, OTHER, SEVERAL, Resolved
from auditor.article.symbols import Symbols
from auditor.article.trees import Tree, is_generic
from auditor.articles import Form, Mention
from auditor.model import AnchorState
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.article.mentions import Mentions
    from auditor.article.passages import Document


_MANY = 3  # paths that leave the same beginning out, so that it is the text's way
_MOST_READ = 12  # candidates whose lengths are looked at


class Resolver:
    """Resolves the citations of one document."""

    def __init__(self, document: "Document", found: "Mentions", trees: Sequence[Tree], pins: "dict[str, str]") -> None:
        self._document, self._found, self._trees = document, found, trees
        self._pins = pins
        self._contexts = Contexts(document, trees)
        self._full: set[tuple[Tree, str]] = set()
        self._clear: set[tuple[Tree, str]] = set()
        """The files that the text names, also by their names alone, of which there is no other."""
        self._prefixes: dict[tuple[Tree, str], int] = {}
        """How many of the text's paths leave a beginning out, of those that can mean one file only."""
        self._read_full_paths()
        self._last: dict[str, list[tuple[int, Tree, str, bool]]] = {}
        self._number = 0

    def all(self) -> list[Resolved]:
        """What every citation means, in their order."""
        resolved: list[Resolved] = []
        for number, mention in enumerate(self._found.mentions):
            self._number = number
            one = self._one(mention)
            if one.path and one.tree and mention.form is not Form.FOLDER:
                name = one.path.rpartition("/")[2]
                self._last.setdefault(name, []).append((number, one.tree, one.path, not one.is_guess))
            resolved.append(one)
        return self._with_symbols(self._shared(resolved))

    def _with_symbols(self, resolved: list[Resolved]) -> list[Resolved]:
        """The same, with the files of symbols that are cited without one."""
        if not any(one.mention.form is Form.SYMBOL and not one.mention.path for one in resolved):
            return resolved
        cited = [(one.tree, one.path) for one in resolved if one.tree and one.path and one.state is None]
        symbols = Symbols(self._trees, [pair for pair in cited if pair[1] in pair[0].files])
        return [
            symbols.resolved(one.mention, self._contexts.before(one.mention) or self._contexts.of(one.mention.passage))
            if one.mention.form is Form.SYMBOL and not one.mention.path
            else one
            for one in resolved
        ]

    def _one(self, mention: Mention) -> Resolved:
        if mention.form is Form.SYMBOL and not mention.path:
            return Resolved(mention)
        if not mention.path:
            return Resolved(mention, reason=NOT_BEFORE)
        if mention.link is not None:
            return self._link(mention)
        if len(mention.choices) > 1:
            return Resolved(mention, candidates=tuple(self._choices(mention)), reason=SEVERAL)
        found = self._candidates(mention.path, is_folder=mention.form is Form.FOLDER)
        chosen = self._chosen(mention, found)
        is_inherited = mention.form is Form.INHERITED
        if is_inherited and (other := self._otherwise(mention, chosen)):
            return other
        if is_inherited and chosen.path and chosen.state is None and not self._fits(chosen):
            if all(one.end is None for one in mention.lines):
                return Resolved(mention, reason=NO_LINES)  # a port, a count
        elif is_inherited and mention.is_sample and not mention.choices:
            return Resolved(mention, reason=NOT_BEFORE)
        if mention.earlier:
            return replace(chosen, is_guess=True, is_weak=chosen.is_weak or self._is_blank(chosen))
        return chosen

    def _otherwise(self, mention: Mention, chosen: Resolved) -> Resolved | None:
        """Another file that is named before, which lines that inherit one are of.

        It has the name that stands at them on these lines, and the nearest has not; or the nearest is too short.
        """
        if chosen.path is None or chosen.state is not None:
            return None
        fits = self._fits(chosen)
        told = beside(self._document, self._found.mentions, self._number)
        names = told.direct or told.names
        if fits and (not names or self._has(chosen, (*told.direct, *told.names))):
            return None
        for paths, is_weak in ((mention.earlier, False), (mention.farther, True)):
            for path in paths:
                other = self._chosen(replace(mention, path=path, choices=()), self._candidates(path))
                is_told = self._has(other, names)
                if self._fits(other) and (is_told if fits else is_told or not is_weak):
                    return replace(other, mention=mention, is_guess=True)
        if fits:
            return None
        others = (
            self._chosen(replace(mention, path=path, choices=()), self._candidates(path)) for path in mention.farther
        )
        fitting = {(one.tree, one.path) for one in others if self._fits(one)}
        if len(fitting) == 1:
            return Resolved(mention, *fitting.pop(), is_guess=True, is_weak=True)
        return None

    def _has(self, resolved: Resolved, names: Iterable[str]) -> bool:
        """Whether the cited lines of a file have one of some names."""
        file = resolved.tree.file(resolved.path) if resolved.tree and resolved.path and resolved.state is None else None
        if file is None:
            return False
        lines = [line for name in names for line in file.where.get(name.rpartition(".")[2], ())]
        return any(one.region.start <= line <= one.region.end for one in resolved.mention.lines for line in lines)

    def _candidates(self, path: str, *, is_folder: bool = False) -> list[tuple[Tree, str]]:
        found = [(tree, one) for tree in self._trees for one in tree.candidates(path, is_folder=is_folder)]
        clean = path.lstrip("./")
        exact = [(tree, one) for tree, one in found if one == clean]
        return exact if len(exact) == 1 and "/" in clean else found

    def _choices(self, mention: Mention) -> Iterable[tuple[Tree, str]]:
        """The files of a list of which one is meant, in its order."""
        for printed in mention.choices:
            one = self._chosen(replace(mention, path=printed, choices=()), self._candidates(printed))
            if one.tree and one.path:
                yield one.tree, one.path

    def _chosen(self, mention: Mention, found: list[tuple[Tree, str]]) -> Resolved:
        """The one candidate that what is near speaks for."""
        if not found:
            return self._missing(mention)
        if len(found) == 1:
            return self._sole(mention, *found[0])
        near = self._near(mention, found)
        if near is not None:
            tree, path, is_weak = near
            return Resolved(mention, tree, path, is_guess=True, is_weak=is_weak)
        return Resolved(mention, candidates=tuple(found), reason=_several(found))

    def _sole(self, mention: Mention, tree: Tree, path: str) -> Resolved:
        """The only file that ends so; a name that many files have, in a text of another project, is not enough."""
        folder = mention.path.rpartition("/")[0]
        context = self._contexts.of(mention.passage)
        if not folder and is_generic(path) and path != mention.path and not tree.is_shipped(mention.path):
            return Resolved(mention, tree, mention.path, state=AnchorState.UNAVAILABLE, is_guess=True)
        if not folder and (is_generic(path) or (context is not None and context is not tree)):
            return Resolved(mention, tree, path, is_guess=True)
        return Resolved(mention, tree, path)

    def _near(self, mention: Mention, found: list[tuple[Tree, str]]) -> tuple[Tree, str, bool] | None:
        """The candidate that what is near speaks for, and whether it does so weakly."""
        context = self._contexts.before(mention) or self._contexts.of(mention.passage)
        pools = [[one for one in found if one[0] is context], found] if context else [found]
        for own in pools:
            pool = self._fitting(mention, own)
            pool = self._telling(mention, pool) or pool
            if len(pool) > 1 and (begun := self._beginning(mention, pool)):
                return (*begun, True)
            if len(pool) == 1:
                return (*pool[0], False)
            before = [one for one in reversed(self._last.get(mention.path.rpartition("/")[2], ())) if one[1:3] in pool]
            stated = list(dict.fromkeys(one[1:3] for one in before if one[3]))
            if len(stated) == 1:
                return (*stated[0], False)
            if before:  # the one that was named last, whole or as here
                return (*before[0][1:3], True)
            named = [one for one in pool if one in self._full]
            if len(named) == 1:
                return (*named[0], True)
            below = [(self._prefixes.get((tree, _prefix(path, mention.path)), 0), tree, path) for tree, path in pool]
            best = max((count for count, _, _ in below), default=0)
            most = [(tree, path) for count, tree, path in below if count == best]
            if best and len(most) == 1:
                is_rivalled = any(0 < count < best for count, _, _ in below)
                return (*most[0], best < _MANY or is_rivalled)
            if (kin := self._kin(pool)) is not None:
                return (*kin, True)
        return None

    def _kin(self, pool: list[tuple[Tree, str]]) -> tuple[Tree, str] | None:
        """Of several files the one in whose part of the target all else is that the text clearly cites."""
        if len({tree.name for tree, _ in pool}) > 1 or len(pool) > _MOST_READ:
            return None
        common = len(os.path.commonpath([path for _, path in pool]).split("/")) + 1
        parts = {"/".join(path.split("/")[:common]): (tree, path) for tree, path in pool}
        if len(parts) < len(pool):
            return None
        inside = {part: sum(path.startswith(f"{part}/") for tree, path in self._clear) for part in parts}
        best = max(inside, key=lambda part: inside[part])
        return parts[best] if inside[best] >= _MANY and sum(inside.values()) == inside[best] else None

    def _telling(self, mention: Mention, pool: list[tuple[Tree, str]]) -> list[tuple[Tree, str]]:
        """Of several files those whose cited lines have a name that stands beside the citation."""
        if len(pool) < 2 or len(pool) > _MOST_READ or not mention.lines:
            return []
        told = beside(self._document, self._found.mentions, self._number)
        names = {name.rpartition(".")[2] for name in (*told.direct, *told.names)}
        telling = []
        for tree, path in pool:
            file = tree.file(path)
            words = file.where if file else {}
            lines = {line for name in names for line in words.get(name, ())}
            if any(one.region.start <= line <= one.region.end for one in mention.lines for line in lines):
                telling.append((tree, path))
        return telling

    def _beginning(self, mention: Mention, pool: list[tuple[Tree, str]]) -> tuple[Tree, str] | None:
        """Of several files that nothing else tells apart, the one in which the cited line alone begins a definition."""
        if len(pool) > _MOST_READ or not mention.lines or "/" in mention.path:
            return None
        start = mention.lines[0].region.start
        files = [(tree, path, tree.file(path)) for tree, path in pool]
        found = [(tree, path) for tree, path, file in files if file and file.begins(start)]
        is_named = any(one in pool for one in self._last_of(mention.path))
        return found[0] if len(found) == 1 and not is_named else None

    def _last_of(self, printed: str) -> Iterable[tuple[Tree, str]]:
        """The files of a name that were cited before."""
        return ((tree, path) for _, tree, path, _ in self._last.get(printed.rpartition("/")[2], ()))

    def _is_blank(self, resolved: Resolved) -> bool:
        """Whether the first of the lines holds nothing."""
        file = resolved.tree.file(resolved.path) if resolved.tree and resolved.path and resolved.state is None else None
        if file is None or not resolved.mention.lines:
            return False
        start = resolved.mention.lines[0].region.start
        return start > len(file.lines) or not file.lines[start - 1].strip()

    def _fits(self, resolved: Resolved) -> bool:
        """Whether a file is there, and long enough."""
        if resolved.tree is None or resolved.path is None or resolved.state is not None:
            return False
        return len(self._fitting(resolved.mention, [(resolved.tree, resolved.path)], is_strict=True)) == 1

    def _fitting(
        self, mention: Mention, found: list[tuple[Tree, str]], *, is_strict: bool = False
    ) -> list[tuple[Tree, str]]:
        """Of several files those that are long enough, where any is."""
        last = max((lines.region.end for lines in mention.lines), default=0)
        if not last or len(found) > _MOST_READ:
            return found
        for tree in {id(tree): tree for tree, _ in found}.values():
            tree.prefetch(path for other, path in found if other is tree)
        files = [(tree, path, tree.file(path)) for tree, path in found]
        long = [(tree, path) for tree, path, file in files if file and len(file.lines) >= last]
        return long if is_strict else long or found

    def _missing(self, mention: Mention) -> Resolved:
        own = [tree for tree in self._trees if tree.is_own(mention.path)]
        if len(own) == 1:
            return self._absent(mention, own[0], mention.path.lstrip("./"))
        context = self._contexts.before(mention) or self._contexts.of(mention.passage)
        if context is not None and mention.lines and "/" in mention.path and context.is_namesake(mention.path):
            return _gone(mention, context)
        if len(self._trees) == 1 and mention.lines and self._trees[0].has_top(mention.path):
            return _gone(mention, self._trees[0])
        if context is not None and "/" in mention.path and not context.is_shipped(mention.path.lstrip("./")):
            return Resolved(mention, context, mention.path.lstrip("./"), state=AnchorState.UNAVAILABLE, is_guess=True)
        return Resolved(mention, reason=NO_TARGET)

    def _absent(self, mention: Mention, tree: Tree, path: str) -> Resolved:
        is_shipped = tree.is_shipped(path)
        state = AnchorState.LOST if is_shipped else AnchorState.UNAVAILABLE
        return Resolved(mention, tree, path, state=state)

    def _link(self, mention: Mention) -> Resolved:
        link = mention.link
        assert link is not None
        trees = [tree for tree in self._trees if _is_repository(tree, link.owner, link.repository)]
        if not trees:
            other = OTHER.filled(f"{link.owner}/{link.repository}")
            return Resolved(mention, None, mention.path, other, state=AnchorState.UNAVAILABLE)
        tree = trees[0]
        path = mention.path
        is_folder = mention.form is Form.FOLDER
        known = tree.folders if is_folder else tree.files
        parts = path.split("/")
        for count in range(1, min(4, len(parts))):  # a branch may have slashes
            if path not in known and (rest := "/".join(parts[count:])) in known:
                path = rest
        if is_pinned(link.ref) and not self._is_read(tree, link.ref):
            return Resolved(mention, tree, path, AT_COMMIT.filled(link.ref[:12]), state=AnchorState.UNAVAILABLE)
        if path in known or (is_folder and path in tree.files):
            return Resolved(mention, tree, path)
        if not is_folder and path in tree.folders:
            return Resolved(replace(mention, form=Form.FOLDER), tree, path)
        if len(ends := tree.candidates(path, is_folder=is_folder)) == 1 and ends[0].endswith(path):
            return Resolved(mention, tree, ends[0])
        return self._absent(mention, tree, path)

    def _is_read(self, tree: Tree, ref: str) -> bool:
        """Whether a commit or tag is the one that is read, or the one to which the revision that is read is nearest."""
        revision, target = tree.snapshot.revision, tree.target
        known = [revision.commit or "", revision.name, target.commit or "" if revision.name == target.near_pin else ""]
        if revision.commit is None:  # a release, or a folder, that stands in for what the text states
            known.append(self._pins.get(tree.name) or "")
        bare = ref.removeprefix("v")
        return any(one and (one.startswith(ref) or ref.startswith(one) or one == bare) for one in known if len(one) > 2)

    def _shared(self, resolved: list[Resolved]) -> list[Resolved]:
        """Those of several files listed together: as printed elsewhere in the text, else in the order of the list."""
        stated = {
            (one.path, lines.region): one.tree
            for one in resolved
            if one.path and not one.candidates
            for lines in one.mention.lines
        }
        groups: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        for number, one in enumerate(resolved):
            if len(one.mention.choices) > 1:
                groups.setdefault((one.mention.passage, one.mention.choices), []).append(number)
        for members in groups.values():
            left = list(resolved[members[0]].candidates)
            is_paired = len(members) == len(left) == len(resolved[members[0]].mention.choices)
            rest = []
            for number in members:
                one = resolved[number]
                elsewhere = [
                    pair
                    for pair in one.candidates
                    if any((pair[1], lines.region) in stated for lines in one.mention.lines)
                ]
                if len(elsewhere) == 1:
                    resolved[number] = Resolved(
                        one.mention,
                        *elsewhere[0],
                        is_guess=True,
                        candidates=one.candidates,
                        is_listed_otherwise=is_paired and one.candidates[members.index(number)] != elsewhere[0],
                    )
                    left = [pair for pair in left if pair != elsewhere[0]]
                else:
                    rest.append(number)
            if is_paired and len(left) == len(rest):
                for number, pair in zip(rest, left, strict=True):
                    one = resolved[number]
                    resolved[number] = Resolved(one.mention, *pair, is_guess=True, candidates=one.candidates)
        return resolved

    def _read_full_paths(self) -> None:
        """The files that the text names by so much of their paths that no other is meant."""
        found = self._full
        for printed in dict.fromkeys(
            one.path for one in self._found.mentions if one.path and one.form is not Form.FOLDER
        ):
            if len(sole := self._candidates(printed)) == 1:
                self._clear.add(sole[0])
        for mention in self._found.mentions:
            if mention.path and "/" in mention.path and mention.form is not Form.FOLDER and mention.link is None:
                candidates = self._candidates(mention.path)
                if len(candidates) == 1:
                    found.add(candidates[0])
                    key = (candidates[0][0], _prefix(candidates[0][1], mention.path))
                    self._prefixes[key] = self._prefixes.get(key, 0) + 1
            elif mention.link is not None:
                for tree in self._trees:
                    if _is_repository(tree, mention.link.owner, mention.link.repository) and mention.path in tree.files:
                        found.add((tree, mention.path))


def _gone(mention: Mention, tree: Tree) -> Resolved:
    """A file that a target may have had."""
    path = mention.path.lstrip("./")
    return Resolved(mention, tree, path, state=AnchorState.LOST, is_guess=True, is_weak=True)


def _is_repository(tree: Tree, owner: str, name: str) -> bool:
    parts = (tree.target.repository or "").removesuffix(".git").rstrip("/").lower().split("/")
    if parts[-2:] == [owner.lower(), name.lower()]:
        return True
    return len(parts) < 2 and name.lower() in (tree.name.lower(), (tree.target.project or "").lower())


def _prefix(path: str, printed: str) -> str:
    """What a printed path leaves out in front."""
    return path.removesuffix(printed.lstrip("./")) if path.endswith(printed.lstrip("./")) else ""


def is_pinned(ref: str) -> bool:
    """Whether a link's reference is a commit or a tag, and no branch."""
    return re.fullmatch(r"[0-9a-f]{7,40}|v?\d+\.\d+[\w.]*", ref) is not None


def _several(found: Sequence[tuple[Tree, str]]) -> Text:
    shown = ", ".join(path for _, path in found[:3]) + (", …" if len(found) > 3 else "")
    return SEVERAL.filled(len(found), shown)
