"""The table game system frees a seat on which there is no money, and no other."""

from __future__ import annotations

import pytest

from croupier.floor.surveillance.narration import sentence
from croupier.law.cite import Refusal
from croupier.table import commands as say
from tests.table.pit import Pit, find

LEAVE = say.Leave(seat=2)


def test_a_seat_without_money_is_freed() -> None:
    pit = Pit(find("649a")).seat(1)
    pit.sit(by="player:2", seat=2, player="Bob")
    event = pit.do(LEAVE, "device")
    assert 2 not in pit.state.players
    assert (event.by, event.then.moves) == ("device", ())
    assert sentence(event, None) == "Seat 2 is free again: it had no chips."


def test_a_seat_with_chips_on_it_or_in_the_game_account_or_wagered_is_not() -> None:
    pit = Pit(find("649a")).seat(1, 2).ready()
    refusal = pit.verify(LEAVE, "device")
    assert isinstance(refusal, Refusal)
    assert (refusal.said, refusal.accepted) == ("seat 2 has money at the table", "a seat without money")
    held = pit.state.balance("seat 2 chips")
    pit.tip(by="player:2", seat=2, amount=held - 1000)
    assert pit.state.balance("seat 2 game account")
    assert pit.verify(LEAVE, "device")
    wagered = Pit(find("641a"), readings={}).seat(1).ready()
    wagered.sit(by="player:2", seat=2, player="Bob")
    wagered.buy_in(by="player:2", seat=2, amount=1000)
    wagered.bet(2, ante=10)
    assert not wagered.state.balance("seat 2 chips")
    assert wagered.verify(LEAVE, "device")
    wagered.lock()
    assert wagered.verify(LEAVE, "device")


def test_the_log_says_since_when_a_seat_has_no_money() -> None:
    pit = Pit(find("649a")).seat(1)
    at = pit.sit(by="player:2", seat=2, player="Bob").at
    assert pit.state.unpaid == {2: at}
    pit.tip(by="player:1", seat=1, amount=100)  # other events do not start the time again
    assert pit.state.unpaid == {2: at}
    pit.buy_in(by="player:2", seat=2, amount=1000)
    assert pit.state.unpaid == {}
    at = pit.tip(by="player:2", seat=2, amount=1000).at
    assert pit.state.unpaid == {2: at}
    pit.do(LEAVE, "device")
    assert pit.state.unpaid == {}


@pytest.mark.parametrize("by", ["dealer", "surveillance"])
def test_it_stays_no_act_of_others(by: str) -> None:
    pit = Pit(find("649a")).seat(1)
    pit.sit(by="player:2", seat=2, player="Bob")
    assert pit.verify(LEAVE, by)
