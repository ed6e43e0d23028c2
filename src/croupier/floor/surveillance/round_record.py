"""Builds the record of a round from events: who wagered what, what they decided, and the results."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from croupier.filing.pricing import METER
from croupier.law.procedure import Dealing, Fate, Irregularity, Moment, Voiding
from croupier.law.wager import Choice
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.accounts import Move, layout
from croupier.table.events import NotAnEvent, is_current, lift
from croupier.table.meters import MeterMove
from croupier.table.state import dealing_of, offer_of
from croupier.wire import WagerLine

VOID, ABANDONED, WITHDRAWN = "void", "abandoned", "withdrawn"
FORFEITED = "forfeit"  # as in a settlement's line


class SlimCommand(msgspec.Struct, frozen=True):
    """The fields of a command that records need."""

    seat: int = 0
    player: str = ""
    amount: Cents = 0
    wager: str = ""
    choice: str = ""
    irregularity: str = ""
    misdealt: bool = False
    method: str = ""
    submission: str = ""
    offer: str = ""
    linked: dict[str, str] = {}


class SlimThen(msgspec.Struct, frozen=True):
    lines: tuple[WagerLine, ...] = ()
    moves: tuple[Move, ...] = ()
    meters: dict[str, MeterMove] = {}
    partly: bool = False
    choice: str = ""  # made for a player whose time had passed


class SlimEvent(msgspec.Struct, frozen=True):
    event: str
    at: int
    by: str
    command: SlimCommand
    then: SlimThen
    person: str = ""


class EventHeading(msgspec.Struct, frozen=True):
    event: str
    at: int
    person: str = ""


_heading = msgspec.json.Decoder(EventHeading).decode
_slim = msgspec.json.Decoder(SlimEvent).decode


def slim(body: bytes) -> SlimEvent | EventHeading:
    """The parts of an event that records need: of most events only the heading, never their cards."""
    try:
        if not is_current(body):
            return msgspec.convert(lift(msgspec.json.decode(body)), SlimEvent)
        heading = _heading(body)
        return _slim(body) if heading.event in TAKEN else heading
    except (msgspec.DecodeError, msgspec.ValidationError, KeyError, TypeError) as problem:
        raise NotAnEvent(f"not an event of a table: {problem}") from None


class TableOpening(NamedTuple):
    """The opening of a table under a submission."""

    version: int
    at: int
    submission: str
    offer: str
    linked: dict[str, str]


# wager's key, stake, outcome, pays, returns, hand, source, is it a bonus beside a wager?
Entered = tuple[str, Cents, str, Cents, Cents, str, str, bool]


@dataclass
class DraftBox:
    seat: int
    player: str
    stakes: dict[str, Cents]  # of wagers without a result yet
    decided: list[str] = field(default_factory=list)
    bets: list[Entered] = field(default_factory=list)
    folded: bool = False
    gone: bool = False
    settled: bool = False
    begun: bool = False  # at least one wager is settled
    away: bool = False  # its player left after it was settled

    def close(self, key: str, outcome: str, returns: Cents = 0) -> None:
        stake = self.stakes.pop(key)
        self.bets.append((key, stake, outcome, 0, stake if returns else 0, "", "", False))


@dataclass
class Draft:
    """The record of a round that is being played."""

    number: int
    first: int
    locked: int
    begun: int
    opening: int
    boxes: dict[int, DraftBox]
    irregularities: list[str]
    people: set[str]  # who acted in it, by name: players and staff
    void: str = ""
    jackpots: dict[str, Cents] = field(default_factory=dict)
    contributed: dict[str, Cents] = field(default_factory=dict)


class Closed(NamedTuple):
    """A round and the event that ended it."""

    draft: Draft
    version: int
    at: int


@dataclass(frozen=True)
class FiledGame:
    """The game that a submission files: which wagers a name places, what a choice does, which irregularities void a round."""

    submission: str
    keys: dict[str, tuple[str, ...]]
    irregular: dict[str, Irregularity]
    method: str

    def choice(self, number: int, text: str) -> Choice | None:
        offer = offer_of(self.submission)
        return offer.rules.decisions[number].taken(text, offer.readings)

    def wrong_count(self, method: str, misdealt: bool) -> Irregularity:
        rules = offer_of(self.submission).rules
        section = dealing_of(rules, method).cite.section
        both = [rule for rule in rules.of(Irregularity) if rule.moment is Moment.STUB and rule.cite.section == section]
        return both[0 if misdealt else 1]


@lru_cache(maxsize=256)
def filed_game(submission: str) -> FiledGame:
    offer = offer_of(submission)
    keys: dict[str, tuple[str, ...]] = {key: (key,) for key in offer.rules.wagers}
    for wager in offer.rules.wagers.values():
        if wager.group:
            keys[wager.group] = tuple(each.key for each in offer.rules.wagers.values() if each.group == wager.group)
    void = {
        rule.name: rule
        for rule in offer.rules.of(Irregularity)
        if rule.void and rule.moment not in (Moment.SHUFFLE, Moment.ANY, Moment.STUB) and rule.cards is not Fate.CARD_DISCARDED
    }
    assert offer.rules.of(Dealing)
    return FiledGame(submission, keys, void, offer.devices.method.value)


@dataclass
class Scribe:
    """Follows one table event by event, and returns each round when it is over."""

    version: int = 0
    rounds: int = 0
    openings: list[TableOpening] = field(default_factory=list)
    bought: list[tuple[int, Cents]] = field(default_factory=list)  # when, and how much cash went into the drop box
    draft: Draft | None = None
    _first: int = 1  # the first event of the next round
    _method: str = ""
    _seated: dict[int, str] = field(default_factory=dict)
    _homes: dict[int, int] = field(default_factory=dict)
    _stakes: dict[int, dict[str, Cents]] = field(default_factory=dict)
    _irregular: list[str] = field(default_factory=list)  # since the round before
    _people: set[str] = field(default_factory=set)

    @property
    def game(self) -> FiledGame:
        return filed_game(self.openings[-1].submission)

    def pass_by(self, version: int, person: str) -> None:
        self.version = version
        if person:
            (self.draft.people if self.draft else self._people).add(person)

    def take(self, version: int, event: SlimEvent | EventHeading) -> Closed | None:
        """Take in an event; return the round that it ended, if any."""
        self.pass_by(version, event.person)
        ends = isinstance(event, SlimEvent) and event.event in TAKEN and TAKEN[event.event](self, version, event)
        if not ends or self.draft is None:
            return None
        assert isinstance(event, SlimEvent)
        closed = Closed(self.draft, version, event.at)
        self.draft, self._first = None, version + 1
        return closed

    # the table and its people

    def opened(self, version: int, event: SlimEvent) -> None:
        command = event.command
        self.openings.append(TableOpening(version, event.at, command.submission, command.offer, command.linked))
        self._method = self.game.method

    def changed_method(self, version: int, event: SlimEvent) -> None:
        self._method = event.command.method

    def sat(self, version: int, event: SlimEvent) -> None:
        self._seated[event.command.seat] = event.command.player

    def bought_chips(self, version: int, event: SlimEvent) -> None:
        self.bought.append((event.at, event.command.amount))

    def left(self, version: int, event: SlimEvent) -> bool:
        """Between rounds a player who leaves keeps their wagers; during a round the wagers are abandoned (.7(b))."""
        seat = event.command.seat
        self._seated.pop(seat, None)
        if self.draft is None:
            for box in [box for box, home in self._homes.items() if home == seat]:
                self._clear(box)
            return False
        for each in self.draft.boxes.values():
            each.away = each.away or (each.seat == seat and each.settled)
            if each.seat == seat and not each.settled and not each.gone:
                each.gone = True
                for key in list(each.stakes):
                    each.close(key, ABANDONED)
        in_play = [each for each in self.draft.boxes.values() if not self.draft.void or each.stakes or each.gone]
        return all(each.gone for each in in_play) and not any(each.begun for each in self.draft.boxes.values())

    # wagers

    def placed(self, version: int, event: SlimEvent) -> None:
        box = event.command.seat
        self._homes[box] = int(event.by.removeprefix("player:"))
        stakes = self._stakes.setdefault(box, {})
        stakes.update(dict.fromkeys(self.game.keys[event.command.wager], event.command.amount))

    def taken_back(self, version: int, event: SlimEvent) -> None:
        box = event.command.seat
        for key in self.game.keys[event.command.wager]:
            self._stakes[box].pop(key, None)
        if not self._stakes[box]:
            self._clear(box)

    def given_back(self, version: int, event: SlimEvent) -> None:
        self._clear(event.command.seat)

    def _clear(self, box: int) -> None:
        self._stakes.pop(box, None)
        self._homes.pop(box, None)

    def locked(self, version: int, event: SlimEvent) -> None:
        self.rounds += 1
        boxes = {
            box: DraftBox(self._homes[box], self._seated.get(self._homes[box], ""), stakes) for box, stakes in self._stakes.items()
        }
        self.draft = Draft(
            self.rounds, self._first, version, event.at, len(self.openings) - 1, boxes, self._irregular, self._people
        )
        self._stakes, self._homes, self._irregular, self._people = {}, {}, [], set()
        self._contribute(self.draft, event)

    def _contribute(self, draft: Draft, event: SlimEvent) -> None:
        for wager, move in event.then.meters.items():
            draft.contributed[wager] = draft.contributed.get(wager, 0) + move.contributed + move.reserved

    # decisions

    def decided(self, version: int, event: SlimEvent) -> None:
        assert self.draft is not None
        box, said = self.draft.boxes[event.command.seat], event.command.choice or event.then.choice
        choice = self.game.choice(len(box.decided), said) if said else None
        if choice is None:  # a hand that was not set in time
            return
        box.decided.append(choice.word)
        box.folded = box.folded or choice.folds
        if choice.makes:
            account = layout(event.command.seat)
            box.stakes[choice.makes[0].key] = sum(move.cents for move in event.then.moves if move.target == account)
        elif choice.withdraws:
            box.close(choice.withdraws.key, WITHDRAWN, returns=1)

    # settlement

    def forfeited(self, version: int, event: SlimEvent) -> None:
        """The lines come box by box, from the lowest; in each box in the order of the chapter, each wager once."""
        assert self.draft is not None
        folded = iter([box for _, box in sorted(self.draft.boxes.items()) if box.folded and not box.gone])
        box = next(folded)
        for line in event.then.lines:
            while key_of(line) not in box.stakes:
                box = next(folded)
            box.close(key_of(line), FORFEITED)

    def settled(self, version: int, event: SlimEvent) -> None:
        assert self.draft is not None
        box, jackpots = self.draft.boxes[event.command.seat], self.draft.jackpots
        for line in event.then.lines:
            key = key_of(line)
            bonus = box.stakes.pop(key, None) is None
            box.bets.append((key, line.stake, line.outcome, line.pays, line.returns, line.hand, line.source, bonus))
            if line.source == METER:
                jackpots[key] = jackpots.get(key, 0) + line.pays
        box.settled, box.begun = not event.then.partly, True

    def cleared(self, version: int, event: SlimEvent) -> bool:
        return True

    # irregularities

    def irregular(self, version: int, event: SlimEvent) -> bool:
        name = event.command.irregularity
        (self.draft.irregularities if self.draft else self._irregular).append(name)
        rule = self.game.irregular.get(name)
        return bool(self.draft and rule and self._void(self.draft, rule, event))

    def counted(self, version: int, event: SlimEvent) -> bool:
        """A wrong count returns the wagers; a right one moves nothing."""
        if self.draft is None or not (event.then.moves or event.then.meters):
            return False
        rule = self.game.wrong_count(self._method, event.command.misdealt)
        self.draft.irregularities.append(rule.name)
        return self._void(self.draft, rule, event)

    def _void(self, draft: Draft, rule: Irregularity, event: SlimEvent) -> bool:
        """Return the wagers, even those lost by folding, except those that are still settled. True if the round is over."""
        draft.void = rule.name
        self._contribute(draft, event)
        readings = offer_of(self.game.submission).readings
        (terms,) = offer_of(self.game.submission).rules.of(Voiding)
        keys = {wager.key for wager in rule.under(readings).settled}
        for box in draft.boxes.values():
            if not box.gone and not box.away:  # the result of a player who has left stays
                if terms.takes_back(readings):
                    box.bets = [_undone(draft, bet) for bet in box.bets if not bet[-1]]
                if terms.returns_forfeited(readings):
                    box.bets = [_returned(bet) for bet in box.bets]
                for key in [key for key in box.stakes if key not in keys]:
                    box.close(key, VOID, returns=1)
                box.folded, box.decided = False, []
        return not any(box.stakes for box in draft.boxes.values() if not box.gone)


def key_of(line: WagerLine) -> str:
    return f"{line.wager}: {line.on}" if line.on else line.wager


def _undone(draft: Draft, bet: Entered) -> Entered:
    """A settled wager after it is returned. What a meter paid for it is put back on the meter."""
    key, stake, outcome, pays, _, _, source, _ = bet
    if outcome in (FORFEITED, WITHDRAWN):
        return bet
    if source == METER:
        draft.jackpots[key] -= pays
    return (key, stake, VOID, 0, stake, "", "", False)


def _returned(bet: Entered) -> Entered:
    key, stake, outcome, *_ = bet
    return (key, stake, VOID, 0, stake, "", "", False) if outcome == FORFEITED else bet


TAKEN: dict[str, Any] = {  # what becomes of an event; true if it ends the round
    say.OpenTable.done: Scribe.opened,
    say.UseMethod.done: Scribe.changed_method,
    say.Sit.done: Scribe.sat,
    say.BuyIn.done: Scribe.bought_chips,
    say.Leave.done: Scribe.left,
    say.PlaceWager.done: Scribe.placed,
    say.TakeBackWager.done: Scribe.taken_back,
    say.ReturnWagers.done: Scribe.given_back,
    say.NoMoreBets.done: Scribe.locked,
    say.Decide.done: Scribe.decided,
    "decision lapsed": Scribe.decided,
    say.CollectForfeited.done: Scribe.forfeited,
    say.SettleSeat.done: Scribe.settled,
    say.ClearCards.done: Scribe.cleared,
    say.RaiseIrregularity.done: Scribe.irregular,
    say.CountStub.done: Scribe.counted,
}
