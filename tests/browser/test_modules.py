"""The pages' small modules: money, settlements in words, lost requests, keys."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
import pytest

from croupier.law.procedure import Act
from croupier.money import show_money
from croupier.table.views import view
from tests.browser.felt_harness import serving
from tests.table.pit import find, opened


@pytest.fixture(scope="module")
def page(browser: Any) -> Iterator[Any]:
    with serving() as address:
        tab = browser.new_page()
        tab.goto(f"{address}/649a/empty")
        tab.wait_for_selector("body[data-ready=yes]")
        yield tab
        tab.close()


def run(page: Any, module: str, body: str, argument: Any = None) -> Any:
    return page.evaluate(f"async (it) => {{ const m = await import('/static/js/shared/{module}.js'); {body} }}", argument)


def test_money_reads_as_the_house_writes_it(page: Any) -> None:
    amounts = [0, 5, 50, 100, 1000, 1050, 123456789, -500, -1]
    assert run(page, "money", "return it.map(m.money);", amounts) == [show_money(each) for each in amounts]
    assert run(page, "money", "return it.map(m.cents);", ["10", "$1,000", "10.5", "0.05"]) == [1000, 100000, 1050, 5]
    refused = ["", "ten", "1.234", "1e3", "-5", "1,00"]
    assert run(page, "money", "return it.map((each) => Number.isNaN(m.cents(each)));", refused) == [True] * len(refused)


def test_dates_read_as_americans_write_them_by_the_clock_of_the_log(page: Any) -> None:
    at, names = (
        1_794_924_202_000,
        ["dateTime", "toMinute", "clock", "hourMinute"],
    )  # 2026-11-17 14:03:22 UTC, in the zone of the browser
    here = datetime.fromtimestamp(at / 1000)
    told = run(page, "dates", "return it[1].map((name) => m[name](it[0]));", [at, names])
    assert told == [f"{here:%b %-d, %Y, %H:%M:%S}", f"{here:%b %-d, %Y, %H:%M}", f"{here:%H:%M:%S}", f"{here:%H:%M}"]
    assert run(page, "dates", "return m.clock(new Date(2026, 10, 17, 0, 5, 9).getTime());") == "00:05:09"


def line(**changes: Any) -> dict[str, Any]:
    usual = {"wager": "Pair Plus Wager", "hand": "Straight", "outcome": "win", "stake": 500, "pays": 3000, "returns": 500,
        "cite": "649a.12(d)", "odds": "6 to 1"}  # fmt: skip
    return usual | changes


def test_a_win_says_what_how_much_and_why(page: Any) -> None:
    words, link = run(page, "settlement", "const one = m.settlement([it], {table: 'T1'}).querySelector('.what');"
        " return [one.textContent, one.querySelector('a').getAttribute('href')];", line())  # fmt: skip
    assert words == "Pair Plus: straight, 6 to 1, pays $30 649a.12(d)"
    assert link == "/tables/T1/rules#649a.12(d)"
    assert run(page, "settlement", "return m.resultInWords([it]);", line()) == "You win $30."


def test_a_line_says_to_which_account_and_for_which_box(page: Any) -> None:
    paid = line(wager="Progressive Payout Wager", pays=7000, returns=0, odds="", electronic=True, box=3)
    assert run(page, "settlement", "return m.sentence(it);", paid) == "Box 3, Progressive: straight, pays $70 to your game account"


def seen(chips: int, keep: int, **asks: dict[str, int]) -> dict[str, Any]:
    can = [{"do": "place wager", "command": {"seat": 1, "wager": name}, "asks": [ask]} for name, ask in asks.items()]
    return {"view": {"seats": {"1": {"chips": chips}}}, "can": can, "keep": keep}


def test_a_chip_leaves_too_little_on_the_wagers_that_need_more_later(page: Any) -> None:
    """With $200: a $200 Ante leaves nothing for a Play Wager of the same amount, and $100 leaves enough. Side wagers need no more later."""
    asks = {"Ante": {"keep": 1}, "Side": {"keep": 0}, "Bets": {"times": 3}}
    short = "return it[1].map((value) => m.leavesTooLittle(it[0], 1, value));"
    assert run(page, "amounts", short, [seen(20_000, 0, **asks), [5_000, 10_000, 20_000]]) == [[], ["Bets"], ["Ante", "Bets"]]
    assert run(page, "amounts", short, [seen(10_000, 10_000, **asks), [500]]) == [["Ante", "Side", "Bets"]]


def test_lost_and_returned_wagers_are_described_as_such(page: Any) -> None:
    lost = line(outcome="lose", pays=0, returns=0, odds="")
    stood = line(outcome="push", pays=0, odds="Push")
    told = run(page, "settlement", "return it.map(m.sentence);", [lost, stood])
    assert told == ["Pair Plus: straight, loses $5", "Pair Plus: straight, $5 returned"]
    assert run(page, "settlement", "return m.net(it);", [lost, stood, line()]) == 2500


def test_a_lost_request_is_retried_with_the_same_key(page: Any) -> None:
    keys: list[str] = []

    def answer(route: Any) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) < 3:
            route.abort() if len(keys) == 1 else route.fulfill(status=503, body="")
        else:
            route.fulfill(status=201, json={"version": 7})

    page.route("**/api/tables/T%201/commands", answer)
    assert run(page, "api", "return m.command('T 1', {do: 'tip', seat: 1, amount: 100});") == {"version": 7}
    assert len(keys) == 3 and len(set(keys)) == 1
    page.unroute("**/api/tables/T%201/commands")


def test_a_refusal_is_not_repeated_and_carries_its_clause(page: Any) -> None:
    asked: list[str] = []
    problem = {"kind": "refused", "reason": "The betting is closed.", "cite": "649a.7(c)", "accepted": None}

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(status=409, json={"error": problem})

    page.route("**/api/refuses", answer)
    found = run(page, "api", "try { await m.post('/api/refuses'); } catch (no) { return {...no}; }")
    assert {key: found[key] for key in problem} == problem and found["status"] == 409
    assert len(asked) == 1
    page.unroute("**/api/refuses")


def test_every_choice_gets_a_different_key(page: Any) -> None:
    choices = [{"words": words} for words in ("Play $10", "Play 2x", "Pass", "Fold", "Fill")]
    keys = run(page, "keys", "return m.assignKeys(it);", choices)
    assert keys[0] == "p" and keys[3] == "f"
    assert all(keys) and len(set(keys)) == len(keys) and "?" not in keys


BOXES = """
  const { boxes } = await import('/static/js/staff/table_view.js');
  const { boxesInto } = await import('/static/js/staff/rows.js');
  const holder = document.createElement('div');
  holder.innerHTML = '<div><table id="t"><tbody></tbody></table></div><p id="no-boxes"></p><table id="u"><tbody></tbody></table>';
  document.body.append(holder);
  boxes(holder.querySelector('#t'), { view: it }, () => []);
  boxesInto(holder.querySelector('#u tbody'), it);
  const players = (id) => [...holder.querySelectorAll(`${id} tr`)].map((row) => `${row.cells[0].textContent} ${row.cells[1].textContent}`);
  const told = [players('#t'), players('#u')];
  holder.remove();
  return told;
"""


def test_the_box_next_to_yours_is_yours_before_the_deal(page: Any) -> None:
    pit = opened(find("641a"), "automated shoe", 2, adjacent_boxes=2)
    name = pit.state.players[2]
    for box in (2, 3):
        pit.place_wager(by="player:2", seat=box, wager="Ante Wager", amount=1_000)
    for_dealer, for_surveillance = run(page, "money", BOXES, msgspec.to_builtins(view(pit.state, "dealer"), str_keys=True))
    assert for_dealer == [f"Box 2 {name}", f"Box 3 {name}"]
    assert for_surveillance == [f"2 {name}", f"3 {name}"]


BETS = """
  const { Wagering } = await import('/static/js/player/wagering.js');
  const sent = [];
  const wagering = new Wagering(document.createElement('div'), async (order) => sent.push(order.amount), 'wagers');
  const seen = (now) => ({ view: { limits: { minimum: 1000, maximum: 50000 }, phase: 'betting', seats: {}, wagers: {} }, keep: 0,
    can: [{ do: 'place wager', command: { seat: 1, wager: 'Ante' }, asks: [{ least: 1000, most: 50000, now }] }] });
  for (const now of it) {
    wagering.show(seen(now), 1);
    wagering.choose(500);
    await wagering.place(1, 'Ante');
  }
  return sent;
"""


def test_the_minimum_can_be_bet_where_no_chip_equals_it(page: Any) -> None:
    """A $5 chip at a $10 table: $10, then $15."""
    assert run(page, "money", BETS, [0, 1000]) == [1000, 1500]


TIMED_OUT = """
  const people = await import('/static/js/player/side_panels.js');
  document.body.append(Object.assign(document.createElement('ul'), { id: 'seats' }));
  felt.show({ view: it, can: [] });
  people.people({ view: it, can: [], ready: [] }, 3, 6);
  const told = [document.querySelector('.own-hand-name').textContent, document.querySelector('#seats .quiet').textContent.trim()];
  document.querySelector('#seats').remove();
  return told;
"""


def test_a_hand_that_timed_out_is_not_called_folded(page: Any) -> None:
    """649a.11(b)(1): it keeps the Pair Plus in play, which a fold would lose."""
    pit = opened(find("649a"), "automated shoe", 3, decision_seconds=30).bet(3, ante=10, pair_plus=5)
    pit.lock()
    pit.until(Act.ASK)
    assert pit.state.round is not None
    pit.now = pit.state.round.asked_at + 30_000
    pit.lapse_decision(by="dealer", seat=3)
    told = run(page, "money", TIMED_OUT, msgspec.to_builtins(view(pit.state, "player:3"), str_keys=True))
    assert told == ["timed out", "timed out"]


def test_the_cards_in_a_text_are_shown_with_their_suits(page: Any) -> None:
    texts = ["Ac 9c Tc (20) and 8s Jk, Point Count 8", "set 7s 3d Kh", "As a fold", "queen high, plays", ""]
    shown = ["A♣ 9♣ 10♣ (20) and 8♠ joker, Point Count 8", "set 7♠ 3♦ K♥", "As a fold", "queen high, plays", ""]
    assert run(page, "cards", "return it.map(m.withSuits);", texts) == shown
    plate = "felt.show(it); return [document.querySelector('.dealer-hand').textContent, (await import('/static/js/shared/felt.js')).cardsInWords(it, 0)];"
    pit = opened(find("680a"), "automated shoe", 3).bet(3, ante=10).stack({}, dealer="Ac 9c Tc 8s Kh")
    pit.lock()
    pit.until(Act.SETTLE)
    told = run(page, "money", plate, {"view": msgspec.to_builtins(view(pit.state, "player:3"), str_keys=True), "can": []})
    assert told == ["A♣ 9♣ 10♣ (20) and 8♠ K♥, Point Count 8", "The dealer: A♣ 9♣ 10♣ (20) and 8♠ K♥, Point Count 8."]


COPIES = """
  const element = document.body.appendChild(document.createElement('code'));
  element.textContent = 'apple-pear';
  const said = [];
  for (const clipboard of [undefined, { writeText: () => Promise.reject(new Error('not allowed')) }, { writeText: async () => {} }]) {
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
    said.push(await m.copied('apple-pear', element), String(getSelection()));
    getSelection().removeAllRanges();
  }
  delete navigator.clipboard;
  element.remove();
  return said;
"""


def test_text_that_cannot_be_copied_is_selected_instead(page: Any) -> None:
    by_hand = ["Press Ctrl+C to copy", "apple-pear"]
    assert run(page, "dialogs", COPIES) == [*by_hand, *by_hand, "Copied", ""]
