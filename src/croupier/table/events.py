"""Events: what happened at a table. Immutable, in the past tense, each citing the clause it happened under.

Every allowed command becomes exactly one event: the command without its secrets, plus its consequences. The log stores the
event as canonical JSON; the secrets it commits to are stored next to it, sealed.
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
from croupier.wire import WagerLine

VERSION = 3  # of the event format; UPCASTERS upgrade older events


class Shown(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A card that was moved or turned over: its place and commitment, plus card and salt if it may be seen."""

    at: str
    position: int
    leaf: str = ""
    seat: int = 0
    card: str = ""
    salt: str = ""
    slot: int = 0


class SealedOrder(msgspec.Struct, frozen=True):
    """The order of a deck, encrypted with its own key, and that key, encrypted with the house key."""

    key: bytes
    order: bytes


class PublishedKey(msgspec.Struct, frozen=True):
    """The key of an order that is used up. `deck` is its index, from 0, among the orders sealed by the event at `version`."""

    version: int
    deck: int
    key: bytes


class Sealed(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is stored next to an event but not hashed: the orders of the decks it shuffled, which its body commits to,
    and the keys of the orders it used up. Older logs and transcripts hold orders in the clear."""

    decks: tuple[SealedDeck, ...] = ()
    house: str = ""  # the number of the house key that encrypts the keys of `orders`
    orders: tuple[SealedOrder, ...] = ()
    keys: tuple[PublishedKey, ...] = ()


class Consequences(msgspec.Struct, frozen=True, omit_defaults=True):
    """The consequences of a command."""

    cites: tuple[str, ...]
    decks: tuple[str, ...] = ()  # commitments
    cards: tuple[Shown, ...] = ()
    lines: tuple[WagerLine, ...] = ()
    moves: tuple[Move, ...] = ()
    meters: dict[str, MeterMove] = {}
    jackpots: dict[str, Cents] = {}
    reseeds: dict[str, Cents] = {}
    papers: bool = False
    partly: bool = False  # the box's other wagers wait for a face-down card
    owed: dict[str, Cents] = {}  # by account: paid before the round became void and spent since; the house absorbs it
    choice: str = ""  # made for a player whose time ran out; empty if they had to set a hand


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """`by` is the role or the seat, `person` the name of whoever acted; version 1 events do not have it."""

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
_read_sealed = msgspec.json.Decoder(Sealed).decode
NOTHING_SEALED = Sealed()
Orders = tuple[SealedDeck | None, ...]  # of the decks an event shuffled; None for one that cannot be opened here

# Each upgrades an event, as plain data, by one version.
# Version 2 adds the person, empty if not recorded. In version 3, the chapter decides what an unanswered decision means.
UPCASTERS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: dict, 2: dict}


class NotAnEvent(ValueError):
    """A log entry that this version of Croupier cannot read as an event."""


def line_of(paid: Paid) -> WagerLine:
    return WagerLine(
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


def write_event(event: Event) -> bytes:
    return _encode(event)


def read_event(body: bytes) -> Event:
    """An event from the log, upgraded to the newest version if it is older."""
    try:
        if is_current(body):
            return _decode(body)
        return msgspec.convert(upgrade(msgspec.json.decode(body)), Event)
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError) as problem:
        raise NotAnEvent(f"not a table event: {problem}") from None


def is_current(body: bytes) -> bool:
    """Whether an event was written by this version. Keys are sorted, so the version comes last."""
    return body.endswith(b',"v":%d}' % VERSION)


def upgrade(data: dict[str, Any]) -> dict[str, Any]:
    while (version := data["v"]) < VERSION:
        data = UPCASTERS[version](data) | {"v": version + 1}
    if version > VERSION:
        raise NotAnEvent(f"an event of version {version}; this Croupier reads up to {VERSION}")
    return data


def write_sealed(sealed: Sealed) -> bytes:
    return _encode(sealed) if sealed != NOTHING_SEALED else b""


def read_sealed(sealed: bytes) -> Sealed:
    return _read_sealed(sealed) if sealed else NOTHING_SEALED
