"""`kvaudit metrics`, `options`, `upgrade` and `repair --metrics`, on a small engine of two revisions."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.command_line import CommandLine
from tests.support.command_line import kvaudit as kvaudit
from tests.support.packs import write

HEAD = """\
id: demo
title: {en: Demo, zh: 示例}
targets:
  engine:
    repository: "https://example.org/engine"
    metrics: [engine/]
    options: ["engine/args.py::fill", "engine/env.py::Env"]
    resolved: [engine/]
"""
OLD = {
    "engine/__init__.py": "",
    "engine/pool.py": "class Pool:\n    size = 16\n",
    "engine/metrics.py": """\
from prometheus_client import Counter, Gauge

usage = Gauge("app:gpu_usage_perc", "Usage. Deprecated: use app:usage_perc.", ["model"])
newer = Gauge("app:usage_perc", "Usage.", ["model"])
served = Counter("app:served", "Served, in blocks.", ["model"])
""",
    "engine/args.py": """\
def fill(parser):
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--swap", type=int, default=4, help="Deprecated: use --offload.")
    parser.add_argument("--offload", type=int, default=None)


class Args:
    def __post_init__(self):
        if self.offload is None:
            self.offload = 8
""",
    "engine/env.py": """\
class EnvInt:
    def __init__(self, default):
        self.default = default


class Env:
    APP_RETRIES = EnvInt(3)
""",
}
NEW = {
    **OLD,
    "engine/metrics.py": """\
from prometheus_client import Counter, Gauge

newer = Gauge("app:usage_perc", "Usage.", ["model"])
served = Counter("app:served", "Served, in tokens.", ["model"])
""",
    "engine/args.py": OLD["engine/args.py"].replace("default=16", "default=32").replace(
        '    parser.add_argument("--swap", type=int, default=4, help="Deprecated: use --offload.")\n', ""
    ),
}  # fmt: skip
RULES = "groups: [{rules: [{alert: A, expr: 'app:gpu_usage_perc > 1'}, {alert: B, expr: 'app:served > 1'}]}]\n"


@pytest.fixture(autouse=True)
def _engine(kvaudit: CommandLine) -> None:
    kvaudit.pack(head=HEAD)
    write(kvaudit.folder / "old", OLD)
    write(kvaudit.folder / "new", NEW)
    write(kvaudit.folder, {"rules.yaml": RULES})


def test_metrics_as_json_have_the_names_that_are_fixed(kvaudit: CommandLine) -> None:
    done = kvaudit("metrics", "--pack", "demo", "--path", "engine=old", "-f", "json")
    document = json.loads(done.out)
    (run,) = document["runs"]
    assert (done.status, document["schema"], run["complete"], document["used"]) == (0, "kvaudit-metrics/1", True, [])
    counter = next(one for one in run["metrics"] if one["name"] == "app:served")
    assert (counter["samples"], counter["type"], counter["labels"]) == (["app:served_total"], "counter", ["model"])
    assert (counter["path"], counter["line"], counter["when"]) == ("engine/metrics.py", 5, None)


def test_options_have_their_default_and_what_replaces_it(kvaudit: CommandLine) -> None:
    done = kvaudit("options", "--pack", "demo", "--path", "engine=old", "-f", "json")
    (run,) = json.loads(done.out)["runs"]
    found = {"".join(one["flags"]) or one["field"]: one for one in run["options"]}
    assert found["--size"]["default"] == 16
    assert found["APP_RETRIES"] | {"effective": []} == found["APP_RETRIES"] | {"default": 3, "kind": "environment"}
    assert found["--swap"]["state"] == "deprecated"
    (later,) = found["--offload"]["effective"]
    assert (later["value"], later["when"], later["line"]) == ("8", "self.offload is None", 10)


def test_a_second_run_comes_from_the_cache(kvaudit: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = kvaudit("metrics", "--pack", "demo", "--path", "engine=old", "-f", "json")
    with monkeypatch.context() as without:
        without.setattr("auditor.catalogue.metrics.metrics", None)
        assert kvaudit("metrics", "--pack", "demo", "--path", "engine=old", "-f", "json") == first
    write(kvaudit.folder / "old", {"engine/more.py": "from prometheus_client import Gauge\nGauge('app:x', 'X.')\n"})
    assert "app:x" in kvaudit("metrics", "--pack", "demo", "--path", "engine=old").out


def test_what_changed_since_another_revision(kvaudit: CommandLine) -> None:
    done = kvaudit("metrics", "--pack", "demo", "--path", "engine=new", "--against", "engine=old", "-f", "json")
    (run,) = json.loads(done.out)["runs"]
    changes = {(one["kind"], one["name"], one["now"], one["sureness"]) for one in run["changes"]}
    assert changes == {
        ("renamed", "app:gpu_usage_perc", "app:usage_perc", "proven"),
        ("unit", "app:served", None, None),
    }
    text = kvaudit("options", "--pack", "demo", "--path", "engine=new", "--against", "engine=old").out
    assert "default option --size" in text
    assert "16 -> 32" in text


def test_an_upgrade_says_what_breaks(kvaudit: CommandLine) -> None:
    done = kvaudit("upgrade", "engine", "dir:old", "dir:new", "demo", "--used", "rules.yaml", "-f", "json")
    document = json.loads(done.out)
    assert (done.status, document["schema"]) == (1, "kvaudit-upgrade/1")
    assert [(one["name"], one["now"]) for one in document["breaks"]] == [("app:gpu_usage_perc", "app:usage_perc")]
    kinds = [(one["kind"], one["name"]) for one in document["targets"][0]["changes"]]
    assert kinds[0] == ("renamed", "--swap")
    assert ("default", "--size") in kinds
    text = kvaudit("upgrade", "engine", "dir:old", "dir:new", "demo", "--used", "rules.yaml").out
    assert text.startswith("rules.yaml:1: fail app:gpu_usage_perc\n")
    assert '- parser.add_argument("--size", type=int, default=16)' in text
    assert '+ parser.add_argument("--size", type=int, default=32)' in text
    page = kvaudit("upgrade", "engine", "dir:old", "dir:new", "demo", "--used", "rules.yaml", "-f", "html").out
    assert page.startswith("<!doctype html>")
    assert "app:usage_perc" in page


def test_what_files_use_is_reported_in_every_format(kvaudit: CommandLine) -> None:
    command = ("metrics", "--pack", "demo", "--path", "engine=new", "--used", "rules.yaml")
    for format_, part in (("text", "app:served_total"), ("markdown", "served"), ("github", "rules.yaml")):
        done = kvaudit(*command, "-f", format_)
        assert (done.status, part in done.out) == (1, True), format_
    sarif = json.loads(kvaudit(*command, "-f", "sarif").out)
    assert [one["ruleId"] for one in sarif["runs"][0]["results"]] == ["used-metric"] * 2
    assert ElementTree.fromstring(kvaudit(*command, "-f", "junit").out) is not None


def test_the_ledger_tells_when_a_name_was_there(kvaudit: CommandLine) -> None:
    from auditor.catalogues import Catalogue, Metric, Place
    from auditor.engine.catalogue_history import record
    from auditor.model import Revision

    place = Place("engine/metrics.py", 1, 1)
    for version, names in (("0.1", ["app:a"]), ("0.3", []), ("0.2", ["app:a", "app:b"]), ("0.4", ["app:a"])):
        metrics = tuple(Metric(n, n, (n,), "gauge", (), True, "Old text.", None, None, None, place) for n in names)
        record(Path("ledger"), "demo", Catalogue("engine", Revision("pypi", version), metrics))
    done = kvaudit("metrics", "--pack", "demo", "--ledger", "ledger", "--timeline", "app:a")
    assert (done.status, done.out) == (0, "engine: metric app:a in 0.1 to 0.2, 0.4\n")
    gone = kvaudit("metrics", "--pack", "demo", "--ledger", "ledger", "--timeline", "app:b")
    assert gone.out == "engine: metric app:b in 0.2; gone since\n"
    assert kvaudit("metrics", "--pack", "demo", "--ledger", "ledger", "--timeline", "app:c").status == 1
    assert "Old text" not in Path("ledger/demo/engine.catalogue.json").read_text()


def test_proven_names_are_written_and_the_rest_is_listed(kvaudit: CommandLine) -> None:
    write(kvaudit.folder, {"rules.yaml": RULES.replace("app:gpu_usage_perc", "app:usage_per")})
    options = ("--pack", "demo", "--path", "engine=new")
    patch = kvaudit("repair", "--metrics", "rules.yaml", *options, "--dry-run")
    assert "+groups: [{rules: [{alert: A, expr: 'app:usage_per > 1'}, {alert: B, expr: 'app:served_total > 1'}]}]" in (
        patch.out
    )
    done = kvaudit("repair", "--metrics", "rules.yaml", *options)
    assert (done.status, "app:usage_per" in done.err) == (1, True)
    assert "app:served_total > 1" in Path("rules.yaml").read_text()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("metrics", "--pack", "demo", "--target", "other"), "there is no such target"),
        (("metrics", "--pack", "demo", "--path", "engine=old", "--used", "gone.json"), "there is no such file"),
        (("metrics", "--pack", "demo", "--path", "engine=old", "-f", "sarif"), "name some"),
        (("metrics", "--pack", "demo", "--ledger", "none", "--timeline", "x"), "holds no catalogue"),
        (("upgrade", "engine", "dir:old", "dir:old", "demo"), "the same revision"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(kvaudit: CommandLine, args: tuple[str, ...], message: str) -> None:
    done = kvaudit(*args)
    assert (done.status, message in done.err, done.out) == (2, True, ""), done.err
