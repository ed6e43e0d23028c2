"""Chapter 682a, Four Card Prime: a test for each subsection of .6, .7, .11, .12 and .13, named after it."""

from __future__ import annotations

import pytest

from croupier.book.ch682a_four_card_prime import ACES_FIVE, ALL_SIX_HANDS, FOUR_CARD
from croupier.cards import cards
from croupier.law.procedure import Act, AdjacentBoxes, Fate, Stage
from tests.book.desk import declared, irregularity, refused, rules, seat, settle, usd

DEALER = "Kd Jc 9h 7s 4c 2d"  # king high


def test_682a_6_a_an_ace_is_high_or_stands_below_the_2_only() -> None:
    assert FOUR_CARD.row(cards("As 2d 3h 4c")) == "Straight"
    assert FOUR_CARD.row(cards("Qs Kd Ah 2c")) == "Nothing"
    assert FOUR_CARD.strength(cards("As 2d 3h 4c")) < FOUR_CARD.strength(cards("2s 3d 4h 5c"))


def test_682a_6_b_the_order_of_the_seven_hands() -> None:
    hands = ["2s 2d 2h 2c", "As Ks Qs Js", "As Ad Ah Kc", "As Ks Qs 9s", "As Kd Qh Jc", "As Ad Kh Kc", "As Ad Kh Qc", "As Kd Qh Tc"]
    strengths = [FOUR_CARD.strength(cards(hand)) for hand in hands]
    assert strengths == sorted(strengths, reverse=True)
    assert [FOUR_CARD.row(cards(hand)) for hand in hands] == list(FOUR_CARD.rows)


def test_682a_6_c_the_highest_card_not_in_the_other_hand_decides_and_suits_do_not() -> None:
    assert FOUR_CARD.strength(cards("3s 3d 5h 4c")) > FOUR_CARD.strength(cards("2s 2d Ah Kc"))
    assert FOUR_CARD.strength(cards("As Kd 9h 4c")) > FOUR_CARD.strength(cards("Ad Kc 9s 3h"))
    assert FOUR_CARD.strength(cards("As Kd 9h 4c")) == FOUR_CARD.strength(cards("Ad Kc 9s 4h"))


def test_682a_6_d_the_aces_bonus_has_no_full_house_and_needs_five_cards_for_a_run() -> None:
    expected = {
        "As Ad Ah Ac 2d": "Four aces", "Ks Kd Kh Kc 2d": "Four-of-a-kind", "As Ks Qs Js Ts": "Royal flush", "9s Ts Js Qs Ks": "Straight flush",
        "As Ad Ah Kc Kd": "Three aces", "Ks Kd Kh 2c 2d": "Three-of-a-kind", "As Ks Qs Js 2s": "Flush", "As Kd Qs Js Ts": "Straight",
        "Ks Kd Qh Qc 2d": "Two pair", "As Ad Qh Jc 2d": "Two aces", "Ks Kd Qh Jc 2d": "Nothing", "As Ks Qs Js 2d": "Nothing",
    }  # fmt: skip
    assert {hand: ACES_FIVE.row(cards(hand)) for hand in expected} == expected


def test_682a_6_e_the_all_six_hands_and_the_six_card_royal_above_them() -> None:
    expected = {
        "Ad Kd Qd Jd Td 9d": "Six-card royal flush—diamonds", "As Ks Qs Js Ts 9s": "Six-card royal flush—hearts, spades or clubs",
        "As Ks Qs Js Ts 9d": "Royal flush", "Ks Qs Js Ts 9s 8s": "Straight flush", "2s 2d 2h 2c 3d 3h": "Four-of-a-kind",
        "2s 2d 2h 3c 3d 3h": "Full house", "As Ks 9s 5s 2s 2d": "Flush", "As 2d 3h 4c 5d 9s": "Straight", "7s 7d 7h 2c 4d 9s": "Three-of-a-kind",
        "7s 7d 6h 6c 4d 9s": "Nothing",
    }  # fmt: skip
    assert {hand: ALL_SIX_HANDS.row(cards(hand)) for hand in expected} == expected


def test_682a_7_a_a_wager_is_an_amount_of_chips() -> None:
    assert refused("682a", seat("As Kc 9d 4d 3s", "raise 1x", ante=0), dealer=DEALER) == "682a.7(a)"


def test_682a_7_b_only_seats_of_the_table_wager() -> None:
    seven = [seat("As Kc 9d 4d 3s", "fold", ante=5)] * 7
    assert refused("682a", *seven, dealer=DEALER) == "682a.2(a)"


def test_682a_7_c_the_raise_is_not_placed_before_the_deal() -> None:
    assert refused("682a", seat("As Kc 9d 4d 3s", "raise 1x", ante=5, raise_=5), dealer=DEALER) == "682a.7(c)"


def test_682a_7_d_what_may_be_wagered() -> None:
    assert {wager.name for wager in rules("682a").wagers.values() if wager.optional} == {
        "Prime Wager",
        "Aces Bonus Wager",
        "All-Six Bonus Wager",
    }
    assert refused("682a", seat("As Kc 9d 4d 3s", ante=5, prime=5), dealer=DEALER) == "682a.11(b)"
    assert refused("682a", seat("As Kc 9d 4d 3s", prime=5), dealer=DEALER) == "682a.7(d)(2)"
    assert refused("682a", seat("As Kc 9d 4d 3s", "raise 4x", ante=5), dealer=DEALER) == "682a.11(b)"


def test_682a_7_e_the_submission_names_the_adjacent_boxes() -> None:
    assert declared(AdjacentBoxes, "682a", "7(e)")[0].chosen_by_submission


def test_682a_11_a_players_examine_their_cards_first() -> None:
    assert rules("682a").of(Stage)[0].act is Act.EXAMINE


@pytest.mark.parametrize("times", [1, 2, 3])
def test_682a_11_b_a_raise_is_one_two_or_three_antes(times: int) -> None:
    lines = settle("682a", seat("As Ad 9d 4s 3c", f"raise {times}x", ante=10), dealer=DEALER)
    assert lines["Raise Wager"] == ("win", usd(10 * times), usd(10 * times))


def test_682a_11_b_a_fold_forfeits_the_ante_and_nothing_else() -> None:
    lines = settle("682a", seat("Ah Ad 9d 4h 3d", "fold", ante=10, prime=5, aces_bonus=5), dealer=DEALER)
    assert lines["Ante Wager"] == ("forfeit", 0, 0)
    assert lines["Prime Wager"] == ("win", usd(30), usd(5))
    assert lines["Aces Bonus Wager"] == ("win", usd(5), usd(5))


def test_682a_11_c_forfeited_wagers_are_collected_before_the_dealer_reveals() -> None:
    acts = [stage.act for stage in rules("682a").of(Stage)]
    assert acts.index(Act.ASK) < acts.index(Act.COLLECT) < acts.index(Act.REVEAL) < acts.index(Act.SETTLE)


def test_682a_11_d_a_tie_wins_and_settlement_runs_from_the_dealers_right() -> None:
    tie = seat("Kh Jd 9c 7d 3c", "raise 2x", ante=10)
    lines = settle("682a", tie, seat("Qs Tc 8d 6h 4d", "raise 1x", ante=10), dealer=DEALER)
    assert lines.order == [2, 1]
    assert lines.of(1, "Ante Wager") == ("win", usd(10), usd(10))
    assert lines.of(1, "Raise Wager") == ("win", usd(20), usd(20))
    assert lines.of(2, "Ante Wager") == ("lose", 0, 0)


def test_682a_11_d_a_bad_beat_returns_the_ante_and_loses_the_raise() -> None:
    lines = settle("682a", seat("9s 9d 9c 4d 3h", "raise 3x", ante=10), dealer="Ts Td Tc 4c 2h 7s")
    assert lines["Ante Wager"] == ("return", 0, usd(10))
    assert lines["Raise Wager"] == ("lose", 0, 0)
    assert lines["Bad Beat Bonus"] == ("win", usd(20), 0)


def test_682a_11_e_the_optional_wagers_are_settled_after_the_ante() -> None:
    lines = settle(
        "682a", seat("Ah Ad 9d 4h 3d", "raise 1x", ante=10, prime=5, aces_bonus=5, all_six=5), dealer=DEALER, community="As"
    )
    order = [line.wager for line in lines.settled.seats[0].lines]
    assert order == ["Ante Wager", "Raise Wager", "Prime Wager", "Aces Bonus Wager", "All-Six Bonus Wager"]
    assert lines["All-Six Bonus Wager"] == ("win", usd(25), usd(5))


def test_682a_11_f_the_cards_are_cleared_last() -> None:
    assert rules("682a").of(Stage)[-1].act is Act.CLEAR


def test_682a_12_a_ante_and_raise_pay_even_money() -> None:
    lines = settle("682a", seat("As Ad 9d 4s 3c", "raise 1x", ante=15), dealer=DEALER)
    assert lines["Ante Wager"] == lines["Raise Wager"] == ("win", usd(15), usd(15))
    assert lines.clause("Ante Wager") == "682a.12(a)"


@pytest.mark.parametrize(("hand", "times"), [("As Ad Ah Ac 3c", 25), ("3s 4s 5s 6s Kh", 20), ("3s 3d 3h 8c Qc", 2)])
def test_682a_12_b_the_win_bonus(hand: str, times: int) -> None:
    assert settle("682a", seat(hand, "raise 1x", ante=10), dealer=DEALER)["Win Bonus"] == ("win", usd(10 * times), 0)
    offer = {"readings": {"win bonus for one": "stake counted in"}}
    assert settle("682a", seat(hand, "raise 1x", ante=10), dealer=DEALER, offer=offer)["Win Bonus"] == (
        "win",
        usd(10 * times - 10),
        0,
    )


@pytest.mark.parametrize(("letter", "times"), [("A", 2), ("B", 5), ("C", 5), ("D", 10)])
def test_682a_12_c_the_bad_beat_bonus(letter: str, times: int) -> None:
    offer = {"paytables": {"Bad Beat Bonus": letter}}
    lines = settle("682a", seat("9s 9d 9c 4d 3h", "raise 1x", ante=10), dealer="Ts Td Tc 4c 2h 7s", offer=offer)
    assert lines["Bad Beat Bonus"] == ("win", usd(10 * times), 0)


@pytest.mark.parametrize(("letter", "times"), [("A", 6), ("B", 5)])
def test_682a_12_d_the_prime_wager(letter: str, times: int) -> None:
    offer = {"paytables": {"Prime Wager": letter}}
    assert settle("682a", seat("Ah Ad 9d 4h 3d", "fold", ante=5, prime=10), dealer=DEALER, offer=offer)["Prime Wager"] == (
        "win",
        usd(10 * times),
        usd(10),
    )
    assert settle("682a", seat("Ah Ad 9d 4h 3s", "fold", ante=5, prime=10), dealer=DEALER, offer=offer)["Prime Wager"] == (
        "win",
        usd(10),
        usd(10),
    )
    assert settle("682a", seat("Ah Ad 9d 4s 3s", "fold", ante=5, prime=10), dealer=DEALER, offer=offer)["Prime Wager"] == (
        "lose",
        0,
        0,
    )


@pytest.mark.parametrize(("letter", "times"), list(zip("ABCDEFGH", [20, 15, 25, 20, 15, 7, 9, 8], strict=True)))
def test_682a_12_e_three_aces_in_each_aces_bonus_table(letter: str, times: int) -> None:
    offer = {"paytables": {"Aces Bonus Wager": letter}}
    lines = settle("682a", seat("As Ad Ah Kc Ks", "fold", ante=5, aces_bonus=10), dealer=DEALER, offer=offer)
    assert lines["Aces Bonus Wager"] == ("win", usd(10 * times), usd(10))


@pytest.mark.parametrize(("letter", "times"), list(zip("ABCDE", [1000, 1000, 1000, 1000, 200_000], strict=True)))
def test_682a_12_f_a_blank_six_card_royal_is_paid_as_a_royal_flush(letter: str, times: int) -> None:
    offer = {"paytables": {"All-Six Bonus Wager": letter}}
    lines = settle(
        "682a", seat("Ad Kd Qd Jd Td", "fold", ante=5, all_six=1), dealer="Kc Jc 9h 7s 4c 2d", community="9d", offer=offer
    )
    assert lines["All-Six Bonus Wager"] == ("win", usd(times), usd(1))


def test_682a_12_g_the_limit_covers_aces_bonus_and_all_six_but_no_six_card_royal_of_table_e() -> None:
    offer = {"payout_limit": 52_500, "minimum": 50, "paytables": {"All-Six Bonus Wager": "E"}}
    royal = seat("As Ks Qs Js Ts", "raise 1x", ante=50, aces_bonus=100, all_six=100)
    lines = settle("682a", royal, dealer=DEALER, community="2c", offer=offer)
    assert lines["Aces Bonus Wager"] == ("win", usd(5000), usd(100))
    assert lines["All-Six Bonus Wager"] == ("win", usd(47_500), usd(100))
    assert lines["Win Bonus"] == ("win", usd(1000), 0)
    six = settle("682a", royal, dealer=DEALER, community="9s", offer=offer)
    assert six["All-Six Bonus Wager"] == ("win", usd(2_000_000), usd(100))
    assert refused("682a", royal, dealer=DEALER, community="2c", offer=offer | {"payout_limit": 52_499}) == "682a.12(g)"


def test_682a_13_a_one_card_face_up_is_discarded_and_two_void_the_round() -> None:
    assert irregularity("682a", "13(a)", "One card").cards is Fate.CARD_DISCARDED
    assert irregularity("682a", "13(a)", "More than one").returns_everything


def test_682a_13_b_a_card_drawn_in_error_is_the_next_card() -> None:
    assert irregularity("682a", "13(b)").cards is Fate.CARD_USED


def test_682a_13_c_a_wrong_number_of_cards_voids_the_round() -> None:
    found = irregularity("682a", "13(c)")
    assert (found.returns_everything, found.cards) == (True, Fate.RESHUFFLED)


def test_682a_13_d_an_exposed_dealer_card_still_settles_the_optional_wagers() -> None:
    found = irregularity("682a", "13(d)")
    assert [wager.name for wager in found.returned] == ["Ante Wager", "Raise Wager"]
    assert [wager.name for wager in found.settled] == ["Prime Wager", "Aces Bonus Wager", "All-Six Bonus Wager"]
    assert (found.void, found.settled_under, found.cards) == (True, "11(e)", Fate.RESHUFFLED)


def test_682a_13_e_a_jammed_shuffler_voids_nothing() -> None:
    found = irregularity("682a", "13(e)")
    assert (found.void, found.cards) == (False, Fate.RESHUFFLED)


def test_682a_13_f_a_jammed_shoe_voids_the_round() -> None:
    found = irregularity("682a", "13(f)")
    assert (found.returns_everything, found.cards) == (True, Fate.RESHUFFLED_WITH_DEALT)


def test_682a_13_g_a_broken_device_is_covered_first() -> None:
    found = irregularity("682a", "13(g)")
    assert not found.void
    assert "covered" in found.then
