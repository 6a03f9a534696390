"""Two targets of which nothing is kept are audited in two processes, and nobody can tell but by the time it takes."""

from tests.support.command_line import CommandLine, kvaudit

__all__ = ["kvaudit"]


def test_two_targets_are_audited_to_the_same_report(kvaudit: CommandLine) -> None:
    targets = "".join(f'  {name}: {{repository: "https://example.org/{name}"}}\n' for name in ("one", "other"))
    head = f"id: two\ntitle: {{en: two, zh: 二}}\ntargets:\n{targets}"
    claims = {
        name: "claims:\n"
        + "".join(
            f"- id: {name}/a/c{number}\n  statement: {{en: a, zh: b}}\n  at: {name}/m.py::C{number}\n  check: symbol\n"
            for number in range(30)
        )
        for name in ("one", "other")
    }
    for name, text in {"pack.yaml": head, **{f"{name}.yaml": text for name, text in claims.items()}}.items():
        (kvaudit.folder / "two").mkdir(exist_ok=True)
        (kvaudit.folder / "two" / name).write_text(text, encoding="utf-8")
    for name in ("one", "other"):
        (kvaudit.folder / "src" / name).mkdir(parents=True)
        (kvaudit.folder / "src" / name / "m.py").write_text("".join(f"class C{n}: ...\n" for n in range(0, 30, 2)))
    options = ["verify", "two", "--path", "one=src", "--path", "other=src", "-f", "json"]
    reports = []
    for more in (
        ["--cache-dir", "cache"],
        ["--cache-dir", "cache"],
        ["--cache-dir", "cold", "-j", "1"],
        ["--no-cache"],
    ):
        process = kvaudit.apart(*options, *more)
        out, err = process.communicate()
        reports.append((process.returncode, out, err))
    assert (reports[0][0], reports[0][2][:60]) == (1, b"kvaudit: 30 claims not as recorded: one/a/c1 (fail), one/a/c")
    assert len(set(reports)) == 1
