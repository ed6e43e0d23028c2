"""The counters of the games without a simple opponent, against slow and obvious ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import numpy as np

from croupier import book
from croupier.cards import deck
from croupier.law.fact import Compared
from croupier.odds import counting_boards, let_it_ride
from croupier.odds.counting import count_others
from croupier.odds.deals import card, classes, hand
from croupier.odds.solved import holds_asked, main_settlement
from croupier.odds.tables import table


def test_643a_last_cards_are_counted_as_dealing_them_gives() -> None:
    ranking = holds_asked(main_settlement(book.find("643a").edition()))[0].ranking
    counts, rows = let_it_ride.ends(ranking)
    random = Random(643)
    for state in random.sample(range(1755), 12):
        held = hand(classes(3).cards[state])
        for community in random.sample([each for each in deck() if each not in held], 4):
            number = next(n for n in range(52) if card(n) == community)
            slow = Counter(ranking.row((*held, community, last)) for last in deck() if last not in (*held, community))
            assert {row: int(n) for row, n in zip(rows, counts[state, number], strict=True) if n} == dict(slow)


def test_653a_the_dealers_hands_are_counted_as_the_chapter_compares_them() -> None:
    """Every two cards of the player beside a few boards, twenty of them against all 990 of the dealer's by the readable ranker."""
    main = main_settlement(book.find("653a").edition())
    ranking = next(fact for fact in main.asks if isinstance(fact, Compared)).ranking
    seven, random = table(ranking, 7, by_strength=True), Random(653)
    threshold = seven.least_code("Pair")
    pairs, codes, order = np.empty((1081, 2), dtype=np.int64), np.empty(1081, dtype=np.int64), np.empty(1081, dtype=np.int64)
    tally, distinct = np.zeros(seven.levels, dtype=np.int64), np.empty(1081, dtype=np.int64)
    counts, scratch = np.empty((1081, 2, 3), dtype=np.int64), np.empty((3, 52), dtype=np.int64)
    for b in random.sample(range(len(classes(5))), 3):
        numbers = classes(5).cards[b]
        counting_boards._pairs_in_order(numbers, pairs, codes, order, tally, distinct, *seven.arrays)
        counting_boards._dealers(numbers, codes, pairs, order, threshold, counts, scratch)
        board = hand(numbers)
        for at in random.sample(range(1081), 7):
            mine = hand(pairs[at])
            strength, slow = ranking.strength((*mine, *board)), np.zeros((2, 3), dtype=int)
            for theirs in combinations([each for each in deck() if each not in (*mine, *board)], 2):
                other = ranking.strength((*theirs, *board))
                slow[int(ranking.is_at_least((*theirs, *board), "Pair")), 1 + (strength > other) - (strength < other)] += 1
            assert (slow == counts[at]).all()


def test_680a_hands_by_kinds_are_counted_as_dealing_a_small_deck_gives() -> None:
    """A deck of eleven cards of four kinds: two cards each, every deal dealt out."""
    sizes = np.array([4, 3, 3, 1])
    cards = [kind for kind, size in enumerate(sizes) for _ in range(size)]
    hands = np.array([[a, b, c, d] for a in range(3) for b in range(3) for c in range(3) for d in range(2) if a + b + c + d == 2])
    codes = np.arange(len(hands)) % 3
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(5)], dtype=np.int64)
    found = np.zeros((len(hands), 3), dtype=np.int64)
    count_others(hands, sizes, codes, choose, found)
    where = {tuple(counts): row for row, counts in enumerate(hands.tolist())}
    slow = np.zeros_like(found)
    seen: Counter[int] = Counter()
    for mine in combinations(range(11), 2):
        row = where[tuple(Counter(cards[n] for n in mine)[kind] for kind in range(4))]
        seen[row] += 1
        for theirs in combinations([n for n in range(11) if n not in mine], 2):
            slow[row, codes[where[tuple(Counter(cards[n] for n in theirs)[kind] for kind in range(4))]]] += 1
    assert all((slow[row] == found[row] * seen[row]).all() for row in range(len(hands)))
