"""Nothing outside the book names a chapter, a game, a wager, a paytable, a reading or a row: those are declarations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier import book
from croupier.book.common import ADDED_ROWS
from croupier.law.fact import Named
from croupier.law.paytable import Envy, Paytable
from croupier.law.procedure import Definition
from croupier.law.ranking import Ranking
from croupier.law.reading import Reading
from croupier.law.settlement import Settlement
from croupier.law.wager import Wager

SOURCE = Path(croupier.__file__).parent
APART = {"book", "examples"}  # the chapters, and example rounds
FILES = sorted(file for file in SOURCE.rglob("*.py") if file.relative_to(SOURCE).parts[0] not in APART)


def names() -> set[str]:
    """The names of games, wagers, bonuses and tables in the chapters of the book."""
    found = set[str]()
    for chapter in book.chapters():
        found |= {chapter.number, chapter.title, chapter.slug}
        for rule in chapter.rules:
            if isinstance(rule, Wager | Paytable | Envy):
                found |= {rule.name, rule.name.removesuffix(" Wager")}
            elif isinstance(rule, Definition):
                found.add(rule.term)
            elif isinstance(rule, Settlement):
                found |= {fact.name.partition(" ")[2] for fact in rule.asks if isinstance(fact, Named)}
    return {name for name in found if re.search(r"[A-Z].* |\d|-", name)} | keys()


def keys() -> set[str]:
    """The names of a system's draws and of rows that a submission may add."""
    settlements = (rule for chapter in book.chapters() for rule in chapter.rules if isinstance(rule, Settlement))
    return {ADDED_ROWS, *(fact.key for settlement in settlements for fact in settlement.drawn.values())}


def words() -> set[str]:
    """Short names of wagers and readings, and names of rows. Alone, one of these compares a name; in a sentence it is English."""
    found = set[str]()
    for rule in (rule for chapter in book.chapters() for rule in chapter.rules):
        if isinstance(rule, Reading) and " " in rule.name:
            found.add(rule.name)
        elif isinstance(rule, Wager):
            found.add(rule.name.removesuffix(" Wager"))
        elif isinstance(rule, Ranking):
            found |= {hand.name for hand in rule.hands}
        elif isinstance(rule, Paytable):
            found |= {*rule.rows}
    return found - {"Bonus"}  # also a plain word, as a column heading


def strings(file: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module, without its docstrings."""
    tree = ast.parse(file.read_text())
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body
        if isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.lineno, node.value


NAMES, WORDS = names(), words()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_name_of_a_chapter_is_outside_the_book(file: Path) -> None:
    found = [f"line {line}: {text!r}" for line, text in strings(file) if text in WORDS or any(name in text for name in NAMES)]
    assert found == []
