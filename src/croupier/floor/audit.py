"""The audit: who of the house did what, when. Lines of its own, and what people, filings and the floor tell, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import merge
from itertools import islice
from typing import Any

import msgspec

from croupier.floor import filings, people_events, standing
from croupier.floor.house import Damaged
from croupier.floor.registry import Deed, Denied, Form, Happened, Log, tidy
from croupier.ledger import Source
from croupier.table.events import NotAnEvent

VERSION = 1
PAGE = 200  # entries of a stream that are read at a time
MOST_LINES = 1000  # of one answer
LONGEST_NAME = 100


class Noted(Happened, frozen=True, kw_only=True, tag="noted"):
    """What a user did, at a table or not."""

    role: str
    what: str
    table: str = ""
    version: int = 0  # of the table's event that came of it
    address: str = ""

    def says(self) -> str:
        return self.what


FORM: Form[Noted] = Form(Noted, VERSION)
TOLD: Mapping[str, Form[Any]] = {
    "audit": FORM,
    "people": people_events.FORM,
    "filings": filings.FORM,
    "floor": standing.FORM,
}


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


class Page(msgspec.Struct, frozen=True):
    """Lines from the newest to the oldest. `older` asks for those that come after them; there are none where it is empty."""

    lines: tuple[AuditLine, ...]
    older: str


class Audit(Log[Noted]):
    """The stream of the audit. Nothing of it is kept in memory."""

    stream = "audit"
    form = FORM

    def note(self, user: str, role: str, what: str, table: str = "", version: int = 0, address: str = "") -> None:
        """Keep a line. Nothing is refused here: what cannot be printed is left out, what is too long is cut."""
        self._write(
            lambda: [
                Deed(
                    Noted(
                        v=VERSION,
                        at=self.clock(),
                        by=tidy(user, LONGEST_NAME),
                        role=tidy(role, LONGEST_NAME),
                        what=tidy(what),
                        table=tidy(table, LONGEST_NAME),
                        version=version,
                        address=tidy(address, LONGEST_NAME),
                    )
                )
            ]
        )

    def catch_up(self) -> None:
        with self._lock:
            self._version, self._head = self.recorder.head(self.stream)

    def lines(self, limit: int = 100, before: str = "") -> Page:
        """The newest lines, or those that come before a page's last."""
        below = {stream: self.recorder.head(stream)[0] + 1 for stream in TOLD}
        if before:
            below = {stream: min(place, below[stream]) for stream, place in _places(before).items()}
        told = [_told(self.recorder, stream, below[stream]) for stream in TOLD]
        most = min(max(limit, 1), MOST_LINES)
        found = list(islice(merge(*told, key=lambda line: -line.at), most + 1))
        lines = found[:most]
        for line in lines:
            below[line.stream] = line.number
        older = " ".join(f"{stream}:{place}" for stream, place in below.items()) if len(found) > len(lines) else ""
        return Page(tuple(lines), older)


def _told(source: Source, stream: str, below: int) -> Iterator[AuditLine]:
    """What a stream tells below a version, newest first."""
    while below > 1:
        first = max(below - PAGE, 1)
        for entry in reversed(list(source.read(stream, first - 1, below - first))):
            try:
                event: Happened = TOLD[stream].read(entry.body)
            except NotAnEvent as problem:
                raise Damaged(f"{stream}, version {entry.version}: {problem}") from problem
            if what := event.says():
                yield _line(event, what, stream, entry.version)
        below = first


def _line(event: Happened, what: str, stream: str, number: int) -> AuditLine:
    return AuditLine(
        at=event.at,
        who=event.who,
        what=what,
        role=event.role if isinstance(event, Noted | people_events.LoggedIn) else "",
        table=event.table if isinstance(event, Noted) else event.standing.table if isinstance(event, standing.StandingSet) else "",
        version=event.version if isinstance(event, Noted) else 0,
        address=event.address if isinstance(event, Noted | people_events.ByUser) else "",
        stream=stream,
        number=number,
    )


def _places(text: str) -> dict[str, int]:
    """Where a page ended, from what it gave as `older`."""
    parts = [part.split(":") for part in text.split(" ")]
    if [part[0] for part in parts] != list(TOLD) or not all(len(part) == 2 and _is_place(part[1]) for part in parts):
        raise Denied("that is no place in the audit", "what the page before gave as older", "malformed")
    return {stream: int(place) for stream, place in parts}


def _is_place(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18
