"""Two targets of which nothing is kept are audited in two processes, and nobody can tell but by the time it takes."""

import json

import pytest

from tests.support.command_line import CommandLine, kvaudit

__all__ = ["kvaudit"]


@pytest.fixture
def two(kvaudit: CommandLine) -> CommandLine:
    """A pack of two targets, `src` where half of the claims hold, and `older` where other ones do."""
    targets = "".join(f'  {name}: {{repository: "https://example.org/{name}"}}\n' for name in ("one", "other"))
    head = f"id: two\ntitle: {{en: two, zh: 二}}\ntargets:\n{targets}"
    claims = {
        name: "claims:\n"
        + "".join(
            f"- id: {name}/a/c{number}\n  statement: {{en: a, zh: b}}\n  at: {name}/m.py::C{number}\n  check: symbol\n"
            for number in range(30)
        )
        for name in ("one", "other")
    }
    for name, text in {"pack.yaml": head, **{f"{name}.yaml": text for name, text in claims.items()}}.items():
        (kvaudit.folder / "two").mkdir(exist_ok=True)
        (kvaudit.folder / "two" / name).write_text(text, encoding="utf-8")
    for folder, step in (("src", 2), ("older", 3)):
        for name in ("one", "other"):
            (kvaudit.folder / folder / name).mkdir(parents=True)
            code = "".join(f"class C{n}: ...\n" for n in range(0, 30, step))
            (kvaudit.folder / folder / name / "m.py").write_text(code)
    return kvaudit


def reports(kvaudit: CommandLine, *command: str) -> list[tuple[int, bytes, bytes]]:
    """What a command leaves when nothing is kept, when all is, in one process, and without a cache."""
    found = []
    for more in (
        ["--cache-dir", "cache"],
        ["--cache-dir", "cache"],
        ["--cache-dir", "cold", "-j", "1"],
        ["--no-cache"],
    ):
        process = kvaudit.apart(*command, "-f", "json", *more)
        out, err = process.communicate()
        found.append((process.returncode, out, err))
    return found


def test_two_targets_are_audited_to_the_same_report(two: CommandLine) -> None:
    found = reports(two, "verify", "two", "--path", "one=src", "--path", "other=src")
    assert (found[0][0], found[0][2][:60]) == (1, b"kvaudit: 30 claims not as recorded: one/a/c1 (fail), one/a/c")
    assert len(set(found)) == 1


def test_two_targets_are_compared_to_the_same_report(two: CommandLine) -> None:
    found = reports(two, "drift", "one=older,other=older", "one=src,other=src", "--pack", "two")
    runs = json.loads(found[0][1])["runs"]
    worse = [len([one for one in run["results"] if one["baseline"] == "new"]) for run in runs]
    assert (found[0][0], worse) == (1, [5, 5])
    assert len(set(found)) == 1
