"""Cards, chips and colors: drawn as shapes, the same each time, and readable on each other."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from croupier.cards import JOKER, deck
from croupier.printed.documents.hands import hands_report
from croupier.printed.drawing.fonts import text_outline, width
from croupier.printed.drawing.look import contrast
from croupier.printed.drawing.plots import result_plot
from croupier.printed.drawing.shapes import (
    CHIPS,
    FOUR_COLORS,
    TWO_COLORS,
    card_back,
    card_drawing,
    card_name,
    chip,
    drawing,
    hand_drawing,
    text_on_arc,
)
from croupier.printed.output.page import page
from croupier.printed.output.typeset import typeset
from croupier.wire import Figures, FiguresPoint, HandBox, HandDecision, PlayerHand, WagerFigures, WagerLine


def parsed(*parts: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing(parts, 100, 100))


@pytest.mark.parametrize("each", deck(jokers=1), ids=card_name)
def test_a_card_is_drawn_in_shapes_alone_and_says_its_name(each: object) -> None:
    drawn = card_drawing(each)  # type: ignore[arg-type]
    tags = {element.tag.rpartition("}")[2] for element in parsed(drawn).iter()}
    assert tags <= {"svg", "g", "title", "rect", "path"}
    assert f"<title>{card_name(each)}</title>" in drawn  # type: ignore[arg-type]
    assert drawn == card_drawing(each)  # type: ignore[arg-type]


def test_every_card_looks_different_in_two_and_in_four_colors() -> None:
    for four in (False, True):
        faces = {card_drawing(each, four_colors=four).partition("</title>")[2] for each in deck(jokers=1)}
        assert len(faces) == 53


def test_four_colors_tell_the_suits_apart_and_all_can_be_read_on_white() -> None:
    assert len(set(FOUR_COLORS.values())) == 4
    for color in {*FOUR_COLORS.values(), *TWO_COLORS.values()}:
        assert contrast(color, "#ffffff") >= 4.5


def test_the_value_can_be_read_on_every_chip() -> None:
    for fill, ink in CHIPS.values():
        assert contrast(fill, ink) >= 4.5
    assert "<title>a $1,000 chip</title>" in chip(100_000)


def test_a_hand_names_its_cards_and_the_back_shows_none() -> None:
    assert ElementTree.fromstring(hand_drawing([JOKER])).find("{*}title").text == "joker"  # type: ignore[union-attr]
    assert not any(card_name(each) in card_back() for each in deck())


def test_text_is_measured_from_the_font_itself() -> None:
    assert 2.2 < width("ANTE") < 2.4
    assert width("ANTE", 10, spacing=1) == pytest.approx(width("ANTE", 10) + 4)
    assert text_outline("10", 20).startswith("M") and text_outline("10", 20).endswith("Z")


def test_words_on_an_arc_keep_their_letters_together() -> None:
    drawn = text_on_arc("A & B", (0, 0), 100, 10, name="one", fill="#000000")
    assert parsed(drawn).find(".//{*}textPath").text == "A & B"  # type: ignore[union-attr]


def test_a_result_is_plotted_against_its_expectation() -> None:
    """The lines end where the figures do, and the band is two deviations on each side."""
    points = [FiguresPoint(1, 1000, -100, 500), FiguresPoint(2, -2000, -200, 700)]
    drawn = result_plot(points)
    paths = re.findall(r'd="M([^"]+)"', drawn)
    band, expected, net = ([tuple(map(float, each.split())) for each in path.removesuffix("Z").split("L")] for path in paths)
    assert [len(band), len(expected), len(net)] == [4, 2, 2]
    assert net[1][1] > expected[1][1] > net[0][1], "down is less"
    scale = (net[1][1] - net[0][1]) / 3000  # millimeters per cent
    assert band[2][1] - band[1][1] == pytest.approx(4 * 700 * scale, abs=0.05)
    assert "best play expects" in drawn and "after 2 rounds" in drawn


def test_a_players_hands_are_printed_with_what_the_difference_cost() -> None:
    decision = HandDecision(4, "Play Wager", "649a.11(b)", "fold", by_clock=False, best="play", cost="550625/2303")
    line = WagerLine("Ante Wager", "", "forfeit", 1000, 0, 0, "649a.11(b)")
    box = HandBox(4, ("Qd", "Tc", "8h"), (), (), "", True, {"Ante Wager": 1000}, (decision,), (line,))
    hand = PlayerHand(
        "T1", "Three Card Poker", "649a", "2019-11-02", 14, 1_800_000_000_000, 0, 4, (box,), ("Ad", "", ""), "", (), "", 1000, -1000
    )
    sums = WagerFigures("649a", "Ante Wager", 1, 1000, -1000, counted=-1000, expected="-100/3")
    figures = Figures(1, 0, 1000, -1000, -1000, "-100/3", "", "", 0, (sums,), (), ("Assumed.",))
    document = hands_report("Ada", [hand], figures)
    words = page(document)
    for told in ("fold; best play, cost $2.39", "Qd Tc 8h", "2027-01-15", "−$0.3333", "−$9.67", "Assumed."):
        assert told in words, told
    assert typeset(document)[0].startswith(b"%PDF-")
    assert typeset(document) == typeset(document)
