"""The sprites: every card and chip under its name, with the same shapes as on paper."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from croupier.cards import deck
from croupier.printed.drawing.shapes import CHIPS, card_drawing
from croupier.web.pages.assets import cards_sprite, chips_sprite


def symbols(sprite: str) -> dict[str | None, ElementTree.Element]:
    found = ElementTree.fromstring(sprite).findall("{*}symbol")
    assert len({each.get("id") for each in found}) == len(found)
    return {each.get("id"): each for each in found}


@pytest.mark.parametrize("four", [False, True])
def test_every_card_is_there_as_it_is_on_paper(four: bool) -> None:
    sprite = cards_sprite(four=four)
    assert set(symbols(sprite)) == {*map(str, deck(jokers=1)), "back"}
    for each in deck(jokers=1):
        assert f'<symbol id="{each}" viewBox="0 0 50 70">{card_drawing(each, four_colors=four)}</symbol>' in sprite


def test_the_back_is_not_a_card_and_reveals_none() -> None:
    back = ElementTree.tostring(symbols(cards_sprite())["back"], encoding="unicode")
    assert not any(f" of {suit}" in back for suit in ("clubs", "diamonds", "hearts", "spades"))


def test_chips_have_the_houses_colors_by_value_and_the_value_printed() -> None:
    found = symbols(chips_sprite())
    values = (1, 5, 25, 100, 500, 1000)
    assert list(found) == [*(f"chip-{value}" for value in values), *(f"edge-{value}" for value in values)]
    fills = [element.find(".//{*}circle").get("fill") for element in found.values()]  # type: ignore[union-attr]
    hues = [hue_of(fill) for fill in fills]  # type: ignore[arg-type]
    assert hues == 2 * ["white", "red", "green", "black", "purple", "ochre"]
    assert fills == 2 * [fill for fill, _ in reversed(CHIPS.values())]


def hue_of(color: str) -> str:
    """The name a person would use for the color, as the house does."""
    red, green, blue = (int(color[n : n + 2], 16) for n in (1, 3, 5))
    if max(red, green, blue) - min(red, green, blue) < 30:
        return "white" if red > 200 else "black"
    if green == max(red, green, blue):
        return "green"
    if blue == max(red, green, blue):
        return "purple" if red > green else "blue"
    return "ochre" if green > 2 * blue else "red"


def test_sprites_ask_for_nothing_from_elsewhere() -> None:
    for sprite in (cards_sprite(), cards_sprite(four=True), chips_sprite()):
        assert "href" not in sprite and "url(" not in sprite and "<script" not in sprite and "style=" not in sprite
