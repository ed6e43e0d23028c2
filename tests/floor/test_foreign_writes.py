"""Someone adds well-chained entries to the database of a running server. The server does not act on them or sign them.

On SQLite, the server that holds the file is its only writer, so it knows every entry since its start. On
PostgreSQL, several servers write, and recognize each other's entries by a tag that requires the house key.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from croupier.floor.clock import now_in_milliseconds
from croupier.floor.house.checkpoints import Checkpoints, Signing
from croupier.floor.house.vault import Vault
from croupier.floor.premises import Premises
from croupier.floor.registers.audit import Audit
from croupier.floor.registers.people import People
from croupier.floor.registers.register import HouseRefusal
from croupier.floor.verification.verify import verify
from croupier.ledger import MemoryRecorder, NotRecorded, Recorder, Unit, follow, is_postgres, open_recorder
from croupier.ledger.recorders.committer import Committer
from croupier.ledger.recorders.recorder import Foreign
from croupier.ledger.signatures.checkpoint import RESTORE, NotContinued, newest_checkpoint, sign_and_save
from croupier.ledger.signatures.witness import FileWitness
from croupier.table.commands import Sit
from tests.floor.logs import KEY, PUBLIC
from tests.recorders.server import new_database

TABLES = ("three-card-poker", "let-it-ride-poker")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "floor.db") if request.param == "sqlite" else new_database()


def insert(url: str, stream: str, body: bytes, sealed: bytes = b"") -> int:
    """Insert the next entry of a stream under a valid hash, as anyone with write access to the database can."""
    ((version, previous),) = ask(url, "SELECT version, hash FROM entries WHERE stream = ? ORDER BY version DESC LIMIT 1", stream)
    made = follow(stream, version + 1, previous, body, sealed)
    row = (made.stream, made.version, made.body, made.sealed, made.hash)
    ask(url, "INSERT INTO entries (stream, version, body, sealed, hash) VALUES (?, ?, ?, ?, ?)", *row)
    return made.version


def ask(url: str, statement: str, *values: object) -> list[Any]:
    if is_postgres(url):
        with psycopg.connect(url, autocommit=True) as connection:
            found = connection.execute(statement.replace("?", "%s"), values)  # type: ignore[call-overload]
            return found.fetchall() if found.description else []
    with closing(sqlite3.connect(url, isolation_level=None)) as plain:
        return plain.execute(statement, values).fetchall()


def second_administrator(url: str) -> tuple[int, str]:
    """The event that the house itself would write, made in the attacker's own ledger. Return its version and the password."""
    recorder = MemoryRecorder()
    password = People(recorder).first_start() or ""
    (entry,) = recorder.read("people")
    body = entry.body.replace(b'"administrator","role"', b'"Mallory","role"')
    return insert(url, "people", body, entry.sealed), password


def premises_of(url: str, folder: Path) -> Premises:
    record = FileWitness(folder / "floor.db.witness")
    return Premises(url, signing=Signing(KEY, record=record, witnesses=[record.take]), house_key=str(folder / "house.key"))


def on_a_floor(url: str, folder: Path, scene: Callable[[Premises], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        premises = premises_of(url, folder)
        await premises.start()
        if not premises.table_settings:
            premises.people.first_start()
            await premises.open_demo()
        try:
            await scene(premises)
        finally:
            await premises.stop()

    asyncio.run(run())


async def sits(premises: Premises, table: str, name: str = "Ann", seat: int = 1) -> None:
    await premises.house.execute(table, Sit(seat=seat, player=name), f"player:{seat}", "", name)


AFTER_THE_END = {
    "sqlite": "people, version 2: it was written after the ledger was closed and signed",
    "postgres": "people, version 2: it is not signed, and no server with this house key wrote it",
}


def test_a_second_administrator_is_not_let_in_and_not_signed(url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(premises: Premises) -> None:
        assert premises.checkpoints
        version, password = second_administrator(url)
        for action in (
            lambda: premises.people.login("Mallory", password),
            lambda: premises.people.user("Mallory"),
            lambda: premises.people.register_guest("Bob"),
        ):
            with pytest.raises(Foreign, match=f"people, version {version}: another program wrote it"):
                action()
        await sits(premises, TABLES[0])  # the tables keep playing
        premises.audit.note("the house", "", "noted something")
        await premises.checkpoints.now("by hand")
        signed = newest_checkpoint(premises.recorder)
        assert signed
        assert signed.heads["people"][0] == version - 1
        assert signed.heads[f"table/{TABLES[0]}"][0] > 1
        assert signed.heads["audit"][0] == 1
        assert premises.checkpoints.foreign == {"people": version}

    with caplog.at_level(logging.ERROR):
        on_a_floor(url, tmp_path, scene)
    (told,) = (each for each in caplog.records if each.message == "foreign entries")
    assert vars(told)["reason"] == "people from version 2 on"
    report = verify(url, [PUBLIC])
    assert report.verdict == "unsigned"
    assert report.unsigned == {"people": 2}
    with pytest.raises(NotContinued, match=AFTER_THE_END["postgres" if is_postgres(url) else "sqlite"]):
        on_a_floor(url, tmp_path, sits_down)


async def sits_down(premises: Premises) -> None:
    await sits(premises, TABLES[0])


def test_a_foreign_event_of_a_table_closes_this_table_alone(url: str, tmp_path: Path) -> None:
    async def scene(premises: Premises) -> None:
        for table in TABLES:
            await sits(premises, table)
        await premises.pit.close()  # so that no dealer writes while we look
        stream, before = f"table/{TABLES[0]}", premises.house.table(TABLES[0]).version
        ((body,),) = ask(url, "SELECT body FROM entries WHERE stream = ? ORDER BY version DESC LIMIT 1", stream)
        insert(url, stream, body)
        with pytest.raises(NotRecorded, match="another program wrote it"):
            await sits(premises, TABLES[0], "Bob", 2)
        assert premises.house.table(TABLES[0]).version == before
        await sits(premises, TABLES[1], "Cleo", 3)

    on_a_floor(url, tmp_path, scene)
    (damage,) = verify(url, [PUBLIC]).damage  # this one does not even follow from the rules
    assert damage.stream == f"table/{TABLES[0]}"


EXCHANGE = "UPDATE entries SET hash = {} WHERE stream = 'people' AND version = 1"
WITHOUT_TRIGGER = {
    "sqlite": ("DROP TRIGGER entries_UPDATE_refused", EXCHANGE.format("zeroblob(32)")),
    "postgres": ("ALTER TABLE entries DISABLE TRIGGER only_added", EXCHANGE.format("decode(repeat('00', 32), 'hex')")),
}


def test_an_exchanged_head_is_not_signed(url: str, tmp_path: Path) -> None:
    async def scene(premises: Premises) -> None:
        assert premises.checkpoints
        await premises.checkpoints.now("by hand")
        before = len(list(premises.recorder.checkpoints()))
        for statement in WITHOUT_TRIGGER["postgres" if is_postgres(url) else "sqlite"]:
            ask(url, statement)
        insert(url, "people", b"{}")
        with pytest.raises(Foreign, match="people, version 1: it is not the entry"):
            await premises.checkpoints.now("by hand")
        assert len(list(premises.recorder.checkpoints())) == before

    on_a_floor(url, tmp_path, scene)


def test_what_a_server_writes_is_its_own_while_it_is_signed(url: str, tmp_path: Path) -> None:
    async def scene(premises: Premises) -> None:
        assert premises.checkpoints
        for number in range(3):
            sitting = [sits(premises, table, f"guest {number}", number + 1) for table in premises.table_settings]
            await asyncio.gather(*sitting, premises.checkpoints.now("by hand"))
        assert premises.checkpoints.foreign == {}

    on_a_floor(url, tmp_path, scene)
    assert verify(url, [PUBLIC]).sound


def test_two_servers_act_on_and_sign_what_the_other_writes(tmp_path: Path) -> None:
    url = new_database()

    async def scene(first: Premises) -> None:
        second = premises_of(url, tmp_path)
        await second.start()
        for number, (writer, reader) in enumerate(((first, second), (second, first)), 1):
            assert reader.checkpoints
            await sits(writer, TABLES[0], f"guest {number}", number)
            writer.people.register_guest(f"guest {number}")
            await sits(reader, TABLES[0], f"friend {number}", number + 2)  # after reading the other's entries
            with pytest.raises(HouseRefusal, match="taken"):
                reader.people.register_guest(f"guest {number}")
            await reader.checkpoints.now("by hand")
            signed = newest_checkpoint(reader.recorder)
            assert signed
            assert signed.heads["people"][0] == number + 1
            assert reader.checkpoints.foreign == {}
        second_administrator(url)
        for each in (first, second):
            with pytest.raises(Foreign):
                each.people.user("Mallory")
            assert each.recorder.foreign() == {"people": 4}
        await second.stop()

    on_a_floor(url, tmp_path, scene)
    assert verify(url, [PUBLIC]).unsigned == {"people": 4}


def test_a_server_that_was_killed_starts_again_on_what_it_wrote_and_on_nothing_else(tmp_path: Path) -> None:
    """Entries after the last checkpoint are not signed, but on PostgreSQL their tags show who wrote them."""
    url = new_database()
    keys = Vault(bytes(32)).tag_keys

    def began(*keys: bytes) -> tuple[Recorder, dict[str, int]]:
        recorder = open_recorder(url)
        return recorder, Checkpoints(recorder, Signing(KEY), now_in_milliseconds).begin(*keys)

    killed, _ = began(*keys)
    Audit(killed).note("the house", "", "noted something")
    killed.close()
    again, unsigned = began(*keys)
    assert unsigned == {"audit": 1}
    assert verify(url, [PUBLIC]).sound
    Audit(again).note("the house", "", "noted more")
    again.close()
    ((body,),) = ask(url, "SELECT body FROM entries WHERE version = 2")
    assert insert(url, "audit", body) == 3
    with pytest.raises(NotContinued, match="audit, version 3: it is not signed, and no server with this house key"):
        began(*keys)
    with pytest.raises(NotContinued, match="audit, version 2"):
        began(*Vault(bytes(31) + b"x").tag_keys)
    recorder = open_recorder(url)
    sign_and_save(recorder, KEY, now_in_milliseconds(), RESTORE)  # as two people who accept it do
    recorder.close()
    accepted, unsigned = began(*keys)
    assert (accepted.head("audit")[0], unsigned) == (3, {})
    accepted.close()


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
