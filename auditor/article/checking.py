"""What the code says of a citation, without any written claim: existence, code beside, names beside."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.article.beside import Beside, beside
from auditor.article.quotes import compare, is_sketch, quoted
from auditor.article.trivial import Trivial, trivial
from auditor.articles import Cited, Form, Signal
from auditor.code.phrases import quoted as as_code
from auditor.findings import Confidence, Finding, Span
from auditor.model import AnchorState, Excerpt, Kind, Location, Region
from auditor.text import Text

if TYPE_CHECKING:
    from auditor.article.mentions import Mentions
    from auditor.article.passages import Document
    from auditor.article.resolving import Resolved
    from auditor.article.trees import CodeFile, Tree

_CLOSE = 30  # lines within which a use of a name is meant rather than its definition
_MOST_SHOWN = 60  # lines of code beside a citation
_COMMENTED = ("comment", "docstring", "todo", "note", "注释", "文档", "说明", "license", "doc")


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What one check found of one citation."""

    state: AnchorState | None = None
    signal: Signal | None = None
    found: Location | None = None
    offset: int | None = None
    rule: str = ""
    kind: Kind = Kind.FAIL
    message: Text | None = None
    confidence: Confidence = Confidence.CERTAIN


class Checker:
    """Checks the citations of one document."""

    def __init__(self, document: "Document", found: "Mentions", resolved: "Sequence[Resolved]") -> None:
        self._document, self._found, self._resolved = document, found, resolved
        self._blocks = {index: number for number, index in found.quotes.items()}

    def all(self) -> list[Cited]:
        """What is known of every citation, in their order."""
        return [self._listed(self._one(number, one), one) for number, one in enumerate(self._resolved)]

    def _listed(self, cited: Cited, resolved: "Resolved") -> Cited:
        """A citation, and that the order of its list says otherwise."""
        if not resolved.is_listed_otherwise or cited.findings:
            return cited
        message = _LISTED.filled(cited.path)
        verdict = _Verdict(
            cited.state, cited.signal, cited.found, None, "listed-order", Kind.REVIEW, message, Confidence.LIKELY
        )
        return self._with_finding(cited, verdict)

    def _one(self, number: int, resolved: "Resolved") -> Cited:
        mention, tree, path = resolved.mention, resolved.tree, resolved.path
        line, column = self._document.place(mention.extent[0])
        region = mention.lines[0].region if mention.lines else None
        cited = Cited(mention, line, column, region=region, symbol=mention.symbol)
        if tree is None and path is not None and mention.link is not None:
            other = f"{mention.link.owner}/{mention.link.repository}"
            return replace(cited, target=other, revision=mention.link.ref, path=path, state=resolved.state)
        if tree is None or path is None:
            names = tuple(path for _, path in resolved.candidates)
            reason = resolved.reason or Text("it is not known which file is meant", "无法确定指的是哪个文件")
            return replace(cited, unresolved=reason, candidates=names)
        cited = replace(cited, target=tree.name, revision=tree.revision, path=path)
        if resolved.state is not None:
            return self._missing(cited, resolved, tree)
        if mention.form is Form.FOLDER or path not in tree.files:
            return replace(cited, state=AnchorState.EXACT, signal=Signal.FILE, found=Location(path))
        file = tree.file(path)
        if file is None:
            return cited
        if not mention.lines:
            return self._without_lines(cited, file)
        return self._with_lines(number, cited, resolved, file)

    def _missing(self, cited: Cited, resolved: "Resolved", tree: "Tree") -> Cited:
        cited = replace(cited, state=resolved.state)
        if resolved.state is AnchorState.UNAVAILABLE or cited.path is None or cited.mention.is_sample:
            return cited
        name = cited.path.rpartition("/")[2]
        others = [path for path in tree.files if path.endswith(f"/{name}")] if not name.startswith("__") else []
        message = Text("{} is not in {}", "{1} 中没有 {0}").filled(cited.path, tree.revision)
        if len(others) == 1:
            message += Text("; there is {}", "；有 {}").filled(others[0])
        found = Location(others[0]) if len(others) == 1 else None
        is_sure = cited.mention.link is not None or cited.path in (cited.mention.path, cited.mention.path.lstrip("./"))
        sure = Confidence.CERTAIN if is_sure and not tree.is_estimated else Confidence.LIKELY
        if not cited.mention.lines and cited.mention.link is None:
            sure = Confidence.POSSIBLE  # a plan names files that are to be, and a history those that were
        return self._with_finding(
            cited, _Verdict(AnchorState.LOST, None, found, None, "missing-file", message=message, confidence=sure)
        )

    def _without_lines(self, cited: Cited, file: "CodeFile") -> Cited:
        symbol = cited.mention.symbol
        if symbol is None:
            return replace(cited, state=AnchorState.EXACT, signal=Signal.FILE, found=Location(file.path))
        defined = file.defined(symbol)
        if defined:
            name, region = defined[0]
            return replace(
                cited,
                state=AnchorState.EXACT,
                signal=Signal.SYMBOL,
                found=Location(file.path, region, name),
                symbol=name,
            )
        if file.index is None or symbol.rpartition(".")[2] in file.where:
            return cited
        message = Text("{} has no {}", "{} 中没有 {}").filled(file.path, as_code(symbol))
        return self._with_finding(
            cited,
            _Verdict(
                AnchorState.LOST,
                Signal.SYMBOL,
                Location(file.path),
                None,
                "missing-symbol",
                message=message,
                confidence=Confidence.LIKELY,
            ),
        )

    def _with_lines(self, number: int, cited: Cited, resolved: "Resolved", file: "CodeFile") -> Cited:
        mention = cited.mention
        count = len(file.lines)
        for lines in mention.lines:
            region = lines.region
            if region.end > count and not mention.is_approximate:
                message = Text("{} has {} lines", "{} 只有 {} 行").filled(file.path, count)
                verdict = _Verdict(
                    AnchorState.LOST, Signal.LINES, Location(file.path), None, "beyond-end", message=message
                )
                if region.start <= count:
                    verdict = replace(
                        verdict, confidence=Confidence.LIKELY if region.end <= count + 2 else Confidence.CERTAIN
                    )
                if "/" not in mention.path and resolved.tree and len(resolved.tree.candidates(mention.path)) > 1:
                    verdict = replace(verdict, confidence=Confidence.POSSIBLE)  # one of the others may be meant
                return self._with_finding(self._guessed(cited, resolved), self._weakened(verdict, resolved))
        if cited.region is None or cited.region.start > count:
            return cited
        holder = file.enclosing(cited.region)
        cited = replace(
            cited, symbol=mention.symbol or (holder[0] if holder else None), excerpt=_excerpt(file, cited.region)
        )
        told = beside(self._document, self._found.mentions, number)
        quote = self._quote(number, file, mention.lines[0].region if len(mention.lines) == 1 else None)
        names = self._names(told, cited, file)
        empty = self._empty(told, cited, file)
        verdicts = [verdict for verdict in (quote, names, empty) if verdict is not None]
        if quote is not None and quote.message is None:
            verdicts = [verdict for verdict in verdicts if verdict is not names]  # the code is there, whatever its name
        wrong = [one for one in verdicts if one.message is not None and one.confidence is not Confidence.POSSIBLE]
        right = [one for one in verdicts if one.message is None]
        if wrong:
            return self._with_finding(cited, self._weakened(wrong[0], resolved))
        if right:
            return replace(cited, state=right[0].state, signal=right[0].signal, found=right[0].found)
        return self._with_finding(cited, verdicts[0]) if verdicts else replace(cited, signal=Signal.LINES)

    def _weakened(self, verdict: _Verdict, resolved: "Resolved") -> _Verdict:
        """A verdict on a file that was guessed, at a revision that was estimated, or on lines that are about."""
        mention = resolved.mention
        tree = resolved.tree
        is_weak = (
            resolved.is_guess or mention.is_approximate or mention.is_sample or (tree is not None and tree.is_estimated)
        )
        if not is_weak:
            return verdict
        is_doubtful = mention.is_approximate or mention.is_sample or resolved.is_weak
        lower = Confidence.POSSIBLE if is_doubtful else Confidence.LIKELY
        order = list(Confidence)
        return replace(verdict, confidence=max(verdict.confidence, lower, key=order.index))

    def _guessed(self, cited: Cited, resolved: "Resolved") -> Cited:
        return replace(cited, candidates=tuple(path for _, path in resolved.candidates))

    def _quote(self, number: int, file: "CodeFile", region: Region | None) -> _Verdict | None:
        """The code block that a citation heads against the lines it cites."""
        index = self._blocks.get(number)
        if index is None or region is None:
            return None
        verdict = self._compared(number, index, file, region)
        # A sketch can only speak for the citation.
        is_silent = (
            verdict is not None and verdict.message is not None and is_sketch(self._document.passages[index].text)
        )
        return None if is_silent else verdict

    def _compared(self, number: int, index: int, file: "CodeFile", region: Region) -> _Verdict | None:
        passage = self._document.passages[index]
        block = quoted(passage.text)
        if index == self._found.mentions[number].passage:  # its first line is the citation
            head = passage.text[: passage.mapped.at(self._found.mentions[number].extent[0])].count("\n") + 1
            block = [line for line in block if line.number > head]
        if not block:
            return None
        # A single line is where the quoted code begins.
        last = region.end if region.end > region.start else region.start + 2 * block[-1].number
        compared = compare(block, file.stream, region.start, last)
        if compared.telling == 0:
            return None
        share = compared.inside / compared.telling
        here = Location(file.path, region)
        if compared.inside == compared.telling:
            return _Verdict(AnchorState.EXACT, Signal.QUOTE, here)
        there = compared.inside + len(compared.elsewhere)
        if len(compared.elsewhere) >= 2 and share <= 0.34 and there / compared.telling >= 0.6:
            lines = [line for _, line in compared.elsewhere]
            first, last = min(lines), max(lines)
            if last - first <= 2 * (region.end - region.start) + 10:
                message = Text(
                    "the quoted code is not in these lines, but at {}", "所引代码不在这些行中，而在 {}"
                ).filled(Region(first, last))
                return _Verdict(
                    AnchorState.SHIFTED, Signal.QUOTE, Location(file.path, Region(first, last)), first - region.start,
                    "quote-elsewhere", message=message,
                )  # fmt: skip
        if compared.nowhere and share >= 0.5 and compared.telling >= 3 and len(compared.nowhere) <= 2:
            line = compared.nowhere[0]
            message = Text(
                "line {} of the quoted code is not in the file: {}", "所引代码的第 {} 行不在文件中：{}"
            ).filled(line.number, as_code(line.text[:160]))
            return _Verdict(
                AnchorState.INSIDE, Signal.QUOTE, here, None, "quote-differs", Kind.REVIEW, message, Confidence.POSSIBLE
            )
        if share >= 0.5:
            return _Verdict(AnchorState.INSIDE, Signal.QUOTE, here)
        return None

    def _names(self, told: Beside, cited: Cited, file: "CodeFile") -> _Verdict | None:
        """The names beside a citation against its lines and the definition that holds them."""
        assert cited.region is not None
        regions = [lines.region for lines in cited.mention.lines]
        known = [name for name in told.names if name.rpartition(".")[2] in file.where]
        direct = [name for name in told.direct if name.rpartition(".")[2] in file.where]
        holder = file.enclosing(cited.region)
        for name in (*direct, *known):
            last = name.rpartition(".")[2]
            if any(region.start <= line <= region.end for line in file.where[last] for region in regions):
                return _Verdict(_state(file, name, cited.region), Signal.NAME, Location(file.path, cited.region))
        for outer in (part for name in direct for part in name.split(".")[:-1]):  # the class of a method that is named
            starts = {_first(file, where) for _, where in file.defined(outer)}
            if any(region.start <= start <= region.end for region in regions for start in starts):
                return _Verdict(AnchorState.INSIDE, Signal.NAME, Location(file.path, cited.region))
        held = [name for name in (*direct, *known) if holder and name.rpartition(".")[2] in holder[0].split(".")]
        if held:
            return _Verdict(_state(file, held[0], cited.region), Signal.NAME, Location(file.path, cited.region))
        if holder:
            inner = [
                name
                for name in (*direct, *known)
                if any(holder[1].start <= line <= holder[1].end for line in file.where[name.rpartition(".")[2]])
            ]
            is_small = holder[1].end - holder[1].start <= 400
            if inner and is_small:
                return (
                    _Verdict(AnchorState.INSIDE, Signal.NAME, Location(file.path, cited.region))
                    if not _is_defined(file, direct)
                    else self._elsewhere(direct, cited, file)
                )
        return self._elsewhere(direct, cited, file)

    def _elsewhere(self, direct: Sequence[str], cited: Cited, file: "CodeFile") -> _Verdict | None:
        """That a name right at the citation is defined in other lines of the file."""
        assert cited.region is not None
        region = cited.region
        places = [(name, place) for name in direct for place in file.defined(name)]
        if not places:
            return None
        name, (symbol, where) = min(places, key=lambda one: abs(one[1][1].start - region.start))
        used = min(file.where[name.rpartition(".")[2]], key=lambda line: abs(line - region.start))
        if abs(used - region.start) < min(_CLOSE, abs(where.start - region.start)):
            enclosing = file.enclosing(Region(used, used))
            symbol, where = (enclosing[0] if enclosing else ""), Region(used, used)
        holder = file.enclosing(region)
        held = Text(", which are in {}", "（位于 {}）").filled(as_code(holder[0])) if holder else Text("", "")
        message = Text("{} is at {}, not in these lines", "{} 在 {}，不在这些行中").filled(as_code(name), where) + held
        start = _first(file, where)
        is_line = region.start == region.end
        is_same_size = abs((where.end - where.start) - (region.end - region.start)) <= 2
        offset = (start if is_line else where.start) - region.start if is_line or is_same_size else None
        return _Verdict(
            AnchorState.SHIFTED, Signal.NAME, Location(file.path, where, symbol or None), offset,
            "name-elsewhere", Kind.FAIL, message, Confidence.LIKELY,
        )  # fmt: skip

    def _empty(self, told: Beside, cited: Cited, file: "CodeFile") -> _Verdict | None:
        """Lines that hold no code."""
        for lines in cited.mention.lines:
            what = trivial(file, lines.region)
            if what is None:
                continue
            sentence = told.sentence.lower()
            if what is Trivial.COMMENTS and any(word in sentence for word in _COMMENTED):
                continue
            if what is Trivial.IMPORTS and ("import" in sentence or "导入" in sentence or "include" in sentence):
                continue
            sure = {Trivial.BLANK: Confidence.CERTAIN, Trivial.BRACE: Confidence.LIKELY}.get(what, Confidence.POSSIBLE)
            kind = Kind.FAIL if sure is not Confidence.POSSIBLE else Kind.REVIEW
            message = _EMPTY[what].filled(lines.region)
            return _Verdict(None, Signal.LINES, Location(file.path, lines.region), None, "no-code", kind, message, sure)
        return None

    def _with_finding(self, cited: Cited, verdict: _Verdict) -> Cited:
        """A citation with what is wrong with it."""
        assert verdict.message is not None
        finding = Finding(
            self._document.path,
            span(self._document, cited.mention.extent),
            verdict.rule,
            verdict.kind,
            verdict.message,
            verdict.confidence,
            cited.mention.text,
            verdict.found,
            cited.revision or "",
        )
        return replace(
            cited,
            state=verdict.state,
            signal=verdict.signal,
            found=verdict.found,
            offset=verdict.offset,
            findings=(finding,),
        )


_LISTED = Text(
    "elsewhere the text says these lines of {}, which stands in another place of this list",
    "文中别处写明这些行属于 {}，而此列表的顺序与之不符",
)
_EMPTY = {
    Trivial.BLANK: Text("{}: there is nothing on these lines", "{}：这些行是空行"),
    Trivial.BRACE: Text("{}: there are only brackets on these lines", "{}：这些行只有括号"),
    Trivial.IMPORTS: Text("{}: there are only imports on these lines", "{}：这些行只有导入语句"),
    Trivial.COMMENTS: Text("{}: there are only comments on these lines", "{}：这些行只有注释"),
}


def span(document: "Document", extent: tuple[int, int]) -> Span:
    """Where an extent of a text begins and ends."""
    line, column = document.place(extent[0])
    end_line, end_column = document.place(max(extent[0], extent[1] - 1))
    return Span(line, column, end_line, end_column + 1)


def _state(file: "CodeFile", name: str, region: Region) -> AnchorState:
    """`exact` where the lines are a definition of the name, or its first line; else `inside`."""
    for _, where in file.defined(name):
        if where == region or region.start in (where.start, _first(file, where)):
            return AnchorState.EXACT
    return AnchorState.INSIDE


def _first(file: "CodeFile", where: Region) -> int:
    """The line of a definition's own header, after its decorators."""
    for number in range(where.start, min(where.end, where.start + 30) + 1):
        line = file.lines[number - 1].lstrip() if number <= len(file.lines) else ""
        if line.startswith(("def ", "class ", "async def ")):
            return number
    return where.start


def _is_defined(file: "CodeFile", names: Sequence[str]) -> bool:
    return any(file.defined(name) for name in names)


def _excerpt(file: "CodeFile", region: Region) -> Excerpt:
    start = max(1, region.start - 2)
    end = min(len(file.lines), max(region.end + 2, region.start), start + _MOST_SHOWN)
    return Excerpt(file.path, start, tuple(file.lines[start - 1 : end]))
