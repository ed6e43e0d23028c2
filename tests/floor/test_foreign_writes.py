"""Somebody adds well-chained entries to the database of a running server: it does not act on them, and does not sign them.

SQLite only: the server that has the file is the only one that may write to it, so it knows every entry since its start.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.house.checkpoints import Signing
from croupier.floor.premises import Premises
from croupier.floor.registers.people import People
from croupier.floor.verification.verify import verify
from croupier.ledger import NotRecorded, Unit, follow, open_recorder
from croupier.ledger.recorders.committer import Committer
from croupier.ledger.recorders.recorder import Foreign
from croupier.ledger.recorders.sqlite import SqliteReader
from croupier.ledger.signatures.checkpoint import newest
from croupier.ledger.signatures.continuity import NotContinued
from croupier.ledger.signatures.witness import FileWitness
from croupier.table.commands import Sit
from tests.floor.logs import KEY, PUBLIC

TABLES = ("three-card-poker", "let-it-ride-poker")


def insert(path: Path, stream: str, body: bytes, sealed: bytes = b"") -> int:
    """What anybody can do who may write to the file: the next entry of a stream, under a hash that fits."""
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        newest_entry = "SELECT version, hash FROM entries WHERE stream = ? ORDER BY version DESC LIMIT 1"
        version, previous = plain.execute(newest_entry, (stream,)).fetchone()
        made = follow(stream, version + 1, previous, body, sealed)
        row = (made.stream, made.version, made.body, made.sealed, made.hash)
        plain.execute("INSERT INTO entries (stream, version, body, sealed, hash) VALUES (?, ?, ?, ?, ?)", row)
    return made.version


def second_administrator(path: Path) -> int:
    """The event that the house itself would write, from a ledger of the attacker's."""
    other = path.with_name("attacker.db")
    recorder = open_recorder(str(other))
    People(recorder).first_start()
    (entry,) = recorder.read("people")
    recorder.close()
    return insert(path, "people", entry.body.replace(b'"administrator","role"', b'"Mallory","role"'), entry.sealed)


def on_a_floor(path: Path, scene: Callable[[Premises], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        record = FileWitness(path.with_name("floor.db.witness"))
        premises = Premises(str(path), signing=Signing(KEY, record=record, witnesses=[record]))
        await premises.start()
        if not premises.standings:
            premises.people.first_start()
            await premises.open_demo()
        try:
            await scene(premises)
        finally:
            await premises.stop()

    asyncio.run(run())


async def sits(premises: Premises, table: str, name: str = "Ann", seat: int = 1) -> None:
    await premises.house.execute(table, Sit(seat=seat, player=name), f"player:{seat}", "", name)


def test_a_second_administrator_is_not_let_in_and_not_signed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "floor.db"

    async def scene(premises: Premises) -> None:
        assert premises.checkpoints
        version = second_administrator(path)
        for wish in (lambda: premises.people.user("Mallory"), lambda: premises.people.register_guest("Bob")):
            with pytest.raises(Foreign, match=f"people, version {version}: another program wrote it"):
                wish()
        await sits(premises, TABLES[0])  # the tables play on
        premises.audit.note("the house", "", "noted something")
        await premises.checkpoints.now("minute")
        signed = newest(premises.recorder)
        assert signed
        assert signed.heads["people"][0] == version - 1
        assert signed.heads[f"table/{TABLES[0]}"][0] > 1
        assert signed.heads["audit"][0] == 1
        assert premises.checkpoints.foreign == {"people": version}

    with caplog.at_level(logging.ERROR):
        on_a_floor(path, scene)
    (told,) = (each for each in caplog.records if each.message == "foreign entries")
    assert vars(told)["reason"] == "people from version 2 on"
    report = verify(str(path), [PUBLIC])
    assert report.verdict == "unsigned"
    assert report.unsigned == {"people": 2}
    with pytest.raises(NotContinued, match="people, version 2: it was written after the ledger was closed and signed"):
        on_a_floor(path, sits_down)


async def sits_down(premises: Premises) -> None:
    await sits(premises, TABLES[0])


def test_a_foreign_event_of_a_table_closes_this_table_alone(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"

    async def scene(premises: Premises) -> None:
        for table in TABLES:
            await sits(premises, table)
        await premises.pit.close()  # so that no dealer writes while we look
        stream, before = f"table/{TABLES[0]}", premises.house.table(TABLES[0]).version
        with closing(SqliteReader(path)) as reader:
            last = list(reader.read(stream))[-1]
        insert(path, stream, last.body)
        with pytest.raises(NotRecorded, match="another program wrote it"):
            await sits(premises, TABLES[0], "Bob", 2)
        assert premises.house.table(TABLES[0]).version == before
        await sits(premises, TABLES[1], "Cleo", 3)

    on_a_floor(path, scene)
    (damage,) = verify(str(path), [PUBLIC]).damage  # this one is not even what the rules make of it
    assert damage.stream == f"table/{TABLES[0]}"


def test_an_exchanged_head_is_not_signed(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"

    async def scene(premises: Premises) -> None:
        assert premises.checkpoints
        await premises.checkpoints.now("minute")
        before = len(list(premises.recorder.checkpoints()))
        with closing(sqlite3.connect(path, isolation_level=None)) as plain:
            plain.execute("DROP TRIGGER entries_UPDATE_refused")
            plain.execute("UPDATE entries SET hash = zeroblob(32) WHERE stream = 'people' AND version = 1")
        insert(path, "people", b"{}")
        with pytest.raises(Foreign, match="people, version 1: it is not the entry"):
            await premises.checkpoints.now("minute")
        assert len(list(premises.recorder.checkpoints())) == before

    on_a_floor(path, scene)


def test_what_a_server_writes_is_its_own_while_it_is_signed(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"

    async def scene(premises: Premises) -> None:
        assert premises.checkpoints
        for number in range(3):
            sitting = [sits(premises, table, f"guest {number}", number + 1) for table in premises.standings]
            await asyncio.gather(*sitting, premises.checkpoints.now("minute"))
        assert premises.checkpoints.foreign == {}

    on_a_floor(path, scene)
    assert verify(str(path), [PUBLIC]).sound


def test_what_a_thread_writes_for_many_tables_is_its_own(tmp_path: Path) -> None:
    recorder = open_recorder(str(tmp_path / "floor.db"))
    recorder.hold()

    async def scene() -> None:
        committer = Committer(recorder)

        async def write(stream: str) -> None:
            for version in range(1, 21):
                entry = follow(stream, version, recorder.head(stream)[1], b'{"n":%d}' % version)
                await committer.append(Unit((entry,)))
                assert recorder.head(stream) == (version, entry.hash)

        await asyncio.gather(*(write(f"stream {number}") for number in range(30)), asyncio.to_thread(hold_often))
        await committer.close()

    def hold_often() -> None:
        for _ in range(50):
            recorder.hold()
            assert recorder.foreign() == {}

    asyncio.run(scene())
    assert {version for version, _ in recorder.heads().values()} == {20}
    recorder.close()
