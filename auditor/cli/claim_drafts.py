"""A draft pack out of a text: its citations with their anchors, and the checks that the code there suggests."""

import signal
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor import files
from auditor.cli import article_inputs as inputs
from auditor.cli import streams
from auditor.errors import ConfigError

if TYPE_CHECKING:
    from auditor.article.audit import ReadText
    from auditor.article.trees import Tree
    from auditor.articles import AuditedText, Cited
    from auditor.suggest import Tried


_SECONDS = 4
"""For the suggestions of one place: some code has more paths than anybody waits for."""


class _TooLong(Exception):
    """That the time is up."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `_TooLong` in what takes longer, where the system can tell."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def draft(names: Sequence[str], pack: str | None, into: Path | None, options: Mapping[str, Any]) -> int:
    """Write a draft pack into a new folder, or to stdout. Raises ConfigError where nothing can be drafted."""
    from auditor.engine.collector import without_cycles
    from auditor.engine.texts import audit_texts

    if into is not None and (into / "pack.yaml").exists():
        raise ConfigError(f"{into} is a pack already; name another folder: --into DIR")
    read, _ = inputs.texts(inputs.files(names))
    known = inputs.targets(pack, read, options)
    words, by_file = inputs.stated_revisions(read, known)
    trees, remarks = inputs.trees(read, known, inputs.specs(known, words, options), by_file, options)
    audited = audit_texts(read, trees, by_file)
    options = {**options, "language": options["language"] or _language(read)}
    with without_cycles():
        drafts = {tree.name: _claims(tree, audited, options) for tree in trees}
    drafts = {name: text for name, text in drafts.items() if text}
    if not drafts:
        raise ConfigError(f"{', '.join(names)}: no citation is right as it is and suggests a check")
    written = {"pack.yaml": _head(names, [tree for tree in trees if tree.name in drafts])}
    written |= {f"{name}.yaml": text for name, text in drafts.items()}
    for name, text in written.items():
        if into is None:
            streams.tell(f"# {name}\n{text}")
        else:
            into.mkdir(parents=True, exist_ok=True)
            files.replace(into / name, text.encode())
    for remark in remarks:
        streams.say(f"kvaudit: {remark}")
    if into is not None:
        streams.tell(f"{into}: {', '.join(written)}; put the sentences into your own words, then kvaudit verify {into}")
    return 0


def _language(read: "Sequence[ReadText]") -> str:
    """That of the texts: Chinese where one letter in ten is."""
    letters = [char for text in read for char in text.document.text if char.isalpha()]
    return "zh" if 10 * sum("\u4e00" <= char <= "\u9fff" for char in letters) >= max(1, len(letters)) else "en"


def _head(names: Sequence[str], trees: "Sequence[Tree]") -> str:
    from auditor.claims.pack_text import head_text

    stem = Path(names[0]).stem.lower().replace("_", "-")
    slug = "".join(char for char in stem if (char.isalnum() and char.isascii()) or char == "-").strip("-") or "draft"
    return head_text(slug, f"Claims of {Path(names[0]).name}", [tree.target for tree in trees])


def _claims(tree: "Tree", audited: "Sequence[AuditedText]", options: Mapping[str, Any]) -> str:
    """The file of claims of one target: for each place that is cited, the checks that it suggests, already run."""
    from auditor.claims.yaml_text import claim_text
    from auditor.code import Undecidable
    from auditor.suggest import suggestions

    places: dict[str, list[tuple[AuditedText, Cited]]] = defaultdict(list)
    for text in audited:
        for one in text.citations:
            is_right = one.state is None or one.state.is_in_place
            if one.target == tree.name and one.region and one.path and one.path.endswith(".py") and is_right:
                places[f"{one.path}:{one.region}"].append((text, one))
    parts, taken = [], set[str]()
    for place, cited in places.items():
        text, one = cited[0]
        assert one.path is not None
        try:
            with _limited(_SECONDS):
                found = suggestions(tree.codebase, one.path, one.region, options["most"])[: options["most"]]
        except (Undecidable, RecursionError):
            continue
        except _TooLong:
            streams.say(f"kvaudit: {place} is left out: its suggestions take more than {_SECONDS} seconds to try")
            continue
        where = ", ".join(dict.fromkeys(f"{other.path}:{cite.line}" for other, cite in cited))
        for number, tried in enumerate(found):
            name = _id(tree.name, one, tried, taken)
            item = claim_text(name, tried.suggestion.statement, [place], tried.suggestion.check, [options["language"]])
            note = f"# {where} cites this; {tried.outcome.kind}, fingerprint {tried.outcome.fingerprint or 'none'}\n"
            parts.append(note + item if not number else item)
    return (
        f"# A draft: sentences of a machine, each of which holds in {tree.revision}.\nclaims:\n" + "".join(parts)
        if parts
        else ""
    )


def _id(target: str, one: "Cited", tried: "Tried", taken: set[str]) -> str:
    stem = (one.path or "").rpartition("/")[2].removesuffix(".py").strip("_") or "module"
    symbol = (one.symbol or stem).rpartition(".")[2].strip("_").lower().replace("_", "-")
    base = f"{target}/{stem.replace('_', '-')}/{symbol or 'lines'}-{tried.suggestion.check.id}"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    taken.add(name)
    return name
