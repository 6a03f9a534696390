"""What every test may ask for."""

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import CHROMIUM, QUIET

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden instead of comparing with it")


def pytest_configure() -> None:
    # Thousands of cases stay alive all the while, and each search for reference cycles goes through them.
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "the browser tests need chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture
def context(browser: "Browser") -> Iterator["BrowserContext"]:
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(10_000)
    yield opened
    opened.close()
