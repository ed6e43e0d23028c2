"""The report for a period: every cent of its rounds, by filed offer over all tables, and “no activity” if there were none."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli import display
from croupier.cli.main import app
from croupier.floor.house.house import House, open_table
from croupier.floor.house.meter_stream import MeterEvent, Terms
from croupier.floor.surveillance.hold import TableHolds
from croupier.floor.surveillance.period_report import Period, PeriodReport, jackpots, report_of
from croupier.floor.surveillance.records import Records
from croupier.ledger import MemoryRecorder, Recorder, Unit, follow, open_recorder
from croupier.ledger.canonical import encode
from croupier.money import dollars
from croupier.table.meters import MeterMove, MeterState
from tests.floor.play import Clock, play, submission
from tests.floor.test_hold import COIN

FIRST, SECOND = "2027-01-15", "2027-02-02"  # the test clock starts on the first
runner = CliRunner()


def played(recorder: Recorder) -> House:
    """Two tables of one offer and one of another, on a day in January and a day in February."""
    clock = Clock()
    house = House(recorder, clock)
    for table, game in (("A", "649a"), ("B", "649a"), ("C", "680a")):
        asyncio.run(open_table(house, table, submission(game), dollars(100_000), person="Flora"))
    for month, seed in ((0, 1), (1, 2)):
        for table in "AB" if month else "ABC":
            play(house, table, 6, seed)
        clock.now += 18 * 86_400_000
    return house


@cache
def records() -> Records:
    found = Records(played(MemoryRecorder()).recorder)
    found.catch_up_all()
    return found


def priced(offer: Any) -> Any:
    """Every Pair Plus Wager is a coin flip with an edge of one tenth. Nothing else has a price."""
    return SimpleNamespace(wagers=[{"wager": "Pair Plus Wager", "outcomes": COIN}])


def report(period: str) -> PeriodReport:
    return report_of(TableHolds(records(), priced), Period.read(period))


@pytest.mark.parametrize("period", ["", "2027", "2027-01", "2027-02", FIRST, SECOND])
def test_every_cent_of_the_rounds_of_the_period_is_in_it(period: str) -> None:
    found = report(period)
    rounds = [each for table in "ABC" for each in records().rounds(table, found.period.since, found.period.until)]
    assert found.rounds == len(rounds) > 0
    assert found.win == -sum(sum(each.net.values()) for each in rounds)


def test_parts_of_the_time_make_up_the_whole() -> None:
    whole, parts = report("2027"), [report("2027-01"), report("2027-02")]
    assert (whole.rounds, whole.win, whole.drop) == tuple(
        sum(getattr(each, of) for each in parts) for of in ("rounds", "win", "drop")
    )
    assert [report(FIRST).win, report(SECOND).win] == [each.win for each in parts]


def test_an_offer_is_counted_over_all_its_tables() -> None:
    found = report("")
    assert [(each.offer.rules.number, each.tables) for each in sorted(found.offers, key=lambda each: each.tables)] == [
        ("649a", ("A", "B")),
        ("680a", ("C",)),
    ]
    assert {each.opened for each in found.offers} == {records().openings(table)[0].at for table in "AC"}
    (both,) = (each for each in found.offers if each.tables == ("A", "B"))
    one, other = (TableHolds(records(), priced).of(table) for table in "AB")
    for line in both.wagers:
        holds = [each for table in (one, other) for each in table.wagers if each.wager == line.wager]
        assert (line.bets, line.win) == (sum(each.bets for each in holds), sum(each.win for each in holds))


def test_returns_are_what_was_paid_and_what_the_odds_say() -> None:
    for offer in report("").offers:
        for line in offer.wagers:
            assert line.returned is None or line.returned == Fraction(line.handle - line.win, line.handle)
            assert line.theoretical == (Fraction(9, 10) if line.wager == "Pair Plus Wager" else None)


def test_a_period_without_rounds_has_no_activity() -> None:
    for period in ("2026", "2027-03", "2027-01-16"):
        found = report(period)
        assert (found.activity, found.rounds, found.win, found.offers, found.facilities) == (False, 0, 0, (), ("Example Casino",))


@pytest.mark.parametrize("period", ["", "2027-01", "2027-02", "2026", "2027-03"])
def test_jackpots_are_what_the_rounds_contributed_and_drew(period: str) -> None:
    found = report(period)
    rounds = [each for table in "ABC" for each in records().rounds(table, found.period.since, found.period.until)]
    assert sum(each.contributed + each.reserved for each in found.jackpots) == sum(
        sum(each.contributed.values()) for each in rounds
    )
    assert sum(each.paid for each in found.jackpots) == sum(sum(each.jackpots.values()) for each in rounds)
    for each in found.jackpots:
        assert each.shown == each.shown_before + each.contributed + each.reseeded + each.released - each.paid
        assert each.held == each.held_before + each.reserved - each.released
    assert bool(found.jackpots) == (period != "2026")  # the meters were opened in January


def test_a_jackpot_by_hand() -> None:
    """A meter of $1,000 that takes 14% and keeps 6%: $50 on Monday, won on Tuesday, restarted at $500, $100 on Wednesday."""
    recorder, terms = MemoryRecorder(), Terms(100, "7/50", "3/50", 100_000, 50_000)
    moves = [
        (5, MeterState(100_000), None),
        (10, MeterState(100_700, 300), MeterMove(wagered=5_000, contributed=700, reserved=300)),
        (20, MeterState(50_000, 300), MeterMove(drawn=100_700, reseeded=50_000)),
        (30, MeterState(51_400, 900), MeterMove(wagered=10_000, contributed=1_400, reserved=600)),
    ]
    _, head = recorder.head("meter/big")
    for version, (at, meter, move) in enumerate(moves, 1):
        event = MeterEvent(1, at, f"T{version}", version, "A wager", meter, move, None if move else terms)
        entry = follow("meter/big", version, head, encode(event))
        recorder.append([Unit((entry,))])
        head = entry.hash
    (whole,), (tuesday,) = jackpots(recorder), jackpots(recorder, 20, 30)
    assert (whole.meter, whole.wager, whole.opened, whole.terms, whole.tables) == ("big", "A wager", 5, terms, ["T2", "T3", "T4"])
    assert (whole.shown_before, whole.contributed, whole.reseeded, whole.paid, whole.shown) == (
        100_000,
        2_100,
        50_000,
        100_700,
        51_400,
    )
    assert (whole.wins, whole.last_won, whole.reserved, whole.held, whole.wagered) == (1, 20, 900, 900, 15_000)
    assert (tuesday.shown_before, tuesday.contributed, tuesday.reseeded, tuesday.paid, tuesday.shown) == (
        100_700,
        0,
        50_000,
        100_700,
        50_000,
    )
    assert (tuesday.wins, tuesday.held_before, tuesday.held, tuesday.tables) == (1, 300, 300, ["T3"])
    assert jackpots(recorder, 0, 5) == []


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "floor.db"
    recorder = open_recorder(str(path))
    played(recorder)
    recorder.close()
    return path


def run(*args: object) -> Any:
    return runner.invoke(app, ["report", *map(str, args)])


def test_the_command_says_whose_what_when_and_made_when(database: Path) -> None:
    printed = run(database, "--period", "2027-01").stdout
    assert printed.startswith("Example Casino: wagers, win and return by offer\nPeriod: 2027-01 (UTC). Generated 20")
    assert "Three Card Poker, 649a, edition 2019-11-02, at A, B\n" in printed
    assert f", first opened {FIRST}\n" in printed
    assert "Pair Plus Wager" in printed
    assert "Jackpots: before + contributed + restarted - paid = shows" in printed
    assert "No activity" not in printed
    empty = run(database, "--period", "2026-12-31")
    assert (empty.exit_code, empty.stdout.splitlines()[-1]) == (0, "No activity.")


def test_a_jackpot_is_a_sentence_on_80_columns(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display.console, "_width", 80)
    printed = run(database).stdout
    told = " ".join(printed.partition("Jackpots:")[2].split())
    assert "A/Three-Card Progressive Payout Wager: seed $1,000, rate 14.00%, before $1,000, contributed $3.50, restarted $0" in told
    assert max(map(len, printed.partition("Jackpots:")[2].partition("–: no")[0].splitlines())) <= 80


@pytest.mark.parametrize("width", [80, 120, 150, 200])
def test_the_name_of_a_meter_is_never_broken_inside_a_word(width: int, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display.console, "_width", width)
    told = run(database).stdout.partition("Jackpots:")[2]
    assert "A/Three-Card Progressive Payout Wager" in " ".join(told.split())
    assert ("\n Meter " in told) == (width >= 150), "a table only where it fits"


def test_json_and_csv_have_the_same_lines(database: Path) -> None:
    data = json.loads(run(database, "--format", "json").stdout)
    found = report_of(TableHolds(records()), Period.read(""))
    assert (data["operators"], data["period"], data["activity"], data["win"]) == (["Example Casino"], "all", True, found.win)
    lines = list(csv.DictReader(io.StringIO(run(database, "--format", "csv").stdout)))
    assert [(line["offer"], line["wager"], int(line["handle"]), int(line["win"])) for line in lines] == [
        (line["offer"], line["wager"], line["handle"], line["win"]) for line in data["lines"]
    ]
    assert {line["tables"] for line in lines} == {"A; B", "C"}
    assert len(run(database, "--format", "csv", "--period", "2026").stdout.splitlines()) == 1


@pytest.mark.parametrize("period", ["x", "26", "2026-13", "2026-1", "2026-11-31", "2026-11-17-1", "-1", "2026-00"])
def test_a_malformed_period_is_refused(database: Path, period: str) -> None:
    found = run(database, f"--period={period}")
    assert (found.exit_code, found.stderr.startswith(f"“{period}” is not a period.")) == (2, True)


def test_a_file_that_is_not_a_log_is_refused(tmp_path: Path) -> None:
    assert run(tmp_path / "none.db").exit_code == 2
