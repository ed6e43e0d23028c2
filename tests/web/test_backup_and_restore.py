"""A ledger can be copied while it is open, and replaced by a copy only while it is closed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import typer

from croupier.cli.restore_command import staged, swap
from croupier.ledger import Unreadable, open_recorder
from croupier.ledger.entry import Unit, follow, genesis
from croupier.web.errors import Denied
from croupier.web.settings import Settings
from croupier.web.workers.backup import backup, path_of
from croupier.web.workers.ledger_lock import take

NOW = datetime(2026, 11, 16, 3, 4, 5, tzinfo=UTC)


def ledger(path: Path, *bodies: bytes) -> None:
    recorder = open_recorder(str(path))
    previous = genesis("audit")
    for version, body in enumerate(bodies, 1):
        entry = follow("audit", version, previous, body)
        recorder.append([Unit((entry,))])
        previous = entry.hash
    recorder.close()


def put(path: Path, copy: Path) -> str:
    with staged(copy, path) as waiting:
        return swap(path, waiting, NOW)


def bodies(path: Path) -> list[bytes]:
    recorder = open_recorder(str(path), create=False)
    found = [entry.body for entry in recorder.read("audit")]
    recorder.close()
    return found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    ledger(tmp_path / "copy.db", b"new", b"newer")
    return tmp_path / "copy.db"


def test_the_copy_replaces_the_ledger_and_the_old_one_is_kept(tmp_path: Path, copy: Path) -> None:
    path = tmp_path / "floor.db"
    ledger(path, b"old")
    (tmp_path / "floor.db-sessions").write_text("who is logged in")
    assert put(path, copy) == (
        "The copy is in place as floor.db. The ledger it replaced is kept as floor.db.before-20261116-030405."
    )
    assert bodies(path) == bodies(copy) == [b"new", b"newer"]
    assert bodies(tmp_path / "floor.db.before-20261116-030405") == [b"old"]
    assert not (tmp_path / "floor.db-sessions").exists()
    assert (tmp_path / "floor.db.before-20261116-030405-sessions").exists()
    assert not list(tmp_path.glob("floor.db.restore*"))


def test_an_open_ledger_is_not_replaced(tmp_path: Path, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "floor.db"
    ledger(path, b"old")
    recorder = open_recorder(str(path))
    with pytest.raises(typer.Exit):
        put(path, copy)
    assert "open in another process" in capsys.readouterr().err
    recorder.close()
    assert bodies(path) == [b"old"]
    assert not list(tmp_path.glob("floor.db.*"))


def test_a_ledger_too_damaged_to_be_opened_is_kept_as_it_is(tmp_path: Path, copy: Path) -> None:
    path = tmp_path / "floor.db"
    path.write_bytes(b"no database any more" * 100)
    put(path, copy)
    assert bodies(path) == [b"new", b"newer"]
    assert (tmp_path / "floor.db.before-20261116-030405").read_bytes() == b"no database any more" * 100


def test_an_interrupted_replacement_is_completed(tmp_path: Path, copy: Path) -> None:
    """The old ledger was set aside and the copy is not in place yet. No new floor may start there."""
    path = tmp_path / "floor.db"
    (tmp_path / "floor.db.restore-by-hand").write_bytes(copy.read_bytes())
    with pytest.raises(Unreadable, match=r"floor.db is missing, but floor.db.restore-by-hand shows"):
        take(Settings(database=str(path)))
    assert put(path, copy) == "The copy is in place as floor.db."
    assert bodies(path) == [b"new", b"newer"]


def test_postgresql_has_its_own_tools() -> None:
    with pytest.raises(Denied, match="pg_dump") as caught:
        path_of(Settings(database="postgresql://nowhere/none"))
    assert caught.value.status_code == 409


def test_a_ledger_of_any_name_is_copied(tmp_path: Path) -> None:
    path = tmp_path / "floor #1? 100%.db"
    ledger(path, b"one", b"two")
    copy, size = backup(path)
    with copy:
        (tmp_path / "copy.db").write_bytes(copy.read())
    assert (tmp_path / "copy.db").stat().st_size == size
    assert bodies(tmp_path / "copy.db") == [b"one", b"two"]
