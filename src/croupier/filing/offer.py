"""The Offer: what a certificate holder offers under a valid Rules Submission. Immutable, and identified by its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.book import common
from croupier.law.chapter import Rules
from croupier.law.paytable import Column, Meter, Paytable
from croupier.law.procedure import Method
from croupier.law.reading import Alternative, Reading, in_force
from croupier.law.wager import GameVersion, Wager
from croupier.money import ROUNDINGS, Cents, Odds

ADDED_ROWS = common.ADDED_ROWS
IDLE_SECONDS = 300  # unless the submission files another: no chapter defines “no gaming activity”


@dataclass(frozen=True)
class Progressive:
    """The terms of one meter, as filed."""

    amount: Cents
    rate: Fraction
    reserve: Fraction
    seed: Cents
    reseed: Cents


@dataclass(frozen=True)
class Devices:
    """How cards are dealt, and with which devices."""

    method: Method
    shuffler: bool
    counts_cards: bool
    reshuffles: bool
    decks: int
    stores_deck: bool = False  # the shuffler stores one shuffled deck securely, under approved procedures (.5(f)(2)(i)-(ii))
    idle_seconds: int = IDLE_SECONDS  # time without gaming activity before the cards are spread (.5(f))


@dataclass(frozen=True)
class Offer:
    rules: Rules
    facility: str
    wagers: frozenset[str]  # the optional wagers offered, by name
    letters: Mapping[str, str]  # of the lettered paytables, by table name
    form: str
    added: Mapping[str, Odds]  # odds of the row added to a paytable, by table name
    envy: str
    progressives: Mapping[str, Progressive]
    linked: Mapping[str, str]  # the meter that each progressive feeds, if not the table's own
    adjacent_boxes: int
    minimum: Cents
    maximum: Cents
    wager_limits: Mapping[str, tuple[Cents, Cents]]
    payout_limit: Cents | None
    rounding: str
    devices: Devices
    decision_seconds: int  # the time limit for a decision, 0 for none
    draws: Mapping[str, int]  # by key: what the system draws in one round out of this many, 0 for never
    readings: Mapping[str, str]

    @cached_property
    def choices(self) -> Mapping[str, Any]:
        """All of the above as plain data, which is what gets hashed."""
        same = ("facility", "form", "envy", "linked", "adjacent_boxes", "minimum", "maximum", "wager_limits", "payout_limit")
        unless = {"stores_deck": False, "idle_seconds": IDLE_SECONDS}  # named only if they differ from this
        dealing = {key: value for key, value in asdict(self.devices).items() if unless.get(key) != value}
        meters = {name: asdict(terms) for name, terms in self.progressives.items()}
        return {name: getattr(self, name) for name in same} | {
            "game": self.rules.number,
            "edition": self.rules.edition.name,
            "wagers": sorted(self.wagers),
            "paytables": self.letters,
            ADDED_ROWS: {name: str(odds) for name, odds in self.added.items()},
            "progressives": {name: each | {rate: str(each[rate]) for rate in ("rate", "reserve")} for name, each in meters.items()},
            "rounding": self.rounding,
            "dealing": dealing | {"method": self.devices.method.value},
            "decisions": {"seconds": self.decision_seconds},
            "system": self.draws,
            "readings": self.readings,
        }

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the choices in canonical form."""
        text = json.dumps(self.choices, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def offers(self, wager: Wager) -> bool:
        return not wager.optional or wager.name in self.wagers

    @cached_property
    def version(self) -> GameVersion | None:
        """The version of the game that is filed in place of the usual one."""
        return next((each for each in self.rules.of(GameVersion) if each.cite.clause == self.form), None)

    @cached_property
    def tables(self) -> Mapping[str, Paytable]:
        return self.rules.paytables(self.form)

    @cached_property
    def _columns(self) -> Mapping[str, Column]:
        added = {name: {t.adds.name: self.added[name]} for name, t in self.tables.items() if t.adds and name in self.added}
        return {name: {**table.columns[self.letter(table)], **added.get(name, {})} for name, table in self.tables.items()}

    def column(self, name: str) -> Column:
        """The filed column of this table, including any row that the submission adds."""
        return self._columns[name]

    def letter(self, table: Paytable) -> str:
        if table.name in self.letters:
            return self.letters[table.name]
        return self.envy if table.lettered and self.envy in table.columns else table.letters[0]

    def reading(self, reading: Reading) -> str:
        return self.readings.get(reading.name, reading.default)

    def reads(self, alternative: Alternative | None) -> bool:
        """Whether this alternative is in force; false if the edition has no such alternative."""
        return in_force(alternative, self.readings)

    @property
    def meters(self) -> Mapping[str, Meter]:
        return self.rules.meters

    def seed(self, wager: str, stake: Cents, *, again: bool) -> Cents:
        """What a meter starts or restarts with: the filed figure, or the code's if none is filed."""
        if terms := self.progressives.get(wager):
            return terms.reseed if again else terms.seed
        meter, table = self.meters[wager], self.tables[wager]
        return meter.seed_for(self.letter(table), stake, again=again)

    def stakes(self, wager: Wager) -> tuple[Cents, Cents]:
        """The filed minimum and maximum for a wager; 0 if no limit is filed."""
        if terms := self.progressives.get(wager.name):
            return terms.amount, terms.amount
        if wager.amounts and wager.amounts.sums:
            return min(wager.amounts.sums), max(wager.amounts.sums)
        return self.wager_limits.get(wager.name, (self.minimum, self.maximum))

    def round(self, cents: Fraction) -> Cents:
        return ROUNDINGS[self.rounding](cents)
