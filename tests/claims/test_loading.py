"""Loading is strict: whatever is wrong with a pack is said at its line and column, all at once."""

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from auditor.checks import checks
from auditor.claims import load
from auditor.claims.schema import claim_schema, pack_schema
from auditor.errors import ClaimError, ConfigError
from auditor.model import Anchor, Citation, Region, Target, Text
from tests.support.folders import CASES, ROOT
from tests.support.packs import CLAIMS, HEAD, Files, claim, entries, write

PACK = "id: p\ntitle: {en: T, zh: 题}\ntargets:\n  t: {}\n"
CASE = re.compile(r"^## (.+?)\n\n```yaml\n(.*?)```\n\n```text\n(.+?)```$", re.MULTILINE | re.DOTALL)

FILE = CASES / "claims.md"
SHARED, ONLY_LOADER = FILE.read_text(encoding="utf-8").split("# What only the loader refuses\n")
WRONG = [pytest.param(*case[1:], id=case[0]) for case in CASE.findall(SHARED) + CASE.findall(ONLY_LOADER)]
SCHEMA_CASES = [pytest.param(text, id=name) for name, text, _ in CASE.findall(SHARED)]

PACKS = ROOT / "anchors"


def problems(folder: Path, files: Files) -> list[str]:
    """What loading says, without the folder."""
    with pytest.raises(ClaimError) as caught:
        load(write(folder, files))
    assert str(caught.value) == "\n".join(caught.value.problems)
    assert [line for line in caught.value.problems if not line.isprintable()] == []
    return [line.removeprefix(f"{folder}/") for line in caught.value.problems]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_what_is_wrong_is_said_at_its_place(text: str, expected: str, tmp_path: Path) -> None:
    lines = expected.replace("{rules}", ", ".join(checks())).splitlines()
    assert problems(tmp_path / "p", {"pack.yaml": PACK, "t.yaml": text}) == lines


def test_every_case_is_read() -> None:
    assert len(WRONG) == FILE.read_text(encoding="utf-8").count("\n## ")


VALID = "claims: []\n"
FILES: list[tuple[Files, list[str]]] = [
    ({"t.yaml": "claims:\n\t- id: x\n"}, ["t.yaml:2:1: found character that cannot start any token"]),
    ({"t.yaml": "claims:\n- id: 题".encode() + b"\xff\n"}, ["t.yaml:2:8: this is not UTF-8"]),
    ({"t.yaml": VALID.encode("utf-16")}, ["t.yaml:1:1: this is not UTF-8"]),
    ({"t.yaml": "# 题\nclaims: \0\n"}, ["t.yaml:2:9: the character U+0000 may not be in YAML"]),
    ({"t.yaml": "claims: \x1b[31m\n"}, ["t.yaml:1:9: the character U+001B may not be in YAML"]),
    ({"t.yaml": VALID + "#" * 4 * 2**20}, ["t.yaml:1:1: it is larger than 4,194,304 bytes"]),
    ({"t.yaml": "claims: " + "[" * 90 + "]" * 90}, ["t.yaml:1:41: this is nested more than 32 levels deep"]),
    ({"t.yaml": "claims: " + "{a: " * 9000}, ["t.yaml:1:134: this is nested more than 32 levels deep"]),
    ({"t.yaml": "claims: " + "[" * 100_000}, ["t.yaml:1:1008: exceeded maximum nesting depth"]),
    ({"t.yaml/x": ""}, ["t.yaml:1:1: it cannot be read: Is a directory"]),
    ({"t.yml": VALID}, ["t.yml:1:1: claims are in files that end in .yaml; rename it"]),
    ({"pack.yaml": ""}, ["pack.yaml:1:1: it is empty"]),
    ({"pack.yaml": "- a\n"}, ["pack.yaml:1:1: this must be a mapping"]),
    ({"pack.yaml": "id: p\n"}, ["pack.yaml:1:1: targets is missing", "pack.yaml:1:1: title is missing"]),
    (
        {"pack.yaml": PACK + "x: 1\n"},
        ["pack.yaml:5:1: unknown key x; known here: id, title, targets, languages, sections"],
    ),
    ({"pack.yaml": PACK.replace("{}", "x")}, ["pack.yaml:4:6: this must be a mapping"]),
    ({"pack.yaml": PACK.replace("{}", "{date: [a]}")}, ["pack.yaml:4:13: date: Expected `str | null`, got `array`"]),
    ({"pack.yaml": PACK.replace("t: {}", "t: {}\n  t: {}")}, ["pack.yaml:5:3: the key t is given twice"]),
    ({"pack.yaml": PACK.replace(", zh: 题", "")}, ["pack.yaml:2:8: title: Object missing required field `zh`"]),
    ({"pack.yaml": PACK.replace("\n  t: {}", " [t]")}, ["pack.yaml:3:10: targets: Expected `object`, got `array`"]),
]


@pytest.mark.parametrize(("files", "expected"), FILES)
def test_what_is_wrong_with_a_file_is_said(files: Files, expected: list[str], tmp_path: Path) -> None:
    assert problems(tmp_path, {"pack.yaml": PACK, **files}) == expected


def test_an_unknown_key_of_a_target_is_refused(tmp_path: Path) -> None:
    pack = PACK.replace("{}", "{repo: x}")
    (problem,) = problems(tmp_path, {"pack.yaml": pack})
    assert problem.startswith("pack.yaml:4:7: unknown key repo; known here: repository, commit, date, project, pack")


def test_a_file_of_claims_needs_its_target(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"pack.yaml": PACK, "u.yaml": VALID})
    assert problem == f"u.yaml:1:1: {tmp_path}/pack.yaml has no target u"


def test_an_id_is_taken_once_in_a_pack(tmp_path: Path) -> None:
    text = "claims:\n" + claim("at: m.py\ncheck: symbol", "x/y")
    files = {"pack.yaml": PACK + "  u: {}\n", "t.yaml": text, "u.yaml": "# the other\n" + text}
    assert problems(tmp_path / "p", files) == ["u.yaml:3:7: the id x/y is taken at p/t.yaml:2"]


def test_all_problems_of_all_files_are_said_together(tmp_path: Path) -> None:
    files = {
        "pack.yaml": PACK + "  u: {}\n  v: {}\nx: 1\n",
        "t.yaml": "claims:\n" + claim("check: symbol", "x") + claim("check: no", "x/y"),
        "u.yaml": "claims: [\n",
        "v.yaml": "claims:\n" + claim("at: m.py\ncheck: symbol", "x/y") + claim("check: symbol", "x/z"),
    }
    assert [line.split(" ")[0] for line in problems(tmp_path / "p", files)] == [
        "pack.yaml:7:1:",
        "t.yaml:2:3:",
        "t.yaml:2:7:",
        "t.yaml:7:10:",
        "u.yaml:2:1:",
        "v.yaml:2:7:",
        "v.yaml:6:3:",
    ]


@pytest.mark.parametrize("files", [{}, {"engine.yaml": CLAIMS}, {"pack.yaml/x": ""}])
def test_a_folder_without_a_head_is_no_pack(files: Files, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is no pack: there is no pack\.yaml in it"):
        load(write(tmp_path, files))


@pytest.mark.parametrize(
    ("folder", "origin"),
    [
        ("packs/demo", "packs/demo/engine.yaml:2"),
        ("./packs/demo/", "packs/demo/engine.yaml:2"),
        ("packs/../packs/demo", "demo/engine.yaml:2"),
        ("{here}/packs/demo", "demo/engine.yaml:2"),
    ],
)
def test_a_claim_is_where_its_pack_was_named_without_folders_of_this_machine(
    folder: str, origin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "packs" / "demo", {"pack.yaml": HEAD, "engine.yaml": CLAIMS})
    monkeypatch.chdir(tmp_path)
    pack = load(Path(folder.format(here=tmp_path)))
    assert pack.entries["engine"][0].claim.origin == origin


def test_a_claim_of_the_pack_in_this_folder_is_in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, {"pack.yaml": HEAD, "engine.yaml": CLAIMS}))
    assert load(Path()).entries["engine"][0].claim.origin == "engine.yaml:2"


def test_a_pack_is_loaded_as_it_is_written(tmp_path: Path) -> None:
    pack = load(write(tmp_path, {"pack.yaml": HEAD, "engine.yaml": CLAIMS}))
    assert (pack.id, pack.title) == ("demo", Text("Demo", "示例"))
    assert pack.targets == (Target("engine", repository="https://example.org/engine"),)
    assert [entry.claim.id for entry in pack.entries["engine"]] == ["engine/size/sixteen", "engine/pool/class"]
    assert [entry.claim.origin for entry in pack.entries["engine"]] == [
        f"{tmp_path.name}/engine.yaml:2",
        f"{tmp_path.name}/engine.yaml:8",
    ]


@pytest.mark.parametrize("encode", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")])
def test_the_marks_of_other_editors_change_nothing(encode: Any, tmp_path: Path) -> None:
    files = {"pack.yaml": encode(HEAD), "engine.yaml": encode(CLAIMS)}
    assert [entry.claim.id for entry in load(write(tmp_path, files)).entries["engine"]] == [
        "engine/size/sixteen",
        "engine/pool/class",
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1e-6", 1e-6),
        ("0x1F", 31),
        ("0o17", 15),
        ("1_000", 1000),
        (".5", 0.5),
        ("-1", -1),
        ("True", True),
        ("None", None),
        ("\"'no'\"", "no"),
        ("\"'017'\"", "017"),
        ("\"'2024-01-01'\"", "2024-01-01"),
        ('"(12, 30)"', (12, 30)),
        ("' 1'", 1),
    ],
)
def test_a_literal_is_python_and_not_yaml(written: str, value: object, tmp_path: Path) -> None:
    (entry,) = entries(tmp_path, claim(f"at: m.py::x\ncheck: default-value\nequals: {written}"))
    assert entry.checks[0].equals.value == value  # type: ignore[attr-defined]


@pytest.mark.parametrize("written", ["1e-6", "017", "no", "2024-01-01", "12:30", "~", "0x1F", "1_000", "'a: b'"])
def test_text_reaches_the_check_as_written(written: str, tmp_path: Path) -> None:
    (entry,) = entries(tmp_path, claim(f"at: m.py\ncheck: log-message\ntext: {written}"))
    assert entry.checks[0].text == written.strip("'")  # type: ignore[attr-defined]


def test_a_field_of_a_target_is_text_whatever_yaml_makes_of_it(tmp_path: Path) -> None:
    head = PACK.replace("{}", "{date: 2024-01-01, commit: 0123e4, near-pin: 0.10, tag: no}")
    (target,) = load(write(tmp_path, {"pack.yaml": head})).targets
    assert target == Target("t", date="2024-01-01", commit="0123e4", near_pin="0.10", tag="no")


@pytest.mark.parametrize(
    "written", ["check: formula\nequals: {}", "check: pattern\ncode: {}", "check: default-value\nequals: {}"]
)
@pytest.mark.parametrize("text", ["(" * 300, "-" * 20_000 + "1", "1+" * 5000 + "1"], ids=["open", "minus", "plus"])
def test_code_that_is_nested_beyond_reading_is_refused_in_a_short_line(written: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ClaimError) as caught:
        entries(tmp_path, claim(f"at: m.py::x\n{written.format(repr(text))}"))
    (problem,) = caught.value.problems
    assert len(problem.removeprefix(str(tmp_path))) < 250
    assert " is not " in problem


PLACE = Anchor("m.py", "X")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("m.py:3", [Citation("m.py", Region(3, 3), PLACE)]),
        ("m.py:3-5,9", [Citation("m.py", Region(3, 5), PLACE), Citation("m.py", Region(9, 9), PLACE)]),
        ("m.py", [Citation("m.py", None, PLACE)]),
        ("docs/", [Citation("docs/", None)]),
        ("{lines: n.py:3, at: n.py}", [Citation("n.py", Region(3, 3), Anchor("n.py"))]),
        (
            '{lines: m.py:3, at: "n.py::Y", code: $A + 1}',
            [Citation("m.py", Region(3, 3), Anchor("n.py", "Y", "$A + 1"))],
        ),
    ],
)
def test_a_citation_has_its_lines_and_its_anchor(written: str, expected: list[Citation], tmp_path: Path) -> None:
    (entry,) = entries(tmp_path, claim(f"at: m.py::X\ncheck: symbol\ncites:\n- {written}"))
    assert list(entry.claim.citations) == expected


def test_a_check_has_the_place_of_its_claim_or_its_own(tmp_path: Path) -> None:
    written = "at: m.py::X\nall:\n- check: symbol\n- {check: symbol, at: n.py}\ncites: [n.py:1, m.py:1]"
    (entry,) = entries(tmp_path, claim(written))
    assert [check.at for check in entry.checks] == [PLACE, Anchor("n.py")]  # type: ignore[attr-defined]
    assert [citation.anchor for citation in entry.claim.citations] == [Anchor("n.py"), PLACE]
    assert entry.claim.rule == "all"


def test_a_claim_with_one_check_has_its_rule(tmp_path: Path) -> None:
    (entry,) = entries(tmp_path, claim("at: m.py\nall: [{check: symbol}]"))
    assert entry.claim.rule == "symbol"


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(claim_schema())


def test_the_schema_is_one(schema: jsonschema.Draft202012Validator) -> None:
    jsonschema.Draft202012Validator.check_schema(schema.schema)


@pytest.mark.parametrize("path", [p for p in PACKS.glob("*/*.yaml") if p.name != "pack.yaml"], ids=lambda p: p.stem)
def test_the_schema_accepts_every_shipped_claim(path: Path, schema: jsonschema.Draft202012Validator) -> None:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert [error.json_path for error in schema.iter_errors(document)] == []


@pytest.mark.parametrize("text", SCHEMA_CASES)
def test_the_schema_refuses_what_it_can(text: str, schema: jsonschema.Draft202012Validator) -> None:
    assert not schema.is_valid(yaml.safe_load(text))


@pytest.mark.parametrize("path", sorted(PACKS.glob("*/pack.yaml")), ids=lambda path: path.parent.name)
def test_the_schema_of_packs_accepts_every_shipped_pack(path: Path) -> None:
    found = jsonschema.Draft202012Validator(pack_schema())
    # As YAML 1.2 has it, in which a date is text.
    assert found.is_valid(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader))
    assert not found.is_valid({"id": "p", "title": "P", "targets": {"t": {"repo": "x"}}})


def test_the_schema_shows_the_help_of_a_rule() -> None:
    shown = {one["properties"]["check"]["const"]: one for one in claim_schema()["$defs"]["check"]["oneOf"]}
    assert sorted(shown) == sorted(checks())
    assert shown["default-value"]["properties"]["check"]["markdownDescription"] == checks()["default-value"].help()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[1, 2]", [1, 2]),
        ("{}", {}),
        ("[]", []),
        ("[vllm, null, true]", ["vllm", None, True]),
        ("{a: [1.0]}", {"a": [1.0]}),
        ('"[1, 2]"', [1, 2]),
        ("null", None),
    ],
)
def test_a_literal_may_be_a_collection_of_yaml(written: str, expected: object, tmp_path: Path) -> None:
    text = claim(f"at: m.py::X\ncheck: default-value\nequals: {written}")
    (check,) = entries(tmp_path, text)[0].checks
    assert repr(expected) == repr(check.equals)  # type: ignore[attr-defined] # of this check
