"""What a transcript opens of a sealed part: the leaves of a shuffled deck, and cards that its reader may see."""

from __future__ import annotations

import msgspec


class Opening(msgspec.Struct, frozen=True):
    """A card that was dealt face down, and the salt that opens its commitment."""

    position: int
    card: str
    salt: str


class Opened(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    leaves: tuple[tuple[str, ...], ...] = ()  # of each deck that the event commits to
    cards: tuple[Opening, ...] = ()  # of those that the event dealt


NOTHING = Opened()
_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(Opened).decode


def write_opened(opened: Opened) -> bytes:
    return _encode(opened) if opened != NOTHING else b""


def read_opened(text: bytes) -> Opened:
    return _decode(text) if text else NOTHING
