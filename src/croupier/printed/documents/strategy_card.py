"""The strategy card: the best play in words on one card, and its edge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from croupier.money import percent
from croupier.odds.report import best_play
from croupier.odds.solvers.main_game import NotCounted, main_name, main_settlement
from croupier.odds.strategy_edge import NOT_CLOSE, strategy_edge
from croupier.printed.content.phrases import capitalized, short
from croupier.printed.documents.mathematics import costlier
from croupier.printed.output.document import Block, Document, Items, Notice, Paragraph, PrintedFiling, document, notices


def strategy_card(filed: PrintedFiling) -> Document:
    try:
        found = best_play(filed.offer)
    except NotCounted as refused:
        blocks: list[Block] = [Notice("Best play not counted", (str(refused),))]
        return document(filed, "card", filed.offer.rules.title, "Best play · house edge not counted", blocks, "postcard")
    unit, rules = main_name(filed.offer.rules), filed.offer.rules
    of_what = f"of the {short(unit)}" if unit == main_settlement(rules).wager.name else "of one bet"
    others = " · ".join(f"{each['name']} {percent(each['edge'])}" for each in costlier(found))
    other_ways = [Paragraph(f"House edge of other ways to play: {others}", quiet=True)] if others else []
    played = strategy_edge(found["edge"], ((each["name"], each["edge"]) for each in found["simplified"]))
    warned = [Notice(NOT_CLOSE, (f"This one costs {played.cost} {of_what} more.",))] if played.far else []
    blocks = [*warned, *_words(found["words"]), *other_ways, *notices(filed)]
    paper = "wallet" if len(found["words"]) < 4 and not filed.notices and not warned else "postcard"
    return document(filed, "card", filed.offer.rules.title, capitalized(played.heading(" · ", f" {of_what}")), blocks, paper)


def _words(lines: list[str]) -> Iterator[Block]:
    """Indented lines belong to the line above them."""
    for indented, some in groupby(lines, key=lambda line: line.startswith("  ")):
        if indented:
            yield Items([(line.strip(), "") for line in some])
        else:
            yield from (Paragraph(capitalized(line)) for line in some)
