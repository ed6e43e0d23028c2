"""Paytables as the code prints them; meters; envy; payout limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from croupier.law.cite import Rule
from croupier.law.fact import Fact, Position
from croupier.law.ranking import Hand
from croupier.law.reading import Alternative, in_force
from croupier.law.wager import Wager
from croupier.money import Cents, Kind, Odds, dollars, read_odds

Column = Mapping[str, Odds]  # the rows that pay, by name


@dataclass(frozen=True)
class AddedRow:
    """A row that the submission may add above the others, at odds no lower than these."""

    name: str
    at_least: Odds
    clause: str


@dataclass(frozen=True, kw_only=True)
class Paytable(Rule):
    """Rows and columns. A table of one column leaves the operator no choice; a blank cell pays nothing by that row."""

    name: str
    columns: Mapping[str, Column] = field(hash=False)
    rows: tuple[str, ...]
    otherwise: Mapping[str, str] = field(default_factory=dict, hash=False)  # what a hand of a blank row is also
    lettered: bool = True
    reconstructed: frozenset[tuple[str, str]] = frozenset()  # cells (row, letter) that the scan has lost
    adds: AddedRow | None = None
    form: str = ""  # the clause of the version of the game that this table belongs to

    def pays(self, column: Column, row: str) -> Odds | None:
        """The odds of a row, or of what its hand is otherwise where the cell is blank."""
        while row and row not in column:
            row = self.otherwise.get(row, "")
        odds = column.get(row)
        return None if odds is None or (odds.kind is Kind.DOLLARS and not odds.amount) else odds

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(self.columns)


def read_table(text: str) -> tuple[dict[str, dict[str, Odds]], tuple[str, ...], bool, frozenset[tuple[str, str]]]:
    """A table from its text: a heading of letters or none, then rows. Cells stand two spaces apart; “-” is blank, “*” restored."""
    lines = [re.split(r"\s{2,}", line.strip()) for line in text.strip().splitlines()]
    lettered = all(re.fullmatch(r"[A-H]", cell) for cell in lines[0])
    letters = lines.pop(0) if lettered else ["A"]
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


def check_rows(table: str, rows: tuple[str, ...], hands: tuple[Hand, ...] | tuple[str, ...]) -> dict[str, str]:
    """Refuse a row that no hand fills; return what a hand of a blank row is otherwise."""
    names = {hand if isinstance(hand, str) else hand.name for hand in hands}
    if strangers := [row for row in rows if row not in names]:
        raise ValueError(f"{table}: no hand fills {', '.join(strangers)}")
    return {hand.name: hand.otherwise for hand in hands if isinstance(hand, Hand) and hand.otherwise}


@dataclass(frozen=True, kw_only=True)
class Meter(Rule):
    """The progressive meter of a wager. Amounts by paytable letter; `per_dollar` of the wager where the code says “for 1”.

    `exact`: the code fixes the figures; otherwise they are the least that a submission may name.
    """

    wager: Wager
    system: str  # the clause of the table game system that keeps it
    exact: bool
    per_dollar: bool
    seed: Mapping[str, Cents] = field(hash=False)
    reseed: Mapping[str, Cents] = field(hash=False)
    rate: Mapping[str, Fraction] = field(hash=False)  # empty: the submission names any rate
    reserve: Fraction = Fraction(0)
    releases: Alternative | None = None  # by which the reserve goes to the meter when that is won whole
    linked: bool = False  # whether the text speaks of several tables that feed it

    def releases_reserve(self, readings: Mapping[str, str]) -> bool:
        return self.releases is not None and in_force(self.releases, readings)

    def seed_for(self, letter: str, stake: Cents, *, again: bool) -> Cents:
        amount = (self.reseed if again else self.seed)[letter]
        return amount * stake // dollars(1) if self.per_dollar else amount


@dataclass(frozen=True, kw_only=True)
class Envy(Rule):
    """A fixed sum to those who made the wager when another player holds a qualifying hand, by the amount of the wager.

    `unseen` is the alternative of a reading by which a folded hand that nobody has seen earns it too, `own` the one by which
    a hand at another box of the same player does; there is none where a player has one box only.
    """

    name: str
    wager: Wager
    hand: Fact
    schedules: Mapping[Cents, Paytable] = field(hash=False)
    unseen: Alternative
    own: Alternative | None = None
    follows: Alternative | None = None  # by which a schedule goes with the letter of the wager's own paytable

    def counts_unseen(self, readings: Mapping[str, str]) -> bool:
        return in_force(self.unseen, readings)

    def counts_own(self, readings: Mapping[str, str]) -> bool:
        return self.own is not None and in_force(self.own, readings)

    def follows_letter(self, readings: Mapping[str, str]) -> bool:
        return self.follows is not None and in_force(self.follows, readings)

    @property
    def lettered(self) -> bool:
        return next(iter(self.schedules.values())).lettered


@dataclass(frozen=True, kw_only=True)
class Published(Rule):
    """A figure that somebody published for a wager: of which letter, under which reading, and as what share.

    `bound` says that it is the least or the most over all letters; `of` whether it is of the wager or of all money wagered.
    """

    wager: str
    percent: str
    source: str
    letter: str = ""
    reading: tuple[str, str] | None = None
    bound: str = ""
    of: str = "edge"


@dataclass(frozen=True, kw_only=True)
class Limit(Rule):
    """The aggregate payout limit a submission may set: what it covers, what it may never touch, and the least it may be.

    `most` are deals that win the most at the minimum wager; their settlement gives the floor. `each_box` is None where the
    clause limits a single hand; where it limits a player's round, the alternative by which each box has the limit to itself.
    """

    covers: tuple[str, ...]  # names of wagers and bonuses
    never: frozenset[tuple[str, str]]  # (wager, row)
    least: Cents
    most: tuple[Position, ...] = field(hash=False)
    with_stakes: Alternative  # by which returned stakes use it up too
    each_box: Alternative | None = None

    def per_player(self, readings: Mapping[str, str]) -> bool:
        """Whether one limit holds for all boxes of a player in a round."""
        return self.each_box is not None and not in_force(self.each_box, readings)

    def counts_stakes(self, readings: Mapping[str, str]) -> bool:
        return in_force(self.with_stakes, readings)

    def unit(self, readings: Mapping[str, str]) -> str:
        """What the limit is for, as one says it after “per”."""
        return "player and round" if self.per_player(readings) else "hand"

    def counts(self, wager: str, row: str) -> bool:
        return wager in self.covers and (wager, row) not in self.never
