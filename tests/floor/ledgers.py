"""A signed ledger of a small floor in each database, and an attacker who can write plain SQL but has no key."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from typing import Any

import psycopg

from croupier.floor.house.vault import ephemeral
from croupier.floor.registers.audit import Audit
from croupier.floor.registers.filings import Filings
from croupier.floor.registers.house_key import HouseKeys
from croupier.floor.registers.table_settings import Floor
from croupier.ledger import Entry, MemoryRecorder, Unit, follow, genesis, is_postgres, open_recorder
from croupier.ledger.signatures.checkpoint import sign_and_save
from tests.floor.logs import KEY, copy
from tests.floor.play import HOUR_OF_OPENING, open_and_play, play, submission
from tests.floor.registers import Stopped, people

TABLES = ("T1", "T2")
REGISTERS = ("audit", "filings", "floor", "people", "vault")


def signed_floor() -> MemoryRecorder:
    """Two tables and every register, under three checkpoints. Shared between tests: copy it."""
    return _evening()[1]


def backup() -> MemoryRecorder:
    """The same floor, as of the second checkpoint."""
    return _evening()[0]


@cache
def _evening() -> tuple[MemoryRecorder, MemoryRecorder]:
    recorder, clock = MemoryRecorder(), Stopped()
    found, audit, floor = people(recorder, clock), Audit(recorder, clock), Floor(recorder, clock)
    filings = Filings(recorder, clock)
    HouseKeys(recorder, clock).set_key("", ephemeral().number, {})
    found.change_password("administrator", found.first_start() or "", "a long green baize", "192.0.2.1")
    found.add("Ann", "floorperson", "administrator")
    filed = filings.file(submission("649a", "manual shoe"), "administrator")
    sign_and_save(recorder, KEY, HOUR_OF_OPENING, "start")
    houses = [open_and_play(recorder, "649a", 2, seed, table=table, method="manual shoe") for seed, table in enumerate(TABLES, 1)]
    for table in TABLES:
        floor.change_settings(table, by="Ann", filing=filed.id)
        audit.note("Ann", "floorperson", "opened the table", table, 1)
    sign_and_save(recorder, KEY, HOUR_OF_OPENING + 60_000, "minute")
    before = copy(recorder)
    for number, (house, table) in enumerate(zip(houses, TABLES, strict=True)):
        play(house, table, 1, seed=5 + number)
        audit.note("Ann", "floorperson", "counted the chips", table, house.table(table).version)
        floor.change_settings(table, by="Ann", betting_seconds=45)
        asyncio.run(house.close())
    found.change_role("Ann", "dealer", "administrator")
    sign_and_save(recorder, KEY, HOUR_OF_OPENING + 120_000, "close")
    return before, recorder


def laid(recorder: MemoryRecorder, url: str) -> str:
    """The same ledger in a database."""
    made = open_recorder(url)
    made.append([Unit(tuple(recorder.read(stream))) for stream in recorder.streams()])
    made.append([Unit((), key, reply) for key, reply in recorder._replies.items()])
    for stream, snapshot in recorder._snapshots.items():
        made.save_snapshot(stream, *snapshot)
    previous = b""
    for checkpoint in recorder.checkpoints():
        made.save_checkpoint(checkpoint, previous)
        previous = checkpoint
    made.close()
    return url


class Attacker:
    """Writes to a database with its owner's rights. Bypasses the triggers and leaves them as they were."""

    def __init__(self, url: str) -> None:
        self.url = url

    def run(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Run one statement, with ? for values; translated for PostgreSQL."""
        if is_postgres(self.url):
            with psycopg.connect(self.url, autocommit=True) as connection:
                connection.execute("SET session_replication_role = replica")  # no trigger fires
                found = connection.execute(statement.replace("?", "%s"), values)  # type: ignore[call-overload]
                return found.fetchall() if found.description else []
        with closing(sqlite3.connect(self.url.removeprefix("sqlite:///"), isolation_level=None)) as plain:
            triggers = plain.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").fetchall()
            for name, _ in triggers:
                plain.execute(f"DROP TRIGGER {name}")
            rows = plain.execute(statement, values).fetchall()
            for _, sql in triggers:
                plain.execute(sql)
            return rows

    def entries(self, stream: str) -> list[Entry]:
        rows = self.run("SELECT version, body, sealed, hash FROM entries WHERE stream = ? ORDER BY version", stream)
        return [Entry(stream, *row) for row in rows]

    def last(self, stream: str) -> int:
        return len(self.entries(stream))

    def remove(self, stream: str, after: int = 0) -> None:
        """Remove the entries of a stream after a version, and everything else that would reveal them."""
        self.run("DELETE FROM entries WHERE stream = ? AND version > ?", stream, after)
        self.run("DELETE FROM snapshots WHERE stream = ? AND version > ?", stream, after)

    def forge(self, stream: str, change: Callable[[Entry], bytes]) -> None:
        """Replace bodies of a stream, and recompute all hashes to match."""
        previous = genesis(stream)
        for entry in self.entries(stream):
            forged = follow(stream, entry.version, previous, change(entry))
            previous = forged.hash
            self.run(
                "UPDATE entries SET body = ?, hash = ? WHERE stream = ? AND version = ?",
                forged.body, forged.hash, stream, entry.version,
            )  # fmt: skip
        self.run("DELETE FROM snapshots WHERE stream = ?", stream)

    def unsign(self, after: int = 0) -> None:
        self.run("DELETE FROM checkpoints WHERE number > ?", after)
