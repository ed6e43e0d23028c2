"""What the register of people keeps: guests and the codes that bring them back to their seats; users and their failed logins.

The log keeps only hashes of codes. A code has 99 random bits, so a plain hash of it reveals nothing. Failed logins lock a user at
one place only, so that nobody can lock a user out elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

import msgspec

from croupier.floor.registers import people_events as did
from croupier.floor.registers.addresses import place_of_address
from croupier.floor.registers.names import name_key
from croupier.floor.registers.passwords import READABLE, unseal
from croupier.floor.registers.people_events import PeopleEvent, Role, Why

MINUTE = 60_000  # milliseconds
FAILURES = 3  # in a row from one place lock the user there
LOCKED_FOR = 15 * MINUTE
MANY_FAILURES = 30  # this many from anywhere within that time: only places where the user has logged in before stay open
MOST_PLACES, MOST_HOMES = 1000, 20  # remembered for each user
CODE_FOR = 15 * MINUTE  # how long a floorperson's code is valid
GuestEvent = did.GuestRegistered | did.GuestReturned | did.SeatHandedBack


@dataclass
class Guest:
    """A player who took a name, and the hashes of their codes."""

    name: str
    recovery: str = ""
    one_time: str = ""
    until: int = 0  # when the one-time code expires


@dataclass
class Guests:
    """Every guest by name and by each unused code, including expired ones."""

    names: dict[str, Guest] = field(default_factory=dict)
    codes: dict[str, Guest] = field(default_factory=dict)

    def fold(self, event: GuestEvent) -> None:
        known = self.names.get(name_key(event.name))
        if isinstance(event, did.GuestRegistered):
            if known:
                raise ValueError(f"the name {event.name} was taken before")
            known = self.names[name_key(event.name)] = Guest(event.name)
        if known is None:
            raise LookupError(f"there was no guest {event.name}")
        match event:
            case did.SeatHandedBack():
                self._set(known, known.recovery, event.code, event.until)
            case did.GuestReturned(code=""):
                pass
            case _:
                self._set(known, event.code)

    def _set(self, known: Guest, recovery: str, one_time: str = "", until: int = 0) -> None:
        for before in (known.recovery, known.one_time):
            self.codes.pop(before, None)
        known.recovery, known.one_time, known.until = recovery, one_time, until
        self.codes.update({code: known for code in (recovery, one_time) if code})


def hash_of_code(code: str) -> str:
    """The hash of a code, however it was typed.

    >>> hash_of_code("abcd-efgh-2345") == hash_of_code(" ABCD EFGH 2345") != hash_of_code("abcd-efgh-2346")
    True
    """
    signs = "".join(sign for sign in code.lower() if sign in READABLE)
    return sha256(b"croupier guest " + signs.encode()).hexdigest()


# users


@dataclass
class Locks:
    """The failures and locks of one user, by place (see `addresses.place_of_address`)."""

    failures: dict[str, int] = field(default_factory=dict)  # in a row
    until: dict[str, int] = field(default_factory=dict)  # when a lock ends
    recent: list[int] = field(default_factory=list)  # times of the last failures, from anywhere
    homes: list[str] = field(default_factory=list)  # places where the user has logged in, the newest last

    def is_locked(self, place: str, now: int, guessable: bool) -> bool:
        """Whether the user is locked there. A one-time password is not guessable: trying it often locks no other place."""
        crowded = len(self.recent) == MANY_FAILURES and self.recent[0] > now - LOCKED_FOR
        return self.until.get(place, 0) > now or (guessable and crowded and place not in self.homes)

    def locked(self, now: int) -> dict[str, int]:
        """The places where the user is locked, each with the end of its lock."""
        return {place: until for place, until in self.until.items() if until > now}

    def is_last(self, place: str) -> bool:
        """Whether the next failure there locks it."""
        return self.failures.get(place, 0) + 1 >= FAILURES

    def fail(self, place: str, at: int) -> None:
        self.until = self.locked(at)
        self.failures[place] = self.failures.pop(place, 0) + 1
        if len(self.failures) > MOST_PLACES:
            del self.failures[next(iter(self.failures))]
        self.recent = [*self.recent, at][-MANY_FAILURES:]

    def lock(self, place: str, until: int) -> None:
        self.failures.pop(place, None)
        self.until[place] = until

    def succeed(self, place: str) -> None:
        self.failures.pop(place, None)
        self.until.pop(place, None)
        self.homes = [*(each for each in self.homes if each != place), place][-MOST_HOMES:]

    def forget(self) -> None:
        """Forget all failures: an administrator unlocked the user, or the password was changed."""
        self.failures, self.until, self.recent = {}, {}, []


class User(msgspec.Struct, frozen=True):
    """A user. `must_change`: the password is a one-time password. `locked_from`: the addresses from which the user is locked out,
    until `locked_until` at the latest."""

    name: str
    role: Role
    enabled: bool
    must_change: bool
    locked_until: int = 0
    last_login: int = 0
    locked_from: tuple[str, ...] = ()


@dataclass
class Account:
    name: str
    role: Role
    encoded: str = field(repr=False)  # the password's hash
    until: int  # when the one-time password expires; 0 for a password that the user chose
    enabled: bool = True
    last_login: int = 0
    locks: Locks = field(default_factory=Locks)

    def user(self, now: int) -> User:
        locked = self.locks.locked(now)
        until = max(locked.values(), default=0)
        return User(self.name, self.role, self.enabled, self.until > 0, until, self.last_login, tuple(sorted(locked)))

    def set_password(self, encoded: str, until: int) -> None:
        self.encoded, self.until = encoded, until
        self.locks.forget()

    def failure_reason(self, where: str, right: bool, now: int) -> Why | None:
        """Why an attempt fails; None if it does not."""
        if self.locks.is_locked(where, now, guessable=not self.until):
            return "locked"
        if not right:
            return "wrong password"
        if not self.enabled:
            return "disabled"
        return "expired" if 0 < self.until <= now else None

    def fold(self, event: PeopleEvent, sealed: bytes) -> None:
        match event:
            case did.RoleChanged():
                self.role = event.role
            case did.UserDisabled() | did.UserEnabled():
                self.enabled = isinstance(event, did.UserEnabled)
            case did.PasswordReset():
                self.set_password(unseal(sealed), event.until)
            case did.PasswordChanged():
                self.set_password(unseal(sealed), 0)
                self.locks.succeed(place_of_address(event.address))
            case did.LoggedIn():
                self.encoded, self.last_login = unseal(sealed) or self.encoded, event.at
                self.locks.succeed(place_of_address(event.address))
            case did.AttemptFailed(because="wrong password"):
                self.locks.fail(place_of_address(event.address), event.at)
            case did.LockedOut():
                self.locks.lock(place_of_address(event.address), event.until)
            case did.UserUnlocked():
                self.locks.forget()
