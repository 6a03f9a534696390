"""Metrics that a text names, against what the revision exports."""

from auditor.article.audit import audit_text, read_text
from auditor.article.trees import Tree
from auditor.code.project.codebase import Codebase
from auditor.engine.texts import with_metrics
from auditor.model import Target
from tests.support.snapshots import Files

CODE = """\
from prometheus_client import Counter

requests = Counter("engine:requests", "Requests.")
"""
TEXT = """\
`engine:requests_total` counts; `engine:request_total` does not, nor does `engine:requests`.

```
engine:request_total 3
```
"""


def test_a_metric_that_is_nearly_exported_is_found_but_for_a_sample() -> None:
    snapshot = Files({"engine/__init__.py": "", "engine/metrics.py": CODE})
    target = Target("engine", metrics=("engine/metrics.py",))
    tree = Tree(target, snapshot, Codebase(snapshot, target))
    text = read_text("a.md", TEXT.encode())
    (audited,) = with_metrics([audit_text(text, [tree], {})], [text], [tree], None, "0.1.0")
    found = [(one.span.line, one.about, one.rule) for one in audited.findings]
    assert (1, "engine:request_total", "used-metric") in found
    assert {line for line, _, _ in found} == {1}
    assert "engine:requests_total" not in [about for _, about, _ in found]


def test_a_wrong_name_is_found_again_where_its_prefix_is_left_out() -> None:
    snapshot = Files({"engine/__init__.py": "", "engine/metrics.py": CODE})
    target = Target("engine", metrics=("engine/metrics.py",))
    tree = Tree(target, snapshot, Codebase(snapshot, target))
    text = read_text("a.md", b"`engine:request_total` grows.\n\nWatch request_total, not `self.request_total = 0`.\n")
    (audited,) = with_metrics([audit_text(text, [tree], {})], [text], [tree], None, "0.1.0")
    found = [(one.span.line, one.span.column, one.about, one.kind) for one in audited.findings]
    assert found == [(1, 2, "engine:request_total", "fail"), (3, 7, "request_total", "review")]


def test_no_catalogue_is_made_of_a_target_that_no_text_names() -> None:
    class Unread(Files):
        def read(self, path: str) -> bytes:
            raise AssertionError(path)

    snapshot = Unread({"engine/metrics.py": CODE})
    target = Target("engine", metrics=("engine/metrics.py",))
    tree = Tree(target, snapshot, Codebase(snapshot, target))
    text = read_text("a.md", b"Nothing of it.\n")
    (audited,) = with_metrics([audit_text(text, [tree], {})], [text], [tree], None, "0.1.0")
    assert audited.findings == ()
