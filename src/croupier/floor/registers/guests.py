"""Guests: the names they took, and the codes that bring them back to their seats.

The log keeps only hashes of codes. A code has 99 random bits, so a plain hash of it reveals nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

from croupier.floor.registers.login_locks import MINUTE
from croupier.floor.registers.names import alike
from croupier.floor.registers.passwords import READABLE
from croupier.floor.registers.people_events import GuestRegistered, GuestReturned, SeatHandedBack

CODE_FOR = 15 * MINUTE  # that a floorperson's code is valid
GuestEvent = GuestRegistered | GuestReturned | SeatHandedBack


@dataclass
class Guest:
    """A player who took a name, and the hashes of their codes."""

    name: str
    recovery: str = ""
    one_time: str = ""
    until: int = 0  # when the one-time code expires


@dataclass
class Guests:
    """Every guest by name, and by each code that still opens something, even if it has expired."""

    names: dict[str, Guest] = field(default_factory=dict)
    codes: dict[str, Guest] = field(default_factory=dict)

    def fold(self, event: GuestEvent) -> None:
        known = self.names.get(alike(event.name))
        if isinstance(event, GuestRegistered):
            if known:
                raise ValueError(f"the name {event.name} was taken before")
            known = self.names[alike(event.name)] = Guest(event.name)
        if known is None:
            raise LookupError(f"there was no guest {event.name}")
        match event:
            case SeatHandedBack():
                self._set(known, known.recovery, event.code, event.until)
            case GuestReturned(code=""):
                pass
            case _:
                self._set(known, event.code)

    def _set(self, known: Guest, recovery: str, one_time: str = "", until: int = 0) -> None:
        for before in (known.recovery, known.one_time):
            self.codes.pop(before, None)
        known.recovery, known.one_time, known.until = recovery, one_time, until
        self.codes.update({code: known for code in (recovery, one_time) if code})


def hashed(code: str) -> str:
    """The hash of a code, however it was typed.

    >>> hashed("abcd-efgh-2345") == hashed(" ABCD EFGH 2345") != hashed("abcd-efgh-2346")
    True
    """
    signs = "".join(sign for sign in code.lower() if sign in READABLE)
    return sha256(b"croupier guest " + signs.encode()).hexdigest()
