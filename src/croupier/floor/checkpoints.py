"""Signs what a floor writes: when it opens, every minute in which something was written, and when it closes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from croupier.ledger import Recorder
from croupier.ledger.checkpoint import Newest, named, newest, save
from croupier.ledger.signer import Signer

log = logging.getLogger("croupier.floor")
SECONDS = 60.0  # between two checkpoints


@dataclass(frozen=True)
class Signing:
    """How a ledger is signed."""

    signer: Signer
    seconds: float = SECONDS


class Checkpoints:
    """The checkpoints that one server process makes. Signing happens in a thread: the tables do not wait for it."""

    def __init__(self, recorder: Recorder, signing: Signing, clock: Callable[[], int]) -> None:
        self.recorder, self.signer, self.seconds, self.clock = recorder, signing.signer, signing.seconds, clock
        self.last = 0  # when the newest checkpoint known here was made
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Sign the ledger as it was left, before anything is written to it."""
        log.info("signing", extra={"public_key": self.signer.public_key.hex()})
        await asyncio.to_thread(self._sign, "start")
        self._task = asyncio.create_task(self._every_minute())

    async def close(self) -> None:
        """Sign what was written, after the last of it."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        try:
            await asyncio.to_thread(self._sign, "close")
        except Exception as problem:
            log.error("not signed", extra={"reason": str(problem)})

    async def _every_minute(self) -> None:
        while True:
            await asyncio.sleep(self.seconds)
            try:
                await asyncio.to_thread(self._sign, "minute")
            except Exception as problem:  # a signature can wait; the tables cannot
                log.error("not signed", extra={"reason": str(problem)})

    def _sign(self, why: str) -> None:
        before = newest(self.recorder)
        if self._is_due(before, why):
            save(self.recorder, self.signer, self.clock(), "stop" if why == "close" and self.recorder.shared else why)
            before = newest(self.recorder)
        self.last = before.says.at if before else 0

    def _is_due(self, before: Newest | None, why: str) -> bool:
        """The only process of a floor always signs when it opens and closes; others need not sign what is signed already."""
        if why != "minute" and not self.recorder.shared:
            return True
        if before and named(self.recorder.heads()) == before.heads:
            return False
        signed_lately = before and self.clock() - before.says.at < 500 * self.seconds  # by another process
        return not (signed_lately and why == "minute" and self.recorder.shared)
