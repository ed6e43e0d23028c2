"""The scribe: a process that writes the batches of a busy SQLite ledger.

A thread that writes shares the interpreter with the tables: it stands in line for it at every turn, and they stand still while
it has it. A process takes nothing from them but the time to send it some bytes.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from croupier.ledger import writing
from croupier.ledger.packing import Packed

Tell = Callable[[str, str], None]  # what became of a batch, and what was said of it

SECONDS_TO_END = 1.0  # with nothing in its hands
SECONDS_TO_ANSWER = 30.0  # longer than SQLite waits while others have locked the file
SECONDS_LATE = 1.0  # by so much a clock strikes late only where this process stood still, and perhaps the scribe too


class Scribe:
    """Spoken to from one event loop, with one batch at a time."""

    def __init__(self, path: Path, identity: str) -> None:
        """Start it, or raise what stands against it. It is `ready` some time later, unless it is `gone`."""
        self.ready = self.gone = False
        self.loop = asyncio.get_running_loop()
        self._tell: Tell | None = None
        self._limit: asyncio.TimerHandle | None = None
        self._unsent = memoryview(b"")
        self._heard = b""
        self._here, there = socket.socketpair()
        self._here.setblocking(False)
        try:
            self.loop.add_reader(self._here, self._hear)
            command = [sys.executable, "-I", "-S", writing.__file__, str(path), identity, str(os.getpid())]
            self._process = subprocess.Popen(command, stdin=there.fileno(), stdout=there.fileno(), stderr=subprocess.DEVNULL)
        except Exception:
            self._let_go()
            raise
        finally:
            there.close()

    def write(self, packed: Packed, tell: Tell) -> None:
        self._tell = tell
        self._set_limit()
        self._unsent = memoryview(writing.frame(packed))
        self._send()

    def _set_limit(self) -> None:
        due = self.loop.time() + SECONDS_TO_ANSWER
        self._limit = self.loop.call_at(due, self._out_of_time, due)

    def _out_of_time(self, due: float) -> None:
        if self.loop.time() > due + SECONDS_LATE:
            self._set_limit()
        else:
            self._process.kill()  # which will be heard

    def end(self) -> bool:
        """Send it away; whether it had a batch in its hands, of which nobody knows what became. It writes nothing after this."""
        if self.gone:
            return False
        self.ready, self.gone = False, True
        cut_off, self._tell = self._tell is not None, None
        self._let_go()
        if cut_off:
            self._process.kill()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        return cut_off

    def _let_go(self) -> None:
        if self._limit:
            self._limit.cancel()
        if not self.loop.is_closed():
            self.loop.remove_reader(self._here)
            self.loop.remove_writer(self._here)
        self._here.close()

    def dismiss(self) -> None:
        """End it from whatever thread."""
        try:
            self.loop.call_soon_threadsafe(self.end)
        except RuntimeError:  # the loop is closed
            self.end()

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[self._here.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # it is gone, which will be heard
            self._unsent = memoryview(b"")
        if self._unsent:
            self.loop.add_writer(self._here, self._send)
        else:
            self.loop.remove_writer(self._here)

    def _hear(self) -> None:
        try:
            heard = self._here.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            heard = b""
        self._heard += heard
        if not heard:
            self._lost()
        elif heard.endswith(b"\n"):
            (what, said), self._heard = json.loads(self._heard), b""
            self._answer(what, said)

    def _lost(self) -> None:
        tell, self._tell = self._tell, None
        self._process.kill()
        self.end()
        if tell:
            tell(writing.UNKNOWN, "the process that writes was lost")

    def _answer(self, what: str, said: str) -> None:
        self.ready = True
        tell, self._tell = self._tell, None
        if tell and self._limit:
            self._limit.cancel()
            tell(what, said)
