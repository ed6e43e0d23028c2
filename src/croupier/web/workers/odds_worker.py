"""House edges for the pages, computed in a child process, one filing after another, and cached on disk.

The first time takes minutes; until then a page says so. Nothing here waits for it.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from croupier.filing.offer import Offer
from croupier.floor.processes.child_process import ChildFailed
from croupier.odds.prices import Prices, cached_prices, prices
from croupier.table.state import offer_of
from croupier.web.workers.jobs import Jobs, OneShotProcess

log = logging.getLogger("croupier.odds")
LONGEST = 60 * 60.0  # seconds for one filing


class Edges:
    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled
        self._known: dict[str, Prices] = {}  # by the Offer's hash
        self._asked: set[str] = set()
        self._jobs: Jobs[str, None] = Jobs(1)
        self._press = OneShotProcess(LONGEST, nice=15)

    async def stop(self) -> None:
        await self._jobs.stop()

    def want(self, submission: str) -> None:
        """Request the odds of a submission. If they were computed before, they are available at once."""
        if submission in self._asked or not self._enabled:
            return
        self._asked.add(submission)
        offer = offer_of(submission)
        if found := cached_prices(offer):
            self._known[offer.hash] = found
        else:
            self._jobs.start(submission, partial(self._compute, submission, offer))

    def of(self, offer: Offer) -> Prices | None:
        """The prices of an Offer; None while they are being computed."""
        return self._known.get(offer.hash)

    async def _compute(self, submission: str, offer: Offer) -> None:
        try:
            self._known[offer.hash] = Prices(await self._press.print(_report, submission))
        except ChildFailed as problem:
            log.warning("no odds", extra={"game": offer.rules.number, "reason": str(problem)})


def _report(submission: str) -> dict[str, Any]:
    """In the child process."""
    return prices(offer_of(submission)).report
