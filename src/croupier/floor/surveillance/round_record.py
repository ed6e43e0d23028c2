"""Builds the record of a round from its table's events: who wagered what, what they decided, and the results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from croupier.filing.pricing import METER
from croupier.law.procedure import Voiding
from croupier.law.settlement import Outcome
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.events import Event
from croupier.table.rules.irregularities import withdrawn
from croupier.table.rules.wagers import wrong_count
from croupier.table.state import Round, State
from croupier.wire import WagerLine

VOID, ABANDONED, WITHDRAWN = "void", "abandoned", "withdrawn"
FORFEITED = Outcome.FORFEIT.value


class Bet(msgspec.Struct, frozen=True):
    """The result of one wager, or of a bonus paid beside one (its stake is 0).

    The outcome is that of the settlement's line, or “withdrawn” by a decision, “void” or “abandoned”.
    """

    wager: str  # followed by a colon and the hand that it is on, if there are several
    stake: Cents
    outcome: str
    pays: Cents
    returns: Cents
    hand: str = ""  # as the settlement named it; a folded hand is not shown
    source: str = ""
    bonus: bool = False
    cite: str = ""  # the clause of the settlement's line

    @property
    def net(self) -> Cents:
        return self.pays + self.returns - self.stake


def money_at_risk(bets: Iterable[Bet]) -> Cents:
    """All money that was at risk, without wagers taken back by a decision or returned in a void round."""
    return sum(bet.stake for bet in bets if bet.outcome not in (WITHDRAWN, VOID))


class Box(msgspec.Struct, frozen=True):
    """A betting box in a round: its player, their decisions, and the results of their wagers."""

    box: int
    seat: int
    player: str
    decisions: tuple[str, ...]
    bets: tuple[Bet, ...]

    @property
    def net(self) -> Cents:
        return sum(bet.net for bet in self.bets)


class RecordedRound(msgspec.Struct, frozen=True):
    """One round of a table. `ended` is 0 while it is being played."""

    table: str
    number: int
    first: int  # the versions of its events, including those since the round before
    last: int
    begun: int  # “no more bets”, in milliseconds
    ended: int
    offer: str
    boxes: tuple[Box, ...]
    net: dict[str, Cents]  # by player: what they won from the house; negative if they lost
    wagered: Cents = 0  # all money that was at risk
    void: str = ""  # the irregularity that voided the hands
    irregularities: tuple[str, ...] = ()
    jackpots: dict[str, Cents] = {}  # paid from meters, by wager
    contributed: dict[str, Cents] = {}  # to meters and their reserves, by wager
    locked: int = 0  # the version of “no more bets”


class TableOpening(NamedTuple):
    at: int
    submission: str
    offer: str
    linked: dict[str, str]


@dataclass
class DraftBox:
    seat: int
    player: str
    stakes: dict[str, Cents]  # of wagers without a result yet
    decided: tuple[str, ...] = ()
    bets: list[Bet] = field(default_factory=list)
    lines: int = 0  # how many lines of the box have been taken

    def close(self, keys: Iterable[str], outcome: str, *, returned: bool = False) -> None:
        for key in keys:
            stake = self.stakes.pop(key)
            self.bets.append(Bet(key, stake, outcome, 0, stake if returned else 0))


@dataclass
class Draft:
    """The record of a round that is being played."""

    round: Round
    locked: int
    begun: int
    boxes: dict[int, DraftBox]
    void: str = ""
    jackpots: dict[str, Cents] = field(default_factory=dict)
    contributed: dict[str, Cents] = field(default_factory=dict)


class RoundBuilder:
    """Follows one table event by event, and returns each round when it is over."""

    def __init__(self) -> None:
        self.state = State()  # as far as the events show it: nothing sealed is read
        self.openings: list[TableOpening] = []
        self.bought: list[tuple[int, Cents]] = []  # when, and how much cash went into the drop box
        self.draft: Draft | None = None
        self.people: set[str] = set()  # who has acted since the round before, by name: players and staff
        self._irregularities: list[str] = []
        self._first = 1  # the first event since the round before

    def take(self, version: int, event: Event) -> RecordedRound | None:
        """Take in an event, which is already applied to the state; return the round that it ended, if any."""
        self._note(version, event)
        draft = self.draft
        if draft is None:
            return None
        self._results(draft, event)
        return self.record(draft, version, event.at) if self.state.round is None else None

    def _note(self, version: int, event: Event) -> None:
        if event.person:
            self.people.add(event.person)
        match event.command:
            case say.OpenTable(submission=submission, offer=offer, linked=linked):
                self.openings.append(TableOpening(event.at, submission, offer, linked))
            case say.BuyIn(amount=amount):
                self.bought.append((event.at, amount))
            case say.RaiseIrregularity(irregularity=name):
                self._irregularities.append(name)
            case say.NoMoreBets():
                assert self.state.round is not None
                self.draft = Draft(self.state.round, version, event.at, {})
                for number, stakes in self.state.round.stakes.items():
                    home = self.state.boxes[number]
                    self.draft.boxes[number] = DraftBox(home, self.state.players.get(home, ""), dict(stakes))
                _contribute(self.draft, event)

    def record(self, draft: Draft, last: int, ended: int) -> RecordedRound:
        boxes = tuple(
            Box(number, each.seat, each.player, each.decided, tuple(each.bets)) for number, each in sorted(draft.boxes.items())
        )
        net = dict.fromkeys((box.player for box in boxes), 0)
        for box in boxes:
            net[box.player] += box.net
        return RecordedRound(
            table=self.state.table,
            number=draft.round.number,
            first=self._first,
            last=last,
            begun=draft.begun,
            ended=ended,
            offer=self.state.offer_hash,
            boxes=boxes,
            net=net,
            wagered=sum(money_at_risk(box.bets) for box in boxes),
            void=draft.void,
            irregularities=tuple(self._irregularities),
            jackpots=dict(draft.jackpots),
            contributed=dict(draft.contributed),
            locked=draft.locked,
        )

    def begin_next(self) -> None:
        """Forget the round that is over."""
        self.draft, self._first, self._irregularities, self.people = None, self.state.version + 1, [], set()

    # results

    def _results(self, draft: Draft, event: Event) -> None:
        current = draft.round
        match event.command:
            case say.Decide(seat=number) | say.LapseDecision(seat=number):
                box, stakes = draft.boxes[number], current.stakes[number]
                box.decided = tuple(current.decided.get(number, ()))
                box.stakes |= {key: stake for key, stake in stakes.items() if self.state.rules.wagers[key].made_by_decision}
                box.close(withdrawn(self.state, current, number) & box.stakes.keys(), WITHDRAWN, returned=True)
            case say.CollectForfeited() | say.SettleSeat():
                for number, result in self.state.results.items():
                    _settle(draft, draft.boxes[number], result.lines)
            case say.Leave():
                for number in current.gone:
                    draft.boxes[number].close(list(draft.boxes[number].stakes), ABANDONED)
            case say.RaiseIrregularity(irregularity=name) if self._voids(draft):
                self._void(draft, name, event)
            case say.CountStub(misdealt=misdealt) if self._voids(draft):
                name = wrong_count(self.state, misdealt=misdealt).name
                self._irregularities.append(name)
                self._void(draft, name, event)

    def _voids(self, draft: Draft) -> bool:
        return not draft.void and (self.state.round is None or bool(draft.round.void))

    def _void(self, draft: Draft, name: str, event: Event) -> None:
        """Return the wagers, even those lost by folding, except those that are still settled."""
        draft.void = name
        _contribute(draft, event)
        offer = self.state.offer
        (terms,) = self.state.rules.of(Voiding)
        left = draft.round.stakes if self.state.round else {}
        for number, box in draft.boxes.items():
            box.lines = 0
            if number in (*draft.round.gone, *draft.round.away):  # the result of a player who has left stays
                continue
            if not offer.reads(terms.stands):
                box.bets = [_undone(draft, bet) for bet in box.bets if not bet.bonus]
            if not offer.reads(terms.forfeited_lost):
                box.bets = [_returned(bet) if bet.outcome == FORFEITED else bet for bet in box.bets]
            box.close([key for key in box.stakes if key not in left.get(number, {})], VOID, returned=True)
            box.decided = ()


def key_of(line: WagerLine) -> str:
    return f"{line.wager}: {line.on}" if line.on else line.wager


def _settle(draft: Draft, box: DraftBox, lines: list[WagerLine]) -> None:
    """Take the lines of a box that are new."""
    for line in lines[box.lines :]:
        key = key_of(line)
        bonus = box.stakes.pop(key, None) is None
        box.bets.append(Bet(key, line.stake, line.outcome, line.pays, line.returns, line.hand, line.source, bonus, line.cite))
        if line.source == METER:
            draft.jackpots[key] = draft.jackpots.get(key, 0) + line.pays
    box.lines = len(lines)


def _contribute(draft: Draft, event: Event) -> None:
    for wager, move in event.then.meters.items():
        draft.contributed[wager] = draft.contributed.get(wager, 0) + move.contributed + move.reserved


def _undone(draft: Draft, bet: Bet) -> Bet:
    """A settled wager after it is returned. What a meter paid for it is put back on the meter."""
    if bet.outcome in (FORFEITED, WITHDRAWN):
        return bet
    if bet.source == METER:
        draft.jackpots[bet.wager] -= bet.pays
    return _returned(bet)


def _returned(bet: Bet) -> Bet:
    return Bet(bet.wager, bet.stake, VOID, 0, bet.stake)
