"""Two bets to withdraw, in words (643a): what is paid already, what is suited, what fits straights, what is high.

A rule in words lets a bet ride with what is paid already, and with other hands by suit, by how many straights they fit and by
how many high cards they have; of each such kind the least number of high cards is the one that pays the most.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANK_NAMES
from croupier.filing.offer import Offer
from croupier.law.ranking import NOTHING, Ranking
from croupier.odds import let_it_ride
from croupier.odds.deals import classes
from croupier.odds.solved import Solved, holds_asked, main_settlement
from croupier.odds.words import NUMBERS, Told, lowest_paid_pair, ranks_in_words, straights_with

Ranks = tuple[int, ...]  # from high to low


class Kind(NamedTuple):
    """What a player sees of cards that are not paid yet; of a pair neither suits nor straights matter."""

    paid: bool
    paired: bool
    suited: bool = False
    straights: int = 0


class Seen(NamedTuple):
    kind: Kind
    high: int  # how many cards would be paid as a pair


@lru_cache(maxsize=1 << 15)
def see(ranking: Ranking, ranks: Ranks, suited: bool, paid: bool) -> Seen:
    high = sum(rank >= lowest_paid_pair(ranking) for rank in ranks)
    paired = len({*ranks}) < len(ranks)
    if paid or paired:
        return Seen(Kind(paid, paired), high)
    return Seen(Kind(False, False, suited, straights_with(frozenset(ranks))), high)


@dataclass
class Rule:
    """One decision: what riding gains with all hands of which the player sees the same; and the rule that gains the most."""

    cards: int
    high: str  # the lowest rank whose pair is paid
    gains: dict[Seen, int]
    examples: dict[Seen, Ranks]  # of each the lowest
    even: set[Seen]  # with which it makes no difference, whatever the hand

    @cached_property
    def least_high(self) -> dict[Kind, int]:
        """For each kind that rides at all, the least number of high cards with which it does."""
        found = {}
        for kind in {seen.kind for seen in self.gains}:
            by_high = [sum(self.gains[seen] for seen in self._of(kind, least)) for least in range(self.cards + 1)]
            if max(by_high) > 0:
                found[kind] = max(least for least, gain in enumerate(by_high) if gain == max(by_high))
        return found

    def _of(self, kind: Kind, least: int = 0) -> list[Seen]:
        return [seen for seen in self.gains if seen.kind == kind and seen.high >= least]

    def rides(self, seen: Seen) -> bool:
        return seen.high >= self.least_high.get(seen.kind, self.cards + 1)

    @property
    def words(self) -> list[str]:
        lines = [f"  a hand that is paid already{f', from a pair of {self.high}s up' if self.high else ''}"]
        if any_suited := all(self.rides(seen) for seen in self.gains if seen.kind.suited):
            lines.append(f"  any {NUMBERS[self.cards]} suited")
        for kind, least in sorted(self.least_high.items(), reverse=True):
            if not kind.paid and not (any_suited and kind.suited):
                example = min(self.examples[seen] for seen in self._of(kind, least))
                lines.append(f"  {self._named(kind)}{self._with_high(kind, least)}, such as {ranks_in_words(example)}")
        if even := sorted((seen for seen in self.even if not self.rides(seen)), reverse=True):
            named = [f"{self._named(seen.kind)}, {self._of_high(seen.high, '')}" for seen in even]
            lines.append(f"  (it makes no difference with {', or with '.join(named)})")
        return lines

    def _named(self, kind: Kind) -> str:
        cards = f"{NUMBERS[self.cards]} suited" if kind.suited else NUMBERS[self.cards]
        if kind.paired:
            return f"{cards} with a pair"
        if self.cards == 4 and kind.straights:
            return f"{cards} to an {'outside' if kind.straights > 1 else 'inside'} straight"
        many = f"{NUMBERS[kind.straights]} straight{'' if kind.straights == 1 else 's'}"
        return f"{cards} that fit {many}" if kind.straights else cards

    def _with_high(self, kind: Kind, least: int) -> str:
        return f", {self._of_high(least, 'at least ')}" if least > min(seen.high for seen in self._of(kind)) else ""

    def _of_high(self, number: int, at_least: str) -> str:
        many = "all" if number == self.cards else "none" if not number else f"{at_least}{NUMBERS[number]}"
        return f"{many} of {self.high} or higher"


def tell(offer: Offer, solved: Solved) -> Told:
    _, values, totals = solved.states
    ranking, times = holds_asked(main_settlement(offer.rules))[0].ranking, classes(3).times
    one_bet, other_bet = offer.rules.decisions
    ride = [next(n for n, choice in enumerate(bet.choices) if not choice.withdraws) for bet in (one_bet, other_bet)]
    seen_first, seen_second = _seen(ranking)
    first = _rule(ranking, 3, seen_first, (totals[ride[0]] - totals[1 - ride[0]]) * times)
    second = _rule(ranking, 4, seen_second, (values[0, ride[1]] - values[0, 1 - ride[1]]) * times[:, None])
    words = [f"{one_bet.name} rides with:", *first.words, f"{other_bet.name} rides with:", *second.words]
    one = np.array([ride[0] if first.rides(seen) else 1 - ride[0] for seen, _ in seen_first])
    two = np.array([ride[1] if seen and second.rides(seen) else 1 - ride[1] for seen, _ in seen_second]).reshape(-1, 52)
    deals = solved.outcomes.deals
    scale = Fraction(int((totals.max(axis=0) * times).sum()), deals) / -solved.edge

    def edge(one: NDArray[Any], two: NDArray[Any]) -> Fraction:
        hands, nexts = np.arange(len(times))[:, None], np.arange(52)[None, :]
        return -Fraction(int((values[one[:, None], two, hands, nexts].sum(axis=1) * times).sum()), deals) / scale

    def always(first: int, second: int) -> Fraction:
        return edge(np.full(one.shape, first), np.full(two.shape, second))

    return words, [
        ("these words to the letter", edge(one, two)),
        ("always let both bets ride", always(*ride)),
        ("always withdraw both bets", always(1 - ride[0], 1 - ride[1])),
    ]


def _seen(ranking: Ranking) -> tuple[list[tuple[Seen, Ranks]], list[tuple[Seen | None, Ranks]]]:
    """What a player sees of each three cards up to the suits, and of them with each next card (nothing where he holds it)."""
    ends, rows = let_it_ride.ends(ranking)
    nothing = ends[:, :, rows.index(NOTHING)]

    def look(cards: list[int], paid: bool) -> tuple[Seen, Ranks]:
        ranks = tuple(sorted((card // 4 + 2 for card in cards), reverse=True))
        return see(ranking, ranks, len({card % 4 for card in cards}) == 1, paid), ranks

    first, second = list[tuple[Seen, Ranks]](), list[tuple[Seen | None, Ranks]]()
    for at, held in enumerate(classes(3).cards.tolist()):
        first.append(look(held, not nothing[at].any()))
        second += [(None, ()) if card in held else look([*held, card], not nothing[at, card]) for card in range(52)]
    return first, second


def _rule(ranking: Ranking, cards: int, seen: Iterable[tuple[Seen | None, Ranks]], gains: NDArray[np.int64]) -> Rule:
    found, examples, uneven = dict[Seen, int](), dict[Seen, Ranks](), set[Seen]()
    for (each, ranks), gain in zip(seen, gains.reshape(-1).tolist(), strict=True):
        if each is not None:
            found[each] = found.get(each, 0) + gain
            examples[each] = min(examples.get(each, ranks), ranks)
            uneven |= {each} if gain else set()
    return Rule(cards, RANK_NAMES.get(lowest_paid_pair(ranking), ""), found, examples, set(found) - uneven)
