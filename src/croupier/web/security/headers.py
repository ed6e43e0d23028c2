"""Security headers for every response.

A response is for one person: unless a route says otherwise, neither a browser's history nor a proxy may store it.
"""

from __future__ import annotations

from litestar.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}  # a year


def headers(*, https: bool, kept: bool = False) -> dict[str, str]:
    """For every response; behind HTTPS they tell a browser to come back over HTTPS only."""
    return HEADERS | (HTTPS_ONLY if https else {}) | ({} if kept else {"Cache-Control": "no-store"})


class Headers:
    """Adds them to every response, including static files."""

    def __init__(self, app: ASGIApp, kept: tuple[str, ...], https: bool) -> None:
        self.app, self.kept = app, kept
        self._kept, self._unkept = (
            [(name.lower().encode(), value.encode()) for name, value in headers(https=https, kept=each).items()]
            for each in (True, False)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        more = self._kept if scope["path"].startswith(self.kept) else self._unkept

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = list(message["headers"])
                names = {name.lower() for name, _ in said}
                message["headers"] = [*said, *(each for each in more if each[0] not in names)]
            await send(message)

        await self.app(scope, receive, sending)
