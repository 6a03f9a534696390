"""A new pack as text: its `pack.yaml`, and a file of claims to begin with."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.claims.yaml_text import scalar

if TYPE_CHECKING:
    from auditor.model import Target

_REMARKS = {
    "commit": "what the article is pinned to",
    "project": "its name in the package registry",
    "packages": "what its wheel holds",
    "prefix": "what stands before these in the repository",
    "near-pin": "the release that is audited where nothing else is asked for",
    "tag": "how the repository names releases, such as v{version}; empty: not known, so that no page links there",
}


def head_text(id_: str, title: str, targets: "Sequence[Target]") -> str:
    """`pack.yaml` of some targets: what has its default is left out."""
    lines = [f"id: {scalar(id_)}", f"title: {scalar(title)}", "targets:"]
    for target in targets:
        pairs = list(_pairs(target))
        lines.append(f"  {scalar(target.name)}:" if pairs else f"  {scalar(target.name)}: {{}}")
        for key, text in pairs:
            remark = f" # {_REMARKS[key]}" if key in _REMARKS else ""
            lines.append(f"    {key}: {text}{remark}")
    return "\n".join(lines) + "\n"


def _pairs(target: "Target") -> Iterator[tuple[str, str]]:
    stated = {
        "repository": target.repository,
        "commit": target.commit,
        "date": target.date,
        "project": target.project,
        "near-pin": target.near_pin,
        "tag": target.tag if target.tag != "v{version}" else None,
        "prefix": target.prefix or None,
    }
    yield from ((key, scalar(text)) for key, text in stated.items() if text is not None)
    if target.packages:
        yield "packages", f"[{', '.join(map(scalar, target.packages))}]"
