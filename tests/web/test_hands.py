"""A player's own hands over the API: priced decisions, filters, downloads, and links that can be revoked."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import httpx
import msgspec
import pytest

from croupier.client import Client, Refused
from croupier.wire import Figures, HandPage, HandReplay, PlayerHand
from tests.web.playing import asked, new_name, play_three_card_poker, sit, until
from tests.web.serving import Served

TABLE = "three-card-poker"


@pytest.fixture(scope="module")
def seated(served: Served) -> Iterator[tuple[Client, int]]:
    """A player with three rounds: played, folded, played."""
    client = served.guest(new_name("Hands"))
    seat = next(n for n in range(1, 8) if n not in client.seen(TABLE).view.seats)
    sit(client, TABLE, seat)
    for choice in ("play", "fold", "play"):
        play_three_card_poker(client, seat, choice=choice)
    yield client, seat
    client.do(TABLE, "leave", seat=seat)


def page(client: Client, query: str = "") -> HandPage:
    """A page, once everything on it has a price."""

    def found() -> HandPage | None:
        read = msgspec.convert(client.call("GET", f"/api/hands{query}"), HandPage)
        return None if read.pending else read

    done: HandPage = until(found, 300)
    return done


def test_every_round_comes_with_best_play_and_its_cost(seated: tuple[Client, int]) -> None:
    client, seat = seated
    hands = page(client).hands
    assert [hand.boxes[0].decisions[0].said for hand in hands] == ["play", "fold", "play"]
    assert [each["net"] for each in client.call("GET", f"/api/tables/{TABLE}/history")] == [hand.net for hand in hands]
    for hand in hands:
        (box,) = hand.boxes
        (decision,) = box.decisions
        assert (hand.table, hand.seat, box.box, hand.game) == (TABLE, seat, seat, "649a")
        assert len(box.cards) == 3 and all(box.cards)
        worth = {each.choice: Fraction(each.cents) for each in decision.choices}
        assert worth["fold"] == -1000, "a fold loses the Ante"
        assert Fraction(decision.cost) == max(worth.values()) - worth[decision.said] == Fraction(hand.cost)
        assert all(line.cite for line in box.lines)
    assert hands[1].dealer == ("", "", "") or all(hands[1].dealer), "the dealer's cards as they were shown"


def test_filters_and_pages(seated: tuple[Client, int]) -> None:
    client, _ = seated
    every = page(client).hands
    first = page(client, "?limit=2")
    assert first.hands == every[:2]
    assert page(client, f"?limit=2&cursor={first.cursor}").hands == every[2:]
    assert page(client, "?result=lost").hands == tuple(each for each in every if each.net < 0)
    assert page(client, "?mistakes=true").hands == tuple(each for each in every if Fraction(each.cost) > 0)
    assert page(client, "?game=653a").hands == page(client, "?table=four-card-poker").hands == ()
    assert page(client, f"?since={every[1].at}").hands == every[:2]
    for wrong in ("?cursor=x", "?limit=0", "?result=maybe", "?since=-1"):
        with pytest.raises(Refused) as caught:
            page(client, wrong)
        assert caught.value.status == 400


def test_players_see_only_their_own_hands(served: Served, seated: tuple[Client, int]) -> None:
    client, _ = seated
    number = page(client).hands[0].number
    other = served.guest(new_name("Other"))
    assert page(other).hands == ()
    for method, path in (("GET", ""), ("POST", "/share")):
        with pytest.raises(Refused) as caught:
            other.call(method, f"/api/hands/tables/{TABLE}/rounds/{number}{path}")
        assert caught.value.status == 404
    with pytest.raises(Refused) as caught:
        page(served.client())
    assert caught.value.status == 401


def test_figures_add_up(seated: tuple[Client, int]) -> None:
    """This floor computes no odds, so the expected value is absent, not guessed."""
    client, _ = seated
    found = msgspec.convert(client.call("GET", "/api/hands/figures"), Figures)
    hands = page(client).hands
    assert (found.rounds, found.net, found.wagered) == (3, sum(each.net for each in hands), sum(each.wagered for each in hands))
    assert found.wagered == 1000 * (2 + 1 + 2)
    assert (found.counted, found.expected, {each.expected for each in found.wagers}) == (0, "0", {None})


def fetch(client: Client, path: str) -> httpx.Response:
    return client._http.get(path)


@pytest.mark.thorough
def test_files(seated: tuple[Client, int]) -> None:
    client, _ = seated
    hands = page(client).hands
    as_json = fetch(client, "/api/hands/files/json").json()
    assert msgspec.convert(as_json["hands"], tuple[PlayerHand, ...]) == hands
    assert as_json["figures"]["net"] == sum(each.net for each in hands)
    rows = list(csv.DictReader(io.StringIO(fetch(client, "/api/hands/files/csv").text)))
    assert [(int(row["round"]), int(row["net"]), row["decisions"]) for row in rows] == [
        (each.number, each.net, each.boxes[0].decisions[0].said) for each in hands
    ]
    assert [Fraction(row["cost in cents"]) for row in rows] == [Fraction(each.cost) for each in hands]
    printed = fetch(client, "/api/hands/files/pdf")
    assert (printed.status_code, printed.headers["content-type"], printed.content[:5]) == (200, "application/pdf", b"%PDF-")
    assert fetch(client, "/api/hands/files/doc").status_code == 400


def opened(served: Served, path: str) -> httpx.Response:
    """What a stranger with a link gets."""
    return httpx.get(f"{served.address}/api/shared", headers={"x-share-token": path.partition("#")[2]}, timeout=60)


def test_a_link_shows_what_the_seat_saw_until_it_is_revoked(served: Served, seated: tuple[Client, int]) -> None:
    client, seat = seated
    hand = page(client).hands[0]
    address = f"/api/hands/tables/{TABLE}/rounds/{hand.number}"
    path = client.call("POST", f"{address}/share")["path"]
    assert path.startswith("/shared#") and len(path) > 38, "it cannot be guessed"
    shared = opened(served, path)
    assert shared.content == fetch(client, address).content, "the same as the player's own replay"
    replay = msgspec.json.decode(shared.content, type=HandReplay)
    assert (replay.table, replay.number, replay.seat) == (TABLE, hand.number, seat)
    dealt = next(frame.view.round for frame in replay.frames if frame.view.round and frame.view.round.asked)
    assert dealt.boxes[seat].cards == hand.boxes[0].cards and not any(dealt.dealer)
    assert [each.shared for each in page(client).hands] == [True, False, False]
    assert opened(served, path + "x").status_code == opened(served, "").status_code == 404
    client.call("DELETE", f"{address}/share")
    gone = opened(served, path)
    assert gone.status_code == 404 and "revoked" in gone.json()["error"]["reason"]
    assert not any(each.shared for each in page(client).hands)
    assert path.partition("#")[2] not in served.log.read_text()


@pytest.mark.thorough
def test_two_at_a_table_and_a_link_names_only_its_player(served: Served) -> None:
    table = "three-card-prime"
    players = [served.guest(new_name(name)) for name in ("Sharer", "Neighbor")]
    free = [n for n in range(1, 7) if n not in players[0].seen(table).view.seats][:2]
    for client, seat in zip(players, free, strict=True):
        sit(client, table, seat)
    rounds = players[0].seen(table).view.rounds
    for client, seat in zip(players, free, strict=True):
        client.do(table, "place wager", seat=seat, wager="Ante Wager", amount=1000)
        client.ready(table)
    theirs: tuple[str, ...] = ()
    for client, seat in zip(players, free, strict=True):
        view = asked(client, table, seat)
        assert view.round
        theirs = view.round.boxes[seat].cards
        client.do(table, "decide", seat=seat, choice="fold")  # a folded hand is never turned face up
    until(lambda: (v := players[0].seen(table).view).rounds > rounds and v.phase == "betting")
    hand = until(lambda: page(players[0]).hands)[0]
    path = players[0].call("POST", f"/api/hands/tables/{table}/rounds/{hand.number}/share")["path"]
    sent = opened(served, path).text
    assert players[0].name in sent and players[1].name not in sent
    seen: set[str] = set()
    for frame in msgspec.json.decode(sent, type=HandReplay).frames:
        collect(msgspec.to_builtins(frame), seen)
    assert set(hand.boxes[0].cards) <= seen
    assert not set(theirs) & seen, "the neighbor's hand stayed face down"
    for client, seat in zip(players, free, strict=True):
        client.do(table, "leave", seat=seat)


def collect(data: Any, into: set[str]) -> None:
    """Collect every two-character string in an answer."""
    match data:
        case dict():
            for each in data.values():
                collect(each, into)
        case list() | tuple():
            for each in data:
                collect(each, into)
        case str() if len(data) == 2:
            into.add(data)
