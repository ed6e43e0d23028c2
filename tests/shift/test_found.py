"""Bugs the night shift found, each as the shortest round that shows it."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import msgspec
import pytest

from croupier.floor.house.house import House, open_table
from croupier.ledger import MemoryRecorder, NotRecorded
from croupier.shift.audit.cards import AuditedCards, SealedPart
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.audit.meters import AuditedMeter
from croupier.shift.script import Fault
from croupier.shift.table_signs import signs_of
from croupier.shift.writers.writer import Faults
from croupier.table import commands as say
from croupier.table.engine import secrets_of
from croupier.table.events import Event, read_event, write_event
from croupier.table.fold import apply
from croupier.table.meters import MeterMove, MeterState
from croupier.table.state import Phase, State
from tests.shift.dealt import Dealt
from tests.table.pit import STAYS, find, opened


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
    apply(again, read_event(write_event(msgspec.structs.replace(opened, command=command))))
    assert msgspec.json.encode(live) == msgspec.json.encode(again)


def test_a_retry_on_a_full_disk_gets_the_recorded_answer() -> None:
    async def scene() -> None:
        table = Dealt("649a")
        recorder = MemoryRecorder()
        house, faults = House(recorder), Faults(recorder)
        await open_table(house, "T", table.state.submission, 0, person="Flora")
        first = await house.execute("T", say.Fill(amount=100), "floorperson", "once", "Flora")
        faults.planned = {"once": Fault.FULL, "twice": Fault.FULL}
        assert await house.execute("T", say.Fill(amount=100), "floorperson", "once", "Flora") == first
        with pytest.raises(NotRecorded):
            await house.execute("T", say.Fill(amount=100), "floorperson", "twice", "Flora")

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
    table.do(say.SettleSeat(seat=1), "dealer")
    table.go(until=say.SettleSeat)  # the community cards are turned for it
    event = table.do(say.SettleSeat(seat=1), "dealer")
    bonus = next(line for line in event.then.lines if line.wager == "Magic Card Bonus")
    assert bonus.source == "game account"
    assert ("table inventory", "seat 1 game account", bonus.pays) in {(m.source, m.target, m.cents) for m in event.then.moves}


def test_a_deck_removed_during_a_round_leaves_the_other_in_play() -> None:
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


def test_a_deck_shuffled_by_hand_is_cut_though_the_device_is_back() -> None:
    """The device that reshuffles automatically did not shuffle these cards, so 5(c)(2) requires a cut."""
    table = Dealt("649a", dealing={"method": "hand", "shuffler": True, "reshuffles": True, "decks": 1})
    device = "automated card shuffling device"
    table.do(say.RaiseIrregularity(irregularity="Device out of order", device=device), "dealer")
    table.do(say.UseMethod(method="manual shoe", shuffler=False), "floorperson")
    table.do(say.Sit(seat=1, player="P1"), "player:1")
    table.go(until=say.CutDeck)
    table.do(say.ReturnDevice(device=device), "floorperson")
    table.do(say.UseMethod(method="hand", shuffler=True), "floorperson")
    assert table.state.reshuffles
    assert [deck.condition for deck in table.state.decks] == ["shuffled"]
    table.go()
    assert [(deck.condition, deck.was_cut) for deck in table.state.decks] == [("ready", True)]
    refusal = table.verify(say.CutDeck(deck=table.state.decks[0].name, depth=20), "dealer")
    assert refusal
    assert "5(g)" in str(refusal)


def test_a_share_of_a_meter_that_holds_nothing_needs_no_papers() -> None:
    """Nothing is paid at the cage, so no hand waits for papers. The floorperson has still validated it.

    Box 2 wins the whole meter, which restarts at zero. Box 1 wins a tenth of that.
    """
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet(1, ante=10, on_player=1).bet(2, ante=10, on_player=1)
    pit.stack({1: "9s 8s 7s", 2: "As Ks Qs"}, dealer="2c 5d 9h", community="Ts Js").lock()
    pit.finish(STAYS)
    settled = [event.then for event in pit.events if event.event == "wagers settled"]
    shares = [[(line.odds, line.pays > 0) for line in each.lines if line.source == "meter"] for each in settled]
    assert shares == [[], [("100% of meter", True)], [("10% of meter", False)]]
    assert [bool(each.papers) for each in settled] == [False, True, False]
    names = [event.event for event in pit.events]
    assert (names.count("progressive validated"), names.count("papers completed")) == (2, 1)


@pytest.mark.parametrize(
    ("shown", "left", "cage"),
    [
        (0, 0, 15),  # it restarts only after the winner's round
        (10, 0, 5),
        (5_000_00, 5_000_00, 15),  # it has restarted
        (5_000_10, 5_000_00, 5),
        (5_000_15, 5_000_00, 0),
        (4_500_00, 4_499_85, 0),  # a tenth of it was won
    ],
)
def test_a_void_round_takes_nothing_back_that_another_table_has_won(shown: int, left: int, cage: int) -> None:
    pit = opened(find("641a"), "automated shoe", 1)
    wager = "Progressive Payout Wager"
    pit.bet(1, ante=10, progressive=1).lock()
    assert pit.meters[wager] == MeterState(5_000_15)
    pit.meters[wager] = MeterState(shown)  # what the other table has left
    pit.deal_cards(by="dealer")
    inventory = pit.state.balance("table inventory")
    event = pit.raise_irregularity(by="dealer", irregularity="More than one card face up")
    assert event.then.meters == {wager: MeterMove(wagered=-1_00, contributed=-15, reseeded=cage)}
    assert pit.meters[wager] == MeterState(left)
    assert pit.state.balance("seat 1 chips") == 10_000_00
    assert pit.state.balance("table inventory") == inventory - 1_00 + 15
    assert sum(move.cents for move in event.then.moves if move.source == "cage") == cage
    assert sum(pit.state.accounts.values()) == 0


@pytest.mark.parametrize(("shown", "cage"), [(0, 0), (0, 14), (5_000_00, 0), (5_000_00, 16), (5_000_15, 15)])
def test_the_auditor_knows_what_the_cage_makes_good(shown: int, cage: int) -> None:
    terms = {"rate": "3/20", "reserve": "0", "seed": 5_000_00, "reseed": 5_000_00}
    book = AuditedMeter("meter/T", terms, Counter(wagered=1_00, drawn=5_000_15 - shown))
    move = {"wagered": -1_00, "contributed": -15, "reseeded": cage}
    with pytest.raises(AuditFinding, match="from the cage"):
        book.post({"move": move, "meter": {"amount": shown - 15 + cage, "reserve": 0}})


class Watched(Dealt):
    """A table whose cards the auditor follows."""

    def __init__(self, *choices: Any, **more: Any) -> None:
        self.cards = AuditedCards()
        super().__init__(*choices, **more)

    def do(self, command: say.Command, by: str, person: str = "") -> Event:
        event = super().do(command, by, person)
        self.cards.signs = signs_of(self.state.submission)
        orders = msgspec.to_builtins(secrets_of(command))
        self.cards.post(msgspec.json.decode(write_event(event)), SealedPart(sealed={"orders": orders}, orders=orders))
        return event


def test_4_b_a_deck_that_arrives_after_another_is_verified_is_spread_as_new() -> None:
    """The blue deck is spread for its first player while the red one is still to be inspected. This is not the spread of an idle table."""
    table = Watched("649a", dealing={"method": "manual shoe", "shuffler": True, "decks": 2})
    table.do(say.Sit(seat=1, player="P1"), "player:1")
    table.do(say.BuyIn(seat=1, amount=1_000_00), "player:1")
    table.do(say.ReceiveDecks(decks=("blue",)), "dealer")
    table.do(say.InspectDecks(), "dealer")
    table.do(say.VerifyInspection(), "floorperson")
    table.do(say.ReceiveDecks(decks=("red",)), "dealer")
    table.do(say.SpreadDecks(face_up=True), "dealer")
    table.do(say.ViewDecks(seat=1), "dealer")
    table.go(until=say.InspectDecks)
    table.do(say.InspectDecks(), "dealer")
    table.do(say.VerifyInspection(), "floorperson")
    table.do(say.SpreadDecks(face_up=True), "dealer")
    table.wager(1, Ante_Wager=5_00)
    assert not table.cards.counts["idle tables spread"]
