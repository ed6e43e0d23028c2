"""The opened part of a transcript's entry: the leaves of a shuffled deck, and cards that the reader may see."""

from __future__ import annotations

import msgspec

from croupier.ledger import Entry, Source
from croupier.ledger.canonical import encode
from croupier.ledger.transcript import Transcript


class OpenedCard(msgspec.Struct, frozen=True):
    """A card that was dealt face down, and the salt that opens its commitment."""

    position: int
    card: str
    salt: str


class Opened(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    leaves: tuple[tuple[str, ...], ...] = ()  # for each deck that the event commits to
    cards: tuple[OpenedCard, ...] = ()  # of those that the event dealt
    lost: bool = False  # the log records that the key of the event's orders is lost


NOTHING = Opened()
_decode = msgspec.json.Decoder(Opened).decode


def write_opened(opened: Opened) -> bytes:
    return encode(opened) if opened != NOTHING else b""


def opened_in(source: Source, entry: Entry) -> Opened:
    """What a transcript opens of an entry; a log opens nothing in this way."""
    text = source.opened(entry.stream, entry.version) if isinstance(source, Transcript) else b""
    return _decode(text) if text else NOTHING
