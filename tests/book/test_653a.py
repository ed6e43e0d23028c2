"""Chapter 653a, Ultimate Texas Hold 'Em Poker: a test for each subsection of .6, .7, .11, .12 and .13, named after it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.book.ch653a_ultimate_texas_hold_em_poker import FIVE_CARD
from croupier.cards import cards
from croupier.filing.check import check
from croupier.law.fact import COMMUNITY
from croupier.law.procedure import Act, Actor, AdjacentBoxes, Fate, Stage, Step
from tests.book.desk import Lines, declared, irregularity, refused, rules, seat, settle, usd

ANTE, BLIND, PLAY, TRIPS, PROGRESSIVE = "Ante Wager", "Blind Wager", "Play Wager", "Trips Wager", "Progressive Payout Wager"
DEALER = "4h Qc"  # a pair of 4s or better on every board of HANDS
HANDS = [  # the player's two cards and the community cards, by the rows of 12(b), 12(c) and 12(d)
    ("As Ks", "Qs Js Ts 4d 2c"),
    ("9s 8s", "7s 6s 5s 4d Kc"),
    ("8s 8d", "8h 8c 4d Kc 2s"),
    ("8s 8d", "8h Kc Kd 4d 2s"),
    ("As 9s", "7s 5s 2s 4d Kc"),
    ("9s 8d", "7h 6c 5s 4d Kc"),
    ("8s 8d", "8h Kc 4d 2s 6c"),
]
BELOW = [("8s Kd", "8h Kc 4d 2s 6c"), ("As Ad", "8h Kc 4d 2s 6c")]  # two pairs and a pair: they still beat the dealer
BOARD, NO_PAIR = "Ks 9d 7c 4h 2s", "Jd Tc"  # the dealer has king high
WIN, LOSE = "Ad 3c", "6d 3d"  # ace high and king-nine high on that board
RIVER = "check check "
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def strength(hand: str) -> Any:
    return FIVE_CARD.strength(cards(hand))


def terms(**more: Any) -> dict[str, Any]:
    return {"progressives": {PROGRESSIVE: {"amount": 1, "rate": "14%", "seed": 10_000, "reseed": 10_000} | more}}


def sources(lines: Lines, wager: str) -> list[str]:
    return [line.source for each in lines.settled.seats for line in each.lines if line.wager == wager]


# § 653a.6


def test_653a_6_a_an_ace_is_high_or_stands_below_the_2_only() -> None:
    assert FIVE_CARD.row(cards("As 2d 3h 4c 5s")) == "Straight"
    assert FIVE_CARD.row(cards("As 2s 3s 4s 5s")) == "Straight flush"
    assert FIVE_CARD.row(cards("As Kd Qh Jc Ts")) == "Straight"
    assert FIVE_CARD.row(cards("Qs Kd Ah 2c 3s")) == "Nothing"
    assert strength("As Kd 9h 4c 2s") == strength("Ac Kh 9d 4s 2h")


def test_653a_6_b_the_order_of_the_nine_hands() -> None:
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
def test_653a_6_b_the_highest_and_the_lowest_of_each_hand(row: str, highest: str, lowest: str, between: str) -> None:
    assert {FIVE_CARD.row(cards(hand)) for hand in (highest, lowest, between)} == {row}
    assert strength(highest) > strength(between) > strength(lowest)


def test_653a_6_c_the_highest_card_not_in_the_other_hand_decides() -> None:
    assert strength("As Kd 9h 4c 3s") > strength("Ad Kc 9s 4h 2d")
    assert strength("8s 8d Ah 3c 2s") > strength("8h 8c Kh Qc Js")
    assert strength("8s 8d 4h 4c Ks") > strength("8h 8c 4s 4d Qs")
    assert strength("Ks Qs 9s 4s 3s") > strength("Kd Qd 9d 4d 2d")


def test_653a_6_c_equal_hands_are_a_tie_and_a_sixth_card_does_not_break_it() -> None:
    assert strength("8s 8d 4h 4c Ks") == strength("8h 8c 4s 4d Kd")
    lines = settle("653a", seat("Ad 7h", "play 4x", ante=10, blind=10), dealer="Ac 6h", community="As Kd Kc Qh 9s")
    assert lines[ANTE] == lines[BLIND] == ("push", 0, usd(10))
    assert lines[PLAY] == ("push", 0, usd(40))


# § 653a.7


@pytest.mark.parametrize("amount", [0, -5, "ten dollars in cash"])
def test_653a_7_a_a_wager_is_an_amount_of_chips(amount: object) -> None:
    assert refused("653a", seat(WIN, "play 4x", ante=amount, blind=amount), dealer=NO_PAIR, community=BOARD) == "653a.7(a)"
    assert refused("653a", seat(WIN, "play 4x", ante=5, blind=5, trips=amount), dealer=NO_PAIR, community=BOARD) == "653a.7(a)"


def test_653a_7_b_only_those_at_one_of_six_seats_wager() -> None:
    seven = [seat(" ".join(DECK[2 * n : 2 * n + 2]), "play 4x", ante=5, blind=5) for n in range(7)]
    assert settle("653a", *seven[:6], dealer="As Kd", community="Ad Qh Jc 9s 8d").order == [6, 5, 4, 3, 2, 1]
    assert refused("653a", *seven, dealer="As Kd", community="Ad Qh Jc 9s 8d") == "653a.2(a)"
    assert refused("653a", dealer="As Kd", community="Ad Qh Jc 9s 8d") == "653a.7(b)"


def test_653a_7_c_the_play_wager_is_not_placed_before_the_deal() -> None:
    player = seat(WIN, "play 4x", ante=5, blind=5, play=20)
    assert refused("653a", player, dealer=NO_PAIR, community=BOARD) == "653a.7(c)"


@pytest.mark.parametrize(
    "wagers", [{}, {"ante": 5}, {"blind": 5}, {"ante": 5, "blind": 10}, {"ante": 10, "blind": 5}, {"ante": 5, "trips": 5}]
)
def test_653a_7_d_ante_and_blind_are_both_placed_in_equal_amounts(wagers: dict[str, int]) -> None:
    assert refused("653a", seat(WIN, "play 4x", **wagers), dealer=NO_PAIR, community=BOARD) == "653a.7(d)(1)"


def test_653a_7_d_trips_and_progressive_need_ante_and_blind() -> None:
    assert refused("653a", seat(WIN, trips=5), dealer=NO_PAIR, community=BOARD) == "653a.7(d)(2)"
    assert refused("653a", seat(WIN, progressive=1), dealer=NO_PAIR, community=BOARD) == "653a.7(d)(3)"
    player = seat(LOSE, "check check play", ante=5, blind=5, trips=7, progressive=1)
    assert settle("653a", player, dealer=NO_PAIR, community=BOARD).net() == usd(0 - 5 - 5 - 7 - 1)  # the Ante is returned


def test_653a_7_d_only_the_progressive_is_optional_and_it_must_be_offered() -> None:
    assert [wager.name for wager in rules("653a").wagers.values() if wager.optional] == [PROGRESSIVE]
    player = seat(WIN, "play 4x", ante=5, blind=5, progressive=1)
    assert refused("653a", player, dealer=NO_PAIR, community=BOARD, offer={"wagers": []}) == "653a.7(d)(3)"
    assert refused("653a", seat(WIN, "play 4x", ante=5, blind=5, prime=5), dealer=NO_PAIR, community=BOARD) == "653a.7(d)"


def test_653a_7_e_a_player_wagers_on_one_position_only() -> None:
    player = seat(WIN, "play 4x", ante=5, blind=5)
    assert not declared(AdjacentBoxes, "653a", "7(e)")[0].chosen_by_submission
    assert refused("653a", player, dealer=NO_PAIR, community=BOARD, offer={"adjacent_boxes": 2}) == "653a.7(e)"
    assert settle("653a", player, dealer=NO_PAIR, community=BOARD, offer={"adjacent_boxes": 1}).net() == usd(20)
    assert "653a.7(e)" not in {finding.cite for finding in check({"game": "653a"}).errors}


# § 653a.11


def test_653a_11_a_players_examine_their_two_cards_first() -> None:
    assert rules("653a").of(Stage)[0].act is Act.EXAMINE
    assert [declared(Step, "653a", f"11(a)({number})")[0].who for number in (1, 2)] == [Actor.PLAYER, Actor.PLAYER]
    assert refused("653a", seat("Ad", "play 4x", ante=5, blind=5), dealer=NO_PAIR, community=BOARD) == "653a.8(d)"
    assert refused("653a", seat(WIN, "play 4x", ante=5, blind=5), dealer="Jd", community=BOARD) == "653a.8(d)"


@pytest.mark.parametrize("times", [3, 4])
def test_653a_11_b_a_play_wager_before_the_flop_is_three_or_four_antes(times: int) -> None:
    lines = settle("653a", seat(WIN, f"play {times}x", ante=10, blind=10), dealer=NO_PAIR, community=BOARD)
    assert lines[PLAY] == ("win", usd(10 * times), usd(10 * times))


@pytest.mark.parametrize("said", ["play 1x", "play 2x", "play 5x", "play", "fold", "raise", ""])
def test_653a_11_b_nothing_else_may_be_said_before_the_flop(said: str) -> None:
    assert refused("653a", seat(WIN, said, ante=5, blind=5), dealer=NO_PAIR, community=BOARD) == "653a.11(b)"


def test_653a_11_b_each_decision_is_taken_on_the_cards_seen_by_then() -> None:
    knows = [decision.knows for decision in rules("653a").decisions]
    assert knows == ["their two cards", "their two cards and the Flop", "their two cards and all five community cards"]


def test_653a_11_c_a_card_is_burned_and_the_flop_dealt() -> None:
    burn, flop = declared(Stage, "653a", "11(c)")
    assert (burn.act, flop.act, flop.place, flop.cards) == (Act.BURN, Act.DEAL, COMMUNITY, 3)
    assert refused("653a", seat(WIN, "play 4x", ante=5, blind=5), dealer=NO_PAIR, community="Ks 9d") == "653a.11(c)"


@pytest.mark.parametrize("said", ["check play", "check play 2x"])
def test_653a_11_d_a_play_wager_after_the_flop_is_two_antes(said: str) -> None:
    lines = settle("653a", seat(WIN, said, ante=10, blind=10), dealer=NO_PAIR, community=BOARD)
    assert lines[PLAY] == ("win", usd(20), usd(20))


@pytest.mark.parametrize("said", ["check", "check fold", "check raise", "check play 1x", "check play 3x", "check play 4x"])
def test_653a_11_d_nothing_else_may_be_said_after_the_flop(said: str) -> None:
    assert refused("653a", seat(WIN, said, ante=5, blind=5), dealer=NO_PAIR, community=BOARD) == "653a.11(d)"


def test_653a_11_e_a_card_is_burned_and_the_last_two_dealt() -> None:
    burn, last = declared(Stage, "653a", "11(e)")
    assert (burn.act, last.act, last.place, last.cards) == (Act.BURN, Act.DEAL, COMMUNITY, 2)
    acts = [stage.act for stage in rules("653a").of(Stage)]
    assert acts == [
        Act.EXAMINE, Act.ASK, Act.BURN, Act.DEAL, Act.ASK, Act.BURN, Act.DEAL, Act.ASK, Act.COLLECT, Act.REVEAL, Act.SETTLE, Act.CLEAR,
    ]  # fmt: skip


@pytest.mark.parametrize("said", ["check check play", "check check play 1x"])
def test_653a_11_f_the_last_play_wager_is_one_ante(said: str) -> None:
    lines = settle("653a", seat(WIN, said, ante=10, blind=10), dealer=NO_PAIR, community=BOARD)
    assert lines[PLAY] == ("win", usd(10), usd(10))


@pytest.mark.parametrize("said", ["check check", "check check check", "check check play 2x", "check check play 4x"])
def test_653a_11_f_nothing_else_may_be_said_at_the_end(said: str) -> None:
    assert refused("653a", seat(WIN, said, ante=5, blind=5), dealer=NO_PAIR, community=BOARD) == "653a.11(f)"


def test_653a_11_f_a_fold_loses_ante_and_blind_and_leaves_the_trips_alive() -> None:
    player = seat("8s 8d", "check check fold", ante=10, blind=10, trips=5)
    lines = settle("653a", player, dealer=DEALER, community="8h Kc 4d 2s 6c")
    assert lines[ANTE] == lines[BLIND] == ("forfeit", 0, 0)
    assert lines.clause(ANTE) == lines.clause(BLIND) == "653a.11(f)(2)"
    assert PLAY not in lines
    assert lines[TRIPS] == ("win", usd(15), usd(5))
    assert lines.net() == usd(15 - 20)


def test_653a_11_f_a_folded_hand_waits_under_its_trips_wager() -> None:
    assert "face down under its Trips Wager" in declared(Step, "653a", "11(f)(2)(i)")[0].does
    assert declared(Stage, "653a", "11(f)(2)(ii)")[0].act is Act.COLLECT
    assert rules("653a").wagers[TRIPS].survives_fold == "11(f)(2)(i)"


@pytest.mark.parametrize(("reading", "line"), [("alive", ("win", usd(9), 0)), ("forfeited", ("forfeit", 0, 0))])
def test_653a_11_f_the_progressive_of_a_folded_hand_as_read(reading: str, line: tuple[str, int, int]) -> None:
    player = seat("8s 8d", "check check fold", ante=10, blind=10, progressive=1)
    offer = {"readings": {"folded progressive": reading}}
    assert settle("653a", player, dealer=DEALER, community="8h Kc 4d 2s 6c", offer=offer)[PROGRESSIVE] == line
    by_default = settle("653a", player, dealer=DEALER, community="8h Kc 4d 2s 6c")
    assert by_default[PROGRESSIVE] == ("win", usd(9), 0)


def test_653a_11_g_the_dealer_makes_the_best_five_of_seven_after_the_last_decision() -> None:
    lines = settle("653a", seat("Ad Ah", "play 3x", ante=10, blind=10), dealer="9s 2s", community="As Ks 5s 4d 7c")
    assert lines.net() == usd(-50)  # three aces lose to a flush with both of the dealer's cards
    lines = settle("653a", seat("Kd Kh", "play 3x", ante=10, blind=10), dealer="8h 2c", community="Ts 9d 7c 6h 3c")
    assert lines.net() == usd(-50)  # a pair of kings loses to a straight with one of them
    assert declared(Stage, "653a", "11(g)")[0].act is Act.REVEAL


def test_653a_11_h_below_a_pair_the_ante_goes_back_and_a_higher_hand_is_paid() -> None:
    lines = settle("653a", seat(WIN, RIVER + "play", ante=10, blind=10), dealer=NO_PAIR, community=BOARD)
    assert lines[ANTE] == ("return", 0, usd(10))
    assert lines[BLIND] == ("push", 0, usd(10))
    assert lines[PLAY] == ("win", usd(10), usd(10))
    assert lines.clause(ANTE) == "653a.11(h)(1)"


def test_653a_11_h_below_a_pair_the_ante_goes_back_and_a_lower_hand_loses() -> None:
    lines = settle("653a", seat(LOSE, RIVER + "play", ante=10, blind=10), dealer=NO_PAIR, community=BOARD)
    assert lines[ANTE] == ("return", 0, usd(10))
    assert lines[BLIND] == lines[PLAY] == ("lose", 0, 0)
    assert lines.clause(BLIND) == lines.clause(PLAY) == "653a.11(h)(2)(i)"


def test_653a_11_h_below_a_pair_an_equal_hand_has_everything_back() -> None:
    lines = settle("653a", seat("Js Th", "play 4x", ante=10, blind=10), dealer=NO_PAIR, community=BOARD)
    assert lines[ANTE] == ("return", 0, usd(10))
    assert lines[BLIND] == ("push", 0, usd(10))
    assert lines[PLAY] == ("push", 0, usd(40))
    assert lines.net() == 0


def test_653a_11_h_below_a_pair_the_blind_of_a_straight_is_still_paid() -> None:
    lines = settle("653a", seat("Ts 6c", "check play", ante=10, blind=10), dealer="Ad 4c", community="Ks 9d 8c 7h 2s")
    assert lines[ANTE] == ("return", 0, usd(10))
    assert lines[BLIND] == ("win", usd(10), usd(10))
    assert lines[PLAY] == ("win", usd(20), usd(20))


def test_653a_11_h_a_pair_on_the_board_is_a_pair_of_the_dealer() -> None:
    lines = settle("653a", seat("Ad 3c", "play 3x", ante=10, blind=10), dealer=NO_PAIR, community="Ks Kd 7c 4h 2s")
    assert lines[ANTE] == ("win", usd(10), usd(10))
    assert lines.clause(ANTE) == "653a.12(a)"


def test_653a_11_h_a_lower_hand_loses_all_three() -> None:
    lines = settle("653a", seat(LOSE, "play 4x", ante=10, blind=10), dealer="9s Tc", community=BOARD)
    assert lines[ANTE] == lines[BLIND] == lines[PLAY] == ("lose", 0, 0)
    assert {lines.clause(wager) for wager in (ANTE, BLIND, PLAY)} == {"653a.11(h)(2)(i)"}
    assert lines.net() == usd(-60)


@pytest.mark.parametrize(("hand", "community"), BELOW)
def test_653a_11_h_a_higher_hand_wins_but_its_blind_goes_back_below_a_straight(hand: str, community: str) -> None:
    lines = settle("653a", seat(hand, "play 4x", ante=10, blind=10), dealer=DEALER, community=community)
    assert lines[ANTE] == ("win", usd(10), usd(10))
    assert lines[BLIND] == ("push", 0, usd(10))
    assert lines[PLAY] == ("win", usd(40), usd(40))


def test_653a_11_h_an_equal_hand_has_all_three_back_even_with_a_straight() -> None:
    lines = settle("653a", seat("Ad 3c", "play 4x", ante=10, blind=10), dealer="4h Qc", community="9s 8d 7h 6c 5s")
    assert lines[ANTE] == lines[BLIND] == ("push", 0, usd(10))
    assert lines[PLAY] == ("push", 0, usd(40))
    assert {lines.clause(wager) for wager in (ANTE, BLIND, PLAY)} == {"653a.11(h)(2)(iii)"}


def test_653a_11_h_settlement_runs_from_the_dealers_right_one_player_at_a_time() -> None:
    seats = [seat(cards_, RIVER + said, ante=10, blind=10) for cards_, said in [(WIN, "play"), (LOSE, "play"), ("Qh 5c", "fold")]]
    lines = settle("653a", *seats, dealer=NO_PAIR, community=BOARD)
    assert lines.order == [3, 2, 1]
    assert [lines.net(number) for number in (1, 2, 3)] == [usd(10), usd(-20), usd(-20)]


def test_653a_11_i_a_trips_wager_of_a_losing_hand_is_paid_after_the_others() -> None:
    player = seat("8s 8d", "play 4x", ante=10, blind=10, trips=5, progressive=1)
    lines = settle("653a", player, dealer="Kd Kh", community="8h Kc 4d 2s 6c")
    assert [line.wager for line in lines.settled.seats[0].lines] == [ANTE, BLIND, PLAY, TRIPS, PROGRESSIVE]
    assert lines[ANTE] == lines[BLIND] == lines[PLAY] == ("lose", 0, 0)
    assert lines[TRIPS] == ("win", usd(15), usd(5))
    assert lines.clause(TRIPS) == "653a.12(c)"


def test_653a_11_j_a_progressive_of_a_losing_hand_is_paid() -> None:
    player = seat("8s 8d", "play 4x", ante=10, blind=10, progressive=5)
    lines = settle("653a", player, dealer="Kd Kh", community="8h Kc 4d 2s 6c")
    assert lines[PROGRESSIVE] == ("win", usd(45), 0)


def test_653a_11_j_a_progressive_payout_is_verified_and_validated() -> None:
    who = [declared(Step, "653a", f"11(j)({number})")[0].who for number in (1, 2, 3, 4)]
    assert who == [Actor.DEALER, Actor.DEALER, Actor.FLOORPERSON, Actor.DEALER]


def test_653a_11_j_the_whole_meter_is_not_paid_from_the_table_inventory() -> None:
    royal, four = (seat(hand, "play 4x", ante=10, blind=10, progressive=1) for hand in ("As Ks", "8s 8d"))
    jackpot = settle("653a", royal, dealer=DEALER, community="Qs Js Ts 4d 2c")
    assert sources(jackpot, PROGRESSIVE) == ["meter"]
    fixed = settle("653a", four, dealer=DEALER, community="8h 8c 4d Kc 2s")
    assert sources(fixed, PROGRESSIVE) == ["table inventory"]


def test_653a_11_j_envy_for_each_other_player_but_not_for_oneself() -> None:
    envious = seat("Ad Kh", "play 4x", ante=10, blind=10, progressive=5)
    low = seat("5s 3c", "play 4x", ante=10, blind=10, progressive=1)
    high = seat("Ts 3d", "play 4x", ante=10, blind=10)
    lines = settle("653a", envious, low, high, dealer="2h Qc", community="9s 8s 7s 6s 2d")
    assert lines.of(1, "Envy Bonus") == ("win", usd(3000), 0)
    assert lines.of(2, "Envy Bonus") == ("win", usd(300), 0)
    assert [line.wager for line in lines.settled.seats[0].lines] == [ANTE, BLIND, PLAY]


def test_653a_11_j_no_envy_for_the_hand_of_the_dealer() -> None:
    player = seat("Ad Kh", "play 4x", ante=10, blind=10, progressive=5)
    assert "Envy Bonus" not in settle("653a", player, dealer="5s Qc", community="9s 8s 7s 6s 2d")


def test_653a_11_j_the_progressive_counts_seven_cards_or_as_read_the_flop_only() -> None:
    flop = {"readings": {"progressive hand": "hole cards and flop"}}
    late = seat("8s 8d", "play 4x", ante=10, blind=10, trips=5, progressive=1)
    assert settle("653a", late, dealer=DEALER, community="Kc 4d 2s 8h 8c")[PROGRESSIVE] == ("win", usd(300), 0)
    read = settle("653a", late, dealer=DEALER, community="Kc 4d 2s 8h 8c", offer=flop)
    assert read[PROGRESSIVE] == ("lose", 0, 0)
    assert read[TRIPS] == ("win", usd(150), usd(5))
    read = settle("653a", late, dealer=DEALER, community="8h 4d 2s Kc 8c", offer=flop)
    assert read[PROGRESSIVE] == ("win", usd(9), 0)


def test_653a_11_k_the_cards_are_cleared_last() -> None:
    last = rules("653a").of(Stage)[-1]
    assert (last.act, str(last.cite)) == (Act.CLEAR, "653a.11(k)")


# § 653a.12


def test_653a_12_a_ante_and_play_pay_even_money() -> None:
    lines = settle("653a", seat("As Ad", "play 3x", ante=15, blind=15), dealer=DEALER, community="8h Kc 4d 2s 6c")
    assert lines[ANTE] == ("win", usd(15), usd(15))
    assert lines[PLAY] == ("win", usd(45), usd(45))
    assert lines.clause(ANTE) == lines.clause(PLAY) == "653a.12(a)"


@pytest.mark.parametrize(
    ("hand", "community", "pays"),
    [(*hand, pays) for hand, pays in zip(HANDS[:6], ["5000", "500", "100", "30", "15", "10"], strict=True)],
)
def test_653a_12_b_every_row_of_the_blind_table(hand: str, community: str, pays: str) -> None:
    lines = settle("653a", seat(hand, "play 4x", ante=10, blind=10), dealer=DEALER, community=community)
    assert lines[BLIND] == ("win", usd(pays), usd(10))
    assert lines.clause(BLIND) == "653a.12(b)"


@pytest.mark.parametrize(("hand", "community"), [HANDS[6], *BELOW])
def test_653a_12_b_the_blind_pushes_below_a_straight(hand: str, community: str) -> None:
    lines = settle("653a", seat(hand, "play 4x", ante=10, blind=10), dealer=DEALER, community=community)
    assert lines[BLIND] == ("push", 0, usd(10))


def test_653a_12_b_three_to_two_on_five_dollars_is_7_50() -> None:
    lines = settle("653a", seat(HANDS[4][0], "play 4x", ante=5, blind=5), dealer=DEALER, community=HANDS[4][1])
    assert lines[BLIND] == ("win", usd("7.50"), usd(5))


TRIPS_COLUMNS = {
    "A": [50, 40, 30, 9, 7, 4, 3],
    "B": [50, 40, 30, 8, 6, 5, 3],
    "C": [50, 40, 30, 8, 7, 4, 3],
    "D": [50, 40, 20, 7, 6, 5, 3],
}
TRIPS_CELLS = [
    (letter, *hand, times) for letter, column in TRIPS_COLUMNS.items() for hand, times in zip(HANDS, column, strict=True)
]


@pytest.mark.parametrize(("letter", "hand", "community", "times"), TRIPS_CELLS)
def test_653a_12_c_every_cell_of_the_trips_tables(letter: str, hand: str, community: str, times: int) -> None:
    player, offer = seat(hand, "check check fold", ante=5, blind=5, trips=10), {"paytables": {TRIPS: letter}}
    lines = settle("653a", player, dealer=DEALER, community=community, offer=offer)
    assert lines[TRIPS] == ("win", usd(10 * times), usd(10))


@pytest.mark.parametrize("letter", list(TRIPS_COLUMNS))
@pytest.mark.parametrize(("hand", "community"), BELOW)
def test_653a_12_c_trips_lose_below_a_three_of_a_kind(letter: str, hand: str, community: str) -> None:
    player, offer = seat(hand, "play 4x", ante=5, blind=5, trips=10), {"paytables": {TRIPS: letter}}
    assert settle("653a", player, dealer=DEALER, community=community, offer=offer)[TRIPS] == ("lose", 0, 0)


def test_653a_12_c_there_is_no_table_e() -> None:
    player, offer = seat("8s 8d", "play 4x", ante=5, blind=5, trips=10), {"paytables": {TRIPS: "E"}}
    assert refused("653a", player, dealer=DEALER, community="8h Kc 4d 2s 6c", offer=offer) == "653a.12(c)"


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize(
    ("hand", "community", "times"), [(*hand, times) for hand, times in zip(HANDS[2:], [300, 50, 40, 30, 9], strict=True)]
)
def test_653a_12_d_progressive_odds_count_the_stake_in(hand: str, community: str, times: int, stake: int) -> None:
    player = seat(hand, "play 4x", ante=10, blind=10, progressive=stake)
    lines = settle("653a", player, dealer=DEALER, community=community, meters={PROGRESSIVE: "12345.67"})
    assert lines[PROGRESSIVE] == ("win", usd(times * stake), 0)
    assert lines.clause(PROGRESSIVE) == "653a.12(d)(1)"
    assert lines.meter(PROGRESSIVE) == usd("12345.67")


@pytest.mark.parametrize("stake", [1, 5])
def test_653a_12_d_a_royal_flush_wins_the_meter_and_a_straight_flush_a_tenth(stake: int) -> None:
    players = [seat(hand, "play 4x", ante=10, blind=10, progressive=stake) for hand, _ in HANDS[:2]]
    royal = settle("653a", players[0], dealer=DEALER, community=HANDS[0][1], meters={PROGRESSIVE: "12345.67"})
    assert royal[PROGRESSIVE] == ("win", usd("12345.67"), 0)
    assert royal.meter(PROGRESSIVE) == usd(10_000)
    tenth = settle("653a", players[1], dealer=DEALER, community=HANDS[1][1], meters={PROGRESSIVE: "12345.67"})
    assert tenth[PROGRESSIVE] == ("win", usd("1234.56"), 0)
    assert tenth.meter(PROGRESSIVE) == usd("11111.11")


@pytest.mark.parametrize(("hand", "community"), BELOW)
def test_653a_12_d_the_progressive_loses_below_a_three_of_a_kind(hand: str, community: str) -> None:
    player = seat(hand, "play 4x", ante=10, blind=10, progressive=1)
    assert settle("653a", player, dealer=DEALER, community=community)[PROGRESSIVE] == ("lose", 0, 0)


def test_653a_12_d_the_table_has_no_letter_and_the_wager_is_1_or_5_dollars() -> None:
    player = seat("8s 8d", "play 4x", ante=10, blind=10, progressive=1)
    offer = {"paytables": {PROGRESSIVE: "B"}}
    assert refused("653a", player, dealer=DEALER, community="8h Kc 4d 2s 6c", offer=offer) == "653a.12(d)(1)"
    player = seat("8s 8d", "play 4x", ante=10, blind=10, progressive=2)
    assert refused("653a", player, dealer=DEALER, community="8h Kc 4d 2s 6c") == "653a.12(d)(5)"


def test_653a_12_d_the_initial_and_reset_amounts_are_at_least_10000() -> None:
    player, community = seat("As Ks", "play 4x", ante=10, blind=10, progressive=1), "Qs Js Ts 4d 2c"
    assert refused("653a", player, dealer=DEALER, community=community, offer=terms(seed=9999)) == "653a.12(d)(3)"
    assert refused("653a", player, dealer=DEALER, community=community, offer=terms(reseed=9999)) == "653a.12(d)(3)"
    lines = settle("653a", player, dealer=DEALER, community=community, offer=terms(seed=15_000, reseed=12_000))
    assert lines[PROGRESSIVE] == ("win", usd(15_000), 0)
    assert lines.meter(PROGRESSIVE) == usd(12_000)


def test_653a_12_d_the_submission_must_name_the_rate_of_progression() -> None:
    player, community = seat("As Ks", "play 4x", ante=10, blind=10, progressive=1), "Qs Js Ts 4d 2c"
    assert refused("653a", player, dealer=DEALER, community=community, offer=terms(rate="0%")) == "653a.12(d)(3)"
    assert "653a.12(d)(3)" in {finding.cite for finding in check({"game": "653a", "wagers": [PROGRESSIVE]}).errors}


def test_653a_12_d_a_winner_gets_a_tenth_of_what_the_meter_shows_at_their_turn() -> None:
    seats = [seat(hand, "play 4x", ante=10, blind=10, progressive=1) for hand in ("Ad Kh", "Qd Jh")]
    lines = settle("653a", *seats, dealer="2h Qc", community="9s 8s 7s 6s 5s", meters={PROGRESSIVE: "12345.67"})
    assert lines.of(2, PROGRESSIVE) == ("win", usd("1234.56"), 0)
    assert lines.of(1, PROGRESSIVE) == ("win", usd("1111.11"), 0)
    assert lines.meter(PROGRESSIVE) == usd(10_000)


@pytest.mark.parametrize(("reading", "second", "left"), [("at once", 1000, 9000), ("after the round", 0, 10_000)])
def test_653a_12_d_a_winner_after_the_royal_flush_has_a_share_of_the_reseeded_meter(reading: str, second: int, left: int) -> None:
    seats = [seat(hand, "play 4x", ante=10, blind=10, progressive=1) for hand in ("8s 3d", "As Ks")]
    offer = {"readings": {"reseed": reading}}
    lines = settle("653a", *seats, dealer=DEALER, community="Qs Js Ts 9s 2c", offer=offer, meters={PROGRESSIVE: 20_000})
    assert lines.of(2, PROGRESSIVE)[1:] == (usd(20_000), 0)
    assert lines.of(1, PROGRESSIVE)[1:] == (usd(second), 0)
    assert lines.meter(PROGRESSIVE) == usd(left)


@pytest.mark.parametrize(("reading", "second"), [("at once", 10_000), ("after the round", 0)])
def test_653a_12_d_a_royal_flush_on_the_board_is_won_by_everyone_in_turn(reading: str, second: int) -> None:
    seats = [seat(hand, "play 4x", ante=10, blind=10, trips=1, progressive=1) for hand in ("Ad Kh", "Qd Jh")]
    offer = {"readings": {"reseed": reading}}
    lines = settle("653a", *seats, dealer=DEALER, community="As Ks Qs Js Ts", offer=offer, meters={PROGRESSIVE: 20_000})
    assert lines.of(2, PROGRESSIVE)[1:] == (usd(20_000), 0)
    assert lines.of(1, PROGRESSIVE)[1:] == (usd(second), 0)
    assert lines.of(1, "Envy Bonus") == lines.of(2, "Envy Bonus") == ("win", usd(1000), 0)
    assert lines.of(1, TRIPS) == ("win", usd(50), usd(1))
    assert lines.of(1, BLIND) == ("push", 0, usd(10))
    assert lines.meter(PROGRESSIVE) == usd(10_000)


@pytest.mark.parametrize(
    ("stake", "number", "bonus"), [(1, 0, 1000), (1, 1, 300), (1, 2, 0), (5, 0, 5000), (5, 1, 1500), (5, 2, 0)]
)
def test_653a_12_d_every_cell_of_the_envy_schedules(stake: int, number: int, bonus: int) -> None:
    hand, community = HANDS[number]
    envious = seat("Ad Jh", "check check fold", ante=10, blind=10, progressive=stake)
    lines = settle("653a", envious, seat(hand, "play 4x", ante=10, blind=10), dealer=DEALER, community=community)
    assert lines.net(1) == usd(bonus - 20 - stake)
    if bonus:
        assert lines.of(1, "Envy Bonus") == ("win", usd(bonus), 0)
        assert lines.clause("Envy Bonus", 1) == "653a.12(d)(5)"


def test_653a_12_d_there_is_no_choice_of_an_envy_schedule() -> None:
    player = seat("8s 8d", "play 4x", ante=10, blind=10, progressive=1)
    assert refused("653a", player, dealer=DEALER, community="8h Kc 4d 2s 6c", offer={"envy": "A"}) == "653a.12"


def test_653a_12_d_a_folded_hand_earns_envy_only_if_it_is_turned_over() -> None:
    envious = seat("Ad Kh", "play 4x", ante=10, blind=10, progressive=1)
    unseen = seat("5s 3c", "check check fold", ante=10, blind=10)
    seen = seat("5s 3c", "check check fold", ante=10, blind=10, trips=5)
    board, always = "9s 8s 7s 6s 2d", {"readings": {"envy from a folded hand": "always"}}
    assert settle("653a", envious, unseen, dealer="2h Qc", community=board).net(1) == usd(-61)
    read = settle("653a", envious, unseen, dealer="2h Qc", community=board, offer=always)
    assert read.of(1, "Envy Bonus") == ("win", usd(300), 0)
    assert settle("653a", envious, seen, dealer="2h Qc", community=board).of(1, "Envy Bonus") == ("win", usd(300), 0)


@pytest.mark.parametrize(("source", "left"), [("table inventory", 12_000), ("meter", 11_700)])
def test_653a_12_d_envy_comes_from_the_table_inventory_or_as_read_from_the_meter(source: str, left: int) -> None:
    envious, run = seat("Ad Kh", "play 4x", ante=10, blind=10, progressive=1), seat("5s 3c", "play 4x", ante=10, blind=10)
    offer, meters = {"readings": {"envy paid from": source}}, {PROGRESSIVE: 12_000}
    lines = settle("653a", envious, run, dealer="2h Qc", community="9s 8s 7s 6s 2d", offer=offer, meters=meters)
    assert lines.of(1, "Envy Bonus") == ("win", usd(300), 0)
    assert sources(lines, "Envy Bonus") == [source]
    assert lines.meter(PROGRESSIVE) == usd(left)


@pytest.mark.parametrize(("reading", "trips"), [("on top of stakes", 24_750), ("with stakes", 23_950)])
def test_653a_12_e_the_limit_covers_ante_blind_play_and_trips_but_no_progressive(reading: str, trips: int) -> None:
    player = seat("As Ks", "play 4x", ante=50, blind=50, trips=500, progressive=5)
    offer = {"payout_limit": 50_000, "readings": {"payout limit": reading}}
    lines = settle("653a", player, dealer=DEALER, community="Qs Js Ts 4d 2c", offer=offer, meters={PROGRESSIVE: 80_000})
    assert lines[ANTE] == ("win", usd(50), usd(50))
    assert lines[BLIND] == ("win", usd(25_000), usd(50))
    assert lines[PLAY] == ("win", usd(200), usd(200))
    assert lines[TRIPS] == ("win", usd(trips), usd(500))
    assert lines[PROGRESSIVE] == ("win", usd(80_000), 0)
    assert [lines.clause(wager) for wager in (BLIND, PLAY, TRIPS)] == ["653a.12(b)", "653a.12(a)", "653a.12(e)"]


def test_653a_12_e_a_blind_beyond_the_limit_leaves_nothing_for_play_and_trips() -> None:
    player = seat("As Ks", "play 4x", ante=100, blind=100, trips=10)
    lines = settle("653a", player, dealer=DEALER, community="Qs Js Ts 4d 2c", offer={"payout_limit": 50_000})
    assert lines[ANTE] == ("win", usd(100), usd(100))
    assert lines[BLIND] == ("win", usd(49_900), usd(100))
    assert lines[PLAY] == ("win", 0, usd(400))
    assert lines[TRIPS] == ("win", 0, usd(10))


def test_653a_12_e_envy_is_outside_the_limit() -> None:
    envious, royal = (seat(hand, "play 4x", ante=10, blind=10, progressive=5) for hand in ("3c 3d", "As Ks"))
    limited = settle("653a", envious, royal, dealer=DEALER, community="Qs Js Ts 4d 2c", offer={"payout_limit": 50_000})
    assert limited.of(1, "Envy Bonus") == ("win", usd(5000), 0)


@pytest.mark.parametrize(
    ("minimum", "reading", "floor"),
    [
        (5, "every covered wager", 50_000),
        (100, "every covered wager", 55_500),  # 1, 500, 4 and 50 times the minimum
        (100, "the best paying wager", 50_000),
        (120, "the best paying wager", 60_000),
    ],
)
def test_653a_12_e_the_floor_of_the_limit(minimum: int, reading: str, floor: int) -> None:
    player = seat("As Ad", "play 4x", ante=120, blind=120)
    offer = {"minimum": minimum, "readings": {"limit floor": reading}}
    board = "8h Kc 4d 2s 6c"
    assert settle("653a", player, dealer=DEALER, community=board, offer=offer | {"payout_limit": floor}).net() == usd(600)
    assert refused("653a", player, dealer=DEALER, community=board, offer=offer | {"payout_limit": floor - 1}) == "653a.12(e)"


# § 653a.13


def test_653a_13_a_one_card_face_up_is_discarded() -> None:
    found = irregularity("653a", "13(a)", "One card")
    assert (found.void, found.cards) == (False, Fate.CARD_DISCARDED)


def test_653a_13_a_two_cards_face_up_early_void_the_round() -> None:
    found = irregularity("653a", "13(a)", "before everyone has two cards")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED)


def test_653a_13_a_two_cards_face_up_late_still_settle_the_trips_on_a_full_board() -> None:
    found = irregularity("653a", "13(a)", "after everyone has two cards")
    assert [wager.name for wager in found.returned] == [ANTE, BLIND, PLAY, PROGRESSIVE]
    assert [wager.name for wager in found.settled] == [TRIPS]
    assert (found.void, found.returns_everything, found.settled_under, found.cards) == (True, False, "12(c)", Fate.RESHUFFLED)
    assert "community cards are dealt" in found.then


def test_653a_13_b_a_card_drawn_in_error_is_the_next_card() -> None:
    found = irregularity("653a", "13(b)")
    assert (found.void, found.cards) == (False, Fate.CARD_USED)


def test_653a_13_c_a_wrong_number_of_cards_to_anyone_or_the_community_voids_the_round() -> None:
    found = irregularity("653a", "13(c)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED)
    assert all(word in found.name for word in ("player", "dealer", "community"))


def test_653a_13_d_an_exposed_dealer_card_still_settles_the_trips_on_a_full_board() -> None:
    found = irregularity("653a", "13(d)")
    assert [wager.name for wager in found.returned] == [ANTE, BLIND, PLAY, PROGRESSIVE]  # the clause is silent on the last
    assert [wager.name for wager in found.settled] == [TRIPS]
    assert (found.void, found.returns_everything, found.settled_under, found.cards) == (True, False, "12(c)", Fate.RESHUFFLED)
    assert "community cards are dealt" in found.then


def test_653a_13_e_a_jammed_shuffler_voids_nothing() -> None:
    found = irregularity("653a", "13(e)")
    assert (found.void, found.cards) == (False, Fate.RESHUFFLED)


def test_653a_13_f_a_jammed_shoe_voids_the_round() -> None:
    found = irregularity("653a", "13(f)")
    assert (found.void, found.returns_everything, found.settled, found.cards) == (True, True, (), Fate.RESHUFFLED_WITH_DEALT)


def test_653a_13_g_a_broken_device_is_covered_or_marked_first() -> None:
    found = irregularity("653a", "13(g)")
    assert (found.void, found.cards) == (False, Fate.NONE)
    assert "covered or marked" in found.then
