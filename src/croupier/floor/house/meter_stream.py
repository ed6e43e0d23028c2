"""The log of a meter: its opening at the seed, then every contribution and draw, each with the table's event that caused it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from croupier.filing.offer import Progressive
from croupier.ledger import Source
from croupier.money import Cents
from croupier.table.meters import MeterMove, MeterState
from croupier.table.state import offer_of

VERSION = 1


def meter_stream(table: str, wager: str, linked: Mapping[str, str]) -> str:
    """The stream of the meter that a wager feeds: the table's own, or one that several tables share."""
    return f"meter/{linked[wager]}" if wager in linked else f"meter/{table}/{wager}"


def meter_streams(table: str, submission: str, linked: Mapping[str, str]) -> dict[str, str]:
    """The streams of all meters of a table, by the wager that feeds them."""
    return {wager: meter_stream(table, wager, linked) for wager in offer_of(submission).progressives}


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


class MeterHistory:
    """What each meter showed after an event of a table. Each meter's log is read only once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._read: dict[str, int] = {}
        self._shown: dict[tuple[str, str, int], Cents] = {}  # by the meter's stream, the table, and the version of its event

    def at(self, stream: str, table: str, version: int) -> Cents | None:
        """The amount after the event of this version; None if the event did not move the meter, or its log is not here."""
        if (stream, table, version) not in self._shown:
            for entry in self.source.read(stream, self._read.get(stream, 0)):
                event = read_meter(entry.body)
                self._shown[stream, event.table, event.version] = event.meter.amount
                self._read[stream] = entry.version
        return self._shown.get((stream, table, version))
