"""Lines that hold no code that anybody would cite: blank, a lone brace, only imports, only comments."""

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.article.trees import CodeFile
    from auditor.model import Region

_BRACE = re.compile(r"[\s{}()\[\];,:]*")
_IMPORT = re.compile(
    r"\s*(?:import\s|from\s+\S+\s+import\b|#\s*include\b|#\s*pragma\s+once|use\s+[\w:]+|package\s|require\(|using\s+namespace)"
)
_COMMENT = re.compile(
    r"\s*(?:#(?!\s*(?:include|define|if|ifdef|ifndef|else|endif|pragma))|//|/\*|\*(?:\s|/|$)|--\s|<!--|;;)"
)
_PROSE = (".md", ".mdx", ".rst", ".txt", ".adoc", ".html", ".json", ".yaml", ".yml", ".toml", ".cfg", ".ini")


class Trivial(Enum):
    """What lines hold that is no code."""

    BLANK = "blank"
    BRACE = "brace"
    IMPORTS = "imports"
    COMMENTS = "comments"


def trivial(file: "CodeFile", region: "Region") -> Trivial | None:
    """What lines of a file hold, if no code; None where they hold some."""
    lines = file.lines[region.start - 1 : region.end]
    if all(not line.strip() for line in lines):
        return Trivial.BLANK
    if file.path.endswith(_PROSE):
        return None
    if all(_BRACE.fullmatch(line) for line in lines):
        return Trivial.BRACE
    code = [line for line in lines if line.strip()]
    if all(_COMMENT.match(line) for line in code):
        return Trivial.COMMENTS if len(lines) > 1 else None  # of one line, what follows is meant
    if _is_imports(code) and _is_header(file, region):
        return Trivial.IMPORTS
    return None


def _is_imports(lines: list[str]) -> bool:
    """Whether lines are import statements, with the names in their parentheses."""
    is_open = False
    for line in lines:
        if is_open:
            is_open = ")" not in line
        elif _IMPORT.match(line):
            is_open = "(" in line and ")" not in line
        else:
            return False
    return True


def _is_header(file: "CodeFile", region: "Region") -> bool:
    """Whether lines are in no function, where an import is what is meant."""
    return file.enclosing(region) is None
