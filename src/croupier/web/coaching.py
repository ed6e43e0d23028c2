"""The coach: exact values of each choice, worked out in a process of its own so that no table waits for it.

The process reads questions and writes answers as lines of JSON. It ends when its questions end, and with the server.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from fractions import Fraction

import msgspec

from croupier.web.children import command

log = logging.getLogger("croupier.coach")
LONGEST = 600.0  # seconds for the first question of a game, in which its odds are solved
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
    lost: bool = False  # a fault of the coach's, which may be gone the next time


class Coach:
    """One process for each game that is asked about; what was answered is kept, for the same cards come with the same values."""

    def __init__(self) -> None:
        self._workers: dict[str, Worker] = {}
        self._known: dict[Question, Answer] = {}
        self._asked: dict[Question, asyncio.Task[Answer]] = {}

    async def ask(self, game: str, question: Question) -> Answer | None:
        """The answer, or None while it is still being worked out: the work goes on, and may be asked for again."""
        if question in self._known:
            return self._known[question]
        task = self._asked.get(question)
        if task is None:
            task = self._asked[question] = asyncio.create_task(self._work(game, question))
        done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        return task.result() if done else None

    async def _work(self, game: str, question: Question) -> Answer:
        try:
            worker = self._workers.setdefault(game, Worker())
            await self._make_room(worker)
            answer = await worker.ask(question)
            if not answer.lost:
                if len(self._known) >= KEPT:
                    self._known.clear()
                self._known[question] = answer
            return answer
        finally:
            del self._asked[question]

    async def _make_room(self, wanted: Worker) -> None:
        """Solved games take memory: those not asked for longest go, unless they are at work."""
        idle = [each for each in self._workers.values() if each is not wanted and not each.is_busy and each.process]
        idle.sort(key=lambda each: each.used)
        for each in idle[: max(0, len(idle) + 1 - MOST_GAMES)]:
            await each.stop()

    async def stop(self) -> None:
        for task in self._asked.values():
            task.cancel()
        await asyncio.gather(*self._asked.values(), *(worker.stop() for worker in self._workers.values()), return_exceptions=True)


class Worker:
    """A process that knows one game, and answers one question after another."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.used = 0.0
        self._turn = asyncio.Lock()

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    async def ask(self, question: Question) -> Answer:
        async with self._turn:
            self.used = asyncio.get_running_loop().time()
            if self.process is None or self.process.returncode is not None:
                self.process = await _start()
            try:
                return await _exchange(self.process, question)
            except (OSError, TimeoutError, msgspec.MsgspecError) as problem:
                log.warning("no advice", extra={"reason": str(problem) or type(problem).__name__})
                await self.stop()
                return Answer(problem="The coach has lost the thread. Ask again.", lost=True)
            except asyncio.CancelledError:
                await self.stop()  # an answer that nobody waits for would be taken for the next one's
                raise

    async def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _exchange(process: asyncio.subprocess.Process, question: Question) -> Answer:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(question) + b"\n")
    await process.stdin.drain()
    line = await asyncio.wait_for(process.stdout.readline(), LONGEST)
    return msgspec.json.decode(line, type=Answer)


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command("-m", "croupier.web.coaching"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )


def main() -> None:
    """The process."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(_answer(msgspec.json.decode(line, type=Question))) + b"\n")
        sys.stdout.buffer.flush()


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
    """In units to six places and in percent to four, rounded half away from nothing from the exact fraction.

    >>> figures(Fraction(-1, 3)), figures(Fraction(1, 2))
    (('-0.333333', '-33.3333%'), ('+0.500000', '+50.0000%'))
    """

    def decimal(number: Fraction, places: int) -> str:
        whole = int(abs(number) * 10**places * 2 + 1) // 2
        sign = "-" if number < 0 and whole else "+" if whole else ""
        return f"{sign}{whole // 10**places}.{whole % 10**places:0{places}d}"

    return decimal(value, 6), f"{decimal(value * 100, 4)}%"


if __name__ == "__main__":
    main()
