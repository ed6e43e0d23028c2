"""Figures and sentences as they stand on paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from croupier.filing.offer import Offer
from croupier.law.wager import Choice, Decision, Wager
from croupier.money import Kind, show
from croupier.table.staking import limits_of


def percent(value: Fraction | str, places: int = 2) -> str:
    """A share in percent, rounded half up from the exact fraction.

    >>> percent("1/3"), percent(Fraction(-1, 8), 1), percent(Fraction(99999, 100000), 2)
    ('33.33%', '-12.5%', '100.00%')
    """
    share, scale = Fraction(value), 10**places
    whole = (abs(share) * 100 * scale * 2 + 1) // 2
    text = f"{int(whole) // scale:,}.{int(whole) % scale:0{places}d}" if places else f"{int(whole):,}"
    return f"{'-' if share < 0 and whole else ''}{text}%"


def rate(share: Fraction) -> str:
    """A filed rate with all its decimals.

    >>> rate(Fraction(14, 100)), rate(Fraction(145, 1000)), rate(Fraction(0))
    ('14%', '14.5%', '0%')
    """
    return f"{Decimal(share.numerator) * 100 / Decimal(share.denominator):f}%".replace(".0%", "%")


def one_in(count: int, total: int) -> str:
    """How rare a thing is, to three figures.

    >>> one_in(48, 22100), one_in(1, 3), one_in(1, 2_598_960)
    ('1 in 460', '1 in 3.00', '1 in 2,600,000')
    """
    rare = Fraction(total, count)
    if rare < 100:
        return f"1 in {float(rare):.{2 if rare < 10 else 1}f}"
    digits = len(str(int(rare))) - 3
    return f"1 in {round(int(rare), -digits):,}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """
    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    found = list(words)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}" if found else ""


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def short(name: str) -> str:
    """A wager as one calls it at the table.

    >>> short("Pair Plus Wager")
    'Pair Plus'
    """
    return name.removesuffix(" Wager")


def amount(offer: Offer, wager: Wager) -> str:
    """How much a wager may be: the code's own sums, the multiples of a decision, or the posted limits."""
    if terms := offer.progressives.get(wager.name):
        return show(terms.amount)
    if wager.made_by_decision:
        return listed(dict.fromkeys(_multiple(*made) for made in _makes(offer, wager)), "or")
    if wager.amounts:
        return wager.amounts.words
    low, high = limits_of(offer, wager, (offer.minimum, offer.maximum))
    return f"{show(low)} to {show(high)}" if low else f"up to {show(high)}"


def _makes(offer: Offer, wager: Wager) -> list[tuple[Decision, Choice]]:
    return [(d, choice) for d in offer.rules.decisions for choice in d.choices if choice.makes and choice.makes[0] is wager]


def _multiple(decision: Decision, choice: Choice) -> str:
    assert choice.makes
    base = f"the {short(decision.base.name)}"
    return f"equal to {base}" if choice.makes[1] == 1 else f"{choice.makes[1]} times {base}"


def offered(offer: Offer) -> list[Wager]:
    """The wagers of an Offer, one of each name."""
    return list({wager.name: wager for wager in offer.rules.wagers.values() if offer.offers(wager)}.values())


def alone(offer: Offer) -> str:
    """For whom draws are priced, where their chance depends on who else plays."""
    facts = (fact for settlement in offer.rules.settlements for fact in settlement.drawn.values())
    return ", for a player alone at the table" if any(fact.among_wagers(offer.readings) for fact in facts) else ""


def how_paid(odds: Sequence[str]) -> str:
    """What the kinds of odds mean, for those that occur."""
    told = {
        Kind.TO: "“to 1” is paid on top of your wager, which goes back to you",
        Kind.FOR: "“for 1” counts your wager in",
        Kind.METER: "a share of the meter is what the meter shows at your turn",
    }
    marks = {Kind.TO: " to ", Kind.FOR: " for ", Kind.METER: "of meter"}
    found = [words for kind, words in told.items() if any(marks[kind] in each for each in odds)]
    return "; ".join(found)[:1].upper() + "; ".join(found)[1:] + "." if found else ""
