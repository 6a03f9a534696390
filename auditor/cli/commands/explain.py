"""Explain a rule: what it checks, its parameters, an example."""

import click

from auditor.cli import streams
from auditor.errors import ConfigError


@click.command()
@click.argument("rule")
def command(rule: str) -> None:
    """Explain RULE: what it checks, its parameters, an example."""
    from auditor.checks import checks

    check = checks().get(rule)
    if check is None:
        raise ConfigError(f"there is no rule {rule}; there are {', '.join(checks())}")
    streams.tell(f"{rule}: {check.help()}")
