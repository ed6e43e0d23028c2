"""The cost of a time limit for a player who never answers: compared with hand counts and a slow count of every deal of a small deck."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from croupier import book
from croupier.cards import cards
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.template import example_choices
from croupier.law.fact import DEALER, PLAYER, Position
from croupier.odds.analysis import Analysis, OddsEntry
from croupier.odds.names import EntryRole
from croupier.odds.prices import Prices
from croupier.odds.solvers import hand_setting
from tests.odds.lines import priced

FIVES = 2_598_960


def filed(game: str, seconds: int = 20, **readings: str) -> Offer:
    raw = example_choices(book.find(game).edition())
    named = {name.replace("_", " "): alternative for name, alternative in readings.items()}
    return check(raw | {"decisions": {"seconds": seconds}, "readings": raw["readings"] | named}).offer_or_refuse()


def silent(offer: Offer, wager: str) -> list[OddsEntry]:
    """The prices of never answering, with the filed reading first."""
    analysis = Analysis(offer.rules, offer)
    settlement = next(each for each in offer.rules.settlements if wager in (each.wager.name, each.wager.group))
    return analysis._unanswered_entries(settlement)


# 643a.12(a) A, from the textbook counts of five-card hands: 422,400 pairs of tens or better, 1,978,380 hands that lose
BET = Fraction(
    1_978_380 - (4 * 1000 + 36 * 200 + 624 * 50 + 3744 * 11 + 5108 * 8 + 10_200 * 5 + 54_912 * 3 + 123_552 * 2 + 422_400), FIVES
)
# 649a.12(h)(1), the meter at its seed of $10,000 for $1
FIVE_CARD = 1 - Fraction(4 * 10_000 + 36 * 1_000 + 624 * 300 + 3744 * 50 + 5108 * 40 + 10_200 * 30 + 54_912 * 9, FIVES)


def test_643a_bets_that_ride_lose_three_times_what_the_third_bet_alone_loses() -> None:
    rides, withdrawn = silent(filed("643a"), "Let It Ride Poker Wager")
    assert (rides.edge, rides.readings) == (3 * BET, {})
    assert (withdrawn.edge, withdrawn.readings) == (BET, {"time runs out": "withdrawn"})
    assert rides.risk == withdrawn.risk == BET  # as a share of all money that stays at risk
    other, first = silent(filed("643a", time_runs_out="withdrawn"), "Let It Ride Poker Wager")
    assert (other.edge, first.edge) == (BET, 3 * BET)


def test_649a_the_ante_is_lost_and_the_pair_plus_keeps_its_price_or_is_lost_with_it() -> None:
    assert [each.edge for each in silent(filed("649a"), "Ante Wager")] == [1]
    assert [(each.edge, each.readings) for each in silent(filed("649a"), "Pair Plus Wager")] == [
        (1, {"time runs out": "as a fold"})
    ]
    own, lost = silent(filed("649a", time_runs_out="as a fold"), "Pair Plus Wager")[::-1]
    assert (lost.edge, own.readings) == (1, {})
    assert Fraction(0) < own.edge < Fraction(1, 10)


def test_649a_a_player_who_waits_instead_of_folding_keeps_the_five_card_progressive() -> None:
    """Cheaper than with best play, which folds hands that two more cards could have made."""
    offer = filed("649a")
    kept, lost = silent(offer, "Five-Card Progressive Payout Wager")
    assert (kept.edge, lost.edge) == (FIVE_CARD, 1)
    analysis = Analysis(offer.rules, offer)
    settlement = next(each for each in offer.rules.settlements if each.wager.name == "Five-Card Progressive Payout Wager")
    assert analysis._side(settlement, {}, 100, {}).edge > kept.edge


@pytest.mark.thorough
def test_641a_a_fold_by_the_clock_costs_the_progressive_only_where_silence_is_a_fold() -> None:
    assert [each.edge for each in silent(filed("641a"), "Ante Wager")] == [1]
    (folded,) = silent(filed("641a"), "Progressive Payout Wager")
    assert (folded.edge, folded.readings) == (1, {"time runs out": "as a fold"})


@pytest.mark.parametrize("game", ["653a", "679a", "682a"])
def test_where_the_text_leaves_no_doubt_silence_has_no_separate_price(game: str) -> None:
    offer = filed(game)
    assert [
        each for settlement in offer.rules.settlements for each in Analysis(offer.rules, offer)._unanswered_entries(settlement)
    ] == []


@pytest.mark.parametrize("read_as", ["highest point count", "lowest point count"])
def test_680a_an_unset_hand_of_every_deal_of_a_small_deck(read_as: str) -> None:
    """Every five cards against every five of the others, settled one by one by the chapter."""
    offer = filed("680a", time_runs_out=read_as)
    deck = cards("Jk As 3d 4h 5c 6s 8d 9h Tc Kd")
    total = deals = 0
    for mine in combinations(deck, 5):
        for theirs in combinations([card for card in deck if card not in mine], 5):
            position = Position({PLAYER: mine, DEALER: theirs})
            total += sum(paid.net for paid in priced(offer, position, {"Ante Wager": 200}))
            deals += 1
    assert hand_setting.solve(offer, deck, is_set=False).outcomes.mean() == Fraction(total, 200 * deals)


@pytest.mark.parametrize("game", ["643a", "649a", "680a"])
def test_without_a_time_limit_silence_has_no_price(game: str) -> None:
    offer = filed(game, seconds=0)
    entries = Analysis(offer.rules, replace(offer, wagers=frozenset())).entries()
    assert not any(entry.role is EntryRole.UNANSWERED for entry in entries)


def test_a_wager_that_silence_does_not_touch_keeps_its_price() -> None:
    own = {"wager": "Pair Plus Wager", "role": "wager", "readings": {}, "edge": "1/20"}
    folded = {
        "wager": f"Pair Plus Wager, {EntryRole.UNANSWERED}",
        "role": EntryRole.UNANSWERED,
        "readings": {"time runs out": "as a fold"},
        "edge": "1/1",
    }
    found = Prices({"entries": [own, folded]})
    assert found.in_silence(own, {}) is own
    assert found.in_silence(own, {"time runs out": "as a fold"}, {}) is folded
    assert found.others == []
