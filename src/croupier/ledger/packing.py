"""A batch as a single piece of bytes and two tables of where its parts lie.

A database takes such a batch in one statement. That matters more than the bytes: a thread that waits in a statement lets the
others compute, and each further statement makes it queue behind them for the interpreter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from croupier.ledger.entry import Unit


class Packed(NamedTuple):
    """Places count from 1, as SQL does."""

    bytes: bytes
    entries: str  # JSON: [version, place and length of stream, of body, of sealed, place of hash]
    replies: str  # JSON: [place and length of key, of reply]


def pack(units: Sequence[Unit]) -> Packed:
    parts: list[bytes] = []
    entries: list[tuple[int, ...]] = []
    replies: list[tuple[int, ...]] = []
    at = 1
    for unit in units:
        for entry in unit.entries:
            stream = entry.stream.encode()
            body = at + len(stream)
            sealed = body + len(entry.body)
            end = sealed + len(entry.sealed)
            entries.append((entry.version, at, len(stream), body, len(entry.body), sealed, len(entry.sealed), end))
            parts += (stream, entry.body, entry.sealed, entry.hash)
            at = end + len(entry.hash)
        if unit.key:
            key = unit.key.encode()
            replies.append((at, len(key), at + len(key), len(unit.reply)))
            parts += (key, unit.reply)
            at += len(key) + len(unit.reply)
    return Packed(b"".join(parts), msgspec.json.encode(entries).decode(), msgspec.json.encode(replies).decode())
