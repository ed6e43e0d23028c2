"""The dealing scripts, card by card in the code's order."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.law.procedure import RACK, Dealing, Delivery, Method, deliveries
from tests.book.desk import rules
from tests.examples import editions

ALL = editions()


def dealt(game: str, method: Method, seats: dict[int, set[str]], edition: str = "") -> list[Delivery]:
    dealing = next(each for each in rules(game, edition).of(Dealing) if each.method is method)
    return list(deliveries(dealing.script, {seat: frozenset(keys) for seat, keys in seats.items()}))


def order(cards: list[Delivery]) -> str:
    """P3 is a card to seat 3, D the dealer, C the community, F3 the fourth card of seat 3, x the rack. ^ marks a face-up card."""
    names = {PLAYER: "P", DEALER: "D", COMMUNITY: "C", FOURTH: "F", RACK: "x"}
    return " ".join(f"{names[c.to]}{c.seat or ''}{'^' if c.up else ''}" for c in cards)


ANTE = {1: {"Ante Wager"}, 4: {"Ante Wager"}}


@pytest.mark.parametrize("method", [Method.MANUAL_SHOE, Method.HAND])
def test_649a_8_d_and_9_b_one_card_at_a_time_from_the_dealers_left(method: Method) -> None:
    assert order(dealt("649a", method, ANTE)) == "P1 P4 D P1 P4 D P1 P4 D"


def test_649a_10_b_stacks_of_three() -> None:
    assert order(dealt("649a", Method.AUTOMATED_SHOE, ANTE)) == "P1 P1 P1 P4 P4 P4 D D D"


@pytest.mark.parametrize(
    "wager", ["Five-Card Progressive Payout Wager", "Five Card Hand Bonus Wager: dealer", "Five Card Hand Bonus Wager: player"]
)
@pytest.mark.parametrize("method", [Method.MANUAL_SHOE, Method.HAND, Method.AUTOMATED_SHOE])
def test_649a_two_community_cards_only_for_the_wagers_that_need_them(wager: str, method: Method) -> None:
    assert order(dealt("649a", method, {2: {"Ante Wager", wager}})).endswith(" C C")
    assert "C" not in order(dealt("649a", method, {2: {"Ante Wager", "Six Card Bonus Wager"}}))


def test_641a_8_d_the_dealers_fifth_and_sixth_cards_follow_each_other_the_last_face_up() -> None:
    assert order(dealt("641a", Method.MANUAL_SHOE, {1: {"Ante Wager"}})) == "P1 D P1 D P1 D P1 D P1 D D^"


def test_641a_10_b_the_up_card_is_the_bottom_card_of_a_second_stack() -> None:
    assert order(dealt("641a", Method.AUTOMATED_SHOE, {1: {"Ante Wager"}})) == "P1 P1 P1 P1 P1 D D D D D x x x x D^"


def test_643a_8_d_players_and_community_in_turn() -> None:
    bets = {2: {"Bet Number 1"}, 3: {"Bet Number 1"}}
    cards = dealt("643a", Method.MANUAL_SHOE, bets)
    assert order(cards) == "P2 P3 C P2 P3 C P2 P3"
    assert [card.slot for card in cards if card.to is COMMUNITY] == [1, 2]


def test_643a_10_b_the_left_of_three_community_cards_is_discarded() -> None:
    cards = dealt("643a", Method.AUTOMATED_SHOE, {2: {"Bet Number 1"}})
    assert order(cards) == "P2 P2 P2 C C x"
    assert [card.slot for card in cards if card.to is COMMUNITY] == [2, 1]


def test_653a_8_d_two_cards_each_and_10_g_the_community_first() -> None:
    assert order(dealt("653a", Method.HAND, ANTE)) == "P1 P4 D P1 P4 D"
    assert order(dealt("653a", Method.CONTINUOUS_SHOE, ANTE)) == "C C C C C P1 P1 P4 P4 D D"


def test_679a_8_c_the_fourth_card_follows_for_a_pair_bonus() -> None:
    seats = {1: {"Ante Wager"}, 2: {"Ante Wager", "Pair Bonus Wager"}}
    assert order(dealt("679a", Method.MANUAL_SHOE, seats)) == "P1 P2 D P1 P2 D P1 P2 D F2"
    assert order(dealt("679a", Method.AUTOMATED_SHOE, seats)) == "P1 P1 P1 P2 P2 P2 D D D F2"


def test_679a_10_g_four_cards_to_everyone_the_top_one_set_aside() -> None:
    seats = {1: {"Ante Wager"}, 2: {"Ante Wager", "Pair Bonus Wager"}}
    assert order(dealt("679a", Method.CONTINUOUS_SHOE, seats)) == "x P1 P1 P1 F2 P2 P2 P2 x D D D"


def test_680a_five_cards_each() -> None:
    assert order(dealt("680a", Method.MANUAL_SHOE, {1: {"Ante Wager"}})) == "P1 D " * 4 + "P1 D"
    assert order(dealt("680a", Method.AUTOMATED_SHOE, {1: {"Ante Wager"}})) == "P1 P1 P1 P1 P1 D D D D D"


def test_682a_8_c_and_10_b_the_all_six_card_comes_first_by_hand_and_after_the_stacks_by_automated_shoe() -> None:
    with_six, without = {3: {"Ante Wager", "All-Six Bonus Wager"}}, {3: {"Ante Wager"}}
    assert order(dealt("682a", Method.HAND, with_six)) == "C " + "P3 D " * 5 + "D"
    assert order(dealt("682a", Method.HAND, without)) == "P3 D " * 5 + "D"
    assert order(dealt("682a", Method.AUTOMATED_SHOE, with_six)) == "P3 P3 P3 P3 P3 D D D D D C D x x x"
    assert order(dealt("682a", Method.AUTOMATED_SHOE, without)) == "P3 P3 P3 P3 P3 D D D D D D x x x x"


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: f"{rules.number}-{rules.edition}")
def test_every_method_gives_every_place_the_same_cards_and_a_full_table_fits_the_deck(rules: Rules) -> None:
    seats = {seat: frozenset(rules.wagers) for seat in range(1, rules.seats + 1)}
    found = {}
    for dealing in rules.of(Dealing):
        cards = list(deliveries(dealing.script, seats))
        assert len(cards) <= rules.decks.cards
        if dealing.method is not Method.CONTINUOUS_SHOE:
            found[dealing.method] = Counter((card.to, card.seat) for card in cards if card.to != RACK)
    assert found[Method.MANUAL_SHOE] == found[Method.HAND] == found[Method.AUTOMATED_SHOE]
