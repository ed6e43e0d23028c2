"""The floor under load: many tables with bots, many live views, one server process, with the load on the same machine.

    python -m tests.bench_floor [--tables 200] [--views 1000] [--seconds 20] [--rounds 60]

Measured twice: at a human pace, with a given number of rounds per second in all, and with every bot as fast as it gets
answers, which shows the server's capacity. The driver speaks HTTP over plain sockets, to take as little CPU as possible from the server it measures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier import book
from croupier.filing.template import example_submission as example
from croupier.floor.premises import Premises
from croupier.floor.registers.table_settings import TableSettings

SEAT = 4


@dataclass
class Tally:
    """What the driver saw."""

    waits: list[float] = field(default_factory=list)  # for commands, in seconds
    refused: int = 0
    rounds: int = 0
    messages: int = 0
    begins: dict[str, float] = field(default_factory=dict)  # when a table's bot may start its next round
    every: float = 0.0  # seconds between the rounds of a bot; 0 means as fast as it gets answers


class Browser:
    """A keep-alive connection, and its cookies."""

    def __init__(self, port: int) -> None:
        self.port, self.cookies = port, dict[str, str]()
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[int, bytes]:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        data = json.dumps(body).encode() if body is not None else b""
        head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(data)}", "Content-Type: application/json"]
        head += [f"Cookie: {'; '.join(f'{k}={v}' for k, v in self.cookies.items())}"] if self.cookies else []
        head += [f"x-csrftoken: {self.cookies['csrftoken']}"] if "csrftoken" in self.cookies else []
        head += [f"Idempotency-Key: {key}"] if key else []
        self.writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + data)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        for name, value in re.findall(r"(?im)^set-cookie: ([^=]+)=([^;\r]*)", answer):
            self.cookies[name] = value
        length = re.search(r"(?i)content-length: (\d+)", answer)
        return int(answer.split(" ", 2)[1]), await self.reader.readexactly(int(length[1])) if length else b""

    async def watch(self, table: str) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        cookie = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        writer.write(f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
        self.live = writer
        await reader.readuntil(b"\r\n\r\n")
        return reader


async def prepare(database: str, tables: int) -> list[str]:
    """Open the tables before the clock starts."""
    premises = Premises(database)
    filed = premises.filings.file(example(book.find("649a").edition()), "administrator")
    premises.filings.approve(filed.id, "a second administrator", filed_on())
    names = [f"t{n}" for n in range(1, tables + 1)]
    for name in names:
        await premises.open(TableSettings(name, filed.id, practice=True, betting_seconds=60), "administrator")
    await premises.stop()
    return names


def filed_on() -> Any:
    from datetime import UTC, datetime

    return datetime.now(UTC).date()


async def bot(port: int, table: str, tally: Tally, start: asyncio.Event, stop: asyncio.Event) -> None:
    browser = Browser(port)
    await browser.ask("GET", "/api/me")
    await browser.ask("POST", "/api/guests", {"name": f"bot {table}"})
    for command in ({"do": "sit", "seat": SEAT, "player": f"bot {table}"}, {"do": "buy in", "seat": SEAT, "amount": 2_000_000}):
        status, text = await browser.ask("POST", f"/api/tables/{table}/commands", command, str(uuid.uuid4()))
        assert status == 200, text
    reader = await browser.watch(table)
    started = False
    wagered = decided = -1
    while not stop.is_set():
        line = await reader.readline()
        if not line.startswith(b"data: "):
            continue
        tally.messages += 1
        if b'"seen":' not in line:
            continue
        view = json.loads(line[6:])["seen"]["view"]
        if not started:
            await start.wait()
            started = True
        if view["phase"] == "betting" and all(deck["condition"] == "ready" for deck in view["decks"]) and wagered != view["rounds"]:
            wagered = view["rounds"]
            await its_time(table, tally)
            tally.rounds += 1
            await timed(browser, tally, table, {"do": "place wager", "seat": SEAT, "wager": "Ante Wager", "amount": 1000})
            await browser.ask("POST", f"/api/tables/{table}/ready")
        elif view.get("round") and view["round"]["asked"] == [SEAT] and decided != view["round"]["number"]:
            decided = view["round"]["number"]
            await timed(browser, tally, table, {"do": "decide", "seat": SEAT, "choice": "play"})


async def its_time(table: str, tally: Tally) -> None:
    if tally.every:
        now = time.perf_counter()
        await asyncio.sleep(max(0.0, tally.begins.get(table, now) - now))
        tally.begins[table] = max(now, tally.begins.get(table, now)) + tally.every


async def timed(browser: Browser, tally: Tally, table: str, command: Any) -> None:
    began = time.perf_counter()
    status, _ = await browser.ask("POST", f"/api/tables/{table}/commands", command, str(uuid.uuid4()))
    tally.waits.append(time.perf_counter() - began)
    tally.refused += status != 200


async def viewer(port: int, table: str, tally: Tally, stop: asyncio.Event) -> None:
    browser = Browser(port)
    reader = await browser.watch(table)
    while not stop.is_set():
        data = await reader.read(65536)
        if not data:
            return
        tally.messages += data.count(b"\nevent: ") + data.startswith(b"event: ")


async def load(port: int, pid: int, tables: list[str], views: int, seconds: float, rounds: float) -> dict[str, Any]:
    """Let everyone in. Then play rounds at a measured pace, then as many as possible."""
    tally, start, stop = Tally(), asyncio.Event(), asyncio.Event()
    alone = memory(pid)
    tasks = [asyncio.create_task(bot(port, table, tally, start, stop)) for table in tables]
    await asyncio.sleep(0)
    extra = max(0, views - len(tables))
    tasks += [asyncio.create_task(viewer(port, tables[n % len(tables)], tally, stop)) for n in range(extra)]
    await asyncio.sleep(max(6.0, len(tables) * 0.06))  # time for everyone to sit down and every deck to be shuffled
    watched = memory(pid)
    monitor, now = Browser(port), time.perf_counter()
    tally.every = len(tables) / rounds
    tally.begins = {table: now + n / rounds for n, table in enumerate(tables)}
    start.set()
    await asyncio.sleep(tally.every)  # until every table is playing
    paced = await phase(monitor, pid, tally, seconds)
    tally.every = 0.0
    await asyncio.sleep(2)
    at_most = await phase(monitor, pid, tally, seconds)
    connected = int((await metrics(monitor))["croupier_live_connections"])
    stop.set()
    for task in tasks:
        task.cancel()
    failed = [each for each in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(each, Exception)]
    return {
        "tables": len(tables),
        "views": connected,
        "paced": paced,
        "at most": at_most,
        "failed": [repr(each) for each in failed[:3]],
        "KB for a connection": round((watched - alone) / connected / 1024, 1),
        "MB at the end": round(memory(pid) / 2**20),
    }


async def phase(monitor: Browser, pid: int, tally: Tally, seconds: float) -> dict[str, Any]:
    before, began, busy = await metrics(monitor), time.perf_counter(), processor(pid)
    tally.waits, tally.refused, tally.rounds, tally.messages = [], 0, 0, 0
    await asyncio.sleep(seconds)
    after, took = await metrics(monitor), time.perf_counter() - began
    waits, commands = sorted(tally.waits), after["croupier_events"] - before["croupier_events"]
    return {
        "durable commands per second": round(commands / took, 1),
        "CPU µs per command": round(1e6 * (processor(pid) - busy) / commands),
        "sent by bots": round(len(waits) / took, 1),
        "rounds per second": round(tally.rounds / took, 1),
        "live messages per second": round(tally.messages / took, 1),
        "p50 ms": round(1000 * statistics.median(waits), 1) if waits else None,
        "p99 ms": round(1000 * waits[int(len(waits) * 0.99)], 1) if waits else None,
        "refused": tally.refused,
    }


def memory(pid: int) -> int:
    """Current memory of a process, in bytes."""
    resident = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(resident[1]) * 1024 if resident else 0


def processor(pid: int) -> float:
    """CPU time of a process so far, in seconds."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def metrics(browser: Browser) -> dict[str, float]:
    _, text = await browser.ask("GET", "/metrics")
    return {name: float(value) for name, value in re.findall(r"(?m)^(croupier_\w+) (\S+)$", text.decode())}


def serve(database: str, folder: str, workers: int = 1) -> tuple[subprocess.Popen[str], int]:
    env = {**os.environ, "CROUPIER_ODDS": "no", "CROUPIER_LIMITS": "no", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--no-demo", "--pace", "at once", "--database", database]
    process = subprocess.Popen(
        [*command, "--workers", str(workers)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env, cwd=folder
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://[^:]+:(\d+)", line):
            time.sleep(3)
            return process, int(found[1])
    raise SystemExit("the server did not start")


def measure(
    tables: int = 200, views: int = 1000, seconds: float = 20.0, rounds: float = 60.0, database: str = ""
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, chdir(folder):  # where the house key of a PostgreSQL floor is
        empty = bare(str(Path(folder) / "empty.db"), folder)
        database = database or str(Path(folder) / "floor.db")
        names = asyncio.run(prepare(database, tables))
        process, port = serve(database, folder)
        try:
            open_ = memory(process.pid)
            found = asyncio.run(load(port, process.pid, names, views, seconds, rounds))
            return found | {"MB of a server": round(empty / 2**20), "KB for a table": round((open_ - empty) / tables / 1024, 1)}
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def bare(database: str, folder: str) -> int:
    """Memory of a server without a table."""
    process, _ = serve(database, folder)
    try:
        return memory(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--views", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=float, default=60.0)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    print(json.dumps(measure(given.tables, given.views, given.seconds, given.rounds, given.database), indent=2))
