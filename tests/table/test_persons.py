"""One player on several boxes: the payout limit, the player's own hand and their share of a jackpot go by player, not by box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from croupier.law.chapter import Rules
from croupier.law.paytable import Envy, Meter
from croupier.law.procedure import Act, AdjacentBoxes
from croupier.table import commands as say
from croupier.table.events import Event, WagerLine
from tests.book.desk import refused, seat, settle, usd
from tests.table.pit import STAYS, Pit, editions, find, name, opened

BONUS, PAIR, ACES, ALL_SIX = "Bonus Wager", "Pair Bonus Wager", "Aces Bonus Wager", "All-Six Bonus Wager"
HAND, THREE = "Five Card Hand Bonus Wager", "Three-Card Progressive Payout Wager"


def anns(*seats: dict[str, Any]) -> list[dict[str, Any]]:
    """Seats of one player."""
    return [each | {"player": "Ann"} for each in seats]


def each_box(what: str) -> dict[str, Any]:
    return {"readings": {f"{what} of several boxes": "each box"}}


# The payout limit in a case


THREES = [seat(f"{r}s {r}h {r}d / {n}c", "play", ante=600, pair_bonus=1_000) for r, n in (("9", 4), ("K", 3), ("8", 5))]


def test_679a_12_h_the_limit_is_per_player_per_round() -> None:
    """Three-of-a-kind: 600 on the Ante, 5 × 600 on the Play, 30 × 1,000 on the Pair Bonus: 33,600 per box.

    Ann's box 2 is settled before her box 1 and leaves it 16,400: 600, 3,000 and then 12,800. Bob's box 3 has its own limit.
    """
    lines = settle("679a", *anns(*THREES[:2]), THREES[2], dealer="Qc Qd Jh", offer={"payout_limit": 50_000})
    for box in (3, 2):
        assert lines.of(box, PAIR) == ("win", usd(30_000), usd(1_000))
    assert lines.of(1, "Ante Wager") == ("win", usd(600), usd(600))
    assert lines.of(1, "Play Wager") == ("win", usd(3_000), usd(600))
    assert lines.of(1, PAIR) == ("win", usd(12_800), usd(1_000))
    assert lines.clause(PAIR, 1) == "679a.12(h)"
    assert lines.clause(PAIR, 2) == "679a.12(e)"
    offer = {"payout_limit": 50_000} | each_box("payout limit")
    assert settle("679a", *anns(*THREES[:2]), dealer="Qc Qd Jh", offer=offer).of(1, PAIR) == ("win", usd(30_000), usd(1_000))


def test_679a_12_h_returned_stakes_of_all_boxes_count_by_the_other_reading() -> None:
    """Box 2 uses 33,600 plus its stakes of 2,200, so 14,200 are left. Box 1: 600 + 600, 3,000 + 600, then 1,000 + 8,400."""
    offer = {"payout_limit": 50_000, "readings": {"payout limit": "with stakes"}}
    lines = settle("679a", *anns(*THREES[:2]), dealer="Qc Qd Jh", offer=offer)
    assert lines.of(1, PAIR) == ("win", usd(8_400), usd(1_000))


def test_679a_12_h_a_box_settled_after_the_limit_is_used_up_gets_its_stakes_back() -> None:
    """Box 2: 600, 3,000 and 46,400 of 30 × 2,000 make 50,000."""
    rich = seat("Ks Kh Kd / 3c", "play", ante=600, pair_bonus=2_000)
    lines = settle("679a", *anns(THREES[0], rich), dealer="Qc Qd Jh", offer={"payout_limit": 50_000})
    assert lines.of(2, PAIR) == ("win", usd(46_400), usd(2_000))
    assert lines.of(1, "Ante Wager") == ("win", 0, usd(600))
    assert lines.of(1, "Play Wager") == ("win", 0, usd(600))
    assert lines.of(1, PAIR) == ("win", 0, usd(1_000))
    assert lines.clause("Ante Wager", 1) == "679a.12(h)"


def test_680a_12_d_the_limit_is_per_player_per_round() -> None:
    """Four-of-a-kind pays 50 × 600 = 30,000. Both Antes lose, Point Count 9 against 10. 20,000 are left for box 1."""
    two = [seat("Jc Jd Jh Js 9d", ante=5, bonus=600), seat("Kc Kd Kh Ks 9c", ante=5, bonus=600)]
    lines = settle("680a", *anns(*two), dealer="Qc Qd Qh Tc Td", offer={"payout_limit": 50_000})
    assert [lines.of(box, BONUS)[1] for box in (2, 1)] == [usd(30_000), usd(20_000)]
    assert lines.clause(BONUS, 1) == "680a.12(d)"


def test_682a_12_g_the_limit_is_per_player_per_round() -> None:
    """A folded four-of-a-kind pays the Aces Bonus 100 × 300 = 30,000, so 20,000 are left for box 1."""
    two = [seat(f"{r}c {r}d {r}h {r}s {n}c", "fold", ante=5, aces_bonus=300) for r, n in (("J", 3), ("K", 4))]
    more = {"dealer": "2c 5d 7h 8c 9d Tc", "community": "2d"}
    lines = settle("682a", *anns(*two), offer={"payout_limit": 50_000}, **more)
    assert [lines.of(box, ACES)[1] for box in (2, 1)] == [usd(30_000), usd(20_000)]
    assert lines.clause(ACES, 1) == "682a.12(g)"


def test_643a_12_d_the_limit_is_per_hand() -> None:
    """Three bets of $20 on a royal flush and of $100 on a straight flush win 60,000 each: one player, two hands, twice 50,000."""
    two = [seat("As Ks Qs", "ride ride", bets=20), seat("9s 8s 7s", "ride ride", bets=100)]
    lines = settle("643a", *anns(*two), community="Js Ts", offer={"payout_limit": 50_000})
    for box in (1, 2):
        assert sum(lines.of(box, f"Bet Number {n}")[1] for n in (1, 2, 3)) == usd(50_000)


@pytest.mark.parametrize("rules", editions(), ids=name)
def test_a_payout_limit_covers_no_wager_with_a_meter(rules: Rules) -> None:
    """What a player's earlier boxes used of the limit is recomputed from their cards. A meter would not allow that: it moves between boxes."""
    if rules.limit:
        assert not {meter.wager.name for meter in rules.of(Meter)} & set(rules.limit.names)


# Envy in a case


def test_649a_11_c_5_v_no_envy_for_your_own_hand_at_another_box() -> None:
    """Ann holds the mini-royal of spades at box 2: $100 to Bob at box 3, nothing to her box 1."""
    low, royal, other = (seat(held, "play", ante=10, three_card=1) for held in ("2c 5d 9h", "As Ks Qs", "3c 6d 8h"))
    lines = settle("649a", *anns(low, royal), other, dealer="Jh 7d 4c")
    assert lines.of(3, "Three-Card Envy Bonus") == ("win", usd(100), 0)
    assert "Three-Card Envy Bonus" not in {line.wager for line in lines.settled.seats[2].lines}
    lines = settle("649a", *anns(low, royal), other, dealer="Jh 7d 4c", offer=each_box("envy"))
    assert lines.of(1, "Three-Card Envy Bonus") == ("win", usd(100), 0)


def test_649a_11_c_5_v_each_wager_earns_envy_for_another_players_hand() -> None:
    """Bob holds the mini-royal of hearts: $25 for each of Ann's two wagers."""
    seats = [seat(held, "play", ante=10, three_card=1) for held in ("2c 5d 9h", "3c 6d 8h", "Ah Kh Qh")]
    lines = settle("649a", *anns(*seats[:2]), seats[2], dealer="Jh 7d 4c")
    assert [lines.of(box, "Three-Card Envy Bonus")[1] for box in (2, 1)] == [usd(25), usd(25)]


def test_641a_11_c_5_v_no_envy_for_your_own_hand_at_another_box() -> None:
    """Schedule A: $10 for a four-of-a-kind of another player."""
    seats = [seat(held, "play 1x", ante=10, progressive=1) for held in ("2c 5d 9h Jc Qd", "8c 8d 8h 8s 3c", "2h 6d 9s Jh Qc")]
    more = {"dealer": "Kd Kc 4h 6s 7c Td", "offer": {"envy": "A"}}
    lines = settle("641a", *anns(*seats[:2]), seats[2], **more)
    assert lines.of(3, "Envy Bonus") == ("win", usd(10), 0)
    assert "Envy Bonus" not in {line.wager for line in lines.settled.seats[2].lines}
    more["offer"] |= each_box("envy")
    assert settle("641a", *anns(*seats[:2]), seats[2], **more).of(1, "Envy Bonus") == ("win", usd(10), 0)


# The dealer's jackpot in a case


def on_dealer() -> Iterator[dict[str, Any]]:
    for held in ("2c 4d 9h", "3c 5d 8h", "4c 6d Th"):
        yield seat(held, pair_plus=5, hand_bonus={"dealer": 1})


def test_649a_12_i_2_a_dealers_jackpot_is_divided_among_players() -> None:
    """$10,000 between two players: $5,000 to Bob at box 3, $5,000 to Ann at box 2, nothing more at her box 1."""
    one, two, three = on_dealer()
    more: dict[str, Any] = {"dealer": "As Ks Qs", "community": "Js Ts", "meters": {HAND: 10_000}}
    lines = settle("649a", *anns(one, two), three, **more)
    assert [lines.of(box, HAND, "dealer") for box in (3, 2, 1)] == [("win", usd(5_000), 0)] * 2 + [("win", 0, 0)]
    last = next(line for line in lines.settled.seats[2].lines if line.wager == HAND)
    assert (str(last.cite), last.source, str(last.odds)) == ("649a.12(i)(2)", "", "100% of meter")
    assert lines.meter(HAND) == 0
    lines = settle("649a", *anns(one, two), three, **more, offer=each_box("jackpot"))
    assert [lines.of(box, HAND, "dealer")[1] for box in (3, 2, 1)] == [usd("3333.33")] * 3


def test_649a_12_i_2_each_at_their_turn_is_once_for_each_player_too() -> None:
    """10 % of $1,000 between two: $50, then 10 % of $950 between two."""
    one, two, three = on_dealer()
    offer = {"readings": {"dealer-hand jackpot": "each at his turn"}}
    more: dict[str, Any] = {"dealer": "9s Ts Js", "community": "Qs Ks", "meters": {HAND: 1_000}, "offer": offer}
    lines = settle("649a", *anns(one, two), three, **more)
    assert [lines.of(box, HAND, "dealer")[1] for box in (3, 2, 1)] == [usd(50), usd("47.50"), 0]
    assert lines.meter(HAND) == usd("902.50")


def test_649a_12_i_1_fixed_odds_on_the_dealers_hand_are_paid_at_every_box() -> None:
    one, two, three = on_dealer()
    lines = settle("649a", *anns(one, two), three, dealer="As Ad Ac", community="Ah Ks")
    assert [lines.of(box, HAND, "dealer")[1] for box in (3, 2, 1)] == [usd(500)] * 3


# Which seats may be one player's


SEATS = [seat(held, "play", ante=10) for held in ("2c 5d 9h", "3c 6d 8h", "4c 6h 9c")]


def test_649a_7_f_the_seats_of_a_player_are_adjacent() -> None:
    ann, bob, other = SEATS
    assert refused("649a", ann | {"player": "Ann"}, bob, other | {"player": "Ann"}, dealer="Jh 7d 4h") == "649a.7(f)"
    assert settle("649a", *anns(*SEATS), dealer="Jh 7d 4h").order == [3, 2, 1]


def test_649a_7_f_no_more_seats_than_the_case_names() -> None:
    assert refused("649a", *anns(*SEATS), dealer="Jh 7d 4h", offer={"adjacent_boxes": 2}) == "649a.7(f)"
    assert settle("649a", *anns(*SEATS), dealer="Jh 7d 4h", offer={"adjacent_boxes": 3}).order == [3, 2, 1]


def test_653a_7_e_a_player_has_one_position() -> None:
    two = [seat(held, "check check fold", ante=10, blind=10) for held in ("2c 5d", "3c 6d")]
    assert refused("653a", *anns(*two), dealer="Ah Kh", community="Qs Jd 9h 8c 4s") == "653a.7(e)"


@pytest.mark.parametrize("nobody", ["", "  ", 7, ["Ann"]])
def test_a_player_is_a_name(nobody: object) -> None:
    assert refused("649a", SEATS[0] | {"player": nobody}, dealer="Jh 7d 4h") == "649a.7(b)"


@pytest.mark.parametrize("rules", editions(), ids=name)
def test_the_readings_of_several_boxes_stand_where_a_player_may_have_several(rules: Rules) -> None:
    several = rules.of(AdjacentBoxes)[0].chosen_by_submission
    assert all((envy.own is not None) == several for envy in rules.of(Envy))
    per_player = {"679a", "680a", "682a"}  # 643a.12(d) and 653a.12(e) limit a single hand
    assert bool(rules.limit and rules.limit.per_player({})) == (rules.number in per_player)
    wanted = {"payout limit"} if rules.number in per_player else set()
    wanted |= {"envy"} if rules.of(Envy) and several else set()
    wanted |= {"jackpot"} if name(rules) == "649a-2019-11-02" else set()
    named = [each.removesuffix(" of several boxes") for each in rules.readings if each.endswith(" of several boxes")]
    assert set(named) == wanted


# At the table


def settled(pit: Pit) -> dict[int, Event]:
    return {each.command.seat: each for each in pit.events if isinstance(each.command, say.SettleSeat)}


def line(event: Event, wager: str) -> WagerLine:
    return next(each for each in event.then.lines if each.wager == wager)


def prime_round() -> Pit:
    """Ann plays boxes 1 and 2 of 679a with three-of-a-kind. Both hands are turned and box 2 is settled."""
    pit = opened(find("679a"), "automated shoe", 1, maximum=2_000)
    for box in (1, 2):
        pit.bet(1, box, ante=600, pair_bonus=1_000)
    pit.stack({1: "9s 9h 9d", 2: "Ks Kh Kd"}, dealer="Qc Qd Jh", fourths={1: "4c", 2: "3c"}).lock()
    return pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)


def test_679a_12_h_at_the_table_the_limit_is_the_players_whatever_is_remembered() -> None:
    """As in the case above: 30,000 at box 2, 12,800 at box 1. The second table has restored its state from a snapshot in between."""
    for pit in (prime_round(), prime_round().fork()):
        pit.finish(STAYS)
        assert line(settled(pit)[1], PAIR).pays == 12_800_00
        assert line(settled(pit)[1], PAIR).cite == "679a.12(h)"


def test_649a_12_i_2_at_the_table_a_players_part_is_paid_once_whatever_is_remembered() -> None:
    """Two players share 10,000.63; a third of it would be 3,333.54. Box 1 wins nothing more, and needs no floorperson."""
    pit = opened(find("649a"), "automated shoe", 1, 3)
    for player, box in ((1, 1), (1, 2), (3, 3)):
        pit.bet(player, box, ante=10, on_dealer=1)
    pit.stack({}, dealer="As Ks Qs", community="Ts Js").lock()
    pit.play_until(lambda table: bool(table.round and len(table.round.settled) == 2), STAYS)
    assert [line(settled(pit)[box], HAND).pays for box in (3, 2)] == [5_000_31] * 2
    for table in (pit, pit.fork()):
        before = len(table.events)
        table.finish(STAYS)
        assert line(settled(table)[1], HAND).pays == 0
        assert line(settled(table)[1], HAND).cite == "649a.12(i)(2)"
        assert not any(isinstance(each.command, say.ValidateProgressive) for each in table.events[before:])
        assert table.meters[HAND].amount == 1
        assert table.state.balance(f"jackpot of the {HAND}") == 0


def test_649a_11_c_8_ii_fixed_odds_are_validated_at_every_box() -> None:
    """Four-of-a-kind on the dealer's hand: 500 for 1 at both boxes, each validated."""
    pit = opened(find("649a"), "automated shoe", 1)
    for box in (1, 2):
        pit.bet(1, box, ante=10, on_dealer=1)
    pit.stack({}, dealer="9s 9d 9c", community="9h Ks").lock()
    pit.finish(STAYS)
    assert [each.command.seat for each in pit.events if isinstance(each.command, say.ValidateProgressive)] == [2, 1]
    assert [line(settled(pit)[box], HAND).pays for box in (2, 1)] == [500_00] * 2


def test_649a_11_c_5_v_at_the_table_your_own_other_hand_is_neither_turned_nor_paid_for() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    for box in (1, 2):
        pit.bet(1, box, ante=10, three_card=1)
    pit.stack({1: "As Ks Qs", 2: "2h 5d 9h"}, dealer="Jh 7d 4c").lock()
    pit.until(Act.SETTLE, STAYS)
    turned = pit.step()
    assert turned is not None
    assert {each.seat for each in turned.then.cards if each.at == "player's cards"} == {2}
    pit.finish(STAYS)
    assert "Three-Card Envy Bonus" not in {each.wager for each in settled(pit)[2].then.lines}


def test_649a_11_c_5_v_at_the_table_each_box_by_the_other_reading() -> None:
    pit = opened(find("649a"), "automated shoe", 1, **each_box("envy"))
    for box in (1, 2):
        pit.bet(1, box, ante=10, three_card=1)
    pit.stack({1: "As Ks Qs", 2: "2h 5d 9h"}, dealer="Jh 7d 4c").lock()
    pit.finish(STAYS)
    assert line(settled(pit)[2], "Three-Card Envy Bonus").pays == 100_00
