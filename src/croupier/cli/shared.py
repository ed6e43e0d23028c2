"""Shared by the commands: common options, input files, JSON for programs, one sentence instead of a traceback for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from croupier import book
from croupier.cli.display import bar
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.submission import MOST_BYTES, NotToml, read_toml
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.odds import progress, report

#: The groups of commands in the help.
BOOK, FILINGS, ODDS, FLOOR, LEDGER = "The book", "Filings", "Odds", "The floor", "The ledger"

Game = Annotated[
    str, typer.Argument(help="A chapter number or a game's name, as `croupier games` lists them, or a chapter file (./game.py).")
]
InEdition = Annotated[str, typer.Option("--edition", help="The edition's date. By default the newest.")]
TomlFile = Annotated[Path, typer.Argument(help="A TOML file, or - for standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _open_books(files: list[Path] | None) -> list[Path] | None:
    """Read the chapter files before the command looks for a game."""
    for file in files or ():
        book.find(file)
    return files


Books = Annotated[
    list[Path] | None,
    typer.Option(
        "--book",
        metavar="FILE",
        help="A chapter file outside the book. Croupier runs it as code, so name only files you trust. Can be repeated.",
        callback=_open_books,
        is_eager=True,
    ),
]

SigningKey = Annotated[
    str,
    typer.Option(
        help="The key that signs: a path, env:NAME or command:... (default: a file next to the ledger).",
        envvar="CROUPIER_SIGNING_KEY",
    ),
]

WitnessAt = Annotated[
    str,
    typer.Option("--witness", help="Where to send each checkpoint: a path, command:... or https://...", envvar="CROUPIER_WITNESS"),
]


@contextmanager
def progress_shown() -> Iterator[None]:
    """Announce the first compilation and long counts, show progress, and exit quietly on Ctrl-C."""

    def announce(what: str) -> None:
        print(f"{what[0].upper()}{what[1:]}.", file=sys.stderr)

    if not report.is_compiled():
        announce("compiling the counting code. This happens only once")
    with bar("counting") as watch:
        progress.PROGRESS_CALLBACKS.append(watch)
        progress.ANNOUNCE_CALLBACKS.append(announce)
        try:
            yield
        except KeyboardInterrupt:
            stop("Stopped. Nothing was saved.")
        finally:
            progress.PROGRESS_CALLBACKS.remove(watch)
            progress.ANNOUNCE_CALLBACKS.remove(announce)


def stop(sentence: str, code: int = 2) -> NoReturn:
    print(sentence, file=sys.stderr)
    raise typer.Exit(code)


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def rules_of(game: str, edition: str = "") -> Rules:
    """The rules of an edition of a game, as typed on the command line."""
    return book.find(book.path_or_name(game)).edition(edition)


def read_file(file: Path) -> dict[str, Any]:
    """Read a TOML file or standard input; if it cannot be read, print one sentence and exit with 2."""
    try:
        with nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        return read_toml(data.decode(errors="strict" if len(data) <= MOST_BYTES else "replace"))
    except OSError as problem:
        stop(f"{file} cannot be read: {problem.strerror}.")
    except NotToml as problem:
        stop(f"{file} {problem}.")
    except UnicodeDecodeError:
        stop(f"{file} is not a text file.")


def filed_offer(submission: Path, game: str = "GAME") -> Offer:
    """The Offer of a Rules Submission. `game` names the example that an error suggests starting from."""
    if not (raw := read_file(submission)):
        stop(f"{submission} is empty; `croupier new {game}` writes a Rules Submission to start from.")
    try:
        return check(raw).offer_or_refuse()
    except Refusal as refusal:
        raise refusal.at("the submission") from None
