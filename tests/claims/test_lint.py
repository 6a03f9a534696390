"""What a person should look at in a pack that loads; each remark has a claim nearby that is none."""

from dataclasses import replace
from pathlib import Path

import pytest

from auditor.claims import load
from auditor.claims.lint import remarks
from tests.support.packs import HEAD, claim, write

AT = "at: engine/pool.py::Pool.size\ncheck: default-value\nequals: {}"


def said(folder: Path, *claims: str, head: str = HEAD) -> list[str]:
    text = "claims:\n" + "".join(claims) if claims else "claims: []\n"
    pack = load(write(folder, {"pack.yaml": head, "engine.yaml": text}))
    return [remark.en for _, remark in remarks(pack)]


def stating(en: str, zh: str, rest: str) -> str:
    return claim(rest).replace("{en: It is so., zh: 如此。}", f"{{en: '{en}', zh: '{zh}'}}")


@pytest.mark.parametrize(
    ("statement", "value", "is_told"),
    [
        ("The size is 16.", 16, True),
        ("The size is 32.", 16, False),
        ("The size has a default.", 16, False),
        ("The size is three.", 3, True),
        ("It is 4,096 bytes.", 4096, True),
        ("It is 4 KB.", 4096, True),
        ("It is 5 minutes.", 300, True),
        ("It is 80 % of the pool.", 0.8, True),
        ("It is 0.9.", 0.8, False),
        ("Nothing by default.", 0, True),
        ("In v1 it is 160.", 16, False),
    ],
)
def test_a_number_is_in_the_statement_too(statement: str, value: float, is_told: bool, tmp_path: Path) -> None:
    found = said(tmp_path, stating(statement, "默认值。", AT.format(value)))
    expected = f"engine/a/b: default-value asks for {value:g}, which the statement does not say"
    assert found == ([] if is_told else [expected])


@pytest.mark.parametrize("value", ["1e999", "-1e999", "0x" + "f" * 3_000])
def test_a_number_that_no_sentence_says_is_passed_over(value: str, tmp_path: Path) -> None:
    assert said(tmp_path, stating("It is large.", "很大。", AT.format(value))) == []


def test_a_number_may_be_in_the_chinese_statement_alone(tmp_path: Path) -> None:
    assert said(tmp_path, stating("The default.", "默认值是 16。", AT.format(16))) == []
    assert said(tmp_path, stating("The default.", "默认是三个。", AT.format(3))) == []


def test_two_claims_that_are_decided_by_the_same_are_told(tmp_path: Path) -> None:
    first = stating("It is 16.", "是 16。", AT.format(16))
    other = claim("at: engine/pool.py::Pool\ncheck: symbol", "engine/a/d")
    assert said(tmp_path, first, first.replace("engine/a/b", "engine/a/c"), other) == [
        "engine/a/c: it is decided by the same as engine/a/b"
    ]


def test_a_claim_cites_what_it_looks_at(tmp_path: Path) -> None:
    at = "at: engine/pool.py::Pool\ncheck: symbol\ncites: [{}]"
    assert said(tmp_path, claim(at.format("engine/pool.py:3"))) == []
    cited = claim(at.format("{lines: 'engine/core.py:3', at: 'engine/core.py::Core'}"))
    assert said(tmp_path, cited) == ["engine/a/b: it cites other files than it looks at: engine/pool.py"]


@pytest.mark.parametrize(
    ("scope", "fault"), [("./engine", "./"), ("engine\\core", "\\"), ("engine/pool.py:10", ":1"), ("engine/core", None)]
)
def test_a_scope_is_a_path_of_the_repository(scope: str, fault: str | None, tmp_path: Path) -> None:
    found = said(tmp_path, claim(f"check: absence\nword: swap\nscope: '{scope}'"))
    assert found == ([f"engine/a/b: {scope} is no path in a repository: write a/b, without {fault}"] if fault else [])


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("prefix: python/, commit: 8b365ff949", []),
        ("commit: main", ["engine: main is no commit; a branch moves, so pin what it is now: kvaudit lock"]),
    ],
)
def test_a_target_is_pinned_at_a_commit(target: str, expected: list[str], tmp_path: Path) -> None:
    assert said(tmp_path, head=f"id: p\ntitle: P\ntargets:\n  engine: {{{target}}}\n") == expected


@pytest.mark.parametrize(
    ("field", "place", "fault"),
    [
        ("metrics", "./engine", "./"),
        ("metrics", "!engine//old", "//"),
        ("metrics", "!engine/old", None),
        ("options", "engine/args.py:12", ":1"),
        ("options", "engine/args.py::add_arguments", None),
        ("resolved", "engine\\args.py", "\\"),
        ("resolved", "engine/args.py", None),
    ],
)
def test_what_a_target_names_is_a_path_of_the_repository(
    field: str, place: str, fault: str | None, tmp_path: Path
) -> None:
    pack = load(write(tmp_path, {"pack.yaml": HEAD, "engine.yaml": "claims: []\n"}))
    target = replace(pack.targets[0], **{field: (place,)})  # type: ignore[arg-type]
    found = [remark for _, remark in remarks(replace(pack, targets=(target,)))]
    expected = f"{target.name}: {place} is no path in a repository: write a/b, without {fault}"
    assert [remark.en for remark in found] == ([] if fault is None else [expected])
    assert all("不是仓库中的路径" in remark.zh for remark in found)
