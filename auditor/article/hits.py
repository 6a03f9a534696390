"""Citations in a passage, by the passage's own offsets."""

from collections.abc import Collection
from dataclasses import dataclass

from auditor.article.lines import numbers
from auditor.article.passages import Passage
from auditor.articles import Extent, Form, Lines, Mention


@dataclass(frozen=True, slots=True)
class Hit:
    """A citation in a passage, by the passage's own offsets."""

    start: int
    end: int
    mention: Mention


def citation(
    number: int,
    passage: Passage,
    at: Extent,
    form: Form,
    path: str,
    lines: tuple[Lines, ...],
    symbol: str | None = None,
    path_at: Extent | None = None,
    *,
    is_rough: bool = False,
    choices: tuple[str, ...] = (),
) -> Hit:
    """What stands at `at` of a passage as a citation."""
    extent = passage.mapped.extent(*at)
    printed = passage.mapped.extent(*path_at) if path_at else None
    mention = Mention(
        short(passage.text[slice(*at)]),
        extent,
        form,
        path,
        lines,
        symbol,
        path_at=printed,
        choices=choices,
        passage=number,
        is_approximate=is_rough,
    )
    return Hit(*at, mention)


def ranges(passage: Passage, start: int, end: int) -> tuple[Lines, ...]:
    """The ranges in a piece of a passage, by where their numbers stand in the file."""
    own = passage.mapped.extent
    return tuple(
        Lines(one.region, own(*one.start), own(*one.end) if one.end else None)
        for one in numbers(passage.text, start, end)
    )


def short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:199] + "…"


Before = Collection[Hit]
"""The citations before a place in its passage, the nearest last."""
