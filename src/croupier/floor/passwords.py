"""Passwords: Argon2id, one-time passwords, and what a password has to be. Nothing here tells one to anybody but its owner."""

from __future__ import annotations

from functools import cached_property
from secrets import choice, token_hex
from threading import BoundedSemaphore
from unicodedata import normalize

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.floor.names import alike
from croupier.floor.registry import Denied

SHORTEST, LONGEST = 12, 200  # characters of a password
GROUPS, SIGNS = 5, 4  # of a one-time password: 99 bits, which nobody guesses in a day
READABLE = "23456789abcdefghjkmnpqrstuvwxyz"  # no sign that is taken for another
AT_ONCE = 4  # passwords hashed at the same time: each takes 64 MB for as long


class SealedPassword(msgspec.Struct, frozen=True):
    """What is sealed beside an event that sets a password. The salt keeps the event's commitment from telling anything."""

    password: str  # as Argon2id encodes it, with its parameters
    salt: str


_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(SealedPassword).decode


def seal(encoded: str) -> bytes:
    return _encode(SealedPassword(encoded, token_hex(16)))


def unseal(sealed: bytes) -> str:
    return _decode(sealed).password if sealed else ""


def one_time_password() -> str:
    """To be read out or typed once.

    >>> [len(group) for group in one_time_password().split("-")]
    [4, 4, 4, 4, 4]
    """
    return "-".join("".join(choice(READABLE) for _ in range(SIGNS)) for _ in range(GROUPS))


def verify_new(name: str, old: str, new: str) -> None:
    """Why a password cannot be set, if it cannot."""
    if len(new) < SHORTEST:
        raise Denied(f"the new password is shorter than {SHORTEST} characters", f"at least {SHORTEST} characters")
    if len(new) > LONGEST:
        raise Denied(f"the new password is longer than {LONGEST} characters", f"at most {LONGEST} characters")
    if alike(new) == alike(name):
        raise Denied("the new password is the name", "another password")
    if _spelled(new) == _spelled(old):
        raise Denied("the new password is the old one", "another password")


class Hashing:
    """Argon2id with the parameters of the day. The same work is done whether or not there is something to compare with."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._room = BoundedSemaphore(AT_ONCE)

    @cached_property
    def _nobodys(self) -> str:
        return self.encode(token_hex(16))

    def encode(self, password: str) -> str:
        with self._room:
            return self._hasher.hash(_spelled(password))

    def matches(self, encoded: str, password: str) -> bool:
        """Is this the password? Where there is none it takes as long to say no."""
        nobodys = self._nobodys  # made at the first attempt, whosever it is
        with self._room:
            try:
                return self._hasher.verify(encoded or nobodys, _spelled(password)) and bool(encoded)
            except (Argon2Error, InvalidHashError):
                return False

    def is_outdated(self, encoded: str) -> bool:
        """Was it made with other parameters than those of the day?"""
        return self._hasher.check_needs_rehash(encoded)


def _spelled(password: str) -> bytes:
    """The same bytes for the same characters, whatever the keyboard makes of them. No password is longer than is looked at."""
    return normalize("NFKC", password[: LONGEST + 1]).encode("utf-8", "surrogatepass")
