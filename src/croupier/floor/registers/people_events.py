"""Events about people: guests who took a name; users who were added, changed, logged in or locked out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from croupier.floor.registers.register import RegisterEvent

VERSION = 1

Role = Literal["dealer", "floorperson", "surveillance", "administrator"]
Why = Literal["wrong password", "no such user", "locked", "disabled", "expired", "no such code"]
AttemptKind = Literal["log in", "change the password", "come back as a guest"]


class AboutPerson(RegisterEvent, frozen=True, kw_only=True):
    name: str


class ByUser(AboutPerson, frozen=True, kw_only=True):
    """Something that a person did, or tried to do, and from which address."""

    address: str = ""

    @property
    def who(self) -> str:
        return self.name or "somebody"


class GuestRegistered(AboutPerson, frozen=True, kw_only=True, tag="guest registered"):
    """A guest took a name for good. The audit is about the house's own people and does not list it."""

    code: str = ""  # the hash of the guest's recovery code; none for a player the house seated by name


class SeatHandedBack(AboutPerson, frozen=True, kw_only=True, tag="seat handed back"):
    """A floorperson gave a guest a one-time code for a seat that the guest could no longer get back to."""

    table: str
    seat: int
    why: str
    code: str  # the hash of the one-time code
    until: int  # when it expires

    sentence = "handed seat {0.seat} at table {0.table} back to {0.name}: {0.why}"


class GuestReturned(ByUser, frozen=True, kw_only=True, tag="guest returned"):
    """A guest came back with a code. After a floorperson's code the guest has a new recovery code."""

    code: str = ""  # the hash of the new recovery code

    def says(self) -> str:
        return f"came back with {'a code from a floorperson' if self.code else 'their recovery code'}"


class UserAdded(AboutPerson, frozen=True, kw_only=True, tag="user added"):
    role: Role
    until: int  # when the one-time password expires

    sentence = "added the user {0.name} as {0.role}"


class RoleChanged(AboutPerson, frozen=True, kw_only=True, tag="role changed"):
    role: Role
    before: Role

    sentence = "changed the role of {0.name} from {0.before} to {0.role}"


class UserDisabled(AboutPerson, frozen=True, kw_only=True, tag="user disabled"):
    sentence = "disabled the user {0.name}"


class UserEnabled(AboutPerson, frozen=True, kw_only=True, tag="user enabled"):
    sentence = "enabled the user {0.name}"


class UserUnlocked(AboutPerson, frozen=True, kw_only=True, tag="user unlocked"):
    sentence = "unlocked the user {0.name}"


class PasswordReset(AboutPerson, frozen=True, kw_only=True, tag="password reset"):
    until: int

    sentence = "gave {0.name} a one-time password"


class PasswordChanged(ByUser, frozen=True, kw_only=True, tag="password changed"):
    sentence = "changed their password"


class LoggedIn(ByUser, frozen=True, kw_only=True, tag="logged in"):
    """With a seal, the same password was hashed again with the current parameters."""

    role: Role

    sentence = "logged in"


class AttemptFailed(ByUser, frozen=True, kw_only=True, tag="attempt failed"):
    """A name that no user has is not kept, because people type passwords in its place."""

    wish: AttemptKind
    because: Why

    sentence = "failed to {0.wish}: {0.because}"


class LockedOut(ByUser, frozen=True, kw_only=True, tag="locked out"):
    until: int

    def says(self) -> str:
        until = datetime.fromtimestamp(self.until // 1000, UTC)
        return f"was locked out at this address until {until:%Y-%m-%d %H:%M} UTC, after three failures in a row"


PeopleEvent = (
    GuestRegistered
    | SeatHandedBack
    | GuestReturned
    | UserAdded
    | RoleChanged
    | UserDisabled
    | UserEnabled
    | UserUnlocked
    | PasswordReset
    | PasswordChanged
    | LoggedIn
    | AttemptFailed
    | LockedOut
)
