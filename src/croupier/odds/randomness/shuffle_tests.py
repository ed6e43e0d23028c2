"""Statistical tests of shuffles. Each uses a statistic whose distribution is known exactly.

A shuffle is a row of card numbers in the order of `deck()`. Counts add up shuffle by shuffle, so memory does not grow.
Where counts depend on each other (each card lies somewhere, each place holds some card) the sum of squares is divided by
what their exact covariance says, not by what independent counts would have: `by_position`, `by_next_card`, `serial`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier import book
from croupier.cards import deck
from croupier.law.ranking import Ranking
from croupier.odds.evaluator import compared_hands
from croupier.odds.kernels.card_sets import number
from croupier.odds.kernels.hand_counts import codes_of_rows
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.randomness import kolmogorov
from croupier.odds.randomness.chi_square import p_value
from croupier.odds.randomness.classic_questions import RED, Ints, ShuffleQuestion, classic_questions, how_many, without_joker
from croupier.odds.solvers.side_wagers import count_rows

FEWEST = 10  # expected in a cell; rarer outcomes share one, or the chi-square distribution would not hold
NUMBERS = np.array([number(card) for card in deck(jokers=1)])  # as the tables of rankings number cards
DEALT = ((3, 3), (4, 4), (5, 5), (5, 7))  # the cards of a hand, and of how many the best counts


@dataclass(frozen=True)
class ShuffleResult:
    """One test: the statistic, its degrees of freedom, and its p-value."""

    name: str
    about: str
    statistic: float
    degrees: int  # 0 if it is not a chi-square
    p: float
    adjusted: float = 1.0  # by Holm's method for all tests together

    def passes_at(self, confidence: float) -> bool:
        """Whether it passes with this confidence that none of all the tests together fails good shuffles."""
        return self.adjusted > 1 - confidence


class ShuffleCounts:
    """Running counts over shuffles of one deck, with or without the joker."""

    def __init__(self, jokers: int = 0) -> None:
        self.cards = 52 + jokers
        self.questions = questions(jokers)
        self.shuffles = self.pairs = 0
        self.positions = np.zeros((self.cards, self.cards), dtype=np.int64)  # [position, card]
        self.followed = np.zeros((self.cards + 1, self.cards + 1), dtype=np.int64)  # [card, next]; the last is the deck's end
        self.products = np.zeros(self.cards)  # [position], of cards in consecutive shuffles
        self.tops = np.zeros(52 * 51 * 50, dtype=np.int64)  # by the first three cards in their order
        self.seen = [np.zeros(len(question.ways), dtype=np.int64) for question in self.questions]

    def add(self, made: bytes) -> None:
        """Count consecutive shuffles: the numbers of the cards, a byte to a card, deck after deck."""
        size = self.cards
        orders = np.frombuffer(made, dtype=np.uint8).reshape(-1, size).astype(np.int64)
        if (np.sort(orders, axis=1) != np.arange(size)).any():
            raise ValueError("a shuffle has lost or duplicated a card")
        count = len(orders)
        self.shuffles += count
        self.pairs += count - 1
        self.positions += np.bincount((orders + size * np.arange(size)).ravel(), minlength=size**2).reshape(size, size)
        ends = np.full((count, 1), size)
        before, after = np.hstack([ends, orders]), np.hstack([orders, ends])
        self.followed += np.bincount((before * (size + 1) + after).ravel(), minlength=(size + 1) ** 2).reshape(size + 1, size + 1)
        centered = orders - (size - 1) / 2
        self.products += (centered[:-1] * centered[1:]).sum(axis=0)
        self.tops += np.bincount(_first_three(orders), minlength=len(self.tops))
        for at, question in enumerate(self.questions):
            self.seen[at] += np.bincount(question.asked(orders), minlength=len(question.ways))

    def verdicts(self) -> list[ShuffleResult]:
        found = [
            _verdict("Card by position", "each card in each place equally often", *by_position(self.positions, self.shuffles)),
            _verdict("Next card", "each card after each other equally often", *by_next_card(self.followed, self.shuffles)),
            _verdict("Serial correlation", "a place's card and the next shuffle's", *serial(self.products, self.pairs)),
        ]
        for seen, question in zip(self.seen, self.questions, strict=True):
            found.append(_verdict(question.name, question.about, *multinomial(seen.tolist(), question.ways)))
        far = kolmogorov.distance(self.tops)
        strange = kolmogorov.p_value(far, self.shuffles)
        found.append(ShuffleResult("Kolmogorov-Smirnov", "the first three cards as one number", far, 0, strange))
        return holm(found)


def _verdict(name: str, about: str, statistic: float, degrees: int) -> ShuffleResult:
    return ShuffleResult(name, about, statistic, degrees, p_value(statistic, degrees))


def holm(results: Sequence[ShuffleResult]) -> list[ShuffleResult]:
    """Adjust for all tests together: multiply the least p by the number of tests, the next by one less, and so on.

    Good shuffles then fail any test at all at most once in a hundred reports, however the tests depend on each other.
    """
    adjusted, least = list(results), 0.0
    order = sorted(range(len(results)), key=lambda at: results[at].p)
    for tests_left, at in zip(range(len(results), 0, -1), order, strict=True):
        least = max(least, min(1.0, tests_left * results[at].p))
        adjusted[at] = replace(results[at], adjusted=least)
    return adjusted


def by_position(counts: NDArray[Any], shuffles: int) -> tuple[float, int]:
    """Chi-square of which card is where. A shuffle is a permutation matrix, so every row and column of deviations sums to zero.

    In that space the covariance is 1 / (n - 1) times the identity.
    """
    size = len(counts)
    off = counts - shuffles / size
    return float((off**2).sum() * (size - 1) / shuffles), (size - 1) ** 2


def by_next_card(counts: NDArray[Any], shuffles: int) -> tuple[float, int]:
    """Chi-square of which card follows which. With the deck's end as one more card, a shuffle is a ring, all equally likely.

    No card follows itself, and if b follows a, a does not follow b. So the symmetric part of the counts has variance 1 / n, and
    the antisymmetric part 1 / n times (n + 1) / (n - 1).
    """
    size = len(counts) - 1
    off = counts - (1 - np.eye(size + 1)) * shuffles / size
    alike, unlike = (off + off.T) / 2, (off - off.T) / 2
    squares = (alike**2).sum() + (unlike**2).sum() * (size - 1) / (size + 1)
    return float(squares * size / shuffles), size**2 - size - 1


def serial(products: NDArray[Any], pairs: int) -> tuple[float, int]:
    """The correlation at each place; two places correlate by 1 / (n - 1)², since a card is only in one place."""
    size = len(products)
    scores = products / (pairs**0.5 * (size**2 - 1) / 12)
    together = scores.sum() ** 2 / size
    apart = (scores**2).sum() - together
    return float(together * (size - 1) / size + apart / (1 - (size - 1) ** -2)), size


def multinomial(seen: Sequence[int], ways: Sequence[int]) -> tuple[float, int]:
    """The plain chi-square. Neighboring outcomes share a cell until enough are expected in it."""
    shuffles, all_ways = sum(seen), sum(ways)
    cells: list[tuple[float, float]] = []
    got = expected = 0.0
    for count, way in zip(seen, ways, strict=True):
        got, expected = got + count, expected + shuffles * way / all_ways
        if expected >= FEWEST:
            cells.append((got, expected))
            got = expected = 0.0
    last = cells.pop()
    cells.append((last[0] + got, last[1] + expected))
    return sum((got - expected) ** 2 / expected for got, expected in cells), len(cells) - 1


def questions(jokers: int) -> list[ShuffleQuestion]:
    size = 52 + jokers
    runs = tuple(eulerian(size))
    fixed = tuple(comb(size, k) * derangements(size - k) for k in range(size + 1))
    found = [
        ShuffleQuestion("Ascending runs", "how often a lower card follows", _descents, runs),
        ShuffleQuestion("Rising sequences", "packets that a riffle leaves in order", _descents_of_places, runs),
        ShuffleQuestion("Color runs", "changes between red and black", _color_changes, tuple(color_changes())),
        ShuffleQuestion("Fixed points", "cards in the same place as in a new deck", _fixed_points, fixed),
        ShuffleQuestion("Repeats", "cards in the same place as last shuffle", _repeats, fixed),
        *classic_questions(),
    ]
    top = 0
    for size, count in DEALT:
        found.append(_dealt(compared_hands(size), count, top))
        top += count
    return [*found, _dealt(hands_with_joker(), hands_with_joker().size, 0, jokers)] if jokers else found


def eulerian(size: int) -> list[int]:
    """How many orders of `size` cards have 0, 1, 2 ... descents.

    >>> eulerian(4)
    [1, 11, 11, 1]
    """
    row = [1]
    for n in range(2, size + 1):
        row = [(k + 1) * (row[k] if k < n - 1 else 0) + (n - k) * (row[k - 1] if k else 0) for k in range(n)]
    return row


def derangements(size: int) -> int:
    """How many orders leave no card where it was."""
    return sum((-1) ** k * factorial(size) // factorial(k) for k in range(size + 1))


def color_changes(each: int = 26) -> Iterator[int]:
    """How many sequences of equally many red and black cards change color 0, 1, 2 ... times."""
    for changes in range(2 * each):
        first, second = (changes + 2) // 2, (changes + 1) // 2  # the runs of the color that comes first, and of the other
        yield 2 * comb(each - 1, first - 1) * comb(each - 1, second - 1) if second else 0


def _descents(orders: Ints) -> Ints:
    return how_many(orders[:, :-1] > orders[:, 1:])


def _descents_of_places(orders: Ints) -> Ints:
    return _descents(orders.argsort(axis=1))


def _color_changes(orders: Ints) -> Ints:
    red = RED[without_joker(orders)]
    return how_many(red[:, :-1] != red[:, 1:])


def _fixed_points(orders: Ints) -> Ints:
    return how_many(orders == np.arange(orders.shape[1]))


def _repeats(orders: Ints) -> Ints:
    return how_many(orders[:-1] == orders[1:])


def _first_three(orders: Ints) -> Ints:
    """The first three cards as one number, smaller if they come earlier in the deck: each is as likely."""
    first, second, third = without_joker(orders)[:, :3].T
    second_of_51, third_of_50 = second - (second > first), third - (third > first) - (third > second)
    return np.asarray((first * 51 + second_of_51) * 50 + third_of_50, dtype=np.int64)


def hands_with_joker() -> Ranking:
    """The hands of the book's first game with a joker."""
    return next(chapter.edition().of(Ranking)[0] for chapter in map(book.chapter, book.MODULES) if chapter.edition().decks.jokers)


def _dealt(ranking: Ranking, cards: int, top: int, jokers: int = 0) -> ShuffleQuestion:
    """The row that some cards fill after the first `top` are dealt off. Expected counts come from the odds' own tables."""
    rows, ways = rank_table(ranking, cards, jokers=jokers), count_rows(ranking, cards, jokers)

    def asked(orders: Ints) -> Ints:
        hands = NUMBERS[(orders if jokers else without_joker(orders))[:, top : top + cards]]
        # codes count rows from the lowest, ways from the highest
        return len(ranking.hands) - np.asarray(codes_of_rows(hands, *rows.arrays), dtype=np.int64)

    name = "Hands with a joker" if jokers else f"Hands of {cards} cards"
    return ShuffleQuestion(name, f"rows of {ranking.cite}", asked, tuple(ways[row] for row in ranking.rows))
