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


def test_when_the_time_for_a_decision_is_over_it_is_seen_at_once() -> None:
    """Nothing happens at the table then, yet others may do more: it is neither kept from before nor waits for an event."""
    now = [1_000]

    class Table:
        version = 7

    class House:
        def clock(self) -> int:
            return now[0]

        def table(self, name: str) -> Table:
            return Table()

    def sees(table: str, by: str) -> bytes:
        return b"%d" % now[0]

    live = Live(House(), sees, lambda table: 1_050)  # type: ignore[arg-type]
    assert live.seen("T", "dealer") == live.seen("T", "dealer") == b"1000"

    async def watched() -> list[bytes]:
        stream = live.stream("T", lambda: "dealer", None)
        first = await anext(stream)
        now[0] = 1_050
        return [first, await asyncio.wait_for(anext(stream), 5)]

    first, then = asyncio.run(watched())
    assert first.endswith(b'"seen":1000}\n\n')
    assert then.endswith(b'"seen":1050}\n\n')
    assert live.seen("T", "dealer") == b"1050"
