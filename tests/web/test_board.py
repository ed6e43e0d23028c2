"""What waits for a person at a table, including states that a floor seldom reaches."""

from __future__ import annotations

import msgspec
import pytest

from croupier.floor.registers.table_settings import TableSettings
from croupier.law.procedure import Act
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.commands import AnyCommand
from croupier.table.state import State
from croupier.web.api.staff import announcement
from croupier.web.live.board import Waiting, waiting
from croupier.web.live.table_view import brief
from tests.examples import GAMES, _with_the_examples  # noqa: F401  (a fixture)
from tests.table.pit import HOUR, SECOND, Pit, always, find, opened

PAYOUT = "Progressive Payout Wager"
MINUTE = 60 * SECOND


def waits(state: State, at: int, *, person: bool = True, practice: bool = False) -> list[Waiting]:
    return list(waiting(state, at, TableSettings("T1", dealer="person" if person else "automatic", practice=practice)))


def do(pit: Pit, wait: Waiting) -> None:
    """Send what the board offers, and check that the table grants it to the person the board names."""
    command: AnyCommand = msgspec.convert(wait.command, AnyCommand)
    pit.do(command, wait.who)


def test_an_inspection_waits_for_its_verification() -> None:
    pit = Pit(find("649a"))
    pit.receive_decks(by="dealer", decks=("red", "blue"))
    assert waits(pit.state, pit.now) == []
    pit.inspect_decks(by="dealer")
    (wait,) = waits(pit.state, pit.now)
    assert (wait.cite, wait.who, wait.when) == ("649a.4(a)", "floorperson", "now")
    assert waits(pit.state, pit.now, person=False) == [wait]  # the automatic dealer is not a floorperson
    assert waits(pit.state, pit.now, person=False, practice=True) == []  # the practice floorperson takes care of it
    assert waits(pit.state, pit.now, practice=True) == [wait]  # but works only with the automatic dealer
    do(pit, wait)
    assert waits(pit.state, pit.now) == []


def test_a_progressive_win_waits_for_the_validation_and_for_the_papers() -> None:
    """641a.11(c)(5): a win of the whole meter is validated and paid elsewhere, and the hand stays until the paperwork is done."""
    pit = opened(find("641a"), "automated shoe", 1)
    pit.bet(1, ante=10)
    pit.place_wager(by="player:1", seat=1, wager=PAYOUT, amount=dollars(1))
    pit.stack({1: "As Ah Ad Ac 2d"}, dealer="5c 7d 9h Js Kc Qd")
    pit.lock()
    pit.until(Act.SETTLE, always("play 1x", "play"))
    assert waits(pit.state, pit.now) == []  # no one has seen the hand yet
    pit.turn_hand(by="dealer", seat=1)
    (wait,) = waits(pit.state, pit.now)
    assert (wait.words, wait.who) == (f"Validate box 1's win on the {PAYOUT}", "floorperson")
    assert wait.cite.startswith("641a.11")
    do(pit, wait)
    pit.settle_seat(by="dealer", seat=1)
    (wait,) = waits(pit.state, pit.now)
    assert wait.words == "Complete the paperwork for box 1"
    do(pit, wait)
    assert waits(pit.state, pit.now) == []


@pytest.mark.parametrize(
    ("method", "hours", "cite"),
    [("automated shoe", 8, "649a.3(c)(2)"), ("manual shoe", 8, "649a.3(c)(2)"), ("hand", 4, "649a.3(c)(1)")],
)
def test_decks_are_due_in_their_time(method: str, hours: int, cite: str) -> None:
    """649a.3(c): decks dealt from the hand are changed at least every four hours, decks dealt from a shoe every eight."""
    pit = opened(find("649a"), method, 1).bet(1, ante=10)
    received = min(deck.received for deck in pit.state.decks)
    assert waits(pit.state, received + hours * HOUR - 31 * MINUTE) == []
    (soon,) = waits(pit.state, received + hours * HOUR - 29 * MINUTE)
    assert (soon.when, soon.cite, soon.command) == ("soon", cite, None)
    (late,) = waits(pit.state, received + hours * HOUR)
    assert (late.when, late.cite, late.command) == ("now", cite, {"do": "remove decks"})
    pit.lock()
    (later,) = waits(pit.state, received + hours * HOUR)
    assert later.command is None  # not during a round
    assert "after this round" in later.words


def test_649a_5_f_the_cards_of_an_idle_table_wait_for_the_dealer() -> None:
    pit = opened(find("649a"), "manual shoe", 1)
    over = pit.state.active + 5 * MINUTE
    assert waits(pit.state, over - 1) == []
    assert announcement(pit.state, over - 1) == "“Place your bets, please.”"
    (wait,) = waits(pit.state, over)
    assert (wait.words, wait.cite, wait.who) == ("The table is idle: spread the cards", "649a.5(f)", "dealer")
    assert announcement(pit.state, over) == ""
    assert waits(pit.state, over, person=False) == []  # the automatic dealer spreads them
    pit.spread_decks(by="dealer")
    assert waits(pit.state, pit.now) == []


def test_a_recut_waits_for_the_dealer() -> None:
    pit = opened(find("649a"), "manual shoe", 1)
    pit.bet(1, ante=10).lock()
    pit.order_recut(by="floorperson", deck="red", why="it was no cut at all")
    (wait,) = waits(pit.state, pit.now)
    assert (wait.cite, wait.who) == ("649a.5(e)", "dealer")
    pit.cut_deck(by="dealer", deck="red", depth=20)
    assert waits(pit.state, pit.now) == []


def test_a_device_out_of_order_waits_even_where_the_automatic_dealer_deals() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    device = "automated card shuffling device"
    pit.raise_irregularity(by="dealer", irregularity="Device out of order", device=device)
    for person in (True, False):
        (wait,) = waits(pit.state, pit.now, person=person)
        assert (wait.words, wait.cite) == (f"The {device} is out of order", "649a.13(g)")
    pit.return_device(by="floorperson", device=device)
    assert waits(pit.state, pit.now) == []


def test_a_decision_whose_time_is_over_waits() -> None:
    pit = Pit(find("649a"), decision_seconds=30).seat(1).ready()
    pit.bet(1, ante=10).lock()
    pit.until(Act.ASK)
    assert pit.state.round is not None
    asked = pit.state.round.asked_at
    assert announcement(pit.state, pit.now) == "“Box 1: play or fold?”"
    assert waits(pit.state, asked + 30 * SECOND - 1) == []
    (wait,) = waits(pit.state, asked + 30 * SECOND)
    assert (wait.cite, wait.command) == ("649a.11(b)", {"do": "lapse decision", "seat": 1})
    pit.now = asked + 30 * SECOND
    do(pit, wait)
    assert pit.state.round.decided == {1: ["timed out"]}


def test_a_low_tray_asks_for_a_fill() -> None:
    pit = Pit(find("649a"), opener=dollars(4_999)).seat()
    (wait,) = waits(pit.state, pit.now)
    assert (wait.words, wait.when) == ("The table inventory is low: $4,999", "soon")
    pit.do(say.Fill(amount=dollars(1)), "floorperson")
    assert waits(pit.state, pit.now) == []


@pytest.mark.parametrize("number", GAMES)
def test_what_the_dealer_says_is_asked_of_the_box_whose_turn_it_is(number: str) -> None:
    pit = opened(find(number), "automated shoe", 1, 3)
    assert announcement(pit.state, pit.now) == "“Place your bets, please.”"
    pit.bet_everything(1).bet_everything(3)
    assert announcement(pit.state, pit.now) == "“No more bets.”"
    pit.lock()
    assert announcement(pit.state, pit.now) == ""
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    told = announcement(pit.state, pit.now)
    assert told == "“Please set your hands.”" or told.startswith("“Box 1: ")


def test_a_table_whose_cards_are_spread_between_rounds_is_idle_not_opening() -> None:
    pit, settings = opened(find("649a"), "manual shoe", 1).round_of(1).ready(), TableSettings("T1")
    assert brief(pit.state, settings)[-1] is False
    pit.now = pit.state.active + HOUR
    pit.step()
    assert brief(pit.state, settings)[3] == "opening"
    assert brief(pit.state, settings)[-1] is True
    opening = Pit(find("649a"))
    opening.receive_decks(by="dealer", decks=("red", "blue"))
    assert brief(opening.state, settings)[-1] is False
