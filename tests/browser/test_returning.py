"""A guest the floor has forgotten returns: with the code the browser keeps, by typing it, or with a floorperson's code."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import croupier
from tests.browser.conftest import PATIENCE, OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import a_name, mode, sit_down
from tests.browser.screens_staff import log_in
from tests.web.serving import Served, serving
from tests.web.staffing import FLOORPERSON, hire

pytestmark = pytest.mark.thorough

TABLE = "three-card-prime"
CODE = re.compile(r"[2-9a-z]{4}(-[2-9a-z]{4}){4}")
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forgotten") / "floor.db"


@pytest.fixture(scope="module")
def served(database: Path) -> Iterator[Served]:
    source = os.path.dirname(os.path.dirname(croupier.__file__))
    with serving(str(database), database.parent, env={"PYTHONPATH": source}) as server:
        hire(server, FLOORPERSON, "floorperson")
        yield server


@pytest.fixture(autouse=True)
def refusals(allowed: list[str]) -> None:
    allowed.append(r"status of 4\d\d")


def lose_the_sessions(database: Path) -> None:
    with sqlite3.connect(f"{database}-sessions", timeout=10) as sessions:
        assert sessions.execute("DELETE FROM sessions").rowcount > 0


def sits(page: Page, name: str, seat: int) -> None:
    mode(page, "bet")
    expect(page.locator("#where")).to_contain_text(f"seat {seat}")
    expect(page.locator("#chips")).to_have_text("$1,000")
    expect(page.locator("#seats")).to_contain_text(f"{name} (you)")


def test_the_code_is_shown_and_this_browser_comes_back_with_it(page: Page, database: Path) -> None:
    name = a_name("Ada")
    seat = sit_down(page, TABLE, name)
    assert CODE.fullmatch(page.inner_text("#recovery-code"))
    assert findings(page) == []
    page.click("#code-noted")
    expect(page.locator("#recovery-code")).to_be_hidden()
    lose_the_sessions(database)
    page.wait_for_timeout(1500)  # until the server's session cache expires
    page.reload()
    mode(page, "watch")
    assert findings(page) == []
    page.get_by_role("button", name=f"Come back as {name}").click()
    sits(page, name, seat)
    expect(page.locator("#recovery-code")).to_be_hidden()  # the guest has noted it


def test_a_code_is_typed_on_another_device(page: Page, open_page: OpenPage, database: Path) -> None:
    name = a_name("Ben")
    seat = sit_down(page, TABLE, name)
    code = page.inner_text("#recovery-code")
    lose_the_sessions(database)
    other = open_page(viewport={"width": 390, "height": 844})
    other.goto("/")
    other.get_by_role("link", name="Return to your seat").click()
    assert findings(other) == []
    assert not overflows(other)
    other.fill("#code", "abcd-efgh-jkmn-pqrs-tuvw")
    other.keyboard.press("Enter")
    expect(other.locator("[data-problem]")).to_contain_text("ask a floorperson for a new one")
    other.fill("#code", code.upper().replace("-", " "))
    other.keyboard.press("Enter")
    other.wait_for_url(re.compile(r"/$"))
    other.goto(f"/tables/{TABLE}")
    sits(other, name, seat)


def test_a_floorperson_hands_the_seat_back(page: Page, open_page: OpenPage, database: Path) -> None:
    name = a_name("Cy")
    seat = sit_down(page, TABLE, name)
    floorperson = open_page()
    log_in(floorperson, FLOORPERSON)
    floorperson.goto(f"/floorperson/{TABLE}")
    floorperson.get_by_role("button", name=f"Hand back seat {seat} to its player").click()
    floorperson.get_by_label("Reason").fill("lost his phone")
    floorperson.get_by_role("button", name="Create a code").click()
    code = floorperson.inner_text("#handed-code")
    assert CODE.fullmatch(code)
    assert findings(floorperson) == []
    other = open_page()
    other.goto(f"/return#{code}")
    expect(other.locator("#code")).to_have_value(code)
    assert code not in other.url
    other.click("button.primary")
    other.wait_for_url(re.compile(r"/$"))
    other.goto(f"/tables/{TABLE}")
    sits(other, name, seat)
    assert other.inner_text("#recovery-code") != code, "a new one, which this browser keeps"
    mode(page, "watch")  # the lost phone no longer has a seat
