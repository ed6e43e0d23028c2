"""During an attack, seated players keep playing and others can still get in.

The default suite only checks that everyone is served. The nightly suite also measures how long seated players wait.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from croupier.client import PATIENCE, Client
from tests.examples import thorough
from tests.web.playing import new_name, sit
from tests.web.serving import Served, serving
from tests.web.strangers import ATTACKS, ELSEWHERE, HOME

pytestmark = pytest.mark.thorough

TABLE = "three-card-poker"
LONGEST = 0.2  # seconds: the 99th percentile of a seated player's waits, in the nightly suite


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor with limits, and with as few open files as many machines allow."""
    folder = tmp_path_factory.mktemp("flooded")
    with serving(str(folder / "floor.db"), folder, env={"CROUPIER_LIMITS": "yes"}, files=1024) as server:
        yield server


@contextmanager
def attack(
    served: Served, name: str, seconds: float, address: str = ELSEWHERE, *, to_the_end: bool = True
) -> Iterator[dict[str, Any]]:
    """Start an attack in a separate process and wait until it has begun. With `to_the_end`, wait for it and fill in its results."""
    command = [sys.executable, "-m", "tests.web.strangers", name, served.address.rsplit(":", 1)[1], str(seconds), address]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    achieved: dict[str, Any] = {}
    try:
        yield achieved
        if to_the_end:
            achieved |= json.loads(process.communicate(timeout=60)[0])
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def player(floor: Served) -> Iterator[Client]:
    client = floor.guest(new_name())
    seat = next(n for n in range(1, 8) if n not in client.seen(TABLE).view.seats)
    sit(client, TABLE, seat)
    client.seat = seat  # type: ignore[attr-defined]
    yield client
    client.do(TABLE, "leave", seat=seat)


def waits(player: Client, seconds: float, pause: float = 0.02) -> list[float]:
    """How long a seated player waits for each of many commands, sorted."""
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        player.do(TABLE, "tip", seat=player.seat, amount=1)  # type: ignore[attr-defined]
        found.append(time.perf_counter() - began)
        time.sleep(pause)
    return sorted(found)


@pytest.mark.parametrize("address", thorough([ELSEWHERE, HOME], unless=[HOME]))
@pytest.mark.parametrize("name", ATTACKS)
def test_others_are_served_while_it_goes_on(floor: Served, player: Client, name: str, address: str) -> None:
    """The attack comes from another address, or from the address the player uses."""
    with attack(floor, name, 2 * PATIENCE, address, to_the_end=False):
        began = time.monotonic()
        for _ in range(5):  # over 1.5 seconds, so that the attack gets up to full strength
            time.sleep(0.3)
            player.do(TABLE, "tip", seat=player.seat, amount=1)  # type: ignore[attr-defined]
        assert time.monotonic() - began < PATIENCE
        if address == ELSEWHERE:
            assert httpx.get(f"{floor.address}/health", timeout=5).status_code == 200
    assert "Traceback" not in floor.log.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_seated_players_hardly_notice(floor: Served, player: Client, name: str) -> None:
    with attack(floor, name, 12.0) as achieved:
        found = waits(player, 10.0)
    late = found[int(len(found) * 0.99)]
    assert late < LONGEST, f"{name}: p99 {1000 * late:.0f} ms of {len(found)}, {achieved}"
