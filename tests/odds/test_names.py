"""The odds know no game: nothing in their code names a chapter, a game, a wager, a reading or a row."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import croupier.odds
from croupier.law.fact import Named
from croupier.law.ranking import NOTHING, Ranking
from croupier.law.reading import Reading
from croupier.law.wager import Wager
from tests.examples import GAMES, rules_of

SOURCES = sorted(Path(croupier.odds.__file__).parent.rglob("*.py"))
WORDS = {
    "fold",
    "dealer",
    "player",
    "meter",
    "rank",
    "always",
}  # from the vocabulary, a report or numba, even if a chapter uses them as names


def names() -> set[str]:
    """Everything the chapters name."""
    found = set[str]()
    for rules in map(rules_of, GAMES):
        found |= {rules.number, rules.title, rules.chapter.slug}
        found |= {wager.name for wager in rules.of(Wager)} | {wager.group for wager in rules.of(Wager)}
        found |= {name for reading in rules.of(Reading) for name in (reading.name, *reading.alternatives)}
        found |= {row for ranking in rules.of(Ranking) for row in (ranking.name, *ranking.rows)}
        found |= {fact.name for each in rules.settlements for fact in each.asks if isinstance(fact, Named)}
        found |= {choice.word for decision in rules.decisions for choice in decision.choices}
    return found - {"", NOTHING} - WORDS


def literals(source: Path) -> Iterator[tuple[str, int]]:
    """The strings of a module, without docstrings."""
    tree = ast.parse(source.read_text())
    said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said:
            yield node.value, node.lineno


def test_no_string_in_the_odds_is_a_name_that_a_chapter_gives() -> None:
    known = names()
    assert {"649a", "Let It Ride Poker", "Ante Wager", "Straight flush", "time runs out", "any outcome", "ride"} <= known
    found = [f"{file.name}:{line}: {text}" for file in SOURCES for text, line in literals(file) if text in known]
    assert not found
    numbers = {rules_of(game).number for game in GAMES}
    assert not [f"{file.name}:{line}: {text}" for file in SOURCES for text, line in literals(file) if numbers & {*text.split()}]
