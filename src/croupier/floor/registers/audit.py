"""The audit: who did what, and when. It merges its own lines with the events of the other registers, as sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from itertools import islice

import msgspec

from croupier.floor.house.house import Damaged
from croupier.floor.registers.filings import Filings
from croupier.floor.registers.house_key import HouseKeys
from croupier.floor.registers.people import People
from croupier.floor.registers.people_events import ByUser, LoggedIn
from croupier.floor.registers.register import HouseRefusal, Register, RegisterEvent, tidy
from croupier.floor.registers.table_settings import Floor, StandingSet
from croupier.ledger import Source
from croupier.table.events import NotAnEvent

VERSION = 1
PAGE = 200  # entries of a stream to read at a time
MOST_LINES = 1000  # of one answer
LONGEST_NAME = 100


class Noted(RegisterEvent, frozen=True, kw_only=True, tag="noted"):
    """What a user did, at a table or not."""

    role: str
    what: str
    table: str = ""
    version: int = 0  # of the table's event that came of it
    address: str = ""

    sentence = "{0.what}"


class AuditLine(msgspec.Struct, frozen=True):
    at: int
    who: str
    what: str
    role: str
    table: str
    version: int
    address: str
    stream: str
    number: int  # of the entry in its stream


class AuditPage(msgspec.Struct, frozen=True):
    """Lines from the newest to the oldest. `older` asks for the next page; it is empty on the last."""

    lines: tuple[AuditLine, ...]
    older: str


class Audit(Register[Noted]):
    """The audit stream. It is not kept in memory."""

    stream = "audit"
    events, newest = Noted, VERSION

    def note(self, user: str, role: str, what: str, table: str = "", version: int = 0, address: str = "") -> None:
        """Record a line. Nothing is refused: unprintable text is dropped, and long text is cut."""
        names = {"by": user, "role": role, "table": table, "address": address}
        short = {name: tidy(text, LONGEST_NAME) for name, text in names.items()}
        self._write(lambda: [Noted(v=VERSION, at=self.clock(), what=tidy(what), version=version, **short)])

    def catch_up(self) -> None:
        with self._lock:
            self.version, self._head = self.recorder.head(self.stream)

    def lines(self, limit: int = 100, before: str = "") -> AuditPage:
        """The newest lines, or those that are older than a page."""
        below = {stream: self.recorder.head(stream)[0] + 1 for stream in REGISTERS}
        if before:
            below = {stream: min(place, below[stream]) for stream, place in _places(before).items()}
        streams = [_lines(self.recorder, stream, below[stream]) for stream in REGISTERS]
        most = min(max(limit, 1), MOST_LINES)
        found = list(islice(merge(*streams, key=lambda line: -line.at), most + 1))
        lines = found[:most]
        for line in lines:
            below[line.stream] = line.number
        older = " ".join(f"{stream}:{place}" for stream, place in below.items()) if len(found) > len(lines) else ""
        return AuditPage(tuple(lines), older)


REGISTERS = {each.stream: each for each in (Audit, People, Filings, Floor, HouseKeys)}


def _lines(source: Source, stream: str, below: int) -> Iterator[AuditLine]:
    """The lines of a stream below a version, newest first."""
    while below > 1:
        first = max(below - PAGE, 1)
        for entry in reversed(list(source.read(stream, first - 1, below - first))):
            try:
                event: RegisterEvent = REGISTERS[stream].read(entry.body)
            except NotAnEvent as problem:
                raise Damaged(f"{stream}, version {entry.version}: {problem}") from problem
            if what := event.says():
                yield audit_line(event, what, stream, entry.version)
        below = first


def audit_line(event: RegisterEvent, what: str, stream: str, number: int) -> AuditLine:
    return AuditLine(
        at=event.at,
        who=event.who,
        what=what,
        role=event.role if isinstance(event, Noted | LoggedIn) else "",
        table=event.table if isinstance(event, Noted) else event.standing.table if isinstance(event, StandingSet) else "",
        version=event.version if isinstance(event, Noted) else 0,
        address=event.address if isinstance(event, Noted | ByUser) else "",
        stream=stream,
        number=number,
    )


def _places(text: str) -> dict[str, int]:
    """Where a page ended, from what it gave as `older`."""
    found = re.fullmatch(" ".join(f"{stream}:([0-9]{{1,17}})" for stream in REGISTERS), text)
    if found is None:
        raise HouseRefusal("that is not a position in the audit", "the value of `older` from the previous page", "malformed")
    return dict(zip(REGISTERS, map(int, found.groups()), strict=True))
