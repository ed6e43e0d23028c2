"""Events about people: guests who took a name; users who were added, changed, logged in or locked out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from croupier.floor.registers.register import Happened

VERSION = 1

Role = Literal["dealer", "floorperson", "surveillance", "administrator"]
Why = Literal["wrong password", "no such user", "locked", "disabled", "expired", "no such code"]
AttemptKind = Literal["log in", "change the password", "come back as a guest"]


class AboutPerson(Happened, frozen=True, kw_only=True):
    """An event about one person."""

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

    def says(self) -> str:
        return f"handed seat {self.seat} at table {self.table} back to {self.name}: {self.why}"


class GuestReturned(ByUser, frozen=True, kw_only=True, tag="guest returned"):
    """A guest came back with a code. After a floorperson's code the guest has a new recovery code."""

    code: str = ""  # the hash of the new recovery code

    def says(self) -> str:
        return f"came back with {'a code from a floorperson' if self.code else 'their recovery code'}"


class UserAdded(AboutPerson, frozen=True, kw_only=True, tag="user added"):
    role: Role
    until: int  # when the one-time password expires

    def says(self) -> str:
        return f"added the user {self.name} as {self.role}"


class RoleChanged(AboutPerson, frozen=True, kw_only=True, tag="role changed"):
    role: Role
    before: Role

    def says(self) -> str:
        return f"changed the role of {self.name} from {self.before} to {self.role}"


class UserDisabled(AboutPerson, frozen=True, kw_only=True, tag="user disabled"):
    def says(self) -> str:
        return f"disabled the user {self.name}"


class UserEnabled(AboutPerson, frozen=True, kw_only=True, tag="user enabled"):
    def says(self) -> str:
        return f"enabled the user {self.name}"


class UserUnlocked(AboutPerson, frozen=True, kw_only=True, tag="user unlocked"):
    def says(self) -> str:
        return f"unlocked the user {self.name}"


class PasswordReset(AboutPerson, frozen=True, kw_only=True, tag="password reset"):
    until: int

    def says(self) -> str:
        return f"gave {self.name} a one-time password"


class PasswordChanged(ByUser, frozen=True, kw_only=True, tag="password changed"):
    def says(self) -> str:
        return "changed their password"


class LoggedIn(ByUser, frozen=True, kw_only=True, tag="logged in"):
    """With a seal, the same password was hashed again with the current parameters."""

    role: Role

    def says(self) -> str:
        return "logged in"


class AttemptFailed(ByUser, frozen=True, kw_only=True, tag="attempt failed"):
    """A name that no user has is not kept, because people type passwords in its place."""

    wish: AttemptKind
    because: Why

    def says(self) -> str:
        return f"failed to {self.wish}: {self.because}"


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
