"""The actions of argparse, and those that a code base derives from them: which spellings and default an option gets."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from auditor.code.interpretation.machine import Arguments, Machine
from auditor.code.interpretation.values import ClassValue, FunctionValue, Instance, Items, Unknown, Value
from auditor.code.syntax.normal_forms import name
from auditor.code.syntax.term import Term

if TYPE_CHECKING:
    from auditor.code.interpretation.values import Frame

SWITCHES: Mapping[str, object] = {
    "store_true": False, "store_false": True, "version": "==SUPPRESS==", "help": "==SUPPRESS==",
}  # fmt: skip
OPTIONAL = "BooleanOptionalAction"


def negated(flags: Iterable[str]) -> list[str]:
    """The spellings by which an optional flag is turned off."""
    return [f"--no-{one[2:]}" for one in flags if one.startswith("--")]


def initialised(machine: Machine, arguments: Arguments, term: Term, frame: "Frame") -> Value:
    """The constructor of argparse's own actions, as one of the code base calls it by `super()`."""
    receiver = frame.receiver
    if isinstance(receiver, Instance):
        spellings = arguments.get(0, "option_strings")
        outside = receiver.cls.outside if isinstance(receiver.cls, ClassValue) else ()
        is_optional = any(base.last == OPTIONAL for base in outside)
        if isinstance(spellings, Items) and is_optional:
            known = [str(one) for one in spellings.values if isinstance(one, str)]
            spellings = Items.of("list", [*known, *negated(known)], len(machine.path))
        place = 2 if is_optional else 4
        receiver.names |= {
            "option_strings": spellings,
            "dest": arguments.get(1, "dest"),
            "default": arguments.get(place, "default"),
        }
        return None
    return Unknown(term)


def acted(
    machine: Machine, action: Value, flags: list[str], attribute: str, keywords: Mapping[str, Value]
) -> Mapping[str, Value]:
    """The attributes of an action of the code base, as its constructor sets them."""
    if not isinstance(action, ClassValue):
        return {}
    made = Instance(action, depth=len(machine.path))
    init = machine.attribute(made, "__init__", name("__init__"))
    if not isinstance(init, FunctionValue):
        return {}
    spellings = Items.of("list", flags, len(machine.path))
    own = {key: value for key, value in keywords.items() if key not in ("action", "dest")}
    machine.call(init, Arguments([spellings, attribute], own), name("__init__"), init.frame)
    return made.names
