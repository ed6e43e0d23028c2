"""Route by role: the table in docs/routes.md, proved against the server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
from litestar import Litestar

from croupier.web.app import create_app
from croupier.web.security.guards import ROLES
from croupier.web.security.sessions import COOKIE, Session
from croupier.web.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "routes.md"
ROW = re.compile(r"^\| `(\w+)` \| `([^`]+)` \|(.*)\|$", re.MULTILINE)
ENDLESS = re.compile(r"/live$")
Told = dict[tuple[str, str], set[str]]


def documented() -> Told:
    found: Told = {}
    for method, path, cells in ROW.findall(PAGE.read_text()):
        words = [cell.strip() for cell in cells.split("|")]
        found[method, path] = {role for role, word in zip(ROLES, words, strict=True) if word == "yes"}
    return found


def served(app: Litestar) -> Iterator[tuple[str, str]]:
    for route in app.routes:
        for method in getattr(route, "route_handler_map", {}):
            if method not in ("OPTIONS", "HEAD") and not route.path.startswith(("/static", "/schema")):
                yield method, re.sub(r":\w+}", "}", route.path)


def a_floor(tmp_path: Path) -> Litestar:
    return create_app(Settings(database=str(tmp_path / "floor.db"), pace="at once", odds="no", limits="no"))


def test_every_route_stands_in_the_table(tmp_path: Path) -> None:
    assert sorted(documented()) == sorted(served(a_floor(tmp_path)))


def test_every_route_admits_only_the_roles_in_the_table(tmp_path: Path) -> None:
    wrong = asyncio.run(probe(a_floor(tmp_path)))
    assert not wrong


async def probe(app: Litestar) -> list[str]:
    wrong = []
    transport = httpx.ASGITransport(app)
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        await app.state.premises.open_demo()
        token = (await client.get("/api/me")).cookies["csrftoken"]
        client.cookies.clear()
        for (method, path), allowed in documented().items():
            for role in ROLES:
                if ENDLESS.search(path) and role in allowed:
                    continue  # an open live view does not end
                turned_away = await _is_turned_away(client, app, method, path, role, token)
                if turned_away is (role in allowed):
                    wrong.append(f"{method} {path} for {role}: {'turned away' if turned_away else 'let in'}")
    return wrong


async def _is_turned_away(client: httpx.AsyncClient, app: Litestar, method: str, path: str, role: str, token: str) -> bool:
    cookies = f"csrftoken={token}"
    if role != "anyone":
        session = Session("nobody", "" if role == "guest" else role, app.state.sessions.clock())
        cookies += f"; {COOKIE}={await app.state.sessions.begin(session)}"
    address = path.replace("{table}", "three-card-poker").replace("{number}", "1").replace("{seat}", "1")
    address = re.sub(r"{\w+}", "nobody", address)
    answer = await client.request(method, address, headers={"Cookie": cookies, "x-csrftoken": token})
    if answer.is_redirect:
        return "/login" in answer.headers["location"]
    if answer.status_code not in (401, 403) or "application/json" not in answer.headers["content-type"]:
        return answer.status_code in (401, 403)
    reason = answer.json()["error"]["reason"]
    return reason.startswith(("Only for ", "Log in first", "Choose a name first"))
