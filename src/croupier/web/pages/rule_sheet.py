"""The rule sheet of a table: the guide's own blocks, the readings in force, and every rule under its clause."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from croupier.filing.offer import Offer
from croupier.filing.submission import read_submission
from croupier.law.cite import Cite, Rule
from croupier.law.layout import Area, Equipment, Inscription
from croupier.law.procedure import Definition, NotModeled, Principle, Setting, Step
from croupier.law.wager import GameVersion
from croupier.odds.names import price_name
from croupier.odds.prices import Prices, edge_of, stake_of
from croupier.printed.content.filed_choices import reconstructed
from croupier.printed.content.phrases import definitions, listed
from croupier.printed.documents.guide import exceptions, played
from croupier.printed.drawing.look import HOUSE
from croupier.printed.output.document import Block, DataTable, Heading, Items, Paragraph, filing, notices

CITE = re.compile(r"\d{3}a\.\d{1,2}(?:\([A-Za-z0-9]{1,4}\))*")


class Anchors:
    """Makes each clause an anchor where it is first named, and a link to that place elsewhere."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def clause(self, text: str) -> Markup:
        """Clauses as links, each an anchor at its first mention."""
        return Markup('<span class="cite">%s</span>') % Markup(CITE.sub(self._link, escape(text)))

    def _link(self, match: re.Match[str]) -> str:
        cite = match[0]
        anchor = "" if cite in self._taken else f' id="{cite}"'
        self._taken.add(cite)
        return f'<a class="cite" href="#{cite}"{anchor}>{cite}</a>'


@lru_cache(maxsize=64)
def blocks(submission: str) -> tuple[Block, ...]:
    """The blocks of a rule sheet, except for house edges, which are computed elsewhere."""
    filed = filing(read_submission(submission, opened=True), HOUSE)
    offer = filed.offer
    return (*notices(filed), *played(filed), *exceptions(filed), *_readings(offer), *_reconstructed(offer), *_clauses(offer))


def costs(prices: Prices | None) -> list[tuple[str, str]]:
    """Each wager, with the stake where it matters, and its edge; empty while they are being computed."""
    if prices is None:
        return []
    shown = [each for price in prices.wagers for each in (price, prices.at_most(price)) if each]
    rows = []
    for price in shown:
        meter = "with the meter at its starting amount" if price["meter"] else ""
        rows.append((", ".join(filter(None, [price_name(price), stake_of(price), meter])), edge_of(price)))
    return [*rows, *prices.not_counted.items()]


def _readings(offer: Offer) -> Iterator[Block]:
    rules = offer.rules
    if not rules.readings:
        return
    yield Heading("Where the text is ambiguous", cite="")
    yield Paragraph("Questions that the text leaves open, and how this table answers them.")
    rows = []
    for reading in rules.readings.values():
        here = offer.reading(reading)
        why = reading.because if here == reading.default else "as the Rules Submission chooses"
        rows.append((reading.question, reading.alternatives[here], why, ", ".join(map(str, reading.cites))))
    head = ("Question", "At this table", "Why", "Clause")
    yield DataTable(head, rows, wide={0, 1, 2}, quiet={3}, long=True)


def _reconstructed(offer: Offer) -> Iterator[Block]:
    for name, letter in offer.letters.items():
        if rows := reconstructed(offer, name):
            words = f"Missing from the text and reconstructed: {listed(map(str.lower, rows))} of the {name}, paytable {letter}."
            yield Paragraph(words, str(offer.tables[name].cite))


def _clauses(offer: Offer) -> Iterator[Block]:
    """Every rule that has a text, section by section."""
    sections: dict[int, list[tuple[str, str]]] = {}
    for rule in offer.rules.everything:
        words = _words(rule)
        if words and _applies(offer, rule):
            cites = ", ".join(map(str, rule.cites))
            sections.setdefault(rule.cite.section, []).append((f"{words[0].upper()}{words[1:].rstrip('.')}.", cites))
    yield Heading("Clause by clause")
    for section, items in sorted(sections.items()):
        yield Heading(f"§ {Cite(offer.rules.number, str(section))}", 3)
        yield Items(list(dict.fromkeys(items)))


def _applies(offer: Offer, rule: Rule) -> bool:
    """Whether a rule applies at this table: only the filed version of the game does, and no wager that is not offered."""
    match rule:
        case GameVersion():
            return rule is offer.version
        case Definition():
            return rule in definitions(offer)
        case Area():
            wagers = offer.rules.wagers_on(rule)
            return not wagers or any(map(offer.offers, wagers))
    return True


def _words(rule: Rule) -> str:
    return next((words(rule) for kind, words in WORDS.items() if isinstance(rule, kind)), "")


def _step(rule: Step) -> str:
    return f"the {rule.who.value} {rule.does}{f' ({rule.when})' if rule.when else ''}"


def _area(rule: Area) -> str:
    whose = " for each player" if rule.each_player else ""
    return f"the layout has an area “{rule.name}”{whose}{f': {rule.note}' if rule.note else ''}"


WORDS: Mapping[type[Rule], Callable[[Any], str]] = {
    Step: _step,
    Principle: lambda rule: rule.says,
    GameVersion: lambda rule: rule.words,
    Setting: lambda rule: rule.words,
    Area: _area,
    Inscription: lambda rule: f"inscribed on the layout: {rule.advises}",
    Equipment: lambda rule: f"{rule.name}: {rule.requires}",
    Definition: lambda rule: f"{rule.term}: {rule.meaning}",
    NotModeled: lambda rule: f"not part of play here: {rule.reason}",
}
