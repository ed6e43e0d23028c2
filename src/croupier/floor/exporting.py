"""A transcript of one table for one reader: the whole chain, and of what is sealed only what that reader may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path

from croupier.floor.house import meter_stream, stream_of
from croupier.floor.metering import read_meter
from croupier.floor.openings import Opened, Opening, write_opened
from croupier.floor.seating import Seating, Sitting
from croupier.floor.sources import need_table
from croupier.law.fact import PLAYER
from croupier.ledger import Entry, Missing, Source, Unreadable
from croupier.ledger.checkpoint import open_checkpoint
from croupier.ledger.transcript import EVERYONE, Transcript
from croupier.ledger.transcript import write as write_transcript
from croupier.table import commands as say
from croupier.table.commands import Role, SealedDeck
from croupier.table.engine import who
from croupier.table.events import Shown, read, unseal
from croupier.table.sealing import leaves, salt
from croupier.table.state import offer_of

PUBLIC = "public"


@dataclass(frozen=True)
class Exported:
    """What was written: how many entries, how many cards beside those that lay open, and where the table's chain ends."""

    entries: int
    opened: int
    version: int
    head: str


def export(source: Source, table: str, to: Path, reader: str = PUBLIC, number: int = 0, *, overwrite: bool = False) -> Exported:
    """Write a transcript of a table and its meters, with every entry from the first on; `number` opens that round's cards only."""
    reader, stream = EVERYONE if reader == Role.SURVEILLANCE else reader, stream_of(table)
    need_table(source, table)
    if isinstance(source, Transcript) and (source.header.get("for") != EVERYONE or source.header.get("round")):
        raise Unreadable(f"{source.path} withholds cards itself; export from the log.")
    newest = next(source.checkpoints(newest_first=True), b"")  # taken before the entries: it names none that is not in the file
    plan = _plan(source, stream, reader, number)
    header = {"for": reader, "table": table} | ({"round": number} if number else {})
    pen = Withholding(plan, everything=reader == EVERYONE and not number)
    checkpoints = _checkpoints(source, newest, {stream, *plan.meters})
    write_transcript(to, header, _entries(source, table, plan), pen.withhold, checkpoints, overwrite=overwrite)
    return Exported(pen.entries, pen.opened, plan.version, plan.head)


def _checkpoints(source: Source, newest: bytes, streams: set[str]) -> list[bytes]:
    """Of the checkpoints up to the newest: the last one that names each stream, and those that endorse a key."""
    kept, due = [], set(streams)
    for text in dropwhile(lambda text: text != newest, source.checkpoints(newest_first=True)):
        read = open_checkpoint(text)
        if read.next or not due.isdisjoint(read.heads):
            kept.append(text)
            due -= read.heads.keys()
    return kept[::-1]


def _entries(source: Source, table: str, plan: Plan) -> Iterator[Entry]:
    """The table up to where it stood, and its meters up to there as well, though the game goes on while we write."""
    yield from source.read(stream_of(table), limit=plan.version)
    for meter in plan.meters:
        for entry in source.read(meter):
            event = read_meter(entry.body)
            if event.table == table and event.version > plan.version:
                break
            yield entry


@dataclass
class Plan:
    """What the reader may see: the hands of one sitting, or one shuffle whole."""

    number: int
    sitting: Sitting | None = None
    shuffle: int = 0  # the version of the entry whose sealed part is handed on
    meters: list[str] = field(default_factory=list)
    version: int = 0  # where the table stands, and the hash of its last entry
    head: str = ""


def _plan(source: Source, stream: str, reader: str, number: int) -> Plan:
    role, seat = who(reader) if reader not in (EVERYONE, PUBLIC) else (None, 0)
    plan, seating, present = Plan(number), Seating(), False
    for entry in source.read(stream):
        event, sealed = read(entry.body), unseal(entry.sealed)
        seating.follow(entry.version, event, sealed)
        plan.version, plan.head = entry.version, entry.hash.hex()
        if isinstance(event.command, say.OpenTable):
            plan.meters += [name for name in _meters(event.command) if name not in plan.meters and source.head(name)[0]]
        if number and seating.rounds == number:
            if isinstance(event.command, say.NoMoreBets):
                plan.sitting, present = (seat, seating.sat[seat]), seat in seating.seated
            dealt = next((shown for shown in event.then.cards if shown.leaf), None)
            if reader == EVERYONE and dealt and not plan.shuffle:
                plan.shuffle = _dealt_from(seating, dealt)[0]
    if number > seating.rounds:
        raise Missing(f"There is no round {number} of this table; it has had {seating.rounds:,}.")
    if role is not Role.PLAYER:
        plan.sitting = None
    elif not (present if number else seating.sat[seat]):
        raise Missing(f"Nobody sat at seat {seat}" + (f" in round {number}." if number else "."))
    elif not number:
        plan.sitting = (seat, seating.sat[seat])
    return plan


def _dealt_from(seating: Seating, shown: Shown) -> tuple[int, SealedDeck]:
    if found := seating.dealt_from(shown):
        return found
    raise Unreadable("A card was dealt from no deck that the log has; croupier verify says more.")


def _meters(opened: say.OpenTable) -> list[str]:
    return [meter_stream(opened.table, wager, opened.linked) for wager in offer_of(opened.submission).progressives]


@dataclass
class Withholding:
    """Decides entry by entry what of a sealed part is handed on."""

    plan: Plan
    everything: bool
    seating: Seating = field(default_factory=Seating)
    opened: int = 0
    entries: int = 0

    def withhold(self, entry: Entry) -> tuple[bytes, bytes]:
        """The whole, and what is opened of it: the leaves of a shuffle for everybody, the reader's own cards for him."""
        self.entries += 1
        if not entry.stream.startswith("table/"):
            return b"", b""
        event, sealed = read(entry.body), unseal(entry.sealed)
        self.seating.follow(entry.version, event, sealed)
        if self.everything or (sealed and entry.version == self.plan.shuffle):
            self.opened += sum(len(deck.order) for deck in sealed)
            return entry.sealed, b""
        cards = tuple(self._opening(shown) for shown in event.then.cards if self._is_his(shown))
        self.opened += len(cards)
        all_leaves = tuple(leaves(bytes.fromhex(deck.secret), deck.order) for deck in sealed)
        return b"", write_opened(Opened(all_leaves, cards))

    def _is_his(self, shown: Shown) -> bool:
        """A card dealt face down to a box of the reader's, in the round that is asked for or in any."""
        if self.plan.sitting is None or not shown.leaf or shown.card or shown.at != PLAYER.value:
            return False
        return self.plan.number in (0, self.seating.rounds) and self.seating.owners.get(shown.seat) == self.plan.sitting

    def _opening(self, shown: Shown) -> Opening:
        _, deck = _dealt_from(self.seating, shown)
        return Opening(shown.position, deck.order[shown.position], salt(bytes.fromhex(deck.secret), shown.position).hex())
