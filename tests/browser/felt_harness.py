"""The felt alone: rounds of each game played in memory, drawn by felt.js at several moments, with screenshots.

python -m tests.browser.felt_harness FOLDER [game ...]      screenshots into the folder
python -m tests.browser.felt_harness --serve [PORT]         to look at in a browser: /649a/settled
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import msgspec
from jinja2 import DictLoader, Environment, FileSystemLoader
from jinja2.loaders import ChoiceLoader

import croupier.web
from croupier import book
from croupier.law.procedure import Act
from croupier.money import show_money
from croupier.printed.drawing.felt import layout_drawing
from croupier.table.commands import PlaceWager
from croupier.table.rules.round_play import pending
from croupier.table.state import Phase
from croupier.table.views import view
from croupier.web.pages.assets import assets
from tests.browser.finding import browser_path
from tests.table.pit import STAYS, Pit, opened

WEB = Path(croupier.web.__file__).parent
GAMES = tuple(book.MODULES)
MOMENTS = ("empty", "betting", "dealt", "decision", "revealed", "settled")
SEAT, OTHERS = 3, (1, 2, 5, 6)
WINNERS = {"641a": "As Ah Ad Kc 2d", "643a": "As Ah Td", "649a": "Qs Js Ts", "653a": "As Ah", "679a": "Qs Js Ts", "680a": "As Ks Qs Ah Ad",
    "682a": "As Ah Ad Kc 2d"}  # fmt: skip
NAMES = {1: "Anna", 2: "Ben", 3: "You", 5: "Maximiliane Long", 6: "Eve"}


def seen(pit: Pit, by: str) -> dict[str, Any]:
    """A stand-in for what the server sends: the view, and where wagers can be placed."""
    return {"view": msgspec.to_builtins(view(pit.state, by), str_keys=True), "can": list(_choices(pit, by)), "meters": {}, "deadline": None, "betting_until": None,
        "standing": {"dealer": "automatic", "practice": False}}  # fmt: skip


def _choices(pit: Pit, by: str) -> Iterator[dict[str, Any]]:
    seat = int(by.partition(":")[2] or 0)
    for name in {wager.group or wager.key: 0 for wager in pit.state.rules.wagers.values()} if seat else ():
        command = PlaceWager(seat=seat, wager=name, amount=_amount(pit, name))
        if pit.can(command, by):
            told = msgspec.to_builtins(command)
            yield {
                "do": "place wager",
                "words": name,
                "cite": str(pit.state.rules.cite("7")),
                "command": told,
                "asks": [],
                "primary": False,
            }


def _amount(pit: Pit, name: str, dollars: int = 10) -> int:
    wager = next(each for each in pit.state.rules.wagers.values() if name in (each.key, each.group))
    return pit.amount(wager.name, dollars)


@cache
def played(game: str) -> dict[str, Any]:
    """A round with four other players, and what each role saw at each moment."""
    pit = opened(book.find(game).edition(), "automated shoe", SEAT, *OTHERS)
    for seat, name in NAMES.items():
        if seat in pit.state.players:
            pit.state.players[seat] = name
    shots: dict[str, Any] = {}

    def shoot(moment: str, lines: Any = ()) -> None:
        told = msgspec.to_builtins(lines)
        shots[moment] = {by: {"seen": seen(pit, by), "lines": told} for by in (f"player:{SEAT}", "dealer", "surveillance")}

    shoot("empty")
    for seat, dollars in zip(OTHERS, (25, 10, 100, 15), strict=True):
        pit.bet_everything(seat, ante=dollars)
    _some(pit)
    shoot("betting")
    _rest(pit)
    if game in WINNERS:
        pit.stack({SEAT: WINNERS[game]})
    pit.lock()
    pit.play_until(lambda table: table.phase is Phase.COMPLETING)
    shoot("dealt")
    pit.play_until(lambda table: table.phase is Phase.COMPLETING and SEAT in pending(table, table.round)[:1], STAYS)  # type: ignore[arg-type]
    shoot("decision" if pit.state.round else "nothing")
    pit.play_until(lambda table: table.stages[table.round.stage].act is Act.SETTLE, STAYS)  # type: ignore[union-attr]
    shoot("revealed")
    pit.play_until(lambda table: SEAT in table.round.settled, STAYS)  # type: ignore[union-attr]
    shoot("settled", pit.events[-1].then.lines)
    return shots


def _some(pit: Pit) -> None:
    """The first wagers of the near seat; the others stay open."""
    for wager in list(pit.state.rules.wagers.values()):
        group = wager.group or wager.key
        if not wager.made_by_decision and not wager.optional and SEAT not in pit.state.stakes:
            pit.place_wager(by=f"player:{SEAT}", seat=SEAT, wager=group, amount=_amount(pit, group, 15))


def _rest(pit: Pit) -> None:
    laid = pit.state.stakes[SEAT]
    for wager in pit.state.rules.wagers.values():
        group = wager.group or wager.key
        if wager.key not in laid and not wager.made_by_decision and pit.state.offer.offers(wager):
            pit.place_wager(by=f"player:{SEAT}", seat=SEAT, wager=group, amount=_amount(pit, group, 15))


# The pages

PAGE = """{% extends "base.html" %}
{% block title %}{{ title }}{% endblock %}
{% block here %}<strong>{{ title }}</strong> · seat {{ seat }}{% endblock %}
{% block main_class %}at-table{% endblock %}
{% block main %}
<div class="table-page">
  <div>
    <div class="felt" data-game="{{ game }}" data-moment="{{ moment }}" data-by="{{ by }}" data-seat="{{ mine }}">{{ svg }}</div>
    <div class="actions at-thumb">
      <button>Fold <span class="cite">649a.11(b)</span> <span class="key">F</span></button>
      <button disabled>Play 2x</button>
      <button class="primary">Play $10</button>
    </div>
  </div>
  <div class="beside">
    <section class="panel"><h2>What was told</h2><div id="told"></div></section>
    <section class="panel"><h2>Meter</h2><div class="meter"><span>Progressive</span><span class="money">$4,182.55</span></div>
      <p><span class="badge link" data-link="live">live</span> <span class="badge" data-state="warn">deck change due</span></p></section>
  </div>
</div>
{% endblock %}
{% block scripts %}<script type="module" src="/harness.js"></script>{% endblock %}
"""
SCRIPT = """
import { Felt } from "/static/js/shared/felt.js";
import { settlement } from "/static/js/shared/settlement.js";
const element = document.querySelector(".felt");
const { game, moment, by } = element.dataset;
const shots = await (await fetch(`/${game}.json`)).json();
const felt = new Felt(element);
window.felt = felt;
window.shots = shots;
const { seen, lines } = shots[moment][by];
felt.show(seen, { events: lines.length ? [{ seat: Number(element.dataset.seat), lines }] : [] });
document.querySelector("#told").append(settlement(lines, { table: "T1" }));
element.addEventListener("wager", (event) => { window.wagered = event.detail; });
document.body.dataset.ready = "yes";
"""


def page(game: str, moment: str, by: str) -> str:
    loader = ChoiceLoader([DictLoader({"page": PAGE}), FileSystemLoader(WEB / "templates")])
    near = SEAT if by.startswith("player") else 0
    rules = book.find(game).edition()
    return Environment(loader=loader, autoescape=False).get_template("page").render(
        title=rules.title, game=game, moment=moment, by=by, seat=near, assets="/static",
        mine=SEAT, svg=layout_drawing(_offer(game), near=near),
        who={"name": "Anna", "role": show_money(150_000)})  # fmt: skip


@cache
def _offer(game: str) -> Any:
    return opened(book.find(game).edition()).state.offer


def answer(path: str) -> tuple[str, bytes]:
    """What a floor's server would answer to the requests a felt makes."""
    known = {
        "/harness.js": lambda: ("text/javascript", SCRIPT.encode()),
    }
    if path in known:
        return known[path]()
    if path.startswith(("/static/", "/art/")):
        found = assets()[path.removeprefix("/static").lstrip("/")]
        return found.media_type, found.body
    if path.endswith(".json"):
        return "application/json", json.dumps(played(path[1:-5])).encode()
    game, moment, *by = path.strip("/").split("/")
    return "text/html; charset=utf-8", page(game, moment, by[0] if by else f"player:{SEAT}").encode()


class Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        try:
            kind, body = answer(urlsplit(self.path).path)
        except (KeyError, ValueError, FileNotFoundError):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(port: int = 0) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", port), Answering)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


# The browser


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--font-render-hinting=none"]  # fmt: skip
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path(), args=quiet)
        yield browser
        browser.close()


SCREENS = {"laptop": (1280, 800), "phone": (390, 844)}


def picture(
    folder: Path, games: tuple[str, ...], moments: tuple[str, ...] = MOMENTS, by: str = f"player:{SEAT}", **options: Any
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as address, chromium() as browser:
        for screen, (wide, high) in SCREENS.items():
            context = browser.new_context(
                viewport={"width": wide, "height": high}, device_scale_factor=2 if screen == "phone" else 1, **options
            )
            tab = context.new_page()
            tab.on("console", lambda said: print("console:", said.text))
            tab.on("pageerror", lambda problem: print("error:", problem))
            for game in games:
                for moment in moments:
                    tab.goto(f"{address}/{game}/{moment}/{by}")
                    tab.wait_for_selector("body[data-ready=yes]", timeout=20_000)
                    tab.wait_for_timeout(200)
                    tab.screenshot(path=folder / f"{game}-{moment}-{screen}-{by.partition(':')[0]}.png")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        with serving(int(sys.argv[2]) if sys.argv[2:] else 8123) as where:
            print(where)
            input()
    else:
        picture(Path(sys.argv[1]), tuple(sys.argv[2:]) or GAMES)
