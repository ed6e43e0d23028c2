"""Limits per address: requests per second, live views, and seats. A request over the limit is refused, after a pause.

This runs before Litestar, whose rate limits first find the route and build a request: it would refuse a flood as slowly as it
serves one. Staff and people at a table have a separate allowance, so that a stranger at the same address
cannot block them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from litestar import Litestar, Request
from litestar.enums import ScopeType
from litestar.types import Receive, Scope, Send

from croupier.floor.premises import Premises
from croupier.floor.registers.addresses import place_of_address
from croupier.floor.registers.register import HouseRefusal
from croupier.ledger import Unreadable
from croupier.web.errors import Denied
from croupier.web.logs import ThrottledLog
from croupier.web.security.headers import encoded
from croupier.web.security.sessions import COOKIE, Session, Sessions
from croupier.web.settings import Settings
from croupier.wire import Failure, Problem

SECONDS_SAVED = 2  # of requests that can be saved up and used at once: opening a page takes thirty
SECONDS_TO_WAIT = 1.0  # before a refusal
AT_ONCE = 8  # requests of one address answered at the same time; others wait in line
MOST_KNOWN = 20_000  # addresses remembered
MOST_VIEWS = 50  # live views per address, not counting staff and people at a table
TOO_MANY = "Too many requests from your address. Wait a moment and try again."
TOO_MANY_VIEWS = "Too many live views are open from your address. Close some and try again."
_endless = nullcontext()  # a live view never ends, so it takes no turn


class TokenBuckets:
    """Token buckets: each caller may ask at a rate, and saves up a few seconds' worth."""

    def __init__(self, a_second: float, seconds_saved: float = SECONDS_SAVED, clock: Callable[[], float] = monotonic) -> None:
        self.a_second, self.most, self._clock = a_second, a_second * seconds_saved, clock
        self._seconds_saved = seconds_saved
        self._left: dict[str, tuple[float, float]] = {}  # tokens, and when they were counted

    def take(self, who: str) -> bool:
        """Use one token; False if there is none left."""
        now = self._clock()
        left, at = self._left.get(who, (self.most, now))
        left = min(self.most, left + (now - at) * self.a_second)
        if left < 1:
            return False
        self._left[who] = (left - 1, now)
        if len(self._left) > MOST_KNOWN:
            self._left = {each: kept for each, kept in self._left.items() if now - kept[1] < self._seconds_saved}
        return True

    def give_back(self, who: str) -> None:
        """Return the token that was taken last."""
        left, at = self._left[who]
        self._left[who] = (left + 1, at)


class RequestLimits:
    """The application, behind a limit on requests."""

    def __init__(self, app: Litestar) -> None:
        settings = app.state.settings
        self.app, self.limited = app, settings.limited
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._buckets, self._refusals = TokenBuckets(int(settings.requests)), ThrottledLog()
        self._body = msgspec.json.encode(Failure(Problem("too many", TOO_MANY)))
        length = str(len(self._body))
        self._headers = encoded(https=settings.https, content_type="application/json", retry_after="1", content_length=length)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not self.limited:
            await self.app(scope, receive, send)
            return
        if await self._is_within(scope):
            async with _endless if scope["path"].endswith("/live") else self._turn(place_of_address(_address(scope))):
                await self.app(scope, receive, send)
            return
        self._refusals.note("refused: too many requests", _address(scope), monotonic())
        await asyncio.sleep(SECONDS_TO_WAIT)
        await send({"type": "http.response.start", "status": 429, "headers": self._headers})
        await send({"type": "http.response.body", "body": self._body, "more_body": False})

    async def _is_within(self, scope: Scope) -> bool:
        if self._buckets.take(place_of_address(_address(scope))):
            return True
        session = await self._session(scope)
        if session is None or not has_place_here(self.app, session):
            return False
        return self._buckets.take(f"{session.role or 'guest'} {session.name}")

    def _turn(self, where: str) -> asyncio.Semaphore:
        """The turns of one address, which limit how many requests are answered at the same time; dropped when nobody holds one."""
        return self._turns.setdefault(where, asyncio.Semaphore(AT_ONCE))

    async def _session(self, scope: Scope) -> Session | None:
        sessions: Sessions = self.app.state.sessions
        token = Request[Any, Any, Any](scope).cookies.get(COOKIE)
        try:
            return await sessions.find(token) if token else None
        except Unreadable:
            return None


def has_place_here(app: Litestar, session: Session | None) -> bool:
    """Whether somebody is at a table or on the staff."""
    if session is None or session.role:
        return session is not None
    tables = app.state.premises.house.tables.values()
    return any(session.name in keeper.state.players.values() for keeper in tables)


def _address(scope: Any) -> str:
    return scope["client"][0] if scope.get("client") else ""


class LiveViewLimit:
    """Live views per address, not counting staff and people at a table."""

    def __init__(self, limited: bool) -> None:
        self._limited = limited
        self._open: Counter[str] = Counter()

    def admit(self, place: str, source: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The view, counted while it is open; Denied if there are too many."""
        if self._limited and self._open[place] >= MOST_VIEWS:
            raise Denied(429, TOO_MANY_VIEWS)
        return self._counted(place, source)

    async def _counted(self, place: str, source: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        self._open[place] += 1
        try:
            async for part in source:
                yield part
        finally:
            self._open -= Counter([place])  # which drops a count of zero


class SeatLimits:
    """How many seats a guest and an address may take. Seats with chips do not count for the address: many guests may share one."""

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
            wait = f", or once they are freed after {minutes:g} minutes" if minutes else ""
            raise HouseRefusal(reason, f"another seat after you buy chips at one of them or leave it{wait}")
