"""Two server processes on one PostgreSQL serve the same tables, with no lost or repeated event."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import psycopg

from croupier.client import Client
from croupier.floor.bus import Note, PostgresBus
from croupier.ledger import Unreadable
from tests.web.playing import new_name, play_three_card_poker, sit, until
from tests.web.serving import Served, serving

TABLE = "three-card-poker"


def test_two_workers_serve_the_same_tables(postgres_url: str, tmp_path: Path) -> None:
    with serving(postgres_url, tmp_path, "--workers", "2") as server:
        guests = [server.guest(new_name()) for _ in range(3)]
        for seat, guest in enumerate(guests, 1):
            sit(guest, TABLE, seat)
        start = guests[0].seen(TABLE).view.version
        heard: list[list[int]] = [[] for _ in range(4)]
        threads = [threading.Thread(target=_listen, args=(server, start, each), daemon=True) for each in heard]
        for thread in threads:
            thread.start()
        for seat, guest in enumerate(guests, 1):
            play_three_card_poker(guest, seat)
        version = guests[0].seen(TABLE).view.version
        until(lambda: all(each and each[-1] >= version for each in heard))
        for each in heard:
            assert each[: version - start] == list(range(start + 1, version + 1))


def _listen(server: Served, start: int, heard: list[int]) -> None:
    for news in Client(server.address).watch(TABLE, start):
        heard.append(news.version)


def test_a_note_that_could_not_be_said_is_said_on_the_next_connection(postgres_url: str) -> None:
    """Only the connection that speaks is lost, so nobody who listens has a reason to look for himself."""

    async def main() -> None:
        heard: list[Note] = []
        one, two = PostgresBus(postgres_url), PostgresBus(postgres_url)
        await one.open(lambda note: None)
        await two.open(heard.append)
        one.send(Note("T", 1))
        await come(heard, 1)
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_notify%%' AND pid <> %s"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            assert connection.execute(ended, (connection.info.backend_pid,)).fetchall() == [(True,)]
        await asyncio.sleep(0.2)
        one.send(Note("T", 2))
        await come(heard, 2)
        assert heard == [Note("T", 1), Note("T", 2)]
        await one.close()
        await two.close()

    asyncio.run(main())


def test_a_bus_whose_hearer_stumbles_goes_on_listening(postgres_url: str) -> None:
    async def main() -> None:
        heard: list[Note] = []

        def hears(note: Note) -> None:
            heard.append(note)
            raise Unreadable("the ledger is away")

        bus = PostgresBus(postgres_url)
        await bus.open(hears)
        for number in (1, 2):
            bus.send(Note("T", number))
            await come(heard, number)
        await bus.close()

    asyncio.run(main())


async def come(heard: list[Note], count: int) -> None:
    async with asyncio.timeout(10):
        while len(heard) < count:
            await asyncio.sleep(0.01)
