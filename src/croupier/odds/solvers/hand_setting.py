"""The setting of five cards into two hands, where only the values of the cards matter (680a).

Cards of one value are alike, so a hand is a multiset of values: how many hands it stands for is a product of binomials.
The chapter itself says, for one hand of each kind, which Point Counts its settings can have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
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
from croupier.odds.kernels.card_sets import CHOOSE
from croupier.odds.kernels.hand_counts import count_others
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import Shape
from croupier.odds.solvers.sights import by_values
from croupier.odds.solvers.solution import Advice, Outcomes, Solved, Worth, asked, kept, named_asked, scaled, unit_stakes, worth

SERVES = "five cards set into two hands, against a dealer's five, with nothing to decide"


def serves(shape: Shape) -> bool:
    return (
        shape.asks(Named, Named)
        and not shape.streets
        and shape.sets is not None
        and shape.dealt(PLAYER=5, DEALER=5)
        and not shape.face_up
        and not shape.shown
    )


@dataclass(frozen=True)
class SolvedSetting(Solved):
    """A solved game of setting hands."""

    hands: NDArray[np.int64]  # [hand, kind of card]: how many
    values: NDArray[np.int64]  # [hand, Point Count set]
    may: NDArray[np.bool_]  # [hand, Point Count]: may it be set?
    alike: list[list[Card]]  # the cards of each kind
    points: list[Any]  # the Point Counts by their numbers


def kinds(rules: Rules, cards: Cards = ()) -> list[list[Card]]:
    """The cards of the deck, or of these, grouped by value: no fact of the game distinguishes cards of equal value."""
    setting = rules.of(Setting)[0]
    alike: dict[tuple[int, ...], list[Card]] = {}
    for each in cards or deck(rules.decks.jokers):
        alike.setdefault(setting.values(each), []).append(each)
    return list(alike.values())


@cache
def _hands(sizes: tuple[int, ...]) -> NDArray[np.int64]:
    """Every five cards as a count of each kind."""
    found = []
    for picked in combinations_with_replacement(range(len(sizes)), 5):
        counts = Counter(picked)
        if all(counts[kind] <= sizes[kind] for kind in counts):
            found.append([counts[kind] for kind in range(len(sizes))])
    return np.array(found, dtype=np.int64)


def _fives(hands: NDArray[np.int64], alike: list[list[Card]]) -> Iterator[Cards]:
    """Five cards for each count of kinds."""
    for counts in hands.tolist():
        yield tuple(card for count, cards in zip(counts, alike, strict=True) if count for card in cards[:count])


def solve(offer: Offer, cards: Cards = (), *, is_set: bool = True) -> SolvedSetting:
    """The player sets the most valuable Point Count, or sets nothing; the chapter says what counts then, and for the dealer."""
    rules, main = offer.rules, main_settlement(offer.rules)
    mine, theirs = named_asked(main)
    alike = kinds(rules, cards)
    sizes = np.array([len(each) for each in alike])
    hands = _hands(tuple(int(size) for size in sizes))
    weights = times(offer, hands, cards)
    points: list[Any] = list(theirs.values)
    counts = _dealer_counts(hands, sizes, dealer_points(offer, hands, alike), len(points))

    prices = _prices(offer, points)
    numbers, _ = scaled(price.net for price in prices.values())
    values = counts @ np.array(numbers, dtype=np.int64).reshape(len(points), len(points)).T  # [hand, Point Count set]
    if is_set:
        may = player_points(offer, hands, alike)
        best = np.where(may, values, np.iinfo(np.int64).min).argmax(axis=1)
    else:
        best = _unset(offer, mine, PLAYER, hands, alike)
        may = np.eye(len(points), dtype=bool)[best]
    outcomes = _outcomes(offer, counts * weights[:, None], best)
    return SolvedSetting(outcomes, best, hands, values, may, alike, points)


def _outcomes(offer: Offer, counts: NDArray[np.int64], taken: NDArray[Any]) -> Outcomes:
    """The outcomes when each hand is set to the Point Count with this number."""
    outcomes, points = Outcomes(), list[Any](named_asked(main_settlement(offer.rules))[1].values)
    prices = _prices(offer, points)
    for number, point in enumerate(points):
        for column, count in enumerate(counts[taken == number].sum(axis=0)):
            price = prices[point, points[column]]
            outcomes.add(price, int(count), f"{count_word(offer.rules)} {point}: {price.label}" if point else price.label)
    return outcomes


def player_points(offer: Offer, hands: NDArray[np.int64], alike: list[list[Card]]) -> NDArray[np.bool_]:
    """The Point Counts that the player may set with each hand, by their numbers among the values of the fact."""
    main, setting = main_settlement(offer.rules), offer.rules.of(Setting)[0]
    mine, theirs = named_asked(main)
    points: list[Any] = list(theirs.values)

    def of(five: Cards, readings: Mapping[str, str]) -> frozenset[int]:
        allowed = (three for three in combinations(five, 3) if setting.may_be(five, three, readings))
        return frozenset(points.index(by_values(main, mine, PLAYER, five, three, readings)) for three in allowed)

    may = np.zeros((len(hands), len(points)), dtype=bool)
    for row, counts in enumerate(_alike(offer, mine, "set", hands, alike, of)):
        may[row, list(counts)] = True
    return may


def _prices(offer: Offer, points: list[Any]) -> dict[tuple[Any, Any], Worth]:
    main = main_settlement(offer.rules)
    mine, theirs = named_asked(main)
    stakes = unit_stakes(offer.rules, main)
    return {(m, t): worth(offer, main, asked(main, offer, {mine: m, theirs: t}), stakes) for m in points for t in points}


def count_word(rules: Rules) -> str:
    """What the chapter calls the count of a hand that is set."""
    return named_asked(main_settlement(rules))[0].name.removeprefix("player's ")


def times(offer: Offer, hands: NDArray[np.int64], cards: Cards = ()) -> NDArray[np.int64]:
    """How many hands of cards each count of kinds stands for."""
    sizes = np.array([len(each) for each in kinds(offer.rules, cards)])
    ways: NDArray[np.int64] = CHOOSE[sizes, hands].prod(axis=1)
    return ways


def scale(offer: Offer) -> int:
    """How many units of the solution's values make one Ante."""
    points = list(named_asked(main_settlement(offer.rules))[1].values)
    return scaled(price.net for price in _prices(offer, points).values())[1]


def dealer_points(offer: Offer, hands: NDArray[np.int64], alike: list[list[Card]]) -> NDArray[np.int64]:
    """The dealer's Point Count with each hand, by its number among the values of the fact."""
    return _unset(offer, named_asked(main_settlement(offer.rules))[1], DEALER, hands, alike)


def _unset(offer: Offer, fact: Named, place: Place, hands: NDArray[np.int64], alike: list[list[Card]]) -> NDArray[np.int64]:
    """The Point Count of each hand that nobody sets, by its number among the values of the fact."""
    main = main_settlement(offer.rules)
    points: list[Any] = list(named_asked(main)[1].values)

    def of(five: Cards, readings: Mapping[str, str]) -> int:
        return points.index(by_values(main, fact, place, five, (), readings))

    return np.array(_alike(offer, fact, "unset", hands, alike, of))


class _Noted(dict[str, str]):
    """Readings that note which of them are looked at."""

    def __init__(self, readings: Mapping[str, str]) -> None:
        super().__init__(readings)
        self.looked_at: dict[str, str | None] = {}

    def get(self, name: str, default: Any = None) -> Any:
        self.looked_at[name] = super().get(name)
        return super().get(name, default)


_FOUND: dict[tuple[Any, ...], list[tuple[dict[str, str | None], list[Any]]]] = {}


def _alike(
    offer: Offer,
    fact: Named,
    how: str,
    hands: NDArray[np.int64],
    alike: list[list[Card]],
    of: Callable[[Cards, Mapping[str, str]], Any],
) -> list[Any]:
    """The value of each hand, checked with different cards of each kind: suits must make no difference.

    What was found under one choice of readings is found under any other that agrees on the readings looked at.
    """
    main, readings = main_settlement(offer.rules), _Noted(offer.readings)
    before = _FOUND.setdefault((main, fact, how, tuple(map(tuple, alike))), [])
    for looked_at, found in before:
        if all(offer.readings.get(name) == chosen for name, chosen in looked_at.items()):
            return found
    found = [of(five, readings) for five in _fives(hands, alike)]
    if found != [of(five, readings) for five in _fives(hands, [cards[::-1] for cards in alike])]:
        raise NotCounted(main, f"“{fact.name}” tells cards of one value apart", "a fact about the values of the cards")
    before.append((readings.looked_at, found))
    return found


def _dealer_counts(hands: NDArray[np.int64], sizes: NDArray[np.int64], dealer: NDArray[np.int64], levels: int) -> NDArray[np.int64]:
    """For each hand of the player, how many of the dealer's from the other cards have each Point Count."""
    found = np.zeros((len(hands), levels), dtype=np.int64)
    count_others(hands, sizes, dealer, CHOOSE, found)
    return found


def advise(offer: Offer, held: Cards, _: Cards, __: Cards) -> list[Advice]:
    """The value of each count that these cards may be set to."""
    solved = kept(offer, solve)
    counts = np.array([sum(1 for card in held if card in cards) for cards in solved.alike])
    row = int(np.flatnonzero((solved.hands == counts).all(axis=1))[0])
    deals = comb(offer.rules.decks.cards - 5, 5)
    return [
        Advice(
            _set_to(offer.rules, point),
            Fraction(int(solved.values[row, n]), deals * scale(offer)),
            _setting(offer, held, point) if point else (),
        )
        for n, point in enumerate(solved.points)
        if solved.may[row, n]
    ]


def set_to(offer: Offer, five: Cards, three: Cards) -> str:
    """The choice, as `advise` names it, of a player who sets these three of five cards, or none in time."""
    main = main_settlement(offer.rules)
    return _set_to(offer.rules, by_values(main, named_asked(main)[0], PLAYER, five, three, offer.readings))


def _set_to(rules: Rules, point: Any) -> str:
    return f"set a {count_word(rules)} of {point}" if point else rules.of(Setting)[0].otherwise


def _setting(offer: Offer, held: Cards, point: Any) -> Cards:
    """Three cards that may be set so that the other two have this Point Count."""
    main, setting = main_settlement(offer.rules), offer.rules.of(Setting)[0]
    mine = named_asked(main)[0]
    allowed = (three for three in combinations(held, 3) if setting.may_be(held, three, offer.readings))
    return next(three for three in allowed if by_values(main, mine, PLAYER, held, three, offer.readings) == point)
