"""Events: what has happened at a table. Frozen, in the past tense, each naming the clause it happened under.

Every command that is granted becomes exactly one event: the command without its secrets, and what came of it. The log keeps the
event in canonical JSON; what it only commits to is kept beside it, sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from croupier.filing.pricing import Paid
from croupier.money import Cents
from croupier.table.accounts import Move
from croupier.table.commands import AnyCommand, SealedDeck
from croupier.table.meters import MeterMove
from croupier.wire import Line

VERSION = 3  # of the events; UPCASTERS lift older ones


class Shown(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A card that moved or was turned: where it lies and its commitment; card and salt where it may be seen."""

    at: str
    position: int
    leaf: str = ""
    seat: int = 0
    card: str = ""
    salt: str = ""
    slot: int = 0


class Sealed(msgspec.Struct, frozen=True):
    """What an event only commits to: the orders of decks."""

    decks: tuple[SealedDeck, ...]


class Consequences(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a command."""

    cites: tuple[str, ...]
    decks: tuple[str, ...] = ()  # commitments
    cards: tuple[Shown, ...] = ()
    lines: tuple[Line, ...] = ()
    moves: tuple[Move, ...] = ()
    meters: dict[str, MeterMove] = {}
    jackpots: dict[str, Cents] = {}
    reseeds: dict[str, Cents] = {}
    papers: bool = False
    partly: bool = False  # other wagers of the box wait for a card that lies face down
    owed: dict[str, Cents] = {}  # by account: paid before the round was void, and spent since; the house bears it
    choice: str = ""  # taken for a player whose time had passed; none where his hand was to be set


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """`by` is the role or the seat, `person` the name of whoever acted; events of version 1 do not name them."""

    v: int
    event: str
    at: int
    by: str
    command: AnyCommand
    then: Consequences
    key: str = ""
    person: str = ""


_decode = msgspec.json.Decoder(Event).decode
_encode = msgspec.json.Encoder(order="sorted").encode
_unseal = msgspec.json.Decoder(Sealed).decode

# From the version before, one step at a time: the event as plain data in, the next version's out.
# Version 2 names the person: one that nobody noted stays empty. Version 3 decides what an unanswered decision means by the chapter.
UPCASTERS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: dict, 2: dict}


class NotAnEvent(ValueError):
    """What stands in the log is no event that this version of Croupier reads."""


def line_of(paid: Paid) -> Line:
    return Line(
        wager=paid.wager,
        hand=paid.hand,
        outcome=paid.outcome.value,
        stake=paid.stake,
        pays=paid.pays,
        returns=paid.returns,
        cite=str(paid.cite),
        odds=str(paid.odds) if paid.odds else "",
        source=paid.source,
        on=paid.side,
    )


def write(event: Event) -> bytes:
    return _encode(event)


def read(body: bytes) -> Event:
    """An event from the log, lifted to the newest version where it is older."""
    try:
        if is_current(body):
            return _decode(body)
        return msgspec.convert(lift(msgspec.json.decode(body)), Event)
    except (msgspec.DecodeError, msgspec.ValidationError, KeyError, TypeError) as problem:
        raise NotAnEvent(f"not an event of a table: {problem}") from None


def is_current(body: bytes) -> bool:
    """Whether an event was written by this version: keys stand in order, so the version stands last."""
    return body.endswith(b',"v":%d}' % VERSION)


def lift(data: dict[str, Any]) -> dict[str, Any]:
    """An older event as the newest version would have written it."""
    while (version := data["v"]) < VERSION:
        data = UPCASTERS[version](data) | {"v": version + 1}
    if version > VERSION:
        raise NotAnEvent(f"an event of version {version}; this Croupier reads up to {VERSION}")
    return data


def seal(decks: tuple[SealedDeck, ...]) -> bytes:
    return _encode(Sealed(decks)) if decks else b""


def unseal(sealed: bytes) -> tuple[SealedDeck, ...]:
    return _unseal(sealed).decks if sealed else ()
