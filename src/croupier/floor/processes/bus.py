"""The bus: how the server processes of one floor notify each other of changes. It carries no card and no secret."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from croupier.ledger import is_postgres
from croupier.ledger.recorders.postgres import AsyncConnection, in_time

log = logging.getLogger("croupier.floor")
CHANNEL = "croupier"  # with the schema: a channel belongs to the whole database, a floor to one schema
SECONDS_TO_CONNECT_AGAIN = 1.0
SECONDS_OF_SILENCE = 5.0  # after which the listening connection is tested


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table is at this version; with `ready`, the player on that seat is ready to be dealt, after so many rounds of the table.
    With `asks`, a process asks who is ready at a table, or at all. With `ended` and no table, the sessions under that name have
    ended."""

    table: str
    version: int = 0
    ready: int = 0
    rounds: int = 0
    asks: bool = False
    ended: str = ""


NoteListener = Callable[[Note], None]


class Bus:
    """The bus of a floor of one process, which has nobody to notify."""

    async def open(self, on_note: NoteListener) -> None:
        """Start listening."""

    def send(self, note: Note) -> None:
        """Notify the other processes; never waits."""

    async def close(self) -> None:
        """Stop listening."""


class PostgresBus(Bus):
    """LISTEN and NOTIFY: one connection sends to the other processes, one listens. Waiting notes are sent together.

    Notes can be lost with a connection, so a process that connects again reads every table (version 0).
    """

    def __init__(self, url: str) -> None:
        self._url = in_time(url)
        self._waiting: dict[Note, None] = {}  # in order, each once
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._on_note: NoteListener | None = None
        self._sender_pid = 0  # the backend of the sending connection: its notes are ours

    async def open(self, on_note: NoteListener) -> None:
        self._on_note = on_note
        listening = asyncio.get_running_loop().create_future()
        self._tasks = [asyncio.create_task(self._listen(listening)), asyncio.create_task(self._send_waiting())]
        await listening

    def send(self, note: Note) -> None:
        self._waiting[note] = None
        self._wake.set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connect(self) -> AsyncConnection:
        while True:
            try:
                return await AsyncConnection.connect(self._url, autocommit=True)
            except psycopg.Error:
                log.warning("the bus cannot reach the database; trying again")
                await asyncio.sleep(SECONDS_TO_CONNECT_AGAIN)

    async def _listen(self, listening: asyncio.Future[None]) -> None:
        while True:
            with suppress(psycopg.Error):
                async with await self._connect() as connection:
                    await connection.execute(SQL("LISTEN {}").format(Identifier(await _channel(connection))))
                    if listening.done():
                        self._pass_on(Note(""))
                    else:
                        listening.set_result(None)
                    while True:
                        async for notify in connection.notifies(timeout=SECONDS_OF_SILENCE):
                            if notify.pid != self._sender_pid:
                                for note in msgspec.json.decode(notify.payload, type=list[Note]):
                                    self._pass_on(note)
                        await connection.execute("SELECT 1")  # test the connection
            await asyncio.sleep(SECONDS_TO_CONNECT_AGAIN)

    def _pass_on(self, note: Note) -> None:
        assert self._on_note is not None
        try:
            self._on_note(note)
        except Exception:  # the ledger may be unreachable: keep listening
            log.exception("a note could not be acted on", extra={"table": note.table})

    async def _send_waiting(self) -> None:
        while True:
            async with await self._connect() as connection:
                with suppress(psycopg.Error):
                    channel, self._sender_pid = await _channel(connection), connection.info.backend_pid
                    self._wake.set()  # for notes that the previous connection could not send
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
    return PostgresBus(url) if is_postgres(url) else Bus()
