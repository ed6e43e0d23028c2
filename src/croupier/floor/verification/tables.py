"""Checks one table's stream entry by entry: its cards, money and meters, and its rules where every card is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import msgspec

from croupier.filing.offer import Progressive
from croupier.floor.house.house import METERED, Snapshot, read_snapshot
from croupier.floor.house.meter_stream import MeterEvent, Terms, meter_stream
from croupier.floor.house.vault import Opener, Unopened, Unsealed
from croupier.floor.transcripts.sources import NOTHING, Opened
from croupier.floor.verification.cards import DeckTrace
from croupier.floor.verification.decisions import fold_event, redecide
from croupier.floor.verification.meters import MeterLog
from croupier.floor.verification.problems import CannotCheck, CheckFailed
from croupier.law.cite import Refusal
from croupier.ledger import Entry
from croupier.ledger.canonical import encode
from croupier.ledger.transcript import Transcript
from croupier.money import Cents, show_money
from croupier.table import commands as say
from croupier.table.accounts import balances, meter, must_not_be_overdrawn, reserve
from croupier.table.engine import to_come
from croupier.table.events import (
    VERSION,
    Consequences,
    Event,
    Orders,
    PublishedKey,
    is_current,
    read_event,
    read_sealed,
    write_sealed,
)
from croupier.table.meters import MeterMove, MeterState
from croupier.table.state import State, offer_of
from croupier.wire import Reply

METER, RESERVE = meter(""), reserve("")  # the prefixes of these accounts' names


@dataclass
class AccountCheck:
    """The accounts of one table, from its moves alone: nothing is overdrawn, and the meters moved as the events say."""

    accounts: dict[str, Cents] = field(default_factory=dict)
    moved: Cents = 0

    def enter(self, then: Consequences) -> None:
        if any(move.cents < 0 for move in then.moves):
            raise CheckFailed("it moves a negative amount")
        change = balances(then.moves)
        for account, cents in change.items():
            held = self.accounts[account] = self.accounts.get(account, 0) + cents
            if held < 0 and must_not_be_overdrawn(account):
                raise CheckFailed(f"the {account} is overdrawn by {show_money(-held)}")
        self.moved += sum(move.cents for move in then.moves)
        _verify_meters(then, change)


def _verify_meters(then: Consequences, change: dict[str, Cents]) -> None:
    """Check what an event says about a meter against its moves of the meter's account."""
    moved = {account.removeprefix(METER).removeprefix(RESERVE) for account in change if account.startswith((METER, RESERVE))}
    for name in {*then.meters, *moved}:
        move = then.meters.get(name, MeterMove())
        if change.get(meter(name), 0) != move.contributed - move.drawn + move.reseeded + move.released:
            raise CheckFailed(f"what it says about the {meter(name)} is not what it moved")
        if change.get(reserve(name), 0) != move.reserved - move.released:
            raise CheckFailed(f"what it says about the {reserve(name)} is not what it moved")


@dataclass
class TableCheck:
    """Follows a table from its first event. `decides` is false if cards are withheld, so that no rule can be checked."""

    table: str
    meters: Mapping[str, MeterLog]
    opener: Opener
    decides: bool = True
    lost: Set[int] = frozenset()  # the versions whose orders the log records as lost
    house_keys: Sequence[str] = ()  # the numbers of the keys that sealed, one after the other; empty if the log has none
    state: State = field(default_factory=State)
    trace: DeckTrace = field(default_factory=DeckTrace)
    books: AccountCheck = field(default_factory=AccountCheck)
    followed: int = 0  # the version of the last entry that was correct
    older: int = 0  # events of an older version, which are not decided again
    unseen: int = 0  # events that need cards of a sealed order, so they cannot be decided again
    rounds: int = 0
    sums: Counter[str] = field(default_factory=Counter)  # what the table put on each meter and its reserve, by their streams
    keys: dict[str, bytes] = field(default_factory=dict)  # idempotency keys, and the reply that each must have
    opening: int = 0  # the version of the last event that opened the table
    _opened: say.OpenTable | None = None
    _house_key: int = 0  # the place among `house_keys` of the key that sealed the last order
    _sealed: dict[str, PublishedKey] = field(default_factory=dict)  # orders to come, and the key that each will be opened with

    @property
    def submission(self) -> str:
        """The submission under which the table was last opened."""
        return self._opened.submission if self._opened else ""

    def follow(self, entry: Entry, opened: Opened = NOTHING) -> None:
        event = _event(entry)
        unsealed = self._unsealed(entry, event)
        self._verify_version(entry)
        if isinstance(event.command, say.OpenTable):
            self._open(event.command, older=not is_current(entry.body))
            self.opening = entry.version
        self.trace.follow(event, unsealed.orders, opened, lost=entry.version in self.lost)
        self.books.enter(event.then)
        self._follow_meters(entry.version, event)
        if self.decides:
            before = to_come(self.state)
            self._decide(entry, event, unsealed.orders)
            self._verify_published(before, unsealed.published)
            self._sealed |= {event.then.decks[n]: PublishedKey(entry.version, n, key) for n, key in enumerate(unsealed.keys)}
        self.rounds += isinstance(event.command, say.NoMoreBets)
        if event.key:
            self._remember_key(entry.version, event)
        self.followed = entry.version

    def _decide(self, entry: Entry, event: Event, orders: Orders) -> None:
        if None in orders or (event.then.decks and not orders) or self._needs_sealed(event.command):
            self.unseen += 1
            return fold_event(self.state, event, orders)
        return redecide(self.state, entry, event, orders, self._shown(entry.version, event))

    def _needs_sealed(self, command: say.Command) -> bool:
        """Whether a command belongs to a round whose cards are sealed."""
        state = self.state
        deals = state.round.deck if state.round else state.next_deck() if isinstance(command, say.NoMoreBets) else -1
        return 0 <= deals < len(state.decks) and state.decks[deals].is_sealed

    def _unsealed(self, entry: Entry, event: Event) -> Unsealed:
        """The sealed part, after checking its encoding and opening it."""
        try:
            sealed = read_sealed(entry.sealed)
            whole = all(len(bytes.fromhex(deck.secret)) == 32 for deck in sealed.decks)
        except ValueError:
            raise CheckFailed("its sealed part is not the order of a deck") from None
        named = bool(sealed.house) == bool(sealed.orders)
        if not whole or not named or write_sealed(sealed) != entry.sealed or (sealed.decks and sealed.orders):
            raise CheckFailed("its sealed part is not encoded the way Croupier writes it")
        orders, transcript = len(sealed.decks or sealed.orders), isinstance(self.opener.source, Transcript)
        if orders != len(event.then.decks) and not (transcript and not orders):
            raise CheckFailed("its sealed part does not match its decks" if orders else "the sealed order of a deck is missing")
        if sealed.house and self.house_keys:
            self._verify_house_key(sealed.house)
        try:
            return self.opener.open(entry)
        except Unopened as problem:
            raise CheckFailed(f"the sealed order of a deck does not open: {problem}") from None

    def _verify_house_key(self, number: str) -> None:
        """Check that the key that sealed an order was set, and not replaced before the order that precedes it."""
        if number not in self.house_keys:
            raise CheckFailed("its sealed part names a house key that the vault never had")
        if number not in self.house_keys[self._house_key :]:
            raise CheckFailed("its sealed part names a house key that was replaced before the last order")
        self._house_key = self.house_keys.index(number, self._house_key)

    def _verify_published(self, before: list[str], published: tuple[PublishedKey, ...]) -> None:
        """Check that the event publishes the keys of exactly the orders that it used up."""
        left = to_come(self.state)
        due = [self._sealed.pop(each) for each in before if each not in left and each in self._sealed]
        if any(not each.key and each.version not in self.lost for each in due):
            raise CheckFailed("the key of an order that it used up is missing from its sealed part")
        if published != tuple(each for each in due if each.key):
            raise CheckFailed("its sealed part publishes keys other than those of the orders that it used up")

    def _verify_version(self, entry: Entry) -> None:
        """Check that events of an older version come before all others: nobody writes them anymore."""
        if is_current(entry.body):
            return
        if msgspec.json.decode(entry.body)["v"] == VERSION:
            raise CheckFailed("its body is not encoded the way Croupier writes events")
        if self.followed > self.older:
            raise CheckFailed("an event of an older version comes after newer ones")
        self.older += 1

    def verify_snapshot(self, head: bytes, kept: bytes) -> None:
        """Check that an unsealed snapshot is the state of the table, encoded as the house writes it."""
        try:
            snapshot = read_snapshot(kept)
        except (ValueError, TypeError):
            raise CheckFailed("the snapshot after it cannot be read") from None
        keys = {each: key for each, key in self._sealed.items() if key.key}
        if snapshot != Snapshot(head.hex(), self.state, keys) or msgspec.json.encode(snapshot) != kept:
            raise CheckFailed("the snapshot after it is not the state that follows from the log")

    def _open(self, command: say.OpenTable, *, older: bool) -> None:
        if command.table != self.table:
            raise CheckFailed(f"it opens table {command.table}")
        try:
            self.trace.cards = offer_of(command.submission).rules.decks.cards
        except Refusal as refusal:
            if older:
                raise CannotCheck(f"its submission, filed under an older version, is refused now: {refusal}") from None
            raise CheckFailed(f"its submission is refused: {refusal}") from None
        self._opened = command

    def _remember_key(self, version: int, event: Event) -> None:
        if event.key in self.keys:
            raise CheckFailed(f"the key {event.key} was used before")
        self.keys[event.key] = encode(Reply(self.table, version, event.event, event.at))

    # meters

    @property
    def _progressives(self) -> Mapping[str, Progressive]:
        return offer_of(self._opened.submission).progressives if self._opened else {}

    def _log(self, wager: str, version: int) -> MeterLog:
        assert self._opened is not None
        stream = meter_stream(self.table, wager, self._opened.linked)
        if stream not in self.meters:
            raise CheckFailed(f"it is missing; table/{self.table}, version {version} needs it", stream, 1)
        return self.meters[stream]

    def _shown(self, version: int, event: Event) -> dict[str, MeterState]:
        """The meters as they were when the event was decided. Only some commands need them."""
        if not isinstance(event.command, METERED):
            return {}
        return {wager: self._log(wager, version).before(self.table, version) for wager in self._progressives}

    def _follow_meters(self, version: int, event: Event) -> None:
        """Check that every move of a meter is the same in the meter's own log."""
        if isinstance(event.command, say.OpenTable):
            for wager, terms in self._progressives.items():
                self._meter_opened(version, event, wager, terms)
        for wager, move in event.then.meters.items():
            if wager not in self._progressives:
                raise CheckFailed(f"the {wager} has no meter here")
            log, entered = self._entry_caused(version, wager)
            if (entered.move, entered.at, entered.wager) != (move, event.at, wager):
                words = f"it is not what table/{self.table}, version {version} did to the meter"
                raise CheckFailed(words, log.stream, log.place(self.table, version))
            change = balances(event.then.moves)
            self.sums[log.stream] += change[meter(wager)]
            self.sums[f"{log.stream} reserve"] += change[reserve(wager)]

    def _meter_opened(self, version: int, event: Event, wager: str, terms: Progressive) -> None:
        log = self._log(wager, version)
        if log.place(self.table, version):
            _, entered = self._entry_caused(version, wager)
            if (entered.terms, entered.at, entered.wager) != (Terms.of(terms), event.at, wager):
                raise CheckFailed(f"it is not how table/{self.table}, version {version} opened the meter", log.stream, 1)
        elif log.terms != terms:
            if log.terms is None and log.damage:
                raise CannotCheck(f"{log.stream} is damaged")
            raise CheckFailed(f"the {wager} is filed on terms other than those of {log.stream}")

    def _entry_caused(self, version: int, wager: str) -> tuple[MeterLog, MeterEvent]:
        """The entry of the meter's log that an event caused, which is then accounted for."""
        log = self._log(wager, version)
        place = log.place(self.table, version)
        if not place:
            if log.damage:
                raise CannotCheck(f"{log.stream} is damaged")
            words = f"it is missing; table/{self.table}, version {version} moved the meter"
            raise CheckFailed(words, log.stream, log.due(self.table, version))
        log.claimed.add(place)
        return log, log.events[place - 1]


def _event(entry: Entry) -> Event:
    try:
        return read_event(entry.body)
    except ValueError as problem:
        raise CheckFailed(str(problem)) from None
