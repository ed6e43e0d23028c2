"""Connection limits over real sockets: headers that are too long or too slow, and which connections close when there are too many."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import uvicorn

from croupier.floor.registers.addresses import networks
from croupier.web.security import connection_limits
from croupier.web.security.connection_limits import MOST_HEAD, ConnectionLimits, LimitedProtocol

pytestmark = pytest.mark.thorough

QUICK = 1.0  # seconds, instead of ten or more
ASK = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


class QuickProtocol(LimitedProtocol):
    head_seconds = body_seconds = answer_seconds = QUICK


class PatientProtocol(QuickProtocol):
    """For a body whose next chunk arrives in time even on a busy machine."""

    body_seconds = 3 * QUICK


class Busy:
    """Requests to /busy, answered once the test releases them."""

    def __init__(self) -> None:
        self.count, self.are_let_go = 0, threading.Event()

    async def wait(self) -> None:
        self.count += 1
        while not self.are_let_go.is_set():
            await asyncio.sleep(0.01)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the length of the body. /slow takes a while, /busy waits for a release, /large sends more than socket buffers hold."""
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        return await send({"type": "lifespan.shutdown.complete"})
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        length, more = length + len(message["body"]), message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(1.5 * QUICK)
    if scope["path"] == "/busy":
        await connection_limits.busy.wait()  # type: ignore[attr-defined]  # set by open_door
    body = str(length).encode()
    if scope["path"] == "/large":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"100000000")]})
        for _ in range(100):
            await send({"type": "http.response.body", "body": b"x" * 1_000_000, "more_body": True})
        return await send({"type": "http.response.body", "body": b""})
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]})
    return await send({"type": "http.response.body", "body": body})


@contextmanager
def open_door(
    monkeypatch: pytest.MonkeyPatch,
    most: int = 100,
    most_from_one: int = 100,
    proxies: str = "",
    http: type[LimitedProtocol] = QuickProtocol,
) -> Iterator[int]:
    limits, busy = ConnectionLimits(most, most_from_one, networks(proxies)), Busy()
    monkeypatch.setattr(connection_limits, "limits", lambda: limits)
    monkeypatch.setattr(connection_limits, "busy", busy, raising=False)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=http, lifespan="on", log_level="critical", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        busy.are_let_go.set()
        server.should_exit = True
        thread.join(20)
        listening.close()


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    with open_door(monkeypatch) as found:
        yield found


def connect(port: int, *data: bytes, address: str = "127.0.0.1") -> socket.socket:
    plug = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(address, 0))
    for part in data:
        plug.sendall(part)
    return plug


def answer(plug: socket.socket) -> str:
    """Read until the peer closes or the answer is complete. Empty if the connection was reset."""
    got = b""
    with suppress(ConnectionError):
        while part := plug.recv(65536):
            got += part
            head, _, body = got.partition(b"\r\n\r\n")
            if b"content-length: %d\r\n" % len(body) in head.lower() + b"\r\n":
                break
    return got.decode("latin-1")


def status(plug: socket.socket) -> int:
    said = answer(plug)
    return int(said.split(" ")[1]) if said else 0


def is_open(plug: socket.socket) -> bool:
    plug.settimeout(0.05)
    try:
        return plug.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


# headers and bodies


@pytest.mark.parametrize("parts", [1, 7])
def test_a_head_has_so_many_bytes_at_most(port: int, parts: int) -> None:
    for length, expected in ((MOST_HEAD - 100, 200), (MOST_HEAD + 1, 431), (2_000_000, 431)):
        head = b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"a" * length + b"\r\n\r\n"
        size = -(-len(head) // parts)
        plug = connect(port)
        with suppress(ConnectionError):  # the server closes before everything is sent
            for at in range(0, len(head), size):
                plug.sendall(head[at : at + size])
        assert status(plug) in ({expected} if expected == 200 else {expected, 0}), length
    assert status(connect(port, ASK)) == 200


def test_a_long_body_is_not_a_long_head(port: int) -> None:
    body = b"x" * 1_000_000
    plug = connect(port, b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n" + body)
    assert answer(plug).endswith("1000000")
    plug.sendall(ASK)  # and the connection still works
    assert status(plug) == 200


@pytest.mark.parametrize(
    "start", [b"", b"GET /", b"GET / HTTP/1.1\r\nX: ", b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 99\r\n\r\n{"]
)
def test_a_slow_request_is_cut_off_however_often_a_byte_comes(port: int, start: bytes) -> None:
    plug = connect(port, start)

    def trickle() -> bool:
        if start:
            with suppress(OSError):
                plug.sendall(b"a")
        return not is_open(plug)

    until(trickle)


def test_a_second_request_has_to_come_as_quickly_as_the_first(port: int) -> None:
    plug = connect(port, ASK)
    assert status(plug) == 200
    time.sleep(1.5 * QUICK)
    assert is_open(plug)  # an idle connection between two requests has more time
    plug.sendall(b"GET / HTTP")
    until(lambda: not is_open(plug))


def test_a_body_that_keeps_coming_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    step, steps = connection_limits.BODY_STEP, 6
    with open_door(monkeypatch, http=PatientProtocol) as port:
        plug = connect(port, b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n" % (step * steps))
        for _ in range(steps):  # each chunk is in time, though the whole body takes longer than one limit
            plug.sendall(b"x" * step)
            time.sleep(1.2 * PatientProtocol.body_seconds / steps)
        assert answer(plug).endswith(str(step * steps))


def test_a_slow_answer_is_waited_for(port: int) -> None:
    assert status(connect(port, ASK.replace(b"/ ", b"/slow "))) == 200


def test_an_answer_that_nobody_takes_is_cut_off(port: int) -> None:
    plug = connect(port, ASK.replace(b"/ ", b"/large "))
    until(lambda: bool(connection_limits.limits()._open))
    until(lambda: not connection_limits.limits()._open)
    got = 0
    with suppress(ConnectionError):
        while part := plug.recv(1_000_000):
            got += len(part)
    assert 0 < got < 100_000_000


def test_requests_sent_ahead_are_answered_in_order_unless_they_are_too_many(port: int) -> None:
    plug = connect(port, ASK * 5)
    got = b""
    while got.count(b"HTTP/1.1 200") < 5:
        got += plug.recv(65536)
    plug = connect(port, ASK.replace(b"/ ", b"/slow ") + ASK * 1000)
    assert status(plug) in (0, 400)


# too many


def test_connections_without_a_request_make_room_for_requests(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "croupier.door"), open_door(monkeypatch, most_from_one=10) as port:
        kept = connect(port, ASK)
        assert status(kept) == 200
        halves = [connect(port, b"GET / HT") for _ in range(9)]
        for _ in range(20):  # more than there is room for, all served
            plug = connect(port, ASK)
            assert status(plug) == 200
            plug.close()
        assert not any(is_open(each) for each in halves[:1])  # the oldest is closed first
        kept.sendall(ASK)  # a connection that has been used stays while there are unused ones
        assert status(kept) == 200
        lines = [json.dumps(record.__dict__, default=str) for record in caplog.records]
        assert len([line for line in lines if "make room" in line]) == 1  # a flood does not fill the log


@pytest.mark.parametrize("limit", ["most", "most_from_one"])
def test_when_all_are_being_answered_the_next_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    with open_door(monkeypatch, **{limit: 3}) as port:
        busy = [connect(port, ASK.replace(b"/ ", b"/busy ")) for _ in range(3)]
        until(lambda: connection_limits.busy.count == 3)  # type: ignore[attr-defined]
        said = answer(connect(port, ASK))
        assert said.startswith("HTTP/1.1 503")
        assert "retry-after" in said
        connection_limits.busy.are_let_go.set()  # type: ignore[attr-defined]
        assert [status(each) for each in busy] == [200] * 3
        assert status(connect(port, ASK)) == 200


def test_another_address_is_not_crowded_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_door(monkeypatch, most_from_one=2) as port:
        busy = [connect(port, ASK.replace(b"/ ", b"/busy "), address="127.0.0.2") for _ in range(2)]
        until(lambda: connection_limits.busy.count == 2)  # type: ignore[attr-defined]
        assert status(connect(port, ASK, address="127.0.0.2")) == 503
        assert status(connect(port, ASK)) == 200
        connection_limits.busy.are_let_go.set()  # type: ignore[attr-defined]
        assert [status(each) for each in busy] == [200] * 2


def test_a_named_proxy_brings_many(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_door(monkeypatch, most_from_one=2, proxies="127.0.0.0/8") as port:
        busy = [connect(port, ASK.replace(b"/ ", b"/slow ")) for _ in range(5)]
        assert [status(each) for each in busy] == [200] * 5
