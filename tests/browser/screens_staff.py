"""Screenshots of the staff pages: python -m tests.browser.screens_staff. Each is small enough for the documentation."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

import croupier
from tests.browser.felt_harness import chromium
from tests.browser.small_png import SCREENS, publish, small_png
from tests.web.playing import ante
from tests.web.serving import Served, serving
from tests.web.staffing import DEALER, FLOORPERSON, PASSWORD, hire, put, ready_the_deck, staff

TABLE, PROGRESSIVE = "three-card-poker", "Three-Card Progressive Payout Wager"
OPENING = "four-card-poker"
LAPTOP, PHONE = {"width": 1220, "height": 720}, {"width": 390, "height": 844}
LARGEST = 200_000  # bytes


def screens(browser: Browser, folder: Path, *, phones: bool = True, dark: bool = False) -> list[Path]:
    """The login, the dealer's table, the floorperson's board and table, during a game."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        database = str(Path(place) / "floor.db")
        source = str(Path(croupier.__file__).parent.parent)
        with serving(database, Path(place), env={"PYTHONPATH": source}) as served:
            hire(served, DEALER, "dealer")
            hire(served, FLOORPERSON, "floorperson")
            play = _Play(served)
            return _taken(browser, served, play, folder, phones, "dark" if dark else "light")


class _Play:
    """What happens at the table between the pictures."""

    def __init__(self, served: Served) -> None:
        self.dealer, self.floorperson = staff(served, DEALER), staff(served, FLOORPERSON)
        self.anna, self.ben = served.guest("Anna"), served.guest("Ben Long-Surname")
        put(self.floorperson, TABLE, "person")
        put(self.floorperson, OPENING, "person")
        self.floorperson.do(OPENING, "close table")
        self.floorperson.call("POST", f"/api/tables/{OPENING}/open", {"opener": 400_000}, {"Idempotency-Key": "for-the-pictures"})
        for do in ("receive decks", "inspect decks"):
            self.dealer.choose(OPENING, next(each for each in self.dealer.seen(OPENING).can if each.do == do).command)
        for seat, player in ((2, self.anna), (5, self.ben)):
            player.do(TABLE, "sit", seat=seat, player=player.name)
            player.do(TABLE, "buy in", seat=seat, amount=50_000)
        ready_the_deck(self.dealer, self.floorperson, TABLE, 2)

    def wager(self) -> None:
        ante(self.anna, TABLE, 2, 2500)
        self.anna.do(TABLE, "place wager", seat=2, wager="Pair Plus Wager", amount=1000)
        ante(self.anna, TABLE, 2, 100, PROGRESSIVE)
        ante(self.ben, TABLE, 5, 10_000)

    def deal(self) -> None:
        can = next(each for each in self.dealer.seen(TABLE).can if each.do == "no more bets")
        self.dealer.choose(TABLE, can.command | {"collected": {PROGRESSIVE: 100}})
        deal = next(each for each in self.dealer.seen(TABLE).can if each.do == "deal cards")
        self.dealer.choose(TABLE, deal.command)

    def decide(self) -> None:
        for seat, player in ((2, self.anna), (5, self.ben)):
            if seat in self.dealer.seen(TABLE).view.round.asked:
                player.do(TABLE, "decide", seat=seat, choice="play")

    def reveal(self) -> None:
        for _ in range(4):
            seen = self.dealer.seen(TABLE)
            if seen.view.round.stage.act.startswith("each player"):
                break
            self.dealer.choose(TABLE, next(each for each in seen.can if each.primary).command)
        seen = self.dealer.seen(TABLE)
        for each in [each for each in seen.can if each.do == "turn hand"]:
            self.dealer.choose(TABLE, each.command)


def _taken(browser: Browser, served: Served, play: _Play, folder: Path, phones: bool, scheme: str) -> list[Path]:
    made: list[Path] = []
    sizes = {"": LAPTOP, **({"-phone": PHONE} if phones else {})}

    def shoot(name: str, who: str, path: str, act: Callable[[Page], Any] = lambda page: None) -> None:
        for suffix, viewport in sizes.items():
            context = browser.new_context(
                base_url=served.address, viewport=viewport, color_scheme=scheme, reduced_motion="reduce",  # type: ignore[arg-type]
                device_scale_factor=1.5 if suffix else 1,
            )  # fmt: skip
            page = context.new_page()
            if who:
                log_in(page, who)
            page.goto(path)
            page.wait_for_timeout(900)
            act(page)
            picture = folder / f"staff-{name}{suffix}{'-dark' if scheme == 'dark' else ''}.png"
            picture.write_bytes(small_png(page.screenshot(), browser))
            made.append(picture)
            context.close()

    shoot("login", "", "/login")
    shoot("dealer-tables", DEALER, "/dealer")
    play.wager()
    shoot("dealer-betting", DEALER, f"/dealer/{TABLE}")
    shoot("dealer-counting", DEALER, f"/dealer/{TABLE}", lambda page: page.click('[data-do="no more bets"]'))
    play.deal()
    shoot("dealer-asking", DEALER, f"/dealer/{TABLE}")
    shoot("floorperson", FLOORPERSON, "/floorperson")
    shoot("floorperson-table", FLOORPERSON, f"/floorperson/{TABLE}")
    shoot("floorperson-fill", FLOORPERSON, f"/floorperson/{OPENING}", lambda page: page.click('[data-do="post limits"]'))
    play.decide()
    play.reveal()
    shoot("dealer-settling", DEALER, f"/dealer/{TABLE}")
    shoot("dealer-opening", DEALER, f"/dealer/{OPENING}")
    shoot("dealer-practice", DEALER, f"/dealer/{TABLE}", _wrong_step)
    shoot("dealer-locked", DEALER, f"/dealer/{TABLE}", _locked)
    return made


def _locked(page: Page) -> None:
    page.click("#lock")
    page.wait_for_selector("dialog.lock")


def _wrong_step(page: Page) -> None:
    page.check("#by-myself")
    page.click('[data-act="clear cards"]')
    page.wait_for_selector("#correction:not([hidden])")


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    """Log in through the page."""
    page.goto("/login")
    page.fill("#name", name)
    page.fill("#password", password)
    page.click("#form-login button.primary")
    page.wait_for_url(lambda address: "/login" not in address)


def main() -> None:
    with chromium() as browser:
        made = screens(browser, SCREENS)
        if "--dark" in sys.argv:
            made += screens(browser, SCREENS, dark=True)
    for picture in made:
        print(picture, picture.stat().st_size)
    publish()


if __name__ == "__main__":
    main()
