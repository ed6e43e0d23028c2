"""Links to replays, on SQLite and PostgreSQL: only hashes are stored, each link opens its round, and a revoked one opens nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.web.errors import Denied
from croupier.web.security import shares as module
from croupier.web.security.sessions import Sessions
from croupier.web.security.shares import SharedRound, Shares

ADAS, BENS = SharedRound("Ada", "T1", 7), SharedRound("Ben", "T1", 7)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "floor.db") if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


def with_shares(database: str, work: Callable[[Shares, Sessions], Awaitable[Any]]) -> None:
    async def run() -> None:
        sessions = Sessions(database)
        try:
            await work(Shares(sessions), sessions)
        finally:
            sessions.close()

    asyncio.run(run())


def test_a_link_opens_its_round_until_its_player_revokes_it(database: str) -> None:
    async def work(shares: Shares, sessions: Sessions) -> None:
        first, second, other = [await shares.make(each) for each in (ADAS, ADAS, BENS)]
        assert len({first, second, other}) == 3
        assert await shares.find(first) == await shares.find(second) == ADAS
        assert await shares.of("Ada") == {("T1", 7)}
        kept = await sessions.read(lambda run: run("SELECT * FROM shares"))
        assert first not in str(kept), "only its hash is kept"
        await shares.revoke(ADAS)
        assert await shares.find(first) is None and await shares.find(second) is None
        assert (await shares.find(other), await shares.of("Ada")) == (BENS, set())

    with_shares(database, work)


def test_links_outlive_the_process(database: str) -> None:
    made: list[str] = []

    async def make(shares: Shares, _: Sessions) -> None:
        made.append(await shares.make(ADAS))

    async def find(shares: Shares, _: Sessions) -> None:
        assert await shares.find(made[0]) == ADAS

    with_shares(database, make)
    with_shares(database, find)


def test_a_player_shares_a_limited_number_of_hands(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 2)

    async def work(shares: Shares, _: Sessions) -> None:
        for number in (1, 2):
            await shares.make(SharedRound("Ada", "T1", number))
        with pytest.raises(Denied, match="Stop sharing"):
            await shares.make(SharedRound("Ada", "T1", 3))
        await shares.revoke(SharedRound("Ada", "T1", 1))
        await shares.make(SharedRound("Ada", "T1", 3))

    with_shares(database, work)
