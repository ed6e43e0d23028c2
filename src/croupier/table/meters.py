"""Progressive meters: what wagers add, what winners draw, what they start again with. Parts of a cent are kept, never lost."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from croupier.filing.offer import Progressive
from croupier.money import Cents


class Meter(msgspec.Struct, frozen=True):
    """What a meter and its reserve show, and the parts of a cent that each still has to show."""

    amount: Cents
    reserve: Cents = 0
    rest: str = "0"
    reserve_rest: str = "0"


class MeterMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one event did to a meter. `wagered` is negative where wagers were returned."""

    wagered: Cents = 0
    contributed: Cents = 0
    reserved: Cents = 0
    drawn: Cents = 0
    reseeded: Cents = 0


@lru_cache(maxsize=1024)  # a rate leaves few different parts
def _parts(of_a_cent: str) -> Fraction:
    return Fraction(of_a_cent)


def contribution(meter: Meter, terms: Progressive, wagered: Cents) -> MeterMove:
    """What wagers add to a meter and its reserve, at their rates.

    >>> terms = Progressive(amount=100, rate=Fraction(145, 1000), reserve=Fraction(0), seed=0, reseed=0)
    >>> contribution(Meter(1000, rest="1/2"), terms, 100).contributed
    15
    """
    return MeterMove(
        wagered=wagered,
        contributed=(_parts(meter.rest) + wagered * terms.rate).__floor__(),
        reserved=(_parts(meter.reserve_rest) + wagered * terms.reserve).__floor__(),
    )


def after(meter: Meter, move: MeterMove, terms: Progressive) -> Meter:
    """The meter once the move is made."""
    return Meter(
        amount=meter.amount + move.contributed - move.drawn + move.reseeded,
        reserve=meter.reserve + move.reserved,
        rest=str(_parts(meter.rest) + move.wagered * terms.rate - move.contributed),
        reserve_rest=str(_parts(meter.reserve_rest) + move.wagered * terms.reserve - move.reserved),
    )
