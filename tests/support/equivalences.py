"""Pairs of expressions that are equal, and pairs that are not, made by rules that are filled in at random."""

import random
import re
from collections.abc import Iterator

NUMBERS = [
    ("{a} + {b}", "{b} + {a}"),
    ("{a} * ({b} + 1)", "{a} * {b} + {a}"),
    ("{a} << 4", "{a} * 16"),
    ("{a} >> 3", "{a} // 8"),
    ("1 << {a}", "2 ** {a}"),
    ("2 ** ({a} + 3)", "8 * 2 ** {a}"),
    ("2 ** ({a} - 1) * 2", "2 ** {a}"),
    ("4 ** {a}", "2 ** (2 * {a})"),
    ("1 << 10", "1024"),
    ("min({a}, min({b}, {c}))", "min({c}, {a}, {b})"),
    ("max(max({a}, {b}), {c})", "max({b}, max({c}, {a}))"),
    ("min({a}, {b}) + {c}", "min({a} + {c}, {b} + {c})"),
    ("-min({a}, {b})", "max(-{a}, -{b})"),
    ("min([{a}, {b}])", "min({a}, {b})"),
    ("max({a}, {a})", "{a}"),
    ("max({a}, {a} + 1)", "{a} + 1"),
    ("2 * max({a}, {b})", "max(2 * {b}, 2 * {a})"),
    ("sum([{a}, {b}, {c}])", "{a} + {b} + {c}"),
    ("sum(({a}, {b}))", "{b} + {a}"),
    ("{a} if {a} < {b} else {b}", "min({a}, {b})"),
    ("{a} if {a} >= {b} else {b}", "max({a}, {b})"),
    ("{b} if {a} > {b} else {a}", "min({a}, {b})"),
    ("{a} if {p} else {b}", "{b} if not {p} else {a}"),
    ("{a} or {b}", "{a} if {a} else {b}"),
    ("{a} and {b}", "{b} if {a} else {a}"),
    ("{a} % 8", "{a} - 8 * ({a} // 8)"),
    ("({a} + 8) // 8", "{a} // 8 + 1"),
    ("{a} // 4 // 2", "{a} // 8"),
    ("math.ceil({a} / {b})", "-(-{a} // {b})"),
    ("abs({a} - {b})", "abs({b} - {a})"),
    ("pow({a}, 2)", "{a} * {a}"),
    ("d.get({k})", "d.get({k}, None)"),
    ("getattr(x, 'n') + {a}", "{a} + x.n"),
    ("len([{a}, {b}]) * {c}", "2 * {c}"),
    ("{a} / {b} + {c} / {b}", "({a} + {c}) / {b}"),
    ("1 - {a} / {b}", "({b} - {a}) / {b}"),
    ("int(len(xs))", "len(xs)"),
    ("float({a}) * 2", "{a} + {a}"),
]

CONDITIONS = [
    ("{a} < {b}", "{b} > {a}"),
    ("not {a} < {b}", "{a} >= {b}"),
    ("not {a} == {b}", "{a} != {b}"),
    ("{a} < {b} <= {c}", "{b} <= {c} and {a} < {b}"),
    ("not ({p} and {q})", "not {q} or not {p}"),
    ("not ({p} or {q})", "not {p} and not {q}"),
    ("any(({p}, {q}))", "{p} or {q}"),
    ("all([{p}, {q}])", "{q} and {p}"),
    ("{a} in ({b}, {c})", "{a} == {c} or {a} == {b}"),
    ("{a} not in [{b}, {c}]", "{a} != {b} and {a} != {c}"),
    ("{a} in frozenset(({b}, {c}))", "{a} in {{{c}, {b}}}"),
    ("len(xs) == 0", "not len(xs)"),
    ("len(xs) == 0", "not xs"),
    ("len(xs) > 0", "len(xs) >= 1"),
    ("len(xs) >= 1", "xs"),
    ("len(xs) < 2", "len(xs) <= 1"),
    ("{a} % 2", "{a} % 2 != 0"),
    ("not {a} % 2", "{a} % 2 == 0"),
    ("isinstance(x, (A, B))", "isinstance(x, A) or isinstance(x, B)"),
    ("s.startswith(('a', 'b'))", "s.startswith('b') or s.startswith('a')"),
    ("bool({p})", "{p}"),
    ("{p} if {q} else {r}", "{q} and {p} or not {q} and {r}"),
    ("max({a}, {b}) < {c}", "{a} < {c} and {b} < {c}"),
    ("min({a}, {b}) <= {c}", "{a} <= {c} or {b} <= {c}"),
    ("{a} - {b} > 0", "{a} > {b}"),
    ("2 * {a} < 2 * {b}", "{a} < {b}"),
    ("d.get({k}) is None", "d.get({k}, None) is None"),
    ("x is not None and not {p}", "not ({p} or x is None)"),
]

OTHER_NUMBERS = [
    ("{a} + {b}", "{a} - {b}"),
    ("{a} << 4", "{a} * 8"),
    ("{a} >> 3", "{a} // 4"),
    ("2 ** ({a} + 3)", "6 * 2 ** {a}"),
    ("min({a}, {b})", "max({a}, {b})"),
    ("min({a}, {b})", "min({a}, {b} + 1)"),
    ("sum([{a}, {b}])", "{a} * {b}"),
    ("{a} if {a} < {b} else {b}", "max({a}, {b})"),
    ("{a} if {p} else {b}", "{b} if {p} else {a}"),
    ("{a} or {b}", "{b} or {a}"),
    ("{a} % 8", "{a} % 16"),
    ("{a} // 8", "{a} // 8 + 1"),
    ("math.ceil({a} / 4)", "{a} // 4"),
    ("abs({a} - {b})", "{a} - {b} + 1"),
    ("{a} / {b}", "{b} / {a}"),
    ("len(xs) + 1", "len(xs)"),
    ("{a} * 16 + 1", "{a} * 17 + 1"),
]

OTHER_CONDITIONS = [
    ("{a} < {b}", "{a} <= {b}"),
    ("{a} < {b}", "{b} < {a}"),
    ("{p} and {q}", "{p} or {q}"),
    ("not ({p} and {q})", "not {p} and not {q}"),
    ("any(({p}, {q}))", "all(({p}, {q}))"),
    ("{a} in ({b}, {c})", "{a} == {b}"),
    ("len(xs) == 0", "len(xs) == 1"),
    ("len(xs) > 1", "xs"),
    ("{a} % 2", "{a} % 2 == 0"),
    ("isinstance(x, (A, B))", "isinstance(x, A)"),
    ("s.startswith(('a', 'b'))", "s.startswith('a')"),
    ("max({a}, {b}) < {c}", "min({a}, {b}) < {c}"),
    ("{a} >= 160", "{a} >= 70"),
    ("x is None", "x is not None"),
]

_QUANTITIES = ("n", "m", "x.size", "self.total", "(k + 2)", "(j * 3)")
_QUESTIONS = ("p", "self.ready", "x.is_open", "(i == 4)", "(self.left < 7)")


def filled(rules: list[tuple[str, str]], seed: int) -> Iterator[tuple[str, str]]:
    """Each rule once, its quantities and questions all different and chosen by the seed."""
    random_ = random.Random(seed)
    for one, other in rules:
        quantities, questions = random_.sample(_QUANTITIES, 3), random_.sample(_QUESTIONS, 3)
        chosen = dict(zip("abcpqr", (*quantities, *questions), strict=True)) | {"k": "'key'"}
        yield one.format(**chosen), other.format(**chosen)


def words(expression: str) -> list[str]:
    """The names that a function needs as parameters for an expression."""
    taken = {"and", "or", "not", "in", "is", "if", "else", "None", "min", "max", "sum", "abs", "len", "int", "float"}
    taken |= {"any", "all", "bool", "pow", "math", "isinstance", "frozenset", "getattr", "A", "B", "self"}
    return sorted(set(re.findall(r"(?<![.\w'])[a-zA-Z_]\w*(?!')", expression)) - taken)
