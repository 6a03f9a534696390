"""What a revision says of the metrics that files use.

A name that the revision does not export is wrong where it was exported once, or is nearly one that is. Another exporter
may use the same prefix, so any other name is only said to be unknown. Of labels, a scrape adds some of its own: one
that a metric does not have is wrong only where it is nearly one that it has.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence

from auditor.catalogue.comparing import nearness, successor
from auditor.catalogues import Catalogue, History, Metric, Place, Recorded, Sureness, digest
from auditor.text import Text
from auditor.usages import Usage, Used, Verdict

_NEAR = 0.8
_LONGEST = 1_000  # characters of a name
_NEAR_LABEL = 0.85
_SUFFIXES = ("_total", "_bucket", "_sum", "_count", "_created", "_info")
_ADDED = frozenset(
    [
        "job",
        "instance",
        "namespace",
        "pod",
        "container",
        "service",
        "endpoint",
        "node",
        "cluster",
        "le",
        "quantile",
        "app",
        "env",
        "environment",
        "region",
        "zone",
        "host",
        "hostname",
        "prometheus",
        "replica",
        "kubernetes_namespace",
        "kubernetes_pod_name",
        "exported_namespace",
        "exported_pod",
        "exported_job",
        "pod_name",
        "service_name",
        "deployment",
        "workload",
        "gpu",
        "gpu_id",
        "model_id",
        "target",
    ]
)


class Metrics:
    """The metrics of the revisions that are read, by the names of their samples."""

    def __init__(self, catalogues: Sequence[Catalogue], histories: Mapping[str, History]) -> None:
        self._catalogues = catalogues
        self._histories = histories
        self._samples: dict[str, list[tuple[Catalogue, Metric]]] = {}
        self._families: dict[str, list[tuple[Catalogue, Metric]]] = {}
        for one in catalogues:
            for metric in one.metrics:
                self._families.setdefault(metric.family, []).append((one, metric))
                created = [f"{metric.family}_created"] if metric.type in ("counter", "histogram", "summary") else []
                for sample in (*metric.samples, *created):
                    self._samples.setdefault(sample, []).append((one, metric))
        self._prefixes = tuple({name.partition(":")[0] + ":" for name in self._families if ":" in name})

    @property
    def names(self) -> Sequence[str]:
        return list(self._samples)

    def used(self, usage: Usage, defined: frozenset[str]) -> Used | None:
        """What is to be said of a name in a file; None for one that is none of ours."""
        name = usage.name
        if name in defined or len(name) > _LONGEST:
            return None
        if usage.what == "pattern":
            return self._pattern(usage)
        if name in self._samples:
            return self._there(usage, self._samples[name])
        colon = self._with_colon(name)
        if not name.startswith(self._prefixes) and (colon is None or (not usage.is_sure and not self._is_known(colon))):
            return None
        if not usage.is_sure and name in self._families:
            return self._there(usage, self._families[name])
        return self._missing(usage, colon if colon is not None else name)

    def _is_known(self, name: str) -> bool:
        bare = _bare(name)
        return any(one in self._samples or one in self._families for one in (name, bare)) or any(
            bare in history.metrics for history in self._histories.values()
        )

    def _with_colon(self, name: str) -> str | None:
        """The name with the colon that an exporter has in the underscore's place."""
        for prefix in self._prefixes:
            if name.startswith(f"{prefix[:-1]}_"):
                return prefix + name[len(prefix) :]
        return None

    def _there(self, usage: Usage, found: Sequence[tuple[Catalogue, Metric]]) -> Used:
        catalogue, metric = found[0]
        lacking = tuple(
            label
            for label in usage.labels
            if all(one.are_labels_known and label not in one.labels for _, one in found) and label not in _ADDED
        )
        where = Text(f"{catalogue.label}", f"{catalogue.label}")
        likeness, label, near = max(((_likeness(one, own), one, own) for one in lacking for own in metric.labels),
                                    default=(0.0, "", ""))  # fmt: skip
        if likeness >= _NEAR_LABEL:
            message = Text(
                f"{{}} exports {usage.name} without the label {label}; the nearest is {near}",
                f"{{}} 导出的 `{usage.name}` 没有标签 `{label}`；最接近的是 `{near}`",
            ).filled(where)
            return Used(usage, Verdict.LABEL, message, labels=lacking)
        if lacking:
            names = ", ".join(lacking)
            message = Text(
                f"{{}} exports {usage.name} without the label {names}; a scrape would have to add it",
                f"{{}} 导出的 `{usage.name}` 没有标签 `{names}`；只能由抓取方式添加",
            ).filled(where)
            return Used(usage, Verdict.ADDED_LABEL, message, labels=lacking)
        always = [one for _, one in found if one.when is None]
        if not always:
            when = Text(
                f"{{}} exports {usage.name} only if {metric.when}",
                f"仅当 `{metric.when}` 时，{{}} 才导出 `{usage.name}`",
            )
            return Used(usage, Verdict.CONDITIONAL, when.filled(where))
        return Used(
            usage, Verdict.EXPORTED, Text(f"{{}} exports {usage.name}", f"{{}} 导出 `{usage.name}`").filled(where)
        )

    def _missing(self, usage: Usage, name: str) -> Used:
        if name != usage.name and name in self._samples:
            message = Text(
                f"the code exports {name}, with a colon; only a scrape that escapes names shows {usage.name}",
                f"代码导出的是带冒号的 `{name}`；只有会转义名称的抓取方式才会显示 `{usage.name}`",
            )
            return Used(usage, Verdict.NOT_EXPORTED if usage.is_sure else Verdict.ESCAPED, message, name)
        for spelling, is_proven in self._spellings(name):
            if spelling in self._samples:
                catalogue, metric = self._samples[spelling][0]
                message = Text(
                    f"{catalogue.label} exports the {metric.type} {metric.name}, which is scraped as "
                    f"{', '.join(metric.samples)}, not as {usage.name}",
                    f"{catalogue.label} 导出的是 {metric.type} `{metric.name}`，"
                    f"抓取时名为 {'、'.join(metric.samples)}，而不是 `{usage.name}`",
                )
                return Used(usage, Verdict.RENAMED, message, spelling, is_proven)
        return self._gone(usage, name) or self._near(usage, name) or self._unknown(usage)

    def _spellings(self, name: str) -> Iterator[tuple[str, bool]]:
        """The same family by another suffix, and whether that is the only one it has."""
        for base in (name, _bare(name)):
            for catalogue_metric in self._families.get(base, ()):
                samples = catalogue_metric[1].samples
                yield samples[0], len(samples) == 1 and catalogue_metric[1].type == "counter"

    def _gone(self, usage: Usage, name: str) -> Used | None:
        bare = _bare(name)
        for catalogue in self._catalogues:
            history = self._histories.get(catalogue.target)
            recorded = history and (history.metrics.get(name) or history.metrics.get(bare))
            if not recorded or not history:
                continue
            if (since := history.first_after(recorded, catalogue.revision.name)) is not None:
                message = Text(
                    f"{catalogue.target} exports {recorded.name} only since {since}; {catalogue.label} does not",
                    f"{catalogue.target} 从 {since} 起才导出 `{recorded.name}`；{catalogue.label} 不导出",
                )
                return Used(usage, Verdict.GONE, message)
            now = successor(_as_metric(recorded, catalogue.metrics), catalogue.metrics, catalogue.metrics)
            message = Text(
                f"{catalogue.target} exported {recorded.name} up to {recorded.last}; {catalogue.label} does not",
                f"{catalogue.target} 到 {recorded.last} 为止导出过 `{recorded.name}`；{catalogue.label} 不再导出",
            )
            if now is None:
                return Used(usage, Verdict.GONE, message)
            metric, sureness = now
            suffix = name.removeprefix(recorded.name)
            sample = metric.family + suffix if metric.family + suffix in self._samples else metric.samples[0]
            if sureness is Sureness.POSSIBLE:
                nearest = Text(f"; the nearest that it has is {sample}", f"；现有指标中最接近的是 `{sample}`")
                return Used(usage, Verdict.GONE, message + nearest, sample)
            message += Text(f"; it is now {sample} ({sureness})", f"；现名 `{sample}`（{sureness}）")
            return Used(usage, Verdict.RENAMED, message, sample, sureness is Sureness.PROVEN)
        return None

    def _near(self, usage: Usage, name: str) -> Used | None:
        prefix = next((one for one in self._prefixes if name.startswith(one)), "")
        own = [one for one in self._samples if one.startswith(prefix)]
        if not own:
            return None
        best = max(own, key=lambda one: nearness(_bare(name), _bare(one)))
        if nearness(_bare(name), _bare(best)) < _NEAR:
            return None
        label = self._samples[best][0][0].label
        message = Text(
            f"{label} does not export {usage.name}; the nearest is {best}",
            f"{label} 不导出 `{usage.name}`；最接近的是 `{best}`",
        )
        return Used(usage, Verdict.NOT_EXPORTED, message, best)

    def _unknown(self, usage: Usage) -> Used:
        labels = ", ".join(one.label for one in self._catalogues)
        message = Text(
            f"{labels} does not export {usage.name}, nor did a recorded release; it may be another exporter's",
            f"{labels} 不导出 `{usage.name}`，已记录的版本也未导出过；它可能来自其他导出程序",
        )
        return Used(usage, Verdict.UNKNOWN, message)

    def _pattern(self, usage: Usage) -> Used | None:
        """A regular expression of names: Prometheus anchors it at both ends."""
        if not any(prefix[:-1] in usage.name for prefix in self._prefixes) or len(usage.name) > 1_000:
            return None
        ways = [self._missing_way(way) for way in _alternatives(usage.name)]
        dead = [way for way in ways if way is not None]
        if not dead:
            message = Text(f"every part of {usage.name} matches a metric", f"`{usage.name}` 的每一部分都有匹配的指标")
            return Used(usage, Verdict.EXPORTED, message)
        names = ", ".join(dead)
        message = Text(f"no metric matches {names}", f"没有与 `{names}` 匹配的指标")
        verdict = Verdict.NOT_EXPORTED if any(self._is_known(one) for one in dead) else Verdict.UNKNOWN
        return Used(usage, verdict, message)

    def _missing_way(self, way: str) -> str | None:
        """A part of a pattern that matches nothing, though it begins as our names do."""
        if not way.startswith(self._prefixes):
            return None
        try:
            pattern = re.compile(_harmless(way))
        except re.error:
            return None
        return None if any(pattern.fullmatch(name) for name in self._samples) else way


def _likeness(one: str, other: str) -> float:
    """How near two labels are, by their letters."""
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _alternatives(pattern: str) -> list[str]:
    """The ways of `a:(b|c)_d`, or of `a|b`."""
    inner = re.fullmatch(r"\^?([^()|]*)\((?:\?:)?([^()]*)\)([^()|]*?)\$?", pattern)
    if inner:
        return [f"{inner[1]}{one}{inner[3]}" for one in inner[2].split("|")]
    return pattern.split("|") if "(" not in pattern else [pattern]


def _harmless(way: str) -> str:
    """A pattern in which only `.*`, `.+` and `.` are more than letters, so that matching takes no time to speak of."""
    return "".join(
        part if part in (".*", ".+", ".") else re.escape(part)
        for part in re.split(r"(\.\*|\.\+|\.)", way.replace("\\", ""))
    )


def _bare(name: str) -> str:
    for suffix in _SUFFIXES:
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


def _as_metric(one: Recorded, there: Sequence[Metric]) -> Metric:
    """A recorded metric, with what is known of its help: the name that it says to use, or that it is another's."""
    same = next((metric.help for metric in there if one.digest and digest(metric.help) == one.digest), None)
    help_ = f"Deprecated: use {one.named[0]}" if one.named else same
    return Metric(one.name, one.name, (), one.type, one.labels, True, help_, None, None, None, Place("", 1, 1))
