"""JUnit XML, for whatever shows tests."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from auditor.findings import Finding, FindingLog
from auditor.formats import FindingFormat, is_crash, origin, reason, revision, values, visible
from auditor.model import Kind, Log, Result, Run
from auditor.text import no_commands_in_markup

LONGEST = 2_000
"""Characters of one line."""


class Junit(FindingFormat):
    """JUnit XML: a suite for each target, and in it a test for each claim.

    A test fails where the claim makes the audit fail, and is an error where kvaudit does. One that holds passes; any
    other (qualified, open, accepted, not applicable) is skipped, with the reason. Its file and line are the claim's.
    """

    suffix = "xml"

    def render(self, log: Log, *, color: bool = False) -> str:  # noqa: ARG002
        return _document(f"kvaudit {log.pack}", [_suite(log, run, self.results(run)) for run in log.runs])

    def render_findings(self, log: FindingLog, *, color: bool = False) -> str:  # noqa: ARG002
        """A suite for each file: a test for each finding, or one that passes. What no one is to mend is skipped."""
        return _document(f"kvaudit {log.command}", [_suite_of_file(log, path) for path in log.files])


def _document(name: str, suites: Sequence[Element]) -> str:
    root = Element("testsuites", {"name": _line(name)})
    root.extend(suites)
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, 0)) for suite in suites)))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{no_commands_in_markup(tostring(root, encoding="unicode"))}\n'


def _suite_of_file(log: FindingLog, path: str) -> Element:
    suite = Element("testsuite", {"name": _line(path)})
    properties = {"command": log.command, "kvaudit": log.version, "revisions": ", ".join(log.revisions)}
    _properties(suite, properties)
    findings = log.of(path)
    for finding in findings:
        suite.append(_case_of_finding(finding))
    if not findings:
        SubElement(suite, "testcase", {"classname": _line(path), "name": "nothing to mend", "file": _line(path)})
    _count(suite)
    return suite


def _case_of_finding(finding: Finding) -> Element:
    path, line = _line(finding.path), str(finding.span.line)
    name = _line(f"{finding.span} {finding.rule} {finding.about}".rstrip())
    case = Element("testcase", {"classname": path, "name": name, "file": path, "line": line})
    _properties(case, {"kind": finding.kind, "rule": finding.rule, "confidence": finding.confidence})
    tag = "failure" if finding.is_failure else "skipped"
    details = [
        finding.message.en,
        *([f"at: {finding.location} of {finding.revision}"] if finding.location else []),
        *([f"write: {finding.replacement}"] if finding.replacement is not None else []),
    ]
    told = SubElement(case, tag, {"type": finding.kind, "message": _line(finding.message.en)})
    told.text = "\n".join(map(_line, details))
    return case


_COUNTS = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}


def _suite(log: Log, run: Run, results: Sequence[Result]) -> Element:
    suite = Element("testsuite", {"name": _line(revision(run))})
    _properties(
        suite,
        {
            "pack": log.pack,
            "kvaudit": log.version,
            "target": run.target.name,
            "source": run.revision.source,
            "revision": run.revision.name,
            "commit": run.revision.commit or "",
        },
    )
    for result in results:
        suite.append(_case(run, result))
    if run.notifications:
        told = (f"{note.claim}: {note.message}" if note.claim else note.message for note in run.notifications)
        SubElement(suite, "system-err").text = "\n".join(map(_line, told))
    _count(suite)
    return suite


def _count(suite: Element) -> None:
    for count, tag in _COUNTS.items():
        suite.set(count, str(sum(1 for _ in suite.iter(tag))))


def _case(run: Run, result: Result) -> Element:
    claim, stated = result.claim, origin(result)
    section = claim.id.rpartition("/")[0].replace("/", ".") or run.target.name
    case = Element("testcase", {"classname": _line(section), "name": _line(claim.id)})
    if stated.path:
        case.set("file", _line(stated.path))
    if stated.region:
        case.set("line", str(stated.region.start))
    _properties(
        case,
        {
            "kind": result.kind,
            "rule": claim.rule,
            **({"baseline": result.baseline} if result.baseline else {}),
            **({"accepted": claim.accepted.reason.en} if claim.accepted else {}),
        },
    )
    if tag := _tag(run, result):
        told = SubElement(case, tag, {"type": result.kind, "message": _line(reason(result))})
        told.text = "\n".join(map(_line, _details(result)))
    return case


def _tag(run: Run, result: Result) -> str | None:
    """How a test says what became of it; None where it passes."""
    if is_crash(run, result):
        return "error"
    if not result.is_as_recorded():
        return "failure"
    return None if result.kind is Kind.PASS else "skipped"


def _details(result: Result) -> list[str]:
    expected, actual = values(result.outcome)
    both = (("expected", expected), ("actual", actual))
    accepted = result.claim.accepted
    return [
        f"claim: {result.claim.statement.en}",
        *(f"{name}: {value}" for name, value in both if expected != actual and value),
        *(f"at: {place}" for place in result.outcome.locations),
        *(f"cited: {found.citation} ({found.state})" for found in result.citations),
        *([f"accepted as {accepted.kind}: {accepted.reason.en}"] if accepted else []),
    ]


def _properties(element: Element, properties: dict[str, str]) -> None:
    parent = SubElement(element, "properties")
    for name, value in properties.items():
        SubElement(parent, "property", {"name": name, "value": _line(value)})


def _line(text: str) -> str:
    return visible(text, LONGEST)
