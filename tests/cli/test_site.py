"""`kvaudit site`: static pages of the ledger and of saved runs."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from tests.support.browser import CHROMIUM, barriers, heard
from tests.support.command_line import CommandLine, kvaudit
from tests.support.packs import CLAIMS, HEAD
from tests.support.registry_server import Registry, serving, wheel

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

__all__ = ["kvaudit"]

PROJECT = HEAD.replace('engine"}', 'engine", project: engine-kv}')
MOVED = CLAIMS.replace("engine/pool.py", "engine_kv/pool.py")
SIZES = {"1.0": 16, "1.1": 32, "1.2": 16}
IN_BROWSER = pytest.mark.skipif(not CHROMIUM and "CI" not in os.environ, reason="there is no chromium")


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, kvaudit: CommandLine) -> Iterator[Registry]:
    with serving() as registry:
        for name, value in registry.environment.items():
            monkeypatch.setenv(name, value)
        for version, size in SIZES.items():
            code = {"engine_kv/__init__.py": b"", "engine_kv/pool.py": f"class Pool:\n    size = {size}\n".encode()}
            registry.publish(f"engine_kv-{version}-py3-none-any.whl", wheel(code))
        kvaudit.pack(MOVED, PROJECT)
        yield registry


@pytest.fixture
def site(kvaudit: CommandLine, registry: Registry) -> Path:
    """A site of three recorded releases and two saved runs."""
    assert kvaudit("record", "demo", "--release", "1.0..").status == 0
    for version in ("1.1", "1.2"):
        kvaudit("verify", "demo", "--release", version, "-f", "json", "-o", f"{version}.json")
    asked = len(registry.asked)
    done = kvaudit("site", "public", "demo", "--run", "1.2.json", "--run", "1.1.json")
    assert (done.status, done.out) == (0, "")
    assert len(registry.asked) == asked
    return kvaudit.folder / "public"


def test_site_has_an_index_a_timeline_and_a_page_for_each_run(site: Path) -> None:
    files = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    assert files == [
        ".nojekyll",
        "audits/engine-1.1.html",
        "audits/engine-1.1.json",
        "audits/engine-1.2.html",
        "audits/engine-1.2.json",
        "index.html",
        "timeline.html",
    ]


def test_claims_of_a_run_have_the_timeline_of_the_ledger(site: Path) -> None:
    [run] = json.loads((site / "audits" / "engine-1.2.json").read_text("utf-8"))["runs"]
    timelines = {result["claim"]: result["timeline"] for result in run["results"]}
    assert timelines["engine/size/sixteen"] == [
        {"kind": "pass", "first": "1.0", "last": "1.0"},
        {"kind": "fail", "first": "1.1", "last": "1.1"},
        {"kind": "pass", "first": "1.2", "last": "1.2"},
    ]


def test_site_made_again_is_the_same(site: Path, kvaudit: CommandLine) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    assert kvaudit("site", "public", "demo", "--run", "1.2.json", "--run", "1.1.json").status == 0
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before


@pytest.mark.usefixtures("registry")
def test_site_can_be_of_the_ledger_alone_or_of_runs_alone(kvaudit: CommandLine) -> None:
    kvaudit("verify", "demo", "--release", "1.1", "-f", "json", "-o", "run.json")
    assert kvaudit("site", "runs", "demo", "--run", "run.json", "--run", "run.json").status == 0
    assert sorted(path.name for path in (kvaudit.folder / "runs" / "audits").glob("*.html")) == [
        "engine-1.1.html",
        "engine-1.1~2.html",
    ]
    assert not (kvaudit.folder / "runs" / "timeline.html").exists()
    kvaudit("record", "demo", "--release", "1.0")
    assert kvaudit("site", "records", "demo").status == 0
    assert (kvaudit.folder / "records" / "timeline.html").exists()


@pytest.mark.usefixtures("registry")
def test_what_cannot_be_a_site_is_told_in_one_line(kvaudit: CommandLine) -> None:
    done = kvaudit("site", "public", "demo")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("kvaudit: reports has no record of demo and no --run is given; ")
    assert done.err.count("\n") == 1
    (kvaudit.folder / "run.json").write_text("{}", "utf-8")
    assert kvaudit("site", "public", "demo", "--run", "run.json").status == 2
    kvaudit("verify", "demo", "--release", "1.1", "-f", "json", "-o", "run.json")
    (kvaudit.folder / "file").write_text("", "utf-8")
    done = kvaudit("site", "file/public", "demo", "--run", "run.json")
    assert (done.status, done.err.count("\n")) == (2, 1)


def pages(site: Path) -> list[str]:
    return [path.as_uri() for path in sorted(site.rglob("*.html"))]


@pytest.mark.browser
@IN_BROWSER
def test_every_link_of_the_site_leads_somewhere(site: Path, context: "BrowserContext") -> None:
    page = context.new_page()
    for url in pages(site):
        page.goto(url)
        for href in page.eval_on_selector_all("[href]", "all => all.map(e => e.getAttribute('href'))"):
            assert not href.startswith("/")
            target = urlsplit(urljoin(url, href))
            if target.scheme == "file":
                path = Path(unquote(target.path))
                assert path.is_file()
                id_ = unquote(target.fragment.partition("?")[0])
                assert not id_ or f' id="{id_}"' in path.read_text("utf-8")
    page.goto((site / "index.html").as_uri())
    for name, leads_to in (
        ("engine 1.2", "audits/engine-1.2.html"),
        ("All audits", "index.html"),
        ("Timeline of all claims", "timeline.html"),
        ("All audits", "index.html"),
    ):
        page.get_by_role("link", name=name).click()
        page.wait_for_url(f"**/{leads_to}*")


@pytest.mark.browser
@IN_BROWSER
@pytest.mark.parametrize("has_script", [True, False], ids=["with-script", "without"])
def test_site_asks_for_nothing_and_complains_of_nothing(site: Path, browser: "Browser", has_script: bool) -> None:
    context = browser.new_context(java_script_enabled=has_script)
    page: Page = context.new_page()
    said = heard(page)
    for url in pages(site):
        page.goto(url)
        page.get_by_label("中文").check()
        assert page.locator("body [lang=en]:visible").count() == 0
    assert said == pages(site)
    context.close()


@pytest.mark.browser
@IN_BROWSER
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier_in_the_site(site: Path, browser: "Browser", scheme: str) -> None:
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    for url in pages(site):
        page.goto(url)
        for language in ("English", "中文"):
            page.get_by_label(language).check()
            page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
            assert barriers(page) == []
    context.close()


@pytest.mark.browser
@IN_BROWSER
@pytest.mark.parametrize("width", [320, 1440])
def test_site_never_scrolls_sideways(site: Path, context: "BrowserContext", width: int) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    for url in pages(site):
        page.goto(url)
        page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") == width
