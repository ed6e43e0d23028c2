"""Documents for the administrator, made in a child process so that no table waits for the press.

The odds of a submission are computed first, which takes minutes; until then the answer says so, and the browser asks again.
"""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from croupier.filing.offer import Offer
from croupier.filing.submission import read_toml
from croupier.law.cite import Refusal
from croupier.odds.prices import cached_prices
from croupier.printed.press import DOCUMENTS, FORMATS, Format, Printed, print_all, read_filing
from croupier.table.state import offer_of
from croupier.web.errors import Denied
from croupier.web.workers.jobs import Jobs, OneShotProcess
from croupier.web.workers.odds_worker import Edges

ALL = "all"
KINDS = (*DOCUMENTS, ALL)
WITHOUT_ODDS = ("layout", "sign", "submission")
LONGEST = 30 * 60.0  # seconds that a document may take
WAIT = 8.0  # seconds before the answer is “not ready yet”
KEPT = 12  # documents in memory
Key = tuple[str, str, Format]  # submission, document, format


class PrintedFile(msgspec.Struct, frozen=True):
    """A finished document: one file, or a folder of them packed into one."""

    name: str
    data: bytes


class PrintShop:
    def __init__(self, edges: Edges) -> None:
        self.edges = edges
        self._jobs: Jobs[Key, PrintedFile] = Jobs(KEPT)
        self._press = OneShotProcess(LONGEST)

    async def ask(self, id: str, text: str, kind: str, form: str) -> PrintedFile | str:
        """The document, or why it is not there yet."""
        if kind not in KINDS or form not in FORMATS:
            raise Denied(404, "There is no such document.")
        _need_no_file(text)
        offer = offer_of(text)
        if kind not in WITHOUT_ODDS and not await asyncio.to_thread(has_odds, offer):
            self.edges.want(text)
            return "The odds of this submission are being computed first; this takes a few minutes."
        sheet = await self._jobs.ask((id, kind, form), partial(self._print, id, text, kind, form), WAIT)
        return sheet or "The document is being created. Printing a submission for the first time takes a while."

    async def stop(self) -> None:
        await self._jobs.stop()

    async def _print(self, id: str, text: str, kind: str, form: Format) -> PrintedFile:
        made = await self._press.print(_printed, text, kind, form)
        if isinstance(made, str):
            raise Denied(409, made)
        return _sheet(id, kind, made)


def has_odds(offer: Offer) -> bool:
    return cached_prices(offer) is not None


def _sheet(id: str, kind: str, printed: Printed) -> PrintedFile:
    if not printed:
        raise Denied(503, "The document is empty.")
    if len(printed) == 1 and kind != ALL:
        ((name, data),) = printed.items()
        return PrintedFile(f"{id}-{name}", data)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in printed.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # without a time: the same bytes each time
    return PrintedFile(f"{id}-{kind}.zip", packed.getvalue())


def _need_no_file(text: str) -> None:
    """The path of a logo is on the submitter's machine; the server opens no file that a submission names."""
    printed = read_toml(text).get("printed")
    if isinstance(printed, Mapping) and printed.get("logo"):
        raise Denied(
            409,
            "The submission names a logo file, and the server does not open files named in submissions. Use `croupier print`.",
        )


def _printed(text: str, kind: str, form: Format) -> Printed | str:
    """In the child process: the files of a document by name, or why it is refused."""
    try:
        filed = read_filing(read_toml(text), Path())
        made = print_all([filed], list(DOCUMENTS) if kind == ALL else [kind], form)
        return dict(sorted((name, data) for files in made for name, data in files.items()))
    except Refusal as refusal:
        return str(refusal)
