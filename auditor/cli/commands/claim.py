"""List, check, suggest and try claims."""

import json

import click

from auditor.cli import claim_new, claim_test, packs, streams
from auditor.errors import ConfigError


@click.group()
def command() -> None:
    """List, check, suggest and try claims."""


command.add_command(claim_new.command, "new")
command.add_command(claim_test.command, "test")


@command.command("list")
@click.argument("pack", required=False)
def list_(pack: str | None) -> None:
    """List the claims of PACK: id, rule, statement."""
    for entries in packs.load(pack).entries.values():
        for entry in entries:
            mark = " (accepted)" if entry.claim.accepted else ""
            streams.tell(f"{entry.claim.id}  [{entry.claim.rule}]{mark}  {entry.claim.statement.en}")


@command.command()
@click.argument("pack", required=False)
def lint(pack: str | None) -> None:
    """Load PACK strictly; every problem is shown at its line, and every claim that could prove nothing."""
    loaded = packs.load(pack)
    problems = [
        *(line for line, _ in packs.without_claims(loaded)),
        *(
            f"{entry.claim.origin}: {entry.claim.id}: {why.en}"
            for entries in loaded.entries.values()
            for entry in entries
            for check in entry.decided().every
            for why in check.vacuities()
        ),
    ]
    if problems:
        raise ConfigError("\n".join(dict.fromkeys(problems)))
    count = sum(map(len, loaded.entries.values()))
    streams.tell(f"{loaded.id}: {count} claims about {', '.join(target.name for target in loaded.targets)}, no problem")


@command.command()
def schema() -> None:
    """Print the JSON Schema of a file of claims, for editors."""
    from auditor.claims.schema import claim_schema

    streams.put(json.dumps(claim_schema(), indent=2, ensure_ascii=False) + "\n")
