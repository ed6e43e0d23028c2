"""The auditor has teeth: inject a bug, and the shift must find it and show it with a short script."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from croupier.filing.offer import Offer, Progressive
from croupier.floor.house import house
from croupier.floor.house.house import House
from croupier.floor.house.vault import Vault
from croupier.law.cite import Cite, Refusal
from croupier.law.wager import Choice, Decision
from croupier.ledger import MemoryRecorder, Unit
from croupier.ledger.recorders.recorder import Conflict
from croupier.shift import table_signs
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.night import NightTask, run_night
from croupier.shift.people import staff, table_play
from croupier.shift.script import ShiftScript
from croupier.shift.shift import ShiftVerdict, run_shift
from croupier.shift.shrink import rerun
from croupier.table import commands as say
from croupier.table import fold as folding
from croupier.table import meters
from croupier.table.accounts import Move
from croupier.table.commands import Command
from croupier.table.events import Event, Shown
from croupier.table.meters import MeterMove, MeterState
from croupier.table.rules import irregularities, round_play, wagers
from croupier.table.rules.context import need_phase
from croupier.table.settlement import Settling
from croupier.table.state import Condition, Deck, Idle, Phase, State
from croupier.wire import Reply

Patch = pytest.MonkeyPatch


PRIME, PROGRESSIVE = range(20, 22), range(2)  # tables of 679a, which has no meter, and of 641a, which has one


def shift(tables: range = PRIME, rounds: int = 60) -> ShiftVerdict:
    return run_shift([NightTask(4, 0, 0, tables, rounds)], workers=1)


def must_find(verdict: ShiftVerdict, check: str, longest: int) -> ShiftScript:
    """Check that this check finds it, and that the script is short and shows it again."""
    assert verdict.finding, "the auditor saw nothing"
    assert verdict.finding.check == check, str(verdict.finding)
    assert verdict.script
    assert len(verdict.script.steps) <= longest, len(verdict.script.steps)
    again = rerun(verdict.script.steps)
    assert again
    assert again.check == check
    return verdict.script


def test_a_fold_that_loses_a_cent(monkeypatch: Patch) -> None:
    move_money = folding.move_money

    def lossy(table: State, moves: tuple[Move, ...]) -> None:
        move_money(table, moves)
        if any(move.target == "drop box" for move in moves):
            table.accounts["drop box"] -= 1
            table.accounts["cage"] += 1

    monkeypatch.setattr(folding, "move_money", lossy)
    script = must_find(shift(), "state", longest=5)
    assert isinstance(script.steps[0].orders[0].command, say.OpenTable)
    assert isinstance(script.steps[-1].orders[0].command, say.BuyIn)


@pytest.mark.thorough
def test_a_decision_that_bets_twice_as_much(monkeypatch: Patch) -> None:
    stake_made = round_play.stake_made

    def doubled(*answer: Any) -> tuple[str, int] | None:
        made = stake_made(*answer)
        return (made[0], 2 * made[1]) if made else None

    monkeypatch.setattr(round_play, "stake_made", doubled)
    monkeypatch.setattr(folding, "stake_made", doubled)
    must_find(shift(), "chips", longest=60)


def test_a_recorder_that_drops_a_unit(monkeypatch: Patch) -> None:
    append = MemoryRecorder.append

    def forgetful(self: MemoryRecorder, units: Sequence[Unit]) -> list[Conflict | None]:
        kept = [unit for unit in units if not unit.key.endswith("7")]
        return append(self, kept) if kept else [None] * len(units)

    monkeypatch.setattr(MemoryRecorder, "append", forgetful)
    must_find(shift(), "replies", longest=10)


def test_a_command_that_takes_effect_twice(monkeypatch: Patch) -> None:
    """The idempotency keys are forgotten."""
    append = MemoryRecorder.append

    def keyless(self: MemoryRecorder, units: Sequence[Unit]) -> list[Conflict | None]:
        return append(self, [Unit(unit.entries) for unit in units])

    monkeypatch.setattr(MemoryRecorder, "append", keyless)
    must_find(shift(), "replies", longest=30)  # it may be a settlement: a table is opened and a round played up to it


def test_a_reply_that_is_not_what_was_written(monkeypatch: Patch) -> None:
    execute = House.execute

    async def confused(self: House, table: str, command: Command, *rest: str) -> Reply:
        reply = await execute(self, table, command, *rest)
        return msgspec.structs.replace(reply, version=reply.version - 1) if isinstance(command, say.VerifyInspection) else reply

    monkeypatch.setattr(House, "execute", confused)
    must_find(shift(), "replies", longest=5)


def test_a_refusal_that_changes_something(monkeypatch: Patch) -> None:
    decide = house.decide

    def careless(table: State, command: Command, *rest: Any) -> Event:
        try:
            return decide(table, command, *rest)
        except Refusal:
            table.rounds += 1
            raise

    monkeypatch.setattr(house, "decide", careless)
    must_find(shift(), "refusal", longest=2)


def test_a_settlement_that_pays_a_cent_too_much(monkeypatch: Patch) -> None:
    moves = round_play.moves

    def generous(*wanted: Any) -> Sequence[Move]:
        made = list(moves(*wanted))
        won = [move.target for move in made if move.target.endswith(" chips")]
        return [*made, Move("table inventory", won[0], 1)] if won else made

    monkeypatch.setattr(round_play, "moves", generous)
    must_find(shift(), "chips", longest=25)


def another_silence(monkeypatch: Patch, choose: Callable[[Decision, object], Choice]) -> None:
    """The table carries out another choice for who does not answer, and the notice stays as it is filed."""
    silence, notices = Decision.in_silence, table_signs._silence

    def as_filed(offer: Offer) -> list[Any]:
        with Patch.context() as patch:
            patch.setattr(Decision, "in_silence", silence)
            return list(notices(offer))

    monkeypatch.setattr(Decision, "in_silence", choose)
    monkeypatch.setattr(table_signs, "_silence", as_filed)


@pytest.mark.thorough
def test_a_bet_that_rides_where_it_is_filed_to_go_back_in_time(monkeypatch: Patch) -> None:
    """643a: the notice says that a bet nobody withdraws is withdrawn."""
    another_silence(monkeypatch, lambda decision, _: decision.unanswered)
    found = next(filter(None, (run_night(NightTask(seed, 0, 0, range(3, 6), 100)).finding for seed in range(1, 9))))
    assert found.check == "chips"
    assert "decision lapsed" in found.said


def test_a_time_that_costs_a_wager_that_the_notice_leaves_in_play(monkeypatch: Patch) -> None:
    """649a: silence is carried out as a fold, which forfeits the Pair Plus, though the notice says only the Ante."""

    def folded(decision: Decision, _: object) -> Choice:
        return next((choice for choice in decision.choices if choice.folds), decision.unanswered)

    another_silence(monkeypatch, folded)
    found = next(filter(None, (run_night(NightTask(seed, 0, 0, range(6, 12), 150)).finding for seed in range(1, 9))))
    assert found.check == "chips"
    assert "lies on no box" in found.said


def test_a_late_finding_that_takes_nothing_back(monkeypatch: Patch) -> None:
    """13(c) after a neighbor was paid: the stakes are returned, but the winnings are not taken back."""
    monkeypatch.setattr(irregularities, "reversed", lambda moves: (), raising=False)
    found = next(filter(None, (run_night(NightTask(seed, 0, 0, range(6), 80)).finding for seed in range(1, 6))))
    assert found.check in ("chips", "house")
    assert "irregularity" in found.said or "RaiseIrregularity" in found.said


@pytest.mark.thorough
def test_a_card_that_is_dealt_twice(monkeypatch: Patch) -> None:
    show_next = wagers.show_next

    def sticky(deck: Deck, ahead: int, *rest: Any, **more: Any) -> Shown:
        return show_next(deck, ahead - 1 if ahead == 5 else ahead, *rest, **more)

    monkeypatch.setattr(wagers, "show_next", sticky)
    must_find(shift(), "cards", longest=14)


@pytest.mark.thorough
def test_a_card_that_is_shown_as_another(monkeypatch: Patch) -> None:
    turned: Callable[..., list[Shown]] = round_play.turned_over

    def conjuror(*wanted: Any) -> list[Shown]:
        return [msgspec.structs.replace(each, card="As") for each in turned(*wanted)]

    monkeypatch.setattr(round_play, "turned_over", conjuror)
    must_find(shift(), "cards", longest=18)


def test_a_meter_that_loses_a_contribution(monkeypatch: Patch) -> None:
    contribution = meters.contribution

    def leaky(meter: MeterState, terms: Progressive, *wagered: Any) -> MeterMove:
        move = contribution(meter, terms, *wagered)
        return msgspec.structs.replace(move, contributed=max(0, move.contributed - 1))

    monkeypatch.setattr(meters, "contribution", leaky)
    must_find(shift(PROGRESSIVE), "meters", longest=20)


def test_a_snapshot_that_is_not_the_state(monkeypatch: Patch) -> None:
    seal = Vault.seal_state

    def careless(self: Vault, name: str, version: int, state: bytes) -> bytes:
        return seal(self, name, version, state.replace(b'"time":1', b'"time":2'))

    monkeypatch.setattr(Vault, "seal_state", careless)
    must_find(shift(), "replay", longest=20)


@pytest.mark.thorough
def test_an_event_that_is_folded_otherwise_from_the_log(monkeypatch: Patch) -> None:
    people = folding._people

    def otherwise(table: State, command: Any) -> None:
        people(table, command)
        if isinstance(command, say.Sit):
            table.rounds += os.urandom(1)[0]

    monkeypatch.setattr(folding, "_people", otherwise)
    must_find(shift(), "replay", longest=3)


@pytest.mark.thorough
def test_a_table_that_never_ends_its_round(monkeypatch: Patch) -> None:
    monkeypatch.setattr(folding, "_end_round", lambda *anything: None)
    assert shift().finding


@pytest.mark.thorough
def test_649a_11_c_5_v_envy_for_ones_own_hand(monkeypatch: Patch) -> None:
    """Two tables of 649a with every other deck stacked; the nights go on until a player on two boxes holds a royal flush."""
    monkeypatch.setattr(staff, "STACKED", 0.5)
    monkeypatch.setattr(Settling, "_others", lambda self, envy, seat: [other for other in self.order if other != seat])
    found = next(filter(None, (run_night(NightTask(seed, 0, 0, range(10, 12), 100)).finding for seed in range(20))))
    assert found.check == "persons"
    assert "Envy Bonus" in found.said


# § .5(f): three tables of 643a, whose text exempts the deck in the device


def idle_nights(monkeypatch: Patch) -> AuditFinding:
    """Nights at tables that are often idle, until the auditor finds something."""
    monkeypatch.setattr(table_play, "RESTS", 0.2)
    return next(filter(None, (run_night(NightTask(seed, 0, 0, range(3, 6), 60)).finding for seed in range(40, 60))))


def test_5_f_a_spread_deck_that_is_dealt_without_a_shuffle(monkeypatch: Patch) -> None:
    stacked = folding._stack

    def lazy(table: State, *, washed: bool) -> None:
        stacked(table, washed=washed)
        for deck in table.decks:
            if deck.idle and deck.condition is Condition.STACKED:
                deck.condition, deck.idle = Condition.READY, Idle.NO
        table.phase = Phase.BETTING

    monkeypatch.setattr(folding, "_stack", lazy)
    found = idle_nights(monkeypatch)
    assert (found.check, "not shuffled since the table was idle" in found.said) == ("cards", True), str(found)


@pytest.mark.thorough
def test_5_f_2_i_a_deck_kept_in_a_device_that_stores_none(monkeypatch: Patch) -> None:
    def careless(table: State) -> Deck | None:
        return table.decks[-1] if len(table.decks) == 2 and table.decks[-1].condition is Condition.READY else None

    monkeypatch.setattr(folding, "stored_deck", careless)
    found = idle_nights(monkeypatch)
    assert (found.check, "not shuffled since the table was idle" in found.said) == ("cards", True), str(found)


def test_5_f_a_wager_on_the_spread_cards(monkeypatch: Patch) -> None:
    def early(table: State, cite: Cite) -> None:
        need_phase(table, Phase.OPENING, Phase.BETTING, cite=cite)

    monkeypatch.setattr(wagers, "need_betting", early)
    found = idle_nights(monkeypatch)
    assert (found.check, "lies spread" in found.said) == ("cards", True), str(found)


def test_5_f_a_shuffle_before_anyone_has_looked(monkeypatch: Patch) -> None:
    spread = folding._spread

    def hasty(table: State, *, face_up: bool) -> None:
        spread(table, face_up=face_up)
        for deck in table.decks:
            if deck.idle is Idle.DOWN:
                deck.condition = Condition.STACKED

    monkeypatch.setattr(folding, "_spread", hasty)
    found = idle_nights(monkeypatch)  # at the shuffle, or at the wager after it where a device may have kept a deck
    assert (found.check, "before a player has seen it" in found.said or "lies spread" in found.said) == ("cards", True), str(found)
