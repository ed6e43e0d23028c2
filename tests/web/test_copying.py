"""A copy is put in place before a ledger is opened, never under the hands of somebody who has it open."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from croupier.ledger import open_recorder
from croupier.ledger.entry import Unit, follow, genesis
from croupier.web.copying import StillOpen, backup, path_of, put_in_place
from croupier.web.errors import Denied
from croupier.web.settings import Settings

NOW = datetime(2026, 11, 16, 3, 4, 5, tzinfo=UTC)


def ledger(path: Path, *bodies: bytes) -> None:
    recorder = open_recorder(str(path))
    previous = genesis("audit")
    for version, body in enumerate(bodies, 1):
        entry = follow("audit", version, previous, body)
        recorder.append([Unit((entry,))])
        previous = entry.hash
    recorder.close()


def bodies(path: Path) -> list[bytes]:
    recorder = open_recorder(str(path), create=False)
    found = [entry.body for entry in recorder.read("audit")]
    recorder.close()
    return found


def test_the_copy_takes_the_place_and_the_ledger_of_before_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    ledger(path, b"old")
    ledger(tmp_path / "floor.db.restore", b"new", b"newer")
    (tmp_path / "floor.db-sessions").write_text("who is logged in")
    said = put_in_place(Settings(database=str(path)), NOW)
    assert said == "The copy that waited is in place as floor.db. The ledger of before is kept as floor.db.before-20261116-030405."
    assert bodies(path) == [b"new", b"newer"]
    assert bodies(tmp_path / "floor.db.before-20261116-030405") == [b"old"]
    assert not (tmp_path / "floor.db-sessions").exists()
    assert put_in_place(Settings(database=str(path)), NOW) == ""


def test_an_open_ledger_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    ledger(path, b"old")
    ledger(tmp_path / "floor.db.restore", b"new")
    recorder = open_recorder(str(path))
    with pytest.raises(StillOpen, match="open in another process"):
        put_in_place(Settings(database=str(path)), NOW)
    recorder.close()
    assert bodies(path) == [b"old"]
    assert (tmp_path / "floor.db.restore").exists()


def test_a_ledger_too_damaged_to_be_opened_is_kept_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    path.write_bytes(b"no database any more" * 100)
    ledger(tmp_path / "floor.db.restore", b"new")
    put_in_place(Settings(database=str(path)), NOW)
    assert bodies(path) == [b"new"]
    assert (tmp_path / "floor.db.before-20261116-030405").read_bytes() == b"no database any more" * 100


def test_an_end_in_the_middle_is_made_good(tmp_path: Path) -> None:
    """The old ledger has been put aside, the copy not yet in its place."""
    path = tmp_path / "floor.db"
    ledger(tmp_path / "floor.db.restore", b"new")
    assert put_in_place(Settings(database=str(path)), NOW) == "The copy that waited is in place as floor.db."
    assert bodies(path) == [b"new"]


def test_postgresql_has_its_own_tools() -> None:
    with pytest.raises(Denied, match="pg_dump") as caught:
        path_of(Settings(database="postgresql://nowhere/none"))
    assert caught.value.status_code == 409


def test_nothing_is_looked_for_beside_postgresql(tmp_path: Path) -> None:
    assert put_in_place(Settings(database="postgresql://nowhere/none")) == ""
    assert put_in_place(Settings(database="memory:")) == ""


def test_a_ledger_of_any_name_is_copied(tmp_path: Path) -> None:
    path = tmp_path / "floor #1? 100%.db"
    ledger(path, b"one", b"two")
    copy, size = asyncio.run(backup(path))
    with copy:
        (tmp_path / "copy.db").write_bytes(copy.read())
    assert (tmp_path / "copy.db").stat().st_size == size
    assert bodies(tmp_path / "copy.db") == [b"one", b"two"]
