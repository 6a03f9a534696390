"""Check every citation of source code in texts, without a written claim."""

from typing import TYPE_CHECKING, Any

import click

from auditor import __version__
from auditor.cli import article_inputs as inputs
from auditor.cli import finding_output, revisions, streams
from auditor.cli import options as shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.articles import AuditedText
    from auditor.findings import FindingLog

_EPILOG = """\b
Exit status:
  0    no citation is wrong for certain, or very likely
  1    one is; with --strict also one that needs a look, is ambiguous or not understood
  2    it could not run: no such file, nothing that can be read
  3    a bug in kvaudit
"""


@click.command(epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--pack", metavar="PACK", help="Whose targets are cited.  [default: the one that is shipped]")
@revisions.reading
@click.option("--estimate", is_flag=True, help="Read the release that fits the citations best.")
@finding_output.options("json", "html", "annotated")
@click.option(
    "--to", multiple=True, metavar="[TARGET=]REVISION", help="Say where the cited code is at another revision."
)
@click.option("--target", "only", multiple=True, metavar="NAME", help="Only what is cited of these targets.")
@click.option("--baseline", metavar="RUN.json", help="Say only what this earlier report (-f json) does not.")
@click.option("--possible", is_flag=True, help="Show what is only possibly wrong, too.")
@click.option("--strict", is_flag=True, help="Fail on what needs a look, is ambiguous or not understood, too.")
@shared.reaching
def command(files: tuple[str, ...], pack: str | None, **options: Any) -> int:
    """Check every citation of source code in texts: path:lines, permalinks, quoted code, names.

    FILE is Markdown, HTML, plain text, JSON, YAML or code (its comments), or a folder of these: what its repository
    tracks. Without options, the revisions that the texts themselves state are read; where they state none, the release
    that fits their citations best, which is said. No file is changed: for that there is `kvaudit repair FILE`.

    With --to, what is right is followed to another revision: the same code elsewhere, changed, or gone. For REVISION
    see `kvaudit drift --help`.
    """
    from auditor.article.baseline import known, only_new
    from auditor.engine.texts import audit_texts, carried, with_defaults, with_metrics

    paired = finding_output.pairs(options["format"], options["output"], "json", "html", "annotated")
    read, failed = inputs.texts(inputs.files(files))
    for error in failed:
        streams.say(f"kvaudit: {error}")
    targets = inputs.only(inputs.targets(pack, read, options), options["only"])
    words, by_file = inputs.stated_revisions(read, targets)
    wanted = [] if options["estimate"] else inputs.specs(targets, words, options)
    trees, remarks = inputs.trees(read, targets, wanted, by_file, options)
    audited = audit_texts(read, trees, by_file)
    audited = with_metrics(audited, read, trees, shared.store(options), __version__)
    audited = with_defaults(audited, read, trees, shared.store(options))
    if options["to"]:
        newer = inputs.other(targets, [tree.target for tree in trees], options)
        audited = carried(audited, trees, newer)
        remarks.append(f"carried to {', '.join(tree.revision for tree in newer)}")
    shown = audited
    if options["baseline"]:
        shown, count = only_new(audited, known(inputs.text(options["baseline"]), options["baseline"]))
        remarks += [f"{count} findings that {options['baseline']} has, too, are left out"] if count else []
    log = _log(shown, [tree.revision for tree in trees], remarks, is_all=options["possible"] or options["strict"])
    from auditor.formats.article import html, json, markdown

    own = {
        "json": lambda: json.render(audited, __version__),
        "html": lambda: html.render(audited, log.revisions, __version__, inputs.claims(pack)),
        "annotated": lambda: markdown.render(audited),
    }
    finding_output.write(log, paired, options["color"], own)
    is_clean = log.is_clean(strict=options["strict"]) and not failed
    return 0 if is_clean or options["exit_zero"] else 1


def _log(
    audited: "Sequence[AuditedText]", revisions: "Sequence[str]", remarks: "Sequence[str]", *, is_all: bool
) -> "FindingLog":
    from auditor.article.report import log

    return log(audited, revisions, remarks, __version__, is_all=is_all)
