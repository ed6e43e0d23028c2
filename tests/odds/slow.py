"""Slow and obvious counters: every deal of a small deck, ranked and settled by the readable chapter.

What the chapter says about the same cards or facts is memoized. Nothing else here is clever.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, permutations
from typing import Any

from croupier.book.ch680a_saigon_5_card import may_set, settings
from croupier.cards import Card, Cards
from croupier.filing.offer import Offer
from croupier.law.fact import (
    COMMUNITY,
    DEALER,
    FOURTH,
    PLAYER,
    Compared,
    DealerHas,
    Depending,
    Fact,
    Folded,
    Holds,
    Place,
    Position,
)
from croupier.law.reading import Reading
from croupier.law.settlement import Settlement
from croupier.law.wager import Choice
from croupier.odds.kernels.card_sets import Deck
from croupier.odds.solvers.against_dealer import hand_sizes
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.shapes import cards_at, game_shape
from croupier.odds.solvers.solution import holds_asked
from tests.odds.replay import UNIT, net

Words = tuple[str, ...]  # what a player says
Nets = Counter[int]  # how many deals have which result, in cents for a stake of UNIT


def deck_of(*ranks: int) -> Deck:
    """A small deck: the four suits of these ranks."""
    return tuple(4 * (rank - 2) + suit for rank in sorted(ranks) for suit in range(4))


@dataclass(frozen=True)
class Ended:
    """The cards a player knew at their last decision, what they said, and the results over everything they did not know."""

    cards: dict[Place, Cards]
    words: Words
    nets: Nets

    @property
    def folded(self) -> bool:
        return self.words[-1] == "fold"

    @property
    def worth(self) -> int:
        return _worth(self.nets)


class Asked:
    """What the chapter says about cards and facts, memoized."""

    def __init__(self, offer: Offer) -> None:
        self.offer, self.main = offer, main_settlement(offer.rules)
        compared = next((fact for fact in self.main.asks if isinstance(fact, Compared)), None)
        reaches = next((fact for fact in self.main.asks if isinstance(fact, DealerHas)), None)
        self.strength = cache(compared.ranking.strength if compared else lambda _: None)
        self.qualifies = cache(lambda held: not reaches or reaches.ranking.is_at_least(held, reaches.least))
        self.rows = cache(lambda held: tuple(fact.ranking.row(held) for fact in holds_asked(self.main)))
        self._nets: dict[Any, int] = {}

    def facts(self, mine: Cards, theirs: Cards) -> tuple[Any, ...]:
        one, two = self.strength(mine), self.strength(theirs)
        return self.rows(mine), self.qualifies(theirs), (one > two) - (one < two)

    def net(self, words: Words, facts: Any, cards: dict[Place, Cards], set_aside: Cards = ()) -> int:
        """The settlement of the main game, made with the first cards that have these facts."""
        if (words, facts) not in self._nets:
            position = Position(cards, decided=words, folded="fold" in words, set_aside=set_aside)
            self._nets[words, facts] = int(UNIT * net(self.offer, position, self.main.wager.key))
        return self._nets[words, facts]


def _without(cards: Iterable[Card], *held: Cards) -> Cards:
    gone = {card for each in held for card in each}
    return tuple(card for card in cards if card not in gone)


def _in_order(*held: Cards) -> Cards:
    return tuple(sorted(card for each in held for card in each))


def _worth(nets: Nets) -> int:
    return sum(cents * deals for cents, deals in nets.items())


def _best(choices: dict[Words, Nets]) -> Words:
    """The words whose deals return the most; the first on a tie."""
    return max(choices, key=lambda words: _worth(choices[words]))


def _best_of(choices: dict[str, list[Ended]]) -> list[Ended]:
    return max(choices.values(), key=lambda ends: sum(end.worth for end in ends))


def against_dealer(offer: Offer, cards: Cards) -> Iterator[Ended]:
    """One decision, for each hand of the player and each dealer card that may be face up."""
    size, dealer_size, up = hand_sizes(offer.rules)
    asked = Asked(offer)
    for mine in combinations(cards, size):
        by_facts = defaultdict(list)
        for theirs in combinations(_without(cards, mine), dealer_size):
            by_facts[asked.facts(mine, theirs)].append(theirs)
        known: dict[Card | None, dict[Any, int]] = defaultdict(dict)
        for facts, hands in by_facts.items():
            for face_up, deals in Counter(chain.from_iterable(hands) if up else [None] * len(hands)).items():
                known[face_up][facts] = deals
        for counted in known.values():
            choices: dict[Words, Nets] = {(choice.word,): Counter() for choice in open_to(offer, mine)}
            for words, nets in choices.items():
                for facts, deals in counted.items():
                    nets[asked.net(words, facts, {PLAYER: mine, DEALER: by_facts[facts][0]})] += deals
            words = _best(choices)
            yield Ended({PLAYER: mine}, words, choices[words])


def open_to(offer: Offer, mine: Cards) -> list[Choice]:
    """The choices these cards allow."""
    position = Position({PLAYER: mine})
    return [choice for choice in offer.rules.decisions[0].choices if not choice.holding or choice.holding.of(position)]


def by_streets(offer: Offer, cards: Cards) -> Iterator[Ended]:
    """Own cards, and a decision before each step of the board: every answer to every card, to the end."""
    asked, shape, decisions = Asked(offer), game_shape(offer.rules), offer.rules.decisions
    boards = [street.seen[COMMUNITY] for street in shape.streets]

    @cache
    def to_come(seen: Cards) -> Counter[Any]:
        """How many orders of the cards to come make which rows."""
        lacking = sum(shape.cards.values()) - len(seen)
        return Counter(asked.rows(_in_order(seen, more)) for more in permutations(_without(cards, seen), lacking))

    def ended(mine: Cards, board: Cards, words: Words) -> Ended:
        nets: Nets = Counter()
        for rows, orders in to_come(_in_order(mine, board)).items():
            example = _example(asked, rows, cards, tuple(shape.cards[place] for place in (PLAYER, COMMUNITY)))
            nets[asked.net(words, rows, example)] += orders
        return Ended({PLAYER: mine, COMMUNITY: board}, words, nets)

    def best(mine: Cards, board: Cards, words: Words) -> list[Ended]:
        choices: dict[str, list[Ended]] = {}
        for choice in decisions[len(words)].choices:
            said = (*words, choice.word)
            if choice.goes_on and len(said) < len(decisions):
                turned = permutations(_without(cards, mine, board), boards[len(said)] - len(board))
                choices[choice.word] = [end for more in turned for end in best(mine, (*board, *more), said)]
            else:
                choices[choice.word] = [ended(mine, board, said)]
        return _best_of(choices)

    for mine in combinations(cards, shape.cards[PLAYER]):
        yield from best(mine, (), ())


@cache
def _example(asked: Asked, rows: Any, cards: Cards, sizes: Any) -> dict[Place, Cards]:
    """Cards that fill these rows."""
    own, shared = sizes
    found = next(held for held in combinations(cards, own + shared) if asked.rows(_in_order(held)) == rows)
    return {PLAYER: found[:own], COMMUNITY: found[own:]}


def every_tree(offer: Offer, cards: Cards) -> Iterator[Ended]:
    """Any cards in any steps: every answer to whatever is seen, and every way to deal the rest, in the same steps."""
    rules, main, shape = offer.rules, main_settlement(offer.rules), game_shape(offer.rules)
    steps = [*(street.seen for street in shape.streets), shape.cards]
    facts = [fact for fact in main.asks if not isinstance(fact, Reading)]
    nets: dict[Any, int] = {}

    def dealt(seen: dict[Place, Cards], upto: Any) -> Iterator[dict[Place, Cards]]:
        lacking = next((place for place in shape.cards if len(seen.get(place, ())) < upto.get(place, 0)), None)
        if lacking is None:
            yield seen
            return
        here = seen.get(lacking, ())
        for more in combinations(_without(cards, *seen.values()), upto[lacking] - len(here)):
            yield from dealt({**seen, lacking: (*here, *more)}, upto)

    def outcome(seen: dict[Place, Cards], words: Words) -> int:
        position = Position(seen, decided=words, folded="fold" in words, readings=offer.readings)
        values = words, tuple(fact.of(position) for fact in facts)
        if values not in nets:
            nets[values] = int(UNIT * net(offer, position, main.wager.key))
        return nets[values]

    def rest(seen: dict[Place, Cards], step: int) -> Iterator[dict[Place, Cards]]:
        for more in dealt(seen, steps[step]):
            if step + 1 < len(steps):
                yield from rest(more, step + 1)
            else:
                yield more

    def best(seen: dict[Place, Cards], words: Words) -> list[Ended]:
        step, choices = len(words), dict[str, list[Ended]]()
        for choice in rules.decisions[step].choices:
            said = (*words, choice.word)
            if choice.holding and not choice.holding.of(Position(seen)):
                continue
            if choice.goes_on and step + 1 < len(shape.streets):
                choices[choice.word] = [end for more in dealt(seen, steps[step + 1]) for end in best(more, said)]
            else:
                ends = Counter(outcome(more, said) for more in rest(seen, step + 1))
                choices[choice.word] = [Ended(seen, said, ends)]
        return _best_of(choices)

    for seen in dealt({}, steps[0]):
        yield from best(seen, ()) if shape.streets else [Ended(seen, (), Counter({outcome(seen, ()): 1}))]


AT_ONCE: list[Words] = [("play 4x",), ("play 3x",)]
AFTER_FLOP: Words = ("check", "play")
AT_THE_END: list[Words] = [("check", "check", "play"), ("check", "check", "fold")]


def hold_em(offer: Offer, cards: Cards) -> Iterator[Ended]:
    """Three decisions: with two cards, with the Flop, and with all five community cards."""
    asked = Asked(offer)
    for mine in combinations(cards, 2):
        rest = _without(cards, mine)
        boards = {board: _on_board(asked, mine, board, _without(rest, board)) for board in combinations(rest, 5)}
        at_once: dict[str, list[Ended]] = {"play 4x": [], "play 3x": [], "check": []}
        for flop in combinations(rest, 3):
            after: dict[str, list[Ended]] = {"play": [], "check": []}  # the first on a tie, as everywhere
            for last in combinations(_without(rest, flop), 2):
                nets = boards[_in_order(flop, last)]
                at = {PLAYER: mine, COMMUNITY: (*flop, *last)}
                for words in AT_ONCE:
                    at_once[words[0]].append(Ended(at, words, nets[words]))
                after["play"].append(Ended(at, AFTER_FLOP, nets[AFTER_FLOP]))
                words = _best({words: nets[words] for words in AT_THE_END})
                after["check"].append(Ended(at, words, nets[words]))
            at_once["check"] += _best_of(after)
        yield from _best_of(at_once)


def _on_board(asked: Asked, mine: Cards, board: Cards, others: Cards) -> dict[Words, Nets]:
    """The result of each way to play against all hands the dealer may have."""
    seven, by_facts = _in_order(mine, board), defaultdict(list)
    for theirs in combinations(others, 2):
        by_facts[asked.facts(seven, _in_order(theirs, board))].append(theirs)
    ends: dict[Words, Nets] = {words: Counter() for words in (*AT_ONCE, AFTER_FLOP, *AT_THE_END)}
    for words, nets in ends.items():
        for facts, hands in by_facts.items():
            nets[asked.net(words, facts, {PLAYER: mine, DEALER: hands[0], COMMUNITY: board})] += len(hands)
    return ends


def saigon(offer: Offer, cards: Cards) -> Iterator[Ended]:
    """Every setting the chapter allows, for each five cards, against every five of the dealer's."""
    asked = Asked(offer)
    my_points, their_points = asked.main.asks
    points = cache(lambda five: their_points.of(Position({DEALER: five}, readings=offer.readings)))
    for mine in combinations(cards, 5):
        by_points = defaultdict(list)
        for theirs in combinations(_without(cards, mine), 5):
            by_points[points(theirs)].append(theirs)
        choices: dict[Words, Nets] = {}
        for three in (three for three, _ in settings(mine) if may_set(mine, three)):
            point = my_points.of(Position({PLAYER: mine}, set_aside=three))
            nets = choices[f"Point Count {point:2}",] = Counter()
            for theirs, hands in by_points.items():
                nets[asked.net((), (point, theirs), {PLAYER: mine, DEALER: hands[0]}, three)] += len(hands)
        words = _best(dict(sorted(choices.items())))
        yield Ended({PLAYER: mine}, words, choices[words])


MAIN = {"641a": against_dealer, "643a": by_streets, "649a": against_dealer, "653a": hold_em, "679a": against_dealer,
    "680a": saigon, "682a": against_dealer, "C4": against_dealer, "MS": by_streets}  # fmt: skip

#: Where named facts look. System draws are priced separately.
LOOKS = {"colors of the hands": (PLAYER, DEALER), "colors of the player's cards": (PLAYER,), "fourth card is a 2": (FOURTH,)}


def side(offer: Offer, settlement: Settlement, cards: Cards, ends: list[Ended]) -> Counter[tuple[Any, ...]]:
    """How many deals give each combination of the facts a side wager depends on. If it depends on a fold, whether the main game ends in one."""
    facts = [fact for fact in settlement.asks if isinstance(fact, Holds | Depending | Folded) or fact.name in LOOKS]
    places = set(chain.from_iterable(_places(offer, fact) for fact in facts))
    at = {place: count for place, count in cards_at(offer.rules, settlement).items() if place in places}
    rows = {fact: cache(fact.ranking.row) for fact in facts if isinstance(fact, Holds)}
    found: Counter[tuple[Any, ...]] = Counter()
    for end in ends if any(isinstance(fact, Folded) for fact in facts) else [Ended({}, ("",), Counter({0: 1}))]:
        for dealt in _dealt(dict(end.cards), at, cards):
            position = Position(dealt, folded=end.folded, readings=offer.readings)
            values = (rows[fact](_in_order(fact.held(position))) if fact in rows else fact.of(position) for fact in facts)
            found[tuple(values)] += end.nets.total()
    return found


def _places(offer: Offer, fact: Any) -> tuple[Place, ...]:
    if isinstance(fact, Depending):
        return fact.ways[offer.readings[fact.reading.name]].places
    return fact.places if isinstance(fact, Holds) else LOOKS.get(fact.name, ())


def _dealt(held: dict[Place, Cards], at: dict[Place, int], cards: Cards) -> Iterator[dict[Place, Cards]]:
    """Every way to deal what is still missing at these places."""
    lacking = next((place for place, count in at.items() if len(held.get(place, ())) < count), None)
    if lacking is None:
        yield held
        return
    here = held.get(lacking, ())
    for more in combinations(_without(cards, *held.values()), at[lacking] - len(here)):
        yield from _dealt({**held, lacking: (*here, *more)}, at, cards)


def fact_values(settlement: Settlement, values: dict[Fact, Any]) -> tuple[Any, ...]:
    """The values a fast counter gives, in the order of the facts, without readings and draws."""
    asked = [fact for fact in settlement.asks if not isinstance(fact, Reading) and fact in values]
    return tuple(values[fact] for fact in asked if isinstance(fact, Holds | Depending | Folded) or fact.name in LOOKS)
