"""The values that code gives options later, and the conditions of these."""

from auditor.catalogue.effective import effective
from auditor.code.idioms.declared_options import declared_options
from auditor.model import Anchor
from tests.support.snapshots import codebase

_FILES = {
    "engine/args.py": """def fill(parser):
    parser.add_argument("--size", type=int)
    parser.add_argument("--mode")
""",
    "engine/hooks.py": """def resolve(args):
    if args.mode is None:
        args.mode = "safe"
        return
    if args.size is not None:
        if args.size < 0:
            raise ValueError(args.size)
        args.mode = "fast"
    else:
        return
    for one in args.all:
        if one.skip:
            continue
        args.size = one.size
    declare_resolution(args, "resolve", size=8)
""",
}


def test_what_stands_behind_a_return_has_its_opposite_for_a_condition() -> None:
    code = codebase(_FILES)
    options = declared_options(code, [Anchor("engine/args.py", "fill")]).options
    found = effective(code, ["engine/hooks.py"], options)
    assert [(one.value, one.when) for one in found["mode"]] == [
        ("'safe'", "args.mode is None"),
        ("'fast'", "args.mode is not None and args.size is not None"),
    ]
    assert [(one.value, one.when) for one in found["size"]] == [
        ("one.size", "args.mode is not None and args.size is not None and not one.skip"),
        ("8", "args.mode is not None and args.size is not None"),
    ]
