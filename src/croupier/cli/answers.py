"""Shared output of the commands: JSON for programs, one sentence instead of a traceback for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from croupier.law.cite import Refusal

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _open_books(files: list[Path] | None) -> list[Path] | None:
    """Read the chapter files before the command looks for a game."""
    from croupier import book

    with for_people():
        for file in files or ():
            book.find(file)
    return files


Books = Annotated[
    list[Path] | None,
    typer.Option(
        "--book",
        metavar="FILE",
        help="A chapter file outside the book. It is code, and runs: name only files that you trust. May be repeated.",
        callback=_open_books,
        is_eager=True,
    ),
]

SigningKey = Annotated[
    str,
    typer.Option(
        help="The key that signs: a path, env:NAME or command:...; by default a file beside the ledger.",
        envvar="CROUPIER_SIGNING_KEY",
    ),
]

WitnessAt = Annotated[
    str,
    typer.Option("--witness", help="Who is given each checkpoint: a path, command:... or https://...", envvar="CROUPIER_WITNESS"),
]


@contextmanager
def for_people() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        stop(str(refusal))


@contextmanager
def patience() -> Iterator[None]:
    """Announce the first compilation, show progress, and exit quietly on Ctrl-C."""
    from croupier.odds.report import is_compiled

    if not is_compiled():
        print("Compiling the counting code. This happens only once.", file=sys.stderr)
    from croupier.cli.draw_odds import progress

    try:
        with progress():
            yield
    except KeyboardInterrupt:
        stop("Stopped. Nothing was saved.")


def stop(sentence: str, code: int = 2) -> NoReturn:
    print(sentence, file=sys.stderr)
    raise typer.Exit(code)


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))
