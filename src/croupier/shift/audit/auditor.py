"""The auditor: reads the log, sees what players send and receive, trusts no one, and knows only chips and cards.

It reads log entries as plain data, and sees every command and every answer. It shares no code with the tables: it works out
independently what a command must do to the chips.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import msgspec

from croupier.shift.audit.cards import AuditedCards, SealedPart
from croupier.shift.audit.chips import Chips, at_the_table
from croupier.shift.audit.finding import AuditFinding, Plain, Signs, need, needed
from croupier.shift.audit.meters import AuditedMeter
from croupier.shift.audit.persons import Persons

REFUSED = "refused"
_decode = msgspec.json.decode


@dataclass
class Sent:
    """A command under its idempotency key, and what came back for it."""

    table: str
    by: str
    command: Plain
    person: str
    granted: Plain | None = None


@dataclass
class TableBook:
    name: str
    counts: Counter[str]
    chips: Chips = field(default_factory=Chips)
    cards: AuditedCards = field(default_factory=AuditedCards)
    persons: Persons = field(init=False)
    at: int = 0
    closed: bool = False
    linked: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cards.counts = self.counts
        self.persons = Persons(self.chips, self.cards, self.counts)


class Auditor:
    """Follows one log."""

    def __init__(self, signs: Callable[[str], Signs]) -> None:
        self._signs = signs
        self.tables: dict[str, TableBook] = {}
        self.meters: dict[str, AuditedMeter] = {}
        self.feeders: dict[str, dict[tuple[str, str], None]] = {}  # the wagers that feed a meter's stream
        self.counts: Counter[str] = Counter()
        self.irregularities: Counter[str] = Counter()
        self._versions: dict[str, tuple[int, bytes]] = {}  # of all streams
        self._sent: dict[str, Sent] = {}
        self._logged: dict[str, tuple[str, int, str, int]] = {}  # by key: table, version, event, time
        # Moves of meters that tables recorded and the meters not yet, by table, version of its event, and wager.
        self._moves: dict[tuple[str, int, str], Plain] = {}

    @property
    def rounds(self) -> int:
        return sum(book.chips.rounds for book in self.tables.values())

    # what clients say and hear

    def sent(self, key: str, table: str, by: str, command: Plain, person: str) -> None:
        self.counts["sent"] += 1
        self.counts["repeated" if key in self._sent else "commands"] += 1
        self._sent.setdefault(key, Sent(table, by, command, person))

    def granted(self, key: str, reply: Plain) -> None:
        """Check that every repetition gets the same reply, and that it matches the log."""
        sent = self._sent[key]
        need(sent.granted in (None, reply), "replies", f"{key} is answered {sent.granted}, and again {reply}", sent.table)
        if sent.granted is None:
            self.counts["granted"] += 1
        sent.granted = reply
        got = (reply["table"], reply["version"], reply["event"], reply["at"])
        need(self._logged.get(key) == got, "replies", f"{key} is answered {got}; the log has {self._logged.get(key)}", sent.table)

    def denied(self, key: str, answer: str, *, granted_later: bool) -> None:
        """Check that a refusal, or a failure to record, leaves no trace. The same key may be granted afterward."""
        sent, self.counts[answer] = self._sent[key], self.counts[answer] + 1
        changed = answer == REFUSED and sent.granted
        need(not changed, "replies", f"{key} was granted, then refused when repeated", sent.table)
        in_log = key in self._logged and not granted_later
        need(not in_log, "replies", f"{key} was answered “{answer}” but is in the log", sent.table)

    # what the log says

    def known(self, stream: str) -> int:
        return self._versions.get(stream, (0, b""))[0]

    def entry(self, stream: str, version: int, body: bytes, sealed: bytes, digest: bytes, orders: Sequence[Plain] = ()) -> None:
        """The next entry of a stream, with the orders that the house says it sealed."""
        before, head = self._versions.get(stream) or (0, sha256(stream.encode()).digest())
        need(version == before + 1, "log", f"{stream}: version {version} follows {before}")
        need(digest == sha256(head + body).digest(), "log", f"{stream}, version {version}: the hash is not that of what it follows")
        self._versions[stream] = (version, digest)
        kind, _, name = stream.partition("/")
        plain = _decode(body)
        if kind == "meter":
            return self._meter(stream, plain)
        try:
            return self._event(name, plain, SealedPart(stream, version, _decode(sealed) if sealed else {}, orders))
        except AuditFinding as finding:
            raise AuditFinding(finding.check, f"version {version}: {finding.said}", name) from finding

    def _event(self, name: str, event: Plain, part: SealedPart) -> None:
        book, version = self.tables.setdefault(name, TableBook(name, self.counts)), part.version
        self._need_sent(book, version, event)
        need(event["at"] >= book.at, "log", "the clock of the log runs backwards")
        book.at, book.closed = event["at"], event["event"] == "table closed"
        if event["event"] == "table opened":
            book.chips.signs = book.cards.signs = self._signs(event["command"]["submission"])
            book.linked = event["command"].get("linked", {})
            self._list_meters(book)
        book.cards.post(event, part)
        paying = any(box.begun for box in book.chips.boxes.values())
        book.chips.post(event)
        book.persons.post(event)
        self.counts["events"] += 1
        self.counts["cards"] += len(event["then"].get("cards", ()))
        if event["event"] == "irregularity":
            self.irregularities[event["command"]["irregularity"]] += 1
            self.counts["late findings"] += paying and not book.chips.playing
        elif event.get("wrong"):
            self.irregularities["Wrong count of the stub"] += 1
        self.counts["paid from a meter"] += sum(line.get("source") == "meter" for line in event["then"].get("lines", ()))
        self.counts["decisions lapsed"] += event["event"] == "decision lapsed"
        self.counts["paid at the cage"] += event["then"].get("papers", False)
        for wager, move in event["then"].get("meters", {}).items():
            self._moves[name, version, wager] = move

    def _need_sent(self, book: TableBook, version: int, event: Plain) -> None:
        """Check that an event was asked for, as it is written, and is written only once."""
        key = event.get("key", "")
        sent = needed(self._sent.get(key), "replies", f"nobody sent {event['event']} under the key “{key}”")
        need(key not in self._logged, "replies", f"{key} is in the log twice")
        same = (sent.table, sent.by, sent.command) == (book.name, event["by"], event["command"])
        same = same and sent.person in ("", event.get("person"))
        need(event.get("person"), "replies", f"{key}: {event['event']} names nobody")
        need(same, "replies", f"{key}: {event['by']} {event['command']} was not what was sent")
        self._logged[key] = (book.name, version, event["event"], event["at"])

    def _meter(self, stream: str, entry: Plain) -> None:
        self.meters.setdefault(stream, AuditedMeter(stream)).post(entry)
        if "move" in entry:
            due = self._moves.pop((entry["table"], entry["version"], entry["wager"]), None)
            need(due == entry["move"], "meters", f"{stream} moved by {entry['move']}, where its table says {due}", entry["table"])

    def _list_meters(self, book: TableBook) -> None:
        for wager in set(book.chips.signs.meters.values()):
            stream = f"meter/{book.linked[wager]}" if wager in book.linked else f"meter/{book.name}/{wager}"
            self.feeders.setdefault(stream, {})[book.name, wager] = None

    # final checks

    def check_meters(self) -> None:
        """Check that tables and meters agree."""
        need(not self._moves, "meters", f"the meters did not record {list(self._moves)[:3]}")

    def balances(self, name: str) -> dict[str, int]:
        return self.tables[name].chips.balances() if name in self.tables else {}

    def check_closing(self) -> None:
        """Final checks: every logged command was answered, closed tables are empty, and meters hold what they were given."""
        for key, sent in self._sent.items():
            need(sent.granted or key not in self._logged, "replies", f"{key} is in the log but was never answered", sent.table)
        for book in (book for book in self.tables.values() if book.closed):
            held = {pile: c for pile, c in book.chips.balances().items() if at_the_table(pile)}
            need(not held, "chips", f"the table is closed and holds {held}", book.name)
        for stream, meter in self.meters.items():
            self._check_balance(stream, meter)

    def _check_balance(self, stream: str, meter: AuditedMeter) -> None:
        """Check that what a meter shows beyond its seed is what its tables added."""
        fed = [(self.tables[name].chips.piles, wager) for name, wager in self.feeders[stream]]
        given = sum(piles[f"meter of the {wager}"] for piles, wager in fed)
        reserved = sum(piles[f"reserve of the {wager}"] for piles, wager in fed)
        amount, reserve = meter.due()
        grew = amount - meter.terms["seed"]
        words = f"{stream} grew by {grew} and {reserve}; its tables gave {given} and {reserved}"
        need((given, reserved) == (grew, reserve), "meters", words)
