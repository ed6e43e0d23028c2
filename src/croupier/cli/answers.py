"""How the commands answer: data for machines, and one sentence instead of a traceback."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn

import typer

from croupier.law.cite import Refusal

AsJson = Annotated[bool, typer.Option("--json", help="Plain data for machines.")]

SigningKey = Annotated[
    str,
    typer.Option(
        help="The key that signs: a path, env:NAME or command:...; by default a file beside the ledger.",
        envvar="CROUPIER_SIGNING_KEY",
    ),
]


@contextmanager
def for_people() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        stop(str(refusal))


def stop(sentence: str, code: int = 2) -> NoReturn:
    print(sentence, file=sys.stderr)
    raise typer.Exit(code)


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))
