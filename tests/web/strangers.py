"""Strangers who try to keep others from playing. Each attack is bounded and runs in a separate process, over loopback only.

    python -m tests.web.strangers ATTACK PORT [SECONDS] [FROM]

An attack prints a line when it starts, runs for the given time, and then prints its results as JSON: answers by status, refused
connections, and connections still open at the end.
"""  # fmt: skip

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

HOME = "127.0.0.1"
ELSEWHERE = "127.0.0.2"  # also loopback, but not the players' address
MOST_BYTES = 400_000_000  # sent by one attack
MOST_OPEN = 1500  # connections per attack
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Attack:
    def __init__(self, port: int, seconds: float, address: str) -> None:
        self.port, self.until, self.address = port, time.monotonic() + seconds, address
        self.found: Counter[str] = Counter()
        self.sent = 0

    def goes_on(self) -> bool:
        return time.monotonic() < self.until and self.sent < MOST_BYTES

    async def open(self) -> Streams | None:
        try:
            return await asyncio.wait_for(asyncio.open_connection(HOME, self.port, local_addr=(self.address, 0)), 5)
        except (OSError, TimeoutError):
            self.found["not connected"] += 1
            await asyncio.sleep(0.05)
            return None

    async def send(self, writer: asyncio.StreamWriter, data: bytes) -> bool:
        try:
            writer.write(data)
            self.sent += len(data)
            await writer.drain()
        except OSError:
            self.found["cut off"] += 1
            return False
        return not writer.is_closing()

    async def answer(self, reader: asyncio.StreamReader) -> tuple[int, str]:
        """The status and headers of the answer, after reading its body."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)content-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        status = int(head.split(" ", 2)[1])
        self.found[str(status)] += 1
        return status, head

    async def many(self, one: Callable[[int], Awaitable[None]], count: int) -> None:
        await asyncio.gather(*(self._again(one, number) for number in range(count)))

    async def _again(self, one: Callable[[int], Awaitable[None]], number: int) -> None:
        while self.goes_on():
            try:
                await one(number)
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                self.found["cut off"] += 1
            await asyncio.sleep(0.01)

    # the attacks

    async def endless_header(self) -> None:
        """A request whose header never ends, sent as fast as the server reads it."""

        async def one(number: int) -> None:
            if streams := await self.open():
                _, writer = streams
                await self.send(writer, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Endless: ")
                while self.goes_on() and await self.send(writer, b"a" * 65536):
                    pass
                writer.close()

        await self.many(one, 4)

    async def half_sent(self, start: bytes = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ", then: bytes = b"a") -> None:
        """Requests that never finish, with a byte now and then."""
        opened: list[Streams] = []

        async def fill() -> None:
            while self.goes_on():
                opened[:] = [each for each in opened if not (each[1].is_closing() or each[0].at_eof())]
                if len(opened) < MOST_OPEN and (streams := await self.open()):
                    if await self.send(streams[1], start):
                        opened.append(streams)
                else:
                    await asyncio.sleep(0.05)

        async def trickle() -> None:
            while self.goes_on():
                for _, writer in list(opened):
                    await self.send(writer, then)
                await asyncio.sleep(1)

        await asyncio.gather(*(fill() for _ in range(50)), trickle())
        self.found["open at the end"] = len([each for each in opened if not each[0].at_eof()])

    async def half_sent_body(self) -> None:
        """The same, with a body that never arrives."""
        await self.half_sent(
            b"POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{"
        )

    async def silent(self) -> None:
        """Connections that send nothing."""
        await self.half_sent(b"", b"")

    async def drawings(self) -> None:
        """Fetch the felt from every seat, again and again."""
        await self.pages([f"/tables/three-card-poker/felt/{seat}" for seat in range(1, 8)])

    async def pages(self, paths: list[str] | None = None, headers: Callable[[int], str] = lambda number: "") -> None:
        paths = paths or [
            "/",
            "/tables/three-card-poker",
            "/tables/three-card-poker/rules",
            "/api/tables",
            "/schema",
            "/metrics",
            "/nothing",
        ]

        async def one(number: int) -> None:
            if streams := await self.open():
                reader, writer = streams
                while self.goes_on():
                    self.sent += 1
                    path = paths[self.sent % len(paths)]
                    if not await self.send(writer, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers(self.sent)}\r\n".encode()):
                        break
                    await self.answer(reader)
                writer.close()

        await self.many(one, 40)

    async def watchers(self) -> None:
        """Open as many live views as the server grants."""
        await self.half_sent(b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"")


ATTACKS = ("endless_header", "half_sent", "half_sent_body", "silent", "drawings", "pages", "watchers")


def main(name: str, port: str, seconds: str = "5", address: str = ELSEWHERE) -> None:
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4096), most))
    attack = Attack(int(port), float(seconds), address)

    async def run() -> None:
        print("begun", flush=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(float(seconds) + 5):
                await getattr(attack, name)()

    asyncio.run(run())
    print(json.dumps({**attack.found, "bytes": attack.sent}))


if __name__ == "__main__":
    main(*sys.argv[1:])
