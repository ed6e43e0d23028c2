"""What surveillance and administrator pages share in one server process."""

from __future__ import annotations

import asyncio

from croupier.floor.premises import Premises
from croupier.web.live.surveillance_room import Room
from croupier.web.security.guards import UserRequest, address_of
from croupier.web.workers.odds_worker import Edges
from croupier.web.workers.print_worker import PrintShop

WAIT = 8.0  # seconds before the answer is “not ready yet”


class BackOffice:
    def __init__(self, premises: Premises, edges: Edges) -> None:
        self.room = Room(premises, edges)
        self.shop = PrintShop(edges)

    def stop(self) -> None:
        """End live views at once. `close` cancels printing."""
        self.room.stop()

    async def close(self) -> None:
        self.room.close()
        await self.shop.stop()


async def note(premises: Premises, request: UserRequest, what: str, table: str = "", version: int = 0) -> None:
    """Write a line to the audit: who did what, and from where."""
    session = request.user
    await asyncio.to_thread(premises.audit.note, session.name, session.role, what, table, version, address_of(request))
