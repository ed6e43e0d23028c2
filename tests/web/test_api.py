"""The API from outside: one shape for every refusal, idempotent commands, seats that belong to a session, cookies and headers."""

from __future__ import annotations

import uuid

import httpx
import pytest

from croupier import book
from croupier.client import Client, Refused
from tests.web.playing import ante, asked, new_name, play_three_card_poker, sit, until
from tests.web.serving import Served

TABLE = "three-card-poker"
SLUGS = [chapter.slug for chapter in book.chapters()]


@pytest.fixture
def seated(served: Served) -> Client:
    """A guest at a free seat of Three Card Poker."""
    client = served.guest(new_name())
    free = next(n for n in range(1, 8) if n not in client.seen(TABLE).view.seats)
    sit(client, TABLE, free)
    client.seat = free  # type: ignore[attr-defined]
    yield client
    until(lambda: client.seen(TABLE).view.phase == "betting")
    client.do(TABLE, "leave", seat=free)


def refusal(call: object, *args: object, **named: object) -> Refused:
    with pytest.raises(Refused) as caught:
        call(*args, **named)  # type: ignore[operator]
    return caught.value


def test_the_floor_has_a_table_of_each_game(served: Served) -> None:
    tables = served.client().tables()
    first = {table.game: table for table in tables if table.table in SLUGS}  # other tests open more tables
    assert sorted(first) == ["641a", "643a", "649a", "653a", "679a", "680a", "682a"]
    assert all(table.practice and table.minimum == 500 for table in first.values())


def test_a_guest_plays_a_round(served: Served, seated: Client) -> None:
    before = seated.seen(TABLE).view.rounds
    play_three_card_poker(seated, seated.seat)  # type: ignore[attr-defined]
    view = seated.seen(TABLE).view
    assert view.rounds == before + 1
    assert view.wagers == {}


def test_a_command_with_one_key_has_its_effect_once(seated: Client) -> None:
    key, seat = str(uuid.uuid4()), seated.seat  # type: ignore[attr-defined]
    held = seated.seen(TABLE).view.seats[seat].chips
    first = seated.do(TABLE, "buy in", key=key, seat=seat, amount=500)
    assert seated.do(TABLE, "buy in", key=key, seat=seat, amount=500) == first
    assert seated.seen(TABLE).view.seats[seat].chips == held + 500


def test_asking_again_to_sit_or_to_leave_gets_the_same_answer(served: Served) -> None:
    guest, keys = served.guest(new_name()), [str(uuid.uuid4()) for _ in range(2)]
    free = next(n for n in range(1, 8) if n not in guest.seen(TABLE).view.seats)
    sat = guest.do(TABLE, "sit", key=keys[0], seat=free, player=guest.name)
    assert guest.do(TABLE, "sit", key=keys[0], seat=free, player=guest.name) == sat
    left = guest.do(TABLE, "leave", key=keys[1], seat=free)
    assert guest.do(TABLE, "leave", key=keys[1], seat=free) == left
    assert free not in guest.seen(TABLE).view.seats


def test_a_key_is_for_one_command(seated: Client) -> None:
    key, seat = str(uuid.uuid4()), seated.seat  # type: ignore[attr-defined]
    seated.do(TABLE, "buy in", key=key, seat=seat, amount=500)
    other = refusal(seated.do, TABLE, "buy in", key=key, seat=seat, amount=600)
    assert (other.status, other.kind, other.cite) == (409, "refused", None)
    assert refusal(seated.do, "saigon-5-card", "sit", key=key, seat=1, player=seated.name).status == 409
    assert refusal(seated.do, TABLE, "sit", key=key, seat=seat, player=seated.name).reason.startswith("This key")


def test_names_with_slashes_do_not_mix_up_keys(served: Served) -> None:
    name = new_name()
    short, long = served.guest(name), served.guest(f"{name}/x")
    free = [n for n in range(1, 8) if n not in short.seen(TABLE).view.seats][:2]
    short.do(TABLE, "sit", key="x/12345678", seat=free[0], player=name)
    long.do(TABLE, "sit", key="12345678", seat=free[1], player=f"{name}/x")
    assert free[1] in long.seen(TABLE).view.seats
    short.do(TABLE, "leave", seat=free[0])
    long.do(TABLE, "leave", seat=free[1])


def test_two_guests_may_use_the_same_key(served: Served, seated: Client) -> None:
    other = served.guest(new_name())
    free = next(n for n in range(1, 8) if n not in other.seen(TABLE).view.seats)
    key = str(uuid.uuid4())
    seated.do(TABLE, "buy in", key=key, seat=seated.seat, amount=500)  # type: ignore[attr-defined]
    assert other.do(TABLE, "sit", key=key, seat=free, player=other.name).event == "player seated"
    other.do(TABLE, "leave", seat=free)


def test_a_refusal_names_its_clause(seated: Client) -> None:
    found = refusal(seated.do, TABLE, "place wager", seat=seated.seat, wager="Ante Wager", amount=1)  # type: ignore[attr-defined]
    assert (found.status, found.kind, found.cite, found.accepted) == (409, "refused", "601a.2", "$5 to $500")


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ({"do": "sit", "seat": 7, "player": "Somebody Else"}, 403),
        ({"do": "open table", "table": "x", "submission": "", "offer": "", "opener": 0}, 403),
        ({"do": "no such thing"}, 400),
        ({"do": "place wager", "seat": 1, "wager": "Ante Wager", "amount": -5}, 400),
        ({"do": "place wager", "seat": 1, "wager": "Ante Wager", "amount": 5.5}, 400),
        ({"do": "shuffle deck", "deck": "red", "sealed": {"order": ["As"], "secret": "00"}}, 400),
        ({}, 400),
        ([], 400),
        ("sit", 400),
    ],
)
def test_what_a_guest_may_not_say(seated: Client, command: object, status: int) -> None:
    found = refusal(seated.call, "POST", f"/api/tables/{TABLE}/commands", command, {"Idempotency-Key": str(uuid.uuid4())})
    assert found.status == status
    assert found.reason


def test_nobody_acts_for_another(served: Served, seated: Client) -> None:
    seat = seated.seat  # type: ignore[attr-defined]
    other = served.guest(new_name())
    assert refusal(other.do, TABLE, "tip", seat=seat, amount=100).status == 403
    free = next(n for n in range(1, 8) if n not in other.seen(TABLE).view.seats)
    sit(other, TABLE, free)
    found = refusal(other.do, TABLE, "tip", seat=seat, amount=100)
    assert (found.status, found.cite) == (409, "649a.7(b)")
    ante(seated, TABLE, seat)
    assert refusal(other.do, TABLE, "take back wager", seat=seat, wager="Ante Wager").status == 409
    assert refusal(other.do, TABLE, "sit", seat=free % 7 + 1, player=other.name).cite == "649a.7(b)"
    seated.do(TABLE, "take back wager", seat=seat, wager="Ante Wager")
    other.do(TABLE, "leave", seat=free)


def test_a_name_belongs_to_one_guest(served: Served) -> None:
    name = new_name("Ann")
    served.guest(name)
    found = refusal(served.guest, name.upper())
    assert found.status == 409
    assert "taken" in found.reason


def test_one_shape_for_every_problem(served: Served) -> None:
    asks: list[tuple[str, str, int]] = [
        ("GET", "/api/tables/no-such-table", 404),
        ("GET", "/api/nothing", 404),
        ("DELETE", "/api/tables", 405),
        ("POST", f"/api/tables/{TABLE}/commands", 403),  # no CSRF token
        ("GET", "/api/tables/..%2f..%2fetc", 404),
    ]
    for method, path, status in asks:
        answer = httpx.request(method, served.address + path)
        assert answer.status_code == status, path
        assert set(answer.json()["error"]) == {"kind", "reason", "cite", "accepted"}


def test_an_error_for_a_browser_is_a_page(served: Served) -> None:
    answer = httpx.get(f"{served.address}/tables/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is no such table on this floor." in answer.text


def test_a_command_needs_its_key_and_its_token(served: Served, seated: Client) -> None:
    assert refusal(seated.call, "POST", f"/api/tables/{TABLE}/commands", {"do": "tip", "seat": 1, "amount": 1}).status == 400
    cookies = dict(seated._http.cookies)
    answer = httpx.post(f"{served.address}/api/tables/{TABLE}/ready", cookies=cookies)
    assert answer.status_code == 403
    answer = httpx.post(f"{served.address}/api/tables/{TABLE}/ready", cookies=cookies, headers={"x-csrftoken": "0" * 128})
    assert answer.status_code == 403


def test_a_request_for_another_host_is_refused(served: Served) -> None:
    answer = httpx.get(f"{served.address}/api/tables", headers={"Host": "elsewhere.example"})
    assert answer.status_code == 400


def test_cookies_and_headers(served: Served) -> None:
    with httpx.Client(base_url=served.address) as http:
        token = http.get("/api/me").cookies["csrftoken"]
        answer = http.post("/api/guests", json={"name": new_name()}, headers={"x-csrftoken": token})
        cookie = next(each for each in answer.headers.get_list("set-cookie") if each.startswith("croupier="))
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
        page = http.get("/", headers={"Accept": "text/html"})
        policy = page.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert "<script>" not in page.text
        assert " style=" not in page.text.split("<svg")[0]


@pytest.mark.parametrize(
    ("path", "status", "kept"),
    [("/", 200, False), ("/static/js/shared/api.js", 200, True), ("/schema", 200, True), ("/api/tables", 200, False),
     ("/nowhere", 404, False), ("/static/nowhere.js", 404, False), ("/api/users", 401, False), ("/api/tables/nowhere", 404, False)],
)  # fmt: skip
def test_every_answer_says_how_it_is_to_be_read(served: Served, path: str, status: int, kept: bool) -> None:
    answer = httpx.get(served.address + path)
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert ("no-store" in answer.headers.get("cache-control", "")) != kept


def test_a_refusal_before_any_route_says_how_it_is_to_be_read(served: Served) -> None:
    elsewhere = [httpx.get(served.address + path, headers={"Host": "elsewhere"}) for path in ("/", "/dealer", "/administrator")]
    for answer in (*elsewhere, httpx.post(f"{served.address}/api/guests", json={})):
        assert answer.status_code == (400 if answer in elsewhere else 403)
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_made_up_session_has_no_role(served: Served) -> None:
    answer = httpx.get(f"{served.address}/api/me", cookies={"croupier": "A" * 43})
    assert answer.json() == {"name": "", "role": "anyone", "locked": False, "must_change": False}


def test_logging_out_ends_a_live_view(served: Served) -> None:
    guest = served.guest(new_name())
    live = guest.watch(TABLE)
    next(live)
    guest.call("DELETE", "/api/session")
    assert guest.me().role == "anyone"


def test_staff_routes_ask_for_a_login(served: Served) -> None:
    guest = served.guest(new_name())
    assert refusal(guest.call, "POST", "/api/lock").status == 403
    assert refusal(served.client().call, "POST", "/api/lock").status == 401


def test_the_schema_describes_every_command(served: Served) -> None:
    schema = httpx.get(f"{served.address}/schema").json()
    assert "/api/tables/{table}/commands" in schema["paths"]
    assert "PlaceWager" in schema["components"]["schemas"]


def test_a_view_is_asked_of_the_seat_only(served: Served, seated: Client) -> None:
    """The player sees their cards. At the same moment the public sees card backs."""
    seat = seated.seat  # type: ignore[attr-defined]
    ante(seated, TABLE, seat)
    seated.ready(TABLE)
    mine = asked(seated, TABLE, seat).round.boxes[seat].cards
    theirs = served.client().seen(TABLE).view.round.boxes[seat].cards
    seated.do(TABLE, "decide", seat=seat, choice="fold")
    assert all(mine)
    assert theirs == ("", "", "")


def test_personal_answers_are_not_cached(served: Served) -> None:
    guest = served.guest(new_name())
    for path in ("/", "/api/me", f"/api/tables/{TABLE}", f"/tables/{TABLE}", f"/api/tables/{TABLE}/history", "/api/users"):
        assert guest._http.get(path).headers["cache-control"] == "no-store", path
    assert "no-store" not in guest._http.get("/static/css/house.css").headers.get("cache-control", "")
    assert "public" in guest._http.get("/art/cards.svg").headers["cache-control"]
