"""What the pages of surveillance and the administrator share in one server process, opened and closed with it."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request

from croupier.floor.premises import Premises
from croupier.web.copying import Restore
from croupier.web.edges import Edges
from croupier.web.guards import ADMINISTRATOR, address_of, roles
from croupier.web.printing import PrintShop
from croupier.web.room import Room
from croupier.web.sessions import Session
from croupier.web.settings import Settings

MINE = roles(ADMINISTRATOR)
WAIT = 8.0  # seconds until an answer says that something is still being made
Asked = Request[Session, str, Any]


class BackOffice:
    def __init__(self, premises: Premises, edges: Edges, settings: Settings) -> None:
        self.room = Room(premises, edges)
        self.shop = PrintShop(edges)
        self.restore = Restore(settings)

    def stop(self) -> None:
        """Live views end at once; what is printed or verified is given up by `close`."""
        self.room.stop()

    async def close(self) -> None:
        self.room.close()
        await self.shop.stop()
        await self.restore.stop()


async def note(premises: Premises, request: Asked, what: str, table: str = "", version: int = 0) -> None:
    """A line of the audit: what the administrator did, from where."""
    session = request.user
    await asyncio.to_thread(premises.audit.note, session.name, session.role, what, table, version, address_of(request))
