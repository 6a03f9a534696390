"""A claim as Markdown: for an issue upstream, or a note to the author."""

import re
from collections.abc import Iterator

from auditor.formats import values
from auditor.formats.pages import visible
from auditor.formats.pages.links import upstream
from auditor.formats.pages.words import STATE_MEANINGS, VERDICTS, shifted
from auditor.model import AnchorState, Citation, FoundCitation, Location, Result, Run, Text

MOST_LINES = 12
"""Lines of code that are shown."""
LONGEST = 2_000
"""Characters of a text, or of a line of code, that are shown."""


def note(run: Run, result: Result, version: str) -> Text:
    """What a person needs to act on a claim: what it says, what the code says, where that is, and how to mend it."""
    return Text(_english(run, result, version), _chinese(run, result, version))


def _english(run: Run, result: Result, version: str) -> str:
    claim, outcome = result.claim, result.outcome
    parts = [
        f"> {_prose(claim.statement.en)}",
        f"In {_revision(run)} this {VERDICTS[outcome.kind].en}: {_prose(outcome.message.en)}",
        *_values(result, "Expected: ", "Actual: "),
        *_evidence(run, result, "The code: "),
    ]
    if result.citations:
        parts.append("\n".join(["The article cites", "", *(f"- {one.en}" for one in _citations(run, result))]))
    if claim.accepted:
        parts.append(f"How to mend it: {_prose(claim.accepted.reason.en)}")
    return "\n\n".join([*parts, f"{_code(claim.id)}, audited with kvaudit {_prose(version)}"]) + "\n"


def _chinese(run: Run, result: Result, version: str) -> str:
    claim, outcome = result.claim, result.outcome
    parts = [
        f"> {_prose(claim.statement.zh)}",
        f"在 {_revision(run)} 里，这条论断{VERDICTS[outcome.kind].zh}：{_prose(outcome.message.zh)}",
        *_values(result, "预期：", "实际："),
        *_evidence(run, result, "代码："),
    ]
    if result.citations:
        parts.append("\n".join(["文章引用：", "", *(f"- {one.zh}" for one in _citations(run, result))]))
    if claim.accepted:
        parts.append(f"如何改：{_prose(claim.accepted.reason.zh)}")
    return "\n\n".join([*parts, f"{_code(claim.id)}，由 kvaudit {_prose(version)} 审计"]) + "\n"


def _revision(run: Run) -> str:
    name = run.revision.name
    return _prose(f"{run.target.name} {name[:10] if name == run.revision.commit else name}")


def _values(result: Result, expected: str, actual: str) -> Iterator[str]:
    outcome = result.outcome
    if outcome.expected is None and outcome.actual is None:
        return
    one, other = values(outcome)
    if one != other:
        yield "\n".join(f"- {label}{_code(value)}" for label, value in ((expected, one), (actual, other)) if value)


def _evidence(run: Run, result: Result, lead: str) -> Iterator[str]:
    if not result.outcome.locations:
        return
    primary = result.outcome.locations[0]
    yield lead + _link(run, primary)
    if lines := [line for line, number in _lines(result) if _is_in(primary, number)][:MOST_LINES]:
        margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        text = "\n".join(_flat(line[margin:])[:LONGEST] for line in lines)
        fence = "`" * max(3, _longest_run(text) + 1)
        yield f"{fence}python\n{text}\n{fence}"


def _lines(result: Result) -> Iterator[tuple[str, int]]:
    for excerpt in result.excerpts:
        if excerpt.path == result.outcome.locations[0].path:
            yield from zip(excerpt.lines, range(excerpt.start, excerpt.start + len(excerpt.lines)), strict=True)


def _is_in(place: Location, line: int) -> bool:
    return place.region is not None and place.region.start <= line <= place.region.end


def _citations(run: Run, result: Result) -> Iterator[Text]:
    for found in result.citations:
        cited, state = _link(run, found.citation), _state(found)
        now = _link(run, found.found) if found.found and not found.state.is_in_place else ""
        yield Text(
            f"{cited}: {state.en}" + (f", now {now}" if now else ""),
            f"{cited}：{state.zh}" + (f"，现在是 {now}" if now else ""),
        )


def _state(found: FoundCitation) -> Text:
    return shifted(found.offset) if found.state is AnchorState.SHIFTED else STATE_MEANINGS[found.state]


def _link(run: Run, place: Location | Citation) -> str:
    url = upstream(run.target, run.revision, place)
    return f"[{_code(str(place))}]({url})" if url else _code(str(place))


def _prose(text: str) -> str:
    """Text of one paragraph that is nothing but text, with code between backticks kept as code."""
    parts = _cut(_flat(text)).split("`")
    if len(parts) % 2 == 0:
        return _escaped("`".join(parts))
    return "".join(_code(part) if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    """`text` without what Markdown or HTML would read as more than text, or GitHub as a mention or a number."""
    text = re.sub(r"&(?=[#\w])", "&amp;", text).replace("<", "&lt;")
    text = re.sub(r"[\\`*\[\]~|!]|(?<![^\W_])_|_(?![^\W_])|^[-+#>=]", r"\\\g<0>", text)
    return re.sub(r"([@#])(?=\w)", r"\1<!-- -->", text)


def _code(text: str) -> str:
    shown = _cut(_flat(text))
    if not shown.strip():
        return "(empty)" if not shown else f"`{shown}`"
    fence = "`" * (_longest_run(shown) + 1)
    blank = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{blank}{shown}{blank}{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _flat(text: str) -> str:
    return re.sub(r"\s", " ", visible(text))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
