"""Settings: `[tool.kvaudit]` in pyproject.toml, or kvaudit.toml. Default < file < environment < command line.

A table holds one key for each long option of `kvaudit verify`, which is given to click as the default of that option,
and `pack`: the pack that is meant where a command names none, as a path from the file's folder.
Settings are those of the project that runs the audit: a file in a tree that is audited is passed over.
"""

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from auditor import files
from auditor.errors import ConfigError

_OFF = "no_config"
_META = "kvaudit.settings"
"""Where a context has the settings file that its command uses, if it uses one."""
_PLACES = ("path", "repo", "installed", "against", "old", "new", "from")
"""Options that can name a folder that is audited."""
_HARMLESS = ("color", "format", "show", "verbose", "jobs")
"""Settings that change neither the exit status nor what is read or written."""
_LONGEST = 4_096  # characters of one value


class Configured(click.Command):
    """A command whose options have the defaults that the settings file gives them; `say` tells the person of it."""

    def __init__(self, *args: Any, say: Callable[[str], None], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._say = say
        self.params.append(
            click.Option(["--no-config"], is_flag=True, expose_value=False, help="Read no settings file.")
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        file = None
        if not set(args) & set(ctx.help_option_names):  # help is for those whose settings are wrong, too
            given = _explicit_values(self, ctx, args)
            if not given.get(_OFF):
                file, ctx.default_map = settings(Path.cwd(), self, _trees(given))
            ctx.meta[_META] = file
        rest = super().parse_args(ctx, args)
        if file is not None and (used := _used(ctx, ParameterSource.DEFAULT_MAP)):
            self._say(f"kvaudit: settings of {file}: {', '.join(used)}; --no-config leaves them out")
        if used := _used(ctx, ParameterSource.ENVIRONMENT):
            self._say(f"kvaudit: settings of the environment, KVAUDIT_VERIFY_...: {', '.join(used)}")
        return rest


def _explicit_values(command: click.Command, ctx: click.Context, args: list[str]) -> Mapping[str, Any]:
    """What the command line and the environment say, before there are settings."""
    values, _, _ = command.make_parser(ctx).parse_args(list(args))
    names = {param.name: param for param in command.params if param.name and param.name not in values}
    found = {name: param.value_from_envvar(ctx) for name, param in names.items()}
    return {**values, **{name: value for name, value in found.items() if value is not None}}


def _trees(given: Mapping[str, Any]) -> tuple[Path, ...]:
    """The folders that are audited."""
    values = [value for name in _PLACES for value in _several(given.get(name))]
    words = {part for value in values for part in (value, value.partition("=")[2], value.rpartition(":")[2]) if part}
    return tuple(Path(os.path.realpath(Path(word).expanduser())) for word in sorted(words) if _is_folder(word))


def _several(value: Any) -> Iterable[str]:
    return [value] if isinstance(value, str) else [one for one in value or () if isinstance(one, str)]


def _is_folder(word: str) -> bool:
    try:
        return Path(word).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def settings(start: Path, command: click.Command, trees: tuple[Path, ...] = ()) -> tuple[Path | None, dict[str, Any]]:
    """The nearest settings file at or above `start` in none of `trees`, and the defaults that it gives a command.

    Raises ConfigError.
    """
    for path, table in _tables(start, trees):
        found = _checked(table, path, command)
        if not _is_in(path, _trees(found)):
            return path, found
    return None, {}


def _tables(start: Path, trees: tuple[Path, ...]) -> Iterator[tuple[Path, Any]]:
    """The settings files at or above a folder that are in none of `trees`, the nearest first."""
    for folder in (start, *start.parents):
        for name, keys in _FILES:
            path = folder / name
            if path.is_file() and not _is_in(path, trees) and (table := _table(path, keys)) is not None:
                yield path, table


def _is_in(path: Path, trees: tuple[Path, ...]) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(tree) or path.is_relative_to(tree) for tree in trees)


def _used(ctx: click.Context, source: ParameterSource) -> list[str]:
    """What comes from such settings and changes the exit status, or what is read or written."""
    if ctx.params.get("quiet") and ctx.get_parameter_source("quiet") is ParameterSource.COMMANDLINE:
        return []
    return [
        name.replace("_", "-")
        for name in sorted(ctx.params)
        if name not in _HARMLESS and ctx.get_parameter_source(name) is source
    ]


def pack_setting(start: Path) -> Path | None:
    """The pack that the settings name, as a path from `start`. Raises ConfigError."""
    context = click.get_current_context(silent=True)
    if context is not None and _META in context.meta:
        files = [context.meta[_META]]
    else:
        trees = _trees(context.params) if context is not None else ()
        files = [path for path, _ in _tables(start, trees)][:1]
    for path in filter(None, files):
        table = _table(path, dict(_FILES)[path.name])
        named = table.get("pack") if isinstance(table, dict) else None
        if named is not None and not isinstance(named, str):
            raise ConfigError(f"{path.name}: pack must be text")
        return None if named is None else Path(os.path.relpath(path.parent / named, start))
    return None


_FILES: tuple[tuple[str, tuple[str, ...]], ...] = (("kvaudit.toml", ()), ("pyproject.toml", ("tool", "kvaudit")))


def _table(path: Path, keys: tuple[str, ...]) -> Any:
    try:
        table: Any = tomllib.loads(files.read(path).decode())
    except RecursionError:
        raise ConfigError(f"{path.name}: it is nested too deeply") from None
    except OSError as error:
        raise ConfigError(f"{path.name} cannot be read: {error.strerror}") from None
    except ValueError as error:  # no TOML, or no UTF-8
        raise ConfigError(f"{path.name}: {error}") from None
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _checked(table: Any, path: Path, command: click.Command) -> dict[str, Any]:
    options = {param.name: param for param in command.params if isinstance(param, click.Option) and param.name}
    del options[_OFF]
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
        if any(isinstance(one, str) and not (one.isprintable() and len(one) <= _LONGEST) for one in values):
            raise ConfigError(f"{path.name}: {key} must be text on one line, of at most {_LONGEST:,} characters")
        defaults[name] = values if options[name].multiple else value
    return defaults


def _type(option: click.Option) -> tuple[type, str]:
    """What TOML must give an option, and how to say so."""
    if option.multiple:
        return str, "text, or a list of texts"
    if option.is_flag:
        return bool, "true or false"
    return (int, "a whole number") if isinstance(option.type, click.types.IntParamType) else (str, "text")
