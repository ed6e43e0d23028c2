"""The floor under load: many tables with bots, many live views, one server process, the load on the same machine.

    python -m tests.bench_floor [--tables 200] [--views 1000] [--seconds 20]

The driver speaks HTTP over plain sockets, so that it takes as little of the machine as it can from the server that it measures.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier import book
from croupier.filing.template import write as example
from croupier.floor.premises import Premises
from croupier.floor.standing import Standing

SEAT = 4


@dataclass
class Tally:
    """What the driver saw."""

    waits: list[float] = field(default_factory=list)  # of commands, in seconds
    refused: int = 0
    rounds: int = 0
    messages: int = 0


class Browser:
    """A connection that is kept open, and its cookies."""

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
    """Open the tables before the clock runs."""
    premises = Premises(database)
    filed = premises.filings.file(example(book.find("649a").edition()), "administrator")
    premises.filings.approve(filed.id, "administrator", filed_on())
    names = [f"t{n}" for n in range(1, tables + 1)]
    for name in names:
        await premises.open(Standing(name, filed.id, betting_seconds=60, decision_seconds=120), "administrator")
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
            tally.rounds += 1
            await timed(browser, tally, table, {"do": "place wager", "seat": SEAT, "wager": "Ante Wager", "amount": 1000})
            await browser.ask("POST", f"/api/tables/{table}/ready")
        elif view.get("round") and view["round"]["asked"] == [SEAT] and decided != view["round"]["number"]:
            decided = view["round"]["number"]
            await timed(browser, tally, table, {"do": "decide", "seat": SEAT, "choice": "play"})


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


async def load(port: int, tables: list[str], views: int, seconds: float) -> dict[str, Any]:
    tally, start, stop = Tally(), asyncio.Event(), asyncio.Event()
    tasks = [asyncio.create_task(bot(port, table, tally, start, stop)) for table in tables]
    await asyncio.sleep(0)
    extra = max(0, views - len(tables))
    tasks += [asyncio.create_task(viewer(port, tables[n % len(tables)], tally, stop)) for n in range(extra)]
    await asyncio.sleep(max(6.0, len(tables) * 0.06))  # everybody sits down, and every deck is shuffled
    monitor = Browser(port)
    before = await metrics(monitor)
    tally.messages = 0
    start.set()
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    after, took = await metrics(monitor), time.perf_counter() - began
    stop.set()
    for task in tasks:
        task.cancel()
    failed = [each for each in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(each, Exception)]
    waits = sorted(tally.waits)
    return {
        "tables": len(tables),
        "views": int(after["croupier_live_connections"]),
        "durable commands a second": round((after["croupier_events"] - before["croupier_events"]) / took, 1),
        "of these sent by bots": round(len(waits) / took, 1),
        "rounds a second": round(tally.rounds / took, 1),
        "live messages a second": round(tally.messages / took, 1),
        "p50 ms": round(1000 * statistics.median(waits), 1) if waits else None,
        "p99 ms": round(1000 * waits[int(len(waits) * 0.99)], 1) if waits else None,
        "refused": tally.refused,
        "failed": [repr(each) for each in failed[:3]],
        "peak memory MB": round(after["croupier_peak_memory_bytes"] / 2**20),
    }


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


def measure(tables: int = 200, views: int = 1000, seconds: float = 20.0, database: str = "") -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        database = database or str(Path(folder) / "floor.db")
        names = asyncio.run(prepare(database, tables))
        process, port = serve(database, folder)
        try:
            return asyncio.run(load(port, names, views, seconds))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--views", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    print(json.dumps(measure(given.tables, given.views, given.seconds, given.database), indent=2))
