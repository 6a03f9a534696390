"""Plug-ins: one module holds one class, and looking finds it."""

import importlib
import inspect
import pkgutil
from functools import cache
from typing import ClassVar, TypeVar


class Plugin:
    """A check, a source or a format."""

    id: ClassVar[str]
    """The module's name, with dashes for underscores; set by `discover`."""

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return cls.help().partition("\n")[0]

    @classmethod
    def help(cls) -> str:
        """The whole docstring: Markdown for the user."""
        return inspect.cleandoc(cls.__doc__ or "")


P = TypeVar("P", bound=Plugin)


@cache
def discover(package: str, base: type[P]) -> dict[str, type[P]]:
    """The plug-ins of `package` by id: of each module, the one concrete subclass of `base` defined in it.

    Raises TypeError when a module holds none or several: that is a bug, not a user's error.
    """
    found: dict[str, type[P]] = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if module.ispkg:
            continue
        name = f"{package}.{module.name}"
        classes = [
            value
            for value in vars(importlib.import_module(name)).values()
            if isinstance(value, type) and issubclass(value, base) and value.__module__ == name
        ]
        if len(classes) != 1 or inspect.isabstract(classes[0]):
            raise TypeError(f"{name} must hold exactly one {base.__name__}, not {len(classes)}")
        classes[0].id = module.name.replace("_", "-")
        found[classes[0].id] = classes[0]
    return dict(sorted(found.items()))
