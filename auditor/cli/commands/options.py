"""List the options of a revision with their defaults, and check what says or uses them."""

from typing import Any

import click

from auditor.cli import catalogue_command


@click.command(epilog=catalogue_command.EPILOG)
@catalogue_command.arguments("--docs", "A table of options, Helm values or a command line; repeatable.")
def command(files: tuple[str, ...], **options: Any) -> int:
    """List the options of a revision: flags, configuration fields, environment variables, with their defaults.

    Without options the releases nearest the pins are read. Where code gives an option another value later, that is
    listed with its condition. With --docs, what files say of options is checked: the defaults in a documentation's
    table, the flags of command lines and manifests.
    """
    return catalogue_command.run("options", files, options)
