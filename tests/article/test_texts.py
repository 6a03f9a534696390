"""Texts against their case files: what is found, what is said of it, and what is written."""

import pytest

from auditor.article.audit import audit_text
from auditor.article.carrying import Carrier, edited, without_orphans
from auditor.articles import Cited, Mention
from tests.support.article_cases import TextCase, of_file, tree
from tests.support.chinese import CHINESE, is_chinese


def cited(mention: Mention, line: int) -> str:
    lines = ",".join(str(one.region) for one in mention.lines)
    path = "|".join(mention.choices) if len(mention.choices) > 1 else mention.path or "-"
    return " ".join(filter(None, (str(line), mention.form, path, mention.symbol or "", lines)))


@pytest.mark.parametrize("case", of_file("finding"), ids=str)
def test_citations_are_found(case: TextCase) -> None:
    text = case.read()
    found = [cited(one, text.document.place(one.extent[0])[0]) for one in text.found.mentions]
    left = sum(text.found.left_out.values())
    assert found + ([f"left {left}"] if left else []) == case.expected.splitlines()


@pytest.mark.parametrize("case", [*of_file("finding"), *of_file("checking")], ids=str)
def test_every_number_is_where_it_stands(case: TextCase) -> None:
    text = case.read()
    for mention in text.found.mentions:
        for lines in (*mention.lines, *mention.echoes):
            assert case.text[slice(*lines.start)].replace(",", "") == str(lines.region.start)
            assert lines.end is None or case.text[slice(*lines.end)] == str(lines.region.end)


def said(one: Cited) -> str:
    unknown = "ambiguous" if one.is_ambiguous else "unknown"
    state = (one.state or "-") if one.is_resolved else unknown
    findings = [f"{finding.rule} {finding.confidence}" for finding in one.findings]
    return " ".join([str(one.line), state, *findings])


@pytest.mark.parametrize("case", of_file("checking"), ids=str)
def test_citations_are_checked(case: TextCase) -> None:
    audited = audit_text(case.read(), [tree()], {})
    assert [said(one) for one in audited.citations] == case.expected.splitlines()
    for finding in audited.findings:
        assert is_chinese(finding.message.zh), finding.message
        assert CHINESE.search(finding.message.en) is None, finding.message


@pytest.mark.parametrize("case", of_file("repairing"), ids=str)
def test_numbers_are_written(case: TextCase) -> None:
    before, after = tree(), tree("later", "fedcba9876543210")
    audited = audit_text(case.read(), [before], {})
    carrier = Carrier(before, after)
    carried = without_orphans([carrier.carry(one) for one in audited.citations if one.target])
    text = edited(audited.text, [edit for one in carried for edit in one.edits])
    assert text == case.expected
    assert (text != case.text) or all(one.left for one in carried if one.cited.mention.lines)
