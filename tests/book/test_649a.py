"""Chapter 649a, Three Card Poker: a test for each subsection of .6, .7, .11, .12 and .13, named after it, in both editions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.book.ch649a_three_card_poker import FIVE_CARD, OF_SIX_HANDS, PAIR_PLUS_HANDS, SIX_CARD_HANDS, THREE_CARD
from croupier.cards import cards
from croupier.filing.check import check
from croupier.law.paytable import Meter
from croupier.law.procedure import Act, Actor, AdjacentBoxes, Fate, Stage, Step
from croupier.law.ranking import Ranking
from tests.book.desk import NAMES, Lines, declared, irregularity, refused, rules, seat, settle, usd

OLD, NEW = "2011-06-14", "2019-11-02"
each_edition = pytest.mark.parametrize("edition", [OLD, NEW])

PLAYS, DOES_NOT_PLAY = "Kd 8c 3h", "Jd 8c 3h"  # dealer hands with king high and jack high
THREE = {OLD: "progressive", NEW: "three_card"}  # the name of the three-card progressive in each edition
ENVY = {OLD: "Envy Bonus", NEW: "Three-Card Envy Bonus"}
BONUS = "Five Card Hand Bonus Wager"


def cells(letters: str, rows: dict[str, str]) -> list[tuple[str, str, int]]:
    """Letter, hand and odds of every cell of a printed table. A blank cell, “-”, pays nothing."""
    return [
        (letter, hand, 0 if odds == "-" else int(odds))
        for hand, row in rows.items()
        for letter, odds in zip(letters, row.split(), strict=True)
    ]


def in_both(table: list[tuple[str, str, int]]) -> list[tuple[str, str, str, int]]:
    return [(edition, *cell) for edition in (OLD, NEW) for cell in table]


def to_one(times: int, stake: int) -> tuple[str, int, int]:
    """“To 1”: the stake is returned with the payment."""
    return ("win", usd(stake * times), usd(stake)) if times else ("lose", 0, 0)


def for_one(times: int, stake: int) -> tuple[str, int, int]:
    """“For 1” on a stake that was collected before the deal."""
    return ("win", usd(stake * times), 0) if times else ("lose", 0, 0)


def source(lines: Lines, wager: str, number: int = 1) -> str:
    """The account a line is paid from."""
    found = next(each for each in lines.settled.seats if each.seat == number)
    return next(line.source for line in found.lines if line.wager == wager and line.pays)


def terms(seed: int, rate: str, **more: Any) -> dict[str, Any]:
    return {"amount": 1, "rate": rate, "seed": seed, "reseed": seed} | more


# § 649a.6


def test_649a_6_a_an_ace_is_high_or_stands_below_the_2_only() -> None:
    expected = {
        "As Kd Qh": "Straight", "As 2d 3h": "Straight", "Ks Ad 2h": "Nothing",
        "As Ks Qs": "Straight flush", "As 2s 3s": "Straight flush", "Ks As 2s": "Flush",
    }  # fmt: skip
    assert {hand: THREE_CARD.row(cards(hand)) for hand in expected} == expected
    assert FIVE_CARD.row(cards("Qs Kd Ah 2c 3d")) == "Nothing"


def test_649a_6_a_cards_rank_from_the_ace_down_to_the_2() -> None:
    strengths = [THREE_CARD.strength(cards(f"{rank}s {rank}d {rank}h")) for rank in "AKQJT98765432"]
    assert strengths == sorted(set(strengths), reverse=True)


def test_649a_6_a_all_suits_are_equal() -> None:
    assert len({THREE_CARD.strength(cards(f"K{suit} 9{suit} 4{suit}")) for suit in "cdhs"}) == 1


def test_649a_6_b_the_lowest_hand_of_a_row_beats_the_highest_of_the_next() -> None:
    hands = [
        "As Ks Qs", "As 2s 3s", "As Ad Ah", "2s 2d 2h", "As Kd Qh", "As 2d 3h",
        "As Ks Js", "5s 3s 2s", "As Ad Kh", "2s 2d 3h", "As Kd Jh", "5s 3d 2h",
    ]  # fmt: skip
    strengths = [THREE_CARD.strength(cards(hand)) for hand in hands]
    assert strengths == sorted(set(strengths), reverse=True)
    rows = ["Straight flush", "Three-of-a-kind", "Straight", "Flush", "Pair", "Nothing"]
    assert [THREE_CARD.row(cards(hand)) for hand in hands] == [row for row in rows for _ in range(2)]


def test_649a_6_b_ace_2_3_is_the_lowest_straight_and_straight_flush() -> None:
    for suits in ("sss", "sdh"):
        runs = ["A23", *("23456789TJQKA"[low : low + 3] for low in range(11))]
        strengths = [THREE_CARD.strength(cards(" ".join(map("".join, zip(run, suits, strict=True))))) for run in runs]
        assert strengths == sorted(set(strengths))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("3s 3d 4c", "2s 2d Ac"),
        ("2s 2d Ac", "2h 2c Kd"),
        ("As 9d 4c", "Ad 9c 3h"),
        ("As 9s 4s", "Kd Qd Td"),
        ("As 9s 4s", "Ad 9d 3d"),
        ("Qs 3d 2c", "Js Td 8c"),
    ],
)
def test_649a_6_c_the_highest_card_not_in_the_other_hand_decides(higher: str, lower: str) -> None:
    assert THREE_CARD.strength(cards(higher)) > THREE_CARD.strength(cards(lower))


@pytest.mark.parametrize(
    ("one", "other"), [("As 9d 4c", "Ah 9c 4d"), ("As 9s 4s", "Ad 9d 4d"), ("7s 7d Kc", "7h 7c Kd"), ("6s 5d 4c", "6h 5c 4d")]
)
def test_649a_6_c_hands_that_are_equal_after_that_tie(one: str, other: str) -> None:
    assert THREE_CARD.strength(cards(one)) == THREE_CARD.strength(cards(other))


def test_649a_6_d_the_seven_five_card_hands_in_their_order() -> None:
    hands = [
        "As Ks Qs Js Ts",
        "Ks Qs Js Ts 9s",
        "2s 2d 2h 2c 3d",
        "2s 2d 2h 3c 3d",
        "As Ks 9s 5s 2s",
        "9s 8d 7h 6c 5d",
        "7s 7d 7h 4c 2d",
        "7s 7d 6h 6c 2d",
    ]
    expected = ["Royal flush", "Straight flush", "Four-of-a-kind", "Full house", "Flush", "Straight", "Three-of-a-kind", "Nothing"]
    assert [FIVE_CARD.row(cards(hand)) for hand in hands] == expected
    assert list(FIVE_CARD.rows) == expected


def test_649a_6_d_the_best_five_of_six_cards_count() -> None:
    expected = {
        "As Ks Qs Js Ts Ad": "Royal flush", "9s 8s 7s 6s 5s 9d": "Straight flush", "7s 7d 7h 7c 4d 4s": "Four-of-a-kind", "7s 7d 7h 4c 4d 4s": "Full house",
        "9s 8s 7s 6s 5d 2s": "Flush", "9s 8d 7h 6c 5d 9h": "Straight", "7s 7d 7h 4c 2d Ks": "Three-of-a-kind", "7s 7d 4h 4c 2d 2s": "Nothing",
    }  # fmt: skip
    assert {hand: FIVE_CARD.row(cards(hand)) for hand in expected} == expected


def test_649a_6_d_a_super_royal_takes_six_cards_of_one_suit_and_is_new_in_2019() -> None:
    expected = {
        "Ad Kd Qd Jd Td 9d": "Super Royal of diamonds", "As Ks Qs Js Ts 9s": "Super Royal of hearts, spades or clubs",
        "Ah Kh Qh Jh Th 9h": "Super Royal of hearts, spades or clubs", "Ac Kc Qc Jc Tc 9c": "Super Royal of hearts, spades or clubs",
        "As Ks Qs Js Ts 9d": "Royal flush", "As Ks Qs Js Ts 8s": "Royal flush", "Ks Qs Js Ts 9s 8s": "Straight flush",
    }  # fmt: skip
    assert {hand: SIX_CARD_HANDS.row(cards(hand)) for hand in expected} == expected
    assert declared(Ranking, "649a", "6(d)(8)", NEW) == [SIX_CARD_HANDS]
    assert declared(Ranking, "649a", "6(d)(8)", OLD) == []


def test_649a_6_e_a_mini_royal_outranks_a_straight_flush_where_the_paytable_has_it() -> None:
    assert PAIR_PLUS_HANDS.rows.index("Mini-royal flush") < PAIR_PLUS_HANDS.rows.index("Straight flush")
    royal = seat("As Ks Qs", "play", ante=10, pair_plus=10)
    plain = settle("649a", royal, dealer=PLAYS)
    assert (plain["Ante Bonus"], plain["Pair Plus Wager"]) == (("win", usd(50), 0), ("win", usd(350), usd(10)))
    added = settle("649a", royal, dealer=PLAYS, offer={"mini_royal": {"Ante Bonus": 6, "Pair Plus Wager": 50}})
    assert (added["Ante Bonus"], added["Pair Plus Wager"]) == (("win", usd(60), 0), ("win", usd(500), usd(10)))


@pytest.mark.parametrize("edition", [OLD, ""])
def test_649a_6_e_a_folded_mini_royal_is_called_by_the_row_that_the_paytable_has(edition: str) -> None:
    royal = seat("As Ks Qs", "fold", ante=10, pair_plus=5)
    (folded,) = settle("649a", royal, dealer=PLAYS, edition=edition).settled.seats
    assert [(line.hand, line.outcome.value) for line in folded.lines] == [("Straight flush", "forfeit")] * 2
    if not edition:
        (added,) = settle("649a", royal, dealer=PLAYS, offer={"mini_royal": {"Pair Plus Wager": 50}}).settled.seats
        assert [line.hand for line in added.lines] == ["Straight flush", "Mini-royal flush"]


def test_649a_6_e_a_mini_royal_is_ace_king_and_queen_of_one_suit() -> None:
    expected = {"As Ks Qd": "Straight", "Ks Qs Js": "Straight flush", "As 2s 3s": "Straight flush", "Ah Kh Qh": "Mini-royal flush"}
    assert {hand: PAIR_PLUS_HANDS.row(cards(hand)) for hand in expected} == expected


# § 649a.7


@each_edition
@pytest.mark.parametrize("amount", [0, -5, "five"])
def test_649a_7_a_a_wager_is_an_amount_of_chips(edition: str, amount: Any) -> None:
    assert refused("649a", seat("As 9d 4c", "play", ante=amount), dealer=PLAYS, edition=edition) == "649a.7(a)"


@each_edition
def test_649a_7_b_only_players_at_one_of_seven_seats_wager(edition: str) -> None:
    eight = [seat("As 9d 4c", "fold", ante=5)] * 8
    assert refused("649a", *eight, dealer=PLAYS, edition=edition) == "649a.2(a)"
    assert refused("649a", dealer=PLAYS, edition=edition) == "649a.7(b)"
    hands = ["As 9d 4c", "Ah 9c 4d", "Qs Td 2c", "Qh Tc 2d", "Js 7d 5c", "Jh 7c 5d", "Ts 6d 2h"]
    seven = [seat(hand, "fold", ante=5) for hand in hands]
    assert settle("649a", *seven, dealer=PLAYS, edition=edition).order == [7, 6, 5, 4, 3, 2, 1]


@each_edition
def test_649a_7_c_the_play_wager_is_not_placed_before_the_deal(edition: str) -> None:
    assert refused("649a", seat("As 9d 4c", "play", ante=5, play=5), dealer=PLAYS, edition=edition) == "649a.7(c)"


@each_edition
def test_649a_7_d_the_play_wager_is_exactly_one_ante(edition: str) -> None:
    lines = settle("649a", seat("As 9d 4c", "play", ante=15), dealer=PLAYS, edition=edition)
    assert lines["Play Wager"] == ("win", usd(15), usd(15))
    assert refused("649a", seat("As 9d 4c", "play 2x", ante=15), dealer=PLAYS, edition=edition) == "649a.11(b)"


@each_edition
def test_649a_7_d_ante_alone_pair_plus_alone_or_both_in_any_amounts(edition: str) -> None:
    ante = settle("649a", seat("7s 7d 4c", "play", ante=5), dealer=PLAYS, edition=edition)
    assert [line.wager for line in ante.settled.seats[0].lines] == ["Ante Wager", "Play Wager"]
    pair_plus = settle("649a", seat("7s 7d 4c", pair_plus=5), dealer=PLAYS, edition=edition)
    assert [line.wager for line in pair_plus.settled.seats[0].lines] == ["Pair Plus Wager"]
    both = settle("649a", seat("7s 7d 4c", "play", ante=5, pair_plus=500), dealer=PLAYS, edition=edition)
    assert both.net() == usd(5 + 5 + 500)
    assert refused("649a", seat("7s 7d 4c"), dealer=PLAYS, edition=edition) == "649a.7(d)"


OPTIONAL = [
    (OLD, "progressive", 1, "7(d)(4)"), (OLD, "six_card", 5, "7(d)(5)"),
    (NEW, "three_card", 1, "7(d)(4)"), (NEW, "six_card", 5, "7(d)(5)"), (NEW, "five_card", 1, "7(d)(6)"),
    (NEW, "hand_bonus", {"player": 1}, "7(d)(7)"), (NEW, "hand_bonus", {"dealer": 1}, "7(d)(7)"), (NEW, "of_six", 1, "7(d)(8)"),
]  # fmt: skip


@pytest.mark.parametrize(("edition", "wager", "amount", "clause"), OPTIONAL)
def test_649a_7_d_an_additional_wager_needs_an_ante_or_a_pair_plus(edition: str, wager: str, amount: Any, clause: str) -> None:
    table: dict[str, Any] = {"dealer": PLAYS, "edition": edition, "community": "Jc 5h" if edition == NEW else ""}
    side = next(iter(amount)) if isinstance(amount, dict) else ""
    alone, beside_ante, beside_pair_plus = (
        seat("Qs 9d 4c", **{wager: amount}), seat("Qs 9d 4c", "play", ante=5, **{wager: amount}), seat("Qs 9d 4c", pair_plus=5, **{wager: amount}),
    )  # fmt: skip
    assert refused("649a", alone, **table) == f"649a.{clause}"
    assert settle("649a", beside_ante, **table).of(1, NAMES[wager], side) == ("lose", 0, 0)
    assert settle("649a", beside_pair_plus, **table).of(1, NAMES[wager], side) == ("lose", 0, 0)


@pytest.mark.parametrize(("edition", "wager", "amount", "clause"), OPTIONAL)
def test_649a_7_d_an_additional_wager_must_stand_in_the_submission(edition: str, wager: str, amount: Any, clause: str) -> None:
    made = seat("Qs 9d 4c", "play", ante=5, **{wager: amount})
    assert refused("649a", made, dealer=PLAYS, edition=edition, offer={"wagers": []}) == f"649a.{clause}"


def test_649a_7_d_what_may_be_wagered_in_each_edition() -> None:
    always = {"Ante Wager", "Play Wager", "Pair Plus Wager", "Six Card Bonus Wager"}
    new = {"Three-Card Progressive Payout Wager", "Five-Card Progressive Payout Wager", BONUS, "5 of 6 Progressive Payout Wager"}
    assert {wager.name for wager in rules("649a", OLD).wagers.values()} == always | {"Progressive Payout Wager"}
    assert {wager.name for wager in rules("649a", NEW).wagers.values()} == always | new


@pytest.mark.parametrize(
    ("edition", "wager", "amount"),
    [
        (OLD, "three_card", 1),
        (OLD, "five_card", 1),
        (OLD, "hand_bonus", {"player": 1}),
        (OLD, "of_six", 1),
        (NEW, "progressive", 1),
        (NEW, "prime", 5),
    ],
)
def test_649a_7_d_a_wager_of_another_edition_or_game_is_refused(edition: str, wager: str, amount: Any) -> None:
    assert refused("649a", seat("Qs 9d 4c", "play", ante=5, **{wager: amount}), dealer=PLAYS, edition=edition) == "649a.7(d)"


def test_649a_7_d_the_five_card_hand_bonus_is_placed_on_a_hand() -> None:
    assert refused("649a", seat("Qs 9d 4c", "play", ante=5, hand_bonus=5), dealer=PLAYS, community="Jc 5h") == "649a.7(d)(7)"


@each_edition
@pytest.mark.parametrize(
    ("form", "ante", "pair_plus"),
    [("7(e)(1)", 10, 10), ("7(e)(1)", 10, 5), ("7(e)(2)", 5, 10), ("7(e)(2)", 50, 10), ("7(e)(3)", 5, 25), ("7(e)(3)", 25, 5)],
)
def test_649a_7_e_amounts_that_fit_a_version(edition: str, form: str, ante: int, pair_plus: int) -> None:
    made = seat("7s 7d 4c", "play", ante=ante, pair_plus=pair_plus)
    assert settle("649a", made, dealer=PLAYS, edition=edition, offer={"form": form}).net() == usd(2 * ante + pair_plus)


@each_edition
@pytest.mark.parametrize(
    ("form", "ante", "pair_plus"),
    [("7(e)(1)", 9, 10), ("7(e)(2)", 5, 11), ("7(e)(3)", 5, 26), ("7(e)(3)", 26, 5)],
)
def test_649a_7_e_amounts_that_do_not_fit_a_version(edition: str, form: str, ante: int, pair_plus: int) -> None:
    made = seat("7s 7d 4c", "play", ante=ante, pair_plus=pair_plus)
    assert refused("649a", made, dealer=PLAYS, edition=edition, offer={"form": form}) == f"649a.{form}"


@each_edition
@pytest.mark.parametrize("form", ["7(e)(1)", "7(e)(2)", "7(e)(3)"])
def test_649a_7_e_no_version_takes_a_pair_plus_alone(edition: str, form: str) -> None:
    assert refused("649a", seat("7s 7d 4c", pair_plus=5), dealer=PLAYS, edition=edition, offer={"form": form}) == f"649a.{form}"


@each_edition
def test_649a_7_e_an_ante_alone_fits_the_preconditions_but_not_the_compulsory_pair(edition: str) -> None:
    made = seat("7s 7d 4c", "play", ante=5)
    for form in ("7(e)(1)", "7(e)(2)"):
        assert settle("649a", made, dealer=PLAYS, edition=edition, offer={"form": form}).net() == usd(10)
    assert refused("649a", made, dealer=PLAYS, edition=edition, offer={"form": "7(e)(3)"}) == "649a.7(e)(3)"
    assert refused("649a", made, dealer=PLAYS, edition=edition, offer={"form": "7(e)(4)"}) == "649a.7"


@each_edition
def test_649a_7_f_the_submission_names_the_adjacent_boxes(edition: str) -> None:
    assert [rule.chosen_by_submission for rule in declared(AdjacentBoxes, "649a", "7(f)", edition)] == [True]
    assert "649a.7(f)" in {finding.cite for finding in check({"game": "649a", "edition": edition}).errors}
    made = seat("As 9d 4c", "fold", ante=5)
    for boxes in (0, 8):
        assert refused("649a", made, dealer=PLAYS, edition=edition, offer={"adjacent_boxes": boxes}) == "649a.7(f)"
    assert settle("649a", made, dealer=PLAYS, edition=edition, offer={"adjacent_boxes": 7}).net() == usd(-5)


# § 649a.11


@each_edition
def test_649a_11_a_players_examine_their_cards_first(edition: str) -> None:
    assert rules("649a", edition).of(Stage)[0].act is Act.EXAMINE
    for clause in ("11(a)(1)", "11(a)(2)"):
        assert [step.who for step in declared(Step, "649a", clause, edition)] == [Actor.PLAYER]


@each_edition
def test_649a_11_b_a_player_with_an_ante_must_play_or_fold_and_no_one_else_is_asked(edition: str) -> None:
    assert refused("649a", seat("As 9d 4c", ante=5), dealer=PLAYS, edition=edition) == "649a.11(b)"
    assert refused("649a", seat("As 9d 4c", "check", ante=5), dealer=PLAYS, edition=edition) == "649a.11(b)"
    assert refused("649a", seat("As 9d 4c", "play", pair_plus=5), dealer=PLAYS, edition=edition) == "649a.11"


@each_edition
def test_649a_11_b_a_fold_forfeits_the_ante_even_if_the_dealer_does_not_play(edition: str) -> None:
    lines = settle("649a", seat("As Ks Qs", "fold", ante=10), dealer=DOES_NOT_PLAY, edition=edition)
    assert (lines["Ante Wager"], lines.net()) == (("forfeit", 0, 0), usd(-10))
    assert lines.clause("Ante Wager") == "649a.11(b)"
    assert "Play Wager" not in lines
    assert "Ante Bonus" not in lines


@each_edition
def test_649a_11_b_a_fold_forfeits_the_pair_plus(edition: str) -> None:
    lines = settle("649a", seat("9s 8s 7s", "fold", ante=10, pair_plus=5), dealer=PLAYS, edition=edition)
    assert (lines["Pair Plus Wager"], lines.clause("Pair Plus Wager")) == (("forfeit", 0, 0), "649a.11(b)(1)")


@each_edition
def test_649a_11_b_a_fold_forfeits_the_progressive_but_not_the_envy(edition: str) -> None:
    folded = seat("7s 7d 7c", "fold", ante=10, **{THREE[edition]: 5})
    lines = settle("649a", folded, seat("As Ks Qs", "play", ante=10), dealer=PLAYS, edition=edition)
    assert lines.of(1, NAMES[THREE[edition]]) == ("forfeit", 0, 0)
    assert lines.clause(NAMES[THREE[edition]], 1) == "649a.11(b)(2)"
    assert lines.of(1, ENVY[edition]) == ("win", usd(500), 0)


def test_649a_11_b_a_fold_forfeits_the_five_card_progressive_but_not_the_envy() -> None:
    folded = seat("7s 7d 7c", "fold", ante=10, five_card=1)
    lines = settle("649a", folded, seat("Ah Kh Qh", "play", ante=10), dealer=PLAYS, community="Jh Th")
    assert lines.of(1, "Five-Card Progressive Payout Wager") == ("forfeit", 0, 0)
    assert lines.clause("Five-Card Progressive Payout Wager", 1) == "649a.11(b)(2)"
    assert lines.of(1, "Five-Card Envy Bonus") == ("win", usd(1000), 0)


@each_edition
def test_649a_11_b_a_fold_does_not_forfeit_the_six_card_bonus(edition: str) -> None:
    lines = settle("649a", seat("7s 5d 2c", "fold", ante=10, pair_plus=5, six_card=10), dealer="7d 7c Kh", edition=edition)
    assert lines["Pair Plus Wager"] == lines["Ante Wager"] == ("forfeit", 0, 0)
    assert (lines["Six Card Bonus Wager"], lines.net()) == (("win", usd(50), usd(10)), usd(50 - 15))


def test_649a_11_b_a_fold_does_not_forfeit_the_five_card_hand_bonus_nor_the_5_of_6() -> None:
    folded = seat("Ts 9s 2s", "fold", ante=10, pair_plus=5, hand_bonus={"player": 1, "dealer": 1}, of_six=1)
    lines = settle("649a", folded, dealer="8c 7d 6h", community="Ks Qs")
    assert lines["Pair Plus Wager"] == lines["Ante Wager"] == ("forfeit", 0, 0)
    assert lines.of(1, BONUS, "player") == ("win", usd(50), 0)
    assert lines.of(1, BONUS, "dealer") == ("lose", 0, 0)
    assert lines["5 of 6 Progressive Payout Wager"] == ("win", usd(5), 0)


def test_649a_11_b_the_wagers_that_survive_a_fold_in_each_edition() -> None:
    kept = {
        edition: {key for key, wager in rules("649a", edition).wagers.items() if wager.survives_fold == "11(b)(3)"}
        for edition in (OLD, NEW)
    }
    assert kept[OLD] == {"Six Card Bonus Wager"}
    assert kept[NEW] == {"Six Card Bonus Wager", f"{BONUS}: player", f"{BONUS}: dealer", "5 of 6 Progressive Payout Wager"}


@each_edition
def test_649a_11_c_forfeited_wagers_are_collected_before_the_dealer_reveals_and_settles(edition: str) -> None:
    stages = rules("649a", edition).of(Stage)
    assert [stage.act for stage in stages] == [Act.EXAMINE, Act.ASK, Act.COLLECT, Act.REVEAL, Act.SETTLE, Act.CLEAR]
    assert [stage.cite.clause for stage in stages[1:5]] == ["11(b)", "11(c)", "11(c)", "11(c)"]


@each_edition
def test_649a_11_c_settlement_runs_from_the_dealers_right(edition: str) -> None:
    players = [seat("As 9d 4c", "play", ante=5), seat("Ah 9c 4d", "fold", ante=5), seat("Qs Td 2c", pair_plus=5)]
    assert settle("649a", *players, dealer=PLAYS, edition=edition).order == [3, 2, 1]


@each_edition
@pytest.mark.parametrize("hand", ["As 9d 4c", "Js 8d 3c", "5s 4d 2c"])
def test_649a_11_c_a_dealer_below_queen_high_pays_the_ante_and_returns_the_play(edition: str, hand: str) -> None:
    lines = settle("649a", seat(hand, "play", ante=10), dealer=DOES_NOT_PLAY, edition=edition)
    assert (lines["Ante Wager"], lines["Play Wager"]) == (("win", usd(10), usd(10)), ("return", 0, usd(10)))
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "649a.11(c)(3)(i)"


@each_edition
@pytest.mark.parametrize("dealer", ["Qd 3c 2h", "Kd 3c 2h", "Ad 5c 4h", "2d 2c 3h", "7d 5d 2d", "4d 3c 2h"])
def test_649a_11_c_a_dealer_of_queen_high_or_better_collects_from_a_lower_hand(edition: str, dealer: str) -> None:
    lines = settle("649a", seat("Js Td 8s", "play", ante=10), dealer=dealer, edition=edition)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("lose", 0, 0)
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "649a.11(c)(3)(ii)(A)"


@each_edition
def test_649a_11_c_a_higher_hand_wins_ante_play_and_ante_bonus(edition: str) -> None:
    lines = settle("649a", seat("6s 5h 4c", "play", ante=10), dealer=PLAYS, edition=edition)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("win", usd(10), usd(10))
    assert (lines["Ante Bonus"], lines.net()) == (("win", usd(10), 0), usd(30))


@each_edition
def test_649a_11_c_a_tie_returns_ante_and_play(edition: str) -> None:
    lines = settle("649a", seat("Ks 8d 3c", "play", ante=10), dealer=PLAYS, edition=edition)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("push", 0, usd(10))
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "649a.11(c)(3)(ii)(C)"


@each_edition
@pytest.mark.parametrize(("dealer", "ante"), [("Jd 8c 3h", "win"), ("7d 7c Ah", "lose"), ("7d 7c Kh", "push"), ("6d 6c Kh", "win")])
def test_649a_11_c_a_pair_plus_is_paid_whatever_the_dealer_holds(edition: str, dealer: str, ante: str) -> None:
    lines = settle("649a", seat("7s 7h Ks", "play", ante=10, pair_plus=5), dealer=dealer, edition=edition)
    assert (lines["Ante Wager"][0], lines["Pair Plus Wager"]) == (ante, ("win", usd(5), usd(5)))


@each_edition
def test_649a_11_c_a_progressive_is_paid_though_the_dealer_wins(edition: str) -> None:
    lines = settle("649a", seat("7s 7h 7c", "play", ante=10, **{THREE[edition]: 1}), dealer="9d 9c 9h", edition=edition)
    assert (lines["Ante Wager"], lines[NAMES[THREE[edition]]]) == (("lose", 0, 0), ("win", usd(60), 0))


@each_edition
def test_649a_11_c_only_the_whole_meter_is_not_paid_from_the_table_inventory(edition: str) -> None:
    progressive, name = {THREE[edition]: 1}, NAMES[THREE[edition]]
    table: dict[str, Any] = {"dealer": DOES_NOT_PLAY, "edition": edition}
    lines = settle("649a", seat("Ah Kh Qh", pair_plus=5, **progressive), seat("As Ks Qs", pair_plus=5, **progressive), **table)
    assert (source(lines, name, 1), source(lines, name, 2)) == ("table inventory", "meter")
    assert source(lines, ENVY[edition], 1) == "table inventory"


@each_edition
def test_649a_11_c_a_floorperson_validates_a_progressive_payout(edition: str) -> None:
    wins = ["11(c)(5)"] if edition == OLD else ["11(c)(5)", "11(c)(7)", "11(c)(9)"]
    for clause in wins:
        steps = [step for number in ("i", "ii", "iii", "iv") for step in declared(Step, "649a", f"{clause}({number})", edition)]
        assert [step.who for step in steps] == [Actor.DEALER, Actor.DEALER, Actor.FLOORPERSON, Actor.DEALER]


@each_edition
def test_649a_11_c_several_envies_but_none_for_your_own_hand_or_the_dealers(edition: str) -> None:
    progressive = {THREE[edition]: 1}
    players = [
        seat("2s 5d 9h", "fold", ante=5, **progressive),
        seat("Ah Kh Qh", "play", ante=5, **progressive),
        seat("Ac Kc Qc", "play", ante=5),
    ]
    lines = settle("649a", *players, dealer="As Ks Qs", edition=edition)
    assert lines.of(1, ENVY[edition]) == ("win", usd(25 + 25), 0)
    assert lines.of(2, ENVY[edition]) == ("win", usd(25), 0)
    assert [line.wager for line in lines.settled.seats[0].lines] == ["Ante Wager", "Play Wager", "Ante Bonus"]


@each_edition
def test_649a_11_c_a_folded_hand_gives_envy_only_if_a_six_card_bonus_keeps_it_on_the_table(edition: str) -> None:
    envious = seat("2s 5d 9h", pair_plus=5, **{THREE[edition]: 1})
    discarded, kept = seat("Ah Kh Qh", "fold", ante=5), seat("Ah Kh Qh", "fold", ante=5, six_card=5)
    assert settle("649a", envious, discarded, dealer=PLAYS, edition=edition).net(1) == usd(-6)
    assert settle("649a", envious, kept, dealer=PLAYS, edition=edition).of(1, ENVY[edition]) == ("win", usd(25), 0)
    always = {"readings": {"envy from a folded hand": "always"}}
    lines = settle("649a", envious, discarded, dealer=PLAYS, edition=edition, offer=always)
    assert lines.of(1, ENVY[edition]) == ("win", usd(25), 0)


@pytest.mark.parametrize("keeps", [{"hand_bonus": {"player": 1}}, {"hand_bonus": {"dealer": 1}}, {"of_six": 1}])
def test_649a_11_c_a_hand_bonus_or_a_5_of_6_keeps_a_folded_hand_on_the_table_too(keeps: dict[str, Any]) -> None:
    envious, kept = seat("2s 5d 9h", pair_plus=5, three_card=5), seat("Ah Kh Qh", "fold", ante=5, **keeps)
    assert settle("649a", envious, kept, dealer=PLAYS, community="9c 4s").of(1, ENVY[NEW]) == ("win", usd(125), 0)


@each_edition
@pytest.mark.parametrize(
    ("own", "dealer", "ante", "times"),
    [
        ("7s 7h 4c", "7d Kc 2h", "win", 5),
        ("7s 7h 4c", "7d Jc 2h", "win", 5),
        ("7s 6h 2c", "7d 7c Kh", "lose", 5),
        ("7s 7h Kc", "7d 7c Kh", "push", 50),
    ],
)
def test_649a_11_c_a_six_card_bonus_is_paid_whatever_happens_to_the_ante(
    edition: str, own: str, dealer: str, ante: str, times: int
) -> None:
    lines = settle("649a", seat(own, "play", ante=10, six_card=5), dealer=dealer, edition=edition)
    assert (lines["Ante Wager"][0], lines["Six Card Bonus Wager"]) == (ante, to_one(times, 5))


@each_edition
def test_649a_11_c_the_six_cards_are_the_players_and_the_dealers(edition: str) -> None:
    lines = settle("649a", seat("8s 7d 2c", "play", ante=10, six_card=5), dealer="Ks 8d 8c", edition=edition)
    assert (lines["Ante Wager"], lines["Six Card Bonus Wager"]) == (("lose", 0, 0), to_one(5, 5))


def test_649a_11_c_the_two_community_cards_are_dealt_for_the_wagers_on_five_cards_only() -> None:
    for made in ({"five_card": 1}, {"hand_bonus": {"player": 1}}, {"hand_bonus": {"dealer": 1}}):
        assert refused("649a", seat("8s 7d 2c", pair_plus=5, **made), dealer=PLAYS) == "649a.8(d)"
        assert refused("649a", seat("8s 7d 2c", pair_plus=5, **made), dealer=PLAYS, community="9c") == "649a.8(d)"
    assert refused("649a", seat("8s 7d 2c", pair_plus=5), dealer=PLAYS, community="9c 4s", edition=OLD) == "649a.8(d)"
    assert settle("649a", seat("8s 7d 2c", pair_plus=5, six_card=5, of_six=1), dealer=PLAYS).net() == usd(-11)


def test_649a_11_c_no_share_of_the_five_card_or_5_of_6_meter_is_paid_from_the_table_inventory() -> None:
    players = [seat("9s 8s 7s", pair_plus=5, five_card=1, of_six=1), seat("Qs Jd Th", pair_plus=5, five_card=1, of_six=1)]
    lines = settle("649a", *players, dealer="8d 9c Kh", community="6s 5s")
    assert source(lines, "Five-Card Progressive Payout Wager", 1) == "meter"
    assert source(lines, "5 of 6 Progressive Payout Wager", 2) == "table inventory"
    royal = settle("649a", seat("Ah Kh Qh", pair_plus=5, of_six=1), dealer="Jh Th 2c")
    assert source(royal, "5 of 6 Progressive Payout Wager") == "meter"


def test_649a_11_c_a_five_card_envy_is_not_for_your_own_hand_and_may_come_twice() -> None:
    players = [
        seat("9s 8s 7s", pair_plus=5, five_card=1),
        seat("As Ks Qs", pair_plus=5, five_card=1),
        seat("2d 5h 9c", pair_plus=5, five_card=1),
    ]
    lines = settle("649a", *players, dealer=PLAYS, community="Js Ts")
    assert [lines.of(number, "Five-Card Envy Bonus")[1] for number in (1, 2, 3)] == [usd(1000), usd(300), usd(1300)]


def test_649a_11_c_the_hand_bonus_goes_to_the_game_account_but_a_share_of_the_meter_does_not() -> None:
    made, system = seat("As 9s 4s", pair_plus=5, hand_bonus={"player": 1}), {"magic_card": "7s", "lucky": 1}
    flush = settle("649a", made, dealer=PLAYS, community="7s 2s", system=system)
    assert {source(flush, name) for name in (BONUS, "Magic Card Bonus", "Lucky Bonus")} == {"game account"}
    run = settle("649a", seat("9s 8s 7s", pair_plus=5, hand_bonus={"player": 1}), dealer=PLAYS, community="6s 5s")
    assert source(run, BONUS) == "meter"


def test_649a_11_c_a_floorperson_verifies_a_large_hand_bonus() -> None:
    steps = [declared(Step, "649a", f"11(c)(8)({number})") for number in ("i", "ii", "iii")]
    assert [[step.who for step in each] for each in steps] == [[Actor.DEALER], [Actor.FLOORPERSON], [Actor.DEALER]]
    assert "500 for 1" in steps[1][0].does
    assert "game account" in steps[2][0].does


def test_649a_11_c_a_hand_bonus_is_paid_though_the_dealer_wins() -> None:
    made = seat("Ks 9s 4s", "play", ante=10, hand_bonus={"player": 1})
    lines = settle("649a", made, dealer="Qd Jd Td", community="7s 2s")
    assert (lines["Ante Wager"], lines.of(1, BONUS, "player")) == (("lose", 0, 0), ("win", usd(50), 0))


def test_649a_11_c_a_5_of_6_envy_is_not_for_ones_own_hand() -> None:
    players = [seat("2d 5h 9c", pair_plus=5, of_six=1), seat("Qs Js Ts", pair_plus=5, of_six=1)]
    lines = settle("649a", *players, dealer="As Ks 2c")
    assert lines.of(1, "5 of 6 Envy Bonus") == ("win", usd(100), 0)
    assert "5 of 6 Envy Bonus" not in lines


def test_649a_11_c_the_wagers_are_settled_in_the_order_of_the_paragraphs() -> None:
    on_cards = {"of_six": 1, "hand_bonus": {"dealer": 1, "player": 1}, "five_card": 1, "six_card": 5, "three_card": 1}
    every = seat("6s 5h 4c", "play", ante=10, pair_plus=5, **on_cards)
    lines = settle("649a", every, seat("Ah Kh Qh", "play", ante=10), dealer=PLAYS, community="Jh Th")
    seat_one = next(each for each in lines.settled.seats if each.seat == 1)
    assert [(line.wager, line.cite.clause) for line in seat_one.lines] == [
        ("Ante Wager", "12(a)"), ("Play Wager", "12(a)"), ("Ante Bonus", "12(b)"), ("Pair Plus Wager", "12(d)"),
        ("Three-Card Progressive Payout Wager", "12(e)(1)"), ("Three-Card Envy Bonus", "12(e)(5)"), ("Six Card Bonus Wager", "12(f)"),
        ("Five-Card Progressive Payout Wager", "12(h)(1)"), ("Five-Card Envy Bonus", "12(h)(5)"), (BONUS, "12(i)(1)"), (BONUS, "12(i)(1)"),
        ("5 of 6 Progressive Payout Wager", "12(j)(1)"),
    ]  # fmt: skip


@each_edition
def test_649a_11_d_the_cards_are_cleared_last(edition: str) -> None:
    last = rules("649a", edition).of(Stage)[-1]
    assert (last.act, last.cite.clause) == (Act.CLEAR, "11(d)")


# § 649a.12


@each_edition
def test_649a_12_a_ante_and_play_pay_even_money(edition: str) -> None:
    lines = settle("649a", seat("As 9d 4c", "play", ante=15), dealer=PLAYS, edition=edition)
    assert lines["Ante Wager"] == lines["Play Wager"] == ("win", usd(15), usd(15))
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "649a.12(a)"


def ante_bonus(hand: str, dealer: str = PLAYS, **more: Any) -> tuple[str, int, int] | None:
    lines = settle("649a", seat(hand, "play", ante=10, **more.pop("wagers", {})), dealer=dealer, **more)
    paid = "Ante Bonus" in lines
    return lines["Ante Bonus"] if paid else None


ANTE_BONUS = cells(
    "ABC",
    {"As Ks Qs": "5 5 4", "6s 5s 4s": "5 5 4", "6s 6h 6c": "4 3 3", "6s 5h 4c": "1 1 1", "As 9s 2s": "- - -", "As Ah 2s": "- - -"},
)


@pytest.mark.parametrize(("edition", "letter", "hand", "times"), in_both(ANTE_BONUS))
def test_649a_12_b_the_ante_bonus(edition: str, letter: str, hand: str, times: int) -> None:
    expected = ("win", usd(10 * times), 0) if times else None
    assert ante_bonus(hand, edition=edition, offer={"paytables": {"Ante Bonus": letter}}) == expected


@each_edition
def test_649a_12_b_there_is_no_table_d(edition: str) -> None:
    made, offer = seat("As 9d 4c", "play", ante=5), {"paytables": {"Ante Bonus": "D"}}
    assert refused("649a", made, dealer=PLAYS, edition=edition, offer=offer) == "649a.12(b)"


@each_edition
@pytest.mark.parametrize("dealer", [DOES_NOT_PLAY, PLAYS, "6d 5c 4h", "7d 6c 5d"])
def test_649a_12_b_the_ante_bonus_is_paid_whether_or_not_the_hand_outranks_the_dealers(edition: str, dealer: str) -> None:
    assert ante_bonus("6s 5h 4c", dealer, edition=edition) == ("win", usd(10), 0)


@each_edition
@pytest.mark.parametrize(("dealer", "paid"), [(DOES_NOT_PLAY, True), (PLAYS, True), ("6d 5c 4h", False), ("7d 6c 5d", False)])
def test_649a_12_b_read_otherwise_the_ante_bonus_is_paid_only_on_a_win(edition: str, dealer: str, paid: bool) -> None:
    only = {"readings": {"ante bonus": "only on a win"}}
    assert ante_bonus("6s 5h 4c", dealer, edition=edition, offer=only) == (("win", usd(10), 0) if paid else None)


FORM_BONUS = cells(
    "ABC",
    {
        "As Ks Qs": "50 50 50", "Ah Kh Qh": "5 50 10", "Ad Kd Qd": "5 50 10", "Ac Kc Qc": "5 50 10",
        "6s 5s 4s": "4 8 6", "6s 6h 6c": "3 6 3", "6s 5h 4c": "1 - -", "As Kh Qc": "1 - -", "As 9s 2s": "- - -",
    },
)  # fmt: skip


@pytest.mark.parametrize(("edition", "letter", "hand", "times"), in_both(FORM_BONUS))
def test_649a_12_c_the_ante_bonus_of_the_version_of_7_e(edition: str, letter: str, hand: str, times: int) -> None:
    expected = ("win", usd(10 * times), 0) if times else None
    for form in ("7(e)(1)", "7(e)(2)", "7(e)(3)"):
        offer = {"form": form, "paytables": {"Ante Bonus": letter}}
        assert ante_bonus(hand, "Js Jc 3h", edition=edition, offer=offer, wagers={"pair_plus": 10}) == expected


@each_edition
def test_649a_12_c_the_bonus_of_the_version_cites_its_own_clause_and_has_no_table_d(edition: str) -> None:
    made = seat("As Ks Qs", "play", ante=10, pair_plus=10)
    assert settle("649a", made, dealer=PLAYS, edition=edition, offer={"form": "7(e)(1)"}).clause("Ante Bonus") == "649a.12(c)"
    offer = {"form": "7(e)(1)", "paytables": {"Ante Bonus": "D"}}
    assert refused("649a", made, dealer=PLAYS, edition=edition, offer=offer) == "649a.12(c)"


PAIR_PLUS = {
    OLD: cells("ABC", {"As Ks Qs": "35 40 40", "6s 5s 4s": "35 40 40", "6s 6h 6c": "25 30 30", "6s 5h 4c": "5 5 6", "As 9s 2s": "3 4 3", "2s 2h 5c": "1 1 1", "As Kh Jc": "- - -"}),
    NEW: cells(
        "ABCDE",
        {
            "As Ks Qs": "35 40 40 40 40", "6s 5s 4s": "35 40 40 40 40", "6s 6h 6c": "25 30 30 30 25", "6s 5h 4c": "6 5 6 6 6",
            "As 9s 2s": "4 4 3 4 4", "2s 2h 5c": "1 1 1 1 1", "As Kh Jc": "- - - - -",
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("edition", "letter", "hand", "times"), [(edition, *cell) for edition, table in PAIR_PLUS.items() for cell in table]
)
def test_649a_12_d_the_pair_plus_wager(edition: str, letter: str, hand: str, times: int) -> None:
    lines = settle(
        "649a", seat(hand, pair_plus=10), dealer=PLAYS, edition=edition, offer={"paytables": {"Pair Plus Wager": letter}}
    )
    assert (lines["Pair Plus Wager"], lines.clause("Pair Plus Wager")) == (to_one(times, 10), "649a.12(d)")


def test_649a_12_d_the_tables_d_and_e_are_new_in_2019_and_there_is_no_f() -> None:
    for edition, letter in [(OLD, "D"), (OLD, "E"), (NEW, "F")]:
        offer = {"paytables": {"Pair Plus Wager": letter}}
        assert refused("649a", seat("As Kh Jc", pair_plus=10), dealer=PLAYS, edition=edition, offer=offer) == "649a.12(d)"


PROGRESSIVE = cells(
    "AB",
    {"Ah Kh Qh": "500 500", "Ad Kd Qd": "500 500", "Ac Kc Qc": "500 500", "6s 5s 4s": "70 100", "6s 6h 6c": "60 90", "6s 5h 4c": "6 -", "As 9s 2s": "- -", "As Ah 2s": "- -"},
)  # fmt: skip


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize(("edition", "letter", "hand", "times"), in_both(PROGRESSIVE))
def test_649a_12_e_the_three_card_progressive(edition: str, letter: str, hand: str, times: int, stake: int) -> None:
    name = NAMES[THREE[edition]]
    made = seat(hand, pair_plus=5, **{THREE[edition]: stake})
    lines = settle("649a", made, dealer=DOES_NOT_PLAY, edition=edition, meters={name: 4321}, offer={"paytables": {name: letter}})
    assert (lines[name], lines.meter(name)) == (for_one(times, stake), usd(4321))
    assert lines.clause(name) == "649a.12(e)(1)"


@each_edition
@pytest.mark.parametrize("letter", ["A", "B"])
def test_649a_12_e_ace_king_and_queen_of_spades_take_the_meter_and_no_lower_row(edition: str, letter: str) -> None:
    name = NAMES[THREE[edition]]
    made = seat("As Ks Qs", pair_plus=5, **{THREE[edition]: 1})
    lines = settle("649a", made, dealer=PLAYS, edition=edition, meters={name: "4321.09"}, offer={"paytables": {name: letter}})
    assert (lines[name], lines.meter(name)) == (("win", usd("4321.09"), 0), usd(1000))


@pytest.mark.parametrize(("edition", "stake", "seed"), [(OLD, 1, 1000), (OLD, 5, 1000), (NEW, 1, 1000), (NEW, 5, 5000)])
@pytest.mark.parametrize("letter", ["A", "B"])
def test_649a_12_e_the_seed_is_for_1_in_2019_and_flat_in_2011(edition: str, stake: int, seed: int, letter: str) -> None:
    name = NAMES[THREE[edition]]
    made = seat("As Ks Qs", pair_plus=5, **{THREE[edition]: stake})
    lines = settle("649a", made, dealer=PLAYS, edition=edition, offer={"paytables": {name: letter}})
    assert (lines[name], lines.meter(name)) == (("win", usd(seed), 0), usd(seed))


def meter_terms(edition: str, letter: str, **named: Any) -> dict[str, Any]:
    name = NAMES[THREE[edition]]
    return {"offer": {"paytables": {name: letter}, "progressives": {name: named}}, "edition": edition, "dealer": PLAYS}


@each_edition
@pytest.mark.parametrize(("letter", "rate"), [("A", "14%"), ("B", "20%")])
def test_649a_12_e_the_rate_of_progression_of_each_paytable(edition: str, letter: str, rate: str) -> None:
    made = seat("2s 5d 9h", pair_plus=5, **{THREE[edition]: 1})
    assert settle("649a", made, **meter_terms(edition, letter, **terms(1000, rate))).net() == usd(-6)
    low = {"14%": "13.9%", "20%": "19.9%"}[rate]
    assert refused("649a", made, **meter_terms(edition, letter, **terms(1000, low))) == "649a.12(e)(3)"
    assert refused("649a", made, **meter_terms(edition, letter, **terms(999, rate))) == "649a.12(e)(3)"
    assert refused("649a", made, **meter_terms(edition, letter, **terms(1000, rate, reseed=999))) == "649a.12(e)(3)"
    assert refused("649a", made, **meter_terms(edition, letter, **terms(1000, rate, amount=2))) == "649a.12(e)(5)"


def test_649a_12_e_the_figures_are_a_floor_in_2011_and_exact_in_2019() -> None:
    made = {edition: seat("As Ks Qs", pair_plus=5, **{THREE[edition]: 1}) for edition in (OLD, NEW)}
    more = terms(2500, "15%")
    assert settle("649a", made[OLD], **meter_terms(OLD, "A", **more)).meter("Progressive Payout Wager") == usd(2500)
    assert refused("649a", made[NEW], **meter_terms(NEW, "A", **terms(1000, "15%"))) == "649a.12(e)(3)"
    assert refused("649a", made[NEW], **meter_terms(NEW, "A", **terms(2500, "14%"))) == "649a.12(e)(3)"
    assert refused("649a", made[NEW], **meter_terms(NEW, "A", **terms(1000, "14%", amount=5))) == "649a.12(e)(3)"
    five = seat("As Ks Qs", pair_plus=5, three_card=5)
    lines = settle("649a", five, **meter_terms(NEW, "A", **terms(5000, "14%", amount=5)))
    assert lines.meter("Three-Card Progressive Payout Wager") == usd(5000)


@each_edition
@pytest.mark.parametrize(("source_of_envy", "won", "left"), [("table inventory", 4000, 1000), ("meter", 3900, 975)])
def test_649a_12_e_a_winner_has_what_the_meter_shows_at_his_turn(edition: str, source_of_envy: str, won: int, left: int) -> None:
    name, progressive = NAMES[THREE[edition]], {THREE[edition]: 1}
    players = [
        seat("Ah Kh Qh", pair_plus=5),
        seat("As Ks Qs", pair_plus=5, **progressive),
        seat("2s 5d 9h", pair_plus=5, **progressive),
    ]
    offer = {"readings": {"envy paid from": source_of_envy}}
    lines = settle("649a", *players[1:], dealer=PLAYS, edition=edition, meters={name: 4000}, offer=offer)
    assert lines.of(1, name) == ("win", usd(won), 0)
    assert lines.of(2, ENVY[edition]) == ("win", usd(100), 0)
    assert source(lines, ENVY[edition], 2) == source_of_envy
    after = settle("649a", players[0], players[1], dealer=PLAYS, edition=edition, meters={name: 4000}, offer=offer)
    assert (after.of(2, ENVY[edition]), after.meter(name)) == (("win", usd(25), 0), usd(left))


@each_edition
@pytest.mark.parametrize("when", ["at once", "after the round"])
def test_649a_12_e_a_meter_that_is_won_stands_at_its_seed_after_the_round(edition: str, when: str) -> None:
    name = NAMES[THREE[edition]]
    made = seat("As Ks Qs", pair_plus=5, **{THREE[edition]: 1})
    lines = settle("649a", made, dealer=PLAYS, edition=edition, meters={name: 9000}, offer={"readings": {"reseed": when}})
    assert (lines[name], lines.meter(name)) == (("win", usd(9000), 0), usd(1000))


@each_edition
@pytest.mark.parametrize(
    ("stake", "hand", "envy"),
    [
        (1, "As Ks Qs", 100),
        (1, "Ah Kh Qh", 25),
        (1, "Ad Kd Qd", 25),
        (1, "Ac Kc Qc", 25),
        (5, "As Ks Qs", 500),
        (5, "Ah Kh Qh", 125),
        (5, "Ad Kd Qd", 125),
        (5, "Ac Kc Qc", 125),
    ],
)
def test_649a_12_e_the_envy_bonus_is_by_the_stake_of_who_receives_it(edition: str, stake: int, hand: str, envy: int) -> None:
    envious = seat("2s 5d 9h", pair_plus=5, **{THREE[edition]: stake})
    lines = settle("649a", envious, seat(hand, pair_plus=5, **{THREE[edition]: 1}), dealer=DOES_NOT_PLAY, edition=edition)
    assert (lines.of(1, ENVY[edition]), lines.clause(ENVY[edition], 1)) == (("win", usd(envy), 0), "649a.12(e)(5)")


@each_edition
@pytest.mark.parametrize("hand", ["Ks Qs Js", "7s 7h 7c", "As Kh Qc"])
def test_649a_12_e_no_other_hand_gives_envy(edition: str, hand: str) -> None:
    envious = seat("2s 5d 9h", pair_plus=5, **{THREE[edition]: 1})
    assert settle("649a", envious, seat(hand, pair_plus=5), dealer=PLAYS, edition=edition).net(1) == usd(-6)


@pytest.mark.parametrize(
    ("edition", "wager", "clause"),
    [
        (OLD, "progressive", "12(e)(5)"),
        (NEW, "three_card", "12(e)(5)"),
        (NEW, "five_card", "12(h)(5)"),
        (NEW, "of_six", "12(j)(5)"),
    ],
)
def test_649a_12_e_a_progressive_is_a_wager_of_1_or_5_dollars(edition: str, wager: str, clause: str) -> None:
    assert refused("649a", seat("2s 5d 9h", pair_plus=5, **{wager: 2}), dealer=PLAYS, edition=edition) == f"649a.{clause}"


SIX_CARD_2011 = {
    "Qs Js Ts | As Ks 2d": "1000 1000 1000", "9s 8s 7s | 6s 5s 2d": "200 200 200",
    "7s 7h 7c | 7d Kc 2s": "50 100 100", "7s 7h 7c | Kd Kc 2s": "25 20 20", "As 9s 4s | Ks 7s 2d": "20 15 15",
    "9s 8h 7c | 6d 5s 2d": "10 9 10", "7s 7h Kc | 7d 4c 2s": "5 8 7", "7s 7h Kc | Kd 4c 2s": "- - -",
}  # fmt: skip
SIX_CARD_D_AND_E = {
    "Qs Js Ts | As Ks 2d": "1000 1000", "9s 8s 7s | 6s 5s 2d": "200 200", "7s 7h 7c | 7d Kc 2s": "50 50", "7s 7h 7c | Kd Kc 2s": "25 20",
    "As 9s 4s | Ks 7s 2d": "15 15", "9s 8h 7c | 6d 5s 2d": "10 10", "7s 7h Kc | 7d 4c 2s": "5 5", "7s 7h Kc | Kd 4c 2s": "- -",
}  # fmt: skip
SIX_CARD = in_both(cells("ABC", SIX_CARD_2011)) + [(NEW, *cell) for cell in cells("DE", SIX_CARD_D_AND_E)]


@pytest.mark.parametrize(("edition", "letter", "hands", "times"), SIX_CARD)
def test_649a_12_f_the_six_card_bonus(edition: str, letter: str, hands: str, times: int) -> None:
    own, dealer = hands.split(" | ")
    offer = {"paytables": {"Six Card Bonus Wager": letter}}
    lines = settle("649a", seat(own, pair_plus=5, six_card=10), dealer=dealer, edition=edition, offer=offer)
    assert (lines["Six Card Bonus Wager"], lines.clause("Six Card Bonus Wager")) == (to_one(times, 10), "649a.12(f)")


@pytest.mark.parametrize("stake", [1, 10])
@pytest.mark.parametrize(("suit", "sum_paid"), [("d", 1_000_000), ("h", 100_000), ("s", 100_000), ("c", 100_000)])
def test_649a_12_f_table_e_pays_a_super_royal_a_fixed_sum_whatever_the_stake(suit: str, sum_paid: int, stake: int) -> None:
    made, dealer = seat(f"J{suit} T{suit} 9{suit}", pair_plus=5, six_card=stake), f"A{suit} K{suit} Q{suit}"
    offer: dict[str, Any] = {"paytables": {"Six Card Bonus Wager": "E"}}
    assert settle("649a", made, dealer=dealer, offer=offer)["Six Card Bonus Wager"] == ("win", usd(sum_paid), usd(stake))
    stays = offer | {"readings": {"super royal stake": "stays"}}
    assert settle("649a", made, dealer=dealer, offer=stays)["Six Card Bonus Wager"] == ("win", usd(sum_paid), 0)


def test_649a_12_f_the_stake_of_a_royal_flush_goes_back_however_the_super_royal_is_read() -> None:
    offer = {"paytables": {"Six Card Bonus Wager": "E"}, "readings": {"super royal stake": "stays"}}
    lines = settle("649a", seat("Qs Js Ts", pair_plus=5, six_card=10), dealer="As Ks 9d", offer=offer)
    assert lines["Six Card Bonus Wager"] == ("win", usd(10_000), usd(10))


@pytest.mark.parametrize("suit", "dhsc")
@pytest.mark.parametrize(
    ("edition", "letter"), [(OLD, "A"), (OLD, "B"), (OLD, "C"), (NEW, "A"), (NEW, "B"), (NEW, "C"), (NEW, "D")]
)
def test_649a_12_f_a_blank_super_royal_is_paid_as_a_royal_flush(edition: str, letter: str, suit: str) -> None:
    made, dealer = seat(f"J{suit} T{suit} 9{suit}", pair_plus=5, six_card=10), f"A{suit} K{suit} Q{suit}"
    lines = settle("649a", made, dealer=dealer, edition=edition, offer={"paytables": {"Six Card Bonus Wager": letter}})
    assert lines["Six Card Bonus Wager"] == ("win", usd(10_000), usd(10))


def test_649a_12_f_the_tables_d_and_e_are_new_in_2019_and_there_is_no_f() -> None:
    for edition, letter in [(OLD, "D"), (OLD, "E"), (NEW, "F")]:
        made, offer = seat("As Kh Jc", pair_plus=5, six_card=5), {"paytables": {"Six Card Bonus Wager": letter}}
        assert refused("649a", made, dealer=PLAYS, edition=edition, offer=offer) == "649a.12(f)"


@pytest.mark.parametrize(("table", "least", "clause"), [("Ante Bonus", 5, "12(g)(1)"), ("Pair Plus Wager", 40, "12(g)(2)")])
def test_649a_12_g_the_least_odds_of_a_mini_royal(table: str, least: int, clause: str) -> None:
    royal = seat("Ah Kh Qh", "play", ante=10, pair_plus=10)
    for odds in (least, least + 60):
        lines = settle("649a", royal, dealer=PLAYS, offer={"mini_royal": {table: odds}})
        assert lines[table][1] == usd(10 * odds)
        assert lines.clause(table) == f"649a.{clause}"
    for odds in (least - 1, 1_000_001):
        assert refused("649a", royal, dealer=PLAYS, offer={"mini_royal": {table: odds}}) == f"649a.{clause}"


@pytest.mark.parametrize("letter", "ABC")
def test_649a_12_g_a_mini_royal_may_be_added_to_each_table_of_b_and_leaves_the_other_rows(letter: str) -> None:
    offer = {"paytables": {"Ante Bonus": letter}, "mini_royal": {"Ante Bonus": 7}}
    assert ante_bonus("Ah Kh Qh", offer=offer) == ("win", usd(70), 0)
    assert ante_bonus("Kh Qh Jh", offer=offer) == ("win", usd({"A": 50, "B": 50, "C": 40}[letter]), 0)


@pytest.mark.parametrize("letter", "ABCDE")
def test_649a_12_g_a_mini_royal_may_be_added_to_each_table_of_d_and_leaves_the_other_rows(letter: str) -> None:
    offer = {"paytables": {"Pair Plus Wager": letter}, "mini_royal": {"Pair Plus Wager": 50}}
    assert settle("649a", seat("Ah Kh Qh", pair_plus=10), dealer=PLAYS, offer=offer)["Pair Plus Wager"] == to_one(50, 10)
    lower = 35 if letter == "A" else 40
    assert settle("649a", seat("Kh Qh Jh", pair_plus=10), dealer=PLAYS, offer=offer)["Pair Plus Wager"] == to_one(lower, 10)


def test_649a_12_g_a_mini_royal_is_added_to_b_and_d_only_and_not_in_2011() -> None:
    royal = seat("Ah Kh Qh", "play", ante=10, pair_plus=10)
    for more in ({"mini_royal": {"Six Card Bonus Wager": 50}}, {"form": "7(e)(1)", "mini_royal": {"Ante Bonus": 50}}):
        assert refused("649a", royal, dealer=PLAYS, offer=more).startswith("649a.12")
    assert refused("649a", royal, dealer=PLAYS, edition=OLD, offer={"mini_royal": {"Ante Bonus": 5}}).startswith("649a.12")
    in_form = {"form": "7(e)(1)", "mini_royal": {"Pair Plus Wager": 50}}
    assert settle("649a", royal, dealer=PLAYS, offer=in_form)["Pair Plus Wager"] == to_one(50, 10)


FIVE_CARD_ROWS = {
    "7s 7h 7c | 7d 2c": 300, "7s 7h 7c | 4s 4h": 50, "As 9s 4s | Ks 2s": 40, "9s 8h 7c | 6s 5h": 30, "7s 7h Kc | 7d 4s": 9,
    "7s 7h Kc | Ks 4s": 0, "7s 6h Kc | 7d 4s": 0,
}  # fmt: skip


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize(("hands", "times"), list(FIVE_CARD_ROWS.items()))
def test_649a_12_h_the_five_card_progressive(hands: str, times: int, stake: int) -> None:
    (own, community), name = hands.split(" | "), "Five-Card Progressive Payout Wager"
    lines = settle("649a", seat(own, pair_plus=5, five_card=stake), dealer="Jd 8d 3h", community=community, meters={name: 20_000})
    assert (lines[name], lines.meter(name)) == (for_one(times, stake), usd(20_000))
    assert lines.clause(name) == "649a.12(h)(1)"


@pytest.mark.parametrize(("stake", "seed"), [(1, 10_000), (5, 50_000)])
def test_649a_12_h_a_royal_flush_takes_the_meter_and_a_straight_flush_a_tenth(stake: int, seed: int) -> None:
    name, meters = "Five-Card Progressive Payout Wager", {"Five-Card Progressive Payout Wager": "61234.56"}
    royal = settle("649a", seat("As Ks Qs", pair_plus=5, five_card=stake), dealer="Jd 8d 3h", community="Js Ts", meters=meters)
    assert (royal[name], royal.meter(name)) == (("win", usd("61234.56"), 0), usd(seed))
    run = settle("649a", seat("9s 8s 7s", pair_plus=5, five_card=stake), dealer="Jd 8d 3h", community="6s 5s", meters=meters)
    assert (run[name], run.meter(name)) == (("win", usd("6123.45"), 0), usd("55111.11"))


def test_649a_12_h_only_the_highest_five_card_hand_is_paid() -> None:
    made = seat("9s 8s 7s", pair_plus=5, five_card=1)
    lines = settle("649a", made, dealer="Jd 8d 3h", community="6s 5s", meters={"Five-Card Progressive Payout Wager": 20_000})
    assert [line.pays for line in lines.settled.seats[0].lines if line.wager == "Five-Card Progressive Payout Wager"] == [usd(2000)]


@pytest.mark.parametrize(("stake", "seed"), [(1, 10_000), (5, 50_000)])
def test_649a_12_h_the_seed_is_10_000_for_1_and_the_rate_21_percent(stake: int, seed: int) -> None:
    name, made = "Five-Card Progressive Payout Wager", seat("As Ks Qs", pair_plus=5, five_card=stake)
    table: dict[str, Any] = {"dealer": "Jd 8d 3h", "community": "Js Ts"}
    assert settle("649a", made, **table)[name] == ("win", usd(seed), 0)
    right = terms(seed, "21%", amount=stake)
    assert settle("649a", made, **table, offer={"progressives": {name: right}}).meter(name) == usd(seed)
    for wrong in ({"rate": "20%"}, {"rate": "22%"}, {"seed": seed + 1}, {"reseed": seed - 1}, {"reserve": "8%"}):
        assert refused("649a", made, **table, offer={"progressives": {name: right | wrong}}) == "649a.12(h)(3)"


@pytest.mark.parametrize(("when", "second", "left"), [("at once", 1000, 9000), ("after the round", 0, 10_000)])
def test_649a_12_h_a_winner_has_what_the_meter_shows_at_his_turn(when: str, second: int, left: int) -> None:
    name = "Five-Card Progressive Payout Wager"
    table: dict[str, Any] = {
        "dealer": "Kd 7c 2h",
        "community": "Js Ts",
        "meters": {name: 30_000},
        "offer": {"readings": {"reseed": when}},
    }
    run, royal = seat("9s 8s 7s", pair_plus=5, five_card=1), seat("As Ks Qs", pair_plus=5, five_card=1)
    royal_first = settle("649a", run, royal, **table)
    assert [royal_first.of(number, name)[1] for number in (2, 1)] == [usd(30_000), usd(second)]
    assert royal_first.meter(name) == usd(left)
    run_first = settle("649a", royal, run, **table)
    assert [run_first.of(number, name)[1] for number in (2, 1)] == [usd(3000), usd(27_000)]
    assert run_first.meter(name) == usd(10_000)


def test_649a_12_h_two_tenths_of_one_meter_are_not_the_same_sum() -> None:
    name = "Five-Card Progressive Payout Wager"
    players = [seat("7s 6s 5s", pair_plus=5, five_card=1), seat("Qs Js Ts", pair_plus=5, five_card=1)]
    lines = settle("649a", *players, dealer="Kd 7c 2h", community="9s 8s", meters={name: "12345.67"})
    assert (lines.of(2, name)[1], lines.of(1, name)[1]) == (usd("1234.56"), usd("1111.11"))
    assert lines.meter(name) == usd(10_000)


@pytest.mark.parametrize(
    ("stake", "hands", "envy"),
    [
        (1, "As Ks Qs | Js Ts", 1000),
        (1, "9s 8s 7s | Js Ts", 300),
        (5, "As Ks Qs | Js Ts", 5000),
        (5, "9s 8s 7s | Js Ts", 1500),
        (1, "Ah Kh Qh | Jh Th", 1000),
    ],
)
def test_649a_12_h_the_five_card_envy_bonus(stake: int, hands: str, envy: int) -> None:
    own, community = hands.split(" | ")
    envious = seat("2d 5c 9c", pair_plus=5, five_card=stake)
    lines = settle("649a", envious, seat(own, pair_plus=5, five_card=1), dealer=DOES_NOT_PLAY, community=community)
    assert lines.of(1, "Five-Card Envy Bonus") == ("win", usd(envy), 0)
    assert lines.clause("Five-Card Envy Bonus", 1) == "649a.12(h)(5)"


def test_649a_12_h_four_of_a_kind_gives_no_envy_and_envy_may_be_read_as_paid_from_the_meter() -> None:
    name, envious = "Five-Card Progressive Payout Wager", seat("2d 5c 9c", pair_plus=5, five_card=1)
    assert settle("649a", envious, seat("7s 7h 7c", pair_plus=5), dealer=PLAYS, community="7d 2c").net(1) == usd(-6)
    offer, run = {"readings": {"envy paid from": "meter"}}, seat("9s 8s 7s", pair_plus=5)
    lines = settle("649a", envious, run, dealer=PLAYS, community="6s 5s", meters={name: 15_000}, offer=offer)
    assert (lines.of(1, "Five-Card Envy Bonus"), lines.meter(name)) == (("win", usd(300), 0), usd(14_700))


HAND_BONUS_ROWS = {
    "7s 7h 7c | 7d 2c": 500,
    "7s 7h 7c | 4s 4h": 100,
    "As 9s 4s | Ks 2s": 50,
    "9s 8h 7c | 6s 5h": 0,
    "7s 7h Kc | 7d 4s": 0,
}


@pytest.mark.parametrize("stake", [1, 3])
@pytest.mark.parametrize("side", ["player", "dealer"])
@pytest.mark.parametrize(("hands", "times"), list(HAND_BONUS_ROWS.items()))
def test_649a_12_i_the_five_card_hand_bonus_on_either_hand(hands: str, times: int, side: str, stake: int) -> None:
    (bet, community), other = hands.split(" | "), "Jd 8d 3h"
    own, dealer = (bet, other) if side == "player" else (other, bet)
    lines = settle(
        "649a", seat(own, pair_plus=5, hand_bonus={side: stake}), dealer=dealer, community=community, meters={BONUS: 20_000}
    )
    assert (lines.of(1, BONUS, side), lines.meter(BONUS)) == (for_one(times, stake), usd(20_000))
    assert lines.clause(BONUS) == "649a.12(i)(1)"


@pytest.mark.parametrize("side", ["player", "dealer"])
@pytest.mark.parametrize(
    ("hands", "won", "left"), [("As Ks Qs | Js Ts", "20000.55", 0), ("9s 8s 7s | 6s 5s", "2000.05", "18000.50")]
)
def test_649a_12_i_a_royal_flush_takes_the_meter_and_a_straight_flush_a_tenth(hands: str, won: str, left: Any, side: str) -> None:
    (bet, community), other = hands.split(" | "), "Jd 8d 3h"
    own, dealer = (bet, other) if side == "player" else (other, bet)
    lines = settle(
        "649a", seat(own, pair_plus=5, hand_bonus={side: 1}), dealer=dealer, community=community, meters={BONUS: "20000.55"}
    )
    assert (lines.of(1, BONUS, side), lines.meter(BONUS)) == (("win", usd(won), 0), usd(left))


def test_649a_12_i_who_wagers_on_both_hands_is_paid_for_both() -> None:
    both = seat("Ks Kc 2d", pair_plus=5, hand_bonus={"player": 1, "dealer": 3})
    lines = settle("649a", both, dealer="5s 5h 5d", community="Kh Kd")
    assert (lines.of(1, BONUS, "player"), lines.of(1, BONUS, "dealer")) == (("win", usd(500), 0), ("win", usd(300), 0))


def test_649a_12_i_a_fixed_payout_on_the_dealers_hand_is_not_divided() -> None:
    players = [seat("Ks Kc 2d", pair_plus=5, hand_bonus={"dealer": 1}), seat("9s 8c 3d", pair_plus=5, hand_bonus={"dealer": 1})]
    lines = settle("649a", *players, dealer="5s 5h 5d", community="Kh Kd")
    assert lines.of(1, BONUS, "dealer") == lines.of(2, BONUS, "dealer") == ("win", usd(100), 0)


FOUR_PLAYERS = [
    seat("Kh Qd 4s", pair_plus=5, hand_bonus={"dealer": 1}), seat("Jd 6h 2s", "fold", ante=5, hand_bonus={"dealer": 1}),
    seat("3d 3h Ts", pair_plus=5, hand_bonus={"dealer": 5}), seat("Ah Td 3c", pair_plus=5, hand_bonus={"player": 1}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reading", "parts", "left"),
    [("one sum", [1000, 1000, 1000], 27_000), ("each at his turn", [1000, "966.66", "934.44"], "27098.90")],
)
def test_649a_12_i_a_tenth_on_the_dealers_hand_is_divided_among_those_who_wagered_on_it(
    reading: str, parts: list[Any], left: Any
) -> None:
    offer = {"readings": {"dealer-hand jackpot": reading}}
    lines = settle("649a", *FOUR_PLAYERS, dealer="9c 8c 7c", community="6c 5c", meters={BONUS: 30_000}, offer=offer)
    assert [lines.of(number, BONUS, "dealer")[1] for number in (3, 2, 1)] == [usd(part) for part in parts]
    assert lines.clause(BONUS, 1) == "649a.12(i)(2)"
    assert lines.meter(BONUS) == usd(left)


@pytest.mark.parametrize(
    ("reading", "parts", "left"),
    [("one sum", ["15000.50", "15000.50"], 0), ("each at his turn", ["15000.50", "7500.25"], "7500.25")],
)
def test_649a_12_i_a_royal_flush_of_the_dealer_is_divided_equally(reading: str, parts: list[str], left: Any) -> None:
    players = [seat("2d 5h 9c", pair_plus=5, hand_bonus={"dealer": 1}), seat("2h 5d 9h", pair_plus=5, hand_bonus={"dealer": 5})]
    offer = {"readings": {"dealer-hand jackpot": reading}}
    lines = settle("649a", *players, dealer="As Ks Qs", community="Js Ts", meters={BONUS: 30_001}, offer=offer)
    assert [lines.of(number, BONUS, "dealer")[1] for number in (2, 1)] == [usd(part) for part in parts]
    assert lines.meter(BONUS) == usd(left)


def test_649a_12_i_equal_parts_are_whole_cents_and_the_meter_loses_what_is_paid() -> None:
    players = [seat(hand, pair_plus=5, hand_bonus={"dealer": 1}) for hand in ("2d 5h 9h", "2h 5d 9d", "2s 4h Td")]
    lines = settle("649a", *players, dealer="9c 8c 7c", community="6c 5c", meters={BONUS: 10_000})
    assert [lines.of(number, BONUS, "dealer")[1] for number in (1, 2, 3)] == [usd("333.33")] * 3
    assert lines.meter(BONUS) == usd("9000.01")


def drawn(own: str, bets: dict[str, int], system: dict[str, Any], **readings: str) -> Lines:
    """A Five Card Hand Bonus on hands that win nothing themselves, with what the system draws."""
    named = {name.replace("_", " "): alternative for name, alternative in readings.items()}
    made = seat(own, pair_plus=5, hand_bonus=bets)
    return settle("649a", made, dealer="Qc 9d 4s", community="Kc 3d", system=system, offer={"readings": named})


@pytest.mark.parametrize(
    ("card", "player", "dealer"),
    [("7h", True, False), ("9d", False, True), ("Kc", True, True), ("3d", True, True), ("8s", False, False)],
)
def test_649a_12_i_the_magic_card_pays_the_hand_that_holds_it_or_both(card: str, player: bool, dealer: bool) -> None:
    lines = drawn("7h 6d 2s", {"player": 5, "dealer": 1}, {"magic_card": card})
    paid = {line.side: (line.pays, line.returns) for line in lines.settled.seats[0].lines if line.wager == "Magic Card Bonus"}
    assert paid == ({"player": (usd(100), 0)} if player else {}) | ({"dealer": (usd(20), 0)} if dealer else {})
    assert lines.of(1, BONUS, "player") == lines.of(1, BONUS, "dealer") == ("lose", 0, 0)


@pytest.mark.parametrize(("lucky", "player", "dealer"), [(1, True, False), ("dealer", False, True), (2, False, False)])
def test_649a_12_i_the_lucky_bonus_pays_the_position_drawn(lucky: Any, player: bool, dealer: bool) -> None:
    lines = drawn("7h 6d 2s", {"player": 5, "dealer": 1}, {"lucky": lucky})
    paid = {line.side: (line.pays, line.returns) for line in lines.settled.seats[0].lines if line.wager == "Lucky Bonus"}
    assert paid == ({"player": (usd(25), 0)} if player else {}) | ({"dealer": (usd(5), 0)} if dealer else {})


def test_649a_12_i_magic_and_lucky_need_the_wager_on_that_hand_and_come_beside_its_own_result() -> None:
    system = {"magic_card": "7h", "lucky": 1}
    assert drawn("7h 6d 2s", {"dealer": 1}, system).net() == usd(-6)
    made = seat("7h 7d 7s", pair_plus=5, hand_bonus={"player": 1})
    lines = settle("649a", made, dealer="Qc 9d 4s", community="7c 3d", system=system)
    assert (lines.of(1, BONUS, "player"), lines.clause("Magic Card Bonus")) == (("win", usd(500), 0), "649a.12(i)(3)")
    assert lines.of(1, "Magic Card Bonus", "player") == ("win", usd(20), 0)
    assert lines.of(1, "Lucky Bonus", "player") == ("win", usd(5), 0)


def test_649a_12_i_a_card_matches_in_rank_and_suit_or_read_otherwise_in_rank() -> None:
    assert drawn("7h 6d 2s", {"player": 1}, {"magic_card": "7d"}).net() == usd(-6)
    lines = drawn("7h 6d 2s", {"player": 1}, {"magic_card": "7d"}, magic_card="rank")
    assert lines.of(1, "Magic Card Bonus", "player") == ("win", usd(20), 0)
    both = drawn("7h 6d 2s", {"player": 1, "dealer": 1}, {"magic_card": "Kd"}, magic_card="rank")
    assert both.of(1, "Magic Card Bonus", "player") == both.of(1, "Magic Card Bonus", "dealer") == ("win", usd(20), 0)


@pytest.mark.parametrize(
    ("system", "bonus", "times"), [({"magic_card": "7h"}, "Magic Card Bonus", 20), ({"lucky": 1}, "Lucky Bonus", 5)]
)
def test_649a_12_i_magic_and_lucky_do_not_bring_the_stake_back_unless_so_read(
    system: dict[str, Any], bonus: str, times: int
) -> None:
    assert drawn("7h 6d 2s", {"player": 5}, system).of(1, bonus, "player") == ("win", usd(5 * times), 0)
    back = drawn("7h 6d 2s", {"player": 5}, system, magic_and_lucky_stake="goes back")
    assert back.of(1, bonus, "player") == ("win", usd(5 * times), usd(5))


def test_649a_12_i_one_stake_goes_back_only_once_where_magic_and_lucky_both_bring_it_back() -> None:
    lines = drawn("7h 6d 2s", {"player": 5}, {"magic_card": "7h", "lucky": 1}, magic_and_lucky_stake="goes back")
    assert sum(line.returns for line in lines.settled.seats[0].lines if line.side == "player") == usd(5)


def test_649a_12_i_magic_and_lucky_are_not_of_2011() -> None:
    assert refused("649a", seat("7h 6d 2s", pair_plus=5), dealer=PLAYS, edition=OLD, system={"lucky": 1}) == "649a.2"


@pytest.mark.parametrize(("stake", "seed"), [(1, 10_000), (5, 50_000)])
@pytest.mark.parametrize("side", ["player", "dealer"])
def test_649a_12_i_the_seed_is_10_000_for_1_and_the_reseed_nothing(stake: int, seed: int, side: str) -> None:
    own, dealer = ("As Ks Qs", "Jd 8d 3h") if side == "player" else ("Jd 8d 3h", "As Ks Qs")
    made = seat(own, pair_plus=5, hand_bonus={side: stake})
    table: dict[str, Any] = {"dealer": dealer, "community": "Js Ts"}
    lines = settle("649a", made, **table)
    assert (lines.of(1, BONUS, side), lines.meter(BONUS)) == (("win", usd(seed), 0), 0)
    right = terms(seed, "21%", amount=stake, reserve="8%", reseed=0)
    assert settle("649a", made, **table, offer={"progressives": {BONUS: right}}).meter(BONUS) == 0
    for wrong in ({"rate": "20%"}, {"reserve": "0%"}, {"reserve": "9%"}, {"seed": seed + 1}, {"reseed": seed}):
        assert refused("649a", made, **table, offer={"progressives": {BONUS: right | wrong}}) == "649a.12(i)(4)"


OF_SIX_ROWS = {
    "9s 8s 7s | 6s 5s 2d": 250, "7s 7h 7c | 7d Kc 2s": 100, "7s 7h 7c | Kd Kc 2s": 20, "As 9s 4s | Ks 7s 2d": 10, "9s 8h 7c | 6d 5s 2d": 5,
    "7s 7h Kc | 7d 4c 2s": 0, "7s 7h Kc | Kd 4c 2s": 0,
}  # fmt: skip


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize(("hands", "times"), list(OF_SIX_ROWS.items()))
def test_649a_12_j_the_5_of_6_progressive(hands: str, times: int, stake: int) -> None:
    (own, dealer), name = hands.split(" | "), "5 of 6 Progressive Payout Wager"
    lines = settle("649a", seat(own, pair_plus=5, of_six=stake), dealer=dealer, meters={name: 20_000})
    assert (lines[name], lines.meter(name)) == (for_one(times, stake), usd(20_000))
    assert lines.clause(name) == "649a.12(j)(1)"


@pytest.mark.parametrize("hands", ["Qs Js Ts | As Ks 2d", "Js Ts 9s | As Ks Qs", "As Ks 2d | Qs Js Ts"])
def test_649a_12_j_a_royal_flush_of_spades_takes_the_meter(hands: str) -> None:
    (own, dealer), name = hands.split(" | "), "5 of 6 Progressive Payout Wager"
    lines = settle("649a", seat(own, pair_plus=5, of_six=1), dealer=dealer, meters={name: "23456.78"})
    assert (lines[name], lines.meter(name)) == (("win", usd("23456.78"), 0), usd(10_000))


@pytest.mark.parametrize("suit", "cdh")
def test_649a_12_j_another_royal_flush_takes_a_quarter_of_it(suit: str) -> None:
    name, made = "5 of 6 Progressive Payout Wager", seat(f"Q{suit} J{suit} T{suit}", pair_plus=5, of_six=5)
    lines = settle("649a", made, dealer=f"A{suit} K{suit} 2s", meters={name: "40000.03"})
    assert (lines[name], lines.meter(name)) == (("win", usd(10_000), 0), usd("30000.03"))


def test_649a_12_j_only_the_highest_hand_is_paid() -> None:
    assert OF_SIX_HANDS.row(cards("9s 8s 7s 6s 5s 9d")) == "Straight flush"
    assert OF_SIX_HANDS.row(cards("9s 8d 7s 6s 5s 2s")) == "Flush"
    lines = settle("649a", seat("9s 8d 7s", pair_plus=5, of_six=1), dealer="6s 5s 2s")
    assert [line.pays for line in lines.settled.seats[0].lines if line.wager == "5 of 6 Progressive Payout Wager"] == [usd(10)]


@pytest.mark.parametrize(("stake", "seed"), [(1, 10_000), (5, 50_000)])
def test_649a_12_j_the_seed_is_10_000_for_1_and_the_rate_28_percent(stake: int, seed: int) -> None:
    name, made = "5 of 6 Progressive Payout Wager", seat("Qs Js Ts", pair_plus=5, of_six=stake)
    lines = settle("649a", made, dealer="As Ks 2d")
    assert (lines[name], lines.meter(name)) == (("win", usd(seed), 0), usd(seed))
    right = terms(seed, "28%", amount=stake)
    assert settle("649a", made, dealer="As Ks 2d", offer={"progressives": {name: right}}).meter(name) == usd(seed)
    for wrong in ({"rate": "21%"}, {"rate": "29%"}, {"seed": seed + 1}, {"reseed": 0}):
        assert refused("649a", made, dealer="As Ks 2d", offer={"progressives": {name: right | wrong}}) == "649a.12(j)(3)"


@pytest.mark.parametrize(("envy_from", "won"), [("table inventory", 20_000), ("meter", 19_900)])
def test_649a_12_j_a_winner_has_what_the_meter_shows_at_his_turn(envy_from: str, won: int) -> None:
    name = "5 of 6 Progressive Payout Wager"
    players = [seat("Qs Js Ts", pair_plus=5, of_six=1), seat("2h 5d 9c", pair_plus=5, of_six=1)]
    lines = settle("649a", *players, dealer="As Ks 2d", meters={name: 20_000}, offer={"readings": {"envy paid from": envy_from}})
    assert (lines.of(1, name), lines.meter(name)) == (("win", usd(won), 0), usd(10_000))


@pytest.mark.parametrize(
    ("stake", "suit", "envy"),
    [(1, "s", 100), (1, "c", 50), (1, "d", 50), (1, "h", 50), (5, "s", 500), (5, "c", 250), (5, "d", 250), (5, "h", 250)],
)
def test_649a_12_j_the_5_of_6_envy_bonus(stake: int, suit: str, envy: int) -> None:
    players = [seat("8s 5d 9c", pair_plus=5, of_six=stake), seat(f"Q{suit} J{suit} T{suit}", pair_plus=5)]
    lines = settle("649a", *players, dealer=f"A{suit} K{suit} 2h")
    assert (lines.of(1, "5 of 6 Envy Bonus"), lines.clause("5 of 6 Envy Bonus", 1)) == (("win", usd(envy), 0), "649a.12(j)(5)")


def test_649a_12_j_a_straight_flush_gives_no_envy() -> None:
    players = [seat("2h 5d 9c", pair_plus=5, of_six=1), seat("9s 8s 7s", pair_plus=5)]
    assert settle("649a", *players, dealer="6s 5s 2d").net(1) == usd(-6)


def test_649a_12_j_the_meters_of_each_edition() -> None:
    found = {
        (meter.wager.key, letter): (meter.seed[letter], meter.reseed[letter], rate, meter.reserve, meter.per_dollar)
        for meter in rules("649a").of(Meter)
        for letter, rate in meter.rate.items()
    }
    hundredths, seed = (lambda part: Fraction(part, 100)), usd(10_000)
    assert found == {
        ("Three-Card Progressive Payout Wager", "A"): (usd(1000), usd(1000), hundredths(14), 0, True),
        ("Three-Card Progressive Payout Wager", "B"): (usd(1000), usd(1000), hundredths(20), 0, True),
        ("Five-Card Progressive Payout Wager", "A"): (seed, seed, hundredths(21), 0, True),
        (f"{BONUS}: player", "A"): (seed, 0, hundredths(21), hundredths(8), True),
        (f"{BONUS}: dealer", "A"): (seed, 0, hundredths(21), hundredths(8), True),
        ("5 of 6 Progressive Payout Wager", "A"): (seed, seed, hundredths(28), 0, True),
    }  # fmt: skip
    assert [(meter.wager.name, meter.exact, meter.per_dollar) for meter in rules("649a", OLD).of(Meter)] == [
        ("Progressive Payout Wager", False, False)
    ]


@each_edition
def test_649a_12_a_no_clause_lets_a_payout_limit_be_set(edition: str) -> None:
    made = seat("As 9d 4c", "play", ante=5)
    assert refused("649a", made, dealer=PLAYS, edition=edition, offer={"payout_limit": 50_000}) == "649a.12"


# § 649a.13


@each_edition
def test_649a_13_a_one_card_face_up_is_discarded_and_two_void_the_round(edition: str) -> None:
    one, more = irregularity("649a", "13(a)", "One card", edition), irregularity("649a", "13(a)", "More than one", edition)
    assert (one.void, one.returned, one.settled, one.cards) == (False, (), (), Fate.CARD_DISCARDED)
    assert (more.returns_everything, more.settled, more.cards) == (True, (), Fate.RESHUFFLED)
    assert one.during == more.during == "deal"


@each_edition
def test_649a_13_b_a_card_drawn_in_error_is_the_next_card(edition: str) -> None:
    found = irregularity("649a", "13(b)", edition=edition)
    assert (found.void, found.returned, found.settled, found.cards) == (False, (), (), Fate.CARD_USED)


@each_edition
def test_649a_13_c_a_wrong_number_of_cards_voids_the_round(edition: str) -> None:
    found = irregularity("649a", "13(c)", edition=edition)
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED)
    assert found.name.startswith("A player or the dealer")


@each_edition
def test_649a_13_c_a_case_with_a_wrong_number_of_cards_is_not_settled(edition: str) -> None:
    assert refused("649a", seat("As 9d", "play", ante=5), dealer=PLAYS, edition=edition) == "649a.8(d)"
    assert refused("649a", seat("As 9d 4c 2h", "play", ante=5), dealer=PLAYS, edition=edition) == "649a.8(d)"
    assert refused("649a", seat("As 9d 4c", "play", ante=5), dealer="Kd 8c", edition=edition) == "649a.8(d)"


@each_edition
def test_649a_13_d_an_exposed_dealer_card_voids_everything_the_optional_wagers_too(edition: str) -> None:
    found = irregularity("649a", "13(d)", edition=edition)
    assert (found.void, found.returns_everything, found.cards) == (True, True, Fate.RESHUFFLED)
    assert (found.returned, found.settled, found.settled_under) == ((), (), "")
    assert "before" in found.during
    assert "11(c)" in found.during


@each_edition
def test_649a_13_e_a_jammed_shuffler_voids_nothing(edition: str) -> None:
    found = irregularity("649a", "13(e)", edition=edition)
    assert (found.void, found.returned, found.settled, found.cards) == (False, (), (), Fate.RESHUFFLED)
    assert found.during == "shuffle"


@each_edition
def test_649a_13_f_a_jammed_shoe_voids_the_round(edition: str) -> None:
    found = irregularity("649a", "13(f)", edition=edition)
    assert (found.returns_everything, found.settled, found.cards) == (True, (), Fate.RESHUFFLED_WITH_DEALT)


@each_edition
def test_649a_13_g_a_broken_device_is_covered_or_marked_first(edition: str) -> None:
    found = irregularity("649a", "13(g)", edition=edition)
    assert (found.void, found.returned, found.settled, found.cards) == (False, (), (), Fate.NONE)
    assert "covered or marked out of order" in found.then
