"""Compare two filings of one game: what changed, clause by clause, and the effect on each edge and the yearly win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.money import Cents
from croupier.odds.names import Price, price_name, wager_name
from croupier.odds.prices import edge_at, hold_of, prices
from croupier.printed.content.payouts import schedules
from croupier.printed.documents.form import choice_rows

NOT_THERE = "–"


class Change(msgspec.Struct, frozen=True):
    """A choice or payout that differs between the two."""

    what: str
    before: str
    after: str
    cite: str


@dataclass(frozen=True)
class Effect:
    """A wager's edge in both, at the average bet, and what it wins the house in a year of such play; None where it is not offered.

    A progressive wins what is left after its contributions to the meter.
    """

    wager: str
    before: Fraction | None
    after: Fraction | None
    average: Cents
    win_before: Fraction  # cents
    win_after: Fraction


@dataclass(frozen=True)
class PlayVolume:
    """How much is played: hands per hour, hours per year, and the average of each wager in cents (by default its minimum)."""

    hands_per_hour: int
    hours: int
    averages: Mapping[str, Cents]

    @property
    def hands(self) -> int:
        return self.hands_per_hour * self.hours


@dataclass(frozen=True)
class Difference:
    choices: tuple[Change, ...]
    payouts: tuple[Change, ...]
    effects: tuple[Effect, ...]


def difference(one: Offer, other: Offer, play: PlayVolume | None) -> Difference:
    """What the second filing changes in the first. Effects need a volume of play, and the odds of both."""
    if one.rules.number != other.rules.number:
        raise Refusal(f"the filings are for {one.rules.number} and {other.rules.number}", "601a.2", "two filings for the same game")
    effects = tuple(_effects(one, other, play)) if play else ()
    known = {effect.wager for effect in effects}
    if play and (unknown := [name for name in play.averages if name not in known]):
        raise Refusal(f"“{unknown[0]}” is not a wager in these filings", "601a.2", ", ".join(sorted(known)))
    chosen = ({(item, cite): choice for item, choice, cite in choice_rows(each)} for each in (one, other))
    return Difference(tuple(_changes(*chosen)), tuple(_changes(_payouts(one), _payouts(other))), effects)


def _payouts(offer: Offer) -> dict[tuple[str, str], str]:
    return {
        (f"{each.title}{f', {each.condition}' if each.condition else ''}: {hand}", each.cite): odds
        for each in schedules(offer)
        for hand, odds in each.rows
    }


def _changes(before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]) -> list[Change]:
    keys = list(dict.fromkeys([*before, *after]))
    pairs = [(key, before.get(key, NOT_THERE), after.get(key, NOT_THERE)) for key in keys]
    return [Change(what, old, new, cite) for (what, cite), old, new in pairs if old != new]


def _effects(one: Offer, other: Offer, play: PlayVolume) -> list[Effect]:
    before, after = ({price_name(price): price for price in prices(offer).wagers} for offer in (one, other))
    found = []
    for wager in dict.fromkeys([*before, *after]):
        average = play.averages.get(wager, _usual(other if wager in after else one, wager))
        figures = [_figures(offer, known.get(wager), average) for offer, known in ((one, before), (other, after))]
        (was, held), (is_, holds) = figures
        staked = average * play.hands
        found.append(Effect(wager, was, is_, average, held * staked, holds * staked))
    return found


def _figures(offer: Offer, price: Price | None, stake: Cents) -> tuple[Fraction | None, Fraction]:
    """The edge and long-run hold at the stake played; None and 0 if the wager is not offered."""
    return (edge_at(price, stake), hold_of(offer, price, stake)) if price else (None, Fraction(0))


def _usual(offer: Offer, wager: str) -> Cents:
    """The minimum wager; for a progressive, or if the code fixes it, the amount."""
    return offer.stakes(next(each for each in offer.rules.wagers.values() if wager in (wager_name(each), each.group)))[0]
