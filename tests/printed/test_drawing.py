"""Cards, chips and colours: drawn as shapes, the same each time, readable on each other."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from croupier.cards import JOKER, deck
from croupier.printed.drawing.color import Colour
from croupier.printed.drawing.fonts import SEMIBOLD, outline, width
from croupier.printed.drawing.shapes import (
    CHIPS,
    FOUR_COLOURS,
    TWO_COLOURS,
    card,
    card_back,
    chip,
    document,
    hand,
    name_of,
    text_on_arc,
)


def parsed(*parts: str) -> ElementTree.Element:
    return ElementTree.fromstring(document(parts, 100, 100))


@pytest.mark.parametrize("each", deck(jokers=1), ids=name_of)
def test_a_card_is_drawn_in_shapes_alone_and_says_its_name(each: object) -> None:
    drawn = card(each)  # type: ignore[arg-type]
    tags = {element.tag.rpartition("}")[2] for element in parsed(drawn).iter()}
    assert tags <= {"svg", "g", "title", "rect", "path"}
    assert f"<title>{name_of(each)}</title>" in drawn  # type: ignore[arg-type]
    assert drawn == card(each)  # type: ignore[arg-type]


def test_every_card_looks_different_in_two_and_in_four_colours() -> None:
    for four in (False, True):
        faces = {card(each, four_colours=four).partition("</title>")[2] for each in deck(jokers=1)}
        assert len(faces) == 53


def test_four_colours_tell_the_suits_apart_and_all_can_be_read_on_white() -> None:
    assert len(set(FOUR_COLOURS.values())) == 4
    for colour in {*FOUR_COLOURS.values(), *TWO_COLOURS.values()}:
        assert Colour(colour).contrast(Colour("#ffffff")) >= 4.5


def test_the_value_can_be_read_on_every_chip() -> None:
    for fill, ink in CHIPS.values():
        assert Colour(fill).contrast(Colour(ink)) >= 4.5
    assert "<title>a chip of $1,000</title>" in chip(100_000)


def test_a_hand_names_its_cards_and_the_back_shows_none() -> None:
    assert ElementTree.fromstring(hand([JOKER])).find("{*}title").text == "joker"  # type: ignore[union-attr]
    assert not any(name_of(each) in card_back() for each in deck())


def test_text_is_measured_from_the_font_itself() -> None:
    assert 2.2 < width("ANTE") < 2.4
    assert width("ANTE", 10, SEMIBOLD, spacing=1) == pytest.approx(width("ANTE", 10, SEMIBOLD) + 4)
    assert outline("10", 20).startswith("M") and outline("10", 20).endswith("Z")


def test_words_on_an_arc_keep_their_letters_together() -> None:
    drawn = text_on_arc("A & B", (0, 0), 100, 10, name="one", fill="#000000")
    assert parsed(drawn).find(".//{*}textPath").text == "A & B"  # type: ignore[union-attr]
