"""What is worked out once for many answers: each of them depends on all that it was made from."""

import pytest

from auditor.code import Undecidable
from auditor.code.project.names import referents
from auditor.model import Text
from tests.support.snapshots import codebase

FILES = {
    "engine/__init__.py": "",
    "engine/a.py": "from engine.b import Pool\n",
    "engine/b.py": "from engine.c import Pool\n",
    "engine/c.py": "class Pool: ...\n",
}


def test_an_answer_depends_on_what_an_earlier_one_has_worked_out() -> None:
    code = codebase(FILES)
    depends = []
    for _ in range(2):
        code.begin()
        referents(code, "Pool", "engine/a.py")
        depends.append(code.dependencies)
    assert depends[0] == depends[1]
    assert depends[0].files == {"engine/a.py", "engine/b.py", "engine/c.py"}


def test_what_is_worked_out_on_the_way_is_depended_on_too() -> None:
    code = codebase(FILES)
    made = []

    def outer() -> str:
        return code.memoized("inner", inner) + code.text("engine/a.py")

    def inner() -> str:
        made.append("inner")
        return code.text("engine/c.py")

    for key in ("inner", "outer", "outer"):
        code.begin()
        code.memoized(key, inner if key == "inner" else outer)
    assert made == ["inner"]
    assert code.dependencies.files == {"engine/a.py", "engine/c.py"}


def test_what_cannot_be_worked_out_is_tried_again_and_depended_on() -> None:
    code = codebase(FILES)
    tried = []

    def fails() -> str:
        tried.append(code.text("engine/b.py"))
        raise Undecidable(Text("it depends", "视情况而定"))

    for number in (1, 2):
        code.begin()
        with pytest.raises(Undecidable):
            code.memoized("x", fails)
        assert (len(tried), code.dependencies.files) == (number, {"engine/b.py"})
