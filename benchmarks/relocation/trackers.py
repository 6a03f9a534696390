"""Other ways to find a line again: git's blame, and hashes of lines."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

_LINE = re.compile(r"([0-9a-f]{40}) (\d+) (\d+)")


def by_hash(old: str, new: str | None) -> dict[int, int]:
    """Each line of an older file, and the nearest line of the newer one that reads the same but for its spaces."""
    if new is None:
        return {}
    places: dict[str, list[int]] = {}
    for number, line in enumerate(new.split("\n"), 1):
        places.setdefault(" ".join(line.split()), []).append(number)
    found = {}
    for number, line in enumerate(old.split("\n"), 1):
        if there := places.get(" ".join(line.split())):
            found[number] = min(there, key=lambda other: abs(other - number))
    return found


def by_blame(repository: Path, old: str, new: str, path: str) -> Mapping[int, tuple[str, int]]:
    """Each line of an older file that is still there by `git blame --reverse`, with its path and number then."""
    command = [
        "git",
        "-C",
        str(repository),
        "blame",
        "--reverse",
        "-w",
        "-M",
        "-C",
        "--porcelain",
        f"{old}..{new}",
        "--",
    ]
    done = subprocess.run([*command, path], check=True, capture_output=True)
    found: dict[int, tuple[str, int]] = {}
    commit, number, there = "", 0, 0
    names: dict[str, str] = {}
    for line in done.stdout.decode(errors="replace").split("\n"):
        if (match := _LINE.match(line)) is not None:
            commit, there, number = match[1], int(match[2]), int(match[3])
        elif line.startswith("filename "):
            names[commit] = line.removeprefix("filename ")
        elif line.startswith("\t") and commit == new:
            found[number] = (names[commit], there)
    return found
