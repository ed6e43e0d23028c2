"""Progressive meters: what wagers add, what winners draw, what meters restart with. Fractions of a cent are never lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import floor

import msgspec

from croupier.filing.offer import Progressive
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.money import Cents
from croupier.table.accounts import CAGE, Move, jackpot, reserve
from croupier.table.accounts import meter as meter_account


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


NO_CHANGE = MeterMove()


def contribution(meter: MeterState, terms: Progressive, wagered: Cents, back: MeterMove = NO_CHANGE) -> MeterMove:
    """What wagers add to a meter and its reserve at the filed rates. Returned wagers (negative) take it back.

    `back` is what is also drawn or put back when a void round undoes a settlement.

    >>> terms = Progressive(amount=100, rate=Fraction(145, 1000), reserve=Fraction(0), seed=0, reseed=0)
    >>> contribution(MeterState(1000, rest="1/2"), terms, 100).contributed
    15
    """
    contributed = floor(Fraction(meter.rest) + wagered * terms.rate)
    # If the meter was won before a void round takes back its contribution, the cage adds what is missing. The meter never goes
    # below zero, nor from above to below what it starts with.
    start, left = min(terms.seed, terms.reseed), meter.amount + contributed - back.drawn + back.reseeded + back.released
    least = start if meter.amount >= start else 0
    return MeterMove(
        wagered=wagered,
        contributed=contributed,
        reserved=max(floor(Fraction(meter.reserve_rest) + wagered * terms.reserve), back.released - meter.reserve),
        drawn=back.drawn,
        reseeded=back.reseeded + (max(0, least - left) if wagered < 0 else 0),
        released=back.released,
    )


def after(meter: MeterState, move: MeterMove, terms: Progressive) -> MeterState:
    return MeterState(
        amount=meter.amount + move.contributed - move.drawn + move.reseeded + move.released,
        reserve=meter.reserve + move.reserved - move.released,
        rest=str(Fraction(meter.rest) + move.wagered * terms.rate - move.contributed),
        reserve_rest=str(Fraction(meter.reserve_rest) + move.wagered * terms.reserve - move.reserved),
    )


def with_contributions(
    filed: Mapping[str, Progressive],
    meters: Mapping[str, MeterState],
    moves: list[Move],
    wagered: Counter[str],
    redrawn: Mapping[str, MeterMove] | None = None,
) -> tuple[list[Move], dict[str, MeterMove]]:
    """The transfers and the meter changes. Returned wagers (negative) take back their contribution.

    `redrawn` is what a void round undoes: it puts back what was drawn (negative) and takes back what restarted a meter.
    """
    made, changes, back = [*moves], dict[str, MeterMove](), redrawn or {}
    for name in dict.fromkeys((*wagered, *back)):
        if terms := filed.get(name):
            changes[name] = change = contribution(meters[name], terms, wagered[name], back.get(name, NO_CHANGE))
            made += [
                _between(TABLE_INVENTORY, meter_account(name), change.contributed),
                _between(TABLE_INVENTORY, reserve(name), change.reserved),
                _between(meter_account(name), jackpot(name), change.drawn),
                _between(CAGE, meter_account(name), change.reseeded),
                _between(reserve(name), meter_account(name), change.released),
            ]
    return made, changes


def _between(source: str, target: str, cents: Cents) -> Move:
    return Move(source, target, cents) if cents >= 0 else Move(target, source, -cents)
