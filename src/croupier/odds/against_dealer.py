"""One decision against a dealer's hand: fold, or play at a multiple (649a, 679a, 682a, and 641a with an up card)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import EQUAL, HIGHER, LOWER, PLAYER, Compared, DealerHas
from croupier.law.procedure import Dealing, Face, deliveries
from croupier.law.ranking import Ranking
from croupier.odds import counting
from croupier.odds.deals import CHOOSE, FULL, Deck, classes, in_parts, turned
from croupier.odds.solved import Outcomes, Solved, Worth, asked, holds_asked, main_settlement, scaled, unit_stakes, worth
from croupier.odds.tables import table as table_of

KERNELS: Any = counting  # kernels take their tables in a row
COMPARED = (LOWER, EQUAL, HIGHER)  # as the kernels number them


@dataclass(frozen=True)
class States:
    """What a player may know, one state a row: his hand up to the suits, for 641a with an up card."""

    size: int  # cards of the player
    ups: int  # 52 with an up card, else 1
    counts: NDArray[Any]  # [state, does the dealer's hand reach, how the player's compares]
    times: NDArray[np.int64]  # how many hands a state stands for

    def hand(self, state: int) -> int:
        return state // self.ups


def cards_of(rules: Rules) -> tuple[int, int, bool]:
    """How many cards player and dealer get, and whether one of the dealer's lies face up; from the dealing script."""
    dealt = list(deliveries(rules.of(Dealing)[0].script, {1: frozenset({rules.of(Dealing)[0].entitled[0].key})}))
    player = sum(1 for card in dealt if card.to is PLAYER)
    dealer = [card for card in dealt if not isinstance(card.to, str) and card.to.name == "DEALER"]
    return player, len(dealer), any(card.face is Face.UP for card in dealer)


def states(rules: Rules, deck: Deck = FULL) -> States:
    main = main_settlement(rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next((fact for fact in main.asks if isinstance(fact, DealerHas)), None)
    player, dealer, up = cards_of(rules)
    if (player, dealer) == (3, 3):
        return _three_to_three(compared.ranking, reaches.least if reaches else "", deck)
    return _five_to_six(compared.ranking, up, deck)


@cache
def _three_to_three(ranking: Ranking, least: str, deck: Deck) -> States:
    table, hands = table_of(ranking, 3, by_strength=True), classes(3, deck)
    dealt = hands.of >= 0  # the dealer's hands that the deck has
    codes, masks = counting.codes_of_all(3, *table.arrays, CHOOSE)[dealt], counting.masks_of_all(3, CHOOSE)[dealt]
    mine = np.bitwise_or.reduce(np.uint64(1) << hands.cards.astype(np.uint64), axis=1)
    my_codes, least_code = counting.codes_of_rows(hands.cards, *table.arrays), table.least_code(least) if least else 0
    counts = _joined(lambda a, b: counting.against_all(mine, my_codes, a, b, codes, masks, least_code), len(hands))
    return States(3, 1, counts, hands.times)


@cache
def _five_to_six(ranking: Ranking, up: bool, deck: Deck) -> States:
    """Removal counting; see `counting`."""
    five, six = table_of(ranking, 5, by_strength=True), table_of(ranking, 6, by_strength=True)
    sets, cards = {size: classes(size, deck) for size in (1, 2, 3, 4, 5)}, np.array(deck)
    hands, index = sets[5], [each.of for each in sets.values()]
    containing: list[Any] = [counting.below(np.zeros((1, 0), dtype=np.int64), 0, 1, cards, 6, six.levels, *six.arrays)]
    for size in (1, 2, 3, 4):
        held = sets[size].cards
        containing.append(
            _joined(lambda a, b, s=size, h=held: counting.below(h, a, b, cards, 6 - s, six.levels, *six.arrays), len(held))
        )
    with_one = _joined(lambda a, b: counting.sorted_with_one_more(hands.cards, a, b, cards, *six.arrays), len(hands))
    mine = counting.codes_of_rows(hands.cards, *five.arrays)
    if up:
        found = _joined(
            lambda a, b: KERNELS.six_with_up_card(hands.cards, mine, a, b, *containing[1:], *index, with_one, CHOOSE, *six.arrays),
            len(hands),
        ).reshape(-1, 2)
        deals = np.full(len(found), int(CHOOSE[len(deck) - 6, 5]))
        apart = np.isin(np.arange(52), deck) & np.ones((len(hands), 1), dtype=bool)  # may this card be the dealer's?
        apart[np.arange(len(hands))[:, None], hands.cards] = False
        found[~apart.reshape(-1)] = deals[~apart.reshape(-1)] = 0
    else:
        found = _joined(
            lambda a, b: KERNELS.six_against_five(hands.cards, mine, a, b, *containing, *index, with_one, CHOOSE), len(hands)
        )
        deals = np.full(len(found), int(CHOOSE[len(deck) - 5, 6]))
    ups = 52 if up else 1
    counts = np.zeros((len(found), 2, 3), dtype=np.int32)
    counts[:, 1, 2], counts[:, 1, 1] = found[:, 0], found[:, 1]
    counts[:, 1, 0] = deals - found[:, 0] - found[:, 1]
    return States(5, ups, counts, np.repeat(hands.times, ups))


def _joined(work: Any, count: int) -> NDArray[Any]:
    return np.concatenate(in_parts(work, count))


def row_codes(ranking: Ranking, cards: int, turn: int = 0, deck: Deck = FULL) -> tuple[NDArray[np.int16], list[str]]:
    """The row of each hand up to the suits, its suits turned, and the rows' names by code."""
    return _row_codes(ranking, cards, turn, deck)


@cache
def _row_codes(ranking: Ranking, cards: int, turn: int, deck: Deck) -> tuple[NDArray[np.int16], list[str]]:
    table = table_of(ranking, cards)
    return counting.codes_of_rows(turned(classes(cards, deck).cards, turn), *table.arrays), table.row_of_code


def solve(offer: Offer, deck: Deck = FULL) -> Solved:
    """The best choice in every state and its outcomes. Where a row asks for a suit, each suit is looked at in turn."""
    main, known = main_settlement(offer.rules), states(offer.rules, deck)
    facts = holds_asked(main)
    turns = range(4) if any(table_of(fact.ranking, known.size).asks_for_suit for fact in facts) else range(1)
    priced = cache(partial(price, offer))  # the turns ask for the same prices
    rows = [[row_codes(fact.ranking, known.size, turn, deck) for fact in facts] for turn in turns]
    solutions = [_solve(offer, known, each, priced) for each in rows]
    outcomes = Outcomes()
    for found, _, _ in solutions:
        for key, count in found.counts.items():
            outcomes.counts[key] = outcomes.counts.get(key, 0) + count
    outcomes.counts = {key: count // len(turns) for key, count in outcomes.counts.items()}
    _, best, table = solutions[0]
    folds = [number for number, choice in enumerate(offer.rules.decisions[0].choices) if choice.folds]
    dealt = known.counts.sum(axis=(1, 2)) > 0
    stayed = (~np.isin(best, folds) & dealt).reshape(-1, known.ups).sum(axis=1)
    return Solved(outcomes, main.of.name, best, (known, table), stayed, int(dealt.reshape(-1, known.ups)[0].sum()))


def _solve(
    offer: Offer, known: States, rows: list[tuple[NDArray[np.int16], list[str]]], priced: Callable[..., Worth]
) -> tuple[Outcomes, NDArray[np.int8], NDArray[np.int64]]:
    decision = offer.rules.decisions[0]
    groups, group_of = np.unique(np.stack([codes for codes, _ in rows], axis=1), axis=0, return_inverse=True)
    of_state = np.repeat(group_of.reshape(-1), known.ups)
    held = [tuple(names[code] for (_, names), code in zip(rows, group, strict=True)) for group in groups]
    prices = [  # [choice][(group, reaches, compared)]
        [priced(choice, *facts) for facts in product(held, (False, True), COMPARED)] for choice in range(len(decision.choices))
    ]
    numbers, _ = scaled(each.net for listed in prices for each in listed)
    table = np.array(numbers, dtype=np.int64).reshape(len(prices), len(groups), 2, 3)
    best, ends = counting.best_choices(known.counts, known.times, of_state, table)
    outcomes = Outcomes()
    for number, listed in enumerate(prices):
        word = decision.choices[number].word
        for each, count in reversed(list(zip(listed, ends[number].reshape(-1), strict=True))):  # the highest hand first
            outcomes.add(each, int(count), f"{word}: {each.label}")
    return outcomes, best, table


def price(offer: Offer, number: int, held: tuple[str, ...], reaches: bool, compared: Any) -> Worth:
    """What a choice comes to when the player holds these rows."""
    main, decision = main_settlement(offer.rules), offer.rules.decisions[0]
    choice = decision.choices[number]
    rows = {id(fact): row for fact, row in zip(holds_asked(main), held, strict=True)}
    values = asked(main, offer, {"player folded": choice.folds, "reaches": reaches, "compared": compared}, rows)
    return worth(offer, main, values, unit_stakes(offer.rules, main, decision, choice))
