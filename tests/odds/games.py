"""The games that the odds are proved for: the chapters of the book, and the examples outside it."""

from __future__ import annotations

from pathlib import Path

from croupier import book
from croupier.book.outside import read_chapter
from croupier.law.chapter import Chapter, Rules

_FOLDER = Path(__file__).parents[2] / "examples" / "chapters"
EXAMPLES = {"C4": _FOLDER / "crazy_4_poker.py", "MS": _FOLDER / "mississippi_stud.py"}
GAMES = (*book.MODULES, *EXAMPLES)


def chapter_of(game: str) -> Chapter:
    """A chapter of the book or an example, which other tests and the servers that they start do not hear of."""
    return read_chapter(EXAMPLES[game]) if game in EXAMPLES else book.find(game)


def rules_of(game: str) -> Rules:
    return chapter_of(game).edition()
