"""A guest at a table, acting as a person would: by mouse, keyboard or touch.

Do not use `wait_for_function` here: it evaluates text in the page, which the content security policy forbids.
"""

from __future__ import annotations

from itertools import combinations, count
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

TABLES = {
    "641a": "four-card-poker", "643a": "let-it-ride-poker", "649a": "three-card-poker", "653a": "ultimate-texas-hold-em-poker",
    "679a": "three-card-prime", "680a": "saigon-5-card", "682a": "four-card-prime",
}  # fmt: skip
_numbers = count(1)


def a_name(name: str = "Guest") -> str:
    """A unique name, because many tests share the floor."""
    return f"{name} {next(_numbers)}"


def mode(page: Page, *wanted: str) -> str:
    """Wait until the page is in one of these modes, and return it. To bet again, continue from a result that is shown."""
    goes_on = "bet" in wanted and "settled" not in wanted
    page.wait_for_selector(",".join(f'#seat-page[data-mode="{each}"]' for each in (*wanted, *(("settled",) if goes_on else ()))))
    if goes_on and page.get_attribute("#seat-page", "data-mode") == "settled":
        page.get_by_role("button", name="Next round").click()
        page.wait_for_selector('#seat-page:not([data-mode="settled"])')
        return mode(page, *wanted)
    return page.get_attribute("#seat-page", "data-mode") or ""


def primary(page: Page) -> Locator:
    return page.locator("#choices .primary")


def sit_down(page: Page, table: str, name: str = "", buy_in: bool = True) -> int:
    """Take the seat the page proposes, under a new name, with $1,000 in play chips. Return the seat number."""
    page.goto(f"/tables/{quote(table)}")
    mode(page, "watch")
    primary(page).click()
    page.fill("#guest-name", name or a_name())
    page.click("dialog .primary")
    mode(page, "buy")
    if buy_in:
        page.get_by_role("button", name="Buy in for $1,000").click()
        mode(page, "bet")
    expect(page.locator("#where")).to_contain_text("seat")
    return int(page.inner_text("#where").split()[-1])


def area(page: Page, name: str) -> Locator:
    """A betting area of your own seat that accepts a wager now."""
    near = page.get_attribute("#felt svg", "data-near")
    return (
        page.locator(f'.area.open[data-seat="{near}"]')
        .filter(has=page.locator(".hit"))
        .and_(page.locator(f'[aria-label^="{name}"]'))
    )


def bet(page: Page, name: str, cents_shown: str) -> None:
    """Click an area and wait until the amount is on it."""
    before = page.locator(".laid-wager").count()
    area(page, name).first.locator(".hit").click()
    expect(page.locator(".laid-wager")).to_have_count(before + 1)
    expect(page.locator("#laid")).to_contain_text(cents_shown)


def deal(page: Page, alone: bool = True) -> None:
    """Press “Deal”. If no one else has bet, the round starts at once."""
    page.get_by_role("button", name="Deal", exact=True).click()
    if alone:
        page.wait_for_selector('#seat-page:not([data-mode="bet"])')


def fold(page: Page) -> None:
    """Fold the current hand, even one that is sure to be paid, and wait for the page to go on."""
    before = page.get_attribute("#seat-page", "data-moment")
    on = f'#seat-page:not([data-moment="{before}"])'
    page.get_by_role("button", name="Fold").click()
    page.wait_for_selector(f"dialog .danger, {on}")
    if page.locator("dialog .danger").count():
        page.locator("dialog .danger").click()
        page.wait_for_selector(on)


def play_out(page: Page) -> str:
    """Take the page's first proposal for every decision until wagers are open again. Return the settlement text."""
    for _ in range(10):
        now = mode(page, "decide", "set", "settled", "bet", "buy")
        if now == "set":
            set_hand(page)
        elif now == "decide":
            before = page.get_attribute("#seat-page", "data-moment")
            primary(page).click()
            page.wait_for_selector(f'#seat-page:not([data-moment="{before}"])')
        else:
            break
    page.wait_for_selector("#settled .settlement .net")
    return page.inner_text("#settled")


def set_hand(page: Page) -> None:
    """Try one setting after another until the table accepts one."""
    for three in combinations(range(1, 6), 3):
        for index in three:
            page.locator(f'.lies[data-index="{index}"]').first.click()
        primary(page).click()
        page.wait_for_selector('#seat-page:not([data-mode="set"]), #refused .refusal')
        if page.get_attribute("#seat-page", "data-mode") != "set":
            return
        assert "680a.11(b)" in page.inner_text("#refused")
        page.get_by_role("button", name="Choose again").click()
    raise AssertionError("no setting was accepted")
