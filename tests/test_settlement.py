"""Rounds with several players, meters and submissions, and input that once failed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from croupier import book
from croupier.filing.check import check
from croupier.filing.template import example_submission
from croupier.law.chapter import Chapter
from croupier.law.cite import Refusal
from croupier.law.fact import FOLDED
from croupier.law.settlement import Lines, push
from croupier.table.case import read_case
from tests.book.desk import case, refused, seat, settle, usd

HAND_BONUS = "Five Card Hand Bonus Wager"


def on_dealer(*stakes: int) -> list[dict[str, Any]]:
    hands = ["2c 4d 9h", "3c 5d 8h", "4c 6d Th"]
    return [seat(hands[n], pair_plus=5, hand_bonus={"dealer": stake}) for n, stake in enumerate(stakes)]


def test_a_dealer_hand_jackpot_that_divides_evenly_pays_every_player() -> None:
    lines = settle("649a", *on_dealer(1, 1), dealer="As Ks Qs", community="Js Ts", meters={HAND_BONUS: 10_000})
    assert lines.of(1, HAND_BONUS, "dealer") == lines.of(2, HAND_BONUS, "dealer") == ("win", usd(5_000), 0)
    assert lines.meter(HAND_BONUS) == 0


def test_odd_cents_of_a_divided_jackpot_stay_on_the_meter() -> None:
    lines = settle("649a", *on_dealer(1, 1, 1), dealer="As Ks Qs", community="Js Ts", meters={HAND_BONUS: "10000.01"})
    assert lines.of(3, HAND_BONUS, "dealer") == ("win", usd("3333.33"), 0)
    assert lines.meter(HAND_BONUS) == 2


def test_a_share_on_the_dealers_hand_is_taken_once() -> None:
    lines = settle("649a", *on_dealer(1, 1), dealer="9s Ts Js", community="Qs Ks", meters={HAND_BONUS: 1_000})
    assert lines.of(2, HAND_BONUS, "dealer") == ("win", usd(50), 0)
    assert lines.meter(HAND_BONUS) == usd(900)


def test_each_part_at_its_turn_is_another_reading() -> None:
    offer = {"readings": {"dealer-hand jackpot": "each at his turn"}}
    lines = settle("649a", *on_dealer(1, 1), dealer="9s Ts Js", community="Qs Ks", meters={HAND_BONUS: 1_000}, offer=offer)
    assert lines.of(2, HAND_BONUS, "dealer") == ("win", usd(50), 0)
    assert lines.of(1, HAND_BONUS, "dealer") == ("win", usd("47.50"), 0)


@pytest.mark.parametrize("wager", [{"player": 5, "dealer": 2}, {"dealer": 2, "player": 5}])
def test_a_meter_that_is_not_given_is_at_the_seed_of_the_greatest_wager_on_it(wager: dict[str, int]) -> None:
    lines = settle("649a", seat("As Ks Qs", pair_plus=5, hand_bonus=wager), dealer="2c 5d 9h", community="Js Ts")
    assert lines.of(1, HAND_BONUS, "player") == ("win", usd(50_000), 0)


def test_the_two_sides_of_a_wager_name_their_own_hands() -> None:
    lines = settle(
        "649a", seat("9s 9d 9c", pair_plus=5, hand_bonus={"player": 5, "dealer": 2}), dealer="5c 6c Jc", community="9h 2c"
    )
    hands = {line.side: line.hand for line in lines.settled.seats[0].lines if line.wager == HAND_BONUS}
    assert hands == {"player": "Four-of-a-kind", "dealer": "Below three-of-a-kind"}


def test_no_rounding_pays_more_than_the_meter_holds() -> None:
    """A tenth of 5 cents, rounded up, is a cent. A tenth of zero stays zero."""
    name, cards = "Five-Card Progressive Payout Wager", {"dealer": "2c 5d 9h", "community": "Ts 9s"}
    for amount, pays in ((5, 1), (0, 0)):
        lines = settle(
            "649a",
            seat("Js 8s 7s", "play", ante=5, five_card=1),
            offer={"rounding": "up to the cent"},
            meters={name: f"0.0{amount}"},
            **cards,
        )
        assert lines[name] == ("win", pays, 0)
        assert lines.meter(name) == amount - pays


def test_680a_12_b_and_653a_12_b_pay_the_odds_whole_and_round_below_the_cent() -> None:
    """1 to 2 on $5 is $2.50, and on $5.05 $2.52 or $2.53. 3 to 2 on $5 is $7.50."""
    for rounding, ante, pays in (
        ("down to the cent", "5", "2.50"),
        ("down to the cent", "5.05", "2.52"),
        ("up to the cent", "5.05", "2.53"),
        ("to the nearest cent", "5.05", "2.53"),
    ):
        counts_five = seat("Ks Qs Jc 3d 2d", ante=Decimal(ante))
        lines = settle("680a", counts_five, dealer="Kh Qd 2c 3s 4h", offer={"rounding": rounding})
        assert lines["Ante Wager"] == ("win", usd(pays), usd(ante))
    flush = seat("Ah 3h", "play 4x", ante=5, blind=5)
    lines = settle("653a", flush, dealer="2c 3d", community="Kh 9h 7h 4s 2d")
    assert lines["Blind Wager"] == ("win", usd("7.50"), usd(5))


def test_envy_from_a_meter_that_does_not_hold_it_comes_from_the_table_inventory() -> None:
    offer = {"readings": {"envy paid from": "meter"}}
    seats = [seat("2s 4d 6h", "play", ante=5, three_card=1), seat("Ah Kh Qh", "play", ante=5)]
    for amount, after, source in ((20, 20, "table inventory"), (30, 5, "meter")):
        lines = settle("649a", *seats, dealer="2c 5d 9h", offer=offer, meters={"Three-Card Progressive Payout Wager": amount})
        envy = next(line for line in lines.settled.seats[1].lines if line.wager == "Three-Card Envy Bonus")
        assert (envy.pays, envy.source) == (usd(25), source)
        assert lines.meter("Three-Card Progressive Payout Wager") == usd(after)


def test_a_bad_beat_cites_the_clause_of_bad_beats() -> None:
    lines = settle("679a", seat("9d 8h 7d", "play", ante=10), dealer="Kd Kh Kc")
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "679a.11(c)(3)(iv)"
    lines = settle("679a", seat("9d 9h 7d", "play", ante=10), dealer="Kd Kh Kc")
    assert lines.clause("Ante Wager") == lines.clause("Play Wager") == "679a.11(c)(3)(iii)"


def test_a_play_wager_between_the_multiples_is_a_reading_of_641a() -> None:
    hand, dealer = seat("As Ad 9d 4s 3c", "play 1.5x", ante=10), "Kd Jc 9h 7s 4c 2d"
    assert refused("641a", hand, dealer=dealer) == "641a.11(b)"
    offer = {"readings": {"play amounts": "any amount"}}
    assert settle("641a", hand, dealer=dealer, offer=offer)["Play Wager"] == ("win", usd(15), usd(15))
    assert refused("641a", hand | {"decision": "play 3.5x"}, dealer=dealer, offer=offer) == "641a.11(b)"


# under a filed submission


def under_submission(raw: dict[str, Any], game: str = "649a", old: str = "", new: str = "") -> str:
    """The clause under which a case with a submission is refused. Empty if it settles."""
    offer = check(
        tomllib.loads(example_submission(book.find(game).edition()).replace(old, new), parse_float=Decimal)
    ).offer_or_refuse()
    try:
        read_case(raw, offer).settle()
    except Refusal as refusal:
        return refusal.cite
    return ""


PLAIN = case("649a", seat("9s 8s 6d", "play", ante=10), dealer="2c 5d 9h")


def test_a_submission_settles_its_own_game_and_edition_only() -> None:
    assert under_submission(PLAIN) == ""
    assert under_submission(PLAIN, game="679a") == "601a.2"
    assert under_submission(PLAIN | {"edition": "2011-06-14"}) == "601a.2"
    assert under_submission(PLAIN | {"offer": {"minimum": 5}}) == "601a.2"


def test_a_submission_is_enforced() -> None:
    def wager(**wagers: Any) -> dict[str, Any]:
        return case("649a", seat("9s 8s 6d", "play", **wagers), dealer="2c 5d 9h", community="Kh 4s")

    assert under_submission(wager(ante=1)) == "601a.2"
    assert under_submission(wager(ante=501)) == "601a.2"
    assert under_submission(wager(ante=10, three_card=5)) == "649a.12(e)(3)"
    assert under_submission(wager(ante=10, hand_bonus={"player": 7})) == "649a.12(i)(4)"
    magic = wager(ante=10, hand_bonus={"player": 1}) | {"system": {"magic_card": "9s"}}
    assert under_submission(magic) == ""
    assert under_submission(magic, old="magic_card = 5", new="magic_card = 0") == "649a.1"


# input


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ({"seats": {"01": seat("9s 8s 6d", "play", ante=10)}}, "649a.2(a)"),
        ({"seats": {"²": seat("9s 8s 6d", "play", ante=10)}}, "649a.2(a)"),
        ({"seats": {"1": seat("9s 8s 6d", "play") | {"wagers": {"Ante Bonus": 10}}}}, "649a.7(d)"),
        ({"seats": {"1": seat("9s 8s 6d", "play") | {"wagers": {"Ante Wager": {"": 10}}}}}, "649a.7(a)"),
        ({"seats": {"1": seat("9s 8s 6d", "play") | {"wagers": {"Ante Wager": Decimal("1e400")}}}}, "649a.7(a)"),
        ({"seats": {"1": seat("9s 8s 6d", pair_plus=5) | {"decision": False}}}, "649a.11"),
        ({"seats": {"1": seat("9s 8s 6d", ante=5) | {"decision": 7}}}, "649a.11(b)"),
        ({"seats": []}, "649a.11"),
        ({"title": ["a", 1]}, "649a.11"),
        ({"offer": {"form": ["x"]}}, "649a.7"),
        ({"offer": {"form": 0}}, "649a.7"),
        ({"offer": {"wagers": [[]]}}, "649a.7"),
        ({"offer": {"rounding": []}}, "649a.12(a)"),
        ({"offer": {"paytables": {"Ante Bonus": {}}}}, "649a.12(b)"),
        ({"offer": {"paytables": {"Three-Card Envy Bonus, $1": "A"}}}, "649a.12(e)(5)"),
        ({"offer": {"readings": {"ante bonus": []}}}, "649a.11(c)(3)(ii)(B)"),
        ({"offer": {"dealing": {"decks": Decimal("2.0")}}}, "649a.3(a)"),
        ({"offer": {"minimum": Decimal("1e999999999")}}, "601a.2"),
        ({"offer": {"wager_limits": {"Three-Card Progressive Payout Wager": {"minimum": 2, "maximum": 3}}}}, "649a.12(e)(5)"),
        ({"offer": {"maximum": 9}}, "601a.2"),
        ({"dealer": {"cards": 7}}, "649a.3(a)"),
        ({"meters": {"Three-Card Progressive Payout Wager": {"amount": "lots"}}}, "649a.12"),
        ({"system": {"lucky": 9}}, "649a.1"),
    ],
    ids=str,
)
def test_nonsense_is_refused_with_a_clause_and_what_would_be_accepted(change: dict[str, Any], clause: str) -> None:
    with pytest.raises(Refusal) as refusal:
        read_case(PLAIN | change)
    assert refusal.value.cite == clause
    assert refusal.value.accepted
    assert "\n" not in str(refusal.value)


def test_a_wager_may_not_be_named_twice() -> None:
    both = seat("9s 8s 6d", "ride ride", bets=5, bet1=5)
    assert refused("643a", both, community="2c 5d") == "643a.7(d)"


def test_an_unfinished_decision_says_which_one_is_missing() -> None:
    with pytest.raises(Refusal, match="there is no decision on the Bet Number 2 after “ride”"):
        read_case(case("643a", seat("9s 8s 6d", "ride", bets=5), community="2c 5d"))


@pytest.mark.parametrize("jackpot", ["one sum", "each at his turn"])
@pytest.mark.parametrize("royal", ["player", "dealer"])
@pytest.mark.parametrize(("reading", "after"), [("kept apart", 0), ("starts the meter again", 80_000)])
def test_649a_12_i_4_the_reserve_in_a_described_round(reading: str, after: int, royal: str, jackpot: str) -> None:
    """The royal flush takes the $20,000 of the meter. The reserve of $800 stays where it is, or restarts the meter.

    Whose hand it is, and how several players would divide it, makes no difference for a single player.
    """
    name = "Five Card Hand Bonus Wager"
    cards = {"player": ("As Ks Qs", "2d 3c 5h"), "dealer": ("2d 3c 5h", "As Ks Qs")}[royal]
    case = read_case(
        {
            "game": "649a",
            "offer": {"readings": {"reserve": reading, "dealer-hand jackpot": jackpot}},
            "meters": {name: {"amount": 20_000, "reserve": 800}},
            "dealer": {"cards": cards[1]},
            "community": {"cards": "Js Ts"},
            "seats": {"1": {"cards": cards[0], "wagers": {"Ante Wager": 10, name: {royal: 1}}, "decision": "play"}},
        }
    )
    settled = case.settle()
    assert next(line.pays for line in settled.seats[0].lines if line.wager == name) == 20_000_00
    assert settled.meters[name].after == after


def test_a_settlement_function_takes_the_facts_by_name() -> None:
    chapter = Chapter("649a", "Test", ())
    wager = chapter.wager("Ante Wager", cite="7(d)(1)")

    def ante(held: str) -> Iterator[Lines]:
        yield push(wager, cite="11(c)")

    with pytest.raises(ValueError, match="must take folded, holds, in this order"):
        chapter.settles(wager, cite="11(c)", asks={"folded": FOLDED, "holds": FOLDED})(ante)
    assert chapter.settles(wager, cite="11(c)", asks={"held": FOLDED})(ante).asks == (FOLDED,)
