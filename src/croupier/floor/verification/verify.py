"""Verifies a log: chains, signatures, commitments, money, and every rule of every round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import Any, Literal, cast

from croupier.floor.house.house import REMEMBERED
from croupier.floor.house.vault import NUMBER_DIGITS, Opener, Unopened, Vault
from croupier.floor.registers.audit import REGISTERS
from croupier.floor.registers.filings import Filings
from croupier.floor.registers.house_key import HouseKeys
from croupier.floor.registers.register import Register
from croupier.floor.transcripts.sources import Opened, open_source, opened_in
from croupier.floor.verification.meters import MeterLog
from croupier.floor.verification.problems import CannotCheck, CheckFailed
from croupier.floor.verification.registers import References, filed_texts, follow_register, missing_references
from croupier.floor.verification.tables import TableCheck
from croupier.ledger import Altered, Entry, MemoryRecorder, Recorder, Source, Unreadable
from croupier.ledger.recorders.database import LOWEST, DatabaseReader, Examined
from croupier.ledger.recorders.recorder import Head
from croupier.ledger.signatures.checkpoint import Checkpoint
from croupier.ledger.transcript import EVERYONE, Transcript
from croupier.ledger.verification import CHECKPOINTS, Damage, Signed, read_checkpoints, verify_chain, verify_heads, verify_witness
from croupier.money import Cents
from croupier.table.events import is_current

DATABASE = "database"  # in place of a stream's name if the database itself is damaged
REPLIES = "replies"  # in place of a stream's name if replies do not match their events
ENTRIES_BETWEEN_REPORTS = 100  # entries between two reports of progress
PLAIN = b"{"  # the first byte of the unsealed snapshots of older versions, which the house does not use

Progress = Callable[[int, int], None]  # entries read, of how many: each counts once for its chain and once for its content


@dataclass(frozen=True)
class Report:
    damage: tuple[Damage, ...]
    unchecked: tuple[str, ...] = ()  # what could not be checked, and why
    heads: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # by stream: the last entry that was read
    events: int = 0
    rounds: int = 0
    decided: int = 0  # events whose commands were decided again by the rules
    cards_opened: int = 0
    cents_moved: Cents = 0
    checkpoints: int = 0
    signed: int = 0  # entries under a checkpoint
    unsigned: Mapping[str, int] = field(default_factory=dict)  # by stream: the first entry that is not signed
    keys: tuple[str, ...] = ()  # the public keys that signed, in order
    restored: tuple[Checkpoint, ...] = ()  # the checkpoints with which two people put this log in place of another
    sealed: int = 0  # decks that no key opens yet
    house_key: str = ""  # the number of the key that seals, as the log records it

    @property
    def holds(self) -> bool:
        """Whether nothing is damaged, signed or not."""
        return not self.damage

    @property
    def sound(self) -> bool:
        """Whether nothing is damaged and every entry is signed."""
        return self.verdict == "sound"

    @property
    def verdict(self) -> Literal["sound", "unsigned", "damaged"]:
        if self.damage:
            return "damaged"
        return "unsigned" if self.unsigned else "sound"


def verify(
    source: Source | str,
    keys: Collection[bytes] = (),
    watch: Progress = lambda done, of: None,
    witness: Iterable[bytes] | None = None,
    vault: Vault | None = None,
) -> Report:
    """Check a log from its first entry to its last.

    If public `keys` are given, one of them has to have signed the checkpoints. Every checkpoint that a `witness` has must be in
    the log. `vault` opens the orders of decks that are still to be dealt; all others open with the keys that the log publishes.

    >>> from croupier.ledger import MemoryRecorder
    >>> verify(MemoryRecorder()).sound
    True
    """
    if isinstance(source, str):
        try:
            opened = open_source(source)
        except Altered as altered:
            return Report((Damage(altered.path, altered.line, altered.what, "line"),))
        with closing(opened):
            return verify(opened, keys, watch, witness, vault)
    # Examine a database first: if it then cannot be read, its faults are the reason.
    examined = source.examine() if isinstance(source, DatabaseReader) else Examined()
    try:
        return Verification(source, keys, watch, witness, vault, examined).report()
    except Unreadable as problem:
        if not examined.faults:
            raise
        return Report((Damage(DATABASE, 0, f"{_and_more(examined.faults)}; {_sentence(problem)}", ""),))


def _and_more(faults: Sequence[str]) -> str:
    return faults[0] + (f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else "")


@dataclass
class Verification:
    source: Source
    keys: Collection[bytes]
    watch: Progress
    witness: Iterable[bytes] | None = None
    vault: Vault | None = None
    examined: Examined = field(default_factory=Examined)
    signatures: Signed = field(default_factory=Signed)
    damage: dict[str, Damage] = field(default_factory=dict)
    unchecked: list[str] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)
    meters: dict[str, MeterLog] = field(default_factory=dict)
    checks: dict[str, TableCheck] = field(default_factory=dict)
    references: References = field(default_factory=References)
    entries_read: int = 0

    def __post_init__(self) -> None:
        """Read replies and snapshots before the heads: if the log is growing, what is read later is compared with older data."""
        self.transcript = self.source if isinstance(self.source, Transcript) else None
        self.recorder = None if self.transcript else cast(Recorder, self.source)
        self.registers: dict[str, Register[Any]] = {name: kind(MemoryRecorder()) for name, kind in REGISTERS.items()}
        self.house_keys = cast(HouseKeys, self.registers[HouseKeys.stream])
        self.replies = self.recorder.replies() if self.recorder else 0
        kept = self.source.snapshots() if isinstance(self.source, DatabaseReader) else []
        names = [name for name in self.source.streams() if self._is_name(name)]
        self.snapshots = {name: found for name in names if self.recorder and (found := self.recorder.snapshot(name))}
        for name in sorted(names, key=lambda name: not name.startswith("table/")):  # a meter's entry is written with its table's
            self.heads[name] = self._head(name)
        for name in kept:
            if name not in self.heads and not str(name).startswith(REMEMBERED):
                self._report(Damage(str(name), 1, "it is missing; there is a snapshot of it"))
        self.entries_to_read = 2 * sum(version for version, _ in self.heads.values())

    def _is_name(self, name: object) -> bool:
        """Whether a name is text. A database that was edited by hand can hold anything anywhere."""
        if not isinstance(name, str):
            self._report(Damage(repr(name), 1, "this is not the name of a stream"))
        return isinstance(name, str)

    def _head(self, stream: str) -> Head:
        version, digest = self.source.head(stream)
        if isinstance(version, int) and isinstance(digest, bytes):
            return version, digest
        return 1 + sum(1 for _ in takewhile(_is_well_formed, self.source.read(stream))), b""

    def report(self) -> Report:
        if self.examined.faults:
            self._report(Damage(DATABASE, 0, _and_more(self.examined.faults), ""))
        self._verify_checkpoints()
        for stream in self.heads:
            self._verify_chain(stream)
        for stream in self.heads:
            if stream.startswith("meter/"):
                self._meter(stream)
            elif stream in REGISTERS:
                register, withheld = self.registers[stream], self.transcript is not None
                self._follow(stream, partial(follow_register, register, self.references, withheld=withheld))
        for stream in self.heads:
            if stream.startswith("table/"):
                self._table(stream)
            elif stream not in REGISTERS and not stream.startswith("meter/"):
                self.unchecked.append(f"{stream}: it is neither a table, a meter nor a register; only its chain was followed")
        for log in self.meters.values():
            self._verify_meter_entries(log)
        self._verify_meter_sums()
        self._compare_registers()
        self._verify_replies()
        self._list_undecided()
        self.unchecked += self.examined.unchecked
        return self._summary()

    def _summary(self) -> Report:
        checks = self.checks.values()
        return Report(
            damage=tuple(self.damage[stream] for stream in sorted(self.damage)),
            unchecked=tuple(dict.fromkeys(self.unchecked)),
            heads={stream: (version, digest.hex()) for stream, (version, digest) in sorted(self.heads.items())},
            events=sum(version for version, _ in self.heads.values()),
            rounds=sum(check.rounds for check in checks),
            decided=sum(check.followed - check.older - check.unseen for check in checks if check.decides),
            cards_opened=sum(check.trace.opened for check in checks),
            cents_moved=sum(check.books.moved for check in checks),
            checkpoints=self.signatures.count,
            signed=sum(min(version, self._signed(stream)) for stream, (version, _) in self.heads.items()),
            unsigned={name: self._signed(name) + 1 for name, (last, _) in sorted(self.heads.items()) if last > self._signed(name)},
            keys=tuple(self.signatures.keys),
            restored=tuple(self.signatures.restored),
            sealed=sum(check.trace.sealed for check in checks),
            house_key=self.house_keys.numbers[-1] if self.house_keys.numbers else "",
        )

    def _report(self, damage: Damage | None) -> None:
        """Keep the first damage of each stream."""
        if damage and (damage.stream not in self.damage or damage.version < self.damage[damage.stream].version):
            self.damage[damage.stream] = damage

    # the chain and its signatures

    def _verify_checkpoints(self) -> None:
        try:
            self.signatures = read_checkpoints(self.source, self.keys, excerpt=self.transcript is not None)
            self._report(self.signatures.damage)
            for damage in verify_heads(self.source, self.signatures, self.heads if self.transcript else None):
                self._report(damage)
            for damage in verify_witness(self.source, self.signatures, self.witness or ()):
                self._report(damage)
        except Unreadable as problem:
            self._report(Damage(CHECKPOINTS, 1, f"they cannot be read: {_sentence(problem)}"))
        if not self.keys and self.signatures.count:
            self.unchecked.append("whose key signed the checkpoints: no public key was given to compare with")

    def _signed(self, stream: str) -> int:
        """The last version of a stream that a checkpoint covers."""
        return self.signatures.heads.get(stream, (0, ""))[0]

    def _verify_chain(self, stream: str) -> None:
        try:
            self._report(verify_chain(stream, self._entries(stream, every_row=True)))
        except CheckFailed as wrong:
            self._report(Damage(stream, wrong.version, str(wrong)))

    def _entries(self, stream: str, *, every_row: bool = False) -> Iterator[Entry]:
        """The entries up to the head that was found at the beginning, and none beyond the first damage.

        `every_row` includes rows with impossible versions, such as those before the first.
        """
        last = self.damage[stream].version - 1 if stream in self.damage else self.heads[stream][0]
        below = LOWEST if every_row and isinstance(self.source, DatabaseReader) else 0
        due = 1
        try:
            for entry in self.source.read(stream, below):
                if not _is_well_formed(entry):
                    raise CheckFailed("it is not stored the way entries are", version=due)
                if (entry.version if every_row else due) > last:
                    break
                yield entry
                due += 1
                self.entries_read += 1
                if self.entries_read % ENTRIES_BETWEEN_REPORTS == 0:
                    self.watch(self.entries_read, self.entries_to_read)
        except (Unreadable, UnicodeError) as problem:
            raise CheckFailed(f"it cannot be read: {_sentence(problem)}", version=due) from None
        if due <= last:
            raise CheckFailed("it is missing", version=due)

    # what the entries say

    def _follow(self, stream: str, follow: Callable[[Entry], None]) -> None:
        """Follow a stream up to the first entry that is wrong, and report that."""
        version = 1
        try:
            for entry in self._entries(stream):
                version = entry.version
                follow(entry)
        except CheckFailed as wrong:
            self._report(Damage(wrong.stream or stream, wrong.version or version, str(wrong)))
            if wrong.stream:
                self.unchecked.append(f"{stream} from version {version} on, because {wrong.stream} is damaged")
        except CannotCheck as problem:
            self.unchecked.append(f"{stream} from version {version} on, because {problem}")

    def _meter(self, stream: str) -> None:
        log = self.meters[stream] = MeterLog(stream)
        self._follow(stream, log.follow)
        log.damage = self.damage.get(stream)

    def _table(self, stream: str) -> None:
        table = stream.removeprefix("table/")
        opener, lost = Opener(self.source, stream, self.vault), self.house_keys.lost.get(stream, set())
        house_keys = () if HouseKeys.stream in self.damage else self.house_keys.numbers
        check = self.checks[stream] = TableCheck(table, self.meters, opener, not self._withheld(), lost, house_keys)

        def follow(entry: Entry) -> None:
            check.follow(entry, self._opened(entry))
            self._snapshot(check, entry)

        self._follow(stream, follow)
        self._verify_snapshot_version(stream)

    def _withheld(self) -> bool:
        """Whether cards are withheld, so that no round can be decided again."""
        if self.transcript is None or (self.transcript.header.get("for") == EVERYONE and not self.transcript.header.get("round")):
            return False
        reader = self.transcript.header.get("for")
        self.unchecked.append(f"the rules of the rounds: this is a transcript for {reader}, and other cards are withheld")
        return True

    def _opened(self, entry: Entry) -> Opened:
        try:
            return opened_in(self.source, entry)
        except ValueError:
            raise CheckFailed("what the transcript opens of it cannot be read") from None

    def _snapshot(self, check: TableCheck, entry: Entry) -> None:
        found = self.snapshots.get(entry.stream)
        if found and found[0] == entry.version and is_current(entry.body):  # the house uses no others
            unsealed = self._unsealed(entry.stream, *found)
            if unsealed is not None:
                check.verify_snapshot(entry.hash, unsealed)

    def _unsealed(self, stream: str, version: int, kept: bytes) -> bytes | None:
        """A snapshot, if a given house key opens it. One sealed with an earlier key is an unused cache."""
        if not isinstance(kept, bytes):
            raise CheckFailed("the snapshot after it is not stored as bytes")
        number = kept[:NUMBER_DIGITS].decode(errors="replace")
        if self.vault is None or kept.startswith(PLAIN) or (number in self.house_keys.numbers and not self.vault.holds(number)):
            return None
        try:
            return self.vault.open_state(stream, version, kept)
        except Unopened as problem:
            raise CheckFailed(f"the snapshot after it does not open: {problem}") from None

    def _verify_snapshot_version(self, stream: str) -> None:
        version, last = self.snapshots.get(stream, (1, b""))[0], self.heads[stream][0]
        if not 1 <= version <= last:
            self._report(Damage(stream, last + 1, f"it is missing; there is a snapshot after version {version}"))

    # one stream against another

    def _verify_meter_entries(self, log: MeterLog) -> None:
        """Check that every entry of a meter has the event of a table that caused it."""
        for place, event in enumerate(log.events, 1):
            stream = f"table/{event.table}"
            if place in log.claimed or self._is_unfollowed(stream, event.version):
                continue
            if stream in self.heads and event.version <= self.heads[stream][0]:
                self._report(Damage(log.stream, place, f"{stream}, version {event.version} did not move this meter"))
            elif self.transcript is not None and stream not in self.heads:
                self.unchecked.append(f"what other tables did to {log.stream}: they are not in this transcript")
            elif self.source.head(stream)[0] < event.version:  # else it was written during verification
                due = self.heads.get(stream, (0, b""))[0] + 1
                self._report(Damage(stream, due, f"it is missing; {log.stream}, version {place} refers to version {event.version}"))

    def _compare_registers(self) -> None:
        """Check what the registers say about tables, submissions and users against the other streams."""
        for damage in missing_references(self.references, self.registers, self.source):
            self._report(damage)
        if Filings.stream in self.damage:
            return
        texts = set(filed_texts(self.registers).values())
        for stream in self.references.filed & self.checks.keys():
            check = self.checks[stream]
            if check.opening and check.submission not in texts:
                self._report(Damage(stream, check.opening, "it opens the table under a submission that was never filed"))

    def _list_undecided(self) -> None:
        if older := sum(check.older for check in self.checks.values() if check.decides):
            self.unchecked.append(
                f"the rules of {older:,} event{'s' * (older > 1)} of an older version: they were decided by earlier rules "
                "and are not decided again; their chain, cards, money and meters were checked"
            )
        if unseen := sum(check.unseen for check in self.checks.values()):
            self.unchecked.append(
                f"the rules of {unseen:,} event{'s' * (unseen > 1)} of sealed decks: no available key opens their cards; "
                "their chain, money and meters were checked"
            )
        if lost := sum(check.trace.lost for check in self.checks.values()):
            self.unchecked.append(f"{lost:,} order{'s' * (lost > 1)} of decks whose house key was lost, as the log records")

    def _is_unfollowed(self, stream: str, version: int) -> bool:
        """Whether a table could not be followed up to a version."""
        return stream in self.checks and self.checks[stream].followed < min(version, self.heads[stream][0])

    def _verify_meter_sums(self) -> None:
        """Check each meter against the sum of what all tables put on it and took from it."""
        sums: Counter[str] = Counter()
        for check in self.checks.values():
            sums.update(check.sums)
        for log in self.meters.values():
            if log.terms and log.events and len(log.claimed) == len(log.events):
                shown = log.events[-1].meter
                put = (shown.amount - log.terms.seed, shown.reserve)
                if put != (sums[log.stream], sums[f"{log.stream} reserve"]):
                    self._report(Damage(log.stream, len(log.events), "it does not show what the tables added to it"))

    def _verify_replies(self) -> None:
        """Check that each idempotency key has the reply of its event, and that there is no reply without an event."""
        if self.recorder is None:
            return
        known = 0
        for stream, check in self.checks.items():
            for key, reply in check.keys.items():
                known += 1
                if self.recorder.reply(key) != reply:
                    self._report(Damage(REPLIES, 1, f"the reply to the key {key} does not match its event in {stream}"))
        if not self.damage and known < self.replies:
            self._report(Damage(REPLIES, 1, f"there are {self.replies:,}, and {known:,} events with a key"))


def _is_well_formed(entry: Entry) -> bool:
    kinds = (type(entry.version), type(entry.body), type(entry.sealed), type(entry.hash))
    return kinds == (int, bytes, bytes, bytes)


def _sentence(problem: Exception) -> str:
    return str(problem).removesuffix(".")
