"""What is read of code in many shapes (tests/cases/catalogue)."""

import sys
from collections.abc import Iterator

import pytest

from auditor.code.idioms.declared_options import DeclaredOption, declared_options
from auditor.code.idioms.exported_metrics import exported_metrics
from auditor.code.idioms.metric_calls import ExportedMetric
from auditor.model import Anchor
from tests.support.catalogue_cases import Case, cases
from tests.support.chinese import is_chinese
from tests.support.snapshots import codebase


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(12_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("case", cases("catalogue/metrics.md"), ids=str)
def test_metrics(case: Case) -> None:
    found = exported_metrics(codebase(case.files), case.files)
    lines = [_metric(one) for one in found.metrics]
    lines += [f"? {one.location} {one.reason.en}" for one in found.unresolved]
    assert tuple(lines) == case.expected
    assert all(is_chinese(one.reason.zh) for one in found.unresolved)


def _metric(one: ExportedMetric) -> str:
    labels = ", ".join([*one.labels, *([] if one.are_labels_known else ["..."])])
    when = f" if {one.when}" if one.when else ""
    return f"{one.name} {one.type} {{{labels}}} {' '.join(one.samples)}{when}"


@pytest.mark.parametrize("case", cases("catalogue/options.md"), ids=str)
def test_options(case: Case) -> None:
    found = declared_options(codebase(case.files), [Anchor("engine/args.py", "fill")])
    lines = [_option(one) for one in found.options]
    lines += [f"? {location} {reason.en}" for reason, location in found.unresolved]
    assert tuple(sorted(lines)) == tuple(sorted(case.expected))
    assert all(is_chinese(reason.zh) for reason, _ in found.unresolved)


def _option(one: DeclaredOption) -> str:
    default = repr(one.default.value) if one.default.is_static else f"{one.default.value} (not static)"
    default += " required" if one.default.is_required else ""
    parts = [" ".join(one.flags) or one.field, "=", default, str(one.type), str(one.location), one.help or ""]
    parts += ["deprecated"] if one.is_deprecated else []
    return " ".join(filter(None, [*parts, one.instead or ""])).replace("The port.", "").strip()
