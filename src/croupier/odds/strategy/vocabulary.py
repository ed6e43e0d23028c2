"""Card players' words for ranks, suits and runs. Names of hands come from the chapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations

from croupier.cards import ACE, RANK_NAMES, RANKS, Cards
from croupier.law.ranking import NOTHING, Ranking, shape
from croupier.law.wager import Choice, Decision

StrategyText = tuple[list[str], list[tuple[str, Fraction]]]  # lines of words; other ways to play, with the edge of each
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
RANKS_OF_A_SUIT = range(2, ACE + 1)


def times_of(choice: Choice) -> Fraction:
    """How much a choice bets: the multiple of the wager it makes, a bet it leaves in place, or nothing for a fold."""
    if choice.makes:
        return Fraction(choice.makes[1])
    return Fraction(-1) if choice.folds else Fraction(0)


def bold(decision: Decision) -> list[int]:
    """The choices from the boldest to the fold."""
    return sorted(range(len(decision.choices)), key=lambda n: -times_of(decision.choices[n]))


def an(word: str) -> str:
    return f"an {word}" if word in ("ace", "8") else f"a {word}"


def ranks_of(held: Cards) -> str:
    """The ranks of a hand, a pair before odd cards, else from high to low."""
    times = Counter(card.rank for card in held)
    return ranks_in_words(sorted((card.rank for card in held), key=lambda rank: (-times[rank], -rank)))


def ranks_in_words(ranks: Iterable[int]) -> str:
    return "-".join("10" if rank == 10 else RANKS[rank - 2] for rank in ranks)


def counting_hand(ranking: Ranking, held: Cards) -> Cards:
    """The cards that count of a hand."""
    return max(combinations(held, ranking.size), key=ranking.strength)


def exactly_called(ranking: Ranking, held: Cards) -> str:
    """The hand that counts of these cards: its name and its ranks."""
    best = counting_hand(ranking, held)
    return f"{ranking.describe(best).lower()} ({ranks_of(best)})"


def roughly_called(ranking: Ranking, held: Cards) -> str:
    """The hand that counts by its name and its first rank alone: “a pair of 10s”, “queen high”, “a flush (ace high)”."""
    best = counting_hand(ranking, held)
    leading, times = max(Counter(card.rank for card in best).items(), key=lambda each: (each[1], each[0]))
    name, row = RANK_NAMES[leading], ranking.row(best)
    if times > 1:
        return f"{an(row.lower())} of {name}s"
    return f"{name} high" if row == NOTHING else f"{an(row.lower())} ({name} high)"


@cache
def straights_with(ranks: frozenset[int], size: int) -> int:
    """How many straights of this size these ranks, each different, fit into.

    >>> [straights_with(frozenset(ranks), 5) for ranks in ((5, 4, 3), (14, 13, 12), (9, 8, 7, 6), (13, 8, 2))]
    [3, 1, 2, 0]
    """
    if len(ranks) > size:
        return 0
    others = [rank for rank in RANKS_OF_A_SUIT if rank not in ranks]
    hands = (tuple(sorted((*ranks, *more), reverse=True)) for more in combinations(others, size - len(ranks)))
    return sum(bool(shape(each, "").run) for each in hands)


def rows_of_pairs(ranking: Ranking) -> dict[int, int]:
    """The number of the row that a pair of each rank fills alone."""
    rows = {}
    for rank in RANKS_OF_A_SUIT:
        low = [other for other in RANKS_OF_A_SUIT if other != rank and other % 2 == 0][: ranking.size - 2]
        rows[rank] = ranking.row_of_shape(shape(tuple(sorted((rank, rank, *low), reverse=True)), ""))
    return rows


def lowest_paid_pair(ranking: Ranking) -> int:
    """The lowest rank whose pair alone fills a row; above the ace if there is none."""
    return min((rank for rank, row in rows_of_pairs(ranking).items() if row < len(ranking.hands)), default=ACE + 1)
