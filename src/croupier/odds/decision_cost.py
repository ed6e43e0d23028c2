"""What a decision cost: the exact value of each choice that a player had, and of the one that they took, in cents.

The values are for the main game at the stakes that were made. A side wager that a fold would lose counts too, at its exact value
for the cards that the player saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, prod
from typing import Any

from croupier.cards import Cards, deck
from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Folded, Place, Position, looks_at
from croupier.law.procedure import Setting
from croupier.law.reading import Reading
from croupier.law.settlement import Settlement
from croupier.law.wager import Choice, Decision
from croupier.money import Cents
from croupier.odds.advice import advise
from croupier.odds.solvers.hand_setting import set_to
from croupier.odds.solvers.main_game import NotCounted, main_settlement
from croupier.odds.solvers.shapes import cards_at
from croupier.odds.solvers.solution import Advice, worth

MOST_DEALS = 50_000  # of unseen cards, for a side wager


@dataclass(frozen=True)
class TakenDecision:
    """A decision as it was made: the cards that the player saw, their answers before, and what they said or set."""

    held: Cards
    said: str = ""
    up: Cards = ()
    board: Cards = ()
    before: tuple[str, ...] = ()
    set_aside: Cards = ()
    stakes: Mapping[str, Cents] = field(default_factory=dict)  # by the wager's key
    meters: Mapping[str, Cents] = field(default_factory=dict)  # by the wager's name: what the meter showed


@dataclass(frozen=True)
class DecisionCost:
    """The choices, best first, each with its value in cents; the one that was taken; and the wagers that are left out."""

    choices: tuple[Advice, ...]
    taken: Advice
    left_out: tuple[str, ...] = ()  # which a fold at a later decision would lose

    @property
    def best(self) -> Advice:
        """The best choice; the one that was taken if none is better."""
        return self.taken if self.taken.value == self.choices[0].value else self.choices[0]

    @property
    def cents(self) -> Fraction:
        return self.choices[0].value - self.taken.value


def decision_cost(offer: Offer, made: TakenDecision) -> DecisionCost:
    """What a decision cost. Raises a Refusal if it cannot be priced exactly."""
    advised = advise(offer, made.held, made.up, made.board)
    unit = _unit(offer, made)
    if not offer.rules.decisions:
        return _setting(offer, made, [Advice(each.choice, each.value * unit) for each in advised])
    return AnsweredDecision(offer, made, {each.choice: each.value * unit for each in advised}).cost()


def _unit(offer: Offer, made: TakenDecision) -> Cents:
    """The stake of the main game. Its wagers are equal, so any that is still in play will do."""
    main = main_settlement(offer.rules)
    return next(made.stakes[wager.key] for wager in main.settles if not wager.made_by_decision and wager.key in made.stakes)


def _setting(offer: Offer, made: TakenDecision, advised: list[Advice]) -> DecisionCost:
    word = set_to(offer, made.held, made.set_aside)
    taken = next((each for each in advised if each.choice == word), None)
    if taken is None:
        raise Refusal(f"“{word}” is not a setting that is counted", offer.rules.of(Setting)[0].cite, "a hand that the player set")
    return DecisionCost(tuple(advised), taken)


@dataclass
class AnsweredDecision:
    """A decision that was answered in words."""

    offer: Offer
    made: TakenDecision
    main: Mapping[str, Fraction]  # in cents, by the choice as the advice names it

    @cached_property
    def decision(self) -> Decision:
        return self.offer.rules.decisions[len(self.made.before)]

    def cost(self) -> DecisionCost:
        self._verify_independent()
        choices = [each for each in self.decision.choices if self._advice_name(each) in self.main]
        valued = [Advice(each.word, self.main[self._advice_name(each)] + self._side_wagers_value(each)) for each in choices]
        valued.sort(key=lambda each: -each.value)
        return DecisionCost(tuple(valued), self._taken(choices, valued), tuple(self._left_out()))

    def _advice_name(self, choice: Choice) -> str:
        alone = choice.word
        return alone if alone in self.main else f"{self.decision.name}: {alone}"

    def _taken(self, choices: list[Choice], valued: list[Advice]) -> Advice:
        taken = self.decision.taken(self.made.said, self.offer.readings)
        if taken and (found := next((each for each in valued if each.choice == taken.word), None)):
            return found
        fold = next((each for each in choices if each.folds), None)
        plain = Folded() in main_settlement(self.offer.rules).asks
        if taken and taken.folds and fold and plain:  # time ran out: only the wager that the decision is about is lost
            return Advice(taken.word, self.main[self._advice_name(fold)] + self._side_wagers_value(taken))
        raise Refusal(
            f"“{self.made.said}” is not among the choices that are counted",
            self.decision.cite,
            " or ".join(f"“{each.choice}”" for each in valued),
        )

    def _verify_independent(self) -> None:
        """Refuse if an earlier answer could make a wager: values with community cards assume best answers before."""
        rules, number = self.offer.rules, len(self.made.before)
        if any(choice.makes and choice.goes_on for decision in rules.decisions[:number] for choice in decision.choices):
            raise NotCounted(main_settlement(rules), "the values depend on the answers before", "answers that make no wager")

    # side wagers

    def _at_stake(self) -> Iterator[Settlement]:
        """The settlements of side wagers that an answer changes."""
        for settlement in self.offer.rules.settlements:
            others = settlement is not main_settlement(self.offer.rules) and self.made.stakes.get(settlement.wager.key)
            if others and any(isinstance(fact, Folded | Decision) for fact in settlement.asks):
                yield settlement

    def _left_out(self) -> Iterator[str]:
        if not any(choice.folds for choice in self.decision.choices):
            yield from (settlement.wager.key for settlement in self._at_stake())

    def _side_wagers_value(self, choice: Choice) -> Fraction:
        """What the other wagers that a fold now would lose are worth after this choice, in cents."""
        if not any(each.folds for each in self.decision.choices):
            return Fraction(0)
        return sum((self._value(settlement, choice) for settlement in self._at_stake()), Fraction(0))

    def _value(self, settlement: Settlement, choice: Choice) -> Fraction:
        """The mean over the cards that the player does not see."""
        stake, found = self.made.stakes[settlement.wager.key], dict[tuple[Any, ...], int]()
        for position in self._positions(settlement, choice):
            case = tuple(fact.of(position) for fact in settlement.asks)
            found[case] = found.get(case, 0) + 1
        total = Fraction(0)
        for case, count in found.items():
            one = worth(self.offer, settlement, case, {settlement.wager.key: Fraction(1)}, unit=stake)
            total += count * (one.net * stake + (one.meter * self._meter(settlement) if one.meter else 0))
        return total / sum(found.values())

    def _meter(self, settlement: Settlement) -> Cents:
        shown = self.made.meters.get(settlement.wager.name)
        if shown is None or any(line.divided for _, lines in settlement.every_case() for line in lines):
            raise NotCounted(settlement, "its share of the meter is not known", "a meter whose amount is recorded")
        return shown

    def _positions(self, settlement: Settlement, choice: Choice) -> Iterator[Position]:
        seen = {PLAYER: self.made.held, DEALER: self.made.up, COMMUNITY: self.made.board}
        others = [
            card for card in deck(self.offer.rules.decks.jokers) if card not in {*seen[PLAYER], *seen[DEALER], *seen[COMMUNITY]}
        ]
        whole = {place: many for place, many in cards_at(self.offer.rules, settlement).items() if many}

        def at(cards: Mapping[Place, Cards]) -> Position:
            decided = (*self.made.before, choice.word)
            return Position(cards, decided=decided, folded=choice.folds, readings=self.offer.readings)

        example, rest = dict(seen), list(others)
        for place, many in whole.items():
            lacking = many - len(seen.get(place, ()))
            example[place] = (*seen.get(place, ()), *rest[:lacking])
            rest = rest[lacking:]
        looked = set[Place]().union(*(looks_at(fact, at(example)) for fact in settlement.asks if not isinstance(fact, Reading)))
        hidden = {place: many - len(seen.get(place, ())) for place, many in whole.items() if place in looked}
        hidden = {place: many for place, many in hidden.items() if many > 0}
        if prod(comb(len(others), many) for many in hidden.values()) > MOST_DEALS:
            raise NotCounted(settlement, "too many cards are still to come", f"up to {MOST_DEALS:,} deals of the cards to come")
        for dealt in product(*(combinations(others, many) for many in hidden.values())):
            if len({*sum(dealt, ())}) == sum(hidden.values()):
                yield at(example | {place: (*seen.get(place, ()), *more) for place, more in zip(hidden, dealt, strict=True)})
