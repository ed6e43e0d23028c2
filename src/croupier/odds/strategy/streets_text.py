"""Three decisions in words (653a): by the two cards, by what they add to the Flop, and at the end by what would beat them.

Each rule asks only what a player can see, and of all such rules is the one that pays the most; playing it through the whole
tree gives its exact cost.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import ACE, RANK_NAMES
from croupier.filing.offer import Offer
from croupier.law.fact import DealerHas
from croupier.odds.kernels import board_features
from croupier.odds.kernels.card_sets import CHOOSE, classes, in_parts
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.solvers import streets
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.solution import holds_asked
from croupier.odds.solvers.streets import SolvedHoldEm
from croupier.odds.strategy.vocabulary import StrategyText, an

KERNELS: Any = board_features  # kernels take their tables in a row
HOLES = [(low, high) for high in range(52) for low in range(high)]
POCKET = np.array([low // 4 == high // 4 for low, high in HOLES])
UNSEEN = 45  # cards that a player has not seen at the end


def strategy_text(offer: Offer, solved: SolvedHoldEm) -> StrategyText:
    game = SolvedGame(offer, solved)
    first, second, last = offer.rules.decisions
    folding = next(choice.word for choice in last.choices if choice.folds)
    words = [f"Before the Flop {first.choices[0].word} with:", *_before_flop(game), f"and otherwise {first.choices[-1].word}."]
    words += [f"After the Flop {second.choices[0].word} with:", *game.after_flop.words, f"and otherwise {second.choices[-1].word}."]
    words += [f"At the end {last.choices[0].word} with:", *game.at_the_end.words, f"and otherwise {folding}."]
    return words, [
        ("these words to the letter", game.edge(game.total)),
        ("never before the Flop", game.edge(int(solved.at_once[2].sum()))),
        ("never before the end", game.edge(int(solved.ends.sum()))),
        (f"always {first.choices[0].word} at once", game.edge(int(solved.at_once[0].sum()))),
    ]


@dataclass
class SolvedGame:
    """The solved game, and what the rules in words are worth in it."""

    offer: Offer
    solved: SolvedHoldEm

    @cached_property
    def raised(self) -> NDArray[np.bool_]:
        """For two cards up to the suits: is a Play Wager made before the Flop?"""
        first = self.offer.rules.decisions[0]
        return np.array([bool(first.choices[int(each)].makes) for each in self.solved.best])

    @cached_property
    def rows(self) -> list[str]:
        return list(self.solved.ranking.ranking.rows)

    @cached_property
    def row_of_code(self) -> NDArray[np.int64]:
        return np.array([self.rows.index(row) for row in self.solved.ranking.row_of_code], dtype=np.int64)

    @cached_property
    def after_flop(self) -> AfterFlop:
        return AfterFlop(self)

    @cached_property
    def at_the_end(self) -> AtTheEnd:
        return AtTheEnd(self)

    @property
    def total(self) -> int:
        """What the three rules are worth over all deals, each board counted once for each of its ten Flops."""
        at_once = self.solved.at_once[:, self.raised].max(axis=0).sum()
        return int(at_once) + int(self.solved.plays[self.after_flop.played].sum()) + self.at_the_end.total

    def edge(self, total: int) -> Fraction:
        return -Fraction(total, self.solved.outcomes.deals * streets.scale(self.offer))


def _before_flop(game: SolvedGame) -> list[str]:
    lows: dict[int, dict[bool, list[int]]] = defaultdict(lambda: {True: [], False: []})
    pairs = []
    for cards, raised in zip(classes(2).cards.tolist(), game.raised.tolist(), strict=True):
        low, high = sorted(card // 4 + 2 for card in cards)
        if raised and low == high:
            pairs.append(low)
        elif raised:
            lows[high][cards[0] % 4 == cards[1] % 4].append(low)
    lines = [f"  a pair of {RANK_NAMES[min(pairs)]}s or better"] if _from(pairs, ACE).endswith(" or better") else []
    lines += [f"  a pair: {_from(pairs, ACE)}"] if pairs and not lines else []
    for high in sorted(lows, reverse=True):
        suited, mixed = (_from(sorted(lows[high][each]), high - 1) for each in (True, False))
        if suited == mixed == "any":
            lines.append(f"  any {RANK_NAMES[high]}")
        else:
            parts = [f"{each} {how}" for each, how in ((suited, "suited"), (mixed, "of two suits")) if each]
            lines.append(f"  {an(RANK_NAMES[high])} with {', '.join(parts).replace('any suited', 'any card suited')}")
    return lines


def _from(ranks: list[int], highest: int) -> str:
    """Some ranks in a few words: any, one and those above, or each by name.

    >>> _from([2, 3, 4], 4), _from([9, 10, 11], 11), _from([2, 9], 9), _from([], 9)
    ('any', '9 or better', '2 or 9', '')
    """
    if not ranks:
        return ""
    if sorted(ranks) == list(range(min(ranks), highest + 1)):
        return "any" if min(ranks) == 2 else f"{RANK_NAMES[min(ranks)]} or better"
    return " or ".join(RANK_NAMES[rank] for rank in sorted(ranks))


class AfterFlop:
    """Play with a row that the Flop does not show by itself, from some row on, and with four of a suit from some hole card on."""

    def __init__(self, game: SolvedGame) -> None:
        five = rank_table(game.solved.ranking.ranking, 5, by_strength=True)
        flops, self.names = classes(3), game.rows
        rows, suited = board_features.see_flops(flops.cards, five.plain, five.suited, game.row_of_code, CHOOSE)
        live = (rows >= 0) & ~game.raised[streets.suits().hole_class]
        gains = game.solved.plays - game.solved.ends
        shown = rows.max(axis=1)[:, None]  # the least that any two cards make of the Flop
        added = live & (rows < shown)
        self.lowest = _best_cut(gains, rows, added & ~POCKET, range(len(self.names)))
        self.lowest_in_pair = _best_cut(gains, rows, added & POCKET, range(len(self.names)))
        made = added & np.where(POCKET, rows <= self.lowest_in_pair, rows <= self.lowest)
        drawn = live & ~made & (suited > 0)
        self.suited = _best_cut(gains, suited, drawn, range(ACE, 1, -1))
        self.played = made | (drawn & (suited >= self.suited))
        self.pairs = {
            low // 4 + 2 for n, (low, _) in enumerate(HOLES) if POCKET[n] and not game.raised[streets.suits().hole_class[n]]
        }

    @property
    def words(self) -> list[str]:
        lines = [f"  {an(self.names[self.lowest].lower())} or better that the Flop does not show by itself"]
        if self.pairs and self.lowest_in_pair != self.lowest:
            held = " or ".join(f"{RANK_NAMES[rank]}s" for rank in sorted(self.pairs))
            lines[0] += f" (with a pair of {held} in hand: {self.names[self.lowest_in_pair].lower()} or better)"
        if self.suited <= ACE:
            lines.append(f"  four of a suit, a hole card of it {RANK_NAMES[self.suited]} or higher")
        return lines


def _best_cut(gains: NDArray[np.int64], seen: NDArray[Any], among: NDArray[np.bool_], ladder: range) -> int:
    """From the best step of a ladder down, the one down to which playing gains the most; before its start where nothing gains."""
    by_step = np.array([int(gains[among & (seen == step)].sum()) for step in ladder]).cumsum()
    return ladder[int(by_step.argmax())] if by_step.max() > 0 else ladder.start - ladder.step


class AtTheEnd:
    """Play while few enough of the unseen cards would beat the hand, were the dealer to hold one."""

    def __init__(self, game: SolvedGame) -> None:
        main, boards, moves = main_settlement(game.offer.rules), classes(5), streets.suits()
        ladder = holds_asked(main)[0].ranking
        priced = streets.prices(game.offer, list(ladder.rows))
        seven, six = game.solved.ranking, rank_table(game.solved.ranking.ranking, 6, by_strength=True)
        reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
        parts = in_parts(
            lambda a, b: KERNELS.see_ends(
                boards.cards, boards.times, a, b, moves.flop_class, moves.flop_suits, moves.moved, moves.hole_class, game.raised,
                game.after_flop.played, priced.table[-1], priced.fold_number, seven.least_code(reaches.least),
                streets.rows_by_code(seven, ladder), six.plain, six.suited, seven.plain, seven.suited, CHOOSE,
            ),
            len(boards),
        )  # fmt: skip
        self.worth: NDArray[np.int64] = np.sum(parts, axis=0)  # [unseen cards that beat the hand, fold or play]
        gains = (self.worth[:, 1] - self.worth[:, 0]).cumsum()
        self.fewer = int(gains.argmax()) + 1 if gains.max() > 0 else 0  # play with fewer than so many
        self.total = int(self.worth[: self.fewer, 1].sum() + self.worth[self.fewer :, 0].sum())

    @property
    def words(self) -> list[str]:
        return [f"  anything that fewer than {self.fewer} of the {UNSEEN} unseen cards would beat, were the dealer to hold one"]
