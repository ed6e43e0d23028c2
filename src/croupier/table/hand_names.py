"""What is announced at a table: the dealer's hand, and the hands that players set, once their cards are face up.

And which cards make a hand, so that pages can raise them.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Holds, Place, Position
from croupier.law.procedure import Announcement
from croupier.table.state import Held, Round, State, cards_of


def dealers_hand(table: State, current: Round) -> str:
    """“queen high, plays”; empty until the whole hand is face up, or if the hands are void."""
    return _announced(table, current, DEALER, {DEALER: current.dealer, COMMUNITY: current.community})


def hand_of(table: State, current: Round, box: int) -> str:
    """What a player's hand is called, if the chapter has a name for it apart from its settlement."""
    return _announced(table, current, PLAYER, {PLAYER: current.hands.get(box, [])}, current.sets.get(box, ()))


def dealer_made(table: State, current: Round) -> tuple[str, ...]:
    """The cards that make the dealer's hand as it is called."""
    position = _position(table, current, DEALER, {DEALER: current.dealer, COMMUNITY: current.community})
    return tuple(map(str, table.rules.announced_by(DEALER, position))) if position else ()


def hand_made(table: State, current: Round, box: int) -> tuple[str, ...]:
    """The cards that make a player's hand, community cards included, once all are face up."""
    if any(rule.whose is PLAYER for rule in table.rules.of(Announcement)):  # it lies as the player set it
        return ()
    holds, places = _hand_called(table.rules), {PLAYER: current.hands.get(box, []), COMMUNITY: current.community}
    lying = [each for place in holds.places for each in places[place]] if holds else []
    if holds is None or not lying or current.void or box in current.folded or not all(each.up for each in lying):
        return ()
    held = cards_of(lying)
    return tuple(map(str, holds.ranking.made_of(held))) if len(held) >= holds.ranking.size else ()


def _hand_called(rules: Rules) -> Holds | None:
    """The fact that settlements call the player's hand by."""
    facts = (settlement.hand for settlement in rules.settlements)
    own = {PLAYER, COMMUNITY}
    return next((fact for fact in facts if isinstance(fact, Holds) and {*fact.places} <= own), None)


def _announced(table: State, current: Round, whose: Place, held: dict[Place, list[Held]], set_aside: Iterable[int] = ()) -> str:
    position = _position(table, current, whose, held, set_aside)
    return table.rules.announced(whose, position) if position else ""


def _position(
    table: State, current: Round, whose: Place, held: dict[Place, list[Held]], set_aside: Iterable[int] = ()
) -> Position | None:
    """The face-up cards; None if there are none, the hands are void, or cards that were set are still face down."""
    if current.void or not any(each.up for each in held[whose]):
        return None
    up = {place: cards_of([each for each in lying if each.up]) for place, lying in held.items()}
    aside = [held[whose][number - 1] for number in set_aside]
    if not all(each.up for each in aside):
        return None
    return Position(up, set_aside=cards_of(aside), readings=table.offer.readings)
