"""Players for the simulation: a main game, its best play and its side wagers as tables that a kernel deals against."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import JOKER
from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Compared, DealerHas, Place
from croupier.odds.analysis import Analysis
from croupier.odds.kernels import hand_counts
from croupier.odds.kernels.card_sets import CHOOSE, classes, number, turned
from croupier.odds.kernels.random_rounds import (
    BLOCK,
    JOKER_CARD,
    Answered,
    Layout,
    OnBoard,
    Sides,
    play_against_dealer,
    play_boards,
    play_community,
    play_deals,
    play_hold_em,
    play_saigon,
    start_of,
)
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.simulation.side_wagers import NOT_KNOWN, SimulatedWager, dealt_beside, played_sides, rounds_needed
from croupier.odds.solvers import against_dealer, boards, enumerator, hand_setting, streets
from croupier.odds.solvers.against_dealer import SolvedDecision, States
from croupier.odds.solvers.boards import SolvedBoards
from croupier.odds.solvers.community import Ending, Node, SolvedCommunity
from croupier.odds.solvers.dispatch import solver
from croupier.odds.solvers.enumerator import NOT_GRADED, SolvedDeals, Work
from croupier.odds.solvers.hand_setting import SolvedSetting
from croupier.odds.solvers.main_game import main_name, main_settlement
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import shape_of, verify_stakes
from croupier.odds.solvers.solution import Solved, asked, holds_asked, named_asked, scaled, unit_stakes, worth
from croupier.odds.solvers.streets import SolvedHoldEm


@dataclass
class Player:
    """Everything that a kernel needs to play a game."""

    wagers: list[SimulatedWager]
    kernel: Any
    layout: Layout
    sides: Sides
    tables: tuple[Any, ...]

    def nothing(self) -> NDArray[Any]:
        return np.zeros((len(self.wagers), 3), dtype=object)

    def play(self, seed: int, chunk: int, rounds: int) -> NDArray[Any]:
        """For each wager the sum and the sum of squares over seats and rounds, and the sum of squares of the rounds' totals."""
        sums, seats = np.zeros((len(self.wagers), 3), dtype=np.int64), BLOCK * self.layout.seats
        laid, (hands, folded, nets) = np.zeros((seats, self.layout.laid), dtype=np.int64), np.zeros((3, seats), dtype=np.int64)
        start = np.uint64(start_of(np.uint64(seed), np.uint64(chunk)))
        self.kernel(start, rounds, sums, self.layout, self.sides, laid, hands, folded, nets, *self.tables)
        return sums.astype(object)


def player(offer: Offer, strategy: str, seats: int) -> Player:
    """The player of a game at this many seats, with every wager that the Offer offers."""
    match Analysis(offer.rules, offer).solved(offer) if _is_solved(offer, strategy) else None:
        case SolvedDecision() as solved:
            return _against_dealer(offer, solved, strategy, seats)
        case SolvedHoldEm() as solved:
            return _hold_em(offer, solved, seats)
        case SolvedBoards() as solved:
            return _boards(offer, solved, seats)
        case SolvedCommunity() as solved:
            return _community(offer, solved, seats)
        case SolvedSetting() as solved:
            return _saigon(offer, solved, seats)
        case SolvedDeals() | None as solved:
            return _dealt_out(offer, solved, strategy, seats)
        case solved:
            raise AssertionError(f"no player for {type(solved).__name__}")


def _is_solved(offer: Offer, strategy: str) -> bool:
    """Whether best play is known. If it takes too long to find, rounds of another strategy can be dealt all the same."""
    try:
        solve = solver(offer.rules).solve
    except NotCounted:
        if strategy == "best" or not enumerator.serves(shape_of(offer.rules)):
            raise
        verify_stakes(offer.rules, main_settlement(offer.rules))
        return False
    if strategy != "best" and solve not in (against_dealer.solve, enumerator.solve):
        raise Refusal(f"“{strategy}” is not a strategy for this game", offer.rules.cite("11"), "best")
    return True


def main_wager(offer: Offer, solved: Solved | None, scale: int, exact: Fraction | None = None) -> SimulatedWager:
    rules, mean = offer.rules, -solved.edge if solved and exact is None else exact
    needs = rounds_needed(solved.outcomes) if solved else NOT_KNOWN
    return SimulatedWager(main_name(rules), main_settlement(rules).of.key, scale, mean, needs)


def _against_dealer(offer: Offer, solved: SolvedDecision, strategy: str, seats: int) -> Player:
    rules, main = offer.rules, main_settlement(offer.rules)
    known = solved.states
    size, dealer_size, _ = against_dealer.cards_of(rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next((fact for fact in main.asks if isinstance(fact, DealerHas)), None)
    mine, theirs = rank_table(compared.ranking, size, by_strength=True), rank_table(compared.ranking, dealer_size, by_strength=True)
    held, group_of = _groups(offer, size)
    choices = range(len(rules.decisions[0].choices))
    nets = [against_dealer.price(offer, *facts).net for facts in product(choices, held, (False, True), against_dealer.COMPARED)]
    numbers, scale = scaled(nets)
    worths = np.array(numbers, dtype=np.int64).reshape(len(choices), len(held), 2, 3)
    best, exact = solved.best, None
    if strategy != "best":
        best = np.zeros_like(best)
        exact = _worth_of_policy(known, group_of, worths, best) / (solved.outcomes.deals * scale)
        solved = replace(solved, stayed=np.full(len(classes(size)), solved.states_per_hand))
    layout = Layout(seats, size, dealer_size, dealt_beside(offer, COMMUNITY), dealt_beside(offer, FOURTH))
    played, sides = played_sides(offer, layout, solved)
    dealers = hand_counts.codes_of_all(dealer_size, *theirs.arrays, CHOOSE) if dealer_size < 6 else np.zeros(0, dtype=np.int16)
    return Player([main_wager(offer, solved, scale, exact), *played], play_against_dealer, layout, sides, (
        known.ups, classes(size).of, best, group_of, worths, theirs.least_code(reaches.least) if reaches else 0,
        hand_counts.codes_of_all(size, *mine.arrays, CHOOSE), dealers, theirs.arrays, CHOOSE,
    ))  # fmt: skip


def _groups(offer: Offer, size: int) -> tuple[list[tuple[str, ...]], NDArray[np.int16]]:
    """The rows that a hand may fill in the rankings that the main game asks for, and which of them each hand fills."""
    tables = [rank_table(fact.ranking, size) for fact in holds_asked(main_settlement(offer.rules))]
    codes = [hand_counts.codes_of_all(size, *table.arrays, CHOOSE) for table in tables]
    together = np.zeros(len(classes(size).of), dtype=np.int64)  # one group of all hands where no row is asked for
    for table, code in zip(tables, codes, strict=True):
        together = together * table.levels + code
    _, first, group_of = np.unique(together, return_index=True, return_inverse=True)
    held = [tuple(table.row_of_code[code[at]] for table, code in zip(tables, codes, strict=True)) for at in first]
    return held, group_of.reshape(-1).astype(np.int16)


def _worth_of_policy(known: States, group_of: NDArray[np.int16], worths: NDArray[np.int64], policy: NDArray[Any]) -> Fraction:
    """What a policy is worth over all deals. A row may ask for a suit, so each state is evaluated in all four suits."""
    total = 0
    for turn in range(4):
        cards = turned(classes(known.size).cards, turn)
        at = sum(CHOOSE[cards[:, place], place + 1] for place in range(known.size))
        groups = np.repeat(group_of[at], known.ups)
        total += int(hand_counts.value_of_policy(known.counts, known.times, groups, worths, policy.astype(np.int8)))
    return Fraction(total, 4)


def _hold_em(offer: Offer, solved: SolvedHoldEm, seats: int) -> Player:
    main = main_settlement(offer.rules)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
    ranking, ladder = rank_table(compared.ranking, 7, by_strength=True), holds_asked(main)[0].ranking
    priced, moves = streets.prices(offer, list(ladder.rows)), streets.suits()
    _, scale = scaled([each.net for listed in priced.prices for each in listed] + [priced.fold.net])
    layout = Layout(seats, 2, 2, 5)
    played, sides = played_sides(offer, layout, solved)
    return Player([main_wager(offer, solved, scale), *played], play_hold_em, layout, sides, (
        solved.best, solved.after_flop, moves.hole_class, moves.flop_class, moves.flop_suits, moves.moved, priced.table,
        priced.fold_number, ranking.least_code(reaches.least), streets.rows_by_code(ranking, ladder), *ranking.arrays, CHOOSE,
        solved.river, classes(5).of,
    ))  # fmt: skip


def _boards(offer: Offer, solved: SolvedBoards, seats: int) -> Player:
    plan, found = boards.Plan(shape_of(offer.rules)), boards.prices(offer)
    tree, kinds = plan.tree(found.table), [boards.boards_of(size) for size in plan.boards]
    river, bits = boards.river_of(plan, found) if plan.early < len(plan.boards) else (np.zeros((0, 0, 0), dtype=np.uint8), 1)
    layout = Layout(seats, 2, 2, plan.whole)
    played, sides = played_sides(offer, layout, solved)
    most = max(solved.picks.shape[2], solved.base.shape[2])
    picks = [np.pad(each, ((0, 0), (0, 0), (0, most - each.shape[2]))) for each in (solved.picks, solved.base)]
    answers = OnBoard(
        np.array(plan.boards, dtype=np.int64),
        np.cumsum([0, *(len(each.of) for each in kinds)]),
        np.cumsum([0, *(len(each.cards) for each in kinds)]),
        np.concatenate([each.of for each in kinds]),
        np.concatenate(picks), river, bits, tree.then, tree.items, tree.rivers, tree.folds, found.table,
    )  # fmt: skip
    tables = (answers, found.threshold, found.row_of_code, *found.ranking.arrays, CHOOSE)
    return Player([main_wager(offer, solved, found.scale), *played], play_boards, layout, sides, tables)


def _community(offer: Offer, solved: SolvedCommunity, seats: int) -> Player:
    """The tree of answers as rows: nodes from 0 up, endings from -1 down."""
    board, nodes, ends = solved.board, list[Node](), list[Ending]()

    def listed(node: Node) -> None:
        nodes.append(node)
        for then in node.then:
            listed(then) if isinstance(then, Node) else ends.append(then)

    listed(solved.first)
    number_of: dict[Node | Ending, int] = {each: n for n, each in enumerate(nodes)}
    number_of |= {each: -1 - n for n, each in enumerate(ends)}
    then = np.zeros((len(nodes), max(len(node.then) for node in nodes)), dtype=np.int64)
    for row, node in zip(then, nodes, strict=True):
        row[: len(node.then)] = [number_of[each] for each in node.then]
    sizes = sorted({node.size for node in nodes})
    starts = dict(zip(sizes, np.cumsum([0, *(len(classes(size).of) for size in sizes)]), strict=False))
    layout = Layout(seats, board.own, 0, board.cards - board.own)
    played, sides = played_sides(offer, layout, solved)
    return Player([main_wager(offer, solved, solved.scale), *played], play_community, layout, sides, (
        np.array([node.size for node in nodes]), np.array([starts[node.size] for node in nodes]),
        np.concatenate([classes(size).of for size in sizes]),
        np.cumsum([0, *(len(node.best) for node in nodes)]), np.concatenate([node.best for node in nodes]), then,
        np.stack([each.table for each in ends]), np.array([int(each.folds) for each in ends]), board.table.arrays, CHOOSE,
    ))  # fmt: skip


def _saigon(offer: Offer, solved: SolvedSetting, seats: int) -> Player:
    main = main_settlement(offer.rules)
    hands, alike, points = solved.hands, solved.alike, solved.points
    dealer = hand_setting.dealer_points(offer, hands, alike)
    mine_fact, theirs_fact = named_asked(main)
    stakes = unit_stakes(offer.rules, main)
    nets = [worth(offer, main, asked(main, offer, {mine_fact: m, theirs_fact: t}), stakes).net for m in points for t in points]
    numbers, scale = scaled(nets)
    worths = np.array(numbers, dtype=np.int64).reshape(len(points), -1)
    index = np.array([6**kind for kind in range(len(alike))], dtype=np.int64)  # a hand's counts as digits
    at = hands @ index
    order = np.argsort(at)
    kind_of = np.empty(53, dtype=np.int64)
    for kind, cards in enumerate(alike):
        for each in cards:
            kind_of[JOKER_CARD if each == JOKER else number(each)] = kind
    layout = Layout(seats, 5, 5)
    played, sides = played_sides(offer, layout, solved)
    tables = (kind_of, index, at[order], solved.best[order], dealer[order], worths)
    return Player([main_wager(offer, solved, scale), *played], play_saigon, layout, sides, tables)


def _dealt_out(offer: Offer, solved: SolvedDeals | None, strategy: str, seats: int) -> Player:
    """Any other game: what is best in every state, or always the first choice that needs no hand, which needs no solution."""
    shape, work, scale = shape_of(offer.rules), *((solved.work, solved.scale) if solved else _unsolved(offer))
    if 0 in work.asked_at:
        raise NotCounted(main_settlement(offer.rules), "no simulation knows a decision before any card", "cards in hand")
    fixed, exact = np.full(max(1, len(work.groups)), -1, dtype=np.int64), None
    if strategy != "best" and work.groups:
        choices = [work.streets[at].decision.choices for at, _ in work.groups]
        fixed = np.array([next(n for n, choice in enumerate(each) if not choice.holding) for each in choices], dtype=np.int64)
        if solved:
            counts = sum(part[0] for part in work.done(lambda _: NOT_GRADED, forced=fixed[:, None]))
            exact = Fraction(int((counts * work.worths).sum()), int(counts.sum()) * scale)
    cards = {place: max(count, dealt_beside(offer, place)) for place, count in {**dict.fromkeys(Place, 0), **shape.cards}.items()}
    layout = Layout(seats, cards[PLAYER], cards[DEALER], cards[COMMUNITY], cards[FOURTH])
    played, sides = played_sides(offer, layout, solved)
    wagers = [main_wager(offer, solved, scale, exact), *played]
    tables = (work.cards(), work.tables.compiled(), _answered(work, layout, fixed))
    return Player(wagers, play_deals, layout, sides, tables)


def _unsolved(offer: Offer) -> tuple[Work, int]:
    work, _, scale = enumerator.priced_work(offer)
    return work, scale


def _answered(work: Work, layout: Layout, fixed: NDArray[np.int64]) -> Answered:
    begins = {DEALER: 0, PLAYER: layout.dealer, COMMUNITY: layout.dealer + layout.player, FOURTH: layout.laid - 1}
    places = list[int]()
    for batch in work.tables.batches:
        places.append(begins[batch.place])
        begins[batch.place] += batch.count
    places += [0] * (len(work.sizes) - len(places))
    then = np.zeros((max(1, len(work.groups)), max((len(s.decision.choices) for s in work.streets), default=1)), dtype=np.int64)
    number_of: dict[Any, int] = {said: -1 - n for n, said in enumerate(work.said)}
    number_of |= {before: n for n, (_, before) in enumerate(work.groups)}
    for group, (at, before) in enumerate(work.groups):
        for n, choice in enumerate(work.streets[at].decision.choices):
            then[group, n] = number_of[(*before, choice)]
    states, picks = np.zeros((0, 2), dtype=np.int64), np.zeros((0, 1), dtype=np.int8)
    if work.groups and (fixed < 0).any():
        parts = work.done(keeps=True)
        states, picks = (np.concatenate([part[n] for part in parts]) for n in (3, 4))
        order = np.argsort(states[:, 0], kind="stable")  # the keys of each depth are in order already
        states, picks = states[order], picks[order]
    size, (cards, _, _) = work.sizes[0], work.first()
    indices = sum((CHOOSE[cards[:, place], place + 1] for place in range(size)), np.zeros(len(cards), dtype=np.int64))
    first = np.arange(CHOOSE[52, size]) if len(work.orders) == 1 or not size else classes(size).of.astype(np.int64)
    return Answered(
        np.array(places, dtype=np.int64), first, indices, np.array([work.asked_at[at] for at, _ in work.groups] or [0]),
        np.searchsorted(states[:, 0], np.arange(len(work.sizes) + 2)).astype(np.int64), np.ascontiguousarray(states[:, 1]), picks,
        fixed, then, work.worths, np.array([any(choice.folds for choice in said) for said in work.said], dtype=np.int64),
        number_of[()],
    )  # fmt: skip
