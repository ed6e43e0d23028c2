"""One price for one Offer on every surface: pages and JSON, the text of PDFs, and the output of commands.

This covers the example filing of every chapter on a real server. `tests/odds/test_prices.py` covers every reading of every edition.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pypdfium2
import pytest
from typer.testing import CliRunner

from croupier import book
from croupier.cli.main import app
from croupier.filing.template import example_submission
from croupier.money import percent, show_money
from croupier.odds import report
from croupier.odds.names import price_name
from croupier.odds.prices import Prices
from croupier.printed.content.phrases import short
from tests.examples import NAMED, _with_the_examples, some_games  # noqa: F401  (a fixture)
from tests.printed.filings import GAMES, offer
from tests.printed.odds import kept, known_odds  # noqa: F401  (a fixture)
from tests.web.serving import Served, serving
from tests.web.staffing import hire, staff

pytestmark = pytest.mark.usefixtures("known_odds")


@cache
def found(game: str) -> Prices:
    return Prices(kept()[game][""])


def stated(game: str) -> list[tuple[str, str, str]]:
    """What every surface must say about each wager: its name, its edge to four places, and the stake where that matters."""
    told = [each for price in found(game).wagers for each in (price, found(game).at_most(price)) if each]
    assert told
    return [
        (price_name(each), percent(Fraction(each["edge"])), f"at {show_money(each['stake'])}" if "stake" in each else "")
        for each in told
    ]


@pytest.fixture(scope="module")
def priced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor of the example filings, with odds computed in advance."""
    folder = tmp_path_factory.mktemp("priced")
    cache = folder / "cache"
    cache.mkdir()
    for game in GAMES:
        each = offer(game)
        (cache / f"{report._key('', each.rules, each)}.json").write_text(json.dumps(kept()[game][""]))
    with serving(
        str(folder / "floor.db"), folder, env={"CROUPIER_ODDS": "yes", "CROUPIER_CACHE": str(cache), book.FILES_VARIABLE: NAMED}
    ) as served:
        hire(served, "Vera", "surveillance")
        yield served


def text(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", page, flags=re.S)).split())


def get(served: Served, path: str) -> str:
    answer = httpx.get(served.address + path, timeout=60)
    assert answer.status_code == 200
    return answer.text


@pytest.fixture(scope="module")
def tables(priced: Served) -> dict[str, Any]:
    return {each["game"]: each for each in json.loads(get(priced, "/api/tables"))}


def on_the_floor(price: dict[str, Any], places: int = 4) -> str:
    """With the stake if it is fixed. A progressive has its amount next to it."""
    edge = percent(Fraction(price["edge"]), places)
    return f"{edge} at {show_money(price['stake'])}" if "stake" in price and not price["meter"] else edge


@pytest.mark.parametrize("game", GAMES)
def test_the_floor_says_it_as_data_and_as_a_page(game: str, priced: Served, tables: dict[str, Any]) -> None:
    """A wager that can be on either hand is listed once. A progressive's meter is at its start on the first day.

    The page shows two decimals, and all four on hover.
    """
    table = tables[game]
    assert table["offer"] == offer(game).hash
    by_wager = {price["wager"]: on_the_floor(price) for price in reversed(found(game).wagers)}
    rounded = {price["wager"]: on_the_floor(price, 2) for price in reversed(found(game).wagers)}
    assert {each["name"]: each["edge"] for each in table["wagers"]} == by_wager
    assert {each["name"]: each["short_edge"] for each in table["wagers"]} == rounded
    page = get(priced, "/")
    card = page[page.index(f">{html.escape(table['title'], quote=True)}</a>".replace("&#x27;", "&#39;")) :].split("<details>")[0]
    for wager, edge in by_wager.items():
        stands = rf"{re.escape(short(wager))}(?: with [\w ,]+)? {re.escape(rounded[wager])}"
        assert re.search(stands, text(card)), (wager, text(card))
        assert f'title="{edge}"' in card


@pytest.mark.parametrize("game", GAMES)
def test_the_rule_sheet_says_it(game: str, priced: Served, tables: dict[str, Any]) -> None:
    sheet = text(get(priced, f"/tables/{tables[game]['table']}/rules"))
    cost = sheet.rpartition("What the game costs")[2].partition("If something goes wrong")[0]
    for wager, edge, at in stated(game):
        assert re.search(
            rf"{re.escape(wager)}(?:, {re.escape(at)})?(?:, with the meter at its starting amount)? {re.escape(edge)}", cost
        ), wager
        assert at in cost
    assert re.findall(r"-?[\d,]+\.\d{4}%", cost) == [edge for _, edge, _ in stated(game)]


@pytest.mark.parametrize("game", ["649a", "653a"])
def test_an_approver_is_warned_of_what_the_wagers_return(game: str, priced: Served) -> None:
    administrator = priced.administrator()
    filed = next(each for each in administrator.call("GET", "/api/submissions") if each["game"] == game)
    warned = {each["about"]: each["found"] for each in administrator.call("GET", f"/api/submissions/{filed['id']}")["cautions"]}
    little = {
        price_name(each): 1 - Fraction(each["edge"]) for each in found(game).wagers if Fraction(each["edge"]) > Fraction(1, 4)
    }
    assert little
    for wager, returns in little.items():
        said = next(words for about, words in warned.items() if wager.startswith(about.partition(":")[0]))
        assert f"returns {percent(returns)} of what it takes" in said
    page = administrator._http.get(f"/administrator/submissions/{filed['id']}").text
    assert all(words in text(page) for words in warned.values())
    row = administrator._http.get("/administrator/submissions").text.partition(f"/administrator/submissions/{filed['id']}")[2]
    assert f"{len(warned)} warning" in row.partition("</tr>")[0]


def test_the_hold_expects_it(priced: Served, tables: dict[str, Any]) -> None:
    """A losing bet: the house won the stake, and was expected to win its edge on it."""
    table = tables["679a"]["table"]
    player = priced.guest("Ann")
    player.do(table, "sit", seat=3, player="Ann")
    player.do(table, "buy in", seat=3, amount=100_000)
    rounds, wagered, decided = 2, -1, -1
    for news in player.watch(table):
        if news.seen is None:
            continue
        view, now = news.seen.view, news.seen.view.round
        if view.phase == "betting" and wagered != view.rounds:
            if view.rounds >= rounds:
                break
            wagered = view.rounds
            for wager in ("Ante Wager", "Prime Wager"):
                player.do(table, "place wager", seat=3, wager=wager, amount=1_000)
            player.ready(table)
        elif now and 3 in now.asked and decided != now.number:
            decided = now.number
            player.do(table, "decide", seat=3, choice="play")
    told = staff(priced, "Vera").call("GET", "/api/surveillance/hold")["tables"]
    rows = {row["wager"]: row for each in told if each["table"] == table for row in each["wagers"]}
    for price in found("679a").wagers[:2]:
        row = rows[price["wager"]]
        assert row["bets"] == rounds
        assert row["expected"] == round(Fraction(price["edge"]) * 1_000 * rounds)


# paper and commands


@pytest.fixture
def filing(tmp_path: Path) -> Any:
    def of(game: str) -> Path:
        file = tmp_path / f"{game}.toml"
        file.write_text(example_submission(book.find(game).edition()))
        return file

    return of


def run(*command: str) -> str:
    ran = CliRunner().invoke(app, command)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def printed(kind: str, file: Path) -> str:
    run("print", kind, str(file), "-o", str(file.parent))
    (pdf,) = file.parent.glob(f"*-{kind}.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)).split())


@some_games
def test_the_guide_says_it(game: str, filing: Any) -> None:
    cost = printed("guide", filing(game)).partition("What the game costs")[2].partition("If something goes wrong")[0]
    assert re.findall(r"-?[\d,]+\.\d{4}%", cost) == [edge for _, edge, _ in stated(game)]
    for wager, edge, at in stated(game):
        assert re.search(rf"{re.escape(wager.replace(' Wager', ''))} {re.escape(edge)} [\d.]+%(?: {re.escape(at)})?", cost), (
            wager,
            cost,
        )
        assert at in cost


@some_games
def test_the_mathematics_report_says_it_in_its_summary_and_wager_by_wager(game: str, filing: Any) -> None:
    told = printed("mathematics", filing(game))
    summary = told.partition("Maximum win ")[2].partition("Edge, return and standard deviation")[0]
    for wager, edge, at in stated(game):
        name = re.sub(r" on the (\w+)'s hand", r", \1's hand", wager.replace(" Wager", ""))
        assert f"{name}{f', {at}' if at else ''} {edge}" in summary, (wager, summary)
    for price in found(game).wagers:
        assert f"{price['edge']} = {percent(Fraction(price['edge']), 6)}" in told


@some_games
def test_the_strategy_card_says_it_of_the_main_game(game: str, filing: Any) -> None:
    """Above a strategy that is best play, or next to the edge of one that is not."""
    card, edge = printed("strategy", filing(game)), stated(game)[0][1]
    assert f"Best play · house edge {edge} of" in card or f"(best play: {edge})" in card


@some_games
def test_the_commands_say_it(game: str, filing: Any) -> None:
    file = filing(game)
    odds = run("odds", game, "--submission", str(file))
    difference = run("diff", str(file), str(file))
    checked = " ".join(run("check", "--odds", str(file)).split())
    for wager, edge, at in stated(game):
        assert re.search(rf"{re.escape(at)} +{re.escape(edge)} " if at else rf" {re.escape(edge)} ", odds), wager
        assert re.search(rf"{re.escape(wager)} .*{re.escape(edge)}", difference), (wager, difference)
        returns = 1 - Fraction(next(p["edge"] for p in found(game).wagers if price_name(p) == wager))
        if not Fraction(3, 4) <= returns <= 1:
            assert f"returns {percent(returns)} of what it takes {at}" in checked


@pytest.mark.parametrize("game", ["641a", "643a", "649a", "680a"])
def test_the_report_the_command_and_the_page_of_readings_say_what_silence_costs(game: str, filing: Any) -> None:
    file = filing(game)
    report = printed("mathematics", file).partition("A player who never answers")[2].partition("Published figures")[0]
    command = run("odds", game, "--submission", str(file)).partition("Price for a player who never answers")[2].partition("\n\n")[0]
    assert command.startswith(" ")  # it lists the main game even where silence changes nothing
    page = (Path(__file__).parents[2] / "docs" / "readings.md").read_text()
    chapter = page.partition(f"## {game} ")[2].partition("\n## ")[0]
    assert found(game).unanswered
    for price in found(game).unanswered:
        wager, edge = price["wager"].rpartition(",")[0], percent(Fraction(price["edge"]))
        assert re.search(rf"{wager}(?: -?[\d.]+%)* {re.escape(edge)}", report), (wager, report)
        assert f" {edge} " in command, (wager, command)
        assert re.search(rf"{re.escape(edge)} of (?:the|one) {wager}", chapter), (wager, chapter)
