"""Guests and users: who they are, what role they have, and whether they are who they say.

Whether somebody may add a user is for the guards of the server to say; here it is kept who did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import get_args

import msgspec
from argon2 import PasswordHasher

from croupier.floor.house import now_in_milliseconds
from croupier.floor.locks import FAILURES, LOCKED_FOR, MINUTE, Locks
from croupier.floor.names import alike, proper
from croupier.floor.passwords import Hashing, one_time_password, seal, unseal, verify_new
from croupier.floor.people_events import (
    FORM,
    VERSION,
    AttemptFailed,
    GuestRegistered,
    LockedOut,
    LoggedIn,
    PasswordChanged,
    PasswordReset,
    PeopleEvent,
    Role,
    RoleChanged,
    UserAdded,
    UserDisabled,
    UserEnabled,
    UserUnlocked,
    Why,
    Wish,
)
from croupier.floor.places import place
from croupier.floor.registry import TRIES, Deed, Denied, Registry, commitment, tidy
from croupier.ledger import Conflict, Entry, Recorder

ROLES: tuple[Role, ...] = get_args(Role)
ADMINISTRATOR: Role = "administrator"
ONE_TIME_FOR = 24 * 60 * MINUTE
LONGEST_ADDRESS = 100


class Guest(msgspec.Struct, frozen=True):
    """Somebody who took a name to play under."""

    name: str
    at: int


class User(msgspec.Struct, frozen=True):
    """One of the house's own people, as others may see him. `credentials` changes with his password: a session that was begun
    with an older one is over."""

    name: str
    role: Role
    enabled: bool
    must_change: bool  # the password is a one-time password
    credentials: int
    locked_until: int = 0
    last_login: int = 0
    locked_from: tuple[str, ...] = ()  # the addresses where the user is locked


class LoginRefused(Denied):
    """One answer for everybody who is not let in: it does not tell whether there is such a user, or whether he is locked."""

    def __init__(self) -> None:
        said = f"the name or the password is not right, or the user is locked after {FAILURES} failures in a row from your address"
        super().__init__(said, f"the right ones; of a user who is locked, in {LOCKED_FOR // MINUTE} minutes", "not allowed")


@dataclass
class Account:
    name: str
    role: Role
    encoded: str = field(repr=False)  # the password's hash
    until: int  # when the one-time password expires; 0 for a password of the user's own
    credentials: int  # the version of the event that set the password
    enabled: bool = True
    last_login: int = 0
    locks: Locks = field(default_factory=Locks)

    def user(self, now: int) -> User:
        locked = self.locks.locked(now)
        until = max(locked.values(), default=0)
        return User(
            self.name, self.role, self.enabled, self.until > 0, self.credentials, until, self.last_login, tuple(sorted(locked))
        )

    def set_password(self, encoded: str, until: int, version: int) -> None:
        self.encoded, self.until, self.credentials = encoded, until, version
        self.locks.forget()


Deeds = Sequence[Deed[PeopleEvent]]


@dataclass(frozen=True, repr=False)  # never shown: it holds a password
class Attempt:
    name: str
    password: str
    wish: Wish
    address: str
    sealing: Callable[[str], bytes]  # what is to be sealed if the password is right, made of the hash that it was held against
    granted: Callable[[Account, int, bytes], PeopleEvent]


class People(Registry[PeopleEvent]):
    """The stream of people. Hashing a password takes a while; it is done without holding up anybody else."""

    stream = "people"
    form = FORM

    def __init__(
        self, recorder: Recorder, clock: Callable[[], int] = now_in_milliseconds, hasher: PasswordHasher | None = None
    ) -> None:
        super().__init__(recorder, clock)
        self._guests: dict[str, Guest] = {}
        self._users: dict[str, Account] = {}
        self._hashing = Hashing(hasher)

    # guests

    def register_guest(self, name: str) -> Guest:
        kept = proper(name)

        def decide() -> Deeds:
            if alike(kept) in self._guests:
                raise Denied(f"the name {kept} is taken", "another name")
            return [Deed(GuestRegistered(v=VERSION, at=self.clock(), name=kept))]

        (event,) = self._write(decide)
        return Guest(kept, event.at)

    def name_guest(self, name: str) -> None:
        """A player whom the house seats by name: from now on nobody else can take it."""
        if self.guest(name) is None:
            with suppress(Denied):  # somebody took it just now, or it is none that a guest could take
                self.register_guest(name)

    def guest(self, name: str) -> Guest | None:
        with self._lock:
            self.catch_up()
            return self._guests.get(alike(name))

    # users

    def user(self, name: str) -> User | None:
        with self._lock:
            self.catch_up()
            account = self._users.get(alike(name))
            return account.user(self.clock()) if account else None

    def users(self) -> list[User]:
        """All of them by name, disabled ones too."""
        with self._lock:
            self.catch_up()
            now = self.clock()
            return [account.user(now) for _, account in sorted(self._users.items())]

    def first_start(self) -> str | None:
        """The one-time password of the administrator where nobody could log in as one; else nothing.

        So it is on a new log, and where the first password expired before anybody used it.
        """
        with self._lock:
            self.catch_up()
            if not self._needs_administrator():
                return None
        password, sealed = self._one_time()

        def decide() -> Deeds:
            if not self._needs_administrator():
                return []
            now = self.clock()
            until, kept = now + ONE_TIME_FOR, commitment(sealed)
            if account := self._users.get(ADMINISTRATOR):
                return [Deed(PasswordReset(v=VERSION, at=now, name=account.name, until=until, seal=kept), sealed)]
            added = UserAdded(v=VERSION, at=now, name=ADMINISTRATOR, role=ADMINISTRATOR, until=until, seal=kept)
            return [Deed(added, sealed)]

        return password if self._write(decide) else None

    def _needs_administrator(self) -> bool:
        """Is there no user at all, or only the first one with a password that has expired?"""
        if not self._users:
            return True
        first, now = self._users.get(ADMINISTRATOR), self.clock()
        return len(self._users) == 1 and first is not None and 0 < first.until <= now

    def add(self, name: str, role: str, by: str) -> str:
        """A new user; the answer is the one-time password, which is kept nowhere."""
        kept, known = proper(name), _role(role)
        if "/" in kept or kept in (".", ".."):
            raise Denied("a user's name is part of an address", "a name without /, other than . and ..")
        self._verify_free(kept)
        password, sealed = self._one_time()

        def decide() -> Deeds:
            self._verify_free(kept)
            now, sealing = self.clock(), commitment(sealed)
            event = UserAdded(v=VERSION, at=now, by=by, name=kept, role=known, until=now + ONE_TIME_FOR, seal=sealing)
            return [Deed(event, sealed)]

        self._write(decide)
        return password

    def _verify_free(self, name: str) -> None:
        if alike(name) in self._users:
            raise Denied(f"there is already a user {name}", "another name")

    def change_role(self, name: str, role: str, by: str) -> User:
        known = _role(role)

        def decide() -> Deeds:
            account = self._account(name)
            if account.role == known:
                return []
            self._verify_not_last(account, "cannot get another role")
            event = RoleChanged(v=VERSION, at=self.clock(), by=by, name=account.name, role=known, before=account.role)
            return [Deed(event)]

        return self._changed(name, decide)

    def disable(self, name: str, by: str) -> User:
        def decide() -> Deeds:
            account = self._account(name)
            if not account.enabled:
                return []
            self._verify_not_last(account, "cannot be disabled")
            return [Deed(UserDisabled(v=VERSION, at=self.clock(), by=by, name=account.name))]

        return self._changed(name, decide)

    def enable(self, name: str, by: str) -> User:
        def decide() -> Deeds:
            account = self._account(name)
            return [] if account.enabled else [Deed(UserEnabled(v=VERSION, at=self.clock(), by=by, name=account.name))]

        return self._changed(name, decide)

    def unlock(self, name: str, by: str) -> User:
        def decide() -> Deeds:
            account, now = self._account(name), self.clock()
            if account.locks == Locks(homes=account.locks.homes):
                return []
            return [Deed(UserUnlocked(v=VERSION, at=now, by=by, name=account.name))]

        return self._changed(name, decide)

    def reset_password(self, name: str, by: str) -> str:
        """A one-time password instead of the one that the user has; it also unlocks."""
        password, sealed = self._one_time()

        def decide() -> Deeds:
            account, now = self._account(name), self.clock()
            event = PasswordReset(v=VERSION, at=now, by=by, name=account.name, until=now + ONE_TIME_FOR, seal=commitment(sealed))
            return [Deed(event, sealed)]

        self._write(decide)
        return password

    def _one_time(self) -> tuple[str, bytes]:
        password = one_time_password()
        return password, seal(self._hashing.encode(password))

    def _account(self, name: str) -> Account:
        if account := self._users.get(alike(name)):
            return account
        raise Denied(f"there is no user {tidy(name)}", kind="unknown")

    def _verify_not_last(self, account: Account, what: str) -> None:
        others = (each for each in self._users.values() if each is not account)
        if account.role == ADMINISTRATOR and not any(_administers(each) for each in others):
            raise Denied(f"{account.name} is the last administrator and {what}", "after another administrator is there")

    def _changed(self, name: str, decide: Callable[[], Deeds]) -> User:
        with self._lock:
            self._write(decide)
            return self._account(name).user(self.clock())

    # logging in

    def login(self, name: str, password: str, address: str = "") -> User:
        """The user, or LoginRefused, or Denied if the one-time password has expired."""

        def renew(encoded: str) -> bytes:
            return seal(self._hashing.encode(password)) if self._hashing.is_outdated(encoded) else b""

        def granted(account: Account, at: int, sealed: bytes) -> PeopleEvent:
            return LoggedIn(
                v=VERSION, at=at, name=account.name, role=account.role, address=attempt.address, seal=commitment(sealed)
            )

        attempt = Attempt(name, password, "log in", tidy(address, LONGEST_ADDRESS), renew, granted)
        return self._attempt(attempt)

    def change_password(self, name: str, old: str, new: str, address: str = "") -> User:
        """The user with a password of his own. A wrong old one counts like a failure to log in."""
        verify_new(name, old, new)

        def set_new(encoded: str) -> bytes:
            return seal(self._hashing.encode(new))

        def granted(account: Account, at: int, sealed: bytes) -> PeopleEvent:
            return PasswordChanged(v=VERSION, at=at, name=account.name, address=attempt.address, seal=commitment(sealed))

        attempt = Attempt(name, old, "change the password", tidy(address, LONGEST_ADDRESS), set_new, granted)
        return self._attempt(attempt)

    def _attempt(self, attempt: Attempt) -> User:
        """Grant what the right password opens. An attempt is judged when it is written, after those that were written before it:
        many at the same time open no more than many in a row."""
        for _ in range(TRIES):
            with self._lock:
                self.catch_up()
                known = self._users.get(alike(attempt.name))
                encoded = known.encoded if known else ""
            right = self._hashing.matches(encoded, attempt.password)
            sealed = attempt.sealing(encoded) if right else b""
            with self._lock:
                events = self._write(partial(self._judged, attempt, encoded, right, sealed))
                if events and isinstance(events[0], AttemptFailed):
                    raise _answer(events[0])
                if events:
                    return self._account(attempt.name).user(self.clock())
        raise Conflict("the password keeps being changed")

    def _judged(self, attempt: Attempt, encoded: str, right: bool, sealed: bytes) -> Deeds:
        account, now = self._users.get(alike(attempt.name)), self.clock()
        if (account.encoded if account else "") != encoded:  # changed since it was looked at: look again
            return []
        because = _why_not(account, place(attempt.address), right, now)
        if account is not None and because is None:
            return [Deed(attempt.granted(account, now, sealed), sealed)]
        who, where = account.name if account else "", attempt.address
        failed = AttemptFailed(v=VERSION, at=now, name=who, address=where, wish=attempt.wish, because=because or "no such user")
        if account is None or because != "wrong password" or not account.locks.is_last(place(where)):
            return [Deed(failed)]
        return [Deed(failed), Deed(LockedOut(v=VERSION, at=now, name=who, address=where, until=now + LOCKED_FOR))]

    # the fold

    def _fold(self, event: PeopleEvent, entry: Entry) -> None:
        key = alike(event.name)
        match event:
            case GuestRegistered():
                if key in self._guests:
                    raise ValueError(f"the name {event.name} was taken before")
                self._guests[key] = Guest(event.name, event.at)
            case UserAdded():
                if key in self._users:
                    raise ValueError(f"there was a user {event.name} before")
                self._users[key] = Account(event.name, event.role, unseal(entry.sealed), event.until, entry.version)
            case AttemptFailed(name=""):
                pass
            case _ if key not in self._users:
                raise LookupError(f"there was no user {event.name}")
            case _:
                _fold_account(self._users[key], event, entry)


def _fold_account(account: Account, event: PeopleEvent, entry: Entry) -> None:
    match event:
        case RoleChanged():
            account.role = event.role
        case UserDisabled() | UserEnabled():
            account.enabled = isinstance(event, UserEnabled)
        case PasswordReset():
            account.set_password(unseal(entry.sealed), event.until, entry.version)
        case PasswordChanged():
            account.set_password(unseal(entry.sealed), 0, entry.version)
            account.locks.succeed(place(event.address))
        case LoggedIn():
            account.encoded, account.last_login = unseal(entry.sealed) or account.encoded, event.at
            account.locks.succeed(place(event.address))
        case AttemptFailed(because="wrong password"):
            account.locks.fail(place(event.address), event.at)
        case LockedOut():
            account.locks.lock(place(event.address), event.until)
        case UserUnlocked():
            account.locks.forget()


def _why_not(account: Account | None, where: str, right: bool, now: int) -> Why | None:
    """Why an attempt fails; nothing if it does not."""
    if account is None:
        return "no such user"
    if account.locks.is_locked(where, now, guessable=not account.until):
        return "locked"
    if not right:
        return "wrong password"
    if not account.enabled:
        return "disabled"
    return "expired" if 0 < account.until <= now else None


def _answer(failed: AttemptFailed) -> Denied:
    if failed.because == "expired":  # who has the right one may know, and it opens nothing
        return Denied("the one-time password has expired", "a new one from an administrator", "not allowed")
    return LoginRefused()


def _administers(account: Account) -> bool:
    return account.role == ADMINISTRATOR and account.enabled


def _role(role: str) -> Role:
    for known in ROLES:
        if role == known:
            return known
    raise Denied(f"there is no role {tidy(role)}", ", ".join(ROLES))
