"""The documents say what the program does."""

import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from auditor.claims import load
from auditor.cli import EXIT_CODES, main
from auditor.errors import ConfigError
from auditor.limits import limits
from tests.support.folders import ROOT
from tests.support.packs import HEAD, write

README = (ROOT / "README.md").read_text(encoding="utf-8")
SKIPPED = {"__pycache__", "dist", "build"}
TEXT = {".cfg", ".css", ".html", ".j2", ".js", ".json", ".md", ".py", ".sh", ".toml", ".txt", ".yaml", ".yml", ""}

# In two parts, so that this file is not one of those that it looks for.
MACHINE = re.compile("|".join(f"/{name}/" for name in ("tmp", "work", "root", "home", "opt")))
REGISTRY = re.compile("|".join(rf"\b{first}\.{last}\b" for first, last in (("pypi", "org"), ("pythonhosted", "org"))))


def commands(group: click.Group, *above: str) -> Iterator[tuple[str, click.Command]]:
    """Every command by its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        yield " ".join([*above, name]), command
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)


assert isinstance(main, click.Group)
COMMANDS = dict(commands(main))


def options(command: click.Command) -> list[str]:
    return [name for param in command.params for name in param.opts if name.startswith("-")]


def texts() -> Iterator[Path]:
    """The text files that are ours."""
    for path in sorted(ROOT.rglob("*")):
        names = path.relative_to(ROOT).parts
        is_ours = not any(name in SKIPPED or name.startswith(".") or name.endswith(".egg-info") for name in names)
        if is_ours and path.is_file() and path.suffix in TEXT:
            yield path


@pytest.mark.parametrize("name", [name for name in COMMANDS if " " not in name])
def test_the_readme_tells_of_every_command(name: str) -> None:
    assert re.search(rf"\bkvaudit {name}\b|`{name}\b", README)


@pytest.mark.parametrize("name", [name for name in COMMANDS if " " in name])
def test_the_readme_tells_of_every_command_of_a_group(name: str) -> None:
    group, _, own = name.partition(" ")
    assert re.search(rf"\b{group} (\w+\|)*{own}\b", README)


@pytest.mark.parametrize("name", options(COMMANDS["verify"]))
def test_the_readme_tells_of_every_option(name: str) -> None:
    assert re.search(rf"`{name}[` ]", README)


def test_the_readme_tells_of_no_option_that_there_is_not() -> None:
    known = {name for command in COMMANDS.values() for name in options(command)} | {"--help", "--version"}
    told = re.findall(r"kvaudit[^`\n]*?(--[a-z-]+)|`(--[a-z-]+)", README)
    assert sorted({first or second for first, second in told} - known) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_says_what_it_is_for(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    assert [param.name for param in command.params if isinstance(param, click.Option) and not param.help] == []


def test_the_exit_statuses_are_those_of_the_help() -> None:
    told = re.findall(r"^\| (\d+) \| ", README, re.MULTILINE)
    assert told == re.findall(r"^  (\d+) ", EXIT_CODES, re.MULTILINE) == ["0", "1", "2", "3", "130"]


def test_the_claim_in_the_readme_is_one(tmp_path: Path) -> None:
    (claim,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    pack = load(write(tmp_path, {"pack.yaml": HEAD, "engine.yaml": f"claims:\n{claim}"}))
    assert len(pack.entries["engine"]) == 1


def test_the_changelog_has_a_place_for_the_next_change() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"


DOCS = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
LINKING = ["README.md", "README.zh.md", "CONTRIBUTING.md", "CHANGELOG.md", *DOCS]


@pytest.mark.parametrize("name", LINKING)
def test_a_link_leads_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", (ROOT / name).read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not ((ROOT / name).parent / link).exists()] == []


@pytest.mark.parametrize("pattern", [MACHINE, REGISTRY], ids=["machine", "registry"])
def test_no_place_of_one_machine_or_network_is_named(pattern: re.Pattern[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in texts()
        if not path.name.endswith(".catalogue.json")  # defaults of upstream's own, which are paths at times
        and (match := pattern.search(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_the_command_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"kvaudit": "auditor.__main__:main"}


ANALYSES = (ROOT / "docs" / "analyses.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z]\w*(?:\.\w+){2,})`", ANALYSES))))
def test_every_analysis_that_the_map_names_is_there(name: str) -> None:
    room, module, *inner = name.split(".")
    found: object = importlib.import_module(f"auditor.code.{room}.{module}")
    for part in inner:
        found = getattr(found, part)
    assert found is not None


def test_the_map_names_every_room() -> None:
    rooms = {path.parent.name for path in (ROOT / "auditor" / "code").glob("*/__init__.py")}
    assert rooms == set(re.findall(r"`(\w+)\.\w+\.\w+[\w.]*`", ANALYSES))


def test_the_limits_in_the_documents_are_those_of_the_code() -> None:
    rows = [f"| `{one.variable}` | {one.default:,} {one.unit} | {one.what} |" for one in limits()]
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert rows == re.findall(r"^\| `KVAUDIT_LIMIT_.*$", text, re.MULTILINE)


@pytest.mark.parametrize("value", ["", "0", "-1", "1.5", "1e3", "ten", "9" * 30, "\u0661"])
def test_a_limit_that_is_no_number_is_one_line(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in limits():
        monkeypatch.setenv(one.variable, "7")
        assert one.value == 7
        monkeypatch.setenv(one.variable, value)
        with pytest.raises(ConfigError, match=f"^{one.variable}=.*it must be a whole number above 0"):
            _ = one.value
