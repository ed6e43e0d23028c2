"""What stands on the layout of a table, told to the auditor in plain words; and what a player can choose from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from croupier.filing.offer import Offer
from croupier.law.paytable import Envy
from croupier.law.procedure import Irregularity, Moment, Voiding
from croupier.law.wager import Wager
from croupier.money import Cents, dollars
from croupier.shift.auditing.finding import Signs
from croupier.table.state import offer_of


@lru_cache(maxsize=256)
def signs_of(submission: str) -> Signs:
    offer = offer_of(submission)
    wagers, (void,) = offer.rules.wagers, offer.rules.of(Voiding)
    words: dict[str, tuple[str, ...]] = {key: (key,) for key in wagers}
    for wager in wagers.values():
        if wager.group:
            words[wager.group] = tuple(each.key for each in wagers.values() if each.group == wager.group)
    feeds = {wager.key: wager.name for wager in wagers.values() if wager.name in offer.progressives}
    envied = {envy.name: envy.wager.name for envy in offer.rules.of(Envy) if envy.wager.name in offer.progressives}
    return Signs(
        circles=words,
        gathered=frozenset(key for key, wager in wagers.items() if wager.collected or wager.electronic),
        electronic=frozenset(key for key, wager in wagers.items() if wager.electronic),
        meters=feeds | envied,
        void={
            rule.name: frozenset(wager.key for wager in rule.under(offer.readings).settled)
            for rule in offer.rules.of(Irregularity)
            if rule.void and rule.moment is not Moment.STUB
        },
        cards=offer.rules.decks.cards,
        late_stands=not void.takes_back(offer.readings),
        forfeited_lost=not void.returns_forfeited(offer.readings),
        abandoned_back=void.returns_abandoned(offer.readings),
    )


@dataclass(frozen=True)
class Choice:
    """A wager as a player thinks of it: the word, and the sums that it may have; none for any sum between the limits."""

    word: str
    sums: tuple[Cents, ...]
    low: Cents
    high: Cents
    circles: int
    equals: bool  # the sum of the first wager
    electronic: bool
    entitled: bool  # it gets cards


@lru_cache(maxsize=256)
def menu_of(submission: str, posted: tuple[Cents, Cents]) -> tuple[Choice, ...]:
    """The wagers that can be laid before the deal, in the order of the code, within the posted limits."""
    offer = offer_of(submission)
    signs, found = signs_of(submission), dict[str, Choice]()
    for wager in offer.rules.wagers.values():
        word = wager.group or wager.key
        if not wager.made_by_decision and offer.offers(wager) and word not in found:
            found[word] = _choice(offer, wager, word, len(signs.circles[word]), posted)
    return tuple(found.values())


def _choice(offer: Offer, wager: Wager, word: str, circles: int, posted: tuple[Cents, Cents]) -> Choice:
    from croupier.law.procedure import Dealing

    low, high = offer.wager_limits.get(wager.name, (posted[0], posted[1] or 100 * posted[0]))
    sums: tuple[Cents, ...] = ()
    if wager.name in offer.progressives:
        sums = (offer.progressives[wager.name].amount,)
    elif wager.amounts and wager.amounts.fixed:
        sums = tuple(cents for cents in map(dollars, range(1, 101)) if wager.amounts.allows(cents, {}))
    return Choice(
        word=word,
        sums=sums,
        low=low,
        high=high,
        circles=circles,
        equals=bool(wager.amounts and not wager.amounts.fixed),
        electronic=wager.electronic,
        entitled=wager in offer.rules.of(Dealing)[0].entitled,
    )
