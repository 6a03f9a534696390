"""One module is one plug-in, and looking finds it."""

import importlib
import inspect
import sys
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from auditor.checks import Check, checks
from auditor.formats import Format, formats
from auditor.registry import Plugin, discover
from auditor.sources import Source, sources
from tests.support.packs import write

KINDS: dict[type[Plugin], Mapping[str, type[Plugin]]] = {Check: checks(), Format: formats(), Source: sources()}
PLUGINS = [
    pytest.param(base, name, plugin, id=f"{base.__name__.lower()}-{name}")
    for base, found in KINDS.items()
    for name, plugin in found.items()
]


@pytest.mark.parametrize(("base", "name", "plugin"), PLUGINS)
def test_a_plugin_is_named_like_its_file_and_class(base: type[Plugin], name: str, plugin: type[Plugin]) -> None:
    assert issubclass(plugin, base)
    assert plugin.id == name == Path(inspect.getfile(plugin)).stem.replace("_", "-")
    assert plugin.__name__.lower() == name.replace("-", "")


@pytest.mark.parametrize(("base", "name", "plugin"), PLUGINS)
def test_a_plugin_says_in_its_first_line_what_it_is(
    base: type[Plugin],
    name: str,  # noqa: ARG001
    plugin: type[Plugin],
) -> None:
    assert plugin.__doc__ not in (None, base.__doc__)
    assert plugin.summary() == plugin.help().splitlines()[0] != ""
    assert len(plugin.summary()) <= 120


@pytest.mark.parametrize("base", KINDS, ids=lambda base: base.__name__.lower())
def test_every_module_is_found_and_they_are_sorted(base: type[Plugin]) -> None:
    folder = Path(inspect.getfile(base)).parent
    modules = [path.stem.replace("_", "-") for path in folder.glob("*.py") if path.stem != "__init__"]
    assert list(KINDS[base]) == sorted(modules)


class Toy(Plugin, ABC):
    """A kind of plug-in."""

    @abstractmethod
    def play(self) -> str: ...


IMPORT = "from tests.test_registry import Toy\n"
BALL = IMPORT + "class Ball(Toy):\n    'A ball.\\n\\n    It rolls.'\n    def play(self): return 'roll'\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    yield write(tmp_path, {"toys/__init__.py": ""}) / "toys"
    for name in [name for name in sys.modules if name.partition(".")[0] == "toys"]:
        del sys.modules[name]
    discover.cache_clear()
    importlib.invalidate_caches()


def test_a_module_added_is_a_plugin_added(package: Path) -> None:
    write(package, {"red_ball.py": BALL, "a.py": BALL, "inner/__init__.py": BALL})
    found = discover("toys", Toy)
    assert list(found) == ["a", "red-ball"]
    assert (found["red-ball"].id, found["red-ball"].summary()) == ("red-ball", "A ball.")
    assert found["red-ball"].help() == "A ball.\n\nIt rolls."
    assert found["red-ball"]().play() == "roll"


@pytest.mark.parametrize(
    ("module", "count"),
    [
        (IMPORT, 0),
        ("", 0),
        ("from toys.ball import Ball\n", 0),
        (BALL + "class Cube(Ball): ...\n", 2),
        (IMPORT + "class Ball(Toy): ...\n", 1),
    ],
)
def test_a_module_with_none_or_several_is_a_bug(module: str, count: int, package: Path) -> None:
    write(package, {"ball.py": BALL, "cube.py": textwrap.dedent(module)})
    with pytest.raises(TypeError, match=rf"toys\.cube must hold exactly one Toy, not {count}"):
        discover("toys", Toy)
