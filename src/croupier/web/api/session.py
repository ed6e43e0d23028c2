"""The API of sessions: guests, logins, locked screens, passwords."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.datastructures import Cookie

from croupier.floor.premises import Premises
from croupier.floor.registers.passwords import one_time_password
from croupier.web.errors import Denied
from croupier.web.schema import refuses
from croupier.web.security.guards import (
    ANYONE,
    GUEST,
    STAFF,
    UserRequest,
    VisitorRequest,
    address_of,
    at_most,
    place_of,
    role_of,
    roles,
)
from croupier.web.security.sessions import COOKIE, Session, Sessions
from croupier.web.settings import Settings
from croupier.wire import Admitted, Me

LOGINS_A_MINUTE = 10  # from one address
LIMITED = at_most(LOGINS_A_MINUTE, "minute", each_place=True)  # each route that takes a password
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class NewGuest(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class Code(msgspec.Struct, frozen=True):
    code: Words


class Login(msgspec.Struct, frozen=True):
    name: Words
    password: Words


class Password(msgspec.Struct, frozen=True):
    password: Words


class NewPassword(msgspec.Struct, frozen=True):
    old: Words
    new: Words


def _me(session: Session | None) -> Me:
    return Me(session.name, role_of(session), session.locked, session.must_change) if session else Me("", ANYONE)


class SessionController(Controller):
    path = "/api"
    tags = ["people"]  # noqa: RUF012

    @get("/me", opt=roles(ANYONE, passive=True))
    async def me(self, request: VisitorRequest) -> Me:
        return _me(request.user)

    @post("/guests", opt=roles(ANYONE), middleware=at_most(60, "minute", each_place=True))
    async def new_guest(
        self, data: NewGuest, request: VisitorRequest, premises: Premises, sessions: Sessions
    ) -> Response[Admitted]:
        """Choose a name that nobody else has, and play. No account is needed. Keep the recovery code: it is sent only once."""
        if request.user is not None:
            raise Denied(409, f"You are already playing as {request.user.name}.")
        code = one_time_password()
        name = await asyncio.to_thread(premises.people.register_guest, data.name, code)
        return await self._admit(sessions, name, code, request)

    @post("/return", opt=roles(ANYONE), status_code=200)
    async def come_back(
        self, data: Code, request: VisitorRequest, premises: Premises, sessions: Sessions, settings: Settings
    ) -> Response[Admitted]:
        """Return to your seat with your recovery code, or with a one-time code from a floorperson. A floorperson's code ends your
        other sessions and comes with a new recovery code. Only wrong codes count against the limit."""
        tries, where = request.app.state.wrong_codes, place_of(request)
        if settings.limited and not tries.take(where):
            raise Denied(429, "Too many wrong codes from your address. Wait a minute and try again.")
        name, code = await asyncio.to_thread(premises.people.come_back, data.code, address_of(request))
        if settings.limited:
            tries.give_back(where)
        if code:
            await sessions.end_all_of(name, guest=True)
        if request.auth:
            await sessions.end(request.auth)
        return await self._admit(sessions, name, code, request)

    @post("/login", opt=roles(ANYONE), status_code=200, middleware=LIMITED)
    async def login(self, data: Login, request: VisitorRequest, premises: Premises, sessions: Sessions) -> Response[Me]:
        """Log in as staff. After three failures from one address, the user is locked out from that address for a while."""
        return await self._login(data.name, data.password, request, premises, sessions)

    @post("/unlock", opt=roles(*STAFF, even_locked=True), status_code=200, middleware=LIMITED)
    async def unlock(self, data: Password, request: UserRequest, premises: Premises, sessions: Sessions) -> Response[Me]:
        """Unlock the screen with the password."""
        return await self._login(request.user.name, data.password, request, premises, sessions)

    @post("/here", opt=roles(*STAFF), status_code=200)
    async def here(self, request: UserRequest) -> Me:
        """Report that you are at the screen. Staff pages send it while somebody moves the mouse, types or touches them."""
        return _me(request.user)

    @post("/lock", opt=roles(*STAFF), status_code=200)
    async def lock(self, request: UserRequest, sessions: Sessions) -> Me:
        """Lock your screen."""
        return _me(await sessions.change(request.auth, locked=True))

    @post("/password", opt=roles(*STAFF, even_locked=True), status_code=200, responses=refuses(423), middleware=LIMITED)
    async def password(self, data: NewPassword, request: UserRequest, premises: Premises, sessions: Sessions) -> Response[Me]:
        """Change your password. You are logged out in every other browser."""
        if request.user.locked:
            raise Denied(423, "The screen is locked. Enter your password to unlock it.")
        await asyncio.to_thread(premises.people.change_password, request.user.name, data.old, data.new, address_of(request))
        await sessions.end_all_of(request.user.name)
        return await self._begin(sessions, Session(request.user.name, request.user.role, sessions.clock()), request)

    @delete("/session", opt=roles(GUEST, *STAFF, even_locked=True), status_code=200)
    async def leave(self, request: UserRequest, sessions: Sessions) -> Response[Me]:
        """Log out. A guest's name stays reserved."""
        await sessions.end(request.auth)
        answer = Response(_me(None))
        answer.delete_cookie(COOKIE)
        return answer

    async def _login(
        self, name: str, password: str, request: Request[Any, Any, Any], premises: Premises, sessions: Sessions
    ) -> Response[Me]:
        """A new session in place of the one that the request has, if any."""
        user = await asyncio.to_thread(premises.people.login, name, password, address_of(request))
        if request.auth:
            await sessions.end(request.auth)
        return await self._begin(sessions, Session(user.name, user.role, sessions.clock(), must_change=user.must_change), request)

    async def _admit(self, sessions: Sessions, name: str, code: str, request: Request[Any, Any, Any]) -> Response[Admitted]:
        begun = await self._begin(sessions, Session(name, active=sessions.clock(), place=place_of(request)), request)
        return Response(Admitted(name, GUEST, code=code), cookies=begun.cookies)

    async def _begin(self, sessions: Sessions, session: Session, request: Request[Any, Any, Any]) -> Response[Me]:
        token = await sessions.begin(session)
        secure = request.app.state.settings.https
        cookie = Cookie(COOKIE, value=token, max_age=session.lasts // 1000, httponly=True, samesite="lax", secure=secure)
        return Response(_me(session), cookies=[cookie])
