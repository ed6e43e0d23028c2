"""13(c) names no time: a wrong number of cards found after a neighbor was paid also voids the round. And what 13 leaves open."""

from __future__ import annotations

import pytest

from croupier.floor.surveillance.narration import sentence
from croupier.law.chapter import Rules
from croupier.law.procedure import Act
from croupier.table.meters import MeterState
from tests.table.holding import log_holds, meters_hold, money_holds
from tests.table.pit import EDITIONS, FOLDS, STAYS, Pit, by_seat, find, irregularities, opened, refused

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
FIVE, HAND, PAYOUT = "Five-Card Progressive Payout Wager", "Five Card Hand Bonus Wager", "Progressive Payout Wager"
EXPOSED = "Dealer's card exposed"


def wrong_number(rules: Rules) -> str:
    return next(each.name for each in irregularities(rules) if each.cite.clause == "13(c)")


def found_late(pit: Pit) -> None:
    pit.raise_irregularity(by="dealer", irregularity=wrong_number(pit.state.rules))
    assert pit.state.round is None
    money_holds(pit.state)


def holds(pit: Pit) -> dict[str, int]:
    """What the seats and the house hold, without zero balances."""
    away = ("players' own money", "drop box")
    return {account: cents for account, cents in pit.state.accounts.items() if cents and account not in away}


@every_edition
@pytest.mark.parametrize("choose", [STAYS, FOLDS], ids=["stays", "folds"])
def test_13_c_found_at_any_moment_of_the_settlement_everything_is_returned(rules: Rules, choose: object) -> None:
    """All hands are void and all wagers are returned: everyone holds what they held before the round, and so do the meters."""
    pit = opened(rules, "automated shoe", 1, 2, 3)
    before, meters = holds(pit), dict(pit.meters)
    for seat in (1, 2, 3):
        pit.bet_everything(seat)
    pit.lock()
    pit.until(Act.SETTLE, choose)  # type: ignore[arg-type]
    moments = 0
    while pit.state.round is not None:
        other = pit.fork()
        found_late(other)
        assert holds(other) == before, f"after {len(pit.events)} events"
        assert other.meters == meters
        moments += 1
        pit.step()
    assert moments > 3


@every_edition
def test_13_c_not_once_the_cards_are_cleared_and_the_refusal_says_what_is_possible(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1)
    pit.bet_everything(1).lock()
    pit.finish(STAYS)
    problem = pit.verify_raise_irregularity(by="dealer", irregularity=wrong_number(rules))
    refused(problem, f"{rules.number}.13(c)", "cannot be raised now", "until the cards are cleared", "now: ", "Device out of order")


def test_13_c_read_as_standing_a_settled_wager_stands() -> None:
    """Box 2's pair of kings beats the dealer's queen: +$20 on Ante and Play. Box 1 gets its $10 and $10 back."""
    pit = opened(find("649a"), "automated shoe", 1, 2, readings={"late finding": "stands"})
    pit.bet(1, ante=10).bet(2, ante=10).stack({1: "9s 8h 2d", 2: "Ks Kh 4c"}, dealer="Qh 7d 5c").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    found_late(pit)
    assert pit.state.balance("seat 2 chips") - pit.state.balance("seat 1 chips") == 20_00


def test_13_c_a_won_meter_is_restored_with_what_started_it_again() -> None:
    """Box 2 wins the whole meter of $10,000.42, which restarts at $10,000. Then box 1's cards are found to be wrong.

    The 42 cents are 21 % of two dollars that are returned, so the meter shows its seed again.
    """
    pit = opened(find("649a"), "automated shoe", 1, 2)
    for seat in (1, 2):
        pit.bet(seat, ante=10, five_card=1)
    pit.stack({1: "2d 4s 6c", 2: "As Ks Qs"}, dealer="2c 4d 6h", community="Ts Js").lock()
    assert pit.meters[FIVE].amount == 10_000_42
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    assert pit.meters[FIVE].amount == 10_000_00
    assert pit.state.round is not None
    assert pit.state.round.papers == [2]
    found_late(pit)
    assert pit.meters[FIVE] == MeterState(10_000_00)
    assert pit.state.balance("cage") == -1_000_000_000
    meters_hold(pit)
    log_holds(pit)


@pytest.mark.parametrize(("reading", "shows"), [("taken back", 10_000_00), ("stands", 9_999_79)])
def test_13_c_a_meter_that_starts_again_after_the_round(reading: str, shows: int) -> None:
    """If it stands, box 2 keeps the $10,000.42, the meter restarts at $10,000, and box 1's dollar takes its 21 cents back."""
    pit = opened(find("649a"), "automated shoe", 1, 2, readings={"reseed": "after the round", "late finding": reading})
    for seat in (1, 2):
        pit.bet(seat, ante=10, five_card=1)
    pit.stack({1: "2d 4s 6c", 2: "As Ks Qs"}, dealer="2c 4d 6h", community="Ts Js").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    assert pit.meters[FIVE].amount == 0
    found_late(pit)
    assert pit.meters[FIVE].amount == shows
    meters_hold(pit)


def test_13_c_a_linked_meter_that_another_table_won_since_is_made_good() -> None:
    """The other table has emptied the meter since it restarted. The meter gets the jackpot back and gives up the $10,000 it started with."""
    pit = opened(find("649a"), "automated shoe", 1, 2)
    for seat in (1, 2):
        pit.bet(seat, ante=10, five_card=1)
    pit.stack({1: "2d 4s 6c", 2: "As Ks Qs"}, dealer="2c 4d 6h", community="Ts Js").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    pit.meters[FIVE] = MeterState(10_000_00)  # won there, and restarted
    found_late(pit)
    assert pit.meters[FIVE] == MeterState(10_000_00)  # + 10,000.42 − 10,000 − 0.42


def test_13_c_a_divided_jackpot_goes_back_whole() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2, 3)
    for seat in (1, 2, 3):
        pit.bet(seat, ante=10, on_dealer=1)
    pit.stack({}, dealer="As Ks Qs", community="Ts Js").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    found_late(pit)
    assert pit.meters[HAND] == MeterState(10_000_00)
    assert pit.state.balance(f"jackpot of the {HAND}") == 0


def test_13_c_a_player_who_was_paid_and_left_keeps_it() -> None:
    """The result of a player who has left stands. The others get their wagers back."""
    pit = opened(find("649a"), "automated shoe", 1, 2)
    before = holds(pit)
    pit.bet(1, ante=10).bet(2, ante=10).stack({1: "9s 8h 2d", 2: "Ks Kh 4c"}, dealer="Qh 7d 5c").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    pit.leave(by="player:2", seat=2)
    found_late(pit)
    assert pit.state.balance("seat 1 chips") == before["seat 1 chips"]
    assert pit.state.balance("table inventory") == before["table inventory"] - 20_00


@pytest.mark.parametrize("number", ["641a", "649a", "653a", "679a", "682a"])
def test_13_c_a_player_who_folded_and_left_after_their_turn_gets_nothing_back(number: str) -> None:
    """No one is at the seat anymore, so no chips are put there. The result of a player who has left stands."""
    side = {"641a": {"aces_up": 10}, "649a": {"six_card": 10}, "653a": {"trips": 10}, "679a": {"prime": 10}, "682a": {"prime": 10}}
    pit = opened(find(number), "automated shoe", 1, 2)
    before = holds(pit)
    required = {"ante": 10} | ({"blind": 10} if number == "653a" else {})
    pit.bet(1, **required).bet(2, **required, **side[number]).lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), by_seat(s1=STAYS, s2=FOLDS))
    pit.leave(by="player:2", seat=2)
    found_late(pit)
    assert pit.state.balance("seat 2 chips") == 0
    assert pit.state.balance("seat 1 chips") == before["seat 1 chips"]


def test_13_c_a_player_who_has_spent_it_owes_it_and_the_house_bears_it() -> None:
    """A pair of kings returns $40, and all $9,020 are tipped: nothing is left to pay back the $20 won and the $20 staked."""
    pit = opened(find("649a"), "automated shoe", 1, 2)
    before = holds(pit)
    pit.bet(1, ante=10).bet(2, ante=10).stack({1: "9s 8h 2d", 2: "Ks Kh 4c"}, dealer="Qh 7d 5c").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    all_of_it = pit.state.balance("seat 2 chips")
    pit.tip(by="player:2", seat=2, amount=all_of_it)
    found_late(pit)
    event = pit.events[-1]
    assert event.then.owed == {"seat 2 chips": 20_00}  # $40 has to be paid back, $20 is returned
    assert pit.state.balance("seat 2 chips") == 0
    assert pit.state.balance("table inventory") == before["table inventory"] - 20_00


# forfeited and abandoned wagers


def told(pit: Pit) -> str:
    return sentence(pit.events[-1], pit.state.rules)


@pytest.mark.parametrize(
    ("readings", "back"),
    [({}, "$10 to seat 1, $20 to seat 2"), ({"forfeited in a void round": "stays lost"}, "$20 to seat 2")],
    ids=["goes back", "stays lost"],
)
def test_13_c_the_log_says_what_was_returned_to_whom(readings: dict[str, str], back: str) -> None:
    """Box 1 has folded its $10. Box 2 has $10 on the Ante and $10 on the Play Wager."""
    pit = opened(find("649a"), "automated shoe", 1, 2, readings=readings)
    pit.bet(1, ante=10).bet(2, ante=10).lock()
    pit.until(Act.SETTLE, by_seat(s1=FOLDS, s2=STAYS))
    found_late(pit)
    assert f"All hands are void. Returned: {back}. The cards are reshuffled." in told(pit)


def test_13_c_the_log_says_that_settled_wagers_stand_and_what_was_taken_back() -> None:
    """Box 2 was paid for its pair of kings. Under “stands”, only box 1 gets its $20 back. Otherwise both do, and the $20 won is taken back."""
    said = {}
    for reading in ("taken back", "stands"):
        pit = opened(find("649a"), "automated shoe", 1, 2, readings={"late finding": reading})
        pit.bet(1, ante=10).bet(2, ante=10).stack({1: "9s 8h 2d", 2: "Ks Kh 4c"}, dealer="Qh 7d 5c").lock()
        pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
        found_late(pit)
        said[reading] = told(pit)
    assert "Returned: $20 to seat 1, $20 to seat 2. What was paid in this round is taken back." in said["taken back"]
    assert "Returned: $20 to seat 1. The cards" in said["stands"]


@pytest.mark.parametrize(("reading", "lost"), [("goes back", 0), ("stays lost", 10_00)])
@pytest.mark.parametrize("number", ["641a", "649a", "653a", "679a", "682a"])
def test_13_c_a_forfeited_wager_in_a_void_round(number: str, reading: str, lost: int) -> None:
    pit = opened(find(number), "automated shoe", 1, 2, readings={"forfeited in a void round": reading})
    before = holds(pit)
    required = {"ante": 10} | ({"blind": 10} if number == "653a" else {})
    pit.bet(1, **required).bet(2, **required).lock()
    pit.until(Act.SETTLE, by_seat(s1=FOLDS, s2=STAYS))
    found_late(pit)
    forfeited = lost * (2 if number == "653a" else 1)  # the Blind Wager too
    assert pit.state.balance("seat 1 chips") == before["seat 1 chips"] - forfeited
    assert pit.state.balance("seat 2 chips") == before["seat 2 chips"]


def test_13_c_what_a_fold_forfeited_is_not_settled_by_the_turn_of_its_envy_bonus() -> None:
    """649a.11(b)(2): box 2 forfeits Ante and progressive and stays eligible for an Envy Bonus, so it still gets its turn."""
    pit = opened(find("649a"), "automated shoe", 1, 2, readings={"late finding": "stands"})
    before, meters = holds(pit), dict(pit.meters)
    pit.bet(1, ante=10).bet(2, ante=10, three_card=1).lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), by_seat(s1=STAYS, s2=FOLDS))
    found_late(pit)
    assert holds(pit) == before
    assert pit.meters == meters


@every_edition
@pytest.mark.parametrize("reading", ["stays lost", "goes back"])
def test_7_b_13_c_abandoned_wagers_in_a_void_round(rules: Rules, reading: str) -> None:
    pit = opened(rules, "automated shoe", 1, 2, readings={"abandoned in a void round": reading})
    before, meters = holds(pit), dict(pit.meters)
    outside = pit.state.balance("players' own money")
    pit.bet_everything(1).bet_everything(2).lock()
    pit.deal_cards(by="dealer")
    pit.leave(by="player:1", seat=1)
    found_late(pit)
    had = before["seat 1 chips"] + before.get("seat 1 game account", 0)
    back = pit.state.balance("players' own money") - outside
    assert (back == had) is (reading == "goes back")
    assert back <= had
    assert pit.state.balance("seat 2 chips") == before["seat 2 chips"]
    if reading == "goes back":
        assert pit.meters == meters


# what one chapter leaves open


@pytest.mark.parametrize("reading", ["returned", "settled"])
def test_653a_13_d_the_progressive_in_a_void_round(reading: str) -> None:
    """Ten-jack of spades with Q-K-A of spades on the Flop is a royal flush: 100 % of the meter, if it is settled."""
    pit = opened(find("653a"), "manual shoe", 1, readings={"progressive in a void round": reading})
    pit.bet(1, ante=10, blind=10).bet(1, progressive=1)
    pit.stack({1: "Ts Js"}, dealer="2c 4d", community="Qs Ks As 6c 3s").lock()
    pit.until(Act.ASK)
    pit.raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(2,))
    pit.finish()
    lines = [line for event in pit.events for line in event.then.lines]
    assert [(line.wager, line.odds) for line in lines] == ([] if reading == "returned" else [(PAYOUT, "100% of meter")])
    assert pit.state.balance("seat 1 chips") == 10_000_00 - (100 if reading == "settled" else 0)


def test_653a_13_a_the_progressive_goes_back_by_the_letter() -> None:
    """13(a) returns all wagers but the Trips. The reading of 13(d) does not matter here."""
    pit = opened(find("653a"), "manual shoe", 1, readings={"progressive in a void round": "settled"})
    pit.bet(1, ante=10, blind=10).bet(1, progressive=1).lock()
    pit.until(Act.DEAL, STAYS)
    pit.raise_irregularity(by="dealer", irregularity="More than one card face up after everyone has two cards")
    pit.finish()
    assert pit.state.balance("seat 1 chips") == 10_000_00


@pytest.mark.parametrize("reading", ["void", "not void"])
def test_682a_13_d_when_only_some_have_raised(reading: str) -> None:
    pit = opened(find("682a"), "automated shoe", 1, 2, 3, readings={"exposed among the raises": reading})
    for seat in (1, 2, 3):
        pit.bet(seat, ante=10)
    pit.lock()
    pit.until(Act.ASK)
    pit.answer(FOLDS)
    assert pit.can_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))  # a fold is not a Raise Wager
    pit.answer(STAYS)
    assert pit.can_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,)) is (reading == "void")
    pit.answer(STAYS)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,)), "682a.13(d)")
