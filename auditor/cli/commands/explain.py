"""Explain a rule: what it checks, its parameters, an example."""

import click

from auditor.cli import streams
from auditor.errors import ConfigError


def _rules(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """What a shell may complete."""
    from auditor.checks import checks

    return [rule for rule in checks() if rule.startswith(incomplete)]


@click.command()
@click.argument("rule", shell_complete=_rules)
def command(rule: str) -> None:
    """Explain RULE: what it checks, its parameters, an example."""
    from auditor.checks import checks

    check = checks().get(rule)
    if check is None:
        raise ConfigError(f"there is no rule {rule}; there are {', '.join(checks())}")
    streams.tell(f"{rule}: {check.help()}")
