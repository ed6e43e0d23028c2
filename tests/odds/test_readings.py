"""Readings in the odds: an alternative is listed exactly where it changes the value of a wager."""

from __future__ import annotations

import ast
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from croupier import book, odds
from croupier.cards import JOKER, deck
from croupier.filing.check import check
from croupier.law.chapter import Rules
from croupier.law.fact import PLAYER, Position
from croupier.law.paytable import Paytable
from croupier.law.ranking import NOTHING, Ranking
from croupier.money import percent
from croupier.odds import analyze
from croupier.odds.names import EntryRole
from croupier.odds.return_warnings import cautions
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.solution import named_asked
from tests.golden import odds as golden

EDITIONS = golden.editions()
HAND_BONUS = "Five Card Hand Bonus Wager"
FIGURES = ("edge", "risk_percent", "hit_frequency", "combinations", "meter")


def kept(game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(golden.path(book.find(game).edition()).read_text())["entries"]
    return found


def of(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry["wager"], entry.get("on"), tuple(entry["paytables"].items()), entry["readings"].get("form")


@pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: f"{rules.number}-{rules.edition}")
def test_no_alternative_is_printed_that_changes_nothing(rules: Rules) -> None:
    """A wager that silence does not affect has no separate entry for silence, under any letter."""
    entries = json.loads(golden.path(rules).read_text())["entries"]
    chosen = {of(entry): figures(entry) for entry in entries if not entry["readings"].keys() - {"form"}}
    for entry in entries:
        if entry["readings"].keys() - {"form"}:
            own = (entry["wager"].removesuffix(f", {EntryRole.UNANSWERED}"), entry.get("on"))
            beside = [chosen[of(entry)]] if of(entry) in chosen else [each for key, each in chosen.items() if key[:2] == own]
            assert beside, entry
            assert figures(entry) not in beside, entry


def figures(entry: dict[str, Any]) -> list[Any]:
    return [entry[figure] for figure in FIGURES]


def test_649a_the_super_royal_stake_matters_on_table_e_alone() -> None:
    letters = {e["paytables"]["Six Card Bonus Wager"] for e in kept("649a") if "super royal stake" in e["readings"]}
    assert letters == {"E"}


def test_649a_a_stake_is_returned_with_a_draw_only_where_the_hand_itself_is_not_paid() -> None:
    """A lucky seat at a table of seven and the dealer: 5 for 1, plus the stake with all hands but the 9,516 that are paid."""
    edges = {e["wager"]: Fraction(e["edge"]) for e in kept("649a") if e["readings"] == {"magic and lucky stake": "goes back"}}
    unpaid = Fraction(2_598_960 - 9_516, 2_598_960)
    assert edges == {
        "Five Card Hand Bonus Wager, magic card with the player": -(20 + unpaid) * 5 / 52,
        "Five Card Hand Bonus Wager, magic card with the dealer": -(20 + unpaid) * 5 / 52,
        "Five Card Hand Bonus Wager, lucky seat": -(5 + unpaid) / 8,
        "Five Card Hand Bonus Wager, lucky dealer": -(5 + unpaid) / 8,
    }


def test_649a_1_the_lucky_position_costs_the_same_at_every_table_unless_only_wagers_are_drawn() -> None:
    """5 for 1 on one position of seven and the dealer. Where only wagers count, there are just a lone player and the dealer."""
    seats = [e for e in kept("649a") if e["wager"] in (f"{HAND_BONUS}, lucky seat", f"{HAND_BONUS}, lucky dealer")]
    assert {(tuple(e["readings"].items()), e["edge"]) for e in seats if "magic and lucky stake" not in e["readings"]} == {
        ((), "-5/8"),
        ((("lucky position", "with a wager"),), "-5/2"),
    }


def test_653a_envy_by_the_flop_is_the_envy_of_five_cards() -> None:
    """649a has the same schedule for five cards."""
    by_flop = next(e for e in kept("653a") if e["wager"].startswith("Envy") and e["readings"])
    of_five = next(e for e in kept("649a") if e["wager"].startswith("Five-Card Envy"))
    assert by_flop["readings"] == {"progressive hand": "hole cards and flop"}
    assert by_flop["edge"] == of_five["edge"]


def test_a_filed_reading_comes_first_and_the_chosen_one_next_to_it() -> None:
    rules = book.find("680a").edition()
    readings = {"two pair": "9 to 1", "unqualified setting": "accepted"}
    offer = check({"wagers": ["Bonus Wager"], "readings": readings}, rules=rules, case=True).offer_or_refuse()
    bonus = [entry.readings for entry in analyze(offer) if entry.wager == "Bonus Wager"]
    assert bonus == [{"two pair": "9 to 1"}, {}]


def test_649a_cautions_count_draws_by_the_filed_reading() -> None:
    """With a magic card that matches by rank, drawn each round, the wager returns several times what it takes."""
    rules = book.find("649a").edition()
    raw = {"wagers": ["Five Card Hand Bonus Wager"], "readings": {"magic card": "rank"}, "system": {"magic_card": 1, "lucky": 5}}
    offer = check(raw, rules=rules, case=True).offer_or_refuse()
    found = {each.about: each.found for each in cautions(offer)}
    returns = 1 - Fraction(5647, 9282) + Fraction(73888, 10829) + Fraction(5, 8) / 5
    assert percent(returns) in found["Five Card Hand Bonus Wager: player"]


def test_680a_cards_of_the_same_values_are_alike() -> None:
    """Where the solver treats cards as one kind, the chapter's own fact cannot tell them apart, in any position."""
    from croupier.odds.solvers.hand_setting import hands_of

    rules = book.find("680a").edition()
    mine = named_asked(main_settlement(rules))[0]
    alike = hands_of(rules).kinds
    assert sorted(card for cards in alike for card in cards) == sorted(deck(1))
    assert (JOKER,) in alike
    fives = list(combinations((cards[0] for cards in alike), 5))
    for five in fives[::20]:
        others = tuple(next(cards[-1] for cards in alike if held in cards) for held in five)
        assert mine.of(Position({PLAYER: five})) == mine.of(Position({PLAYER: others}))


def test_nothing_of_a_chapter_is_written_in_the_odds() -> None:
    """No name of a reading, an alternative, a row, a wager or a paytable appears in the odds, and no chapter is imported."""
    names = set()
    for rules in EDITIONS:
        names |= {*rules.readings, *(name for reading in rules.readings.values() for name in reading.alternatives)}
        names |= {row for ranking in rules.of(Ranking) for row in ranking.rows} - {NOTHING}
        names |= {wager.name for wager in rules.wagers.values()} | {table.name for table in rules.of(Paytable)}
    names -= {"meter", "rank", "always"}  # a key of the report, an attribute of a card, a word of the compiler
    for path in Path(odds.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text())
        written = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        assert not written & names, path.name
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not [module for module in imported if module and module.startswith("croupier.book")], path.name
