"""The revisions that a text states of the repositories that it is about."""

import pytest

from auditor.article.audit import read_text
from auditor.article.pins import pinned_repositories, pins
from auditor.model import Target

SLIME = Target("slime", "https://github.com/some/slime", packages=("",))


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("Of [some/slime](https://github.com/some/slime) @ commit `f71f7103`.", "f71f7103"),
        ("About slime (0123abc4567, main).", "0123abc4567"),
        ("slime v0.3.1 is read.", "0.3.1"),
        ("slime is read. The commit 0123abc4567 is another's.", None),
        ("---\nproject: slime\ncommit: 0123abc4567\n---\ntext", "0123abc4567"),
    ],
)
def test_what_a_text_states_of_a_target(text: str, ref: str | None) -> None:
    read = read_text("a.md", text.encode())
    pin = pins(read.document, read.found, [SLIME]).get("slime")
    assert (pin.ref if pin else None) == ref


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("[some/slime](https://github.com/some/slime) @ commit `f71f7103`", ["https://github.com/some/slime"]),
        ("[some/slime](https://github.com/some/slime) is good", []),
        ("[a page](https://github.com/some/slime/wiki) @ f71f7103", []),
    ],
)
def test_repositories_that_are_linked_with_a_commit(text: str, urls: list[str]) -> None:
    document = read_text("a.md", text.encode()).document
    assert list(pinned_repositories(document, []).values()) == urls
    assert pinned_repositories(document, [SLIME]) == {}
