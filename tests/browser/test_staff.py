"""A dealer's and a floorperson's work through their pages, in a real browser on a real floor."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from croupier.client import Client
from tests.browser.conftest import PATIENCE, PHONE, OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import sit_down
from tests.browser.screens_staff import log_in
from tests.examples import thorough
from tests.web.playing import ante, new_name
from tests.web.serving import Served, serving
from tests.web.staffing import DEALER, FLOORPERSON, PASSWORD, finish_round, hire, put, ready_the_deck, staff

TABLE, PROGRESSIVE = "three-card-poker", "Three-Card Progressive Payout Wager"
expect.set_options(timeout=PATIENCE)
REFUSED = r"the server responded with a status of 4\d\d"


class House:
    def __init__(self, served: Served) -> None:
        self.served = served
        hire(served, DEALER, "dealer")
        hire(served, FLOORPERSON, "floorperson")
        self.dealer, self.floorperson = staff(served, DEALER), staff(served, FLOORPERSON)


@pytest.fixture(scope="module")
def served_with(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, House]]:
    folder = tmp_path_factory.mktemp("staffed")
    database = str(folder / "floor.db")
    with serving(database, folder) as server:
        yield server, House(server)


@pytest.fixture(scope="module")
def served(served_with: tuple[Served, House]) -> Served:
    return served_with[0]


@pytest.fixture(scope="module")
def house(served_with: tuple[Served, House]) -> House:
    return served_with[1]


@pytest.fixture
def players(served: Served, house: House) -> Iterator[dict[int, Client]]:
    """Two players at Three Card Poker, with a human dealer and a deck that is ready."""
    put(house.floorperson, TABLE, "person")
    seated = {}
    for seat in (2, 5):
        seated[seat] = served.guest(new_name("Player"))
        seated[seat].do(TABLE, "sit", seat=seat, player=seated[seat].name)
        seated[seat].do(TABLE, "buy in", seat=seat, amount=100_000)
    ready_the_deck(house.dealer, house.floorperson, TABLE, 2)
    yield seated
    if house.dealer.seen(TABLE).view.round:
        finish_round(house.dealer, house.floorperson, TABLE, seated, "fold")
    for seat, client in seated.items():
        if seat in client.seen(TABLE).view.seats:
            client.do(TABLE, "leave", seat=seat)


def press(page: Page, do: str) -> None:
    page.locator(f'#choices [data-do="{do}"]').first.click()


def confirm(page: Page) -> None:
    page.locator("dialog[open] form button.primary").click()


# the login


@pytest.mark.thorough
def test_a_one_time_password_is_changed_and_the_role_has_its_page(open_page: OpenPage, house: House, allowed: list[str]) -> None:
    allowed.append(REFUSED)
    one_time = hire(house.served, "Nina New", "dealer", password="")
    page = open_page()
    page.goto(f"/dealer/{TABLE}")
    expect(page).to_have_url(re.compile(r"/login\?next="))
    assert not findings(page)
    page.fill("#name", "Nina New")
    page.fill("#password", "wrong at first")
    page.click("#form-login button.primary")
    expect(page.locator("#form-login [data-problem]")).to_contain_text("Wrong name or password")
    page.fill("#password", one_time)
    page.click("#form-login button.primary")
    expect(page.get_by_role("heading", name="Choose a new password")).to_be_visible()
    page.fill("#new", PASSWORD)
    page.fill("#again", "something else")
    page.click("#form-change button.primary")
    expect(page.locator("#form-change [data-problem]")).to_have_text("The new passwords do not match.")
    page.fill("#again", PASSWORD)
    page.click("#form-change button.primary")
    expect(page).to_have_url(re.compile(f"/dealer/{TABLE}$"))  # where they wanted to go
    expect(page.locator("#me")).to_contain_text("Nina New")
    page.click("#log-out")
    expect(page).to_have_url(re.compile(r"/login(\?|$)"))
    page.goto("/dealer")
    expect(page).to_have_url(re.compile("/login"))


@pytest.mark.thorough
def test_a_lockout_is_explained_plainly(open_page: OpenPage, house: House, allowed: list[str]) -> None:
    allowed.append(REFUSED)
    hire(house.served, "Lena", "floorperson")
    page = open_page()
    page.goto("/login")
    for word in ("one", "two", "three", PASSWORD):
        page.fill("#name", "Lena")
        page.fill("#password", word)
        with page.expect_response("**/api/login"):
            page.click("#form-login button.primary")
    problem = page.locator("#form-login [data-problem]")
    expect(problem).to_contain_text("3 failed attempts")
    expect(problem).to_contain_text("15 minutes")


@pytest.mark.thorough
def test_the_screen_locks_and_opens_again(open_page: OpenPage, players: dict[int, Client], allowed: list[str]) -> None:
    allowed.append(REFUSED)
    page = open_page()
    log_in(page, DEALER)
    page.goto(f"/dealer/{TABLE}")
    expect(page.locator("#moment")).to_have_text("Betting is open")
    page.click("#lock")
    dialog = page.locator("dialog.lock")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    page.fill("#lock-password", "wrong")
    page.click("dialog.lock button.primary")
    expect(dialog.get_by_role("alert")).to_contain_text("Wrong name or password")
    assert not findings(page)
    page.fill("#lock-password", PASSWORD)
    page.click("dialog.lock button.primary")
    expect(dialog).to_have_count(0)
    ante(players[2], TABLE, 2)
    expect(page.locator('#boxes [data-box="2"] .wagers')).to_contain_text("$10")  # live again
    # the page's next command finds a lock made elsewhere
    page.evaluate("fetch('/api/lock', {method: 'POST', headers: {'x-csrftoken': document.cookie.match(/csrftoken=([^;]*)/)[1]}})")
    page.reload()
    expect(page.get_by_role("heading", name="Screen locked")).to_be_visible()
    page.fill("#again-password", PASSWORD)
    page.click("#form-unlock button.primary")
    expect(page).to_have_url(re.compile(f"/dealer/{TABLE}$"))
    players[2].do(TABLE, "take back wager", seat=2, wager="Ante Wager")


# the dealer


def test_a_dealer_deals_a_round_through_the_page(open_page: OpenPage, house: House, players: dict[int, Client]) -> None:
    for seat, client in players.items():
        ante(client, TABLE, seat, 2500)
    page = open_page()
    page.add_init_script("const right = Date.now; Date.now = () => right() + 3_600_000;")  # this computer's clock is an hour fast
    log_in(page, DEALER)
    expect(page).to_have_url(re.compile("/dealer$"))
    page.locator(f'tr[data-table="{TABLE}"] [data-part="go"]').click()
    expect(page.locator("#say")).to_have_text("“No more bets.”")
    expect(page.locator('#steps [data-state="now"]')).to_contain_text("649a.10(a)(2)")
    expect(page.locator('#boxes [data-box="5"] .wagers')).to_have_text(re.compile(r"Ante \$25"))
    assert not findings(page)
    press(page, "no more bets")  # nothing to count: no one made a progressive wager
    one_card = page.get_by_role("button", name=re.compile("Deal one card"))
    one_card.click()
    expect(page.locator("#felt .laid .lies[aria-label='a face-down card']")).to_have_count(1)
    page.get_by_role("button", name=re.compile("Deal all 8 cards")).click()
    expect(page.locator("#felt .laid .lies[aria-label='a face-down card']")).to_have_count(9)
    for seat, client in players.items():
        expect(page.locator("#say")).to_have_text(f"“Box {seat}: play or fold?”")
        expect(page.locator("#clock")).to_have_text(re.compile(r"^(90|[1-8]?\d) s left to decide$"))
        client.do(TABLE, "decide", seat=seat, choice="play")
    _settle(page)
    view = house.dealer.seen(TABLE).view
    assert view.round is None
    expect(page.locator("#log li").first).to_contain_text("The cards go to the discard rack")


def _settle(page: Page) -> None:
    """Do whatever the page expects next until the cards are cleared."""
    for _ in range(20):
        expected = page.locator("#choices button.primary")
        expect(expected).to_be_visible()
        do, before = expected.get_attribute("data-do"), page.locator("#log li").first.get_attribute("data-version")
        expected.click()
        expect(page.locator("#log li").first).not_to_have_attribute("data-version", before or "")
        if do == "clear cards":
            return
    raise AssertionError("the round never ended")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "table",
    thorough(
        [
            "four-card-poker",
            "let-it-ride-poker",
            "ultimate-texas-hold-em-poker",
            "three-card-prime",
            "saigon-5-card",
            "four-card-prime",
        ],
        unless=["ultimate-texas-hold-em-poker"],
    ),
)
def test_every_game_is_dealt_through_the_page(open_page: OpenPage, served: Served, house: House, table: str) -> None:
    """Do whatever the page expects next, with every wager a player may make, including forms, counts and settings."""
    put(house.floorperson, table, "person")
    player = served.guest(new_name("Player"))
    player.do(table, "sit", seat=3, player=player.name)
    player.do(table, "buy in", seat=3, amount=200_000)
    ready_the_deck(house.dealer, house.floorperson, table, 3)
    _wager_everything(player, table)
    page = open_page()
    log_in(page, DEALER)
    page.goto(f"/dealer/{table}")
    expect(page.locator("#say")).to_have_text("“No more bets.”")
    for _ in range(60):
        view = player.seen(table).view
        if view.phase == "betting" and not view.wagers:
            break
        if asked := [each for each in player.seen(table).can if each.do in ("decide", "set hand") and not each.asks]:
            player.choose(table, next((each for each in asked if each.primary), asked[0]).command)
        elif waits := [each for each in house.floorperson.seen(table).can if each.primary]:
            house.floorperson.choose(table, waits[0].command)
        else:
            _press_expected(page, view.version)
    assert player.seen(table).view.phase == "betting"
    player.do(table, "leave", seat=3)


@pytest.mark.thorough
def test_5_f_the_cards_of_an_idle_table_on_both_pages(open_page: OpenPage, served: Served, house: House) -> None:
    """The dealer spreads them. A player asks for them face up, looks at them, and plays on."""
    table = "three-card-prime"
    put(house.floorperson, table, "person")
    first = served.guest(new_name("Player"))
    first.do(table, "sit", seat=3, player=first.name)
    ready_the_deck(house.dealer, house.floorperson, table, 3)
    first.do(table, "leave", seat=3)
    player, dealer = open_page(), open_page()
    sit_down(player, table)
    log_in(dealer, DEALER)
    dealer.goto(f"/dealer/{table}")
    dealer.get_by_role("button", name="Spread the cards face down").click()
    expect(dealer.locator("#moment")).to_have_text("The table was idle, so its cards are spread")
    expect(dealer.locator("#facts")).to_contain_text("spread face down")
    expect(player.locator("#moment")).to_have_text("The table was idle, so its cards are spread")
    expect(player.locator("#hint")).to_contain_text("679a.5(f)")
    player.get_by_role("button", name="Ask to see the red deck face up").click()
    dealer.get_by_role("button", name="Spread the cards face up").click()
    expect(dealer.locator("#facts")).to_contain_text("spread face up")
    player.get_by_role("button", name="Look at the cards").click()
    dealer.get_by_role("button", name="Wash and stack the cards").click()
    expect(dealer.get_by_role("button", name="Wash and stack the cards")).to_have_count(0)  # gone once it is done
    ready_the_deck(house.dealer, house.floorperson, table, 1)
    expect(player.locator("#moment")).to_have_text("Place your bets")


def _wager_everything(player: Client, table: str) -> None:
    placed: set[str] = set()
    for _ in range(20):
        can = [each for each in player.seen(table).can if each.do == "place wager" and each.command["seat"] == 3]
        wager = next((each for each in can if each.command["wager"] not in placed), None)
        if wager is None:
            return
        placed.add(wager.command["wager"])
        ask = wager.asks[0]
        player.choose(table, wager.command | {"amount": ask.only[0] if ask.only else max(ask.least, 1000)})


def _press_expected(page: Page, version: int) -> None:
    """Press the primary button once the page shows this version of the table. Fill in the form if there is one."""
    expect(page.locator("#log li").first).to_have_attribute("data-version", str(version))
    expected = page.locator("#choices button.primary")
    words = expected.text_content() or ""
    expected.click()
    if "…" in words:
        counts = page.locator("dialog[open] .counted")
        for n in range(counts.count()):
            name = counts.nth(n).locator("label").text_content() or ""
            laid = page.locator(f'#boxes .laid[data-wager="{name}"]').all()
            if laid:
                counts.nth(n).locator("input").fill(laid[0].locator("strong").text_content() or "")
        confirm(page)
    expect(page.locator("#log li").first).not_to_have_attribute("data-version", str(version))


@pytest.mark.thorough
def test_a_dealer_watches_where_the_automatic_dealer_deals(open_page: OpenPage, house: House) -> None:
    put(house.floorperson, "let-it-ride-poker", "automatic")
    page = open_page()
    log_in(page, DEALER)
    page.goto("/dealer/let-it-ride-poker")
    expect(page.locator("#not-yours")).to_be_visible()
    expect(page.locator("#choices button")).to_have_count(0)
    expect(page.locator("#mishaps button:enabled")).to_have_count(0)


def test_an_irregularity_is_raised_and_settled(open_page: OpenPage, house: House, players: dict[int, Client]) -> None:
    ante(players[2], TABLE, 2, 2500)
    page = open_page()
    log_in(page, DEALER)
    page.goto(f"/dealer/{TABLE}")
    jam = page.locator("#mishaps li", has_text="Automated shoe jams")
    expect(jam.get_by_role("button")).to_be_disabled()
    expect(jam.locator(".when")).to_have_text("Can be raised only while cards are being dealt.")
    press(page, "no more bets")
    page.get_by_role("button", name=re.compile("Deal one card")).click()
    expect(page.locator("#felt .laid .lies[aria-label='a face-down card']")).to_have_count(1)
    version = house.dealer.seen(TABLE).view.version
    expect(page.locator("#mishaps")).to_have_attribute("data-version", str(version))  # nothing moves under the pointer anymore
    expect(jam.get_by_role("button")).to_be_enabled()
    jam.get_by_role("button").click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("All hands are void and the wagers are returned")
    expect(dialog).to_contain_text("649a.13(f)")
    dialog.get_by_role("button", name="Raise").click()
    expect(page.locator("#log li").filter(has_text="Irregularity: Automated shoe jams.")).to_have_count(1)
    expect(page.locator('#boxes [data-box="2"] .wagers')).to_have_text("")
    expect(page.locator('#boxes [data-box="2"]')).to_contain_text("$1,000")  # all chips are theirs again
    if house.dealer.seen(TABLE).view.round:
        _settle(page)
    ready_the_deck(house.dealer, house.floorperson, TABLE, 2)
    expect(page.locator("#moment")).to_have_text("Betting is open")


@pytest.mark.thorough
def test_a_trainee_is_corrected(open_page: OpenPage, players: dict[int, Client], allowed: list[str]) -> None:
    allowed.append(REFUSED)
    ante(players[2], TABLE, 2)
    page = open_page()
    log_in(page, DEALER)
    page.goto(f"/dealer/{TABLE}")
    page.check("#by-myself")
    expect(page.locator("#steps")).to_be_hidden()
    expect(page.locator("#choices button")).to_have_count(0)
    page.get_by_role("button", name="Deal one card").click()
    told = page.locator("#correction")
    expect(told).to_contain_text("Wrong step")
    expect(told.locator(".right")).to_contain_text("announces “no more bets”")
    expect(told.locator(".right")).to_contain_text("649a.10(a)(2)")
    assert not findings(page)
    page.locator('[data-act="no more bets"]').click()
    expect(told).to_be_hidden()
    page.get_by_role("button", name="Deal one card").click()
    expect(page.locator("#felt .laid .lies[aria-label='a face-down card']")).to_have_count(1)


@pytest.mark.thorough
def test_the_keyboard_deals(open_page: OpenPage, house: House, players: dict[int, Client]) -> None:
    ante(players[5], TABLE, 5)
    page = open_page()
    log_in(page, DEALER)
    page.goto(f"/dealer/{TABLE}")
    expect(page.locator("#say")).to_have_text("“No more bets.”")
    page.keyboard.press("?")
    expect(page.locator("dialog[open] .keys")).to_contain_text("Lock the screen")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("Deal all 6 cards"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_have_text("“Box 5: play or fold?”")


@pytest.mark.thorough
def test_649a_10_a_2_the_dealer_counts_the_chips_of_a_progressive_wager(
    open_page: OpenPage, players: dict[int, Client], allowed: list[str]
) -> None:
    """By keyboard. The dealer counts the chips, and the table compares the count."""
    allowed.append(REFUSED)
    ante(players[2], TABLE, 2)
    ante(players[2], TABLE, 2, 100, PROGRESSIVE)
    page = open_page()
    log_in(page, DEALER)
    page.goto(f"/dealer/{TABLE}")
    expect(page.locator("#say")).to_have_text("“No more bets.”")
    page.keyboard.press("Enter")
    count = page.locator("dialog[open] .counted").get_by_label(PROGRESSIVE)
    expect(count).to_be_focused()
    expect(count).to_have_value("")
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open] [role=alert]")).to_contain_text("Enter what you counted")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(page.locator("#correction")).to_contain_text("do not match")
    press(page, "no more bets")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("Deal all 6 cards"))).to_be_visible()


# the floorperson


def test_a_floorperson_approves_fills_posts_and_closes(open_page: OpenPage, house: House, allowed: list[str]) -> None:
    table = "four-card-poker"
    put(house.floorperson, table, "person")
    house.floorperson.do(table, "close table")
    page = open_page()
    log_in(page, FLOORPERSON)
    expect(page).to_have_url(re.compile("/floorperson$"))
    row = page.locator(f'tr[data-table="{table}"]')
    expect(row.locator('[data-part="phase"]')).to_have_text("closed")
    row.get_by_role("link").first.click()
    page.locator('#primary [data-do="open table"]').click()
    page.locator("dialog[open] input").fill("60000")
    confirm(page)
    expect(page.locator("#facts")).to_contain_text("$60,000")
    for do in ("receive decks", "inspect decks"):
        house.dealer.choose(table, next(each for each in house.dealer.seen(table).can if each.do == do).command)
    page.goto("/floorperson")
    waits = page.locator("#waiting li")
    expect(waits).to_contain_text(["verify the inspection of the cards"])
    expect(page.locator("#tables tbody tr").first).to_have_attribute("data-table", table)  # on top
    assert not findings(page)
    waits.get_by_role("button", name=re.compile("Verify")).click()
    expect(page.locator("#nothing-waits")).to_be_visible()
    _orders(page, table)
    assert not findings(page)
    page.locator('[data-do="close table"]').click()
    page.locator("dialog[open]").get_by_role("button", name="Close the table").click()
    expect(page.locator("#phase")).to_have_text("Closed")
    expect(page.locator("#log li").first).to_contain_text("The table closes")


def _orders(page: Page, table: str) -> None:
    """Order a fill and a credit, and post other limits."""
    page.goto(f"/floorperson/{table}")
    inventory = page.locator("#accounts tr", has_text="table inventory")
    expect(inventory).to_contain_text("$60,000")
    page.locator('[data-do="fill"]').click()
    confirm(page)
    expect(page.locator("dialog[open] [role=alert]")).to_have_text("Enter an amount in dollars, such as 10 or 10.50.")
    page.locator("dialog[open] input").fill("2500")
    confirm(page)
    expect(inventory).to_contain_text("$62,500")
    page.locator('[data-do="credit"]').click()
    page.locator("dialog[open] input").fill("500")
    confirm(page)
    expect(inventory).to_contain_text("$62,000")
    page.locator('[data-do="post limits"]').click()
    page.get_by_label("Minimum").fill("10")
    page.get_by_label("Maximum").fill("200")
    confirm(page)
    expect(page.locator("#facts")).to_contain_text("$10 to $200")
    expect(page.locator("#log li").first).to_contain_text("Posted limits: $10 to $200.")


@pytest.mark.thorough
def test_a_floorperson_signs_a_player_off_and_changes_the_dealer(
    open_page: OpenPage, house: House, players: dict[int, Client]
) -> None:
    page = open_page()
    log_in(page, FLOORPERSON)
    page.goto(f"/floorperson/{TABLE}")
    page.locator('#boxes [data-box="5"]').get_by_role("button", name=re.compile("Remove")).click()
    page.locator("dialog[open] button.danger").click()
    expect(page.locator('#boxes [data-box="5"]')).to_have_count(0)
    page.click("#standing")
    page.get_by_role("button", name="Switch", exact=True).click()
    expect(page.locator("#standing")).to_have_text("Switch to a live dealer")
    assert house.dealer.seen(TABLE).standing.dealer == "automatic"
    put(house.floorperson, TABLE, "person")
    expect(page.locator("#standing")).to_have_text("Switch to the automatic dealer")  # live


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", thorough(["light", "dark"], unless=["dark"]))
@pytest.mark.parametrize(
    ("who", "path"),
    [
        (DEALER, f"/dealer/{TABLE}"),
        pytest.param("", "/login", marks=pytest.mark.thorough),
        pytest.param(DEALER, "/dealer", marks=pytest.mark.thorough),
        pytest.param(FLOORPERSON, "/floorperson", marks=pytest.mark.thorough),
        pytest.param(FLOORPERSON, f"/floorperson/{TABLE}", marks=pytest.mark.thorough),
    ],
)
def test_every_page_on_a_phone(open_page: OpenPage, players: dict[int, Client], who: str, path: str, scheme: str) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme=scheme)
    if who:
        log_in(page, who)
    page.goto(path)
    page.wait_for_timeout(600)
    assert not findings(page)
    assert not overflows(page)
