"""A guest after “Play now”: another seat, another name, and leaving the floor."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import findings
from tests.browser.playing import a_name, bet, mode

pytestmark = pytest.mark.thorough


def play_now(page: Page, table: str) -> str:
    page.goto("/")
    page.locator(f'[data-play="{table}"]').click()
    mode(page, "bet")
    return page.get_attribute("#seat-page", "data-me") or ""


def open_menu(page: Page, name: str) -> None:
    page.goto("/")
    page.wait_for_selector(".table-card[data-ready]")
    page.get_by_role("button", name=name).click()


def test_another_seat_with_the_same_chips(page: Page) -> None:
    name = play_now(page, "three-card-prime")
    before = page.inner_text("#where")
    page.get_by_role("button", name="Change seat").click()
    page.get_by_role("dialog").get_by_role("button", name="Seat 1", exact=True).click()
    expect(page.locator("#where")).to_have_text("· seat 1")
    assert before != "· seat 1"
    expect(page.locator("#chips")).to_have_text("$1,000")
    expect(page.locator("#seats")).to_contain_text(f"{name} (you)")
    expect(page.locator("#seats li")).to_have_count(1)


def test_a_seated_guest_leaves_the_seat_before_the_name(page: Page) -> None:
    name = play_now(page, "three-card-prime")
    open_menu(page, name)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You are seated at Three Card Prime, seat")
    expect(dialog).to_contain_text("leave your seat first")
    expect(dialog.get_by_role("button", name="Change name")).to_have_count(0)
    assert findings(page) == []


def test_another_name_and_a_taken_one(page: Page, allowed: list[str]) -> None:
    allowed.append("409")
    name = play_now(page, "three-card-prime")
    page.keyboard.press("l")
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    page.wait_for_url("**/")
    open_menu(page, name)
    page.fill("#new-name", name)  # taken by this guest
    page.get_by_role("button", name="Change name").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("is taken")
    page.reload()
    expect(page.locator("#guest")).to_have_text(name)
    open_menu(page, name)
    other = a_name("Renamed")
    page.fill("#new-name", other)
    page.get_by_role("button", name="Change name").click()
    expect(page.locator("#guest")).to_have_text(other)


def test_sounds_are_off_by_default_and_the_setting_is_kept(page: Page) -> None:
    play_now(page, "three-card-prime")
    expect(page.locator("#sounds")).not_to_be_checked()
    page.check("#sounds")
    bet(page, "Ante Wager", "$5")  # with sound; a console error fails the test
    page.reload()
    mode(page, "bet")
    expect(page.locator("#sounds")).to_be_checked()
    page.get_by_role("button", name="Clear bets").click()
    expect(page.locator(".laid-wager")).to_have_count(0)


def test_a_guest_leaves_the_floor_and_the_browser_forgets_them(page: Page) -> None:
    name = play_now(page, "three-card-prime")
    open_menu(page, name)
    expect(page.get_by_role("dialog")).to_contain_text("gives up your 1 seat and the chips there")
    page.get_by_role("button", name="Leave the floor").click()
    expect(page.get_by_role("link", name="Staff")).to_be_visible()
    expect(page.locator("#guest")).to_have_count(0)
    expect(page.locator('[data-table="three-card-prime"] .sitting')).to_contain_text("No players yet")
    expect(page.get_by_text("Come back as")).to_have_count(0)
