"""Any other main game, and facts that are asked together: every deal, up to suit symmetry (`kernels.every_deal`).

Cards come in batches: what a player sees before each decision, then the rest. For each state that a player can be in, the deals of
the best choice are kept, from the last decision back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb
from os import cpu_count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Drawn, Fact, Place
from croupier.law.forfeits import ANSWERED
from croupier.law.settlement import Settlement
from croupier.law.wager import Choice, Decision
from croupier.odds.kernels import every_deal as kernel
from croupier.odds.kernels.card_sets import CHOOSE, FULL, SUIT_ORDERS, Deck, all_sets, classes, in_threads, indices, moved, numbers
from croupier.odds.kernels.random_rounds import Layout, StateAnswers, answer_always, answer_deals
from croupier.odds.progress import announce, duration_words
from croupier.odds.solvers.fact_tables import ANY_CARDS, Tables, columns_of
from croupier.odds.solvers.main_game import NotCounted, main_settlement
from croupier.odds.solvers.shapes import GameShape, Street, cards_at, endings, facts_of, game_shape
from croupier.odds.solvers.solution import Advice, Outcomes, SimulatedAnswers, Solved, Worth, answer_to, main_worth, scaled

SERVES = ANY_CARDS
MOST_PRICES = 200_000  # ways to answer times values of the facts
DEALS_A_SECOND = 30_000_000  # of one core; three cards against three were measured at 41 million on a busy machine
MOST_SECONDS = 3600
LONG_SECONDS = 10  # work that takes longer is announced
NOT_GRADED = -1  # instead of a view

Valued = Callable[[Offer, int, tuple[Choice, ...], tuple[Cards, Cards, Cards]], dict[Choice, Fraction]]  # as `values`


@dataclass(frozen=True, eq=False)
class Work:
    """The deals to make, up to suit symmetry, and the possible answers in between."""

    tables: Tables
    endings: list[tuple[Choice, ...]]  # every way to answer
    worths: NDArray[np.int64]
    streets: tuple[Street, ...] = ()
    fixed: tuple[tuple[int, ...], ...] = ()  # batches that are known already

    @cached_property
    def sizes(self) -> list[int]:
        sizes = [batch.count for batch in self.tables.batches] or [0]
        return [*sizes, 0] if len(sizes) == 1 or len(sizes) in self.tables.asked_at else sizes

    @cached_property
    def deals(self) -> int:
        """About how many deals there are up to suit symmetry."""
        left, deals = len(self.tables.deck), 1
        for n, size in enumerate(self.sizes):
            deals *= comb(left, size) if n >= len(self.fixed) else 1
            left -= size
        early = min(sum(self.sizes[:-1]), 5)
        if early and not self.tables.suits_matter and not self.fixed:
            deals = deals * len(classes(early)) // comb(52, early)
        return max(1, deals)

    @property
    def seconds(self) -> float:
        states = self.deals / max(1, comb(len(self.tables.deck) - sum(self.sizes[:-1]), self.sizes[-1]))
        return (self.deals + states * self.worths.size / 4) / DEALS_A_SECOND / (cpu_count() or 1)

    @property
    def orders(self) -> NDArray[np.int64]:
        """The suit permutations that make no difference."""
        return SUIT_ORDERS[:1] if self.tables.suits_matter or self.fixed else SUIT_ORDERS

    def cards(self) -> kernel.Batches:
        known = np.zeros((len(self.fixed), kernel.MOST_IN_BATCH), dtype=np.int64)
        for row, each in zip(known, self.fixed, strict=True):
            row[: len(each)] = each
        return kernel.Batches(np.array(self.tables.deck), known, np.array(self.sizes, dtype=np.int64), self.orders, CHOOSE)

    def first(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Every first batch up to suit symmetry, how many each represents, and the permutations that fix it."""
        size, deck, orders = self.sizes[0], self.tables.deck, self.orders
        if self.fixed or not size:
            cards = np.array([self.fixed[0] if self.fixed else ()], dtype=np.int64).reshape(1, -1)
            times = np.ones(1, dtype=np.int64)
        elif len(orders) == 1:
            cards = all_sets(size)
            cards = cards[np.isin(cards, deck).all(axis=1)]
            times = np.ones(len(cards), dtype=np.int64)
        else:
            cards, times = classes(size, deck).cards, classes(size, deck).times
        alike = sum((moved(cards, suits) == cards).all(axis=1).astype(np.int64) << n for n, suits in enumerate(orders))
        return np.ascontiguousarray(cards), times, alike

    @cached_property
    def groups(self) -> list[tuple[int, tuple[Choice, ...]]]:
        """Each decision after each sequence of answers, the last decisions first: its number, and the answers before."""
        found = {(n, ending[:n]): None for ending in self.endings for n in range(len(ending))}
        return sorted(found, key=lambda each: -each[0])

    def answers(self, level: Callable[[int], int] | None = None) -> kernel.Answers:
        rows: list[tuple[int, ...]] = []
        first = [0]
        for depth in range(len(self.sizes)):
            for group, (at, before) in enumerate(self.groups):
                if self.tables.asked_at[at] == depth:
                    rows += self._rows(group, at, before)
            first.append(len(rows))
        levels = [level(depth) if level and depth in self.tables.asked_at else NOT_GRADED for depth in range(len(self.sizes))]
        return kernel.Answers(
            np.array(first, dtype=np.int64),
            np.array(rows, dtype=np.int64).reshape(-1, 5),
            np.array(levels, dtype=np.int64),
            self.worths,
        )

    def _rows(self, group: int, at: int, before: tuple[Choice, ...]) -> Iterator[tuple[int, ...]]:
        for choice in self.streets[at].decision.choices:
            here = [n for n, ending in enumerate(self.endings) if ending[: at + 1] == (*before, choice)]
            needed, hand = (NOT_GRADED, 0), choice.holding
            if hand:
                needed = self.tables.at_least(hand.ranking, hand.least, hand.places, self.tables.asked_at[at])
            yield (group, min(here), max(here) + 1, *needed)

    def run(
        self,
        level: Callable[[int], int] | None = None,
        levels: int = 1,
        forced: NDArray[np.int64] | None = None,
        *,
        keeps: bool = False,
    ) -> list[Any]:
        """Deal everything: see `kernels.every_deal`. Returns the results of the parts, in order."""
        answers = self.answers(level)
        facts, cards = self.tables.compiled(), self.cards()
        first, times, alike = self.first()
        by_words = np.zeros((0, 1), dtype=np.int64) if forced is None else forced
        parts = min(len(first), 16 if level else 200)
        if self.seconds > LONG_SECONDS:
            announce(self.deals, self.seconds)
        return in_threads(
            lambda a, b: kernel.every_deal(
                a, b, cards, facts, answers, first, times, alike, levels, by_words, keeps, level is not None
            ),
            len(first),
            parts,
        )

    def counts(self) -> NDArray[np.int64]:
        """How many deals reach each ending with each combination of values of the facts, under best play."""
        total: NDArray[np.int64] = sum(part[0] for part in self.run())
        return total


def tally(
    settlement: Settlement, facts: Sequence[Fact], at: Mapping[Place, int], readings: Mapping[str, str], deck: Deck = FULL
) -> list[tuple[dict[Fact, Any], int]]:
    """How many deals of these places give each combination of values of some facts, if nothing is decided."""
    tables = Tables(settlement, facts, at, readings, deck)
    work = Work(tables, [()], np.zeros((1, tables.codes), dtype=np.int64))
    _verify_time(work, settlement, " and ".join(f"“{fact.name}”" for fact in facts))
    return list(zip(tables.cases(), map(int, work.counts()[0]), strict=True))


def _verify_time(work: Work, settlement: Settlement, shape: str) -> None:
    """Refuse what would take too long."""
    if work.seconds > MOST_SECONDS:
        raise NotCounted(
            settlement,
            f"{shape}: about {work.deals:,} deals, about {duration_words(work.seconds)}",
            'fewer deals; `croupier simulate --strategy "always play"` deals rounds at random',
        )


# main games


@dataclass(frozen=True)
class SolvedDeals(Solved):
    """A main game solved by dealing every deal."""

    work: Work
    scale: int  # units of the worths in one unit of the stake


def serves(shape: GameShape) -> bool:
    """Whether this solver fits: no joker, and no hands to set. `work_of` refuses facts that cannot be compiled."""
    others = [place for place in shape.cards if place not in (PLAYER, DEALER, COMMUNITY)]
    early = [choice for street in shape.streets[:-1] for choice in street.decision.choices if not choice.goes_on]
    decisions = shape.only(Decision)
    return (
        not (shape.sets or shape.jokers)
        and not (others and shape.streets)
        and not any(isinstance(fact, Drawn) for fact in shape.facts)
        and not (early and decisions)
    )


def work_of(
    rules: Rules, readings: Mapping[str, str], deck: Deck = FULL, others: Sequence[Fact] = (), at: Mapping[Place, int] | None = None
) -> Work:
    """The unpriced work of a main game, with other facts to count along with it."""
    main, shape = main_settlement(rules), game_shape(rules)
    facts = [fact for fact in dict.fromkeys((*shape.facts, *others)) if not isinstance(fact, ANSWERED)]
    tables = Tables(main, facts, {**shape.cards, **(at or {})}, readings, deck, shape.words, shape.streets)
    ways = list(endings(shape))
    if len(ways) * tables.codes > MOST_PRICES:
        raise tables.refuse(f"{len(ways):,} ways to answer with {tables.codes:,} cases each")
    return Work(tables, ways, np.zeros((len(ways), tables.codes), dtype=np.int64), shape.streets)


def within_time(rules: Rules, work: Work) -> Work:
    """The work of a main game, if it is not too much; otherwise raises `NotCounted`."""
    shape = f"no solver supports this main game, and dealing it out takes too long: {game_shape(rules).words}"
    _verify_time(work, main_settlement(rules), shape)
    return work


def verify(rules: Rules) -> None:
    within_time(rules, work_of(rules, {}))


def priced_work(offer: Offer, *how: Any) -> tuple[Work, list[list[Worth]], int]:
    """The work under an Offer, what each ending is worth, and the scale of the work's prices."""
    work = work_of(offer.rules, offer.readings, *how)
    prices = [[main_worth(offer, each, known) for known in work.tables.cases()] for each in work.endings]
    listed, scale = scaled(each.net for found in prices for each in found)
    if work.deals * 24 * max(map(abs, listed)) >> 62:
        raise work.tables.refuse("such large sums")
    return replace(work, worths=np.array(listed, dtype=np.int64).reshape(len(work.endings), -1)), prices, scale


def solve(offer: Offer, deck: Deck = FULL) -> SolvedDeals:
    work, prices, scale = priced_work(offer, deck)
    counts, outcomes = work.counts(), Outcomes()
    for ending, listed, found in zip(work.endings, prices, counts, strict=True):
        words = ", ".join(choice.word for choice in ending)
        for each, count in zip(listed, found, strict=True):
            label = ": ".join(filter(None, [words, each.label]))
            outcomes.add(each, int(count), words if ending and ending[-1].folds else label)
    return SolvedDeals(outcomes, np.zeros(0, dtype=np.int8), work, scale)


def advise(offer: Offer, held: Cards, up: Cards, board: Cards) -> list[Advice]:
    """The value of each choice with these cards, after the best choices before."""
    at, before = path(offer, held, up, board)
    decision = game_shape(offer.rules).streets[at].decision
    named = f"{decision.name}: " if len(offer.rules.decisions) > 1 else ""
    return [Advice(f"{named}{choice.word}", value) for choice, value in values(offer, at, before, (held, up, board)).items()]


def path(offer: Offer, held: Cards, up: Cards, board: Cards, valued: Valued | None = None) -> tuple[int, tuple[Choice, ...]]:
    """The decision that these cards are for, and the best answers before it that lead there."""
    streets, before = game_shape(offer.rules).streets, tuple[Choice, ...]()
    seen = {PLAYER: len(held), DEALER: len(up), COMMUNITY: len(board)}
    at = next(n for n, street in enumerate(streets) if all(street.seen.get(place, 0) == count for place, count in seen.items()))
    for n, street in enumerate(streets[:at]):
        known = held[: street.seen[PLAYER]], up[: street.seen[DEALER]], board[: street.seen[COMMUNITY]]
        on = [choice for choice in street.decision.choices if choice.goes_on]
        worth = (valued or values)(offer, n, before, known) if len(on) > 1 else dict.fromkeys(on, Fraction(0))
        before += (max((choice for choice in worth if choice.goes_on), key=worth.__getitem__),)
    return at, before


def before(offer: Offer, held: Cards, up: Cards, board: Cards) -> tuple[Choice, ...]:
    """The best answers before these cards that lead to them."""
    return path(offer, held, up, board)[1]


def values(offer: Offer, at: int, before: tuple[Choice, ...], cards: tuple[Cards, Cards, Cards]) -> dict[Choice, Fraction]:
    """What each choice that these cards allow is worth."""
    work, _, scale = priced_work(offer)
    lies = dict(zip((PLAYER, DEALER, COMMUNITY), map(list, cards), strict=True))
    fixed = list[tuple[int, ...]]()
    for batch in work.tables.batches[: work.tables.asked_at[at]]:
        fixed.append(tuple(numbers([lies[batch.place].pop(0) for _ in range(batch.count)])))
    if not any(fixed):
        raise NotCounted(main_settlement(offer.rules), "this is decided before any card is seen", "cards in hand")
    work = within_time(offer.rules, replace(work, fixed=tuple(fixed)))
    (_, totals, barred, *_), *_ = work.run(lambda _: NOT_GRADED)
    rows, group = work.answers().rows[:, 0], work.groups.index((at, before))
    here = zip(work.streets[at].decision.choices, totals[rows == group, 0], barred[rows == group, 0], strict=True)
    return {choice: Fraction(int(value), work.deals * scale) for choice, value, closed in here if not closed}


def count_with_main_game(
    offer: Offer, facts: Sequence[Fact], at: Mapping[Place, int], deck: Deck = FULL
) -> list[tuple[dict[Fact, Any], int]]:
    """How many deals give each combination of values of facts about cards and answers, with best play of the main game."""
    work, _, _ = priced_work(offer, deck, facts, at)
    found: dict[tuple[Any, ...], int] = {}
    for ending, counts in zip(work.endings, within_time(offer.rules, work).counts(), strict=True):
        for known, count in zip(work.tables.cases(), counts, strict=True):
            values = tuple(answer_to(fact, ending) if isinstance(fact, ANSWERED) else known[fact] for fact in facts)
            found[values] = found.get(values, 0) + int(count)
    return [(dict(zip(facts, values, strict=True)), count) for values, count in found.items()]


# simulated rounds


def answers(offer: Offer, solved: SolvedDeals, layout: Layout) -> SimulatedAnswers:
    """The best answer in every state."""
    work = solved.work
    if not work.groups:
        return SimulatedAnswers(answer_always, (0,), [((), {})])
    then = np.zeros((len(work.groups), max(len(street.decision.choices) for street in work.streets)), dtype=np.int64)
    number_of: dict[Any, int] = {ending: -1 - n for n, ending in enumerate(work.endings)}
    number_of |= {before: n for n, (_, before) in enumerate(work.groups)}
    for group, (at, before) in enumerate(work.groups):
        for n, choice in enumerate(work.streets[at].decision.choices):
            then[group, n] = number_of[(*before, choice)]
    parts = work.run(keeps=True)
    states, picks = (np.concatenate([part[n] for part in parts]) for n in (3, 4))
    order = np.argsort(states[:, 0], kind="stable")  # the keys of each depth are in order already
    states, picks = states[order], picks[order]
    size, (first, _, _) = work.sizes[0], work.first()
    answered = StateAnswers(
        np.array([*columns_of(work.tables.batches, layout), 0][: len(work.sizes)], dtype=np.int64),
        np.arange(CHOOSE[52, size]) if len(work.orders) == 1 or not size else classes(size).class_of.astype(np.int64),
        indices(first),
        np.array([work.tables.asked_at[at] for at, _ in work.groups]),
        np.searchsorted(states[:, 0], np.arange(len(work.sizes) + 2)).astype(np.int64),
        np.ascontiguousarray(states[:, 1]),
        picks,
        then,
        number_of[()],
    )
    return SimulatedAnswers(answer_deals, (work.cards(), answered), [(ending, {}) for ending in work.endings])


def worth_always(offer: Offer, _: SolvedDeals, choices: tuple[Choice, ...]) -> Fraction:
    """What a main game is worth with the same answers for all cards."""
    main = main_settlement(offer.rules)
    facts = [fact for fact in facts_of(main) if not isinstance(fact, ANSWERED)]
    counted = tally(main, facts, cards_at(offer.rules, main), offer.readings)
    total = sum((main_worth(offer, choices, known).net * ways for known, ways in counted), Fraction(0))
    return total / sum(ways for _, ways in counted)
