"""The replay slider: a round event by event, with what a role saw after each.

A state needs all events before it. So that the ten thousandth round loads as quickly as the first, states are remembered every so
many events, in the recorder, as snapshots under separate names; they are only a cache and can be deleted at any time. They hold
cards that are still to be dealt, so they are sealed with the house key.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from croupier.floor.house.house import Snapshot, recall, stream_of
from croupier.floor.house.vault import Opener, Vault
from croupier.floor.surveillance.narration import in_words, with_name
from croupier.floor.surveillance.records import Records
from croupier.floor.transcripts.sources import followed, need_table
from croupier.ledger import NotRecorded, Recorder, Unknown
from croupier.ledger.entry import Entry, genesis
from croupier.table import commands as say
from croupier.table.commands import Role
from croupier.table.engine import who
from croupier.table.events import Event, Shown
from croupier.table.hand_names import dealers_hand, hand_of
from croupier.table.state import State
from croupier.table.views import STAFF, view
from croupier.wire import LoggedEvent, MovedCard, View, WagerLine

EVERY = 1000  # events from one remembered state to the next
SURVEILLANCE = Role.SURVEILLANCE.value


class Frame(LoggedEvent, frozen=True):
    """One event of a round, and the table after it."""

    cards: tuple[MovedCard, ...]
    lines: tuple[WagerLine, ...]
    view: View


class Frames:
    """Frames of any round, from remembered states."""

    def __init__(self, recorder: Recorder, records: Records, vault: Vault, every: int = EVERY) -> None:
        self.recorder, self.records, self.vault, self.every = recorder, records, vault, every

    def frames(self, table: str, number: int, by: str = SURVEILLANCE) -> list[Frame]:
        """The events of a round with the view that “surveillance”, “dealer”, “player:3” or “public” had after each."""
        if by != "public":
            who(by)
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
        for entry, event in followed(self.recorder, table, state, head, last, opener):
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
        found = recall(self.recorder, self.vault, stream_of(table), name)
        return (found.state, bytes.fromhex(found.head)) if found and found.state.version < before else None

    def _remember(self, table: str, version: int, head: bytes, state: State) -> None:
        data, name = msgspec.json.encode(Snapshot(head.hex(), state)), _name(table, version)
        with suppress(NotRecorded, Unknown):  # only a cache: it is computed again when needed
            self.recorder.save_snapshot(name, version, self.vault.seal_state(name, version, data))


def _name(table: str, version: int) -> str:
    """The name under which a state is remembered; no stream has this name."""
    return f"state/{version}/{table}"[:200]


def _deck(state: State) -> list[str]:
    """The cards of the deck in play, in the order of its shuffle."""
    return state.decks[state.round.deck].order if state.round else []


def _frame(entry: Entry, event: Event, state: State, by: str, deck: list[str]) -> Frame:
    staff = by in STAFF
    return in_words(
        Frame,
        entry.version,
        event,
        with_name(event, state.rules if state.submission else None, announced(event, state), staff=staff),
        staff=staff,
        cards=tuple(_card(shown, deck if by == SURVEILLANCE else []) for shown in event.then.cards),
        lines=event.then.lines,
        view=view(state, by),
    )


def announced(event: Event, state: State) -> str:
    """The announcement of the hand that an event turns."""
    match event.command:
        case say.RevealDealer() if state.round:
            return dealers_hand(state, state.round)
        case say.TurnHand(seat=box) if state.round:
            return hand_of(state, state.round, box)
    return ""


def _card(shown: Shown, deck: list[str]) -> MovedCard:
    """A card that moved. Surveillance sees every face; others see what the event itself shows."""
    face = shown.card or (deck[shown.position] if shown.position < len(deck) else "")
    return MovedCard(shown.at, shown.seat, shown.slot, face)
