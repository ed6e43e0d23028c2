"""Two server processes on one PostgreSQL serve the same tables, with no lost or repeated event."""

from __future__ import annotations

import threading
from pathlib import Path

from croupier.client import Client
from tests.web.playing import new_name, play_three_card_poker, sit, until
from tests.web.serving import Served, serving

TABLE = "three-card-poker"


def test_two_workers_serve_the_same_tables(postgres_url: str, tmp_path: Path) -> None:
    with serving(postgres_url, tmp_path, "--workers", "2") as server:
        guests = [server.guest(new_name()) for _ in range(3)]
        for seat, guest in enumerate(guests, 1):
            sit(guest, TABLE, seat)
        start = guests[0].seen(TABLE)["view"]["version"]
        heard: list[list[int]] = [[] for _ in range(4)]
        threads = [threading.Thread(target=_listen, args=(server, start, each), daemon=True) for each in heard]
        for thread in threads:
            thread.start()
        for seat, guest in enumerate(guests, 1):
            play_three_card_poker(guest, seat)
        version = guests[0].seen(TABLE)["view"]["version"]
        until(lambda: all(each and each[-1] >= version for each in heard))
        for each in heard:
            assert each[: version - start] == list(range(start + 1, version + 1))


def _listen(server: Served, start: int, heard: list[int]) -> None:
    for message in Client(server.address).watch(TABLE, start):
        heard.append(message.id)
