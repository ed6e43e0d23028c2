"""Every public page has a rate limit per address. A stranger who uses it up does not stop players or staff at that address."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest

from croupier.client import Refused
from croupier.printed.drawing.felt import layout_drawing
from croupier.table.state import offer_of
from croupier.web.live.table_view import felt
from croupier.web.security import request_limits
from croupier.web.security.request_limits import SECONDS_SAVED, TokenBuckets
from tests.web.playing import new_name, sit
from tests.web.serving import Served, serving
from tests.web.strangers import ELSEWHERE, HOME
from tests.web.test_routes import documented

pytestmark = pytest.mark.thorough

TABLE = "three-card-poker"
A_SECOND = 5
# every route without a login (test_routes.py checks that table against the server), plus paths that are not in the table
PUBLIC = [each for each, roles in documented().items() if "anyone" in roles]
BESIDE = [("GET", "/static/css/house.css"), ("GET", "/schema"), ("GET", "/schema/openapi.json"), ("GET", "/nothing"), ("GET", "/nothing/live"),
          ("POST", "/nothing"), ("HEAD", "/"), ("OPTIONS", "/api/login"), ("DELETE", "/")]  # fmt: skip


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor that allows an address five requests a second."""
    folder = tmp_path_factory.mktemp("shares")
    with serving(str(folder / "floor.db"), folder, env={"CROUPIER_LIMITS": "yes", "CROUPIER_REQUESTS": str(A_SECOND)}) as server:
        yield server


def browser(floor: Served, address: str) -> httpx.Client:
    return httpx.Client(base_url=floor.address, transport=httpx.HTTPTransport(local_address=address), timeout=20)


@pytest.mark.thorough
def test_every_public_page_has_a_limit(floor: Served) -> None:
    assert {"GET", "POST"} == {method for method, _ in PUBLIC}
    for number, (method, route) in enumerate([*PUBLIC, *BESIDE]):
        path = route.replace("{table}", TABLE).replace("{seat}", "1").replace("{name}", "cards.svg")
        count = 2 * A_SECOND * SECONDS_SAVED
        with (
            browser(floor, f"127.0.1.{number + 1}") as http,
            ThreadPoolExecutor(count) as threads,
        ):  # a separate limit for each route
            statuses: list[tuple[int, str]] = []
            while (
                TURNED_AWAY not in statuses and len(statuses) < 10 * count
            ):  # on a slow machine the allowance refills while we ask
                statuses += threads.map(partial(status, http, method), [path] * count)
        assert TURNED_AWAY in statuses, (method, path)
        assert statuses.count(TURNED_AWAY) < len(statuses), (method, path)


TURNED_AWAY = 429, "1"  # the Retry-After of this rate limit; the login limit has another


def status(http: httpx.Client, method: str, path: str) -> tuple[int, str]:
    """The status of an answer, without waiting for a live view to end."""
    with http.stream(method, path) as answer:
        return answer.status_code, answer.headers.get("retry-after", "")


def test_a_refusal_says_when_to_retry_in_the_common_shape(floor: Served) -> None:
    with browser(floor, "127.0.2.1") as http, ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda _: http.get("/api/me"), range(40)))
    refused = next(each for each in answers if each.status_code == 429)
    assert refused.headers["retry-after"] == "1"
    assert refused.headers["x-content-type-options"] == "nosniff"
    assert refused.json()["error"]["kind"] == "too many"
    assert "refused: too many requests" in floor.log.read_text()


def test_a_seated_player_has_an_allowance_apart_from_the_address(floor: Served) -> None:
    player = floor.guest(new_name())
    time.sleep(1)
    sit(player, TABLE, 1)
    with browser(floor, HOME) as stranger, ThreadPoolExecutor(10) as threads:
        flood = threads.map(lambda _: stranger.get("/health").status_code, range(60))
        for _ in range(6):
            player.do(TABLE, "tip", seat=1, amount=1)  # raises if it is refused
            time.sleep(0.3)
        assert 429 in list(flood)
    assert floor.guest(new_name()).me().role == "guest"  # once it is over, others at the address can come in again
    player.do(TABLE, "leave", seat=1)


def test_a_client_that_is_turned_away_waits_and_goes_on(floor: Served) -> None:
    client = floor.guest(new_name())
    assert {client.me().name for _ in range(2 * A_SECOND * SECONDS_SAVED)} == {client.name}
    assert "refused: too many requests" in floor.log.read_text()
    with pytest.raises(Refused) as caught:
        impatient = floor.guest(client.name + "'s friend", patience=0.5)
        for _ in range(2 * A_SECOND * SECONDS_SAVED):
            impatient.me()
    assert caught.value.status == 429


def test_an_address_has_so_many_live_views(floor: Served) -> None:
    opened = []
    with browser(floor, ELSEWHERE) as http:
        while len(opened) < request_limits.MOST_VIEWS + 5:
            answer = http.send(http.build_request("GET", "/api/live"), stream=True)
            opened.append(answer)
            if answer.status_code == 429 and "live views" in answer.read().decode():
                break
            if answer.status_code == 429:
                opened.pop()
        granted = [each for each in opened if each.status_code == 200]
        assert len(granted) == request_limits.MOST_VIEWS
        for each in opened:
            each.close()


def test_a_share_fills_up_again() -> None:
    now = [0.0]
    buckets = TokenBuckets(2, clock=lambda: now[0])
    assert [buckets.take("a") for _ in range(5)] == [True] * 4 + [False]
    assert buckets.take("b")
    now[0] += 0.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    now[0] += 1000
    assert [buckets.take("a") for _ in range(5)] == [True] * 4 + [False]


def test_memory_for_strangers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "MOST_KNOWN", 100)
    now = [0.0]
    buckets = TokenBuckets(2, clock=lambda: now[0])
    for number in range(1000):
        now[0] += 0.1
        assert buckets.take(str(number))
        assert len(buckets._left) <= 101


def test_a_drawing_is_made_once(floor: Served) -> None:
    submission = floor.client().submission(TABLE)
    felt.cache_clear()
    first = felt(submission, 3)
    assert [felt(submission, 3) is first for _ in range(3)] == [True] * 3
    assert felt.cache_info().misses == 1
    assert first == layout_drawing(offer_of(submission), near=3)
    assert felt(submission, 4) != first
