"""The claims and the commits that the commands about a target's past are told."""

import json
import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from auditor import __version__
from auditor.cli import options as shared
from auditor.cli import progress_bars, revisions, streams
from auditor.engine import opening
from auditor.errors import ConfigError
from auditor.formats.runs.entries import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.claims import Entry, Pack
    from auditor.drift.lineage import Line
    from auditor.engine.commit_answers import Answer
    from auditor.fetch.git.history import Step
    from auditor.model import Outcome, Target

SHORT = 10
"""Digits of a commit that are shown, as the article does."""
_PULL = re.compile(r"\(#(\d+)\)\s*$")
_LONGEST = 300  # characters shown of what others wrote


def options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command about the past."""
    for option in (
        shared.cache_dir,
        click.option("--offline", is_flag=True, help="Use only what is in the cache, or a clone."),
        click.option("-f", "--format", type=click.Choice(["text", "json"]), default="text", help="Report format."),
        revisions.repo,
        click.option("--pack", help="A folder with a pack.yaml, or the name of a shipped pack."),
    ):
        command = option(command)
    return command


def chosen(pack: "Pack", claims: Sequence[str], name: str | None) -> "tuple[Target, list[Entry]]":
    """The claims to follow and their one target. Raises ConfigError."""
    targets = {target.name: target for target in pack.targets if target.repository or target.project}
    if name is not None and name not in targets:
        raise ConfigError(f"--target {name}: there is no such target; there are {', '.join(targets)}")
    known = {entry.claim.id: (name, entry) for name in targets for entry in pack.entries.get(name, ())}
    for claim in claims:
        if claim not in known:
            raise ConfigError(f"{claim}: there is no such claim; see `kvaudit claim list`")
    meant = [known[claim] for claim in dict.fromkeys(claims)] or list(known.values())
    about = sorted({target for target, _ in meant if name in (None, target)})
    if len(about) != 1:
        said = f"these claims are about {', '.join(about)}; choose one" if about else f"none of them is about {name}"
        raise ConfigError(f"{said}: --target NAME")
    return targets[about[0]], [entry for target, entry in meant if target == about[0]]


def outcome_entry(outcome: "Outcome") -> dict[str, Any]:
    """What was found, for a report."""
    return {
        "kind": outcome.kind,
        "message": outcome.message.en,
        "message_zh": outcome.message.zh,
        "actual": outcome.actual,
    }


def visible(text: object) -> str:
    """Text of others on one line, with an escape for whatever a terminal would obey instead of show."""
    line = str(text)[:_LONGEST]
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
    return shown if len(str(text)) <= _LONGEST else f"{shown}…"


def head() -> dict[str, Any]:
    """What every JSON report begins with."""
    return {"schema": SCHEMA, "tool": {"name": "kvaudit", "version": __version__}}


def write(report: dict[str, Any], lines: "Iterable[str]", *, is_json: bool) -> None:
    """The report as JSON, or these lines."""
    if is_json:
        streams.put(json.dumps({**head(), **report}, indent=1) + "\n")
        return
    for line in lines:
        streams.tell(line)


class Followed:
    """Claims followed back through the commits between two. `lines` are by the ids of the claims."""

    def __init__(self, pack: "Pack", target: "Target", claims: "Sequence[Entry]", options: dict[str, Any]) -> None:
        """Raises SourceError."""
        from auditor.engine.collector import without_cycles
        from auditor.engine.commit_answers import CommitAnswers
        from auditor.sources.git import Git

        started = time.monotonic()
        ends = (Git.resolved_spec(target, options["from"]), Git.resolved_spec(target, options["to"]))
        [spec] = list(revisions.specs(pack.id, [target], {"git": [ends[1]]}, options["repo"]))
        reach = shared.access(options)
        self.ends = ends
        self.history = Git().history(spec.reached, *ends, reach)
        with progress_bars.watched(quiet=False) as progress, without_cycles():
            past = CommitAnswers(target, claims, self.history, opening.releases(target, reach), progress)
            self.lines: dict[str, Line[Answer]] = past.lines()
            beside = frozenset(claim for claim, line in self.lines.items() if line.end != self.history.oldest)
            self.oldest = {
                **{claim: line.oldest for claim, line in self.lines.items()},
                **(past.at_oldest(beside) if beside else {}),
            }
        self.steps: dict[str, Step] = {step.id: step for step in self.history.steps}
        self.visited = len(past.visited)
        seconds = time.monotonic() - started
        streams.say(
            f"kvaudit: {target.name}: {len(self.steps):,} commits between, {self.visited:,} visited, "
            f"{len(self.history.blobs):,} blobs read, {seconds:.1f} s"
        )

    def commit(self, commit: str) -> dict[str, Any]:
        """A commit for a report; of those before the history only the id is known."""
        step = self.steps.get(commit)
        if step is None:
            return {"commit": commit, "date": None, "author": None, "subject": None, "pull": None}
        pull = _PULL.search(step.subject)
        return {
            "commit": commit,
            "date": step.date,
            "author": step.author,
            "subject": step.subject,
            "pull": int(pull[1]) if pull else None,
        }

    def is_beside(self, claim: str) -> bool:
        """Whether the older end is not on the claim's line, and something else is said of the claim there."""
        return self.oldest[claim].kind is not self.lines[claim].oldest.kind
