"""Settings: default < file < environment < command line; what is not known is refused."""

import json
from pathlib import Path

import pytest

from auditor.cli.commands.verify import command
from auditor.config import settings
from auditor.errors import ConfigError
from tests.support.command_line import CommandLine, kvaudit
from tests.support.packs import CLAIMS, Files, write

__all__ = ["kvaudit"]

FOUND: list[tuple[Files, dict[str, object]]] = [
    ({}, {}),
    ({"kvaudit.toml": ""}, {}),
    ({"kvaudit.toml": "strict = true"}, {"strict": True}),
    ({"pyproject.toml": "[tool.kvaudit]\nstrict = true"}, {"strict": True}),
    ({"pyproject.toml": "[tool.kvaudit]"}, {}),
    ({"kvaudit.toml": "exit-zero = true", "pyproject.toml": "[tool.kvaudit]\nstrict = true"}, {"exit_zero": True}),
    ({"kvaudit.toml": "exit_zero = true"}, {"exit_zero": True}),
    ({"kvaudit.toml": 'select = ["a", "b"]'}, {"select": ["a", "b"]}),
    ({"kvaudit.toml": 'select = "a"'}, {"select": ["a"]}),
    ({"kvaudit.toml": "jobs = 2"}, {"jobs": 2}),
    ({"pyproject.toml": "[project]\nname = 'x'", "../kvaudit.toml": "strict = true"}, {"strict": True}),
    ({"pyproject.toml": "tool = 1", "../kvaudit.toml": "strict = true"}, {"strict": True}),
    ({"kvaudit.toml": "", "../kvaudit.toml": "strict = true"}, {}),
    ({"kvaudit.toml/x": "", "../kvaudit.toml": "strict = true"}, {"strict": True}),
]


@pytest.mark.parametrize(("files", "expected"), FOUND)
def test_the_nearest_settings_are_meant(files: Files, expected: dict[str, object], tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    assert settings(write(folder, files), command)[1] == expected


REFUSED: list[tuple[Files, str]] = [
    (
        {"kvaudit.toml": "colour = 'never'"},
        "kvaudit.toml: unknown setting colour; known are against, baseline, cache-dir, color, ",
    ),
    ({"kvaudit.toml": "help = true"}, "kvaudit.toml: unknown setting help; "),
    ({"kvaudit.toml": "pack = 1"}, "kvaudit.toml: pack must be text"),
    ({"kvaudit.toml": "[tool.kvaudit]\nstrict = true"}, "kvaudit.toml: unknown setting tool; "),
    ({"pyproject.toml": "[tool.kvaudit]\nStrict = true"}, "pyproject.toml: unknown setting Strict; "),
    ({"pyproject.toml": "[tool]\nkvaudit = 1"}, "pyproject.toml: the settings must be a table"),
    ({"kvaudit.toml": "strict ="}, "kvaudit.toml: Invalid value (at "),
    ({"kvaudit.toml": b"strict = '\xff'"}, "kvaudit.toml: 'utf-8' codec can't decode byte 0xff"),
    ({"pyproject.toml": "["}, "pyproject.toml: "),
    ({"kvaudit.toml": "strict = [true]"}, "kvaudit.toml: strict must be true or false"),
    ({"kvaudit.toml": "select = 5"}, "kvaudit.toml: select must be text, or a list of texts"),
    ({"kvaudit.toml": "strict = {a = 1}"}, "kvaudit.toml: strict must be true or false"),
    ({"kvaudit.toml": "cache-dir = 1979-05-27"}, "kvaudit.toml: cache-dir must be text"),
    ({"kvaudit.toml": "cache-dir = 5"}, "kvaudit.toml: cache-dir must be text"),
    ({"kvaudit.toml": "select = ['a', 5]"}, "kvaudit.toml: select must be text, or a list of texts"),
    ({"kvaudit.toml": "strict = 'yes'"}, "kvaudit.toml: strict must be true or false"),
    ({"kvaudit.toml": "strict = 1"}, "kvaudit.toml: strict must be true or false"),
    ({"kvaudit.toml": "jobs = 1.5"}, "kvaudit.toml: jobs must be a whole number"),
    ({"kvaudit.toml": "jobs = true"}, "kvaudit.toml: jobs must be a whole number"),
]


@pytest.mark.parametrize(("files", "message"), REFUSED)
def test_what_is_wrong_with_settings_is_said_in_one_line(files: Files, message: str, kvaudit: CommandLine) -> None:
    write(kvaudit.folder, files)
    done = kvaudit.verify()
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert done.err.startswith(f"kvaudit: {message}")


@pytest.mark.parametrize("setting", ["jobs = 0", "format = 'pdf'", "color = 'blue'"])
def test_a_value_that_its_option_does_not_take_is_refused(setting: str, kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"kvaudit.toml": setting})
    done = kvaudit.verify()
    assert (done.status, done.out) == (2, "")
    assert f"Invalid value for '{'-' if setting[0] in 'jf' else '--color'}" in done.err


def test_every_option_is_a_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(write(tmp_path, {"kvaudit.toml": "x = 1"}), command)
    known = str(caught.value).partition("known are ")[2].split(", ")
    own = [param for param in command.params if param.expose_value and param.opts[0][0] == "-"]
    options = [param.opts[-1].removeprefix("--") for param in own]
    assert known == sorted(["pack", *options])


def test_that_no_pack_is_named_is_said(kvaudit: CommandLine) -> None:
    said = "kvaudit: no pack is named here, so l1-kv-pool is meant; `kvaudit init` begins one of your own"
    assert said in kvaudit("verify", "--path", "vllm=nowhere").err.splitlines()
    assert said not in kvaudit("verify", "--path", "vllm=nowhere", "-q").err.splitlines()
    assert said not in kvaudit("verify", "demo", "--path", "engine=src").err.splitlines()


def test_a_pack_can_be_a_setting(kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"kvaudit.toml": 'pack = "demo"\n', "below/x": ""})
    assert kvaudit("claim", "list").out.startswith("engine/size/sixteen ")
    assert kvaudit("verify", "--path", "engine=src").status == 0
    write(kvaudit.folder, {"kvaudit.toml": 'pack = "gone"\n'})
    assert "the settings name the pack gone, where there is no pack.yaml" in kvaudit("claim", "list").err
    write(kvaudit.folder, {"pack.yaml": "id: here\ntitle: Here\ntargets: {}\n"})
    assert kvaudit("claim", "lint").out == "here: 0 claims about , no problem\n"


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]])
def test_help_is_given_whatever_the_settings(arguments: list[str], kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"kvaudit.toml": "nonsense"})
    assert kvaudit("verify", *arguments).status == 0


def test_other_commands_do_not_mind_the_settings(kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"kvaudit.toml": "nonsense"})
    assert kvaudit("rules").status == 0


def shown(kvaudit: CommandLine, *options: str) -> str:
    out = kvaudit.verify(*options).out.lstrip()
    return {"{": "json", "<": "html"}.get(out[0], "text")


def test_the_command_line_outweighs_the_environment_and_that_the_file(
    kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shown(kvaudit) == "text"
    write(kvaudit.folder, {"kvaudit.toml": 'format = "json"'})
    assert shown(kvaudit) == "json"
    monkeypatch.setenv("KVAUDIT_VERIFY_FORMAT", "html")
    assert shown(kvaudit) == "html"
    assert shown(kvaudit, "-f", "text") == "text"


@pytest.mark.parametrize("name", ["kvaudit.toml", "pyproject.toml"])
def test_settings_narrow_an_audit_as_options_do(name: str, kvaudit: CommandLine) -> None:
    table = "" if name == "kvaudit.toml" else "[tool.kvaudit]\n"
    write(kvaudit.folder, {name: f'{table}select = ["engine/pool"]\nformat = ["json"]\nno-cache = true\n'})
    (run,) = json.loads(kvaudit.verify().out)["runs"]
    assert [result["claim"] for result in run["results"]] == ["engine/pool/class"]
    assert not (kvaudit.folder / "home").exists()


def test_a_list_in_the_environment_is_words(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KVAUDIT_VERIFY_SELECT", "engine/pool engine/size")
    monkeypatch.setenv("KVAUDIT_VERIFY_PATH", "engine=src")
    (run,) = json.loads(kvaudit("verify", "demo", "-f", "json").out)["runs"]
    assert len(run["results"]) == 2


EVIL = 'format = ["json"]\noutput = ["../victim.txt"]\nexit-zero = true\n'


@pytest.mark.parametrize("where", ["src", "."], ids=["in the tree", "above it"])
@pytest.mark.parametrize("name", ["kvaudit.toml", "pyproject.toml"])
def test_settings_in_the_tree_that_is_audited_are_not_used(
    where: str, name: str, kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    kvaudit.pack(CLAIMS.replace("equals: 16", "equals: 17"))
    victim = kvaudit.folder / "victim.txt"
    victim.write_text("precious")
    prefix = "[tool.kvaudit]\n" if name == "pyproject.toml" else ""
    write(kvaudit.folder / "src", {name: prefix + EVIL})
    monkeypatch.chdir(kvaudit.folder / "src")
    done = kvaudit("verify", "../demo", "--path", f"engine={'.' if where == 'src' else kvaudit.folder / 'src'}")
    assert done.status == 1
    assert victim.read_text() == "precious"


def test_a_tree_that_its_own_settings_name_has_none(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    kvaudit.pack(CLAIMS.replace("equals: 16", "equals: 17"))
    write(kvaudit.folder / "src", {"kvaudit.toml": f'{EVIL}path = ["engine=."]\n'})
    write(kvaudit.folder, {"kvaudit.toml": 'path = "engine=."'})
    monkeypatch.chdir(kvaudit.folder / "src")
    assert kvaudit("verify", "../demo").status == 1
    assert not (kvaudit.folder / "victim.txt").exists()


def test_the_pack_that_the_tree_names_is_not_used(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    write(kvaudit.folder, {"kvaudit.toml": 'pack = "demo"\n', "src/kvaudit.toml": 'pack = "evil"\n'})
    write(kvaudit.folder / "src/evil", {"pack.yaml": "id: here\ntitle: Here\ntargets: {}\n"})
    monkeypatch.chdir(kvaudit.folder / "src")
    assert kvaudit("verify", "--path", "engine=.").status == 0
    assert kvaudit("claim", "list").out == ""


def test_settings_that_change_the_outcome_are_named_and_can_be_left_out(kvaudit: CommandLine) -> None:
    kvaudit.pack(CLAIMS.replace("equals: 16", "equals: 17"))
    write(kvaudit.folder, {"kvaudit.toml": 'exit-zero = true\nquiet = true\ncolor = "never"\noutput = ["r.txt"]\n'})
    done = kvaudit.verify()
    assert done.status == 0
    file = kvaudit.folder / "kvaudit.toml"
    assert f"kvaudit: settings of {file}: exit-zero, output, quiet; --no-config leaves them out\n" in done.err
    assert "output," not in kvaudit.verify("-o", "other.txt").err
    assert kvaudit.verify("-q").err == ""
    assert kvaudit.verify("--no-config").status == 1
    assert kvaudit.verify("--no-config").err.count("settings") == 0


def test_the_environment_that_changes_the_outcome_is_named(
    kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    kvaudit.pack(CLAIMS.replace("equals: 16", "equals: 17"))
    monkeypatch.setenv("KVAUDIT_VERIFY_EXIT_ZERO", "1")
    monkeypatch.setenv("KVAUDIT_VERIFY_COLOR", "never")
    done = kvaudit.verify()
    assert (done.status, "settings of the environment, KVAUDIT_VERIFY_...: exit-zero\n" in done.err) == (0, True)
    assert kvaudit.verify("-q").err == ""


def test_the_environment_can_leave_settings_out(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    write(kvaudit.folder, {"kvaudit.toml": "nonsense"})
    assert kvaudit.verify().status == 2
    monkeypatch.setenv("KVAUDIT_VERIFY_NO_CONFIG", "1")
    assert kvaudit.verify().status == 0


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 5_000,
        "x = " + "{a=" * 5_000,
        f"a{'.a' * 5_000} = 1",
        '"\\u001b[31m" = 1',
        'ledger = "\\u0000"',
        'output = ["\\u001b]0;x\\u0007"]',
        f'cache-dir = "{"x" * 9_999}"',
        "jobs = 99999999999999999999999",
        "jobs = -1",
    ],
)
def test_absurd_settings_are_one_line(text: str, kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"kvaudit.toml": text})
    done = kvaudit.verify()
    assert done.status == 2
    assert "\x1b" not in done.err
    assert len(done.err) < 2_000
    assert "Traceback" not in done.err
