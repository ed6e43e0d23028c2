"""The layout as a document: the felt at one to five, what it says under which clause, and the legend."""

from __future__ import annotations

from croupier.law.layout import Inscription, Subject
from croupier.printed.drawing.areas import WIDE
from croupier.printed.drawing.felt import inscriptions, layout_drawing
from croupier.printed.output.document import Document, Figure, Paragraph, PrintedFiling, document, notices

SCALE = 5


def layout_sheet(filed: PrintedFiling) -> Document:
    offer = filed.offer
    rules = offer.rules
    inscribed = [f"“{words}” ({cite})" for words, cite in inscriptions(offer)]
    odds = [rule.cite for rule in rules.of(Inscription) if rule.about is Subject.ODDS]
    inscribed += [f"the payout odds of every wager are on the sign ({odds[0]})"] if odds else []
    words = [Paragraph(f"Inscriptions: {'; '.join(inscribed)}.", quiet=True)] if inscribed else []
    blocks = [*notices(filed), Figure(layout_drawing(offer, filed.look), WIDE / SCALE), *words]
    subtitle = f"Table layout, {rules.number}.2 · {rules.seats} positions · scale 1:{SCALE} · seat 1 at the dealer's left"
    return document(filed, "felt", rules.title, subtitle, blocks)
