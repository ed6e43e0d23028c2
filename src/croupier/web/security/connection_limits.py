"""Limits on what a connection may cost before we know who it is.

uvicorn limits neither the size of a request's head nor how long it takes, and its limit on connections turns away newcomers and
keeps those who never finish a request. Here a head has to be short and quick, a body has to keep coming, and an answer has to be
read. When there are too many connections, the one that has waited longest without a request is closed.
"""

from __future__ import annotations

import asyncio
import logging
import resource
from functools import cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from croupier.floor.registers.addresses import Network, in_networks, place_of_address
from croupier.web.logs import ThrottledLog
from croupier.web.settings import Settings

MOST_HEAD = 16 * 1024  # bytes of a request line and its headers
BODY_STEP = 64 * 1024  # bytes by which a body has to grow within `body_seconds`
MOST_AHEAD = 16  # requests sent before the first of them is answered
FILES = 512  # open files besides the connections: ledger, sessions, pipes
MOST_OPEN = 10_000  # connections per process, unless the operating system allows fewer


def _answer(status: str, words: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\nretry-after: 5\r\n"
    return f"{head}content-length: {len(words)}\r\n\r\n{words}".encode()


FULL = _answer("503 Service Unavailable", "Too many connections are open. Try again in a few seconds.\n")
TOO_LONG = _answer("431 Request Header Fields Too Large", f"The headers of a request can be at most {MOST_HEAD} bytes in total.\n")


class ConnectionLimits:
    """The open connections of this process: how many in total, how many per place, and which has waited longest.

    Connections that never finished a request are closed before those that did: browsers keep connections for their next request.
    """

    def __init__(self, most: int, most_from_one: int, proxies: tuple[Network, ...]) -> None:
        self.most, self.most_from_one, self.proxies = most, most_from_one, proxies
        self.log = ThrottledLog()
        self._from: dict[str, int] = {}  # connections by place
        self._open: set[LimitedProtocol] = set()
        # without a finished request, and with one; the longest wait first
        self._waiting: tuple[dict[LimitedProtocol, None], dict[LimitedProtocol, None]] = {}, {}

    def admit(self, connection: LimitedProtocol) -> bool:
        """Count a connection, after closing another if need be; False if there is no room."""
        crowded = len(self._open) >= self.most
        if crowded or self._from.get(connection.place, 0) >= self.most_from_one:
            out = self._longest("" if crowded else connection.place)
            if out is None:
                return False
            self.remove(out)
            out.cut_off("closed an idle connection to make room for another")
        self._open.add(connection)
        if connection.place:
            self._from[connection.place] = self._from.get(connection.place, 0) + 1
        self.set_waiting(connection)
        return True

    def _longest(self, place: str) -> LimitedProtocol | None:
        return next((each for those in self._waiting for each in those if not place or each.place == place), None)

    def remove(self, connection: LimitedProtocol) -> None:
        if connection in self._open:
            self._open.discard(connection)
            self.set_busy(connection)
            if connection.place and (left := self._from.pop(connection.place) - 1):
                self._from[connection.place] = left

    def set_waiting(self, connection: LimitedProtocol) -> None:
        """Note that a connection has not sent a whole request."""
        self.set_busy(connection)
        if connection in self._open:
            self._waiting[connection.is_known][connection] = None

    def set_busy(self, connection: LimitedProtocol) -> None:
        """Note that a connection has sent a request and waits for the answer."""
        for those in self._waiting:
            those.pop(connection, None)


@cache
def limits() -> ConnectionLimits:
    """The limits of this process, from its settings."""
    settings = Settings.from_environment()
    most = min(MOST_OPEN, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - FILES)
    return ConnectionLimits(most, int(settings.connections) if settings.limited else most, settings.trusted)


def open_many_files() -> None:
    """Raise the limit on open files for this process and its workers if it is too low: each connection needs one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, min(most, MOST_OPEN + FILES)), most))


class LimitedProtocol(HttpToolsProtocol):
    head_seconds = 10.0  # from the connection, or the first byte of a later head, to the head's last byte
    body_seconds = 20.0  # for the next step of a body, or its end
    answer_seconds = 60.0  # until an answer is read

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.limits = limits()
        self.logger = logging.getLogger("croupier.door.uvicorn")
        self.logger.setLevel(logging.ERROR)  # bad requests are logged here instead
        self.place = ""  # where it comes from; empty for a proxy, which is not counted
        self.is_known = False  # it has finished a request
        self._in_head = True
        self._head = self._step = 0  # bytes of the head, and of the body since its last step
        self._timer: asyncio.TimerHandle | None = None
        self._answer_timer: asyncio.TimerHandle | None = None

    # connecting

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self.place = "" if in_networks(address, self.limits.proxies) else place_of_address(address)
        if self.limits.admit(self):
            self._start_timer(self.head_seconds)
        else:
            self._log("refused: too many connections")
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.remove(self)
        self._end_timers()
        super().connection_lost(exc)

    def cut_off(self, why: str) -> None:
        self._log(why)
        self._end_timers()
        self.transport.abort()

    def _log(self, what: str) -> None:
        self.limits.log.note(what, self.client[0] if self.client else "", self.loop.time())

    # reading

    def data_received(self, data: bytes) -> None:
        """Pass a head to the parser only up to the limit: the parser copies a long one again and again."""
        rest = memoryview(data)
        while rest and not self.transport.is_closing():
            room = MOST_HEAD - self._head if self._in_head else len(rest)
            part, rest = rest[:room], rest[room:]
            self._head += len(part) if self._in_head else 0
            super().data_received(bytes(part))
            if self._in_head and self._head >= MOST_HEAD and not self.transport.is_closing():
                self._log("refused: the headers of a request are too long")
                self.transport.write(TOO_LONG)
                self.transport.close()
        if self._head and self._timer is None and not self.transport.is_closing():
            self._start_timer(self.head_seconds)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError("too many requests at once")  # the parser reports it as a bad request
        super().on_headers_complete()
        self._in_head, self._head, self._step = False, 0, 0
        self._start_timer(self.body_seconds)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._step += len(body)
        if self._step >= BODY_STEP:
            self._step = 0
            self._start_timer(self.body_seconds)
            if not self.cycle.response_complete:
                self.limits.set_waiting(self)  # after the others

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._end_timer()
        self._in_head, self.is_known = True, True
        if not self.cycle.response_complete:
            self.limits.set_busy(self)

    def on_response_complete(self) -> None:
        if not self.pipeline:
            self.limits.set_waiting(self)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        self._log("refused: not an HTTP request")
        super().send_400_response(msg)

    # writing

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._answer_timer is None:
            self._answer_timer = self.loop.call_later(self.answer_seconds, self.cut_off, "cut off: the response was not read")

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._answer_timer is not None:
            self._answer_timer.cancel()
            self._answer_timer = None

    # timers

    def _start_timer(self, seconds: float) -> None:
        self._end_timer()
        self._timer = self.loop.call_later(seconds, self._time_out)

    def _time_out(self) -> None:
        self._timer = None
        if self.flow.read_paused:  # the server is slow, not the client
            self._start_timer(self.body_seconds)
        else:
            self.cut_off("cut off: a request took too long to arrive")

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_timers(self) -> None:
        self._end_timer()
        self.resume_writing()
