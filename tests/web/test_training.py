"""The trainer's API and page: hard hands for every game that can be priced, and a reason for the others."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import Any

import httpx
import pytest

from croupier.book import find
from croupier.client import Refused
from croupier.filing.template import example_submission as example
from croupier.web.workers.coach import CLOSE, Coach, Drills
from tests.web.playing import until
from tests.web.serving import Served


def training(served: Served, table: str) -> dict[str, Any]:
    client = served.client()
    found: dict[str, Any] = until(
        lambda: (told := client.call("GET", f"/api/tables/{table}/training"))["thinking"] is False and told, 240
    )
    return found


def test_a_visitor_gets_close_calls_with_their_exact_values(served: Served) -> None:
    told = training(served, "three-card-poker")
    assert told["close"] == CLOSE
    assert told["drills"]
    for drill in told["drills"]:
        assert len(drill["held"]) == 3
        assert (drill["cite"], drill["unit"], drill["up"], drill["board"]) == ("649a.11(b)", "Ante Wager", [], [])
        assert drill["asks"].startswith("After seeing your ")
        values = {each["choice"]: Fraction(each["exact"]) for each in drill["choices"]}
        assert list(values) == ["play", "fold"], "in the order of the chapter, whichever is best"
        assert values["fold"] == -1
        gap = abs(values["play"] - values["fold"])
        assert 0 < gap <= Fraction(CLOSE)
        costs = {each["choice"]: Fraction(each["costs"]) for each in drill["choices"]}
        best = max(values, key=lambda choice: values[choice])
        assert costs.pop(best) == 0
        assert abs(costs.popitem()[1] - gap) < Fraction(1, 1_000_000)


def test_the_hands_of_each_request_are_new(served: Served) -> None:
    first, second = (training(served, "three-card-poker")["drills"] for _ in range(2))
    assert {*map(str, first)} != {*map(str, second)}


@pytest.mark.thorough
def test_a_game_without_close_calls_says_so_and_how_it_is_played(served: Served) -> None:
    with pytest.raises(Refused) as caught:
        training(served, "saigon-5-card")
    assert caught.value.status == 409
    assert "no close decisions" in caught.value.reason
    assert "Set the highest Point Count that the cards allow." in caught.value.reason


@pytest.mark.parametrize("name", ["three-card-poker", "649a"])
def test_the_page_is_found_by_table_and_by_chapter(served: Served, name: str) -> None:
    page = httpx.get(f"{served.address}/train/{name}")
    assert page.status_code == 200
    assert 'data-table="three-card-poker"' in page.text
    assert f"at most {CLOSE} units" in page.text


def test_another_game_is_not_found(served: Served) -> None:
    assert httpx.get(f"{served.address}/train/999a").status_code == 404


@pytest.mark.thorough
def test_hands_that_nobody_waited_for_are_kept_for_the_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.web.workers.coach.PATIENCE", 0.01)

    async def ask() -> list[Drills | str | None]:
        coach, submission = Coach(), example(find("643a").edition())
        try:
            found = [await coach.deal("643a", submission)]
            while found[-1] is None:
                found.append(await coach.deal("643a", submission))
            return found
        finally:
            await coach.stop()

    first, *_, last = asyncio.run(ask())
    assert first is None
    assert isinstance(last, tuple)
    assert all(drill.choices[0].choice in ("ride", "withdraw") for drill in last)


@pytest.mark.parametrize("path", ["", "/rules"])
def test_the_trainer_is_offered_only_where_something_is_decided(served: Served, path: str) -> None:
    offered = [
        f"/train/{table}" in httpx.get(f"{served.address}/tables/{table}{path}").text
        for table in ("three-card-poker", "saigon-5-card")
    ]
    assert offered == [True, False]
