"""Surveillance and the administrator in a real browser, through whole tasks."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from croupier import book
from croupier.client import Client
from croupier.filing.template import example_submission as example
from tests.browser.conftest import OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.screens_back import log_in
from tests.web.playing import ante, asked, new_name, play_three_card_poker, sit, until
from tests.web.serving import Served

TABLE = "three-card-poker"
OWN = "a phrase of my own"


@pytest.fixture(scope="module")
def administrator(served: Served) -> Client:
    return served.administrator()


@pytest.fixture(scope="module")
def watcher(served: Served, administrator: Client) -> tuple[str, str]:
    name = new_name("Vera")
    made = administrator.call("POST", "/api/users", {"name": name, "role": "surveillance"})
    client = served.client()
    client.login(name, made["password"])
    client.change_password(made["password"], OWN)
    return name, OWN


@pytest.fixture
def player(served: Served) -> Any:
    client = served.guest(new_name("Ann"))
    free = next(n for n in range(1, 8) if n not in client.seen(TABLE).view.seats)
    sit(client, TABLE, free)
    client.seat = free  # type: ignore[attr-defined]
    yield client
    until(lambda: client.seen(TABLE).view.phase == "betting")
    client.do(TABLE, "leave", seat=free)


def clean(page: Page) -> None:
    assert findings(page) == []
    assert not overflows(page)


def submission(facility: str, **changes: str) -> str:
    text = example(book.find("649a").edition()).replace("Example Casino", facility)
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    return text


@pytest.mark.thorough
def test_surveillance_watches_a_table_live(page: Page, watcher: tuple[str, str], player: Any) -> None:
    log_in(page, *watcher)
    page.goto("/surveillance")
    card = page.locator(f"[data-table={TABLE}]")
    expect(card).to_contain_text("betting")
    expect(page.locator("#link")).to_have_text("live")
    ante(player, TABLE, player.seat)
    expect(card).to_contain_text("$10")
    player.ready(TABLE)
    mine = asked(player, TABLE, player.seat).round.boxes[player.seat].cards
    expect(card.locator(".hands svg.card")).to_have_count(6)
    clean(page)
    card.get_by_role("link").click()
    expect(page.locator("#link")).to_have_text("live")
    for each in mine:
        expect(page.locator(f'#felt .laid use[data-card="{each}"]')).to_have_count(1)
        expect(page.locator(f'#boxes use[data-card="{each}"]')).to_have_count(1)
    expect(page.locator('#felt .laid use[data-card="back"]')).to_have_count(0)
    expect(page.locator("#log li").first).to_contain_text("deals 6 cards")
    clean(page)
    player.do(TABLE, "decide", seat=player.seat, choice="fold")
    expect(page.locator("#log")).to_contain_text("says “fold”")
    versions = page.eval_on_selector_all("#log li", "all => all.map(each => Number(each.dataset.version))")  # all at one moment
    assert versions == sorted(set(versions), reverse=True)


@pytest.mark.thorough
def test_the_log_of_a_table_misses_nothing_that_happens_while_it_is_fetched(
    page: Page, watcher: tuple[str, str], player: Any
) -> None:
    log_in(page, *watcher)
    page.goto("/surveillance")  # from here on, requests for the log are slow, and something happens during one
    said = []

    def slow(route: Any) -> None:
        answer = route.fetch()
        if not said:
            said.append(player.do(TABLE, "tip", seat=player.seat, amount=100))
            page.wait_for_timeout(300)
        route.fulfill(response=answer)

    page.route("**/events?before=*", slow)
    page.goto(f"/surveillance/tables/{TABLE}")
    expect(page.locator("#log li").first).to_contain_text("tips")
    expect(page.locator("#log li").nth(3)).to_be_visible()
    versions = page.eval_on_selector_all("#log li", "all => all.map(each => Number(each.dataset.version))")
    assert said[0].version in versions
    assert versions == list(range(versions[0], versions[-1] - 1, -1))


def test_surveillance_finds_a_round_and_replays_it_by_keyboard(page: Page, watcher: tuple[str, str], player: Any) -> None:
    play_three_card_poker(player, player.seat)
    log_in(page, *watcher)
    page.goto("/surveillance/search")
    page.get_by_label("Player").fill(player.name)
    page.get_by_label("Bet or won").fill("20")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#status")).to_have_text("1 round, newest first.")
    expect(page.locator("#found tbody tr")).to_contain_text(player.name)
    clean(page)
    page.get_by_label("Bet or won").fill("1000")  # more than any hand wins, including an Ante Bonus
    page.get_by_label("Bet or won").press("Enter")
    expect(page.locator("#status")).to_contain_text("No matching rounds")
    page.get_by_label("Bet or won").fill("20")
    page.get_by_label("Bet or won").press("Enter")
    page.locator("#found").get_by_role("link").click()
    expect(page.locator("#count")).to_have_text(re.compile(r"^1 of \d+$"))
    page.locator("h1").click()
    dealing = next(n for n, each in enumerate(page.locator("#log li").all_inner_texts()) if "deals 6 cards" in each)
    for _ in range(dealing):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_have_text(re.compile(rf"^{dealing + 1} of \d+$"))
    expect(page.locator("#now")).to_contain_text("deals 6 cards")
    expect(page.locator("#felt .laid .card")).to_have_count(6)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#felt .laid .card")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("#now")).to_contain_text("discard rack")
    expect(page.locator("#result tr", has_text="Play Wager")).to_contain_text("$10")
    expect(page.locator("#result tr", has_text="Play Wager")).to_contain_text("649a.")
    expect(page.locator("#begun")).to_have_text(re.compile(r"^Began \w+ \d+, 20\d\d, \d\d:\d\d:\d\d$"))
    net = page.locator("#result tr.total", has_text=player.name)
    expect(net).to_contain_text(re.compile(r"[+−]\$\d+|\$0"))
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_contain_text("Pause")
    expect(page.locator("#count")).to_have_text(re.compile(r"^3 of"))
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_contain_text("Play")
    page.locator("#at").fill(str(dealing))
    expect(page.locator("#now")).to_contain_text("deals 6 cards")
    page.locator("#log li button").last.click()
    expect(page.locator("#now")).to_contain_text("discard rack")
    clean(page)


def test_surveillance_sees_the_hold(page: Page, watcher: tuple[str, str], player: Any) -> None:
    play_three_card_poker(player, player.seat)
    log_in(page, *watcher)
    page.goto("/surveillance/hold")
    section = page.locator(f"section[data-table={TABLE}]")
    expect(section.locator("tbody tr").first).to_contain_text("Ante Wager")
    expect(section).to_contain_text("being computed")
    clean(page)


HOLD = {
    "tables": [{
        "table": "T1", "title": "Three Card Poker", "rounds": 1000, "void": 2, "drop": 5_000_000, "handle": 3_000_000, "win": 700_000,
        "abandoned": 0, "hold": 0.14, "flagged": True, "wagers": [
            {"table": "T1", "offer": "x", "wager": wager, "rounds": 1000, "bets": 1000, "base": 1, "handle": 1_000_000, "win": win,
             "contributed": 0, "from_meter": 0, "hold": 0.1, "expected": expected, "expected_hold": 0.03, "deviation": 20_000,
             "deviation_apart": 1, "deviation_at_most": 2, "z": z, "flagged": abs(z) > 3, "enough": True, "needs": 30, "odds": "known"}
            for wager, win, expected, z in (("Ante Wager", 40_000, 30_000, 0.5), ("Pair Plus Wager", -60_000, 20_000, -4.0))
        ],
    }],
    "assumed": ["Expected with best play."], "beyond": 3,
}  # fmt: skip


@pytest.mark.thorough
def test_a_win_beyond_three_deviations_is_flagged_and_drawn_where_it_lies(page: Page, watcher: tuple[str, str]) -> None:
    """Known figures, so that the chart can be checked against them."""
    log_in(page, *watcher)
    page.route("**/api/surveillance/hold*", lambda route: route.fulfill(json=HOLD))
    page.goto("/surveillance/hold")
    marks = page.locator(".hold-chart .won")
    expect(marks).to_have_count(2)
    expect(page.locator(".hold-chart")).to_contain_text("won $400, expected $300 ± $200")
    expect(page.locator("tbody tr").nth(1)).to_contain_text("beyond three")
    expect(page.locator("tbody tr").nth(0)).to_contain_text("within three")
    expected, deviation = (page.locator(f".hold-chart {each}").first.bounding_box() for each in (".expected", ".band1"))
    assert expected
    assert deviation
    middle, one = expected["x"] + expected["width"] / 2, deviation["width"] / 2
    for n, z in ((0, 0.5), (1, -4.0)):
        box = marks.nth(n).bounding_box()
        assert box
        assert abs(box["x"] + box["width"] / 2 - (middle + z * one)) < 2
    clean(page)


@pytest.mark.thorough
def test_the_administrator_adds_a_user_whose_password_is_shown_once(page: Page, administrator: Client, served: Served) -> None:
    log_in(page, "administrator", "correct horse battery")
    page.goto("/administrator")
    name = new_name("Dan")
    page.get_by_label("Name").fill(name)
    page.get_by_label("floorperson").check()
    page.get_by_role("button", name="Add user").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(name)
    password = dialog.locator(".password").inner_text()
    clean(page)
    dialog.get_by_role("button", name="Done").click()
    line = page.locator(f'[data-user="{name}"]')
    expect(line).to_contain_text("one-time password")
    assert password not in page.content()
    assert served.client().login(name, password).role == "floorperson"
    line.get_by_role("button", name="Change role").click()
    page.get_by_role("dialog").get_by_label("Role").select_option("dealer")
    page.get_by_role("dialog").get_by_role("button", name="Change role").click()
    expect(line).to_contain_text("dealer")
    line.get_by_role("button", name="Disable").click()
    page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    expect(line).to_contain_text("disabled")
    clean(page)
    page.goto("/administrator/audit")
    expect(page.locator("#audit")).to_contain_text(f"added the user {name} as floorperson")
    page.get_by_label("Filter the entries").fill(f"disabled {name}")
    expect(page.locator("#audit tbody tr:visible")).to_have_count(1)
    clean(page)


def approve_as_another(open_page: OpenPage, administrator: Client, served: Served, address: str) -> None:
    """A second administrator, with a separate login and browser, approves what the first one filed."""
    name = new_name("Bea")
    made = administrator.call("POST", "/api/users", {"name": name, "role": "administrator"})
    client = served.client()
    client.login(name, made["password"])
    client.change_password(made["password"], OWN)
    other = open_page()
    log_in(other, name, OWN)
    other.goto(address)
    expect(other.locator("#state ~ dl")).to_contain_text("by administrator")
    clean(other)
    other.get_by_role("button", name="Approve").click()
    expect(other.locator("#state ~ dl")).to_contain_text("in effect")
    expect(other.locator("#state ~ dl")).to_contain_text(f"Approved by{name}")
    clean(other)


def test_from_a_submission_to_a_table_and_its_paper(
    page: Page, open_page: OpenPage, administrator: Client, served: Served, tmp_path: Path
) -> None:
    log_in(page, "administrator", "correct horse battery")
    page.goto("/administrator/submissions")
    facility, table = f"Riverside {uuid.uuid4().hex[:6]}", f"R-{uuid.uuid4().hex[:6]}"
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(submission(facility, **{'"Pair Plus Wager" = "A"': '"Pair Plus Wager" = "Z"'}))
    page.get_by_label("TOML file").set_input_files(wrong)
    expect(page.get_by_label("Or paste its text")).to_have_value(re.compile(facility))
    page.get_by_role("button", name="File", exact=True).click()
    found = page.locator(".findings li").first
    expect(found).to_contain_text("649a.12(d)")
    expect(found).to_contain_text("error")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    clean(page)
    page.goto("/administrator/submissions")
    linked = f'linked = {{ "Three-Card Progressive Payout Wager" = "house {table}" }}'
    page.get_by_label("Or paste its text").fill(submission(facility, **{"minimum = 5": f"{linked}\nminimum = 5"}))
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.locator("#found + p")).to_have_text("None so far.")  # its odds are not known
    expect(page.locator("#approve")).to_contain_text("another administrator must approve it")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    clean(page)
    approve_as_another(open_page, administrator, served, page.url)
    page.reload()
    expect(page.locator("#state ~ dl")).to_contain_text("in effect")
    with page.expect_download(timeout=120_000) as saved:
        page.get_by_role("button", name="layout as SVG").click()
    assert saved.value.suggested_filename.endswith("three-card-poker-layout.svg")
    assert "THREE CARD POKER" in Path(saved.value.path()).read_text()
    clean(page)
    page.get_by_role("link", name="Open a table with it").click()
    for option in page.locator("#filing option").all():  # the id, which tells two filings apart, is not cut off
        assert option.inner_text().startswith(option.get_attribute("value") or "no id")
    page.get_by_label("Table name").fill(table)
    clean(page)
    page.get_by_role("button", name="Open the table").click()
    line = page.locator(f'[data-table="{table}"]')
    expect(line).to_contain_text("Three Card Poker")
    expect(page.locator("#meters")).to_contain_text(f"linked as house {table}")
    assert page.get_by_role("region", name="Tables").evaluate(
        "each => each.scrollWidth <= each.clientWidth"
    )  # no button is cut off
    line.get_by_role("button", name="Change").click()
    page.get_by_role("dialog").get_by_label("Dealer").select_option("person")
    page.get_by_role("dialog").get_by_role("button", name="Change").click()
    expect(line).to_contain_text("person")
    page.goto("/administrator/audit")
    expect(page.locator("#audit")).to_contain_text("printed the layout")
    expect(page.locator("#audit")).to_contain_text("opened the table")
    guest = served.guest(new_name())
    sits = guest.do(table, "sit", seat=2, player=guest.name)
    assert sits.event == "player seated"


@pytest.mark.thorough
def test_two_submissions_side_by_side(page: Page, administrator: Client) -> None:
    one, other = (
        administrator.call("POST", "/api/submissions", {"text": submission(f"C {uuid.uuid4().hex[:6]}", **changes)})["id"]
        for changes in ({}, {'"Pair Plus Wager" = "A"': '"Pair Plus Wager" = "C"'})
    )
    log_in(page, "administrator", "correct horse battery")
    page.goto(f"/administrator/compare?one={one}&other={other}")
    line = page.locator("#difference tr", has_text="Three-of-a-kind")
    expect(line).to_contain_text("25 to 1")
    expect(line).to_contain_text("30 to 1")
    expect(line).to_contain_text("649a.12(d)")
    clean(page)


def test_a_backup_is_taken_and_the_page_says_how_to_restore_it(page: Page, administrator: Client) -> None:
    log_in(page, "administrator", "correct horse battery")
    page.goto("/administrator/backup")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download backup").click()
    assert saved.value.path().read_bytes().startswith(b"SQLite format 3\0")
    expect(page.locator("#restore")).to_contain_text("croupier restore BACKUP --database")
    clean(page)


@pytest.mark.thorough
def test_on_a_phone_and_in_the_dark(open_page: OpenPage, watcher: tuple[str, str], player: Any, administrator: Client) -> None:
    play_three_card_poker(player, player.seat)
    filing = administrator.call("GET", "/api/submissions")[-1]["id"]
    rounds = f"/surveillance/tables/{TABLE}/rounds/1"
    pages = {
        watcher: ("/surveillance", f"/surveillance/tables/{TABLE}", rounds, "/surveillance/search", "/surveillance/hold"),
        ("administrator", "correct horse battery"): tuple(
            f"/administrator/{name}"
            for name in ("users", "submissions", f"submissions/{filing}", "compare", "tables", "audit", "backup")
        ),
    }
    for login, paths in pages.items():
        page = open_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme="dark")
        log_in(page, *login)
        for path in paths:
            page.goto(path)
            expect(page.locator(".loading")).to_have_count(0)
            assert findings(page) == [], path
            assert not overflows(page), path
