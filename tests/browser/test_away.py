"""A player closes the browser: the seat becomes free at the published time, and the chips are theirs when they return."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import croupier
from tests.browser.looking import findings, overflows
from tests.browser.playing import a_name, mode, sit_down
from tests.web.playing import until
from tests.web.serving import Served, serving

pytestmark = pytest.mark.thorough

TABLE = "three-card-prime"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("away")
    source = os.path.dirname(os.path.dirname(croupier.__file__))
    env = {"PYTHONPATH": source, "CROUPIER_AWAY_SECONDS": "12"}
    with serving(str(folder / "floor.db"), folder, env=env) as server:
        yield server


def players(served: Served) -> list[str]:
    return [seat.player for seat in served.client().seen(TABLE).view.seats.values()]


@pytest.mark.parametrize("device", ["page", "phone"])
def test_a_closed_browser_frees_the_seat_and_keeps_the_chips(device: str, request: pytest.FixtureRequest, served: Served) -> None:
    page: Page = request.getfixturevalue(device)
    name = a_name("Ann")
    seat = sit_down(page, TABLE, name)
    expect(page.locator("#seat-kept")).to_contain_text("kept for 0.2 minutes after your last bet")
    page.goto("about:blank")
    until(lambda: name not in players(served))
    page.goto("/")
    expect(page.locator("#kept")).to_contain_text("$1,000 at Three Card Prime")
    assert findings(page) == []
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("dialog")).to_contain_text("The house is holding chips for this name")
    expect(page.get_by_role("dialog").get_by_role("button", name="Change name")).to_have_count(0)
    page.get_by_role("button", name="Close").click()
    page.locator("#kept a").click()
    mode(page, "watch")
    expect(page.locator("#moment")).to_have_text("The house is holding $1,000 for you")
    assert findings(page) == []
    assert not overflows(page)
    page.get_by_role("button", name=f"Sit down with $1,000 at seat {seat}").click()
    mode(page, "bet")
    expect(page.locator("#chips")).to_have_text("$1,000")


def test_play_now_takes_the_kept_chips_and_buys_no_others(page: Page, served: Served) -> None:
    page.goto("/")
    page.locator(f'[data-play="{TABLE}"]').click()
    mode(page, "bet")
    name = page.get_attribute("#seat-page", "data-me")
    until(lambda: name not in players(served))
    expect(page.locator("#moment")).to_have_text("The house is holding $1,000 for you")  # while they watch
    page.goto("/")
    page.locator(f'[data-play="{TABLE}"]').click()
    mode(page, "bet")
    expect(page.locator("#chips")).to_have_text("$1,000")
