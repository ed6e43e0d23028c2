"""Surveillance over HTTP: all tables with every card, live views, replays, search, and the hold."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client, Refused, messages
from tests.web.playing import ante, asked, new_name, play_three_card_poker, sit, until
from tests.web.serving import Served, start

TABLE = "three-card-poker"
OWN = "a phrase of my own"


@pytest.fixture(scope="module")
def watcher(served: Served) -> Client:
    administrator, name = served.administrator(), new_name("Vera")
    made = administrator.call("POST", "/api/users", {"name": name, "role": "surveillance"})
    client = served.client()
    client.login(name, made["password"])
    client.change_password(made["password"], OWN)
    return client


@pytest.fixture
def player(served: Served) -> Any:
    client = served.guest(new_name("Ann"))
    free = next(n for n in range(1, 8) if n not in client.seen(TABLE).view.seats)
    sit(client, TABLE, free)
    client.seat = free  # type: ignore[attr-defined]
    yield client
    until(lambda: client.seen(TABLE).view.phase == "betting")
    client.do(TABLE, "leave", seat=free)


def refusal(call: Any, *args: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        call(*args)
    return caught.value


def glance(watcher: Client) -> dict[str, Any]:
    return next(each for each in watcher.call("GET", "/api/surveillance/tables") if each["table"] == TABLE)


def test_every_dealt_card_is_seen_at_a_glance_and_live(watcher: Client, player: Any) -> None:
    ante(player, TABLE, player.seat)
    player.ready(TABLE)
    mine = asked(player, TABLE, player.seat).round.boxes[player.seat].cards
    seen = glance(watcher)
    (box,) = (each for each in seen["boxes"] if each["box"] == player.seat)
    assert box["cards"] == list(mine)
    assert (box["player"], box["stake"], seen["at_risk"]) == (player.name, 1000, 1000)
    assert len(seen["dealer"]) == 3
    assert all(seen["dealer"])
    assert player.seen(TABLE).view.round.dealer == ("", "", "")
    with watcher._http.stream("GET", "/api/surveillance/live", timeout=20) as answer:
        live = messages(answer.iter_lines())
        first = next(live)
        assert first.event == "tables"
        assert len(json.loads(first.data)) >= 7
        player.do(TABLE, "decide", seat=player.seat, choice="fold")
        changed = next(live)
        told = json.loads(changed.data)
        assert [each["table"] for each in told] == [TABLE]


def test_a_round_is_replayed_event_by_event(watcher: Client, player: Any) -> None:
    play_three_card_poker(player, player.seat)
    number = player.seen(TABLE).view.rounds
    found = watcher.call("GET", f"/api/surveillance/tables/{TABLE}/rounds/{number}")
    assert (found["table"], found["number"]) == (TABLE, number)
    assert found["of"] >= number
    versions = [frame["version"] for frame in found["frames"]]
    assert versions == list(range(found["round"]["first"], found["round"]["last"] + 1))
    events = [frame["event"] for frame in found["frames"]]
    assert events[-1] == "cards cleared"
    dealt = next(frame for frame in found["frames"] if "deals 6 cards" in frame["says"])
    assert all(dealt["view"]["round"]["dealer"])
    assert all(card["card"] for card in dealt["cards"])
    for wrong in (0, number + 100, 10**9):
        assert refusal(watcher.call, "GET", f"/api/surveillance/tables/{TABLE}/rounds/{wrong}").status in (400, 404)
    assert refusal(watcher.call, "GET", "/api/surveillance/tables/nowhere/rounds/1").status == 404


def test_rounds_are_found_by_player_table_amount_hand_and_time(watcher: Client, player: Any) -> None:
    def search(**asked: Any) -> list[dict[str, Any]]:
        answer = watcher._http.get("/api/surveillance/search", params=asked)
        assert answer.status_code == 200, answer.text
        rounds: list[dict[str, Any]] = answer.json()["rounds"]
        return rounds

    play_three_card_poker(player, player.seat)
    play_three_card_poker(player, player.seat, choice="fold")
    newest, before = search(player=player.name)
    assert [box["decisions"] for box in newest["boxes"]] == [["fold"]]
    assert newest["number"] == before["number"] + 1
    assert newest["net"] == {player.name: -1000}
    assert sum(bet["stake"] for bet in before["boxes"][0]["bets"]) == 2000
    hand = next(bet["hand"] for bet in before["boxes"][0]["bets"] if bet["hand"])
    assert before["number"] in [each["number"] for each in search(player=player.name, hand=hand.upper())]
    assert [each["number"] for each in search(player=player.name, staked=2000)] == [before["number"]]
    assert search(player=player.name, staked=2001) == []
    assert search(player=player.name, table="saigon-5-card") == []
    assert search(player=player.name, until=before["begun"]) == []
    assert len(search(player=player.name, since=before["begun"])) == 2
    assert search(player=player.name, irregular="true") == []
    page = watcher._http.get("/api/surveillance/search", params={"player": player.name, "limit": 1}).json()
    rest = watcher._http.get(
        "/api/surveillance/search", params={"player": player.name, "limit": 1, "cursor": page["cursor"]}
    ).json()
    assert [each["number"] for each in page["rounds"] + rest["rounds"]] == [newest["number"], before["number"]]


@pytest.mark.parametrize("asked", ["cursor=nonsense", "amount=-1", "limit=0", "limit=9999", "since=x", f"player={'x' * 300}"])
def test_a_malformed_search_is_refused(watcher: Client, asked: str) -> None:
    assert refusal(watcher.call, "GET", f"/api/surveillance/search?{asked}").status == 400


def test_the_hold_is_what_the_house_won(watcher: Client, player: Any) -> None:
    """Checked against the players' chips: whatever they bought and no longer hold, the house won."""
    play_three_card_poker(player, player.seat)
    found = watcher.call("GET", "/api/surveillance/hold")
    table = next(each for each in found["tables"] if each["table"] == TABLE)
    rounds = watcher._http.get("/api/surveillance/search", params={"table": TABLE, "limit": 200}).json()["rounds"]
    assert table["rounds"] == len(rounds)
    assert table["win"] == -sum(sum(each["net"].values()) for each in rounds)
    (main,) = (each for each in table["wagers"] if each["wager"] == "Ante Wager" or each["base"])
    assert main["odds"] == "being worked out"
    assert main["expected"] is None
    assert main["handle"] == sum(bet["stake"] for each in rounds for box in each["boxes"] for bet in box["bets"])
    assert found["beyond"] == 3
    assert watcher.call("GET", "/api/surveillance/hold?since=9000000000000")["tables"][0]["rounds"] == 0


def test_what_happened_is_read_page_by_page(watcher: Client, player: Any) -> None:
    newest = watcher.call("GET", f"/api/surveillance/tables/{TABLE}/events?limit=3")
    assert [each["version"] for each in newest] == list(range(newest[0]["version"], newest[0]["version"] - 3, -1))
    older = watcher.call("GET", f"/api/surveillance/tables/{TABLE}/events?limit=2&before={newest[-1]['version']}")
    assert [each["version"] for each in older] == [newest[-1]["version"] - 1, newest[-1]["version"] - 2]
    assert watcher.call("GET", f"/api/surveillance/tables/{TABLE}/events?before=1") == []


PATHS = (
    "/api/surveillance/tables", "/api/surveillance/live", f"/api/surveillance/tables/{TABLE}/events",
    f"/api/surveillance/tables/{TABLE}/rounds/1", "/api/surveillance/search", "/api/surveillance/hold", "/surveillance",
    f"/surveillance/tables/{TABLE}", f"/surveillance/tables/{TABLE}/rounds/1", "/surveillance/search", "/surveillance/hold",
)  # fmt: skip


def test_only_surveillance_may_use_these_routes(served: Served) -> None:
    administrator, guest, nobody = served.administrator(), served.guest(new_name()), served.client()
    for path in PATHS:
        for who, status in ((administrator, 403), (guest, 403), (nobody, 401)):
            assert refusal(who.call, "GET", path).status == status, path


def test_a_browser_without_a_login_is_redirected_to_it(served: Served) -> None:
    for path in ("/surveillance/hold", "/administrator/users"):
        answer = served.client()._http.get(path, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (302, f"/login?next={path}")


def test_a_live_view_ends_with_its_session(served: Served) -> None:
    administrator, name = served.administrator(), new_name("Vic")
    made = administrator.call("POST", "/api/users", {"name": name, "role": "surveillance"})
    client = served.client()
    client.login(name, made["password"])
    client.change_password(made["password"], OWN)
    with client._http.stream("GET", "/api/surveillance/live", timeout=20) as answer:
        lines = answer.iter_lines()
        assert next(messages(lines)).event == "tables"
        administrator.call("POST", f"/api/users/{name}/disable")
        assert not any("data" in line and json.loads(line[6:]) == [] for line in lines)  # the stream ends


def test_a_server_that_stops_does_not_wait_for_live_views(tmp_path: Path) -> None:
    server = start(str(tmp_path / "floor.db"), tmp_path)
    try:
        made = server.administrator().call("POST", "/api/users", {"name": "Vera", "role": "surveillance"})
        client = server.client()
        client.login("Vera", made["password"])
        client.change_password(made["password"], OWN)
        with client._http.stream("GET", "/api/surveillance/live", timeout=20) as answer:
            assert next(messages(answer.iter_lines())).event == "tables"
            began = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(20) in (0, -signal.SIGTERM)
            assert time.monotonic() - began < 9, "ten seconds are what is left to connections that do not end"
        assert "Traceback" not in server.log.read_text()
    finally:
        server.stop()


def test_every_page_opens(watcher: Client, player: Any) -> None:
    play_three_card_poker(player, player.seat, choice="fold")
    for path in PATHS[6:]:
        answer = watcher._http.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 200, path
        assert "<script>" not in answer.text
        assert " style=" not in answer.text.replace("<svg", "\0").split("\0")[0]
