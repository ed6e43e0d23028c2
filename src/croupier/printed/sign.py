"""The sign at the table: what every wager offered pays, limits, and the terms of the meters, to be read from afar."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.filing.offer import Offer
from croupier.law.procedure import Inscription
from croupier.money import show
from croupier.printed.document import Block, Document, Filing, Paragraph, Pays, document, notices
from croupier.printed.folding import time_words
from croupier.printed.layout import words_of
from croupier.printed.paying import Schedule, how_paid, schedules
from croupier.printed.words import amount, listed, offered, payout_limit, rate, short


def sign(filed: Filing) -> Document:
    offer = filed.offer
    limits = f"Minimum {show(offer.minimum)} · maximum {show(offer.maximum)}"
    if offer.payout_limit:
        limits += f" · payout limit {show(offer.payout_limit)}"
    return document(filed, "sign", offer.rules.title, limits, [*_pays(offer), *_small(filed)])


def _pays(offer: Offer) -> Iterator[Block]:
    yield from (pays(offer, each) for each in schedules(offer))


def pays(offer: Offer, each: Schedule) -> Pays:
    """A block of what a wager pays, with the cards that count and the terms of its meter."""
    title = each.title if each.table else listed(short(name) for name in each.title.split(" and "))
    note = " ".join(filter(None, [each.note, meter_note(offer, each.title)]))
    return Pays(short(title), each.condition, each.rows, each.cite, note=note)


def meter_note(offer: Offer, wager: str) -> str:
    """The terms of a meter: what it takes, from where it starts and starts again."""
    terms = offer.progressives.get(wager)
    if not terms:
        return ""
    reserve = f" and {rate(terms.reserve)} to a reserve" if terms.reserve else ""
    more = " and what the reserve holds" if offer.meters[wager].releases_reserve(offer.readings) else ""
    return (
        f"The wager is {show(terms.amount)}; {rate(terms.rate)} of it goes to the meter{reserve}. "
        f"The meter starts at {show(terms.seed)} and, once won in full, starts again at {show(terms.reseed)}{more}."
    )


def _small(filed: Filing) -> Iterator[Block]:
    """What is said smaller: inscriptions, limits of single wagers, what odds mean."""
    offer = filed.offer
    yield from (Paragraph(words + ".") for words in _told(offer))
    own = [f"{short(wager.name)} {amount(offer, wager)}" for wager in offered(offer) if wager.name in offer.wager_limits]
    if own:
        yield Paragraph(f"Limits of their own: {'; '.join(own)}.")
    if offer.payout_limit and offer.rules.limit:
        yield Paragraph(payout_limit(offer), str(offer.rules.limit.cite))
    words, clauses = time_words(offer)
    if words:
        yield Paragraph(words, clauses)
    yield Paragraph(how_paid(schedules(offer)), quiet=True)
    if filed.look.help_line:
        yield Paragraph(filed.look.help_line)
    yield from notices(filed)


def _told(offer: Offer) -> list[str]:
    words = [words_of(offer, rule) for rule in offer.rules.of(Inscription)]
    return [each.rstrip(".") for each in words if each and not each.startswith("Payout limit")]
