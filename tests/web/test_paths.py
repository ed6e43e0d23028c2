"""No path causes a 5xx, whatever it contains and whoever asks for it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import httpx
from litestar import Litestar

from croupier.web.security.guards import ROLES
from croupier.web.security.sessions import COOKIE, Session
from tests.web.test_routes import ENDLESS, a_floor, documented

WORDS = [
    "%00", "a%00b", "%0a", "%ff%fe", "%ED%A0%80", "%E2%80%AE", "..%2f..%2fetc%2fpasswd", "x" * 300, "%F0%9F%82%A1" * 1000, "-1",
    "9" * 400, "%25", "%zz", "'",
]  # fmt: skip
STATIC = ["/static/" + word for word in WORDS] + [f"/static/css/{word}" for word in WORDS] + ["/static", "/static/", "/static/css"]


def addresses(path: str) -> list[str]:
    """The path, with each word substituted for each of its parameters."""
    if "{" not in path:
        return [f"{path}/{word}" for word in WORDS[:2]]
    known = path.replace("{table}", "three-card-poker").replace("{number}", "1").replace("{seat}", "1")
    return [re.sub(r"{\w+}", word, each) for each in {path, known} if "{" in each for word in WORDS]


def test_no_path_is_a_fault_of_the_server(tmp_path: Path) -> None:
    assert asyncio.run(probe(a_floor(tmp_path))) == []


async def probe(app: Litestar) -> list[str]:
    faults: list[str] = []
    transport = httpx.ASGITransport(app)
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        await app.state.premises.open_demo()
        token = (await client.get("/api/me")).cookies["csrftoken"]
        client.cookies.clear()
        asked = [("GET", path, "anyone") for path in STATIC]
        for (method, path), allowed in documented().items():
            role = next(role for role in reversed(ROLES) if role in allowed)
            asked += [(method, each, role) for each in addresses(path) if not ENDLESS.search(path)]
        cookies = {role: f"csrftoken={token}{await _session(app, role)}" for role in ROLES}
        for method, path, role in asked:
            headers = {"Cookie": cookies[role], "x-csrftoken": token, "Idempotency-Key": "a-good-key"}
            answer = await client.request(method, path, headers=headers)
            if answer.status_code >= 500:
                faults.append(f"{method} {path[:100]} for {role}: {answer.status_code}")
    return faults


async def _session(app: Litestar, role: str) -> str:
    if role == "anyone":
        return ""
    session = Session("nobody", "" if role == "guest" else role, app.state.sessions.clock())
    return f"; {COOKIE}={await app.state.sessions.begin(session)}"
