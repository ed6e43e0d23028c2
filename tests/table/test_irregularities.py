"""Section .13: when each irregularity can be raised, what is void, what goes back, what is still settled, what becomes of the deck."""

from __future__ import annotations

import pytest

from croupier.law.chapter import Rules
from croupier.law.procedure import Act
from tests.table.pit import EDITIONS, FOLDS, METHODS, STAYS, by_seat, find, irregularities, opened, refused

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
every_method = pytest.mark.parametrize(("rules", "dealing"), METHODS.values(), ids=METHODS)
EXPOSED = "Dealer's card exposed"


def test_649a_13_d_wagers_that_went_to_the_inventory_need_its_chips_to_go_back() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.until(Act.REVEAL, by_seat(s1=FOLDS, s2=STAYS))
    pit.credit(by="floorperson", amount=pit.state.balance("table inventory"))
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,)), "649a.13(d)", "a fill first")
    pit.fill(by="floorperson", amount=1_000_00)
    pit.raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))
    assert pit.state.balance("seat 1 chips") == pit.state.balance("seat 2 chips") == 9_000_00
    assert pit.state.balance("seat 1 game account") == pit.state.balance("seat 2 game account") == 1_000_00


@pytest.mark.parametrize("number", ["641a", "649a", "679a"])
def test_13_d_until_the_dealer_has_revealed_his_cards(number: str) -> None:
    """“Prior to the dealer revealing his cards in accordance with .11(c)”: also when that is the next thing to do."""
    pit = opened(find(number), "automated shoe", 1)
    pit.bet(1, ante=10).lock()
    pit.until(Act.REVEAL, STAYS)
    assert pit.can_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))
    pit.step()
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED), f"{number}.13(d)", "not at this moment")


def test_653a_13_d_not_after_each_player_has_folded_or_made_a_play_wager() -> None:
    """Two players who raise before the Flop have nothing more to decide: a dealer's card exposed after that changes nothing."""
    pit = opened(find("653a"), "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.until(Act.ASK)
    pit.answer(STAYS)
    assert pit.can_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))
    pit.answer(STAYS)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,)), "653a.13(d)")


@every_edition
def test_13_c_until_the_first_box_is_settled(rules: Rules) -> None:
    """A wrong number of cards comes to light when the cards are turned over at the latest."""
    pit = opened(rules, "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    number = next(each.name for each in irregularities(rules) if each.cite.clause == "13(c)")
    pit.until(Act.SETTLE, STAYS)
    assert pit.can_raise_irregularity(by="dealer", irregularity=number)
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=number), f"{rules.number}.13(c)")
