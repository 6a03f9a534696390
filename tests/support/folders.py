"""Where the tests find the project and their data."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
CASES = TESTS / "cases"
GOLDEN = TESTS / "golden"
