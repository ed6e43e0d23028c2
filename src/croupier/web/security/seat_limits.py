"""How many seats a guest and an address may take. Seats with chips do not count for the address: many guests may share one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from croupier.floor.premises import Premises
from croupier.floor.registers.register import HouseRefusal
from croupier.web.security.sessions import Session, Sessions
from croupier.web.settings import Settings


class Seats:
    def __init__(self, premises: Premises, sessions: Sessions, settings: Settings) -> None:
        self._premises, self._sessions = premises, sessions
        self._limited, self._of_guest, self._unpaid = settings.limited, int(settings.seats), int(settings.unpaid_seats)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def taking(self, session: Session, place: str) -> AsyncIterator[None]:
        """Let a guest sit down, or refuse one seat too many. Guests from one address take turns, so that each is counted."""
        if not self._limited:
            yield
            return
        async with self._turns.setdefault(place, asyncio.Lock()):
            self._verify_guest(session.name)
            await self._verify_place(place)
            yield

    def _verify_guest(self, name: str) -> None:
        mine = [table for table, keeper in self._premises.house.tables.items() if name in keeper.state.players.values()]
        if len(mine) >= self._of_guest:
            reason = f"you already have seats at {len(mine)} tables, the most a guest may have: {', '.join(mine)}"
            raise HouseRefusal(reason, "another seat after you leave one of them")

    async def _verify_place(self, place: str) -> None:
        names = list(self._premises.seats.unpaid())
        if len(names) < self._unpaid:
            return
        places = await self._sessions.places_of(names)
        taken = sum(place in places.get(name, ()) for name in names)
        if taken >= self._unpaid:
            reason = f"{taken} seats without chips are already taken from your address, the most one address may have"
            minutes = self._premises.seats.unpaid_seconds / 60
            wait = f", or wait: they are freed after {minutes:g} minutes" if minutes else ""
            raise HouseRefusal(reason, f"buy chips at one of them or leave it{wait}")
