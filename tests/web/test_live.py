"""Live views: every event once and in order, however often the connection drops."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from croupier.client import Client
from croupier.web.live.table_changes import TableChanges
from croupier.web.live.table_stream import GATHER, KEEP_ALIVE, Live
from croupier.wire import LiveView
from tests.web.playing import new_name, play_three_card_poker, sit
from tests.web.serving import Served

TABLE = "three-card-poker"


def watched(client: Client, after: int | None, count: int) -> list[int]:
    return [news.version for news in itertools.islice(client.watch(TABLE, after), count)]


def test_resuming_misses_and_repeats_nothing(served: Served) -> None:
    guest = served.guest(new_name())
    free = next(n for n in range(1, 8) if n not in guest.seen(TABLE).view.seats)
    sit(guest, TABLE, free)
    before = guest.seen(TABLE).view.version
    play_three_card_poker(guest, free)
    after = guest.seen(TABLE).view.version
    assert after > before + 5
    viewer = served.client()
    broken = watched(viewer, before, 3)  # the connection drops after three
    rest = watched(viewer, broken[-1], after - broken[-1])
    assert broken + rest == list(range(before + 1, after + 1))
    guest.do(TABLE, "leave", seat=free)


def test_the_whole_story_from_the_first_event(served: Served) -> None:
    viewer = served.client()
    version = viewer.seen(TABLE).view.version
    assert watched(viewer, 0, version) == list(range(1, version + 1))


def test_a_new_viewer_is_told_where_the_table_stands(served: Served) -> None:
    viewer = served.client()
    news = next(iter(viewer.watch(TABLE)))
    assert isinstance(news, LiveView)
    assert news.seen.view.version == news.version


def test_resuming_after_a_future_version_starts_over(served: Served) -> None:
    news = next(iter(served.client().watch(TABLE, after=10**9)))
    assert isinstance(news, LiveView)


class StillHouse:
    """A floor whose only table never changes, with a clock the test controls."""

    version, now = 7, 1_000

    def clock(self) -> int:
        return self.now

    def table(self, name: str) -> StillHouse:
        return self


def always(by: str) -> Callable[[], Awaitable[str]]:
    async def viewpoint() -> str:
        return by

    return viewpoint


def test_a_change_during_a_send_is_sent_next() -> None:
    live = Live(StillHouse(), lambda table: lambda by: b"1", lambda table: None)  # type: ignore[arg-type]

    async def watched() -> bytes:
        stream = live.stream("T", always("dealer"), None)
        await anext(stream)
        live.on_change("T")
        return await asyncio.wait_for(anext(stream), 5)

    assert b"event: seen" in asyncio.run(watched())


def test_when_the_time_for_a_decision_is_over_it_is_seen_at_once() -> None:
    """Nothing happens at the table then, but other people's choices change. The view must not come from a cache or wait for an event."""
    house = StillHouse()
    live = Live(house, lambda table: lambda by: b"%d" % house.now, lambda table: 1_050)  # type: ignore[arg-type]
    assert live.seen("T", "dealer") == live.seen("T", "dealer") == b"1000"

    async def watched() -> list[bytes]:
        stream = live.stream("T", always("dealer"), None)
        first = await anext(stream)
        house.now = 1_050
        return [first, await asyncio.wait_for(anext(stream), 5)]

    first, then = asyncio.run(watched())
    assert first.endswith(b'"seen":1000}\n\n')
    assert then.endswith(b'"seen":1050}\n\n')
    assert live.seen("T", "dealer") == b"1050"


def test_those_who_see_the_same_are_sent_the_same_and_it_is_worked_out_once() -> None:
    asked: list[str] = []

    def sees(by: str) -> bytes:
        asked.append(by)
        return b"1"

    live = Live(StillHouse(), lambda table: sees, lambda table: None)  # type: ignore[arg-type]

    async def watched() -> list[bytes]:
        streams = [live.stream("T", always(by), None) for by in ("public", "public", "public", "dealer")]
        for stream in streams:
            await anext(stream)
        live.on_change("T")
        return list(await asyncio.wait_for(asyncio.gather(*map(anext, streams)), 5))

    sent = asyncio.run(watched())
    assert sorted(asked) == ["dealer", "dealer", "public", "public"]
    assert sent[0] is sent[1] is sent[2]


async def wait_for_messages(told: list[bytes], count: int) -> None:
    async with asyncio.timeout(20):
        while len(told) < count:
            await asyncio.sleep(0.005)


def test_one_viewer_leaving_does_not_affect_others_or_later_viewers() -> None:
    live = Live(StillHouse(), lambda table: lambda by: b"1", lambda table: None)  # type: ignore[arg-type]

    async def follow(told: list[bytes]) -> None:
        async for message in live.stream("T", always("public"), None):
            told.append(message)

    async def watched() -> list[int]:
        told: list[list[bytes]] = [[], [], []]
        first, second = (asyncio.create_task(follow(each)) for each in told[:2])
        await wait_for_messages(told[0], 1)
        await wait_for_messages(told[1], 1)
        first.cancel()  # while it waits
        live.on_change("T")
        await wait_for_messages(told[1], 2)
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        assert live.connections == 0
        live.on_change("T")  # with no one connected
        third = asyncio.create_task(follow(told[2]))
        await wait_for_messages(told[2], 1)
        live.on_change("T")
        await wait_for_messages(told[2], 2)
        live.stop()
        await asyncio.wait_for(third, 5)
        return [len(each) for each in told]

    assert asyncio.run(watched()) == [1, 2, 2]


def test_changes_are_batched_while_the_dealer_goes_on() -> None:
    """A view that would be stale on arrival is not sent. Once the dealer pauses, the current one is."""
    dealing = True
    live = Live(StillHouse(), lambda table: lambda by: b"1", lambda table: None, lambda table: dealing)  # type: ignore[arg-type]

    async def watched() -> bytes:
        nonlocal dealing
        stream = live.stream("T", always("public"), None)
        await anext(stream)
        live.on_change("T")
        news = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(3 * GATHER)
        assert not news.done()
        dealing = False
        return await asyncio.wait_for(news, 5)

    assert b"event: seen" in asyncio.run(watched())


def test_a_dealer_who_never_pauses_keeps_nobody_waiting_for_long() -> None:
    live = Live(StillHouse(), lambda table: lambda by: b"1", lambda table: None, lambda table: True)  # type: ignore[arg-type]

    async def watched() -> bytes:
        stream = live.stream("T", always("public"), None)
        await anext(stream)
        live.on_change("T")
        return await asyncio.wait_for(anext(stream), KEEP_ALIVE / 2)

    assert b"event: seen" in asyncio.run(watched())


def test_sessions_are_checked_at_once_while_the_dealer_goes_on() -> None:
    live = Live(StillHouse(), lambda table: lambda by: b"1", lambda table: None, lambda table: True)  # type: ignore[arg-type]
    views: list[str | None] = ["public", None]

    async def viewpoint() -> str | None:
        return views.pop(0)

    async def watched() -> None:
        stream = live.stream("T", viewpoint, None)
        await anext(stream)
        ends = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        live.check_sessions("somebody")
        with pytest.raises(StopAsyncIteration):
            await asyncio.wait_for(ends, KEEP_ALIVE / 2)

    asyncio.run(watched())


def test_a_connection_on_which_nothing_happens_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.web.live.table_stream.KEEP_ALIVE", 0.05)
    live = Live(StillHouse(), lambda table: lambda by: b"1", lambda table: None)  # type: ignore[arg-type]

    async def watched() -> list[bytes]:
        stream = live.stream("T", always("public"), None)
        return [await asyncio.wait_for(anext(stream), 5) for _ in range(3)]

    assert asyncio.run(watched())[1:] == [b": still here\n\n"] * 2


@dataclass(frozen=True)
class Glanced:
    table: str
    players: int


def test_a_floor_viewer_sees_their_own_change_and_equal_views_are_sent_once() -> None:
    floor = {"T1": Glanced("T1", 0), "T2": Glanced("T2", 0)}

    async def watched() -> None:
        changes = TableChanges(lambda: list(floor.values()), every=0.05)
        early, late = changes.stream(), changes.stream()
        whole = await anext(early)
        floor["T1"] = Glanced("T1", 1)
        assert b'"players":1' in await anext(late), "not the look of a moment ago"
        changed = await asyncio.wait_for(anext(early), 5)
        assert (b"T1" in changed, b"T2" in changed) == (True, False)
        floor["T1"] = Glanced("T1", 0)
        assert await anext(changes.stream()) == whole
        assert await anext(changes.stream()) is await anext(changes.stream()), "encoded once while nothing changes"

    asyncio.run(watched())
