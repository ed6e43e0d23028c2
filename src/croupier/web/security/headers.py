"""Security headers for every response.

A response is for one person: unless a route says otherwise, neither a browser's history nor a proxy may store it.
"""

from __future__ import annotations

from litestar.types import BeforeMessageSendHookHandler, Message, Scope

POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}  # a year: come back over HTTPS only


def encoded(*, https: bool, **more: str) -> list[tuple[bytes, bytes]]:
    """The headers as ASGI sends them."""
    headers = HEADERS | (HTTPS_ONLY if https else {}) | more
    return [(name.lower().replace("_", "-").encode(), value.encode()) for name, value in headers.items()]


def security_headers(*, https: bool) -> BeforeMessageSendHookHandler:
    """Add the headers to every response, including refusals and static files. One that a route has set stays."""
    ours = encoded(https=https)

    async def add(message: Message, scope: Scope) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(each for each in ours if each[0] not in there)]

    return add
