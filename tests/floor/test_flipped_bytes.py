"""Flip one byte anywhere in a ledger's files: `verify` finds it, or nothing that anyone reads has changed.

Whether something has changed is decided without Croupier: every row of every table with its type and number, the schema and the
header, as SQLite reads them. Two things do not count. `about.settled` is a counter that no one reads. And a byte can be in an
unused part of a page.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.floor.house.vault import ephemeral
from croupier.floor.verification.verify import verify
from croupier.ledger import Unreadable, open_recorder
from tests.floor.ledgers import laid, signed_floor
from tests.floor.logs import PUBLIC

TABLES = ("entries", "replies", "snapshots", "checkpoints")
PRAGMAS = ("application_id", "user_version", "encoding", "auto_vacuum", "default_cache_size")
Files = dict[str, bytes]


def dump(path: Path) -> Any:
    """Everything a reader of the database can read, or the error if it cannot be read."""
    try:
        with closing(sqlite3.connect(path)) as plain:
            header = [plain.execute(f"PRAGMA {name}").fetchall() for name in PRAGMAS]
            schema = plain.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").fetchall()
            about = plain.execute("SELECT name, value FROM about WHERE name <> 'settled'").fetchall()
            rows = [plain.execute(f"SELECT rowid, * FROM {table} NOT INDEXED ORDER BY rowid").fetchall() for table in TABLES]
            return header, schema, about, rows
    except (sqlite3.Error, UnicodeDecodeError) as problem:
        return str(problem)


def lay(files: Files, folder: Path) -> Path:
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / "floor.db"


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A ledger after its server has stopped: one file."""
    path = tmp_path_factory.mktemp("closed") / "floor.db"
    laid(signed_floor(), str(path))
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory, closed: Files) -> Files:
    """A ledger after a crash: the last entries and checkpoints are in the write-ahead log."""
    folder = tmp_path_factory.mktemp("crashed")
    reader = open_recorder(str(folder / "floor.db"))  # the WAL stays while a connection is open
    laid(signed_floor(), str(folder / "floor.db"))
    files = {name: (folder / name).read_bytes() for name in ("floor.db", "floor.db-wal")}
    reader.close()
    assert len(files["floor.db-wal"]) > 100_000
    return files


def flips(files: Files, of: str, count: int, seed: int) -> Iterator[tuple[int, Files]]:
    die = Random(seed)
    for _ in range(count):
        at, mask = die.randrange(len(files[of])), die.randrange(1, 256)
        changed = bytearray(files[of])
        changed[at] ^= mask
        yield at, files | {of: bytes(changed)}


def judge(files: Files, of: str, count: int, seed: int, folder: Path) -> Counter[str]:
    """Count the flips that were found and those that were harmless. Any other flip fails the test, as does a traceback."""
    before, told = dump(lay(files, folder)), Counter[str]()
    assert not isinstance(before, str)
    witness = list(signed_floor().checkpoints())
    assert verify(str(lay(files, folder)), [PUBLIC], witness=witness, vault=ephemeral()).sound
    for at, changed in flips(files, of, count, seed):
        path = lay(changed, folder)
        try:
            sound = verify(str(path), [PUBLIC], witness=witness, vault=ephemeral()).sound
        except Unreadable:
            sound = False
        harmless = sound and dump(lay(changed, folder)) == before
        assert harmless or not sound, f"byte {at:,} of {of} (seed {seed})"
        told["harmless" if harmless else "found"] += 1
    print(f"{of}, seed {seed}: {told['found']:,} found, {told['harmless']:,} harmless")
    return told


def test_a_flipped_byte_is_found_or_harmless(closed: Files, tmp_path: Path) -> None:
    told = judge(closed, "floor.db", 40, 7, tmp_path)
    assert told["found"] > 25


def test_a_flipped_byte_of_the_write_ahead_log_is_found_or_harmless(crashed: Files, tmp_path: Path) -> None:
    assert judge(crashed, "floor.db-wal", 30, 7, tmp_path)["found"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
def test_ten_thousand_flipped_bytes_are_found_or_harmless(seed: int, closed: Files, crashed: Files, tmp_path: Path) -> None:
    judge(closed, "floor.db", 400, 1000 + seed, tmp_path)
    judge(crashed, "floor.db-wal", 100, 1000 + seed, tmp_path)


def test_the_command_line_says_a_sentence_and_never_a_traceback(closed: Files, tmp_path: Path) -> None:
    """This includes the first hundred bytes, which identify the file, and the schema that follows."""
    for at in [*range(0, 100, 9), *range(100, 4096, 577), len(closed["floor.db"]) - 1]:
        changed = bytearray(closed["floor.db"])
        changed[at] ^= 0x55
        path = lay({"floor.db": bytes(changed)}, tmp_path)
        told = CliRunner().invoke(app, ["verify", str(path), "--key", PUBLIC.hex()])
        assert told.exit_code in (0, 1), (at, told.output)
        assert told.exception is None or isinstance(told.exception, SystemExit), (at, told.exception)
        assert "Traceback" not in told.output
