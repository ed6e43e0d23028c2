"""Documents for the administrator, made in a child process so that no table waits for the press.

The odds of a submission are computed first, which takes minutes; until then the answer says so, and the browser asks again.
"""

from __future__ import annotations

import asyncio
import io
import logging
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from croupier.filing.offer import Offer
from croupier.filing.submission import read_toml
from croupier.floor.processes.child_process import ChildFailed, ChildProcess
from croupier.law.cite import Refusal
from croupier.odds.prices import prices_kept
from croupier.printed.press import DOCUMENTS, FORMS, Form, Printed, print_all, read_filing
from croupier.table.state import offer_of
from croupier.web.errors import Denied
from croupier.web.workers.odds_worker import Edges

log = logging.getLogger("croupier.print")
ALL = "all"
KINDS = (*DOCUMENTS, ALL)
WITHOUT_ODDS = ("layout", "sign", "submission")
LONGEST = 30 * 60.0  # seconds that a document may take
KEPT = 12  # documents in memory
MEDIA: Mapping[str, str] = {
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "html": "text/html; charset=utf-8",
    "png": "image/png",
    "zip": "application/zip",
}
Key = tuple[str, str, Form]  # submission, document, format


class Sheet(msgspec.Struct, frozen=True):
    """A finished document: one file, or a folder of them packed into one."""

    name: str
    media: str
    data: bytes


class PrintShop:
    def __init__(self, edges: Edges) -> None:
        self.edges = edges
        self._jobs: dict[Key, asyncio.Task[Sheet]] = {}
        self._press = ChildProcess(LONGEST)

    async def ask(self, id: str, text: str, kind: str, form: str, wait: float) -> Sheet | str:
        """The document, or why it is not there yet."""
        if kind not in KINDS or form not in FORMS:
            raise Denied(404, "There is no such document.")
        _need_no_file(text)
        offer = offer_of(text)
        if kind not in WITHOUT_ODDS and not await asyncio.to_thread(has_odds, offer):
            self.edges.want(text)
            return "The odds of this submission are being computed first; this takes a few minutes."
        job = self._job((id, kind, form), text)
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(job), wait)
        return "The document is being made. The first print of a submission takes a while."

    def _job(self, key: Key, text: str) -> asyncio.Task[Sheet]:
        job = self._jobs.pop(key, None)
        if job is None or (job.done() and (job.cancelled() or job.exception())):
            job = asyncio.create_task(self._print(key, text))
        self._jobs[key] = job  # the newest last
        for old in [each for each in self._jobs if self._jobs[each].done()][:-KEPT]:
            del self._jobs[old]
        return job

    async def stop(self) -> None:
        for job in self._jobs.values():
            job.cancel()
        await asyncio.gather(*self._jobs.values(), return_exceptions=True)

    async def _print(self, key: Key, text: str) -> Sheet:
        id, kind, form = key
        try:
            made = await self._press.call(_printed, text, kind, form)
            await self._press.stop()  # and give its memory back
        except ChildFailed as problem:
            log.warning("no document", extra={"reason": str(problem)})
            raise Denied(503, "The document could not be made. Try again, or look in the server's log.") from None
        if isinstance(made, str):
            raise Denied(409, made)
        return _sheet(id, kind, made)


def has_odds(offer: Offer) -> bool:
    return prices_kept(offer) is not None


def _sheet(id: str, kind: str, made: Printed) -> Sheet:
    if not made:
        raise Denied(503, "The document is empty.")
    if len(made) == 1 and kind != ALL:
        ((name, data),) = made.items()
        return Sheet(f"{id}-{name}", MEDIA[Path(name).suffix[1:]], data)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in made.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # without a time: the same bytes each time
    return Sheet(f"{id}-{kind}.zip", MEDIA["zip"], packed.getvalue())


def _need_no_file(text: str) -> None:
    """The path of a logo is on the submitter's machine; the server opens no file that a submission names."""
    printed = read_toml(text).get("printed")
    if isinstance(printed, Mapping) and printed.get("logo"):
        raise Denied(
            409,
            "The submission names a logo, and the server opens no file that a submission names. Print it with `croupier print`.",
        )


def _printed(text: str, kind: str, form: Form) -> Printed | str:
    """In the child process: the files of a document by name, or why it is refused."""
    try:
        filed = read_filing(read_toml(text), Path())
        made = print_all([filed], list(DOCUMENTS) if kind == ALL else [kind], form)
        return dict(sorted((name, data) for files in made for name, data in files.items()))
    except Refusal as refusal:
        return str(refusal)
