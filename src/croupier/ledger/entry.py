"""The entries of a stream, each bound to the one before it by a hash, and the units in which they are written."""

from __future__ import annotations

from hashlib import sha256

import msgspec

LONGEST_NAME = 200  # characters: names are in the database's indexes, which limit their size


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One entry of a stream. `gc=False`: it cannot be part of a reference cycle, and there are very many."""

    stream: str  # "table/T1", "meter/NAME"
    version: int  # 1, 2, 3 ... without a gap
    body: bytes  # canonical JSON, public
    sealed: bytes  # the body only commits to it; not hashed, so that it can be withheld
    hash: bytes  # of the previous hash and the body


class Unit(msgspec.Struct, frozen=True):
    """Entries of one or more streams, and an idempotency key with its reply, that are written together or not at all.

    >>> Unit((), key="a\\nb")
    Traceback (most recent call last):
        ...
    ValueError: 'a\\nb' is not a name: it must be printable text of at most 200 characters
    """

    entries: tuple[Entry, ...]
    key: str = ""
    reply: bytes = b""

    def __post_init__(self) -> None:
        """Refuse names that a database could not store: units of many tables share a transaction."""
        if self.key:
            _verify_name(self.key)
        for entry in self.entries:
            _verify_name(entry.stream)


def genesis(stream: str) -> bytes:
    """The hash that the first entry of a stream follows."""
    return sha256(stream.encode()).digest()


def entry_hash(previous: bytes, body: bytes) -> bytes:
    return sha256(previous + body).digest()


def follow(stream: str, version: int, previous: bytes, body: bytes, sealed: bytes = b"") -> Entry:
    """The entry that comes after the one with this hash.

    >>> first = follow("table/T1", 1, genesis("table/T1"), b'{"opened":true}')
    >>> follow("table/T1", 2, first.hash, b'{"closed":true}').hash == entry_hash(first.hash, b'{"closed":true}')
    True
    """
    return Entry(stream, version, body, sealed, entry_hash(previous, body))


def _verify_name(name: str) -> None:
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise ValueError(f"{name!r} is not a name: it must be printable text of at most {LONGEST_NAME} characters")
