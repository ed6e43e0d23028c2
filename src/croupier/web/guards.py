"""Who may use a route. Every route names its roles; one that names none is open to nobody."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.middleware.authentication import AbstractAuthenticationMiddleware, AuthenticationResult
from litestar.middleware.rate_limit import DurationUnit, RateLimitConfig
from litestar.types import ASGIApp, Receive, Scope, Send

from croupier.floor.places import place
from croupier.web.errors import Denied
from croupier.web.sessions import COOKIE, Session

ANYONE, GUEST, DEALER, FLOORPERSON, SURVEILLANCE, ADMINISTRATOR = (
    "anyone", "guest", "dealer", "floorperson", "surveillance", "administrator",
)  # fmt: skip
STAFF = (DEALER, FLOORPERSON, SURVEILLANCE, ADMINISTRATOR)
ROLES = (ANYONE, GUEST, *STAFF)
_PORT = re.compile(r":\d+$")


def roles(*allowed: str, even_locked: bool = False, passive: bool = False) -> dict[str, Any]:
    """The `opt` of a route. A passive one, such as a drawing, is no sign that somebody is there; nor is any GET of the API."""
    return {"roles": allowed, "even_locked": even_locked, "passive": passive}


SESSIONLESS = roles(ANYONE, passive=True) | {"sessionless": True}  # the same for everybody: no session is looked up


class Hosts:
    """Answers only to the names that this floor goes by, at any port; Litestar's own check would want each port named."""

    def __init__(self, app: ASGIApp, allowed: frozenset[str]) -> None:
        self.app, self.allowed = app, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and "*" not in self.allowed:
            host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
            if _PORT.sub("", host.lower()) not in self.allowed:
                raise Denied(400, "This floor does not go by that name; --hosts says by which it does.")
        await self.app(scope, receive, send)


def at_most(unit: DurationUnit, times: int, store: str, *, each_place: bool = False) -> DefineMiddleware:
    """A rate limit for each session, or for each address before there is one; or for each address, whatever session is sent."""
    config = RateLimitConfig((unit, times), store=store, check_throttle_handler=_is_limited)
    config.identifier_for_request = place_of if each_place else _caller
    return config.middleware


async def _is_limited(request: Request[Any, Any, Any]) -> bool:
    return bool(request.app.state.settings.limits == "yes")


def _caller(request: Request[Any, Any, Any]) -> str:
    return request.auth or place_of(request)


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """From where somebody asks; behind a proxy that is named, what the proxy says."""
    return connection.client.host if connection.client else ""


def place_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    return place(address_of(connection))


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
    """Let in who may come in; a locked screen opens nothing until the password is given again.

    A coroutine, since Litestar runs a plain function in a thread of its own; only what is written waits for one.
    """
    allowed, session = handler.opt.get("roles", ()), connection.user
    if ANYONE not in allowed and role_of(session) not in allowed:
        if session is None:
            raise Denied(401, "Please log in first." if GUEST not in allowed else "Please choose a name first.")
        raise Denied(403, f"This is for the {' or the '.join(role for role in allowed)}.")
    if session is None or not session.role:
        return
    if not handler.opt.get("even_locked") and ANYONE not in allowed:
        if session.locked:
            raise Denied(423, "The screen is locked. Please give your password again.")
        if session.must_change:
            raise Denied(403, "Please choose a password of your own first.")
    if not session.locked and _shows_somebody(connection, handler):
        await connection.app.state.sessions.is_active(connection.auth, session)


def _shows_somebody(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> bool:
    """Was it a person who asked? What a page reads by itself, again and again, does not keep a screen open."""
    reads = connection.scope.get("method") == "GET" and connection.url.path.startswith("/api/")
    return not reads and not handler.opt.get("passive")
