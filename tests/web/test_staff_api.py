"""Dealers and floorpersons over HTTP: access, who deals, a round dealt by hand, approvals, money, limits, irregularities."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client, Refused
from croupier.floor.registers.audit import Audit
from croupier.ledger import open_recorder
from croupier.web.pages.staff import own_path
from croupier.web.security.sessions import Session, Sessions
from croupier.wire import Me
from tests.web.playing import ante, new_name
from tests.web.serving import Served, serving
from tests.web.staffing import DEALER, FLOORPERSON, PASSWORD, choice, finish_round, hire, put, ready_the_deck, staff

TABLE = "three-card-poker"


class House:
    """A floor with a dealer and a floorperson."""

    def __init__(self, served: Served, database: str) -> None:
        self.served, self.database = served, database
        hire(served, DEALER, "dealer")
        hire(served, FLOORPERSON, "floorperson")
        self.dealer, self.floorperson = staff(served, DEALER), staff(served, FLOORPERSON)

    def audit(self, limit: int = 50) -> list[Any]:
        recorder = open_recorder(self.database)
        try:
            return list(Audit(recorder).lines(limit).lines)
        finally:
            recorder.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("staffed")
    database = str(folder / "floor.db")
    with serving(database, folder) as server:
        yield House(server, database)


def refusal(call: Callable[..., object], *args: object, **named: object) -> Refused:
    with pytest.raises(Refused) as caught:
        call(*args, **named)
    return caught.value


def line_of(house: House, table: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in house.floorperson.call("GET", "/api/floor") if each["table"] == table)
    return found


# access


def test_the_login_returns_the_role(house: House) -> None:
    client = house.served.client()
    assert client.login(DEALER, PASSWORD) == Me(DEALER, "dealer", locked=False, must_change=False)
    assert client.me().role == "dealer"
    client.call("DELETE", "/api/session")
    assert client.me().role == "anyone"
    assert refusal(client.call, "GET", f"/api/tables/{TABLE}/checklist").status == 401


def test_three_failures_lock_the_user_out_and_the_audit_says_so(house: House) -> None:
    hire(house.served, "Lola", "dealer")
    client = house.served.client()
    for _ in range(3):
        assert refusal(client.login, "Lola", "not the right one").status == 403
    found = refusal(client.login, "Lola", PASSWORD)  # even with the right password
    assert (found.status, found.kind) == (403, "not allowed")
    assert "3 failed attempts in a row from your address lock the account there for 15 minutes" in found.reason
    told = [line.what for line in house.audit() if "Lola" in line.who or "Lola" in line.what]
    assert sum("lock" in what for what in told) >= 1, told


def test_a_one_time_password_opens_nothing_but_its_own_change(house: House) -> None:
    one_time = hire(house.served, "Otto", "dealer", password="")
    client = house.served.client()
    assert client.login("Otto", one_time).must_change is True
    found = refusal(client.call, "GET", f"/api/tables/{TABLE}/checklist")
    assert (found.status, "Choose your own password" in found.reason) == (403, True)
    assert refusal(client.change_password, one_time, "short").status == 409
    assert client.change_password(one_time, PASSWORD).must_change is False
    assert client.call("GET", f"/api/tables/{TABLE}/checklist")["phase"]


def test_a_locked_screen_opens_with_the_password_only(house: House) -> None:
    client = staff(house.served, DEALER)
    client.call("POST", "/api/lock")
    assert refusal(client.call, "GET", f"/api/tables/{TABLE}/checklist").status == 423
    assert refusal(client.do, TABLE, "inspect decks").status == 423
    assert client.seen(TABLE).view.accounts is None  # no more than the public sees
    assert refusal(client.call, "POST", "/api/unlock", {"password": "not the right one"}).status == 403
    client.call("POST", "/api/unlock", {"password": PASSWORD})
    assert client.seen(TABLE).view.accounts


def test_no_guest_can_take_the_name_of_a_player_seated_by_the_floorperson(house: House) -> None:
    """Otherwise a guest who takes the name later would get that seat, with the other player's chips and cards."""
    table = "saigon-5-card"
    free = next(n for n in range(1, 7) if n not in house.floorperson.seen(table).view.seats)
    house.floorperson.do(table, "sit", seat=free, player="A man without a telephone")
    assert refusal(house.served.guest, "A man without a telephone").status == 409
    house.floorperson.do(table, "leave", seat=free)
    assert refusal(house.served.guest, "a man without a Telephone").status == 409


def test_a_session_that_was_ended_or_locked_elsewhere_stays_so(tmp_path: Path) -> None:
    asyncio.run(_ended_or_locked_elsewhere(str(tmp_path / "floor.db")))


async def _ended_or_locked_elsewhere(database: str) -> None:
    """Another process still has the session cached for a moment. Its writes must not bring the session back."""
    now = [1_000_000]
    here, there = (Sessions(database, clock=lambda: now[0]) for _ in range(2))
    ended, locked = [await here.begin(Session(name, "dealer", active=now[0])) for name in ("ann", "bob")]
    now[0] += 60_000
    kept = {token: await there.find(token) for token in (ended, locked)}
    await here.end_all_of("ann")
    await here.change(locked, locked=True)
    for token, session in kept.items():
        assert session is not None
        await there.mark_active(token, session)
    assert await here.find(ended) is await there.find(ended) is None
    now[0] += 2_000
    found = await here.find(locked)
    assert found is not None
    assert found.locked


@pytest.mark.parametrize(
    ("method", "path", "body", "allowed"),
    [
        ("GET", "/api/floor", None, {"floorperson"}),
        ("GET", f"/api/tables/{TABLE}/checklist", None, {"dealer", "floorperson"}),
        ("POST", f"/api/tables/{TABLE}/correction", {"do": "clear cards"}, {"dealer"}),
        ("GET", f"/api/tables/{TABLE}/events", None, {"dealer", "floorperson"}),
        ("GET", f"/api/tables/{TABLE}/accounts", None, {"floorperson"}),
        ("POST", f"/api/tables/{TABLE}/dealer", {"dealer": "automatic"}, {"floorperson"}),
    ],
)
def test_each_route_is_for_its_roles(house: House, method: str, path: str, body: object, allowed: set[str]) -> None:
    guest = house.served.guest(new_name())
    for role, client in {"dealer": house.dealer, "floorperson": house.floorperson, "guest": guest}.items():
        if role in allowed:
            assert client.call(method, path, body) is not None
        else:
            assert refusal(client.call, method, path, body).status == 403, role
    assert refusal(house.served.client().call, method, path, body).status == 401


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/dealer/three-card-poker", "/dealer/three-card-poker"),
        ("//elsewhere.example/", ""),
        ("https://elsewhere.example/", ""),
        ("/\\elsewhere.example", ""),
        ("javascript:alert(1)", ""),
        ("/dealer?x=1", ""),
    ],
)
def test_the_login_goes_on_to_a_page_of_this_floor_only(path: str, kept: str) -> None:
    assert own_path(path) == kept


def test_a_page_of_the_staff_asks_for_the_login_first(house: House) -> None:
    with_nobody = house.served.client()._http
    answer = with_nobody.get(f"/dealer/{TABLE}", headers={"Accept": "text/html"})
    assert (answer.status_code // 100, answer.headers["location"]) == (3, f"/login?next=/dealer/{TABLE}")
    assert house.dealer._http.get("/floorperson", headers={"Accept": "text/html"}).status_code == 403
    assert house.dealer._http.get("/login").headers["location"] == "/dealer"


# who deals


def test_a_dealer_does_not_deal_where_the_automatic_dealer_does(house: House) -> None:
    table = "let-it-ride-poker"
    found = refusal(house.dealer.do, table, "no more bets")
    assert (found.status, "automatic dealer" in found.reason) == (403, True)


def test_a_dealer_does_not_send_the_order_of_a_deck(house: House) -> None:
    found = refusal(house.dealer.do, TABLE, "shuffle deck", deck="red", sealed={"order": ["As"], "secret": "00"})
    assert (found.status, found.reason) == (400, "The server shuffles the decks, so a command cannot include their order.")


def test_a_floorperson_puts_a_person_at_a_table_and_the_audit_says_so(house: House) -> None:
    table = "four-card-prime"
    put(house.floorperson, table, "person")
    assert line_of(house, table)["dealer"] == "person"
    put(house.floorperson, table, "automatic")
    assert line_of(house, table)["dealer"] == "automatic"
    noted = [line for line in house.audit() if line.table == table and line.stream == "audit"]
    assert [line.what for line in noted[:2]] == ["put the automatic dealer at the table", "put a person at the table"]
    assert {(line.who, line.role) for line in noted} == {(FLOORPERSON, "floorperson")}
    assert refusal(house.floorperson.call, "POST", f"/api/tables/{table}/dealer", {"dealer": "nobody"}).status == 400
    assert refusal(house.floorperson.call, "POST", "/api/tables/nowhere/dealer", {"dealer": "person"}).status == 404


# a table with a human dealer


@pytest.fixture
def players(house: House) -> Iterator[dict[int, Client]]:
    """Two players at Three Card Poker, with a human dealer and a deck that is ready."""
    put(house.floorperson, TABLE, "person")
    seated = {}
    for seat in (2, 5):
        seated[seat] = house.served.guest(new_name())
        seated[seat].do(TABLE, "sit", seat=seat, player=seated[seat].name)
        seated[seat].do(TABLE, "buy in", seat=seat, amount=100_000)
    ready_the_deck(house.dealer, house.floorperson, TABLE, 2)
    yield seated
    if house.dealer.seen(TABLE).view.round:
        finish_round(house.dealer, house.floorperson, TABLE, seated, "fold")
    for seat, client in seated.items():
        client.do(TABLE, "leave", seat=seat)


def test_a_round_dealt_by_a_person_with_two_players(house: House, players: dict[int, Client]) -> None:
    dealer = house.dealer
    rounds = dealer.seen(TABLE).view.rounds
    for seat, client in players.items():
        ante(client, TABLE, seat)
    checklist = dealer.call("GET", f"/api/tables/{TABLE}/checklist")
    assert checklist["say"] == "“No more bets.”"
    now = [step for step in checklist["steps"] if step["state"] == "now"]
    assert [(step["cite"], step["command"]) for step in now] == [("649a.10(a)(2)", "no more bets")]
    assert refusal(dealer.do, TABLE, "deal cards").status == 409  # not before that
    dealer.do(TABLE, "no more bets")
    for _ in range(9):  # three each to two players and the dealer, card by card
        dealer.do(TABLE, "deal cards")
    assert refusal(dealer.do, TABLE, "deal cards").cite == "649a.10(b)"
    assert dealer.call("GET", f"/api/tables/{TABLE}/checklist")["say"] == "“Box 2: play or fold?”"
    view = dealer.seen(TABLE).view
    assert [card for box in view.round.boxes.values() for card in box.cards] == [""] * 6  # only the players see their faces
    finish_round(dealer, house.floorperson, TABLE, players)
    assert dealer.seen(TABLE).view.rounds == rounds + 1
    told = [event["says"] for event in dealer.call("GET", f"/api/tables/{TABLE}/events?limit=60")]
    assert told[0] == "The cards go to the discard rack, hand by hand. By Dora (dealer)."
    assert any(says.startswith("Box 2 says “play” and bets $10. By ") and says.endswith(" (seat 2).") for says in told)


def test_a_table_opens_with_the_floorpersons_verification(house: House) -> None:
    table = "four-card-poker"
    put(house.floorperson, table, "person")
    house.floorperson.do(table, "close table")
    assert line_of(house, table)["phase"] == "closed"
    assert house.dealer.call("GET", f"/api/tables/{table}/checklist")["steps"] == []
    opened = {"opener": 5_000_000}
    reply = house.floorperson.call("POST", f"/api/tables/{table}/open", opened, {"Idempotency-Key": "opened-once-only"})
    again = house.floorperson.call("POST", f"/api/tables/{table}/open", opened, {"Idempotency-Key": "opened-once-only"})
    assert reply == again  # a retry takes effect once
    assert line_of(house, table)["inventory"] == 5_000_000
    receive = choice(house.dealer, table, "receive decks")
    assert receive is not None
    house.dealer.choose(table, receive.command)
    house.dealer.do(table, "inspect decks")
    assert refusal(house.dealer.do, table, "spread decks", face_up=True).status == 409
    waiting = line_of(house, table)["waiting"]
    assert [(each["cite"], each["command"]) for each in waiting] == [("641a.4(a)", {"do": "verify inspection"})]
    assert house.floorperson.call("GET", "/api/floor")[0]["table"] == table  # tables that wait for a person come first
    house.floorperson.choose(table, waiting[0]["command"])
    assert line_of(house, table)["waiting"] == []
    house.dealer.do(table, "spread decks", face_up=True)
    player = house.served.guest(new_name())
    player.do(table, "sit", seat=1, player=player.name)
    ready_the_deck(house.dealer, house.floorperson, table, 1)
    assert line_of(house, table)["phase"] == "betting"
    player.do(table, "leave", seat=1)


def test_an_irregularity_is_raised_and_settled(house: House, players: dict[int, Client]) -> None:
    dealer = house.dealer
    ante(players[2], TABLE, 2, 2500)
    dealer.do(TABLE, "no more bets")
    dealer.do(TABLE, "deal cards")
    listed = {each["name"]: each for each in dealer.call("GET", f"/api/tables/{TABLE}/checklist")["irregularities"]}
    exposed = listed["Dealer's card exposed"]
    assert exposed["choices"] == []  # none of that player's cards is exposed
    assert exposed["why_not"]
    assert listed["Stub count wrong, cards misdealt"]["why_not"] == "The table detects this when the stub is counted."
    jam = listed["Automated shoe jams"]
    assert jam["why_not"] == ""
    assert "void" in jam["then"]
    wrong_number = listed["A player or the dealer dealt a wrong number of cards"]
    assert "what was already paid is taken back" in wrong_number["then"]
    held = dealer.seen(TABLE).view.seats[2].chips
    dealer.choose(TABLE, jam["choices"][0]["command"])
    seen = dealer.seen(TABLE).view
    assert seen.seats[2].chips == held + 2500  # the wager is returned
    told = dealer.call("GET", f"/api/tables/{TABLE}/events?limit=3")
    assert any(event["says"].startswith("Irregularity: Automated shoe jams.") for event in told)
    # the table continues
    if dealer.seen(TABLE).view.round:
        finish_round(dealer, house.floorperson, TABLE, players)
    ready_the_deck(dealer, house.floorperson, TABLE, 2)
    assert dealer.seen(TABLE).view.phase == "betting"


def test_every_irregularity_of_the_chapter_is_listed(house: House) -> None:
    """From the chapter itself: 13(a) to (g) and the clause about the shuffle."""
    listed = house.dealer.call("GET", f"/api/tables/{TABLE}/checklist")["irregularities"]
    cites = {each["cite"] for each in listed}
    assert {f"649a.13({letter})" for letter in "abcdefg"} <= cites
    assert all(each["choices"] or each["why_not"] for each in listed)
    said = {each["name"]: each["why_not"] for each in listed}
    assert said["One card face up"] == "Can be raised only while cards are being dealt."
    assert said["Dealer's card exposed"] == "Can be raised only during a round, before the dealer's cards are revealed under 11(c)."
    assert (
        said["A player or the dealer dealt a wrong number of cards"]
        == "Can be raised only during a round, until the cards are cleared."
    )


def test_a_trainee_is_told_what_was_wrong_and_what_is_right(house: House, players: dict[int, Client]) -> None:
    ante(players[2], TABLE, 2)
    told = house.dealer.call("POST", f"/api/tables/{TABLE}/correction", {"do": "deal cards"})
    assert told["wrong"]
    assert told["cite"].startswith("649a.")
    assert (told["right"]["cite"], told["right"]["command"]) == ("649a.10(a)(2)", "no more bets")
    assert house.dealer.call("POST", f"/api/tables/{TABLE}/correction", {"do": "no more bets"})["wrong"] == ""
    assert house.dealer.seen(TABLE).view.phase == "betting"  # nothing was done
    players[2].do(TABLE, "take back wager", seat=2, wager="Ante Wager")


# the floorperson's money, limits, and opening and closing


def test_fills_and_credits_move_the_inventory(house: House) -> None:
    table = "saigon-5-card"
    put(house.floorperson, table, "person")
    before = line_of(house, table)["inventory"]
    house.floorperson.do(table, "fill", amount=250_000)
    assert line_of(house, table)["inventory"] == before + 250_000
    house.floorperson.do(table, "credit", amount=50_000)
    assert line_of(house, table)["inventory"] == before + 200_000
    accounts = house.floorperson.call("GET", f"/api/tables/{table}/accounts")["accounts"]
    assert accounts["table inventory"] == before + 200_000
    assert sum(accounts.values()) == 0  # double entry: the accounts sum to zero
    assert refusal(house.floorperson.do, table, "credit", amount=10**12).status == 409
    assert refusal(house.dealer.do, table, "fill", amount=100).status == 409


def test_the_drop_is_counted_and_collected(house: House) -> None:
    table = "saigon-5-card"
    put(house.floorperson, table, "person")
    player = house.served.guest(new_name())
    player.do(table, "sit", seat=1, player=player.name)
    player.do(table, "buy in", seat=1, amount=30_000)
    player.do(table, "tip", seat=1, amount=500)
    found = line_of(house, table)
    assert (found["drop"], found["tips"], found["players"]) == (30_000, 500, {"1": player.name})
    house.floorperson.do(table, "collect drop")
    house.floorperson.do(table, "collect tips")
    assert (line_of(house, table)["drop"], line_of(house, table)["tips"]) == (0, 0)
    house.floorperson.do(table, "leave", seat=1)  # signed off
    assert line_of(house, table)["players"] == {}


def test_limits_are_posted_within_those_filed(house: House) -> None:
    table = "saigon-5-card"
    put(house.floorperson, table, "person")
    house.floorperson.do(table, "post limits", minimum=1000, maximum=20_000)
    found = line_of(house, table)
    assert (found["minimum"], found["maximum"]) == (1000, 20_000)
    assert refusal(house.floorperson.do, table, "post limits", minimum=100, maximum=20_000).cite == "601a.2"
    house.floorperson.do(table, "post limits", minimum=500, maximum=50_000)


def test_a_table_closes_once_nobody_sits_there(house: House) -> None:
    table = "three-card-prime"
    put(house.floorperson, table, "person")
    player = house.served.guest(new_name())
    player.do(table, "sit", seat=3, player=player.name)
    assert refusal(house.floorperson.do, table, "close table").status == 409
    player.do(table, "leave", seat=3)
    house.floorperson.do(table, "close table")
    found = line_of(house, table)
    assert (found["phase"], found["inventory"], found["waiting"]) == ("closed", 0, [])
    noted = next(line for line in house.audit() if line.table == table and line.what == "close table")
    assert (noted.who, noted.role) == (FLOORPERSON, "floorperson")


def test_the_board_shows_decks_devices_and_the_last_event(house: House, players: dict[int, Client]) -> None:
    found = line_of(house, TABLE)
    assert [deck["due"] - deck["received"] for deck in found["decks"]] == [8 * 3_600_000] * 2  # 649a.3(c)(2): eight hours by shoe
    assert {deck["cite"] for deck in found["decks"]} == {"649a.3(c)(2)"}
    house.dealer.do(TABLE, "raise irregularity", irregularity="Device out of order", device="automated card shuffling device")
    found = line_of(house, TABLE)
    assert found["out_of_order"] == ["automated card shuffling device"]
    assert found["last"]["says"].startswith("Irregularity: Device out of order.")
    assert ("The automated card shuffling device is out of order", "649a.13(g)") in [
        (w["words"], w["cite"]) for w in found["waiting"]
    ]
    house.floorperson.do(TABLE, "return device", device="automated card shuffling device")
    assert line_of(house, TABLE)["out_of_order"] == []


def test_the_log_is_read_a_page_at_a_time(house: House) -> None:
    first = house.dealer.call("GET", f"/api/tables/{TABLE}/events?limit=2")
    assert [event["version"] for event in first] == list(range(first[0]["version"], first[0]["version"] - 2, -1))
    second = house.dealer.call("GET", f"/api/tables/{TABLE}/events?limit=2&before={first[-1]['version']}")
    assert second[0]["version"] == first[-1]["version"] - 1
    assert house.dealer.call("GET", f"/api/tables/{TABLE}/events?before=1") == []
    assert refusal(house.dealer.call, "GET", f"/api/tables/{TABLE}/events?limit=100000").status == 400


def test_the_routes_stand_in_the_schema(house: House) -> None:
    paths = house.served.client().call("GET", "/schema/openapi.json")["paths"]
    for path in (
        "/api/floor",
        *(f"/api/tables/{{table}}/{each}" for each in ("checklist", "correction", "dealer", "open", "events", "accounts")),
    ):
        assert path in paths
