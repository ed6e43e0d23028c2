"""Documents for the administrator, made by `croupier print` in a process of its own: the tables never wait for a press.

The first print of a submission may have to work out its odds, which takes minutes. Whoever asks is told so, and asks again.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from croupier.filing.offer import Offer
from croupier.filing.submission import read_toml
from croupier.odds.prices import prices_kept
from croupier.printed.press import DOCUMENTS, FORMS
from croupier.table.state import offer_of
from croupier.web.children import croupier
from croupier.web.edges import Edges
from croupier.web.errors import Denied

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
Key = tuple[str, str, str]  # submission, document, form


class Sheet(msgspec.Struct, frozen=True):
    """A finished document: one file, or a folder of them packed into one."""

    name: str
    media: str
    data: bytes


class PrintShop:
    def __init__(self, edges: Edges) -> None:
        self.edges = edges
        self._jobs: dict[Key, asyncio.Task[Sheet]] = {}
        self._press = asyncio.Semaphore(1)

    async def ask(self, id: str, text: str, kind: str, form: str, wait: float) -> Sheet | str:
        """The document, or why it is not there yet."""
        if kind not in KINDS or form not in FORMS:
            raise Denied(404, "There is no such document.")
        _need_no_file(text)
        offer = offer_of(text)
        if kind not in WITHOUT_ODDS and not await asyncio.to_thread(has_odds, offer):
            self.edges.want(text)
            return "The odds of this submission are being worked out first; that takes some minutes."
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
        async with self._press:
            with tempfile.TemporaryDirectory(prefix="croupier-print-") as folder:
                file, out = Path(folder) / f"{id}.toml", Path(folder) / "out"
                file.write_text(text, encoding="utf-8")
                out.mkdir()
                await _run("print", kind, str(file), "-o", str(out), "--format", form)
                made = {each.name: each.read_bytes() for each in sorted(out.iterdir())}
        return _sheet(id, kind, made)


def has_odds(offer: Offer) -> bool:
    return prices_kept(offer) is not None


def _sheet(id: str, kind: str, made: dict[str, bytes]) -> Sheet:
    if not made:
        raise Denied(503, "The press gave nothing.")
    if len(made) == 1 and kind != ALL:
        ((name, data),) = made.items()
        return Sheet(f"{id}-{name}", MEDIA[Path(name).suffix[1:]], data)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in made.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # without a time: the same bytes each time
    return Sheet(f"{id}-{kind}.zip", MEDIA["zip"], packed.getvalue())


def _need_no_file(text: str) -> None:
    """The path of a logo is one of the submitter's machine; this one does not open files that a submission names."""
    printed = read_toml(text).get("printed")
    if isinstance(printed, Mapping) and printed.get("logo"):
        raise Denied(
            409, "The submission names a logo. The server opens no files for it: print it with `croupier print` beside its logo."
        )


async def _run(*arguments: str) -> bytes:
    """`croupier` with these arguments, behind everything else on the machine; what it prints."""
    process = await asyncio.create_subprocess_exec(
        *croupier(*arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), LONGEST)
    except (TimeoutError, asyncio.CancelledError):
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
    if process.returncode:
        said = err.decode(errors="replace").strip().splitlines()
        raise Denied(409, said[-1][:300] if said else "The document could not be made.")
    return out
