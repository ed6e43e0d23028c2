"""The command line: all commands, and errors as sentences."""

from __future__ import annotations

import gc
import io
import re
import sys
from collections import Counter
from importlib.metadata import requires
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from croupier import __version__
from croupier.cli import (
    book_commands,
    filing_commands,
    floor_commands,
    ledger_commands,
    odds_commands,
    report_command,
    restore_command,
    serve_command,
    shuffle_commands,
)
from croupier.law.cite import Refusal
from croupier.ledger import NotRecorded, Unknown, Unreadable

#: The class in whichever click typer uses.
UsageError: type[Exception] = typer.BadParameter.mro()[1]

EXTRA = re.compile(r"([\w-]+).*extra == .(\w+).")  # a requirement and its extra, in the metadata of a package


class Commands(TyperGroup):
    """A wrong option, a refusal, a ledger that cannot be used or a missing extra prints one sentence and exits with 2."""

    def main(self, *args: Any, **extra: Any) -> Any:
        alone = extra.get("standalone_mode", True)
        try:
            done = super().main(*args, **{**extra, "standalone_mode": False})
        except UsageError as wrong:
            sentence = wrong.format_message().strip().rstrip(".")  # type: ignore[attr-defined]
            _stop(f"{sentence}; see --help." if sentence else "")  # without a command there is none: the help has been printed
        except (Refusal, NotRecorded, Unknown, Unreadable) as problem:
            _stop(str(problem))
        except ModuleNotFoundError as missing:
            if not (extra_name := _extra_of(missing.name or "")):
                raise
            _stop(f"This command needs {missing.name}. Install it with: pip install 'croupier[{extra_name}]'")
        if alone:
            sys.exit(done if isinstance(done, int) else 0)
        return done


def _stop(sentence: str) -> NoReturn:
    if sentence:
        print(sentence, file=sys.stderr)
    sys.exit(2)


def _extra_of(module: str) -> str | None:
    """The smallest extra of this package that installs a module."""
    needs = [(found[1].replace("-", "_"), found[2]) for line in requires("croupier") or () if (found := EXTRA.match(line))]
    sizes = Counter(extra for _, extra in needs)
    having = [extra for name, extra in needs if name.startswith(module.partition(".")[0].lower())]
    return min(having, key=lambda extra: sizes[extra], default=None)


app = typer.Typer(cls=Commands, no_args_is_help=True)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"croupier {__version__}")
        raise typer.Exit()


@app.callback()
def croupier(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Casino table games by the book: 58 Pa. Code, from a filing to a settled round."""


for each in (
    book_commands, filing_commands, odds_commands, floor_commands, ledger_commands, report_command, shuffle_commands,
    restore_command, serve_command,
):  # fmt: skip
    app.add_typer(each.app)


class CannotWrite(Exception):
    """The output cannot be written; the message says why."""


class Output(io.FileIO):
    """Standard output to a file or a pipe. Once writing has failed, the rest is dropped.

    If a pipe is closed, the command still ends with its own exit code.
    """

    failed = False

    def write(self, data: Any) -> int:
        if self.failed:
            return len(data)
        try:
            return super().write(data)
        except OSError as problem:
            self.failed = True
            if isinstance(problem, BrokenPipeError):
                return len(data)
            raise CannotWrite(problem.strerror) from None


def main() -> None:
    gc.set_threshold(100_000)  # what a command imports stays in memory and need not be scanned
    if sys.stdout and not sys.stdout.isatty():
        buffer = io.BufferedWriter(Output(sys.stdout.fileno(), "wb", closefd=False))
        at_once = bool(sys.stdout.line_buffering or getattr(sys.stdout, "write_through", False))  # as with PYTHONUNBUFFERED
        sys.stdout = io.TextIOWrapper(buffer, sys.stdout.encoding, sys.stdout.errors, line_buffering=at_once)
    try:
        try:
            app()
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except CannotWrite as problem:
        _stop(f"Cannot write the output: {problem}.")
