"""Chapter 680a, Saigon 5 Card: a test for each subsection of .6, .7, .11, .12 and .13, named after it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.book.ch680a_saigon_5_card import BONUS_HANDS, point_counts, values
from croupier.cards import Card, cards, deck, show
from croupier.filing.check import check
from croupier.law.procedure import Act, Actor, AdjacentBoxes, Fate, Irregularity, Stage, Step
from tests.book.desk import declared, irregularity, refused, rules, seat, settle, usd

NONE = "Kh Qd 2c 3s 4h"  # 10 10 2 3 4: no three total 10, 20 or 30
JOKER = "Jk 8h 6h 5h 2h"  # Jk 6 5 leaves 10, Jk 8 6 leaves 7, Jk 5 2 leaves 4; without the joker no three qualify

# The two cards next to Ks Qs Js for each Point Count from 1 to 10.
SHOWDOWN = ["9s 2d", "As Ad", "As 2d", "As 3d", "As 4d", "As 5d", "As 6d", "As 7d", "As 8d", "As 9d"]
EACH_COUNT = list(enumerate(SHOWDOWN, 1))

# Hands of each row of 12(c) with what it pays: without the joker, where there are any, and with it.
BONUS = [
    ("As Ad Ah Ac Jk", "Five aces", 5000),
    ("As Ks Qs Js Ts", "Royal flush—no joker", 1000),
    ("Ks Qs Js Ts Jk", "Royal flush—with a joker", 250),  # the joker as the ace
    ("As Ks Qs Ts Jk", "Royal flush—with a joker", 250),  # as the jack
    ("9s Ts Js Qs Ks", "Straight flush", 100),
    ("As 2s 3s 4s 5s", "Straight flush", 100),
    ("9s Ts Js Qs Jk", "Straight flush", 100),
    ("As 2s 3s 5s Jk", "Straight flush", 100),
    ("Ks Kd Kh Kc 5d", "Four-of-a-kind", 50),
    ("Ks Kd Kh Kc Jk", "Four-of-a-kind", 50),
    ("As Ad Ah 5c Jk", "Four-of-a-kind", 50),
    ("Ks Kd Kh 5c 5d", "Full house", 20),
    ("As Ad 5h 5c Jk", "Full house", 20),
    ("Ks Kd Kh Ac Jk", "Full house", 20),
    ("As Ts 9s 5s 2s", "Flush", 15),
    ("Ks Ts 9s 5s Jk", "Flush", 15),
    ("As Ts 9s 5s Jk", "Flush", 15),
    ("As Ks Qs 2s 3s", "Flush", 15),  # an ace between king and 2 does not make a run
    ("As Kd Qh Jc Ts", "Straight", 12),
    ("As 2d 3h 4c 5s", "Straight", 12),
    ("5s 6d 8h 9c Jk", "Straight", 12),
    ("2s 3d 4h 5c Jk", "Straight", 12),
    ("Ks Kd Kh 5c 4d", "Three-of-a-kind", 10),
    ("As Ad 9h 5c Jk", "Three-of-a-kind", 10),
    ("Ks Kd Kh 5c Jk", "Three-of-a-kind", 10),  # the joker is an ace, not a fourth king
    ("Ks Kd 5h 5c 4d", "Two pair", 8),
    ("Ks Kd 5h 5c Jk", "Two pair", 8),  # nor a third king
    ("As Kd Kh 5c Jk", "Two pair", 8),
]
NO_BONUS = [
    "Ks Kd 9h 5c 4d",
    "Ks Kd 9h 5c Jk",
    "As Kd 9h 5c Jk",
    "Qs Kd Ah 2c 3d",
    "Qs Kd Ah 2c Jk",
    "As Ad 9h 5c 4d",
    "5h 5d 6h 7c Jk",
]


def read(**readings: str) -> dict[str, Any]:
    """An offer with these readings, “_” for a space and “__” for an apostrophe."""
    return {"readings": {name.replace("__", "'").replace("_", " "): value for name, value in readings.items()}}


LOWEST = read(dealer__s_setting="lowest point count")


# § 680a.6


@pytest.mark.parametrize(
    ("texts", "value"),
    [("9s 9d", (9,)), ("2h 2c", (2,)), ("7s 7c", (7,)), ("Ts Jd Qh Kc", (10,)), ("As Ad Ah Ac", (1,)), ("Jk", (3, 6, 9))],
)
def test_680a_6_a_the_value_of_each_card(texts: str, value: tuple[int, ...]) -> None:
    assert {values(card) for card in cards(texts)} == {value}


def test_680a_6_a_a_card_from_2_to_9_has_its_face_value() -> None:
    assert [values(Card.parse(f"{face}h")) for face in range(2, 10)] == [(face,) for face in range(2, 10)]


@pytest.mark.parametrize("two", ["4s 3h", "3h Ac", "Ac Tc"])
def test_680a_6_a_a_joker_qualifies_a_hand_as_3_6_or_9(two: str) -> None:
    # 3 + 4 + 3, 6 + 3 + 1, 9 + 1 + 10; the other two cards are kings, a Point Count of 10
    player = seat(f"Jk {two} Ks Kd", set_aside=f"Jk {two}", ante=10)
    assert settle("680a", player, dealer="Qh Qd 2c 3s 4d")["Ante Wager"] == ("win", usd(10), usd(10))


@pytest.mark.parametrize(("count", "two"), [*EACH_COUNT, (5, "As 4d"), (10, "Ts Jd"), (10, "5s 5d"), (8, "9s 9d"), (1, "Ks Ad")])
def test_680a_6_b_the_point_count_of_a_showdown_hand(count: int, two: str) -> None:
    assert point_counts(cards(two)) == {count}


@pytest.mark.parametrize(("two", "counts"), [("Jk As", {4, 7, 10}), ("Jk 4s", {7, 10, 3}), ("Jk Ks", {3, 6, 9})])
def test_680a_6_b_with_a_joker_it_has_three_values(two: str, counts: set[int]) -> None:
    assert point_counts(cards(two)) == counts


def test_680a_6_b_ten_is_the_highest_and_1_the_lowest() -> None:
    seats = [seat("Ks Qs Js 9s 2d", ante=10), seat("Kd Qc Jd As 9d", ante=10)]
    lines = settle("680a", *seats, dealer="Kh Qd Jh 3c 3h")  # 1 and 10 against 6
    assert lines.of(1, "Ante Wager") == ("lose", 0, 0)
    assert lines.of(2, "Ante Wager") == ("win", usd(10), usd(10))


def test_680a_6_c_the_hands_of_the_bonus_and_their_order() -> None:
    assert {hand: BONUS_HANDS.row(cards(hand)) for hand, _, _ in BONUS} == {hand: row for hand, row, _ in BONUS}
    assert list(BONUS_HANDS.rows) == [*dict.fromkeys(row for _, row, _ in BONUS), "Nothing"]


@pytest.mark.parametrize("hand", NO_BONUS)
def test_680a_6_c_one_pair_is_nothing_and_no_sequence_runs_past_the_ace(hand: str) -> None:
    assert BONUS_HANDS.row(cards(hand)) == "Nothing"


# § 680a.7


def test_680a_7_a_a_wager_is_an_amount_of_chips() -> None:
    assert refused("680a", seat("Ks Qs Js As 2d", ante=0), dealer=NONE) == "680a.7(a)"
    assert refused("680a", seat("Ks Qs Js As 2d", ante=5, bonus=-5), dealer=NONE) == "680a.7(a)"


def test_680a_7_b_only_players_at_the_six_seats_wager() -> None:
    dealer, *hands = [show(deck()[first : first + 5]) for first in range(0, 40, 5)]
    seats = [seat(hand, ante=5) for hand in hands]
    assert settle("680a", *seats[:6], dealer=dealer).order == [6, 5, 4, 3, 2, 1]
    assert refused("680a", *seats, dealer=dealer) == "680a.2(a)"
    assert refused("680a", dealer=dealer) == "680a.7(b)"


def test_680a_7_c_no_wager_is_made_or_withdrawn_after_the_deal() -> None:
    assert rules("680a").decisions == ()
    assert not any(wager.made_by_decision for wager in rules("680a").wagers.values())
    assert refused("680a", seat("Ks Qs Js As 2d", "fold", ante=5), dealer=NONE) == "680a.11"


def test_680a_7_d_an_ante_and_no_play_wager() -> None:
    assert refused("680a", seat("Ks Qs Js As 2d"), dealer=NONE) == "680a.7(d)(1)"
    assert refused("680a", seat("Ks Qs Js As 2d", ante=5, play=5), dealer=NONE) == "680a.7(d)"


def test_680a_7_d_the_bonus_is_the_submissions_and_needs_an_ante() -> None:
    assert [wager.name for wager in rules("680a").wagers.values() if wager.optional] == ["Bonus Wager"]
    alone = seat("Ks Kc 5s 5c 4d", bonus=5)
    assert refused("680a", seat("Ks Kc 5s 5c 4d", ante=5, bonus=5), dealer=NONE, offer={"wagers": []}) == "680a.7(d)(2)"
    assert refused("680a", alone, dealer=NONE) == "680a.7(d)(2)"
    lines = settle("680a", alone, dealer=NONE, offer=read(optional_wagers="alone"))
    assert lines["Bonus Wager"] == ("win", usd(40), usd(5))
    assert "Ante Wager" not in lines


def test_680a_7_e_the_submission_names_the_adjacent_boxes() -> None:
    assert declared(AdjacentBoxes, "680a", "7(e)")[0].chosen_by_submission
    assert "680a.7(e)" in {error.cite for error in check({"game": "680a"}).errors}
    one = seat("Ks Qs Js As 2d", ante=5)
    assert refused("680a", one, dealer=NONE, offer={"adjacent_boxes": 0}) == "680a.7(e)"
    assert refused("680a", one, dealer=NONE, offer={"adjacent_boxes": 7}) == "680a.7(e)"


# § 680a.11


def test_680a_11_a_players_examine_and_mind_their_own_cards_first() -> None:
    assert rules("680a").of(Stage)[0].act is Act.EXAMINE
    assert [step.who for step in declared(Step, "680a", "11(a)(1)")] == [Actor.PLAYER]
    assert "five cards" in declared(Step, "680a", "11(a)(2)")[0].does


def test_680a_11_b_the_example_of_the_code_has_a_point_count_of_10() -> None:
    for set_aside in ("", "Jk 5h 6h"):
        lines = settle("680a", seat(JOKER, set_aside=set_aside, ante=10), dealer="Kh Qd Jd As 8d")  # against 9
        assert lines["Ante Wager"] == ("win", usd(10), usd(10))


@pytest.mark.parametrize(("three", "outcome"), [("Jk 6h 5h", "win"), ("Jk 8h 6h", "push"), ("Jk 5h 2h", "lose")])
def test_680a_11_b_the_player_chooses_where_several_settings_qualify(three: str, outcome: str) -> None:
    lines = settle("680a", seat(JOKER, set_aside=three, ante=10), dealer="Kh Qd Jd As 6d")  # 10, 7 or 4 against 7
    assert lines["Ante Wager"][0] == outcome


@pytest.mark.parametrize("set_aside", ["", "Ks Qs Js"])
def test_680a_11_b_a_joker_in_the_showdown_hand_has_the_value_that_is_best(set_aside: str) -> None:
    player = seat("Ks Qs Js 4s Jk", set_aside=set_aside, ante=10)  # 4 and 6, a Point Count of 10, against 9
    assert settle("680a", player, dealer="Kh Qd Jd As 8d")["Ante Wager"] == ("win", usd(10), usd(10))


@pytest.mark.parametrize("three", ["8h 6h 5h", "Jk 8h 5h", "Jk 8h 2h"])
def test_680a_11_b_a_hand_that_can_qualify_is_set_to_qualify(three: str) -> None:
    assert refused("680a", seat(JOKER, set_aside=three, ante=10), dealer=NONE) == "680a.11(b)(1)"


def test_680a_11_b_or_such_a_setting_is_accepted_and_does_not_qualify() -> None:
    player, offer = seat(JOKER, set_aside="8h 6h 5h", ante=10), read(unqualified_setting="accepted")
    assert settle("680a", player, dealer=NONE, offer=offer)["Ante Wager"] == ("return", 0, usd(10))
    assert settle("680a", player, dealer="Kh Qd Jd 9d 2d", offer=offer)["Ante Wager"] == ("lose", 0, 0)


@pytest.mark.parametrize("three", ["Ks Qc 2d", "2d 3c 4s", "Ks 2d 4s"])
def test_680a_11_b_a_hand_that_cannot_qualify_is_set_in_any_way(three: str) -> None:
    assert settle("680a", seat("Ks Qc 2d 3c 4s", set_aside=three, ante=10), dealer=NONE)["Ante Wager"] == ("return", 0, usd(10))


@pytest.mark.parametrize("three", ["Ks Qs", "Ks Qs Js As", "Ks Qs Td", "Ks Ks Qs"])
def test_680a_11_b_the_three_card_hand_is_three_of_the_five_cards(three: str) -> None:
    assert refused("680a", seat("Ks Qs Js As 2d", set_aside=three, ante=10), dealer=NONE).startswith("680a.11(b)")


def test_680a_11_c_the_dealer_reveals_after_the_players_have_set() -> None:
    acts = [stage.act for stage in rules("680a").of(Stage)]
    assert acts.index(Act.EXAMINE) < acts.index(Act.SET) < acts.index(Act.REVEAL) < acts.index(Act.SETTLE)


@pytest.mark.parametrize("dealer", ["Kh Qd Jd Ad 2c", "8d 8c 4d Ad 2c", "5d 4d Ac Ad 2c", "Jk Ac Kd Ad 2c"])
def test_680a_11_c_the_dealer_qualifies_with_30_20_or_10(dealer: str) -> None:
    # each leaves ace and 2, a 3, against the player's 2; in the last the joker is a 9 with ace and king
    assert settle("680a", seat("Ks Qs Js As Ah", ante=10), dealer=dealer)["Ante Wager"] == ("lose", 0, 0)


@pytest.mark.parametrize("dealer", [NONE, "9h 9d 9c 3d 3c", "As Ah Ad Ac Jk"])
def test_680a_11_c_otherwise_the_dealer_does_not_qualify(dealer: str) -> None:
    lines = settle("680a", seat("Ks Qs Js 9s 2d", ante=10), dealer=dealer)  # the lowest Point Count wins
    assert lines["Ante Wager"] == ("win", usd(10), usd(10))


@pytest.mark.parametrize(
    ("two", "highest", "lowest"), [("As 9d", "push", "win"), ("As 8d", "lose", "win"), ("As 3d", "lose", "push")]
)
def test_680a_11_c_of_several_settings_the_dealer_takes_the_highest_count_or_the_lowest(
    two: str, highest: str, lowest: str
) -> None:
    player = seat(f"Ks Qs Js {two}", ante=10)  # 10, 9 or 4 against 10, or 4
    assert settle("680a", player, dealer=JOKER)["Ante Wager"][0] == highest
    assert settle("680a", player, dealer=JOKER, offer=LOWEST)["Ante Wager"][0] == lowest


def test_680a_11_c_a_joker_in_the_dealers_showdown_hand_makes_the_highest_count() -> None:
    assert settle("680a", seat("Ks Qs Js As 8d", ante=10), dealer="Kh Qd Jd 4s Jk")["Ante Wager"] == ("lose", 0, 0)  # 9 against 10


def test_680a_11_d_where_neither_hand_qualifies_the_ante_goes_back() -> None:
    lines = settle("680a", seat("Ks Qc 2d 3c 4s", ante=10), dealer=NONE)
    assert lines["Ante Wager"] == ("return", 0, usd(10))
    assert lines.clause("Ante Wager") == "680a.11(d)(1)(i)"


@pytest.mark.parametrize(("count", "two"), EACH_COUNT)
def test_680a_11_d_against_no_qualified_dealer_any_point_count_wins(count: int, two: str) -> None:
    lines = settle("680a", seat(f"Ks Qs Js {two}", ante=10), dealer=NONE)
    assert lines["Ante Wager"] == ("win", usd(5 if count == 5 else 10), usd(10))
    assert lines.clause("Ante Wager") == ("680a.12(b)" if count == 5 else "680a.12(a)")


def test_680a_11_d_an_unqualified_hand_loses_to_a_qualified_dealer() -> None:
    lines = settle("680a", seat("Ks Qc 2d 3c 4s", ante=10), dealer="Kh Qd Jd 9d 2h")  # the player's count is the lowest, 1
    assert lines["Ante Wager"] == ("lose", 0, 0)
    assert lines.clause("Ante Wager") == "680a.11(d)(2)(i)"


@pytest.mark.parametrize(("count", "two"), EACH_COUNT)
@pytest.mark.parametrize(("theirs", "dealer"), [(4, "Kh Qd Jd 2c 2h"), (5, "Kh Qd Jd 2c 3h"), (10, "Kh Qd Jd Th Tc")])
def test_680a_11_d_the_higher_point_count_wins_and_equal_ones_push(count: int, two: str, theirs: int, dealer: str) -> None:
    lines = settle("680a", seat(f"Ks Qs Js {two}", ante=10), dealer=dealer)
    if count > theirs:
        assert lines["Ante Wager"] == ("win", usd(5 if count == 5 else 10), usd(10))
    elif count == theirs:
        assert lines["Ante Wager"] == ("push", 0, usd(10))
        assert lines.clause("Ante Wager") == "680a.11(d)(2)(ii)(C)"
    else:
        assert lines["Ante Wager"] == ("lose", 0, 0)
        assert lines.clause("Ante Wager") == "680a.11(d)(2)(ii)(A)"


def test_680a_11_d_settlement_runs_from_the_dealers_right() -> None:
    seats = [seat("Ks Qs Js 9s 2d", ante=10), seat("Kd Qc Jd 2h 3d", ante=10), seat("Th Td 8c 4c 7c", ante=10)]
    lines = settle("680a", *seats, dealer="Kh Qd Jh 2c 2s")  # 1, 5 and none against 4
    assert lines.order == [3, 2, 1]
    assert [lines.net(number) for number in (1, 2, 3)] == [-usd(10), usd(5), -usd(10)]


def test_680a_11_e_the_bonus_is_settled_after_the_ante_and_by_all_five_cards() -> None:
    player = seat("Ks Kc 5s 5c 4d", ante=10, bonus=5)  # K 5 5 total 20 and leave 14, a 4
    lines = settle("680a", player, dealer="Kh Qd Jd As 8d")
    assert [line.wager for line in lines.settled.seats[0].lines] == ["Ante Wager", "Bonus Wager"]
    assert lines["Ante Wager"] == ("lose", 0, 0)
    assert lines["Bonus Wager"] == ("win", usd(40), usd(5))


@pytest.mark.parametrize("hand", NO_BONUS)
def test_680a_11_e_below_two_pair_the_bonus_is_lost(hand: str) -> None:
    lines = settle("680a", seat(hand, ante=10, bonus=5), dealer="8s 8h 8d 7s 2s")
    assert lines["Bonus Wager"] == ("lose", 0, 0)
    assert lines.clause("Bonus Wager") == "680a.11(e)(1)"


def test_680a_11_f_the_cards_are_cleared_last() -> None:
    last = rules("680a").of(Stage)[-1]
    assert (last.act, str(last.cite)) == (Act.CLEAR, "680a.11(f)")


# § 680a.12


@pytest.mark.parametrize("two", [two for count, two in EACH_COUNT if count != 5])
def test_680a_12_a_a_winning_ante_pays_even_money(two: str) -> None:
    lines = settle("680a", seat(f"Ks Qs Js {two}", ante=15), dealer=NONE)
    assert lines["Ante Wager"] == ("win", usd(15), usd(15))
    assert lines.clause("Ante Wager") == "680a.12(a)"


@pytest.mark.parametrize(("ante", "pays"), [(5, "2.50"), (10, "5"), (25, "12.50")])
@pytest.mark.parametrize("dealer", [NONE, "Kh Qd Jd 2c 2h"])
def test_680a_12_b_a_point_count_of_5_pays_1_to_2(dealer: str, ante: int, pays: str) -> None:
    lines = settle("680a", seat("Ks Qs Js As 4d", ante=ante), dealer=dealer)
    assert lines["Ante Wager"] == ("win", usd(pays), usd(ante))
    assert lines.clause("Ante Wager") == "680a.12(b)"


@pytest.mark.parametrize(("hand", "times"), [(hand, times) for hand, _, times in BONUS])
def test_680a_12_c_the_bonus_wager(hand: str, times: int) -> None:
    lines = settle("680a", seat(hand, ante=5, bonus=10), dealer="8s 8d 7h 7c 6c")
    assert lines["Bonus Wager"] == ("win", usd(10 * times), usd(10))
    assert lines.clause("Bonus Wager") == "680a.12(c)"


@pytest.mark.parametrize(("hand", "times"), [("Ks Kc 5s 5c 4d", 9), ("As Kd Ks 5c Jk", 9), ("Ks Kc Kd 5c 4d", 10)])
def test_680a_12_c_or_two_pair_pays_9_to_1_and_no_other_row_changes(hand: str, times: int) -> None:
    lines = settle("680a", seat(hand, ante=5, bonus=10), dealer=NONE, offer=read(two_pair="9 to 1"))
    assert lines["Bonus Wager"] == ("win", usd(10 * times), usd(10))


def test_680a_12_c_there_is_paytable_a_alone() -> None:
    player = seat("Ks Kc 5s 5c 4d", ante=5, bonus=5)
    assert settle("680a", player, dealer=NONE, offer={"paytables": {"Bonus Wager": "A"}})["Bonus Wager"] == ("win", usd(40), usd(5))
    assert refused("680a", player, dealer=NONE, offer={"paytables": {"Bonus Wager": "B"}}) == "680a.12(c)"


FIVE_ACES = seat("As Ad Ah Ac Jk", ante=50, bonus=50)


@pytest.mark.parametrize("reading", ["every covered wager", "the best paying wager"])
def test_680a_12_d_the_floor_is_what_five_aces_win_at_the_minimum(reading: str) -> None:
    # five aces cannot qualify, so the Bonus is all they win: 5,000 times $20, however the floor is read
    offer = {"minimum": 20, "payout_limit": 100_000} | read(limit_floor=reading)
    assert settle("680a", FIVE_ACES, dealer=NONE, offer=offer)["Bonus Wager"] == ("win", usd(100_000), usd(50))
    assert refused("680a", FIVE_ACES, dealer=NONE, offer=offer | {"payout_limit": 99_999}) == "680a.12(d)"


def test_680a_12_d_the_floor_is_never_below_50_000_dollars() -> None:
    ante = seat("Ks Qs Js As 2d", ante=20)
    assert refused("680a", ante, dealer=NONE, offer={"minimum": 20, "payout_limit": 49_999}) == "680a.12(d)"
    assert settle("680a", ante, dealer=NONE, offer={"minimum": 20, "payout_limit": 50_000}).net() == usd(20)
    assert refused("680a", FIVE_ACES, dealer=NONE, offer={"minimum": 5, "payout_limit": 49_999}) == "680a.12(d)"


def test_680a_12_d_the_limit_cuts_the_bonus() -> None:
    lines = settle("680a", FIVE_ACES, dealer=NONE, offer={"payout_limit": 50_000})
    assert lines["Ante Wager"] == ("return", 0, usd(50))
    assert lines["Bonus Wager"] == ("win", usd(50_000), usd(50))
    assert lines.clause("Bonus Wager") == "680a.12(d)"


@pytest.mark.parametrize(("reading", "bonus"), [("on top of stakes", 40_000), ("with stakes", 29_900)])
def test_680a_12_d_ante_and_bonus_share_the_limit_without_their_stakes_or_with_them(reading: str, bonus: int) -> None:
    royal = seat("As Ks Qs Js Ts", ante=10_000, bonus=100)  # 30, and a Point Count of 1
    lines = settle("680a", royal, dealer=NONE, offer={"payout_limit": 50_000} | read(payout_limit=reading))
    assert lines["Ante Wager"] == ("win", usd(10_000), usd(10_000))
    assert lines["Bonus Wager"] == ("win", usd(bonus), usd(100))


def test_680a_12_d_the_limit_cuts_the_ante_too() -> None:
    lines = settle("680a", seat("Ks Qs Js As 2d", ante=60_000), dealer=NONE, offer={"payout_limit": 50_000})
    assert lines["Ante Wager"] == ("win", usd(50_000), usd(60_000))
    assert lines.clause("Ante Wager") == "680a.12(d)"


# § 680a.13


def test_680a_13_a_one_card_face_up_is_discarded() -> None:
    found = irregularity("680a", "13(a)", "One card")
    assert (found.void, found.cards) == (False, Fate.CARD_DISCARDED)


def test_680a_13_a_more_than_one_card_face_up_voids_the_round() -> None:
    found = irregularity("680a", "13(a)", "More than one")
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED)


def test_680a_13_b_a_card_drawn_in_error_is_the_next_card() -> None:
    found = irregularity("680a", "13(b)")
    assert (found.void, found.cards) == (False, Fate.CARD_USED)


def test_680a_13_c_a_wrong_number_of_cards_voids_the_round() -> None:
    found = irregularity("680a", "13(c)")
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED)


def test_680a_13_d_a_jammed_shuffler_voids_nothing() -> None:
    found = irregularity("680a", "13(d)")
    assert (found.void, found.returned, found.cards) == (False, (), Fate.RESHUFFLED)


def test_680a_13_e_a_jammed_shoe_voids_the_round() -> None:
    found = irregularity("680a", "13(e)")
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED_WITH_DEALT)


def test_680a_13_f_a_broken_device_is_covered_or_marked_first() -> None:
    found = irregularity("680a", "13(f)")
    assert (found.void, found.cards) == (False, Fate.NONE)
    assert "covered" in found.then
    assert "out of order" in found.then


def test_680a_13_f_is_the_last_no_clause_speaks_of_an_exposed_card() -> None:
    found = {cite.clause for rule in rules("680a").of(Irregularity) for cite in rule.cites if cite.section == 13}
    assert found == {"13(a)", "13(b)", "13(c)", "13(d)", "13(e)", "13(f)"}
