"""One player's lines, which tests of prices add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from croupier.filing.offer import Offer
from croupier.filing.pricing import Paid, SeenHand, price_line, symbolic_lines
from croupier.law.fact import Position
from croupier.money import Cents


def priced(offer: Offer, position: Position, stakes: Mapping[str, Cents]) -> list[Paid]:
    """One player's lines, ignoring meters and other players."""
    seen = SeenHand(replace(position, readings=offer.readings))
    lines = (price_line(offer, line, stakes[line.wager.key], 0, "") for _, line in symbolic_lines(offer, seen, stakes))
    return [paid for paid in lines if paid is not None]
