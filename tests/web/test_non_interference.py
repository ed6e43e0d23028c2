"""Noninterference over HTTP: swap two cards that a viewer may not see, ask again, and every byte of the answer stays the same."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar

from croupier.table import commands as say
from croupier.table.state import Phase, State
from croupier.web.app import create_app
from croupier.web.live.table_view import viewpoint
from croupier.web.security.sessions import COOKIE, Session
from croupier.web.settings import Settings
from tests.examples import thorough

Ask = Callable[[str], Awaitable[bytes]]
VIEWERS = ["public", "player:1", "player:3", "dealer", "floorperson", "surveillance"]
TABLES = {
    "four-card-poker": "Ante Wager",
    "let-it-ride-poker": "Let It Ride Poker Wager",
    "three-card-poker": "Ante Wager",
    "ultimate-texas-hold-em-poker": "Ante Wager",
    "three-card-prime": "Ante Wager",
    "saigon-5-card": "Saigon 5 Card Wager",
    "four-card-prime": "Ante Wager",
}


async def to_a_decision(app: Litestar, table: str) -> State:
    """Play until two players each have a hand and the first is asked for a decision."""
    premises = app.state.premises
    state: State = premises.house.table(table).state
    for seat in (1, 3):
        await premises.execute(table, say.Sit(seat=seat, player=f"guest {seat}"), f"player:{seat}")
        await premises.execute(table, say.BuyIn(seat=seat, amount=100_000), f"player:{seat}")
    while state.phase is not Phase.BETTING:
        await asyncio.sleep(0.01)
    for seat in (1, 3):
        for wager in [w for w in state.rules.wagers.values() if w.required or w.name == TABLES[table]][:3]:
            if not wager.made_by_decision:
                await premises.execute(table, say.PlaceWager(seat=seat, wager=wager.name, amount=1000), f"player:{seat}")
        premises.ready(table, seat)
    while state.phase is not Phase.COMPLETING:
        await asyncio.sleep(0.01)
    return state


def hidden_from(state: State, viewer: str) -> list[int]:
    """Positions of cards that this viewer may not see: those in the deck, and those face down anywhere but in their hand."""
    current = state.round
    assert current is not None
    deck = state.decks[current.deck]
    dealt = {held.position: (box, held) for box, hand in current.hands.items() for held in hand}
    dealt |= {held.position: (0, held) for held in (*current.dealer, *current.community)}
    dealt |= {held.position: (0, held) for fourth in current.fourths.values() for held in fourth}
    seen = {place for place, (box, held) in dealt.items() if held.up or viewer in (f"player:{box}", "surveillance")}
    return [place for place in range(len(deck.order)) if place not in seen]


def swap(state: State, first: int, second: int) -> None:
    """Swap two cards of the deck in play, wherever they are."""
    current = state.round
    assert current is not None
    order = state.decks[current.deck].order
    order[first], order[second] = order[second], order[first]
    everywhere = itertools.chain(
        *current.hands.values(), *current.fourths.values(), current.dealer, current.community, current.rack
    )
    for held in everywhere:
        held.card = order[held.position]


async def everything(client: Any, app: Litestar, table: str, token: str) -> bytes:
    """Everything this viewer can fetch about a table: JSON, page, rules, the floor, and the first message of the live view."""
    headers = {"Cookie": f"{COOKIE}={token}; csrftoken=x"} if token else {"Cookie": "csrftoken=x"}
    app.state.live.on_change(table)
    found = []
    for path in (f"/api/tables/{table}", f"/tables/{table}", f"/tables/{table}/rules", "/", "/api/tables"):
        found.append((await client.get(path, headers={**headers, "Accept": "*/*"})).content)
    session = await app.state.sessions.find(token) if token else None
    state = app.state.premises.house.table(table).state

    async def by() -> str:
        return viewpoint(state, session)

    async for part in app.state.live.stream(table, by, 0):
        found.append(part)
        break
    return re.sub(rb'data-now="\d+"', b"", b"\n".join(found))  # except for the time of day


@pytest.mark.parametrize("table", thorough(TABLES, unless=("three-card-poker", "ultimate-texas-hold-em-poker")))
def test_no_byte_depends_on_a_card_that_may_not_be_seen(table: str, tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "floor.db"), pace="at once", odds="no", limits="no", hosts="*")
    asyncio.run(compare(create_app(settings), table))


async def compare(app: Litestar, table: str) -> None:
    transport = httpx.ASGITransport(app)
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        premises = app.state.premises
        await premises.open_demo()
        state = await to_a_decision(app, table)
        for viewer in VIEWERS:
            token = await _session(app, viewer)
            before = await everything(client, app, table, token)
            hidden = hidden_from(state, viewer)
            assert len(hidden) > 30
            for first, second in ((hidden[0], hidden[-1]), (hidden[1], hidden[2]), (hidden[len(hidden) // 2], hidden[0])):
                swap(state, first, second)
                assert await everything(client, app, table, token) == before, viewer
                swap(state, first, second)
        own = await _session(app, "player:1")
        before = await everything(client, app, table, own)
        mine = state.round.hands[1][0].position  # proof that this test can fail: your own card is visible
        swap(state, mine, hidden_from(state, "player:1")[0])
        assert await everything(client, app, table, own) != before


async def _session(app: Litestar, viewer: str) -> str:
    if viewer == "public":
        return ""
    seat = viewer.partition(":")[2]
    session = Session(f"guest {seat}") if seat else Session(viewer, viewer, app.state.sessions.clock())
    token: str = await app.state.sessions.begin(session)
    return token
