"""The gaming guide for patrons: how the game is played, what it pays and what it costs, from the chapter and the Offer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.filing.offer import Offer
from croupier.filing.pricing import resolve
from croupier.law.fact import DEALER, Compared
from croupier.law.layout import TableSeats
from croupier.law.procedure import Act, AdjacentBoxes, Irregularity, Moment, Setting, Stage, Voiding
from croupier.law.ranking import or_better
from croupier.law.settlement import Outcome, Settlement
from croupier.money import show_money
from croupier.odds.names import Price, price_name
from croupier.odds.prices import edge_of, prices, stake_of
from croupier.odds.report import hit_rate
from croupier.odds.solvers.main_game import main_settlement
from croupier.printed.content.counted_cards import cards_compared
from croupier.printed.content.example_hands import example_hand, rankings
from croupier.printed.content.fold_terms import fold_words, time_words
from croupier.printed.content.outcomes import situations
from croupier.printed.content.payouts import Schedule, how_paid, possible_cases, price_notes, schedules
from croupier.printed.content.phrases import (
    a_hand,
    amount_words,
    definitions,
    listed,
    lone_player_note,
    offered,
    payout_limit,
    sentence,
    short,
)
from croupier.printed.content.round_steps import dealing_of, script_words, stage_words, wager_words, ways_in, ways_in_words
from croupier.printed.documents.sign import pays
from croupier.printed.drawing.felt import position_drawing
from croupier.printed.drawing.shapes import hand_drawing
from croupier.printed.output.document import (
    Block,
    Contents,
    DataTable,
    Document,
    Figure,
    Heading,
    Items,
    Paragraph,
    PrintedFiling,
    Ranked,
    Section,
    document,
    identity,
    in_two_columns,
    notices,
    paragraph,
)


def guide(filings: Sequence[PrintedFiling]) -> Document:
    """One guide: of a game, or of a whole facility with a contents page."""
    first = filings[0]
    if len(filings) == 1:
        rules = first.offer.rules
        return document(first, "report", rules.title, f"Gaming guide · {first.offer.facility}", _game(first))
    filed_as = [(each.offer.rules.title, identity(each).edition, each.offer.hash[:12]) for each in filings]
    blocks: list[Block] = [Contents(), DataTable(("Game", "Edition", "Submission"), filed_as, wide={1}, quiet={1, 2})]
    for filed in filings:
        blocks += [Section(identity(filed)), Heading(filed.offer.rules.title, 1), *_game(filed)]
    facilities = listed(dict.fromkeys(filed.offer.facility for filed in filings))
    return document(first, "report", "Gaming guide", facilities, blocks)


def _game(filed: PrintedFiling) -> Iterator[Block]:
    yield from notices(filed)
    yield from played(filed)
    yield from _cost(filed.offer)
    yield from exceptions(filed)
    yield from readings_filed(filed.offer)
    if filed.look.help_line:
        yield Heading("Responsible gaming")
        yield Paragraph(filed.look.help_line)


def played(filed: PrintedFiling) -> Iterator[Block]:
    """How the game is played and what it pays."""
    offer = filed.offer
    paid = schedules(offer)
    yield from _opening(offer)
    yield from _wagers(filed)
    yield from _round(offer)
    yield from _results(offer)
    yield from _rankings(filed, paid)
    yield from _pays(offer, paid)


def exceptions(filed: PrintedFiling) -> Iterator[Block]:
    """Irregularities and definitions."""
    yield from _irregularities(filed.offer)
    yield from _definitions(filed.offer)


def _opening(offer: Offer) -> Iterator[Block]:
    rules = offer.rules
    yield from _in_short(offer)
    jokers = f" with {rules.decks.jokers} joker" if rules.decks.jokers else ""
    words = (
        f"Up to {rules.seats} players; one deck of {rules.decks.cards} cards{jokers} is used in each round. "
        f"Wagers from {show_money(offer.minimum)} to {show_money(offer.maximum)}."
    )
    boxes = "one position" if offer.adjacent_boxes == 1 else f"up to {offer.adjacent_boxes} adjacent positions"
    clauses = (rules.of(TableSeats)[0].cite, rules.decks.cite, *(each.cite for each in rules.of(AdjacentBoxes)))
    yield Paragraph(f"{words} A player may wager on {boxes}.", ", ".join(map(str, dict.fromkeys(clauses))))
    if rules.limit and offer.payout_limit:
        yield Paragraph(payout_limit(offer), str(rules.limit.cite))


def _in_short(offer: Offer) -> Iterator[Block]:
    """The game in brief, before its details."""
    rules, main = offer.rules, main_settlement(offer.rules)
    goal = "You play your hand against the dealer's."
    if not rules.dealt[DEALER]:
        goal = "You play for a hand that the paytable pays; the dealer has no hand."
    yield Paragraph(goal, str(main.cite))
    source = offer.version or ways_in(offer)[0][0]
    yield Paragraph(f"To be dealt in, place {ways_in_words(offer)}.", str(source.cite))


# Wagers


def _wagers(filed: PrintedFiling) -> Iterator[Block]:
    offer = filed.offer
    yield Heading("The wagers", cite=f"{offer.rules.number}.7")
    yield Figure(position_drawing(offer, filed.look), 46)
    rows = [(short(wager.name), wager_words(offer, wager), amount_words(offer, wager), str(wager.cite)) for wager in offered(offer)]
    yield DataTable(("Wager", "When you make it", "Amount", "Clause"), rows, wide={1}, quiet={3})
    if version := offer.version:
        yield Paragraph(f"At this table: {version.words}.", str(version.cite))


# A round


def _round(offer: Offer) -> Iterator[Block]:
    rules = offer.rules
    yield Heading("A round, step by step", cite=f"{rules.number}.7 to {rules.number}.11")
    dealing = dealing_of(offer)
    first = "Place your wagers. After “no more bets” you may not make, increase or withdraw a wager, except as described below."
    steps = [(first, f"{rules.number}.7(c)")]
    steps += [(f"The cards are dealt ({dealing.method.value}): {script_words(offer, dealing)}.", str(dealing.cite))]
    steps += [(stage_words(offer, stage), str(stage.cite)) for stage in rules.of(Stage) if stage.act is not Act.CLEAR]
    yield Items(steps, numbered=True)
    yield from paragraph(*time_words(offer))


# What wins and what it pays


def _results(offer: Offer) -> Iterator[Block]:
    main = main_settlement(offer.rules)
    found = situations(offer, main)
    keeps = None if any(row[-1] != "–" for row in found.rows) else -1  # no column of bonuses where there are none
    rows = [(*row[:keeps], clauses) for row, clauses in zip(found.rows, found.clauses, strict=True)]
    head = ("Situation", *map(short, found.head[:keeps]), "Clause")
    yield Heading("Who wins", cite=str(main.cite))
    yield from paragraph(cards_compared(offer, main), str(main.cite))
    yield from (
        Paragraph(words, f"{offer.rules.number}.{clause}") for rule in offer.rules.of(Setting) for clause, words in rule.notes
    )
    note = "A wager that pushes is returned to you; it neither wins nor loses."
    returns = any("pushes" in cell for row in rows for cell in row)
    last = len(head) - 1
    long = {n for row in rows for n, cell in enumerate(row[:last]) if len(cell) > 40}
    yield DataTable(head, rows, wide={0} | long, quiet={last}, note=note if returns else "")
    yield from paragraph(_losing(offer, main), f"{offer.rules.number}.12")
    yield from paragraph(*fold_words(offer))


def _losing(offer: Offer, main: Settlement) -> str:
    """The lowest hand that pays, if a table alone decides the main game, without a dealer's hand."""
    if any(isinstance(fact, Compared) for fact in main.asks):
        return ""
    lines = [
        line
        for _, lines in possible_cases(offer, main)
        for line in lines
        if line.table and line.outcome is Outcome.WIN and not line.bonus
    ]
    found = [(line, resolve(offer, line)) for line in lines]
    lost = {line.row for line, each in found if each and each[0] is Outcome.LOSE}
    kept = {line.row for line, each in found if each and each[0] is Outcome.PUSH}
    paid = [line.row for line, each in found if each and each[0] is Outcome.WIN and line.row not in lost]
    if not lost or not paid:
        return ""
    ranked = max(paid, key=next(line.table for line in lines if line.table).rows.index).lower()
    pushes = f" {listed(map(a_hand, sorted(kept)))} {'push' if len(kept) > 1 else 'pushes'};" if kept else ""
    return f"The paytable pays {or_better(ranked)};{pushes} a wager with a lower hand loses."


def _rankings(filed: PrintedFiling, paid: list[Schedule]) -> Iterator[Block]:
    offer = filed.offer
    for n, (ranking, hands) in enumerate(rankings(offer, paid)):
        if not n:
            yield Heading("The hands, highest first", cite=f"{offer.rules.number}.6")
        sizes = sorted({hand.size or ranking.size for hand in hands})
        size = "" if ranking.name.endswith(" cards") else f" ({listed(map(str, sizes), 'or')} cards)"
        yield Heading(f"{ranking.name}{size}", 3)
        rows = []
        for hand in hands:
            cards = example_hand(ranking, hand, offer.rules.decks.jokers)
            drawing = hand_drawing(cards, four_colors=filed.look.four_colours) if cards else ""
            rows.append((drawing, hand.name, str(offer.rules.cite(ranking.clause_of(hand)))))
        yield Ranked(rows, lane=sizes[-1] * 8.6 + 2)


def _pays(offer: Offer, paid: list[Schedule]) -> Iterator[Block]:
    yield Heading("What each wager pays", cite=f"{offer.rules.number}.12")
    yield Paragraph(how_paid(paid), f"{offer.rules.number}.12")
    yield in_two_columns([pays(offer, each) for each in paid])


def _cost(offer: Offer) -> Iterator[Block]:
    """The house edge of each wager: what it costs on average."""
    found = prices(offer)
    rows = [_cost_row(each) for price in found.wagers for each in (price, found.at_most(price)) if each]
    rows += [(short(wager), "not counted", "", "") for wager in found.not_counted]
    yield Heading("What the game costs")
    yield Paragraph(
        "The house edge is the share of a wager that you lose on average, with the best possible play. "
        "It is calculated from every possible deal, not estimated."
    )
    drawn = f"The draws of the table game system are included{lone_player_note(offer)}." if offer.draws else ""
    head = ("Wager", "House edge", "How often it wins", "")
    yield DataTable(head, rows, right={1, 2}, quiet={3}, note=" ".join(filter(None, [drawn, *price_notes(offer, found)])))


def _cost_row(price: Price) -> tuple[str, ...]:
    at = " ".join(filter(None, [stake_of(price), "with the meter at its starting amount" if price["meter"] else ""]))
    name = short(price["wager"]) + price_name(price).removeprefix(price["wager"])
    return name, edge_of(price), hit_rate(price, 1), at


def _irregularities(offer: Offer) -> Iterator[Block]:
    yield Heading("If something goes wrong", cite=f"{offer.rules.number}.13")
    found = [each.under(offer.readings) for each in offer.rules.of(Irregularity) if each.moment is not Moment.STUB]
    found.sort(key=lambda each: (each.cite.section, each.cite.clause))
    rows = [(_event(offer, each), _fate(offer, each), str(each.cite)) for each in found]
    (void,) = offer.rules.of(Voiding)
    back = "their wagers back too" if offer.reads(void.abandoned_back) else "nothing back"
    note = f"In a void round, a player who has left the table gets {back}."
    yield DataTable(("Event", "What follows", "Clause"), rows, wide={0, 1}, quiet={2}, note=note, long=True)


def _event(offer: Offer, irregularity: Irregularity) -> str:
    """The name of an irregularity, with the wager after which it no longer counts, if a reading says so."""
    if not offer.reads(irregularity.until_first):
        return irregularity.name
    made = next(choice.makes[0] for decision in offer.rules.decisions for choice in decision.choices if choice.makes)
    return f"{irregularity.name} before the first {made.name}"


def _fate(offer: Offer, irregularity: Irregularity) -> str:
    if irregularity.returns_everything:
        wagers = "all hands are void and every wager is returned"
    elif irregularity.void:
        settled = [short(wager.name) for wager in irregularity.settled if offer.offers(wager)]
        back = [short(wager.name) for wager in irregularity.returned if offer.offers(wager)]
        wagers = f"all hands are void; {listed(back)} {'are' if len(back) > 1 else 'is'} returned"
        wagers += f"; {listed(settled)} {'are' if len(settled) > 1 else 'is'} settled" if settled else ""
    else:
        wagers = ""
    (void,) = offer.rules.of(Voiding)
    cards = "" if irregularity.cards.value == "nothing" else irregularity.cards.value
    return sentence("; ".join(filter(None, [wagers, *void.beside(irregularity, offer.readings), irregularity.then, cards])))


def readings_filed(offer: Offer) -> Iterator[Block]:
    """The readings that are not the default, which nothing else in the guide has to mention."""
    filed = [(reading, offer.reading(reading)) for reading in offer.rules.readings.values()]
    rows = [
        (reading.question, sentence(reading.alternatives[here]), str(reading.cite))
        for reading, here in filed
        if here != reading.default
    ]
    if rows:
        yield Heading("How this table reads the rules")
        head = ("Where the text is ambiguous", "At this table", "Clause")
        yield DataTable(head, rows, wide={0, 1}, quiet={2}, long=True)


def _definitions(offer: Offer) -> Iterator[Block]:
    rows = [(rule.term, sentence(rule.meaning)) for rule in definitions(offer)]
    if rows:
        yield Heading("Definitions", cite=f"{offer.rules.number}.1")
        yield DataTable(("Term", "Meaning"), rows, wide={1}, long=True)
