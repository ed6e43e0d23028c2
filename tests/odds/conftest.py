"""Work that takes seconds is done once for all tests and workers: kernels, games of two cards and a board, hands against six cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from croupier.filing.offer import Offer
from croupier.law.ranking import Ranking
from croupier.odds import counters
from croupier.odds.kernels.card_sets import FULL, Deck
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.solvers import against_dealer, boards
from croupier.odds.solvers.against_dealer import States
from croupier.odds.solvers.boards import SolvedBoards
from tests.sharing import alone, once

KERNELS = "croupier.odds.kernels."
compiled = Dispatcher.compile


def compile_alone(kernel: Any, signature: Any) -> Any:
    """In a fresh clone all test workers need the same kernels at once. One compiles them, and the others load the cached result."""
    if not kernel.__module__.startswith(KERNELS):  # numba's own functions call themselves and are not cached
        return compiled(kernel, signature)
    with global_compiler_lock, alone(f"kernel-{kernel.__module__}.{kernel.__name__}"):
        return compiled(kernel, signature)


Dispatcher.compile = compile_alone


@pytest.fixture(scope="session", autouse=True)
def hold_em_is_solved_once() -> Iterator[None]:
    """Keyed by everything a solution depends on: prices, tables and the deck. Offers that differ only in a side wager share one."""
    solve = boards.solve

    def shared(offer: Offer, deck: Deck = FULL) -> SolvedBoards:
        game = boards.BoardGame(offer, deck)
        words = [[choice.in_full for choice in said] for said in game.endings]
        asked = (words, game.boards, game.tree, game.cards, game.prices.prices)

        def work() -> SolvedBoards:
            return replace(solve(offer, deck), ranking=None)  # use the chapter's ranking, not a copy

        return replace(once("hold-em", asked, work), ranking=game.ranking)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "solve", shared)
        shared_counters = tuple(replace(each, solve=shared) if each.solve is solve else each for each in counters.COUNTERS)
        patch.setattr(counters, "COUNTERS", shared_counters)
        yield


@pytest.fixture(scope="session", autouse=True)
def hands_are_compared_once() -> Iterator[None]:
    """Keyed by the tables of the ranking, what the dealer needs, the sizes of the hands and the deck."""
    count = against_dealer._states

    @cache
    def shared(ranking: Ranking, least: str, player: int, dealer: int, up: bool, deck: Deck) -> States:
        tables = [rank_table(ranking, size, by_strength=True) for size in (player, dealer)]
        asked = ([table.arrays for table in tables], tables[1].least_code(least) if least else 0, player, dealer, up, deck)
        return once("compared", asked, lambda: count(ranking, least, player, dealer, up, deck))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(against_dealer, "_states", shared)
        yield
