"""The bus: how the server processes of one floor tell each other that a table has moved on. It carries no card and no secret."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from croupier.ledger import is_postgres
from croupier.ledger.postgres import AsyncConnection, in_time

log = logging.getLogger("croupier.floor")
CHANNEL = "croupier"  # with the schema, since a channel is the whole database's and a floor one schema's
SECONDS_TO_CONNECT_AGAIN = 1.0
SECONDS_OF_SILENCE = 5.0  # after which the connection that hears is asked whether it still does


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table stands at this version; or, with a seat, the player there has made all the wagers he wants to make; or, with a name
    and no table, the sessions under that name have ended."""

    table: str
    version: int = 0
    ready: int = 0
    ended: str = ""


Hears = Callable[[Note], None]


class Bus(Protocol):
    def send(self, note: Note) -> None:
        """Tell all processes, this one included; never waits."""

    async def open(self, hears: Hears) -> None:
        """Begin to hear."""

    async def close(self) -> None: ...


class LocalBus:
    """A floor of one process."""

    def __init__(self) -> None:
        self._hears: Hears | None = None

    async def open(self, hears: Hears) -> None:
        self._hears = hears

    def send(self, note: Note) -> None:
        if self._hears:
            self._hears(note)

    async def close(self) -> None:
        self._hears = None


class PostgresBus:
    """LISTEN and NOTIFY: one connection speaks to the other processes, one hears them. Notes that wait are sent together.

    A note lost with a connection is made up for: a process that connects again looks at every table (version 0).
    """

    def __init__(self, url: str) -> None:
        self._url = in_time(url)
        self._waiting: dict[Note, None] = {}  # in order, each once
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._hears: Hears | None = None
        self._speaker = 0  # the backend of the connection that speaks: its notes were heard here when they were sent

    async def open(self, hears: Hears) -> None:
        self._hears = hears
        listening = asyncio.get_running_loop().create_future()
        self._tasks = [asyncio.create_task(self._hear(listening)), asyncio.create_task(self._speak())]
        await listening

    def send(self, note: Note) -> None:
        self._waiting[note] = None
        self._wake.set()
        if self._hears:
            self._pass_on(note)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def _connect(self) -> AsyncConnection:
        while True:
            try:
                return await AsyncConnection.connect(self._url, autocommit=True)
            except psycopg.Error:
                log.warning("the bus cannot reach the database; it tries again")
                await asyncio.sleep(SECONDS_TO_CONNECT_AGAIN)

    async def _hear(self, listening: asyncio.Future[None]) -> None:
        while True:
            with suppress(psycopg.Error):
                async with await self._connect() as connection:
                    await connection.execute(SQL("LISTEN {}").format(Identifier(await _channel(connection))))
                    if listening.done():
                        self._pass_on(Note(""))
                    else:
                        listening.set_result(None)
                    while True:
                        async for heard in connection.notifies(timeout=SECONDS_OF_SILENCE):
                            if heard.pid != self._speaker:
                                for note in msgspec.json.decode(heard.payload, type=list[Note]):
                                    self._pass_on(note)
                        await connection.execute("SELECT 1")  # is anybody there?
            await asyncio.sleep(SECONDS_TO_CONNECT_AGAIN)

    def _pass_on(self, note: Note) -> None:
        assert self._hears is not None
        try:
            self._hears(note)
        except Exception:  # of a ledger that is away: the bus goes on listening
            log.exception("a note could not be acted on", extra={"table": note.table})

    async def _speak(self) -> None:
        while True:
            async with await self._connect() as connection:
                with suppress(psycopg.Error):
                    channel, self._speaker = await _channel(connection), connection.info.backend_pid
                    self._wake.set()  # what could not be said on the connection before
                    while True:
                        await self._wake.wait()
                        self._wake.clear()
                        while notes := list(self._waiting)[:50]:
                            text = msgspec.json.encode(notes).decode()
                            await connection.execute("SELECT pg_notify(%s, %s)", (channel, text))
                            for note in notes:
                                del self._waiting[note]


async def _channel(connection: AsyncConnection) -> str:
    found = await (await connection.execute("SELECT current_schema()")).fetchone()
    return f"{CHANNEL} {found[0] if found else ''}"


def open_bus(url: str) -> Bus:
    return PostgresBus(url) if is_postgres(url) else LocalBus()
