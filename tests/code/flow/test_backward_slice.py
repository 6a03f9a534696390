"""Which statements of a function are in the slice from the lines marked `# here`."""

import pytest

from auditor.code.flow.backward_slice import slice_index
from auditor.code.flow.canonical_form import sliced_digest
from auditor.model import Region
from tests.support.snapshots import definition

CASES = {
    "definitions, transitively": """\
def f(self, a, b):
    x = a + 1  # in
    y = x * 2  # in
    z = b
    return y  # here
""",
    "a definition after the line doesn't reach it": """\
def f(self, a):
    x = a  # in
    use(x)  # here
    x = 2
""",
    "but in a loop it does": """\
def f(self, items):
    x = 0  # in
    for item in items:  # in
        use(x)  # here
        x = item  # in
""",
    "the heads around, and what they name": """\
def f(self, a, b):
    ready = a > 1  # in
    other = b
    if ready:  # in
        use(a)  # here
    else:
        drop(b)
""",
    "early exits before, with their tests": """\
def f(self, a, b):
    if a:  # in
        return None  # in
    if b:
        self.count = 1
    use(b)  # here
    if a > 2:
        return a
""",
    "a loop before is left on its own": """\
def f(self, items):
    for one in items:
        if one:
            break
    for item in items:  # in
        if not item:  # in
            continue  # in
        use(1)  # here
""",
    "what only logs is left out": """\
def f(self, a):
    x = a  # in
    logger.info("x %s", x)
    use(x)  # here
""",
    "attributes, and the objects that hold them": """\
def f(self, a, request):
    self.x = a  # in
    self.y = a
    request = self.queue.peek()  # in
    request.size = 1  # in
    use(self.x, request.size)  # here
""",
    "what a statement adds to a container": """\
def f(self, a):
    found = []  # in
    found.append(a)  # in
    others = []
    others.append(a)
    return found  # here
""",
    "a function within, where it is called": """\
def f(self, a):
    def inner():  # in
        return a
    def other():
        return 2
    return inner()  # here
""",
    "the field of a class": """\
class F:
    base: int = 1  # in
    size: int = base * 2  # here
    other: int = 3
    def f(self):
        return self.other
""",
}


def marked(text: str, *marks: str) -> set[int]:
    return {number for number, line in enumerate(text.split("\n"), 1) if line.endswith(tuple(f"# {m}" for m in marks))}


def sliced(text: str) -> set[int]:
    lines = frozenset(Region(line, line) for line in marked(text, "here"))
    found = slice_index(definition(text, text.split("(")[0].split(":")[0].split()[1]).term).slice(lines)
    pending, numbers = list(found.terms("body")), set()
    while pending:
        term = pending.pop()
        assert term.region is not None
        numbers.add(term.region.start)
        if term.type not in ("FunctionDef", "ClassDef"):
            for part in ("body", "orelse"):
                pending += term.terms(part) if part in term.parts and isinstance(term.parts[part], tuple) else ()
    return numbers


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_a_slice_has_what_bears_on_the_lines(text: str) -> None:
    assert sliced(text) == marked(text, "here", "in")


@pytest.mark.parametrize("opaque", ["exec(a)", "global x", "vars(self)"])
def test_where_names_are_bound_out_of_sight_all_is_in_it(opaque: str) -> None:
    text = f"def f(self, a):\n    y = 1\n    {opaque}\n    return a  # here\n"
    assert sliced(text) == {2, 3, 4}


def test_parameters_that_the_slice_does_not_name_are_no_part_of_it() -> None:
    def digest(text: str) -> str:
        return sliced_digest(definition(text, "f"), frozenset({Region(3, 3)}))

    base = digest("def f(self, a):\n    x = 1\n    return a\n")
    assert digest("def f(self, a, b=None):\n    x = b\n    return a\n") == base
    assert digest("def f(self, a=2):\n    x = 1\n    return a\n") != base
    assert digest("def f(self, a):\n    a = 1\n    return a\n") != base
