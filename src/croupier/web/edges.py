"""House edges for the pages: worked out by `croupier odds` in a process of its own, one filing after another, and kept by it.

The first time takes minutes of computing; until then a page says so. Nothing here waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from pathlib import Path

import msgspec

from croupier.filing.offer import Offer
from croupier.odds.prices import Prices, prices_kept
from croupier.table.state import offer_of
from croupier.web.children import croupier

log = logging.getLogger("croupier.odds")


class Edges:
    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled
        self._known: dict[str, Prices] = {}  # by the Offer's hash
        self._wanted: asyncio.Queue[str] = asyncio.Queue()
        self._asked: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._enabled:
            self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def want(self, submission: str) -> None:
        """Have the odds of a submission: at once where they were worked out before."""
        if submission in self._asked or not self._enabled:
            return
        self._asked.add(submission)
        offer = offer_of(submission)
        if found := prices_kept(offer):
            self._known[offer.hash] = found
        else:
            self._wanted.put_nowait(submission)

    def of(self, offer: Offer) -> Prices | None:
        """The prices of an Offer; None while they are being worked out."""
        return self._known.get(offer.hash)

    async def _work(self) -> None:
        while True:
            submission = await self._wanted.get()
            offer = offer_of(submission)
            try:
                self._known[offer.hash] = await _odds(offer.rules.number, offer.rules.edition.name, submission)
            except (OSError, ValueError, msgspec.MsgspecError) as problem:
                log.warning("no odds", extra={"game": offer.rules.number, "reason": str(problem)})
                continue


async def _odds(game: str, edition: str, submission: str) -> Prices:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "submission.toml"
        file.write_text(submission, encoding="utf-8")
        process = await asyncio.create_subprocess_exec(
            *croupier("odds", game, "--edition", edition, "--submission", str(file), "--json", nice=15),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # a stop from the keyboard is for the server, which ends this one too
        )  # fmt: skip
        try:
            out, err = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            raise
    if not out:  # with some wagers not counted it ends with 2, and what it prints says which
        raise ValueError(err.decode(errors="replace").strip()[-300:] or f"it ended with {process.returncode} and said nothing")
    return Prices(msgspec.json.decode(out))
