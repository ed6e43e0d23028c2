"""The API of people: a guest's name, a login, a lock, a password."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.datastructures import Cookie

from croupier.floor.premises import Premises
from croupier.web.errors import Denied
from croupier.web.guards import ANYONE, GUEST, STAFF, address_of, at_most, roles
from croupier.web.schema import refuses
from croupier.web.sessions import COOKIE, GUEST_LASTS, STAFF_LASTS, Session, Sessions
from croupier.wire import Me

LOGINS_A_MINUTE, GUESTS_A_MINUTE = 10, 60  # from one address
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class NewGuest(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class Login(msgspec.Struct, frozen=True):
    name: Words
    password: Words


class Password(msgspec.Struct, frozen=True):
    password: Words


class NewPassword(msgspec.Struct, frozen=True):
    old: Words
    new: Words


def _me(session: Session | None) -> Me:
    if session is None:
        return Me("", ANYONE)
    return Me(session.name, session.role or GUEST, session.locked, session.must_change)


class SessionController(Controller):
    path = "/api"
    tags = ["people"]  # noqa: RUF012

    @get("/me", opt=roles(ANYONE, passive=True), sync_to_thread=False)
    def me(self, request: Request[Session | None, str, Any]) -> Me:
        return _me(request.user)

    @post("/guests", opt=roles(ANYONE), middleware=[at_most("minute", GUESTS_A_MINUTE, "guests", each_place=True)])
    async def new_guest(
        self, data: NewGuest, request: Request[Session | None, str, Any], premises: Premises, sessions: Sessions
    ) -> Response[Me]:
        """Choose a name, which nobody else has, and play. No account is needed."""
        if request.user is not None:
            raise Denied(409, f"You are here as {request.user.name} already.")
        guest = await asyncio.to_thread(premises.people.register_guest, data.name)
        return await self._begin(sessions, Session(guest.name, active=sessions.clock()), request)

    @post("/login", opt=roles(ANYONE), status_code=200, middleware=[at_most("minute", LOGINS_A_MINUTE, "logins", each_place=True)])
    async def login(
        self, data: Login, request: Request[Session | None, str, Any], premises: Premises, sessions: Sessions
    ) -> Response[Me]:
        """Log in as staff. After three failures from one address the user is locked there for a while."""
        user = await asyncio.to_thread(premises.people.login, data.name, data.password, address_of(request))
        if request.auth:
            await sessions.end(request.auth)
        return await self._begin(sessions, Session(user.name, user.role, sessions.clock(), must_change=user.must_change), request)

    @post(
        "/unlock",
        opt=roles(*STAFF, even_locked=True),
        status_code=200,
        middleware=[at_most("minute", LOGINS_A_MINUTE, "unlocks", each_place=True)],
    )
    async def unlock(
        self, data: Password, request: Request[Session, str, Any], premises: Premises, sessions: Sessions
    ) -> Response[Me]:
        """Give the password again after the screen was locked."""
        user = await asyncio.to_thread(premises.people.login, request.user.name, data.password, address_of(request))
        await sessions.end(request.auth)
        return await self._begin(sessions, Session(user.name, user.role, sessions.clock(), must_change=user.must_change), request)

    @post("/here", opt=roles(*STAFF), status_code=200, sync_to_thread=False)
    def here(self, request: Request[Session, str, Any]) -> Me:
        """You are at the screen. The pages of staff send it while somebody moves the mouse, types or touches them."""
        return _me(request.user)

    @post("/lock", opt=roles(*STAFF), status_code=200)
    async def lock(self, request: Request[Session, str, Any], sessions: Sessions) -> Me:
        """Lock your screen."""
        return _me(await sessions.change(request.auth, locked=True))

    @post(
        "/password",
        opt=roles(*STAFF, even_locked=True),
        status_code=200,
        responses=refuses(423),
        middleware=[at_most("minute", LOGINS_A_MINUTE, "passwords", each_place=True)],
    )
    async def password(
        self, data: NewPassword, request: Request[Session, str, Any], premises: Premises, sessions: Sessions
    ) -> Response[Me]:
        """Choose another password. Every other browser of yours has to log in again."""
        if request.user.locked:
            raise Denied(423, "The screen is locked. Please give your password again.")
        await asyncio.to_thread(premises.people.change_password, request.user.name, data.old, data.new, address_of(request))
        await sessions.end_all_of(request.user.name)
        return await self._begin(sessions, Session(request.user.name, request.user.role, sessions.clock()), request)

    @delete("/session", opt=roles(GUEST, *STAFF, even_locked=True), status_code=200)
    async def leave(self, request: Request[Session, str, Any], sessions: Sessions) -> Response[Me]:
        """Log out. A guest's name is not given to anybody else."""
        await sessions.end(request.auth)
        answer = Response(_me(None))
        answer.delete_cookie(COOKIE)
        return answer

    async def _begin(self, sessions: Sessions, session: Session, request: Request[Any, Any, Any]) -> Response[Me]:
        token = await sessions.begin(session)
        lasts = STAFF_LASTS if session.role else GUEST_LASTS
        secure = request.app.state.settings.https
        cookie = Cookie(COOKIE, value=token, max_age=lasts // 1000, httponly=True, samesite="lax", secure=secure)
        return Response(_me(session), cookies=[cookie])
