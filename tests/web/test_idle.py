"""Idle staff screens lock on the server, for every role, and a disabled user is logged out everywhere at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.client import Client, Refused
from croupier.web.app import create_app
from croupier.web.security.guards import STAFF
from croupier.web.security.sessions import COOKIE, Session, Sessions
from croupier.web.settings import IDLE, Settings
from tests.examples import thorough
from tests.web.playing import until
from tests.web.serving import Served, serving
from tests.web.staffing import PASSWORD, hire, staff

TABLE = "three-card-poker"
HOMES = {"dealer": "/dealer", "floorperson": "/floorperson", "surveillance": "/surveillance", "administrator": "/administrator"}
READS = {
    "dealer": f"/api/tables/{TABLE}/checklist",
    "floorperson": "/api/floor",
    "surveillance": "/api/surveillance/hold",
    "administrator": "/api/users",
}


@pytest.mark.parametrize("role", thorough(STAFF, unless=["dealer"]))
def test_five_idle_minutes_lock_the_screen_of_every_role(tmp_path: Path, role: str) -> None:
    asyncio.run(idle_minutes(str(tmp_path / "floor.db"), role))


async def idle_minutes(database: str, role: str) -> None:
    app = create_app(Settings(database=database, pace="at once", odds="no", limits="no"))
    sessions, now = app.state.sessions, [app.state.sessions.clock()]
    sessions.clock = lambda: now[0]
    async with app.lifespan(), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        await app.state.premises.open_demo()
        csrf = (await client.get("/api/me")).cookies["csrftoken"]
        token = await sessions.begin(Session("Ann", role, active=now[0]))
        client.cookies.set(COOKIE, token)
        client.headers["x-csrftoken"] = csrf

        async def status(method: str, path: str) -> int:
            return (await client.request(method, path)).status_code

        for _ in range(5):  # requests a page makes on a timer do not count as activity
            now[0] += IDLE // 5
            assert await status("GET", READS[role]) == 200
        now[0] += 1
        assert await status("GET", READS[role]) == 423
        assert await status("POST", "/api/here") == 423
        page = await client.get(HOMES[role], headers={"Accept": "text/html"})
        assert page.is_redirect
        assert "/login" in page.headers["location"]
        assert (await client.get("/api/me")).json()["locked"] is True
        now[0] += 60_000
        assert await status("POST", "/api/lock") == 423  # asking again while it is locked does not unlock it
        assert (await client.get("/login")).text.count("Screen locked") >= 1

        client.cookies.set(COOKIE, await sessions.begin(Session("Ann", role, active=now[0])))
        for _ in range(4):  # an active user stays logged in
            now[0] += IDLE - 1
            assert await status("POST", "/api/here") == 200
        now[0] += IDLE - 1
        assert await status("GET", HOMES[role]) == 200  # opening a page counts as activity
        now[0] += IDLE - 1
        assert await status("GET", READS[role]) == 200


def test_a_guest_is_never_locked(tmp_path: Path) -> None:
    async def look() -> bool:
        now = [1_000_000]
        sessions = Sessions(str(tmp_path / "floor.db"), clock=lambda: now[0])
        token = await sessions.begin(Session("Ann", active=now[0]))
        now[0] += 100 * IDLE
        found = await sessions.find(token)
        return found is not None and not found.locked

    assert asyncio.run(look())


@pytest.mark.parametrize(("seconds", "expected"), [("300", IDLE), ("60", 60_000), ("99999", IDLE)])
def test_a_house_may_lock_sooner_but_not_later(seconds: str, expected: int) -> None:
    assert Settings(idle=seconds).idle_milliseconds == expected


# live views


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor whose screens lock after a few seconds: longer than a login takes on a busy machine."""
    folder = tmp_path_factory.mktemp("idle")
    with serving(str(folder / "floor.db"), folder, env={"CROUPIER_IDLE": "6"}) as server:
        yield server


@pytest.mark.thorough
def test_a_live_view_shows_no_more_than_anybody_sees_once_the_screen_is_locked(floor: Served) -> None:
    hire(floor, "Ida", "surveillance")
    client = staff(floor, "Ida")
    live = client.watch(TABLE)
    assert next(live).seen.view.viewer == "surveillance"  # type: ignore[union-attr]
    until(lambda: client.me().locked)
    guest = floor.guest("Somebody who sits down")
    guest.do(TABLE, "sit", seat=1, player=guest.name)
    assert next(news for news in live if news.seen).seen.view.viewer == "public"  # type: ignore[union-attr]
    with pytest.raises(Refused) as caught:
        client.call("GET", "/api/surveillance/tables")
    assert caught.value.status == 423
    client.call("POST", "/api/unlock", {"password": PASSWORD})
    assert client.call("GET", "/api/surveillance/tables")


# disabled users


def disabled_at_once(served: Served) -> None:
    administrator = served.administrator()
    for name, role, path in (
        ("Una", "surveillance", "/api/surveillance/live"),
        ("Udo", "floorperson", f"/api/tables/{TABLE}/live"),
    ):
        hire(served, name, role)
        clients = [staff(served, name) for _ in range(4)]  # with several workers, each gets some
        ended = [threading.Event() for _ in clients]
        begun = [threading.Event() for _ in clients]
        for client, began, end in zip(clients, begun, ended, strict=True):
            threading.Thread(target=listen, args=(client, path, began, end), daemon=True).start()
        assert all(each.wait(20) for each in begun)
        for client in clients:
            client.call("POST", "/api/here")
        administrator.call("POST", f"/api/users/{name}/disable")
        assert all(each.wait(8) for each in ended), name  # a quiet table sends something only every 15 seconds
        for client in clients:
            with pytest.raises(Refused) as caught:
                client.call("POST", "/api/here")
            assert caught.value.status == 401


def listen(client: Client, path: str, begun: threading.Event, ended: threading.Event) -> None:
    cookies: Any = dict(client._http.cookies)
    with httpx.stream("GET", str(client._http.base_url.join(path)), cookies=cookies, timeout=60) as answer:
        for _ in answer.iter_bytes():
            begun.set()
    ended.set()


@pytest.mark.thorough
def test_a_disabled_user_is_logged_out_at_once_including_live_views(tmp_path: Path) -> None:
    with serving(str(tmp_path / "floor.db"), tmp_path) as server:
        disabled_at_once(server)


@pytest.mark.thorough
def test_a_disabled_user_is_logged_out_of_every_process(postgres_url: str, tmp_path: Path) -> None:
    with serving(postgres_url, tmp_path, "--workers", "2") as server:
        disabled_at_once(server)
