"""The index of rounds, compared with the replay, which counts moves of money, and with simulated nights."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from croupier.floor.house.house import House, open_table
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.replay import replay
from croupier.floor.surveillance.round_record import ABANDONED, VOID, WITHDRAWN, RecordedRound
from croupier.floor.transcripts.export import export
from croupier.ledger import MemoryRecorder, Unit, Unreadable
from croupier.ledger.transcript import Transcript
from croupier.money import dollars
from croupier.shift.night import Night, NightTask
from croupier.shift.writers.writer import InProcess
from croupier.table import commands as say
from croupier.table.events import read_event
from croupier.table.state import offer_of
from tests.examples import some_games
from tests.floor.logs import copy, played
from tests.floor.moves import rounds_by_moves
from tests.floor.play import open_and_play, play, submission


def rounds(records: Records, table: str = "T1") -> list[RecordedRound]:
    return list(records.rounds(table))


def agree(recorder: MemoryRecorder, records: Records, table: str) -> None:
    """The settlement lines, which the records read, agree with the moves and with the replay."""
    for each, moved in zip(rounds(records, table), rounds_by_moves(recorder, table), strict=False):  # the last may be unfinished
        story = replay(recorder, table, each.number)
        assert (each.first, each.last) == (moved.first, moved.last) == (story.steps[0].version, story.steps[-1].version)
        assert {k: v for k, v in each.net.items() if v} == {k: v for k, v in moved.net.items() if v}
        assert {seat: cents for seat, cents in story.net.items() if cents} == {s: c for s, c in moved.seats.items() if c}
        assert story.net.keys() == story.players.keys()
        assert story.players.items() <= moved.players.items()  # without those who took their wagers back before the deal


@some_games
def test_nets_and_versions_are_those_of_the_moves(game: str) -> None:
    recorder = played(game)
    records = Records(recorder)
    records.catch_up("T1")
    assert records.count("T1") == 8
    agree(recorder, records, "T1")


@pytest.mark.thorough
def test_a_night_of_every_edition_with_every_mishap() -> None:
    async def scene() -> MemoryRecorder:
        writer = InProcess("memory:")
        await Night(NightTask(8, 0, 0, range(30), 300), writer).play()
        assert isinstance(writer.recorder, MemoryRecorder)
        return writer.recorder

    recorder = asyncio.run(scene())
    records, seen = Records(recorder), Counter[str]()
    records.catch_up_all()
    assert len(records.tables()) == 30
    for table in records.tables():
        agree(recorder, records, table)
        for each in rounds(records, table):
            assert each.begun <= each.ended
            seen.update(bet.outcome for box in each.boxes for bet in box.bets)
    assert set(seen) == {"win", "lose", "push", "forfeit", "return", "void", "withdrawn", "abandoned"}


def test_the_record_of_one_round() -> None:
    """One round, compared with its events one by one."""
    recorder = MemoryRecorder()
    open_and_play(recorder, "653a", 4, mishaps=False)
    records = Records(recorder)
    records.catch_up("T1")
    found = records.round("T1", 2)
    events = [read_event(entry.body) for entry in recorder.read("table/T1", found.first - 1, found.last - found.first + 1)]
    laid = {(e.command.seat, e.command.wager): e.command.amount for e in events if isinstance(e.command, say.PlaceWager)}
    before = {(box.box, bet.wager): bet.stake for box in found.boxes for bet in box.bets if bet.wager != "Play Wager" and bet.stake}
    assert before == laid
    assert [e.command.choice for e in events if isinstance(e.command, say.Decide) and e.command.seat == 1] == list(
        next(box.decisions for box in found.boxes if box.box == 1)
    )
    told = {line.hand for e in events for line in e.then.lines}
    assert {bet.hand for box in found.boxes for bet in box.bets} <= told | {""}
    locked = next(e for e in events if isinstance(e.command, say.NoMoreBets))
    assert (found.begun, found.ended) == (locked.at, events[-1].at)
    assert recorder.read("table/T1", found.locked - 1, 1).__next__().body == msgspec.json.encode(locked, order="sorted")
    assert found.contributed == {name: move.contributed + move.reserved for name, move in locked.then.meters.items()}


@pytest.mark.parametrize("game", ["643a", "649a"])
def test_reading_as_it_happens_is_reading_at_the_end(game: str) -> None:
    recorder = MemoryRecorder()
    house = open_and_play(recorder, game, 3)
    live, seen = Records(recorder), list[int]()
    house.listeners.append(lambda table, version, event: seen.append(live.catch_up(table)))
    play(house, "T1", 5, 11)
    read_once = Records(recorder)
    read_once.catch_up("T1")
    assert sum(seen) == recorder.head("table/T1")[0]  # each event once; the first read includes everything before it
    assert rounds(live) == rounds(read_once)
    assert live.catch_up("T1") == 0


def test_only_what_is_new_is_read_and_a_round_may_be_cut_anywhere() -> None:
    recorder = played("649a")
    whole, steps = Records(recorder), Records(recorder)
    whole.catch_up("T1")
    steps.source = growing = MemoryRecorder()
    for entry in recorder.read("table/T1"):
        growing.append([Unit((entry,))])
        assert steps.catch_up("T1") == 1
    assert rounds(whole) == rounds(steps)


def test_every_settled_bet_names_its_clause() -> None:
    records = Records(played("649a"))
    records.catch_up("T1")
    bets = [bet for found in records.rounds("T1") for box in found.boxes for bet in box.bets]
    settled = [bet for bet in bets if bet.outcome not in (VOID, WITHDRAWN, ABANDONED)]
    assert settled
    assert all(re.match(r"649a\.1[12]\(", bet.cite) for bet in settled)


def test_the_round_that_is_played() -> None:
    recorder = MemoryRecorder()
    open_and_play(recorder, "649a", 2, mishaps=False)
    whole = Records(recorder)
    whole.catch_up("T1")
    second = whole.round("T1", 2)
    cut = MemoryRecorder()
    cut.append([Unit(tuple(recorder.read("table/T1", 0, second.locked + 1)))])
    part = Records(cut)
    part.catch_up("T1")
    now = part.round("T1", 2)
    assert (now.number, now.first, now.ended, part.count("T1")) == (2, second.first, 0, 1)
    with pytest.raises(Unreadable, match="no round 3"):
        whole.round("T1", 3)


def test_a_reopened_table_keeps_its_offers_apart() -> None:
    recorder = MemoryRecorder()
    house = open_and_play(recorder, "680a", 2, mishaps=False)

    async def reopen() -> None:
        for seat in list(house.table("T1").state.players):
            await house.execute("T1", say.Leave(seat=seat), "floorperson", person="Flora")
        await house.execute("T1", say.CloseTable(), "floorperson", person="Flora")
        await open_table(house, "T1", submission("680a", "manual shoe"), dollars(50_000), person="Flora")

    asyncio.run(reopen())
    play(house, "T1", 2, 3, mishaps=False)
    records = Records(recorder)
    records.catch_up_all()
    shoe, manual = offer_of(submission("680a")).hash, offer_of(submission("680a", "manual shoe")).hash
    assert [each.offer for each in rounds(records)] == [shoe, shoe, manual, manual]
    assert [records.opening("T1", number).offer for number in (2, 3)] == [shoe, manual]
    agree(recorder, records, "T1")


def test_the_drop_is_the_cash_that_was_brought() -> None:
    recorder = played("641a")
    records = Records(recorder)
    records.catch_up("T1")
    events = [read_event(entry.body) for entry in recorder.read("table/T1")]
    brought = [(e.at, e.command.amount) for e in events if isinstance(e.command, say.BuyIn)]
    half = brought[len(brought) // 2][0]
    assert records.drop("T1") == sum(cents for _, cents in brought) > 0
    assert records.drop("T1", since=half) == sum(cents for at, cents in brought if at >= half)
    assert records.drop("T1", until=half) == sum(cents for at, cents in brought if at < half)


def test_nothing_sealed_is_read(tmp_path: Path) -> None:
    """A transcript that withholds every face-down card gives the same index."""
    recorder = played("682a")
    export(recorder, "T1", tmp_path / "public")
    whole, public = Records(recorder), Records(Transcript(tmp_path / "public"))
    whole.catch_up("T1")
    public.catch_up("T1")
    assert rounds(whole) == rounds(public)


def test_a_log_with_a_hole_is_not_read_on() -> None:
    recorder = copy(played("680a"))
    del recorder._streams["table/T1"][40]
    with pytest.raises(Unreadable, match="version 41: it is missing"):
        Records(recorder).catch_up("T1")


def test_an_index_of_a_missing_house_is_empty() -> None:
    records = Records(House(MemoryRecorder()).recorder)
    assert (records.catch_up("T9"), records.tables(), rounds(records, "T9")) == (0, [], [])
