"""Settlement: what each combination of facts does to a wager, in symbolic lines.

A chapter's settlement function takes values of facts, never cards, and yields lines. A line that pays by a paytable
names table and row; the column that the Offer chose turns it into odds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from typing import Any

from croupier.law.cite import Rule
from croupier.law.fact import Drawn, Fact, readings_of
from croupier.law.paytable import Paytable
from croupier.law.reading import Reading
from croupier.law.wager import Wager
from croupier.money import Odds


class Outcome(Enum):
    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    FORFEIT = "forfeit"
    RETURN = "return"


@dataclass(frozen=True)
class Line:
    """What becomes of one wager, or of a bonus that has no stake of its own.

    A line by table comes about only if the column pays the row; otherwise a wager loses and a bonus is no line at all.
    """

    wager: Wager
    outcome: Outcome
    clause: str
    odds: Odds | None = None
    table: Paytable | None = None
    row: str = ""
    lost: str = ""  # the clause by which the wager loses where the table does not pay
    bonus: str = ""  # the name of a bonus on this wager's stake
    stake_back: bool = True  # does a winning stake go back to the player?
    stake_counted_in: bool = False  # a bonus “for 1” from which the stake is taken off
    divided: str = ""  # the clause by which a share of the meter is one sum for all who made the wager
    divided_at_turn: bool = False  # or, read otherwise, each player's part is taken at his turn
    divided_by_box: bool = False  # or each box of a player has a part


Lines = tuple[Line, ...]


def pay(*wagers: Wager, at: Odds, cite: str) -> Lines:
    return tuple(Line(wager, Outcome.WIN, cite, odds=at) for wager in wagers)


def pay_by(
    table: Paytable,
    row: str,
    *,
    on: Wager,
    lost: str = "",
    divided: str = "",
    divided_at_turn: bool = False,
    divided_by_box: bool = False,
    stake_back: bool = True,
) -> Lines:
    """The wager wins if the table pays the row, and loses otherwise, under a clause of its own where there is one."""
    return (
        Line(
            on,
            Outcome.WIN,
            table.cite.clause,
            table=table,
            row=row,
            lost=lost,
            stake_back=stake_back and not (on.collected or on.electronic),
            divided=divided,
            divided_at_turn=divided_at_turn,
            divided_by_box=divided_by_box,
        ),
    )


def pay_bonus(
    table: Paytable, row: str, *, on: Wager, called: str = "", stake_back: bool = False, stake_counted_in: bool = False
) -> Lines:
    """A bonus on a wager's stake, where the table pays the row."""
    return (
        Line(
            on,
            Outcome.WIN,
            table.cite.clause,
            table=table,
            row=row,
            bonus=called or table.name,
            stake_back=stake_back,
            stake_counted_in=stake_counted_in,
        ),
    )


def collect(*wagers: Wager, cite: str) -> Lines:
    return tuple(Line(wager, Outcome.LOSE, cite) for wager in wagers)


def collect_by(table: Paytable, row: str, *, on: Wager, cite: str, lost: str) -> Lines:
    """The wager is lost, under one clause if the table pays the row and under another if it does not."""
    return (Line(on, Outcome.LOSE, cite, table=table, row=row, lost=lost),)


def forfeit(*wagers: Wager, cite: str) -> Lines:
    return tuple(Line(wager, Outcome.FORFEIT, cite) for wager in wagers)


def give_back(*wagers: Wager, cite: str) -> Lines:
    return tuple(Line(wager, Outcome.RETURN, cite) for wager in wagers)


def give_back_by(table: Paytable, row: str, *, on: Wager, cite: str, lost: str) -> Lines:
    """The wager goes back if the table pays the row, and is lost under another clause otherwise."""
    return (Line(on, Outcome.RETURN, cite, table=table, row=row, lost=lost),)


def push(*wagers: Wager, cite: str) -> Lines:
    return tuple(Line(wager, Outcome.PUSH, cite) for wager in wagers)


@dataclass(frozen=True, kw_only=True, eq=False)
class Settlement(Rule):
    """How the wagers of one group are settled: the facts asked, in order, and the function of their values.

    `of` is the wager that must stand for the settlement to happen; `hand` the fact whose row a person calls the hand.
    """

    __eq__ = object.__eq__  # two settlements may share a clause
    __hash__ = object.__hash__

    of: Wager
    settles: tuple[Wager, ...]
    asks: tuple[Fact | Reading, ...] = field(hash=False)
    rule: Callable[..., Iterator[Lines]] = field(compare=False)
    hand: Fact | None = field(default=None, hash=False)
    _known: dict[tuple[Any, ...], Lines] = field(default_factory=dict, repr=False)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings that bear on it: those it asks, and those that decide how a fact is seen."""
        return tuple(dict.fromkeys(reading for fact in self.asks for reading in readings_of(fact)))

    @property
    def drawn(self) -> dict[str, Drawn]:
        """The facts it asks about what the system draws, by the name of what the draw adds to the wager."""
        return {f"{self.of.name}, {fact.name}": fact for fact in self.asks if isinstance(fact, Drawn)}

    def lines(self, *values: Any) -> Lines:
        """The lines for these values of the facts asked. They depend on nothing else, so they are worked out once."""
        if (found := self._known.get(values)) is None:
            found = self._known[values] = tuple(line for lines in self.rule(*values) for line in lines)
        return found

    def every_case(self) -> Iterator[tuple[tuple[Any, ...], Lines]]:
        """Every combination of the facts' values with its lines: settlement is total, and this proves it."""
        for values in product(*(fact.values for fact in self.asks)):
            yield values, self.lines(*values)
