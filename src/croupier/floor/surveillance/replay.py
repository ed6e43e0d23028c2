"""Rounds event by event: as a story of one round, or as frames with what a role saw after each event.

A state needs all events before it. So that the ten thousandth round loads as quickly as the first, `Frames` regularly saves states
in the recorder, as snapshots under separate names. They are only a cache and can be deleted at any time. They hold cards that are
still to be dealt, so they are sealed with the house key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from croupier.floor.house.house import REMEMBERED, Snapshot, load_snapshot, stream_of
from croupier.floor.house.meter_stream import MeterHistory, meter_stream
from croupier.floor.house.vault import Opener, Vault
from croupier.floor.surveillance.narration import logged_event, with_name
from croupier.floor.surveillance.records import Records
from croupier.floor.transcripts.sources import applied_events, need_table, opened_in
from croupier.law.chapter import Rules
from croupier.ledger import NotRecorded, Recorder, Source, Unknown
from croupier.ledger.entry import Entry, genesis
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.commands import Role
from croupier.table.engine import role_and_seat
from croupier.table.events import Event, Shown
from croupier.table.meters import MeterMove
from croupier.table.state import State
from croupier.table.views import STAFF, dealers_hand, hand_of, view
from croupier.wire import LoggedEvent, MovedCard, View, WagerLine

EVENTS_BETWEEN = 1000  # events from one remembered state to the next
SURVEILLANCE = Role.SURVEILLANCE.value


def announced(event: Event, state: State) -> str:
    """The announcement of the hand that an event turns."""
    match event.command:
        case say.RevealDealer() if state.round:
            return dealers_hand(state, state.round)
        case say.TurnHand(seat=box) if state.round:
            return hand_of(state, state.round, box)
    return ""


def _says(event: Event, state: State, *, staff: bool = True) -> str:
    return with_name(event, state.rules if state.submission else None, announced(event, state), staff=staff)


def _deck(state: State) -> list[str]:
    """The cards of the deck in play, in the order of its shuffle."""
    return state.decks[state.round.deck].order if state.round else []


def _face(shown: Shown, deck: list[str]) -> str:
    return shown.card or (deck[shown.position] if shown.position < len(deck) else "")


# a story of one round


@dataclass(frozen=True)
class ReplayCard:
    """A card that moved. `card` is empty while its face may not be seen; `lay` is where a card bound for the rack came from."""

    at: str
    seat: int
    position: int
    card: str
    face_up: bool
    lay: str = ""


@dataclass(frozen=True)
class MeterStep:
    """A meter that moved; `shows` is None if the source does not hold the meter's log."""

    wager: str
    move: MeterMove
    shows: Cents | None


class ReplayStep(LoggedEvent, frozen=True):
    """One event of a round, with the cards that moved, what was paid, and what became of meters and decks."""

    cards: tuple[ReplayCard, ...] = ()
    lines: tuple[WagerLine, ...] = ()
    meters: tuple[MeterStep, ...] = ()
    commitments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Story:
    """A round of a table. `net` is what each seat that wagered won or lost, `players` who sat there."""

    table: str
    number: int
    rules: Rules
    steps: tuple[ReplayStep, ...]
    net: Mapping[int, Cents]
    players: Mapping[int, str]


def replay(source: Source, table: str, number: int, *, everything: bool = False, vault: Vault | None = None) -> Story:
    """Replay a round. Cards that lie face down are shown if the source opens them, or with `everything` from the sealed orders;
    the orders of a round that is not over need the house key."""
    need_table(source, table)
    records = Records(source)
    records.catch_up(table)
    found = records.round(table, number)
    state, opener = State(), Opener(source, stream_of(table), vault) if everything else None
    cards, steps, deck = CardsOnTable(source), list[ReplayStep](), list[str]()
    for entry, event in applied_events(source, table, state, last=found.last, opener=opener):
        before, deck = deck, _deck(state)
        if entry.version >= found.first:
            moved, shown = cards.moved(entry, event, before or deck), _meters(records.meters, entry, event, state)
            then, says = event.then, _says(event, state)
            more = {"cards": moved, "lines": then.lines, "meters": shown, "commitments": then.decks}
            steps.append(logged_event(ReplayStep, entry.version, event, says, staff=True, **more))
    net: Counter[int] = Counter()
    for box in found.boxes:
        net[box.seat] += box.net
    players = {box.seat: box.player for box in found.boxes}
    return Story(table, number, state.rules, tuple(steps), dict(sorted(net.items())), players)


def _meters(history: MeterHistory, entry: Entry, event: Event, state: State) -> tuple[MeterStep, ...]:
    def shows(wager: str) -> Cents | None:
        return history.at(meter_stream(state.table, wager, state.linked), state.table, entry.version)

    return tuple(MeterStep(wager, move, shows(wager)) for wager, move in event.then.meters.items())


class CardsOnTable:
    """The cards of one round as they move, with the faces that the source opens."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.laid: dict[int, ReplayCard] = {}  # by position

    def moved(self, entry: Entry, event: Event, deck: list[str]) -> tuple[ReplayCard, ...]:
        faces = {opening.position: opening.card for opening in opened_in(self.source, entry).cards}
        return tuple(self._card(shown, _face(shown, deck) or faces.get(shown.position, "")) for shown in event.then.cards)

    def _card(self, shown: Shown, face: str) -> ReplayCard:
        before = self.laid.get(shown.position)
        face = face or (before.card if before else "")
        if not shown.leaf:  # gathered for the rack
            up, lay = (before.face_up, before.at) if before else (False, "")
            return ReplayCard(shown.at, shown.seat, shown.position, face, up, lay)
        card = self.laid[shown.position] = ReplayCard(shown.at, shown.seat, shown.position, face, bool(shown.card))
        return card


# frames


class Frame(LoggedEvent, frozen=True):
    """One event of a round, and the table after it."""

    cards: tuple[MovedCard, ...]
    lines: tuple[WagerLine, ...]
    view: View


class Frames:
    """Frames of any round, from remembered states."""

    def __init__(self, recorder: Recorder, records: Records, vault: Vault, every: int = EVENTS_BETWEEN) -> None:
        self.recorder, self.records, self.vault, self.every = recorder, records, vault, every

    def frames(self, table: str, number: int, by: str = SURVEILLANCE) -> list[Frame]:
        """The events of a round with the view that “surveillance”, “dealer”, “player:3” or “public” had after each."""
        if by != "public":
            role_and_seat(by)
        need_table(self.recorder, table)
        self.records.catch_up(table)
        round_ = self.records.round(table, number)
        return [
            _frame(entry, event, state, by, deck) for entry, event, deck, state in self.follow(table, round_.first, round_.last)
        ]

    def follow(self, table: str, first: int, last: int) -> Iterator[tuple[Entry, Event, list[str], State]]:
        """The events from one version to another, each with the deck in play and the state after it.

        Remembers states on the way to the first.
        """
        state, head = self._before(table, first)
        opener = Opener(self.recorder, stream_of(table), self.vault)
        deck = _deck(state)
        for entry, event in applied_events(self.recorder, table, state, head, last, opener):
            before, deck = deck, _deck(state)
            if entry.version >= first:
                yield entry, event, before or deck, state
            elif entry.version % self.every == 0:
                self._remember(table, entry.version, entry.hash, state)

    # states

    def _before(self, table: str, version: int) -> tuple[State, bytes]:
        """The nearest state before a version, the house's snapshot or one remembered here, and the hash of its last entry."""
        newest = self._recall(table, stream_of(table), version) or (State(), genesis(stream_of(table)))
        for at in range((version - 1) // self.every * self.every, newest[0].version, -self.every):
            if found := self._recall(table, _name(table, at), version):
                return found
        return newest

    def _recall(self, table: str, name: str, before: int) -> tuple[State, bytes] | None:
        found = load_snapshot(self.recorder, self.vault, stream_of(table), name)
        return (found.state, bytes.fromhex(found.head)) if found and found.state.version < before else None

    def _remember(self, table: str, version: int, head: bytes, state: State) -> None:
        data, name = msgspec.json.encode(Snapshot(head.hex(), state)), _name(table, version)
        with suppress(NotRecorded, Unknown):  # only a cache: it is computed again when needed
            self.recorder.save_snapshot(name, version, self.vault.seal_state(name, version, data))


def _name(table: str, version: int) -> str:
    """The name under which a state is remembered; no stream has this name."""
    return f"{REMEMBERED}{version}/{table}"[:200]


def _frame(entry: Entry, event: Event, state: State, by: str, deck: list[str]) -> Frame:
    """Surveillance sees the face of every card; others see what the event itself shows."""
    staff, known = by in STAFF, deck if by == SURVEILLANCE else []
    cards = tuple(MovedCard(shown.at, shown.seat, shown.slot, _face(shown, known)) for shown in event.then.cards)
    fields = {"cards": cards, "lines": event.then.lines, "view": view(state, by)}
    return logged_event(Frame, entry.version, event, _says(event, state, staff=staff), staff=staff, **fields)
