"""The API of the administrator: users and their roles."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import Parameter

from croupier.floor.premises import Premises
from croupier.floor.registers.accounts import User
from croupier.floor.registers.people import ONE_TIME_FOR
from croupier.floor.registers.people_events import Role
from croupier.web.security.guards import ADMINISTRATORS_ONLY, UserRequest, at_most
from croupier.web.security.sessions import Sessions

Name = Annotated[str, Parameter(max_length=200, description="The user's name.")]


class NewUser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    role: Role


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Role


class OneTime(msgspec.Struct, frozen=True):
    """A one-time password, shown once and stored nowhere."""

    name: str
    password: str
    until: int


class UsersController(Controller):
    path = "/api"
    tags = ["administrator"]  # noqa: RUF012
    opt = ADMINISTRATORS_ONLY

    @get("/users")
    async def users(self, premises: Premises) -> list[User]:
        """All users, by name."""
        return await asyncio.to_thread(premises.people.users)

    @post("/users", middleware=at_most(30, "minute"))
    async def add_user(self, data: NewUser, request: UserRequest, premises: Premises) -> OneTime:
        """Add a user. The response has the one-time password, which is shown only here."""
        password = await asyncio.to_thread(premises.people.add, data.name, data.role, request.user.name)
        return OneTime(data.name, password, premises.clock() + ONE_TIME_FOR)

    @post("/users/{name:str}/role", status_code=200)
    async def change_role(self, name: Name, data: NewRole, request: UserRequest, premises: Premises, sessions: Sessions) -> User:
        """Change a user's role. They have to log in again."""
        user = await asyncio.to_thread(premises.people.change_role, name, data.role, request.user.name)
        await sessions.end_all_of(user.name)
        return user

    @post("/users/{name:str}/disable", status_code=200)
    async def disable(self, name: Name, request: UserRequest, premises: Premises, sessions: Sessions) -> User:
        """Log a user out and refuse further logins."""
        user = await asyncio.to_thread(premises.people.disable, name, request.user.name)
        await sessions.end_all_of(user.name)
        return user

    @post("/users/{name:str}/enable", status_code=200)
    async def enable(self, name: Name, request: UserRequest, premises: Premises) -> User:
        return await asyncio.to_thread(premises.people.enable, name, request.user.name)

    @post("/users/{name:str}/unlock", status_code=200)
    async def unlock_user(self, name: Name, request: UserRequest, premises: Premises) -> User:
        """Forget the failures that locked a user."""
        return await asyncio.to_thread(premises.people.unlock, name, request.user.name)

    @post("/users/{name:str}/reset", status_code=200, middleware=at_most(30, "minute"))
    async def reset(self, name: Name, request: UserRequest, premises: Premises, sessions: Sessions) -> OneTime:
        """Replace a user's password with a one-time password."""
        password = await asyncio.to_thread(premises.people.reset_password, name, request.user.name)
        user = await asyncio.to_thread(premises.people.user, name)
        assert user is not None
        await sessions.end_all_of(user.name)
        return OneTime(user.name, password, premises.clock() + ONE_TIME_FOR)
