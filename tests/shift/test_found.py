"""What the night shift found, each as the shortest round that shows it."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from croupier.floor.house import House, open_table
from croupier.ledger import MemoryRecorder, NotRecorded
from croupier.shift.faults import Faults
from croupier.shift.orders import Fault
from croupier.table import commands as say
from croupier.table.events import read, write
from croupier.table.folding import apply
from croupier.table.state import Phase, State
from tests.shift.dealt import Dealt


def test_a_folded_player_who_leaves_does_not_stop_the_collection() -> None:
    table = Dealt("682a")
    table.seat(1, 2, 3)
    for seat in (1, 2, 3):
        table.wager(seat, Ante_Wager=5_00)
    table.deal()
    table.do(say.Decide(seat=1, choice="fold"), "player:1")
    table.do(say.Decide(seat=2, choice="fold"), "player:2")
    table.do(say.Leave(seat=1), "player:1")
    table.do(say.Decide(seat=3, choice="raise 1x"), "player:3")
    event = table.do(say.CollectForfeited(), "dealer")
    assert [line.stake for line in event.then.lines] == [5_00]


def test_a_device_that_fails_during_the_settlement_asks_for_no_count_of_the_stub() -> None:
    table = Dealt("649a", dealing={"method": "hand", "decks": 1})
    table.seat(1, 2)
    for _ in range(4):
        table.wager(1, Ante_Wager=5_00)
        table.deal()
        table.do(say.Decide(seat=1, choice="fold"), "player:1")
        table.go()
    for seat in (1, 2):
        table.wager(seat, Ante_Wager=5_00)
    table.deal()
    for seat in (1, 2):
        table.do(say.Decide(seat=seat, choice="play"), f"player:{seat}")
    table.go(until=say.SettleSeat)
    table.do(say.SettleSeat(seat=2), "dealer")
    table.do(say.RaiseIrregularity(irregularity="Device out of order", device="automated card shuffling device"), "dealer")
    table.go()
    assert table.state.phase is Phase.BETTING


def test_a_state_from_the_log_is_the_live_one_to_the_byte() -> None:
    table = Dealt("649a", "2019-11-02")
    linked = {"Three-Card Progressive Payout Wager": "b", "5 of 6 Progressive Payout Wager": "a"}
    opened = table.events[0]
    command = msgspec.structs.replace(opened.command, linked=linked)
    live, again = State(), State()
    apply(live, msgspec.structs.replace(opened, command=command))
    apply(again, read(write(msgspec.structs.replace(opened, command=command))))
    assert msgspec.json.encode(live) == msgspec.json.encode(again)


def test_a_repetition_on_a_full_disk_gets_the_answer_that_is_written() -> None:
    async def scene() -> None:
        table = Dealt("649a")
        recorder = MemoryRecorder()
        house, faults = House(recorder), Faults(recorder)
        await open_table(house, "T", table.state.submission, 0)
        first = await house.execute("T", say.Fill(amount=100), "floorperson", "once")
        faults.planned = {"once": Fault.FULL, "twice": Fault.FULL}
        assert await house.execute("T", say.Fill(amount=100), "floorperson", "once") == first
        with pytest.raises(NotRecorded):
            await house.execute("T", say.Fill(amount=100), "floorperson", "twice")

    asyncio.run(scene())


def test_a_magic_card_bonus_is_paid_to_the_game_account() -> None:
    table = Dealt("649a", "2019-11-02", system={"magic_card": 1, "lucky": 0})
    table.seat(1)
    table.do(say.FundGameAccount(seat=1, amount=5_00), "player:1")
    table.wager(1, Ante_Wager=5_00)
    table.do(say.PlaceWager(seat=1, wager="Five Card Hand Bonus Wager: player", amount=1_00), "player:1")
    table.deal()
    assert table.state.round
    table.do(say.DrawBonus(magic_card=table.state.round.hands[1][0].card), "device")
    table.do(say.Decide(seat=1, choice="play"), "player:1")
    table.go(until=say.SettleSeat)
    event = table.do(say.SettleSeat(seat=1), "dealer")
    bonus = next(line for line in event.then.lines if line.wager == "Magic Card Bonus")
    assert bonus.source == "game account"
    assert ("table inventory", "seat 1 game account", bonus.pays) in {(m.source, m.target, m.cents) for m in event.then.moves}


def test_a_deck_that_goes_in_mid_round_leaves_the_other_in_play() -> None:
    table = Dealt("649a", dealing={"method": "hand", "decks": 2})
    table.seat(1)
    for _ in range(2):
        assert not table.state.round
        table.wager(1, Ante_Wager=5_00)
        table.deal()
        if table.state.rounds == 2:
            table.do(say.RaiseIrregularity(irregularity="Device counts a wrong number of cards", deck="red"), "dealer")
        table.do(say.Decide(seat=1, choice="play"), "player:1")
        table.go()
    assert table.state.phase is Phase.BETTING
