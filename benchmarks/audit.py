"""How long an audit takes, cold and warm, against what it cannot do without.

Every figure is also given as a ratio to another of the same run, so that the speed of the machine cancels out. The
files are those of a release, fetched first; the network is not measured.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

TIMES = 3


def seconds(run: Callable[[], object]) -> float:
    """The least wall time of a few runs."""
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        run()
        taken.append(time.perf_counter() - began)
    return min(taken)


def kvaudit(*args: str) -> None:
    subprocess.run([sys.executable, "-m", "auditor", *args], check=True, capture_output=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cache = ("--cache-dir", folder)
        kvaudit("verify", "--release", "near-pin", *cache)

        def forget_results() -> None:
            # Another selection leaves the files in the cache and the results of other claims out of use.
            for path in Path(folder).glob("*/*.blob"):
                if b'"made_from"' in path.read_bytes()[-200_000:]:
                    path.unlink()

        def cold() -> None:
            forget_results()
            kvaudit("verify", "--release", "near-pin", *cache)

        figures = {
            "python -c pass": seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)),
            "kvaudit --help": seconds(lambda: kvaudit("--help")),
            "verify, all results kept": seconds(lambda: kvaudit("verify", "--release", "near-pin", *cache)),
            "verify, files kept": seconds(cold),
        }
    base = figures["python -c pass"]
    for name, value in figures.items():
        print(f"{name:<28} {value:6.2f} s   {value / base:6.1f} x")


if __name__ == "__main__":
    main()
