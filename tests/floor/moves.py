"""Rounds derived from the moves of money alone, to compare with the records, which read settlement lines."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.floor.transcripts.export import Seating
from croupier.law.procedure import Irregularity, Moment
from croupier.ledger import Source
from croupier.table import commands as say
from croupier.table.accounts import CAGE, Move
from croupier.table.events import Event, read_event
from croupier.table.state import offer_of

IN_THE_ROUND = (
    say.DealCards, say.CountStub, say.Decide, say.SetHand, say.LapseDecision, say.CollectForfeited, say.BurnCard, say.DealCommunity,
    say.TurnCard, say.DrawBonus, say.RevealDealer, say.TurnHand, say.ValidateProgressive, say.SettleSeat, say.CompletePapers,
    say.ClearCards,
)  # fmt: skip
_OF_A_SEAT = re.compile(r"seat (\d+) (chips|game account|layout)")


@dataclass
class Moved:
    """A round: the versions of its first and last event, and what each player won or lost according to the moves."""

    first: int
    last: int
    players: dict[int, str]
    seats: Counter[int] = field(default_factory=Counter)
    at_cage: list[tuple[Move, int]] = field(default_factory=list)  # jackpots the cage paid, and their seats

    @property
    def net(self) -> dict[str, int]:
        net = Counter[str]()
        for seat, player in self.players.items():
            net[player] += self.seats[seat]
        return dict(net)


def rounds_by_moves(source: Source, table: str) -> list[Moved]:
    found, seating, opened = list[Moved](), Seating(), None
    between: list[tuple[int, Event]] = []  # events after a round, until it is clear which round they belong to
    for entry in source.read(f"table/{table}"):
        event = read_event(entry.body)
        seating.follow(entry.version, event)
        if isinstance(event.command, say.OpenTable):
            opened = event.command
        if isinstance(event.command, say.NoMoreBets):
            first = between[0][0] if between else entry.version
            found.append(Moved(first, 0, {home: seating.seated.get(home, "") for home, _ in seating.owners.values()}))
        elif not opened or not _is_in_the_round(opened, event):
            between.append((entry.version, event))
            continue
        for _, each in (*between, (entry.version, event)):
            _count(found[-1], seating, each)
        between.clear()
        found[-1].last = entry.version
    return found


def _is_in_the_round(opened: say.OpenTable, event: Event) -> bool:
    command = event.command
    if isinstance(command, say.RaiseIrregularity):
        rules = offer_of(opened.submission).rules.of(Irregularity)
        rule = next((each for each in rules if each.name == command.irregularity), None)
        return rule is not None and rule.moment not in (Moment.SHUFFLE, Moment.ANY)
    if isinstance(command, say.Leave):
        return any(move.source.endswith("layout") and move.target == TABLE_INVENTORY for move in event.then.moves)
    return isinstance(command, IN_THE_ROUND)


def _count(round_: Moved, seating: Seating, event: Event) -> None:
    """Add up what players won and lost. A jackpot paid by the cage does not go through their accounts."""

    def home(box: int) -> int:
        return seating.owners.get(box, (box, 0))[0]

    def seat_of(account: str) -> int:
        found = _OF_A_SEAT.fullmatch(account)
        seat = int(found[1]) if found else 0
        return home(seat) if found and found[2] == "layout" else seat

    if isinstance(event.command, say.BuyIn):
        return
    for move in event.then.moves:
        if winner := seat_of(move.target) if move.source == TABLE_INVENTORY else 0:
            round_.seats[winner] += move.cents
        elif loser := seat_of(move.source) if move.target == TABLE_INVENTORY else 0:
            round_.seats[loser] -= move.cents
        elif move.target == CAGE and isinstance(event.command, say.SettleSeat):
            round_.seats[home(event.command.seat)] += move.cents
            round_.at_cage.append((move, home(event.command.seat)))
        elif move.source == CAGE and isinstance(event.command, say.RaiseIrregularity):  # taken back
            paid = next((each for each in round_.at_cage if each[0] == Move(move.target, CAGE, move.cents)), None)
            if paid:
                round_.at_cage.remove(paid)
                round_.seats[paid[1]] -= move.cents
