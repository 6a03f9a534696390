"""Where interpreted code looks its names up."""

from dataclasses import dataclass, field

from auditor.code.interpretation.values import ClassValue, FunctionValue, Item, ModuleValue, Value


@dataclass(slots=True, eq=False, repr=False)
class Frame:
    """The names of one function call, class body or module."""

    module: ModuleValue
    names: dict[str, Value] = field(default_factory=dict)
    outer: "Frame | None" = None
    """The frame of the function around; a class body is not seen from its methods."""
    cls: ClassValue | None = None
    """The class whose body this is, or whose method."""
    receiver: Value = None
    function: FunctionValue | None = None
    globals: set[str] = field(default_factory=set)
    outers: set[str] = field(default_factory=set)
    """The names declared `nonlocal`."""
    is_body: bool = False
    """Whether it is the body of a class or a module, and not a call."""
    depth: int = 0
    """The length of the path condition where it began."""
    returned: list[Item] = field(default_factory=list)
    yielded: list[Item] | None = None
    """What a generator yields; None for another function."""
