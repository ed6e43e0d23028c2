"""Section .11: decisions from the dealer's left, the reveal, the settlement from the dealer's right, the cards to the rack."""

from __future__ import annotations

import pytest

from croupier.law.procedure import Act
from croupier.table.views import view
from tests.table.pit import EDITIONS, FOLDS, STAYS, by_seat, find, opened

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)


@pytest.mark.parametrize("number", ["641a", "649a", "679a", "682a", "653a"])
def test_11_c_the_cards_of_a_folded_hand_go_to_the_rack_once(number: str) -> None:
    rules = find(number)
    pit = opened(rules, "automated shoe", 1, 2)
    required = {"ante": 10} | ({"blind": 10} if number == "653a" else {})
    pit.bet(1, **required).bet(2, **required).lock()
    pit.until(Act.REVEAL, by_seat(s1=FOLDS, s2=STAYS))
    assert pit.state.round is not None
    folded = {held.position for held in pit.state.round.hands[1]}
    assert view(pit.state, "public")["round"]["boxes"]["1"]["cards"] == []
    before = len(pit.events)
    pit.finish()
    racked = [shown.position for event in pit.events[before:] for shown in event.then.cards if shown.at == "discard rack"]
    assert len(racked) == len(set(racked))
    assert not folded & set(racked)


@pytest.mark.parametrize("method", ["manual shoe", "hand", "automated shoe", "continuous shoe"])
def test_679a_11_d_2_the_fourth_card_is_nobodys_until_the_dealer_reveals_it(method: str) -> None:
    """10(g)(1) says it plainly: face down on the layout until it is revealed by the dealer."""
    pit = opened(find("679a"), method, 1)
    pit.bet(1, ante=10, pair_bonus=5).lock()
    pit.until(Act.ASK)
    mine = view(pit.state, "player:1")["round"]["boxes"]["1"]
    assert all(mine["cards"])
    assert mine["fourth"] == [""]
    pit.until(Act.CLEAR, STAYS)
    assert all(view(pit.state, "public")["round"]["boxes"]["1"]["fourth"])
