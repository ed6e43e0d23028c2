"""The felt in a real browser: everything in a Seen appears at its place in the layout, for each of the seven games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.felt_harness import GAMES as OF_THE_BOOK
from tests.browser.felt_harness import MOMENTS, SEAT, played, serving
from tests.examples import GAMES, _with_the_examples, some_games, thorough  # noqa: F401  (a fixture)

ME = f"player:{SEAT}"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as where:
        yield where


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda problem: said.append(str(problem)))
    yield page
    context.close()
    assert not said  # no error, and nothing blocked by the content security policy


def go(tab: Any, address: str, game: str, moment: str, by: str = ME) -> None:
    tab.goto(f"{address}/{game}/{moment}/{by}")
    tab.wait_for_selector("body[data-ready=yes]")


INSIDE = """([what, where]) => {
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const areas = [...document.querySelectorAll(where)].map((each) => each.getBoundingClientRect());
  return [...document.querySelectorAll(what)].map((each) => {
    const [x, y] = middle(each.querySelector("use").getBoundingClientRect());
    return areas.some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
  });
}"""


@some_games
def test_cards_and_chips_lie_in_their_places(game: str, tab: Any, address: str) -> None:
    shot = played(game)["revealed"][ME]["seen"]["view"]["round"]
    go(tab, address, game, "revealed")
    names = tab.eval_on_selector_all(".felt .lies[data-index]", "all => all.map(each => each.querySelector('use').dataset.card)")
    assert sorted(names) == sorted(shot["boxes"][str(SEAT)]["cards"])
    laid = (
        sum(len(box["cards"]) + len(box["fourth"]) for box in shot["boxes"].values()) + len(shot["dealer"]) + len(shot["community"])
    )
    drawn = tab.locator(".felt .lies:not(:has(.stack)):not([aria-label*=rack]) use[data-card]").count()
    assert drawn == laid
    assert tab.locator(".felt .stack").count() == sum(len(box["wagers"]) for box in shot["boxes"].values())
    within = tab.evaluate(INSIDE, [".felt .lies[data-index]", f"[data-place=player][data-seat='{SEAT}']"])
    assert within and all(within)
    assert all(tab.evaluate(INSIDE, [f".felt .lies[aria-label*='seat {SEAT}:']", f".bet[data-seat='{SEAT}']"]))


@some_games
@pytest.mark.parametrize("by", [ME, "dealer"])
def test_a_card_that_may_not_be_seen_is_a_back(game: str, by: str, tab: Any, address: str) -> None:
    shown = played(game)["dealt"][by]["seen"]["view"]["round"]
    up = [card for box in shown["boxes"].values() for card in (*box["cards"], *box["fourth"]) if card]
    up += [card for card in (*shown["dealer"], *shown["community"]) if card]
    go(tab, address, game, "dealt", by)
    faces = tab.eval_on_selector_all(".felt use[data-card]:not([data-card=back])", "all => all.map(each => each.dataset.card)")
    assert sorted(faces) == sorted(up)


@some_games
def test_only_areas_that_accept_a_wager_are_named_buttons(game: str, tab: Any, address: str) -> None:
    go(tab, address, game, "betting")
    can = {choice["command"]["wager"] for choice in played(game)["betting"][ME]["seen"]["can"]}
    buttons = tab.locator(".felt [role=button]")
    for n in range(buttons.count()):
        each = buttons.nth(n)
        assert each.get_attribute("aria-label") and each.get_attribute("tabindex") == "0"
        assert can & set((each.get_attribute("data-wagers") or "").split("|"))
        assert each.get_attribute("data-seat") == str(SEAT)
    covered = {key for n in range(buttons.count()) for key in (buttons.nth(n).get_attribute("data-wagers") or "").split("|")}
    assert can <= covered
    go(tab, address, game, "revealed")
    assert tab.locator(".felt [role=button]").count() == 0


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["click", "tap", "Enter", "Space"])
def test_a_wager_by_mouse_finger_and_keyboard(key: str, browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    tab = context.new_page()
    go(tab, address, "649a", "betting")
    area = tab.get_by_role("button", name="Pair Plus Wager")
    if key == "click":
        area.click()
    elif key == "tap":
        area.tap()
    else:
        area.focus()
        tab.keyboard.press(key)
    told = tab.evaluate("({seat: window.wagered.seat, wager: window.wagered.wager})")
    assert told == {"seat": SEAT, "wager": "Pair Plus Wager"}
    context.close()


@pytest.mark.thorough
def test_a_round_from_moment_to_moment_leaves_nothing_behind(tab: Any, address: str) -> None:
    """Shown one after another, each moment looks the same as shown alone."""
    there = "() => [...document.querySelectorAll('.felt .laid > *')].map((each) => each.getAttribute('aria-label')).sort()"
    go(tab, address, "653a", "empty")
    for moment in (*MOMENTS, "betting"):
        tab.evaluate("([moment, by]) => felt.show(shots[moment][by].seen)", [moment, ME])
        found = tab.evaluate(there)
        if moment in MOMENTS:
            other = tab.context.new_page()
            go(other, address, "653a", moment)
            assert other.evaluate(there) == found, moment
            other.close()


@pytest.mark.thorough
def test_motion_is_short_and_nothing_waits_for_it(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="no-preference")
    tab = context.new_page()
    go(tab, address, "649a", "betting")
    moving = tab.evaluate(
        """(by) => { felt.show(shots.dealt[by].seen);
        return document.getAnimations().map((each) => each.effect.getTiming()).map(({duration, delay}) => [duration, delay]); }""",
        ME,
    )
    assert moving and all(duration <= 250 for duration, _ in moving) and max(delay for _, delay in moving) <= 600
    left = tab.evaluate(
        "(by) => { felt.show(shots.dealt[by].seen); return document.getAnimations().filter((each) => each.playState === 'running').length; }",
        ME,
    )
    assert left == 0  # the next view appears at once
    context.close()


@pytest.mark.thorough
def test_with_reduced_motion_the_felt_does_not_move(tab: Any, address: str) -> None:
    go(tab, address, "649a", "betting")
    assert tab.evaluate("(by) => { felt.show(shots.dealt[by].seen); return document.getAnimations().length; }", ME) == 0


# The card sprite loads separately, a moment after the felt. (`wait_for_function` would check once and then violate
# the page's policy, which forbids evaluating text.)
DRAWN = """async () => {
  const cards = () => [...document.querySelectorAll(".felt .lies[data-index] use")];
  for (let frame = 0; frame < 1000; frame++) {
    if (cards().every((each) => each.getBoundingClientRect().height > 0)) return;
    await new Promise(requestAnimationFrame);
  }
  throw new Error("The cards are not drawn.");
}"""


@pytest.mark.thorough
def test_a_phone_shows_the_near_seat_and_the_dealers_cards_large_enough(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    tab = context.new_page()
    for game in GAMES:
        go(tab, address, game, "revealed")
        tab.evaluate(DRAWN)
        cards = tab.eval_on_selector_all(
            ".felt .lies[data-index] use", "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert cards and min(cards) >= 48
        bets = tab.eval_on_selector_all(
            f".bet[data-seat='{SEAT}'] .edge", "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert min(bets) >= 40
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


@pytest.mark.thorough
@pytest.mark.parametrize("game", thorough([game for game in OF_THE_BOOK if game != "643a"], unless=["649a"]))
def test_the_dealers_hand_is_named_beside_its_cards_once_they_are_up(game: str, tab: Any, address: str) -> None:
    go(tab, address, game, "decision")
    assert tab.locator(".felt .dealer-hand").count() == 0
    go(tab, address, game, "revealed")
    named = played(game)["revealed"][ME]["seen"]["view"]["round"]["dealer_hand"]
    assert named
    shown = tab.evaluate("async (named) => (await import('/static/js/shared/cards.js')).withSuits(named)", named)
    assert tab.locator(".felt .dealer-hand").text_content() == shown


# in 643a and 680a the dealer has no ranked hand
@pytest.mark.thorough
@pytest.mark.parametrize("game", thorough([game for game in OF_THE_BOOK if game not in ("643a", "680a")], unless=["649a"]))
def test_the_cards_that_make_the_hands_are_raised(game: str, tab: Any, address: str) -> None:
    up = "all => all.map(each => each.querySelector('use').dataset.card)"
    go(tab, address, game, "decision")
    assert tab.eval_on_selector_all(".felt .made", up) == []
    go(tab, address, game, "revealed")
    shown = played(game)["revealed"][ME]["seen"]["view"]["round"]
    own, dealers = shown["boxes"][str(SEAT)]["made"], [code for code in shown["dealer_made"] if code in shown["dealer"]]
    assert shown["dealer_made"]
    assert sorted(tab.eval_on_selector_all(".felt .made", up)) == sorted([*own, *dealers])


def test_any_press_skips_what_moves_and_winnings_leave_nothing_behind(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="no-preference")
    tab = context.new_page()
    go(tab, address, "649a", "betting")
    running = "document.getAnimations().filter((each) => each.playState === 'running').length"
    start = """(by) => { felt.show(shots.dealt[by].seen); felt.celebrate();
      const timed = document.getAnimations().map((each) => each.effect.getTiming());
      return [document.querySelectorAll('.felt .spark').length, Math.max(...timed.map(({duration, delay}) => Math.max(duration, delay + duration - 600)))]; }"""
    sparks, longest = tab.evaluate(start, ME)
    assert sparks > 0
    assert longest <= 250
    tab.keyboard.press("Shift")
    assert tab.evaluate(running) == 0
    tab.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    assert tab.locator(".felt .spark").count() == 0
    context.close()


@pytest.mark.thorough
def test_a_meter_ticks_up_to_its_amount(browser: Any, address: str) -> None:
    tick = """async (amounts) => {
      const { meters } = await import('/static/js/player/meters.js');
      const holder = document.body.appendChild(document.createElement('div'));
      const seen = [];
      new MutationObserver(() => seen.push(holder.textContent)).observe(holder, { childList: true, subtree: true, characterData: true });
      for (const cents of amounts) meters(holder, { 'Progressive Wager': cents });
      for (let n = 0; n < 200 && !holder.textContent.endsWith('$5,100'); n += 1) await new Promise(requestAnimationFrame);
      return [holder.textContent, new Set(seen).size];
    }"""
    for motion in ("no-preference", "reduce"):
        context = browser.new_context(reduced_motion=motion)
        tab = context.new_page()
        go(tab, address, "649a", "betting")
        shown, changes = tab.evaluate(tick, [500_000, 510_000])
        assert shown == "Progressive$5,100"
        assert changes >= 4 if motion == "no-preference" else changes <= 1
        context.close()
