"""Which revisions a text itself says that it is about, and which repositories it links to."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from auditor.article.mentions import Mentions
    from auditor.article.passages import Document
    from auditor.model import Target

_COMMIT = re.compile(r"(?<![0-9A-Za-z])(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?![0-9A-Za-z])")
_VERSION = re.compile(r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){1,3}(?:\.?(?:post|rc|a|b|dev)\d{1,4})?)(?![\w%]|\.\d)")
_REPOSITORY = re.compile(
    r"https?://(?:www\.)?(?:github|gitlab|gitee|codeberg|gitcode)\.(?:com|org)/(?P<owner>[\w.-]{1,100})/(?P<name>[\w.-]{1,100})"
)
_KEYS = re.compile(r"commit|sha|revision|\brev\b|version|baseline|tag|pinned|snapshot|\bref\b")
_NAMES = re.compile(r"framework|project|engine|target|repo|source|package|library")
_END = r"[。;；!?！？\n]|\.\s"
_FARTHEST = 60  # characters from a target's name to the revision that is said of it
_HEAD = 40  # passages at the beginning and the end in which revisions are stated


@dataclass(frozen=True, slots=True)
class Pin:
    """A revision that a text states of a target: a commit or a tag's version."""

    ref: str
    is_commit: bool
    line: int


def pins(document: "Document", found: "Mentions", targets: "Sequence[Target]") -> dict[str, Pin]:
    """What a text says of each target: by its links, in its front matter, or behind the target's name."""
    stated: dict[str, Pin] = {}
    for target in targets:
        pin = _linked(document, found, target) or _front(document, target, targets) or _prose(document, target)
        if pin is not None:
            stated[target.name] = pin
    return stated


def repositories(found: "Iterable[Mentions]") -> dict[str, str]:
    """The repositories that texts link code of: URL by `owner/name` in lower case."""
    urls: dict[str, str] = {}
    for one in found:
        for mention in one.mentions:
            if mention.link is not None:
                name = f"{mention.link.owner}/{mention.link.repository}"
                urls.setdefault(name.lower(), f"https://{mention.link.host}/{name}")
    return urls


def pinned_repositories(document: "Document", targets: "Sequence[Target]") -> dict[str, str]:
    """The repositories that a text links as a whole and states a commit of right behind: URL by name in lower case."""
    known = {_bare(target.repository) for target in targets}
    urls: dict[str, str] = {}
    for passage in document.passages[:_HEAD]:
        for link in passage.anchors:
            found = _REPOSITORY.fullmatch(link.url.rstrip("/").removesuffix(".git"))
            behind = re.split(_END, passage.text[link.end : link.end + _FARTHEST])[0]
            if found and _bare(link.url) not in known and _COMMIT.search(behind):
                urls.setdefault(f"{found['owner']}/{found['name']}".lower(), found[0])
    return urls


def _bare(url: str | None) -> str:
    return "/".join((url or "").rstrip("/").removesuffix(".git").lower().split("/")[-2:])


def _linked(document: "Document", found: "Mentions", target: "Target") -> Pin | None:
    """The commit or tag that most links to a target have."""
    repository = (target.repository or "").removesuffix(".git").lower()
    refs: Counter[str] = Counter()
    lines: dict[str, int] = {}
    for mention in found.mentions:
        link = mention.link
        if link is None or not repository.endswith(f"/{link.owner}/{link.repository}".lower()):
            continue
        if _COMMIT.fullmatch(link.ref) or _VERSION.fullmatch(link.ref):
            refs[link.ref] += 1
            lines.setdefault(link.ref, document.place(mention.extent[0])[0])
    if not refs:
        return None
    ref = refs.most_common(1)[0][0]
    is_commit = _COMMIT.fullmatch(ref) is not None
    return Pin(ref if is_commit else ref.removeprefix("v"), is_commit, lines[ref])


def _front(document: "Document", target: "Target", targets: "Sequence[Target]") -> Pin | None:
    """What the front matter says; of a target that it names, or that is the only one."""
    names = _names(target)
    values = document.front
    is_named = any(names.search(value) for key, value in values.items() if _NAMES.search(key)) or len(targets) == 1
    for key, value in values.items():
        if not _KEYS.search(key) or not (is_named or names.search(key)):
            continue
        if commit := _COMMIT.search(value):
            return Pin(commit[0], True, 1)
        if version := _VERSION.search(value):
            return Pin(version[1], False, 1)
    return None


def _prose(document: "Document", target: "Target") -> Pin | None:
    """A commit or a version right behind the target's name, near the text's beginning or end."""
    names = _names(target)
    passages = document.passages
    near = passages[:_HEAD] + passages[max(_HEAD, len(passages) - _HEAD) :]
    votes: dict[bool, Counter[str]] = defaultdict(Counter)
    lines: dict[str, int] = {}
    for passage in near:
        if passage.type == "code":
            continue
        text = passage.text
        for name in names.finditer(text):
            window = text[name.end() : name.end() + _FARTHEST]
            window = re.split(_END, window)[0]
            commit = _COMMIT.search(window)
            version = re.compile(
                r"[\s(（@=:：v`*]{0,4}(?:version|release|版本|源码)?[\s:：`]{0,3}" + _VERSION.pattern
            ).match(window)
            hit = commit or version
            if hit is None:
                continue
            ref = commit[0] if commit else version[1] if version else ""
            votes[commit is not None][ref] += 1
            lines.setdefault(ref, document.place(passage.mapped.extent(name.start(), name.end())[0])[0])
    for is_commit in (True, False):
        if votes[is_commit]:
            ref = votes[is_commit].most_common(1)[0][0]
            return Pin(ref, is_commit, lines[ref])
    return None


def _names(target: "Target") -> "re.Pattern[str]":
    words = "|".join(sorted(map(re.escape, {target.name, target.project or target.name})))
    owner = r"(?:[A-Za-z0-9_.-]{1,39}/)?"
    return re.compile(rf"(?<![A-Za-z0-9_./-]){owner}(?:{words})(?![A-Za-z0-9_/.-])", re.IGNORECASE)
