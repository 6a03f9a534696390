"""Explain a rule: what it checks, its parameters, an example."""

import click

from auditor.errors import ConfigError


@click.command()
@click.argument("rule")
def command(rule: str) -> None:
    """Explain RULE: what it checks, its parameters, an example."""
    from auditor.checks import checks

    check = checks().get(rule)
    if check is None:
        raise ConfigError(f"there is no rule {rule}; there are {', '.join(checks())}")
    click.echo(f"{rule}: {check.help()}")
