"""The pictures that pages use by name: `<use href="/art/cards.svg#Qs">`. The same cards and chips as on paper.

cards_sprite()               cards.svg        every card by its short name (Qs, Td, Jk), and `back`
cards_sprite(four=True)      cards-four.svg   the same in four colours
chips_sprite()               chips.svg        `chip-1`, `chip-5` ... `chip-1000`, by value in dollars
felt_font()                  felt.ttf         the face that the layout's inscriptions are measured in
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from croupier.cards import deck
from croupier.money import dollars
from croupier.printed.drawing import CARD_HEIGHT, CARD_WIDTH, card, card_back, chip, number, tag
from croupier.printed.fonts import FOLDER, SEMIBOLD

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
    """A chip of each value of the house, its value printed."""
    return _sprite(tag("symbol", chip(dollars(value)), id=f"chip-{value}", viewBox=CHIP_BOX) for value in CHIP_VALUES)


@cache
def felt_font() -> bytes:
    return (FOLDER / f"SourceSansPro-{SEMIBOLD}.ttf").read_bytes()


def _sprite(symbols: Iterable[str]) -> str:
    return tag("svg", "".join(symbols), xmlns="http://www.w3.org/2000/svg")
