"""Fold, or play at a multiple, in words (649a, 679a, 682a, and 641a with an up card): the lowest hand for each choice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANK_NAMES, Cards
from croupier.filing.offer import Offer
from croupier.law.fact import Compared, DealerHas
from croupier.law.ranking import Ranking, or_better
from croupier.law.wager import Choice
from croupier.odds.kernels import hand_counts
from croupier.odds.kernels.card_sets import Ints, classes, hand
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.solvers.against_dealer import SolvedDecision, States
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.strategy.vocabulary import StrategyText, an, bold, counting_hand, exactly_called, roughly_called
from croupier.odds.strategy_edge import TO_THE_LETTER

FORBIDDEN = -(1 << 50)  # less than any choice is worth


@dataclass
class SolvedHands:
    """A solved game of one decision, with its hands in order of strength."""

    offer: Offer
    solved: SolvedDecision

    @property
    def known(self) -> States:
        return self.solved.states

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        return tuple(self.offer.rules.decisions[0].choices)

    @cached_property
    def order(self) -> list[int]:
        return bold(self.offer.rules.decisions[0])

    @cached_property
    def ranking(self) -> Ranking:
        return next(fact for fact in main_settlement(self.offer.rules).asks if isinstance(fact, Compared)).ranking

    @cached_property
    def codes(self) -> Ints:
        """The strength of each hand up to suit symmetry."""
        table = rank_table(self.ranking, self.known.size, by_strength=True)
        return np.asarray(hand_counts.codes_of_rows(classes(self.known.size).cards, *table.arrays), dtype=np.int64)

    @cached_property
    def examples(self) -> dict[int, Cards]:
        """A hand of each strength."""
        first = zip(*np.unique(self.codes, return_index=True), strict=True)
        return {int(code): hand(classes(self.known.size).cards[at]) for code, at in first}

    @cached_property
    def groups(self) -> Ints:
        """For each state, the number of the group of hands that are settled alike."""
        return np.repeat(self.solved.turns[0].group_of, self.known.ups)

    @cached_property
    def may(self) -> NDArray[np.bool_]:
        """Which choices the hands of a group may make: [choice, group]."""
        return self.solved.turns[0].may

    @cached_property
    def worths(self) -> Ints:
        """The worths of the solution, but a hand that may not make a choice makes the next less bold one instead."""
        found = self.solved.turns[0].worths.copy()
        for bolder, next_bold in reversed(list(pairwise(self.order))):
            found[bolder, ~self.may[bolder]] = found[next_bold, ~self.may[bolder]]
        return found

    def values(self, levels: Ints, count: int) -> Ints:
        """What each choice is worth in all states of a level."""
        found: Ints = hand_counts.values_by_level(self.known.counts, self.known.times, self.groups, self.worths, levels, count)
        for choice, may in enumerate(self.may):
            if not may.all():  # no words tell a hand to do what it may not
                allowed, dealt = (np.bincount(levels, weights=hands, minlength=count) > 0 for hands in (may[self.groups], None))
                found[dealt & ~allowed, choice] = FORBIDDEN
        return found

    def edge(self, policy: NDArray[Any]) -> Fraction:
        """The exact edge when each state is played by this choice, or by the next less bold one that the hand may make."""
        for bolder, next_bold in pairwise(self.order):
            policy = np.where((policy == bolder) & ~self.may[bolder][self.groups], next_bold, policy)
        return self.solved.edge_of(policy)


def strategy_text(offer: Offer, solved: SolvedDecision) -> StrategyText:
    game = SolvedHands(offer, solved)
    words, policy = _exactly(game)
    boldest, least, fold = game.order[0], game.order[-2], game.order[-1]
    everywhere = np.full(len(policy), least)
    others = [(TO_THE_LETTER, game.edge(policy))]
    if boldest != least:
        rule, simple = _simply(game)
        others.append((f"simply: {rule}", game.edge(simple)))
    others.append((f"always {game.choices[least].word}", game.edge(everywhere)))
    if boldest != least:
        folds = solved.best == fold
        others.append((f"never more than {game.choices[least].word}", game.edge(np.where(folds, fold, least))))
        bold = ~folds & game.may[boldest][game.groups]  # others fold rather than bet less
        others.append((f"{game.choices[boldest].word} or fold", game.edge(np.where(bold, boldest, fold))))
    if reaches := next((fact for fact in main_settlement(offer.rules).asks if isinstance(fact, DealerHas)), None):
        good = np.array([game.ranking.is_at_least(hand(cards), reaches.least) for cards in classes(game.known.size).cards])
        policy = np.where(np.repeat(good, game.known.ups), least, fold)
        others.append((f"{game.choices[least].word} {or_better(reaches.least.lower())}", game.edge(policy)))
    return words, others


def _exactly(game: SolvedHands) -> tuple[list[str], Ints]:
    """The words, with the lowest hand for each choice against each up card; and the choice in each state."""
    known, count = game.known, int(game.codes.max()) + 1
    ups = np.tile(np.arange(known.ups) // 4, len(game.codes)) if known.ups > 1 else np.zeros(len(game.codes), dtype=np.int64)
    level_of = ups * count + np.repeat(game.codes, known.ups)
    values = game.values(level_of, int(ups.max() + 1) * count)
    words, policy = list[str](), np.empty(len(values), dtype=np.int64)
    for up in range(int(ups.max()) + 1):
        part = slice(up * count, (up + 1) * count)
        policy[part] = best_rule(game.order, values[part])
        weakest = {
            choice: next(code for code in range(cut, count) if code in game.examples) for choice, cut in _cuts(policy[part]).items()
        }
        names = {choice: exactly_called(game.ranking, game.examples[code]) for choice, code in weakest.items()}
        seen = f"Against {an(RANK_NAMES[up + 2])}: " if known.ups > 1 else ""
        words.append(f"{seen}{_rule(game, names)}.")
    return words, policy[level_of]


def _simply(game: SolvedHands) -> tuple[str, Ints]:
    """The best rule that asks for no more than the name of a hand and its first rank, whatever the dealer shows."""
    codes = sorted(game.examples)
    names = [_first_rank(game.ranking, game.examples[code]) for code in codes]
    rough = {name: number for number, name in enumerate(dict.fromkeys(names))}
    level_of_code = dict(zip(codes, (rough[name] for name in names), strict=True))
    level_of = np.repeat(np.array([level_of_code[int(code)] for code in game.codes]), game.known.ups)
    policy = best_rule(game.order, game.values(level_of, len(rough)))
    lowest = {level: game.examples[code] for code, level in reversed(level_of_code.items())}
    weakest = {choice: roughly_called(game.ranking, lowest[cut]) for choice, cut in _cuts(policy).items()}
    return _rule(game, weakest), policy[level_of]


def _first_rank(ranking: Ranking, held: Cards) -> tuple[int, int]:
    row, ranks = ranking.strength(counting_hand(ranking, held))
    return row, ranks[0]


def _cuts(rule: Ints) -> dict[int, int]:
    """The lowest level of each choice that is made at all."""
    choices, lowest = np.unique(rule, return_index=True)
    return dict(zip(choices.tolist(), lowest.tolist(), strict=True))


def _rule(game: SolvedHands, weakest: dict[int, str]) -> str:
    """The lowest hand for each choice, the boldest choice first."""
    played = [choice for choice in game.order if choice in weakest and not game.choices[choice].folds]
    parts = [f"{game.choices[choice].word} with {or_better(weakest[choice])}" for choice in played]
    return "; ".join([*parts, "otherwise fold"])


def best_rule(order: list[int], values: Ints) -> Ints:
    """The choices by level with the greatest sum, if a better hand never bets less. `order` has the boldest first."""
    levels, choices = values.shape
    best = np.full((choices, levels + 1), np.iinfo(np.int64).min // 2)
    came = np.zeros((choices, levels + 1), dtype=np.int64)
    best[0, levels] = 0
    for level in range(levels - 1, -1, -1):
        for choice in range(choices):
            before = best[: choice + 1, level + 1]
            came[choice, level] = int(np.argmax(before))
            best[choice, level] = int(before.max()) + int(values[level, order[choice]])
    at, policy = int(np.argmax(best[:, 0])), np.empty(levels, dtype=np.int64)
    for level in range(levels):
        policy[level] = order[at]
        at = int(came[at, level])
    return policy
