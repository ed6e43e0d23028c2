"""No guest or address can take every seat: without money only a few, and each for a limited time, even with chips."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from croupier.client import Client, Refused
from croupier.floor.premises import Premises
from croupier.ledger import open_recorder
from croupier.table.commands import Leave, Sit
from croupier.table.events import read_event
from croupier.web.security.sessions import Session, Sessions
from croupier.web.settings import Settings
from croupier.wire import Reply
from tests.floor.test_pit import floor as one_table
from tests.web.playing import new_name, sit, until
from tests.web.serving import Served, serving
from tests.web.strangers import ELSEWHERE

AT_ONE_ADDRESS, OF_ONE_GUEST = int(Settings.unpaid_seats), int(Settings.seats)
SECONDS = 8  # enough for several requests about a seat on a busy machine
TABLE = "three-card-poker"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Served]:
    with serving(str(tmp_path / "floor.db"), tmp_path, env={"CROUPIER_LIMITS": "yes", "CROUPIER_REQUESTS": "1000"}) as server:
        yield server


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Served]:
    """A floor that holds a seat without money for only a few seconds."""
    env = {"CROUPIER_UNPAID_SECONDS": str(SECONDS), "CROUPIER_AWAY_SECONDS": "0"}
    with serving(str(tmp_path / "floor.db"), tmp_path, env=env) as server:
        yield server


def kept_until(client: Client, reply: Reply) -> None:
    """Check the deadline shown to the player of an unfunded seat. A busy machine may ask too late."""
    then = reply.at + 1000 * SECONDS
    told = client.seen(TABLE).seat_until
    assert told == then or (told is None and time.time() * 1000 >= then)


def elsewhere(floor: Served, name: str) -> Client:
    client = floor.client()
    client._http = httpx.Client(base_url=floor.address, transport=httpx.HTTPTransport(local_address=ELSEWHERE))
    client.call("POST", "/api/guests", {"name": name})
    client.name = name
    return client


def free_seats(floor: Served) -> list[tuple[str, int]]:
    return [(each.table, seat) for each in floor.client().tables() for seat in range(1, each.seats + 1) if seat not in each.players]


@pytest.mark.thorough
def test_one_address_cannot_take_every_seat_without_a_cent(floor: Served) -> None:
    seats = free_seats(floor)[:30]
    guests = [floor.guest(new_name()) for _ in seats]

    def take(number: int) -> str:
        table, seat = seats[number]
        try:
            guests[number].do(table, "sit", seat=seat, player=guests[number].name)
        except Refused as refused:
            return f"{refused.status} {refused.reason} {refused.accepted}"
        return "seated"

    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(take, range(len(seats))))
    assert answers.count("seated") == AT_ONE_ADDRESS
    assert set(answers) - {"seated"} == {
        f"409 {AT_ONE_ADDRESS} seats without chips are already taken from your address, the most one address may have. "
        "another seat after you buy chips at one of them or leave it, or once they are freed after 5 minutes"
    }
    other = elsewhere(floor, new_name())
    table, seat = free_seats(floor)[-1]
    other.do(table, "sit", seat=seat, player=other.name)
    bought = answers.index("seated")
    guests[bought].do(seats[bought][0], "buy in", seat=seats[bought][1], amount=10_000)
    assert take(answers.index(next(each for each in answers if each != "seated"))) == "seated"


def test_players_with_money_share_an_address_without_a_limit(floor: Served) -> None:
    for table, seat in free_seats(floor)[: AT_ONE_ADDRESS + 4]:
        guest = floor.guest(new_name())
        guest.do(table, "sit", seat=seat, player=guest.name)
        guest.do(table, "buy in", seat=seat, amount=10_000)


def test_a_guest_sits_at_a_limited_number_of_tables(floor: Served) -> None:
    guest, tables = floor.guest(new_name()), [each.table for each in floor.client().tables()]
    for table in tables[:OF_ONE_GUEST]:
        guest.do(table, "sit", seat=1, player=guest.name)
        guest.do(table, "buy in", seat=1, amount=10_000)
    with pytest.raises(
        Refused, match=f"You already have seats at {OF_ONE_GUEST} tables, the most a guest may have: {tables[0]}"
    ) as caught:
        guest.do(tables[OF_ONE_GUEST], "sit", seat=1, player=guest.name)
    assert caught.value.accepted == "another seat after you leave one of them"
    guest.do(tables[0], "leave", seat=1)
    guest.do(tables[OF_ONE_GUEST], "sit", seat=1, player=guest.name)


@pytest.mark.thorough
def test_a_seat_without_a_buy_in_is_free_again_at_the_published_time(impatient: Served) -> None:
    idle, player = impatient.guest("Idle"), impatient.guest("Player")
    sit(player, TABLE, 2, 10_000)
    assert player.seen(TABLE).seat_until is None
    reply = idle.do(TABLE, "sit", seat=1, player="Idle")
    kept_until(idle, reply)
    assert player.seen(TABLE).seat_until is None, "it is told to the player whose seat it is"
    until(lambda: 1 not in player.seen(TABLE).view.seats)
    assert time.time() * 1000 >= reply.at + 1000 * SECONDS
    event = next(each for each in player.watch(TABLE, reply.version) if getattr(each, "event", "") == "player left")
    assert (event.by, event.says) == ("device", "Seat 1 is free again: it had no chips.")
    assert 2 in player.seen(TABLE).view.seats, "who has bought in keeps the seat"
    tipped = player.do(TABLE, "tip", seat=2, amount=10_000)  # all of it
    assert player.seen(TABLE).seat_until is not None or time.time() * 1000 >= tipped.at + 1000 * SECONDS
    until(lambda: 2 not in player.seen(TABLE).view.seats)


def test_the_floor_publishes_the_times(served: Served) -> None:
    page = httpx.get(served.address).text
    assert "A seat with no chips is freed after 5 minutes." in page
    assert "A seat with chips is kept for 15 minutes after your last bet, even if you close the browser." in page


@pytest.mark.thorough
def test_the_chips_of_a_player_who_is_away_are_kept_for_them_alone_even_over_a_restart(tmp_path: Path) -> None:
    database, env = str(tmp_path / "floor.db"), {"CROUPIER_AWAY_SECONDS": str(SECONDS)}
    with serving(database, tmp_path, env=env) as floor:
        ann, bob = floor.guest("Ann"), floor.guest("Bob")
        ann.do(TABLE, "sit", seat=1, player="Ann")
        reply = ann.do(TABLE, "buy in", seat=1, amount=12_300)
        kept_until(ann, reply)
        until(lambda: 1 not in bob.seen(TABLE).view.seats)
        assert time.time() * 1000 >= reply.at + 1000 * SECONDS
        event = next(each for each in bob.watch(TABLE, reply.version) if getattr(each, "event", "") == "player left")
        assert (event.by, event.says) == (
            "device",
            "Seat 1 is free again: its player was away. The house is holding their $123.",
        )
        assert (ann.seen(TABLE).kept, bob.seen(TABLE).kept, floor.client().seen(TABLE).kept) == (12_300, 0, 0)
        bob.do(TABLE, "sit", seat=1, player="Bob")
        assert bob.seen(TABLE).view.seats[1].chips == 0
        cookies = ann._http.cookies
        assert "$123 at" in httpx.get(floor.address, cookies=cookies).text
        assert "$123 at" not in httpx.get(floor.address).text
    with serving(database, tmp_path) as floor:
        ann = floor.client()
        ann._http.cookies, ann.name = cookies, "Ann"
        assert ann.seen(TABLE).kept == 12_300
        ann.do(TABLE, "sit", seat=2, player="Ann")
        assert (ann.seen(TABLE).view.seats[2].chips, ann.seen(TABLE).kept) == (12_300, 0)
        ann.do(TABLE, "leave", seat=2)
        assert ann.seen(TABLE).kept == 0, "who leaves takes their chips along"


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_sessions_know_from_where_guests_came(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = str(tmp_path / "floor.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")

    async def asked() -> dict[str, set[str]]:
        sessions = Sessions(database)
        try:
            for session in (
                Session("Ann", place="a"),
                Session("Ann", place="b"),
                Session("Bob", place="a"),
                Session("Ann", "dealer"),
            ):
                await sessions.begin(session)
            return await sessions.places_of(["Ann", "Zoe"])
        finally:
            sessions.close()

    assert asyncio.run(asked()) == {"Ann": {"a", "b"}}


def test_a_process_that_starts_later_publishes_the_same_time(postgres_url: str) -> None:
    async def main() -> None:
        first = await one_table(postgres_url)
        reply = await first.execute(TABLE, Sit(seat=1, player="Ann"), "player:1")
        await asyncio.sleep(0.2)
        later = Premises(postgres_url, unpaid_seconds=first.seats.unpaid_seconds)
        await later.start()
        until_then = reply.at + 1000 * first.seats.unpaid_seconds
        assert first.seats.until(TABLE, 1) == later.seats.until(TABLE, 1) == until_then
        await later.stop()
        await first.stop()

    asyncio.run(main())


@pytest.mark.thorough
def test_several_processes_free_a_seat_once_and_at_the_same_time(postgres_url: str, tmp_path: Path) -> None:
    env = {"CROUPIER_UNPAID_SECONDS": str(SECONDS), "CROUPIER_AWAY_SECONDS": str(SECONDS)}
    with serving(postgres_url, tmp_path, "--workers", "2", env=env) as floor:
        idle = [floor.guest(new_name()) for _ in range(3)]
        replies = [each.do(TABLE, "sit", seat=seat, player=each.name) for seat, each in enumerate(idle, 1)]
        idle[2].do(TABLE, "buy in", seat=3, amount=5_000)
        for _ in range(6):  # a new connection each time, to either process
            other = floor.client()
            other._http.cookies = idle[0]._http.cookies
            kept_until(other, replies[0])
        until(lambda: not floor.client().seen(TABLE).view.seats)
        time.sleep(2)  # in which the other process could free them again
        for _ in range(6):
            other = floor.client()
            other._http.cookies = idle[2]._http.cookies
            assert other.seen(TABLE).kept == 5_000
    recorder = open_recorder(postgres_url)
    try:
        left = [event for entry in recorder.read(f"table/{TABLE}") if (event := read_event(entry.body)).event == "player left"]
    finally:
        recorder.close()
    assert sorted(event.command.seat for event in left if isinstance(event.command, Leave)) == [1, 2, 3]
    assert {event.by for event in left} == {"device"}
