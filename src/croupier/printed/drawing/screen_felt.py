"""The same table for a screen: one seat near and large with its cards before it, the others small around the arc.

Paper shows the areas of .2 alone; a screen also needs places where cards lie that .2 gives no area. The areas of a seat stand in
three rows: the cards at the player's edge, the wagers that the game is about, and the wagers beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.filing.offer import Offer
from croupier.law.fact import Place
from croupier.printed.drawing import areas
from croupier.printed.drawing.areas import CENTER, GAP, HIGH, RADIUS, WIDE, AreaKind, FeltPlan, Placement, Spot, corners
from croupier.printed.drawing.fonts import width

NEAR, FAR, BEFORE_DEALER = 1.5, 0.48, 0.56  # how large a seat is
HAND, OPPOSITE, OWN = (76.0, 106.0), (84.0, 118.0), (105.0, 147.0)  # a card of a seat, of the dealer, of the dealer who is near
INSCRIBED = 17.0  # the name of an area of the dealer's side
NARROWEST = 375.0  # half of what is shown on a phone
NAME = (260.0, 88.0)  # below a far seat there is room for a name and an amount
CAPTION = 24.0  # below an area there is room for what it says, when chips cover it
MAIN = (AreaKind.MAIN, AreaKind.DECIDED)


def near_plan(offer: Offer, near: int) -> FeltPlan:
    """The table as seen from a seat, or from the dealer's side (0)."""
    seat = tuple(_seat(offer))
    if near:
        placements = tuple(sorted(_around(offer.rules.seats, near, seat), key=lambda place: place.seat))
        return FeltPlan(seat, placements, tuple(_dealer(offer)), tuple(areas.placed_equipment(offer)), near, (CENTER[0], -1100.0))
    placements = tuple(_before_the_dealer(offer.rules.seats, seat))
    turned = tuple(replace(spot, u=WIDE - spot.u, v=HIGH - spot.v) for spot in _dealer(offer, OWN))
    equipment = (replace(each, x=WIDE - each.x - each.wide, y=HIGH - each.y - each.high) for each in areas.placed_equipment(offer))
    return FeltPlan(seat, placements, turned, tuple(equipment), near)


def focus(table: FeltPlan) -> str:
    """What to show where there is little room, as a viewBox: the near seat and the dealer's cards, or the whole table."""
    if not table.near:
        return f"0 0 {WIDE:g} {HIGH:g}"
    half = half_of_focus(table)
    return f"{CENTER[0] - half:g} {areas.TOP - 10:g} {2 * half:g} {HIGH - areas.TOP + 10:g}"


def half_of_focus(table: FeltPlan) -> float:
    """Half the width shown: no wider than a seat and the dealer's cards need, but wide enough that a phone shows all the height."""
    boxes = [*(corners(spot, table.nearest) for spot in table.seat), *map(corners, table.dealer)]
    return max(NARROWEST, *(abs(x - CENTER[0]) + 16 for box in boxes for x, _ in box))


# A seat


def _seat(offer: Offer) -> Iterator[Spot]:
    laid = list(areas.wager_areas(offer))
    first = sorted((spot for spot in laid if spot.kind in MAIN), key=lambda spot: MAIN.index(spot.kind))
    second = [spot for spot in laid if spot.kind not in MAIN]
    rows = [list(_hand(offer)), *([[*first, *second]] if len(laid) <= 3 else [first, second])]
    inwards = 0.0
    for n, spots in enumerate(filter(None, rows)):
        inwards += CAPTION if n else 0
        high = max(spot.high for spot in spots)
        yield from areas.row(spots, inwards + high / 2)
        inwards += high + GAP


def _hand(offer: Offer) -> Iterator[Spot]:
    """Where a player's cards are: in the areas of .2, or simply in front of the player."""
    spots = list(areas.card_areas(offer, areas.shown(offer, each_player=True)))
    if not any(spot.holds is Place.PLAYER for spot in spots):
        spots.insert(0, Spot("Player's cards", AreaKind.CARDS, "", 0, 0, cards=offer.rules.dealt[Place.PLAYER], holds=Place.PLAYER))
    pitch = HAND[0] + (6 if sum(spot.cards for spot in spots) <= 4 else -10 if len(spots) == 1 else -18)
    for spot in spots:
        wide = HAND[0] + pitch * (spot.cards - 1)
        yield replace(spot, pitch=pitch, card=HAND, wide=wide + 6, high=HAND[1] + 6)


# The dealer's side


def _dealer(offer: Offer, card: tuple[float, float] = OPPOSITE) -> Iterator[Spot]:
    """The dealer's areas as on paper and in the same order, but larger."""
    pitch, spots = card[0] + 6, list[Spot]()
    for spot in areas.dealer_areas(offer):
        wide = max(card[0] + pitch * (spot.cards - 1), width(areas.label_of(spot.name), INSCRIBED)) + 8
        spots.append(replace(spot, pitch=pitch, card=card, wide=wide, high=card[1] + 26))
    yield from areas.before_tray(spots)


# Placements


def _around(seats: int, near: int, seat: tuple[Spot, ...]) -> Iterator[Placement]:
    """The near seat in the middle; the others clockwise after it on the left, and before it on the right."""
    after = seats // 2
    others = [(near - 1 + n) % seats + 1 for n in range(1, seats)]
    yield Placement(near, 90.0, 866.0, NEAR)
    for side, start, end in ((others[:after], 128.0, 166.0), (others[after:], 14.0, 52.0)):
        step = (end - start) / max(1, len(side) - 1)
        for n, each in enumerate(side):
            angle = start + step * n if len(side) > 1 else (start + end) / 2
            yield _on_felt(Placement(each, angle, RADIUS, FAR, (angle - 90) / 6), seat)


def _before_the_dealer(seats: int, seat: tuple[Spot, ...]) -> Iterator[Placement]:
    for each, angle in areas.angles_of(seats).items():
        yield _on_felt(Placement(each, angle, RADIUS, BEFORE_DEALER, (angle - 90) / 6, down=True), seat)


def _on_felt(place: Placement, seat: tuple[Spot, ...]) -> Placement:
    """Move a seat as far out as it and the name below it fit."""
    name = Spot("", AreaKind.CARDS, "", *NAME, v=-NAME[1] / 2)

    def fits(radius: float) -> bool:
        tried = replace(place, radius=radius)
        boxes = [corners(spot, tried) for spot in (*seat, name)]
        return all(areas.on_felt(tuple((WIDE - x, HIGH - y) for x, y in box) if place.down else box) for box in boxes)

    radius = RADIUS
    while radius > RADIUS / 2 and not fits(radius + 10):
        radius -= 2
    return replace(place, radius=radius)
