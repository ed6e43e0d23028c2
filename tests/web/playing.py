"""A player over the API who takes the first option the table offers."""

from __future__ import annotations

import itertools
import time
from typing import Any

from croupier.client import Client
from croupier.wire import View

_names = itertools.count(1)


def new_name(word: str = "Guest") -> str:
    return f"{word} {time.time_ns() % 10**9}.{next(_names)}"


def until(condition: Any, seconds: float = 60.0) -> Any:
    """Wait until the condition returns something true, and return that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("it never came to that")


def sit(client: Client, table: str, seat: int, amount: int = 100_000) -> None:
    client.do(table, "sit", seat=seat, player=client.name)
    client.do(table, "buy in", seat=seat, amount=amount)
    until(lambda: client.seen(table).view.phase == "betting")


def ante(client: Client, table: str, seat: int, amount: int = 1000, wager: str = "Ante Wager") -> None:
    until(lambda: client.seen(table).view.phase == "betting")
    client.do(table, "place wager", seat=seat, wager=wager, amount=amount)


def asked(client: Client, table: str, seat: int) -> View:
    """The view in which this seat is asked for a decision."""

    def now() -> View | None:
        view = client.seen(table).view
        return view if view.round and seat in view.round.asked else None

    found: View = until(now, 60)  # the dealer waits up to 30 seconds for other players with chips
    return found


def play_three_card_poker(client: Client, seat: int, table: str = "three-card-poker", choice: str = "play") -> None:
    """Play one whole round against the automatic dealer."""
    rounds = client.seen(table).view.rounds
    ante(client, table, seat)
    client.ready(table)
    asked(client, table, seat)
    client.do(table, "decide", seat=seat, choice=choice)
    until(lambda: (v := client.seen(table).view).rounds > rounds and v.phase == "betting")
