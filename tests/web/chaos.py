"""Servers that are killed under load, a service manager that restarts them, and players who keep playing."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import msgspec

from croupier.floor.house.house import stream_of
from croupier.ledger import open_recorder
from croupier.table.events import read_event
from croupier.wire import Seen
from tests.web.processes import workers
from tests.web.serving import QUIET

ANSWERS = {200, 409, 422, 503}
TABLES = ("three-card-poker", "four-card-poker")
SECONDS_TO_RESTART = 0.2


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Managed:
    """A server under a service manager that restarts it whenever it exits."""

    def __init__(self, database: str, folder: Path, *options: str) -> None:
        self.port, self.exits = free_port(), Counter[int]()
        self.address = f"http://127.0.0.1:{self.port}"
        self._command = [
            sys.executable, "-m", "croupier", "serve", "--port", str(self.port), "--pace", "at once", "--database", database, *options,
        ]  # fmt: skip
        self.log, self._folder, self._stopping = folder / f"server-{self.port}.log", folder, threading.Event()
        self._process = self._start()
        self._thread = threading.Thread(target=self._manage, daemon=True)
        self._thread.start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            environment = {**os.environ, **QUIET}
            return subprocess.Popen(
                self._command, stdout=log, stderr=log, cwd=self._folder, env=environment, start_new_session=True
            )

    def _manage(self) -> None:
        while True:
            code = self._process.wait()
            self.exits[code] += 1
            if self._stopping.wait(SECONDS_TO_RESTART):
                return
            self._process = self._start()

    def kill(self, number: int = signal.SIGKILL) -> None:
        with suppress(ProcessLookupError):
            self._process.send_signal(number)

    def kill_worker(self, random: Random) -> None:
        if found := workers(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(random.choice(found), signal.SIGKILL)

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.address}/ready", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def stop(self) -> None:
        self._stopping.set()
        self.kill(signal.SIGTERM)
        try:
            self._thread.join(30)
        finally:
            self.kill()


@dataclass
class Books:
    """What the players sent, and the answers they got."""

    sent: dict[str, str] = field(default_factory=dict)  # key -> table
    granted: dict[str, tuple[str, int]] = field(default_factory=dict)  # key -> table and version
    refused: set[str] = field(default_factory=set)
    answers: Counter[int] = field(default_factory=Counter)
    moved_at: dict[str, float] = field(default_factory=lambda: dict.fromkeys(TABLES, time.monotonic()))
    longest: float = 0.0  # longest time a table stood still, in seconds

    def moved(self, table: str) -> None:
        now = time.monotonic()
        self.longest, self.moved_at[table] = max(self.longest, now - self.moved_at[table]), now


class Player(threading.Thread):
    """A guest at one table, using whichever server answers. Retries each command with its idempotency key until it gets an answer."""

    def __init__(self, name: str, table: str, seat: int, addresses: list[str], books: Books, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.guest, self.table, self.seat, self.addresses, self.books, self.over = name, table, seat, addresses, books, over
        self.http, self.count, self.which, self.problem = httpx.Client(timeout=15), 0, seat % len(addresses), ""

    def run(self) -> None:
        try:
            self._play()
        except Exception as problem:  # reported by the test
            self.problem = f"{type(problem).__name__}: {problem}"
        finally:
            self.http.close()

    def _play(self) -> None:
        self._ask("GET", "/api/me")
        self._ask("POST", "/api/guests", {"name": self.guest})
        self.do("sit", seat=self.seat, player=self.guest)
        self.do("buy in", seat=self.seat, amount=1_000_000)
        while not self.over.is_set():
            view = msgspec.json.decode(self._ask("GET", f"/api/tables/{self.table}").content, type=Seen).view
            if view.round and self.seat in view.round.asked:
                self.do("decide", seat=self.seat, choice="fold")
            elif view.phase == "betting" and self.seat not in view.wagers:
                self.do("place wager", seat=self.seat, wager="Ante Wager", amount=1000)
                self._ask("POST", f"/api/tables/{self.table}/ready", key=f"ready-{self.guest}-{self.count}")
            else:
                self.do("tip", seat=self.seat, amount=1)
            time.sleep(0.02)

    def do(self, what: str, **fields: object) -> None:
        self.count += 1
        key = f"{self.guest}-{self.count}".replace(" ", "-")
        self.books.sent[key] = self.table
        answer = self._ask("POST", f"/api/tables/{self.table}/commands", {"do": what, **fields}, key)
        if answer.status_code == 200:
            self.books.granted[key] = (self.table, answer.json()["version"])
            self.books.moved(self.table)
        else:
            self.books.refused.add(key)

    def _ask(self, method: str, path: str, body: object = None, key: str = "") -> httpx.Response:
        """Retry until the answer is not a 503. Safe only for GET and for requests with an idempotency key."""
        headers = {"Idempotency-Key": key} if key else {}
        while True:
            headers["x-csrftoken"] = self.http.cookies.get("csrftoken") or ""
            try:
                answer = self.http.request(method, f"{self.addresses[self.which]}{path}", json=body, headers=headers)
            except httpx.TransportError:  # the server was killed mid-request, or is not running
                self.which = (self.which + 1) % len(self.addresses)
                time.sleep(0.1)
                continue
            self.books.answers[answer.status_code] += 1
            if "/commands" in path and answer.status_code not in ANSWERS:
                raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text}")
            if answer.status_code < 500:
                return answer
            assert answer.status_code == 503, f"{method} {path}: {answer.status_code} {answer.text}"
            time.sleep(0.2)


def audit(database: str, books: Books) -> dict[str, int]:
    """Compare the log with the answers the players got. Count the commands that were lost, duplicated, or written though refused."""
    written: dict[str, list[tuple[str, int]]] = {}
    recorder = open_recorder(database, create=False)
    try:
        for table in TABLES:
            for entry in recorder.read(stream_of(table)):
                if key := read_event(entry.body).key:
                    written.setdefault(key.split(" ")[1], []).append((table, entry.version))
    finally:
        recorder.close()
    return {
        "lost": sum(place not in written.get(key, []) for key, place in books.granted.items()),
        "doubled": sum(len(places) > 1 for places in written.values()),
        "refused and written": len(books.refused & written.keys()),
        "never sent": len(written.keys() - books.sent.keys()),
    }


def until_all_move(books: Books, seconds: float, players: list[Player]) -> None:
    """Wait until each table has moved on from where it is now."""
    began = time.monotonic()
    while any(at <= began for at in books.moved_at.values()):
        assert not any(player.problem for player in players), [player.problem for player in players]
        stood = time.monotonic() - began
        assert stood < seconds, f"a table has stood still for {stood:.0f} seconds: {books.moved_at} {books.answers}"
        time.sleep(0.02)
