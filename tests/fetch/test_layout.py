"""Where packages lie, in wheels and in repositories."""

import pytest

from auditor.fetch.layout import prefix_of, repository_paths, top_level
from auditor.model import Target


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(
            ["yaml/__init__.py", "_yaml/__init__.py", "PyYAML-6.dist-info/RECORD"], ("_yaml", "yaml"), id="two"
        ),
        pytest.param(["six.py", "six-1.dist-info/METADATA"], ("six.py",), id="module"),
        pytest.param(["zope/interface/__init__.py", "zope/interface/a/b.py"], ("zope/interface",), id="namespace"),
        pytest.param(["google/protobuf/__init__.py", "google/_upb/x.so"], ("google/protobuf",), id="beside-a-binary"),
        pytest.param(["ns/one/__init__.py", "ns/two/__init__.py"], ("ns/one", "ns/two"), id="two-in-a-namespace"),
        pytest.param(["plain/a.py", "plain/sub/b.py"], ("plain",), id="folder-of-modules"),
        pytest.param(["p-1.data/scripts/x.py"], (), id="no-code"),
    ],
)
def test_what_a_wheel_holds_at_its_top(names: list[str], expected: tuple[str, ...]) -> None:
    assert top_level(names) == expected


MOVED = Target("requests", project="requests", prefix="src/")


@pytest.mark.parametrize(
    ("target", "names", "expected"),
    [
        pytest.param(MOVED, ["requests/api.py", "setup.py"], {"src/requests/api.py": "requests/api.py"}, id="before"),
        pytest.param(MOVED, ["src/requests/api.py"], {"src/requests/api.py": "src/requests/api.py"}, id="after"),
        pytest.param(MOVED, ["pip/_vendor/requests/api.py"], {}, id="vendored"),
        pytest.param(
            Target("six", packages=("six.py",)), ["six.py", "six/x.py", "setup.py"], {"six.py": "six.py"}, id="module"
        ),
        pytest.param(
            Target("setuptools", packages=("setuptools", "pkg_resources")),
            ["setuptools/a.py", "pkg_resources/b.py", "tests/c.py"],
            {"setuptools/a.py": "setuptools/a.py", "pkg_resources/b.py": "pkg_resources/b.py"},
            id="two",
        ),
        pytest.param(
            Target("zope", packages=("zope/interface",), prefix="src/"),
            ["zope/interface/x.py", "zope/event/y.py"],
            {"src/zope/interface/x.py": "zope/interface/x.py"},
            id="namespace",
        ),
    ],
)
def test_a_package_is_read_under_its_repository_paths(
    target: Target, names: list[str], expected: dict[str, str]
) -> None:
    assert repository_paths(target, names) == expected
    assert (prefix_of(target, names) is None) is (not expected)
