"""The player's part of the API: the rounds they played, and the coach, which speaks at practice tables only."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from fractions import Fraction

import msgspec
import pytest

from croupier.book import find
from croupier.client import Client, Refused
from croupier.filing.template import example_submission as example
from croupier.floor.surveillance.round_record import Bet, Box, RecordedRound
from croupier.web.api.hands import _played
from croupier.web.pages.rule_sheet import Anchors
from croupier.web.workers.coach import Coach, Question, _answer
from tests.web.playing import ante, asked, new_name, play_three_card_poker, sit, until
from tests.web.serving import Served

TABLE = "three-card-poker"


@pytest.fixture
def seated(served: Served) -> Iterator[tuple[Client, int]]:
    client = served.guest(new_name())
    free = next(n for n in range(1, 8) if n not in client.seen(TABLE).view.seats)
    sit(client, TABLE, free)
    yield client, free
    client.do(TABLE, "leave", seat=free)


def history(client: Client, query: str = "") -> list[dict[str, object]]:
    found: list[dict[str, object]] = client.call("GET", f"/api/tables/{TABLE}/history{query}")
    return found


def test_the_history_tells_what_each_round_brought(seated: tuple[Client, int]) -> None:
    client, seat = seated
    assert history(client) == []
    chips = [client.seen(TABLE).view.seats[seat].chips]
    for choice in ("play", "fold"):
        play_three_card_poker(client, seat, choice=choice)
        chips.append(client.seen(TABLE).view.seats[seat].chips)
    newest, older = history(client)
    assert [newest["net"], older["net"]] == [chips[2] - chips[1], chips[1] - chips[0]]
    assert (newest["decisions"], older["decisions"]) == (["fold"], ["play"])
    assert newest["net"] == -1000, "a fold loses the Ante"
    assert history(client, "?limit=1") == [newest]
    assert history(client, f"?before={newest['number']}") == [older]


def test_players_see_only_their_own_history(served: Served, seated: tuple[Client, int]) -> None:
    client, seat = seated
    play_three_card_poker(client, seat)
    assert history(served.guest(new_name())) == []
    with pytest.raises(Refused) as caught:
        history(served.client())
    assert caught.value.status == 401


@pytest.mark.parametrize("query", ["?limit=0", "?limit=101", "?before=-1", "?limit=many"])
def test_a_history_is_bounded(seated: tuple[Client, int], query: str) -> None:
    with pytest.raises(Refused) as caught:
        history(seated[0], query)
    assert caught.value.status == 400


def test_a_round_on_two_boxes_is_one_round() -> None:
    boxes = tuple(
        Box(box, 3, player, ("play",), (Bet("Ante Wager", 500, "wins", pays, 500),))
        for box, player, pays in ((2, "Ada", 500), (3, "Ada", 0), (4, "Ben", 900))
    )
    found = RecordedRound(TABLE, 7, 1, 9, 1000, 2000, "", boxes, {"Ada": 500, "Ben": 900})
    told = _played(found, "Ada")
    assert (told.net, len(told.bets), told.decisions) == (500, 2, ("play", "play"))


def test_the_coach_speaks_when_a_decision_is_asked(served: Served, seated: tuple[Client, int]) -> None:
    client, seat = seated
    path = f"/api/tables/{TABLE}/coach"
    with pytest.raises(Refused) as caught:
        client.call("GET", path)
    assert (caught.value.status, caught.value.reason) == (409, "You have no decision to make now.")
    ante(client, TABLE, seat)
    client.ready(TABLE)
    asked(client, TABLE, seat)
    told = until(lambda: (found := client.call("GET", path))["thinking"] is False and found, 120)
    assert told["unit"] == "Ante Wager"
    assert told["cite"] == "649a.11(b)"
    values = {each["choice"]: Fraction(each["exact"]) for each in told["choices"]}
    assert values["fold"] == -1
    assert list(values.values()) == sorted(values.values(), reverse=True)
    with pytest.raises(Refused) as caught:
        served.guest(new_name()).call("GET", path)
    assert caught.value.status == 403
    client.do(TABLE, "decide", seat=seat, choice="fold")
    until(lambda: client.seen(TABLE).view.phase == "betting")


def test_the_coach_speaks_at_practice_tables_only(tmp_path_factory: pytest.TempPathFactory) -> None:
    from litestar.testing import TestClient

    from croupier.web.app import create_app
    from croupier.web.settings import Settings
    from croupier.web.startup import first_start

    settings = Settings(
        database=str(tmp_path_factory.mktemp("strict") / "floor.db"), pace="at once", odds="no", limits="no", hosts="*"
    )
    asyncio.run(first_start(settings))
    app = create_app(settings)
    with TestClient(app) as http:
        http.get("/api/me")
        token = {"x-csrftoken": http.cookies["csrftoken"]}
        assert http.post("/api/guests", json={"name": "Ada"}, headers=token).status_code == 201
        sat = http.post(
            f"/api/tables/{TABLE}/commands",
            json={"do": "sit", "seat": 3, "player": "Ada"},
            headers=token | {"Idempotency-Key": "12345678"},
        )
        assert sat.status_code == 200
        settings = app.state.premises.table_settings
        settings[TABLE] = msgspec.structs.replace(settings[TABLE], practice=False)
        answer = http.get(f"/api/tables/{TABLE}/coach")
    assert answer.status_code == 403
    assert answer.json()["error"]["reason"] == "The coach is available at practice tables only."


def test_the_coach_says_which_cards_to_set() -> None:
    """680a: 10 + 5 + 5 = 20 qualifies, 10 + 2 = 12 counts 2."""
    answer = _answer(Question(example(find("680a").edition()), "Ks Qs 5d 5h 2c"))
    assert [(each.choice, each.cards) for each in answer.choices] == [("set a Point Count of 2", ("Ks", "5d", "5h"))]


@pytest.mark.thorough
def test_the_coach_knows_when_to_play() -> None:
    """Q-6-4 is the lowest hand to play, as every book on the game says."""
    submission = example(find("649a").edition())

    async def best(held: str) -> str:
        coach = Coach()
        try:
            while (answer := await coach.ask("649a", Question(submission, held))) is None:
                pass
            return answer.choices[0].choice
        finally:
            await coach.stop()

    assert asyncio.run(best("Qs 6h 4d")) == "play"
    assert asyncio.run(best("Qs 6h 3d")) == "fold"


# The rule sheet


def test_a_clause_is_an_anchor_once() -> None:
    anchors = Anchors()
    first, second = anchors.clause("649a.12(d), 649a.7"), anchors.clause("649a.12(d)")
    assert first.count(' id="') == 2
    assert ' id="649a.12(d)"' in first
    assert ' id="' not in second
    assert 'href="#649a.12(d)"' in second
    assert "<b>" not in anchors.clause("<b>649a.1</b>").replace("&lt;b&gt;", "")


def test_no_name_ends_the_script_that_carries_the_first_view(served: Served) -> None:
    name = f"{new_name()}</script><i>"
    guest = served.guest(name)
    sit(guest, "four-card-prime", 2)
    page = guest._http.get("/tables/four-card-prime").text
    assert "</script><i>" not in page
    sent = page.partition('id="seen">')[2].partition("</script>")[0]
    assert msgspec.json.decode(sent)["view"]["seats"]["2"]["player"] == name
    guest.do("four-card-prime", "leave", seat=2)
