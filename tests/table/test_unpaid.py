"""The table game system frees a seat without money, or one whose player is away. The house holds the player's chips."""

from __future__ import annotations

import msgspec
import pytest

from croupier.floor.surveillance.narration import sentence
from croupier.law.cite import Refusal
from croupier.money import show_money
from croupier.table import commands as say
from croupier.table.accounts import kept_for
from croupier.table.fold import apply
from croupier.table.state import State
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
    pit.tip(by="player:1", seat=1, amount=100)  # other events do not restart the time
    assert pit.state.unpaid == {2: at}
    pit.buy_in(by="player:2", seat=2, amount=1000)
    assert pit.state.unpaid == {}
    at = pit.tip(by="player:2", seat=2, amount=1000).at
    assert pit.state.unpaid == {2: at}
    pit.do(LEAVE, "device")
    assert pit.state.unpaid == {}


@pytest.mark.parametrize("by", ["dealer", "surveillance"])
def test_no_one_else_may_free_a_seat(by: str) -> None:
    pit = Pit(find("649a")).seat(1)
    pit.sit(by="player:2", seat=2, player="Bob")
    assert pit.verify(LEAVE, by)


def away(pit: Pit, seat: int) -> say.Leave:
    return say.Leave(seat=seat, away_since=pit.state.away[seat])


def test_the_chips_of_a_player_who_is_away_are_kept_until_they_sit_down_again() -> None:
    pit = Pit(find("649a")).seat(1, 2).ready()
    held, account = pit.state.balance("seat 2 chips"), pit.state.balance("seat 2 game account")
    assert account
    event = pit.do(away(pit, 2), "device")
    assert pit.state.players == {1: "Player 1"}
    assert (pit.state.balance("seat 2 chips"), pit.state.balance("seat 2 game account")) == (0, 0)
    assert pit.state.balance("kept for “Player 2”") == held + account
    assert (
        sentence(event, None)
        == f"Seat 2 is free again: its player was away. The house is holding their {show_money(held + account)}."
    )
    pit.sit(by="player:2", seat=2, player="Somebody")
    assert pit.state.balance("seat 2 chips") == 0, "not for others, in whichever seat"
    pit.sit(by="player:5", seat=5, player="Player 2")
    assert pit.state.balance("seat 5 chips") == held + account
    assert "kept for “Player 2”" not in pit.state.accounts
    again = State()
    for event, orders in zip(pit.events, pit.secrets, strict=True):
        apply(again, event, orders)
    assert msgspec.json.encode(again) == pit.bytes(), "and after a restart"


def test_chips_are_kept_while_the_table_is_closed() -> None:
    pit = Pit(find("641a")).seat(2).ready()
    held = pit.state.balance("seat 2 chips")
    pit.do(away(pit, 2), "device")
    opened = pit.events[0].command
    pit.do(say.CloseTable(), "floorperson")
    assert pit.state.balance("kept for “Player 2”") == held
    pit.do(opened, "floorperson")
    pit.sit(by="player:1", seat=1, player="Player 2")
    assert pit.state.balance("seat 1 chips") == held


def test_a_player_with_a_wager_on_the_table_is_not_away() -> None:
    pit = Pit(find("641a")).seat(1, 2).ready()
    pit.bet(1, ante=10)
    refusal = pit.verify(away(pit, 1), "device")
    assert isinstance(refusal, Refusal)
    assert (refusal.said, refusal.accepted) == ("seat 1 has a wager on the table", "after the round")
    at = pit.state.away[2]
    pit.lock()
    assert pit.verify(away(pit, 1), "device")
    assert pit.state.away[1] == pit.state.time, "the time begins after the round"
    assert pit.state.away[2] == at, "who does not play is away since they last acted"
    assert pit.verify(away(pit, 2), "device") is None


def test_a_player_who_has_just_acted_keeps_the_seat() -> None:
    pit = Pit(find("649a")).seat(1)
    leave = away(pit, 1)
    pit.tip(by="player:1", seat=1, amount=100)
    refusal = pit.verify(leave, "device")
    assert isinstance(refusal, Refusal)
    assert refusal.said == "the player at seat 1 has acted since then"
    assert pit.verify(away(pit, 1), "device") is None


@pytest.mark.parametrize("by", ["player:1", "floorperson"])
def test_no_one_else_says_who_is_away(by: str) -> None:
    pit = Pit(find("649a")).seat(1)
    refusal = pit.verify(away(pit, 1), by)
    assert isinstance(refusal, Refusal)
    assert refusal.said == "only the table game system can report a player as away"


@pytest.mark.parametrize("name", ["a layout", "b chips", "c game account", "”"])
def test_a_name_does_not_make_another_account_of_what_is_kept(name: str) -> None:
    assert not kept_for(name).endswith((" layout", " chips", " game account"))
    assert kept_for(name) != kept_for(name + "”")
