"""Kills under load, with real processes: nothing is lost, nothing is duplicated, and every table resumes without help."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.recorders.server import Cluster, new_database
from tests.web.chaos import TABLES, Books, Managed, Player, audit, until_all_move
from tests.web.playing import new_name, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
STANDSTILL = 10.0  # seconds after a kill for every table to move on, plus the time this machine takes to start a server
PLAYERS_AT_A_TABLE = 2
EXITS = {0, 1, 2, 3, -signal.SIGTERM, -signal.SIGKILL}  # explained in docs/reliability.md

Kill = Callable[[Random], None]


def strike(database: str, servers: list[Managed], kills: dict[str, Kill], times: int, seed: int) -> None:
    """Kill this many times under load, wait after each for all tables to move on, and compare the log with the players' answers."""
    random, over, began = Random(seed), threading.Event(), time.monotonic()
    try:
        until(lambda: all(server.is_ready() for server in servers), 120)
        started = time.monotonic() - began
        addresses = [server.address for server in servers]
        books = Books()
        players = [
            Player(new_name("Chaos"), table, 1 + n, addresses, books, over) for table in TABLES for n in range(PLAYERS_AT_A_TABLE)
        ]
        for player in players:
            player.start()
        until_all_move(books, 60, players)
        struck, books.longest = [], 0.0
        for _ in range(times):
            time.sleep(random.uniform(0.3, 1.5))
            struck.append(random.choice(sorted(kills)))
            kills[struck[-1]](random)
            until_all_move(books, STANDSTILL + 2 * started, players)
        over.set()
        for player in players:
            player.join(60)
        assert [player.problem for player in players] == [""] * len(players)
        assert not any(player.is_alive() for player in players)
    finally:
        over.set()
        for server in servers:
            server.stop()
    found = audit(database, books)
    counted = {kill: struck.count(kill) for kill in sorted(kills)}
    print(f"seed {seed}: {len(struck)} kills {counted}, {len(books.granted)} commands acknowledged, {found}, answers {dict(books.answers)},"
          f" longest standstill {books.longest:.1f} s (a start takes {started:.1f} s), exits {[dict(s.exits) for s in servers]}")  # fmt: skip
    assert not any(found.values()), found
    for server in servers:
        assert server.exits.keys() <= EXITS
        assert "Traceback" not in server.log.read_text()


def on_sqlite(folder: Path, times: int, seed: int) -> None:
    database = str(folder / "floor.db")
    server = Managed(database, folder)
    kills: dict[str, Kill] = {"server": lambda _: server.kill(), "server, asked to end": lambda _: server.kill(signal.SIGTERM)}
    strike(database, [server], kills, times, seed)
    verified = subprocess.run(
        [sys.executable, "-m", "croupier", "verify", database], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert verified.returncode == 0, verified.stdout


def on_postgres(cluster: Cluster, folder: Path, times: int, seed: int, workers: tuple[int, ...]) -> None:
    database = new_database(cluster.url)
    key = ("--house-key", str(folder / "house.key"))
    first = Managed(database, folder, "--workers", str(workers[0]), *key)
    until(first.is_ready, 120)  # it creates the floor
    servers = [first, *(Managed(database, folder, "--workers", str(count), *key) for count in workers[1:])]

    def kill_backend(random: Random) -> None:
        with suppress(Exception):  # the database may still be starting
            os.kill(random.choice(cluster.backends()), random.choice([signal.SIGTERM, signal.SIGKILL]))

    def kill_postmaster(random: Random) -> None:
        cluster.kill(random.choice([signal.SIGKILL, signal.SIGQUIT]))
        time.sleep(random.uniform(0.0, 1.0))
        cluster.start()

    kills: dict[str, Kill] = {
        "worker": lambda random: random.choice(servers).kill_worker(random),
        "supervisor": lambda random: random.choice(servers).kill(),
        "backend": kill_backend,
        "postmaster": kill_postmaster,
    }
    strike(database, servers, kills, times, seed)


@pytest.mark.thorough
def test_sqlite_under_a_few_kills(tmp_path: Path) -> None:
    on_sqlite(tmp_path, 3, 1)


@pytest.mark.thorough
def test_postgres_under_a_few_kills(cluster: Cluster, tmp_path: Path) -> None:
    on_postgres(cluster, tmp_path, 4, 1, (3, 1))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(101, 105))
def test_sqlite_under_many_kills(tmp_path: Path, seed: int) -> None:
    on_sqlite(tmp_path, 25, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(201, 205))
def test_postgres_under_many_kills(cluster: Cluster, tmp_path: Path, seed: int) -> None:
    on_postgres(cluster, tmp_path, 25, seed, (3, 3))
