"""Witnesses: a file, a command or an HTTPS address that gets each checkpoint, so that an older copy of the ledger is noticed."""

from __future__ import annotations

import fcntl
import os
import shlex
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from croupier.ledger.recorders.recorder import NotRecorded, Unreadable
from croupier.ledger.signatures.signer import COMMAND, COMMAND_SECONDS, file_beside, run_command

BLOCK = 1 << 16  # bytes read at a time from the end of a file
MOST_WAITING = 1440  # checkpoints kept for a witness that does not answer: one day


# Keeps a checkpoint where whoever can change the ledger cannot remove it, or raises NotRecorded.
Witness = Callable[[bytes], object]


class FileWitness:
    """Appends each checkpoint to a file as one line."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def take(self, checkpoint: bytes) -> None:
        try:
            number = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            with open(number, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # other processes of the floor write to it too
                file.seek(self._end(file.fileno()))
                file.write(checkpoint + b"\n")
                file.truncate()
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise NotRecorded(f"{self.path} cannot be written: {problem.strerror}.") from problem

    def lines(self) -> Iterator[bytes]:
        """All checkpoints, oldest first. An incomplete last line does not count."""
        try:
            with self.path.open("rb") as file:
                for line in file:
                    if line.endswith(b"\n"):
                        yield line[:-1]
        except OSError as problem:
            raise Unreadable(f"The witness {self.path} cannot be read: {problem.strerror}.") from problem

    def last(self) -> bytes | None:
        """The newest checkpoint; None if there is no file."""
        try:
            with self.path.open("rb") as file:
                end = self._end(file.fileno())
                start = self._line_before(file.fileno(), end - 1) if end else 0
                return os.pread(file.fileno(), end - start, start)[:-1] if end else None
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise Unreadable(f"The witness {self.path} cannot be read: {problem.strerror}.") from problem

    def _end(self, number: int) -> int:
        """The offset after the last complete line."""
        return self._line_before(number, os.fstat(number).st_size)

    def _line_before(self, number: int, end: int) -> int:
        """The offset where the line that contains `end` begins."""
        while end > 0:
            first = max(end - BLOCK, 0)
            found = os.pread(number, end - first, first).rfind(b"\n")
            if found >= 0:
                return first + found + 1
            end = first
        return 0


def post(address: str, checkpoint: bytes) -> None:
    """Post a checkpoint to an address. A status of 200 to 299 means that it was kept."""
    import httpx

    try:
        answer = httpx.post(address, content=checkpoint, headers={"content-type": "application/json"}, timeout=COMMAND_SECONDS)
    except httpx.HTTPError as problem:
        raise NotRecorded(f"The witness {_host(address)} cannot be reached: {type(problem).__name__}.") from problem
    if not answer.is_success:
        raise NotRecorded(f"The witness {_host(address)} answered with status {answer.status_code}.")


class WitnessDelivery:
    """Checkpoints on their way to a witness. One that it does not take is offered again."""

    def __init__(self, witness: Witness) -> None:
        self.witness = witness
        self.waiting: deque[bytes] = deque(maxlen=MOST_WAITING)

    def deliver(self) -> None:
        """Deliver all that wait, in order; raises NotRecorded if the witness does not take one."""
        while self.waiting:
            self.witness(self.waiting[0])
            self.waiting.popleft()


def witnesses_of(database: str, setting: str = "") -> tuple[FileWitness | None, list[Witness]]:
    """The file in which the server itself keeps its checkpoints, and all witnesses that a setting names.

    The file is beside the ledger unless the setting is a path.
    """
    other: Witness | None = None
    path: Path | None = None if database == "memory:" else file_beside(database, ".witness")
    if setting.startswith(COMMAND):
        words = shlex.split(setting.removeprefix(COMMAND))
        if not words:
            raise Unreadable("A witness command is missing after “command:”.")
        other = partial(run_command, words)
    elif "://" in setting:
        if not setting.startswith("https://") and _host(setting) not in ("127.0.0.1", "localhost", "::1"):
            raise Unreadable("A witness on another machine must have an https:// address.")
        other = partial(post, setting)
    elif setting:
        path = Path(setting)
    file = FileWitness(path) if path else None
    return file, [each for each in (file and file.take, other) if each]


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""
