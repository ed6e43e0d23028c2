"""The log of a meter: its opening at the seed, then every contribution and draw, each with the table's event that caused it."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.filing.offer import Progressive
from croupier.money import Cents
from croupier.table.meters import MeterMove, MeterState

VERSION = 1


class Terms(msgspec.Struct, frozen=True):
    """The filed terms of a progressive, as plain data."""

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
    """What happened to a meter, and what it shows after that."""

    v: int
    at: int
    table: str
    version: int  # of the table's event
    wager: str
    meter: MeterState
    move: MeterMove | None = None
    terms: Terms | None = None


read_meter = msgspec.json.Decoder(MeterEvent).decode
