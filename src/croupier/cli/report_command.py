"""Reports of a period: wagers, win and return of each filed offer, and significant events."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from rich.text import Text

from croupier.cli.display import console, fits, print_rows, say
from croupier.cli.ledger_commands import LogPath, opened
from croupier.cli.shared import LEDGER, Books, print_json, progress_shown, stop
from croupier.money import dollars, percent, show_money

if TYPE_CHECKING:
    from croupier.floor.surveillance.period_report import Jackpot, OfferTotals, Period, PeriodReport
    from croupier.floor.surveillance.records import Records


class ReportFormat(Enum):
    TEXT, JSON, CSV = "text", "json", "csv"


InPeriod = Annotated[
    str, typer.Option("--period", help="A day (2026-11-17), a month (2026-11) or a year (2026), in UTC. Default: all.")
]
InFormat = Annotated[ReportFormat, typer.Option("--format", help="text, json or csv.")]

app = typer.Typer()


@app.command(rich_help_panel=LEDGER)
def report(
    source: LogPath,
    period: InPeriod = "",
    odds: Annotated[bool, typer.Option("--odds", help="Compute theoretical returns that are not cached yet.")] = False,
    form: InFormat = ReportFormat.TEXT,
    books: Books = None,
) -> None:
    """Report what each filed offer took and returned in a day, a month, a year or overall, with its theoretical return."""
    from croupier.floor.clock import now_in_milliseconds
    from croupier.floor.surveillance.hold import TableHolds
    from croupier.floor.surveillance.period_report import as_data, report_of
    from croupier.odds.prices import cached_prices, prices

    asked = _period(period)
    with _records(source) as records, progress_shown() if odds else nullcontext():
        found = report_of(TableHolds(records, prices if odds else cached_prices), asked)
    at = now_in_milliseconds()
    match form:
        case ReportFormat.JSON:
            print_json(as_data(found, at))
        case ReportFormat.CSV:
            data = as_data(found, at)
            heading = {"operators": data["operators"], "period": data["period"]}
            _print_csv(COLUMNS, [{**heading, **line} for line in data["lines"]])
        case ReportFormat.TEXT:
            _print(found, source, at)


@app.command(rich_help_panel=LEDGER)
def events(
    source: LogPath,
    period: InPeriod = "",
    large: Annotated[int, typer.Option(min=1, help="List wins of at least this many dollars by one player in a round.")] = 1200,
    form: InFormat = ReportFormat.TEXT,
    books: Books = None,
) -> None:
    """List significant events: failed logins, changes, void rounds, irregularities, jackpots and large wins."""
    from croupier.floor.clock import now_in_milliseconds
    from croupier.floor.surveillance.period_report import operators
    from croupier.floor.surveillance.significant_events import SignificantEvent, significant_events

    asked = _period(period)
    with _records(source) as records:
        found, whose = significant_events(records, asked.since, asked.until, dollars(large)), operators(records)
    lines, at = [msgspec.to_builtins(each) for each in found], now_in_milliseconds()
    match form:
        case ReportFormat.JSON:
            heading = {"title": "Significant events", "operators": list(whose), "period": asked.name or "all", "made": at}
            print_json({**heading, "activity": bool(lines), "events": lines})
        case ReportFormat.CSV:
            _print_csv(SignificantEvent.__struct_fields__, lines)
        case ReportFormat.TEXT:
            _print_heading(whose, "significant events", asked, source, at)
            times = [f"{datetime.fromtimestamp(each.at / 1000, UTC):%Y-%m-%d %H:%M:%S}" for each in found]
            rows = [(at, e.who, e.what, e.table, f"{e.round or ''}", e.address) for at, e in zip(times, found, strict=True)]
            print_rows("", ["Time (UTC)", "Who", "What", "Table", "Round", "Address"], rows, right=["Round"])
            if not found:
                console.print("No activity.")


@contextmanager
def _records(source: str) -> Iterator[Records]:
    from croupier.floor.surveillance.records import Records

    with opened(source) as log:
        records = Records(log)
        records.catch_up_all()
        yield records


def _period(text: str) -> Period:
    from croupier.floor.surveillance.period_report import Period

    try:
        return Period.read(text)
    except ValueError:
        stop(f"“{text}” is not a period. Write a day (2026-11-17), a month (2026-11) or a year (2026).")


COLUMNS = (
    "operators", "period", "chapter", "edition", "game", "offer", "opened", "tables", "wager", "rounds", "bets", "handle", "win",
    "contributed", "from_meter", "expected", "return", "theoretical_return",
)  # fmt: skip


def _print_csv(columns: Sequence[str], lines: Sequence[dict[str, Any]]) -> None:
    """One row for each line; the heading alone if there was no activity."""
    out = csv.DictWriter(sys.stdout, columns, extrasaction="ignore")
    out.writeheader()
    for line in lines:
        out.writerow({name: "; ".join(cell) if isinstance(cell, list) else cell for name, cell in line.items()})


def _print_heading(operators: Sequence[str], title: str, period: Period, source: str, at: int) -> None:
    made = datetime.fromtimestamp(at / 1000, UTC)
    console.print(Text(f"{', '.join(operators) or 'No operator'}: {title}", style="bold"))
    console.print(f"Period: {period.name or 'all'} (UTC). Generated {made:%Y-%m-%d %H:%M:%S} UTC from {source}.", soft_wrap=True)


def _print(found: PeriodReport, source: str, at: int) -> None:
    _print_heading(found.facilities, "wagers, win and return by offer", found.period, source, at)
    if not found.activity:
        console.print("No activity.")
        return
    for each in found.offers:
        _print_offer(each)
    if found.jackpots:
        _print_jackpots(found.jackpots)
    if any(line.handle and line.theoretical is None for each in found.offers for line in each.wagers):
        console.print("–: no theoretical return, because it is not computed yet (use --odds) or cannot be counted.", soft_wrap=True)
    void = f"{found.void:,} void round{'s' * (found.void > 1)}, " if found.void else ""
    money = f"drop {show_money(found.drop)}, abandoned {show_money(found.abandoned)}, win {show_money(found.win)}"
    console.print(f"{found.rounds:,} round{'s' * (found.rounds != 1)}, {void}{money}.", soft_wrap=True)


def _print_offer(offer: OfferTotals) -> None:
    rules, opened = offer.offer.rules, datetime.fromtimestamp(offer.opened / 1000, UTC).date()
    console.print(f"\n{rules.title}, {rules.number}, edition {rules.edition.name}, at {', '.join(offer.tables)}", soft_wrap=True)
    console.print(f"Offer {offer.offer.hash}, first opened {opened}", soft_wrap=True)
    numbers = ("Rounds", "Bets", "Wagered", "Win", "Returned", "Theoretical")
    rows = []
    for line in offer.wagers:
        shares = (percent(share, 2) if share is not None else "–" for share in (line.returned, line.theoretical))
        rows.append((line.wager, f"{line.rounds:,}", f"{line.bets:,}", show_money(line.handle), show_money(line.win), *shares))
    print_rows("", ["Wager", *numbers], rows, right=numbers)


def _print_jackpots(jackpots: Sequence[Jackpot]) -> None:
    """A table, or a sentence for each meter on a terminal that is too narrow for one."""
    console.print("\nJackpots: before + contributed + restarted - paid = shows", soft_wrap=True)
    numbers = ("Seed", "Rate", "Before", "Contributed", "Restarted", "Paid", "Wins", "Shows", "Reserve")
    rows = []
    for each in jackpots:
        moves = (each.shown_before, each.contributed, each.reseeded + each.released, each.paid)
        terms = (show_money(each.terms.seed), percent(Fraction(each.terms.rate), 2))
        rows.append((each.meter, *terms, *map(show_money, moves), f"{each.wins:,}", show_money(each.shown), show_money(each.held)))
    if fits(["Meter", *numbers], rows):
        print_rows("", ["Meter", *numbers], rows, right=numbers)
    else:
        for meter, *figures in rows:
            say(f"  {meter}: " + ", ".join(f"{name.lower()} {figure}" for name, figure in zip(numbers, figures, strict=True)))
