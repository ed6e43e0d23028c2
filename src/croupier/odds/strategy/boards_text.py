"""Two cards and a board in streets, in words: at each decision, the lowest hand for each choice.

Each rule asks only what a player can see, and of all such rules is the one that pays the most; playing it through the whole tree
gives its exact cost. In any game hands are graded by the ranking, and two cards alone by their ranks. Decisions as in 653a have
better words: by the two cards, by what they add to the Flop, and at the end by what would beat them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import ACE, RANK_NAMES
from croupier.filing.offer import Offer
from croupier.law.wager import Choice
from croupier.odds.kernels import board_streets as kernel
from croupier.odds.kernels.card_sets import CHOOSE, classes, indices
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.solvers.boards import FLOP, BoardGame, SolvedBoards, count_deals, ranges, values_of
from croupier.odds.strategy.one_decision_text import best_rule
from croupier.odds.strategy.plain_text import by_ranks, names_of, rule_in_words
from croupier.odds.strategy.vocabulary import StrategyText, an, bold, times_of
from croupier.odds.strategy_edge import TO_THE_LETTER

Grades = NDArray[np.int16]  # [board up to suit symmetry, two cards]
Picks = NDArray[np.int8]  # the same
HIGH, LOW = np.tril_indices(52, -1)  # the two cards of each set, in the order of `all_sets`
POCKET = LOW // 4 == HIGH // 4


def strategy_text(offer: Offer, solved: SolvedBoards) -> StrategyText:
    game = BoardGame(offer)
    return RaiseOrCheck(game, solved).text if _raise_or_check(game) else _by_grades(game, solved)


def worth_by_grade(game: BoardGame, picks: list[Picks], *, by_beaten: bool = False) -> NDArray[np.int64]:
    """What each ending is worth if this is answered before the whole board: [ending, grade].

    The grade of a hand is its code, or how many unseen cards would beat it if the dealer held one.
    """
    most = max([len(each) for each in game.histories[: game.early]], default=1)
    none, *answered = (np.repeat(each[:, :, None], most, axis=2) for each in (np.zeros((0, 1326), dtype=np.int8), *picks))
    played = kernel.StreetAnswers(np.concatenate([none, *answered[: game.levels]]), [*answered, none][game.levels], game.ways())
    deals, _ = count_deals(game, played, graded=True, by_beaten=by_beaten)
    return np.array([
        (deals[first] * game.prices.table[ending]).sum(axis=(1, 2, 3))
        for first, stop in game.tree.paths.tolist()
        for ending in range(first, stop)
    ])  # fmt: skip


def _edge(game: BoardGame, worth: NDArray[np.int64], last: NDArray[np.int64] | None) -> Fraction:
    """The exact edge if `last` is chosen at each grade with the whole board."""
    total = 0
    for (first, stop), decides in zip(game.tree.paths, game.tree.last >= 0, strict=True):
        here = worth[first:stop]
        total += int(here[last, np.arange(here.shape[1])].sum() if decides and last is not None else here.sum())
    return -Fraction(total, game.deals * len(game.ways()) * game.prices.scale)


# by grades


def _by_grades(game: BoardGame, solved: SolvedBoards) -> StrategyText:
    """Describe each decision once, after the smallest bets that continue."""
    history, picks, words = tuple[Choice, ...](), list[Picks](), list[str]()

    def describe(street: int, rule: NDArray[np.int64]) -> None:
        decision = game.streets[street].decision
        named = f"{decision.name}: " if len(game.streets) > 1 else ""
        words.append(named + rule_in_words(decision, rule, _names(game, street)))

    for street in range(game.early):
        grades = _grades(game, street)
        rule = _rule(game, street, history, _worth(game, solved, street, grades))
        picks.append(rule[grades].astype(np.int8))
        describe(street, rule)
        history += tuple(sorted((each for each in game.streets[street].decision.choices if each.goes_on), key=times_of)[:1])
    worth, last = worth_by_grade(game, picks), None
    if game.early < len(game.streets):
        last = _rule(game, game.early, history, np.array([worth[game.endings.index(row)] for row in game.answers(game.early)]))
        describe(game.early, last)
    return words, [(TO_THE_LETTER, _edge(game, worth, last))]


def _names(game: BoardGame, street: int) -> list[str]:
    """What the grades at a street are called, from the lowest up."""
    ranking, cards = game.ranking, 2 + game.boards[street]
    if cards >= ranking.size:
        return names_of(rank_table(ranking, cards, by_strength=True))
    return by_ranks(2)[1] if cards == 2 else ["any cards"]


def _grades(game: BoardGame, street: int) -> Grades:
    """The grade of each two cards with each board up to suit symmetry."""
    ranking, shown = game.ranking, classes(game.boards[street]).cards
    if 2 + shown.shape[1] >= ranking.size:
        tables = rank_table(ranking, 2 + shown.shape[1], by_strength=True).arrays
        found: Grades = kernel.codes_beside(shown, *tables, CHOOSE)
        return found
    return by_ranks(2)[0][None, 13 * (LOW // 4) + HIGH // 4] if not shown.shape[1] else np.zeros((len(shown), 1326), dtype=np.int16)


def _worth(game: BoardGame, solved: SolvedBoards, street: int, grades: Grades) -> NDArray[np.int64]:
    """What each answer before the whole board is worth in all deals of each grade."""
    answers = game.answers(street)
    if street == game.levels:
        _, _, by_path = values_of(game, grades)
        return np.array([by_path[game.paths.index(row)] for row in answers])
    found = np.zeros((len(answers), len(_names(game, street))), dtype=np.int64)
    for row in range(len(answers)):
        np.add.at(found[row], grades, solved.sums[street][:, row])
    return found


def _rule(game: BoardGame, street: int, history: tuple[Choice, ...], worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """The choice at each grade that pays the most, if a better hand never bets less."""
    start, stop = ranges(game.histories[street], game.answers(street))[game.histories[street].index(history)]
    return best_rule(bold(game.streets[street].decision), worth[start:stop].T)


# raise before the Flop or after it, or check; play at the end or fold


def _raise_or_check(game: BoardGame) -> bool:
    does = [[_does(choice) for choice in street.decision.choices] for street in game.streets]
    return (
        does == [["makes", "makes", "goes on"], ["makes", "goes on"], ["makes", "folds"]]
        and (game.boards, game.whole) == ([0, FLOP, 5], 5)
        and game.ranking.size == 5
    )


def _does(choice: Choice) -> str:
    """What a choice does, where it does one thing only."""
    does = {"makes": choice.makes, "goes on": choice.goes_on, "folds": choice.folds, "withdraws": choice.withdraws}
    return " and ".join(word for word, done in does.items() if done)


class RaiseOrCheck:
    """The rules of three decisions, and what they are worth."""

    def __init__(self, game: BoardGame, solved: SolvedBoards) -> None:
        self.game, self.solved = game, solved
        first = game.streets[0].decision
        self.at_once = solved.best[:1, :, 0]
        self.raised = np.array([bool(first.choices[pick].makes) for pick in self.at_once[0]])  # with these two cards
        self.after_flop = AfterFlop(game, solved, self.raised)

    @cached_property
    def worth(self) -> NDArray[np.int64]:
        """[ending, unseen cards that beat the hand]"""
        return worth_by_grade(self.game, [self.at_once, np.where(self.after_flop.played, 0, 1).astype(np.int8)], by_beaten=True)

    @cached_property
    def fewer(self) -> int:
        """Play at the end if fewer unseen cards than this would beat the hand if the dealer held one."""
        gains = self.worth[-2] - self.worth[-1]
        return 1 + _best_cut(gains, np.arange(len(gains)), np.True_, range(len(gains)))

    @property
    def text(self) -> StrategyText:
        first, second, last = (street.decision for street in self.game.streets)
        folding, unseen = next(choice.word for choice in last.choices if choice.folds), 52 - 2 - self.game.whole
        words = [f"Before the Flop {first.choices[0].word} with:", *self._before_flop(), f"and otherwise {first.choices[-1].word}."]
        words += [f"After the Flop {second.choices[0].word} with:", *self.after_flop.words]
        words += [f"and otherwise {second.choices[-1].word}.", f"At the end {last.choices[0].word} with:"]
        words += [f"  anything that fewer than {self.fewer} of the {unseen} unseen cards would beat if the dealer held one"]
        by_words = np.where(np.arange(self.worth.shape[1]) < self.fewer, 0, 1)
        at_once, after = (sums.sum(axis=(0, 2)).tolist() for sums in self.solved.sums)
        unit = self.game.deals * self.game.repeats(0) * self.game.prices.scale
        return [*words, f"and otherwise {folding}."], [
            (TO_THE_LETTER, _edge(self.game, self.worth, by_words)),
            ("never before the Flop", -Fraction(at_once[-1], unit)),
            ("never before the end", -Fraction(after[-1], unit)),
            (f"always {first.choices[0].word} at once", -Fraction(at_once[0], unit)),
        ]

    def _before_flop(self) -> Iterator[str]:
        lows: dict[int, dict[bool, list[int]]] = defaultdict(lambda: {True: [], False: []})
        pairs, cards = list[int](), classes(2).cards
        for (low, high), raised in zip(cards.tolist(), self.raised[indices(cards)], strict=True):
            if raised and low // 4 == high // 4:
                pairs.append(low // 4 + 2)
            elif raised:
                lows[high // 4 + 2][low % 4 == high % 4].append(low // 4 + 2)
        if (named := _from(pairs, ACE)).endswith(" or better"):
            yield f"  a pair of {RANK_NAMES[min(pairs)]}s or better"
        elif pairs:
            yield f"  a pair: {named}"
        for high in sorted(lows, reverse=True):
            suited, mixed = (_from(lows[high][each], high - 1) for each in (True, False))
            if suited == mixed == "any":
                yield f"  any {RANK_NAMES[high]}"
            else:
                parts = [f"{each} {how}" for each, how in ((suited, "suited"), (mixed, "offsuit")) if each]
                yield f"  {an(RANK_NAMES[high])} with {', '.join(parts).replace('any suited', 'any card suited')}"


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

    def __init__(self, game: BoardGame, solved: SolvedBoards, raised: NDArray[np.bool_]) -> None:
        table, flops = rank_table(game.ranking, FLOP + 2, by_strength=True), classes(FLOP).cards
        self.names = list(table.ranking.rows)
        on_flop = ((flops[:, :, None] == LOW) | (flops[:, :, None] == HIGH)).any(axis=1)
        row_of_code = np.array([self.names.index(row) for row in table.row_of_code])
        rows = np.where(on_flop, -1, row_of_code[kernel.codes_beside(flops, *table.arrays, CHOOSE)])
        suited, live, gains = _four_of_a_suit(flops), ~on_flop & ~raised, solved.sums[1][:, 0] - solved.sums[1][:, 1]
        added = live & (rows < rows.max(axis=1)[:, None])  # better than the least that any two cards make of the Flop
        self.lowest = _best_cut(gains, rows, added & ~POCKET, range(len(self.names)))
        self.lowest_in_pair = _best_cut(gains, rows, added & POCKET, range(len(self.names)))
        made = added & np.where(POCKET, rows <= self.lowest_in_pair, rows <= self.lowest)
        drawn = live & ~made & (suited > 0)
        self.suited = _best_cut(gains, suited, drawn, range(ACE, 1, -1))
        self.played = made | (drawn & (suited >= self.suited))
        self.pairs = sorted({*(LOW[POCKET & ~raised] // 4 + 2).tolist()})

    @property
    def words(self) -> list[str]:
        lines = [f"  {an(self.names[self.lowest].lower())} or better that the Flop does not show by itself"]
        if self.pairs and self.lowest_in_pair != self.lowest:
            held = " or ".join(f"{RANK_NAMES[rank]}s" for rank in self.pairs)
            lines[0] += f" (with a pair of {held} in hand: {self.names[self.lowest_in_pair].lower()} or better)"
        if self.suited <= ACE:
            lines.append(f"  four of a suit, a hole card of it {RANK_NAMES[self.suited]} or higher")
        return lines


def _four_of_a_suit(flops: NDArray[np.int64]) -> NDArray[np.int64]:
    """The higher hole card of a suit that has four cards with the Flop, 0 if there is none."""
    on_flop = (flops[:, :, None] % 4 == np.arange(4)).sum(axis=1)
    alike = 1 + (LOW % 4 == HIGH % 4)
    return np.maximum(*(np.where(on_flop[:, own % 4] + alike == 4, own // 4 + 2, 0) for own in (LOW, HIGH)))


def _best_cut(gains: NDArray[np.int64], seen: NDArray[Any], among: Any, ladder: range) -> int:
    """The step of a ladder, from the best down, down to which playing gains the most; before the first if nothing gains."""
    by_step = np.array([int(gains[among & (seen == step)].sum()) for step in ladder]).cumsum()
    return ladder[int(by_step.argmax())] if by_step.max() > 0 else ladder.start - ladder.step
