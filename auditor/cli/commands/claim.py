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
@click.option("--strict", is_flag=True, help="Exit 1 where a person must look.")
def lint(pack: str | None, strict: bool) -> int:
    """Load PACK strictly; every problem is shown at its line, and every claim that could prove nothing.

    Then what a person should look at: a number that is in the check and not in the statement, two claims that are
    decided by the same, citations of other files than are looked at, a branch as a pin.
    """
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
    from auditor.claims.lint import remarks

    found = [f"{origin}: {remark.en}" for origin, remark in remarks(loaded)]
    for line in found:
        streams.tell(line)
    count = sum(map(len, loaded.entries.values()))
    about = f"{count} claims about {', '.join(target.name for target in loaded.targets)}"
    streams.tell(f"{loaded.id}: {about}, {f'{len(found)} to look at' if found else 'no problem'}")
    return 1 if found and strict else 0


@command.command()
@click.option("--pack", "is_pack", is_flag=True, help="That of pack.yaml instead.")
def schema(is_pack: bool) -> None:
    """Print the JSON Schema of a file of claims, for editors."""
    from auditor.claims.schema import claim_schema, pack_schema

    streams.put(json.dumps(pack_schema() if is_pack else claim_schema(), indent=2, ensure_ascii=False) + "\n")
