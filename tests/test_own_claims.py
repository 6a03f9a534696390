"""What the documentation says of kvaudit holds of its own source: the pack `kvaudit`."""

from tests.support.command_line import CommandLine, kvaudit
from tests.support.folders import ROOT

__all__ = ["kvaudit"]


def test_kvaudit_is_as_its_documentation_says(kvaudit: CommandLine) -> None:
    done = kvaudit("verify", ROOT / "anchors" / "kvaudit", "--path", f"kvaudit={ROOT}", "--strict")
    assert done.status == 0, done.err
