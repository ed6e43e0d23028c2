"""Advice: the exact value of each choice for the cards in hand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from croupier.cards import Cards, deck, show
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.fact import Compared, DealerHas
from croupier.law.procedure import Dealing, Setting
from croupier.odds import against_dealer, hold_em, let_it_ride, saigon
from croupier.odds.analysis import solver
from croupier.odds.deals import CHOOSE, canonical, classes, index_of, number, numbers
from croupier.odds.solved import Solved, asked, holds_asked, main_settlement, unit_stakes, worth


@dataclass(frozen=True)
class Advice:
    """A choice and what it is worth on average, in units of the Ante or of one bet."""

    choice: str
    value: Fraction


def advise(offer: Offer, held: Cards, up: Cards = (), board: Cards = ()) -> list[Advice]:
    """The choices that the player has now, the best first."""
    _verify(offer.rules, held, up, board)
    ways = {against_dealer.solve: _one_decision, let_it_ride.solve: _let_it_ride, hold_em.solve: _hold_em, saigon.solve: _saigon}
    found = ways[solver(offer.rules)](offer, held, up, board)
    return sorted(found, key=lambda each: -each.value)


def _verify(rules: Rules, held: Cards, up: Cards, board: Cards) -> None:
    dealing = rules.of(Dealing)[0]
    size, _, has_up = against_dealer.cards_of(rules)
    boards = {let_it_ride.solve: (0, 1), hold_em.solve: (0, 3, 5)}.get(solver(rules), (0,))
    if len(held) != size:
        raise Refusal(_counted(held, "card", "in hand"), dealing.cite, f"{size} cards")
    if len(up) != int(has_up):
        raise Refusal(_counted(up, "up card"), dealing.cite, "the dealer's up card" if has_up else "no up card in this game")
    if len(board) not in boards:
        accepted = " or ".join(map(str, boards)) if len(boards) > 1 else "no community cards in this game"
        raise Refusal(_counted(board, "card", "on the board"), rules.cite("11"), accepted)
    seen = (*held, *up, *board)
    if len(set(seen)) != len(seen) or not set(seen) <= set(deck(rules.decks.jokers)):
        raise Refusal(
            f"{show(seen)}: a card twice, or one that is not in the deck",
            rules.cite("3(a)"),
            f"cards of one deck of {rules.decks.cards}",
        )


def _counted(cards: Cards, *words: str) -> str:
    """How many cards there are, and which.

    >>> from croupier.cards import cards
    >>> _counted(cards("7d"), "up card"), _counted((), "card", "in hand")
    ('1 up card (7d)', 'no card in hand')
    """
    noun, *where = words
    many = f"{len(cards) or 'no'} {noun}{'s' if len(cards) > 1 else ''}"
    return " ".join([many, *where]) + (f" ({show(cards)})" if cards else "")


def assumes(offer: Offer, held: Cards, board: Cards) -> str:
    """What the values take for granted of decisions before this one, where the cards do not tell: 643a's first bet."""
    if solver(offer.rules) is not let_it_ride.solve or not board:
        return ""
    first = max(_let_it_ride(offer, held, (), ()), key=lambda each: each.value).choice
    return f"with best play before ({first}); another choice then would change all these values alike"


def _one_decision(offer: Offer, held: Cards, up: Cards, _: Cards) -> list[Advice]:
    rules, main, known = offer.rules, main_settlement(offer.rules), against_dealer.states(offer.rules)
    mine = np.array(numbers(held))
    at, goes = canonical(mine, CHOOSE)
    state = int(classes(known.size).of[at]) * known.ups + (_moved(number(up[0]), goes) if up else 0)
    rows = {id(fact): fact.ranking.row(held) for fact in holds_asked(main)}
    found = []
    for choice in rules.decisions[0].choices:
        stakes, total = unit_stakes(rules, main, rules.decisions[0], choice), Fraction(0)
        for reaches in (0, 1):
            for n, compared in enumerate(against_dealer.COMPARED):
                facts = {"player folded": choice.folds, "reaches": bool(reaches), "compared": compared}
                total += int(known.counts[state, reaches, n]) * worth(offer, main, asked(main, offer, facts, rows), stakes).net
        found.append(Advice(choice.word, total / int(known.counts[state].sum())))
    return found


def _moved(each: int, goes: int) -> int:
    return (each & ~3) | (goes >> (4 * (each & 3)) & 3)


def _let_it_ride(offer: Offer, held: Cards, _: Cards, board: Cards) -> list[Advice]:
    """Before the first community card the first bet; with it the second, the first as it should have been."""
    main = main_settlement(offer.rules)
    first, second = offer.rules.decisions
    fact, stakes = holds_asked(main)[0], unit_stakes(offer.rules, main)
    others = [each for each in deck() if each not in (*held, *board)]

    def net(one: str, two: str, last: tuple[Any, ...]) -> Fraction:
        row = fact.ranking.row((*held, *last))
        return worth(offer, main, asked(main, offer, {first.name: one, second.name: two}, {id(fact): row}), stakes).net

    def then(one: str, card: Any) -> list[Fraction]:
        left = [each for each in others if each != card]
        return [sum((net(one, two.word, (card, last)) for last in left), Fraction(0)) / len(left) for two in second.choices]

    if not board:
        return [
            Advice(f"{first.name}: {one.word}", sum((max(then(one.word, card)) for card in others), Fraction(0)) / len(others))
            for one in first.choices
        ]
    best = max(_let_it_ride(offer, held, (), ()), key=lambda each: each.value)
    one = best.choice.removeprefix(f"{first.name}: ")
    return [Advice(f"{second.name}: {two.word}", value) for two, value in zip(second.choices, then(one, board[0]), strict=True)]


_KEPT: dict[str, Solved] = {}  # by the Offer's hash; one who asks about one hand asks about the next


def _solved(offer: Offer) -> Solved:
    """The whole game, solved when its first hand is asked about."""
    if offer.hash not in _KEPT:
        _KEPT.clear()
        _KEPT[offer.hash] = solver(offer.rules)(offer)
    return _KEPT[offer.hash]


def _saigon(offer: Offer, held: Cards, _: Cards, __: Cards) -> list[Advice]:
    solved = _solved(offer)
    hands, values, may, alike, points = solved.states
    counts = np.array([sum(1 for card in held if card in cards) for cards in alike])
    row = int(np.flatnonzero((hands == counts).all(axis=1))[0])
    scale = saigon.scale(offer)
    deals = comb(offer.rules.decks.cards - 5, 5)
    unqualified = offer.rules.of(Setting)[0].otherwise
    return [
        Advice(
            f"set a {saigon.count_word(offer.rules)} of {point}" if point else unqualified,
            Fraction(int(values[row, n]), deals * scale),
        )
        for n, point in enumerate(points)
        if may[row, n]
    ]


def _hold_em(offer: Offer, held: Cards, _: Cards, board: Cards) -> list[Advice]:
    if len(board) == 5:
        return _river(offer, held, board)
    solved = _solved(offer)
    found, scale = solved.states, hold_em.scale(offer)
    first, second, _last = offer.rules.decisions
    pair = np.array(numbers(held))
    hole = int(index_of(pair, CHOOSE))
    if not board:
        kind = int(classes(2).of[hole])
        deals = int(classes(2).times[kind]) * comb(50, 3) * comb(47, 2) * 990
        return [Advice(choice.word, Fraction(int(found.at_once[n, kind]), deals * scale)) for n, choice in enumerate(first.choices)]
    moves = hold_em.suits()
    flop = int(index_of(np.array(numbers(board)), CHOOSE))
    kind = int(moves.flop_class[flop])
    at = int(moves.moved[moves.flop_suits[flop], hole])
    alike = sorted({int(moves.moved[order, at]) for order in moves.same[kind]})
    deals = int(classes(3).times[kind]) * len(alike) * comb(47, 2) * 990
    sums = found.plays[kind, alike].sum(), found.ends[kind, alike].sum()
    return [Advice(choice.word, Fraction(int(total), deals * scale)) for choice, total in zip(second.choices, sums, strict=True)]


def _river(offer: Offer, held: Cards, board: Cards) -> list[Advice]:
    """The dealer's 990 hands one by one, by the chapter's own ranker."""
    main, last = main_settlement(offer.rules), offer.rules.decisions[-1]
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
    rows = {id(fact): fact.ranking.row((*held, *board)) for fact in holds_asked(main)}
    mine, tally = compared.ranking.strength((*held, *board)), dict[tuple[bool, int], int]()
    for pair in combinations([each for each in deck() if each not in (*held, *board)], 2):
        theirs = compared.ranking.strength((*pair, *board))
        key = compared.ranking.is_at_least((*pair, *board), reaches.least), 1 + (mine > theirs) - (mine < theirs)
        tally[key] = tally.get(key, 0) + 1
    found = []
    for choice in last.choices:
        stakes, total = unit_stakes(offer.rules, main, last, choice), Fraction(0)
        for (has, n), count in tally.items():
            facts = {"player folded": choice.folds, "reaches": has, "compared": against_dealer.COMPARED[n]}
            total += count * worth(offer, main, asked(main, offer, facts, rows), stakes).net
        found.append(Advice(choice.word, total / 990))
    return found
