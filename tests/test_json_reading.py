"""What is refused of JSON, because other readers would take it for something else, or not at all."""

import pytest

from auditor.json_reading import loads


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "a": 2}', "holds the key 'a' twice"),
        ("[NaN]", "NaN is no JSON"),
        ("-Infinity", "-Infinity is no JSON"),
        ("[", "Expecting value"),
    ],
)
def test_what_two_readers_would_read_differently_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        loads(text)
