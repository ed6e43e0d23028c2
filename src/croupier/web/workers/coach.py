"""The coach: the exact value of each choice, and hands to practice on, computed in a child process so that no table waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, ParamSpec, TypeVar

import msgspec

from croupier.cards import cards
from croupier.filing.offer import Offer
from croupier.floor.processes.child_process import ChildProcess
from croupier.law.cite import Refusal
from croupier.money import percent
from croupier.table.choices.players import choice_words
from croupier.table.state import offer_of
from croupier.web.workers.jobs import Jobs
from croupier.wire import Card, Citation

if TYPE_CHECKING:
    from croupier.odds.advice import Advice
    from croupier.odds.training import HardHand

LONGEST = 600.0  # seconds for the first question about a game, which solves it
PATIENCE = 5.0  # seconds that a request waits
KEPT = 500  # answers
MOST_GAMES = 3  # processes
CLOSE = "0.1"  # units: the most that the second-best choice of a hard hand costs
DRILLS, DEALING = 12, 2.0  # hands to practice on in one answer, and the seconds after which fewer have to do
P = ParamSpec("P")
T = TypeVar("T")


class Question(msgspec.Struct, frozen=True):
    submission: str
    held: str
    up: str = ""
    board: str = ""


class Valued(msgspec.Struct, frozen=True):
    """A choice and its exact value: as a fraction of one unit, in units to six places, in percent to four."""

    choice: str
    exact: str
    units: str
    percent: str
    cards: tuple[str, ...] = ()  # to set as a hand
    words: Annotated[str, msgspec.Meta(description="The choice as the seat's button says it, without an amount.")] = ""


class CoachAnswer(msgspec.Struct, frozen=True):
    choices: tuple[Valued, ...] = ()
    assumes: str = ""
    hand: Annotated[str, msgspec.Meta(description="What a dealer would call your cards, where they make a hand.")] = ""


class Weighed(Valued, frozen=True, kw_only=True):
    """A choice with what it costs against the best one, in units to six places; “0.000000” is the best."""

    costs: str


class Drill(msgspec.Struct, frozen=True):
    """A decision to practice on: the cards that you see, and what each choice is worth, in the order of the chapter.

    `hand` is what a dealer would call your cards, where they make a hand. `unit` is the wager that counts as one.
    """

    held: tuple[Card, ...]
    up: Annotated[tuple[Card, ...], msgspec.Meta(description="The dealer's cards that lie face up.")]
    board: Annotated[tuple[Card, ...], msgspec.Meta(description="The community cards that lie face up.")]
    hand: str
    asks: Annotated[str, msgspec.Meta(description="What the decision lets you do, in a sentence.")]
    cite: Citation
    unit: str
    choices: tuple[Weighed, ...]
    assumes: str


Drills = tuple[Drill, ...]


class Coach:
    """One process for each game asked about. Answers are kept: the same cards always have the same values."""

    def __init__(self) -> None:
        self._games: dict[str, ChildProcess] = {}  # the last asked about is last
        self._answers: Jobs[Question, CoachAnswer | str] = Jobs(KEPT)
        self._dealt: Jobs[str, Drills | str] = Jobs(KEPT)  # by submission; kept until somebody takes them

    async def ask(self, game: str, question: Question) -> CoachAnswer | str | None:
        """The answer, or why there is none; None while it is still being computed: ask again later."""
        return await self._answers.ask(question, partial(self.call, game, _answer, question), PATIENCE)

    async def deal(self, game: str, submission: str) -> Drills | str | None:
        """Hands to practice on, new each time, or why there are none; None while they are being dealt: ask again later."""
        drills = await self._dealt.ask(submission, partial(self.call, game, _deal, submission), PATIENCE)
        if drills:
            self._dealt.forget(submission)
        return drills

    def prepare(self, game: str, submission: str) -> None:
        """Begin to solve a game and to deal hands of it, so that the next answer does not wait."""
        self._dealt.start(submission, partial(self.call, game, _deal, submission))

    async def call(self, game: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The value of a function in the process of a game, which stays for the next question about it."""
        child = self._games.pop(game, None) or ChildProcess(LONGEST)
        self._games[game] = child
        await self._make_room(child)
        return await child.call(function, *arguments, **named)

    async def _make_room(self, wanted: ChildProcess) -> None:
        """Solved games take memory: stop the ones asked about longest ago, unless they are busy."""
        idle = [each for each in self._games.values() if each is not wanted and each.is_running and not each.is_busy]
        for each in idle[: max(0, len(idle) + 1 - MOST_GAMES)]:
            await each.stop()

    async def stop(self) -> None:
        await asyncio.gather(self._answers.stop(), self._dealt.stop(), *(child.stop() for child in self._games.values()))


def _answer(question: Question) -> CoachAnswer | str:
    from croupier.odds.advice import advise, assumes, called

    held, up, board = (cards(text) for text in (question.held, question.up, question.board))
    offer = offer_of(question.submission)
    try:
        found = [
            Valued(each.choice, str(each.value), *units_and_percent(each.value), tuple(map(str, each.cards)), _said(offer, each))
            for each in advise(offer, held, up, board)
        ]
        return CoachAnswer(tuple(found), assumes(offer, held, up, board), called(offer.rules, (*held, *board)))
    except Refusal as refusal:
        return f"The coach cannot answer: {refusal}"


def _deal(submission: str) -> Drills | str:
    from croupier.odds.best_play import strategy
    from croupier.odds.strategy_edge import NOT_CLOSE
    from croupier.odds.training import hard_hands

    offer = offer_of(submission)
    try:
        if found := hard_hands(offer, Fraction(CLOSE), DRILLS, DEALING):
            return tuple(_drill(offer, each) for each in found)
        best = strategy(offer)
        short = f"{NOT_CLOSE}." if best.played.far else f"Best play in short: {' '.join(best.words)}"
        return f"This game has no close decisions to practice on. {short}"
    except Refusal as refusal:
        return f"The trainer cannot price this game: {refusal}"


def _drill(offer: Offer, hand: HardHand) -> Drill:
    from croupier.odds.advice import assumes, called
    from croupier.printed.content.round_steps import asked_words

    held, up, board = (tuple(map(str, seen)) for seen in (hand.held, hand.up, hand.board))
    return Drill(
        held=held,
        up=up,
        board=board,
        hand=called(offer.rules, (*hand.held, *hand.board)),
        asks=asked_words(offer, hand.decision),
        cite=str(hand.decision.cite),
        unit=hand.decision.base.name,
        choices=tuple(
            Weighed(
                hand.word(each),
                str(each.value),
                *units_and_percent(each.value),
                words=_said(offer, each),
                costs=units_and_percent(hand.best - each.value)[0].removeprefix("+"),
            )
            for each in hand.choices
        ),
        assumes=assumes(offer, hand.held, hand.up, hand.board),
    )


def _said(offer: Offer, advice: Advice) -> str:
    """A choice as the seat's button says it."""
    for decision in offer.rules.decisions:
        for choice in decision.choices:
            if advice.choice in (choice.word, f"{decision.name}: {choice.word}"):
                return choice_words(choice)
    return advice.choice[:1].upper() + advice.choice[1:]


def units_and_percent(value: Fraction) -> tuple[str, str]:
    """In units to six places and in percent to four, rounded half away from zero from the exact fraction.

    >>> units_and_percent(Fraction(-1, 3)), units_and_percent(Fraction(1, 2))
    (('-0.333333', '-33.3333%'), ('+0.500000', '+50.0000%'))
    """

    def signed(text: str) -> str:
        return text if text.startswith("-") or not text.strip("0.%") else f"+{text}"

    return signed(percent(value / 100, 6).replace(",", "")[:-1]), signed(percent(value).replace(",", ""))
