"""Terms as Python text again, on one line, for messages."""

from collections.abc import Iterator
from math import copysign

from auditor.code.syntax.term import Term, literal_text

_BINDS = {
    "or": 1, "and": 2, "not": 3, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "//": 10,
    "%": 10, "@": 10, "**": 12,
}  # fmt: skip
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\0": r"\0", "{": "{{", "}": "}}"})
_COMPARES, _UNARY, _ATOM = 4, 11, 14
_BRACKETS = {"Tuple": "()", "List": "[]", "Set": "{}", "Dict": "{}"}


def unparse(term: Term, binding: int = 0) -> str:
    """An expression as Python text, in the parentheses that the operator around it (`binding`) asks for."""
    own, text = _precedence_and_text(term)
    return f"({text})" if own < binding else text


def _precedence_and_text(term: Term) -> tuple[int, str]:
    """How tightly an expression binds, and its text."""
    match term.type:
        case "Name":
            return _ATOM, term.text("id")
        case "Literal":
            value = term.parts["value"]
            is_negative = isinstance(value, int | float) and (value < 0 or (value == 0 and copysign(1, value) < 0))
            return _UNARY if is_negative else _ATOM, "..." if value is ... else literal_text(value)
        case "Attribute":
            owner = unparse(term.term("value"), _ATOM)
            return _ATOM, f"({owner}).{term.text('attr')}" if owner.isdigit() else f"{owner}.{term.text('attr')}"
        case "Call":
            return _ATOM, f"{unparse(term.term('func'), _ATOM)}({', '.join([*_all(term, 'args'), *_keywords(term)])})"
        case "Subscript":
            return _ATOM, f"{unparse(term.term('value'), _ATOM)}[{', '.join(_all(term, 'slice'))}]"
        case "Slice":
            parts = (term.parts[bound] for bound in ("lower", "upper", "step"))
            lower, upper, step = (unparse(part) if isinstance(part, Term) else "" for part in parts)
            return _ATOM, f"{lower}:{upper}" + (f":{step}" if step else "")
        case "BinaryOperation":
            symbol = term.text("operator")
            own = _BINDS[symbol]
            left, right = (own + 1, own) if symbol == "**" else (own, own + 1)
            return own, f"{unparse(term.term('left'), left)} {symbol} {unparse(term.term('right'), right)}"
        case "BooleanOperation":
            symbol = term.text("operator")
            own = _BINDS[symbol]
            return own, f" {symbol} ".join(unparse(value, own + 1) for value in term.terms("values"))
        case "UnaryOperation":
            symbol = term.text("operator")
            own = _BINDS["not"] if symbol == "not" else _UNARY
            return own, f"{symbol}{' ' if symbol == 'not' else ''}{unparse(term.term('operand'), own)}"
        case "Comparison":
            sides = zip(term.operators, term.terms("comparators"), strict=True)
            rest = [f"{symbol} {unparse(side, _COMPARES + 1)}" for symbol, side in sides]
            return _COMPARES, " ".join([unparse(term.term("left"), _COMPARES + 1), *rest])
        case "IfExp":
            test, body, orelse = term.term("test"), term.term("body"), term.term("orelse")
            return 0, f"{unparse(body, 1)} if {unparse(test, 1)} else {unparse(orelse)}"
        case "Tuple" | "List" | "Set" | "Dict":
            opening, closing = _BRACKETS[term.type][0], _BRACKETS[term.type][1]
            lone = "," if term.type == "Tuple" and len(term.terms("elements")) == 1 else ""
            return _ATOM, f"{opening}{', '.join(_all(term, 'elements'))}{lone}{closing}"
        case "DictElement":
            return _ATOM, f"{unparse(term.term('key'))}: {unparse(term.term('value'))}"
        case "Starred" | "StarredDictElement":
            return _ATOM, f"{'*' if term.type == 'Starred' else '**'}{unparse(term.term('value'), _ATOM)}"
        case "Lambda":
            params = ", ".join(_params(term))
            return 0, f"lambda{' ' if params else ''}{params}: {unparse(term.term('body'))}"
        case "ListComp" | "SetComp" | "GeneratorExp":
            brackets = {"ListComp": "[]", "SetComp": "{}", "GeneratorExp": "()"}[term.type]
            return _ATOM, f"{brackets[0]}{' '.join([unparse(term.term('elt')), *_all(term, 'for_in')])}{brackets[1]}"
        case "DictComp":
            pair = f"{unparse(term.term('key'))}: {unparse(term.term('value'))}"
            return _ATOM, f"{{{' '.join([pair, *_all(term, 'for_in')])}}}"
        case "CompFor":
            tests = "".join(f" if {unparse(test, 1)}" for test in term.terms("ifs"))
            word = "async for" if term.parts["is_async"] else "for"
            return _ATOM, f"{word} {unparse(term.term('target'))} in {unparse(term.term('iter'), 1)}{tests}"
        case "NamedExpr":
            return _ATOM, f"({unparse(term.term('target'))} := {unparse(term.term('value'))})"
        case "Yield" | "YieldFrom":
            value = term.parts["value"]
            word = "yield" if term.type == "Yield" else "yield from"
            return _ATOM, f"({word}{f' {unparse(value)}' if isinstance(value, Term) else ''})"
        case "Await":
            return _UNARY, f"await {unparse(term.term('value'), _ATOM)}"
        case "FString":
            text = "".join(map(_piece, term.terms("parts")))
            quote = next((quote for quote in ("'", '"', '"""') if quote not in text), "'''")
            return _ATOM, f"f{quote}{text}{quote}"
        case _:
            return _ATOM, f"<{term.type}>"


def _all(term: Term, name: str) -> list[str]:
    return [unparse(item) for item in term.terms(name)]


def _keywords(term: Term) -> list[str]:
    pairs = ((keyword.text("name"), unparse(keyword.term("value"))) for keyword in term.terms("keywords"))
    return [f"**{value}" if name == "**" else f"{name}={value}" for name, value in pairs]


def _params(term: Term) -> Iterator[str]:
    is_keyword = False
    for param in term.terms("params"):
        kind, default = param.text("kind"), param.parts["default"]
        if kind == "keyword" and not is_keyword:
            yield "*"
        is_keyword |= kind in ("keyword", "*")
        stars = kind if kind in ("*", "**") else ""
        yield stars + param.text("name") + (f"={unparse(default)}" if isinstance(default, Term) else "")


def _piece(part: Term) -> str:
    if part.type == "Literal":
        return part.text("value").translate(_ESCAPES)
    conversion = f"!{part.text('conversion')}" if part.parts["conversion"] is not None else ""
    spec = f":{_spec(part.term('spec'))}" if part.parts["spec"] is not None else ""
    return f"{{{unparse(part.term('expression'))}{conversion}{spec}}}"


def _spec(term: Term) -> str:
    return "".join(map(_piece, term.terms("parts") if term.type == "FString" else (term,)))
