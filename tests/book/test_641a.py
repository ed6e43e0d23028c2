"""Chapter 641a, Four Card Poker: a test for each subsection of .6, .7, .11, .12 and .13, named after it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.book.ch641a_four_card_poker import ACES_UP_TABLE, FOUR_CARD
from croupier.cards import cards
from croupier.filing.check import check
from croupier.law.procedure import Act, Actor, AdjacentBoxes, Fate, Stage, Step
from tests.book.desk import Lines, declared, irregularity, refused, rules, seat, settle, usd

DEALER = "Kd Jc 9c 7d 4h 2h"  # king high
FOUR_KINGS = "Ks Kd Kh Kc 4h 2h"
ACES, EIGHTS, RUN = "As Ad Ah Ac 3c", "8s 8d 8h 8c 3d", "5s 6s 7s 8s Jh"
NOTHING, LITTLE = "Qs Td 6h 5c 3h", "Qd Ts 6c 5d 3s"
PROGRESSIVE = "Progressive Payout Wager"
SEED_DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def strength(hand: str) -> Any:
    return FOUR_CARD.strength(cards(hand))


def terms(**more: Any) -> dict[str, Any]:
    return {"progressives": {PROGRESSIVE: {"amount": 1, "rate": "14%", "seed": 5000, "reseed": 5000} | more}}


def sources(lines: Lines, wager: str) -> list[str]:
    return [line.source for each in lines.settled.seats for line in each.lines if line.wager == wager]


# § 641a.6


def test_641a_6_a_an_ace_is_high_or_stands_below_the_2_only() -> None:
    assert FOUR_CARD.row(cards("As 2d 3h 4c")) == "Straight"
    assert FOUR_CARD.row(cards("As 2s 3s 4s")) == "Straight flush"
    assert FOUR_CARD.row(cards("Jc Qs Kd Ah")) == "Straight"
    assert FOUR_CARD.row(cards("Ks Ad 2h 3c")) == "Nothing"
    assert FOUR_CARD.row(cards("Qs Kd Ah 2c")) == "Nothing"


def test_641a_6_a_ranks_run_from_the_ace_to_the_2_and_suits_are_equal() -> None:
    fours = [strength(f"{rank}s {rank}d {rank}h {rank}c") for rank in "AKQJT98765432"]
    assert fours == sorted(fours, reverse=True)
    assert len(set(fours)) == 13
    assert strength("As Kd 9h 4c") == strength("Ac Kh 9d 4s")


def test_641a_6_b_the_order_of_the_seven_hands() -> None:
    hands = ["2s 2d 2h 2c", "As Ks Qs Js", "As Ad Ah Kc", "As Ks Qs 9s", "As Kd Qh Jc", "As Ad Kh Kc", "As Ad Kh Qc", "As Kd Qh Tc"]
    strengths = [strength(hand) for hand in hands]
    assert strengths == sorted(set(strengths), reverse=True)
    assert [FOUR_CARD.row(cards(hand)) for hand in hands] == [
        "Four-of-a-kind", "Straight flush", "Three-of-a-kind", "Flush", "Straight", "Two pairs", "Pair", "Nothing",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "highest", "lowest", "between"),
    [
        (1, "As Ad Ah Ac", "2s 2d 2h 2c", "3s 3d 3h 3c"),
        (2, "As Ks Qs Js", "Ad 2d 3d 4d", "2h 3h 4h 5h"),
        (3, "As Ad Ah 2c", "2s 2d 2h Ac", "3s 3d 3h 2c"),
        (5, "As Kd Qh Jc", "Ad 2h 3c 4s", "2d 3h 4c 5s"),
        (6, "As Ad Kh Kc", "3s 3d 2h 2c", "4s 4d 2h 2c"),
        (7, "As Ad 3h 2c", "2s 2d Ah Kc", "3s 3d 5h 4c"),
    ],
)
def test_641a_6_b_the_highest_and_the_lowest_of_each_hand(number: int, highest: str, lowest: str, between: str) -> None:
    row = FOUR_CARD.rows[number - 1]
    assert {FOUR_CARD.row(cards(hand)) for hand in (highest, lowest, between)} == {row}
    assert strength(highest) > strength(between) > strength(lowest)


def test_641a_6_c_the_highest_card_not_in_the_other_hand_decides() -> None:
    assert strength("As Kd 9h 4c") > strength("Ad Kc 9s 3h")
    assert strength("Ks Qs 9s 3s") > strength("Kd Qd 8d 7d")
    assert strength("8s 8d Ah 2c") > strength("8h 8c Kh Qc")
    assert strength("8s 8d 4h 4c") == strength("8h 8c 4s 4d")


def test_641a_6_c_equal_hands_are_a_tie_whatever_their_suits() -> None:
    assert strength("As Kd 9h 4c") == strength("Ad Kc 9s 4h")
    assert strength("Ks Qs 9s 3s") == strength("Kd Qd 9d 3d")
    tied = settle("641a", seat("Ks Jd 9h 7c 3s", "play 1x", ante=10), dealer=DEALER)
    assert tied["Ante Wager"] == ("win", usd(10), usd(10))


# § 641a.7


@pytest.mark.parametrize("amount", [0, -5, "ten dollars in cash"])
def test_641a_7_a_a_wager_is_an_amount_of_chips(amount: object) -> None:
    assert refused("641a", seat(NOTHING, "play 1x", ante=amount), dealer=DEALER) == "641a.7(a)"
    assert refused("641a", seat(NOTHING, aces_up=amount), dealer=DEALER) == "641a.7(a)"


def test_641a_7_b_only_those_at_one_of_seven_seats_wager() -> None:
    eight = [seat(" ".join(SEED_DECK[5 * n : 5 * n + 5]), "fold", ante=5) for n in range(8)]
    dealer = " ".join(SEED_DECK[-6:])
    assert settle("641a", *eight[:7], dealer=dealer).order == [7, 6, 5, 4, 3, 2, 1]
    assert refused("641a", *eight, dealer=dealer) == "641a.2(a)"
    assert refused("641a", dealer=dealer) == "641a.7(b)"


def test_641a_7_c_the_play_wager_is_not_placed_before_the_deal() -> None:
    assert refused("641a", seat(NOTHING, "play 1x", ante=5, play=5), dealer=DEALER) == "641a.7(c)"


def test_641a_7_d_ante_aces_up_or_both_and_not_neither() -> None:
    assert settle("641a", seat(NOTHING, "play 1x", ante=5), dealer=DEALER).net() == usd(-10)
    assert settle("641a", seat(NOTHING, aces_up=5), dealer=DEALER).net() == usd(-5)
    assert settle("641a", seat(NOTHING, "play 3x", ante=5, aces_up=5), dealer=DEALER).net() == usd(-25)
    assert refused("641a", seat(NOTHING), dealer=DEALER) == "641a.7(d)"
    assert refused("641a", seat(NOTHING, prime=5), dealer=DEALER) == "641a.7(d)"


def test_641a_7_d_the_progressive_needs_an_ante_or_an_aces_up() -> None:
    trips = "8s 8d 8h Qc 3c"
    won = ("win", usd(9), 0)
    assert settle("641a", seat(trips, "play 1x", ante=5, progressive=1), dealer=DEALER)[PROGRESSIVE] == won
    assert settle("641a", seat(trips, aces_up=5, progressive=1), dealer=DEALER)[PROGRESSIVE] == won
    assert refused("641a", seat(trips, progressive=1), dealer=DEALER) == "641a.7(d)(4)"


def test_641a_7_d_only_the_progressive_is_optional_and_it_must_be_offered() -> None:
    assert [wager.name for wager in rules("641a").wagers.values() if wager.optional] == [PROGRESSIVE]
    wagers = seat(NOTHING, "play 1x", ante=5, aces_up=5, progressive=1)
    assert refused("641a", wagers, dealer=DEALER, offer={"wagers": []}) == "641a.7(d)(4)"
    assert settle("641a", wagers, dealer=DEALER, offer={"wagers": [PROGRESSIVE]}).net() == usd(-16)


def test_641a_7_e_the_submission_names_the_adjacent_boxes() -> None:
    player = seat(NOTHING, "fold", ante=5)
    assert declared(AdjacentBoxes, "641a", "7(e)")[0].chosen_by_submission
    assert "641a.7(e)" in {finding.cite for finding in check({"game": "641a"}).errors}
    assert "641a.7(e)" not in {finding.cite for finding in check({"game": "641a", "adjacent_boxes": 2}).errors}
    assert settle("641a", player, dealer=DEALER, offer={"adjacent_boxes": 7}).net() == usd(-5)
    assert refused("641a", player, dealer=DEALER, offer={"adjacent_boxes": 8}) == "641a.7(e)"
    assert refused("641a", player, dealer=DEALER, offer={"adjacent_boxes": 0}) == "641a.7(e)"


# § 641a.11


def test_641a_11_a_players_examine_their_five_cards_first() -> None:
    assert rules("641a").of(Stage)[0].act is Act.EXAMINE
    assert [step.who for step in declared(Step, "641a", "11(a)(1)")] == [Actor.PLAYER]
    assert "five cards" in declared(Step, "641a", "11(a)(2)")[0].does
    assert refused("641a", seat("Qs Td 6h 5c", "fold", ante=5), dealer=DEALER) == "641a.8(d)"
    assert refused("641a", seat(NOTHING, "fold", ante=5), dealer="Kd Jc 9c 7d 4h") == "641a.8(d)"


@pytest.mark.parametrize("times", [1, 2, 3])
def test_641a_11_b_a_play_wager_is_one_two_or_three_antes(times: int) -> None:
    lines = settle("641a", seat("As Ad 9h 6c 3c", f"play {times}x", ante=10), dealer=DEALER)
    assert lines["Ante Wager"] == ("win", usd(10), usd(10))
    assert lines["Play Wager"] == ("win", usd(10 * times), usd(10 * times))


@pytest.mark.parametrize("said", ["play 4x", "play 0x", "play", "check", ""])
def test_641a_11_b_nothing_else_may_be_said(said: str) -> None:
    assert refused("641a", seat(NOTHING, said, ante=5), dealer=DEALER) == "641a.11(b)"


def test_641a_11_b_a_player_without_an_ante_is_not_asked() -> None:
    assert refused("641a", seat(NOTHING, "play 1x", aces_up=5), dealer=DEALER).startswith("641a.11")
    assert refused("641a", seat(NOTHING, "fold", aces_up=5), dealer=DEALER).startswith("641a.11")


def test_641a_11_b_a_fold_forfeits_the_ante_but_not_the_aces_up() -> None:
    lines = settle("641a", seat("As Ad 9h 6c 3c", "fold", ante=10, aces_up=5), dealer=DEALER)
    assert lines["Ante Wager"] == ("forfeit", 0, 0)
    assert lines["Aces Up Wager"] == ("win", usd(5), usd(5))
    assert "Play Wager" not in lines
    assert lines.clause("Ante Wager") == "641a.11(b)"
    assert rules("641a").wagers["Aces Up Wager"].survives_fold == "11(b)(1)"
    assert not rules("641a").wagers[PROGRESSIVE].survives_fold


def test_641a_11_b_a_fold_earns_no_ante_bonus() -> None:
    lines = settle("641a", seat(EIGHTS, "fold", ante=10), dealer=DEALER)
    assert "Ante Bonus" not in lines
    assert lines.net() == usd(-10)


def test_641a_11_b_a_fold_forfeits_the_progressive_but_not_the_envy() -> None:
    folded = seat("Qs Qd Qh 6c 3c", "fold", ante=10, progressive=1)
    lines = settle("641a", folded, seat(EIGHTS, "play 1x", ante=10), dealer=DEALER, offer={"envy": "A"})
    assert lines.of(1, "Ante Wager") == ("forfeit", 0, 0)
    assert lines.of(1, PROGRESSIVE) == ("forfeit", 0, 0)
    assert lines.clause(PROGRESSIVE, 1) == "641a.11(b)(2)"
    assert lines.of(1, "Envy Bonus") == ("win", usd(10), 0)
    assert lines.net(1) == usd(-1)


def test_641a_11_c_the_stages_in_their_order() -> None:
    acts = [stage.act for stage in rules("641a").of(Stage)]
    assert acts == [Act.EXAMINE, Act.ASK, Act.COLLECT, Act.REVEAL, Act.SETTLE, Act.CLEAR]


def test_641a_11_c_settlement_runs_from_the_dealers_right() -> None:
    winner = seat("As Ad 9h 8c 3c", "play 1x", ante=10)
    lines = settle("641a", winner, seat(LITTLE, "play 2x", ante=10), seat("Js Th 6h 5c 3h", "fold", ante=10), dealer=DEALER)
    assert lines.order == [3, 2, 1]
    assert [lines.net(number) for number in (1, 2, 3)] == [usd(20), usd(-30), usd(-10)]


def test_641a_11_c_the_best_four_of_five_and_of_six_cards_count() -> None:
    lines = settle("641a", seat("2s 9s Js Ks Ah", "play 1x", ante=10), dealer="5c 6d 7h 8c Kh Kd")
    assert lines["Ante Wager"] == ("win", usd(10), usd(10))  # a flush over a straight
    lines = settle("641a", seat("5s 6d 7h 8c Kc", "play 1x", ante=10), dealer="2s 9s Js Ks Ah Ad")
    assert lines["Ante Wager"] == ("lose", 0, 0)
    lines = settle("641a", seat("5s 6s 7s 8s Kc", "play 1x", ante=10), dealer="2s 2d 2h 2c Ah Qd")
    assert lines["Ante Wager"] == ("lose", 0, 0)  # a straight flush under four 2's


def test_641a_11_c_a_lower_hand_loses_ante_and_play() -> None:
    lines = settle("641a", seat(NOTHING, "play 3x", ante=10), dealer=DEALER)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("lose", 0, 0)
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "641a.11(c)(3)(i)"
    assert lines.net() == usd(-40)


def test_641a_11_c_a_tie_is_paid_with_its_ante_bonus() -> None:
    player, dealer = seat(RUN, "play 2x", ante=10), "5c 6c 7c 8c Kh 2h"
    for reading in ("any outcome", "only on a win"):
        lines = settle("641a", player, dealer=dealer, offer={"readings": {"ante bonus": reading}})
        assert lines["Ante Wager"] == ("win", usd(10), usd(10))
        assert lines["Play Wager"] == ("win", usd(20), usd(20))
        assert lines["Ante Bonus"] == ("win", usd(200), 0)


def test_641a_11_c_aces_up_and_progressive_are_paid_to_a_losing_hand_and_settled_last() -> None:
    lines = settle("641a", seat(EIGHTS, "play 1x", ante=10, aces_up=5, progressive=5), dealer=FOUR_KINGS)
    order = [line.wager for line in lines.settled.seats[0].lines]
    assert order == ["Ante Wager", "Play Wager", "Ante Bonus", "Aces Up Wager", PROGRESSIVE]
    assert lines["Aces Up Wager"] == ("win", usd(250), usd(5))
    assert lines[PROGRESSIVE] == ("win", usd(1500), 0)


def test_641a_11_c_a_progressive_payout_is_verified_and_validated() -> None:
    who = [declared(Step, "641a", f"11(c)(5)({number})")[0].who for number in ("i", "ii", "iii", "iv")]
    assert who == [Actor.DEALER, Actor.DEALER, Actor.FLOORPERSON, Actor.DEALER]


def test_641a_11_c_the_whole_meter_is_not_paid_from_the_table_inventory() -> None:
    jackpot = settle("641a", seat(ACES, "play 1x", ante=10, progressive=1), dealer=DEALER, meters={PROGRESSIVE: 6000})
    assert sources(jackpot, PROGRESSIVE) == ["meter"]
    fixed = settle("641a", seat(EIGHTS, "play 1x", ante=10, progressive=1), dealer=DEALER)
    assert sources(fixed, PROGRESSIVE) == ["table inventory"]


def test_641a_11_c_envy_for_each_other_player_but_not_for_oneself() -> None:
    envious = seat(LITTLE, "play 1x", ante=10, progressive=5)
    four = seat("9s 9d 9h 9c 3h", "play 1x", ante=10, progressive=1)
    run = seat(RUN, "play 1x", ante=10)
    lines = settle("641a", envious, four, run, dealer="Kd Jc Tc 7d 4h 2h", offer={"envy": "A"})
    assert lines.of(1, "Envy Bonus") == ("win", usd(75), 0)
    assert lines.of(2, "Envy Bonus") == ("win", usd(5), 0)
    assert [line.wager for line in lines.settled.seats[0].lines] == ["Ante Wager", "Play Wager", "Ante Bonus"]


def test_641a_11_c_no_envy_for_the_hand_of_the_dealer() -> None:
    lines = settle("641a", seat(NOTHING, "play 1x", ante=10, progressive=5), dealer=FOUR_KINGS)
    assert "Envy Bonus" not in lines


def test_641a_11_d_the_cards_are_cleared_last() -> None:
    last = rules("641a").of(Stage)[-1]
    assert (last.act, str(last.cite)) == (Act.CLEAR, "641a.11(d)")


# § 641a.12


def test_641a_12_no_subsection_lets_a_payout_limit_be_set() -> None:
    assert refused("641a", seat(NOTHING, "fold", ante=5), dealer=DEALER, offer={"payout_limit": 50_000}) == "641a.12"


def test_641a_12_a_ante_and_play_pay_even_money() -> None:
    lines = settle("641a", seat("As Ad 9h 6c 3c", "play 2x", ante=15), dealer=DEALER)
    assert lines["Ante Wager"] == ("win", usd(15), usd(15))
    assert lines["Play Wager"] == ("win", usd(30), usd(30))
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "641a.12(a)"


BONUSES = [(ACES, 25), (EIGHTS, 25), (RUN, 20), ("8s 8d 8h Qc 3c", 2)]


@pytest.mark.parametrize(("hand", "times"), BONUSES)
def test_641a_12_b_the_ante_bonus_of_a_winning_hand(hand: str, times: int) -> None:
    lines = settle("641a", seat(hand, "play 3x", ante=10), dealer=DEALER)
    assert lines["Ante Bonus"] == ("win", usd(10 * times), 0)
    assert lines.clause("Ante Bonus") == "641a.12(b)"
    assert lines.net() == usd(10 + 30 + 10 * times)


@pytest.mark.parametrize(("hand", "times"), BONUSES[1:])
def test_641a_12_b_the_ante_bonus_of_a_losing_hand(hand: str, times: int) -> None:
    lines = settle("641a", seat(hand, "play 1x", ante=10), dealer=FOUR_KINGS)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("lose", 0, 0)
    assert lines["Ante Bonus"] == ("win", usd(10 * times), 0)
    offer = {"readings": {"ante bonus": "only on a win"}}
    assert "Ante Bonus" not in settle("641a", seat(hand, "play 1x", ante=10), dealer=FOUR_KINGS, offer=offer)


@pytest.mark.parametrize("hand", ["2s 6s 9s Js Qh", "5s 6d 7h 8c Qc", "8s 8d 3h 3c Qc", "As Ad 9h 6c 3c"])
def test_641a_12_b_no_ante_bonus_below_a_three_of_a_kind(hand: str) -> None:
    lines = settle("641a", seat(hand, "play 1x", ante=10), dealer=DEALER)
    assert lines["Ante Wager"] == ("win", usd(10), usd(10))
    assert "Ante Bonus" not in lines


def test_641a_12_b_the_ante_bonus_has_one_table_and_needs_ante_and_play() -> None:
    offer = {"paytables": {"Ante Bonus": "B"}}
    assert refused("641a", seat(EIGHTS, "play 1x", ante=10), dealer=DEALER, offer=offer) == "641a.12(b)"
    assert "Ante Bonus" not in settle("641a", seat(EIGHTS, aces_up=10), dealer=DEALER)


UP_HANDS = [EIGHTS, RUN, "8s 8d 8h Qc 3c", "2s 6s 9s Js Qh", "5s 6d 7h 8c Qc", "8s 8d 3h 3c Qc", "As Ad 9h 6c 3c"]
UP_COLUMNS = {
    "A": [50, 30, 9, 6, 4, 2, 1],
    "B": [50, 30, 7, 6, 5, 2, 1],
    "C": [50, 40, 8, 5, 4, 3, 1],
    "D": [50, 40, 8, 6, 4, 2, 1],
    "E": [50, 30, 8, 6, 4, 2, 1],
    "F": [50, 40, 7, 5, 4, 3, 1],
}
UP_CELLS = [(letter, hand, times) for letter, column in UP_COLUMNS.items() for hand, times in zip(UP_HANDS, column, strict=True)]


@pytest.mark.parametrize(("letter", "hand", "times"), UP_CELLS)
def test_641a_12_c_every_cell_of_the_aces_up_tables(letter: str, hand: str, times: int) -> None:
    lines = settle("641a", seat(hand, aces_up=10), dealer=DEALER, offer={"paytables": {"Aces Up Wager": letter}})
    assert lines["Aces Up Wager"] == ("win", usd(10 * times), usd(10))
    assert lines.clause("Aces Up Wager") == "641a.12(c)"


@pytest.mark.parametrize("letter", list(UP_COLUMNS))
def test_641a_12_c_a_pair_below_aces_loses_the_aces_up(letter: str) -> None:
    offer = {"paytables": {"Aces Up Wager": letter}}
    assert settle("641a", seat("Ks Kh Qc 5d 3h", aces_up=10), dealer=DEALER, offer=offer)["Aces Up Wager"] == ("lose", 0, 0)
    assert settle("641a", seat("As Qc 8h 5d 3h", aces_up=10), dealer=DEALER, offer=offer)["Aces Up Wager"] == ("lose", 0, 0)


def test_641a_12_c_there_is_no_table_g_and_the_lost_rows_are_marked() -> None:
    assert refused("641a", seat(EIGHTS, aces_up=10), dealer=DEALER, offer={"paytables": {"Aces Up Wager": "G"}}) == "641a.12(c)"
    assert {(row, letter) for row in ("Two pair", "Pair of aces") for letter in "DEF"} == ACES_UP_TABLE.reconstructed


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize(
    ("letter", "hand", "times"),
    [
        ("A", EIGHTS, 300),
        ("A", RUN, 100),
        ("A", "8s 8d 8h Qc 3c", 9),
        ("B", EIGHTS, 300),
        ("B", RUN, 100),
        ("B", "8s 8d 8h Qc 3c", 15),
    ],
)
def test_641a_12_d_progressive_odds_count_the_stake_in(letter: str, hand: str, times: int, stake: int) -> None:
    player, offer = seat(hand, "play 1x", ante=10, progressive=stake), {"paytables": {PROGRESSIVE: letter}}
    lines = settle("641a", player, dealer=DEALER, offer=offer, meters={PROGRESSIVE: "7000.55"})
    assert lines[PROGRESSIVE] == ("win", usd(times * stake), 0)
    assert lines.clause(PROGRESSIVE) == "641a.12(d)(1)"
    assert lines.meter(PROGRESSIVE) == usd("7000.55")


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize(("letter", "again"), [("A", 5000), ("B", 1000)])
@pytest.mark.parametrize("reading", ["at once", "after the round"])
def test_641a_12_d_four_aces_win_the_meter_and_nothing_else(letter: str, again: int, reading: str, stake: int) -> None:
    offer = {"paytables": {PROGRESSIVE: letter}, "readings": {"reseed": reading}}
    player = seat(ACES, "play 1x", ante=10, progressive=stake)
    lines = settle("641a", player, dealer=DEALER, offer=offer, meters={PROGRESSIVE: "6210.40"})
    assert lines[PROGRESSIVE] == ("win", usd("6210.40"), 0)
    assert lines.meter(PROGRESSIVE) == usd(again)


@pytest.mark.parametrize("letter", ["A", "B"])
@pytest.mark.parametrize("hand", ["2s 6s 9s Js Qh", "5s 6d 7h 8c Qc", "8s 8d 3h 3c Qc", "As Ad 9h 6c 3c"])
def test_641a_12_d_the_progressive_loses_below_a_three_of_a_kind(letter: str, hand: str) -> None:
    offer = {"paytables": {PROGRESSIVE: letter}}
    lines = settle("641a", seat(hand, "play 1x", ante=10, progressive=1), dealer=DEALER, offer=offer)
    assert lines[PROGRESSIVE] == ("lose", 0, 0)


def test_641a_12_d_there_is_no_progressive_table_c_nor_a_wager_of_2_dollars() -> None:
    player = seat(EIGHTS, "play 1x", ante=10, progressive=1)
    assert refused("641a", player, dealer=DEALER, offer={"paytables": {PROGRESSIVE: "C"}}) == "641a.12(d)(1)"
    assert refused("641a", seat(EIGHTS, "play 1x", ante=10, progressive=2), dealer=DEALER) == "641a.12(d)(5)"


@pytest.mark.parametrize(("letter", "least"), [("A", 5000), ("B", 1000)])
def test_641a_12_d_the_least_initial_and_reset_amount(letter: str, least: int) -> None:
    player, offer = seat(ACES, "play 1x", ante=10, progressive=1), {"paytables": {PROGRESSIVE: letter}}
    assert refused("641a", player, dealer=DEALER, offer=offer | terms(seed=least - 1, reseed=least)) == "641a.12(d)(3)"
    assert refused("641a", player, dealer=DEALER, offer=offer | terms(seed=least, reseed=least - 1)) == "641a.12(d)(3)"
    lines = settle("641a", player, dealer=DEALER, offer=offer | terms(seed=least + 700, reseed=least + 300))
    assert lines[PROGRESSIVE] == ("win", usd(least + 700), 0)
    assert lines.meter(PROGRESSIVE) == usd(least + 300)


def test_641a_12_d_the_submission_must_name_the_rate_of_progression() -> None:
    player = seat(ACES, "play 1x", ante=10, progressive=1)
    assert refused("641a", player, dealer=DEALER, offer=terms(rate="0%")) == "641a.12(d)(3)"
    assert refused("641a", player, dealer=DEALER, offer=terms(rate="")) == "641a.12(d)(3)"
    findings = {finding.cite for finding in check({"game": "641a", "wagers": [PROGRESSIVE]}).errors}
    assert {"641a.12(d)(1)", "641a.12(d)(3)", "641a.12(d)(5)"} <= findings


@pytest.mark.parametrize(
    ("letter", "stake", "hand", "bonus"),
    [
        ("A", 1, ACES, 100), ("A", 1, EIGHTS, 10), ("A", 1, RUN, 5), ("B", 1, ACES, 100), ("B", 1, EIGHTS, 25), ("B", 1, RUN, 0),
        ("A", 5, ACES, 500), ("A", 5, EIGHTS, 50), ("A", 5, RUN, 25), ("B", 5, ACES, 500), ("B", 5, EIGHTS, 125), ("B", 5, RUN, 0),
        ("A", 5, "8s 8d 8h Qc 3c", 0), ("B", 5, "8s 8d 8h Qc 3c", 0),
    ],
)  # fmt: skip
def test_641a_12_d_every_cell_of_the_envy_schedules(letter: str, stake: int, hand: str, bonus: int) -> None:
    envious = seat(LITTLE, "play 1x", ante=10, progressive=stake)
    lines = settle("641a", envious, seat(hand, "play 1x", ante=10), dealer=DEALER, offer={"envy": letter})
    assert lines.net(1) == usd(bonus - 20 - stake)
    if bonus:
        assert lines.of(1, "Envy Bonus") == ("win", usd(bonus), 0)
        assert lines.clause("Envy Bonus", 1) == "641a.12(d)(5)"


def test_641a_12_d_the_envy_schedule_is_chosen_apart_from_the_paytable() -> None:
    envious, four = seat(LITTLE, "play 1x", ante=10, progressive=1), seat(EIGHTS, "play 1x", ante=10)
    offer = {"paytables": {PROGRESSIVE: "A"}, "envy": "B"}
    assert settle("641a", envious, four, dealer=DEALER, offer=offer).of(1, "Envy Bonus") == ("win", usd(25), 0)
    assert refused("641a", envious, four, dealer=DEALER, offer={"envy": "C"}) == "641a.12(d)(5)"


def test_641a_12_d_a_folded_hand_earns_envy_only_if_it_is_turned_over() -> None:
    envious = seat(LITTLE, "play 1x", ante=10, progressive=1)
    unseen, seen = seat(EIGHTS, "fold", ante=10, progressive=1), seat(EIGHTS, "fold", ante=10, aces_up=5)
    always = {"readings": {"envy from a folded hand": "always"}}
    assert settle("641a", envious, unseen, dealer=DEALER).net(1) == usd(-21)
    assert settle("641a", envious, unseen, dealer=DEALER, offer=always).of(1, "Envy Bonus") == ("win", usd(10), 0)
    assert settle("641a", envious, seen, dealer=DEALER).of(1, "Envy Bonus") == ("win", usd(10), 0)


@pytest.mark.parametrize(("source", "left"), [("table inventory", 6000), ("meter", 5950)])
def test_641a_12_d_envy_comes_from_the_table_inventory_or_as_read_from_the_meter(source: str, left: int) -> None:
    envious, four = seat(LITTLE, "play 1x", ante=10, progressive=5), seat(EIGHTS, "play 1x", ante=10)
    offer = {"readings": {"envy paid from": source}}
    lines = settle("641a", envious, four, dealer=DEALER, offer=offer, meters={PROGRESSIVE: 6000})
    assert lines.of(1, "Envy Bonus") == ("win", usd(50), 0)
    assert sources(lines, "Envy Bonus") == [source]
    assert lines.meter(PROGRESSIVE) == usd(left)


# § 641a.13


def test_641a_13_a_one_card_face_up_is_discarded_and_two_void_the_round() -> None:
    one, more = irregularity("641a", "13(a)", "One card"), irregularity("641a", "13(a)", "More than one")
    assert (one.void, one.cards) == (False, Fate.CARD_DISCARDED)
    assert (more.void, more.returns_everything, more.settled, more.cards) == (True, True, (), Fate.RESHUFFLED)


def test_641a_13_b_a_card_drawn_in_error_is_the_next_card() -> None:
    found = irregularity("641a", "13(b)")
    assert (found.void, found.cards) == (False, Fate.CARD_USED)


def test_641a_13_c_a_wrong_number_of_cards_voids_the_round() -> None:
    found = irregularity("641a", "13(c)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED)


def test_641a_13_d_an_exposed_dealer_card_voids_everything_aces_up_included() -> None:
    found = irregularity("641a", "13(d)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED)
    assert "11(c)" in found.during


def test_641a_13_e_a_jammed_shuffler_voids_nothing() -> None:
    found = irregularity("641a", "13(e)")
    assert (found.void, found.cards) == (False, Fate.RESHUFFLED)


def test_641a_13_f_a_jammed_shoe_voids_the_round() -> None:
    found = irregularity("641a", "13(f)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED_WITH_DEALT)


def test_641a_13_g_a_broken_device_is_covered_or_marked_first() -> None:
    found = irregularity("641a", "13(g)")
    assert (found.void, found.cards) == (False, Fate.NONE)
    assert "covered or marked" in found.then
