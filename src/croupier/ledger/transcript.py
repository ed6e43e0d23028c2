"""An exported log: a file of JSON lines that verifies against the same chain, with sealed parts withheld or opened.

Each line ends with a checksum of the file so far, so that damage is found in its line.
"""

from __future__ import annotations

import os
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from croupier.ledger.canonical import canonical
from croupier.ledger.entry import Entry, genesis
from croupier.ledger.private_files import written_whole
from croupier.ledger.recorders.recorder import Altered, Head, Unreadable

FORMAT = 1
EVERYONE = "everyone"
SUM_DIGITS = 16

Withhold = Callable[[Entry], tuple[bytes, bytes]]  # what to export of the sealed part: the whole, and what is opened of it


class TranscriptLine(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of a transcript: an entry or, with nothing else, a checkpoint."""

    stream: str = ""
    version: int = 0
    body: str = ""
    sealed: str = ""
    open: str = ""
    hash: str = ""
    checkpoint: str = ""
    sum: str = ""  # added when the line is written


def write_transcript(
    path: str | Path,
    header: Mapping[str, Any],
    entries: Iterable[Entry],
    withhold: Withhold,
    checkpoints: Iterable[bytes] = (),
    *,
    overwrite: bool = False,
) -> None:
    """Write a transcript. The file appears under its name only when it is complete."""
    header = {"for": EVERYONE, **header, "croupier": "transcript", "format": FORMAT}
    so_far, heads, lines = sha256(), dict[str, Head](), 0
    try:
        with written_whole(Path(path), os.replace if overwrite else os.link, 0o644) as file:  # a link fails if the file exists
            for value in _lines(header, entries, withhold, checkpoints, heads):
                line = _summed(so_far.copy(), canonical(value))
                so_far.update(line)
                file.write(line)
                lines += 1
            file.write(_footer(heads, lines, so_far.hexdigest()))
    except FileExistsError:
        raise FileExistsError(f"{path} already exists; it was not changed.") from None


def _lines(
    header: Mapping[str, Any], entries: Iterable[Entry], withhold: Withhold, checkpoints: Iterable[bytes], heads: dict[str, Head]
) -> Iterator[Mapping[str, Any] | TranscriptLine]:
    yield header
    for entry in entries:
        sealed, opened = withhold(entry)
        body, hash_ = entry.body.decode(), entry.hash.hex()
        yield TranscriptLine(entry.stream, entry.version, body, sealed.decode(), opened.decode(), hash_)
        heads[entry.stream] = (entry.version, entry.hash)
    for checkpoint in checkpoints:
        yield TranscriptLine(checkpoint=checkpoint.decode())


def _summed(so_far: Any, value: bytes) -> bytes:
    so_far.update(value)
    return b'%b,"sum":"%b"}\n' % (value[:-1], so_far.hexdigest()[:SUM_DIGITS].encode())


def _footer(heads: Mapping[str, Head], lines: int, digest: str) -> bytes:
    named = {stream: [version, hash_.hex()] for stream, (version, hash_) in heads.items()}
    return canonical({"heads": named, "lines": lines, "sha256": digest}) + b"\n"


class Transcript:
    """A transcript, read like a recorder. Opening it reads the whole file once; only the positions of lines stay in memory."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.header: dict[str, Any] = {}
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("Q"))  # the offset of each version's line
        self._heads: dict[str, Head] = {}
        self._checkpoints: list[bytes] = []
        self._lock = Lock()
        try:
            self._file = self.path.open("rb")
        except OSError as problem:
            raise Unreadable(f"{path} cannot be read: {problem.strerror}.") from problem
        try:
            self._index()
        except BaseException:
            self._file.close()
            raise

    def _index(self) -> None:
        so_far = sha256()
        at = number = 0
        for number, line in enumerate(self._file, start=1):
            if line.startswith(b'{"heads":'):
                self._finish(number, line, so_far.hexdigest())
                return
            if number == 1:
                self._begin(line)
            end = len(line) - len(b',"sum":""}\n') - SUM_DIGITS
            if _summed(so_far.copy(), line[:end] + b"}") != line:
                raise self._damaged(number, "it is not as it was written")
            if number > 1:
                self._take(number, at, line)
            so_far.update(line)
            at += len(line)
        raise self._damaged(number + 1, "the end of the file is missing") if number else self._foreign()

    def _begin(self, line: bytes) -> None:
        try:
            header = msgspec.json.decode(line)
        except ValueError:
            raise self._foreign() if not line.startswith(b'{"') else self._damaged(1, "it is not as it was written") from None
        if not isinstance(header, dict) or header.get("croupier") != "transcript":
            raise self._foreign()
        if header.get("format") != FORMAT:
            found = header.get("format")
            raise Unreadable(f"{self.path}, line 1: the transcript has format {found}; this croupier reads format {FORMAT}.")
        header.pop("sum", None)
        self.header = header

    def _take(self, number: int, at: int, text: bytes) -> None:
        try:
            line = msgspec.json.decode(text, type=TranscriptLine)
            hash_ = bytes.fromhex(line.hash)
        except ValueError:
            raise self._damaged(number, "it is not a line of a transcript") from None
        if line.checkpoint:
            self._checkpoints.append(line.checkpoint.encode())
            return
        places = self._places[line.stream]
        if line.version != len(places) + 1:
            raise self._damaged(number, f"it has {line.stream} version {line.version} instead of version {len(places) + 1}")
        places.append(at)
        self._heads[line.stream] = (line.version, hash_)

    def _finish(self, number: int, line: bytes, digest: str) -> None:
        if line != _footer(self._heads, number - 1, digest):
            raise self._damaged(number, "the footer does not agree with the lines above it")
        if self._file.read(1):
            raise self._damaged(number + 1, "there is more after the footer")
        self._places.default_factory = None

    def _damaged(self, number: int, what: str) -> Altered:
        return Altered(str(self.path), number, what)

    def _foreign(self) -> Unreadable:
        return Unreadable(f"{self.path} is not a croupier transcript.")

    def _line(self, stream: str, version: int) -> TranscriptLine:
        with self._lock:
            self._file.seek(self._places[stream][version - 1])
            return msgspec.json.decode(self._file.readline(), type=TranscriptLine)

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        last = self.head(stream)[0]
        for version in range(after + 1, (last if limit is None else min(last, after + limit)) + 1):
            line = self._line(stream, version)
            yield Entry(stream, version, line.body.encode(), line.sealed.encode(), bytes.fromhex(line.hash))

    def opened(self, stream: str, version: int) -> bytes:
        """The part of an entry's sealed part that this transcript opens for its reader."""
        return self._line(stream, version).open.encode()

    def head(self, stream: str) -> Head:
        return self._heads.get(stream, (0, genesis(stream)))

    def streams(self) -> list[str]:
        return sorted(self._heads)

    def heads(self) -> dict[str, Head]:
        return dict(sorted(self._heads.items()))

    def checkpoints(self, *, newest_first: bool = False) -> Iterator[bytes]:
        return iter(self._checkpoints[:: -1 if newest_first else 1])

    def close(self) -> None:
        self._file.close()
