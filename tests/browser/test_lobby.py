"""The floor page: find a table, tell two tables of a game apart, see which are closed, and show clauses on request."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import bet, deal, mode, sit_down
from tests.browser.screens_staff import log_in
from tests.web.serving import Served, serving
from tests.web.staffing import hire, put, staff

SECOND, SHUT = "high-limit", "shut"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor with a second Three Card Poker table at $25, with a human dealer, and a third that is closed."""
    folder = tmp_path_factory.mktemp("lobby")
    with serving(str(folder / "floor.db"), folder) as server:
        administrator = server.administrator()
        filing = next(each["id"] for each in administrator.call("GET", "/api/submissions") if each["game"] == "649a")
        hire(server, "Dora", "dealer")
        hire(server, "Flora", "floorperson")
        flora = staff(server, "Flora")
        for table in (SECOND, SHUT):
            wish = {"table": table, "filing": filing, "opener": 5_000_000, "practice": True}
            administrator.call("POST", "/api/openings", wish, {"Idempotency-Key": str(uuid.uuid4())})
        flora.do(SECOND, "post limits", minimum=2_500, maximum=50_000)
        put(flora, SHUT, "person")
        flora.do(SHUT, "close table")
        yield server


def cards(page: Page) -> Locator:
    return page.locator(".table-card:visible")


@pytest.fixture
def lobby(open_page: OpenPage) -> Page:
    page = open_page()
    page.goto("/")
    page.wait_for_selector(".table-card[data-ready]")
    return page


@pytest.mark.thorough
def test_tables_are_found_by_game_limits_and_open_seats(lobby: Page) -> None:
    expect(cards(lobby)).to_have_count(9)
    expect(lobby.locator("#found")).to_have_text("9 tables")
    lobby.fill("#find-words", "three poker")
    expect(cards(lobby)).to_have_count(3)
    expect(lobby.locator("#found")).to_have_text("3 of 9 tables")
    lobby.check("#find-seats")
    expect(cards(lobby)).to_have_count(2)
    lobby.select_option("#find-limits", label="Minimum $5")
    expect(cards(lobby)).to_have_count(1)
    lobby.select_option("#find-limits", label="Minimum $25 or less")
    expect(cards(lobby)).to_have_count(2)
    lobby.fill("#find-words", "680a")
    expect(cards(lobby).locator("h2")).to_have_text(["Saigon 5 Card"])
    lobby.fill("#find-words", "roulette")
    expect(lobby.get_by_text("No tables match")).to_be_visible()
    assert findings(lobby) == []
    lobby.get_by_role("button", name="Show all tables").click()
    expect(cards(lobby)).to_have_count(9)
    expect(lobby.locator("#find-words")).to_be_focused()


def test_two_tables_of_a_game_differ_by_name_limits_and_dealer(lobby: Page) -> None:
    first, second = (lobby.locator(f'[data-table="{table}"]') for table in ("three-card-poker", SECOND))
    expect(first.locator("h2")).to_have_text("Three Card Poker")
    expect(second.locator("h2")).to_have_text(f"Three Card Poker {SECOND}")
    expect(first.locator("header")).to_contain_text("$5 to $500 · 649a · automatic dealer")
    expect(second.locator("header")).to_contain_text("$25 to $500 · 649a · automatic dealer")
    lobby.goto(f"/tables/{SECOND}")
    expect(lobby.locator(".here")).to_contain_text(SECOND)


@pytest.mark.thorough
@pytest.mark.parametrize(("who", "role"), [("Dora", "dealer"), ("Flora", "floorperson")])
def test_staff_pages_say_which_of_two_tables_it_is(page: Page, who: str, role: str) -> None:
    log_in(page, who)
    first, second = (page.locator(f'#tables tr[data-table="{table}"] th a') for table in ("three-card-poker", SECOND))
    expect(first).to_have_text("Three Card Poker")
    expect(second).to_have_text(f"Three Card Poker {SECOND}")
    second.click()
    expect(page).to_have_url(re.compile(f"/{role}/{SECOND}$"))
    expect(page.locator(".masthead .here")).to_contain_text(f"Three Card Poker {SECOND}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Three Card Poker {SECOND}")
    expect(page).to_have_title(re.compile(f"Three Card Poker {SECOND}"))


def test_waiting_tasks_name_their_table(page: Page, served: Served) -> None:
    flora = staff(served, "Flora")
    put(flora, SECOND, "person")
    flora.do(SECOND, "credit", amount=4_800_000)  # its inventory is low now
    log_in(page, "Flora")
    expect(page.locator("#waiting li", has_text="inventory is low")).to_contain_text(f"Three Card Poker {SECOND}: ")
    flora.do(SECOND, "fill", amount=4_800_000)
    put(flora, SECOND, "automatic")


def test_a_closed_table_says_so_and_nobody_is_asked_to_sit_there(lobby: Page) -> None:
    shut = lobby.locator(f'[data-table="{SHUT}"]')
    expect(shut).to_contain_text("This table is closed.")
    expect(shut).to_contain_text("live dealer")
    expect(shut.get_by_role("button", name="Play now")).to_be_hidden()
    expect(shut.get_by_role("button", name="Sit down")).to_have_count(0)
    expect(shut.get_by_role("button", name="Watch")).to_be_visible()


@pytest.mark.thorough
def test_the_lobby_fits_a_phone(phone: Page) -> None:
    phone.goto("/")
    phone.wait_for_selector(".table-card[data-ready]")
    assert not overflows(phone)
    assert findings(phone) == []


@pytest.mark.thorough
def test_clauses_are_behind_an_i_until_the_player_wants_the_law(open_page: OpenPage) -> None:
    page = open_page()
    sit_down(page, "four-card-prime")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    assert "682a" not in page.inner_text("#choices")
    expect(page.locator("#choices .cite").first).to_be_hidden()
    page.get_by_role("button", name="The rules behind this").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("682a.11(b)")
    expect(dialog).to_contain_text("Fold, lose Ante $5")
    expect(dialog.get_by_role("link").first).to_have_attribute("href", "/tables/four-card-prime/rules#682a.11(b)")
    assert findings(page) == []
    dialog.get_by_label("Show the law everywhere").check()
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("#choices .cite").first).to_be_visible()
    expect(page.get_by_role("button", name="The rules behind this")).to_be_hidden()
    assert findings(page) == []
    page.reload()
    mode(page, "decide")
    expect(page.locator("#choices .cite").first).to_be_visible()  # the browser remembers the setting
    page.goto("/")
    expect(page.locator("#law")).to_be_checked()
    page.uncheck("#law")
    page.goto("/tables/four-card-prime")
    mode(page, "decide")
    expect(page.locator("#choices .cite").first).to_be_hidden()
