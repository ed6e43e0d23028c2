"""Significant events of a period: failed logins, changes with the old values, void rounds, irregularities and large wins."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.floor.registers.audit import REGISTERS, Noted, audit_line
from croupier.floor.registers.people_events import LoggedIn, PasswordChanged
from croupier.floor.registers.register import RegisterEvent
from croupier.floor.registers.table_settings import StandingSet, TableSettings
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.ledger import Source
from croupier.money import Cents, show_money
from croupier.table.events import NotAnEvent


class SignificantEvent(msgspec.Struct, frozen=True):
    at: int  # milliseconds
    who: str
    what: str
    table: str = ""
    round: int = 0
    address: str = ""


def significant_events(records: Records, since: int = 0, until: int = 0, large: Cents | None = None) -> list[SignificantEvent]:
    """The significant events of registers and rounds in a period (milliseconds; 0 for no bound), oldest first.

    `large` is the least that a player wins in a round for it to be listed; without it no win is.
    """
    rounds = (each for table in records.tables() for each in records.rounds(table, since, until))
    found = [*_of_registers(records.source), *(event for each in rounds for event in _of_round(each, large))]
    return sorted((each for each in found if each.at >= since and (not until or each.at < until)), key=lambda each: each.at)


def _of_registers(source: Source) -> Iterator[SignificantEvent]:
    before: dict[str, TableSettings] = {}
    for stream in sorted(REGISTERS.keys() & set(source.streams())):
        for entry in source.read(stream):
            try:
                event = REGISTERS[stream].read(entry.body)
            except NotAnEvent as problem:
                raise NotAnEvent(f"{stream}, version {entry.version}: {problem}") from problem
            if what := _what(event, before):
                line = audit_line(event, what, stream, entry.version)
                yield SignificantEvent(line.at, line.who, what, line.table, address=line.address)


def _what(event: RegisterEvent, before: dict[str, TableSettings]) -> str:
    """What happened, in words; empty for daily routine: successful logins, and commands at a table."""
    if isinstance(event, LoggedIn | PasswordChanged) or (isinstance(event, Noted) and event.version):
        return ""
    if not isinstance(event, StandingSet):
        return event.says()
    was, before[event.standing.table] = before.get(event.standing.table), event.standing
    return event.says() + (f"; before: {was}" if was else "")


def _of_round(round_: RecordedRound, large: Cents | None) -> Iterator[SignificantEvent]:
    found = [("the table", f"void: {round_.void}")] if round_.void else []
    found += [("the table", f"irregularity: {name}") for name in round_.irregularities if name != round_.void]
    found += [("the table", f"{show_money(cents)} paid from the meter of the {wager}") for wager, cents in round_.jackpots.items()]
    if large is not None:
        found += [(player, f"won {show_money(cents)} in a round") for player, cents in round_.net.items() if cents >= large]
    return (SignificantEvent(round_.begun, who, what, round_.table, round_.number) for who, what in found)
