"""Is this log what was written, and was it right? Chains, signatures, commitments, money, and every rule of every round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal, cast

from croupier.floor.meter_log import MeterLog
from croupier.floor.openings import NOTHING, Opened, read_opened
from croupier.floor.register_log import REGISTERS, RegisterLog
from croupier.floor.sources import open_source
from croupier.floor.table_check import TableCheck
from croupier.floor.wrong import CannotTell, Wrong
from croupier.ledger import Altered, Entry, Recorder, Source, Unreadable
from croupier.ledger.database import LOWEST, DatabaseReader
from croupier.ledger.recorder import Head
from croupier.ledger.transcript import EVERYONE, Transcript
from croupier.ledger.verifying import CHECKPOINTS, Damage, Signed, read_checkpoints, verify_chain, verify_heads
from croupier.money import Cents
from croupier.table.events import is_current

REPLIES = "replies"  # what stands for a stream's name when the replies do not belong to the events
OFTEN = 100  # entries between two looks at the clock

Watch = Callable[[int, int], None]  # entries looked at, of how many: each for its chain, and once more for what it says


class InFile(Damage):
    """Damage to a transcript's file itself; `stream` is its path and `version` the line."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.stream}, line {self.version}: {self.what}."


@dataclass(frozen=True)
class Report:
    """What verification found. `unchecked` says what could not be checked; `decided` counts the events that the rules make
    again, `signed` the entries under a checkpoint, and `unsigned` names the first entry of each stream that is not."""

    damage: tuple[Damage, ...]
    unchecked: tuple[str, ...] = ()
    heads: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # of each stream, where it was followed to
    events: int = 0
    rounds: int = 0
    decided: int = 0
    cards_opened: int = 0
    cents_moved: Cents = 0
    checkpoints: int = 0
    signed: int = 0
    unsigned: Mapping[str, int] = field(default_factory=dict)
    keys: tuple[str, ...] = ()  # the public keys that signed, in their order

    @property
    def holds(self) -> bool:
        """Nothing is damaged, whether or not it is signed."""
        return not self.damage

    @property
    def sound(self) -> bool:
        """Nothing is damaged, and every entry is signed."""
        return self.verdict == "sound"

    @property
    def verdict(self) -> Literal["sound", "unsigned", "damaged"]:
        if self.damage:
            return "damaged"
        return "unsigned" if self.unsigned else "sound"


def verify(source: Source | str, keys: Collection[bytes] = (), watch: Watch = lambda done, of: None) -> Report:
    """Check a log from its first entry to its last. One of the public `keys` has to have signed its checkpoints, if any is given.

    >>> from croupier.ledger import MemoryRecorder
    >>> verify(MemoryRecorder()).sound
    True
    """
    if not isinstance(source, str):
        return Verification(source, keys, watch).report()
    try:
        opened = open_source(source)
    except Altered as altered:
        return Report((InFile(altered.path, altered.line, altered.what),))
    try:
        return Verification(opened, keys, watch).report()
    finally:
        opened.close()


@dataclass
class Verification:
    source: Source
    keys: Collection[bytes]
    watch: Watch
    signatures: Signed = field(default_factory=Signed)
    damage: dict[str, Damage] = field(default_factory=dict)
    unchecked: list[str] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)
    meters: dict[str, MeterLog] = field(default_factory=dict)
    checks: dict[str, TableCheck] = field(default_factory=dict)
    looked_at: int = 0

    def __post_init__(self) -> None:
        """Of a log that grows meanwhile: what is looked at later may only be newer than what it is held against."""
        self.transcript = self.source if isinstance(self.source, Transcript) else None
        self.recorder = None if self.transcript else cast(Recorder, self.source)
        self.replies = self.recorder.replies() if self.recorder else 0
        names = [name for name in self.source.streams() if self._is_name(name)]
        self.snapshots = {name: found for name in names if self.recorder and (found := self.recorder.snapshot(name))}
        for name in sorted(names, key=lambda name: not name.startswith("table/")):  # a meter's entry comes with its table's
            self.heads[name] = self._head(name)
        self.to_look_at = 2 * sum(version for version, _ in self.heads.values())

    def _is_name(self, name: object) -> bool:
        """A database that somebody wrote to by hand can hold anything in any place."""
        if not isinstance(name, str):
            self._report(Damage(repr(name), 1, "this is no name of a stream"))
        return isinstance(name, str)

    def _head(self, stream: str) -> Head:
        version, digest = self.source.head(stream)
        if isinstance(version, int) and isinstance(digest, bytes):
            return version, digest
        return 1 + sum(1 for _ in takewhile(_is_kept_well, self.source.read(stream))), b""

    def report(self) -> Report:
        self._checkpoints()
        for stream in self.heads:
            self._chain(stream)
        for stream in self.heads:
            if stream.startswith("meter/"):
                self._meter(stream)
        for stream in self.heads:
            if stream.startswith("table/"):
                self._table(stream)
            elif stream in REGISTERS:
                self._register(stream)
            elif not stream.startswith("meter/"):
                self.unchecked.append(f"{stream}: it is neither a table, a meter nor a register; only its chain was followed")
        for log in self.meters.values():
            self._claims(log)
        self._sums()
        self._replies()
        self._older()
        return self._found()

    def _found(self) -> Report:
        checks = self.checks.values()
        return Report(
            damage=tuple(self.damage[stream] for stream in sorted(self.damage)),
            unchecked=tuple(dict.fromkeys(self.unchecked)),
            heads={stream: (version, digest.hex()) for stream, (version, digest) in sorted(self.heads.items())},
            events=sum(version for version, _ in self.heads.values()),
            rounds=sum(check.rounds for check in checks),
            decided=sum(check.followed - check.older for check in checks if check.decides),
            cards_opened=sum(check.trace.opened for check in checks),
            cents_moved=sum(check.books.moved for check in checks),
            checkpoints=self.signatures.count,
            signed=sum(min(version, self._signed(stream)) for stream, (version, _) in self.heads.items()),
            unsigned={name: self._signed(name) + 1 for name, (last, _) in sorted(self.heads.items()) if last > self._signed(name)},
            keys=tuple(self.signatures.keys),
        )

    def _report(self, damage: Damage | None) -> None:
        """The first damage of each stream is what is told."""
        if damage and (damage.stream not in self.damage or damage.version < self.damage[damage.stream].version):
            self.damage[damage.stream] = damage

    # the chain and its signatures

    def _checkpoints(self) -> None:
        try:
            self.signatures = read_checkpoints(self.source, self.keys, excerpt=self.transcript is not None)
            self._report(self.signatures.damage)
            for damage in verify_heads(self.source, self.signatures, self.heads if self.transcript else None):
                self._report(damage)
        except Unreadable as problem:
            self._report(Damage(CHECKPOINTS, 1, f"they cannot be read: {_sentence(problem)}"))
        if not self.keys and self.signatures.count:
            self.unchecked.append("whose key signed the checkpoints: no public key was given to hold them against")

    def _signed(self, stream: str) -> int:
        """Up to which version the checkpoints vouch for a stream."""
        return self.signatures.heads.get(stream, (0, ""))[0]

    def _chain(self, stream: str) -> None:
        try:
            self._report(verify_chain(stream, self._entries(stream, every_row=True)))
        except Wrong as wrong:
            self._report(Damage(stream, wrong.version, str(wrong)))

    def _entries(self, stream: str, *, every_row: bool = False) -> Iterator[Entry]:
        """The entries up to the head that was found at the beginning, and none beyond the first damage.

        The chain is asked of `every_row`: before the first version and beside the others as well, where nobody else looks.
        """
        last = self.damage[stream].version - 1 if stream in self.damage else self.heads[stream][0]
        below = LOWEST if every_row and isinstance(self.source, DatabaseReader) else 0
        due = 1
        try:
            for entry in self.source.read(stream, below):
                if not _is_kept_well(entry):
                    raise Wrong("it is not kept as an entry is", version=due)
                if (entry.version if every_row else due) > last:
                    break
                yield entry
                due += 1
                self.looked_at += 1
                if self.looked_at % OFTEN == 0:
                    self.watch(self.looked_at, self.to_look_at)
        except (Unreadable, UnicodeError) as problem:
            raise Wrong(f"it cannot be read: {_sentence(problem)}", version=due) from None
        if due <= last:
            raise Wrong("it is missing", version=due)

    # what the entries say

    def _meter(self, stream: str) -> None:
        log = self.meters[stream] = MeterLog(stream)
        try:
            log.read(self._entries(stream))
        except Wrong as wrong:
            self._report(Damage(stream, wrong.version, str(wrong)))
        self._report(log.damage)
        log.damage = self.damage.get(stream)

    def _register(self, stream: str) -> None:
        log = RegisterLog(stream, withheld=self.transcript is not None)
        version = 1
        try:
            for entry in self._entries(stream):
                version = entry.version
                log.follow(entry)
        except Wrong as wrong:
            self._report(Damage(stream, wrong.version or version, str(wrong)))

    def _table(self, stream: str) -> None:
        table = stream.removeprefix("table/")
        check = self.checks[stream] = TableCheck(table, self.meters, decides=not self._withheld())
        version = 1
        try:
            for entry in self._entries(stream):
                version = entry.version
                check.follow(entry, self._opened(entry))
                self._snapshot(check, entry)
            self._snapshot_is_reached(stream)
        except Wrong as wrong:
            self._report(Damage(wrong.stream or stream, wrong.version or version, str(wrong)))
            if wrong.stream:
                self.unchecked.append(f"{stream} from version {version} on, because {wrong.stream} is damaged")
        except CannotTell as problem:
            self.unchecked.append(f"{stream} from version {version} on, because {problem}")

    def _withheld(self) -> bool:
        """Are cards withheld, so that no round can be decided anew?"""
        if self.transcript is None or (self.transcript.header.get("for") == EVERYONE and not self.transcript.header.get("round")):
            return False
        reader = self.transcript.header.get("for")
        self.unchecked.append(f"the rules of the rounds: this is a transcript for {reader}, and other cards are withheld")
        return True

    def _opened(self, entry: Entry) -> Opened:
        if self.transcript is None:
            return NOTHING
        try:
            return read_opened(self.transcript.opened(entry.stream, entry.version))
        except ValueError:
            raise Wrong("what the transcript opens of it has another form than openings have") from None

    def _snapshot(self, check: TableCheck, entry: Entry) -> None:
        found = self.snapshots.get(entry.stream)
        if found and found[0] == entry.version and is_current(entry.body):  # the house uses no other
            check.verify_snapshot(entry.hash, found[1])

    def _snapshot_is_reached(self, stream: str) -> None:
        version = self.snapshots.get(stream, (1, b""))[0]
        if not 1 <= version <= self.heads[stream][0]:
            raise Wrong(f"it is missing; a snapshot was kept after version {version}", version=self.heads[stream][0] + 1)

    # one stream against another

    def _claims(self, log: MeterLog) -> None:
        """Every entry of a meter has the event of a table that caused it."""
        for place, event in enumerate(log.events, 1):
            stream = f"table/{event.table}"
            if place in log.claimed or self._cannot_answer(stream, event.version):
                continue
            if stream in self.heads and event.version <= self.heads[stream][0]:
                self._report(Damage(log.stream, place, f"{stream}, version {event.version} did not move this meter"))
            elif self.transcript is not None and stream not in self.heads:
                self.unchecked.append(f"what other tables did to {log.stream}: they are not in this transcript")
            elif self.source.head(stream)[0] < event.version:  # else it was written while we read
                due = self.heads.get(stream, (0, b""))[0] + 1
                self._report(Damage(stream, due, f"it is missing; {log.stream}, version {place} tells of version {event.version}"))

    def _older(self) -> None:
        if older := sum(check.older for check in self.checks.values() if check.decides):
            self.unchecked.append(
                f"the rules of {older:,} event{'s' * (older > 1)} of an older version: decided by the rules of their day, "
                "they are not decided again; their chain, cards, money and meters were checked"
            )

    def _cannot_answer(self, stream: str, version: int) -> bool:
        """A table that could not be followed so far."""
        return stream in self.checks and self.checks[stream].followed < min(version, self.heads[stream][0])

    def _sums(self) -> None:
        """The floor as a whole: what all tables put on a meter and took from it is what it shows beyond its seed."""
        sums: Counter[str] = Counter()
        for check in self.checks.values():
            sums.update(check.sums)
        for log in self.meters.values():
            if log.terms and log.events and len(log.claimed) == len(log.events):
                shown = log.events[-1].meter
                put = (shown.amount - log.terms.seed, shown.reserve)
                if put != (sums[log.stream], sums[f"{log.stream} reserve"]):
                    self._report(Damage(log.stream, len(log.events), "it shows another sum than the tables put on it"))

    def _replies(self) -> None:
        """Each idempotency key has the reply that was given, and there is no reply without its event."""
        if self.recorder is None:
            return
        known = 0
        for stream, check in self.checks.items():
            for key, reply in check.keys.items():
                known += 1
                if self.recorder.reply(key) != reply:
                    self._report(Damage(REPLIES, 1, f"the reply to the key {key} is not that of its event in {stream}"))
        if not self.damage and known < self.replies:
            self._report(Damage(REPLIES, 1, f"there are {self.replies:,}, and {known:,} events with a key"))


def _is_kept_well(entry: Entry) -> bool:
    kinds = (type(entry.version), type(entry.body), type(entry.sealed), type(entry.hash))
    return kinds == (int, bytes, bytes, bytes)


def _sentence(problem: Exception) -> str:
    return str(problem).removesuffix(".")
