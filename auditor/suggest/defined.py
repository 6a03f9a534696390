"""The suggester `defined`."""

from collections.abc import Iterator

from auditor.checks.symbol import Symbol
from auditor.code.phrases import ticked
from auditor.model import Anchor, Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_IS = Text("{} is a {} of {}.", "{0} 是 {2} 中的{1}。")
_KINDS = {"class": "类", "function": "函数", "field": "字段", "constant": "常量"}


class Defined(Suggester):
    """What is defined there: the least that a claim can say."""

    rank = 7

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for symbol in lines.symbols:
            at = Anchor(lines.path, symbol.name)
            type_ = Text(symbol.type, _KINDS[symbol.type])
            yield Suggestion(
                Symbol(at=at, type=symbol.type), _IS.filled(ticked(symbol.name), type_, ticked(lines.path))
            )
        if not lines.symbols:
            statement = Text("There is a file {}.", "有文件 {}。").filled(ticked(lines.path))
            yield Suggestion(Symbol(at=Anchor(lines.path), type="module"), statement)
