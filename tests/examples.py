"""The example chapters, and the variants of them that tests write."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

import pytest

from croupier import book
from croupier.book.chapter_file import read_chapter
from croupier.cli import book_commands
from croupier.law.chapter import Chapter, Rules
from croupier.law.fact import DEALER
from croupier.law.problems import dealt
from croupier.law.procedure import Dealing

FOLDER = Path(__file__).parents[1] / "examples" / "chapters"
FILES = sorted(FOLDER.glob("*.py"))
NAMED = os.pathsep.join(map(str, FILES))  # as the value of `book.FILES_VARIABLE`
MISSISSIPPI_STUD = FOLDER / "mississippi_stud.py"
#: Mississippi Stud with its community cards dealt street by street instead of turned.
DEALT_LATER = {
    "Deal(3, COMMUNITY)": "",
    "    Deal(2, COMMUNITY),  # two stacks of two: the last card goes unseen\n    Deal(1, COMMUNITY),\n    Deal(1, RACK),\n": "",
    "Act.TURN, cards=1": "Act.DEAL, cards=1",
}
#: Mississippi Stud where only a pair in the hand may bet more than once the ante.
ONLY_WITH_A_PAIR = {
    '# § 7  Wagers': 'TWO_CARDS = chapter.ranking("Two cards", cite="6(c)", size=2, hands=[Hand("Pair", poker.of_a_kind(2))])\n# § 7  Wagers',
    "1, 2, 3, cite=clause, goes_on=not last)": '1, cite=clause, goes_on=not last),\n        '
    '*multiples("bet", wager, 2, 3, cite=clause, goes_on=not last, holding=(TWO_CARDS, "Pair"))',
}  # fmt: skip


def chapters() -> tuple[Chapter, ...]:
    """The chapters of the book and the examples. The tests of every chapter run on all of them."""
    return (*book.chapters(), *map(read_chapter, FILES))


#: The numbers of these chapters.
GAMES = tuple(chapter.number for chapter in chapters())


def chapter_of(game: str) -> Chapter:
    """A chapter of the book or an example, whether or not a test has named its file."""
    return next(chapter for chapter in chapters() if chapter.number == game)


def rules_of(game: str) -> Rules:
    return chapter_of(game).edition()


#: Chapters in which the dealer has a hand.
WITH_A_DEALERS_HAND = tuple(game for game in GAMES if dealt(rules_of(game).of(Dealing)[0].script)[DEALER])


def thorough(cases: Iterable[Any], *, unless: Container[Any]) -> list[Any]:
    """Cases of a parametrized test. `make test` tries those in `unless`; CI and `make nightly` try all."""
    return [case if case in unless else pytest.param(case, marks=pytest.mark.thorough) for case in cases]


#: For tests that take about a second for each game: `make test` tries meters and an envy, a board, and hands that are set.
some_games = pytest.mark.parametrize("game", thorough(GAMES, unless=("649a", "653a", "680a")))


@pytest.fixture(autouse=True)
def _with_the_examples(_no_chapter_outside_the_book: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder or module that imports this, the example chapters are named, as with `--book`."""
    monkeypatch.setenv(book.FILES_VARIABLE, NAMED)


def editions() -> list[Rules]:
    return [chapter.edition(edition.name) for chapter in chapters() for edition in chapter.editions]


def variant(folder: Path, number: str, title: str, changes: dict[str, str]) -> Chapter:
    """The chapter of a changed copy of Mississippi Stud."""
    text = MISSISSIPPI_STUD.read_text()
    for old, new in {'"MS", "Mississippi Stud"': f'"{number}", "{title}"', **changes}.items():
        assert old in text, old
        text = text.replace(old, new)
    file = folder / f"{number.lower()}.py"
    file.write_text(text)
    return book.find(file)


def mississippi_stud() -> Rules:
    return book.find(MISSISSIPPI_STUD).edition()


def started(folder: Path) -> Path:
    """The starter chapter file that `croupier chapter new` writes."""
    file = folder / "river_poker.py"
    if not file.exists():
        book_commands.new("River Poker", file)
    return file
