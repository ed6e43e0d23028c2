"""Chapter 679a, Three Card Prime: a test for each subsection of .6, .7, .11, .12 and .13, named after it, in both editions."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.book.ch679a_three_card_prime import ALL_SIX_HANDS, THREE_CARD
from croupier.cards import cards, deck, show
from croupier.filing.check import check
from croupier.law.procedure import Act, Actor, AdjacentBoxes, Fate, Stage, Step
from croupier.law.ranking import Ranking
from tests.book.desk import Lines, declared, irregularity, refused, rules, seat, settle, usd

E2015, E2016 = "2015-12-12", "2016-04-01"
both = pytest.mark.parametrize("edition", [E2015, E2016])

QUEEN = "Qd 9c 4h"  # queen high, the least that qualifies; both colors
JACK = "Jd 9c 4h"  # does not qualify

# A player's hand for each row of 12(b), the last three all “flush or lower”. Each beats QUEEN.
PLAY_ROWS = [("As Ks Qs", 10), ("5s 6s 7s", 6), ("8s 8d 8h", 5), ("5s 6d 7h", 2), ("As 9s 2s", 1), ("8s 8d 2h", 1), ("As 9d 2s", 1)]

# A hand for each row of 12(c), flush last, and a dealer's hand that beats it.
BEATEN = [("5s 6s 7s", "8h 9h Th"), ("5s 5d 5c", "6s 6d 6c"), ("5s 6d 7h", "8s 9d Th"), ("As 9s 2s", "4d 4h 4c")]
BAD_BEATS = {
    (E2015, "A"): [12, 10, 4, 0], (E2015, "B"): [6, 5, 2, 0],
    (E2016, "A"): [12, 10, 4, 0], (E2016, "B"): [12, 10, 4, 1], (E2016, "C"): [6, 5, 2, 0], (E2016, "D"): [6, 5, 2, 1],
}  # fmt: skip
EACH_BAD_BEAT = [
    (edition, letter, hand, dealer, times)
    for (edition, letter), column in BAD_BEATS.items()
    for (hand, dealer), times in zip(BEATEN, column, strict=True)
]

# A hand for each row of 12(e) and 12(f).
PAIR_BONUS = ["As Ks Qs", "5s 6s 7s", "8s 8d 8h", "5s 6d 7h", "As 9s 3s", "8s 8d 3h"]
WITH_A_TWO = {"A": [100, 80, 60, 12, 6, 1], "B": [75, 60, 45, 10, 5, 2], "C": [75, 50, 40, 8, 4, 2], "D": [75, 50, 40, 8, 4, 1]}
EACH_WITH_A_TWO = [
    (letter, hand, times) for letter, column in WITH_A_TWO.items() for hand, times in zip(PAIR_BONUS, column, strict=True)
]

# The player's and the dealer's cards for each row of 12(g), and what A to E pay.
ALL_SIX = [
    ("Ad Kd Qd", "Jd Td 9d", [1000, 1000, 1000, 1000, 200_000]),
    ("Ah Kh Qh", "Jh Th 9h", [1000, 1000, 1000, 1000, 20_000]),
    ("As Js 9s", "Ks Qs Ts", [1000, 1000, 1000, 1000, 20_000]),
    ("Jc Tc 9c", "Ac Kc Qc", [1000, 1000, 1000, 1000, 20_000]),
    ("As Ks 2d", "Qs Js Ts", [1000, 1000, 1000, 1000, 1000]),
    ("5s 6s 7s", "8s 9s Kd", [200, 200, 200, 200, 200]),
    ("8s 8d 3h", "8h 8c Kd", [50, 50, 100, 100, 50]),
    ("8s 8d 3h", "8h Kc Kd", [25, 25, 20, 20, 20]),
    ("As 9s 4s", "Js 2s Kd", [20, 15, 15, 15, 15]),
    ("5s 6d 9h", "7h 8c Kd", [10, 10, 9, 10, 10]),
    ("8s 8d 3h", "8h Qc Kd", [5, 5, 8, 7, 5]),
]
EACH_ALL_SIX = [
    (letter, hand, dealer, times) for hand, dealer, column in ALL_SIX for letter, times in zip("ABCDE", column, strict=True)
]


def read(**readings: str) -> dict[str, Any]:
    """An offer with these readings, “_” for a space."""
    return {"readings": {name.replace("_", " "): value for name, value in readings.items()}}


def beat(hand: str, dealer: str, letter: str, edition: str) -> Lines:
    return settle(
        "679a", seat(hand, "play", ante=10), dealer=dealer, edition=edition, offer={"paytables": {"Bad Beat Bonus": letter}}
    )


# § 679a.6


@both
def test_679a_6_a_an_ace_stands_below_a_2_and_3_and_in_no_other_sequence(edition: str) -> None:
    assert declared(Ranking, "679a", "6(a)", edition) == [THREE_CARD]
    expected = {
        "As 2d 3h": "Straight",
        "As 2s 3s": "Straight flush",
        "Ks Ad 2h": "Nothing",
        "Ks As 2s": "Flush",
        "As Kd Qh": "Straight",
    }
    assert {hand: THREE_CARD.row(cards(hand)) for hand in expected} == expected


def test_679a_6_a_the_ranks_run_from_the_ace_to_the_2() -> None:
    strengths = [THREE_CARD.strength(cards(f"{rank}s {rank}d {rank}h")) for rank in "AKQJT98765432"]
    assert strengths == sorted(set(strengths), reverse=True)


def test_679a_6_a_all_suits_are_equal() -> None:
    assert len({THREE_CARD.strength(cards(f"A{suit} 9{suit} 4{suit}")) for suit in "cdhs"}) == 1


@both
def test_679a_6_b_the_order_of_the_hands_and_within_each(edition: str) -> None:
    assert declared(Ranking, "679a", "6(b)(1)", edition) == [THREE_CARD]
    hands = {
        "As Ks Qs": "Mini-royal", "Ks Qs Js": "Straight flush", "2s 3s 4s": "Straight flush", "As 2s 3s": "Straight flush",
        "As Ad Ah": "Three-of-a-kind", "2s 2d 2h": "Three-of-a-kind", "As Kd Qh": "Straight", "2s 3d 4h": "Straight", "As 2d 3h": "Straight",
        "As Ks Js": "Flush", "5s 3s 2s": "Flush", "As Ad Kh": "Pair", "2s 2d 3h": "Pair", "As Kd Jh": "Nothing", "5s 3d 2h": "Nothing",
    }  # fmt: skip
    assert {hand: THREE_CARD.row(cards(hand)) for hand in hands} == hands
    strengths = [THREE_CARD.strength(cards(hand)) for hand in hands]
    assert strengths == sorted(set(strengths), reverse=True)


HIGHER = [
    ("3s 3d 4h", "2s 2d Ah"),  # the order within the pairs first
    ("9s 9d 5h", "9h 9c 4s"),
    ("As 9s 4s", "Ad 9d 3d"),
    ("Ks Jd 2h", "Kd Ts 9h"),
    ("2s 3d 4h", "Ad 2h 3s"),  # the ace of the lowest straight is low
]


@pytest.mark.parametrize(("higher", "lower"), HIGHER)
def test_679a_6_c_the_highest_card_not_in_the_other_hand_decides(higher: str, lower: str) -> None:
    assert THREE_CARD.strength(cards(higher)) > THREE_CARD.strength(cards(lower))


@pytest.mark.parametrize(("one", "other"), [("As 9s 4s", "Ad 9d 4d"), ("9s 9d 5h", "9h 9c 5s"), ("Ks Jd 2h", "Kd Jh 2s")])
def test_679a_6_c_otherwise_the_hands_tie(one: str, other: str) -> None:
    assert THREE_CARD.strength(cards(one)) == THREE_CARD.strength(cards(other))


@both
def test_679a_6_d_the_all_six_hands(edition: str) -> None:
    assert declared(Ranking, "679a", "6(d)(8)", edition) == [ALL_SIX_HANDS]
    expected = {
        "Ad Kd Qd Jd Td 9d": "Six-card royal flush—diamonds", "Ah Kh Qh Jh Th 9h": "Six-card royal flush—hearts, spades or clubs",
        "As Ks Qs Js Ts 9s": "Six-card royal flush—hearts, spades or clubs", "Ac Kc Qc Jc Tc 9c": "Six-card royal flush—hearts, spades or clubs",
        "As Ks Qs Js Ts 9d": "Royal flush", "As Ks Qs Js Ts 8s": "Royal flush", "Ks Qs Js Ts 9s 8s": "Straight flush",
        "As 2s 3s 4s 5s 9d": "Straight flush", "2s 2d 2h 2c 3d 3h": "Four-of-a-kind", "2s 2d 2h 3c 3d 3h": "Full house",
        "2s 2d 2h 3c 3d 9h": "Full house", "As Ks 9s 5s 2s 2d": "Flush", "4s 5s 6s 7s 9s 8d": "Flush", "As 2d 3h 4c 5d 9s": "Straight",
        "7s 7d 7h 2c 4d 9s": "Three-of-a-kind", "7s 7d 6h 6c 4d 4s": "Nothing", "Qs Kd Ah 2c 3d 7s": "Nothing",
    }  # fmt: skip
    assert {hand: ALL_SIX_HANDS.row(cards(hand)) for hand in expected} == expected


# § 679a.7


@both
def test_679a_7_a_a_wager_is_an_amount_of_chips(edition: str) -> None:
    assert refused("679a", seat("As 9d 2s", "play", ante=0), dealer=QUEEN, edition=edition) == "679a.7(a)"
    assert refused("679a", seat("As 9d 2s", "play", ante=5, prime=-5), dealer=QUEEN, edition=edition) == "679a.7(a)"


@both
def test_679a_7_b_only_players_at_the_six_seats_wager(edition: str) -> None:
    dealer, *hands = [show(deck()[first : first + 3]) for first in range(0, 24, 3)]
    seats = [seat(hand, "fold", ante=5) for hand in hands]
    assert settle("679a", *seats[:6], dealer=dealer, edition=edition).order == [6, 5, 4, 3, 2, 1]
    assert refused("679a", *seats, dealer=dealer, edition=edition) == "679a.2(a)"
    assert refused("679a", dealer=dealer, edition=edition) == "679a.7(b)"


@both
def test_679a_7_c_the_play_wager_alone_is_made_after_the_deal(edition: str) -> None:
    assert [wager.name for wager in rules("679a", edition).wagers.values() if wager.made_by_decision] == ["Play Wager"]
    assert refused("679a", seat("As 9d 2s", "play", ante=5, play=5), dealer=QUEEN, edition=edition) == "679a.7(c)"


@both
def test_679a_7_d_the_play_equals_the_ante(edition: str) -> None:
    lines = settle("679a", seat("As 9d 2s", "play", ante=15), dealer=QUEEN, edition=edition)
    assert [(line.wager, line.stake) for line in lines.settled.seats[0].lines] == [("Ante Wager", usd(15)), ("Play Wager", usd(15))]
    assert refused("679a", seat("As 9d 2s"), dealer=QUEEN, edition=edition) == "679a.7(d)(1)"


OPTIONAL = [("Prime Wager", "prime", "(2)"), ("Pair Bonus Wager", "pair_bonus", "(3)"), ("All-Six Bonus Wager", "all_six", "(4)")]


@both
@pytest.mark.parametrize(("name", "word", "number"), OPTIONAL)
def test_679a_7_d_the_optional_wagers_are_the_submissions_and_need_an_ante(name: str, word: str, number: str, edition: str) -> None:
    wager: dict[str, Any] = {word: 5}
    offered = seat("As 9d 2s / 3c", "fold", ante=5, **wager)
    alone = seat("As 9d 2s / 3c", **wager)
    assert refused("679a", offered, dealer=QUEEN, edition=edition, offer={"wagers": []}) == f"679a.7(d){number}"
    assert refused("679a", alone, dealer=QUEEN, edition=edition) == f"679a.7(d){number}"
    lines = settle("679a", alone, dealer=QUEEN, edition=edition, offer=read(optional_wagers="alone"))
    assert lines[name] == ("lose", 0, 0)
    assert "Ante Wager" not in lines


@both
def test_679a_7_d_there_are_three_optional_wagers_and_no_others(edition: str) -> None:
    assert [wager.name for wager in rules("679a", edition).wagers.values() if wager.optional] == [name for name, _, _ in OPTIONAL]
    assert refused("679a", seat("As 9d 2s", "fold", ante=5, aces_bonus=5), dealer=QUEEN, edition=edition) == "679a.7(d)"


@both
def test_679a_7_e_the_submission_names_the_adjacent_boxes(edition: str) -> None:
    assert declared(AdjacentBoxes, "679a", "7(e)", edition)[0].chosen_by_submission
    assert "679a.7(e)" in {error.cite for error in check({"game": "679a", "edition": edition}).errors}
    one = seat("As 9d 2s", "fold", ante=5)
    assert refused("679a", one, dealer=QUEEN, edition=edition, offer={"adjacent_boxes": 0}) == "679a.7(e)"
    assert refused("679a", one, dealer=QUEEN, edition=edition, offer={"adjacent_boxes": 7}) == "679a.7(e)"


# § 679a.11


@both
def test_679a_11_a_players_examine_and_mind_their_own_cards_first(edition: str) -> None:
    assert rules("679a", edition).of(Stage)[0].act is Act.EXAMINE
    assert [step.who for step in declared(Step, "679a", "11(a)(1)", edition)] == [Actor.PLAYER]
    assert "three cards" in declared(Step, "679a", "11(a)(2)", edition)[0].does


@both
def test_679a_11_b_a_fold_forfeits_the_ante_and_nothing_else(edition: str) -> None:
    folded = seat("8s 8c 3s / 7d", "fold", ante=10, prime=5, pair_bonus=5, all_six=5)
    lines = settle("679a", folded, dealer="Qs 9c 8h", edition=edition)
    survive = {wager.name: wager.survives_fold for wager in rules("679a", edition).wagers.values() if wager.survives_fold}
    assert survive == {"Prime Wager": "11(b)", "Pair Bonus Wager": "11(b)", "All-Six Bonus Wager": "11(b)"}
    assert lines["Ante Wager"] == ("forfeit", 0, 0)
    assert lines.clause("Ante Wager") == "679a.11(b)"
    assert "Play Wager" not in lines
    assert lines["Prime Wager"] == ("win", usd(15), usd(5))
    assert lines["Pair Bonus Wager"] == ("win", usd(5), usd(5))
    assert lines["All-Six Bonus Wager"] == ("win", usd(25), usd(5))
    assert lines.net() == usd(35)


@both
def test_679a_11_b_a_fold_forfeits_the_ante_even_where_the_dealer_does_not_qualify(edition: str) -> None:
    assert settle("679a", seat("As 9d 2s", "fold", ante=10), dealer=JACK, edition=edition).net() == -usd(10)


@both
@pytest.mark.parametrize("decision", ["", "play 2x", "raise 1x", "play fold"])
def test_679a_11_b_a_player_makes_one_play_wager_or_folds(decision: str, edition: str) -> None:
    assert refused("679a", seat("As 9d 2s", decision, ante=5), dealer=QUEEN, edition=edition) == "679a.11(b)"


@both
def test_679a_11_c_forfeited_wagers_are_collected_before_the_dealer_reveals(edition: str) -> None:
    acts = [stage.act for stage in rules("679a", edition).of(Stage)]
    assert acts.index(Act.ASK) < acts.index(Act.COLLECT) < acts.index(Act.REVEAL) < acts.index(Act.SETTLE)


@both
def test_679a_11_c_settlement_runs_from_the_dealers_right(edition: str) -> None:
    seats = [seat("As 9d 2s", "play", ante=10), seat("8s 8d 2h", "fold", ante=10), seat("Js Th 3c", "play", ante=10)]
    lines = settle("679a", *seats, dealer=QUEEN, edition=edition)
    assert lines.order == [3, 2, 1]
    assert [lines.net(number) for number in (1, 2, 3)] == [usd(20), -usd(10), -usd(20)]


@both
@pytest.mark.parametrize("hand", ["As 9d 2s", "Ts 8d 2s"])
def test_679a_11_c_an_unqualified_dealer_returns_the_ante_and_pays_the_play(hand: str, edition: str) -> None:
    lines = settle("679a", seat(hand, "play", ante=10), dealer=JACK, edition=edition)
    assert lines["Ante Wager"] == ("return", 0, usd(10))
    assert lines.clause("Ante Wager") == "679a.11(c)(3)(i)"
    assert lines["Play Wager"] == ("win", usd(10), usd(10))
    assert lines.clause("Play Wager") == "679a.12(a)"


@both
@pytest.mark.parametrize("dealer", ["Qd 3c 2h", "2d 2c 3h", "5h 3h 2h", "Ad 3c 2h"])
def test_679a_11_c_queen_high_or_any_hand_qualifies(dealer: str, edition: str) -> None:
    lines = settle("679a", seat("7s 8s 9s", "play", ante=10), dealer=dealer, edition=edition)
    assert lines["Ante Wager"] == ("win", usd(10), usd(10))
    assert lines["Play Wager"] == ("win", usd(60), usd(10))


@both
def test_679a_11_c_the_player_wins_ties(edition: str) -> None:
    lines = settle("679a", seat("Qs 9d 4s", "play", ante=10), dealer=QUEEN, edition=edition)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("win", usd(10), usd(10))
    straight = settle("679a", seat("5s 6d 7h", "play", ante=10), dealer="5c 6h 7d", edition=edition)
    assert straight["Play Wager"] == ("win", usd(20), usd(10))


@both
@pytest.mark.parametrize("letter", ["A", "B"])
@pytest.mark.parametrize("hand", ["Qs 9d 3s", "8s 8d 2h"])
def test_679a_11_c_a_pair_or_lower_that_is_beaten_loses_both(hand: str, letter: str, edition: str) -> None:
    lines = beat(hand, "Kd Kc 4c", letter, edition)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("lose", 0, 0)
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "679a.11(c)(3)(iii)"
    assert "Bad Beat Bonus" not in lines


@both
def test_679a_11_c_a_beaten_straight_loses_the_ante_and_keeps_the_play(edition: str) -> None:
    lines = beat("5s 6d 7h", "8s 9d Th", "A", edition)
    assert lines["Ante Wager"] == ("lose", 0, 0)
    assert lines["Play Wager"] == ("return", 0, usd(10))
    assert lines.clause("Play Wager") == "679a.11(c)(3)(iv)"
    assert lines["Bad Beat Bonus"] == ("win", usd(40), 0)
    assert lines.net() == usd(30)


@both
def test_679a_11_c_or_the_play_of_a_bad_beat_is_collected(edition: str) -> None:
    lines = settle(
        "679a", seat("5s 6d 7h", "play", ante=10), dealer="8s 9d Th", edition=edition, offer=read(bad_beat_play="collected")
    )
    assert lines["Ante Wager"] == lines["Play Wager"] == ("lose", 0, 0)
    assert lines["Bad Beat Bonus"] == ("win", usd(40), 0)
    assert lines.net() == usd(20)


@both
def test_679a_11_d_the_optional_wagers_are_settled_after_ante_and_play(edition: str) -> None:
    player = seat("8s 8c 3s / 7d", "play", ante=10, all_six=5, pair_bonus=5, prime=5)
    lines = settle("679a", player, dealer="Qs 9c 8h", edition=edition)
    order = [line.wager for line in lines.settled.seats[0].lines]
    assert order == ["Ante Wager", "Play Wager", "Prime Wager", "Pair Bonus Wager", "All-Six Bonus Wager"]


@both
def test_679a_11_d_an_optional_wager_is_lost_below_its_least_hand(edition: str) -> None:
    # two colors; no pair in the three cards, though the fourth would make one; two pairs in the six
    lines = settle("679a", seat("Qs 9d 2s / 2c", "play", ante=10, prime=5, pair_bonus=5, all_six=5), dealer=QUEEN, edition=edition)
    assert lines["Prime Wager"] == lines["Pair Bonus Wager"] == lines["All-Six Bonus Wager"] == ("lose", 0, 0)
    clauses = [lines.clause(wager) for wager, _, _ in OPTIONAL]
    assert clauses == ["679a.11(d)(1)(i)", "679a.11(d)(2)(i)", "679a.11(d)(3)(i)"]


@both
@pytest.mark.parametrize(("fourth", "times"), [("Ac", 1), ("3c", 1), ("2c", 2)])
def test_679a_11_d_the_fourth_card_chooses_the_table_of_the_pair_bonus_and_joins_no_hand(
    fourth: str, times: int, edition: str
) -> None:
    offer = {"paytables": {"Pair Bonus Wager": "B"}}
    lines = settle("679a", seat(f"8s 8d 2h / {fourth}", "fold", ante=5, pair_bonus=10), dealer=QUEEN, edition=edition, offer=offer)
    assert lines["Pair Bonus Wager"] == ("win", usd(10 * times), usd(10))
    assert lines.clause("Pair Bonus Wager") == ("679a.12(f)" if fourth == "2c" else "679a.12(e)")


@both
def test_679a_11_d_the_all_six_combines_the_two_hands_and_not_the_fourth_card(edition: str) -> None:
    lines = settle("679a", seat("8s 8d 3h / 8c", "fold", ante=5, pair_bonus=5, all_six=5), dealer=QUEEN, edition=edition)
    assert lines["All-Six Bonus Wager"] == ("lose", 0, 0)


@both
def test_679a_11_e_the_cards_are_cleared_last(edition: str) -> None:
    last = rules("679a", edition).of(Stage)[-1]
    assert (last.act, str(last.cite)) == (Act.CLEAR, "679a.11(e)")


# § 679a.12


@both
def test_679a_12_a_the_ante_pays_even_money(edition: str) -> None:
    lines = settle("679a", seat("As Ks Qs", "play", ante=15), dealer=QUEEN, edition=edition)
    assert lines["Ante Wager"] == ("win", usd(15), usd(15))
    assert lines.clause("Ante Wager") == "679a.12(a)"


@both
@pytest.mark.parametrize("hand", [hand for hand, _ in PLAY_ROWS])
def test_679a_12_a_the_play_pays_even_money_where_the_dealer_does_not_qualify(hand: str, edition: str) -> None:
    lines = settle("679a", seat(hand, "play", ante=10), dealer=JACK, edition=edition)
    assert lines["Play Wager"] == ("win", usd(10), usd(10))


@both
@pytest.mark.parametrize(("hand", "times"), PLAY_ROWS)
def test_679a_12_a_or_by_the_table_of_b(hand: str, times: int, edition: str) -> None:
    offer = read(play_without_a_qualified_dealer="by the 12(b) table")
    lines = settle("679a", seat(hand, "play", ante=10), dealer=JACK, edition=edition, offer=offer)
    assert lines["Ante Wager"] == ("return", 0, usd(10))
    assert lines["Play Wager"] == ("win", usd(10 * times), usd(10))


@both
@pytest.mark.parametrize(("hand", "times"), PLAY_ROWS)
def test_679a_12_b_the_play_wager_against_a_qualified_dealer(hand: str, times: int, edition: str) -> None:
    lines = settle("679a", seat(hand, "play", ante=10), dealer=QUEEN, edition=edition)
    assert lines["Ante Wager"] == ("win", usd(10), usd(10))
    assert lines["Play Wager"] == ("win", usd(10 * times), usd(10))
    assert lines.clause("Play Wager") == "679a.12(b)"


@pytest.mark.parametrize(("edition", "letter", "hand", "dealer", "times"), EACH_BAD_BEAT)
def test_679a_12_c_the_bad_beat_bonus_on_the_play_wager(edition: str, letter: str, hand: str, dealer: str, times: int) -> None:
    lines = beat(hand, dealer, letter, edition)
    assert lines["Ante Wager"] == ("lose", 0, 0)
    if times:
        assert lines["Bad Beat Bonus"] == ("win", usd(10 * times), 0)
        assert lines.clause("Bad Beat Bonus") == "679a.12(c)"
        assert lines["Play Wager"] == ("return", 0, usd(10))
    else:
        assert "Bad Beat Bonus" not in lines
        assert lines["Play Wager"] == ("lose", 0, 0)


@pytest.mark.parametrize(("edition", "letter"), [(E2015, "C"), (E2015, "D"), (E2016, "E")])
def test_679a_12_c_the_proposal_has_two_tables_and_the_final_form_four(edition: str, letter: str) -> None:
    offer = {"paytables": {"Bad Beat Bonus": letter}}
    assert refused("679a", seat("As 9d 2s", "play", ante=5), dealer=QUEEN, edition=edition, offer=offer) == "679a.12(c)"


def test_679a_12_c_without_an_edition_the_final_form_pays_a_beaten_flush() -> None:
    assert rules("679a").edition.name == E2016
    assert beat("As 9s 2s", "4d 4h 4c", "D", "")["Bad Beat Bonus"] == ("win", usd(10), 0)


PRIMES = [
    ("As 9c 2s", "Qs 9s 4c", 4), ("Ad 9h 2d", "Qd 9d 4h", 4),  # all six of one color
    ("As 8c 2s", QUEEN, 3), ("Ad 9h 2d", "Qc 9s 4h", 3),  # the dealer's hand has both
    ("As 9c 2s", "Qd 9d 4h", 3), ("Ad 9h 2d", "Qs 9s 4c", 3),  # the dealer's hand has the other
    ("As 9d 2s", "Qs 9s 4c", 0), ("Ad 9c 2s", "Qd 9d 4h", 0),  # the player's hand has both
]  # fmt: skip


@both
@pytest.mark.parametrize(("hand", "dealer", "times"), PRIMES)
def test_679a_12_d_the_prime_wager(hand: str, dealer: str, times: int, edition: str) -> None:
    lines = settle("679a", seat(hand, "fold", ante=5, prime=10), dealer=dealer, edition=edition)
    assert lines["Prime Wager"] == (("win", usd(10 * times), usd(10)) if times else ("lose", 0, 0))


@both
@pytest.mark.parametrize("letter", "ABCD")
@pytest.mark.parametrize(("hand", "times"), list(zip(PAIR_BONUS, [50, 40, 30, 6, 3, 1], strict=True)))
def test_679a_12_e_the_pair_bonus_with_any_other_fourth_card(hand: str, times: int, letter: str, edition: str) -> None:
    offer = {"paytables": {"Pair Bonus Wager": letter}}  # a letter of 12(f) only
    lines = settle("679a", seat(f"{hand} / 4c", "fold", ante=5, pair_bonus=10), dealer=QUEEN, edition=edition, offer=offer)
    assert lines["Pair Bonus Wager"] == ("win", usd(10 * times), usd(10))
    assert lines.clause("Pair Bonus Wager") == "679a.12(e)"


@both
@pytest.mark.parametrize(("letter", "hand", "times"), EACH_WITH_A_TWO)
def test_679a_12_f_the_pair_bonus_with_a_2_as_fourth_card(letter: str, hand: str, times: int, edition: str) -> None:
    offer = {"paytables": {"Pair Bonus Wager": letter}}
    lines = settle("679a", seat(f"{hand} / 2c", "fold", ante=5, pair_bonus=10), dealer=QUEEN, edition=edition, offer=offer)
    assert lines["Pair Bonus Wager"] == ("win", usd(10 * times), usd(10))
    assert lines.clause("Pair Bonus Wager") == "679a.12(f)"


@both
def test_679a_12_f_there_is_no_paytable_e(edition: str) -> None:
    offer = {"paytables": {"Pair Bonus Wager": "E"}}
    player = seat("As 9d 2s / 4c", "fold", ante=5, pair_bonus=5)
    assert refused("679a", player, dealer=QUEEN, edition=edition, offer=offer) == "679a.12(f)"


@both
@pytest.mark.parametrize(("letter", "hand", "dealer", "times"), EACH_ALL_SIX)
def test_679a_12_g_the_all_six_bonus(letter: str, hand: str, dealer: str, times: int, edition: str) -> None:
    offer = {"paytables": {"All-Six Bonus Wager": letter}}
    lines = settle("679a", seat(hand, "fold", ante=5, all_six=10), dealer=dealer, edition=edition, offer=offer)
    assert lines["All-Six Bonus Wager"] == ("win", usd(10 * times), usd(10))
    assert lines.clause("All-Six Bonus Wager") == "679a.12(g)"


@both
def test_679a_12_g_there_is_no_paytable_f(edition: str) -> None:
    offer = {"paytables": {"All-Six Bonus Wager": "F"}}
    assert refused("679a", seat("As 9d 2s", "fold", ante=5, all_six=5), dealer=QUEEN, edition=edition, offer=offer) == "679a.12(g)"


ROYAL = seat("Ad Kd Qd / 2s", "play", ante=100, prime=100, pair_bonus=100, all_six=100)


@both
@pytest.mark.parametrize(("letter", "floor"), [("A", 55_750), ("E", 55_750)])
def test_679a_12_h_the_floor_is_what_one_patron_could_win_at_the_minimum(letter: str, floor: int, edition: str) -> None:
    # Ante 1, Play 10, Prime 4, Pair Bonus 100, All-Six 1,000: 1,115 times $50. A six-card royal of table E does not count.
    offer = {"minimum": 50, "payout_limit": floor, "paytables": {"All-Six Bonus Wager": letter}}
    assert settle("679a", ROYAL, dealer="Jd Td Qc", edition=edition, offer=offer).clause("All-Six Bonus Wager") == "679a.12(h)"
    assert refused("679a", ROYAL, dealer="Jd Td Qc", edition=edition, offer=offer | {"payout_limit": floor - 1}) == "679a.12(h)"


@both
def test_679a_12_h_the_floor_is_never_below_50_000_dollars(edition: str) -> None:
    player = seat("As 9d 2s", "play", ante=5)
    assert refused("679a", player, dealer=QUEEN, edition=edition, offer={"payout_limit": 49_999}) == "679a.12(h)"
    assert settle("679a", player, dealer=QUEEN, edition=edition, offer={"payout_limit": 50_000}).net() == usd(10)


@both
def test_679a_12_h_or_the_floor_counts_the_best_paying_wager_alone(edition: str) -> None:
    offer = {"minimum": 60, "payout_limit": 60_000} | read(limit_floor="the best paying wager")
    assert settle("679a", ROYAL, dealer="Jd Td Qc", edition=edition, offer=offer)["Ante Wager"] == ("win", usd(100), usd(100))
    assert refused("679a", ROYAL, dealer="Jd Td Qc", edition=edition, offer=offer | {"payout_limit": 59_999}) == "679a.12(h)"
    assert refused("679a", ROYAL, dealer="Jd Td Qc", edition=edition, offer={"minimum": 60, "payout_limit": 66_899}) == "679a.12(h)"


@both
def test_679a_12_h_the_limit_cuts_the_last_wager_settled(edition: str) -> None:
    lines = settle("679a", ROYAL, dealer="Jd Td Qc", edition=edition, offer={"minimum": 50, "payout_limit": 55_750})
    assert lines["Ante Wager"] == ("win", usd(100), usd(100))
    assert lines["Play Wager"] == ("win", usd(1000), usd(100))
    assert lines["Prime Wager"] == ("win", usd(300), usd(100))
    assert lines["Pair Bonus Wager"] == ("win", usd(10_000), usd(100))
    assert lines["All-Six Bonus Wager"] == ("win", usd(55_750 - 11_400), usd(100))


@both
def test_679a_12_h_the_limit_never_touches_a_six_card_royal_of_table_e(edition: str) -> None:
    offer = {"minimum": 50, "payout_limit": 55_750, "paytables": {"All-Six Bonus Wager": "E"}}
    player = seat("Ad Kd Qd / 2s", "play", ante=100, prime=100, pair_bonus=1000, all_six=100)
    lines = settle("679a", player, dealer="Jd Td 9d", edition=edition, offer=offer)
    assert lines["Pair Bonus Wager"] == ("win", usd(55_750 - 1_500), usd(1000))
    assert lines["All-Six Bonus Wager"] == ("win", usd(20_000_000), usd(100))
    hearts = seat("Ah Kh Qh / 2s", "play", ante=100, prime=100, pair_bonus=1000, all_six=100)
    assert settle("679a", hearts, dealer="Jh Th 9h", edition=edition, offer=offer)["All-Six Bonus Wager"] == (
        "win",
        usd(2_000_000),
        usd(100),
    )


@both
def test_679a_12_h_the_limit_covers_a_six_card_royal_that_is_paid_as_a_royal_flush(edition: str) -> None:
    lines = settle("679a", ROYAL, dealer="Jd Td 9d", edition=edition, offer={"minimum": 50, "payout_limit": 55_750})
    assert lines["Prime Wager"] == ("win", usd(400), usd(100))
    assert lines["All-Six Bonus Wager"] == ("win", usd(55_750 - 11_500), usd(100))


@both
def test_679a_12_h_the_limit_covers_the_bad_beat_bonus(edition: str) -> None:
    lines = settle("679a", seat("5s 6s 7s", "play", ante=6000), dealer="8h 9h Th", edition=edition, offer={"payout_limit": 50_000})
    assert lines["Play Wager"] == ("return", 0, usd(6000))
    assert lines["Bad Beat Bonus"] == ("win", usd(50_000), 0)
    assert lines.clause("Bad Beat Bonus") == "679a.12(h)"


@both
@pytest.mark.parametrize(("reading", "play"), [("on top of stakes", 40_000), ("with stakes", 20_000)])
def test_679a_12_h_stakes_that_go_back_do_not_count_or_do(reading: str, play: int, edition: str) -> None:
    offer = {"payout_limit": 50_000} | read(payout_limit=reading)
    lines = settle("679a", seat("As Ks Qs", "play", ante=10_000), dealer=QUEEN, edition=edition, offer=offer)
    assert lines["Ante Wager"] == ("win", usd(10_000), usd(10_000))
    assert lines["Play Wager"] == ("win", usd(play), usd(10_000))


# § 679a.13


@both
def test_679a_13_a_one_card_face_up_is_discarded(edition: str) -> None:
    found = irregularity("679a", "13(a)", "One card", edition)
    assert (found.void, found.cards) == (False, Fate.CARD_DISCARDED)


@both
def test_679a_13_a_more_than_one_card_face_up_voids_the_round(edition: str) -> None:
    found = irregularity("679a", "13(a)", "More than one", edition)
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED)


@both
def test_679a_13_b_a_card_drawn_in_error_is_the_next_card(edition: str) -> None:
    found = irregularity("679a", "13(b)", edition=edition)
    assert (found.void, found.cards) == (False, Fate.CARD_USED)


@both
def test_679a_13_c_a_wrong_number_of_cards_voids_the_round(edition: str) -> None:
    found = irregularity("679a", "13(c)", edition=edition)
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED)


@both
def test_679a_13_d_an_exposed_dealer_card_still_settles_the_optional_wagers(edition: str) -> None:
    found = irregularity("679a", "13(d)", edition=edition)
    assert [wager.name for wager in found.returned] == ["Ante Wager", "Play Wager"]
    assert [wager.name for wager in found.settled] == ["Prime Wager", "Pair Bonus Wager", "All-Six Bonus Wager"]
    assert (found.void, found.settled_under, found.cards) == (True, "11(d)", Fate.RESHUFFLED)
    assert "11(c)" in found.during


@both
def test_679a_13_e_a_jammed_shuffler_voids_nothing(edition: str) -> None:
    found = irregularity("679a", "13(e)", edition=edition)
    assert (found.void, found.returned, found.cards) == (False, (), Fate.RESHUFFLED)


@both
def test_679a_13_f_a_jammed_shoe_voids_the_round(edition: str) -> None:
    found = irregularity("679a", "13(f)", edition=edition)
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED_WITH_DEALT)


@both
def test_679a_13_g_a_broken_device_is_covered_or_marked_first(edition: str) -> None:
    found = irregularity("679a", "13(g)", edition=edition)
    assert (found.void, found.cards) == (False, Fate.NONE)
    assert "covered" in found.then
    assert "out of order" in found.then
