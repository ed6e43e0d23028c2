"""Seats without money. A seat is freed if its player does not buy in for a while, counted by the times in the log."""

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

log = logging.getLogger("croupier.floor")
SECONDS = 300  # that a seat is kept without money, unless the settings differ
LOOK = 1.0  # seconds between two checks


class Unpaid:
    def __init__(self, house: House, claims: Claims, seconds: int = SECONDS) -> None:
        self.house, self.claims, self.seconds = house, claims, seconds
        self._stopping = asyncio.Event()

    def until(self, table: str, seat: int) -> int | None:
        """When a seat is freed unless its player buys in; None if there is money on it or seats are never freed."""
        since = self.house.tables[table].state.unpaid.get(seat)
        return None if since is None or not self.seconds else since + 1000 * self.seconds

    def players(self) -> Iterator[str]:
        """The players of all seats without money, at every table."""
        for keeper in self.house.tables.values():
            yield from (keeper.state.players[seat] for seat in keeper.state.unpaid)

    async def run(self) -> None:
        """Free each seat whose time is up."""
        while not self._stopping.is_set():
            for table, seat in self._over(self.house.clock()):
                await self._free(table, seat)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), LOOK)

    def stop(self) -> None:
        """Stop after the seat that is being freed."""
        self._stopping.set()

    def _over(self, now: int) -> list[tuple[str, int]]:
        seats = [(table, seat) for table, keeper in self.house.tables.items() for seat in keeper.state.unpaid]
        return [each for each in seats if (until := self.until(*each)) is not None and until <= now]

    async def _free(self, table: str, seat: int) -> None:
        if not self.claims.take(table):  # another process does
            return
        try:
            await self.house.execute(table, Leave(seat=seat), Role.DEVICE, person=TABLE_GAME_SYSTEM)
        except Refusal:  # the player has just bought in or left
            return
        except (Conflict, NotRecorded, Unknown, Unreadable, Damaged) as problem:
            log.warning("not written", extra={"table": table, "command": "leave", "reason": str(problem)})
