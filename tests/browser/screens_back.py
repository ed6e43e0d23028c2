"""Screenshots of the pages of surveillance and the administrator, for the documentation and for review.

pictures(browser, address, folder, logins, ...)      of an existing floor, in each role, on a laptop and on a phone
python -m tests.browser.screens_back                 of a separate floor, with some rounds played
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, ViewportSize, expect

import croupier
from croupier.client import Client, Refused
from tests.browser.felt_harness import chromium
from tests.browser.small_png import SCREENS, publish, small_png
from tests.web.playing import ante, asked, sit, until
from tests.web.serving import Served, serving

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
MOST = 200_000  # bytes per picture
SMALLER: ViewportSize = {"width": 1120, "height": 700}  # a felt on a laptop is larger than this

PAGES: Mapping[str, Mapping[str, str]] = {
    "surveillance": {
        "surveillance": "/surveillance",
        "surveillance-table": "/surveillance/tables/{table}",
        "surveillance-replay": "/surveillance/tables/{table}/rounds/{number}",
        "surveillance-search": "/surveillance/search",
        "surveillance-hold": "/surveillance/hold",
    },
    "administrator": {
        "administrator-users": "/administrator/users",
        "administrator-submissions": "/administrator/submissions",
        "administrator-submission": "/administrator/submissions/{filing}",
        "administrator-compare": "/administrator/compare?one={one}&other={other}",
        "administrator-tables": "/administrator/tables",
        "administrator-audit": "/administrator/audit",
        "administrator-backup": "/administrator/backup",
    },
}


def log_in(page: Page, name: str, password: str) -> None:
    """Log in through the API, with the page's cookies."""
    page.request.get("/api/me")
    token = next(each["value"] for each in page.context.cookies() if each["name"] == "csrftoken")
    answer = page.request.post("/api/login", data={"name": name, "password": password}, headers={"x-csrftoken": token})
    assert answer.ok, answer.text()


def settle(page: Page) -> None:
    """Wait until the page shows its content. Live views keep a connection open, so the network is never idle."""
    expect(page.locator(".loading")).to_have_count(0, timeout=20_000)
    page.wait_for_timeout(400)


def pictures(
    browser: Browser,
    address: str,
    folder: Path,
    logins: Mapping[str, tuple[str, str]],
    *,
    schemes: tuple[Literal["light", "dark"], ...] = ("light",),
    sizes: tuple[tuple[str, ViewportSize], ...] = (("", LAPTOP), ("-phone", PHONE)),
    only: str = "",
    whole: bool = False,
    **places: object,
) -> Iterator[Path]:
    """Shoot each page of each role whose login is given."""
    folder.mkdir(parents=True, exist_ok=True)
    for role, (name, password) in logins.items():
        for scheme in schemes:
            for ending, size in sizes:
                context = browser.new_context(base_url=address, viewport=size, color_scheme=scheme, reduced_motion="reduce")
                page = context.new_page()
                log_in(page, name, password)
                for title, path in PAGES[role].items():
                    if only not in title:
                        continue
                    page.goto(path.format(**places))
                    settle(page)
                    if title == "surveillance-replay":
                        page.keyboard.press("End")
                        for _ in range(2):
                            page.keyboard.press("ArrowLeft")
                    file = folder / f"{title}{ending}{'-dark' if scheme == 'dark' else ''}.png"
                    file.write_bytes(small_png(page.screenshot(full_page=whole), browser))
                    yield file
                context.close()


# a separate floor

TABLE, OTHER = "three-card-poker", "ultimate-texas-hold-em-poker"
PASSWORD = "correct horse battery"
SEATS = {"Ada": (2, 2500), "Bruno Keller": (4, 1000), "Chiara": (6, 1500)}
SIDES = (("Pair Plus Wager", 500, 1), ("Six Card Bonus Wager", 500, 2), ("Three-Card Progressive Payout Wager", 100, 3))


def busy_floor(served: Served, rounds: int = 25) -> dict[str, Any]:
    """A floor with users, two more submissions, rounds with side wagers, and one round that waits for a decision."""
    administrator = served.administrator(PASSWORD)
    for name, role in (("Vera", "surveillance"), ("Dan", "dealer"), ("Fay", "floorperson")):
        made = administrator.call("POST", "/api/users", {"name": name, "role": role})
        client = served.client()
        client.login(name, made["password"])
        client.change_password(made["password"], PASSWORD)
    with suppress(Refused):
        served.client().login("Dan", "not his password")
    filed = _file(administrator)
    players = {served.guest(name): place for name, place in SEATS.items()}
    for player, (seat, _) in players.items():
        sit(player, TABLE, seat)
    for number in range(rounds + 1):
        _round(players, number, last=number == rounds)
    _other_table(served)
    return {"table": TABLE, "number": rounds - 2, **filed}


def _file(administrator: Client) -> dict[str, str]:
    """File one submission with errors and one with other payouts. Return the ones to look at and to compare."""
    text = administrator.submission(TABLE)
    first = next(each["id"] for each in administrator.call("GET", "/api/submissions") if each["game"] == "649a")
    wrong = text.replace('"Pair Plus Wager" = "A"', '"Pair Plus Wager" = "F"').replace("maximum = 500", "maximum = 2")
    other = text.replace('"Pair Plus Wager" = "A"', '"Pair Plus Wager" = "C"').replace("maximum = 500", "maximum = 1000")
    ids = [administrator.call("POST", "/api/submissions", {"text": each})["id"] for each in (wrong, other)]
    return {"filing": ids[0], "one": first, "other": ids[1]}


def _round(players: Mapping[Client, tuple[int, int]], number: int, *, last: bool) -> None:
    some = next(iter(players))
    before = some.seen(TABLE).view.rounds
    for player, (seat, amount) in players.items():
        ante(player, TABLE, seat, amount)
        for wager, side, every in SIDES:
            if number % every == 0:
                player.do(TABLE, "place wager", seat=seat, wager=wager, amount=side)
    for player in players:
        player.ready(TABLE)
    for n, (player, (seat, _)) in enumerate(players.items()):
        asked(player, TABLE, seat)
        if last and n == 1:
            return
        player.do(TABLE, "decide", seat=seat, choice="fold" if (number + n) % 3 == 0 else "play")
    until(lambda: (view := some.seen(TABLE).view).rounds > before and view.phase == "betting")


def _other_table(served: Served) -> None:
    guest = served.guest("Dmitri")
    sit(guest, OTHER, 3)
    for wager in ("Ante Wager", "Blind Wager"):
        guest.do(OTHER, "place wager", seat=3, wager=wager, amount=1000)
    guest.ready(OTHER)
    asked(guest, OTHER, 3)


def _wait_for_odds(served: Served, seconds: float) -> None:
    """Wait for the odds, which the chart of the hold needs. If they were never computed, the page says so instead."""
    client = served.client()
    client.login("Vera", PASSWORD)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tables = client.call("GET", "/api/surveillance/hold")["tables"]
        if all(each["odds"] == "known" for table in tables if table["table"] == TABLE for each in table["wagers"]):
            return
        time.sleep(3)


def main() -> None:
    source = os.path.dirname(os.path.dirname(croupier.__file__))
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        env = {"PYTHONPATH": source, "CROUPIER_ODDS": "yes"}
        with serving(str(Path(place) / "croupier.db"), Path(place), env=env) as served:
            places = busy_floor(served)
            _wait_for_odds(served, 180)
            logins = {"surveillance": ("Vera", PASSWORD), "administrator": ("administrator", PASSWORD)}
            sizes = (("", SMALLER), ("-phone", PHONE))
            for picture in pictures(browser, served.address, SCREENS, logins, sizes=sizes, **places):
                size = picture.stat().st_size
                print(picture, f"{size:,}")
                assert size < MOST, picture
    publish()


if __name__ == "__main__":
    main()
