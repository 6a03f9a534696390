"""Normal forms of expressions: a number becomes a polynomial over atoms, a condition a proposition over atoms.

What is no arithmetic and no logic (names, attributes, calls) is an atom whose own parts are in normal form. Names in
arithmetic are taken for finite numbers: addition and multiplication commute, `not a < b` is `b <= a`.
"""

from fractions import Fraction
from functools import lru_cache

from auditor.code import Undecidable
from auditor.code.syntax.dynamic_attributes import attribute_access
from auditor.code.syntax.normal_forms import comparison, literal
from auditor.code.syntax.term import Part, Term, dotted
from auditor.code.values import polynomials
from auditor.code.values.case_count import MOST_ATOMS, atom_count
from auditor.code.values.displays import elements_of, with_numbered_names
from auditor.code.values.piecewise import floor_of_quotient, is_whole, least, power, two_to
from auditor.code.values.polynomials import Polynomial, constant, product, scaled, total, variable
from auditor.code.values.propositions import FALSE, TRUE, Atom, Prop, Quantity, joined, negated, quantity_of, text_of
from auditor.model import Text

_TOO_MANY = Text(
    f"a condition there has more than {MOST_ATOMS:,} cases with its locals inlined, too many to be compared",
    f"该处的一个条件在代入局部变量后有超过 {MOST_ATOMS:,} 种情形，数量过多，无法比较",
)
_SEQUENCES = ("FString", "List", "Tuple", "ListComp")


@lru_cache(maxsize=4_096)
def normal_form(term: Term) -> Polynomial:
    """The normal form of an expression that is taken for a number; not to be changed. Raises as `proposition` does.

    Inlined locals make a term a graph with shared parts; each part is worked out once.
    """
    match term.type:
        case "Literal":
            value = term.parts["value"]
            if isinstance(value, int | float) and value == value and abs(value) != float("inf"):
                return constant(Fraction(value) if isinstance(value, int) else Fraction(str(value)))
        case "UnaryOperation" if term.parts["operator"] in ("-", "+"):
            return scaled(normal_form(term.term("operand")), -1 if term.parts["operator"] == "-" else 1)
        case "BinaryOperation":
            return _arithmetic(term.text("operator"), term.term("left"), term.term("right"))
        case "BooleanOperation":
            return _short_circuit(term)
        case "IfExp":
            return _conditional(term.term("test"), term.term("body"), term.term("orelse"))
        case "Call" if (form := _call(term)) is not None:
            return form
        case _:
            pass
    return variable(_key(term))


def _arithmetic(operator: str, one: Term, other: Term) -> Polynomial:
    if operator == "+" and any(_is_sequence(side) for side in (one, other)):
        return variable(f"({_text(one)} '+' {_text(other)})")  # in this order
    left, right = normal_form(_number(one)), normal_form(_number(other))
    match operator:
        case "+":
            return total(left, right)
        case "-":
            return total(left, right, -1)
        case "*" if polynomials.is_product_small(left, right):
            return product(left, right)
        case "/" if right:
            return product(left, polynomials.inverse(right))
        case "//" if right:
            return floor_of_quotient(left, right)
        case "%" if right and not _is_sequence(one):  # a % b is a - b * (a // b)
            quotient = floor_of_quotient(left, right)
            if polynomials.is_product_small(right, quotient):
                return total(left, product(right, quotient), -1)
        case "<<" if (shift := two_to(right)) is not None and polynomials.is_product_small(left, shift):
            return product(left, shift)
        case ">>" if (shift := two_to(right)) is not None:
            return floor_of_quotient(left, shift)
        case "**" if (form := power(left, right)) is not None:
            return form
        case _:
            pass
    sides = [polynomials.text(left), polynomials.text(right)]
    return variable(f"({sides[0]} {operator!r} {sides[1]})")


def _number(term: Term) -> Term:
    """What is taken for a number where it stands: of `float(x)`, in arithmetic and in an order, `x`."""
    if term.type == "Call" and dotted(term.term("func")) == "float" and len(args := term.terms("args")) == 1:
        return term if term.terms("keywords") or args[0].type == "Starred" else _number(args[0])
    return term


def _is_arithmetic(term: Term) -> bool:
    """Whether an expression is a number whatever its names stand for, those in arithmetic being numbers."""
    match term.type:
        case "Literal":
            return isinstance(term.parts["value"], int | float)
        case "UnaryOperation":
            return True
        case "BinaryOperation":
            return not any(map(_is_sequence, (term.term("left"), term.term("right"))))
        case "IfExp":
            return _is_arithmetic(term.term("body")) and _is_arithmetic(term.term("orelse"))
        case "Call":
            return dotted(term.term("func")) in ("len", "int", "float", "abs", "round", "math.ceil", "math.floor")
        case _:
            return False


def _is_sequence(term: Term) -> bool:
    return term.type in _SEQUENCES or (term.type == "Literal" and isinstance(term.parts["value"], str | bytes))


def _short_circuit(term: Term) -> Polynomial:
    """The value of `a or b`, which is `a if a else b`; of `a and b`, which is `b if a else a`."""
    values, is_or = term.terms("values"), term.parts["operator"] == "or"
    if all(map(is_boolean, values)):
        return variable(_truth_text(term))
    first = values[0]
    rest = values[1] if len(values) == 2 else Term("BooleanOperation", {**term.parts, "values": values[1:]})
    return _conditional(first, first, rest) if is_or else _conditional(first, rest, first)


def _conditional(test: Term, body: Term, orelse: Term) -> Polynomial:
    asked = proposition(test)
    if asked in (TRUE, FALSE):
        return normal_form(body if asked is TRUE else orelse)
    one, two = normal_form(body), normal_form(orelse)
    if one == two:
        return one
    for operator in ("<", "<="):  # `a if a < b else b` is min(a, b)
        if asked == proposition(comparison(body, [operator], [orelse], None)):
            return least([one, two])
        if asked == proposition(comparison(orelse, [operator], [body], None)):
            return scaled(least([scaled(one, -1), scaled(two, -1)]), -1)
    if is_boolean(body) and is_boolean(orelse):
        return variable(_truth_text(Term("IfExp", {"test": test, "body": body, "orelse": orelse})))
    sides, tests = [polynomials.text(one), polynomials.text(two)], [text_of(asked), text_of(negated(asked))]
    if tests[1] < tests[0]:
        sides.reverse()
    return variable(f"({sides[0]} if {min(tests)} else {sides[1]})")


def is_boolean(term: Term) -> bool:
    """Whether an expression gives True or False, whatever its names stand for."""
    match term.type:
        case "Comparison":
            return True
        case "UnaryOperation":
            return term.parts["operator"] == "not"
        case "BooleanOperation":
            return all(map(is_boolean, term.terms("values")))
        case "IfExp":
            return is_boolean(term.term("body")) and is_boolean(term.term("orelse"))
        case "Name":
            return term.parts["id"] in ("True", "False")
        case "Call":
            called = term.term("func")
            is_method = called.type == "Attribute" and called.parts["attr"] in ("startswith", "endswith")
            return is_method or called.parts.get("id") in ("bool", "isinstance", "issubclass", "any", "all", "hasattr")
        case _:
            return False


def _call(term: Term) -> Polynomial | None:
    """What a call of a function that is known here gives; None for another."""
    function, args = dotted(term.term("func")) or "", term.terms("args")
    if term.terms("keywords") or any(arg.type == "Starred" for arg in args):
        return None
    if is_boolean(term) and term.term("func").type != "Attribute":
        return variable(_truth_text(term)) if function in ("bool", "isinstance", "issubclass", "any", "all") else None
    match function, args:
        case "float", (number,) if _is_arithmetic(number):
            return normal_form(number)  # the same number; of a name, which may be a text, that is not known
        case "int", (number,):
            form = normal_form(number)
            return form if is_whole(form) else None
        case (("min" | "max"), _) if (items := _spread(args)) is not None:
            sign = 1 if function == "min" else -1
            return scaled(least([scaled(normal_form(_number(item)), sign) for item in items]), sign)
        case "sum", (items, *start) if len(start) < 2 and (elements := elements_of(items)) is not None:
            found: Polynomial = {}
            for item in (*start, *elements):
                found = total(found, normal_form(_number(item)))
            return found
        case "abs", (number,):
            form = normal_form(number)
            if (value := polynomials.number_of(form)) is not None:
                return constant(abs(value))
            turned = scaled(form, -1)
            return variable(f"abs({min(polynomials.text(form), polynomials.text(turned))})")
        case "len", (items,) if items.type in ("Tuple", "List") and (elements := elements_of(items)) is not None:
            return constant(len(elements))
        case "len", (items,):
            return variable(f"len({_text(items)})")
        case "pow", (base, exponent):
            return _arithmetic("**", base, exponent)
        case "math.sqrt", (number,):
            return _arithmetic("**", number, literal(0.5))
        case "math.floor", (number,):
            return floor_of_quotient(normal_form(number), constant(1))
        case "math.ceil", (number,):
            return scaled(floor_of_quotient(scaled(normal_form(number), -1), constant(1)), -1)
        case _:
            return None


def _spread(args: tuple[Term, ...]) -> tuple[Term, ...] | None:
    return args if len(args) > 1 else elements_of(args[0]) if args else None


def _key(term: Term) -> str:
    """The text of an atom, with all that is inside it in normal form."""
    access = attribute_access(term)
    is_getattr = access is not None and term.term("func").parts.get("id") == "getattr" and len(term.terms("args")) == 2
    if access is not None and is_getattr and access.attribute is not None:
        return _key(access.attribute)
    match term.type:
        case "Comparison" | "UnaryOperation" if is_boolean(term):
            return _truth_text(term)
        case "Call" if (args := term.terms("args")) and len(args) == 2 and not term.terms("keywords"):
            # d.get(k) gives None where there is no k, as d.get(k, None) does
            if term.term("func").parts.get("attr") == "get" and args[1].parts.get("id") == "None":
                return _key(Term("Call", {**term.parts, "args": args[:1]}))
        case "ListComp" | "SetComp" | "DictComp" | "GeneratorExp":
            term = with_numbered_names(term)
        case _:
            pass
    if term.type == "Call" and term.term("func").parts.get("id") == "int":
        return f"int({','.join(map(_text, term.terms('args')))})"
    return f"{term.type}({','.join(f'{part}={_part(value)}' for part, value in term.parts.items())})"


def _part(part: Part) -> str:
    if isinstance(part, Term):
        return _text(part)
    if isinstance(part, tuple):
        return f"[{','.join(map(_part, part))}]"
    return repr(part)


def _text(term: Term) -> str:
    return polynomials.text(normal_form(term))


@lru_cache(maxsize=4_096)
def proposition(term: Term) -> Prop:
    """A condition as a proposition over atoms. Raises Undecidable when its cases are too many to be worked out."""
    if atom_count(term) > MOST_ATOMS:
        raise Undecidable(_TOO_MANY)
    match term.type:
        case "UnaryOperation" if term.parts["operator"] == "not":
            return negated(proposition(term.term("operand")))
        case "BooleanOperation":
            return joined(term.text("operator"), map(proposition, term.terms("values")))
        case "IfExp":
            test, body, orelse = (proposition(term.term(part)) for part in ("test", "body", "orelse"))
            return joined("or", [joined("and", [test, body]), joined("and", [negated(test), orelse])])
        case "Comparison":
            sides = [term.term("left"), *term.terms("comparators")]
            return joined("and", map(_compared, term.operators, sides, sides[1:]))
        case "Name" if term.parts["id"] in ("True", "False", "None"):
            return TRUE if term.parts["id"] == "True" else FALSE
        case "Literal":
            return TRUE if term.parts["value"] else FALSE
        case "Call" if (found := _proposition_of_call(term)) is not None:
            return found
        case _:
            return _truth_of(term)


def _proposition_of_call(call: Term) -> Prop | None:
    """`bool(x)`, `any((a, b))`, `isinstance(x, (A, B))`, `s.startswith(("a", "b"))`, over simpler atoms."""
    function, args = call.term("func"), call.terms("args")
    called = function.parts.get("id") if function.type == "Name" else function.parts.get("attr")
    if call.terms("keywords"):
        return None
    match called, args:
        case "bool", (value,) if function.type == "Name":
            return proposition(value)
        case (("any" | "all"), (items,)) if function.type == "Name" and (elements := elements_of(items)) is not None:
            return joined("or" if called == "any" else "and", map(proposition, elements))
        case (("isinstance" | "issubclass"), (value, classes)) if classes.type == "Tuple":
            if (elements := elements_of(classes)) is not None:
                return joined("or", [proposition(_with_args(call, (value, one))) for one in elements])
        case (("isinstance" | "issubclass"), (value, classes)) if classes.parts.get("operator") == "|":
            sides = (classes.term("left"), classes.term("right"))
            return joined("or", [proposition(_with_args(call, (value, one))) for one in sides])
        case (("startswith" | "endswith"), (affixes,)) if function.type == "Attribute" and affixes.type == "Tuple":
            if (elements := elements_of(affixes)) is not None:
                return joined("or", [proposition(_with_args(call, (one,))) for one in elements])
        case _:
            pass
    return None


def _with_args(call: Term, args: tuple[Term, ...]) -> Term:
    return Term("Call", {**call.parts, "args": args})


def _truth_of(term: Term) -> Prop:
    if term.type == "Call" and is_boolean(term):
        parts = ",".join(f"{part}={_part(value)}" for part, value in term.parts.items())
        return Prop("atom", (), Atom("true", quantity_of(variable(f"Call({parts})")), Fraction(0)))
    form = normal_form(term)
    number = polynomials.number_of(form)
    if number is not None:
        return TRUE if number else FALSE
    quantity, than, _ = _quantity(form)
    return Prop("atom", (), Atom("true", quantity, than))


def _compared(operator: str, left: Term, right: Term) -> Prop:
    for side, other, is_left in ((left, right, True), (right, left, False)):
        if side.type == "IfExp" and operator not in ("in", "not in"):
            test = proposition(side.term("test"))
            body, orelse = (
                _compared(operator, *((one, other) if is_left else (other, one)))
                for one in (side.term("body"), side.term("orelse"))
            )
            return joined("or", [joined("and", [test, body]), joined("and", [negated(test), orelse])])
    match operator:
        case "!=" | "not in" | "is not":
            return negated(_compared(_POSITIVE[operator], left, right))
        case "<" | "<=":
            return _ordered(operator, left, right)
        case "in" if (elements := elements_of(right)) is not None:
            return joined("or", [_compared("==", left, element) for element in elements])
        case "==":
            return _equal(left, right)
        case "is":
            sides = sorted((_item(left), _item(right)))
            return Prop("atom", (), Atom("is", sides[0], sides[1]))
        case _:
            return Prop("atom", (), Atom(operator, _item(left), _item(right)))


_POSITIVE = {"!=": "==", "not in": "in", "is not": "is"}


def _ordered(operator: str, left: Term, right: Term) -> Prop:
    """`left < right`; of a `min` or `max` on a side, the comparisons of its arguments."""
    for side, is_left in ((left, True), (right, False)):
        function = side.term("func").parts.get("id") if side.type == "Call" else None
        items = _spread(side.terms("args")) if function in ("min", "max") and not side.terms("keywords") else None
        if items is not None and not any(item.type == "Starred" for item in items):
            pairs = ((item, right) if is_left else (left, item) for item in items)
            kind = "and" if (function == "max") == is_left else "or"
            return joined(kind, [_ordered(operator, *pair) for pair in pairs])
    form = total(normal_form(_number(left)), normal_form(_number(right)), -1)
    if (number := polynomials.number_of(form)) is not None:
        return TRUE if number < 0 or (operator == "<=" and number == 0) else FALSE
    quantity, than, is_turned = _quantity(form)
    if operator == "<":
        return Prop("atom", (), Atom(">" if is_turned else "<", quantity, than))
    return negated(Prop("atom", (), Atom("<" if is_turned else ">", quantity, than)))


def _equal(left: Term, right: Term) -> Prop:
    form = total(normal_form(left), normal_form(right), -1)
    if (number := polynomials.number_of(form)) is not None:
        return FALSE if number else TRUE
    for one, other in ((left, right), (right, left)):
        if (sort := _sort_of_constant(one)) and not _sort_of_constant(other):
            return Prop("atom", (), Atom("constant", _item(other), _item(one), sort))
    quantity, than, _ = _quantity(form)
    return Prop("atom", (), Atom("==", quantity, than))


def _item(term: Term) -> Quantity:
    return quantity_of(normal_form(term))


def _quantity(form: Polynomial) -> tuple[Quantity, Fraction, bool]:
    """A polynomial, which is no number, as a quantity and the number it is compared with; whether its sign turns."""
    rest = {monomial: factor for monomial, factor in form.items() if monomial}
    lead = rest[min(rest)]
    return quantity_of(scaled(rest, 1 / lead)), -form.get((), Fraction(0)) / lead, lead < 0


def _sort_of_constant(term: Term) -> str | None:
    """What sort of constant, no number, a term is: two of one sort are two things. None: something else."""
    if term.type == "Literal" and isinstance(term.parts["value"], str | bytes):
        return "text"
    owner, _, last = (dotted(term) or "").rpartition(".")
    return f"{owner}." if owner and last.isupper() and owner.rpartition(".")[2][:1].isupper() else None


def _truth_text(term: Term) -> str:
    return f"bool({text_of(proposition(term))})"
