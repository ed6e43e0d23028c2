"""Money in integer cents, odds as exact fractions, rounding by named rules."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction

Cents = int
MOST = 1_000_000_000_000  # dollars; no wager, meter or limit is greater
MOST_TO_ONE = 1_000_000  # times a wager; no odds are greater


class NotAnAmount(ValueError):
    """The text is not an amount of dollars and whole cents."""


def dollars(amount: int | Decimal | str) -> Cents:
    """Dollars as cents, exactly.

    >>> dollars(100), dollars("12345.67")
    (10000, 1234567)
    """
    if isinstance(amount, bool | float):
        raise NotAnAmount(f"“{amount}” is not an amount of dollars and cents")
    try:
        value = Decimal(amount)
    except ArithmeticError:
        raise NotAnAmount(f"“{amount}” is not an amount of dollars and cents") from None
    if not value.is_finite() or not -MOST <= value <= MOST or value * 100 != int(value * 100):
        raise NotAnAmount("that is not an amount of dollars and whole cents")
    return int(value * 100)


def show_money(cents: Cents) -> str:
    """Dollars, and cents only where there are cents.

    >>> show_money(1234500), show_money(750), show_money(-500)
    ('$12,345', '$7.50', '-$5')
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}" + (f".{rest:02d}" if rest else "")


def show_fraction(cents: Fraction, *, signed: bool = False) -> str:
    """An exact amount as people read it, rounded half away from zero: to the hundredth of a cent below a dollar, else to the cent.

    >>> show_fraction(Fraction(15250, 2303)), show_fraction(Fraction(-12345, 7)), show_fraction(Fraction(1, 3), signed=True)
    ('$0.0662', '-$17.64', '+$0.0033')
    """
    small = abs(cents) < 100
    whole = int(abs(cents) * (100 if small else 1) + Fraction(1, 2))
    text = f"${whole // 10_000}.{whole % 10_000:04d}" if small and whole else show_money(whole)
    return f"{'-' if cents < 0 and whole else '+' if signed and cents > 0 and whole else ''}{text}"


class Kind(Enum):
    TO = "to"  # the stake is returned and this much is paid on top
    FOR = "for"  # the stake is included
    METER = "meter"  # a share of the progressive meter
    DOLLARS = "dollars"  # a fixed sum whatever the stake
    PUSH = "push"  # the stake is returned


@dataclass(frozen=True)
class Odds:
    """What a winning wager is paid, exactly.

    >>> str(to(3, 2)), to(3, 2).on(dollars(5))
    ('3 to 2', Fraction(750, 1))
    >>> str(share_of_meter(10)), share_of_meter(10).on(dollars(1), meter=dollars("12345.67"))
    ('10% of meter', Fraction(1234567, 10))
    """

    kind: Kind
    amount: Fraction

    def __post_init__(self) -> None:
        if self.amount < 0:
            raise ValueError(f"odds of {self.amount} are below 0")
        if self.kind in (Kind.TO, Kind.FOR) and self.amount > MOST_TO_ONE:
            raise ValueError(f"odds of {self.amount} are above {MOST_TO_ONE:,}")

    def on(self, stake: Cents, meter: Cents = 0) -> Fraction:
        """The payment in cents before rounding, including the stake for “for 1” odds."""
        return self.amount * {Kind.METER: meter, Kind.DOLLARS: 1}.get(self.kind, stake)

    def __str__(self) -> str:
        match self.kind:
            case Kind.METER:
                return f"{self.amount * 100}% of meter"
            case Kind.DOLLARS:
                return show_money(int(self.amount))
            case Kind.PUSH:
                return "Push"
            case kind:
                return f"{self.amount.numerator:,} {kind.value} {self.amount.denominator}"


def to(times: int, per: int = 1) -> Odds:
    if not isinstance(times, int) or not isinstance(per, int) or per < 1:
        raise ValueError(f"“{times} to {per}” is not odds: both are whole numbers, such as to(3, 2) for 3 to 2")
    return Odds(Kind.TO, Fraction(times, per))


def for_one(times: int) -> Odds:
    return Odds(Kind.FOR, Fraction(times))


def share_of_meter(percent: int) -> Odds:
    return Odds(Kind.METER, Fraction(percent, 100))


def percent(share: Fraction | str, places: int = 4) -> str:
    """A share in percent, rounded half up from the exact fraction, as every page and document states an edge.

    >>> percent("1/3"), percent(Fraction(-1, 8), 1), percent(Fraction(99999, 100000), 2)
    ('33.3333%', '-12.5%', '100.00%')
    """
    value, scale = Fraction(share), 10**places
    whole = (abs(value) * 100 * scale * 2 + 1) // 2
    text = f"{int(whole) // scale:,}.{int(whole) % scale:0{places}d}" if places else f"{int(whole):,}"
    return f"{'-' if value < 0 and whole else ''}{text}%"


def show_rate(share: Fraction) -> str:
    """A filed rate in percent, with all its decimals.

    >>> show_rate(Fraction(14, 100)), show_rate(Fraction(145, 1000)), show_rate(Fraction(0))
    ('14%', '14.5%', '0%')
    """
    return f"{Decimal(share.numerator) * 100 / Decimal(share.denominator):f}%"


def fixed(cents: Cents) -> Odds:
    return Odds(Kind.DOLLARS, Fraction(cents))


PUSH = Odds(Kind.PUSH, Fraction(0))

_READERS: tuple[tuple[str, Callable[..., Odds]], ...] = (
    (r"([\d,]+) to (\d+)", lambda times, per: to(int(times), int(per))),
    (r"([\d,]+) for 1", lambda times: for_one(int(times))),
    (r"(\d+)% of meter", lambda percent: share_of_meter(int(percent))),
    (r"\$([\d,]+)", lambda amount: fixed(dollars(int(amount)))),
    (r"[Pp]ush", lambda: PUSH),
)


def read_odds(text: str) -> Odds:
    """Odds as a paytable prints them.

    >>> read_odds("1,000 to 1") == to(1000), read_odds("$25,000") == fixed(dollars(25000))
    (True, True)
    """
    for pattern, make in _READERS:
        if found := re.fullmatch(pattern, text.strip()):
            return make(*(part.replace(",", "") for part in found.groups()))
    raise ValueError(f"“{text}” is not odds")


ROUNDINGS: dict[str, Callable[[Fraction], Cents]] = {
    "down to the cent": math.floor,
    "to the nearest cent": lambda cents: math.floor(cents + Fraction(1, 2)),
    "up to the cent": math.ceil,
}  # no coarser rule: odds are paid whole, and only what no coin can pay is rounded
