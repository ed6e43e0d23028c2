"""Sections .3 to .5: how many decks, how old, how they come to the table, how they are shuffled and cut."""

from __future__ import annotations

import pytest

from croupier.table.state import Condition, Phase
from tests.table.pit import EDITIONS, METHODS, STAYS, find, opened

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
every_method = pytest.mark.parametrize(("rules", "dealing"), METHODS.values(), ids=METHODS)
WRONG_COUNT = "Device counts a wrong number of cards"


# § .3


def test_649a_5_b_a_deck_that_the_device_counts_wrong_goes_while_the_other_is_in_play() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.round_of(1).ready()
    pit.bet(1, ante=10).lock()
    in_play = pit.state.decks[1]
    pit.raise_irregularity(by="dealer", irregularity=WRONG_COUNT, deck="red")
    assert [deck.name for deck in pit.state.decks] == ["blue"]
    assert in_play.condition is Condition.IN_PLAY
    pit.finish(STAYS)
    assert pit.state.phase is Phase.BETTING
    assert pit.state.decks[pit.state.next_deck()].name == "blue"
