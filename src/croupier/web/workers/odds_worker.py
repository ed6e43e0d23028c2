"""House edges for the pages, computed in a child process, one filing after another, and cached on disk.

The first time takes minutes; until then a page says so. Nothing here waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from croupier.filing.offer import Offer
from croupier.floor.processes.child_process import ChildFailed, ChildProcess
from croupier.odds.prices import Prices, prices, prices_kept
from croupier.table.state import offer_of

log = logging.getLogger("croupier.odds")
LONGEST = 60 * 60.0  # seconds for one filing


class Edges:
    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled
        self._known: dict[str, Prices] = {}  # by the Offer's hash
        self._wanted: asyncio.Queue[str] = asyncio.Queue()
        self._asked: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self._child = ChildProcess(LONGEST, nice=15)

    def start(self) -> None:
        if self._enabled:
            self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._child.stop()

    def want(self, submission: str) -> None:
        """Ask for the odds of a submission; those computed before are there at once."""
        if submission in self._asked or not self._enabled:
            return
        self._asked.add(submission)
        offer = offer_of(submission)
        if found := prices_kept(offer):
            self._known[offer.hash] = found
        else:
            self._wanted.put_nowait(submission)

    def of(self, offer: Offer) -> Prices | None:
        """The prices of an Offer; None while they are being computed."""
        return self._known.get(offer.hash)

    async def _work(self) -> None:
        while True:
            submission = await self._wanted.get()
            offer = offer_of(submission)
            try:
                self._known[offer.hash] = Prices(await self._child.call(_report, submission))
            except ChildFailed as problem:
                log.warning("no odds", extra={"game": offer.rules.number, "reason": str(problem)})
            if self._wanted.empty():
                await self._child.stop()  # and give its memory back


def _report(submission: str) -> dict[str, Any]:
    """In the child process."""
    return prices(offer_of(submission)).report
