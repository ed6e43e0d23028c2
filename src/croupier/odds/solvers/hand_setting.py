"""The setting of five cards into two hands, where only the values of the cards matter (680a).

Cards of one value are interchangeable, so a hand is a multiset of values, which represents a product of binomials of hands.
The chapter itself says, for one hand of each kind, which Point Counts its settings can have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import Card, Cards, deck
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import DEALER, PLAYER, Named, Place
from croupier.law.procedure import Setting
from croupier.odds.kernels.card_sets import CHOOSE, number
from croupier.odds.kernels.hand_counts import count_others
from croupier.odds.kernels.random_rounds import Layout, answer_by_kinds
from croupier.odds.solvers.main_game import NotCounted, main_settlement
from croupier.odds.solvers.shapes import GameShape
from croupier.odds.solvers.sights import by_values, suitless
from croupier.odds.solvers.solution import (
    Advice,
    Outcomes,
    SimulatedAnswers,
    Solved,
    asked,
    cached_solution,
    named_asked,
    scaled,
    unit_stakes,
    worth,
)

SERVES = "five cards set into two hands, against a dealer's five, with nothing to decide"


def serves(shape: GameShape) -> bool:
    return (
        [*map(type, shape.facts)] == [Named, Named]
        and not shape.streets
        and shape.sets is not None
        and shape.cards == {PLAYER: 5, DEALER: 5}
        and not shape.face_up
        and not shape.shown
    )


@dataclass(frozen=True)
class SolvedSetting(Solved):
    """A solved game of setting hands."""

    hands: Hands
    values: NDArray[np.int64]  # [hand, Point Count set]
    scale: int  # units of the values in one Ante
    may: NDArray[np.bool_]  # [hand, Point Count]: may it be set?
    dealer: NDArray[np.int64]  # the Point Count of each hand if it is the dealer's
    points: list[Any]  # the Point Counts by their numbers


@dataclass(frozen=True)
class Hands:
    """Every five-card hand as a count of each kind: no fact of the game distinguishes cards of one value."""

    kinds: tuple[tuple[Card, ...], ...]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        return np.array([len(cards) for cards in self.kinds])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """[hand, kind of card]: how many."""
        picked = (np.bincount(each, minlength=len(self.kinds)) for each in combinations_with_replacement(range(len(self.kinds)), 5))
        return np.array([counts for counts in picked if (counts <= self.sizes).all()])

    @cached_property
    def times(self) -> NDArray[np.int64]:
        """How many hands of cards each count of kinds represents."""
        return np.asarray(CHOOSE[self.sizes, self.counts].prod(axis=1))

    def ways(self, kinds: slice) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """An index for the cards that each hand has of some kinds, and the ways of one such part given another."""
        parts, number = np.unique(self.counts[:, kinds], axis=0, return_inverse=True)
        return number.reshape(-1), CHOOSE[self.sizes[kinds] - parts[:, None], parts].prod(axis=2)

    def cards(self, *, from_the_end: bool = False) -> Iterator[Cards]:
        """Five cards for each count of kinds: the first, or the last, of each kind."""
        kinds = [cards[::-1] for cards in self.kinds] if from_the_end else self.kinds
        for counts in self.counts.tolist():
            yield tuple(card for count, cards in zip(counts, kinds, strict=True) if count for card in cards[:count])


def hands_of(rules: Rules, cards: Cards = ()) -> Hands:
    """The hands of the deck, or of these cards."""
    setting = rules.of(Setting)[0]
    alike: dict[tuple[int, ...], list[Card]] = {}
    for each in cards or deck(rules.decks.jokers):
        alike.setdefault(setting.values(each), []).append(each)
    return _hands(tuple(map(tuple, alike.values())))


_hands = cache(Hands)


def solve(offer: Offer, cards: Cards = (), *, is_set: bool = True) -> SolvedSetting:
    """Solve: the player sets the most valuable Point Count or nothing; the chapter says what counts then, and for the dealer."""
    main, hands = main_settlement(offer.rules), hands_of(offer.rules, cards)
    mine, theirs = named_asked(main)
    points = list[Any](theirs.values)
    stakes = unit_stakes(main)
    prices = [[worth(offer, main, asked(main, offer, {mine: m, theirs: t}), stakes) for t in points] for m in points]
    nets, scale = scaled(price.net for row in prices for price in row)

    dealer = point_counts(offer, theirs, DEALER, hands).argmax(axis=1)
    others = beside_each(hands, dealer, len(points))
    values = others @ np.array(nets, dtype=np.int64).reshape(len(points), -1).T
    may = point_counts(offer, mine, PLAYER, hands, is_set=is_set)
    best = np.where(may, values, np.iinfo(np.int64).min).argmax(axis=1)

    outcomes, deals = Outcomes(), others * hands.times[:, None]
    for row, point in enumerate(points):
        for price, count in zip(prices[row], deals[best == row].sum(axis=0), strict=True):
            outcomes.add(price, int(count), f"{count_word(offer.rules)} {point}: {price.label}" if point else price.label)
    return SolvedSetting(outcomes, best, hands, values, scale, may, dealer, points)


def beside_each(hands: Hands, points: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """[hand, Point Count]: how many hands of the other cards have it."""
    found, half = np.zeros((len(points), most), dtype=np.int64), len(hands.kinds) // 2
    count_others(*hands.ways(slice(half)), *hands.ways(slice(half, None)), points, found)
    return found


def count_word(rules: Rules) -> str:
    """What the chapter calls the count of a hand that is set."""
    return named_asked(main_settlement(rules))[0].name.removeprefix("player's ")


class _Noted(dict[str, str]):
    """Readings that record which of them are looked up."""

    def __init__(self, readings: Mapping[str, str]) -> None:
        super().__init__(readings)
        self.looked_at: dict[str, str | None] = {}

    def get(self, name: str, default: Any = None) -> Any:
        self.looked_at[name] = super().get(name)
        return super().get(name, default)


_FOUND: dict[tuple[Any, ...], list[tuple[dict[str, str | None], NDArray[np.bool_]]]] = {}


def point_counts(offer: Offer, fact: Named, place: Place, hands: Hands, *, is_set: bool = False) -> NDArray[np.bool_]:
    """[hand, Point Count]: can the hand have it, if it is set in any way that is allowed, or if nobody sets it?

    What was found under one choice of readings is found under any other that agrees on the readings looked at.
    """
    main, readings = main_settlement(offer.rules), _Noted(offer.readings)
    before = _FOUND.setdefault((main, fact, is_set, hands), [])
    for looked_at, found in before:
        if all(offer.readings.get(name) == chosen for name, chosen in looked_at.items()):
            return found
    points = {point: n for n, point in enumerate(named_asked(main)[1].values)}
    by_ranks: dict[tuple[int, ...], set[int]] = {}  # a fact sees only ranks

    def of(cards: Cards) -> set[int]:
        ranks = tuple(card.rank for card in cards)
        if ranks not in by_ranks:
            five = suitless(cards)
            threes = _settings(offer.rules, five, readings) if is_set else [()]
            by_ranks[ranks] = {points[by_values(main, fact, place, five, three, readings)] for three in threes}
        return by_ranks[ranks]

    first, last = (list(map(of, hands.cards(from_the_end=end))) for end in (False, True))
    if first != last:
        raise NotCounted(main, f"“{fact.name}” tells cards of one value apart", "a fact about the values of the cards")
    found = np.zeros((len(first), len(points)), dtype=bool)
    for row, counts in zip(found, first, strict=True):
        row[list(counts)] = True
    before.append((readings.looked_at, found))
    return found


def _settings(rules: Rules, five: Cards, readings: Mapping[str, str]) -> Iterable[Cards]:
    """The three-card hands that may be set, one of those with the same ranks."""
    setting = rules.of(Setting)[0]
    threes = {tuple(card.rank for card in three): three for three in combinations(five, 3)}
    return [three for three in threes.values() if setting.may_be(five, three, readings)]


def advise(offer: Offer, held: Cards, _: Cards, __: Cards) -> list[Advice]:
    """The value of each count that these cards may be set to."""
    solved = cached_solution(offer, SolvedSetting, solve)
    counts = np.array([sum(1 for card in held if card in cards) for cards in solved.hands.kinds])
    row = int(np.flatnonzero((solved.hands.counts == counts).all(axis=1))[0])
    deals = comb(offer.rules.decks.cards - 5, 5)
    return [
        Advice(
            _set_to(offer.rules, point),
            Fraction(int(solved.values[row, n]), deals * solved.scale),
            _setting(offer, held, point) if point else (),
        )
        for n, point in enumerate(solved.points)
        if solved.may[row, n]
    ]


def set_to(offer: Offer, five: Cards, three: Cards) -> str:
    """The choice, as `advise` names it, of a player who sets these three of five cards, or none in time."""
    return _set_to(offer.rules, _point(offer, five, three))


def _set_to(rules: Rules, point: Any) -> str:
    return f"set a {count_word(rules)} of {point}" if point else rules.of(Setting)[0].otherwise


def _point(offer: Offer, five: Cards, three: Cards) -> Any:
    main = main_settlement(offer.rules)
    return by_values(main, named_asked(main)[0], PLAYER, suitless(five), suitless(three), offer.readings)


def _setting(offer: Offer, held: Cards, point: Any) -> Cards:
    """Three cards that may be set so that the other two have this Point Count."""
    return next(three for three in _settings(offer.rules, held, offer.readings) if _point(offer, held, three) == point)


def answers(offer: Offer, solved: SolvedSetting, _: Layout) -> SimulatedAnswers:
    """An ending is the Point Count that the player sets, and the dealer's."""
    hands, points = solved.hands, solved.points
    mine, theirs = named_asked(main_settlement(offer.rules))
    index = np.array([6**kind for kind in range(len(hands.kinds))], dtype=np.int64)  # a hand's counts as digits
    keys = hands.counts @ index
    order = np.argsort(keys)
    kind_of = np.empty(53, dtype=np.int64)
    for kind, cards in enumerate(hands.kinds):
        kind_of[[number(each) for each in cards]] = kind
    tables = (kind_of, index, keys[order], solved.best[order], solved.dealer[order], len(points))
    return SimulatedAnswers(answer_by_kinds, tables, [((), {mine: one, theirs: two}) for one in points for two in points])
