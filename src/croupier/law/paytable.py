"""Paytables as printed in the code; meters; envy; payout limits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from functools import cached_property

from croupier.law.cite import Cite, Rule
from croupier.law.fact import Fact
from croupier.law.ranking import Ranking
from croupier.law.reading import Alternative, in_force
from croupier.law.wager import Wager
from croupier.money import Cents, Kind, Odds, dollars, read_odds

Column = Mapping[str, Odds]  # the rows that pay, by name
LEAST_LIMIT = dollars(50_000)


@dataclass(frozen=True)
class AddedRow:
    """A row that the submission may add at the top, at these odds or better."""

    name: str
    at_least: Odds
    clause: str

    @classmethod
    def read(cls, text: str, clause: str) -> AddedRow:
        columns, (name,), *_ = read_table(text)
        return cls(name, columns["A"][name], clause)


@dataclass(frozen=True, eq=False)
class Paytable(Rule):
    """Rows and columns. A table with one column gives the operator no choice; a blank cell pays nothing for that row."""

    name: str
    text: str = field(repr=False)
    hands: Ranking | tuple[str, ...]  # every row is one of these
    may_add: tuple[str, str] | None = None  # a row that the submission may add, at these odds or better, and its clause
    form: str = ""  # clause of the version of the game that this table belongs to
    adds: AddedRow | None = field(init=False)
    columns: Mapping[str, Column] = field(init=False)
    rows: tuple[str, ...] = field(init=False)
    lettered: bool = field(init=False)
    reconstructed: frozenset[tuple[str, str]] = field(init=False)  # cells (row, letter) missing from the scan
    otherwise: Mapping[str, str] = field(init=False)  # what else a hand in a blank row counts as

    def complete(self) -> None:
        columns, rows, lettered, reconstructed = read_table(self.text)
        if twice := [row for row, times in Counter(rows).items() if times > 1]:
            raise ValueError(f"{self.cite.chapter} {self.name}: the row “{twice[0]}” appears more than once")
        if unknown := [row for row in rows if row not in set(self.names)]:
            raise ValueError(f"{self.cite.chapter} {self.name}: no hand can make {', '.join(unknown)}")
        hands = self.hands.hands if isinstance(self.hands, Ranking) else ()
        otherwise = {hand.name: hand.otherwise for hand in hands if hand.otherwise}
        read = {"columns": columns, "rows": rows, "lettered": lettered, "reconstructed": reconstructed, "otherwise": otherwise}
        self.__dict__.update(read, adds=AddedRow.read(*self.may_add) if self.may_add else None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the hands that its rows are of, highest first."""
        return tuple(hand.name for hand in self.hands.hands) if isinstance(self.hands, Ranking) else self.hands

    def counts_as(self, row: str) -> Iterator[str]:
        """A row, then what else its hand counts as."""
        while row:
            yield row
            row = self.otherwise.get(row, "")

    def pays(self, column: Column, row: str) -> Odds | None:
        """The odds of a row or, if the cell is blank, of what else the hand counts as."""
        odds = next((column[name] for name in self.counts_as(row) if name in column), None)
        return None if odds is None or (odds.kind is Kind.DOLLARS and not odds.amount) else odds

    def paid_as(self, column: Column, row: str) -> str:
        """The row by which a column pays the hand of a row; the last that it counts as if the column pays none of them."""
        names = tuple(self.counts_as(row))
        return next((name for name in names if name in column), names[-1])

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(self.columns)


def read_table(text: str) -> tuple[dict[str, dict[str, Odds]], tuple[str, ...], bool, frozenset[tuple[str, str]]]:
    """Parse a table: an optional heading of letters, then rows. Cells are two spaces apart; “-” is blank, “*” reconstructed.

    >>> columns, rows, lettered, _ = read_table("A  B  Z\\nPair   1 to 1  -  2 to 1")
    >>> {letter: str(column.get("Pair")) for letter, column in columns.items()}
    {'A': '1 to 1', 'B': 'None', 'Z': '2 to 1'}
    """
    lines = [re.split(r"\s{2,}", line.strip()) for line in text.strip().splitlines()]
    lettered = bool(lines) and all(re.fullmatch(r"[A-Z]", cell) for cell in lines[0])
    letters = lines.pop(0) if lettered else ["A"]
    if not lines:
        raise ValueError("the table has no rows")
    columns: dict[str, dict[str, Odds]] = {letter: {} for letter in letters}
    reconstructed = set()
    for name, *cells in lines:
        if len(cells) != len(letters):
            raise ValueError(f"the row “{name}” has {len(cells)} cells for {len(letters)} columns")
        for letter, cell in zip(letters, cells, strict=True):
            if cell.endswith("*"):
                reconstructed.add((name, letter))
            if cell not in ("-", "N/A"):
                columns[letter][name] = read_odds(cell.rstrip("*"))
    return columns, tuple(name for name, *_ in lines), lettered, frozenset(reconstructed)


@dataclass(frozen=True, eq=False)
class Meter(Rule):
    """The progressive meter of a wager. Amounts are by paytable letter, `per_dollar` of the wager where the code says “for 1”.

    `exact`: the code fixes the figures; otherwise they are the minimum that a submission may name.
    """

    wager: Wager
    _: KW_ONLY
    exact: bool
    per_dollar: bool
    seed: Mapping[str, Cents]
    reseed: Mapping[str, Cents] = field(default_factory=dict)  # same as the seed unless the text says otherwise
    rate: Mapping[str, Fraction] = field(default_factory=dict)  # empty: the submission may name any rate
    later: Alternative  # under which a meter that was won restarts only after the round
    reserve: Fraction = Fraction(0)
    releases: Alternative | None = None  # under which the reserve goes to the meter when the whole meter is won
    linked: bool = False  # whether the text mentions several tables feeding it

    def complete(self) -> None:
        self.__dict__["reseed"] = self.reseed or self.seed

    @property
    def system(self) -> Cite:
        """The clause of the system that keeps it, the last one cited."""
        return (self.wager.system or self.wager).cites[-1]

    def seed_for(self, letter: str, stake: Cents, *, again: bool) -> Cents:
        amount = (self.reseed if again else self.seed)[letter]
        return amount * stake // dollars(1) if self.per_dollar else amount


@dataclass(frozen=True, eq=False)
class Envy(Rule):
    """A fixed sum paid to players who made the wager when another player holds a qualifying hand, by the amount of the wager.

    `unseen` is the alternative under which a folded hand that nobody saw earns it too. `own` is the alternative under which a
    hand at the same player's other box does; None if a player has only one box.
    """

    name: str
    wager: Wager
    hand: Fact
    schedules: Mapping[Cents, Paytable]
    unseen: Alternative
    from_meter: Alternative  # under which the meter pays it
    own: Alternative | None = None
    follows: Alternative | None = None  # under which the schedule follows the letter of the wager's own paytable

    @property
    def lettered(self) -> bool:
        return next(iter(self.schedules.values())).lettered


@dataclass(frozen=True, eq=False)
class Published(Rule):
    """A published figure for a wager: for which letter, under which reading, and as a share of what.

    `bound` marks the lowest or highest figure over all letters; `of` says whether the share is of the wager or of all money bet.
    """

    wager: str
    percent: str
    source: str
    letter: str = ""
    reading: tuple[str, str] | None = None
    bound: str = ""
    of: str = "edge"

    def complete(self) -> None:
        if not re.fullmatch(r"-?\d+(\.\d+)?%", str(self.percent)):
            raise ValueError(f"{self.cite.chapter}: {self.percent!r} is not a published figure, such as “2.185%”")


@dataclass(frozen=True, eq=False)
class Limit(Rule):
    """The aggregate payout limit that a submission may set: what it covers, what it must never reduce, and its minimum.

    `each_box` is None if the clause limits a single hand; if it limits a player's round, it is the alternative under which each
    box has its own limit.
    """

    covers: Sequence[Wager | Paytable]  # wagers, and the tables of bonuses
    with_stakes: Alternative  # under which returned stakes count toward it
    best_wager: Alternative  # under which the floor is what the best-paying wager alone can win
    each_box: Alternative | None = None
    never: frozenset[tuple[str, str]] = frozenset()  # (wager, row)
    least: Cents = LEAST_LIMIT

    def per_player(self, readings: Mapping[str, str]) -> bool:
        """Whether one limit covers all of a player's boxes in a round."""
        return self.each_box is not None and not in_force(self.each_box, readings)

    def unit(self, readings: Mapping[str, str]) -> str:
        """What the limit applies to, to follow the word “per”."""
        return "player per round" if self.per_player(readings) else "hand"

    def counts(self, wager: str, row: str) -> bool:
        return wager in self.names and (wager, row) not in self.never

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the wagers and bonuses that it covers."""
        return tuple(each.name for each in self.covers)
