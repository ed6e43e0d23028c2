"""Two server processes on one PostgreSQL serve the same tables, with no event lost or repeated."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import psycopg
import pytest

from croupier.client import Client
from croupier.floor.dealer.pit import AT_ONCE
from croupier.floor.premises import Premises
from croupier.floor.processes.bus import Note, PostgresBus
from croupier.ledger import Unreadable
from croupier.table.state import Phase
from croupier.wire import LiveEvent
from tests.floor.test_pit import ANTE, T, floor, seated, state_of
from tests.floor.test_pit import until as comes
from tests.web.playing import new_name, play_three_card_poker, sit, until
from tests.web.serving import Served, serving

TABLE = "three-card-poker"


@pytest.fixture
def postgres_url(postgres_url: str) -> str:
    """Give the database sessions a unique name: those of the previous test may take a moment to end."""
    return f"{postgres_url}&application_name={postgres_url[-12:]}"


def terminate(url: str, condition: str) -> int:
    """End this floor's database sessions that match the condition, wait until they are gone, and return how many there were."""
    own = f"FROM pg_stat_activity WHERE application_name = '{url[-12:]}' AND pid <> pg_backend_pid()"
    with psycopg.connect(url, autocommit=True) as connection:
        pids = [pid for (pid,) in connection.execute(f"SELECT pid {own} AND ({condition})")]
        connection.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) AS pid", (pids,))
        until(lambda: not connection.execute(f"SELECT 1 {own} AND pid = ANY(%s)", (pids,)).fetchall())
    return len(pids)


@pytest.mark.thorough
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
            for other in guests:
                other.ready(TABLE)  # to sit this round out
            play_three_card_poker(guest, seat)
        version = guests[0].seen(TABLE).view.version
        until(lambda: all(each and each[-1] >= version for each in heard))
        for each in heard:
            assert each[: version - start] == list(range(start + 1, version + 1))


def _listen(server: Served, start: int, heard: list[int]) -> None:
    for news in Client(server.address).watch(TABLE, start):
        if isinstance(news, LiveEvent):
            heard.append(news.version)


def test_ready_said_to_another_process_waits_for_the_wagers_it_is_about(postgres_url: str) -> None:
    """The dealer's process learns that a player is ready while it is still reading the wager from the ledger."""

    async def main() -> None:
        dealing = await floor(postgres_url)
        await seated(dealing)
        other = Premises(postgres_url, AT_ONCE)
        await other.start()
        async with dealing.house.table(T).lock:  # while it reads
            await other.execute(T, ANTE, "player:1")
            other.ready(T, 1)
            await asyncio.sleep(0.5)
        await comes(lambda: state_of(dealing).phase is Phase.COMPLETING)
        await other.stop()
        await dealing.stop()

    asyncio.run(main())


def test_a_process_that_takes_over_a_table_asks_who_is_ready(postgres_url: str) -> None:
    """A player gets ready while no one deals: the server that dealt is gone, and the next has not started."""

    async def main() -> None:
        first = await floor(postgres_url)
        await seated(first)
        other = Premises(postgres_url, AT_ONCE)
        await other.start()
        await comes(lambda: state_of(other).phase is Phase.BETTING)
        await other.execute(T, ANTE, "player:1")
        await comes(lambda: state_of(first).stakes == state_of(other).stakes)
        other.pit.claims.close()  # it will not deal
        await first.stop()
        other.ready(T, 1)
        after = Premises(postgres_url, AT_ONCE)
        await after.start()
        await comes(lambda: state_of(after).phase is Phase.COMPLETING)
        await after.stop()
        await other.stop()

    asyncio.run(main())


def test_a_process_that_lost_its_listener_asks_who_is_ready(postgres_url: str) -> None:
    """The dealer's process has lost its listening connection when a player tells another process they are ready."""

    async def main() -> None:
        dealing = await floor(postgres_url)
        await seated(dealing)
        other = Premises(postgres_url, AT_ONCE)
        await other.start()
        await other.execute(T, ANTE, "player:1")
        await comes(lambda: state_of(dealing).stakes == state_of(other).stakes)
        assert terminate(postgres_url, "query LIKE 'LISTEN%' OR query = 'SELECT 1'") >= 2
        other.ready(T, 1)
        await comes(lambda: state_of(dealing).phase is Phase.COMPLETING)
        await other.stop()
        await dealing.stop()

    asyncio.run(main())


def test_being_ready_for_one_round_does_not_carry_over_to_the_next(postgres_url: str) -> None:
    async def main() -> None:
        dealing = await floor(postgres_url)
        await seated(dealing)
        await dealing.execute(T, ANTE, "player:1")
        version = state_of(dealing).version
        dealing._on_note(Note(T, version, ready=1, rounds=state_of(dealing).rounds + 1))
        await asyncio.sleep(0.3)
        assert state_of(dealing).phase is Phase.BETTING
        dealing._on_note(Note(T, version, ready=1, rounds=state_of(dealing).rounds))
        await comes(lambda: state_of(dealing).phase is Phase.COMPLETING)
        await dealing.stop()

    asyncio.run(main())


def test_an_unsent_notification_is_sent_on_the_next_connection(postgres_url: str) -> None:
    """Only the sending connection is lost, so no listener has a reason to check for itself."""

    async def main() -> None:
        heard: list[Note] = []
        one, two = PostgresBus(postgres_url), PostgresBus(postgres_url)
        await one.open(lambda note: None)
        await two.open(heard.append)
        one.send(Note("T", 1))
        await come(heard, 1)
        assert terminate(postgres_url, "query LIKE 'SELECT pg_notify%'") == 1
        one.send(Note("T", 2))
        await come(heard, 2)
        assert heard == [Note("T", 1), Note("T", 2)]
        await one.close()
        await two.close()

    asyncio.run(main())


def test_a_bus_keeps_listening_when_a_listener_fails(postgres_url: str) -> None:
    async def main() -> None:
        heard: list[Note] = []

        def hears(note: Note) -> None:
            heard.append(note)
            raise Unreadable("the ledger is away")

        speaker, hearer = PostgresBus(postgres_url), PostgresBus(postgres_url)
        await speaker.open(lambda _: None)
        await hearer.open(hears)
        for number in (1, 2):
            speaker.send(Note("T", number))
            await come(heard, number)
        await speaker.close()
        await hearer.close()

    asyncio.run(main())


async def come(heard: list[Note], count: int) -> None:
    async with asyncio.timeout(10):
        while len(heard) < count:
            await asyncio.sleep(0.01)
