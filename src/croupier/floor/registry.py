"""Registries: what the floor knows beside its tables. Each is a stream of the same log, and a state that is the fold of its events.

Several processes may write to one stream. A wish is decided on what the log says now; where another process wrote first, it is
decided anew. Every read looks at the log first, so that nobody acts on what another process has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import RLock
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from croupier.floor.house import Damaged, now_in_milliseconds
from croupier.law.cite import Refusal
from croupier.ledger import Conflict, Entry, Recorder, Unit, follow, genesis
from croupier.ledger.canonical import canonical
from croupier.ledger.entry import link
from croupier.table.events import NotAnEvent

TRIES = 200  # how often a wish is decided anew when another process wrote first
LONGEST = 500  # characters of what somebody wrote for people to read

Plain = dict[str, Any]


class Denied(Refusal):
    """A wish in the house's own affairs that is not granted. No clause of the code speaks of it, so none is cited.

    >>> print(Denied("the name Ann is taken", "another name"))
    the name Ann is taken. Accepted: another name.
    """

    def __init__(self, said: str, accepted: str = "", kind: str = "refused") -> None:
        super().__init__(said, "", accepted)
        self.kind = kind  # "refused", "unknown", "not allowed" or "malformed"

    def __str__(self) -> str:
        return f"{self.said}." + (f" Accepted: {self.accepted}." if self.accepted else "")


class Happened(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="event"):
    """What every event of a registry says."""

    v: int
    at: int
    by: str = ""  # the user who did it; nobody where the house did, or the person of whom it tells
    seal: str = ""  # commits to the sealed part of the entry

    @property
    def who(self) -> str:
        """Whose deed it is, for the audit."""
        return self.by or "the house"

    def says(self) -> str:
        """What was done, for the audit; nothing if the audit need not tell it."""
        return ""


E = TypeVar("E", bound=Happened)


class _Versioned(msgspec.Struct, frozen=True):
    v: int


_read_version = msgspec.json.Decoder(_Versioned).decode


class Form(Generic[E]):
    """How the events of a stream are written and read. Upcasters lift one version at a time: plain data in, the next one's out."""

    def __init__(self, kinds: Any, version: int, upcasters: Mapping[int, Callable[[Plain], Plain]] | None = None) -> None:
        self.kinds, self.version, self.upcasters = kinds, version, upcasters or {}
        self._decode = msgspec.json.Decoder(kinds).decode

    def write(self, event: E) -> bytes:
        return canonical(event)

    def read(self, body: bytes) -> E:
        """An event from the log, lifted to the newest version where it is older."""
        try:
            if _read_version(body).v == self.version:
                event: E = self._decode(body)
            else:
                event = msgspec.convert(self.lift(msgspec.json.decode(body)), self.kinds)
        except (msgspec.DecodeError, msgspec.ValidationError, KeyError, TypeError) as problem:
            raise NotAnEvent(f"not an event of this registry: {problem}") from None
        return event

    def lift(self, data: Plain) -> Plain:
        while (version := data["v"]) < self.version:
            data = self.upcasters[version](data) | {"v": version + 1}
        if version > self.version:
            raise NotAnEvent(f"an event of version {version}; this Croupier reads up to {self.version}")
        return data

    def open(self, entry: Entry, *, withheld: bool = False) -> E:
        """The event of an entry, whose sealed part is what it commits to, unless that is withheld."""
        event = self.read(entry.body)
        if _read_version(entry.body).v == self.version and self.write(event) != entry.body:
            raise NotAnEvent("it holds what no event of this registry holds")
        if commitment(entry.sealed) != event.seal and not (withheld and not entry.sealed):
            raise NotAnEvent("its sealed part is not what it commits to")
        return event


def commitment(sealed: bytes) -> str:
    """What a body says of a sealed part. Whoever seals puts a salt in, so that nobody can guess what is sealed."""
    return sha256(sealed).hexdigest() if sealed else ""


@dataclass(frozen=True)
class Deed(Generic[E]):
    """An event to be written, and what is sealed beside it."""

    event: E
    sealed: bytes = b""


class Log(Generic[E]):
    """A stream that several threads and processes write to."""

    stream: ClassVar[str]
    form: Form[Any]

    def __init__(self, recorder: Recorder, clock: Callable[[], int] = now_in_milliseconds) -> None:
        self.recorder, self.clock = recorder, clock
        self._lock = RLock()
        self._version, self._head = 0, genesis(self.stream)

    def catch_up(self) -> None:
        """Learn what others have written: one look at an index where there is nothing new."""
        raise NotImplementedError

    def _wrote(self, entry: Entry, event: E) -> None:
        """What was written here is known here."""
        self._version, self._head = entry.version, entry.hash

    def _write(self, decide: Callable[[], Sequence[Deed[E]]]) -> list[E]:
        """Write what is decided, all of it or nothing. Deciding is done again whenever another process wrote first."""
        with self._lock:
            for _ in range(TRIES):
                self.catch_up()
                deeds = decide()
                if not deeds:
                    return []
                entries = self._entries(deeds)
                (conflict,) = self.recorder.append([Unit(entries)])
                if conflict is None:
                    for entry, deed in zip(entries, deeds, strict=True):
                        self._wrote(entry, deed.event)
                    return [deed.event for deed in deeds]
        raise Conflict(f"{self.stream}: others keep writing first")

    def _entries(self, deeds: Sequence[Deed[E]]) -> tuple[Entry, ...]:
        made: list[Entry] = []
        version, previous = self._version, self._head
        for deed in deeds:
            version += 1
            made.append(follow(self.stream, version, previous, self.form.write(deed.event), deed.sealed))
            previous = made[-1].hash
        return tuple(made)


class Registry(Log[E]):
    """A log whose fold is kept in memory."""

    def _fold(self, event: E, entry: Entry) -> None:
        """What an event changes. It raises ValueError or LookupError, before it changes anything, at what cannot have happened."""
        raise NotImplementedError

    def catch_up(self) -> None:
        with self._lock:
            for entry in self.recorder.read(self.stream, self._version):
                try:
                    self.take(entry)
                except (ValueError, LookupError) as problem:
                    raise Damaged(f"{self.stream}, version {entry.version}: {problem}") from problem

    def take(self, entry: Entry, *, withheld: bool = False) -> None:
        """Fold the next entry of the log, if it is the next and could have been written here."""
        if entry.version != self._version + 1 or entry.hash != link(self._head, entry.body):
            raise ValueError("the chain of hashes is broken")
        self._wrote(entry, self.form.open(entry, withheld=withheld))

    def _wrote(self, entry: Entry, event: E) -> None:
        self._fold(event, entry)
        super()._wrote(entry, event)


def tidy(text: str, longest: int = LONGEST) -> str:
    """Words on one line without control characters, cut where they are too long: what an audit keeps of what came from outside.

    >>> tidy("ten\\x00 \\x1b[31m\\n  words")
    'ten [31m words'
    """
    shown = "".join(sign if sign.isprintable() else " " if sign.isspace() else "" for sign in text)
    return " ".join(shown.split())[:longest]
