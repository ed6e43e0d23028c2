"""The solvers of main games, the fastest first, and the one that serves a chapter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.wager import Choice
from croupier.odds.solvers import against_dealer, boards, community, enumerator, hand_setting, streets
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.not_counted import NotCounted
from croupier.odds.solvers.shapes import Shape, shape_of, verify_stakes
from croupier.odds.solvers.solution import Advice, Solved


@dataclass(frozen=True)
class Solver:
    """What a module solves, in words and as a test of a shape; how; what each choice is worth; and the answers before."""

    known: str
    serves: Callable[[Shape], bool]
    solve: Callable[..., Solved]
    advise: Callable[[Offer, Cards, Cards, Cards], list[Advice]]
    before: Callable[[Offer, Cards, Cards, Cards], tuple[Choice, ...]]


SOLVERS = tuple(
    Solver(each.SERVES, each.serves, each.solve, each.advise, getattr(each, "before", lambda *_: ()))
    for each in (hand_setting, community, against_dealer, streets, boards, enumerator)
)


def solver(rules: Rules) -> Solver:
    """The solver for a main game. Raises `NotCounted` if none fits."""
    main, shape = main_settlement(rules), shape_of(rules)
    for each in SOLVERS:
        if each.serves(shape):
            verify_stakes(rules, main)
            if each.solve is enumerator.solve:
                enumerator.in_reach(rules, enumerator.work_of(rules, {}))
            return each
    known = "; ".join(each.known for each in SOLVERS)
    raise NotCounted(main, f"no solver knows this main game: {shape.words}", known)
