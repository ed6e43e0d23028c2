"""One decision against a dealer's hand: fold, or play at a multiple. One card of the dealer's may lie face up.

How many of the dealer's hands avoid the player's cards and rank below a code is counted by removal: see `kernels.hand_counts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import ACE, Cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Compared, DealerHas, Fact, Folded, Has, Holds, Place
from croupier.law.ranking import Ranking, shape
from croupier.law.wager import Choice
from croupier.odds.kernels import hand_counts
from croupier.odds.kernels.card_sets import (
    CHOOSE,
    FULL,
    Deck,
    canonical_index,
    classes,
    in_threads,
    moved_card,
    number,
    numbers,
    turn_suits,
)
from croupier.odds.kernels.random_rounds import Layout, answer_once
from croupier.odds.kernels.rank_tables import rank_table, too_many_strengths
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.shapes import GameShape, cards_seen, game_shape
from croupier.odds.solvers.solution import (
    COMPARED,
    Advice,
    Folds,
    Outcomes,
    SimulatedAnswers,
    Solved,
    Worth,
    asked,
    holds_asked,
    scaled,
    unit_stakes,
    versus,
    worth,
)

KERNELS: Any = hand_counts  # kernels take their tables in a row
MOST_BYTES = 1 << 30  # of the table of sets below each level

SERVES = "one decision, to play or to fold, with up to six cards against two to seven, of which one may lie face up"


def serves(game: GameShape) -> bool:
    """Whether this solver fits: sizes that fit in memory, where choices may require a hand."""
    reaches, compared = game.only(DealerHas), game.only(Compared)
    if len(game.streets) != 1 or len(compared) != 1 or len(reaches) > 1 or game.sets or game.jokers:
        return False
    seen, choices = game.streets[0].seen, game.streets[0].decision.choices
    needed = [choice.holding for choice in choices if choice.holding]
    return (
        game.asks_only(Folded, Compared, DealerHas, Holds)
        and all(each.ranking == compared[0].ranking for each in reaches)
        and all(each.least in each.ranking.rows or runs_fill_a_row(each.ranking) for each in reaches)
        and not any(each.shared for each in compared)
        and not any(each.shared for each in reaches)
        and all(each.places == (PLAYER,) for each in game.only(Holds))
        and all(each.places == (PLAYER,) for each in needed)
        and game.cards.keys() == {PLAYER, DEALER}
        and game.face_up.keys() <= {DEALER}
        and seen == {PLAYER: game.cards[PLAYER], DEALER: seen[DEALER], COMMUNITY: 0}
        and seen[DEALER] <= 1
        and [choice.folds for choice in choices] == [False] * (len(choices) - 1) + [True]
        and all(choice.makes and not choice.goes_on and not choice.withdraws for choice in choices[:-1])
        and any(not choice.holding for choice in choices[:-1])
        and _fits(compared[0].ranking, game.cards[PLAYER], game.cards[DEALER], seen[DEALER])
    )


def runs_fill_a_row(ranking: Ranking) -> bool:
    """Whether runs fill a row. Otherwise an ace below a 2 would compare low yet be ace high, and no code would divide hands."""
    lowest = shape((ACE, *range(ranking.size, 1, -1)), "")
    return ranking.row_of_shape(lowest) < len(ranking.hands)


def _fits(ranking: Ranking, player: int, dealer: int, up: int) -> bool:
    if min(player, dealer) < ranking.size or player > 6 or not 2 <= dealer <= 7 or any(each.size for each in ranking.hands):
        return False
    if too_many_strengths(ranking):
        return False
    held = min(player + up, dealer - 1)
    most = comb(52, min(held, dealer - 2)) // 12  # about how many sets there are up to suit symmetry
    return held < 6 and most * 4 * rank_table(ranking, ranking.size, by_strength=True).levels < MOST_BYTES


@dataclass(frozen=True)
class States:
    """The states a player can be in, one per row: the hand up to suit symmetry, and the dealer's up card if there is one."""

    size: int  # cards of the player
    ups: int  # 52 with an up card, else 1
    counts: NDArray[Any]  # [state, does the dealer's hand reach, how the player's compares]
    times: NDArray[np.int64]  # how many hands a state represents


@dataclass(frozen=True)
class Groups:
    """Groups of hands that are settled the same way and have the same choices."""

    group_of: NDArray[np.int64]  # the group of each hand up to suit symmetry
    may: NDArray[np.bool_]  # [choice, group]
    prices: list[list[Worth]]  # [choice][(group, does the dealer's hand reach, how the player's compares)]
    worths: NDArray[np.int64]  # the nets of the same, scaled to integers, as [choice, group, reaches, compared]
    scale: int


@dataclass(frozen=True)
class SolvedDecision(Solved):
    """A solved game of one decision."""

    states: States
    turns: list[Groups]  # by how far the suits are rotated; only one if no row asks for a suit
    stayed: NDArray[np.int64]  # for each hand, in how many of its states it is not folded
    states_per_hand: int

    def edge_of(self, policy: NDArray[Any]) -> Fraction:
        """The exact edge if each state is played by this choice."""
        known, choices, total = self.states, policy.astype(np.int8), Fraction(0)
        for groups in self.turns:
            group_of = np.repeat(groups.group_of, known.ups)
            worth = hand_counts.values_by_level(known.counts, known.times, group_of, groups.worths, choices, len(groups.worths))
            total += Fraction(int(worth.trace()), groups.scale)  # of each choice in the states that are played by it
        return -total / (len(self.turns) * self.outcomes.deals)

    def folds(self, way: Holds, at: Mapping[Place, int], _: Any, deck: Deck) -> Folds | None:
        """Rows of the player's own cards, alone or with two community cards, for hands that may fold before those are turned."""
        more = cards_seen(way, at) - at[PLAYER]
        if way.first or way.places[0] is not PLAYER or way.places[1:] not in ((), (COMMUNITY,)) or more not in (0, 2):
            return None
        return _folds(self, way.ranking, more, deck)


def _folds(solved: SolvedDecision, ranking: Ranking, more: int, deck: Deck) -> Folds:
    size = solved.states.size
    hands, table = classes(size, deck), rank_table(ranking, size + more)
    stays, states = hands.times * solved.stayed, hands.times * solved.states_per_hand
    kept, all_ = [0] * table.levels, [0] * table.levels
    turns = range(4) if table.asks_for_suit else range(1)  # a row may ask for a suit, but a class represents all suits
    for turn in turns:
        cards = turn_suits(hands.cards, turn)
        if more:
            found = np.diff(sets_below(cards, more, ranking, deck), axis=1).astype(np.int64)
        else:
            found = hand_counts.codes_of_rows(cards, *table.arrays)[:, None] == np.arange(table.levels)
        kept = [total + int(ways) for total, ways in zip(kept, (found * stays[:, None]).sum(axis=0), strict=True)]
        all_ = [total + int(ways) for total, ways in zip(all_, (found * states[:, None]).sum(axis=0), strict=True)]
    for code, row in reversed(list(enumerate(table.row_of_code))):  # the highest first, as the chapter has them
        yield row, False, kept[code] // len(turns)
        yield row, True, (all_[code] - kept[code]) // len(turns)


def hand_sizes(rules: Rules) -> tuple[int, int, bool]:
    """How many cards player and dealer get, and whether one of the dealer's is seen before a decision."""
    game = game_shape(rules)
    up = any(street.seen[DEALER] for street in game.streets)
    return game.cards.get(PLAYER, 0), game.cards.get(DEALER, 0), up


def states(rules: Rules, deck: Deck = FULL) -> States:
    main = main_settlement(rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next((fact for fact in main.asks if isinstance(fact, DealerHas)), None)
    return _states(compared.ranking, reaches.least if reaches else "", *hand_sizes(rules), deck)


@cache
def _states(ranking: Ranking, least: str, player: int, dealer: int, up: bool, deck: Deck) -> States:
    """Removal counting: of the sets that contain each subset of the player's cards, with the up card where there is one."""
    mine, theirs = rank_table(ranking, player, by_strength=True), rank_table(ranking, dealer, by_strength=True)
    threshold = theirs.least_code(least) if least else 0
    hands, cards = classes(player, deck), np.array(deck)
    codes = hand_counts.codes_of_rows(hands.cards, *mine.arrays)
    containing = _containing(ranking, dealer, min(player + up, dealer - 1), deck)
    how = int(up), dealer, threshold, *containing, CHOOSE, *theirs.arrays
    found = _joined(lambda a, b: KERNELS.against_dealer(hands.cards, codes, a, b, *how), len(hands))
    ups, found = found.shape[1], found.reshape(-1, found.shape[2])
    deals = np.full((len(hands), ups), comb(len(deck) - player - up, dealer - up))
    if up:
        apart = np.isin(np.arange(52), cards) & np.ones((len(hands), 1), dtype=bool)  # whether this card can be the dealer's
        apart[np.arange(len(hands))[:, None], hands.cards] = False
        deals[~apart] = 0
        found[~apart.reshape(-1)] = 0
    return States(player, ups, _compared(found, deals.reshape(-1), np.repeat(codes, ups), threshold), np.repeat(hands.times, ups))


def _compared(found: NDArray[Any], deals: NDArray[Any], codes: NDArray[Any], threshold: int) -> NDArray[Any]:
    """Turn counts of hands that are lower, equal and below the threshold into [state, reaches, compared]."""
    counts = np.zeros((len(found), 2, 3), dtype=np.int32)
    higher, equal = found[:, 0], found[:, 1]
    counts[:, 1, 2], counts[:, 1, 1], counts[:, 1, 0] = higher, equal, deals - higher - equal
    if threshold:
        short, below = found[:, 2], codes < threshold
        counts[:, 0, 2] = np.where(below, higher, short)
        counts[:, 0, 1] = np.where(below, equal, 0)
        counts[:, 0, 0] = np.where(below, short - higher - equal, 0)
        counts[:, 1] -= counts[:, 0]
    return counts


def _containing(ranking: Ranking, dealer: int, most: int, deck: Deck) -> tuple[NDArray[Any], ...]:
    """The tables that the kernels use: the dealer's hands that contain each set of up to `most` cards."""
    theirs, cards = rank_table(ranking, dealer, by_strength=True), np.array(deck)
    tables, rows = [np.zeros((0, theirs.levels + 1), dtype=np.int32)], [np.zeros(1, dtype=np.int32)]
    last = np.zeros((0, 1), dtype=np.int16)
    for size in range(most + 1):
        held = classes(size, deck).cards if size else np.zeros((1, 0), dtype=np.int64)
        if size == dealer - 1:
            last = _joined(lambda a, b, h=held: hand_counts.sorted_with_one_more(h, a, b, cards, *theirs.arrays), len(held))
        else:
            tables.append(sets_below(held, dealer - size, ranking, deck, by_strength=True))
        if size:
            rows.append(classes(size, deck).class_of + np.int32(0 if size == dealer - 1 else sum(map(len, tables[:-1]))))
    first = np.cumsum([0, *map(len, rows)])
    return first, np.concatenate(rows), np.concatenate(tables), last


def sets_below(held: NDArray[Any], more: int, ranking: Ranking, deck: Deck, *, by_strength: bool = False) -> NDArray[Any]:
    """For each set, how many supersets with `more` more cards have a code below each level."""
    table, cards = rank_table(ranking, held.shape[1] + more, by_strength=by_strength), np.array(deck)
    work = KERNELS.count_below
    return _joined(lambda a, b: work(held, a, b, cards, more, table.levels, *table.arrays), len(held))


def _joined(work: Any, count: int) -> NDArray[Any]:
    return np.concatenate(in_threads(work, count))


@cache
def row_codes(ranking: Ranking, cards: int, turn: int, deck: Deck) -> tuple[NDArray[np.int16], list[str]]:
    """The row of each hand up to suit symmetry, with its suits rotated, and the rows' names by code."""
    table = rank_table(ranking, cards)
    return hand_counts.codes_of_rows(turn_suits(classes(cards, deck).cards, turn), *table.arrays), table.row_of_code


def grouped(offer: Offer, size: int, turn: int, deck: Deck, priced: Callable[..., Worth]) -> Groups:
    """The hands, with suits rotated, grouped by the rows that the settlement asks for and by the choices they have."""
    main, choices = main_settlement(offer.rules), offer.rules.decisions[0].choices
    rows = [row_codes(fact.ranking, size, turn, deck) for fact in holds_asked(main)]
    may = [_may(choice.holding, size, turn, deck) for choice in choices]
    groups, first, group_of = np.unique(
        np.stack([*(codes for codes, _ in rows), *may], axis=1), axis=0, return_index=True, return_inverse=True
    )
    held = [tuple(names[code] for (_, names), code in zip(rows, group, strict=False)) for group in groups]
    prices = [[priced(choice, *facts) for facts in product(held, (False, True), COMPARED)] for choice in range(len(choices))]
    nets, scale = scaled(each.net for listed in prices for each in listed)
    worths = np.array(nets, dtype=np.int64).reshape(len(choices), len(held), 2, 3)
    return Groups(group_of.reshape(-1), np.array([each[first] for each in may], dtype=np.bool_), prices, worths, scale)


def _may(needed: Has | None, size: int, turn: int, deck: Deck) -> NDArray[np.bool_]:
    """Which hands satisfy what a choice needs."""
    hands = turn_suits(classes(size, deck).cards, turn)
    if needed is None:
        return np.ones(len(hands), dtype=np.bool_)
    table = rank_table(needed.ranking, size, by_strength=True)
    codes: NDArray[np.int16] = hand_counts.codes_of_rows(hands, *table.arrays)
    return codes >= table.least_code(needed.least)


def solve(offer: Offer, deck: Deck = FULL) -> SolvedDecision:
    """The best choice in every state and its outcomes. If a row asks for a suit, each suit is tried in turn."""
    main, known = main_settlement(offer.rules), states(offer.rules, deck)
    facts = holds_asked(main)
    turns = range(4) if any(rank_table(fact.ranking, known.size).asks_for_suit for fact in facts) else range(1)
    priced = cache(partial(price_choice, offer))  # the turns ask for the same prices
    found = [grouped(offer, known.size, turn, deck, priced) for turn in turns]
    outcomes, choices = Outcomes(), offer.rules.decisions[0].choices
    for groups in found:
        group_of = np.repeat(groups.group_of, known.ups)
        best, ends = hand_counts.best_choices(known.counts, known.times, group_of, groups.worths, groups.may)
        for choice, prices, counts in zip(choices, groups.prices, ends, strict=True):
            for each, count in reversed(list(zip(prices, counts.reshape(-1), strict=True))):  # the highest hand first
                outcomes.add(each, int(count), f"{choice.word}: {each.label}")
    outcomes.counts = {key: count // len(turns) for key, count in outcomes.counts.items()}
    folds = [number for number, choice in enumerate(choices) if choice.folds]
    dealt = known.counts.sum(axis=(1, 2)) > 0
    stayed = (~np.isin(best, folds) & dealt).reshape(-1, known.ups).sum(axis=1)
    return SolvedDecision(outcomes, best, known, found, stayed, int(dealt.reshape(-1, known.ups)[0].sum()))


def price_choice(offer: Offer, choice: int, held: tuple[str, ...], reaches: bool, compared: Any) -> Worth:
    """What a choice is worth when the player holds these rows."""
    main, decision = main_settlement(offer.rules), offer.rules.decisions[0]
    taken = decision.choices[choice]
    known: dict[Fact, Any] = dict(zip(holds_asked(main), held, strict=True))
    values = asked(main, offer, known | versus(main, reaches, compared), [taken])
    return worth(offer, main, values, unit_stakes(main, [(decision, taken)]))


def advise(offer: Offer, held: Cards, up: Cards, _: Cards) -> list[Advice]:
    """The value of each choice that these cards have, against all hands that the dealer may hold."""
    rules, known = offer.rules, states(offer.rules)
    at, goes = canonical_index(np.array(numbers(held)), CHOOSE)
    state = int(classes(known.size).class_of[at]) * known.ups + (int(moved_card(number(up[0]), goes)) if up else 0)
    rows = tuple(fact.ranking.row(held) for fact in holds_asked(main_settlement(rules)))
    found = []
    for choice, taken in enumerate(rules.decisions[0].choices):
        if not taken.holding or taken.holding.ranking.is_at_least(held, taken.holding.least):
            total = sum(
                int(known.counts[state, reaches, n]) * price_choice(offer, choice, rows, bool(reaches), compared).net
                for reaches in (0, 1)
                for n, compared in enumerate(COMPARED)
            )
            found.append(Advice(taken.word, Fraction(total) / int(known.counts[state].sum())))
    return found


def answers(offer: Offer, solved: SolvedDecision, _: Layout) -> SimulatedAnswers:
    known = solved.states
    tables = (known.size, known.ups, classes(known.size).class_of, solved.best, CHOOSE)
    return SimulatedAnswers(answer_once, tables, [((choice,), {}) for choice in offer.rules.decisions[0].choices])


def worth_always(offer: Offer, solved: SolvedDecision, choices: tuple[Choice, ...]) -> Fraction:
    return -solved.edge_of(np.full(len(solved.best), offer.rules.decisions[0].choices.index(choices[0])))
