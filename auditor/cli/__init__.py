"""The command line: the only place that prints, exits or knows click. The commands are in `commands/`."""

import importlib
import io
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from auditor import __version__
from auditor.cli import streams
from auditor.errors import AuditError
from auditor.limits import MEMORY_BYTES

EXIT_CODES = """\b
Exit status:
  0    every claim is as recorded
  1    a claim fails or cannot be decided, an accepted one comes out otherwise
       than was accepted, or a citation is lost
  2    it could not run: bad pack, nothing to audit, a target that cannot be
       read (what could be read of the others is still reported)
  3    a bug in kvaudit
  130  interrupted
"""


_FOLDER = Path(__file__).with_name("commands")


class Commands(click.Group):
    """The modules of `commands/`, each with a `command`.

    The first line of a module is its command's short help, so that `kvaudit --help` needs to import none of them.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # click's signature
        return sorted(path.stem for path in _FOLDER.glob("[a-z]*.py"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _short_help(name)) for name in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"{__name__}.commands.{cmd_name}").command
        return command


def _short_help(name: str) -> str:
    with (_FOLDER / f"{name}.py").open(encoding="utf-8") as file:
        return file.readline().strip().strip('"')


@click.command(
    cls=Commands,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "KVAUDIT"},
)
@click.version_option(__version__, "-V", "--version", prog_name="kvaudit", message="%(prog)s %(version)s")
def main() -> None:
    """Audit claims about source code against the code itself, without running it."""


def run(args: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    streams.occupy()
    status = _status(args)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError) as error:
            streams.silence(stream)
            if stream is sys.stdout and not isinstance(error, BrokenPipeError):
                streams.say(f"kvaudit: stdout cannot be written: {error}")
                status = status or 2
    return status


def _status(args: list[str] | None) -> int:
    try:
        if args is None:
            _bound_memory()
        status: Any = main.main(args, prog_name="kvaudit", standalone_mode=False)
    except AuditError as error:
        for line in str(error).splitlines():
            streams.say(f"kvaudit: {line}")
        return 2
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        streams.say(shown.getvalue().rstrip("\n"))
        return 2
    except (click.Abort, KeyboardInterrupt):
        streams.say("kvaudit: interrupted")
        return 130
    except SystemExit:  # click's answer to a reader of help that has gone, as `head` does when it has had enough
        return 0
    except (OSError, UnicodeError, RecursionError, MemoryError) as error:
        # What is left to fail so is asked of the system with a name or a text that a person, or a file, has given.
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error) or "out of memory"
        streams.say(f"kvaudit: this cannot be done: {reason[:_LONGEST]}")
        return 2
    except Exception:
        import traceback

        streams.say(traceback.format_exc().rstrip("\n"))
        streams.say("kvaudit: this is a bug in kvaudit; please report it with the lines above")
        return 3
    return status if isinstance(status, int) else 0


def _bound_memory() -> None:
    """Have an allocation fail, which costs one claim, before the machine has no memory left, which costs them all."""
    try:
        import resource
    except ImportError:  # there is no such thing on this system
        return
    most, (_, hard) = MEMORY_BYTES.value, resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(ValueError, OSError):  # a stricter limit is set already
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


_LONGEST = 300  # characters of what the system says, which repeats the name it was given
