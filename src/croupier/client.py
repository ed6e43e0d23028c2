"""A client of the API: for bots, tests and programs of your own. It needs nothing of Croupier but the address of a floor.

>>> from croupier.client import Client
>>> with Client("http://127.0.0.1:8000", name="Ada") as ada:  # doctest: +SKIP
...     ada.do("three-card-poker", "sit", seat=3, player="Ada")
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

Plain = dict[str, Any]
TRIES = 4
SECONDS_BETWEEN = 0.2
LIVE_TIMEOUT = 40.0  # the server says something every fifteen seconds


class Refused(Exception):
    """The house said no: its reason, the clause, and what would be accepted."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(error.get("reason") or str(status))
        self.status, self.kind, self.reason = status, error.get("kind", ""), error.get("reason", "")
        self.cite, self.accepted = error.get("cite"), error.get("accepted")


@dataclass(frozen=True)
class Message:
    """One server-sent event; `id` is the number of the table's event."""

    id: int
    event: str
    data: dict[str, Any]


class Client:
    """One person's connection to a floor, with its cookie. Give a name to come as a guest, or log in as staff."""

    def __init__(self, address: str, name: str = "", timeout: float = 10.0) -> None:
        self._http = httpx.Client(base_url=address, timeout=timeout)
        self._token = ""
        self.name = name
        if name:
            self.call("POST", "/api/guests", {"name": name})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # people

    def login(self, name: str, password: str) -> Plain:
        self.name = name
        return self._plain("POST", "/api/login", {"name": name, "password": password})

    def change_password(self, old: str, new: str) -> Plain:
        return self._plain("POST", "/api/password", {"old": old, "new": new})

    def me(self) -> Plain:
        return self._plain("GET", "/api/me")

    # tables

    def tables(self) -> list[Plain]:
        found: list[Plain] = self.call("GET", "/api/tables")
        return found

    def seen(self, table: str) -> Plain:
        """What you may see of a table now, and under “can” what you may do."""
        return self._plain("GET", f"/api/tables/{table}")

    def submission(self, table: str) -> str:
        """The Rules Submission under which a table is played."""
        return self._send("GET", f"/api/tables/{table}/submission", None, {}).text

    def do(self, table: str, do: str, *, key: str = "", **fields: Any) -> Plain:
        """Give a command, such as do("t", "place wager", seat=3, wager="Ante Wager", amount=1000).

        If the answer is lost on its way it is asked again with the same key, so that it has its effect once.
        """
        return self.choose(table, {"do": do, **fields}, key=key)

    def choose(self, table: str, command: Plain, *, key: str = "") -> Plain:
        """Give a command as it stands under “can”."""
        return self._plain("POST", f"/api/tables/{table}/commands", command, {"Idempotency-Key": key or str(uuid.uuid4())})

    def ready(self, table: str) -> None:
        """You have made your wagers."""
        self.call("POST", f"/api/tables/{table}/ready")

    def watch(self, table: str, after: int | None = None) -> Iterator[Message]:
        """Each event of a table once and in order, for ever; a lost connection is taken up again where it broke."""
        while True:
            try:
                for message in self._watch_once(table, after):
                    after = message.id
                    yield message
            except httpx.TransportError:
                pass
            time.sleep(SECONDS_BETWEEN)

    def _watch_once(self, table: str, after: int | None) -> Iterator[Message]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        timeout = httpx.Timeout(10.0, read=LIVE_TIMEOUT)
        with self._http.stream("GET", f"/api/tables/{table}/live", headers=headers, timeout=timeout) as answer:
            if answer.status_code != 200:
                answer.read()
                raise _refused(answer)
            yield from messages(answer.iter_lines())

    # how it is asked

    def call(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        answer = self._send(method, path, body, headers or {})
        return answer.json() if answer.content else None

    def _plain(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Plain:
        found: Plain = self.call(method, path, body, headers)
        return found

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> httpx.Response:
        if method != "GET" and not self._http.cookies.get("csrftoken"):
            self._http.get("/api/me")
        token = self._http.cookies.get("csrftoken") or ""
        safe = method == "GET" or "Idempotency-Key" in headers
        for left in range(TRIES if safe else 1, 0, -1):
            try:
                answer = self._http.request(method, path, json=body, headers={"x-csrftoken": token, **headers})
            except httpx.TransportError:
                if left == 1:
                    raise
            else:
                if answer.status_code != 503 or left == 1:
                    break
            time.sleep(SECONDS_BETWEEN)
        if answer.is_error:
            raise _refused(answer)
        return answer


def _refused(answer: httpx.Response) -> Refused:
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"kind": "unknown", "reason": answer.reason_phrase}
    return Refused(answer.status_code, error)


def messages(lines: Iterator[str]) -> Iterator[Message]:
    """Server-sent events from their lines.

    >>> list(messages(iter(["id: 7", "event: seen", 'data: {"version":7}', "", ": still here", ""])))
    [Message(id=7, event='seen', data={'version': 7})]
    """
    found: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in found:
                yield Message(int(found.get("id", "-1")), found.get("event", "message"), json.loads(found["data"]))
            found = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            found[name] = value
