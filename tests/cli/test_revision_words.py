"""`pinned`, `near-pin`, `latest`, a tag and a commit are the same revision in every command that takes one."""

import json
import re
from collections.abc import Iterator

import click
import pytest

from auditor.cli import main
from tests.support.command_line import CommandLine, kvaudit
from tests.support.git_repositories import ALONE, Repository
from tests.support.registry_server import Registry, serving, wheel

__all__ = ["kvaudit"]

HEAD = """\
id: demo
title: Demo
targets:
  engine: {repository: "URL", commit: COMMIT, project: engine-kv, near-pin: "1.1", packages: [engine]}
"""
UNPINNED = HEAD.replace("commit: COMMIT, ", "")
CLAIM = """\
claims:
- id: engine/size/size
  statement: It is 99.
  cites: ["engine/pool.py:2"]
  at: engine/pool.py::Pool.size
  check: default-value
  equals: 99
"""
COMMITS = {"v0": 7009, "v1.0": 7010, "v1.1": 7011, "": 7012, "main": 7013}
RELEASES = {"1.0": 7020, "1.1": 7021, "1.2": 7022}
PINNED = 7012


def code(size: int) -> dict[str, bytes]:
    return {"engine/__init__.py": b"", "engine/pool.py": f"class Pool:\n    size = {size}\n".encode()}


@pytest.fixture
def origin(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    """A project whose every commit and release has another size, which is what tells them apart."""
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    made = Repository(kvaudit.folder / "origin")
    commits = {}
    for name, size in COMMITS.items():
        commits[size] = made.commit(code(size))
        if name.startswith("v"):
            made.git("tag", name)
    with serving() as registry:
        _publish(registry, monkeypatch)
        head = HEAD.replace("URL", str(made.folder)).replace("COMMIT", commits[PINNED])
        kvaudit.pack(CLAIM, head)
        yield made


def _publish(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in registry.environment.items():
        monkeypatch.setenv(name, value)
    for version, size in RELEASES.items():
        registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(code(size)))


OF_GIT = {"pinned": 7012, "near-pin": 7011, "v1.0": 7010}
OF_RELEASES = {"near-pin": 7021, "latest": 7022}
OF_WORDS = {**OF_GIT, **OF_RELEASES, "HEAD": 7013, "1.0": 7020, "git:near-pin": 7011}
OWN = {word: OF_GIT[word] for word in ("pinned", "near-pin")}
"""What the pack alone says; a tag is git's own affair."""
CLAIM_ID = "engine/size/size"
COMMANDS: dict[str, tuple[str, dict[str, int]]] = {
    "verify --commit": ("verify demo -f json --commit W", OF_GIT),
    "verify --release": ("verify demo -f json --release W", OF_RELEASES),
    "verify --against": ("verify demo -f html --path engine=src --against W", OF_WORDS),
    "query --commit": ("query size=$N --pack demo --commit W", OWN),
    "query --release": ("query size=$N --pack demo --release W", OF_RELEASES),
    "claim new --commit": ("claim new engine engine/pool.py --pack demo --commit W", OWN),
    "claim test --commit": (f"claim test {CLAIM_ID} --pack demo --commit W --most 0", OWN),
    "history --releases": (f"history {CLAIM_ID} --pack demo -f json --releases W", OF_RELEASES),
    "timeline --commits": ("timeline demo -f json --commits W", OWN),
    "timeline --releases": ("timeline demo -f json --releases W", OF_RELEASES),
}
CASES = [(line.replace(" W", f" {word}"), size) for line, words in COMMANDS.values() for word, size in words.items()]


@pytest.mark.usefixtures("origin")
def test_a_word_means_the_same_revision_in_every_command(kvaudit: CommandLine) -> None:
    kvaudit.code({path: text.decode() for path, text in code(7098).items()})
    wrong = []
    for line, size in CASES:
        done = kvaudit(*line.split())
        read = [int(number) for number in re.findall(r"\b70[012]\d\b", done.out)]
        if read[:1] != [size]:
            wrong.append((line, size, read, done.err[:200]))
    assert not wrong


@pytest.mark.parametrize(("word", "commit"), [("pinned", "HEAD~1"), ("near-pin", "v1.1"), ("v1.0", "v1.0")])
def test_a_word_is_the_end_of_a_history(word: str, commit: str, kvaudit: CommandLine, origin: Repository) -> None:
    done = kvaudit("history", CLAIM_ID, "--pack", "demo", "-f", "json", "--from", "v0", "--to", word)
    assert json.loads(done.out)["intervals"][-1]["last"]["commit"] == origin.git("rev-parse", commit)


@pytest.mark.parametrize("line", ["verify demo -f json", "verify demo -f json --commit pinned"])
def test_without_a_pinned_commit_pinned_is_the_release_near_the_pin(
    line: str, kvaudit: CommandLine, origin: Repository
) -> None:
    kvaudit.pack(CLAIM, UNPINNED.replace("URL", str(origin.folder)))
    [run] = json.loads(kvaudit(*line.split()).out)["runs"]
    assert (run["revision"]["source"], run["results"][0]["actual"]) == ("pypi", "7021")
    done = kvaudit("repair", "demo", "--release", "1.2", "--dry-run")
    assert "engine 1.1 -> 1.2" in done.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("verify demo --commit latest", "latest is a release of the registry; through git, name its tag, or HEAD"),
        ("verify demo --release pinned", "pinned is a commit: --commit pinned; the release nearest it is near-pin"),
        ("record demo --release pinned", "pinned is a commit: --commit pinned; the release nearest it is near-pin"),
        (f"history {CLAIM_ID} --pack demo --from latest", "latest is a release of the registry"),
    ],
)
@pytest.mark.usefixtures("origin")
def test_a_word_of_another_source_is_refused(line: str, message: str, kvaudit: CommandLine) -> None:
    done = kvaudit(*line.split())
    assert (done.status, message in done.err) == (2, True), done.err


ELSEWHERE = {
    *("article", "drift", "metrics", "options", "upgrade", "repair", "bisect", "record", "watch", "init"),
}  # they take their revisions from the functions that the others do, and have tests of their own


def test_no_command_that_takes_a_revision_is_left_out() -> None:
    def commands(group: click.Group, prefix: str = "") -> Iterator[tuple[str, click.Command]]:
        context = click.Context(group)
        for name in group.list_commands(context):
            one = group.get_command(context, name)
            assert one is not None
            if isinstance(one, click.Group):
                yield from commands(one, f"{prefix}{name} ")
            else:
                yield prefix + name, one

    words = {"--commit", "--release", "--releases", "--commits", "--from", "--against"}
    taking = {name for name, one in commands(main) if words & {word for param in one.params for word in param.opts}}
    assert taking - ELSEWHERE == {name.split(" --")[0] for name in COMMANDS}
