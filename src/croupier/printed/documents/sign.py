"""The sign at the table: what every wager pays, the limits and the meters' terms, readable from a distance."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.filing.offer import Offer
from croupier.law.layout import Inscription, Subject
from croupier.money import show_money, show_rate
from croupier.printed.content.fold_terms import time_words
from croupier.printed.content.payouts import TOGETHER, Schedule, how_paid, schedules
from croupier.printed.content.phrases import amount_words, listed, offered, payout_limit, short
from croupier.printed.drawing.felt import words_of
from croupier.printed.output.document import Block, Document, Paragraph, Pays, PrintedFiling, document, notices, paragraph


def sign(filed: PrintedFiling) -> Document:
    offer = filed.offer
    limits = f"Minimum {show_money(offer.minimum)} · maximum {show_money(offer.maximum)}"
    if offer.payout_limit:
        limits += f" · payout limit {show_money(offer.payout_limit)}"
    return document(filed, "sign", offer.rules.title, limits, [*(pays(offer, each) for each in schedules(offer)), *_small(filed)])


def pays(offer: Offer, schedule: Schedule) -> Pays:
    """A block of what a wager pays, with the cards that count and the terms of its meter."""
    title = listed(map(short, schedule.title.split(TOGETHER)))
    note = " ".join(filter(None, [schedule.note, schedule.shared, meter_note(offer, schedule.title)]))
    return Pays(short(title), schedule.condition, schedule.rows, schedule.cite, note=note)


def meter_note(offer: Offer, wager: str) -> str:
    """The terms of a meter: its contribution rate, its seed and its reseed."""
    terms = offer.progressives.get(wager)
    if not terms:
        return ""
    reserve = f" and {show_rate(terms.reserve)} to a reserve" if terms.reserve else ""
    meter = offer.meters[wager]
    more = " plus the reserve" if offer.reads(meter.releases) else ""
    when = " once the round is over" if offer.reads(meter.later) else ""
    return (
        f"The wager is {show_money(terms.amount)}; {show_rate(terms.rate)} of it goes to the meter{reserve}. "
        f"The meter starts at {show_money(terms.seed)}. "
        f"After it is won in full, it restarts at {show_money(terms.reseed)}{more}{when}."
    )


def _small(filed: PrintedFiling) -> Iterator[Block]:
    """The small print: inscriptions, limits of single wagers, what odds mean."""
    offer = filed.offer
    inscribed = [words_of(offer, rule) for rule in offer.rules.of(Inscription) if rule.about is not Subject.LIMIT]
    yield from (Paragraph(words.rstrip(".") + ".") for words in inscribed if words)
    own = [f"{short(wager.name)} {amount_words(offer, wager)}" for wager in offered(offer) if wager.name in offer.wager_limits]
    if own:
        yield Paragraph(f"Separate limits: {'; '.join(own)}.")
    if offer.payout_limit and offer.rules.limit:
        yield Paragraph(payout_limit(offer), str(offer.rules.limit.cite))
    yield from paragraph(*time_words(offer))
    yield Paragraph(how_paid(schedules(offer)), quiet=True)
    yield from paragraph(filed.look.help_line)
    yield from notices(filed)
