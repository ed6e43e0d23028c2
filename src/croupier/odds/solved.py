"""What a solution is, and what a combination of facts is worth in units of the stake: the chapter prices, nobody else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.filing.pricing import resolve, returns_of
from croupier.law.chapter import Rules
from croupier.law.fact import Compared, DealerHas, Holds, Named
from croupier.law.reading import Reading
from croupier.law.settling import Outcome, Settlement
from croupier.law.wager import Choice, Decision, Wager
from croupier.money import Cents, Kind, dollars
from croupier.odds.refusing import NotCounted

DOLLAR = dollars(1)  # the unit where no filing names a stake


@dataclass(frozen=True)
class Worth:
    """What a settlement comes to, in units: net of the stakes, the share of the meter beside it, the money at risk."""

    net: Fraction
    meter: Fraction = Fraction(0)
    wagered: Fraction = Fraction(0)
    label: str = ""
    odds: str = ""  # as the paytable prints them, where one line is all


def worth(
    offer: Offer,
    settlement: Settlement,
    values: Iterable[Any],
    stakes: Mapping[str, Fraction],
    taken_back: str = "",
    unit: Cents = DOLLAR,
) -> Worth:
    """The settlement of these facts in exact units of so many cents, which matters where a table pays fixed sums.

    `taken_back` is a wager that a decision withdrew: it was never at risk.
    """
    net = meter = wagered = Fraction(0)
    words, printed = [], []
    for line in settlement.lines(*values):
        stake = stakes.get(line.wager.key, Fraction(0))
        resolved = resolve(offer, line) if stake else None
        if resolved is None:
            continue
        outcome, odds, _, row = resolved
        if outcome is Outcome.WIN and odds is not None:
            match odds.kind:
                case Kind.METER:
                    meter += odds.amount
                case Kind.DOLLARS:
                    net += odds.amount / unit
                case _:
                    net += odds.amount * stake - (stake if line.stake_counted_in else 0)
        net += returns_of(line, outcome, odds, stake)
        printed.append(str(odds) if odds else outcome.value)
        if not line.bonus:
            net -= stake
            wagered += stake if line.wager.key != taken_back else 0
        words.append(f"{line.bonus or line.wager.name} {outcome.value}" + (f" ({row})" if row and outcome is Outcome.WIN else ""))
    return Worth(net, meter, wagered, ", ".join(words), printed[0] if len(printed) == 1 else "")


@dataclass
class Outcomes:
    """How often a round comes to what: exact counts of deals by label and worth."""

    counts: dict[tuple[str, Fraction, Fraction, Fraction, str], int] = field(default_factory=dict)

    def add(self, what: Worth, count: int, label: str = "") -> None:
        if count:
            key = (label or what.label, what.net, what.meter, what.wagered, what.odds)
            self.counts[key] = self.counts.get(key, 0) + count

    @property
    def deals(self) -> int:
        return sum(self.counts.values())

    def mean(self, *, of: int = 1) -> Fraction:
        """The mean of the net (1), the meter's share (2) or the money at risk (3)."""
        total = sum((Fraction(key[of]) * count for key, count in self.counts.items()), Fraction(0))
        return total / self.deals

    @property
    def square(self) -> Fraction:
        return Fraction(sum(key[1] ** 2 * count for key, count in self.counts.items())) / self.deals

    @property
    def hits(self) -> Fraction:
        """How often the player comes out ahead, a share of the meter included."""
        return Fraction(sum(count for key, count in self.counts.items() if key[1] > 0 or key[2]), self.deals)


@dataclass
class Solved:
    """The best play of a main game under an Offer, and what comes of it."""

    outcomes: Outcomes
    unit: str  # the wager whose stake is the unit
    best: NDArray[Any]  # the best choice in each state of knowledge, by its number among the choices
    states: Any = None  # what the states are, for those who ask further
    stayed: NDArray[np.int64] | None = None  # for each hand, in how many of its states it is not folded
    of: int = 1  # the number of states of each hand

    @property
    def edge(self) -> Fraction:
        return -self.outcomes.mean()


def main_settlement(rules: Rules) -> Settlement:
    """The settlement that a decision bears on, or that of the one required wager."""
    made = {choice.makes[0].key for decision in rules.decisions for choice in decision.choices if choice.makes}
    for settlement in rules.settlements:
        if made & {wager.key for wager in settlement.settles} or settlement.of.required:
            return settlement
    raise NotCounted(rules.settlements[0], "no wager is required, and no decision makes one", "a main game")


def unit_of(offer: Offer, wager: Wager) -> Cents:
    """The stake that is priced: the least that is filed, else a dollar."""
    return offer.stakes(wager)[0] or DOLLAR


def unit_stakes(
    rules: Rules, settlement: Settlement, decision: Decision | None = None, choice: Choice | None = None
) -> dict[str, Fraction]:
    """One unit on each wager of the main game that is placed before the deal, and what the choice makes."""
    stakes = {wager.key: Fraction(1) for wager in settlement.settles if not wager.made_by_decision}
    if choice and choice.makes and decision:
        stakes[choice.makes[0].key] = Fraction(choice.makes[1]) * stakes[decision.base.key]
    return stakes


def asked(settlement: Settlement, offer: Offer, known: Mapping[str, Any], rows: Mapping[int, Any]) -> list[Any]:
    """The values of a settlement's facts in order: readings from the Offer, rows by the fact, the rest by kind."""
    values = []
    for fact in settlement.asks:
        if isinstance(fact, Reading):
            values.append(offer.readings.get(fact.name, fact.chosen))
        elif id(fact) in rows:
            values.append(rows[id(fact)])
        else:
            kind = "compared" if isinstance(fact, Compared) else "reaches" if isinstance(fact, DealerHas) else fact.name
            values.append(known[kind])
    return values


def holds_asked(settlement: Settlement) -> list[Holds]:
    return [fact for fact in settlement.asks if isinstance(fact, Holds)]


def named_asked(settlement: Settlement) -> list[Named]:
    return [fact for fact in settlement.asks if isinstance(fact, Named)]


def scaled(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """Fractions as integers over their least common denominator."""
    listed = list(values)
    scale = lcm(*(value.denominator for value in listed)) if listed else 1
    return [int(value * scale) for value in listed], scale
