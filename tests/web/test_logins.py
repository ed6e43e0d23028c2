"""Login limits over HTTP: they apply by address and by name, whatever cookie or header is sent, and lock no one out elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from croupier.web.api.session import LOGINS_A_MINUTE
from tests.web.serving import Served, serving
from tests.web.strangers import ELSEWHERE, HOME

OWN = "correct horse battery"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Served]:
    with serving(str(tmp_path / "floor.db"), tmp_path, "--no-demo", env={"CROUPIER_LIMITS": "yes"}) as server:
        yield server


@contextmanager
def browser(floor: Served, address: str = HOME) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=floor.address, transport=httpx.HTTPTransport(local_address=address)) as http:
        http.headers["x-csrftoken"] = http.get("/api/me").cookies["csrftoken"]
        yield http


def test_an_outsider_cannot_lock_the_administrator_out(floor: Served) -> None:
    floor.administrator(OWN)
    with browser(floor, ELSEWHERE) as outsider:
        for _ in range(5):
            assert outsider.post("/api/login", json={"name": "administrator", "password": "a guess of mine"}).status_code == 403
        refused = outsider.post("/api/login", json={"name": "administrator", "password": OWN})
        assert refused.status_code == 403  # even with the right password
        assert (
            "3 failed attempts in a row from your address lock the account there for 15 minutes"
            in refused.json()["error"]["reason"]
        )
    client = floor.client()
    assert client.login("administrator", OWN).role == "administrator"
    (user,) = client.call("GET", "/api/users")
    assert user["locked_from"] == [ELSEWHERE]


@pytest.mark.thorough
def test_neither_a_cookie_nor_a_header_makes_more_attempts_of_one_address(floor: Served) -> None:
    statuses = []
    for number in range(LOGINS_A_MINUTE + 3):
        with browser(floor) as http:
            assert http.post("/api/guests", json={"name": f"Guest {number}"}).status_code == 201  # each with a separate session
            headers = {"X-Forwarded-For": f"198.51.100.{number}", "X-Real-IP": f"198.51.100.{number}"}
            answer = http.post("/api/login", json={"name": f"nobody {number}", "password": "a guess"}, headers=headers)
            statuses.append(answer.status_code)
    assert statuses == [403] * LOGINS_A_MINUTE + [429] * 3
    with browser(floor, ELSEWHERE) as other:
        assert other.post("/api/login", json={"name": "nobody", "password": "a guess"}).status_code == 403
