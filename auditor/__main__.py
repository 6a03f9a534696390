"""`python -m auditor` and the `kvaudit` command."""

import sys


def main() -> None:
    from auditor.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
