"""The lines of a stream, each bound to the one before it by a hash, and the units in which they are written."""

from __future__ import annotations

from hashlib import sha256

import msgspec

LONGEST_NAME = 200  # a name is part of a database's index, which has its limits


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One line of a stream. `gc=False`: nothing in it can lead back to it, and there are very many."""

    stream: str  # "table/T1", "meter/NAME"
    version: int  # 1, 2, 3 ... without a gap
    body: bytes  # canonical JSON, public
    sealed: bytes  # what the body only commits to; not hashed, so that it can be withheld
    hash: bytes  # of the previous hash and the body


class Unit(msgspec.Struct, frozen=True):
    """What is written together or not at all: entries of one or more streams, and the idempotency key with its reply.

    >>> Unit((), key="a\\nb")
    Traceback (most recent call last):
        ...
    ValueError: 'a\\nb' is no name: it has to be printable text of at most 200 characters
    """

    entries: tuple[Entry, ...]
    key: str = ""
    reply: bytes = b""

    def __post_init__(self) -> None:
        """Units of many tables share a transaction: one that a database cannot take must not spoil it for the others."""
        if self.key:
            _verify_name(self.key)
        for entry in self.entries:
            _verify_name(entry.stream)


def genesis(stream: str) -> bytes:
    """What the first entry of a stream follows."""
    return sha256(stream.encode()).digest()


def link(previous: bytes, body: bytes) -> bytes:
    """The hash of an entry."""
    return sha256(previous + body).digest()


def follow(stream: str, version: int, previous: bytes, body: bytes, sealed: bytes = b"") -> Entry:
    """The entry that comes after the one with this hash.

    >>> first = follow("table/T1", 1, genesis("table/T1"), b'{"opened":true}')
    >>> follow("table/T1", 2, first.hash, b'{"closed":true}').hash == link(first.hash, b'{"closed":true}')
    True
    """
    return Entry(stream, version, body, sealed, link(previous, body))


def _verify_name(name: str) -> None:
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise ValueError(f"{name!r} is no name: it has to be printable text of at most {LONGEST_NAME} characters")
