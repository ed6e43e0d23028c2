"""How long seats are kept, by the times in the log: a short time without money, a longer time if the player is away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress

from croupier.floor.house.house import Damaged, House
from croupier.floor.processes.claims import Claims
from croupier.floor.registers.names import TABLE_GAME_SYSTEM
from croupier.law.cite import Refusal
from croupier.ledger import Conflict, NotRecorded, Unknown, Unreadable
from croupier.table.commands import Leave, Role
from croupier.table.state import State

log = logging.getLogger("croupier.floor")
SECONDS_BETWEEN_CHECKS = 1.0  # seconds between two checks


class SeatKeeper:
    """Frees a seat without money after one time, and a seat with money whose player does nothing after another; 0 for never.

    A player who was away gets their chips when they sit down again.
    """

    def __init__(self, house: House, claims: Claims, unpaid_seconds: int, away_seconds: int) -> None:
        self.house, self.claims, self.unpaid_seconds, self.away_seconds = house, claims, unpaid_seconds, away_seconds
        self._stopping = asyncio.Event()

    def until(self, table: str, seat: int) -> int | None:
        """When a seat is freed unless its player buys in or acts; None if it is not, as during a round that they play."""
        state = self.house.tables[table].state
        if seat in state.unpaid:
            return state.unpaid[seat] + 1000 * self.unpaid_seconds if self.unpaid_seconds else None
        if seat not in state.away or seat in state.boxes.values() or not self.away_seconds:
            return None
        return state.away[seat] + 1000 * self.away_seconds

    def unpaid(self) -> Iterator[str]:
        """The players of all seats without money, at every table."""
        for keeper in self.house.tables.values():
            yield from (keeper.state.players[seat] for seat in keeper.state.unpaid)

    async def run(self) -> None:
        while not self._stopping.is_set():
            now = self.house.clock()
            for table, keeper in list(self.house.tables.items()):
                for seat in list(keeper.state.players):
                    if (until := self.until(table, seat)) is not None and until <= now:
                        await self._free(table, keeper.state, seat)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), SECONDS_BETWEEN_CHECKS)

    def stop(self) -> None:
        """Stop after the seat that is being freed."""
        self._stopping.set()

    async def _free(self, table: str, state: State, seat: int) -> None:
        if not self.claims.take(table):  # another process does
            return
        leave = Leave(seat=seat, away_since=0 if seat in state.unpaid else state.away[seat])
        try:
            await self.house.execute(table, leave, Role.DEVICE, person=TABLE_GAME_SYSTEM)
        except Refusal:  # the player has just acted or left
            return
        except (Conflict, NotRecorded, Unknown, Unreadable, Damaged) as problem:
            log.warning("not written", extra={"table": table, "command": "leave", "reason": str(problem)})
