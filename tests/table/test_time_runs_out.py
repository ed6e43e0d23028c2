"""What an unanswered decision costs, wager by wager: at the table, at the dispute desk and in old logs."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.fact import TIMED_OUT
from croupier.law.forfeits import forfeits
from croupier.law.procedure import Act, Setting
from croupier.law.wager import fold, never_answered
from croupier.money import dollars
from croupier.table.case import read_case
from croupier.table.events import read_event, write_event
from croupier.table.fold import apply
from croupier.table.views import view
from tests.table.holding import log_holds, money_holds
from tests.table.pit import EDITIONS, SECOND, STAYS, Pit, find

LIMIT = 20
every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
AS_A_FOLD = {"time runs out": "as a fold"}


def table(rules: Rules | str, *seats: int, **changes: Any) -> Pit:
    """A table with a time limit, waiting for wagers."""
    rules = find(rules) if isinstance(rules, str) else rules
    return Pit(rules, decision_seconds=LIMIT, **changes).seat(*seats or (2,)).ready()


def times_out(pit: Pit, seat: int = 2) -> None:
    """Play until the box is asked, and let its time pass."""
    while (current := pit.state.round) and current.asked[1:] != [seat]:
        pit.step(STAYS)
    assert current
    pit.now = current.asked_at + LIMIT * SECOND
    pit.lapse_decision(by="dealer", seat=seat)


def silent(pit: Pit, seat: int = 2) -> int:
    """Cents that a seat that never answers gets back from here on. The others stay in."""
    before = pit.state.balance(f"seat {seat} chips")
    while current := pit.state.round:
        if current.asked[1:] == [seat]:
            times_out(pit, seat)
        else:
            pit.step(STAYS)
    money_holds(pit.state)
    return pit.state.balance(f"seat {seat} chips") - before


@pytest.mark.parametrize("edition", ["649a-2011-06-14", "649a-2019-11-02"])
def test_three_aces_are_paid_on_the_pair_plus_though_the_ante_is_lost(edition: str) -> None:
    """649a.12(d) A pays three-of-a-kind 25 to 1 in 2011 and in 2019."""
    pit = table(EDITIONS[edition]).bet(2, ante=10, pair_plus=10)
    pit.stack({2: "As Ah Ad"}, dealer="Kh 7d 2c").lock()
    assert silent(pit) == dollars(10 + 250)
    log_holds(pit)


def test_three_aces_are_lost_where_the_filing_reads_silence_as_a_fold() -> None:
    pit = table("649a", readings=AS_A_FOLD).bet(2, ante=10, pair_plus=10)
    pit.stack({2: "As Ah Ad"}, dealer="Kh 7d 2c").lock()
    assert silent(pit) == 0
    assert not any(event.event == "hand turned" for event in pit.events)
    log_holds(pit)


@every_edition
@pytest.mark.parametrize("seed", range(3))
def test_the_table_and_the_desk_settle_a_silent_player_alike(rules: Rules, seed: int) -> None:
    """Under every alternative of the reading, with every wager, to the cent and the clause."""
    reading = rules.readings.get("time runs out")
    for read_as in reading.alternatives if reading else [""]:
        changes = {"readings": {"time runs out": read_as}} if read_as else {}
        pit = table(rules, seed=seed, **changes).bet_everything(2)
        pit.lock()
        while pit.state.phase == "dealing" or not at_settlement(pit):
            current = pit.state.round
            assert current
            if current.asked[1:] == [2]:
                times_out(pit)
            else:
                pit.step()
        raw = described(pit)
        since = len(pit.events)
        pit.until(Act.CLEAR)
        settled = [line for event in pit.events[since:] for line in event.then.lines]
        expected = read_case(raw, pit.state.offer).settle().seats[0].lines
        late = [paid for paid in expected if paid.outcome.value != "forfeit" and paid.cite.clause not in ("11(b)(2)", "11(d)(2)")]
        told = [(line.wager, line.on, line.outcome, line.pays, line.returns, line.cite) for line in settled]
        assert told == [(p.wager, p.side, p.outcome.value, p.pays, p.returns, str(p.cite)) for p in late]
        collected = {line.wager for event in pit.events if event.event == "forfeited wagers collected" for line in event.then.lines}
        assert collected == {paid.wager for paid in expected if paid.outcome.value == "forfeit"}
        log_holds(pit)
        pit.finish()


def at_settlement(pit: Pit) -> bool:
    assert pit.state.round
    return pit.state.stages[pit.state.round.stage].act is Act.SETTLE


def described(pit: Pit) -> dict[str, Any]:
    """The round as described by someone who says only that the time for the decisions ran out."""
    state, current = pit.state, pit.state.round
    assert current

    def text(held: Any) -> str:
        return " ".join(each.card for each in held)

    fourth = f" / {text(current.fourths[2])}" if 2 in current.fourths else ""
    wagers: dict[str, Any] = {}
    for key, cents in current.stakes[2].items():
        name, _, side = key.partition(": ")
        wagers[name] = wagers.get(name, {}) | {side: cents // 100} if side else cents // 100
    seat: dict[str, Any] = {"cards": text(current.hands[2]) + fourth, "wagers": wagers}
    if decisions := never_answered(state.rules.decisions, state.offer.readings):
        seat["decision"] = " ".join([TIMED_OUT] * len(decisions))
    raw: dict[str, Any] = {"game": state.rules.number, "edition": state.rules.edition.name, "seats": {"2": seat}}
    raw["meters"] = {wager: {"amount": meter.amount // 100, "reserve": 0} for wager, meter in pit.meters.items()}
    raw |= {"dealer": {"cards": text(current.dealer)}} if current.dealer else {}
    return raw | ({"community": {"cards": text(current.community)}} if current.community else {})


# one box folds, another runs out of time


def two_with_pairs(**changes: Any) -> Pit:
    """Box 1 folds and box 2 runs out of time, both with a Pair Plus and nines and eights. The forfeited wagers are collected."""
    pit = table("649a", 1, 2, **changes).bet(1, ante=10, pair_plus=10).bet(2, ante=10, pair_plus=10)
    pit.stack({1: "9s 9h 2d", 2: "8s 8h 3d"}, dealer="Kh 7d 2c").lock()
    pit.play_until(lambda state: bool(state.round and state.round.asked))
    pit.decide(by="player:1", seat=1, choice="fold")
    times_out(pit)
    pit.collect_forfeited(by="dealer")
    return pit


def test_649a_11_b_1_a_fold_loses_the_pair_plus_and_a_neighbor_who_timed_out_does_not() -> None:
    pit = two_with_pairs()
    current = pit.state.round
    assert current
    assert current.forfeited == {1: ["Ante Wager", "Pair Plus Wager"], 2: ["Ante Wager"]}
    assert [line.wager for line in pit.events[-1].then.lines] == ["Ante Wager", "Pair Plus Wager", "Ante Wager"]
    assert {each.seat for each in pit.events[-1].then.cards} == {1}  # only the folded cards go to the rack
    before = {seat: pit.state.balance(f"seat {seat} chips") for seat in (1, 2)}
    pit.finish()
    assert pit.state.balance("seat 1 chips") == before[1]
    assert pit.state.balance("seat 2 chips") == before[2] + dollars(20)  # a pair pays 1 to 1
    log_holds(pit)


@pytest.mark.parametrize(("read_as", "back"), [("goes back", (20, 20)), ("stays lost", (0, 10))])
def test_13_c_a_void_round_returns_what_time_has_not_lost(read_as: str, back: tuple[int, int]) -> None:
    """A Pair Plus that is still in play is returned under either reading of what was forfeited."""
    pit = two_with_pairs(readings={"forfeited in a void round": read_as})
    before = [pit.state.balance(f"seat {seat} chips") for seat in (1, 2)]
    pit.raise_irregularity(by="floorperson", irregularity="A player or the dealer dealt a wrong number of cards")
    after = [pit.state.balance(f"seat {seat} chips") for seat in (1, 2)]
    assert [now - then for now, then in zip(after, before, strict=True)] == [dollars(each) for each in back]
    money_holds(pit.state)
    log_holds(pit)


# progressives and envy


@pytest.mark.parametrize(("readings", "paid"), [({}, True), (AS_A_FOLD, False)])
def test_a_progressive_in_play_is_paid_and_its_hand_is_seen_for_the_envy_of_others(readings: dict[str, str], paid: bool) -> None:
    """649a.12(e): ace, king and queen of spades win the meter. The neighbor's Envy Bonus is for a face-up hand."""
    pit = table("649a", 1, 2, readings=readings).bet(1, ante=10, three_card=1).bet(2, ante=10, three_card=1)
    pit.stack({1: "9s 9h 2d", 2: "As Ks Qs"}, dealer="Kh 7d 2c").lock()
    silent(pit)
    lines = [line for event in pit.events for line in event.then.lines]
    won = [line for line in lines if line.wager == "Three-Card Progressive Payout Wager" and line.source == "meter"]
    assert bool(won) == paid
    assert any(line.wager == "Three-Card Envy Bonus" for line in lines) == paid
    log_holds(pit)


def test_641a_11_b_2_the_progressive_stays_in_play() -> None:
    pit = table("641a").bet(2, ante=10, progressive=1)
    pit.stack({2: "9s 9h 9d 9c 2d"}, dealer="Kh 7d 2c 3s 5h Jc").lock()
    assert silent(pit) == dollars(300)  # four-of-a-kind, 300 for 1 by 12(d)(1)
    folded = table("641a", readings=AS_A_FOLD).bet(2, ante=10, progressive=1)
    folded.stack({2: "9s 9h 9d 9c 2d"}, dealer="Kh 7d 2c 3s 5h Jc").lock()
    assert silent(folded) == 0


def test_a_hand_with_nothing_left_in_play_goes_to_the_rack_unseen() -> None:
    """649a.11(c): forfeited wagers and associated cards."""
    pit = table("649a").bet(2, ante=10)
    pit.stack({2: "As Ah Ad"}, dealer="Kh 7d 2c").lock()
    times_out(pit)
    collected = pit.collect_forfeited(by="dealer")
    assert len(collected.then.cards) == 3
    assert not any(each.card for each in collected.then.cards)
    pit.finish()
    assert not any(event.event == "hand turned" for event in pit.events)


# the other games


@pytest.mark.parametrize(("read_as", "cents"), [("rides", dollars(60)), ("withdrawn", dollars(40))])
def test_643a_1_a_bet_that_is_not_withdrawn_rides(read_as: str, cents: int) -> None:
    """A pair of kings pays 1 to 1: on three bets of $10, or on the third alone, with two returned."""
    pit = table("643a", readings={"time runs out": read_as}).bet(2, bets=10)
    pit.stack({2: "Ks Kh 4d"}, community="2s 9c").lock()
    assert silent(pit) == cents


@pytest.mark.parametrize(("after_fold", "cents"), [("alive", dollars(40 + 9)), ("forfeited", dollars(40))])
def test_653a_1_silence_checks_twice_and_then_folds(after_fold: str, cents: int) -> None:
    """Three kings with the board: Trips pays 3 to 1. Ante and Blind are lost. The progressive is as a fold leaves it."""
    changes = {"readings": {"folded progressive": after_fold, "progressive hand": "best five of seven"}}
    pit = table("653a", **changes).bet(2, ante=10, blind=10, trips=10, progressive=1)
    pit.stack({2: "Ks Kh"}, dealer="Ah Ad", community="Kd 2c 7s 9h 4d").lock()
    assert silent(pit) == cents


@pytest.mark.parametrize(
    ("read_as", "counts"), [("highest point count", "Point Count 10"), ("lowest point count", "Point Count 4")]
)
def test_680a_11_b_1_an_unset_hand_qualifies(read_as: str, counts: str) -> None:
    """The text's own example, joker-8-6-5-2: with 6 and 5 the joker leaves 8+2 = 10, with 8 and 6 it leaves 7, with 5 and 2 it leaves 4."""
    pit = table("680a", readings={"time runs out": read_as}).bet(2, ante=10)
    pit.stack({2: "Jk 8h 6d 5c 2s"}, dealer="2c 2d 2h 4c 5h").lock()
    silent(pit)
    line = next(line for event in pit.events for line in event.then.lines if line.wager == "Ante Wager")
    assert line.hand == counts


# every edition


@every_edition
def test_silence_never_loses_more_than_a_fold(rules: Rules) -> None:
    """And where no reading applies, it loses just what a fold loses under the chapter."""
    for name, reading in [(name, reading) for name, reading in rules.readings.items() if name == "time runs out"] or [("", None)]:
        for alternative in reading.alternatives if reading else [""]:
            readings = {name: alternative}
            lost = set(forfeits(rules, never_answered(rules.decisions, readings), readings).lost)
            folded = set(forfeits(rules, [fold("11")], readings).lost) if _folds(rules) else set()
            assert lost <= folded
            assert lost == folded or alternative == "the Ante alone"
            before = {key for key in lost if not rules.wagers[key].made_by_decision}
            assert before <= {"Ante Wager", "Blind Wager", *_required(rules)} or alternative == "as a fold"


def _required(rules: Rules) -> set[str]:
    return {wager.key for wager in rules.wagers.values() if wager.required}


def _folds(rules: Rules) -> bool:
    return any(choice.folds for decision in rules.decisions for choice in decision.choices)


@every_edition
def test_a_reading_stands_wherever_the_text_leaves_the_end_of_the_time_open(rules: Rules) -> None:
    asked = {decision.reading for decision in rules.decisions} | {rule.unset for rule in rules.of(Setting)}
    named = {reading.name for reading in asked if reading}
    assert named == ({"time runs out"} if rules.number in ("641a", "643a", "649a", "680a") else set())
    assert all(reading.needed_by == "decisions" for reading in asked if reading)


# the desk and the views


def test_the_desk_refuses_a_time_that_no_filing_limits() -> None:
    raw = {
        "game": "649a",
        "dealer": {"cards": "Kh 7d 2c"},
        "seats": {"2": {"cards": "As Ah Ad", "wagers": {"Ante Wager": 10}, "decision": "timed out"}},
    }
    assert read_case(raw).settle().seats[0].net == -dollars(10)
    with pytest.raises(Refusal, match="no time limit"):
        read_case(raw, Pit(find("649a")).state.offer)


def test_a_player_cannot_decide_that_the_time_ran_out() -> None:
    pit = table("649a").bet(2, ante=10, pair_plus=10)
    pit.lock()
    pit.play_until(lambda state: bool(state.round and state.round.asked))
    assert not pit.can_decide(by="player:2", seat=2, choice=TIMED_OUT)


def test_a_view_distinguishes_a_timeout_from_a_fold() -> None:
    pit = table("649a").bet(2, ante=10, pair_plus=10)
    pit.lock()
    times_out(pit)
    box = view(pit.state, "player:2").round.boxes[2]
    assert (box.folded, box.decided) == (True, (TIMED_OUT,))


def test_a_log_from_before_the_reading_folds_as_it_was_decided() -> None:
    """An event of version 2 says “fold”: its Pair Plus was forfeited then, and still is when the log is read today."""
    pit = table("649a").bet(2, ante=10, pair_plus=10)
    pit.stack({2: "As Ah Ad"}, dealer="Kh 7d 2c").lock()
    pit.play_until(lambda state: bool(state.round and state.round.asked))
    old = pit.fork()
    times_out(pit)
    lapsed = pit.events[-1]
    before = msgspec.structs.replace(lapsed, v=2, then=msgspec.structs.replace(lapsed.then, choice="fold"))
    apply(old.state, read_event(write_event(before)))
    assert old.state.round
    old.collect_forfeited(by="dealer")
    assert old.state.round.forfeited == {2: ["Ante Wager", "Pair Plus Wager"]}
    before_the_reveal = old.state.balance("table inventory")
    old.finish()
    assert old.state.balance("table inventory") == before_the_reveal
