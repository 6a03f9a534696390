"""What every page is made with: templates that escape all they are given, and a policy under which nothing is fetched.

A page is one file that works without a network and without JavaScript, in both languages of the reports.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from auditor.formats.pages.sentences import sentences, spans
from auditor.text import no_commands_in_markup

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent.parent / "templates"


def visible(text: str) -> str:
    """`text` with an escape for whatever would reorder or hide what a reader sees, or cannot be UTF-8."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t\u3000\xa0" else ascii(char)[1:-1] for char in text)


def quoted(text: str) -> str:
    """`text` as a part of a URL; slashes stay."""
    return quote(text, safe="/~", errors="replace")


def breakable(place: object) -> "Markup":
    """A path, which a browser may break after each slash."""
    from markupsafe import Markup, escape

    return Markup(escape(visible(str(place))).replace("/", Markup("/<wbr>")))


def fragment(element: str) -> str:
    """The link to an element of the same page."""
    return "#" + quoted(visible(element))


def policy(styles: str, scripts: str = "") -> str:
    """A Content-Security-Policy that allows these very texts and nothing else."""
    allowed = {"style": styles, "script": scripts}
    sources = "".join(f"; {kind}-src '{_digest(text)}'" for kind, text in allowed.items() if text)
    return f"default-src 'none'{sources}; img-src data:; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def template(name: str, styles: tuple[str, ...], scripts: tuple[str, ...] = ()) -> "Template":
    """A template, with its style sheets and scripts, all in the folder of templates.

    To what it is given it can add `style`, `script` and `policy`.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
    from markupsafe import Markup

    class Page(Template):
        def render(self, *args: Any, **kwargs: Any) -> str:
            return no_commands_in_markup(super().render(*args, **kwargs))

    environment = Environment(
        autoescape=True,
        finalize=lambda value: value if isinstance(value, Markup) else visible(str(value)),
        loader=FileSystemLoader(TEMPLATES),
        lstrip_blocks=True,
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.template_class = Page
    style, script = ("".join((TEMPLATES / part).read_text("utf-8") for part in parts) for parts in (styles, scripts))
    environment.globals |= {"style": Markup(style), "script": Markup(script), "policy": Markup(policy(style, script))}
    environment.globals |= {"sentences": sentences, "spans": spans}
    environment.filters |= {"breakable": breakable, "fragment": fragment}
    return environment.get_template(name)
