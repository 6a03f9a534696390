"""Where a reader can look at a revision and its lines in a browser."""

from urllib.parse import urlsplit

from auditor.formats.pages import quoted
from auditor.model import Citation, Location, Revision, Target


def upstream(target: Target, revision: Revision, place: Location | Citation | None = None) -> str | None:
    """The URL of a place, or of the whole revision; None where nobody can know it."""
    ref, repository = _ref(target, revision), target.repository or ""
    try:
        url = urlsplit(repository)
    except ValueError:
        return None
    if ref is None or url.scheme not in ("http", "https") or not url.hostname:
        return None
    base, at = repository.rstrip("/").removesuffix(".git"), quoted(ref)
    if place is None:
        return f"{base}/tree/{at}"
    lines = ""
    if place.region is not None:
        start, end = place.region.start, place.region.end
        lines = f"#L{start}" if start == end else f"#L{start}-L{end}"
    return f"{base}/blob/{at}/{quoted(place.path)}{lines}"


def _ref(target: Target, revision: Revision) -> str | None:
    """What the repository calls this revision."""
    if revision.commit:
        return revision.commit
    return target.tag_of(revision.name) if revision.source == "pypi" else None
