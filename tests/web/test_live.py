"""Live views: every event once and in order, however often the connection breaks."""

from __future__ import annotations

import asyncio
import itertools

from croupier.client import Client
from croupier.web.live import Live
from tests.web.playing import new_name, play_three_card_poker, sit
from tests.web.serving import Served

TABLE = "three-card-poker"


def watched(client: Client, after: int | None, count: int) -> list[int]:
    return [message.id for message in itertools.islice(client.watch(TABLE, after), count)]


def test_resuming_misses_and_repeats_nothing(served: Served) -> None:
    guest = served.guest(new_name())
    free = next(n for n in range(1, 8) if str(n) not in guest.seen(TABLE)["view"]["seats"])
    sit(guest, TABLE, free)
    before = guest.seen(TABLE)["view"]["version"]
    play_three_card_poker(guest, free)
    after = guest.seen(TABLE)["view"]["version"]
    assert after > before + 5
    viewer = served.client()
    broken = watched(viewer, before, 3)  # the connection ends after three
    rest = watched(viewer, broken[-1], after - broken[-1])
    assert broken + rest == list(range(before + 1, after + 1))
    guest.do(TABLE, "leave", seat=free)


def test_the_whole_story_from_the_first_event(served: Served) -> None:
    viewer = served.client()
    version = viewer.seen(TABLE)["view"]["version"]
    assert watched(viewer, 0, version) == list(range(1, version + 1))


def test_a_new_viewer_is_told_where_the_table_stands(served: Served) -> None:
    viewer = served.client()
    message = next(iter(viewer.watch(TABLE)))
    assert message.event == "seen"
    assert message.data["seen"]["view"]["version"] == message.id


def test_a_number_from_the_future_is_no_place_to_resume(served: Served) -> None:
    message = next(iter(served.client().watch(TABLE, after=10**9)))
    assert message.event == "seen"


class Clock:
    """A house whose only table stands still, with a clock of its own."""

    version, now = 7, 1_000

    def clock(self) -> int:
        return self.now

    def table(self, name: str) -> Clock:
        return self


def test_what_stirs_while_a_message_is_on_its_way_is_told_next() -> None:
    live = Live(Clock(), lambda table, by: b"1", lambda table: None)  # type: ignore[arg-type]

    async def watched() -> bytes:
        stream = live.stream("T", lambda: "dealer", None)
        await anext(stream)
        live.stir("T")
        return await asyncio.wait_for(anext(stream), 5)

    assert b"event: seen" in asyncio.run(watched())


def test_when_the_time_for_a_decision_is_over_it_is_seen_at_once() -> None:
    """Nothing happens at the table then, yet others may do more: it is neither kept from before nor waits for an event."""
    house = Clock()
    live = Live(house, lambda table, by: b"%d" % house.now, lambda table: 1_050)  # type: ignore[arg-type]
    assert live.seen("T", "dealer") == live.seen("T", "dealer") == b"1000"

    async def watched() -> list[bytes]:
        stream = live.stream("T", lambda: "dealer", None)
        first = await anext(stream)
        house.now = 1_050
        return [first, await asyncio.wait_for(anext(stream), 5)]

    first, then = asyncio.run(watched())
    assert first.endswith(b'"seen":1000}\n\n')
    assert then.endswith(b'"seen":1050}\n\n')
    assert live.seen("T", "dealer") == b"1050"
