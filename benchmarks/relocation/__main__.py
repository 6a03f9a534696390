"""Measure relocation.

python -m benchmarks.relocation pairs TARGET DIR DIR... [--pack DIR] [--long]
python -m benchmarks.relocation history TARGET REPOSITORY OLD NEW [--pack DIR] [--long]
"""

import argparse
import gc
from pathlib import Path

from auditor import claims
from benchmarks.relocation import history, pairs

PACK = Path(__file__).parent.parent.parent / "anchors" / "l1-kv-pool"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="what")
    between = commands.add_parser("pairs", help="every citation between every two of some unpacked releases")
    between.add_argument("target")
    between.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    over = commands.add_parser("history", help="200 other definitions between two commits, against git and line hashes")
    over.add_argument("target")
    over.add_argument("repository", type=Path)
    over.add_argument("old")
    over.add_argument("new")
    for command in (between, over):
        command.add_argument("--pack", type=Path, default=PACK, help="a folder with a pack.yaml")
        command.add_argument("--long", action="store_true", help="print all that is not right")
    given = parser.parse_args()
    gc.disable()
    pack = claims.load(given.pack)
    target = next(target for target in pack.targets if target.name == given.target)
    if given.what == "pairs":
        pairs.report(target, given.folders, pack, is_long=given.long)
    else:
        history.report(target, given.repository, given.old, given.new, pack, is_long=given.long)


if __name__ == "__main__":
    main()
