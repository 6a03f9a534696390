"""List the rules that claims can be checked by."""

import click

from auditor.cli import streams


@click.command()
def command() -> None:
    """List the rules."""
    from auditor.checks import checks

    for rule, check in checks().items():
        streams.tell(f"{rule:<16} {check.summary()}")
