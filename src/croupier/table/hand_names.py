"""What is announced at a table: the dealer's hand, and the hands that players set, once their cards are face up."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Place, Position
from croupier.table.state import Held, Round, State, cards_of


def dealers_hand(table: State, current: Round) -> str:
    """“queen high, plays”; empty until the whole hand is face up, or if the hands are void."""
    return _announced(table, current, DEALER, {DEALER: current.dealer, COMMUNITY: current.community})


def hand_of(table: State, current: Round, box: int) -> str:
    """What a player's hand is called, if the chapter has a name for it apart from its settlement."""
    return _announced(table, current, PLAYER, {PLAYER: current.hands.get(box, [])}, current.sets.get(box, ()))


def _announced(table: State, current: Round, whose: Place, held: dict[Place, list[Held]], set_aside: Iterable[int] = ()) -> str:
    if current.void:
        return ""
    up = {place: cards_of([each for each in lying if each.up]) for place, lying in held.items()}
    aside = [held[whose][number - 1] for number in set_aside]
    if not all(each.up for each in aside):
        return ""
    return table.rules.announced(whose, Position(up, set_aside=cards_of(aside), readings=table.offer.readings))
