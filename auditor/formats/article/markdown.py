"""Texts with a footnote at each citation that is to be mended, as Markdown."""

from collections.abc import Sequence

from auditor.articles import AuditedText
from auditor.formats import visible

LONGEST = 500
"""Characters of one footnote."""


def render(texts: Sequence[AuditedText]) -> str:
    """The texts as they are, one after the other; the footnotes of all are at the end."""
    notes: list[str] = []
    parts = [_annotated(text, notes) for text in texts]
    return "\n".join([*parts, *notes]) + "\n"


def _annotated(text: AuditedText, notes: list[str]) -> str:
    pieces, done = [], 0
    for one in sorted(text.citations, key=lambda cited: cited.mention.extent):
        end = one.mention.extent[1]
        if end < done or not (one.findings or not one.is_resolved):
            continue
        reasons = [finding.message.en for finding in one.findings] or [one.unresolved.en if one.unresolved else ""]
        name = f"kvaudit-{len(notes) + 1}"
        pieces += [text.text[done:end], f"[^{name}]"]
        done = end
        notes.append(f"[^{name}]: {visible(one.mention.text, LONGEST)}: {visible('; '.join(reasons), LONGEST)}")
    return "".join(pieces) + text.text[done:]
