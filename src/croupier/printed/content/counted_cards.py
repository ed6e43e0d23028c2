"""Which cards count for a wager, in words for patrons, from the places that its fact looks at and the cards dealt there."""

from __future__ import annotations

from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Compared, Holds, Place
from croupier.law.layout import Area
from croupier.law.procedure import Definition
from croupier.law.settlement import Settlement
from croupier.odds.solvers.shapes import seen_as
from croupier.odds.strategy.vocabulary import NUMBERS


def holds(offer: Offer, settlement: Settlement) -> Holds | None:
    """The fact that names the hand of a settlement, under the filed readings."""
    way = seen_as(settlement.hand, offer.readings)
    return way if isinstance(way, Holds) else None


def cards_counted(offer: Offer, settlement: Settlement) -> str:
    """“the best five of your three cards and the dealer's three”; nothing where no ranking names the hand."""
    way = holds(offer, settlement)
    return _counted(offer, way.places, way.ranking.size, way.first, bool(settlement.wager.side)) if way else ""


def cards_compared(offer: Offer, settlement: Settlement) -> str:
    """The cards of the player's and the dealer's hand, if a settlement compares them and that is not obvious."""
    fact = next((each for each in settlement.asks if isinstance(each, Compared)), None)
    if fact is None:
        counted = cards_counted(offer, settlement)
        return f"Your hand is {counted}." if counted else ""
    mine, theirs = (_counted(offer, (whose, *fact.shared), fact.ranking.size) for whose in (PLAYER, DEALER))
    simple = mine == f"your {NUMBERS[fact.ranking.size]} cards" and not fact.shared
    return "" if simple else f"Your hand is {mine}. The dealer's is {theirs}."


def _counted(offer: Offer, places: tuple[Place, ...], size: int, first: int = 0, either: bool = False) -> str:
    dealt = offer.rules.dealt
    held = {place: min(first, dealt[place]) if first and place is COMMUNITY else dealt[place] for place in places}
    words = [_of(offer, place, number, either, partly=number < dealt[place]) for place, number in held.items()]
    if {PLAYER, DEALER} <= {*places}:
        words[1] = words[1].removesuffix(" cards")
    best = f"the best {NUMBERS[size]} of " if sum(held.values()) > size else ""
    return best + " and ".join(words)


def _of(offer: Offer, place: Place, number: int, either: bool, partly: bool) -> str:
    if place in (PLAYER, DEALER):
        whose = "" if either else "your " if place is PLAYER else "the dealer's "
        return f"{'the ' if either else ''}{whose}{NUMBERS[number]} cards{' of the hand you wager on' if either else ''}"
    if number == 1:
        areas = (area.name for area in offer.rules.of(Area) if area.cards is place and not area.each_player and not partly)
        return f"the {next(areas, 'community card')}"
    words = f"the {'first ' if partly else ''}{NUMBERS[number]} community cards"
    return next((f"the {each.term}" for each in offer.rules.of(Definition) if each.meaning == words), words)
