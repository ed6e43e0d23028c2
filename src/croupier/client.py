"""A client of the API, for bots, tests and your own programs. It needs only the types that the API sends (`croupier.wire`).

>>> from croupier.client import Client
>>> with Client("http://127.0.0.1:8000", name="Ada") as ada:  # doctest: +SKIP
...     ada.do("three-card-poker", "sit", seat=3, player="Ada")
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import httpx
import msgspec

from croupier.wire import Admitted, Failure, HandedBack, LiveEvent, LiveView, Me, Problem, Ready, Reply, Seen, TableSummary, Value

__all__ = ["Client", "Refused"]
A = TypeVar("A")
PATIENCE = 30.0  # seconds to retry while the server is down
SECONDS_BETWEEN = 0.2
MOST_SECONDS_BETWEEN = 5.0
LIVE: dict[str, type[LiveEvent | LiveView]] = {"event": LiveEvent, "seen": LiveView}
LIVE_TIMEOUT = 40.0  # seconds; the server sends something every fifteen


class Refused(Exception):
    """The server refused: the reason, the clause, and what would be accepted."""

    def __init__(self, status: int, error: Problem) -> None:
        super().__init__(error.reason or str(status))
        self.status, self.kind, self.reason, self.cite, self.accepted = status, error.kind, error.reason, error.cite, error.accepted


@dataclass(frozen=True)
class Message:
    """One server-sent event as it was sent; `data` is JSON."""

    event: str
    data: str
    id: str = ""


class Client:
    """One person's session at a server. Pass a name to play as a guest, or log in as staff.

    If the server is unreachable, unavailable (503) or over a rate limit (429), the client retries for `patience` seconds, if it is
    safe to repeat the request.
    """

    def __init__(self, address: str, name: str = "", timeout: float = 10.0, patience: float = PATIENCE) -> None:
        self._http = httpx.Client(base_url=address, timeout=timeout)
        self._patience = patience
        self.name = name
        self.code = ""  # the guest's recovery code
        if name:
            self._admitted(self._ask(Admitted, "POST", "/api/guests", {"name": name}))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # people

    def login(self, name: str, password: str) -> Me:
        self.name = name
        return self._ask(Me, "POST", "/api/login", {"name": name, "password": password})

    def come_back(self, code: str) -> Me:
        """Return as the guest with this recovery code, or with a one-time code from a floorperson."""
        return self._admitted(self._ask(Admitted, "POST", "/api/return", {"code": code}), code)

    def _admitted(self, guest: Admitted, code: str = "") -> Admitted:
        self.name, self.code = guest.name, guest.code or code
        return guest

    def change_password(self, old: str, new: str) -> Me:
        return self._ask(Me, "POST", "/api/password", {"old": old, "new": new})

    def me(self) -> Me:
        return self._ask(Me, "GET", "/api/me")

    # tables

    def tables(self) -> list[TableSummary]:
        return self._ask(list[TableSummary], "GET", "/api/tables")

    def seen(self, table: str) -> Seen:
        """What you can see of a table now, and under `can` what you can do."""
        return self._ask(Seen, "GET", f"/api/tables/{table}")

    def submission(self, table: str) -> str:
        """The Rules Submission of a table."""
        return self._send("GET", f"/api/tables/{table}/submission", None, {}).text

    def do(self, table: str, do: str, *, key: str = "", **fields: Any) -> Reply:
        """Give a command, such as do("t", "place wager", seat=3, wager="Ante Wager", amount=1000).

        If the reply is lost, the command is sent again with the same key, so that it takes effect once.
        """
        return self.choose(table, {"do": do, **fields}, key=key)

    def choose(self, table: str, command: Mapping[str, Value], *, key: str = "") -> Reply:
        """Give the command of a Choice, with its missing values filled in: choose("t", choice.command | {"amount": 1000})."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return self._ask(Reply, "POST", f"/api/tables/{table}/commands", command, headers)

    def hand_back(self, table: str, seat: int, reason: str) -> HandedBack:
        """For a floorperson: a one-time code for a player who lost access to their seat."""
        return self._ask(HandedBack, "POST", f"/api/tables/{table}/seats/{seat}/code", {"reason": reason})

    def ready(self, table: str) -> Ready:
        """Say that your wagers are placed."""
        return self._ask(Ready, "POST", f"/api/tables/{table}/ready", None, {"Idempotency-Key": str(uuid.uuid4())})

    def watch(self, table: str, after: int | None = None) -> Iterator[LiveEvent | LiveView]:
        """Yield each event of a table once and in order, and the views in between, without end.

        A lost connection is resumed where it broke. With `after`, events since that version come first.
        """
        while True:
            try:
                for news in self._watch_once(table, after):
                    after = news.version
                    yield news
            except httpx.TransportError:
                pass
            except Refused as refused:
                if refused.status != 503:
                    raise
            time.sleep(SECONDS_BETWEEN)

    def _watch_once(self, table: str, after: int | None) -> Iterator[LiveEvent | LiveView]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        timeout = httpx.Timeout(10.0, read=LIVE_TIMEOUT)
        with self._http.stream("GET", f"/api/tables/{table}/live", headers=headers, timeout=timeout) as answer:
            if answer.status_code != 200:
                answer.read()
                raise _refused(answer)
            for message in messages(answer.iter_lines()):
                if kind := LIVE.get(message.event):
                    yield msgspec.json.decode(message.data, type=kind)

    # requests

    def call(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Any route of the API, answered as plain JSON."""
        answer = self._send(method, path, body, headers or {})
        return answer.json() if answer.content else None

    def _ask(self, kind: type[A], method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> A:
        return msgspec.json.decode(self._send(method, path, body, headers or {}).content, type=kind)

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> httpx.Response:
        if method != "GET" and not self._http.cookies.get("csrftoken"):
            self._send("GET", "/api/me", None, {})
        token = self._http.cookies.get("csrftoken") or ""
        once = method == "GET" or "Idempotency-Key" in headers  # safe to repeat
        until = time.monotonic() + self._patience
        while True:
            wait: float | None = SECONDS_BETWEEN if once else None
            try:
                answer = self._http.request(method, path, json=body, headers={"x-csrftoken": token, **headers})
            except httpx.TransportError:
                if wait is None or time.monotonic() + wait > until:
                    raise
            else:
                if not answer.is_error:
                    return answer
                wait = _wait(answer, once)
                if wait is None or time.monotonic() + wait > until:
                    raise _refused(answer)
            time.sleep(wait)


def _wait(answer: httpx.Response, once: bool) -> float | None:
    """Seconds to wait before repeating a request; None if it must not be repeated."""
    retry_after = answer.headers.get("Retry-After", "")
    if answer.status_code == 429 and retry_after.isdecimal():
        return float(retry_after)
    if answer.status_code == 503 and (once or retry_after):
        return min(float(retry_after), MOST_SECONDS_BETWEEN) if retry_after.isdecimal() else SECONDS_BETWEEN
    return None


def _refused(answer: httpx.Response) -> Refused:
    try:
        return Refused(answer.status_code, msgspec.json.decode(answer.content, type=Failure).error)
    except msgspec.MsgspecError:  # from a proxy in between
        return Refused(answer.status_code, Problem("unknown", answer.reason_phrase))


def messages(lines: Iterator[str]) -> Iterator[Message]:
    """Server-sent events from their lines.

    >>> list(messages(iter(["id: 7", "event: seen", 'data: {"version":7}', "", ": still here", ""])))
    [Message(event='seen', data='{"version":7}', id='7')]
    """
    found: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in found:
                yield Message(found.get("event", "message"), found["data"], found.get("id", ""))
            found = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            found[name] = value
