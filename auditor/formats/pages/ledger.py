"""The ledger's page in Markdown: which claims differ between recorded revisions, and how."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from auditor.formats import visible
from auditor.formats.pages import quoted
from auditor.formats.pages.words import SYMBOLS
from auditor.model import Kind, Run

ABSENT = " "
"""Stands for a claim that a record does not have."""


def render(packs: Mapping[str, Sequence[Run]]) -> str:
    """The page of the runs of each pack, of a target oldest first."""
    legend = ", ".join(f"{SYMBOLS[kind]} {kind}" for kind in Kind)
    parts = [
        "# What is recorded of audited revisions",
        "",
        "Written by `kvaudit record`, from the records beside it; do not edit. `kvaudit record --again` audits every "
        "revision here anew, `kvaudit timeline` shows more of them.",
        "",
        f"{legend}. An empty cell: the record does not have the claim.",
    ]
    for pack, runs in packs.items():
        for _, of_target in groupby(runs, key=lambda run: run.target.name):
            parts += ["", *_target(pack, list(of_target))]
    return "\n".join(parts) + "\n"


def _target(pack: str, runs: Sequence[Run]) -> Iterator[str]:
    name = runs[0].target.name
    yield f"## {name}, {_plain(pack)}"
    for is_commit, of_source in groupby(runs, key=lambda run: run.revision.commit is not None):
        yield ""
        yield from _matrix(pack, "commit" if is_commit else "release", list(of_source))


def _matrix(pack: str, what: str, runs: Sequence[Run]) -> Iterator[str]:
    kinds = [{result.claim.id: result.kind for result in run.results} for run in runs]
    claims = sorted({claim for of_run in kinds for claim in of_run})
    differing = [claim for claim in claims if len({of_run.get(claim) for of_run in kinds}) > 1]
    steady = len(claims) - len(differing)
    differ, are = "differs" if len(differing) == 1 else "differ", "is" if steady == 1 else "are"
    yield (
        f"{len(runs)} {what}{'' if len(runs) == 1 else 's'}; {len(claims)} claims, of which {len(differing)} {differ} "
        f"between them and {steady} {are} the same in all."
    )
    yield ""
    files = (f"{pack}/{run.target.name}/{run.revision.name}.json" for run in runs)
    yield _row(
        "claim", (f"[{_plain(run.revision.name)}]({quoted(file)})" for run, file in zip(runs, files, strict=True))
    )
    yield _row("---", (":-:" for _ in runs))
    for claim in differing:
        yield _row(f"`{_plain(claim)}`", (SYMBOLS[kind] if (kind := one.get(claim)) else ABSENT for one in kinds))
    for kind in Kind:
        counts = [run.counts()[kind] for run in runs]
        if any(counts):
            yield _row(f"{SYMBOLS[kind]} {kind}, claims", map(str, counts))


def _row(head: str, cells: Iterable[str]) -> str:
    return f"| {' | '.join([head, *cells])} |"


def _plain(text: str) -> str:
    """Text of a pack that is no Markdown."""
    return "".join(char for char in visible(text) if char not in "|`[]<>*\\")
