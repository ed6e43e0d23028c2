"""Progressive meters: what wagers add, what winners draw, what meters restart with. Fractions of a cent are never lost."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from croupier.filing.offer import Progressive
from croupier.money import Cents


class MeterState(msgspec.Struct, frozen=True):
    """The amounts of a meter and its reserve, and the fraction of a cent that each carries."""

    amount: Cents
    reserve: Cents = 0
    rest: str = "0"
    reserve_rest: str = "0"


class MeterMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one event did to a meter. `wagered` is negative if wagers were returned; `reseeded` comes from the cage, `released`
    from the reserve.
    """

    wagered: Cents = 0
    contributed: Cents = 0
    reserved: Cents = 0
    drawn: Cents = 0
    reseeded: Cents = 0
    released: Cents = 0


NOTHING = MeterMove()


@lru_cache(maxsize=1024)  # a rate produces few distinct fractions
def _parts(of_a_cent: str) -> Fraction:
    return Fraction(of_a_cent)


def contribution(meter: MeterState, terms: Progressive, wagered: Cents, back: MeterMove = NOTHING) -> MeterMove:
    """What wagers add to a meter and its reserve at the filed rates. Returned wagers (negative) take it back.

    `back` is what is also drawn or put back when a void round undoes a settlement.

    >>> terms = Progressive(amount=100, rate=Fraction(145, 1000), reserve=Fraction(0), seed=0, reseed=0)
    >>> contribution(MeterState(1000, rest="1/2"), terms, 100).contributed
    15
    """
    contributed = (_parts(meter.rest) + wagered * terms.rate).__floor__()
    taken = back.drawn - back.reseeded - back.released
    return MeterMove(
        wagered=wagered,
        contributed=contributed,
        reserved=max((_parts(meter.reserve_rest) + wagered * terms.reserve).__floor__(), back.released - meter.reserve),
        drawn=back.drawn,
        reseeded=back.reseeded + (_made_good(meter, terms, taken - contributed) if wagered < 0 else 0),
        released=back.released,
    )


def _made_good(meter: MeterState, terms: Progressive, taken: Cents) -> Cents:
    """What the cage adds to a meter that was won before a void round took back its contribution.

    The meter never goes below zero, nor from above to below what it starts with.
    """
    start = min(terms.seed, terms.reseed)
    least = start if meter.amount >= start else 0
    return max(0, least - (meter.amount - taken))


def after(meter: MeterState, move: MeterMove, terms: Progressive) -> MeterState:
    """The meter after the change."""
    return MeterState(
        amount=meter.amount + move.contributed - move.drawn + move.reseeded + move.released,
        reserve=meter.reserve + move.reserved - move.released,
        rest=str(_parts(meter.rest) + move.wagered * terms.rate - move.contributed),
        reserve_rest=str(_parts(meter.reserve_rest) + move.wagered * terms.reserve - move.reserved),
    )
