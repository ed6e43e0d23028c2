"""The coach: the exact value of each choice, computed in a child process so that no table waits for it."""

from __future__ import annotations

import asyncio
import logging
from fractions import Fraction

import msgspec

from croupier.floor.processes.child_process import ChildFailed, ChildProcess
from croupier.money import percent

log = logging.getLogger("croupier.coach")
LONGEST = 600.0  # seconds for the first question about a game, which solves it
PATIENCE = 5.0  # seconds that a request waits
KEPT = 500  # answers
MOST_GAMES = 3  # processes


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


class Answer(msgspec.Struct, frozen=True):
    choices: tuple[Valued, ...] = ()
    assumes: str = ""
    problem: str = ""


class Coach:
    """One process for each game asked about. Answers are kept: the same cards always have the same values."""

    def __init__(self) -> None:
        self._games: dict[str, ChildProcess] = {}  # the last asked about is last
        self._known: dict[Question, Answer] = {}
        self._asked: dict[Question, asyncio.Task[Answer]] = {}

    async def ask(self, game: str, question: Question) -> Answer | None:
        """The answer, or None while it is still being computed: the work goes on, so ask again later."""
        if question in self._known:
            return self._known[question]
        task = self._asked.get(question)
        if task is None:
            task = self._asked[question] = asyncio.create_task(self._work(game, question))
        done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        return task.result() if done else None

    async def _work(self, game: str, question: Question) -> Answer:
        try:
            child = self._games.pop(game) if game in self._games else ChildProcess(LONGEST)
            self._games[game] = child
            await self._make_room(child)
            answer = await child.call(_answer, question)
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[question] = answer
            return answer
        except ChildFailed as problem:
            log.warning("no advice", extra={"reason": str(problem)})
            return Answer(problem="The coach lost its train of thought. Ask again.")
        finally:
            del self._asked[question]

    async def _make_room(self, wanted: ChildProcess) -> None:
        """Solved games take memory: stop the ones asked about longest ago, unless they are busy."""
        idle = [each for each in self._games.values() if each is not wanted and each.is_running and not each.is_busy]
        for each in idle[: max(0, len(idle) + 1 - MOST_GAMES)]:
            await each.stop()

    async def stop(self) -> None:
        for task in self._asked.values():
            task.cancel()
        await asyncio.gather(*self._asked.values(), *(child.stop() for child in self._games.values()), return_exceptions=True)


def _answer(question: Question) -> Answer:
    from croupier.cards import cards
    from croupier.law.cite import Refusal
    from croupier.odds.advice import advise, assumes
    from croupier.table.state import offer_of

    held, up, board = (cards(text) for text in (question.held, question.up, question.board))
    offer = offer_of(question.submission)
    try:
        found = [Valued(each.choice, str(each.value), *figures(each.value)) for each in advise(offer, held, up, board)]
        return Answer(tuple(found), assumes(offer, held, board))
    except Refusal as refusal:
        return Answer(problem=f"The coach cannot say: {refusal}")


def figures(value: Fraction) -> tuple[str, str]:
    """In units to six places and in percent to four, rounded half away from zero from the exact fraction.

    >>> figures(Fraction(-1, 3)), figures(Fraction(1, 2))
    (('-0.333333', '-33.3333%'), ('+0.500000', '+50.0000%'))
    """

    def signed(text: str) -> str:
        return text if text.startswith("-") or not text.strip("0.%") else f"+{text}"

    return signed(percent(value / 100, 6).replace(",", "")[:-1]), signed(percent(value).replace(",", ""))
