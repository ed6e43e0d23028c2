"""How fast a house runs: commands per second in memory and on disk, and how long a table takes to recover."""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Callable
from itertools import combinations, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import msgspec
import uvloop

from croupier import book
from croupier.filing.template import example_submission as template
from croupier.floor.dealer.automatic_dealer import PERSONS, PracticeStaff
from croupier.floor.house.house import House, TableKeeper, open_table
from croupier.floor.house.shuffle import Seeded
from croupier.law.procedure import Act, Setting
from croupier.law.ranking import shape_of
from croupier.ledger import Unit, open_recorder
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.rules.round_play import pending
from croupier.table.state import Phase, State, cards_of

GAMES = tuple(book.MODULES)
SEATS = 4
OPENER = dollars(200_000)
Action = tuple[str, Command]


def actions(state: State, dealer: PracticeStaff, random: Random, wagers: list[Action], *, at: int) -> Action:
    """What happens next at a busy table: its players always bet, and decide at random."""
    if action := dealer.next(state, at):
        return action
    if state.phase is Phase.BETTING:
        return _wager(state, dealer, wagers)
    assert state.round is not None
    box, stage = pending(state, state.round)[0], state.stages[state.round.stage]
    if stage.act is Act.SET:
        five, setting = cards_of(state.round.hands[box]), state.rules.of(Setting)[0]
        which = next(c for c in combinations(range(1, 6), 3) if setting.allows(five, tuple(five[n - 1] for n in c)))
        return f"player:{box}", say.SetHand(seat=box, cards=which)
    assert stage.decision is not None
    return f"player:{box}", say.Decide(seat=box, choice=random.choice(stage.decision.choices).word)


def _wager(state: State, dealer: PracticeStaff, wagers: list[Action]) -> Action:
    laid = sum(map(len, state.stakes.values()))
    if laid:
        done = next(
            (n for n, (_, action) in enumerate(wagers) if isinstance(action, say.PlaceWager) and not _lies(state, action)), None
        )
        return dealer.no_more_bets(state) if done is None else wagers[done]
    for seat in state.players:
        if state.balance(f"seat {seat} chips") < dollars(2_000):
            return f"player:{seat}", say.BuyIn(seat=seat, amount=dollars(10_000))
        if "Five Card Hand Bonus Wager" in state.offer.wagers and state.balance(f"seat {seat} game account") < dollars(20):
            return f"player:{seat}", say.FundGameAccount(seat=seat, amount=dollars(500))
    return wagers[0]


def _lies(state: State, action: say.PlaceWager) -> bool:
    lying = state.stakes.get(action.seat, {})
    return action.wager in lying or any(state.rules.wagers[key].group == action.wager for key in lying)


def all_wagers(state: State) -> list[Action]:
    """Every wager that the table offers, for every seat."""
    made: dict[tuple[int, str], Action] = {}
    for seat in range(1, SEATS + 1):
        for wager in state.rules.wagers.values():
            if not wager.made_by_decision and state.offer.offers(wager):
                terms, name = state.offer.progressives.get(wager.name), wager.group or wager.key
                amount = terms.amount if terms else dollars(1) if wager.amounts and wager.amounts.fixed else dollars(10)
                made[seat, name] = (f"player:{seat}", say.PlaceWager(seat=seat, wager=name, amount=amount))
    return list(made.values())


async def play(house: House, name: str, game: str, seed: int, last: Callable[[State, int], bool]) -> list[Action]:
    """Open a busy table and play until the last command. Return the commands in order."""
    await open_table(house, name, submission(game), OPENER, person="Flora")
    state, dealer, random, played = house.table(name).state, PracticeStaff(Seeded(seed)), Random(seed), list[Action]()
    for seat in range(1, SEATS + 1):
        played.append(("floorperson", say.Sit(seat=seat, player=f"{name} {seat}")))
        await house.execute(name, played[-1][1], "floorperson", person="Flora")
    wagers = all_wagers(state)
    while not last(state, len(played)):
        by, command = actions(state, dealer, random, wagers, at=house.clock())
        played.append((by, command))
        await house.execute(name, command, by, f"{name}/{len(played)}", PERSONS.get(by, ""))
    return played


def submission(game: str) -> str:
    return template(book.find(game).edition())


def rehearse(tables: int, commands: int) -> dict[str, tuple[str, list[Action]]]:
    """Work out each table's game and this many of its commands in advance, so that the house is measured, not its guests."""

    async def rehearsed() -> list[list[Action]]:
        house = House(open_recorder("memory:"))
        return [await play(house, f"T{n}", GAMES[n % len(GAMES)], n, lambda _, done: done >= commands) for n in range(tables)]

    return {f"T{n}": (GAMES[n % len(GAMES)], script) for n, script in enumerate(asyncio.run(rehearsed()))}


class Rate(NamedTuple):
    """Durable commands per second, and the CPU time of each, including the ledger's thread."""

    a_second: float
    microseconds: float


class Measured(NamedTuple):
    """The best of several rounds, and the median share of the in-memory rate measured in the same round."""

    best: Rate
    of_alone: float
    of_in_turn: float


async def rate(url: str, scripts: dict[str, tuple[str, list[Action]]], *, in_turn: bool = False) -> Rate:
    """All tables at once, each as fast as it gets answers, and all busy to the end.

    In memory a table never waits, and would play to its end before the next starts, with everything it needs in the CPU
    cache. `in_turn` makes the tables take turns, as they do when they wait for a disk.
    """
    recorder = open_recorder(url)
    house = House(recorder)
    for name, (game, _) in scripts.items():
        await open_table(house, name, submission(game), OPENER, person="Flora")
    shape_of.cache_clear()  # the rehearsal has looked at the same hands
    gc.collect()
    gc.set_threshold(100_000)  # as the command line does
    start, start_of_work, before = time.perf_counter(), time.process_time(), os.times()
    await asyncio.gather(*(_perform(house, name, script, in_turn) for name, (_, script) in scripts.items()))
    elapsed, work = time.perf_counter() - start, time.process_time() - start_of_work
    await house.close()
    recorder.close()
    ended = os.times()
    work += ended.children_user + ended.children_system - before.children_user - before.children_system
    commands = sum(len(script) for _, script in scripts.values())
    return Rate(commands / elapsed, 1e6 * work / commands)


async def _perform(house: House, name: str, script: list[Action], in_turn: bool) -> None:
    for number, (by, command) in enumerate(script):
        await house.execute(name, command, by, f"{name}/{number}", PERSONS.get(by, ""))
        if in_turn:
            await asyncio.sleep(0)


ALONE, IN_TURN = "memory, one table after another", "memory, tables in turn"
SQLITE, POSTGRES = "SQLite, synchronous FULL", "PostgreSQL, synchronous commit"


def rates(postgres: Callable[[], str] | None = None, tables: int = 64, commands: int = 150, times: int = 22) -> dict[str, Measured]:
    """Measure each in turn, back and forth, several times: other programs use the machine too, and each run leaves garbage behind."""
    scripts = rehearse(tables, commands)
    order = [ALONE, IN_TURN, SQLITE, *([POSTGRES] if postgres else [])]
    rounds = []
    for number in range(times):
        rounds.append({where: _rate(where, scripts, postgres) for where in order[:: 1 if number % 2 else -1]})
    return {where: _measured(where, rounds) for where in order}


def _measured(where: str, rounds: list[dict[str, Rate]]) -> Measured:
    of_alone, of_in_turn = (
        median(found[where].a_second / found[memory].a_second for found in rounds) for memory in (ALONE, IN_TURN)
    )
    return Measured(max(found[where] for found in rounds), of_alone, of_in_turn)


def _rate(where: str, scripts: dict[str, tuple[str, list[Action]]], postgres: Callable[[], str] | None) -> Rate:
    """On the event loop that the server uses."""
    with tempfile.TemporaryDirectory() as folder:
        if where == SQLITE:
            return uvloop.run(rate(str(Path(folder) / "bench.db"), scripts))
        if where == POSTGRES and postgres:
            return uvloop.run(rate(postgres(), scripts))
        return uvloop.run(rate("memory:", scripts, in_turn=where == IN_TURN))


def recovery(rounds: int = 10_000) -> dict[str, float]:
    """Seconds until a table with this many rounds has recovered, with and without its snapshot. The states must be equal."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "long.db")
        asyncio.run(_long_table(path, rounds))
        states, seconds = [], {}
        for how in ("with a snapshot", "from the first event"):
            recorder = open_recorder(path)
            house = House(recorder)
            start = time.perf_counter()
            if how == "with a snapshot":
                keeper = house.table("T1")
            else:
                keeper = TableKeeper("table/T1")
                house.catch_up(keeper)
            seconds[how] = time.perf_counter() - start
            states.append(msgspec.json.encode(keeper.state))
            recorder.close()
        assert states[0] == states[1]
        return seconds


async def _long_table(path: str, rounds: int) -> None:
    """Play in memory and copy what was written: on disk, a single table would wait for every command."""
    memory, recorder = open_recorder("memory:"), open_recorder(path)
    await play(House(memory), "T1", "649a", 1, lambda state, _: state.rounds >= rounds and state.round is None)
    for stream in memory.streams():
        entries = memory.read(stream)
        while some := tuple(islice(entries, 1000)):
            recorder.append([Unit(some)])
        if kept := memory.snapshot(stream):  # as after a crash: not that of the last event
            recorder.save_snapshot(stream, *kept)
    recorder.close()


if __name__ == "__main__":
    for where, (best, of_alone, of_in_turn) in rates().items():
        work = f"{best.microseconds:.0f} µs of work each"
        print(f"{where}: {best.a_second:,.0f} commands a second, {of_alone:.0%} and {of_in_turn:.0%} of memory, {work}")
