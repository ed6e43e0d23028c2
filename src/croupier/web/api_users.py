"""The API of the administrator: users and their roles."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import Parameter

from croupier.floor.people import ONE_TIME_FOR, User
from croupier.floor.people_events import Role
from croupier.floor.premises import Premises
from croupier.web.back_office import MINE, Asked
from croupier.web.guards import at_most
from croupier.web.sessions import Sessions

PASSWORDS_A_MINUTE = 30
Name = Annotated[str, Parameter(max_length=200, description="The user's name.")]


class NewUser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    role: Role


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Role


class UserSeen(msgspec.Struct, frozen=True):
    """One of the house's people. `must_change`: the password is a one-time password. `locked_from`: the addresses where the user is
    locked, until `locked_until` at the latest."""

    name: str
    role: str
    enabled: bool
    must_change: bool
    locked_until: int
    last_login: int
    locked_from: tuple[str, ...]

    @classmethod
    def of(cls, user: User) -> UserSeen:
        return cls(
            user.name, user.role, user.enabled, user.must_change, user.locked_until, user.last_login, user.locked_from
        )  # fmt: skip


class OneTime(msgspec.Struct, frozen=True):
    """A password that is shown once and kept nowhere."""

    name: str
    password: str
    until: int


class UsersController(Controller):
    path = "/api"
    tags = ["administrator"]  # noqa: RUF012

    @get("/users", opt=MINE)
    async def users(self, premises: Premises) -> list[UserSeen]:
        """All users by name."""
        return [UserSeen.of(user) for user in await asyncio.to_thread(premises.people.users)]

    @post("/users", opt=MINE, middleware=[at_most("minute", PASSWORDS_A_MINUTE, "users")])
    async def add_user(self, data: NewUser, request: Asked, premises: Premises) -> OneTime:
        """A new user; the answer has the one-time password, which is shown nowhere else."""
        password = await asyncio.to_thread(premises.people.add, data.name, data.role, request.user.name)
        return OneTime(data.name, password, premises.clock() + ONE_TIME_FOR)

    @post("/users/{name:str}/role", opt=MINE, status_code=200)
    async def change_role(self, name: Name, data: NewRole, request: Asked, premises: Premises, sessions: Sessions) -> UserSeen:
        """Another role. The user has to log in again."""
        user = await asyncio.to_thread(premises.people.change_role, name, data.role, request.user.name)
        await sessions.end_all_of(user.name)
        return UserSeen.of(user)

    @post("/users/{name:str}/disable", opt=MINE, status_code=200)
    async def disable(self, name: Name, request: Asked, premises: Premises, sessions: Sessions) -> UserSeen:
        """Log the user out and let him in no more."""
        user = await asyncio.to_thread(premises.people.disable, name, request.user.name)
        await sessions.end_all_of(user.name)
        return UserSeen.of(user)

    @post("/users/{name:str}/enable", opt=MINE, status_code=200)
    async def enable(self, name: Name, request: Asked, premises: Premises) -> UserSeen:
        return UserSeen.of(await asyncio.to_thread(premises.people.enable, name, request.user.name))

    @post("/users/{name:str}/unlock", opt=MINE, status_code=200)
    async def unlock_user(self, name: Name, request: Asked, premises: Premises) -> UserSeen:
        """Forget the failures that locked a user."""
        return UserSeen.of(await asyncio.to_thread(premises.people.unlock, name, request.user.name))

    @post("/users/{name:str}/reset", opt=MINE, status_code=200, middleware=[at_most("minute", PASSWORDS_A_MINUTE, "resets")])
    async def reset(self, name: Name, request: Asked, premises: Premises, sessions: Sessions) -> OneTime:
        """A one-time password instead of the user's own."""
        password = await asyncio.to_thread(premises.people.reset_password, name, request.user.name)
        user = await asyncio.to_thread(premises.people.user, name)
        assert user is not None
        await sessions.end_all_of(user.name)
        return OneTime(user.name, password, premises.clock() + ONE_TIME_FOR)
