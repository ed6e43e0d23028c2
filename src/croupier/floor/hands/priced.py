"""The decisions of a hand with their exact prices. A server calls `priced` in a child process, which loads the solvers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from croupier.cards import cards
from croupier.floor.hands.played import DecisionSpot, PlayedHand
from croupier.law.cite import Refusal
from croupier.money import show_fraction
from croupier.table.state import offer_of
from croupier.wire import HandDecision, PlayerHand, ValuedChoice


def priced(played: Sequence[PlayedHand]) -> list[PlayerHand]:
    """The hands, each decision with its best choice and its cost, or with the reason why it has none."""
    return [
        with_prices(each, [price(spot, decision) for decision, spot in zip(decisions_of(each.hand), each.spots, strict=True)])
        for each in played
    ]


def decisions_of(hand: PlayerHand) -> list[HandDecision]:
    """In the order of a hand's spots."""
    return [decision for box in hand.boxes for decision in box.decisions]


def with_prices(played: PlayedHand, decisions: Sequence[HandDecision]) -> PlayerHand:
    left = iter(decisions)
    boxes = tuple(replace(box, decisions=tuple(next(left) for _ in box.decisions)) for box in played.hand.boxes)
    cost = sum((Fraction(each.cost) for each in decisions if each.cost), Fraction(0))
    return replace(played.hand, boxes=boxes, cost=str(cost), shown=show_fraction(cost))


def price(spot: DecisionSpot, decision: HandDecision) -> HandDecision:
    from croupier.odds.decision_cost import Made, decision_cost

    held, up, board, three = (cards(text) for text in (spot.held, spot.up, spot.board, spot.set_aside))
    made = Made(held, spot.said, up, board, spot.before, three, dict(spot.stakes), dict(spot.meters))
    try:
        found = decision_cost(offer_of(spot.submission), made)
    except Refusal as refusal:
        return replace(decision, problem=str(refusal))
    return replace(
        decision,
        best=found.best.choice,
        cost=str(found.cents),
        shown=show_fraction(found.cents),
        choices=tuple(ValuedChoice(each.choice, str(each.value), show_fraction(each.value, signed=True)) for each in found.choices),
        left_out=found.left_out,
    )
