"""Staying up: a restart during a round, kill -9 under load, a clean shutdown."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import threading
import time
from pathlib import Path

import httpx
import pytest

from croupier.client import Client, Refused
from croupier.web.app import create_app
from croupier.web.settings import Settings
from tests.web.playing import ante, asked, new_name, play_three_card_poker, sit, until
from tests.web.serving import Served, start
from tests.web.staffing import hire, staff

TABLE = "three-card-poker"


def moved(client: Client, address: str) -> Client:
    """The same browser at a server that was restarted on another port."""
    again = Client(address)
    for name, value in client._http.cookies.items():
        again._http.cookies.set(name, value, domain="127.0.0.1")
    again.name = client.name
    return again


@pytest.mark.thorough
def test_a_restart_in_mid_round_comes_back_to_the_same_decision(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    first = start(database, tmp_path)
    guest = first.guest(new_name())
    sit(guest, TABLE, 4)
    ante(guest, TABLE, 4)
    guest.ready(TABLE)
    before = asked(guest, TABLE, 4)
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait(10)
    second = start(database, tmp_path)
    assert second.password == ""  # the administrator was created at the first start
    back = moved(guest, second.address)
    assert back.seen(TABLE).view == before
    back.do(TABLE, "decide", seat=4, choice="play")
    second.stop()


def test_killed_under_load_it_loses_nothing_acknowledged(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    first = start(database, tmp_path)
    acknowledged: list[int] = []

    def tips(client: Client, seat: int) -> None:
        try:
            while True:
                acknowledged.append(client.do(TABLE, "tip", seat=seat, amount=1).version)
        except (httpx.TransportError, OSError):
            return

    threads = []
    for seat in (1, 2, 3):
        guest = first.guest(new_name(), patience=1)
        sit(guest, TABLE, seat)
        threads.append(threading.Thread(target=tips, args=(guest, seat)))
    for thread in threads:
        thread.start()
    until(lambda: len(acknowledged) > 20, 60)
    os.kill(first.process.pid, signal.SIGKILL)
    for thread in threads:
        thread.join(30)
    second = start(database, tmp_path)
    version = second.client().seen(TABLE).view.version
    second.stop()
    assert len(acknowledged) > 20
    assert len(set(acknowledged)) == len(acknowledged)
    assert max(acknowledged) <= version


@pytest.mark.thorough
def test_told_to_stop_it_finishes_and_goes(tmp_path: Path) -> None:
    server = start(str(tmp_path / "floor.db"), tmp_path)
    guest = server.guest(new_name())
    sit(guest, TABLE, 1)
    play_three_card_poker(guest, 1)
    live = server.client().watch(TABLE)
    next(live)  # an open live view does not delay the shutdown
    began = time.monotonic()
    assert server.stop() in (0, -signal.SIGTERM)  # it exits as asked, after finishing its work
    assert time.monotonic() - began < 9  # the server would give connections ten seconds
    assert "Traceback" not in server.log.read_text()
    again = start(str(tmp_path / "floor.db"), tmp_path)
    assert again.client().seen(TABLE).view.rounds == 1
    again.stop()


def test_an_app_that_has_ended_leaves_the_signals_of_its_process_alone(tmp_path: Path) -> None:
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]

    async def served() -> None:
        app = create_app(Settings(database=str(tmp_path / "floor.db"), odds="no"))
        async with app.lifespan():
            assert signal.getsignal(signal.SIGTERM) != before[0]

    asyncio.run(served())
    assert [signal.getsignal(number) for number in numbers] == before


@pytest.mark.thorough
def test_a_damaged_table_stays_closed_and_the_others_play(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    first = start(str(path), tmp_path)
    first.administrator()
    first.stop()
    with sqlite3.connect(path) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        changed = "CAST(replace(CAST(body AS TEXT), '649a', '641a') AS BLOB)"
        database.execute(f"UPDATE entries SET body = {changed} WHERE stream = 'table/{TABLE}' AND version = 1")
        database.execute("DELETE FROM snapshots")
    second = start(str(path), tmp_path)
    client = second.guest("Ada", patience=0)
    assert TABLE not in [table.table for table in client.tables()]
    assert len(client.tables()) == 6
    with pytest.raises(Refused) as caught:
        client.seen(TABLE)
    assert caught.value.status == 503
    assert "The log of this table is damaged" in caught.value.reason
    assert client.seen("four-card-prime").view.phase in ("opening", "betting")
    _staff_sees_the_others_and_what_is_wrong(second)
    second.stop()


def _staff_sees_the_others_and_what_is_wrong(served: Served) -> None:
    """One damaged log takes no page that lists all tables from those who have to look into it."""
    hire(served, "Vera", "surveillance")
    administrator, vera = served.administrator(), staff(served, "Vera")
    assert len(administrator.call("GET", "/api/standings")) == 6
    assert administrator.call("GET", "/api/meters")
    for client, page in ((administrator, "/administrator/tables"), (vera, "/surveillance")):
        shown = client._http.get(page)
        assert shown.status_code == 200
        assert "The log of three-card-poker is damaged" in shown.text
    for page in ("/surveillance/search", "/surveillance/hold", "/train/four-card-prime"):
        assert vera._http.get(page).status_code == 200
    assert len(vera.call("GET", "/api/surveillance/tables")) == 6
    assert vera.call("GET", "/api/surveillance/search")["rounds"] == []
    assert vera.call("GET", "/api/surveillance/hold")
