"""What the pages of surveillance and the administrator share in one server process, opened and closed with it."""

from __future__ import annotations

from croupier.floor.premises import Premises
from croupier.web.copying import Restore
from croupier.web.edges import Edges
from croupier.web.printing import PrintShop
from croupier.web.room import Room
from croupier.web.settings import Settings


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
