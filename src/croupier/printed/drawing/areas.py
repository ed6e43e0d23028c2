"""Where things are on a table, in millimeters: the betting areas of .2 that the Offer calls for, and the dealer's side.

The felt is a half circle with the dealer at its straight edge. A seat is laid out once, in its own coordinates: across, and
from the player's edge inward. A placement turns and scales it, so the same seat can lie on the arc or near and large.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import cos, hypot, radians, sin, tan

from croupier.filing.offer import Offer
from croupier.law.fact import Place
from croupier.law.layout import DISCARD_RACK, DROP_AND_TIP_BOX, Area, Equipment
from croupier.law.procedure import Dealing, Method
from croupier.law.wager import Wager
from croupier.printed.drawing.shapes import around

RADIUS = 915.0
CENTER = (RADIUS, 130.0)
WIDE, HIGH = 2 * RADIUS, CENTER[1] + RADIUS
EDGE = 878.0  # where a seat begins
FIRST, LAST = 15.0, 165.0  # degrees of the first seat, at the dealer's left, and the last
GAP = 13.0
CARD = (64.0, 90.0)


class AreaKind(Enum):
    """What lies on an area; in this order from the player's edge inward."""

    CARDS = "cards"
    DECIDED = "a wager made by a decision"
    MAIN = "a wager that the game is about"
    SIDE = "an optional wager, or another beside it"
    DEVICE = "a wager on a device"


BET = (84.0, 84.0)  # an area for a wager


@dataclass(frozen=True)
class Spot:
    """One area: its middle across (u) and inward (v) of a seat, or x and y of the table; what it is and under which clause."""

    name: str
    kind: AreaKind
    cite: str
    wide: float
    high: float
    u: float = 0.0
    v: float = 0.0
    cards: int = 0
    holds: Place | None = None  # whose cards they are
    screen: bool = False  # on a screen of the table game system, not on the felt
    after: str = ""  # a sign between this area and the next
    pitch: float = 0.0  # on a screen: from one card to the next, and how large a card is
    card: tuple[float, float] = CARD
    wagers: tuple[str, ...] = ()  # on a screen: the keys of the wagers that are bet here

    @property
    def slug(self) -> str:
        """
        >>> Spot("5 of 6 Progressive Payout Wager", AreaKind.DEVICE, "649a.2(b)(6)", 1, 1).slug
        '5-of-6-progressive-payout-wager'
        """
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower().replace("'", "")).strip("-")


@dataclass(frozen=True)
class Placement:
    """Where a seat is drawn: its angle on the arc, the distance of its edge from the center, its scale and its rotation."""

    seat: int
    angle: float
    radius: float = EDGE
    scale: float = 1.0
    turn: float = 0.0
    down: bool = False  # seen from the dealer's side: inward is down

    @property
    def origin(self) -> tuple[float, float]:
        x, y = around(CENTER, self.radius, self.angle)
        return (WIDE - x, HIGH - y) if self.down else (x, y)

    def middle(self, spot: Spot) -> tuple[float, float]:
        """The middle of an area in the seat's own drawing."""
        return (-spot.u, spot.v) if self.down else (spot.u, -spot.v)


@dataclass(frozen=True)
class PlacedEquipment:
    """Equipment on the dealer's side."""

    name: str
    cite: str
    x: float
    y: float
    wide: float
    high: float


@dataclass(frozen=True)
class FeltPlan:
    """The whole table."""

    seat: tuple[Spot, ...]
    placements: tuple[Placement, ...]
    dealer: tuple[Spot, ...]
    things: tuple[PlacedEquipment, ...]
    near: int | None = None  # the seat that is near, 0 for the dealer; None on paper
    arcs: tuple[float, float] = CENTER  # of the inscriptions

    @property
    def inner(self) -> float:
        """The distance from the center to the innermost area of a seat."""
        depth = max((spot.v + spot.high / 2 for spot in self.seat), default=0.0)
        return min(place.radius - depth * place.scale for place in self.placements)

    @property
    def nearest(self) -> Placement:
        return next(place for place in self.placements if place.seat == self.near)

    @property
    def below_cards(self) -> float:
        """Where the cards of the dealer's side end."""
        return max((spot.v + spot.high / 2 for spot in self.dealer), default=120.0)


def plan(offer: Offer) -> FeltPlan:
    """The table of an Offer, every seat alike."""
    angles = angles_of(offer.rules.seats)
    placements = tuple(Placement(seat, angle, turn=angle - 90) for seat, angle in angles.items())
    return FeltPlan(tuple(_seat(offer)), placements, tuple(dealer_areas(offer)), tuple(placed_equipment(offer)))


def angles_of(seats: int) -> dict[int, float]:
    """The angle of each seat on the arc. Seat 1 is at the dealer's left, which is the right of the drawing; then clockwise."""
    return {seat: FIRST + step_of(seats) * (seat - 1) for seat in range(1, seats + 1)}


def step_of(seats: int) -> float:
    """The degrees between two seats."""
    return (LAST - FIRST) / max(1, seats - 1)


# What there is


def shown(offer: Offer, each_player: bool) -> list[Area]:
    """The areas that the offered wagers call for."""
    areas = [(area, offer.rules.wagers_calling_for(area)) for area in offer.rules.of(Area) if area.each_player is each_player]
    return [area for area, wagers in areas if not wagers or any(name in offer.wagers for name in wagers)]


def kind_of(offer: Offer, area: Area) -> AreaKind:
    wager = next(filter(offer.offers, offer.rules.wagers_on(area)), None)
    if wager is None:
        return AreaKind.CARDS if area.cards else AreaKind.SIDE
    if wager.collected:
        return AreaKind.DEVICE
    if wager.optional:
        return AreaKind.SIDE
    if wager.made_by_decision:
        return AreaKind.DECIDED
    main = wager.required or any(wager is decision.base for decision in offer.rules.decisions)
    return AreaKind.MAIN if main else AreaKind.SIDE


def label_of(name: str) -> str:
    """What an area says.

    >>> label_of("Pair Plus Wager"), label_of("5 of 6 Progressive Payout Wager")
    ('PAIR PLUS', '5 OF 6 PROGRESSIVE')
    """
    return name.removesuffix(" Wager").removesuffix(" Payout").upper()


# A seat


def _seat(offer: Offer) -> Iterator[Spot]:
    """The areas of one seat in rows, each row as wide as its neighbors leave room."""
    step = step_of(offer.rules.seats)
    spots = [*(replace(spot, wagers=()) for spot in wager_areas(offer)), *card_areas(offer, shown(offer, each_player=True))]
    alone = all(spot.cards <= 1 for spot in spots)  # a single card lies beside the wager that is nearest to the player
    rows, inwards = [{kind} for kind in AreaKind], 0.0
    for kinds in (rows[0] | rows[1], *rows[2:]) if alone else rows:
        rest = [spot for spot in spots if spot.kind in kinds]
        while rest:
            high = max(spot.high for spot in rest)
            room = 2 * (EDGE - inwards - high) * tan(radians(step / 2)) - GAP
            first = _fitting(rest, room)
            rest = rest[len(first) :]
            yield from row(first, inwards + high / 2)
            inwards += high + GAP


def _fitting(spots: Sequence[Spot], room: float) -> list[Spot]:
    """The first areas that fit side by side, in rows of similar length rather than with one left over."""
    count = 1
    while count < len(spots) and sum(spot.wide for spot in spots[: count + 1]) + GAP * count <= room:
        count += 1
    rows = -(-len(spots) // count)
    return list(spots[: -(-len(spots) // rows)])


def row(spots: Sequence[Spot], v: float) -> Iterator[Spot]:
    """A row of areas side by side, centered."""
    wide = sum(spot.wide for spot in spots) + GAP * (len(spots) - 1)
    left = -wide / 2
    for spot in spots:
        yield replace(spot, u=left + spot.wide / 2, v=v)
        left += spot.wide + GAP


def wager_areas(offer: Offer) -> Iterator[Spot]:
    """The areas for wagers, and a screen for each wager that is placed through a game account."""
    for area in shown(offer, each_player=True):
        kind = kind_of(offer, area)
        if kind is not AreaKind.CARDS:
            yield Spot(area.name, kind, str(area.cite), *BET, after=area.sign, wagers=_keys(offer, offer.rules.wagers_on(area)))
    electronic = {wager.name: wager for wager in offer.rules.wagers.values() if wager.electronic and offer.offers(wager)}
    for name, wager in electronic.items():
        keys = _keys(offer, [each for each in offer.rules.wagers.values() if each.name == name])
        yield Spot(name, AreaKind.DEVICE, str((wager.system or wager).cite), 92.0, 62.0, screen=True, wagers=keys)


def _keys(offer: Offer, wagers: Sequence[Wager]) -> tuple[str, ...]:
    """The keys of the wagers that are offered, then the names under which several of them are bet as one."""
    laid = [wager for wager in wagers if offer.offers(wager)]
    return (*(wager.key for wager in laid), *(wager.group for wager in laid if wager.group))


def card_areas(offer: Offer, areas: Sequence[Area]) -> Iterator[Spot]:
    left = Counter(offer.rules.dealt)
    for area in areas:
        if area.cards:
            count = area.count or left[area.cards]
            left[area.cards] -= count
            step, foot = (30.0, 10.0) if area.each_player else (CARD[0] + 6, 26.0)
            wide = max(CARD[0] + step * (count - 1) + 10, 0 if area.each_player else 118)
            yield Spot(area.name, AreaKind.CARDS, str(area.cite), wide, CARD[1] + foot, cards=count, holds=area.cards)


# The dealer's side

TRAY = PlacedEquipment("Table inventory container", "", 635, 14, 560, 100)
TOP = TRAY.y + TRAY.high + 14


def dealer_areas(offer: Offer) -> Iterator[Spot]:
    """The card areas in one row in front of the tray: what is to the dealer's right is on the left of the drawing."""
    areas = shown(offer, each_player=False)
    to_the_right = [area.name for area in areas if area.right_of_dealer]
    yield from before_tray(
        sorted(card_areas(offer, areas), key=lambda spot: (spot.name not in to_the_right, spot.holds is Place.DEALER))
    )


def before_tray(spots: Sequence[Spot]) -> Iterator[Spot]:
    """A centered row of areas in front of the tray."""
    high = max((spot.high for spot in spots), default=0.0)
    yield from (replace(spot, u=CENTER[0] + spot.u) for spot in row(spots, TOP + high / 2))


def placed_equipment(offer: Offer) -> Iterator[PlacedEquipment]:
    """Tray, drop and tip box on opposite sides of the dealer, the discard rack, and what the cards are dealt or shuffled from.

    Boxes and rack are drawn where the chapter calls for them.
    """
    rules = {rule.name: str(rule.cite) for rule in offer.rules.of(Equipment)}
    yield TRAY
    if rack := rules.get(DISCARD_RACK):
        yield PlacedEquipment("Discard rack", rack, 500, 14, 110, 100)
    if boxes := rules.get(DROP_AND_TIP_BOX):
        yield PlacedEquipment("Drop box", boxes, 390, 14, 88, 60)
        yield PlacedEquipment("Tip box", boxes, 1352, 14, 88, 60)
    shoe = next(each for each in offer.rules.of(Dealing) if each.method is offer.devices.method)
    if offer.devices.method is not Method.HAND:
        yield PlacedEquipment("Dealing shoe", str(shoe.cite), 1220, 14, 110, 100)
    if offer.devices.shuffler:
        yield PlacedEquipment("Shuffling device", f"{offer.rules.number}.5(a)", 1462, 14, 150, 100)


# Geometry

Corners = tuple[tuple[float, float], ...]


def corners(spot: Spot, place: Placement | None = None) -> Corners:
    """The corners of an area on the table."""
    if place is None:
        return _box(spot.u, spot.v, spot.wide, spot.high)
    x, y = place.origin
    turn = radians(place.turn)
    local = _box(*place.middle(spot), spot.wide, spot.high)
    return tuple(
        (x + place.scale * (a * cos(turn) - b * sin(turn)), y + place.scale * (a * sin(turn) + b * cos(turn))) for a, b in local
    )


def _box(x: float, y: float, wide: float, high: float) -> Corners:
    return tuple((x + a * wide / 2, y + b * high / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def on_felt(box: Corners) -> bool:
    return all(0 <= x <= WIDE and y >= 0 and (y <= CENTER[1] or hypot(x - CENTER[0], y - CENTER[1]) <= RADIUS) for x, y in box)
