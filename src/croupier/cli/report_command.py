"""The report of a period: wagers, win and return of each filed offer, for people, for programs and for spreadsheets."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.answers import Books, patience, print_json, stop
from croupier.cli.ledger_commands import LogPath, opened

if TYPE_CHECKING:
    from croupier.floor.surveillance.jackpots import Jackpot
    from croupier.floor.surveillance.period_report import OfferTotals, PeriodReport


class Form(Enum):
    TEXT, JSON, CSV = "text", "json", "csv"


def register(app: typer.Typer) -> None:
    app.command(rich_help_panel="The ledger")(report)


def report(
    source: LogPath,
    period: Annotated[str, typer.Option(help="A day (2026-11-17), a month (2026-11) or a year (2026), in UTC. Default: all.")] = "",
    odds: Annotated[bool, typer.Option("--odds", help="Compute theoretical returns that are not cached yet.")] = False,
    form: Annotated[Form, typer.Option("--format", help="text, json or csv.")] = Form.TEXT,
    books: Books = None,
) -> None:
    """Report what each filed offer took and returned in a day, a month, a year or in all, with its theoretical return."""
    from croupier.floor.clock import now_in_milliseconds
    from croupier.floor.surveillance.hold import Holds
    from croupier.floor.surveillance.period_report import Period, plain, report_of
    from croupier.floor.surveillance.records import Records
    from croupier.odds.prices import prices, prices_kept

    try:
        asked = Period.read(period)
    except ValueError:
        stop(f"“{period}” is not a period. Write a day (2026-11-17), a month (2026-11) or a year (2026).")
    with opened(source) as log:
        records = Records(log)
        records.catch_up_all()
        if odds:
            with patience():
                found = report_of(Holds(records, prices), asked)
        else:
            found = report_of(Holds(records, prices_kept), asked)
    at = now_in_milliseconds()
    match form:
        case Form.JSON:
            print_json(plain(found, at))
        case Form.CSV:
            _print_csv(plain(found, at))
        case Form.TEXT:
            _print(found, source, at)


COLUMNS = (
    "operators", "period", "chapter", "edition", "game", "offer", "opened", "tables", "wager", "rounds", "bets", "handle", "win",
    "contributed", "from_meter", "expected", "return", "theoretical_return",
)  # fmt: skip


def _print_csv(data: dict[str, Any]) -> None:
    """One line for each wager of an offer; the heading alone if there was no activity."""
    out = csv.DictWriter(sys.stdout, COLUMNS, extrasaction="ignore")
    out.writeheader()
    for line in data["lines"]:
        cells = {"operators": data["operators"], "period": data["period"], **line}
        out.writerow({name: "; ".join(cell) if isinstance(cell, list) else cell for name, cell in cells.items()})


def _print(found: PeriodReport, source: str, at: int) -> None:
    from rich.text import Text

    from croupier.cli.draw import console
    from croupier.money import show

    made = datetime.fromtimestamp(at / 1000, UTC)
    console.print(Text(f"{', '.join(found.facilities) or 'No operator'}: wagers, win and return by offer", style="bold"))
    console.print(f"Period: {found.period.name or 'all'} (UTC). Made {made:%Y-%m-%d %H:%M:%S} UTC from {source}.", soft_wrap=True)
    if not found.activity:
        console.print("No activity.")
        return
    for each in found.offers:
        _print_offer(each)
    if found.jackpots:
        _print_jackpots(found.jackpots)
    if any(line.handle and line.theoretical is None for each in found.offers for line in each.wagers):
        console.print("–: no theoretical return, because it is not computed yet (use --odds) or cannot be counted.", soft_wrap=True)
    void = f"{found.void:,} void rounds, " if found.void else ""
    money = f"drop {show(found.drop)}, abandoned {show(found.abandoned)}, win {show(found.win)}"
    console.print(f"{found.rounds:,} rounds, {void}{money}.", soft_wrap=True)


def _print_offer(each: OfferTotals) -> None:
    from croupier.cli.draw import _table, console
    from croupier.money import percent, show

    rules, opened = each.offer.rules, datetime.fromtimestamp(each.opened / 1000, UTC).date()
    console.print(f"\n{rules.title}, {rules.number}, edition {rules.edition.name}, at {', '.join(each.tables)}", soft_wrap=True)
    console.print(f"Offer {each.offer.hash}, first opened {opened}", soft_wrap=True)
    numbers = ("Rounds", "Bets", "Wagered", "Win", "Returned", "Theoretical")
    table = _table("", "Wager", *numbers, right=numbers)
    for line in each.wagers:
        shares = (percent(share, 2) if share is not None else "–" for share in (line.returned, line.theoretical))
        table.add_row(line.wager, f"{line.rounds:,}", f"{line.bets:,}", show(line.handle), show(line.win), *shares)
    console.print(table)


def _print_jackpots(found: Sequence[Jackpot]) -> None:
    from croupier.cli.draw import _table, console
    from croupier.money import percent, show

    console.print("\nJackpots: before + contributed + restarted - paid = shows", soft_wrap=True)
    numbers = ("Seed", "Rate", "Before", "Contributed", "Restarted", "Paid", "Wins", "Shows", "Reserve")
    table = _table("", "Meter", *numbers, right=numbers)
    for each in found:
        moves = (each.shown_before, each.contributed, each.reseeded + each.released, each.paid)
        rate = percent(Fraction(each.terms.rate), 2)
        table.add_row(
            each.meter, show(each.terms.seed), rate, *map(show, moves), f"{each.wins:,}", show(each.shown), show(each.held)
        )
    console.print(table)
