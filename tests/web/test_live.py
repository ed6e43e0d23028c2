"""Live views: every event once and in order, however often the connection breaks."""

from __future__ import annotations

import itertools

from croupier.client import Client
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
