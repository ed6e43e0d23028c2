"""A real server in a process of its own, as `croupier serve` starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from croupier.client import Client

QUIET = {"CROUPIER_ODDS": "no", "CROUPIER_LIMITS": "no"}


@dataclass
class Served:
    process: subprocess.Popen[str]
    address: str
    password: str  # of the administrator; empty if there was one before
    log: Path
    clients: list[Client] = field(default_factory=list)

    def guest(self, name: str) -> Client:
        client = Client(self.address, name=name)
        self.clients.append(client)
        return client

    def client(self) -> Client:
        client = Client(self.address)
        self.clients.append(client)
        return client

    def administrator(self, password: str = "correct horse battery") -> Client:
        """The administrator, logged in with a password of his own."""
        client = self.client()
        try:
            client.login("administrator", self.password)
            client.change_password(self.password, password)
        except Exception:
            client.login("administrator", password)
        return client

    def stop(self, number: int = signal.SIGTERM, seconds: float = 20.0) -> int:
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(seconds)


def start(database: str, folder: Path, *options: str, env: dict[str, str] | None = None, pace: str = "at once") -> Served:
    """Start a server on a free port and wait until it is ready."""
    log = folder / f"server-{time.time_ns()}.log"
    command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--pace", pace, "--database", database, *options]
    with log.open("w") as err:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=err, text=True, cwd=folder, env={**os.environ, **QUIET, **(env or {})},
            start_new_session=True,
        )  # fmt: skip
    assert process.stdout is not None
    address = password = ""
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            address = found[0]
            break
    assert address, log.read_text()
    _wait(address, process, log)
    os.set_blocking(process.stdout.fileno(), False)
    rest = process.stdout.read() or ""
    if found := re.search(r"only now: (\S+)", rest):
        password = found[1]
    return Served(process, address, password, log)


def _wait(address: str, process: subprocess.Popen[str], log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"{address}/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"the server did not get ready: {log.read_text()}")


@contextmanager
def serving(database: str, folder: Path, *options: str, env: dict[str, str] | None = None, pace: str = "at once") -> Iterator[Served]:
    served = start(database, folder, *options, env=env, pace=pace)
    try:
        yield served
    finally:
        served.stop()
