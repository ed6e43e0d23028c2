"""Every amount a seat shows, at every moment of seeded rounds of every game, is the amount in the ledger.

The page's own code runs in a browser: shared/amounts.js and shared/settlement.js compute the amounts, shared/felt.js draws them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from croupier import book
from croupier.money import show_money
from tests.browser.conftest import PATIENCE
from tests.browser.felt_harness import SEAT, serving
from tests.browser.seeded_rounds import ME, Moment, Player, amounts_in
from tests.examples import GAMES, _with_the_examples, thorough  # noqa: F401  (a fixture)

ROUNDS = 60  # of each game, at two tables; ten thousand in the nightly suite
BATCH = 400  # moments sent to the browser at once
SHOWN = """async ([sent, seat]) => {
  const amounts = await import('/static/js/shared/amounts.js');
  const settlement = await import('/static/js/shared/settlement.js');
  const text = (found) => [...document.querySelectorAll(found)].map((each) => each.textContent);
  return JSON.stringify(JSON.parse(sent).map((seen) => {
    const lines = amounts.linesOf(seen.view, seat);
    felt.show(seen);
    return {
      ...amounts.held(seen, seat), total: amounts.total(amounts.placed(seen)), felt: amounts.onFelt(seen.view), lacks: amounts.lacking(seen, seat),
      headline: settlement.resultInWords(lines), results: lines.map(settlement.gainOf), lines, panel: settlement.settlement(lines).textContent,
      stacks: [...document.querySelectorAll('.felt .laid .lies:has(.stack)')].map((each) => each.getAttribute('aria-label')),
      wagers: text('.felt .wager-result'),
    };
  }));
}"""  # as text: Playwright takes ten times as long with objects


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as where:
        yield where


def played(game: str, rounds: int, seed: int) -> Iterator[Moment]:
    """Play this many rounds, with a new table every fifty."""
    for start in range(0, rounds, 50):
        yield from Player(book.find(game).edition(), seed + start).rounds(min(50, rounds - start))


def compare(browser: Any, address: str, game: str, rounds: int, seed: int = 1) -> int:
    context = browser.new_context(reduced_motion="reduce")
    tab = context.new_page()
    tab.goto(f"{address}/{game}/empty")
    tab.wait_for_selector("body[data-ready=yes]", timeout=PATIENCE)
    moments, count = played(game, rounds, seed), 0
    while batch := list(islice(moments, BATCH)):
        shown = tab.evaluate(SHOWN, [json.dumps([moment.seen for moment in batch]), ME])
        for moment, found in zip(batch, json.loads(shown), strict=True):
            agrees(moment, found)
        count += len(batch)
    context.close()
    return count


def agrees(moment: Moment, shown: dict[str, Any]) -> None:
    view = moment.seen["view"]
    boxes = (view.get("round") or {}).get("boxes", {})
    mine = [box for box, each in boxes.items() if each["seat"] == ME] or [box for box in view["wagers"] if _laid_by_me(moment, box)]
    assert (shown["chips"], shown["account"]) == (moment.chips, moment.account)
    at_stake = sum(sum(shown["felt"].get(box, {}).values()) for box in mine)
    net = sum(shown["results"])
    if boxes:
        assert net - at_stake == moment.change, (
            "the result so far, and what is at stake, are what came to or left the player's money"
        )
    else:
        assert (net, -at_stake) == (moment.last, moment.change), "the last result stays until the next round begins"
    assert amounts_in(shown["headline"]) == abs(net)
    assert shown["headline"].startswith("You win" if net > 0 else "You lose" if net < 0 else "You break even")
    if shown["lines"]:
        assert shown["panel"].endswith(("+" if net > 0 else "−" if net < 0 else "") + show_money(abs(net)))
    if view["phase"] == "betting":
        assert shown["total"] == at_stake
        assert {int(box): sum(each.values()) for box, each in shown["felt"].items()} == {
            b: c for b, c in moment.on_layout.items() if c
        }
    assert shown["lacks"] == max(0, moment.seen["keep"] - moment.chips)
    for box, cents in moment.on_layout.items():
        assert _on_layout(view, shown["felt"].get(str(box), {})) == cents
    _drawn(view, shown)
    for box, lost in moment.said_lost.items():
        lines = view.get("results", {}).get(str(box), {"lines": ()})["lines"]
        forfeited = [line["stake"] for line in lines if line["outcome"] == "forfeit"]
        assert not forfeited or sum(forfeited) == lost, "a fold loses what its button said"


def _laid_by_me(moment: Moment, box: str) -> bool:
    return any(each["do"] == "take back wager" and str(each["command"]["seat"]) == box for each in moment.seen["can"])


def _on_layout(view: dict[str, Any], stakes: dict[str, int]) -> int:
    """Stakes with chips on the layout. Stakes collected before the deal are in play but no longer there."""
    wagers = book.find(view["game"]).edition(view["edition"]).wagers
    during = view.get("round") is not None
    return sum(cents for key, cents in stakes.items() if not (during and wagers[key].system))


def _drawn(view: dict[str, Any], shown: dict[str, Any]) -> None:
    """Every stake is a stack with its amount, there are no other stacks, and results appear where the wagers were."""
    stacks = [
        f"Seat {box}, {key.replace(': ', ' on the ')}: {show_money(cents)}"
        for box, each in shown["felt"].items()
        for key, cents in each.items()
    ]
    assert sorted(shown["stacks"]) == sorted(stacks)
    if view.get("round") and not shown["felt"].get(str(ME)):  # before that, a remaining stack hides the result of another
        lines = view.get("results", {}).get(str(ME), {"lines": ()})["lines"]
        gains = [
            line["pays"] + line["returns"] - line["stake"] for line in lines if line["stake"]
        ]  # a bonus has no area on the felt
        assert sum(map(_signed, shown["wagers"])) == sum(gains)


def _signed(words: str) -> int:
    return amounts_in(words) * (-1 if words.startswith("−") else 1)


@pytest.mark.parametrize("game", thorough(GAMES, unless=["649a"]))
def test_every_amount_shown_is_the_ledgers(game: str, browser: Any, address: str) -> None:
    assert SEAT == ME, "the felt is seen from the player's seat"
    assert compare(browser, address, game, ROUNDS) > ROUNDS * 8


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_amount_shown_in_ten_thousand_rounds(game: str, browser: Any, address: str) -> None:
    compare(browser, address, game, 10_000, seed=1_000)
