"""Chapter 643a, Let It Ride Poker: a test for each subsection of .6, .7, .11, .12 and .13, named after it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.book.ch643a_let_it_ride_poker import FIVE_CARD, PAID_HANDS, THREE_CARD_HANDS, THREE_CARD_TABLE
from croupier.cards import cards
from croupier.filing.check import check
from croupier.law.fact import COMMUNITY
from croupier.law.procedure import Act, Actor, AdjacentBoxes, Fate, Stage, Step
from tests.book.desk import declared, irregularity, refused, rules, seat, settle, usd

BET_1, BET_2, BET_3, BETS = "Bet Number 1", "Bet Number 2", "Bet Number 3", "Let It Ride Poker Wager"
BONUS, THREE = "Let It Ride Bonus Wager", "Three Card Bonus Wager"
ROYAL, NINES, TENS = ("As Ks Qs", "Js Ts"), ("9s 9d 4h", "7c 2c"), ("Ts Td 4h", "7c 2c")
HANDS = [  # the player's three cards and the community cards, by the rows of 12(a) and 12(b)
    ROYAL,
    ("Ks Qs Js", "Ts 9s"),
    ("8s 8d 8h", "8c 3c"),
    ("8s 8d 8h", "3c 3d"),
    ("2s 6s 9s", "Js Qs"),
    ("5s 6d 7h", "8c 9c"),
    ("8s 8d 4h", "8c 3c"),
    ("8s 8d 3h", "3c Kc"),
    TENS,
]
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def strength(hand: str) -> Any:
    return FIVE_CARD.strength(cards(hand))


# § 643a.6


def test_643a_6_a_an_ace_is_high_or_stands_below_the_2_only() -> None:
    assert FIVE_CARD.row(cards("As 2d 3h 4c 5s")) == "Straight"
    assert FIVE_CARD.row(cards("As 2s 3s 4s 5s")) == "Straight flush"
    assert FIVE_CARD.row(cards("As Kd Qh Jc Ts")) == "Straight"
    assert FIVE_CARD.row(cards("Qs Kd Ah 2c 3s")) == "Nothing"
    assert FIVE_CARD.row(cards("Ks Ad 2h 3c 4s")) == "Nothing"


def test_643a_6_b_the_order_of_the_nine_hands() -> None:
    expected = {
        "As Ks Qs Js Ts": "Royal flush", "Ks Qs Js Ts 9s": "Straight flush", "2s 2d 2h 2c 3s": "Four-of-a-kind",
        "As Ad Ah Kc Ks": "Full house", "As Ks Qs Js 9s": "Flush", "As Kd Qh Jc Ts": "Straight", "As Ad Ah Kc Qs": "Three-of-a-kind",
        "As Ad Kh Kc Qs": "Two pairs", "As Ad Kh Qc Js": "Pair", "As Kd Qh Jc 9s": "Nothing",
    }  # fmt: skip
    assert {hand: FIVE_CARD.row(cards(hand)) for hand in expected} == expected
    strengths = [strength(hand) for hand in expected]
    assert strengths == sorted(set(strengths), reverse=True)


@pytest.mark.parametrize(
    ("row", "highest", "lowest", "between"),
    [
        ("Straight flush", "Ks Qs Js Ts 9s", "Ad 2d 3d 4d 5d", "2h 3h 4h 5h 6h"),
        ("Four-of-a-kind", "As Ad Ah Ac 2s", "2s 2d 2h 2c As", "3s 3d 3h 3c 2s"),
        ("Full house", "As Ad Ah Kc Ks", "2s 2d 2h 3c 3s", "2s 2d 2h 4c 4s"),
        ("Flush", "As Ks Qs Js 9s", "2d 3d 4d 5d 7d", "2h 3h 4h 6h 7h"),
        ("Straight", "As Kd Qh Jc Ts", "Ad 2h 3c 4s 5d", "2d 3h 4c 5s 6d"),
        ("Three-of-a-kind", "As Ad Ah 3c 2s", "2s 2d 2h Ac Ks", "3s 3d 3h 4c 2s"),
        ("Two pairs", "As Ad Kh Kc 2s", "3s 3d 2h 2c As", "4s 4d 2h 2c 3s"),
        ("Pair", "As Ad 4h 3c 2s", "2s 2d Ah Kc Qs", "3s 3d 5h 4c 2s"),
    ],
)
def test_643a_6_b_the_highest_and_the_lowest_of_each_hand(row: str, highest: str, lowest: str, between: str) -> None:
    assert {FIVE_CARD.row(cards(hand)) for hand in (highest, lowest, between)} == {row}
    assert strength(highest) > strength(between) > strength(lowest)


def test_643a_6_c_the_hands_of_the_three_card_bonus() -> None:
    expected = {
        "As Ks Qs": "Mini-royal", "Ks Qs Js": "Straight flush", "As 2s 3s": "Straight flush", "2s 2d 2h": "Three-of-a-kind",
        "As Kd Qh": "Straight", "As 2d 3h": "Straight", "5s 6d 7h": "Straight", "As Ks Js": "Flush", "2d 3d 5d": "Flush",
        "2s 2d Ah": "Pair", "As Kd Jh": "Nothing", "Ks Ad 2h": "Nothing",
    }  # fmt: skip
    assert {hand: THREE_CARD_HANDS.row(cards(hand)) for hand in expected} == expected


# § 643a.7


@pytest.mark.parametrize("amount", [0, -5, "five dollars in cash"])
def test_643a_7_a_a_wager_is_an_amount_of_chips(amount: object) -> None:
    assert refused("643a", seat("9s 9d 4h", "ride ride", bets=amount), community="7c 2c") == "643a.7(a)"
    assert refused("643a", seat("9s 9d 4h", "ride ride", bets=5, three_bonus=amount), community="7c 2c") == "643a.7(a)"


def test_643a_7_b_only_those_at_one_of_seven_seats_wager() -> None:
    eight = [seat(" ".join(DECK[3 * n : 3 * n + 3]), "ride ride", bets=5) for n in range(8)]
    assert settle("643a", *eight[:7], community="As Kd").order == [7, 6, 5, 4, 3, 2, 1]
    assert refused("643a", *eight, community="As Kd") == "643a.2(a)"
    assert refused("643a", community="As Kd") == "643a.7(b)"


def test_643a_7_c_only_bets_1_and_2_are_ever_withdrawn_and_none_is_made_later() -> None:
    choices = [choice for decision in rules("643a").decisions for choice in decision.choices]
    assert [choice.withdraws.name for choice in choices if choice.withdraws] == [BET_1, BET_2]
    assert not [choice for choice in choices if choice.makes]
    assert refused("643a", seat("9s 9d 4h", "ride ride withdraw", bets=5), community="7c 2c").startswith("643a.")


@pytest.mark.parametrize("wagers", [{}, {"bet1": 5}, {"bet1": 5, "bet2": 5}, {"bet1": 5, "bet3": 5}, {"bet2": 5, "bet3": 5}])
def test_643a_7_d_all_three_bets_are_placed(wagers: dict[str, int]) -> None:
    assert refused("643a", seat("9s 9d 4h", "ride ride", **wagers), community="7c 2c") == "643a.7(d)"


def test_643a_7_d_the_three_bets_are_equal() -> None:
    assert refused("643a", seat("9s 9d 4h", "ride ride", bet1=5, bet2=10, bet3=5), community="7c 2c") == "643a.7(d)"
    assert refused("643a", seat("9s 9d 4h", "ride ride", bet1=5, bet2=5, bet3=4), community="7c 2c") == "643a.7(d)"
    apart = settle("643a", seat("9s 9d 4h", "ride ride", bet1=5, bet2=5, bet3=5), community="7c 2c")
    together = settle("643a", seat("9s 9d 4h", "ride ride", bets=5), community="7c 2c")
    assert apart.net() == together.net() == usd(-15)


def test_643a_7_e_the_let_it_ride_bonus_is_one_dollar_on_top_of_the_three_bets() -> None:
    assert settle("643a", seat("9s 9d 4h", "ride ride", bets=5, ride_bonus=1), community="7c 2c").net() == usd(-16)
    assert refused("643a", seat("9s 9d 4h", "ride ride", bets=5, ride_bonus=2), community="7c 2c") == "643a.12(b)"
    assert refused("643a", seat("9s 9d 4h", "ride ride", ride_bonus=1), community="7c 2c") == "643a.7(e)"


def test_643a_7_e_the_let_it_ride_bonus_must_be_offered() -> None:
    player = seat("9s 9d 4h", "ride ride", bets=5, ride_bonus=1)
    assert refused("643a", player, community="7c 2c", offer={"wagers": [THREE]}) == "643a.7(e)"


def test_643a_7_f_the_three_card_bonus_is_made_along_with_the_three_bets() -> None:
    assert settle("643a", seat("9s 8d 4h", "ride ride", bets=5, three_bonus=7), community="7c 2c").net() == usd(-22)
    assert refused("643a", seat("9s 9d 4h", "ride ride", three_bonus=5), community="7c 2c") == "643a.7(f)"


def test_643a_7_f_the_three_card_bonus_must_be_offered() -> None:
    player = seat("9s 9d 4h", "ride ride", bets=5, three_bonus=5)
    assert refused("643a", player, community="7c 2c", offer={"wagers": [BONUS]}) == "643a.7(f)"


@pytest.mark.parametrize("said", ["ride ride", "withdraw withdraw"])
def test_643a_7_g_the_bonus_wagers_and_the_bets_have_no_bearing_on_each_other(said: str) -> None:
    plain = settle("643a", seat("8s 8d 3h", said, bets=5), community="3c Kc")
    both = settle(
        "643a", seat("8s 8d 3h", said, bets=5, ride_bonus=1, three_bonus=5), community="3c Kc", offer={"paytables": {BONUS: "B"}}
    )
    assert [both[bet] for bet in (BET_1, BET_2, BET_3)] == [plain[bet] for bet in (BET_1, BET_2, BET_3)]
    assert both[BONUS] == ("win", usd(4), 0)
    assert both[THREE] == ("win", usd(5), usd(5))


def test_643a_7_h_the_submission_names_the_adjacent_boxes() -> None:
    player = seat("9s 9d 4h", "ride ride", bets=5)
    assert declared(AdjacentBoxes, "643a", "7(h)")[0].chosen_by_submission
    assert "643a.7(h)" in {finding.cite for finding in check({"game": "643a"}).errors}
    assert settle("643a", player, community="7c 2c", offer={"adjacent_boxes": 7}).net() == usd(-15)
    assert refused("643a", player, community="7c 2c", offer={"adjacent_boxes": 8}) == "643a.7(h)"


# § 643a.11


def test_643a_11_a_players_examine_their_three_cards_first() -> None:
    assert rules("643a").of(Stage)[0].act is Act.EXAMINE
    assert "three cards" in declared(Step, "643a", "11(a)(2)")[0].does
    assert refused("643a", seat("9s 9d", "ride ride", bets=5), community="7c 2c") == "643a.8(d)"


def test_643a_11_a_the_cards_lie_face_down_after_the_second_decision() -> None:
    step = declared(Step, "643a", "11(a)(3)")[0]
    assert step.who is Actor.PLAYER
    assert "face down after the second decision" in step.does


def test_643a_11_b_bet_1_rides_or_is_withdrawn_before_a_community_card_is_seen() -> None:
    rides = settle("643a", seat("Ts Td 4h", "ride withdraw", bets=5), community="7c 2c")
    assert rides[BET_1] == ("win", usd(5), usd(5))
    withdrawn = settle("643a", seat("Ts Td 4h", "withdraw ride", bets=5), community="7c 2c")
    assert withdrawn[BET_1] == ("return", 0, usd(5))
    assert withdrawn.clause(BET_1) == "643a.11(b)(2)"
    assert "community" not in rules("643a").decisions[0].knows


@pytest.mark.parametrize("said", ["", "fold", "play", "check ride"])
def test_643a_11_b_nothing_else_may_be_said(said: str) -> None:
    assert refused("643a", seat("9s 9d 4h", said, bets=5), community="7c 2c") == "643a.11(b)"


def test_643a_11_c_the_first_community_card_is_turned_after_the_first_decision() -> None:
    stage = declared(Stage, "643a", "11(c)")[0]
    assert (stage.act, stage.place, stage.cards) == (Act.TURN, COMMUNITY, 1)
    clauses = [each.cite.clause for each in rules("643a").of(Stage)]
    assert clauses == ["11(a)", "11(b)", "11(c)", "11(d)", "11(e)", "11(f)", "11(g)"]


@pytest.mark.parametrize("first", ["ride", "withdraw"])
@pytest.mark.parametrize("second", ["ride", "withdraw"])
def test_643a_11_d_bet_2_is_decided_whatever_became_of_bet_1(first: str, second: str) -> None:
    lost, back = ("lose", 0, 0), ("return", 0, usd(5))
    lines = settle("643a", seat("9s 9d 4h", f"{first} {second}", bets=5), community="7c 2c")
    assert lines[BET_1] == (back if first == "withdraw" else lost)
    assert lines[BET_2] == (back if second == "withdraw" else lost)
    assert lines[BET_3] == lost
    assert lines.clause(BET_2) == ("643a.11(d)(2)" if second == "withdraw" else "643a.12(a)")


@pytest.mark.parametrize("said", ["ride", "withdraw", "ride fold"])
def test_643a_11_d_the_second_decision_is_asked_for(said: str) -> None:
    assert refused("643a", seat("9s 9d 4h", said, bets=5), community="7c 2c") == "643a.11(d)"
    assert "first community card" in rules("643a").decisions[1].knows


def test_643a_11_e_the_second_community_card_is_turned_after_the_second_decision() -> None:
    stage = declared(Stage, "643a", "11(e)")[0]
    assert (stage.act, stage.place, stage.cards) == (Act.TURN, COMMUNITY, 1)
    acts = [each.act for each in rules("643a").of(Stage)]
    assert acts == [Act.EXAMINE, Act.ASK, Act.TURN, Act.ASK, Act.TURN, Act.SETTLE, Act.CLEAR]


def test_643a_11_f_settlement_runs_from_the_dealers_right_with_both_community_cards() -> None:
    lines = settle("643a", seat("As Kd 7h", "ride ride", bets=5), seat("5s 6d 9h", "ride ride", bets=5), community="7c 8c")
    assert lines.order == [2, 1]
    assert lines.of(2, BET_3) == ("win", usd(25), usd(5))
    assert lines.of(1, BET_3) == ("lose", 0, 0)
    assert refused("643a", seat("As Kd 7h", "ride ride", bets=5), community="7c 8c 9d") == "643a.8(d)"


def test_643a_11_f_the_bets_come_before_the_bonus_wagers() -> None:
    lines = settle("643a", seat("8s 8d 8h", "ride ride", bets=5, ride_bonus=1, three_bonus=5), community="3c 3d")
    assert [line.wager for line in lines.settled.seats[0].lines] == [BET_1, BET_2, BET_3, BONUS, THREE]
    assert lines[BET_1] == lines[BET_2] == lines[BET_3] == ("win", usd(55), usd(5))
    assert lines[BONUS] == ("win", usd(200), 0)
    assert lines[THREE] == ("win", usd(150), usd(5))
    assert lines.net() == usd(3 * 55 + 200 - 1 + 150)


def test_643a_11_f_the_three_card_bonus_counts_no_community_card() -> None:
    lines = settle("643a", seat("9s 7d 4h", "ride ride", bets=5, three_bonus=5), community="9c 9d")
    assert lines[BET_3] == ("win", usd(15), usd(5))
    assert lines[THREE] == ("lose", 0, 0)


def test_643a_11_g_the_cards_are_cleared_last() -> None:
    last = rules("643a").of(Stage)[-1]
    assert (last.act, str(last.cite)) == (Act.CLEAR, "643a.11(g)")


# § 643a.12

COLUMNS = {"A": [1000, 200, 50, 11, 8, 5, 3, 2, 1], "B": [500, 200, 50, 11, 8, 5, 3, 2, 1]}
CELLS = [(letter, *hand, times) for letter, column in COLUMNS.items() for hand, times in zip(HANDS, column, strict=True)]


@pytest.mark.parametrize(("letter", "hand", "community", "times"), CELLS)
def test_643a_12_a_every_cell_of_the_tables_of_the_bets(letter: str, hand: str, community: str, times: int) -> None:
    lines = settle("643a", seat(hand, "ride ride", bets=5), community=community, offer={"paytables": {BETS: letter}})
    assert lines[BET_1] == lines[BET_2] == lines[BET_3] == ("win", usd(5 * times), usd(5))
    assert {lines.clause(bet) for bet in (BET_1, BET_2, BET_3)} == {"643a.12(a)"}


@pytest.mark.parametrize("letter", ["A", "B"])
def test_643a_12_a_a_pair_of_nines_loses_and_a_high_pair_on_the_board_wins(letter: str) -> None:
    offer = {"paytables": {BETS: letter}}
    lines = settle("643a", seat(NINES[0], "ride ride", bets=5), community=NINES[1], offer=offer)
    assert lines[BET_1] == lines[BET_2] == lines[BET_3] == ("lose", 0, 0)
    lines = settle("643a", seat("9s 8d 4h", "withdraw withdraw", bets=5), community="Ac Ad", offer=offer)
    assert lines[BET_3] == ("win", usd(5), usd(5))
    assert PAID_HANDS.row(cards("3s 3d 2h 2c As")) == "Two pair"


def test_643a_12_a_there_is_no_table_c() -> None:
    player = seat(ROYAL[0], "ride ride", bets=5)
    assert refused("643a", player, community=ROYAL[1], offer={"paytables": {BETS: "C"}}) == "643a.12(a)"


BONUS_COLUMNS = {
    "A": [25_000, 2500, 400, 200, 50, 25, 5, 0, 0],
    "B": [20_000, 2000, 200, 75, 50, 25, 5, 4, 1],
    "C": [20_000, 2000, 100, 75, 50, 25, 9, 6, 0],
}
BONUS_CELLS = [(letter, *hand, sum_) for letter, column in BONUS_COLUMNS.items() for hand, sum_ in zip(HANDS, column, strict=True)]


@pytest.mark.parametrize(("letter", "hand", "community", "sum_"), BONUS_CELLS)
def test_643a_12_b_every_cell_of_the_let_it_ride_bonus(letter: str, hand: str, community: str, sum_: int) -> None:
    player, offer = seat(hand, "withdraw withdraw", bets=5, ride_bonus=1), {"paytables": {BONUS: letter}}
    lines = settle("643a", player, community=community, offer=offer)
    assert lines[BONUS] == ("win" if sum_ else "lose", usd(sum_), 0)
    assert lines.clause(BONUS) == "643a.12(b)"


@pytest.mark.parametrize("letter", ["A", "B", "C"])
def test_643a_12_b_a_pair_of_nines_loses_the_bonus(letter: str) -> None:
    player, offer = seat(NINES[0], "withdraw withdraw", bets=5, ride_bonus=1), {"paytables": {BONUS: letter}}
    assert settle("643a", player, community=NINES[1], offer=offer)[BONUS] == ("lose", 0, 0)


def test_643a_12_b_the_collected_dollar_does_not_come_back_and_there_is_no_table_d() -> None:
    player = seat(TENS[0], "withdraw withdraw", bets=5, ride_bonus=1)
    lines = settle("643a", player, community=TENS[1], offer={"paytables": {BONUS: "B"}})
    assert lines.net() == usd(5)  # Bet Number 3 wins 5; the bonus pays the dollar that was collected
    assert refused("643a", player, community=TENS[1], offer={"paytables": {BONUS: "D"}}) == "643a.12(b)"


THREE_HANDS = ["As Ks Qs", "9s Ts Js", "8s 8d 8h", "5s 6d 7h", "2s 6s 9s", "8s 8d 4h"]
THREE_COLUMNS = {
    "A": [40, 40, 30, 6, 4, 1],
    "B": [40, 40, 30, 5, 4, 1],
    "C": [40, 40, 30, 6, 3, 1],
    "D": [50, 40, 30, 6, 4, 1],
    "E": [50, 40, 30, 5, 4, 1],
    "F": [50, 40, 30, 6, 3, 1],
}
THREE_CELLS = [
    (letter, hand, times) for letter, column in THREE_COLUMNS.items() for hand, times in zip(THREE_HANDS, column, strict=True)
]


@pytest.mark.parametrize(("letter", "hand", "times"), THREE_CELLS)
def test_643a_12_c_every_cell_of_the_three_card_bonus(letter: str, hand: str, times: int) -> None:
    player, offer = seat(hand, "withdraw withdraw", bets=5, three_bonus=10), {"paytables": {THREE: letter}}
    lines = settle("643a", player, community="Jc 2d", offer=offer)
    assert lines[THREE] == ("win", usd(10 * times), usd(10))
    assert lines.clause(THREE) == "643a.12(c)"


@pytest.mark.parametrize("letter", list(THREE_COLUMNS))
def test_643a_12_c_less_than_a_pair_loses_the_three_card_bonus(letter: str) -> None:
    player, offer = seat("As Kd 9h", "ride ride", bets=5, three_bonus=10), {"paytables": {THREE: letter}}
    assert settle("643a", player, community="Jc 2d", offer=offer)[THREE] == ("lose", 0, 0)


def test_643a_12_c_there_is_no_table_g_and_the_lost_rows_are_marked() -> None:
    player = seat("8s 8d 4h", "ride ride", bets=5, three_bonus=10)
    assert refused("643a", player, community="Jc 2d", offer={"paytables": {THREE: "G"}}) == "643a.12(c)"
    assert {(row, letter) for row in ("Straight", "Flush", "Pair") for letter in "DEF"} == THREE_CARD_TABLE.reconstructed


def test_643a_12_d_the_limit_cuts_the_three_bets_and_no_bonus_wager() -> None:
    player = seat(ROYAL[0], "ride ride", bets=30, ride_bonus=1, three_bonus=100)
    lines = settle("643a", player, community=ROYAL[1], offer={"payout_limit": 50_000})
    assert lines[BET_1] == ("win", usd(30_000), usd(30))
    assert lines[BET_2] == ("win", usd(20_000), usd(30))
    assert lines[BET_3] == ("win", 0, usd(30))
    assert lines[BONUS] == ("win", usd(25_000), 0)
    assert lines[THREE] == ("win", usd(4000), usd(100))
    assert [lines.clause(bet) for bet in (BET_1, BET_2, BET_3)] == ["643a.12(a)", "643a.12(d)", "643a.12(d)"]


def test_643a_12_d_a_withdrawn_bet_uses_up_none_of_the_limit() -> None:
    player = seat(ROYAL[0], "withdraw ride", bets=30)
    lines = settle("643a", player, community=ROYAL[1], offer={"payout_limit": 50_000})
    assert lines[BET_1] == ("return", 0, usd(30))
    assert lines[BET_2] == ("win", usd(30_000), usd(30))
    assert lines[BET_3] == ("win", usd(20_000), usd(30))


def test_643a_12_d_read_otherwise_the_stakes_count_towards_the_limit() -> None:
    player, offer = seat(ROYAL[0], "withdraw ride", bets=30), {"payout_limit": 50_000, "readings": {"payout limit": "with stakes"}}
    lines = settle("643a", player, community=ROYAL[1], offer=offer)
    assert lines[BET_2] == ("win", usd(30_000), usd(30))
    assert lines[BET_3] == ("win", usd(50_000 - 30_030 - 30), usd(30))


@pytest.mark.parametrize(
    ("letter", "minimum", "reading", "floor"),
    [
        ("A", 5, "every covered wager", 50_000),
        ("A", 20, "every covered wager", 60_000),
        ("B", 20, "every covered wager", 50_000),
        ("B", 40, "every covered wager", 60_000),
        ("A", 20, "the best paying wager", 50_000),
        ("A", 60, "the best paying wager", 60_000),
    ],
)
def test_643a_12_d_the_floor_of_the_limit(letter: str, minimum: int, reading: str, floor: int) -> None:
    player = seat(TENS[0], "ride ride", bets=60)
    offer = {"paytables": {BETS: letter}, "minimum": minimum, "readings": {"limit floor": reading}}
    assert settle("643a", player, community=TENS[1], offer=offer | {"payout_limit": floor}).net() == usd(180)
    assert refused("643a", player, community=TENS[1], offer=offer | {"payout_limit": floor - 1}) == "643a.12(d)"


def test_643a_12_d_the_bonus_wagers_do_not_raise_the_floor() -> None:
    player = seat(TENS[0], "ride ride", bets=5, ride_bonus=1, three_bonus=2000)
    offer = {"paytables": {BONUS: "A"}, "payout_limit": 50_000, "wager_limits": {THREE: {"minimum": 2000, "maximum": 3000}}}
    assert settle("643a", player, community=TENS[1], offer=offer)[BET_3] == ("win", usd(5), usd(5))


# § 643a.13


def test_643a_13_a_one_card_face_up_is_discarded_and_two_void_the_round() -> None:
    one, more = irregularity("643a", "13(a)", "One card"), irregularity("643a", "13(a)", "More than one")
    assert (one.void, one.cards) == (False, Fate.CARD_DISCARDED)
    assert (more.void, more.returns_everything, more.settled, more.cards) == (True, True, (), Fate.RESHUFFLED)


def test_643a_13_b_a_card_drawn_in_error_is_the_next_card() -> None:
    found = irregularity("643a", "13(b)")
    assert (found.void, found.cards) == (False, Fate.CARD_USED)


def test_643a_13_c_a_wrong_number_of_cards_to_a_player_or_the_community_voids_the_round() -> None:
    found = irregularity("643a", "13(c)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED)
    assert "player" in found.name
    assert "community" in found.name


def test_643a_13_d_a_community_card_exposed_early_voids_everything() -> None:
    found = irregularity("643a", "13(d)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED)
    assert "11(c) or (e)" in found.during


def test_643a_13_e_a_jammed_shuffler_voids_nothing() -> None:
    found = irregularity("643a", "13(e)")
    assert (found.void, found.cards) == (False, Fate.RESHUFFLED)


def test_643a_13_f_a_jammed_shoe_voids_the_round() -> None:
    found = irregularity("643a", "13(f)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED_WITH_DEALT)


def test_643a_13_g_a_broken_device_is_covered_or_marked_first() -> None:
    found = irregularity("643a", "13(g)")
    assert (found.void, found.cards) == (False, Fate.NONE)
    assert "covered or marked" in found.then
