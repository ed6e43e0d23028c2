"""From facts to cents: the chapter's symbolic lines, priced by the Offer's columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from croupier.filing.offer import Offer
from croupier.law.cite import Cite
from croupier.law.fact import PLAYER, Fact, Position
from croupier.law.forfeits import ANSWERED
from croupier.law.ranking import NOTHING
from croupier.law.reading import Reading
from croupier.law.settlement import Line, Outcome, Settlement
from croupier.money import Cents, Kind, Odds

Stake = TypeVar("Stake", int, Fraction)
TABLE_INVENTORY, METER, GAME_ACCOUNT = "table inventory", "meter", "game account"


@dataclass(frozen=True)
class Paid:
    """One line of a settlement, to the cent."""

    wager: str
    hand: str
    outcome: Outcome
    stake: Cents
    pays: Cents
    returns: Cents
    odds: Odds | None
    source: str
    cite: Cite
    row: str = ""
    side: str = ""

    @property
    def net(self) -> Cents:
        return self.pays + self.returns - self.stake


class SeenHand:
    """One player's position; each fact is evaluated once.

    If nobody knows a hand's cards, it is in the discard rack and no key opens its deck. Its wagers were all forfeited by the
    player's answers, so its cards do not matter, and a fact about them gets an arbitrary value: its last.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self._values: dict[Fact | Reading, Any] = {}

    def value(self, fact: Fact | Reading) -> Any:
        if fact not in self._values:
            known = self.position.cards.get(PLAYER) or isinstance(fact, (*ANSWERED, Reading))
            self._values[fact] = fact.of(self.position) if known else fact.values[-1]
        return self._values[fact]


def symbolic_lines(offer: Offer, seen: SeenHand, stakes: Mapping[str, Cents]) -> Iterator[tuple[Settlement, Line]]:
    """The chapter's lines for the wagers one player made, in the order of the code."""
    for settlement in offer.rules.settlements:
        if stakes.get(settlement.wager.key):
            for line in settlement.lines(*map(seen.value, settlement.asks)):
                if stakes.get(line.wager.key):
                    yield settlement, line


def name_of_hand(offer: Offer, settlement: Settlement, seen: SeenHand) -> str:
    """What people call the hand that a settlement looks at. If the filed column lacks its row, it is what else it counts as."""
    fact = settlement.hand
    if fact is None:
        return ""
    value = seen.value(fact)
    if isinstance(value, int):
        return f"{fact.name.split(maxsplit=1)[-1]} {value}" if value else "Does not qualify"  # “player's Point Count”
    if value == NOTHING and (describe := getattr(fact, "describe_nothing", None)):
        return str(describe(seen.position))
    for table in (offer.tables[name] for name in settlement.tables if name in offer.tables):
        if value in table.otherwise:
            return table.paid_as(offer.column(table.name), str(value))
    return str(value)


def price_line(offer: Offer, line: Line, stake: Cents, meter: Cents, hand: str) -> Paid | None:
    """A line in cents; None for a bonus that is not paid. A share of the meter is priced at its current amount."""
    resolved = resolve(offer, line)
    if resolved is None:
        return None
    outcome, odds, clause, row = resolved
    pays, source = 0, ""
    if outcome is Outcome.WIN and odds is not None:
        pays = offer.round(odds.on(stake, meter) - (stake if line.stake_counted_in else 0))
        source = METER if odds.kind is Kind.METER else GAME_ACCOUNT if line.wager.electronic else TABLE_INVENTORY
    return Paid(
        wager=line.bonus or line.wager.name,
        hand=row if outcome is Outcome.WIN and row else hand,
        outcome=outcome,
        stake=0 if line.bonus else stake,
        pays=pays,
        returns=returns_of(line, outcome, odds, stake),
        odds=odds,
        source=source if pays else "",
        cite=offer.rules.cite(clause),
        row=row,
        side=line.wager.side,
    )


def resolve(offer: Offer, line: Line) -> tuple[Outcome, Odds | None, str, str] | None:
    """The outcome, odds, clause and row of a line under the filed column; None for a bonus that the column does not pay."""
    if line.table is None:
        return line.outcome, line.odds, line.clause, ""
    table = offer.tables[line.table.name]
    column = offer.column(table.name)
    odds, clause = table.pays(column, line.row), table.cite.clause
    if odds is None:
        return None if line.bonus else (Outcome.LOSE, None, line.lost or clause, "")
    if line.outcome is not Outcome.WIN:
        return line.outcome, None, line.clause, ""
    row = table.paid_as(column, line.row)
    if table.adds and row == table.adds.name:
        clause = table.adds.clause
    return Outcome.PUSH if odds.kind is Kind.PUSH else Outcome.WIN, odds, clause, row


def returns_of(line: Line, outcome: Outcome, odds: Odds | None, stake: Stake) -> Stake | int:
    """How much of the stake is returned: all of it for “to 1”, none for “for 1”, and for a fixed sum whatever the line says."""
    if outcome in (Outcome.PUSH, Outcome.RETURN):
        return stake
    if outcome is not Outcome.WIN or odds is None or (odds.kind is Kind.FOR and not line.bonus):
        return 0
    by_odds = odds.kind is Kind.TO and not line.bonus
    return stake if by_odds or line.stake_back else 0
