"""List the rules that claims can be checked by."""

import re

import click

from auditor.cli import streams


@click.command()
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Of what they check.  [en]")
def command(language: str) -> None:
    """List the rules."""
    from auditor.checks import checks

    width = max(map(len, checks()))
    for rule, check in checks().items():
        chinese = re.search(r"^\*中文。\* (.+)$", check.help(), re.MULTILINE)
        streams.tell(f"{rule:<{width}}  {chinese[1] if chinese and language == 'zh' else check.summary()}")
