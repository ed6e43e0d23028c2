"""Malformed requests change nothing and never cause a 5xx: a sample every time, ten thousand in the nightly suite."""

from __future__ import annotations

import json
import random
import socket
from collections import Counter
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import pytest

from croupier.client import Client
from croupier.wire import LoggedEvent
from tests.web.playing import new_name
from tests.web.serving import Served

ROUTES = [
    "/api/tables", "/api/tables/three-card-poker", "/api/tables/three-card-poker/commands", "/api/tables/three-card-poker/ready",
    "/api/guests", "/api/login", "/api/unlock", "/api/password", "/api/session", "/api/me", "/", "/tables/three-card-poker",
    "/api/users", "/api/submissions", "/api/audit", "/schema", "/art/cards.svg", "/static/../app.py",
]  # fmt: skip
WORDS = [
    "",
    "null",
    "true",
    "-1",
    "1e999",
    "[]",
    "{}",
    '{"do":"sit"}',
    '{"do":"sit","seat":1e400}',
    '{"do":["sit"]}',
    "\x00",
    "{",
    '"' * 99,
]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "FROB"]
COMMANDS = [
    "sit",
    "buy in",
    "place wager",
    "decide",
    "shuffle deck",
    "fill",
    "close table",
    "open table",
    "raise irregularity",
    "zzz",
]


def malformed(rng: random.Random) -> tuple[str, str, bytes, dict[str, str]]:
    """A request with something wrong with it."""
    path = rng.choice(ROUTES)
    if rng.random() < 0.3:
        path += rng.choice(["/%00", "/%ff%fe", "?a=" + "x" * rng.randint(0, 3000), "/../..", "//", "/" + "y" * 300])
    body = rng.choice(WORDS).encode()
    if rng.random() < 0.5:
        command: dict[str, object] = {"do": rng.choice(COMMANDS)}
        for name in rng.sample(["seat", "player", "amount", "wager", "choice", "deck", "count", "cards", "sealed"], 3):
            command[name] = rng.choice(
                [None, -1, 0, 1, 10**30, 1.5, "x", "🂡" * 50, [], [1, 2, 3], {}, True, {"order": [], "secret": ""}]
            )
        body = json.dumps(command).encode()
    if rng.random() < 0.2:
        body = rng.randbytes(rng.randint(1, 400))
    kind = rng.choice(
        [
            "application/json",
            "text/plain",
            "multipart/form-data",
            "application/x-www-form-urlencoded",
            "application/msgpack",
            "a/b/c",
            "",
        ]
    )
    headers = {"content-type": kind} if kind else {}
    if rng.random() < 0.5:
        headers["Idempotency-Key"] = rng.choice(["", "short", "k" * 101, "good-enough-key", "sp ace sp ace"])
    return rng.choice(METHODS), path, body, headers


@pytest.mark.parametrize(
    "count", [300, pytest.param(1_500, marks=pytest.mark.thorough), pytest.param(10_000, marks=pytest.mark.slow)]
)
def test_malformed_requests_change_nothing(served: Served, count: int) -> None:
    rng = random.Random(649)
    watcher = served.client()
    before = {table.table: watcher.seen(table.table).view.version for table in watcher.tables()}
    statuses: Counter[int] = Counter()
    with Client(served.address, name=new_name("Mal")) as guest:
        token = guest._http.cookies.get("csrftoken") or ""
        for _ in range(count):
            method, path, body, headers = malformed(rng)
            try:
                answer = guest._http.request(method, path, content=body, headers={**headers, "x-csrftoken": token})
            except httpx.InvalidURL:
                continue
            statuses[answer.status_code] += 1
            if path == "/api/session" and method == "DELETE" and answer.status_code == 200:  # this one was well formed
                guest._http.cookies.delete("croupier")
    assert not [status for status in statuses if status >= 500], statuses
    assert sum(statuses.values()) > 0.9 * count
    for table, version in before.items():
        assert not changes(watcher, table, version), table


def changes(watcher: Client, table: str, after: int) -> list[LoggedEvent]:
    """Events of a table since a version, except "cards spread": the dealer spreads the cards of a table that is idle for minutes."""
    newest = watcher.seen(table).view.version
    events: list[LoggedEvent] = []
    if newest > after:
        for news in watcher.watch(table, after):
            if isinstance(news, LoggedEvent):
                events.append(news)
            if news.version >= newest:
                break
    return [event for event in events if (event.by, event.event) != ("dealer", "cards spread")]


def test_data_that_is_not_http(served: Served) -> None:
    address = urlsplit(served.address)
    assert address.hostname
    assert address.port
    for bytes_ in (
        b"\x00" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"\xff" * 70_000,
    ):
        with socket.create_connection((address.hostname, address.port), timeout=5) as plug:
            plug.sendall(bytes_)
            plug.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                plug.recv(1000)
    assert httpx.get(f"{served.address}/health").status_code == 200


def test_a_body_that_nobody_can_read_is_malformed(served: Served) -> None:
    with Client(served.address, name=new_name("Mal")) as guest:
        headers = {"x-csrftoken": guest._http.cookies.get("csrftoken") or "", "content-type": "application/json"}
        headers["Idempotency-Key"] = "good-enough-key"
        for body in (b'{"do":"sit","seat":2,"player":"\xc3\x28"}', b'{"do":' + b"[" * 30_000, b'{"do":' + b'{"a":' * 30_000):
            answer = guest._http.post("/api/tables/three-card-poker/commands", content=body, headers=headers)
            assert (answer.status_code, answer.json()["error"]["kind"]) == (400, "malformed")
