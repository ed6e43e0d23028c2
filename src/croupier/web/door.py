"""The door: what a connection may cost before anybody knows who it is.

uvicorn limits neither the size of a request's head nor the time that it takes, and its limit of connections turns newcomers away
while those who never finish a request stay. Here a head is short and quick, a body keeps coming, an answer is taken, and when there
are too many connections the one goes that has waited longest without a request.
"""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import Counter
from functools import cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from croupier.floor.places import Network, place, within
from croupier.web.settings import Settings

log = logging.getLogger("croupier.door")
MOST_HEAD = 16 * 1024  # bytes of a request line and its headers
BODY_STEP = 64 * 1024  # bytes by which a body has to grow in its time
MOST_AHEAD = 16  # requests sent before the first of them is answered
FILES = 512  # that a server opens beside its connections: ledger, sessions, pipes
LOG_EVERY = 10.0  # seconds between two lines about the same kind of trouble
MOST_OPEN = 10_000  # connections of one process, unless the operating system allows it fewer


def _answer(status: str, words: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\nretry-after: 5\r\n"
    return f"{head}content-length: {len(words)}\r\n\r\n{words}".encode()


FULL = _answer("503 Service Unavailable", "Too many connections are open. Try again in a few seconds.\n")
TOO_LONG = _answer("431 Request Header Fields Too Large", f"The headers of a request may have {MOST_HEAD} bytes in all.\n")


class Complaints:
    """A line in the log for each kind of trouble, now and then, with how often it happened: a flood does not fill the log."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._said: dict[str, float] = {}

    def note(self, what: str, address: str, now: float) -> None:
        self._count[what] += 1
        if now - self._said.get(what, -LOG_EVERY) >= LOG_EVERY:
            log.warning(what, extra={"address": address, "times": self._count.pop(what)})
            self._said[what] = now


class Hall:
    """Who is connected to this process: how many in all, how many from a place, and who has waited longest without a request.

    Those who have never finished a request wait before those who have: browsers keep connections for their next one.
    """

    def __init__(self, most: int, most_from_one: int, proxies: tuple[Network, ...]) -> None:
        self.most, self.most_from_one, self.proxies = most, most_from_one, proxies
        self.complaints = Complaints()
        self._from: dict[str, int] = {}  # connections by place
        self._inside: set[Door] = set()
        self._waiting: tuple[dict[Door, None], dict[Door, None]] = {}, {}  # strangers and known ones, each the longest first

    def enter(self, door: Door) -> bool:
        """Make room for a connection, if there is any to make."""
        crowded = len(self._inside) >= self.most
        if crowded or self._from.get(door.place, 0) >= self.most_from_one:
            out = self._longest("" if crowded else door.place)
            if out is None:
                return False
            self.leave(out)
            out.turn_out("a connection without a request made room for another")
        self._inside.add(door)
        if door.place:
            self._from[door.place] = self._from.get(door.place, 0) + 1
        self.waits(door)
        return True

    def _longest(self, place: str) -> Door | None:
        return next((each for those in self._waiting for each in those if not place or each.place == place), None)

    def leave(self, door: Door) -> None:
        if door in self._inside:
            self._inside.discard(door)
            self.asks(door)
            if door.place and (left := self._from.pop(door.place) - 1):
                self._from[door.place] = left

    def waits(self, door: Door) -> None:
        """It has not asked for anything, or not wholly."""
        self.asks(door)
        if door in self._inside:
            self._waiting[door.is_known][door] = None

    def asks(self, door: Door) -> None:
        """It has asked for something and waits for the answer."""
        for those in self._waiting:
            those.pop(door, None)


@cache
def hall() -> Hall:
    """The one of this process, by its settings."""
    settings = Settings.from_environment()
    most = min(MOST_OPEN, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - FILES)
    return Hall(most, int(settings.connections) if settings.limits == "yes" else most, settings.trusted)


def open_many_files() -> None:
    """Raise the limit of open files for this process and its workers, where it is too low: each connection is one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, min(most, MOST_OPEN + FILES)), most))


class Door(HttpToolsProtocol):
    """uvicorn's protocol, with limits."""

    head_seconds = 10.0  # from the connection, or the first byte of a later head, to the head's last byte
    body_seconds = 20.0  # for a step of a body, or for its end
    answer_seconds = 60.0  # for which an answer may lie on the way

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.hall = hall()
        self.logger = logging.getLogger("croupier.door.uvicorn")
        self.logger.setLevel(logging.ERROR)  # what strangers send wrong is complained of here
        self.place = ""  # of somebody whose connections are counted; a proxy's are not
        self.is_known = False  # it has finished a request
        self._in_head = True
        self._head = self._step = 0  # bytes of the head, and of the body since it was last found to keep coming
        self._timer: asyncio.TimerHandle | None = None
        self._answer_timer: asyncio.TimerHandle | None = None

    # a connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self.place = "" if within(address, self.hall.proxies) else place(address)
        if self.hall.enter(self):
            self._give(self.head_seconds)
        else:
            self._complain("turned away: too many connections")
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.hall.leave(self)
        self._end_timers()
        super().connection_lost(exc)

    def turn_out(self, why: str) -> None:
        self._complain(why)
        self._end_timers()
        self.transport.abort()

    def _complain(self, what: str) -> None:
        self.hall.complaints.note(what, self.client[0] if self.client else "", self.loop.time())

    # what comes in

    def data_received(self, data: bytes) -> None:
        """A head is given to the parser up to its limit only: the parser copies a long one again and again."""
        rest = memoryview(data)
        while rest and not self.transport.is_closing():
            room = MOST_HEAD - self._head if self._in_head else len(rest)
            part, rest = rest[:room], rest[room:]
            self._head += len(part) if self._in_head else 0
            super().data_received(bytes(part))
            if self._in_head and self._head >= MOST_HEAD and not self.transport.is_closing():
                self._complain("turned away: the head of a request is too long")
                self.transport.write(TOO_LONG)
                self.transport.close()
        if self._head and self._timer is None and not self.transport.is_closing():
            self._give(self.head_seconds)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError("too many requests at once")  # which the parser passes on as a request that it cannot read
        super().on_headers_complete()
        self._in_head, self._head, self._step = False, 0, 0
        self._give(self.body_seconds)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._step += len(body)
        if self._step >= BODY_STEP:
            self._step = 0
            self._give(self.body_seconds)
            if not self.cycle.response_complete:
                self.hall.waits(self)  # behind the others

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._end_timer()
        self._in_head, self.is_known = True, True
        if not self.cycle.response_complete:
            self.hall.asks(self)

    def on_response_complete(self) -> None:
        if not self.pipeline:
            self.hall.waits(self)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        self._complain("turned away: not a request")
        super().send_400_response(msg)

    # what goes out

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._answer_timer is None:
            self._answer_timer = self.loop.call_later(self.answer_seconds, self.turn_out, "cut off: an answer was not taken")

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._answer_timer is not None:
            self._answer_timer.cancel()
            self._answer_timer = None

    # time

    def _give(self, seconds: float) -> None:
        self._end_timer()
        self._timer = self.loop.call_later(seconds, self._is_late)

    def _is_late(self) -> None:
        self._timer = None
        if self.flow.read_paused:  # it is not the other side that is slow
            self._give(self.body_seconds)
        else:
            self.turn_out("cut off: a request took too long to come in")

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_timers(self) -> None:
        self._end_timer()
        self.resume_writing()
