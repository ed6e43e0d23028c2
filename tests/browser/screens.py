"""Screenshots of the player's pages, as a person sees them, 1280 by 800, on a separate floor.

    python -m tests.browser.screens [NAME ...]      all of them, or those whose names start like that

A picture is a function that takes a Studio and shoots. `picture` registers it.
"""  # fmt: skip

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

import croupier
from croupier.odds import report
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.felt_harness import chromium
from tests.browser.playing import bet, deal, mode, play_out, sit_down
from tests.browser.small_png import SCREENS, publish, small_png
from tests.printed.filings import GAMES, offer
from tests.printed.odds import kept
from tests.web.serving import Served, serving

LARGEST = 150_000  # bytes per picture


@dataclass
class Studio:
    """A floor, and a browser."""

    served: Served
    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)
    taken: dict[str, bytes] = field(default_factory=dict)

    def page(self, **options: Any) -> Page:
        context = self.browser.new_context(base_url=self.served.address, **{"viewport": LAPTOP, **options})
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        return context.new_page()

    def shoot(self, page: Page, name: str) -> None:
        page.wait_for_timeout(700)  # animations have finished
        page.mouse.move(0, 0)
        self.taken[name] = page.screenshot()

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()
        for name, png in self.taken.items():  # now, because no table clock is running
            place = SCREENS / f"{name}.png"
            place.write_bytes(small_png(png, self.browser))
            assert place.stat().st_size < LARGEST, f"{place.name} has {place.stat().st_size:,} bytes"
        self.taken.clear()


PICTURES: dict[str, Callable[[Studio], None]] = {}


def picture(take: Callable[[Studio], None]) -> Callable[[Studio], None]:
    PICTURES[take.__name__.replace("_", "-")] = take
    return take


@picture
def floor(studio: Studio) -> None:
    for name in ("Ada", "Blaise"):
        sit_down(studio.page(), "let-it-ride-poker", name)
    for name, options in (("floor", {}), ("floor-dark", {"color_scheme": "dark"}), ("floor-phone", {"viewport": PHONE})):
        page = studio.page(**options)
        page.goto("/")
        page.wait_for_selector(".table-card[data-ready]")
        page.wait_for_selector(".edges td[title]")
        studio.shoot(page, name)


@picture
def seat(studio: Studio) -> None:
    """A round of Three Card Poker from the first look to the settlement, with other players and the coach."""
    page, other = studio.page(), studio.page()
    page.goto("/tables/three-card-poker")
    mode(page, "watch")
    studio.shoot(page, "seat-watching")
    sit_down(page, "three-card-poker", "Sophie")
    page.click("#code-noted")
    sit_down(other, "three-card-poker", "Pierre")
    bet(other, "Ante Wager", "$5")
    page.locator('#rack [data-value="2500"]').click()
    bet(page, "Ante Wager", "$25")
    bet(page, "Pair Plus Wager", "$25")
    studio.shoot(page, "seat-wagers")
    page.check("#coach-on")
    deal(other, alone=False)
    deal(page)
    _decide_first(other, page)
    page.wait_for_selector(".coach-table", timeout=120_000)
    studio.shoot(page, "seat-decision")
    page.locator("#choices .primary").click()
    mode(page, "settled")
    page.keyboard.press("i")  # show the clauses
    page.wait_for_selector("#felt .leaving", state="detached")
    studio.shoot(page, "seat-settled")


def _decide_first(other: Page, page: Page) -> None:
    """The player on the dealer's left decides first."""
    while page.get_attribute("#seat-page", "data-mode") != "decide":
        if other.get_attribute("#seat-page", "data-mode") == "decide":
            other.locator("#choices .primary").click()
            other.wait_for_selector('#seat-page:not([data-mode="decide"])')
        page.wait_for_timeout(100)


@picture
def seat_phone(studio: Studio) -> None:
    page = studio.page(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    sit_down(page, "ultimate-texas-hold-em-poker", "Emmy")
    bet(page, "Ante Wager", "$5")
    bet(page, "Blind Wager", "$5")
    deal(page)
    mode(page, "decide")
    studio.shoot(page, "seat-phone")


@picture
def seat_setting(studio: Studio) -> None:
    """Three cards selected at Saigon 5 Card."""
    page = studio.page()
    sit_down(page, "saigon-5-card", "Kurt")
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "set")
    for key in "124":
        page.keyboard.press(key)
    studio.shoot(page, "seat-setting")


@picture
def guide(studio: Studio) -> None:
    """The decision in a guided round."""
    page = studio.page()
    sit_down(page, "three-card-poker", "Ida")
    page.get_by_role("link", name="First time? Take a guided round").click()
    bet(page, "Ante Wager", "$5")
    deal(page)
    mode(page, "decide")
    page.locator(".guide-says", has_text="Best play: ").wait_for(timeout=240_000)
    studio.shoot(page, "guide")


@picture
def train(studio: Studio) -> None:
    """An answered hand in the trainer."""
    page = studio.page()
    page.goto("/train/three-card-poker")
    page.wait_for_selector('#train[data-state="asked"]', timeout=240_000)
    page.locator("#choices .choice").last.click()
    studio.shoot(page, "train")


@picture
def hands(studio: Studio) -> None:
    """A player's hands after a few rounds, with one open."""
    page = studio.page()
    sit_down(page, "three-card-poker", "Sonja")
    for n in range(4):
        bet(page, "Ante Wager", "$5")
        bet(page, "Pair Plus Wager", "$5")
        deal(page)
        play_out(page)
        page.locator("#rounds > li").nth(n).wait_for(state="attached")
        mode(page, "bet")
    page.goto("/hands")
    page.locator("#status", has_text="newest first").wait_for(timeout=240_000)
    page.locator(".result-plot").wait_for(timeout=240_000)
    page.locator("#hands summary").first.click()
    page.evaluate("scrollTo(0, 150)")
    studio.shoot(page, "hands")


@picture
def rules(studio: Studio) -> None:
    page = studio.page()
    page.goto("/tables/three-card-poker/rules")
    studio.shoot(page, "rules")
    page.get_by_role("link", name="The hands, highest first").click()
    studio.shoot(page, "rules-hands")


@picture
def problem(studio: Studio) -> None:
    page = studio.page()
    page.goto("/tables/nowhere")
    studio.shoot(page, "problem")


def main(wanted: list[str]) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    for name, take in PICTURES.items():
        if not wanted or any(name.startswith(each) for each in wanted):
            _take(take)
            print(name)
    publish()


def _take(picture: Callable[[Studio], None]) -> None:
    """Each on a floor of its own: the dealer would wait for the players of the one before."""
    with tempfile.TemporaryDirectory() as folder:
        env = {
            "PYTHONPATH": os.path.dirname(os.path.dirname(croupier.__file__)),
            "CROUPIER_ODDS": "yes",
            "CROUPIER_CACHE": _kept_odds(Path(folder)),
        }
        with serving(f"{folder}/floor.db", Path(folder), env=env, pace="unhurried") as served, chromium() as browser:
            studio = Studio(served, browser)
            picture(studio)
            studio.close()


def _kept_odds(folder: Path) -> str:
    """Odds of the example filings, so that the floor has its edges at once."""
    cache = folder / "cache"
    cache.mkdir()
    for game in GAMES:
        each = offer(game)
        (cache / f"{report._key('', each.rules, each)}.json").write_text(json.dumps(kept()[game][""]))
    return str(cache)


if __name__ == "__main__":
    main(sys.argv[1:])
