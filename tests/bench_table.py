"""How fast a house runs: commands a second in memory and on disk, and how long a table takes to come back."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import msgspec

from croupier import book
from croupier.filing.template import write as template
from croupier.floor.automatic import AutomaticDealer
from croupier.floor.house import House, TableKeeper, open_table
from croupier.floor.shuffling import Seeded
from croupier.law.procedure import Act, Setting
from croupier.ledger import open_recorder
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.completing import pending
from croupier.table.state import Phase, State, cards_of

GAMES = tuple(book.MODULES)
SEATS = 4
Wish = tuple[str, Command]


def wishes(state: State, dealer: AutomaticDealer, random: Random, wagers: list[Wish], *, at: int) -> Wish:
    """What happens next at a busy table: its players always wager, and decide at random."""
    if wish := dealer.next(state, at):
        return wish
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


def _wager(state: State, dealer: AutomaticDealer, wagers: list[Wish]) -> Wish:
    laid = sum(map(len, state.stakes.values()))
    if laid:
        done = next((n for n, (_, wish) in enumerate(wagers) if isinstance(wish, say.PlaceWager) and not _lies(state, wish)), None)
        return dealer.no_more_bets(state) if done is None else wagers[done]
    for seat in state.players:
        if state.balance(f"seat {seat} chips") < dollars(2_000):
            return f"player:{seat}", say.BuyIn(seat=seat, amount=dollars(10_000))
        if "Five Card Hand Bonus Wager" in state.offer.wagers and state.balance(f"seat {seat} game account") < dollars(20):
            return f"player:{seat}", say.FundGameAccount(seat=seat, amount=dollars(500))
    return wagers[0]


def _lies(state: State, wish: say.PlaceWager) -> bool:
    lying = state.stakes.get(wish.seat, {})
    return wish.wager in lying or any(state.rules.wagers[key].group == wish.wager for key in lying)


def all_wagers(state: State) -> list[Wish]:
    """Every wager that the table offers, for every seat."""
    made: dict[tuple[int, str], Wish] = {}
    for seat in range(1, SEATS + 1):
        for wager in state.rules.wagers.values():
            if not wager.made_by_decision and state.offer.offers(wager):
                terms, name = state.offer.progressives.get(wager.name), wager.group or wager.key
                amount = terms.amount if terms else dollars(1) if wager.amounts and wager.amounts.fixed else dollars(10)
                made[seat, name] = (f"player:{seat}", say.PlaceWager(seat=seat, wager=name, amount=amount))
    return list(made.values())


async def play(house: House, name: str, game: str, rounds: int, seed: int) -> int:
    """Open a busy table and play so many rounds; how many commands that took."""
    await open_table(house, name, template(book.find(game).edition()), dollars(200_000))
    keeper: TableKeeper = house.table(name)
    state, dealer, random, commands = keeper.state, AutomaticDealer(Seeded(seed)), Random(seed), 0
    for seat in range(1, SEATS + 1):
        await house.execute(name, say.Sit(seat=seat, player=f"{name} {seat}"), "floorperson")
    wagers = all_wagers(state)
    while state.rounds < rounds or state.round is not None:
        by, command = wishes(state, dealer, random, wagers, at=house.clock())
        commands += 1
        await house.execute(name, command, by, f"{name}/{commands}")
    return commands


async def rate(url: str, tables: int, rounds: int) -> float:
    """Commands a second of so many busy tables of all games."""
    recorder = open_recorder(url)
    house = House(recorder)
    start = time.perf_counter()
    commands = await asyncio.gather(*(play(house, f"T{n}", GAMES[n % len(GAMES)], rounds, n) for n in range(tables)))
    elapsed = time.perf_counter() - start
    await house.close()
    recorder.close()
    return sum(commands) / elapsed


def rates(postgres: str = "", tables: int = 64, rounds: int = 12) -> Iterator[tuple[str, float]]:
    asyncio.run(rate("memory:", 7, 20))  # what is worked out once
    yield "memory", asyncio.run(rate("memory:", tables, rounds))
    with tempfile.TemporaryDirectory() as folder:
        yield "SQLite, synchronous FULL", asyncio.run(rate(str(Path(folder) / "bench.db"), tables, rounds))
    if postgres:
        yield "PostgreSQL, synchronous commit", asyncio.run(rate(postgres, tables, rounds))


def recovery(rounds: int = 10_000) -> dict[str, float]:
    """Seconds until a table of so many rounds is back, with and without its snapshot; the states must be the same."""
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
    recorder = open_recorder(path)
    house = House(recorder)
    await play(house, "T1", "649a", rounds, 1)
    house.tables.clear()  # as after a crash: the newest snapshot is not that of the last event
    await house.close()
    recorder.close()


if __name__ == "__main__":
    for where, each in rates():
        print(f"{where}: {each:,.0f} commands a second")
