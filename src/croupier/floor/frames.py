"""The replay slider: a round event by event, with what a role saw after each.

A state needs all events before it. So that the ten thousandth round comes as quickly as the first, states are remembered every so
many events: in the recorder, as snapshots of a name of their own, which are only a cache and can be thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from croupier.floor.house import House, Snapshot, stream_of
from croupier.floor.records import Records
from croupier.floor.sources import need_table
from croupier.floor.telling import told
from croupier.law.cite import Refusal
from croupier.ledger import NotRecorded, Source, Unknown, Unreadable
from croupier.ledger.entry import Entry, genesis, link
from croupier.table import commands as say
from croupier.table.announcing import dealers_hand, hand_of
from croupier.table.commands import Role
from croupier.table.engine import who
from croupier.table.events import Event, NotAnEvent, Shown, is_current, read, unseal
from croupier.table.folding import apply
from croupier.table.state import State
from croupier.table.views import STAFF, view
from croupier.wire import Line, LoggedEvent, MovedCard, View

EVERY = 1000  # events from one remembered state to the next
SURVEILLANCE = Role.SURVEILLANCE.value

_read_snapshot = msgspec.json.Decoder(Snapshot).decode


class Frame(LoggedEvent, frozen=True):
    """One event of a round, and the table after it."""

    cards: tuple[MovedCard, ...]
    lines: tuple[Line, ...]
    view: View


def frames(source: Source, table: str, number: int, by: str = SURVEILLANCE, records: Records | None = None) -> list[Frame]:
    """A round from the log; with `records` that are kept up, without reading the whole of it."""
    return Frames(source, records or Records(source)).frames(table, number, by)


class Frames:
    """Frames of any round, with the states it takes remembered."""

    def __init__(self, source: Source, records: Records, every: int = EVERY) -> None:
        self.source, self.records, self.every = source, records, every
        self._remembered: dict[tuple[str, int], bytes] = {}  # where the source keeps no snapshots

    def keep(self, house: House) -> None:
        """Remember the states of a house's tables as they come, so that none has to be worked out again."""

        def listen(table: str, version: int, event: Event) -> None:
            keeper = house.tables[table]
            if version % self.every == 0 and keeper.version == version:
                self._remember(table, version, keeper.head, keeper.state)

        house.listeners.append(listen)

    def frames(self, table: str, number: int, by: str = SURVEILLANCE) -> list[Frame]:
        """The events of a round with the view that “surveillance”, “dealer”, “player:3” or “public” had after each."""
        if by != "public":
            who(by)
        need_table(self.source, table)
        self.records.catch_up(table)
        round_ = self.records.round(table, number)
        return [
            _frame(entry, event, state, by, before or _deck(state))
            for entry, event, before, state in self._fold(table, self._before(table, round_.first), round_.last, round_.first)
            if entry.version >= round_.first
        ]

    def prepare(self, table: str) -> None:
        """Work out and remember the states that a log has not yet, so that nobody waits for them: for a thread of its own."""
        head, known = self.source.head(stream_of(table))[0], 0
        while self._recall(table, known + self.every) is not None:
            known += self.every
        start = self._stands(table, known, self._recall(table, known)) or (State(), genesis(stream_of(table)))
        for _ in self._fold(table, start, head, head + 1):
            pass

    def _fold(
        self, table: str, start: tuple[State, bytes], last: int, remember: int
    ) -> Iterator[tuple[Entry, Event, list[str], State]]:
        """Each event with the deck in play before it and the state after it; states before a version are remembered."""
        state, head = start
        for entry, event in self._events(table, state.version, last - state.version, head):
            before = _deck(state)
            _apply(state, entry, event)
            if entry.version < remember and entry.version % self.every == 0:
                self._remember(table, entry.version, entry.hash, state)
            yield entry, event, before, state

    def _events(self, table: str, after: int, many: int, previous: bytes) -> Iterator[tuple[Entry, Event]]:
        """Events on an unbroken chain."""
        stream = stream_of(table)
        for entry in self.source.read(stream, after, many):
            after += 1
            if entry.version != after or entry.hash != link(previous, entry.body):
                raise Unreadable(f"{stream}, version {after}: the chain of hashes is broken; croupier verify says more.")
            previous = entry.hash
            try:
                event = read(entry.body)
            except NotAnEvent as problem:
                raise Unreadable(f"{stream}, version {after}: {problem}; croupier verify says more.") from problem
            yield entry, event

    # states

    def _before(self, table: str, version: int) -> tuple[State, bytes]:
        """The nearest remembered state before a version, and the hash that it stands on."""
        newest = self._newest(table, version)
        for at in range((version - 1) // self.every * self.every, newest[0].version, -self.every):
            if found := self._stands(table, at, self._recall(table, at)):
                return found
        return newest

    def _newest(self, table: str, version: int) -> tuple[State, bytes]:
        """The house's own snapshot, if it is before a version; or the table before its first event."""
        recall = getattr(self.source, "snapshot", None)
        kept = recall(stream_of(table)) if recall else None
        found = self._stands(table, *kept) if kept and kept[0] < version else None
        return found or (State(), genesis(stream_of(table)))

    def _stands(self, table: str, version: int, data: bytes | None) -> tuple[State, bytes] | None:
        """A remembered state, if it stands on the log. One that does not is not used."""
        if data is None:
            return None
        entry = next(self.source.read(stream_of(table), version - 1, 1), None)
        try:
            snapshot = _read_snapshot(data)
        except (ValueError, TypeError):  # of msgspec, or of bytes that are no text
            return None
        if entry is None or not is_current(entry.body) or entry.hash.hex() != snapshot.head or snapshot.state.version != version:
            return None
        return snapshot.state, entry.hash

    def _recall(self, table: str, version: int) -> bytes | None:
        recall = getattr(self.source, "snapshot", None)
        if recall is None:
            return self._remembered.get((table, version))
        found = recall(_name(table, version))
        return found[1] if found and found[0] == version else None

    def _remember(self, table: str, version: int, head: bytes, state: State) -> None:
        data = msgspec.json.encode(Snapshot(head.hex(), state))
        save: Any = getattr(self.source, "save_snapshot", None)
        if save is None:
            self._remembered[table, version] = data
            return
        with suppress(NotRecorded, Unknown):  # only a cache: the next who asks works it out again
            save(_name(table, version), version, data)


def _name(table: str, version: int) -> str:
    """Under which a state is remembered; no stream has this name."""
    return f"state/{version}/{table}"[:200]


def _deck(state: State) -> list[str]:
    """The cards of the deck in play, in the order of its shuffle."""
    return state.decks[state.round.deck].order if state.round else []


def _apply(state: State, entry: Entry, event: Event) -> None:
    try:
        apply(state, event, unseal(entry.sealed))
    except (AssertionError, LookupError, ValueError, Refusal, msgspec.MsgspecError) as problem:
        raise Unreadable(f"{entry.stream}, version {entry.version}: {problem}; croupier verify says more.") from problem


def _frame(entry: Entry, event: Event, state: State, by: str, deck: list[str]) -> Frame:
    staff = by in STAFF
    return Frame(
        version=entry.version,
        at=event.at,
        by=event.by,
        person=event.person if staff or event.by.startswith("player:") else "",
        event=event.event,
        says=told(event, state.rules if state.submission else None, _announced(event, state), staff=staff),
        cites=event.then.cites,
        cards=tuple(_card(shown, deck if by == SURVEILLANCE else []) for shown in event.then.cards),
        lines=event.then.lines,
        view=view(state, by),
    )


def _announced(event: Event, state: State) -> str:
    """What is announced of the hand that an event turns."""
    match event.command:
        case say.RevealDealer() if state.round:
            return dealers_hand(state, state.round)
        case say.TurnHand(seat=box) if state.round:
            return hand_of(state, state.round, box)
    return ""


def _card(shown: Shown, deck: list[str]) -> MovedCard:
    """Surveillance sees every card that is dealt; the others what the event itself shows."""
    face = shown.card or (deck[shown.position] if shown.position < len(deck) else "")
    return MovedCard(shown.at, shown.seat, shown.slot, face)
