"""Guests and users: who they are, what role they have, and whether they are who they say they are.

The server's guards decide who may add a user; this register records who did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import get_args

from argon2 import PasswordHasher

from croupier.floor.clock import now_in_milliseconds
from croupier.floor.registers import people_events as did
from croupier.floor.registers.accounts import CODE_FOR, FAILURES, LOCKED_FOR, MINUTE, Account, Guests, Locks, User, hash_of_code
from croupier.floor.registers.addresses import place_of_address
from croupier.floor.registers.names import name_key, proper_name
from croupier.floor.registers.passwords import Hashing, one_time_password, seal, unseal, verify_new
from croupier.floor.registers.people_events import VERSION, AttemptKind, PeopleEvent, Role, Why
from croupier.floor.registers.register import TRIES, HouseRefusal, Register, sealed_commitment, tidy
from croupier.ledger import Conflict, Entry, Recorder

ROLES: tuple[Role, ...] = get_args(Role)
ADMINISTRATOR: Role = "administrator"
ONE_TIME_FOR = 24 * 60 * MINUTE
LONGEST_ADDRESS = 100


class LoginRefused(HouseRefusal):
    """The same answer to every failed login. It does not reveal whether the user exists or is locked."""

    def __init__(self) -> None:
        locks = f"{FAILURES} failed attempts in a row from your address lock the account there for {LOCKED_FOR // MINUTE} minutes"
        super().__init__(f"wrong name or password; {locks}", kind="not allowed")


class CodeRefused(HouseRefusal):
    """The same answer to every invalid code. It does not reveal whether the code expired or never existed."""

    def __init__(self) -> None:
        once = f"A floorperson's code works once, within {CODE_FOR // MINUTE} minutes"
        help_ = "Enter your recovery code, or ask a floorperson for a new one"
        super().__init__(f"this code does not work. {once}. {help_}", kind="not allowed")


Events = Sequence[PeopleEvent]


class People(Register[PeopleEvent]):
    """The people stream. Hashing a password is slow, so it is done without holding the lock."""

    stream = "people"
    events, newest = PeopleEvent, VERSION

    def __init__(
        self, recorder: Recorder, clock: Callable[[], int] = now_in_milliseconds, hasher: PasswordHasher | None = None
    ) -> None:
        super().__init__(recorder, clock)
        self._guests = Guests()
        self._users: dict[str, Account] = {}
        self._hashing = Hashing(hasher)

    # guests

    def register_guest(self, name: str, code: str = "") -> str:
        """Register a guest under a new name, and return it as it is kept. The code brings the guest back; only its hash is kept."""
        kept = proper_name(name)

        def decide() -> Events:
            if name_key(kept) in self._guests.names:
                raise HouseRefusal(f"the name {kept} is taken. Choose another name")
            return [did.GuestRegistered(v=VERSION, at=self.clock(), name=kept, code=hash_of_code(code) if code else "")]

        self._write(decide)
        return kept

    def name_guest(self, name: str) -> None:
        """Reserve the name of a player seated by staff."""
        with suppress(HouseRefusal):  # it is taken, or guests may not take it
            self.register_guest(name)

    def guest(self, name: str) -> str | None:
        """The name of a guest as it is kept, if there is one."""
        with self._current():
            known = self._guests.names.get(name_key(name))
            return known.name if known else None

    def hand_back(self, name: str, table: str, seat: int, why: str, by: str) -> tuple[str, int]:
        """A one-time code that brings a guest back to a seat, and when it expires. It replaces an earlier unused one."""
        code, reason = one_time_password(), tidy(why)
        if not reason:
            raise HouseRefusal("give a reason for handing back the seat")

        def decide() -> Events:
            guest, now = self._guests.names.get(name_key(name)), self.clock()
            if guest is None:
                raise HouseRefusal(
                    f"{tidy(name)} is not the name of a guest", "removing the player and seating them under another name"
                )
            until = now + CODE_FOR
            event = did.SeatHandedBack(
                v=VERSION, at=now, by=by, name=guest.name, table=table, seat=seat, why=reason, code=hash_of_code(code), until=until
            )
            return [event]

        (event,) = self._write(decide)
        return code, event.at + CODE_FOR

    def come_back(self, code: str, address: str = "") -> tuple[str, str]:
        """The name of the guest with this code.

        A floorperson's code replaces all earlier ones; the guest then gets a new recovery code.
        """
        given, fresh, where = hash_of_code(code), one_time_password(), tidy(address, LONGEST_ADDRESS)

        def decide() -> Events:
            known, now = self._guests.codes.get(given), self.clock()
            once = known is not None and given == known.one_time
            if known is None or (once and known.until <= now):
                because: Why = "expired" if known else "no such code"
                return [did.AttemptFailed(v=VERSION, at=now, name="", address=where, wish="come back as a guest", because=because)]
            return [did.GuestReturned(v=VERSION, at=now, name=known.name, address=where, code=hash_of_code(fresh) if once else "")]

        (event,) = self._write(decide)
        if not isinstance(event, did.GuestReturned):
            raise CodeRefused()
        return event.name, fresh if event.code else ""

    # users

    def user(self, name: str) -> User | None:
        with self._current():
            account = self._users.get(name_key(name))
            return account.user(self.clock()) if account else None

    def users(self) -> list[User]:
        """All users by name, including disabled ones."""
        with self._current():
            now = self.clock()
            return [account.user(now) for _, account in sorted(self._users.items())]

    def first_start(self) -> str | None:
        """A one-time password for the administrator if nobody could log in as one; else None.

        That is so on a new log, and if the first password expired before anybody used it.
        """
        with self._current():
            if not self._needs_administrator():
                return None

        def decide(now: int, until: int, seal: str) -> Events:
            if not self._needs_administrator():
                return []
            if account := self._users.get(ADMINISTRATOR):
                return [did.PasswordReset(v=VERSION, at=now, name=account.name, until=until, seal=seal)]
            return [did.UserAdded(v=VERSION, at=now, name=ADMINISTRATOR, role=ADMINISTRATOR, until=until, seal=seal)]

        return self._hand_out(decide) or None

    def _needs_administrator(self) -> bool:
        """Is there no user at all, or only the first one with a password that has expired?"""
        if not self._users:
            return True
        first, now = self._users.get(ADMINISTRATOR), self.clock()
        return len(self._users) == 1 and first is not None and 0 < first.until <= now

    def add(self, name: str, role: Role, by: str) -> str:
        """Add a user, and return their one-time password, which is stored nowhere."""
        kept = proper_name(name)
        if "/" in kept or kept in (".", ".."):
            raise HouseRefusal("a user's name becomes part of a web address, so it cannot contain “/” or be “.” or “..”")

        def decide(now: int, until: int, seal: str) -> Events:
            if name_key(kept) in self._users:
                raise HouseRefusal(f"there is already a user {kept}. Choose another name")
            return [did.UserAdded(v=VERSION, at=now, by=by, name=kept, role=role, until=until, seal=seal)]

        return self._hand_out(decide)

    def change_role(self, name: str, role: Role, by: str) -> User:
        def decide() -> Events:
            account = self._account(name)
            if account.role == role:
                return []
            self._verify_not_last(account, "cannot be given another role")
            return [did.RoleChanged(v=VERSION, at=self.clock(), by=by, name=account.name, role=role, before=account.role)]

        return self._user_after(name, decide)

    def disable(self, name: str, by: str) -> User:
        def is_due(account: Account) -> bool:
            if account.enabled:
                self._verify_not_last(account, "cannot be disabled")
            return account.enabled

        return self._change(name, by, did.UserDisabled, is_due)

    def enable(self, name: str, by: str) -> User:
        return self._change(name, by, did.UserEnabled, lambda account: not account.enabled)

    def unlock(self, name: str, by: str) -> User:
        return self._change(name, by, did.UserUnlocked, lambda account: account.locks != Locks(homes=account.locks.homes))

    def _change(
        self,
        name: str,
        by: str,
        kind: type[did.UserDisabled | did.UserEnabled | did.UserUnlocked],
        is_due: Callable[[Account], bool],
    ) -> User:
        def decide() -> Events:
            account = self._account(name)
            return [kind(v=VERSION, at=self.clock(), by=by, name=account.name)] if is_due(account) else []

        return self._user_after(name, decide)

    def reset_password(self, name: str, by: str) -> str:
        """Replace a user's password with a one-time password, and unlock the user."""

        def decide(now: int, until: int, seal: str) -> Events:
            return [did.PasswordReset(v=VERSION, at=now, by=by, name=self._account(name).name, until=until, seal=seal)]

        return self._hand_out(decide)

    def _hand_out(self, decide: Callable[[int, int, str], Events]) -> str:
        """Write the event of a new one-time password: `decide` gets the time, when it expires and its seal. Empty if none was."""
        password = one_time_password()
        sealed = seal(self._hashing.encode(password))

        def stamped() -> Events:
            now = self.clock()
            return decide(now, now + ONE_TIME_FOR, sealed_commitment(sealed))

        return password if self._write(stamped, sealed) else ""

    def _account(self, name: str) -> Account:
        if account := self._users.get(name_key(name)):
            return account
        raise HouseRefusal(f"there is no user {tidy(name)}", kind="unknown")

    def _verify_not_last(self, account: Account, what: str) -> None:
        administrators = [each for each in self._users.values() if each.role == ADMINISTRATOR and each.enabled]
        if account.role == ADMINISTRATOR and all(each is account for each in administrators):
            raise HouseRefusal(f"{account.name} is the last administrator and {what}", "once there is another administrator")

    def _user_after(self, name: str, decide: Callable[[], Events]) -> User:
        with self._lock:
            self._write(decide)
            return self._account(name).user(self.clock())

    # logging in

    def change_password(self, name: str, old: str, new: str, address: str = "") -> User:
        """The user, with a password of their own. A wrong old password counts as a failed login."""
        verify_new(name, old, new)
        return self.login(name, old, address, new)

    def login(self, name: str, password: str, address: str = "", new: str = "") -> User:
        """The user, whose password is changed to the `new` one if there is one.

        Raises LoginRefused, or HouseRefusal if the one-time password has expired. An attempt is judged when it is written, after
        all that were written before it: attempts in parallel get no further than attempts in a row.
        """
        for _ in range(TRIES):
            with self._current():
                known = self._users.get(name_key(name))
                encoded = known.encoded if known else ""
            right, sealed = self._hashing.matches(encoded, password), b""
            if right and (new or self._hashing.is_outdated(encoded)):
                sealed = seal(self._hashing.encode(new or password))
            judged = partial(self._login_events, name, tidy(address, LONGEST_ADDRESS), encoded, right, sealed, changes=bool(new))
            with self._lock:
                events = self._write(judged, sealed)
                if events and isinstance(events[0], did.AttemptFailed):
                    raise _login_refusal(events[0])
                if events:
                    return self._account(name).user(self.clock())
        raise Conflict("the password keeps being changed")

    def _login_events(self, name: str, where: str, encoded: str, right: bool, sealed: bytes, *, changes: bool) -> Events:
        account, now = self._users.get(name_key(name)), self.clock()
        if (account.encoded if account else "") != encoded:  # changed since it was read: try again
            return []
        because: Why | None = account.failure_reason(place_of_address(where), right, now) if account else "no such user"
        if account is not None and because is None:
            who, kept = account.name, sealed_commitment(sealed)
            if changes:
                return [did.PasswordChanged(v=VERSION, at=now, name=who, address=where, seal=kept)]
            return [did.LoggedIn(v=VERSION, at=now, name=who, role=account.role, address=where, seal=kept)]
        who = account.name if account else ""
        wish: AttemptKind = "change the password" if changes else "log in"
        failed = did.AttemptFailed(v=VERSION, at=now, name=who, address=where, wish=wish, because=because or "no such user")
        if account is None or because != "wrong password" or not account.locks.is_last(place_of_address(where)):
            return [failed]
        return [failed, did.LockedOut(v=VERSION, at=now, name=who, address=where, until=now + LOCKED_FOR)]

    # the fold

    def _fold(self, event: PeopleEvent, entry: Entry) -> None:
        key = name_key(event.name)
        match event:
            case did.GuestRegistered() | did.GuestReturned() | did.SeatHandedBack():
                self._guests.fold(event)
            case did.UserAdded():
                if key in self._users:
                    raise ValueError(f"there was a user {event.name} before")
                self._users[key] = Account(event.name, event.role, unseal(entry.sealed), event.until)
            case did.AttemptFailed(name=""):
                pass
            case _ if key not in self._users:
                raise LookupError(f"there was no user {event.name}")
            case _:
                self._users[key].fold(event, entry.sealed)


def _login_refusal(failed: did.AttemptFailed) -> HouseRefusal:
    if failed.because == "expired":  # only someone with the right password learns this, and it opens nothing
        return HouseRefusal("the one-time password has expired. Ask an administrator for a new one", kind="not allowed")
    return LoginRefused()
