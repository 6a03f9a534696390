"""The suggester `messages`."""

from collections.abc import Iterator

from auditor.checks.log_message import LogMessage
from auditor.code.flow.activations import Activation
from auditor.code.flow.string_values import readable
from auditor.code.idioms.log_messages import messages
from auditor.code.phrases import quoted
from auditor.code.syntax.term import Term
from auditor.model import Text
from auditor.suggest import Suggester, Suggestion
from auditor.suggest.lines import Lines

_LOGS = Text("{} logs “{}” as {}.", "{0} 以 {2} 级别记录“{1}”。")


class Messages(Suggester):
    """Log messages, with their level."""

    rank = 2

    def propose(self, lines: Lines) -> Iterator[Suggestion]:
        for at, _ in lines.functions:
            for message in messages(Activation(lines.codebase.locate(at))):
                text = " ".join(readable(message.text).split())
                if _is_here(message.call, lines) and text.replace("...", "").strip() and message.level:
                    check = LogMessage(at=at, text=text, level=message.level)  # type: ignore[arg-type] # one of them
                    yield Suggestion(check, _LOGS.filled(quoted(at.symbol), text, quoted(message.level)))


def _is_here(term: Term, lines: Lines) -> bool:
    return term.region is not None and term.region.overlaps(lines.region)
