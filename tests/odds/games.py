"""The games for which the odds are proved: the chapters of the book, and the examples outside it."""

from __future__ import annotations

from pathlib import Path

from croupier import book
from croupier.book.chapter_file import read_chapter
from croupier.law.chapter import Chapter, Rules

_FOLDER = Path(__file__).parents[2] / "examples" / "chapters"
EXAMPLES = {"C4": _FOLDER / "crazy_4_poker.py", "MS": _FOLDER / "mississippi_stud.py"}
GAMES = (*book.MODULES, *EXAMPLES)


def chapter_of(game: str) -> Chapter:
    """A chapter of the book or an example. It is not registered for other tests or the servers they start."""
    return read_chapter(EXAMPLES[game]) if game in EXAMPLES else book.find(game)


def rules_of(game: str) -> Rules:
    return chapter_of(game).edition()
