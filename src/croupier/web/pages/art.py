"""The drawings that pages use by name: `<use href="/art/cards.svg#Qs">`. The same cards and chips as on paper.

cards_sprite()               cards.svg        every card by its short name (Qs, Td, Jk), and `back`
cards_sprite(four=True)      cards-four.svg   the same in four colours
chips_sprite()               chips.svg        `chip-1`, `chip-5` ... `chip-1000`, by value in dollars; `edge-1` ... below another
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from croupier.cards import deck
from croupier.money import dollars
from croupier.printed.drawing.shapes import CARD_HEIGHT, CARD_WIDTH, card, card_back, chip, chip_edge, number, tag

CHIP_VALUES = (1, 5, 25, 100, 500, 1000)  # dollars
CARD_BOX = f"0 0 {number(CARD_WIDTH)} {number(CARD_HEIGHT)}"
CHIP_BOX = "-20.5 -20.5 41 41"


@cache
def cards_sprite(*, four: bool = False) -> str:
    """Every card of the deck of 53, and the back."""
    faces = [tag("symbol", card(each, four_colours=four), id=str(each), viewBox=CARD_BOX) for each in deck(jokers=1)]
    return _sprite([*faces, tag("symbol", card_back(), id="back", viewBox=CARD_BOX)])


@cache
def chips_sprite() -> str:
    """A chip of each denomination, with its value, and what is seen of it below another."""
    faces = [tag("symbol", chip(dollars(value)), id=f"chip-{value}", viewBox=CHIP_BOX) for value in CHIP_VALUES]
    return _sprite(
        faces + [tag("symbol", chip_edge(dollars(value)), id=f"edge-{value}", viewBox=CHIP_BOX) for value in CHIP_VALUES]
    )


def _sprite(symbols: Iterable[str]) -> str:
    return tag("svg", "".join(symbols), xmlns="http://www.w3.org/2000/svg")
