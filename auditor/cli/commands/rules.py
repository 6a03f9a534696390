"""List the rules that claims can be checked by."""

import click

from auditor.cli import streams


@click.command()
def command() -> None:
    """List the rules."""
    from auditor.checks import checks

    width = max(map(len, checks()))
    for rule, check in checks().items():
        streams.tell(f"{rule:<{width}}  {check.summary()}")
