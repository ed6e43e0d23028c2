"""What has happened to people: guests who took a name, users who were added, changed, logged in or were locked out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from croupier.floor.registry import Form, Happened

VERSION = 1

Role = Literal["dealer", "floorperson", "surveillance", "administrator"]
Why = Literal["wrong password", "no such user", "locked", "disabled", "expired"]
Wish = Literal["log in", "change the password"]


class Of(Happened, frozen=True, kw_only=True):
    """Of one person."""

    name: str


class ByUser(Of, frozen=True, kw_only=True):
    """What a user did, or tried to do, from somewhere."""

    address: str = ""

    @property
    def who(self) -> str:
        return self.name or "somebody"


class GuestRegistered(Of, frozen=True, kw_only=True, tag="guest registered"):
    """A guest's name is taken for good. The audit is about the house's own people and does not tell it."""


class UserAdded(Of, frozen=True, kw_only=True, tag="user added"):
    role: Role
    until: int  # when the one-time password expires

    def says(self) -> str:
        return f"added the user {self.name} as {self.role}"


class RoleChanged(Of, frozen=True, kw_only=True, tag="role changed"):
    role: Role
    before: Role

    def says(self) -> str:
        return f"made {self.name} {self.role}, who was {self.before}"


class UserDisabled(Of, frozen=True, kw_only=True, tag="user disabled"):
    def says(self) -> str:
        return f"disabled the user {self.name}"


class UserEnabled(Of, frozen=True, kw_only=True, tag="user enabled"):
    def says(self) -> str:
        return f"enabled the user {self.name}"


class UserUnlocked(Of, frozen=True, kw_only=True, tag="user unlocked"):
    def says(self) -> str:
        return f"unlocked the user {self.name}"


class PasswordReset(Of, frozen=True, kw_only=True, tag="password reset"):
    until: int

    def says(self) -> str:
        return f"gave {self.name} a one-time password"


class PasswordChanged(ByUser, frozen=True, kw_only=True, tag="password changed"):
    def says(self) -> str:
        return "changed the password"


class LoggedIn(ByUser, frozen=True, kw_only=True, tag="logged in"):
    """If a seal is there, the same password was hashed anew with the parameters of the day."""

    role: Role

    def says(self) -> str:
        return "logged in"


class AttemptFailed(ByUser, frozen=True, kw_only=True, tag="attempt failed"):
    """A name that no user has is not kept: people type passwords in its place."""

    wish: Wish
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

FORM: Form[PeopleEvent] = Form(PeopleEvent, VERSION)
