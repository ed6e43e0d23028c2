"""A real server in a separate process: `croupier serve` with its options."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from croupier.client import PATIENCE, Client
from tests.web.forking import Forked

QUIET = {"CROUPIER_ODDS": "no", "CROUPIER_LIMITS": "no"}
TIMEOUT = 60.0  # seconds; a busy machine can be slow


@dataclass
class Served:
    process: Forked
    address: str
    password: str  # of the administrator; empty if there already was one
    log: Path
    clients: list[Client] = field(default_factory=list)

    def guest(self, name: str, patience: float = PATIENCE) -> Client:
        client = Client(self.address, name, TIMEOUT, patience)
        self.clients.append(client)
        return client

    def client(self) -> Client:
        client = Client(self.address, timeout=TIMEOUT)
        self.clients.append(client)
        return client

    def administrator(self, password: str = "correct horse battery") -> Client:
        """The administrator, logged in with a password they chose."""
        client = self.client()
        try:
            client.login("administrator", self.password)
            client.change_password(self.password, password)
        except Exception:
            client.login("administrator", password)
        return client

    def stop(self, number: int = signal.SIGTERM, seconds: float = 60.0) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        ended = self.process.wait(seconds)
        for client in self.clients:
            client.close()
        return ended


def start(
    database: str, folder: Path, *options: str, env: dict[str, str] | None = None, pace: str = "at once", files: int = 0
) -> Served:
    """Start a server on a free port and wait until it is ready. `files` limits its open files; the default is our own limit."""
    stem = folder / f"server-{time.time_ns()}"
    out, log = stem.with_suffix(".out"), stem.with_suffix(".log")
    arguments = ["serve", "--port", "0", "--pace", pace, "--database", database, *options]
    process = Forked(arguments, folder, {**os.environ, **QUIET, **(env or {})}, stem, files)
    address = _wait(out, process, log)
    password = re.search(r"only now: (\S+)", out.read_text())
    return Served(process, address, password[1] if password else "", log)


def _wait(out: Path, process: Forked, log: Path) -> str:
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        if found := re.search(r"http://\S+", _text(out)):
            try:
                if httpx.get(f"{found[0]}/ready", timeout=5).status_code == 200:
                    return found[0]
            except httpx.TransportError:
                pass
        time.sleep(0.05)
    raise AssertionError(f"the server did not get ready: {_text(out)} {_text(log)}")


def _text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


@contextmanager
def serving(
    database: str, folder: Path, *options: str, env: dict[str, str] | None = None, pace: str = "at once", files: int = 0
) -> Iterator[Served]:
    served = start(database, folder, *options, env=env, pace=pace, files=files)
    try:
        yield served
    finally:
        served.stop()
