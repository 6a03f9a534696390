"""Where the cited code is at another revision, and what of that can be written into the text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.anchors import Relocations
from auditor.articles import Cited, Form, Lines, Mention
from auditor.findings import Confidence, Finding, Span
from auditor.model import AnchorState, Candidate, Kind, Location, Place, Region, Relocation
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.article.trees import CodeFile, Tree
    from auditor.articles import Extent

_MOST = 5  # candidates
_LEAST = 12  # characters by which lines of text are known


@dataclass(frozen=True, slots=True)
class TextEdit:
    """What to write in place of a piece of a text."""

    extent: "Extent"
    text: str


@dataclass(frozen=True, slots=True)
class Carried:
    """What becomes of a citation: `edits` to write (none where it is right as it is), or why it is left."""

    cited: Cited
    relocations: tuple[Relocation, ...] = ()
    edits: tuple[TextEdit, ...] = ()
    left: Text | None = None


class Carrier:
    """Two revisions of a target."""

    def __init__(self, before: "Tree", after: "Tree") -> None:
        self.before, self.after = before, after
        self._relocations = Relocations(before.codebase, after.codebase)

    def carry(self, cited: Cited) -> Carried:
        """What becomes of a citation that is resolved in the older revision."""
        path = cited.path
        if path is None or not cited.mention.lines:
            return self._whole(cited)
        if cited.state is AnchorState.UNAVAILABLE:
            return Carried(cited, left=_UNREAD.filled(self.before.revision))
        sure = (one for one in cited.findings if one.confidence is not Confidence.POSSIBLE)
        wrong = [one for one in sure if one.rule != "listed-order"]
        if wrong or cited.state in (AnchorState.SHIFTED, AnchorState.LOST):
            reason = wrong[0].message if wrong else _WRONG
            return Carried(cited, left=_EVEN.filled(self.before.revision, reason))
        found = tuple(self._lines(path, lines.region) for lines in cited.mention.lines)
        cited = replace(cited, relocation=found[0])
        proven = all(one.found is not None and one.is_same for one in found)
        if not proven:
            worst = next(one for one in found if one.found is None or not one.is_same)
            return Carried(cited, found, left=_reason(worst, self.after.revision))
        paths = sorted({one.found.path for one in found if one.found})
        regions = [one.found.region for one in found if one.found and one.found.region]
        if len(paths) > 1 or len(regions) < len(found):
            return Carried(cited, found, left=_SPLIT)
        edits = self._edits(cited.mention, path, paths[0], regions)
        return Carried(cited, found, left=_PATH) if edits is None else Carried(cited, found, edits)

    def _whole(self, cited: Cited) -> Carried:
        """A file or a folder: whether it is still there."""
        if cited.path is None or cited.mention.form is Form.SYMBOL or cited.state is not AnchorState.EXACT:
            return Carried(cited)
        if cited.path in self.after.files or cited.path in self.after.folders or not self.after.is_shipped(cited.path):
            return Carried(cited)
        relocation = self._relocations.of(cited.path, None)
        return Carried(
            replace(cited, relocation=relocation), (relocation,), left=_reason(relocation, self.after.revision)
        )

    def _lines(self, path: str, region: Region) -> Relocation:
        if path.endswith((".py", ".pyi")):
            return self._relocations.of(path, region)
        return self._text(path, region)

    def _text(self, path: str, region: Region) -> Relocation:
        """Lines of a file that is no Python: where the same lines stand, if that is one place."""
        start = Location(path, region)
        old, new = self.before.file(path), self.after.file(path)
        if old is None or region.end > len(old.lines):
            return Relocation(start, Place.COMMENT, AnchorState.LOST, reason=f"{path} cannot be read")
        wanted = [line.strip() for line in old.lines[region.start - 1 : region.end]]
        text = "\n".join(old.lines[region.start - 1 : region.end])
        if new is None:
            reason = f"{path} is not there"
            return Relocation(start, Place.COMMENT, AnchorState.LOST, reason=reason, text=text)
        starts = _stretches(new, wanted)
        if len("".join(wanted)) < _LEAST or not starts:
            reason = "the lines have changed" if starts == [] else "there is too little on these lines to know them by"
            return Relocation(
                start, Place.COMMENT, AnchorState.LOST, reason=reason, text=text, candidates=_near(new, starts, wanted)
            )
        if len(starts) > 1:
            around = [one for one in starts if _context(old, new, region, one) >= 0.5]
            if len(around) != 1:
                reason = f"the same lines stand {len(starts)} times in {path}"
                return Relocation(
                    start,
                    Place.COMMENT,
                    AnchorState.LOST,
                    reason=reason,
                    text=text,
                    candidates=_near(new, starts, wanted),
                )
            starts = around
        now = Region(starts[0], starts[0] + region.end - region.start)
        state = AnchorState.EXACT if now == region else AnchorState.SHIFTED
        offset = now.start - region.start if now != region else None
        return Relocation(start, Place.COMMENT, state, Location(path, now), offset, is_same=True, text=text)

    def _edits(
        self, mention: Mention, before: str, path: str, regions: Sequence[Region]
    ) -> tuple[TextEdit, ...] | None:
        """What to write, in the text's own style; None where the path cannot be written."""
        edits: list[TextEdit] = []
        if path != before:
            if mention.path_at is None or mention.path not in (before, before.lstrip("/")):
                return None
            edits.append(TextEdit(mention.path_at, path))
        for printed in (mention.lines, mention.echoes):
            for lines, region in zip(printed, regions, strict=False):
                edits += _numbers(lines, region)
        if mention.link is not None and (ref := self._ref(mention.link.ref)) is not None:
            edits.append(TextEdit(mention.link.ref_at, ref))
        return tuple(edits)

    def _ref(self, old: str) -> str | None:
        """What a permalink says of the revision it was carried to; None for a branch, which stays."""
        from auditor.article.resolving import is_pinned

        revision = self.after.snapshot.revision
        if not is_pinned(old):
            return None
        if revision.commit:
            return revision.commit[: max(len(old), 7)]
        return self.after.target.tag_of(revision.name) if revision.source == "pypi" else None


_UNREAD = Text("what {} is read from does not ship it", "{} 的来源不包含它")
_WRONG = Text("the lines do not hold what the text says", "这些行不是文中所说的内容")
_EVEN = Text("even in {}: {}", "在 {} 中就已如此：{}")
_SPLIT = Text("the code that is cited together is in several places now", "一起引用的代码现在分散在多处")
_PATH = Text(
    "the code is in another file now, whose path is not printed here in full",
    "代码已移到另一个文件，而此处没有写出完整路径",
)
_GONE = Text("{} does not have it: {}", "{} 中没有：{}")
_PLAIN = Text("the code has changed", "代码已变化")
_CHANGED = Text("the code has changed ({})", "代码已变化（{}）")


def without_orphans(several: "Sequence[Carried]") -> list[Carried]:
    """The same, but no path is rewritten from which lines behind it inherit their file: these would mean another."""
    kept = list(several)
    for number, one in enumerate(kept):
        mention = one.cited.mention
        if mention.path_at is None or not any(edit.extent == mention.path_at for edit in one.edits):
            continue
        behind = kept[number + 1 :]
        heirs = [
            other
            for other in behind
            if other.cited.mention.form is Form.INHERITED and other.cited.mention.path == mention.path
            and other.cited.mention.passage - mention.passage <= _HEIRS
        ]  # fmt: skip
        if heirs:
            kept[number] = replace(one, edits=(), left=_HEIR)
    return kept


_HEIRS = 4  # passages in which lines may inherit a file
_HEIR = Text(
    "the code is in another file now, and lines behind it inherit the file that is printed here",
    "代码已移到另一个文件，而后面的行号沿用此处的文件",
)


def _reason(relocation: Relocation, revision: str) -> Text:
    if relocation.found is None:
        return _GONE.filled(revision, f"`{relocation.reason or relocation.state}`")
    if relocation.reason in ("", _PLAIN.en):
        return _PLAIN
    return _CHANGED.filled(f"`{relocation.reason}`")


def finding(carried: Carried, path: str, span: Span, after: "Tree") -> Finding | None:
    """What a report says of a citation at the other revision; None where it is right as it is."""
    cited = carried.cited
    relocation = next(
        (one for one in carried.relocations if one.state is not AnchorState.EXACT or not one.is_same), None
    )
    if relocation is None and carried.left is None:
        return None
    if carried.left is None and relocation is not None and relocation.found is not None:
        is_moved = relocation.found.path != cited.path
        message = _MOVED.filled(relocation.found if is_moved else relocation.found.region or relocation.found.path)
        regions = [one.found.region for one in carried.relocations if one.found and one.found.region]
        is_here = all(one.found is not None and one.found.path == cited.path for one in carried.relocations)
        replacement = citation_text(cited.mention, regions) if is_here else None
        return Finding(
            path, span, "moved-code", Kind.FAIL, message, Confidence.CERTAIN, cited.mention.text, relocation.found,
            after.revision, replacement,
        )  # fmt: skip
    found = relocation.found if relocation else None
    is_gone = relocation is not None and relocation.found is None
    kind = Kind.FAIL if is_gone else Kind.REVIEW
    message = carried.left or Text("", "")
    return Finding(
        path, span, "moved-code", kind, message, Confidence.LIKELY, cited.mention.text, found, after.revision
    )


_MOVED = Text("the same code is at {} there", "同样的代码在那里位于 {}")


def citation_text(mention: Mention, regions: Sequence[Region]) -> str | None:
    """A citation as it is printed, with other lines; None where its numbers are printed apart from it."""
    start, end = mention.extent
    text, base = mention.text, start
    if len(text) != end - start:
        return None
    edits = [edit for lines, region in zip(mention.lines, regions, strict=False) for edit in _numbers(lines, region)]
    for edit in sorted(edits, key=lambda one: one.extent, reverse=True):
        first, last = edit.extent[0] - base, edit.extent[1] - base
        if first < 0 or last > len(text):
            return None
        text = text[:first] + edit.text + text[last:]
    return text


def _numbers(lines: Lines, region: Region) -> Iterator[TextEdit]:
    if lines.end is None:
        if region.start != lines.region.start:
            is_grouped = lines.start[1] - lines.start[0] > len(str(lines.region.start))  # 4,111
            yield TextEdit(lines.start, f"{region.start:,}" if is_grouped else str(region.start))
        return
    if region != lines.region:
        yield TextEdit(lines.start, str(region.start))
        yield TextEdit(lines.end, str(region.end))


def _stretches(file: "CodeFile", wanted: Sequence[str]) -> list[int]:
    """Where lines stand in a file, one after the other."""
    lines = [line.strip() for line in file.lines]
    first = next((index for index, line in enumerate(wanted) if len(line) > 3), 0)
    return [
        number - first
        for number, line in enumerate(lines, 1)
        if line == wanted[first]
        and number - first >= 1
        and lines[number - first - 1 : number - first - 1 + len(wanted)] == list(wanted)
    ]


def _context(old: "CodeFile", new: "CodeFile", region: Region, start: int) -> float:
    """How many of the six lines around are the same."""
    pairs = [(region.start - gap, start - gap) for gap in (1, 2, 3)]
    length = region.end - region.start
    pairs += [(region.end + gap, start + length + gap) for gap in (1, 2, 3)]
    same = 0
    for one, other in pairs:
        if 1 <= one <= len(old.lines) and 1 <= other <= len(new.lines):
            same += old.lines[one - 1].strip() == new.lines[other - 1].strip()
    return same / len(pairs)


def _near(new: "CodeFile", starts: Sequence[int], wanted: Sequence[str]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(Location(new.path, Region(one, one + len(wanted) - 1)), 0.5, "the same text")
        for one in starts[:_MOST]
    )


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """A text with other pieces in it. Pieces that overlap are written once."""
    done = len(text)
    for edit in sorted(set(edits), key=lambda one: one.extent, reverse=True):
        start, end = edit.extent
        if end <= done:
            text, done = text[:start] + edit.text + text[end:], start
    return text
