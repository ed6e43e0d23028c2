"""Players at their tables in a real browser: every game by mouse, one by keyboard alone, one by touch."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from croupier import book
from croupier.cards import deck
from tests.browser.conftest import OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import TABLES, a_name, area, bet, deal, fold, mode, play_out, primary, sit_down
from tests.examples import thorough
from tests.web.serving import Served

HOUSE = "async () => { window.house = await import('/static/js/shared/api.js') }"
FULL_DECK = {str(card) for card in deck(jokers=1)}


def expect_the_seven(page: Page) -> None:
    """Expect a table of each game. The administrator's tests may have opened more."""
    for chapter in book.chapters():
        expect(page.locator(f".table-card[data-table='{chapter.slug}']")).to_be_visible()


def test_a_visitor_finds_seven_tables_and_sits_down(page: Page) -> None:
    page.goto("/")
    expect_the_seven(page)
    card = page.locator('[data-table="three-card-poker"]')
    expect(card).to_have_attribute("data-ready", "yes")
    expect(card).to_contain_text("$5 to $500")
    expect(card.get_by_text("practice")).to_be_visible()
    expect(card.locator(".seats circle")).to_have_count(7)
    card.get_by_text("What it pays").click()
    expect(card.locator("table.pays").first).to_be_visible()
    card.locator(".sit").click()
    page.fill("#guest-name", a_name("Visitor"))
    page.click("dialog .primary")
    page.wait_for_url("**/tables/three-card-poker")
    mode(page, "watch")
    primary(page).click()
    mode(page, "buy")


@pytest.mark.parametrize("device", thorough(["page", "phone"], unless=["page"]))
def test_play_now_gives_a_name_a_seat_and_chips(device: str, request: pytest.FixtureRequest) -> None:
    """From the front page to the first cards takes two presses with one bet between them."""
    page: Page = request.getfixturevalue(device)
    page.goto("/")
    card = page.locator('[data-table="four-card-prime"]')
    card.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/tables/four-card-prime")
    mode(page, "bet")
    expect(page.locator("#chips")).to_have_text("$1,000")
    expect(page.locator("#seats")).to_have_text(re.compile(r"Guest \d{5} \(you\)"))
    assert findings(page) == []
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    page.goto("/")
    expect(card.get_by_role("button", name="Back to your seat")).to_be_visible()
    expect(card.get_by_role("button", name="Play now")).to_be_hidden()
    assert findings(page) == []
    page.goto("/tables/four-card-prime")
    mode(page, "decide")


def test_a_name_that_is_taken_is_refused_with_the_reason(page: Page, served: Served, allowed: list[str]) -> None:
    name = a_name("Taken")
    served.guest(name)
    allowed.append("409")
    page.goto("/tables/three-card-poker")
    mode(page, "watch")
    primary(page).click()
    page.fill("#guest-name", name)
    page.click("dialog .primary")
    expect(page.locator("dialog .problem")).not_to_be_empty()
    assert page.get_attribute("#guest-name", "aria-invalid") == "true"


@pytest.mark.parametrize("game", thorough(TABLES, unless=["643a"]))
def test_a_full_round_by_mouse(page: Page, game: str, allowed: list[str]) -> None:
    allowed += ["409"] if game == "680a" else []  # a setting that the clause refuses
    sit_down(page, TABLES[game])
    for name in _required(game):
        bet(page, name, "$5")
    laid = page.inner_text("#laid .sum")
    expect(page.locator("#chips")).to_have_text(f"${1000 - int(re.sub(r'[^0-9]', '', laid)):,}")
    deal(page)
    told = play_out(page)
    assert re.search(rf"{game}\.1[12]", told)
    mode(page, "bet", "buy")
    expect(page.locator("#rounds > li").first).to_be_visible()
    assert page.locator("#settled .net .amount").inner_text() == page.locator("#rounds summary .money").first.inner_text()
    _money_adds_up(page)


def _required(game: str) -> list[str]:
    return {"643a": ["Bet"], "653a": ["Ante Wager", "Blind Wager"]}.get(game, ["Ante Wager"])


def _money_adds_up(page: Page) -> None:
    """Check that the player has $1,000 plus or minus the result of the one round."""
    net = page.locator("#settled .net .amount").inner_text().replace("$", "").replace(",", "").replace("−", "-")
    expect(page.locator("#chips")).to_have_text(_dollars(1000 + float(net)))


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}".removesuffix(".00")


@pytest.mark.thorough
def test_a_full_round_by_keyboard_alone(page: Page) -> None:
    page.goto("/tables/three-card-prime")
    mode(page, "watch")
    page.keyboard.press("2")
    page.keyboard.type(a_name("Keys"))
    page.keyboard.press("Enter")
    mode(page, "buy")
    page.keyboard.press("d")
    mode(page, "bet")
    page.keyboard.press("]")
    page.keyboard.press("1")
    expect(page.locator("#laid")).to_contain_text("$25")
    page.keyboard.press("[")
    page.keyboard.press("1")
    expect(page.locator("#laid")).to_contain_text("$30")
    page.keyboard.press("2")
    expect(page.locator(".laid-wager")).to_have_count(2)
    page.keyboard.press("Backspace")
    expect(page.locator(".laid-wager")).to_have_count(1)
    page.keyboard.press("d")
    mode(page, "decide")
    assert page.evaluate("document.querySelector('#choices').contains(document.activeElement)"), "the focus is where the answer is"
    page.keyboard.press("p")
    page.wait_for_selector("#settled .net")
    mode(page, "bet")
    page.keyboard.press("s")
    expect(page.locator("#laid")).to_contain_text("$30")
    page.keyboard.press("x")
    expect(page.locator(".laid-wager")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Add the selected chip to the Ante Wager")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/$"))


@pytest.mark.thorough
def test_areas_of_the_felt_are_reached_with_the_tab_key(page: Page) -> None:
    sit_down(page, "four-card-prime")
    area(page, "Ante Wager").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#laid")).to_contain_text("$5")
    page.keyboard.press("Backspace")
    expect(page.locator(".laid-wager")).to_have_count(0)


def test_a_full_round_on_a_phone(phone: Page) -> None:
    phone.goto("/tables/four-card-poker")
    mode(phone, "watch")
    primary(phone).tap()
    phone.fill("#guest-name", a_name("Thumb"))
    phone.locator("dialog .primary").tap()
    mode(phone, "buy")
    primary(phone).tap()
    mode(phone, "bet")
    assert phone.get_attribute("#felt", "data-view") == "focus"
    area(phone, "Ante Wager").first.locator(".hit").tap()
    expect(phone.locator("#laid")).to_contain_text("$5")
    primary(phone).tap()
    mode(phone, "decide")
    box = primary(phone).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] > 844 * 0.85, "the first choice is at the thumb"
    assert box["height"] >= 44
    assert not overflows(phone)
    assert findings(phone) == []
    primary(phone).tap()
    phone.wait_for_selector("#settled .net")
    assert findings(phone) == []


def test_only_what_may_be_done_is_offered(page: Page) -> None:
    sit_down(page, "three-card-poker")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    said = page.locator("#choices .words").all_inner_texts()
    assert sorted(said) == ["Fold, lose Ante $5", "Play $5"]
    expect(page.locator("#choices")).to_contain_text("649a.11(b)")
    assert page.locator(".area.open").count() == 0
    assert re.search(r"\d+ seconds? to decide", page.inner_text("#clock"))
    assert "Your decision" in page.inner_text("#announcer")


@pytest.mark.thorough
def test_a_seat_says_until_when_it_is_kept_without_chips(page: Page) -> None:
    sit_down(page, "three-card-poker", buy_in=False)
    expect(page.locator("#hint")).to_have_text(re.compile(r"^Buy in by \d\d:\d\d to keep this seat\.$"))
    minutes = page.evaluate("() => 60 * new Date().getHours() + new Date().getMinutes()")
    hour, minute = map(int, re.findall(r"\d\d", page.inner_text("#hint")))
    assert (60 * hour + minute - minutes) % 1440 in (4, 5)
    expect(page.locator("#seat-kept")).to_be_hidden()
    page.get_by_role("button", name="Buy in for $1,000").click()
    mode(page, "bet")
    expect(page.locator("#seat-kept")).to_be_visible()
    expect(page.locator("#hint")).not_to_contain_text("yours until")


@pytest.mark.thorough
def test_a_fold_ends_the_hand(page: Page) -> None:
    sit_down(page, "three-card-poker")
    bet(page, "Ante Wager", "$5")
    expect(page.locator("#first-time")).to_be_visible()
    deal(page)
    mode(page, "decide")
    fold(page)
    page.wait_for_selector("#settled .net.lost")
    expect(page.locator("#settled .net .amount")).to_have_text("−$5")
    expect(page.locator("#first-time")).to_be_hidden()
    page.reload()
    mode(page, "settled", "bet")
    expect(page.locator("#first-time")).to_be_hidden()


def test_a_wager_is_refused_with_reason_and_clause(page: Page, allowed: list[str]) -> None:
    allowed.append("409")
    seat = sit_down(page, "three-card-poker")
    said: dict[str, Any] = {"do": "place wager", "seat": seat, "wager": "Ante Wager", "amount": 100}
    page.evaluate(HOUSE)
    told = page.evaluate(
        "said => house.command('three-card-poker', said).catch(p => ({reason: p.reason, cite: p.cite, accepted: p.accepted}))", said
    )
    assert told["accepted"] == "$5 to $500"
    assert told["cite"]


@pytest.mark.thorough
def test_the_limits_are_shown_where_you_bet_and_no_chip_exceeds_them(page: Page) -> None:
    sit_down(page, "three-card-poker")
    expect(page.locator(".rack-limits")).to_have_text("Table limits $5 to $500")
    expect(page.locator('#rack [data-value="50000"]')).to_be_visible()
    expect(page.locator('#rack [data-value="100000"]')).to_be_hidden()
    for _ in range(5):
        page.keyboard.press("]")
    expect(page.locator('#rack [aria-pressed="true"]')).to_have_attribute("data-value", "50000")


@pytest.mark.thorough
def test_decisions_are_in_the_order_of_the_chapter(page: Page) -> None:
    sit_down(page, "four-card-poker")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    boxes = [each.bounding_box() for each in page.locator("#choices .choice").all()]
    places = [(box["y"] + box["height"] / 2, box["x"]) for box in boxes if box]
    assert [each[:4] for each in page.locator("#choices .choice .words").all_inner_texts()] == ["Play", "Play", "Play", "Fold"]
    assert "primary" in (page.locator("#choices .choice").first.get_attribute("class") or "")
    assert places == sorted(places)
    fold(page)


def shut(page: Page, wager: str) -> Locator:
    """A betting area of your own seat that accepts no wager now."""
    near = page.get_attribute("#felt svg", "data-near")
    return page.locator(f'.area:not(.open)[data-seat="{near}"][data-wagers^="{wager}"] .hit')


def test_a_betting_area_that_is_not_open_says_why(page: Page, allowed: list[str]) -> None:
    allowed.append("409")
    sit_down(page, "three-card-poker")
    shut(page, "Six Card Bonus Wager").click()
    expect(page.locator("#refused")).to_contain_text("the Six Card Bonus Wager needs another wager")
    expect(page.locator("#refused")).to_contain_text("together with the Ante Wager or the Pair Plus Wager")
    expect(page.locator("#refused")).to_contain_text("649a.7(d)(5)")
    bet(page, "Ante Wager", "$5")
    expect(page.locator("#refused")).to_be_empty()
    shut(page, "Five Card Hand Bonus Wager").click()
    expect(page.locator("#refused")).to_contain_text("placed from your game account, which is empty")
    expect(page.locator(".laid-wager")).to_have_count(1)


@pytest.mark.thorough
def test_a_missing_wager_is_reported_before_the_deal(page: Page) -> None:
    sit_down(page, "ultimate-texas-hold-em-poker")
    bet(page, "Ante Wager", "$5")
    expect(page.locator("#moment")).to_have_text("Still needed: Blind Wager")
    expect(page.get_by_role("button", name="Deal", exact=True)).to_have_attribute("aria-disabled", "true")


@pytest.mark.thorough
def test_incompatible_bets_are_reported_before_the_deal(page: Page) -> None:
    sit_down(page, "ultimate-texas-hold-em-poker")
    bet(page, "Ante Wager", "$5")
    bet(page, "Blind Wager", "$5")
    expect(page.get_by_role("button", name="Deal", exact=True)).not_to_have_attribute("aria-disabled", "true")
    area(page, "Ante Wager").click()
    expect(page.locator("#moment")).to_have_text("You will not be dealt in with these bets")
    expect(page.locator("#hint")).to_contain_text("Allowed: equal to the Ante Wager.")
    expect(page.get_by_role("button", name="Deal", exact=True)).to_have_attribute("aria-disabled", "true")


@pytest.mark.thorough
def test_reload_in_mid_decision(page: Page) -> None:
    sit_down(page, "three-card-prime")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    before = page.inner_text("#choices"), _faces(page)
    page.reload()
    mode(page, "decide")
    assert (page.inner_text("#choices"), _faces(page)) == before
    assert len(before[1]) == 3
    primary(page).click()
    page.wait_for_selector("#settled .net")


def _faces(page: Page) -> list[str]:
    """The cards face up on the felt."""
    cards: list[str] = page.eval_on_selector_all(
        "#felt .lies use[data-card]", "all => all.map(each => each.dataset.card).filter(c => c !== 'back')"
    )
    return sorted(cards)


def test_two_players_see_different_cards_and_nothing_else_is_sent(open_page: OpenPage, served: Served) -> None:
    table = "saigon-5-card"
    ada, ben = open_page(), open_page()
    bytes_of: dict[str, list[str]] = {"ada": [], "ben": []}
    for name, page in (("ada", ada), ("ben", ben)):
        client = page.context.new_cdp_session(page)
        client.send("Network.enable")
        client.on("Network.eventSourceMessageReceived", lambda said, name=name: bytes_of[name].append(said["data"]))
        page.on("response", partial(_keep, bytes_of[name]))
    sit_down(ada, table)
    sit_down(ben, table)
    bet(ada, "Ante Wager", "$5")
    bet(ben, "Ante Wager", "$5")
    deal(ada, alone=False)
    deal(ben)
    mode(ada, "set", "play")
    mode(ben, "set", "play")
    mine, theirs = set(_faces(ada)), set(_faces(ben))
    assert len(mine) == len(theirs) == 5
    assert not mine & theirs
    assert _cards_in(bytes_of["ada"]) == mine, "no card but her own has been sent to her"
    assert _cards_in(bytes_of["ben"]) == theirs


def _keep(bodies: list[str], answer: Response) -> None:
    bodies.append(_body(answer))


def _body(answer: Response) -> str:
    if "/api/" not in answer.url or "/live" in answer.url:
        return ""
    try:
        return str(answer.text())
    except Exception:  # a body that the browser did not keep
        return ""


def _cards_in(bodies: list[str]) -> set[str]:
    """Every card named in what was received."""
    return {found for body in bodies for found in re.findall(r'"([2-9TJQKA][cdhs]|Jk)"', body)} & FULL_DECK


def test_a_watcher_sees_no_hidden_card(open_page: OpenPage, page: Page) -> None:
    sit_down(page, "four-card-prime")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    other = open_page()
    other.goto("/tables/four-card-prime")
    mode(other, "watch")
    assert other.locator("#felt .lies use[data-card]").count() >= 11
    assert _faces(other) == []
    assert len(_faces(page)) == 5


def test_the_coach_speaks_at_a_practice_table(page: Page) -> None:
    sit_down(page, "three-card-poker")
    assert not page.is_checked("#coach-on"), "off by default"
    page.check("#coach-on")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    page.wait_for_selector(".coach-table", timeout=120_000)
    rows = {row.split("\t")[0].removesuffix("best").strip(): row for row in page.inner_text(".coach-table tbody").splitlines()}
    assert "-1.000000" in rows["Fold"], "a fold loses the Ante, no more and no less"
    assert "-100.0000%" in rows["Fold"]
    assert set(rows) == {"Play", "Fold"}
    value = float(rows["Play"].split("\t")[1])
    best = page.inner_text(".coach-table .best th")
    assert best.startswith("Play" if value > -1 else "Fold")
    expect(page.locator("#choices .coached")).to_have_count(1)
    expect(page.locator("#choices .primary .coached")).to_have_count(1)


def test_the_coachs_choice_is_the_primary_one(page: Page) -> None:
    folds = {"choices": [{"choice": "fold", "words": "Fold", "exact": "-1", "units": "-1.000000", "percent": "-100.0000%", "cards": []}],
        "unit": "Ante Wager", "cite": "649a.11(b)", "assumes": "", "hand": "", "thinking": False}  # fmt: skip
    page.route("**/coach", lambda route: route.fulfill(json=folds))
    sit_down(page, "three-card-poker")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    expect(primary(page)).to_contain_text("Play $5")
    page.check("#coach-on")
    expect(primary(page)).to_contain_text("Fold, lose Ante $5")
    page.uncheck("#coach-on")
    expect(primary(page)).to_contain_text("Play $5")


@pytest.mark.thorough
def test_the_coach_is_silent_elsewhere(page: Page, allowed: list[str]) -> None:
    allowed += ["401", "409", "403"]
    page.goto("/")
    page.evaluate(HOUSE)
    ask = "path => house.get(path).then(() => 'told', p => [p.status, p.reason])"
    assert page.evaluate(ask, "/api/tables/three-card-poker/coach")[0] == 401
    sit_down(page, "three-card-poker")
    page.evaluate(HOUSE)
    assert page.evaluate(ask, "/api/tables/three-card-poker/coach") == [409, "You have no decision to make now."]
    assert page.evaluate(ask, "/api/tables/four-card-poker/coach") == [403, "You have no seat at this table."]


@pytest.mark.thorough
def test_with_reduced_motion_nothing_moves(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    page.add_init_script(
        "window.moved = 0; const go = Element.prototype.animate; Element.prototype.animate = function (...a) { window.moved += 1; return go.apply(this, a); }"
    )
    sit_down(page, "three-card-prime")
    bet(page, "Ante Wager", "$5")
    deal(page)
    play_out(page)
    assert page.evaluate("window.moved") == 0


@pytest.mark.thorough
def test_leaving_in_mid_round_says_what_it_means(page: Page) -> None:
    sit_down(page, "three-card-prime")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.locator("dialog")).to_contain_text("Leave the table with $995 and lose $5 in play")
    page.get_by_role("button", name="Stay").click()
    primary(page).click()
    page.wait_for_selector("#settled .net")


@pytest.mark.thorough
def test_every_clause_that_a_settlement_names_stands_on_the_rule_sheet(page: Page) -> None:
    sit_down(page, "four-card-poker")
    bet(page, "Ante Wager", "$5")
    deal(page)
    play_out(page)
    link = page.locator("#settled a.cite").first
    clause = link.inner_text()
    link.click()
    page.wait_for_url("**/rules#*")
    target = page.locator("a.cite:target")
    expect(target).to_be_in_viewport()
    assert clause.startswith(target.inner_text())


@pytest.mark.parametrize("game", thorough(TABLES, unless=["649a"]))
def test_the_rule_sheet_has_each_clause_once(page: Page, game: str) -> None:
    page.goto(f"/tables/{TABLES[game]}/rules")
    ids = page.eval_on_selector_all("[id]", "all => all.map(each => each.id)")
    assert len(ids) == len(set(ids))
    assert {f"{game}.7", f"{game}.13"} <= set(ids) | {each.split("(")[0] for each in ids}
    assert page.locator(".ranked li svg").count() >= 6
    assert not overflows(page)


def test_an_unknown_address_gets_a_page(page: Page, allowed: list[str]) -> None:
    allowed.append("404")
    page.goto("/tables/nowhere")
    expect(page.locator("h1")).to_have_text("Page not found")
    page.get_by_role("link", name="Back to the floor", exact=True).click()
    expect_the_seven(page)


def test_no_serious_finding_on_any_page(page: Page, allowed: list[str]) -> None:
    allowed.append("404")
    page.goto("/")
    page.wait_for_selector(".table-card[data-ready]")
    assert findings(page) == []
    for path in ("/tables/nowhere", "/tables/three-card-prime/rules"):
        page.goto(path)
        assert findings(page) == []
    page.goto("/tables/three-card-prime")
    mode(page, "watch")
    assert findings(page) == []


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", thorough(["light", "dark"], unless=["light"]))
def test_no_serious_finding_at_a_seat(open_page: OpenPage, scheme: Any) -> None:
    page = open_page(color_scheme=scheme)
    sit_down(page, "three-card-prime")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    assert findings(page) == []
    page.keyboard.press("?")
    assert findings(page) == []
    page.keyboard.press("Escape")
    play_out(page)
    assert findings(page) == []


@pytest.mark.thorough
def test_nothing_runs_over_on_a_phone(phone: Page) -> None:
    for path in ("/", "/tables/three-card-poker", "/tables/three-card-poker/rules", "/tables/ultimate-texas-hold-em-poker/rules"):
        phone.goto(path)
        phone.wait_for_load_state("load")
        assert not overflows(phone), path
        assert findings(phone) == [], path


@pytest.mark.thorough
def test_a_lost_connection_is_reported_and_resumed(page: Page, allowed: list[str]) -> None:
    allowed.append("ERR_FAILED|ERR_INTERNET_DISCONNECTED")
    page.route("**/live", lambda route: route.abort())
    page.goto("/tables/three-card-prime")
    expect(page.locator("#link")).to_contain_text("connection lost")
    expect(page.locator(".lost-note")).to_be_visible()
    page.unroute("**/live")
    mode(page, "watch")
    expect(page.locator("#link")).to_have_text("live")
    expect(page.locator(".lost-note")).to_be_hidden()
