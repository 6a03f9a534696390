"""Defaults of flags that a text states, against what the revision declares."""

from auditor.article.audit import audit_text, read_text
from auditor.article.trees import Tree
from auditor.code.project.codebase import Codebase
from auditor.engine.texts import with_defaults
from auditor.model import Target
from tests.support.snapshots import Files

CODE = """\
def fill(parser):
    parser.add_argument("--block-size", type=int, default=16)
    parser.add_argument("--later", type=float, default=None)
    return parser
"""
TEXT = """\
In engine `--block-size` defaults to `32`.
In engine `--block-size` (default 16); engine's `--later` defaults to `0.9`.
In engine `--block-size`，默认 64；也可以设为 128。
`--block-size` defaults to `8` in another program.
engine: `--block-size` default 32 KB.

```
engine --block-size default 7
```
"""


def test_a_default_that_the_engine_does_not_have_is_found() -> None:
    snapshot = Files({"engine/__init__.py": "", "engine/args.py": CODE})
    target = Target("engine", options=("engine/args.py::fill",))
    tree = Tree(target, snapshot, Codebase(snapshot, target))
    text = read_text("a.md", TEXT.encode())
    (audited,) = with_defaults([audit_text(text, [tree], {})], [text], [tree], None)
    assert [(one.span.line, one.about, one.rule) for one in audited.findings] == [
        (1, "--block-size", "used-option"),
        (3, "--block-size", "used-option"),
    ]
