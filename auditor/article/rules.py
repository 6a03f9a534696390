"""The kinds of faults that a citation can have, for reports to explain."""

from auditor.model import Rule

_RULES = {
    "missing-file": (
        "The cited file exists.",
        "The path begins as files of the target do, and the revision has no such file.",
    ),
    "missing-symbol": ("The cited symbol is in its file.", "The file is there, and nothing in it has that name."),
    "beyond-end": ("The cited lines are in the file.", "The file has fewer lines than the citation says."),
    "no-code": (
        "The cited lines hold code.",
        "All of the lines are blank, or have only brackets, imports or comments, of which the sentence does not speak.",
    ),
    "quote-elsewhere": (
        "Quoted code is in the lines that are cited for it.",
        "The code block under the citation is in the file, in other lines. `...` stands for anything; comments, layout "
        "and strings in another language do not count.",
    ),
    "quote-differs": (
        "Quoted code is as in the file.",
        "Most of the code block under the citation is in the cited lines; a line of it is nowhere in the file.",
    ),
    "name-elsewhere": (
        "A name right at the citation is in the cited lines.",
        "The file defines the name that stands right beside the citation, in other lines; neither the cited lines nor "
        "the definition around them has that name, or any other that the sentence quotes.",
    ),
    "stated-value": (
        "A value that is stated at a citation is on its lines.",
        "The sentence says right at the citation what a name's default or value is; the cited lines have the name, "
        "with other literals.",
    ),
    "shifted-file": (
        "Citations of a file are where they say.",
        "Several citations of the file are off by the same number of lines: something was added or removed above them.",
    ),
    "used-metric": (
        "A metric that the text names is exported.",
        "The names are those that a scrape shows; a name that is nearly one that is exported is wrong.",
    ),
    "used-option": (
        "A default that the text states is the flag's.",
        "Of a sentence that says plainly what a flag's default is; one that the code declares as None is set later.",
    ),
    "listed-order": (
        "Files and lines that are listed together are in the same order.",
        "Elsewhere the text says these lines of another file of the list.",
    ),
    "range-differs": (
        "The same place has the same lines wherever the text cites it.",
        "Elsewhere in the text a citation of this file begins at the same line and ends at another.",
    ),
    "ambiguous": ("It is clear which file is meant.", "Several files have that name, and nothing near says which."),
    "not-understood": ("It is clear what is cited.", "No target that is read has such a file, or none is named."),
    "moved-code": ("The code is where it was.", "Between two revisions the cited code has moved, or is gone."),
}


def rules(used: "set[str]") -> tuple[Rule, ...]:
    """The rules of some findings, sorted by id."""
    return tuple(Rule(id_, *_RULES.get(id_, (id_, id_))) for id_ in sorted(used))
