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
from typing import Generic, TypeVar

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

S_co = TypeVar("S_co", bound=Solved, covariant=True)


@dataclass(frozen=True)
class GameCounter(Generic[S_co]):
    """What other packages need from a counter. It is asked only about what it solved itself."""

    known: str
    serves: Callable[[GameShape], bool]
    solve: Callable[..., S_co]
    advise: Callable[[Offer, Cards, Cards, Cards], list[Advice]]
    answers: Callable[[Offer, S_co, Layout], SimulatedAnswers]
    strategy_text: Callable[[Offer, S_co], StrategyText]
    before: Callable[[Offer, Cards, Cards, Cards], tuple[Choice, ...]] = lambda *_: ()
    worth_always: Callable[[Offer, S_co, tuple[Choice, ...]], Fraction] | None = None
    verify: Callable[[Rules], None] = lambda _: None  # refuses what would take too long


COUNTERS = (
    GameCounter(
        hand_setting.SERVES,
        hand_setting.serves,
        hand_setting.solve,
        hand_setting.advise,
        hand_setting.answers,
        setting_text.strategy_text,
    ),
    GameCounter(
        community.SERVES,
        community.serves,
        community.solve,
        community.advise,
        community.answers,
        community_text.strategy_text,
        before=community.before,
    ),
    GameCounter(
        against_dealer.SERVES,
        against_dealer.serves,
        against_dealer.solve,
        against_dealer.advise,
        against_dealer.answers,
        one_decision_text.strategy_text,
        worth_always=against_dealer.worth_always,
    ),
    GameCounter(
        boards.SERVES, boards.serves, boards.solve, boards.advise, boards.answers, boards_text.strategy_text, before=boards.before
    ),
    GameCounter(
        enumerator.SERVES,
        enumerator.serves,
        enumerator.solve,
        enumerator.advise,
        enumerator.answers,
        plain_text.strategy_text,
        before=enumerator.before,
        worth_always=enumerator.worth_always,
        verify=enumerator.verify,
    ),
)


def counter(rules: Rules) -> GameCounter[Solved]:
    """The counter of a main game. Raises `NotCounted` if none fits."""
    main, shape = main_settlement(rules), game_shape(rules)
    for each in COUNTERS:
        if each.serves(shape):
            verify_main_stakes(rules, main)
            each.verify(rules)
            return each
    known = "; ".join(each.known for each in COUNTERS)
    raise NotCounted(main, f"no solver supports this main game: {shape.words}", known)
