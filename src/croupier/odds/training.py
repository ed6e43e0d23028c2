"""Decisions to practice on: dealt at random, and kept only if the best choice is just a little better than the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from random import Random, SystemRandom
from time import monotonic

from croupier.cards import Cards, deck
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, PLAYER
from croupier.law.wager import Decision
from croupier.odds.advice import Advice, advise
from croupier.odds.solvers.shapes import game_shape

MOST_DEALS = 1000  # before concluding that a game has no hard hands


@dataclass(frozen=True)
class HardHand:
    """The cards that a player sees, what is asked, and what each choice is worth, in the order of the chapter."""

    held: Cards
    up: Cards
    board: Cards
    decision: Decision
    choices: tuple[Advice, ...]

    @property
    def best(self) -> Fraction:
        return max(each.value for each in self.choices)

    def word(self, choice: Advice) -> str:
        """What a player says."""
        return _word(self.decision, choice)


def hard_hands(offer: Offer, close: Fraction, count: int, seconds: float, chance: Random | None = None) -> list[HardHand]:
    """`count` hard hands, or those found within `seconds`; none if a thousand deals have none.

    `close` is the most that the second-best choice of a hard hand may cost, in units.
    """
    found, deals, until = list[HardHand](), _deals(offer, chance or SystemRandom()), 0.0
    for hand in islice(deals, MOST_DEALS):
        until = until or monotonic() + seconds  # the first deal may have to solve the game
        if is_hard(hand.choices, close) and _is_reached(offer, hand):
            found.append(hand)
        if found and (len(found) == count or monotonic() > until):
            break
    return found


def is_hard(choices: Sequence[Advice], close: Fraction) -> bool:
    """Whether the second-best choice costs something, but not much.

    >>> is_hard([Advice("play", Fraction(-9, 10)), Advice("fold", Fraction(-1))], Fraction(1, 10))
    True
    >>> is_hard([Advice("play", Fraction(-1)), Advice("fold", Fraction(-1))], Fraction(1, 10))
    False
    """
    best, *others = sorted((each.value for each in choices), reverse=True)
    return bool(others) and 0 < best - others[0] <= close


def _deals(offer: Offer, chance: Random) -> Iterator[HardHand]:
    """Random deals, each seen at one of the decisions."""
    streets, cards = game_shape(offer.rules).streets, deck(offer.rules.decks.jokers)
    while streets:
        street = chance.choice(streets)
        mine, theirs, shared = (street.seen.get(place, 0) for place in (PLAYER, DEALER, COMMUNITY))
        drawn = tuple(chance.sample(cards, mine + theirs + shared))
        held, up, board = drawn[:mine], drawn[mine : mine + theirs], drawn[mine + theirs :]
        valued = {_word(street.decision, each): each for each in advise(offer, held, up, board)}
        choices = tuple(valued[choice.word] for choice in street.decision.choices if choice.word in valued)
        yield HardHand(held, up, board, street.decision, choices)


def _is_reached(offer: Offer, hand: HardHand) -> bool:
    """Whether best play at the decisions before leads to this one."""
    for street in game_shape(offer.rules).streets:
        if street.decision is hand.decision:
            return True
        board = hand.board[: street.seen.get(COMMUNITY, 0)]
        best = _word(street.decision, advise(offer, hand.held, hand.up, board)[0])
        if not any(choice.goes_on for choice in street.decision.choices if choice.word == best):
            return False
    raise AssertionError("a decision that the game does not ask")


def _word(decision: Decision, advice: Advice) -> str:
    """The choice alone; advice on one of several decisions begins with its name."""
    return advice.choice.removeprefix(f"{decision.name}: ")
