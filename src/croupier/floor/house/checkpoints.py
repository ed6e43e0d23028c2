"""Signs what a floor writes: when it opens, every minute if something was written, and when it closes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock

from croupier.ledger import Recorder
from croupier.ledger.signatures.checkpoint import (
    NewestCheckpoint,
    NotContinued,
    checkpoint_heads,
    newest_checkpoint,
    sign_and_save,
    verify_continues,
)
from croupier.ledger.signatures.signer import Signer
from croupier.ledger.signatures.witness import FileWitness, Witness, WitnessDelivery

log = logging.getLogger("croupier.floor")
SECONDS_BETWEEN = 60.0  # between two checkpoints


@dataclass(frozen=True)
class Signing:
    """How a ledger is signed and witnessed. The next start compares the ledger with the file `record`."""

    signer: Signer
    seconds: float = SECONDS_BETWEEN
    record: FileWitness | None = None
    witnesses: Sequence[Witness] = ()


class Checkpoints:
    """The checkpoints that one server process makes. It signs in a thread, so tables do not wait."""

    def __init__(self, recorder: Recorder, signing: Signing, clock: Callable[[], int]) -> None:
        self.recorder, self.signer, self.seconds, self.clock = recorder, signing.signer, signing.seconds, clock
        self.last = 0  # when the newest known checkpoint was made
        self.foreign: dict[str, int] = {}  # the first entry of each stream that another program wrote to
        self._record = signing.record
        self._deliveries = [WitnessDelivery(witness) for witness in signing.witnesses]
        self._task: asyncio.Task[None] | None = None
        self._lock = Lock()
        self._unsigned: dict[str, int] | None = None  # at the start: the first entry of each stream that nobody had signed

    @property
    def waiting(self) -> int:
        """Checkpoints that a witness has not taken yet."""
        return max((len(each.waiting) for each in self._deliveries), default=0)

    async def open(self, *keys: bytes) -> dict[str, int]:
        """Check that this is the ledger that was left, and sign it before anything is written to it.

        The servers of a floor know each other's entries by the keys. Returns the first entry of each stream that nobody had signed.
        """
        log.info("signing", extra={"public_key": self.signer.public_key.hex()})
        unsigned = await asyncio.to_thread(self.begin, *keys) if self._unsigned is None else self._unsigned
        self._task = asyncio.create_task(self._every_minute())
        return unsigned

    def begin(self, *keys: bytes) -> dict[str, int]:
        """Do what `open` does, for a caller that has to write before the event loop runs."""
        self.recorder.hold(*keys)
        was_signed = newest_checkpoint(self.recorder) is not None  # a ledger that was never signed is accepted as it is
        unsigned = verify_continues(self.recorder, self.signer, self._record.last() if self._record else None)
        foreign = sorted(self.recorder.untagged(unsigned).items()) if was_signed else ()
        for stream, version in foreign:
            raise NotContinued(f"{stream}, version {version}: it is not signed, and no server with this house key wrote it.")
        self._unsigned = unsigned
        self._sign("start")
        return self._unsigned

    async def close(self) -> None:
        """Sign once more, after the last write."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        await self._sign_or_log("close")

    async def now(self, why: str) -> None:
        """Sign now; raises NotRecorded if that fails."""
        await asyncio.to_thread(self._sign, why)

    async def _every_minute(self) -> None:
        while True:
            await asyncio.sleep(self.seconds)
            await self._sign_or_log("minute")

    async def _sign_or_log(self, why: str) -> None:
        """Sign, but only log a failure: play goes on without a signature."""
        try:
            await asyncio.to_thread(self._sign, why)
        except Exception as problem:
            log.error("not signed", extra={"reason": str(problem)})

    def _sign(self, why: str) -> None:
        with self._lock:
            before = newest_checkpoint(self.recorder)
            if self._is_due(before, why):
                why = "stop" if why == "close" and self.recorder.shared else why
                checkpoint = sign_and_save(self.recorder, self.signer, self.clock(), why)
                for delivery in self._deliveries:
                    delivery.waiting.append(checkpoint)
                before = newest_checkpoint(self.recorder)
            self.last = before.content.at if before else 0
            self.recorder.hold()
            self._report_foreign()
            for delivery in self._deliveries:
                try:
                    delivery.deliver()
                except Exception as problem:
                    log.error("not witnessed", extra={"reason": str(problem)})

    def _report_foreign(self) -> None:
        """Log which entries another program wrote. They are not signed, and somebody has to look at them."""
        if (found := self.recorder.foreign()) != self.foreign:
            self.foreign = found
            places = ", ".join(f"{stream} from version {version:,} on" for stream, version in found.items())
            log.error("foreign entries", extra={"reason": places})

    def _is_due(self, before: NewestCheckpoint | None, why: str) -> bool:
        """Whether to sign: a floor's only process always signs when it opens and closes; others skip what is already signed."""
        if why != "minute" and not self.recorder.shared:
            return True
        if before and checkpoint_heads(self.recorder.heads()) == before.heads:
            return False
        signed_lately = before and self.clock() - before.content.at < 500 * self.seconds  # by another process
        return not (signed_lately and why == "minute" and self.recorder.shared)
