"""The floor of a payout limit: the most that one patron could win in a round at the minimum bet.

Found by hill climbing, not declared. From a deal with the best hand of each wager that the limit covers, cards are exchanged as
long as that wins more. The search stops when an upper bound shows that no deal can win more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from typing import Any

from croupier.cards import JOKER, SUITS, Card, Cards, deck
from croupier.filing.offer import Offer
from croupier.filing.pricing import SeenHand, price_line
from croupier.law.fact import Depending, Holds, Place, Position, looks_at
from croupier.law.forfeits import cases
from croupier.law.paytable import Limit
from croupier.law.ranking import Ranking, every_shape
from croupier.law.reading import Reading
from croupier.law.settlement import Line, Settlement
from croupier.law.wager import Choice, Decision
from croupier.money import Cents

FactValues = tuple[Any, ...]  # the values of a settlement's facts


def limit_floor(offer: Offer) -> Cents:
    """The lowest payout limit allowed: the code's sum or, if greater, the most one patron could win in a round at the minimum."""
    limit = offer.rules.limit
    assert limit is not None
    best = limit.least
    searches = [_Search(offer, limit, taken) for taken in _ways_to_play(offer.rules.decisions)]
    for search in sorted(searches, key=lambda each: each.bound, reverse=True):
        best = search.better_than(best)
    return best


def _ways_to_play(decisions: tuple[Decision, ...]) -> Iterator[tuple[Choice, ...]]:
    """The answers, decision by decision, of a player who does not fold."""
    if not decisions:
        yield ()
        return
    for choice in decisions[0].choices:
        if not choice.folds:
            yield from ((choice, *later) for later in (_ways_to_play(decisions[1:]) if choice.goes_on else ((),)))


@dataclass(frozen=True)
class _Search:
    """Search for the deal that wins the most with these answers."""

    offer: Offer
    limit: Limit
    taken: tuple[Choice, ...]

    @cached_property
    def stakes(self) -> Mapping[str, Cents]:
        """Every wager offered, at its minimum, and the wagers that the answers make."""
        before = (wager for wager in self.offer.rules.wagers.values() if not wager.made_by_decision and self.offer.offers(wager))
        stakes = {wager.key: self.offer.stakes(wager)[0] for wager in before}
        for decision, choice in zip(self.offer.rules.decisions, self.taken, strict=False):
            if choice.makes:
                stakes[choice.makes[0].key] = int(choice.makes[1] * stakes[decision.base.key])
        return stakes

    @cached_property
    def nothing_dealt(self) -> Position:
        return Position({}, decided=tuple(choice.word for choice in self.taken), readings=self.offer.readings)

    @cached_property
    def won(self) -> Mapping[Settlement, Mapping[FactValues, Cents]]:
        """What counts toward the floor in each case of each settlement that wins anything."""
        settled = (each for each in self.offer.rules.settlements if self.stakes.get(each.wager.key))
        found = {each: {case: self._won(each.lines(*case)) for case in cases(each, self.nothing_dealt)} for each in settled}
        return {each: won for each, won in found.items() if any(won.values())}

    def _won(self, lines: Iterable[Line]) -> Cents:
        made = (line for line in lines if self.stakes.get(line.wager.key))
        paid = (price_line(self.offer, line, self.stakes[line.wager.key], 0, "") for line in made)
        return self._together(each.pays for each in paid if each and self.limit.counts(each.wager, each.row))

    def _together(self, won: Iterable[Cents]) -> Cents:
        return max(won, default=0) if self.offer.reads(self.limit.best_wager) else sum(won)

    @cached_property
    def bound(self) -> Cents:
        """What the settlements could win if each had its best case."""
        return self._together(max(won.values()) for won in self.won.values())

    def better_than(self, best: Cents) -> Cents:
        """The most that can be won, or `best` if that is more."""
        for settlement in sorted(self.won, key=lambda each: max(self.won[each].values()), reverse=True):
            for start in self._starts(settlement) if best < self.bound else ():
                best = max(best, self._climb(start))
            if best >= self._without_the_best_of(settlement):
                break
        return best

    def _without_the_best_of(self, settlement: Settlement) -> Cents:
        """What could be won if a settlement had its second best case, and all others their best."""
        ranked = {each: sorted(set(won.values()), reverse=True) for each, won in self.won.items()}
        return self._together(paid[each is settlement and len(paid) > 1] for each, paid in ranked.items())

    def value(self, dealt: Mapping[Place, Cards]) -> Cents:
        seen = SeenHand(replace(self.nothing_dealt, cards=dealt))
        if any(choice.holding and not seen.value(choice.holding) for choice in self.taken):
            return 0
        return self._together(won[tuple(map(seen.value, settlement.asks))] for settlement, won in self.won.items())

    def _starts(self, settlement: Settlement) -> Iterator[dict[Place, Cards]]:
        """A deal for each hand of the case in which a settlement wins the most."""
        best = max(self.won[settlement], key=self.won[settlement].__getitem__)
        for fact, row in zip(settlement.asks, best, strict=True):
            held = fact.ways[fact.reading.of(self.nothing_dealt)] if isinstance(fact, Depending) else fact
            if isinstance(held, Holds):
                yield self._dealt(held, _example(held.ranking, row, self.offer.rules.decks.jokers))

    def _dealt(self, held: Holds, hand: Cards) -> dict[Place, Cards]:
        """A deal with a hand at the places where it is held, and any other cards elsewhere."""
        others = (card for card in deck(self.offer.rules.decks.jokers) if card not in hand)
        cards, dealt = iter((*hand, *others)), dict[Place, Cards]()
        for place in (*held.places, *(place for place in Place if place not in held.places)):
            dealt[place] = tuple(islice(cards, self.offer.rules.dealt[place]))
        return dealt

    def _climb(self, dealt: dict[Place, Cards]) -> Cents:
        """Exchange cards for better ones, in the deck or at another place, until none is better."""
        best, before = self.value(dealt), -1
        facts = [fact for settlement in self.won for fact in settlement.asks if not isinstance(fact, Reading)]
        position = replace(self.nothing_dealt, cards=dealt)
        looked_at = frozenset[Place]().union(*(looks_at(fact, position) for fact in facts))
        while before < best < self.bound:
            before = best
            for place in (each for each in Place if each in looked_at):
                for n, new in product(range(len(dealt[place])), deck(self.offer.rules.decks.jokers)):
                    swap = {dealt[place][n]: new, new: dealt[place][n]}
                    other = {where: tuple(swap.get(card, card) for card in held) for where, held in dealt.items()}
                    if new not in dealt[place] and (found := self.value(other)) > best:
                        best, dealt = found, other
        return best


def _example(ranking: Ranking, row: str, jokers: int) -> Cards:
    """Cards that make a row of a ranking; none if it is only paid as another."""
    wanted = ranking.rows.index(row)
    shapes = (shape for size in ranking.sizes for shape in every_shape(size, jokers))
    shape = next((shape for shape in shapes if ranking.row_of_shape(shape) == wanted), None)
    if shape is None:
        return ()
    hand: Cards = ()
    for n, rank in enumerate(shape.ranks):
        suits = shape.suit or SUITS[n % 4 :] + SUITS[: n % 4]
        hand += (next(card for suit in suits if (card := Card(rank, suit)) not in hand) if rank else JOKER,)
    return hand
