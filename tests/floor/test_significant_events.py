"""Significant events: what an examiner asks for, with who, when, from where and the old value, and no daily routine."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.floor.registers.audit import Audit
from croupier.floor.registers.register import HouseRefusal
from croupier.floor.registers.table_settings import Floor
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.significant_events import significant_events
from croupier.ledger import MemoryRecorder
from croupier.money import show_money
from tests.floor.registers import Stopped, people
from tests.floor.test_period_report import database, records

__all__ = ["database"]
runner = CliRunner()


def test_failures_and_changes_with_what_was_before() -> None:
    recorder, clock = MemoryRecorder(), Stopped()
    staff, floor, audit = people(recorder, clock), Floor(recorder, clock), Audit(recorder, clock)
    password = staff.add("Ann", "dealer", "Root")
    clock.now += 1000
    staff.login("Ann", password, "192.0.2.1")
    with suppress(HouseRefusal):
        staff.login("Ann", "not the password", "192.0.2.7")
    clock.now += 1000
    staff.change_role("Ann", "floorperson", "Root")
    clock.now += 1000
    floor.change_settings("T1", by="Root", filing="abc", betting_seconds=30)
    clock.now += 1000
    floor.change_settings("T1", by="Root", dealer="person", betting_seconds=45)
    audit.note("Ann", "floorperson", "deal cards", "T1", 7)
    clock.now += 1000
    audit.note("the house", "", "found the program's files changed")
    found = significant_events(Records(recorder))
    assert [(each.who, each.what, each.address) for each in found] == [
        ("Root", "added the user Ann as dealer", ""),
        ("Ann", "failed to log in: wrong password", "192.0.2.7"),
        ("Root", "changed the role of Ann from dealer to floorperson", ""),
        ("Root", "set how table T1 is run: submission abc, the automatic dealer, for play, 30 s for wagers", ""),
        (
            "Root",
            "set how table T1 is run: submission abc, a dealer, for play, 45 s for wagers; "
            "before: submission abc, the automatic dealer, for play, 30 s for wagers",
            "",
        ),
        ("the house", "found the program's files changed", ""),
    ]
    assert [each.table for each in found] == ["", "", "", "T1", "T1", ""]
    assert significant_events(Records(recorder), clock.now) == found[-1:]
    assert significant_events(Records(recorder), found[1].at, found[2].at) == found[1:2]


def test_void_rounds_irregularities_jackpots_and_large_wins() -> None:
    rounds = [each for table in "ABC" for each in records().rounds(table)]
    wins = sorted(cents for each in rounds for cents in each.net.values() if cents > 0)
    large = wins[-3]
    found = [(each.table, each.round, each.what) for each in significant_events(records(), large=large) if each.round]
    expected = [(each.table, each.number, f"void: {each.void}") for each in rounds if each.void]
    for each in rounds:
        expected += [(each.table, each.number, f"irregularity: {name}") for name in each.irregularities if name != each.void]
        expected += [
            (each.table, each.number, f"{show_money(paid)} paid from the meter of the {of}") for of, paid in each.jackpots.items()
        ]
        expected += [
            (each.table, each.number, f"won {show_money(cents)} in a round") for cents in each.net.values() if cents >= large
        ]
    assert sorted(found) == sorted(expected)
    assert any(each.void for each in rounds)
    assert sum("won" in what for *_, what in found) >= 3


def run(*args: object) -> Any:
    return runner.invoke(app, ["events", *map(str, args)])


def test_the_command_lists_them_and_says_so_if_there_are_none(database: Path) -> None:
    printed = run(database).stdout
    assert printed.startswith("Example Casino: significant events\nPeriod: all (UTC). Generated 20")
    assert "void: " in " ".join(printed.split())
    empty = run(database, "--period", "2026")
    assert (empty.exit_code, empty.stdout.splitlines()[-1]) == (0, "No activity.")
    data = json.loads(run(database, "--format", "json", "--large", 1).stdout)
    assert (data["title"], data["operators"], data["activity"]) == ("Significant events", ["Example Casino"], True)
    assert any("won $" in each["what"] for each in data["events"])
    rows = list(csv.DictReader(io.StringIO(run(database, "--format", "csv", "--large", 1).stdout)))
    assert [(row["what"], row["table"], int(row["round"])) for row in rows] == [
        (each["what"], each["table"], each["round"]) for each in data["events"]
    ]
    assert run(database, "--period", "x").exit_code == 2
