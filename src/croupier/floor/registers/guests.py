"""Guests: the names they took, and the codes that bring them back to their seats.

The log keeps only hashes of codes. A code has 99 random bits, so a plain hash of it reveals nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

import msgspec

from croupier.floor.registers.login_locks import MINUTE
from croupier.floor.registers.names import alike
from croupier.floor.registers.passwords import READABLE
from croupier.floor.registers.people_events import GuestRegistered, GuestReturned, SeatHandedBack

CODE_FOR = 15 * MINUTE  # that a floorperson's code is valid
GuestEvent = GuestRegistered | GuestReturned | SeatHandedBack


class Guest(msgspec.Struct, frozen=True):
    """A player who took a name."""

    name: str
    at: int


@dataclass
class GuestCodes:
    """A guest and the hashes of their codes."""

    guest: Guest
    recovery: str = ""
    one_time: str = ""
    until: int = 0  # when the one-time code expires


@dataclass
class Guests:
    """Every guest by name, and by each code that still opens something."""

    _names: dict[str, GuestCodes] = field(default_factory=dict)
    _codes: dict[str, GuestCodes] = field(default_factory=dict)

    def get(self, name: str) -> Guest | None:
        known = self._names.get(alike(name))
        return known.guest if known else None

    def find(self, code: str) -> GuestCodes | None:
        """The guest whose code has this hash, even if the code has expired."""
        return self._codes.get(code)

    def fold(self, event: GuestEvent) -> None:
        known = self._names.get(alike(event.name))
        if isinstance(event, GuestRegistered):
            if known:
                raise ValueError(f"the name {event.name} was taken before")
            known = self._names[alike(event.name)] = GuestCodes(Guest(event.name, event.at))
        if known is None:
            raise LookupError(f"there was no guest {event.name}")
        match event:
            case SeatHandedBack():
                self._set(known, known.recovery, event.code, event.until)
            case GuestReturned(code=""):
                pass
            case _:
                self._set(known, event.code)

    def _set(self, known: GuestCodes, recovery: str, one_time: str = "", until: int = 0) -> None:
        for before in (known.recovery, known.one_time):
            self._codes.pop(before, None)
        known.recovery, known.one_time, known.until = recovery, one_time, until
        self._codes.update({code: known for code in (recovery, one_time) if code})


def hashed(code: str) -> str:
    """The hash of a code, however it was typed.

    >>> hashed("abcd-efgh-2345") == hashed(" ABCD EFGH 2345") != hashed("abcd-efgh-2346")
    True
    """
    signs = "".join(sign for sign in code.lower() if sign in READABLE)
    return sha256(b"croupier guest " + signs.encode()).hexdigest()
