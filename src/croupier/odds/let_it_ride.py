"""Two decisions to withdraw a bet, one before and one after the first community card (643a)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.law.ranking import Ranking
from croupier.odds import counting
from croupier.odds.deals import FULL, Deck, classes, in_parts
from croupier.odds.solved import Outcomes, Solved, asked, holds_asked, main_settlement, scaled, unit_stakes, worth
from croupier.odds.tables import table as table_of


def ends(ranking: Ranking, deck: Deck = FULL) -> tuple[NDArray[np.int64], list[str]]:
    """For each three cards up to the suits and each next card, how many last cards make each row."""
    return _ends(ranking, deck)


@cache
def _ends(ranking: Ranking, deck: Deck) -> tuple[NDArray[np.int64], list[str]]:
    table, hands, cards = table_of(ranking, 5), classes(3, deck), np.array(deck)
    work = in_parts(lambda a, b: counting.one_then_another(hands.cards, a, b, cards, table.levels, *table.arrays), len(hands))
    return np.concatenate(work), table.row_of_code


def solve(offer: Offer, deck: Deck = FULL) -> Solved:
    """By backward induction: the second decision for each next card, then the first."""
    rules, main = offer.rules, main_settlement(offer.rules)
    fact = holds_asked(main)[0]
    counts, rows = ends(fact.ranking, deck)
    first, second = rules.decisions
    stakes = unit_stakes(rules, main)
    prices = {
        (one.word, two.word, row): worth(
            offer, main, asked(main, offer, {first.name: one.word, second.name: two.word}, {id(fact): row}), stakes
        )
        for one in first.choices
        for two in second.choices
        for row in rows
    }
    risked = {  # a bet that was withdrawn was not at risk
        (one.word, two.word): sum(1 for choice in (one, two) if not choice.withdraws) + 1
        for one in first.choices
        for two in second.choices
    }
    numbers, _ = scaled(price.net for price in prices.values())
    shape = (len(first.choices), len(second.choices), len(rows))
    table = np.array(numbers, dtype=np.int64).reshape(shape)
    values = np.einsum("hcr,xyr->xyhc", counts, table)  # [first, second, hand, next card]
    then = values.argmax(axis=1)
    totals = values.max(axis=1).sum(axis=2)
    best = totals.argmax(axis=0)

    outcomes, times = Outcomes(), classes(3, deck).times
    for x, one in enumerate(first.choices):
        for y, two in enumerate(second.choices):
            chosen = (best == x)[:, None] & (np.take(then, x, axis=0) == y)
            finals = (counts * chosen[:, :, None]).sum(axis=1) * times[:, None]
            for row, count in reversed(list(zip(rows, finals.sum(axis=0), strict=True))):  # the highest first
                price = prices[one.word, two.word, row]
                risk = type(price)(price.net, price.meter, price.wagered - (3 - risked[one.word, two.word]), price.label)
                outcomes.add(risk, int(count), f"{one.word}, {two.word}: {row}")
    return Solved(outcomes, main.of.name, best, (then, values, totals))
