"""The submission as a document: every choice with its clause, and what the checker found."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.filing.finding import SUBMISSION
from croupier.filing.offer import Offer, Progressive
from croupier.law.procedure import AdjacentBoxes, IdleSpread
from croupier.money import show_money, show_rate
from croupier.printed.content.filed_choices import Row, draws, letters, version
from croupier.printed.content.phrases import amount_words, offered, payout_limit
from croupier.printed.content.round_steps import dealing_of
from croupier.printed.output.document import Block, DataTable, Document, Heading, Items, Paragraph, PrintedFiling, document, notices


def submission_form(filed: PrintedFiling) -> Document:
    offer = filed.offer
    wagers = [(bet.name, "optional" if bet.optional else "", amount_words(offer, bet), str(bet.cite)) for bet in offered(offer)]
    note = f"SHA-256 of the choices above in canonical form: {offer.hash}"
    blocks: list[Block] = [
        *_findings(filed),
        Heading("Game and facility"),
        _table(_game(offer)),
        Heading("Wagers and limits"),
        DataTable(("Wager offered", "", "Amount", "Clause"), wagers, wide={2}, quiet={3}),
        _table(_limits(offer)),
        Heading("Paytables"),
        _table(letters(offer)),
        *_meters(offer),
        Heading("Dealing"),
        _table(_dealing(offer)),
        *_readings(offer),
        Heading("Signature"),
        DataTable(("For the certificate holder", "Name and title", "Date"), [(" ", " ", " ")], wide={1}, note=note),
    ]
    return document(filed, "report", offer.rules.title, f"Rules Submission ({SUBMISSION}) · {offer.facility}", blocks)


def choice_rows(offer: Offer) -> list[Row]:
    """Every choice of a submission as item, choice and clause."""
    wagers = [(f"{wager.name} offered", amount_words(offer, wager), str(wager.cite)) for wager in offered(offer)]
    read = [(reading.question, offer.reading(reading), str(reading.cite)) for reading in offer.rules.readings.values()]
    meters = [
        (f"{name}, {item}", value, str(offer.meters[name].cite))
        for name, terms in offer.progressives.items()
        for item, value in zip(("amount", "rate", "reserve", "start", "after a win"), _figures(terms), strict=True)
    ]
    progressives = [*meters, *_links(offer), *draws(offer)]
    return [*_game(offer), *wagers, *_limits(offer), *letters(offer), *progressives, *_dealing(offer), *read]


def _figures(terms: Progressive) -> tuple[str, ...]:
    shares = show_rate(terms.rate), show_rate(terms.reserve)
    return show_money(terms.amount), *shares, show_money(terms.seed), show_money(terms.reseed)


def _links(offer: Offer) -> Iterator[Row]:
    for name, meter in offer.linked.items():
        yield f"{name}, meter shared with other tables", meter, str(offer.meters[name].system)


def _table(rows: Iterator[Row]) -> DataTable:
    return DataTable(("Item", "Choice", "Clause"), list(rows), wide={1}, quiet={2})


def _findings(filed: PrintedFiling) -> Iterator[Block]:
    yield from notices(filed)
    if filed.notes:
        yield Items([(note, "") for note in filed.notes])
    if not filed.notices and not filed.notes:
        yield Paragraph("Checked against the chapter: no findings.")


def _game(offer: Offer) -> Iterator[Row]:
    rules = offer.rules
    yield "Game", rules.title, rules.chapter.citation
    yield "Edition", f"{rules.edition} ({rules.edition.source}, {rules.edition.status.value})", ""
    yield "Facility", offer.facility, SUBMISSION
    yield from version(offer)


def _limits(offer: Offer) -> Iterator[Row]:
    boxes = offer.rules.of(AdjacentBoxes)[0]
    yield "Minimum and maximum wager", f"{show_money(offer.minimum)} to {show_money(offer.maximum)}", SUBMISSION
    for name, (low, high) in offer.wager_limits.items():
        yield f"Limits of the {name}", f"{show_money(low)} to {show_money(high)}", SUBMISSION
    yield "Positions per player", str(offer.adjacent_boxes), str(boxes.cite)
    if limit := offer.rules.limit:
        yield "Payout limit", payout_limit(offer) if offer.payout_limit else "none", str(limit.cite)
    yield "Rounding of payouts", offer.rounding, SUBMISSION


def _meters(offer: Offer) -> Iterator[Block]:
    rows = [(name, *_figures(terms), str(offer.meters[name].cite)) for name, terms in offer.progressives.items()]
    if rows:
        yield Heading("Progressive meters")
        head = ("Wager", "Amount", "Rate", "Reserve", "Start", "After a win", "Clause")
        yield DataTable(head, rows, right=set(range(1, 6)), quiet={6})
    if offer.linked:
        yield _table(_links(offer))
    if offer.draws:
        yield DataTable(("Table game system", "How often", "Clause"), list(draws(offer)), wide={1}, quiet={2})


def _dealing(offer: Offer) -> Iterator[Row]:
    devices, rules = offer.devices, offer.rules
    yield "Method", devices.method.value, str(dealing_of(offer).cite)
    yield "Shuffling device", "yes" if devices.shuffler else "no", f"{rules.number}.5(a)"
    yield "Device counts the cards", "yes" if devices.counts_cards else "no", f"{rules.number}.5(b)"
    yield "Device reshuffles continuously", "yes" if devices.reshuffles else "no", f"{rules.number}.5(g)"
    yield "Decks", str(devices.decks), f"{rules.number}.3"
    idle = rules.of(IdleSpread)[0]
    if devices.stores_deck:
        yield "Device stores one deck securely", "yes", str(idle.device[0])
    yield "Cards are spread after", f"{devices.idle_seconds} seconds without gaming activity", str(idle.cite)
    seconds = offer.decision_seconds
    yield "Time for a decision", f"{seconds} seconds" if seconds else "no limit", SUBMISSION


def _readings(offer: Offer) -> Iterator[Block]:
    rows = []
    for reading in offer.rules.readings.values():
        chosen = offer.reading(reading)
        mark = "" if chosen == reading.default else " (not the default reading)"
        rows.append((reading.question, f"{chosen}: {reading.alternatives[chosen]}{mark}", str(reading.cite)))
    if rows:
        yield Heading("Readings of ambiguous clauses")
        yield DataTable(("Question", "As filed", "Clause"), rows, wide={0, 1}, quiet={2}, long=True)
