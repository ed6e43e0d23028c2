"""The sign at the table: what every wager offered pays, limits, and the terms of the meters, to be read from afar."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.filing.offer import Offer
from croupier.law.procedure import Inscription
from croupier.money import show
from croupier.printed.document import Block, Document, Filing, Paragraph, Pays, document, notices
from croupier.printed.layout import words_of
from croupier.printed.paying import schedules
from croupier.printed.words import amount, how_paid, listed, offered, rate, short


def sign(filed: Filing) -> Document:
    offer = filed.offer
    limits = f"Minimum {show(offer.minimum)} · maximum {show(offer.maximum)}"
    if offer.payout_limit:
        limits += f" · payout limit {show(offer.payout_limit)}"
    return document(filed, "sign", offer.rules.title, limits, [*_pays(offer), *_small(filed)])


def _pays(offer: Offer) -> Iterator[Block]:
    found = schedules(offer)
    for each in found:
        title = each.title if each.table else listed(short(name) for name in each.title.split(" and "))
        yield Pays(short(title), each.condition, each.rows, each.cite, note=meter_note(offer, each.title))


def meter_note(offer: Offer, wager: str) -> str:
    """The terms of a meter: what it takes, from where it starts and starts again."""
    terms = offer.progressives.get(wager)
    if not terms:
        return ""
    again = show(terms.reseed) if terms.reseed else "what its reserve holds"
    reserve = f", and {rate(terms.reserve)} to a reserve" if terms.reserve else ""
    return (
        f"A wager of {show(terms.amount)}. {rate(terms.rate)} of it goes to the meter{reserve}. "
        f"The meter starts at {show(terms.seed)} and, when won, again at {again}."
    )


def _small(filed: Filing) -> Iterator[Block]:
    """What is said smaller: inscriptions, limits of single wagers, what odds mean."""
    offer = filed.offer
    yield from (Paragraph(words + ".") for words in _told(offer))
    own = [f"{short(wager.name)} {amount(offer, wager)}" for wager in offered(offer) if wager.name in offer.wager_limits]
    if own:
        yield Paragraph(f"Limits of their own: {'; '.join(own)}.")
    if offer.payout_limit and offer.rules.limit:
        covers = listed(map(short, offer.rules.limit.covers))
        yield Paragraph(
            f"The payout limit of {show(offer.payout_limit)} is per player and round and covers {covers}.",
            str(offer.rules.limit.cite),
        )
    yield Paragraph(how_paid([odds for each in schedules(offer) for _, odds in each.rows]), quiet=True)
    if filed.look.help_line:
        yield Paragraph(filed.look.help_line)
    yield from notices(filed)


def _told(offer: Offer) -> list[str]:
    words = [words_of(offer, rule) for rule in offer.rules.of(Inscription)]
    return [each.rstrip(".") for each in words if each and not each.startswith("Payout limit")]
