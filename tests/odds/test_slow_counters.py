"""The counters for games without a simple opponent, compared with slow and obvious ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from croupier import book
from croupier.cards import cards, deck
from croupier.law.fact import DEALER, Position
from croupier.odds.analysis import full_offer
from croupier.odds.kernels import board_streets
from croupier.odds.kernels.card_sets import FULL, classes, hand, number
from croupier.odds.solvers import boards, community, hand_setting
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.solution import holds_asked, named_asked


def test_643a_last_cards_are_counted_as_dealing_them_gives() -> None:
    ranking, random = holds_asked(main_settlement(book.find("643a").edition()))[0].ranking, Random(643)
    board = community.Board(ranking, 3, 5, FULL)
    for size, more in ((4, 1), (3, 2)):
        for state in random.sample(range(len(classes(size))), 24 // more):
            held = hand(classes(size).cards[state])
            slow = Counter(
                ranking.row((*held, *last)) for last in permutations([each for each in deck() if each not in held], more)
            )
            ways = zip(board.table.row_of_code, board.ways(size)[state], strict=True)
            assert {row: int(orders) for row, orders in ways if orders} == dict(slow)


@pytest.mark.thorough
def test_653a_the_dealers_hands_are_counted_as_the_chapter_compares_them() -> None:
    """Every two cards of the player with a few boards, twenty of them against all 990 dealer hands by the readable ranker."""
    game, random = boards.BoardGame(full_offer(book.find("653a").edition(), {}, {})), Random(653)
    ranking = game.ranking
    for b in random.sample(range(len(classes(5))), 3):
        numbers = classes(5).cards[b]
        hands, board = board_streets.count_dealers(numbers, game.cards), hand(numbers)
        for mine in random.sample([*combinations([each for each in deck() if each not in board], 2)], 7):
            strength, slow = ranking.strength((*mine, *board)), np.zeros((2, 3), dtype=int)
            for theirs in combinations([each for each in deck() if each not in (*mine, *board)], 2):
                other = ranking.strength((*theirs, *board))
                slow[int(ranking.is_at_least((*theirs, *board), "Pair")), 1 + (strength > other) - (strength < other)] += 1
            assert (slow == hands.counts[hands.hand_of[tuple(hands.kind_of[number(each)] for each in mine)]]).all()


@pytest.mark.thorough
def test_680a_the_dealers_hands_are_counted_as_dealing_them_gives() -> None:
    """Two player hands, one with the joker, against all 1,712,304 dealer hands. The chapter is asked once per five values."""
    offer = full_offer(book.find("680a").edition(), {}, {})
    theirs = named_asked(main_settlement(offer.rules))[1]
    solved = hand_setting.solve(offer)
    hands = solved.hands
    kind = {each: at for at, cards in enumerate(hands.kinds) for each in cards}
    points: dict[tuple[int, ...], int] = {}
    counts = hand_setting.beside_each(hands, solved.dealer, len(theirs.values))
    for held in ("Jk 3s 4d Ah Ac", "Kc 9d 7h 5s 2c"):
        mine = cards(held)
        slow: Counter[int] = Counter()
        for five in combinations([each for each in deck(1) if each not in mine], 5):
            values = tuple(sorted(kind[each] for each in five))
            if values not in points:
                points[values] = theirs.of(Position({DEALER: five}, readings=offer.readings))
            slow[points[values]] += 1
        held_by_kind = Counter(kind[each] for each in mine)
        row = next(row for row, found in enumerate(hands.counts.tolist()) if Counter(dict(enumerate(found))) == held_by_kind)
        assert {point: int(n) for point, n in zip(theirs.values, counts[row], strict=True) if n} == dict(slow)
