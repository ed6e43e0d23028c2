"""Passwords: Argon2id hashes, one-time passwords, and the rules for new ones."""

from __future__ import annotations

from functools import cached_property
from secrets import choice, token_hex
from threading import BoundedSemaphore
from unicodedata import normalize

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.floor.registers.names import name_key
from croupier.floor.registers.register import HouseRefusal
from croupier.ledger.canonical import encode

SHORTEST, LONGEST = 12, 200  # characters of a password
GROUPS, SIGNS = 5, 4  # of a one-time password: 99 bits, too many to guess in a day
READABLE = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
AT_ONCE = 4  # passwords hashed at the same time: each needs 64 MB


class SealedPassword(msgspec.Struct, frozen=True):
    """The sealed part of an event that sets a password. The salt keeps the event's commitment from revealing anything."""

    password: str  # as Argon2id encodes it, with its parameters
    salt: str


_decode = msgspec.json.Decoder(SealedPassword).decode


def seal(encoded: str) -> bytes:
    return encode(SealedPassword(encoded, token_hex(16)))


def unseal(sealed: bytes) -> str:
    return _decode(sealed).password if sealed else ""


def one_time_password() -> str:
    """A new one-time password, easy to read out and type.

    >>> [len(group) for group in one_time_password().split("-")]
    [4, 4, 4, 4, 4]
    """
    return "-".join("".join(choice(READABLE) for _ in range(SIGNS)) for _ in range(GROUPS))


def verify_new(name: str, old: str, new: str) -> None:
    """Refuse a new password that is too short, too long, the name or the old one."""
    if len(new) < SHORTEST:
        raise HouseRefusal(f"the new password is shorter than {SHORTEST} characters", f"at least {SHORTEST} characters")
    if len(new) > LONGEST:
        raise HouseRefusal(f"the new password is longer than {LONGEST} characters", f"at most {LONGEST} characters")
    if name_key(new) == name_key(name):
        raise HouseRefusal("the new password is the same as the name. Choose another password")
    if _spelled(new) == _spelled(old):
        raise HouseRefusal("the new password is the same as the old one. Choose another password")


class Hashing:
    """Argon2id with the current parameters. Comparing takes the same time whether or not there is a hash to compare with."""

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
        """Whether this is the password. Without a hash, saying no takes just as long."""
        nobodys = self._nobodys  # made at the first attempt, for a known user or not
        with self._room:
            try:
                return self._hasher.verify(encoded or nobodys, _spelled(password)) and bool(encoded)
            except (Argon2Error, InvalidHashError):
                return False

    def is_outdated(self, encoded: str) -> bool:
        """Whether it was made with other parameters than the current ones."""
        return self._hasher.check_needs_rehash(encoded)


def _spelled(password: str) -> bytes:
    """The password in normal form, however a keyboard composes its characters, and no longer than a password may be."""
    return normalize("NFKC", password[: LONGEST + 1]).encode("utf-8", "surrogatepass")
