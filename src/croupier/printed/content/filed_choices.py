"""The choices of a submission that its prices depend on, each with its clause."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.filing.offer import Offer
from croupier.law.paytable import Envy

Row = tuple[str, str, str]  # item, choice, clause


def priced_choices(offer: Offer) -> list[Row]:
    """The version of the game, the paytables with the rows added to them, and how often the system draws."""
    return [*version(offer), *letters(offer), *draws(offer)]


def version(offer: Offer) -> Iterator[Row]:
    if offer.version:
        yield "Version of the game", offer.version.words, str(offer.version.cite)


def letters(offer: Offer) -> Iterator[Row]:
    for name, letter in offer.letters.items():
        yield name, f"{letter} of {', '.join(offer.tables[name].letters)}", str(offer.tables[name].cite)
    for name, odds in offer.added.items():
        if adds := offer.tables[name].adds:
            yield f"{name}, {adds.name.lower()} added", str(odds), str(offer.rules.cite(adds.clause))
    if envy := next((each for each in offer.rules.of(Envy) if each.lettered and offer.offers(each.wager)), None):
        yield envy.name, f"schedule {offer.envy}", str(envy.cite)
    if not offer.letters and not offer.added:
        yield "None to choose", "every table of this edition has one column", f"{offer.rules.number}.12"


def draws(offer: Offer) -> Iterator[Row]:
    for key, often in offer.draws.items():
        wager = next(each.wager for each in offer.rules.settlements if each.drawn)
        yield f"Draw of a {offer.rules.draws[key].called}", f"in one round of {often}" if often else "never", str(wager.cite)


def reconstructed(offer: Offer, name: str) -> list[str]:
    """The rows of a paytable that are missing from the text in the filed column, and were reconstructed."""
    table = offer.tables[name]
    return [row for row in table.rows if (row, offer.letter(table)) in table.reconstructed]
