"""Who may use a route. Every route names its roles; a route that names none is closed to everybody."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.middleware.authentication import AbstractAuthenticationMiddleware, AuthenticationResult
from litestar.middleware.rate_limit import DurationUnit, RateLimitConfig
from litestar.types import ASGIApp, Middleware, Receive, Scope, Send

from croupier.floor.premises import Premises
from croupier.floor.registers.addresses import place_of_address
from croupier.web.errors import Denied
from croupier.web.security.sessions import COOKIE, Session

ANYONE, GUEST, DEALER, FLOORPERSON, SURVEILLANCE, ADMINISTRATOR = (
    "anyone", "guest", "dealer", "floorperson", "surveillance", "administrator",
)  # fmt: skip
STAFF = (DEALER, FLOORPERSON, SURVEILLANCE, ADMINISTRATOR)
ROLES = (ANYONE, GUEST, *STAFF)
VisitorRequest = Request[Session | None, str, Any]  # of somebody who may have no session
UserRequest = Request[Session, str, Any]
_PORT = re.compile(r":\d+$")


def roles(*allowed: str, even_locked: bool = False, passive: bool = False) -> dict[str, Any]:
    """The `opt` of a route. A request to a passive route, such as a drawing, is not activity, nor is any GET of the API."""
    return {"roles": allowed, "even_locked": even_locked, "passive": passive}


ADMINISTRATORS_ONLY, SURVEILLANCE_ONLY = roles(ADMINISTRATOR), roles(SURVEILLANCE)
SESSIONLESS = roles(ANYONE, passive=True) | {"sessionless": True}  # the same for everybody: no session is looked up


class AllowedHosts(ASGIMiddleware):
    """Accepts only requests for the host names of this floor, at any port; Litestar's own check needs each port listed."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, allowed: frozenset[str]) -> None:
        self.allowed = allowed

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if "*" not in self.allowed:
            host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
            if _PORT.sub("", host.lower()) not in self.allowed:
                raise Denied(400, "This server does not answer to that host name. Add it with --hosts.")
        await next_app(scope, receive, send)


def at_most(times: int, unit: DurationUnit, *, each_place: bool = False) -> list[Middleware]:
    """The rate limit of a route per session, or per address if there is no session; with `each_place`, always per address."""

    def caller(request: Request[Any, Any, Any]) -> str:
        who = place_of(request) if each_place else request.auth or place_of(request)
        return f"{request.scope['route_handler'].handler_name} {who}"

    return [RateLimitConfig((unit, times), identifier_for_request=caller, check_throttle_handler=_is_limited).middleware]


async def _is_limited(request: Request[Any, Any, Any]) -> bool:
    return bool(request.app.state.settings.limited)


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address of the client; behind a trusted proxy, the one that the proxy reports."""
    return connection.client.host if connection.client else ""


def place_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    return place_of_address(address_of(connection))


async def note(premises: Premises, request: UserRequest, what: str, table: str = "", version: int = 0) -> None:
    """Write a line to the audit: who did what, and from where."""
    session = request.user
    await asyncio.to_thread(premises.audit.note, session.name, session.role, what, table, version, address_of(request))


class Authentication(AbstractAuthenticationMiddleware):
    """The session of a request, if its cookie names one."""

    async def authenticate_request(self, connection: ASGIConnection[Any, Any, Any, Any]) -> AuthenticationResult:
        token = connection.cookies.get(COOKIE, "")
        handler = connection.scope.get("route_handler")
        if not token or (handler is not None and handler.opt.get("sessionless")):
            return AuthenticationResult(user=None, auth="")
        session = await connection.app.state.sessions.find(token)
        return AuthenticationResult(user=session, auth=token if session else "")


def role_of(session: Session | None) -> str:
    return (session.role or GUEST) if session else ANYONE


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Check the role; a locked screen is refused until the password is entered again.

    A coroutine, because Litestar runs a plain function in a separate thread.
    """
    allowed, session = handler.opt.get("roles", ()), connection.user
    if ANYONE not in allowed and role_of(session) not in allowed:
        if session is None:
            raise Denied(401, "Log in first." if GUEST not in allowed else "Choose a name first.")
        raise Denied(403, f"Only for {' and '.join(role if role == SURVEILLANCE else f'{role}s' for role in allowed)}.")
    if session is None or not session.role:
        return
    if not handler.opt.get("even_locked") and ANYONE not in allowed:
        if session.locked:
            raise Denied(423, "The screen is locked. Enter your password to unlock it.")
        if session.must_change:
            raise Denied(403, "Choose your own password first.")
    if not session.locked and _is_by_person(connection, handler):
        await connection.app.state.sessions.mark_active(connection.auth, session)


def _is_by_person(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> bool:
    """Whether a person made the request. Polling by a page does not keep a screen unlocked."""
    reads = connection.scope.get("method") == "GET" and connection.url.path.startswith("/api/")
    return not reads and not handler.opt.get("passive")
