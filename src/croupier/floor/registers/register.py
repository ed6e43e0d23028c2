"""Registers: what the floor knows besides its tables. Each is a stream of the same log, and a state folded from its events.

Several processes may write to one stream. A change is decided on what the log says now, and decided again if another process
writes first. Every read looks at the log first, so that nobody acts on what another process has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from threading import RLock
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from croupier.floor.clock import now_in_milliseconds
from croupier.floor.house.house import Damaged
from croupier.law.cite import Refusal
from croupier.ledger import Conflict, Entry, Recorder, Unit, follow, genesis
from croupier.ledger.canonical import canonical
from croupier.ledger.entry import entry_hash
from croupier.table.events import NotAnEvent

TRIES = 200  # how often a change is decided again when another process wrote first
LONGEST = 500  # characters of a text that a person wrote

Plain = dict[str, Any]


class HouseRefusal(Refusal):
    """A refusal by the house where no clause of the code applies, so none is cited.

    >>> print(HouseRefusal("the name is empty", "1 to 40 visible characters"))
    the name is empty. Allowed: 1 to 40 visible characters.
    """

    def __init__(self, said: str, accepted: str = "", kind: str = "refused") -> None:
        super().__init__(said, "", accepted)
        self.kind = kind  # "refused", "unknown", "not allowed" or "malformed"

    def __str__(self) -> str:
        return f"{self.said}." + (f" Allowed: {self.accepted}." if self.accepted else "")


class RegisterEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="event"):
    """The fields that every event of a register has. `sentence` is the template of `says`."""

    sentence: ClassVar[str] = ""
    v: int
    at: int
    by: str = ""  # the user who did it; empty if the house did, or the person the event is about
    seal: str = ""  # commits to the sealed part of the entry

    @property
    def who(self) -> str:
        """Who did it, for the audit."""
        return self.by or "the house"

    def says(self) -> str:
        """What was done, for the audit; empty if the audit does not list it."""
        return self.sentence.format(self)


E = TypeVar("E", bound=RegisterEvent)


class _Versioned(msgspec.Struct, frozen=True):
    v: int


_read_version = msgspec.json.Decoder(_Versioned).decode


def sealed_commitment(sealed: bytes) -> str:
    """The hash by which a body commits to a sealed part. Whoever seals adds a salt, so that nobody can guess what is sealed."""
    return sha256(sealed).hexdigest() if sealed else ""


class Register(Generic[E]):
    """A stream that several threads and processes write to, and the fold of its events."""

    stream: ClassVar[str]
    events: ClassVar[Any]  # the types of its events, and their newest version
    newest: ClassVar[int]
    upcasters: ClassVar[Mapping[int, Callable[[Plain], Plain]]] = {}  # each turns plain data of one version into that of the next

    @classmethod
    def read(cls, body: bytes) -> E:
        """An event from the log, upgraded to the newest version if it is older."""
        try:
            version = _read_version(body).v
            if version > cls.newest:
                raise NotAnEvent(f"an event of version {version}; this Croupier reads up to {cls.newest}")
            data: Plain = msgspec.json.decode(body)
            for older in range(version, cls.newest):
                data = cls.upcasters[older](data) | {"v": older + 1}
            event: E = msgspec.convert(data, cls.events)
        except (msgspec.DecodeError, KeyError, TypeError, RecursionError) as problem:
            raise NotAnEvent(f"not an event of this register: {problem}") from None
        return event

    def __init__(self, recorder: Recorder, clock: Callable[[], int] = now_in_milliseconds) -> None:
        self.recorder, self.clock = recorder, clock
        self._lock = RLock()
        self.version, self._head = 0, genesis(self.stream)  # of the last entry that was folded
        self._begin()

    def _begin(self) -> None:
        """Set up the state before the first event."""

    def _fold(self, event: E, entry: Entry) -> None:
        """Apply an event. Raises ValueError or LookupError, before changing anything, if it cannot have happened."""

    def catch_up(self) -> None:
        """Read what others have written: one index lookup if there is nothing new."""
        with self._lock:
            for entry in self.recorder.read(self.stream, self.version):
                try:
                    self.take(entry)
                except (ValueError, LookupError) as problem:
                    raise Damaged(f"{self.stream}, version {entry.version}: {problem}") from problem

    def take(self, entry: Entry, *, withheld: bool = False) -> E:
        """Fold the next entry of the log. Raises ValueError if it is not the next or could not have been written here.

        The event has to commit to the entry's sealed part, unless that is withheld.
        """
        if entry.version != self.version + 1 or entry.hash != entry_hash(self._head, entry.body):
            raise ValueError("the chain of hashes is broken")
        event = self.read(entry.body)
        if _read_version(entry.body).v == self.newest and canonical(event) != entry.body:
            raise NotAnEvent("it is not encoded the way events of this register are")
        if sealed_commitment(entry.sealed) != event.seal and not (withheld and not entry.sealed):
            raise NotAnEvent("its sealed part is not what it commits to")
        self._wrote(entry, event)
        return event

    def _wrote(self, entry: Entry, event: E) -> None:
        self._fold(event, entry)
        self.version, self._head = entry.version, entry.hash

    @contextmanager
    def _current(self) -> Iterator[None]:
        """Hold the lock, with the state up to date with the log."""
        with self._lock:
            self.catch_up()
            yield

    def _write(self, decide: Callable[[], Sequence[E]], sealed: bytes = b"") -> list[E]:
        """Write the events that `decide` returns, all or none. It is called again whenever another process wrote first.

        `sealed` goes with the event that commits to it.
        """
        with self._lock:
            for _ in range(TRIES):
                self.catch_up()
                events = list(decide())
                if not events:
                    return []
                entries = self._entries(events, sealed)
                (conflict,) = self.recorder.append([Unit(entries)])
                if conflict is None:
                    for entry, event in zip(entries, events, strict=True):
                        self._wrote(entry, event)
                    return events
        raise Conflict(f"{self.stream}: other processes keep writing first")

    def _entries(self, events: Sequence[E], sealed: bytes) -> tuple[Entry, ...]:
        made: list[Entry] = []
        previous = self._head
        for version, event in enumerate(events, self.version + 1):
            made.append(follow(self.stream, version, previous, canonical(event), sealed if event.seal else b""))
            previous = made[-1].hash
        return tuple(made)


def tidy(text: str, longest: int = LONGEST) -> str:
    """Text from outside as the audit keeps it: one line, without control characters, cut where it is too long.

    >>> tidy("ten\\x00 \\x1b[31m\\n  words")
    'ten [31m words'
    """
    shown = "".join(sign if sign.isprintable() else " " if sign.isspace() else "" for sign in text)
    return " ".join(shown.split())[:longest]
