"""Logs as SARIF, for its tests."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

from jsonschema import Draft7Validator, FormatChecker

from auditor.formats import Show
from auditor.formats.sarif import Sarif
from auditor.model import (
    Claim,
    Kind,
    Location,
    Log,
    Outcome,
    Region,
    Result,
    Run,
    Text,
)
from tests.support import logs
from tests.support.folders import TESTS

SCHEMA = json.loads((TESTS / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
# The schema says draft 4, of which draft 7 reads every word that it uses.
VALIDATOR = Draft7Validator(
    {**SCHEMA, "$schema": Draft7Validator.META_SCHEMA["$schema"]}, format_checker=FormatChecker()
)
LOGS = {"ordinary": logs.ordinary, "hostile": logs.hostile}


@cache
def sarif(log: Log, show: Show | None = None) -> Any:
    return json.loads(Sarif(show).render(log))


def of(result: Result, run: Run = logs.vllm) -> Any:
    """The one result of a log."""
    (found,) = sarif(replace(logs.ordinary, runs=(replace(run, results=(result,)),)), Show.ALL)["runs"][0]["results"]
    return found


def results(log: Log, show: Show | None = None) -> dict[str, Any]:
    """Every result, by its claim."""
    return {result["properties"]["claim"]: result for run in sarif(log, show)["runs"] for result in run["results"]}


def many(count: int, length: int, places: int) -> Log:
    """A log of so many claims, with texts of such a length and so many places, the last of which fails."""
    text = "".join(chr(0x4E00 + number * number % 20_000) for number in range(length))
    found = tuple(Location(f"{text}/{number}.py", Region(1, 2), text, Text(text, text)) for number in range(places))
    outcome = Outcome(Kind.REVIEW, Text(text, text), text, text, found)
    results = [
        Result(Claim(f"a/b/{number:06}", Text(text, text), f"a.yaml:{number + 1}", "guard"), outcome)
        for number in range(count)
    ]
    results[-1] = replace(results[-1], outcome=replace(outcome, kind=Kind.FAIL))
    return replace(logs.ordinary, runs=(replace(logs.vllm, results=tuple(results)),))
