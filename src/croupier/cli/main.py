"""The command line: every command reads its input, asks the library and prints, with errors as sentences."""

from __future__ import annotations

import gc
from typing import Annotated

import typer

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
from croupier.cli.group import Commands

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


def main() -> None:
    gc.set_threshold(100_000)  # what a command imports stays, and need not be looked through for garbage
    app()
