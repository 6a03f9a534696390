"""What files use, and what a revision says of it, as a log of findings."""

from collections import Counter
from collections.abc import Sequence

from auditor.catalogue.comparing import recorded
from auditor.catalogues import Catalogue, History, Recorded
from auditor.findings import Confidence, Finding, FindingLog
from auditor.model import Kind, Notification, Rule
from auditor.text import Text
from auditor.usage.option_verdicts import Options, variables
from auditor.usage.reading import Vocabulary, defined
from auditor.usage.verdicts import Metrics
from auditor.usages import ReadFile, Used, Verdict

_TITLE = Text("Metrics and options in use", "所用的指标与选项")
_KINDS = {
    Verdict.RENAMED: (Kind.FAIL, Confidence.CERTAIN),
    Verdict.GONE: (Kind.FAIL, Confidence.CERTAIN),
    Verdict.NOT_EXPORTED: (Kind.FAIL, Confidence.LIKELY),
    Verdict.DEFAULT: (Kind.FAIL, Confidence.CERTAIN),
    Verdict.VALUE: (Kind.FAIL, Confidence.LIKELY),
    Verdict.ESCAPED: (Kind.REVIEW, Confidence.POSSIBLE),
    Verdict.UNKNOWN: (Kind.OPEN, Confidence.POSSIBLE),
    Verdict.LABEL: (Kind.FAIL, Confidence.LIKELY),
    Verdict.ADDED_LABEL: (Kind.REVIEW, Confidence.POSSIBLE),
    Verdict.DEPRECATED: (Kind.REVIEW, Confidence.CERTAIN),
    Verdict.CONDITIONAL: (Kind.REVIEW, Confidence.POSSIBLE),
}
_RULES = {
    "metric": Rule(
        "used-metric",
        "A metric that a file uses is exported by the revision.",
        "The names are those that a scrape shows: a counter ends in `_total`, a histogram has `_bucket`, `_sum` and "
        "`_count`. A name that was exported once, or is nearly one that is, is wrong; any other may be foreign.",
    ),
    "option": Rule(
        "used-option",
        "An option that a file uses is one of the revision, with the default that the file says.",
        "Flags of command lines, tables of documentation and environment variables, against what the code declares.",
    ),
    "file": Rule("unread", "A part of a file could not be read.", "What is not read is not judged."),
}


def vocabulary(catalogues: Sequence[Catalogue]) -> Vocabulary:
    """How the targets' names look."""
    prefixes = {name.partition(":")[0] + ":" for one in catalogues for m in one.metrics if ":" in (name := m.family)}
    words = Counter(m.family.partition("_")[0] + "_" for one in catalogues for m in one.metrics if ":" not in m.family)
    prefixes |= {word for word, count in words.items() if count > 2}
    return Vocabulary(tuple(sorted(prefixes)), variables(catalogues))


def judged(files: Sequence[ReadFile], catalogues: Sequence[Catalogue], histories: dict[str, History]) -> list[Used]:
    """What each revision says of all that files use, in their order."""
    metrics, options = Metrics(catalogues, histories), Options(catalogues, histories)
    own = defined(files)
    has_metrics = any(one.metrics for one in catalogues)
    found: list[Used] = []
    for file in files:
        # A table of mostly unknown flags is of another program, though some are called as ours are.
        rows = [one for one in file.usages if one.is_default and not one.of]
        is_foreign = sum(options.knows(one) for one in rows) * 2 < len(rows)
        for usage in file.usages:
            if is_foreign and usage.is_default:
                continue
            if usage.what in ("option", "variable"):
                used = options.used(usage)
            else:
                used = metrics.used(usage, own) if has_metrics else None
            if used is not None:
                found.append(used)
    return found


def log(
    command: str, files: Sequence[ReadFile], found: Sequence[Used], catalogues: Sequence[Catalogue], version: str,
    *, is_all: bool = False,
) -> FindingLog:  # fmt: skip
    """The findings; `is_all`: also what is only possibly wrong, or exported under a condition."""
    findings = [one for one in map(finding, found) if one and (is_all or one.confidence is not Confidence.POSSIBLE)]
    findings += [Finding(file.path, span, "unread", Kind.OPEN, why) for file in files for span, why in file.problems]
    order = {file.path: place for place, file in enumerate(files)}
    findings.sort(key=lambda one: (order[one.path], one.span, one.rule))
    counts = Counter(one.usage.what for one in found)
    unknown = sum(one.verdict is Verdict.UNKNOWN for one in found)
    notes = [
        Notification(f"{one.label}: {len(one.unresolved_metrics)} metrics could not be resolved; there may be more")
        for one in catalogues
        if one.unresolved_metrics
    ]
    return FindingLog(
        command,
        _TITLE,
        version,
        tuple(file.path for file in files),
        tuple(dict.fromkeys(findings)),
        tuple(sorted(_RULES.values(), key=lambda rule: rule.id)),
        (
            (Text("metrics used", "处使用指标"), counts["metric"] + counts["pattern"]),
            (Text("options used", "处使用选项"), counts["option"] + counts["variable"]),
            (Text("unknown names, which may be another exporter's", "处名称未知，可能来自其他导出程序"), unknown),
        ),
        tuple(one.label for one in catalogues),
        tuple(notes),
    )


def finding(used: Used) -> Finding | None:
    """What is wrong with a usage; None where nothing is."""
    if used.verdict not in _KINDS:
        return None
    kind, confidence = _KINDS[used.verdict]
    if used.verdict in (Verdict.RENAMED, Verdict.GONE) and not used.usage.is_sure:
        confidence = Confidence.LIKELY
    rule = "used-option" if used.usage.what in ("option", "variable") else "used-metric"
    replacement = used.now if used.is_proven and used.usage.what == "metric" else None
    return Finding(
        used.usage.path, used.usage.span, rule, kind, used.message, confidence, used.usage.name, replacement=replacement
    )


def broken_by(
    files: Sequence[ReadFile], before: Catalogue, after: Catalogue, histories: dict[str, History]
) -> list[Used]:
    """What files use that the older revision has and the newer does not, or of which it has something else to say.

    What was removed is what the older revision had, so a name that both lack is not the upgrade's doing.
    """
    past = {**histories, before.target: with_release(histories.get(before.target), before)}
    earlier = {(one.usage, one.verdict) for one in judged(files, [before], histories)}
    return [one for one in judged(files, [after], past) if (one.usage, one.verdict) not in earlier]


def with_release(history: History | None, catalogue: Catalogue) -> History:
    """A history to which a release was added, with what it says of each name."""
    name = catalogue.revision.name
    metrics = dict(history.metrics) if history else {}
    options = dict(history.options) if history else {}
    for metric in catalogue.metrics:
        metrics[metric.family] = recorded(metric, name)
    for option in catalogue.options:
        for spelling in option.flags or (option.field,):
            options[spelling] = Recorded(spelling, ((name, name),))
    return History(catalogue.target, (*(history.revisions if history else ()), name), metrics, options)
