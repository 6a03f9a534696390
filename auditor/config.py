"""Settings: `[tool.kvaudit]` in pyproject.toml, or kvaudit.toml. Default < file < environment < command line.

A table holds one key for each long option of `kvaudit verify`, which is given to click as the default of that option,
and `pack`: the pack that is meant where a command names none, as a path from the file's folder.
"""

import tomllib
from os.path import relpath
from pathlib import Path
from typing import Any

import click

from auditor.errors import ConfigError


class Configured(click.Command):
    """A command whose options have the defaults that the settings file gives them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not set(args) & set(ctx.help_option_names):  # help is for those whose settings are wrong, too
            ctx.default_map = settings(Path.cwd(), self)
        return super().parse_args(ctx, args)


def settings(start: Path, command: click.Command) -> dict[str, Any]:
    """The defaults for a command from the nearest settings file at or above `start`. Raises ConfigError."""
    for folder in (start, *start.parents):
        for name, keys in _FILES:
            path = folder / name
            if path.is_file() and (table := _table(path, keys)) is not None:
                return _checked(table, path, command)
    return {}


def pack_setting(start: Path) -> Path | None:
    """The pack that the nearest settings file names, as a path from `start`. Raises ConfigError."""
    for folder in (start, *start.parents):
        for name, keys in _FILES:
            path = folder / name
            if path.is_file() and (table := _table(path, keys)) is not None:
                named = table.get("pack") if isinstance(table, dict) else None
                if named is not None and not isinstance(named, str):
                    raise ConfigError(f"{path.name}: pack must be text")
                return None if named is None else Path(relpath(folder / named, start))
    return None


_FILES: tuple[tuple[str, tuple[str, ...]], ...] = (("kvaudit.toml", ()), ("pyproject.toml", ("tool", "kvaudit")))


def _table(path: Path, keys: tuple[str, ...]) -> Any:
    try:
        table: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigError(f"{path.name}: {error}") from None
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _checked(table: Any, path: Path, command: click.Command) -> dict[str, Any]:
    options = {param.name: param for param in command.params if isinstance(param, click.Option) and param.name}
    if not isinstance(table, dict):
        raise ConfigError(f"{path.name}: the settings must be a table")
    defaults: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name == "pack":
            if not isinstance(value, str):
                raise ConfigError(f"{path.name}: pack must be text")
            continue
        if name not in options:
            known = ", ".join(sorted(("pack", *(option.replace("_", "-") for option in options))))
            raise ConfigError(f"{path.name}: unknown setting {key}; known are {known}")
        values = value if options[name].multiple and isinstance(value, list) else [value]
        type_, what = _type(options[name])
        if not all(type(one) is type_ for one in values):
            raise ConfigError(f"{path.name}: {key} must be {what}")
        defaults[name] = values if options[name].multiple else value
    return defaults


def _type(option: click.Option) -> tuple[type, str]:
    """What TOML must give an option, and how to say so."""
    if option.multiple:
        return str, "text, or a list of texts"
    if option.is_flag:
        return bool, "true or false"
    return (int, "a whole number") if isinstance(option.type, click.types.IntParamType) else (str, "text")
