"""What an audit costs, as ratios within one run, against other tools that search code and against a whole download.

python -m benchmarks.audit [--clone DIR] [--download] [--most CLAIMS]

Every figure is the CPU time (user and system, children included) and the peak memory of processes, the least of a few
runs; each is also given as a ratio to another of the same run, so that the speed of the machine cancels out. The files
of the releases near the pin are fetched first; a timeline reads its other releases itself. `semgrep` and `ast-grep` are
measured where they are on the path: three patterns over the same files. `--clone` names a clone in which `git blame`
follows the files that the pack cites.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
PACK = ROOT / "anchors" / "l1-kv-pool"
RELEASES = ("0.29.0", "0.30.0", "0.31.0", "0.32.0", "0.33.0")
PATTERNS = (
    "self.free_block_queue.append_n($X)",
    "$X.ref_cnt += 1",
    "watermark_blocks = self.watermark_blocks",
)
"""Of the sort that claims are made of."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU and wall time in seconds, the peak of resident memory in bytes."""

    cpu: float
    wall: float
    memory: int


def run(command: Sequence[str | Path], folder: Path | None = None) -> Cost:
    """What one command costs. Raises CalledProcessError when it cannot run; that it finds something is no failure."""
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        list(map(str, command)), cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise subprocess.CalledProcessError(process.returncode, list(map(str, command)))
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss * 1024)


def kvaudit(*words: str | Path) -> list[str | Path]:
    return [sys.executable, "-m", "auditor", *words]


class Bench:
    """Measures in a folder of its own, in which `content` is a cache of releases without a result."""

    def __init__(self, folder: Path, times: int) -> None:
        self.folder = folder
        self.times = times
        """How often each figure is measured."""
        self.content = folder / "content"
        self.cache = folder / "cache"

    def fetch(self) -> None:
        """Read what an audit of the releases near the pin reads, and forget what was found."""
        near_pin = ("verify", PACK, "--release", "near-pin", "--exit-zero", "-q")
        spare = self.folder / "spare"
        run(kvaudit(*near_pin, "--cache-dir", spare, "-f", "json", "-o", self.folder / "run.json"))
        self.content.mkdir()
        for blob in spare.glob("*/*.blob"):
            if b'"result":' not in blob.read_bytes()[:4096]:
                target = self.content / blob.relative_to(spare)
                target.parent.mkdir(exist_ok=True)
                shutil.copy(blob, target)

    def least(self, measure: Callable[[], Cost]) -> Cost:
        return min((measure() for _ in range(self.times)), key=lambda cost: cost.cpu)

    def cold(self, *words: str | Path) -> Cost:
        """What a command costs that has the files and no result."""
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(self.content, self.cache)
        return run(kvaudit(*words, "--cache-dir", self.cache))

    def warm(self, *words: str | Path) -> Cost:
        run(kvaudit(*words, "--cache-dir", self.cache))
        return self.least(lambda: run(kvaudit(*words, "--cache-dir", self.cache)))

    def pack_of(self, claims: int) -> Path:
        """A pack of so many claims about vLLM: the shipped ones, again and again under other ids."""
        folder = self.folder / f"pack-{claims}"
        folder.mkdir(exist_ok=True)
        head = yaml.safe_load((PACK / "pack.yaml").read_text("utf-8"))
        head["targets"] = {"vllm": head["targets"]["vllm"]}
        (folder / "pack.yaml").write_text(_written(head), "utf-8")
        shipped = yaml.safe_load((PACK / "vllm.yaml").read_text("utf-8"))["claims"]
        made = [{**shipped[n % len(shipped)], "id": f"{shipped[n % len(shipped)]['id']}-{n}"} for n in range(claims)]
        (folder / "vllm.yaml").write_text(_written({"claims": made}), "utf-8")
        return folder


class _Dumper(yaml.SafeDumper):
    """Writes out what occurs twice: a pack has no aliases."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def _written(document: object) -> str:
    return yaml.dump(document, Dumper=_Dumper, allow_unicode=True)


def audits(bench: Bench) -> dict[str, Cost]:
    verify = ("verify", PACK, "--release", "near-pin", "--exit-zero", "-q")
    drift = ("drift", "vllm=0.31.0", "vllm=0.32.0", "--exit-zero", "-q", "-f", "json", "-o", os.devnull)
    report = bench.folder / "run.json"
    return {
        "python -c pass": bench.least(lambda: run([sys.executable, "-c", "pass"])),
        "kvaudit --help": bench.least(lambda: run(kvaudit("--help"))),
        "verify, no result kept": bench.least(lambda: bench.cold(*verify, "-f", "json", "-o", report)),
        "verify, all results kept": bench.warm(*verify, "-f", "json", "-o", report),
        "report, HTML page": bench.least(lambda: run(kvaudit("report", report, "-f", "html", "-o", os.devnull))),
        "drift of two releases": bench.least(lambda: bench.cold(*drift)),
    }


def growth(bench: Bench, most: int) -> dict[str, Cost]:
    found = {}
    for claims in (200, 1_000, 3_000):
        if claims <= most:
            words = ("verify", bench.pack_of(claims), "--release", "vllm=0.31.0", "--exit-zero", "-q", "-f", "json")
            found[f"vLLM, {claims:,} claims"] = bench.least(lambda words=words: bench.cold(*words))  # type: ignore[misc]
    for number in (1, 2, len(RELEASES)):
        releases = ("--releases", f"vllm={','.join(RELEASES[-number:])}", "--target", "vllm", "-f", "json")
        series = ("timeline", PACK, *releases, "-q", "-o", os.devnull)
        found[f"timeline, {number} releases"] = bench.least(lambda series=series: bench.cold(*series))  # type: ignore[misc]
    return found


def rivals(bench: Bench, clone: Path | None, *, downloads: bool) -> dict[str, Cost]:
    tree = bench.folder / "tree"
    _unpack(bench, tree)
    found = {}
    if ast_grep := shutil.which("ast-grep"):
        found["ast-grep, 3 patterns"] = bench.least(lambda: _added(_ast_grep(ast_grep, tree)))
    if semgrep := shutil.which("semgrep"):
        rules = bench.folder / "rules.yaml"
        rules.write_text(yaml.safe_dump({"rules": [_rule(n, pattern) for n, pattern in enumerate(PATTERNS)]}))
        scan: list[str | Path] = [
            semgrep,
            "scan",
            "--metrics=off",
            "--disable-version-check",
            "--quiet",
            "--config",
            rules,
            tree,
        ]
        found["semgrep, 3 patterns"] = bench.least(lambda: run(scan))
    if clone:
        cited = sorted({path for path in _cited() if (clone / path).is_file()})
        found[f"git blame, {len(cited)} files"] = _added([["git", "blame", path] for path in cited], clone)
    if downloads:
        options = ("-q", "--no-deps", "--no-cache-dir", "-d", bench.folder)
        found["pip download of vLLM"] = run([sys.executable, "-m", "pip", "download", *options, "vllm==0.31.0"])
    return found


def _ast_grep(program: str, tree: Path) -> list[list[str]]:
    return [[program, "run", "--lang", "python", "--pattern", pattern, str(tree)] for pattern in PATTERNS]


def _rule(number: int, pattern: str) -> dict[str, object]:
    return {"id": f"r{number}", "pattern": pattern, "message": "m", "languages": ["python"], "severity": "INFO"}


def _added(commands: Sequence[Sequence[str | Path]], folder: Path | None = None) -> Cost:
    costs = [run(command, folder) for command in commands]
    return Cost(sum(one.cpu for one in costs), sum(one.wall for one in costs), max(one.memory for one in costs))


def _unpack(bench: Bench, tree: Path) -> None:
    """The Python files of `vllm/v1` and `vllm/config`, where the pack's claims are, as a folder."""
    from auditor.claims import load
    from auditor.sources import Access, sources

    (target,) = (one for one in load(PACK).targets if one.name == "vllm")
    snapshot = sources()["pypi"]().open(target, "0.31.0", Access(bench.folder / "whole"))
    wanted = {path for path in snapshot.files() if path.startswith(("vllm/v1/", "vllm/config/")) and path[-3:] == ".py"}
    snapshot.prefetch(frozenset(wanted))
    for path in wanted:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_bytes(snapshot.read(path))


def _cited() -> set[str]:
    from auditor.claims import load

    return {citation.path for entry in load(PACK).entries["vllm"] for citation in entry.claim.citations}


def show(title: str, figures: dict[str, Cost], base: Cost) -> None:
    print(f"\n{title:<28} {'CPU s':>8} {'ratio':>8} {'wall s':>8} {'MB':>6}")
    for name, cost in figures.items():
        ratio = cost.cpu / base.cpu
        print(f"{name:<28} {cost.cpu:8.2f} {ratio:8.2f} {cost.wall:8.2f} {cost.memory / 1e6:6.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clone", type=Path, help="a clone of vLLM, for git blame")
    parser.add_argument("--download", action="store_true", help="measure a whole download, too")
    parser.add_argument(
        "--most", type=int, default=1_000, help="claims of the largest pack; a file of claims may have 4 MiB"
    )
    parser.add_argument("--times", type=int, default=3, help="how often each figure is measured; the least is shown")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.times)
        bench.fetch()
        figures = audits(bench)
        base = figures["verify, all results kept"]
        show("audits (ratio to all kept)", figures, base)
        show("other tools", rivals(bench, options.clone, downloads=options.download), base)
        grown = growth(bench, options.most)
        show("growth (ratio to the first)", grown, next(iter(grown.values())))


if __name__ == "__main__":
    main()
