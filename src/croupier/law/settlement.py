"""Settlement: what each combination of facts does to a wager, in symbolic lines.

A chapter's settlement function takes the values of facts, never cards, and yields lines. A line paid from a paytable
names the table and row; the column in the Offer turns it into odds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
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
    """The outcome of one wager, or of a bonus without a separate stake.

    A line paid from a table wins only if the column pays the row; otherwise a wager loses and a bonus has no line.
    """

    wager: Wager
    outcome: Outcome
    clause: str
    odds: Odds | None = None
    table: Paytable | None = None
    row: str = ""
    lost: str = ""  # the clause under which the wager loses if the table does not pay
    bonus: str = ""  # the name of a bonus on this wager's stake
    stake_back: bool = True  # whether a winning stake is returned to the player
    stake_counted_in: bool = False  # a “for 1” bonus that includes the stake, which is subtracted
    divided: str = ""  # the clause under which all players who made the wager split one share of the meter
    divided_at_turn: bool = False  # under another reading, each player's part is taken at their turn
    divided_by_box: bool = False  # or each of a player's boxes gets a part


Lines = tuple[Line, ...]


def pay(*wagers: Wager, at: Odds, cite: str) -> Lines:
    if not isinstance(at, Odds):
        raise ValueError(f"{at!r} is not odds, such as to(1)")
    return tuple(Line(wager, Outcome.WIN, cite, odds=at) for wager in wagers)


def pay_by(table: Paytable, row: str, *, on: Wager, lost: str = "") -> Lines:
    """The wager wins if the table pays the row; otherwise it loses, under the clause `lost` if there is one."""
    return (Line(on, Outcome.WIN, table.cite.clause, table=table, row=row, lost=lost, stake_back=on.system is None),)


def pay_bonus(table: Paytable, row: str, *, on: Wager, called: str = "") -> Lines:
    """A bonus on a wager's stake, if the table pays the row."""
    return (Line(on, Outcome.WIN, table.cite.clause, table=table, row=row, bonus=called or table.name, stake_back=False),)


def on_terms(lines: Lines, **terms: Any) -> Lines:
    """The lines, each with these terms."""
    return tuple(replace(line, **terms) for line in lines)


By = tuple[Paytable | None, str]  # a table and the row of it that a wager's fate depends on


def collect(*wagers: Wager, cite: str, by: By = (None, ""), lost: str = "") -> Lines:
    """The wagers lose: `by` a table, under one clause if it pays the row and under another, `lost`, if it does not."""
    return tuple(Line(wager, Outcome.LOSE, cite, table=by[0], row=by[1], lost=lost) for wager in wagers)


def forfeit(*wagers: Wager, cite: str) -> Lines:
    return tuple(Line(wager, Outcome.FORFEIT, cite) for wager in wagers)


def give_back(*wagers: Wager, cite: str, by: By = (None, ""), lost: str = "") -> Lines:
    """The wagers are returned: `by` a table, only if it pays the row; otherwise they lose under another clause, `lost`."""
    return tuple(Line(wager, Outcome.RETURN, cite, table=by[0], row=by[1], lost=lost) for wager in wagers)


def push(*wagers: Wager, cite: str) -> Lines:
    return tuple(Line(wager, Outcome.PUSH, cite) for wager in wagers)


@dataclass(frozen=True, eq=False)
class Settlement(Rule):
    """How a group of wagers is settled: the facts it depends on, in order, and the function of their values.

    `hand` is the fact whose row people call the hand.
    """

    settles: tuple[Wager, ...]
    asks: tuple[Fact | Reading, ...]
    rule: Callable[..., Iterator[Lines]]
    hand: Fact | None = None
    _known: dict[tuple[Any, ...], Lines] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def wager(self) -> Wager:
        """The wager that must have been made for the settlement to apply."""
        return self.settles[0]

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings that affect it, directly or through a fact."""
        return tuple(dict.fromkeys(reading for fact in self.asks for reading in readings_of(fact)))

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The names of the paytables that any of its lines is paid from."""
        lines = (line for _, lines in self.every_case() for line in lines)
        return tuple(dict.fromkeys(line.table.name for line in lines if line.table))

    @property
    def drawn(self) -> dict[str, Drawn]:
        """The facts about what the system draws, by the name of what the draw adds to the wager."""
        return {f"{self.wager.name}, {fact.name}": fact for fact in self.asks if isinstance(fact, Drawn)}

    def lines(self, *values: Any) -> Lines:
        """The lines for these values of the facts. They depend on nothing else, so they are cached."""
        if (found := self._known.get(values)) is None:
            found = self._known[values] = tuple(line for lines in self.rule(*values) for line in lines)
        return found

    def every_case(self) -> Iterator[tuple[tuple[Any, ...], Lines]]:
        """Every combination of the facts' values with its lines. Proves that settlement is total."""
        for values in product(*(fact.values for fact in self.asks)):
            yield values, self.lines(*values)
