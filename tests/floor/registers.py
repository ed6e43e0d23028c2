"""Shared by the tests of the registers: each recorder, a stopped clock, and a fast password hash."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

from argon2 import PasswordHasher

from croupier.floor.registers.people import People
from croupier.ledger import Entry, MemoryRecorder, Recorder
from tests.floor.play import HOUR_OF_OPENING
from tests.recorders.conftest import recorder, url

__all__ = ["QUICK", "Stopped", "all_text", "folder", "people", "recorder", "registered", "url"]

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
MINUTES = 60_000
HOURS = 60 * MINUTES


class Stopped:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = HOUR_OF_OPENING

    def __call__(self) -> int:
        return self.now


def people(recorder: Recorder | None = None, clock: Stopped | None = None) -> People:
    return People(MemoryRecorder() if recorder is None else recorder, clock or Stopped(), QUICK)


def registered(recorder: Recorder, stream: str) -> list[Entry]:
    return list(recorder.read(stream))


def all_text(recorder: Recorder) -> bytes:
    """Everything a reader of the bodies can see."""
    return b"\n".join(entry.body for stream in recorder.streams() for entry in recorder.read(stream))


class folder:
    """A folder for a database that hypothesis uses once."""

    def __enter__(self) -> Path:
        self.path = Path(mkdtemp(prefix="croupier-registers-"))
        return self.path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
