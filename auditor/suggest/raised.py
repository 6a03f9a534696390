"""The suggester `raised`."""

import ast
from collections.abc import Iterator

from auditor.checks.exception_message import ExceptionMessage
from auditor.code.phrases import quoted
from auditor.model import Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_RAISES = Text("{} raises {}: “{}”.", "{} 抛出 {}：“{}”。")


class Raised(Suggester):
    """What exceptions say."""

    rank = 2

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for at, function in lines.functions:
            for node in lines.statements(function):
                match node:
                    case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[first, *_])) if text := _text(first):
                        statement = _RAISES.filled(quoted(at.symbol), quoted(name), text)
                        yield Suggestion(ExceptionMessage(at=at, text=text, type=name), statement)
                    case _:
                        pass


def _text(node: ast.expr) -> str:
    """What is certainly in a message, with `...` for values that are put in; empty where it is worked out otherwise."""
    match node:
        case ast.Constant(value=str() as text):
            return " ".join(text.split())
        case ast.JoinedStr(values=parts):
            pieces = (part.value if isinstance(part, ast.Constant) else "..." for part in parts)
            return " ".join("".join(map(str, pieces)).split())
        case _:
            return ""
