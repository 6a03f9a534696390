"""List the rules that claims can be checked by."""

import click


@click.command()
def command() -> None:
    """List the rules."""
    from auditor.checks import checks

    for rule, check in checks().items():
        click.echo(f"{rule:<16} {check.summary()}")
