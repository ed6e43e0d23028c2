"""A player's results against their expectation under best play, from the one price of each wager."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from croupier.floor.surveillance.expected_win import Moments, dot
from croupier.floor.surveillance.hold import KnownMoments, PriceLookup, by_row, meter_shown, offer_rows
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.round_record import ABANDONED, VOID, Bet, RecordedRound, TableOpening, money_at_risk
from croupier.money import Cents, show_fraction
from croupier.table.state import offer_of
from croupier.wire import Figures, FiguresPoint, WagerFigures

MOST_POINTS = 240
ASSUMED = (
    "The expectation is for best play with your stakes. The difference is your luck and your mistakes.",
    "A progressive is priced with its meter as it stood at “no more bets”.",
    "The band is two standard deviations on each side. It assumes that all wagers of a round win and lose together, so it is as "
    "wide as possible.",
    "Void and abandoned wagers, envy bonuses and system draws have no expectation and are left out of the comparison.",
    "Payments are rounded and limited as filed; the expectation is neither.",
)
PENDING = "being computed"


@dataclass
class RowFigures:
    bets: int = 0
    wagered: Cents = 0
    net: Cents = 0
    counted: Cents = 0  # the net of the bets that have an expectation
    expected: Fraction | None = None
    note: str = ""  # why bets have none

    def figures(self, game: str, wager: str) -> WagerFigures:
        expectation: tuple[str | None, str, str] = (None, "", "")
        if self.expected is not None:
            expectation = _expectation(self.counted, self.expected)
        return WagerFigures(game, wager, self.bets, self.wagered, self.net, self.counted, *expectation, self.note)


@dataclass
class PlayerFigures:
    """Sums over the rounds of one player, added oldest first."""

    records: Records
    odds: PriceLookup
    player: str
    rounds: int = 0
    void: int = 0
    wagered: Cents = 0
    net: Cents = 0
    counted: Cents = 0
    expected: Fraction = Fraction(0)
    variance: float = 0.0
    pending: bool = False
    rows: defaultdict[tuple[str, str], RowFigures] = field(default_factory=lambda: defaultdict(RowFigures))  # by game and wager
    points: list[FiguresPoint] = field(default_factory=lambda: [FiguresPoint(0, 0, 0, 0)])  # before the first round

    def __post_init__(self) -> None:
        self._moments = KnownMoments(self.odds)

    def add(self, round_: RecordedRound) -> None:
        opening = self.records.opening(round_.table, round_.number)
        bets = [bet for box in round_.boxes if box.player == self.player for bet in box.bets]
        self.rounds += 1
        self.void += bool(round_.void)
        self.wagered += money_at_risk(bets)
        self.net += sum(bet.net for bet in bets)
        deviation = sum(self._row(round_, opening, row, by_box) for row, by_box in self._bets_by_row(round_, opening).items())
        self.variance += deviation**2
        self.points.append(FiguresPoint(self.rounds, self.counted, round(self.expected), round(sqrt(self.variance))))

    def _bets_by_row(self, round_: RecordedRound, opening: TableOpening) -> dict[str, list[list[Bet]]]:
        """The player's bets by row, one list for each box."""
        rows: dict[str, list[list[Bet]]] = {}
        for box in round_.boxes:
            if box.player == self.player:
                for row, bets in by_row(box.bets, offer_rows(opening.submission)).items():
                    if all(bet.outcome != VOID for bet in bets):
                        rows.setdefault(row, []).append(bets)
        return rows

    def _row(self, round_: RecordedRound, opening: TableOpening, row: str, by_box: list[list[Bet]]) -> float:
        """Add the bets on one row of a round; returns their standard deviation."""
        game = offer_of(opening.submission).rules.number
        sums = self.rows[game, row]
        bets = [bet for each in by_box for bet in each]
        net = sum(bet.net for bet in bets)
        sums.bets += len(by_box)
        sums.wagered += money_at_risk(bets)
        sums.net += net
        moments, why = self._moments_of(opening, row)
        shown = meter_shown(self.records.meters, round_, opening, row, self._bettors(round_, opening, row)) if moments else None
        if moments is None or shown is None or any(bet.outcome == ABANDONED for bet in bets):
            sums.note = why or ("wagers were left behind" if shown is not None else "the log does not say what the meter showed")
            return 0.0
        units = [sum(bet.stake for bet in each if bet.wager == offer_rows(opening.submission).unit[row]) for each in by_box]
        parts = [(Fraction(unit), Fraction(shown), Fraction(1)) for unit in units]
        expected = sum((dot(moments.mean, part) for part in parts), Fraction(0))
        sums.counted, sums.expected = sums.counted + net, (sums.expected or 0) + expected
        self.counted, self.expected = self.counted + net, self.expected + expected
        return sum(sqrt(dot(part, tuple(dot(line, part) for line in moments.covariance))) for part in parts)

    def _bettors(self, round_: RecordedRound, opening: TableOpening, row: str) -> int:
        """How many boxes of the table made this wager: some shares of a meter are divided among them."""
        offered = offer_rows(opening.submission)
        return max(1, sum(any(offered.row.get(bet.wager) == row for bet in box.bets) for box in round_.boxes))

    def _moments_of(self, opening: TableOpening, row: str) -> tuple[Moments | None, str]:
        """The moments of a row, or why it has none."""
        entry = offer_rows(opening.submission).entry.get(row)
        if entry is None:
            return None, "it depends on who else plays, or on what the system draws"
        known = self._moments.of(opening)
        if known is None:
            self.pending = True
            return None, PENDING
        return known.get(entry), "" if entry in known else "it is not counted"

    def figures(self) -> Figures:
        step = -(-len(self.points) // MOST_POINTS) or 1
        return Figures(
            self.rounds,
            self.void,
            self.wagered,
            self.net,
            self.counted,
            *_expectation(self.counted, self.expected),
            deviation=round(sqrt(self.variance)),
            wagers=tuple(each.figures(game, row) for (game, row), each in sorted(self.rows.items())),
            points=tuple(point for n, point in enumerate(self.points) if n % step == 0 or n == len(self.points) - 1),
            assumed=ASSUMED,
            pending=self.pending,
        )


def player_figures(records: Records, odds: PriceLookup, player: str, rounds: Iterable[RecordedRound]) -> Figures:
    """The figures of a player's rounds, oldest first."""
    figures = PlayerFigures(records, odds, player)
    for each in rounds:
        figures.add(each)
    return figures.figures()


def _expectation(counted: Cents, expected: Fraction) -> tuple[str, str, str]:
    """The expectation as an exact fraction and rounded for people, and the difference from it."""
    return str(expected), show_fraction(expected, signed=True), show_fraction(counted - expected, signed=True)
