"""The log of a meter: opened at its seed, then every contribution and every draw, each with the event of a table that caused it."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.filing.offer import Progressive
from croupier.ledger.entry import Entry
from croupier.money import Cents
from croupier.table.meters import Meter, MeterMove

VERSION = 1


class Terms(msgspec.Struct, frozen=True):
    """What the submission files for a progressive, in plain data."""

    amount: Cents
    rate: str
    reserve: str
    seed: Cents
    reseed: Cents

    @classmethod
    def of(cls, terms: Progressive) -> Terms:
        return cls(terms.amount, str(terms.rate), str(terms.reserve), terms.seed, terms.reseed)

    def progressive(self) -> Progressive:
        return Progressive(self.amount, Fraction(self.rate), Fraction(self.reserve), self.seed, self.reseed)


class MeterEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happened to a meter, and what it shows since."""

    v: int
    at: int
    table: str
    version: int  # of the table's event
    wager: str
    meter: Meter
    move: MeterMove | None = None
    terms: Terms | None = None


_decode = msgspec.json.Decoder(MeterEvent).decode


def opened(at: int, cause: Entry, wager: str, terms: Progressive) -> MeterEvent:
    return MeterEvent(VERSION, at, _table(cause), cause.version, wager, Meter(terms.seed), terms=Terms.of(terms))


def metered(at: int, cause: Entry, wager: str, move: MeterMove, meter: Meter) -> MeterEvent:
    return MeterEvent(VERSION, at, _table(cause), cause.version, wager, meter, move)


def read_meter(body: bytes) -> MeterEvent:
    return _decode(body)


def _table(cause: Entry) -> str:
    return cause.stream.removeprefix("table/")
