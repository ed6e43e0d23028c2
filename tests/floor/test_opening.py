"""What the house refuses when a table is opened, and about a shuffle."""

from __future__ import annotations

import asyncio
import re

import pytest

from croupier.cards import deck
from croupier.floor.clock import newest_time
from croupier.floor.house.house import Damaged, House, open_table
from croupier.floor.registers.people import People
from croupier.law.cite import Refusal
from croupier.ledger import MemoryRecorder, NotRecorded, Unit, Unknown, follow, genesis
from croupier.table import commands as say
from croupier.table.commands import SealedDeck
from croupier.table.rules.decks import committed
from croupier.table.state import State, offer_of
from tests.floor.play import Clock, submission


def test_a_table_is_opened_under_its_own_name() -> None:
    house, text = House(MemoryRecorder(), Clock()), submission("680a")
    command = say.OpenTable(table="T2", submission=text, offer=offer_of(text).hash, opener=0)
    with pytest.raises(Refusal, match="not table T2"):
        asyncio.run(house.execute("T1", command, "floorperson"))
    assert not house.recorder.streams()


def test_601a_2_meters_are_linked_and_time_is_limited_as_filed() -> None:
    house, wager = House(MemoryRecorder(), Clock()), "Five-Card Progressive Payout Wager"
    text, filed = submission("649a"), submission("649a", linked=f'"{wager}" = "big"')
    for other in (
        say.OpenTable(table="T1", submission=text, offer=offer_of(text).hash, opener=0, linked={wager: "big"}),
        say.OpenTable(table="T1", submission=filed, offer=offer_of(filed).hash, opener=0),
        say.OpenTable(table="T1", submission=filed, offer=offer_of(filed).hash, opener=0, linked={wager: "small"}),
        say.OpenTable(table="T1", submission=text, offer=offer_of(text).hash, opener=0, decision_seconds=30),
    ):
        with pytest.raises(Refusal, match=r"as filed|match the filing"):
            asyncio.run(house.execute("T1", other, "floorperson"))
    assert not house.recorder.streams()
    asyncio.run(open_table(house, "T1", filed, 0, person="Flora"))
    assert "meter/big" in house.recorder.streams()


def test_601a_2_a_meter_keeps_its_terms() -> None:
    """Neither a table that shares the meter nor the table itself, when reopened, may change the terms filed for it."""
    (wager,) = offer_of(submission("641a")).progressives
    for linked, other in ((f'"{wager}" = "big"', "T2"), ("", "T1")):
        house, text = House(MemoryRecorder(), Clock()), submission("641a", linked=linked)
        changed = re.sub(r"^seed = \d+", "seed = 50000", text, flags=re.M)
        assert offer_of(changed).progressives[wager] != offer_of(text).progressives[wager]
        asyncio.run(open_table(house, "T1", text, 0, person="Flora"))
        asyncio.run(house.execute("T1", say.CloseTable(), "floorperson", person="Flora"))
        with pytest.raises(Refusal, match="terms other than"):
            asyncio.run(open_table(house, other, changed, 0, person="Flora"))
        asyncio.run(open_table(house, other, text, 0, person="Flora"))


def test_a_secret_has_one_spelling() -> None:
    table = State(submission=submission("680a"))
    order = tuple(str(card) for card in deck(table.rules.decks.jokers))
    assert committed(table, SealedDeck(order, "ab" * 32))
    for secret in ("AB" * 32, "ab " * 21 + "a", "zz" * 32):
        with pytest.raises(Refusal, match="32 bytes"):
            committed(table, SealedDeck(order, secret))


def test_a_snapshot_that_is_not_text_is_not_used() -> None:
    recorder = MemoryRecorder()
    house = House(recorder, Clock())
    asyncio.run(open_table(house, "T1", submission("680a"), 500, person="Flora"))
    recorder.save_snapshot("table/T1", 1, b'{"head":"\xff","state":{}}')
    assert House(recorder, Clock()).table("T1").state == house.table("T1").state


@pytest.mark.parametrize("problem", [NotRecorded("The disk is full."), Unknown("The connection was lost.")])
def test_a_snapshot_that_cannot_be_saved_does_not_fail_the_command(problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is in the log, so it must not be reported as failed. The next snapshot comes at its usual time, not with every command."""
    house = House(MemoryRecorder(), Clock(), snapshot_every=2)
    tried: list[int] = []

    def fail(stream: str, version: int, state: bytes) -> None:
        tried.append(version)
        raise problem

    monkeypatch.setattr(house.recorder, "save_snapshot", fail)
    asyncio.run(open_table(house, "T1", submission("680a"), 500, person="Flora"))
    for seat in range(1, 6):
        reply = asyncio.run(house.execute("T1", say.Sit(seat=seat, player=f"Ann {seat}"), "floorperson", person="Flora"))
        assert house.recorder.head("table/T1")[0] == reply.version
    assert tried == [2, 4, 6]
    asyncio.run(open_table(house, "T2", submission("680a"), 500, person="Flora"))
    asyncio.run(open_table(house, "T3", submission("680a"), 500, person="Flora"))
    asyncio.run(house.close())
    assert len(tried) == 4, "where one is not kept, the others are not tried"


DEEP = b'{"at":' + b"[" * 100_000 + b"]" * 100_000 + b"}"  # more levels than a decoder goes down


@pytest.mark.parametrize("body", [b"{}", DEEP], ids=["empty", "deep"])
def test_a_damaged_meter_does_not_open_and_says_where(body: bytes) -> None:
    recorder = MemoryRecorder()
    stream = "meter/T1/Progressive Payout Wager"
    recorder.append([Unit((follow(stream, 1, genesis(stream), body),))])
    with pytest.raises(Damaged, match=f"{stream}, version 1"):
        asyncio.run(open_table(House(recorder, Clock()), "T1", submission("641a"), 500, person="Flora"))


def test_an_entry_that_no_decoder_reads_is_damage() -> None:
    recorder = MemoryRecorder()
    recorder.append([Unit((follow(stream, 1, genesis(stream), DEEP),)) for stream in ("table/T1", "people")])
    assert newest_time(recorder) == 0
    with pytest.raises(Damaged, match="table/T1, version 1: not a table event"):
        House(recorder, Clock()).table("T1")
    with pytest.raises(Damaged, match="people, version 1: not an event of this register"):
        People(recorder).catch_up()


def test_a_fold_that_fails_closes_the_table_and_the_log_stays_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = MemoryRecorder()
    house = House(recorder, Clock())
    asyncio.run(open_table(house, "T1", submission("680a"), 500, person="Flora"))
    keeper, sit = house.table("T1"), say.Sit(seat=1, player="Ann")

    def trip(*_: object) -> None:
        keeper.state.version += 1
        raise ZeroDivisionError("a fault of the fold")

    monkeypatch.setattr("croupier.floor.house.house.apply", trip)
    with pytest.raises(Damaged, match="table/T1, version 2: a fault of the fold"):
        asyncio.run(house.execute("T1", sit, "floorperson", "k", "Flora"))
    monkeypatch.undo()
    with pytest.raises(Damaged):
        asyncio.run(house.execute("T1", say.Sit(seat=2, player="Bob"), "floorperson", person="Flora"))
    asyncio.run(house.close())
    assert recorder.snapshot("table/T1") is None
    assert recorder.head("table/T1")[0] == 2
    mended = House(recorder, Clock())
    assert mended.table("T1").state.players == {1: "Ann"}
    assert asyncio.run(mended.execute("T1", sit, "floorperson", "k", "Flora")).version == 2
