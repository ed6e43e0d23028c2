"""Things that go wrong in the middle of a round and must not stop it."""

from __future__ import annotations

import asyncio
from random import Random

from croupier.floor.dealer.automatic_dealer import PracticeStaff
from croupier.floor.house.house import House, open_table
from croupier.floor.house.shuffle import Seeded
from croupier.ledger import MemoryRecorder
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.events import Event
from croupier.table.rules.round_play import pending
from croupier.table.state import Phase
from tests.floor.play import Clock, Evening, submission


async def evening(game: str) -> Evening:
    house = House(MemoryRecorder(), Clock())
    await open_table(house, "T1", submission(game), dollars(100_000), person="Flora")
    started = Evening(house, "T1", Random(7), PracticeStaff(Seeded(7)), mishaps=False)
    await started.arrive()
    return started


async def finish(game: Evening) -> None:
    number = game.state.rounds
    while game.state.rounds == number:
        await game.step()


def test_649a_5_the_deck_in_the_shuffler_goes_while_the_other_is_in_play() -> None:
    async def play() -> None:
        game = await evening("649a")
        while not (game.state.round and game.state.round.deck == 1 and game.state.phase is Phase.COMPLETING):
            await game.step()
        wrong = say.RaiseIrregularity(irregularity="Device counts a wrong number of cards", deck="red")
        assert await game.do("dealer", wrong)
        await finish(game)
        assert {deck.name for deck in game.state.decks} == {"red", "blue"}

    asyncio.run(play())


def test_649a_7_b_a_player_folds_and_leaves_before_the_forfeited_wagers_are_collected() -> None:
    async def play() -> None:
        game = await evening("649a")
        while not (game.state.round and pending(game.state, game.state.round)[:1] and game.state.phase is Phase.COMPLETING):
            await game.step()
        assert game.state.round
        box = pending(game.state, game.state.round)[0]
        by = f"player:{game.state.boxes[box]}"
        assert await game.do(by, say.Decide(seat=box, choice="fold"))
        assert await game.do(by, say.Leave(seat=game.state.boxes[box]))
        await finish(game)

    asyncio.run(play())


def test_649a_11_b_the_log_does_not_tell_what_a_folded_hand_was() -> None:
    async def play() -> None:
        game = await evening("649a")
        collected = list[Event]()
        game.house.listeners.append(lambda table, version, event: collected.append(event))
        while game.state.rounds < 12:
            await game.step()
        lines = [line for event in collected if isinstance(event.command, say.CollectForfeited) for line in event.then.lines]
        assert lines
        assert not any(line.hand for line in lines)

    asyncio.run(play())
