"""What is printed on a table's layout, as plain data for the auditor, and the wagers a player can choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from croupier.cards import cards
from croupier.filing.offer import Offer
from croupier.law.fact import Place, Position
from croupier.law.forfeits import forfeits
from croupier.law.paytable import Envy
from croupier.law.procedure import Fate, Irregularity, Moment, Voiding
from croupier.law.reading import Reading
from croupier.law.wager import Decision
from croupier.money import Cents
from croupier.shift.audit.finding import AnswerNotice, EnvyNotice, Hands, LimitNotice, Sharing, Signs
from croupier.table.state import offer_of


@lru_cache(maxsize=256)
def signs_of(submission: str) -> Signs:
    offer = offer_of(submission)
    wagers, (void,) = offer.rules.wagers, offer.rules.of(Voiding)
    irregular = offer.rules.of(Irregularity)
    feeds = {wager.key: wager.name for wager in wagers.values() if wager.name in offer.progressives}
    envied = {envy.name: envy.wager.name for envy in offer.rules.of(Envy) if envy.wager.name in offer.progressives}
    return Signs(
        circles={name: tuple(wager.key for wager in group) for name, group in offer.rules.wagers_by_name.items()},
        gathered=frozenset(key for key, wager in wagers.items() if wager.system),
        electronic=frozenset(key for key, wager in wagers.items() if wager.electronic),
        meters=feeds | envied,
        void={
            rule.name: frozenset(wager.key for wager in rule.under(offer.readings).settled)
            for rule in irregular
            if rule.void and rule.moment is not Moment.STUB
        },
        cards=offer.rules.decks.cards,
        shuffler=offer.devices.shuffler,
        broken=frozenset(rule.name for rule in irregular if rule.moment is Moment.ANY),
        removed=frozenset(each.name for each in irregular if each.moment is Moment.SHUFFLE and each.cards is Fate.DECK_REMOVED),
        stores_deck=offer.devices.stores_deck,
        late_stands=offer.reads(void.stands),
        forfeited_lost=offer.reads(void.forfeited_lost),
        abandoned_back=offer.reads(void.abandoned_back),
        limit=_limit(offer),
        envy={envy.name: _envy(offer, envy) for envy in offer.rules.of(Envy)},
        shared=dict(_shared(offer)),
        answers=tuple(dict(_answers(offer, decision)) for decision in offer.rules.decisions),
        silence=tuple(_silence(offer)),
    )


def _answers(offer: Offer, decision: Decision) -> Iterator[tuple[str, AnswerNotice]]:
    """What each answer to a decision does, as the chapter declares it."""
    base, between = decision.base.key, decision.between
    for choice in decision.choices:
        back = choice.withdraws.key if choice.withdraws else ""
        notice = AnswerNotice(back=back, folds=choice.folds)
        if choice.makes:
            wager, times = choice.makes
            notice = AnswerNotice(lays=wager.key, times=(times, times), of=base)
        yield from ((word, notice) for word in (choice.word, *choice.also_said))
    if between and offer.reads(between.reading):
        yield "", AnswerNotice(lays=between.wager.key, times=(between.low, between.high), of=base)


def _silence(offer: Offer) -> Iterator[AnswerNotice]:
    """What each decision that is not answered does, as it is filed."""
    for decision in offer.rules.decisions:
        choice = decision.in_silence(offer.readings)
        lost = forfeits(offer.rules, [choice], offer.readings).lost if choice.folds else ()
        yield AnswerNotice(back=choice.withdraws.key if choice.withdraws else "", loses=frozenset(lost))


def _limit(offer: Offer) -> LimitNotice | None:
    limit = offer.rules.limit
    if limit is None or offer.payout_limit is None:
        return None
    return LimitNotice(
        cents=offer.payout_limit,
        clause=str(limit.cite),
        covers=frozenset(limit.names),
        never=limit.never,
        per_player=limit.per_player(offer.readings),
        with_stakes=offer.reads(limit.with_stakes),
    )


def _envy(offer: Offer, envy: Envy) -> EnvyNotice:
    def row(stake: Cents, held: Hands) -> str:
        """The chapter ranks the hand; the auditor decides whose hands count."""
        places = {place: tuple(card for each in held.get(place.value, ()) for card in cards(each)) for place in Place}
        found = str(envy.hand.of(Position(places, readings=offer.readings)))
        table = envy.schedules[stake]
        return found if table.pays(offer.column(table.name), found) else ""

    return EnvyNotice(envy.wager.key, offer.reads(envy.own), offer.reads(envy.unseen), row)


def _shared(offer: Offer) -> Iterator[tuple[str, Sharing]]:
    """The areas whose jackpots the settlement divides, by the submission's readings."""
    for settlement in offer.rules.settlements:
        readings = {n: offer.reading(ask) for n, ask in enumerate(settlement.asks) if isinstance(ask, Reading)}
        for values, lines in settlement.every_case() if offer.offers(settlement.wager) else ():
            if all(values[n] == alternative for n, alternative in readings.items()):
                yield from ((line.wager.key, Sharing(line.divided_by_box, line.divided_at_turn)) for line in lines if line.divided)


@dataclass(frozen=True)
class MenuItem:
    """A wager as a player sees it: its name, and the allowed amounts; none if any amount within the limits is."""

    word: str
    sums: tuple[Cents, ...]
    low: Cents
    high: Cents
    circles: int
    equals: bool  # the sum of the first wager
    electronic: bool
    entitled: bool  # it gets cards


@lru_cache(maxsize=256)
def menu_of(submission: str, posted: tuple[Cents, Cents]) -> tuple[MenuItem, ...]:
    """The wagers that can be bet before the deal, in the order of the code, within the posted limits."""
    offer = offer_of(submission)
    signs, found = signs_of(submission), dict[str, MenuItem]()
    for wager in offer.rules.wagers.values():
        word = wager.group or wager.key
        if wager.made_by_decision or not offer.offers(wager) or word in found:
            continue
        terms = offer.progressives.get(wager.name)
        low, high = offer.wager_limits.get(wager.name, (posted[0], posted[1] or 100 * posted[0]))
        found[word] = MenuItem(
            word=word,
            sums=(terms.amount,) if terms else wager.amounts.sums if wager.amounts else (),
            low=low,
            high=high,
            circles=len(signs.circles[word]),
            equals=wager.equals is not None,
            electronic=wager.electronic,
            entitled=wager.key in offer.rules.entitled,
        )
    return tuple(found.values())
