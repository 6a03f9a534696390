"""The reference of the documentation, made from the code: `python -m auditor.cli.reference docs/reference`."""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor import files, model
from auditor.checks import checks
from auditor.claims import groups
from auditor.claims.entries import CITATION, CLAIM
from auditor.claims.reading import HEAD
from auditor.cli import main
from auditor.formats import formats
from auditor.sources import sources

if TYPE_CHECKING:
    from auditor.registry import Plugin

_MADE = "<!-- Made from the code by `python -m auditor.cli.reference docs/reference`; a test compares it. -->\n"

_HEAD = {
    "id": "The name of the pack.",
    "title": "What it is called: text, or `{en: ..., zh: ...}`.",
    "targets": "The code bases that it makes claims about, by name; the claims about `x` are in `x.yaml`.",
    "languages": "`[en, zh]`: then every text of the pack must be in both. Without it, one language is enough.",
    "sections": "What the page calls the claims `TARGET/KEY/...`.",
}
_CLAIM = {
    "id": "`target/section/slug`; never used again for another claim.",
    "statement": "The sentence, in your own words.",
    "cites": "Where the article points: `a/b.py:10-20,30`, a path, or `{lines: ..., at: ..., code: ...}`.",
    "at": "The place of the checks that state none: `path::Symbol`.",
    "check": "The rule that decides it, with the rule's own keys beside it.",
    "all": "Several checks in place of one: every one must hold.",
    "caveats": "Checks that, when they hold, turn `pass` into `review`, each with what it `says`.",
    "elsewhere": "The same statement about other code: it also holds where one of these forms does.",
    "accepted": "That it comes out so is known, and why: text, or `{kind: ..., en: ..., zh: ...}`.",
    "from": "The release from which it speaks; of earlier ones it is `notApplicable`.",
    "to": "The release to which it speaks.",
}
_CITATION = {"lines": "`path:lines`.", "at": "What the lines hold.", "code": "A pattern in that."}
_GROUP = {
    "title": "What the page calls the section of its claims.",
    "languages": "As in `pack.yaml`.",
    "at": "The place of its claims.",
    "where": "Names for code, of all its checks that take them.",
    "elsewhere": "`{at: ..., where: ...}` of the `elsewhere` forms of its claims.",
    "claims": "Its claims, and groups.",
}


def pages() -> dict[str, str]:
    """The pages by the names of their files."""
    return {
        "rules.md": _plugins("Rules", "What can decide a claim. `kvaudit explain RULE` prints the same.", checks()),
        "sources.md": _plugins("Sources", "Where code is read from.", sources()),
        "formats.md": _plugins("Formats", "What a report is written as: `-f FORMAT`.", formats()),
        "packs.md": _packs(),
        "commands.md": "".join([_MADE, "# Commands and options\n", *_commands(main)]),
    }


def _plugins(title: str, lead: str, found: "Mapping[str, type[Plugin]]") -> str:
    parts = [f"\n## {name}\n\n{_markdown(one.help())}\n" for name, one in found.items()]
    return "".join([_MADE, f"# {title}\n\n{lead}\n", *parts])


def _markdown(help_: str) -> str:
    """A docstring as Markdown: an indented example is a block of YAML."""
    lines: list[str] = []
    is_code = False
    for line in help_.split("\n"):
        if line.startswith("    ") and not is_code:
            lines.append("```yaml")
            is_code = True
        elif is_code and line and not line.startswith("    "):
            lines.append("```")
            is_code = False
        lines.append(line.removeprefix("    ") if is_code else line)
    return "\n".join([*lines, "```"] if is_code else lines)


def _packs() -> str:
    fields = _fields(model.Target)
    target = {name.replace("_", "-"): text for name, text in fields.items() if name != "name"}
    group = {**groups.GROUP, "elsewhere": None, "claims": None}
    claim = {**CLAIM, "cites": None, "check": None, "all": None, "caveats": None, "elsewhere": None}
    parts = [
        ("`pack.yaml`", HEAD, _HEAD),
        ("A target", target, target),
        ("A file of claims, and a group in it", group, _GROUP),
        ("A claim", claim, _CLAIM),
        (
            "A citation",
            CITATION,
            {"lines": "`path:lines`.", "at": "What the lines hold.", "code": "A pattern in that."},
        ),
    ]
    tables = [f"\n## {title}\n\n{_table(keys, texts)}" for title, keys, texts in parts]
    return "".join(
        [_MADE, "# Pack files\n\n`kvaudit claim schema` prints the JSON Schema of a file of claims.\n", *tables]
    )


def _table(keys: Iterable[str], texts: dict[str, str]) -> str:
    rows = [f"| `{key}` | {texts[key]} |\n" for key in keys]
    return "".join(["| key | meaning |\n| --- | --- |\n", *rows])


def _fields(cls: type) -> dict[str, str]:
    """The fields of a dataclass with the text below each, on one line."""
    (node,) = ast.parse(inspect.getsource(cls)).body
    assert isinstance(node, ast.ClassDef)
    found: dict[str, str] = {}
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = _BARE.get(name, "")
            case ast.Expr(value=ast.Constant(value=str() as text)) if found:
                found[list(found)[-1]] = " ".join(text.split())
            case _:
                pass
    return found


_BARE = {"commit": "The commit that the article is pinned to.", "date": "Its day, YYYY-MM-DD."}


def _commands(group: click.Group, *above: str) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, *above, name)
        elif command is not None and not command.hidden:
            words = " ".join(["kvaudit", *above, name])
            yield f"\n## {words}\n\n`{' '.join([words, '[OPTIONS]', *_arguments(command)])}`\n\n{_help(command)}\n"
            options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
            if options:
                rows = [f"| `{_option(one)}` | {' '.join((one.help or '').split())} |\n" for one in options]
                yield "".join(["\n| option | meaning |\n| --- | --- |\n", *rows])


def _arguments(command: click.Command) -> Iterator[str]:
    context = click.Context(command)
    yield from (one.make_metavar(context) for one in command.params if isinstance(one, click.Argument))


def _help(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "").replace("\b", "")


def _option(option: click.Option) -> str:
    names = ", ".join(option.opts)
    takes = "" if option.is_flag else " " + option.make_metavar(click.Context(click.Command("x")))
    return (names + takes).replace("|", "\\|")


def write(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        files.replace(folder / name, text.encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
