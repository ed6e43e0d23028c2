"""The counters of main games, the fastest first, and the one that serves a chapter.

A counter is a module of `solvers` and its words. The module has:

- `SERVES`: what it counts, in words; and `serves(shape)`, whether it can count a game of this shape
- `solve(offer)`: best play, as a `Solved`
- `advise(offer, held, up, board)`: what each choice is worth; and `before`, if it has several decisions, the best answers before
- `answers(offer, solved, layout)`: how simulated players answer
- `always(offer, solved, choices)`: what the same answers with all cards are worth, if it can tell
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.wager import Choice
from croupier.odds.kernels.random_rounds import Layout
from croupier.odds.solvers import against_dealer, boards, community, enumerator, hand_setting
from croupier.odds.solvers.main_game import NotCounted, main_settlement
from croupier.odds.solvers.shapes import GameShape, game_shape, verify_main_stakes
from croupier.odds.solvers.solution import Advice, SimulatedAnswers, Solved
from croupier.odds.strategy import boards_text, community_text, one_decision_text, plain_text, setting_text
from croupier.odds.strategy.vocabulary import StrategyText


@dataclass(frozen=True)
class GameCounter:
    """What other packages need from a counter."""

    known: str
    serves: Callable[[GameShape], bool]
    solve: Callable[..., Solved]
    advise: Callable[[Offer, Cards, Cards, Cards], list[Advice]]
    answers: Callable[[Offer, Any, Layout], SimulatedAnswers]
    strategy_text: Callable[[Offer, Any], StrategyText]
    before: Callable[[Offer, Cards, Cards, Cards], tuple[Choice, ...]]
    always: Callable[[Offer, Any, tuple[Choice, ...]], Fraction] | None
    verify: Callable[[Rules], Any]  # refuses what would take too long


COUNTERS = tuple(
    GameCounter(
        each.SERVES,
        each.serves,
        each.solve,
        each.advise,
        each.answers,
        words.strategy_text,
        getattr(each, "before", lambda *_: ()),
        getattr(each, "always", None),
        getattr(each, "verify", lambda _: None),
    )
    for each, words in (
        (hand_setting, setting_text),
        (community, community_text),
        (against_dealer, one_decision_text),
        (boards, boards_text),
        (enumerator, plain_text),
    )
)


def counter(rules: Rules) -> GameCounter:
    """The counter of a main game. Raises `NotCounted` if none fits."""
    main, shape = main_settlement(rules), game_shape(rules)
    for each in COUNTERS:
        if each.serves(shape):
            verify_main_stakes(rules, main)
            each.verify(rules)
            return each
    known = "; ".join(each.known for each in COUNTERS)
    raise NotCounted(main, f"no solver supports this main game: {shape.words}", known)
