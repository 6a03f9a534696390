"""What the code says of a citation, without any written claim: existence, code beside, names beside."""

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.article.beside import Beside, beside
from auditor.article.naming import names_verdict, symbol_verdict
from auditor.article.quotes import compare, is_sketch, quoted
from auditor.article.symbols import attribute, is_gone
from auditor.article.trivial import Trivial, trivial
from auditor.article.values import value_verdict
from auditor.article.verdict import Verdict
from auditor.articles import Cited, Form, Signal
from auditor.code.phrases import quoted as as_code
from auditor.findings import Confidence, Finding, Span
from auditor.model import AnchorState, Excerpt, Kind, Location, Region
from auditor.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.article.mentions import Mentions
    from auditor.article.passages import Document
    from auditor.article.resolved import Resolved
    from auditor.article.trees import CodeFile, Tree

_MOST_SHOWN = 60  # lines of code beside a citation
_COMMENTED = ("comment", "docstring", "todo", "note", "注释", "文档", "说明", "license", "doc")


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
        verdict = Verdict(
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
        if resolved.is_weak or (not cited.mention.lines and cited.mention.link is None):
            sure = Confidence.POSSIBLE  # a plan names files that are to be, and a history those that were
        return self._with_finding(
            cited, Verdict(AnchorState.LOST, None, found, None, "missing-file", message=message, confidence=sure)
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
        if (place := attribute(symbol, file)) is not None:
            return replace(cited, state=AnchorState.INSIDE, signal=Signal.SYMBOL, found=place)
        if not is_gone(symbol, file):
            return cited
        message = Text("{} has no {}", "{} 中没有 {}").filled(file.path, as_code(symbol))
        return self._with_finding(
            cited,
            Verdict(
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
                verdict = Verdict(
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
        region = mention.lines[0].region
        names = symbol_verdict(mention.symbol, region, file) if mention.symbol else None
        names = names or names_verdict(told, [lines.region for lines in mention.lines], file)
        empty = self._empty(told, cited, file)
        value = value_verdict(told.stated, [lines.region for lines in mention.lines], file)
        verdicts = [verdict for verdict in (quote, value, names, empty) if verdict is not None]
        if quote is not None and quote.message is None:
            verdicts = [verdict for verdict in verdicts if verdict is not names]  # the code is there, whatever its name
        wrong = [one for one in verdicts if one.message is not None and one.confidence is not Confidence.POSSIBLE]
        right = [one for one in verdicts if one.message is None]
        if wrong:
            return self._with_finding(cited, self._weakened(wrong[0], resolved))
        if right:
            return replace(cited, state=right[0].state, signal=right[0].signal, found=right[0].found)
        return self._with_finding(cited, verdicts[0]) if verdicts else replace(cited, signal=Signal.LINES)

    def _weakened(self, verdict: Verdict, resolved: "Resolved") -> Verdict:
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

    def _quote(self, number: int, file: "CodeFile", region: Region | None) -> Verdict | None:
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

    def _compared(self, number: int, index: int, file: "CodeFile", region: Region) -> Verdict | None:
        passage = self._document.passages[index]
        block = quoted(passage.text)
        if index == self._found.mentions[number].passage:  # its first line is the citation
            head = passage.text[: passage.mapped.at(self._found.mentions[number].extent[0])].count("\n") + 1
            block = [line for line in block if line.number > head]
        if not block:
            return None
        # A single line is where the quoted code begins; of a definition, parts of which may be left out.
        last = region.end if region.end > region.start else region.start + 2 * block[-1].number
        last = max(last, file.whole(region).end) if region.end == region.start else last
        compared = compare(block, file.stream, region.start, last)
        if compared.telling == 0:
            return None
        share = compared.inside / compared.telling
        here = Location(file.path, region)
        if compared.inside == compared.telling:
            return Verdict(AnchorState.EXACT, Signal.QUOTE, here)
        there = compared.inside + len(compared.elsewhere)
        is_begun = compared.is_begun  # the rest may be from elsewhere, as the text goes on
        if not is_begun and len(compared.elsewhere) >= 2 and share <= 0.34 and there / compared.telling >= 0.6:
            lines = [line for _, line in compared.elsewhere]
            first, last = min(lines), max(lines)
            if last - first <= 2 * (region.end - region.start) + 10:
                message = Text(
                    "the quoted code is not in these lines, but at {}", "所引代码不在这些行中，而在 {}"
                ).filled(Region(first, last))
                return Verdict(
                    AnchorState.SHIFTED, Signal.QUOTE, Location(file.path, Region(first, last)), first - region.start,
                    "quote-elsewhere", message=message,
                )  # fmt: skip
        if compared.nowhere and share >= 0.5 and compared.telling >= 3 and len(compared.nowhere) <= 2:
            line = compared.nowhere[0]
            message = Text(
                "line {} of the quoted code is not in the file: {}", "所引代码的第 {} 行不在文件中：{}"
            ).filled(line.number, as_code(line.text[:160]))
            return Verdict(
                AnchorState.INSIDE, Signal.QUOTE, here, None, "quote-differs", Kind.REVIEW, message, Confidence.POSSIBLE
            )
        if share >= 0.5:
            return Verdict(AnchorState.INSIDE, Signal.QUOTE, here)
        return None

    def _empty(self, told: Beside, cited: Cited, file: "CodeFile") -> Verdict | None:
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
            return Verdict(None, Signal.LINES, Location(file.path, lines.region), None, "no-code", kind, message, sure)
        return None

    def _with_finding(self, cited: Cited, verdict: Verdict) -> Cited:
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


def _excerpt(file: "CodeFile", region: Region) -> Excerpt:
    start = max(1, region.start - 2)
    end = min(len(file.lines), max(region.end + 2, region.start), start + _MOST_SHOWN)
    return Excerpt(file.path, start, tuple(file.lines[start - 1 : end]))
