"""Links to code: to a host of repositories, or to a file beside the text."""

from dataclasses import replace
from urllib.parse import unquote

from auditor.article import notation
from auditor.article.lines import lines_after, moved, numbers
from auditor.article.passages import Hyperlink
from auditor.articles import Form, Lines, Link, Mention
from auditor.model import Region


def linked(link: Hyperlink) -> Mention | None:
    """What a link to a host of code cites; None where it cites no code."""
    url = notation.URL_PATH.match(link.url)
    if url is None:
        return None
    parts = url["rest"].split("/")
    host, at = url["host"], link.url_at + url.start("rest")
    kind = ""
    if host == "raw.githubusercontent.com":
        ref, path = parts[0], parts[1:]
        host, kind = "github.com", "raw"
    else:
        skipped = 2 if parts[:1] == ["-"] else 1
        kind = parts[skipped - 1] if len(parts) >= skipped else ""
        at += sum(len(one) + 1 for one in parts[:skipped])
        ref, path = (parts[skipped], parts[skipped + 1 :]) if len(parts) > skipped else ("", [])
    if kind not in ("blob", "blame", "raw", "edit", "tree", "src") or not ref:
        return None
    whole = unquote("/".join(path)).rstrip("/")
    if not whole:
        return None
    lines: tuple[Lines, ...] = ()
    if url["fragment"] and (found := notation.URL_LINES.match(url["fragment"])):
        base = link.url_at + url.start("fragment")
        first, last = int(found["start"]), int(found["end"] or found["start"])
        spans = [moved(found.span(name), base) for name in ("start", "end") if found[name]]
        lines = (Lines(Region(min(first, last), max(first, last)), spans[0], spans[1] if len(spans) > 1 else None),)
    form = Form.FOLDER if kind == "tree" else Form.LINK
    # Branches with a slash cannot be told from folders here; what resolves the path tries both.
    source = Link(url["owner"], url["repository"].removesuffix(".git"), ref, (at, at + len(ref)), host)
    path_at = (at + len(ref) + 1, at + len(ref) + 1 + len("/".join(path)))
    return Mention("", (0, 0), form, whole, lines, link=source, path_at=path_at)


def local(link: Hyperlink) -> Mention | None:
    """What a link to a file beside the text cites; None where it is none."""
    url = unquote(link.url).removeprefix("file://")
    if "://" in url or link.url.startswith(("mailto:", "#")):
        return None
    path = notation.PATH.match(url)
    if path is None or (
        path.end() == len(url) and not path[0].endswith((".py", ".pyi", ".cu", ".cpp", ".rs", ".go", ".cc", ".h"))
    ):
        return None
    after = lines_after(url, path.end()) if url == link.url.removeprefix("file://") else None
    if after is None:
        return Mention("", (0, 0), Form.FILE, path["path"]) if path.end() == len(url) else None
    base = link.url_at + len(link.url) - len(url)
    lines = tuple(
        replace(one, start=moved(one.start, base), end=moved(one.end, base) if one.end else None)
        for one in numbers(url, *after[0].span("lines"))
    )
    at = (base + path.start("path"), base + path.end("path"))
    return Mention("", (0, 0), Form.LINES, path["path"], lines, path_at=at)
