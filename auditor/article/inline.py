"""The inline markup of Markdown taken off: code marks, links and emphasis, with where each character stands.

markdown-it-py tells the blocks of a text; of inline markup it does not tell where it stands, which a repair must know.
"""

import html
import re

from auditor.article.passages import OBJECT, Hyperlink, Passage

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}，。；：、（）【】《》“”‘’！？\u4e00-\u9fff]{1,2000}")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{0,30});")
_TAG = re.compile(r"</?([A-Za-z][\w-]{0,20})([^<>]{0,2000})>")
_HREF = re.compile(r"""href\s{0,3}=\s{0,3}["']?([^"'\s>]{1,2000})""")
_FARTHEST = 4_000  # characters within which a code mark or a link is closed
_MOST_STEPS = 2_000_000  # characters looked at for what closes a link or a mark, in one passage


class Inline:
    """One run over a piece of a file, which fills a passage."""

    def __init__(self, text: str, passage: Passage) -> None:
        self._text = text
        self._passage = passage
        self._out = passage.mapped
        self._brackets: list[int] = []
        self._code: int | None = None
        self._link: tuple[int, str, int] | None = None
        self._budget = _MOST_STEPS

    def run(self, start: int, end: int) -> None:
        """Add what stands at `start` to `end`."""
        text, at = self._text, start
        plain = re.compile(r"[^`\\*~\[\]!<&h|]+")
        while at < end:
            if found := plain.match(text, at, end):
                self._out.add(found[0], at)
                at = found.end()
                continue
            at = self._special(at, end)

    def _special(self, at: int, end: int) -> int:
        """Read the markup at `at`; where it goes on."""
        text = self._text
        char = text[at]
        if char == "`":
            return self._code_mark(at, end)
        if char == "\\" and at + 1 < end and text[at + 1] in "\\`*_{}[]()#+-.!|<>~:&":
            self._out.add(text[at + 1], at, at + 2)
            return at + 2
        if text.startswith(("**", "~~"), at):
            return at + 2
        if text.startswith("![", at):
            self._brackets.append(len(self._out))
            return at + 2
        if char == "[":
            self._brackets.append(len(self._out))
            return at + 1
        if char == "]" and self._brackets:
            return self._closed(at, end)
        if char == "h" and (found := _URL.match(text, at, end)):
            return self.url(at, found[0])
        if char == "<":
            return self._tag(at, end)
        if char == "&" and (found := _ENTITY.match(text, at, end)):
            self._out.add(html.unescape(found[0]), at, found.end())
            return found.end()
        self._out.add(char, at)
        return at + 1

    def _code_mark(self, at: int, end: int) -> int:
        text = self._text
        after = at
        while after < end and text[after] == "`":
            after += 1
        fence = text[at:after]
        limit = min(end, after + _FARTHEST, after + max(0, self._budget))
        close = text.find(fence, after, limit)
        while close >= 0 and (text[close - 1] == "`" or text.startswith("`", close + len(fence))):
            past = close
            while past < limit and text[past] == "`":
                past += 1
            close = text.find(fence, past, limit)
        if close < 0:
            self._budget -= limit - after
            self._out.add(fence, at)
            return after
        begin = len(self._out)
        self._out.add(text[after:close], after)
        self._passage.marks.append((begin, len(self._out)))
        return close + len(fence)

    def _closed(self, at: int, end: int) -> int:
        """The end of a link's text; its URL is what comes in parentheses."""
        text, begin = self._text, self._brackets.pop()
        if not text.startswith("(", at + 1):
            self._out.add("]", at)
            return at + 1
        depth, close = 1, at + 2
        limit = min(end, at + _FARTHEST, at + max(2, self._budget))
        while close < limit and depth:
            depth += {"(": 1, ")": -1}.get(text[close], 0)
            if text[close] == "\n":
                break
            close += 1
        if depth:
            self._budget -= close - at
            self._out.add("]", at)
            return at + 1
        inside = text[at + 2 : close - 1]
        url = inside.strip().split(" ")[0].strip("<>")
        self._passage.anchors.append(Hyperlink(begin, len(self._out), url, at + 2 + inside.find(url)))
        return close

    def link(self, begin: int, url: str, at: int) -> None:
        """What was added since `begin` is a link, whose URL stands at `at`."""
        self._passage.anchors.append(Hyperlink(begin, len(self._out), url, at))

    def url(self, at: int, url: str) -> int:
        """A bare URL, without the punctuation that ends the sentence."""
        url = url.rstrip(".,;:!?*_~")
        while url.endswith((")", "]")) and url.count(url[-1]) > url.count("(" if url[-1] == ")" else "["):
            url = url[:-1]
        begin = len(self._out)
        self._out.add(OBJECT, at, at + len(url))
        self._passage.anchors.append(Hyperlink(begin, begin + 1, url, at))
        return at + len(url)

    def _tag(self, at: int, end: int) -> int:
        text = self._text
        found = _TAG.match(text, at, end)
        if found is None:
            self._out.add("<", at)
            return at + 1
        name, is_end = found[1].lower(), text[at + 1] == "/"
        if name == "br":
            self._out.add("\n", at, found.end())
        elif name == "code":
            if is_end and self._code is not None:
                self._passage.marks.append((self._code, len(self._out)))
            self._code = None if is_end else len(self._out)
        elif name == "a":
            self._anchor(found, is_end=is_end)
        elif name in ("http", "https"):
            return self.url(at + 1, text[at + 1 : found.end() - 1])
        return found.end()

    def _anchor(self, found: "re.Match[str]", *, is_end: bool) -> None:
        if is_end and self._link is not None:
            begin, url, at = self._link
            self._passage.anchors.append(Hyperlink(begin, len(self._out), url, at))
            self._link = None
        elif not is_end and (href := _HREF.search(found[2])):
            self._link = (len(self._out), html.unescape(href[1]), found.start(2) + href.start(1))
