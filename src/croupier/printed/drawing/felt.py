"""The felt: one drawing to scale, for paper and for the browser. Every area has its name, seat and clause in the drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from math import hypot, sqrt

from croupier.filing.offer import Offer
from croupier.law.fact import FOURTH, PLAYER
from croupier.law.layout import Inscription, Subject
from croupier.money import show_money
from croupier.printed.drawing import areas
from croupier.printed.drawing.areas import CARD, CENTER, HIGH, RADIUS, WIDE, AreaKind, FeltPlan, Placement, Spot, corners, label_of
from croupier.printed.drawing.fonts import width
from croupier.printed.drawing.look import HOUSE, Look
from croupier.printed.drawing.screen_felt import BEFORE_DEALER, CAPTION, INSCRIBED, focus, half_of_focus, near_plan
from croupier.printed.drawing.shapes import coordinate, drawing, group, point, tag, text, text_on_arc

THIN, LINE = 1.6, 2.6
EDGE = f"M0 0H{coordinate(WIDE)}V{coordinate(CENTER[1])}A{RADIUS:g} {RADIUS:g} 0 0 1 0 {coordinate(CENTER[1])}Z"


def layout_drawing(offer: Offer, look: Look = HOUSE, *, near: int | None = None) -> str:
    """The layout of an Offer as SVG, one unit to the millimeter.

    With `near` it is drawn for a screen: that seat is near and large, the others small around the arc; with 0 the dealer is near.
    Then it also says where cards lie (data-place), which wagers an area is for (data-wagers), and what to show where there is
    little room (data-focus, in place of viewBox).
    """
    table = areas.plan(offer) if near is None else near_plan(offer, near)
    felt = _felt(look) if near is None else [_screen_felt(look, near)]
    parts = [*felt, *_parts(offer, table, look)]
    screen = {} if near is None else {"data_near": str(near), "data_focus": focus(table)}
    return drawing(parts, WIDE, HIGH, unit="mm" if near is None else "", title=f"{offer.rules.title}, layout", **screen)


def position_drawing(offer: Offer, look: Look = HOUSE) -> str:
    """One position and the dealer's cards, as a player sees them."""
    near = (offer.rules.seats + 1) // 2
    table = near_plan(offer, near)
    mine = tuple(replace(spot, wagers=()) for spot in table.seat)  # no chips, so no captions below them
    table = replace(table, seat=mine, things=(), placements=tuple(each for each in table.placements if each.seat == near))
    box = focus(table)
    wide, high = map(float, box.split()[2:])
    parts = [*_felt(look), *_parts(offer, table, look)]
    return drawing(parts, wide, high, title=f"{offer.rules.title}, one position", box=box)


def _parts(offer: Offer, table: FeltPlan, look: Look) -> list[str]:
    """Everything drawn on the felt."""
    return [
        group(_equipment(table, look), class_="equipment"),
        group((_spot(spot, look) for spot in table.dealer), class_="dealer"),
        group((_name if table.near is None else _named)(offer, table, look), class_="inscriptions"),
        *(_seat(table, place, look) for place in table.placements),
    ]


def _felt(look: Look) -> list[str]:
    """The cloth, and the brass line along its edge."""
    rim = f"M7 7H{coordinate(WIDE - 7)}V{coordinate(CENTER[1])}A{RADIUS - 7:g} {RADIUS - 7:g} 0 0 1 7 {coordinate(CENTER[1])}Z"
    edge = tag("path", d=rim, fill="none", stroke=look.accent, stroke_width=1.4)
    return [tag("path", d=EDGE, fill=look.felt, class_="felt"), edge]


def _screen_felt(look: Look, near: int) -> str:
    """The felt on a screen has depth: a weave, less light toward the arc, and a rail. Nothing is lighter than the felt itself,
    so that the lines on it keep their contrast."""
    stops = [tag("stop", offset=at, stop_color="#000", stop_opacity=dark) for at, dark in ((0.45, 0), (0.8, 0.1), (1, 0.36))]
    x, y = map(coordinate, CENTER)
    light = tag("radialGradient", "".join(stops), id="light", gradientUnits="userSpaceOnUse", cx=x, cy=y, r=RADIUS)
    threads = tag("path", d="M0 1H3M4 3H7M1 4V7M5 0V3", stroke="#000", stroke_opacity=0.09, stroke_width=1)
    weave = tag("pattern", threads, id="weave", width=8, height=8, patternUnits="userSpaceOnUse")
    shades = [tag("path", d=EDGE, fill=f"url(#{each})", class_="depth") for each in ("weave", "light")]
    rail = tag("path", d=EDGE, fill="none", stroke="#3d2517", stroke_width=13, class_="rail")
    turned = f"rotate(180 {point(WIDE / 2, HIGH / 2)})" if near == 0 else None
    cloth, brass = _felt(look)
    return group([tag("defs", light + weave), cloth, *shades, rail, brass], transform=turned)


# A seat


def _seat(table: FeltPlan, place: Placement, look: Look) -> str:
    at = f"translate({point(*place.origin)}) rotate({coordinate(place.turn)})"
    at += f" scale({coordinate(place.scale)})" if place.scale != 1 else ""
    far = table.near is not None and place.scale <= BEFORE_DEALER
    size, below = (20.0, 22.0) if table.near is None else (34.0, 40.0) if far else (15.0, 19.0)
    numeral = text(str(place.seat), 0, -below / 3 if place.down else below, size, fill=look.lines, class_="seat-number")
    spots = [_spot(spot, look, place, far=far) for spot in table.seat]
    kind = "seat" if table.near is None else "seat far" if far else "seat near"
    return group([numeral, *spots], class_=kind, id=f"seat-{place.seat}", data_seat=place.seat, transform=at)


def _spot(spot: Spot, look: Look, place: Placement | None = None, *, far: bool = False) -> str:
    """An area in its own coordinates, with the attributes that the browser needs."""
    middle = place.middle(spot) if place else (spot.u, spot.v)
    kind = ("area" if spot.cite else "place") + (" cards" if spot.kind is AreaKind.CARDS else " bet")
    return group(
        [tag("title", f"{spot.name} ({spot.cite})" if spot.cite else spot.name), *_drawn(spot, look, far)],
        id=f"seat-{place.seat}-{spot.slug}" if place else spot.slug,
        class_=kind,
        data_area=spot.name if spot.cite else None,
        data_seat=place.seat if place else None,
        data_cite=spot.cite,
        data_place=spot.holds.name.lower() if spot.holds and spot.pitch else None,
        data_wagers="|".join(spot.wagers),
        transform=f"translate({point(*middle)})",
    )


def _drawn(spot: Spot, look: Look, far: bool) -> Iterator[str]:
    """The shape and its label; a far area is too small for words."""
    if spot.pitch:
        draw = _slots
    elif spot.kind is AreaKind.CARDS:
        draw = _cards
    else:
        draw = _screen if spot.screen else _square if spot.kind is AreaKind.DECIDED else _circle
    shape = draw(spot, look)
    if far:
        return (part for part in shape if not part.startswith("<text"))
    return chain(shape, [_caption(spot, look)]) if spot.wagers else shape


def _caption(spot: Spot, look: Look) -> str:
    """On a screen: an area's label below it, for when chips cover it."""
    inside = _label(label_of(spot.name), look.lines, spot.wide + 10, CAPTION + 2, biggest=12.5)
    return group(inside, class_="caption", transform=f"translate({point(0, spot.high / 2 + 18)})")


def _slots(spot: Spot, look: Look) -> Iterator[str]:
    """On a screen: a place for each card, outlined where it is an area of .2."""
    foot = 0.0 if spot.holds in (PLAYER, FOURTH) else 22.0
    left, top = -(spot.card[0] + spot.pitch * (spot.cards - 1)) / 2, -(spot.card[1] + foot) / 2
    line = {"fill": "none", "stroke": look.lines, "stroke_width": THIN, "stroke_dasharray": "7 5"}
    apart = spot.cite and spot.pitch > spot.card[0]  # cards that overlap have one outline for all
    for n in range(spot.cards):
        kind, more = ("slot edge", line) if apart else ("slot", {"fill": "none"})
        yield tag("rect", x=left + n * spot.pitch, y=top, width=spot.card[0], height=spot.card[1], rx=6, class_=kind, **more)
    if spot.cite and not apart:
        yield tag("rect", x=left, y=top, width=-2 * left, height=spot.card[1], rx=6, class_="edge", **line)
    words = label_of(spot.name)
    if foot:
        yield text(words, 0, spot.high / 2 - 5, INSCRIBED, bold=True, fill=look.lines)
    elif spot.cite:
        yield from _label(words, look.lines, (spot.card[0] if spot.cards == 1 else spot.wide) - 12, 60, biggest=13)


def _circle(spot: Spot, look: Look) -> Iterator[str]:
    radius = spot.wide / 2
    device = spot.kind is AreaKind.DEVICE
    color = look.accent if device else look.lines
    yield tag("circle", r=radius - 1.5, fill="none", stroke=color, stroke_width=LINE, class_="edge")
    if device:
        yield tag("circle", r=radius - 5.5, fill="none", stroke=color, stroke_width=0.9)
    yield from _label(label_of(spot.name), color, spot.wide - (18 if device else 8), spot.high, round_=True)
    if spot.after:
        yield text(spot.after, radius + 6.5, 7, 22, bold=True, fill=color)


def _square(spot: Spot, look: Look) -> Iterator[str]:
    x, y = -spot.wide / 2 + 2, -spot.high / 2 + 2
    yield tag(
        "rect", x=x, y=y, width=-2 * x, height=-2 * y, rx=10, fill="none", stroke=look.lines, stroke_width=LINE, class_="edge"
    )
    yield from _label(label_of(spot.name), look.lines, spot.wide - 14, spot.high - 10)


def _screen(spot: Spot, look: Look) -> Iterator[str]:
    x, y = -spot.wide / 2 + 2, -spot.high / 2 + 2
    for inset, stroke in ((0, LINE), (5, 0.9)):
        yield tag("rect", x=x + inset, y=y + inset, width=-2 * (x + inset), height=-2 * (y + inset), rx=6, fill="none",
            stroke=look.accent, stroke_width=stroke, class_="" if inset else "edge")  # fmt: skip
    yield from _label(label_of(spot.name), look.accent, spot.wide - 20, spot.high - 16)


def _cards(spot: Spot, look: Look) -> Iterator[str]:
    """The outlines of cards, as many as lie there: a player's overlap, the dealer's have their name below."""
    fan = spot.high - CARD[1] < 20
    step = 30.0 if fan else CARD[0] + 6
    left, top = -(CARD[0] + step * (spot.cards - 1)) / 2, -spot.high / 2 + 4
    for n in range(spot.cards):
        yield tag("rect", x=left + n * step, y=top, width=CARD[0], height=CARD[1], rx=5, fill=look.felt, stroke=look.lines,
            stroke_width=THIN, stroke_dasharray="7 5", class_="edge")  # fmt: skip
    words, color = label_of(spot.name), look.lines
    if fan:
        across = left + (spot.cards - 1) * step + CARD[0] / 2
        yield group(_label(words, color, CARD[0] - 8, CARD[1] - 16, biggest=13), transform=f"translate({point(across, 0)})")
    else:
        size = min(15.0, (spot.wide - 4) / width(words))
        yield text(words, 0, spot.high / 2 - 4, size, bold=True, fill=color)


def _label(words: str, fill: str, wide: float, high: float, *, round_: bool = False, biggest: float = 18) -> Iterator[str]:
    """Words in as many lines as make them largest, in a box or a circle."""
    lines, size = fit(words, wide, high, round_=round_, biggest=biggest)
    leading = size * 1.06
    first = -leading * (len(lines) - 1) / 2 + size * 0.33
    for n, line in enumerate(lines):
        yield text(line, 0, first + n * leading, size, bold=True, fill=fill)


def fit(words: str, wide: float, high: float, *, round_: bool = False, biggest: float = 18) -> tuple[list[str], float]:
    """The line breaks that allow the largest type, and its size."""
    best: tuple[list[str], float] = ([words], 0.0)
    for lines in _breakings(words.split()):
        size = min(biggest, high / (1.06 * len(lines)))
        for n, line in enumerate(lines):
            off = abs(n - (len(lines) - 1) / 2) + 0.4
            one = width(line)
            limit = wide / sqrt(one * one + (2.12 * off) ** 2) if round_ else wide / one
            size = min(size, limit)
        if size > best[1] + 0.01:
            best = (lines, size)
    return best


def _breakings(words: list[str]) -> Iterator[list[str]]:
    if len(words) == 1:
        yield words
        return
    for rest in _breakings(words[1:]):
        yield [words[0], *rest]
        yield [f"{words[0]} {rest[0]}", *rest[1:]]


# The dealer's side


def _equipment(table: FeltPlan, look: Look) -> Iterator[str]:
    for thing in table.things:
        parts = [
            tag("title", f"{thing.name} ({thing.cite})" if thing.cite else thing.name),
            *_thing(thing, look, 14 if table.near is None else 18),
        ]
        slug = thing.name.lower().replace(" ", "-")
        yield group(parts, id=slug, class_="thing", data_equipment=thing.name, data_cite=thing.cite)


def _thing(thing: areas.PlacedEquipment, look: Look, size: float) -> Iterator[str]:
    color = look.lines
    yield tag("rect", x=thing.x, y=thing.y, width=thing.wide, height=thing.high, rx=8, fill="none", stroke=color, stroke_width=THIN)
    middle, center = thing.x + thing.wide / 2, thing.y + thing.high / 2
    if thing.name.startswith("Table inventory"):
        for n in range(1, 14):
            x = thing.x + thing.wide * n / 14
            yield tag("line", x1=x, y1=thing.y + 6, x2=x, y2=thing.y + thing.high - 30, stroke=color, stroke_width=0.8)
        yield text(thing.name.upper(), middle, thing.y + thing.high - 9, size, bold=True, fill=color, spacing=1.5)
        return
    if thing.name.endswith("box"):
        yield tag("rect", x=thing.x + 12, y=thing.y + 9, width=thing.wide - 24, height=7, rx=3.5, fill=color)
        center += 10
    inside = _label(thing.name.upper(), color, thing.wide - 14, thing.high - 26, biggest=size)
    yield group(inside, transform=f"translate({point(middle, center)})")


# Words on the felt


def inscriptions(offer: Offer) -> list[tuple[str, str]]:
    """What the layout says, and under which clause: the code's words if it prescribes them, else the required information.

    The payout odds of all wagers are on the sign, as the same clause allows.
    """
    found = [(words_of(offer, rule), str(rule.cite)) for rule in offer.rules.of(Inscription)]
    return [(words, cite) for words, cite in found if words]


def words_of(offer: Offer, rule: Inscription) -> str:
    limit = offer.rules.limit
    match rule.about:
        case Subject.FACT:
            words = rule.advises.removeprefix("that ")
            return words[0].upper() + words[1:]
        case Subject.LIMIT if limit and offer.payout_limit:
            return f"Payout limit {show_money(offer.payout_limit)} per {limit.unit(offer.readings)}"
        case Subject.MULTIPLES:
            verb = offer.rules.decisions[0].choices[0].word.split()[0]
            return f"{verb.capitalize()} " + ", ".join(_multiples(offer))
    return rule.words


def _multiples(offer: Offer) -> Iterator[str]:
    """How many times the base each decision lets a player wager, and when."""
    for n, decision in enumerate(offer.rules.decisions):
        times = " or ".join(f"{choice.makes[1]}×" for choice in decision.choices if choice.makes)
        base = "" if n else f" the {decision.base.name.removesuffix(' Wager')}"
        moment = re.search(r"(before|after) .*", decision.name)
        yield f"{times}{base} {moment[0] if moment else 'at the end'}"


def _name(offer: Offer, table: FeltPlan, look: Look) -> Iterator[str]:
    """From the arc inward: the inscriptions, the game, and the name or logo of the certificate holder."""
    inscribed = inscriptions(offer)
    radius, room = min(table.inner - 32, 392.0 + 38 * len(inscribed)), 128.0
    for n, (words, cite) in enumerate(inscribed):
        size = min(27.0, radius * room / 57.3 / width(words, 1, 0.06))
        arc = text_on_arc(words, CENTER, radius, size, name=f"inscription-{n + 1}", fill=look.lines)
        yield group([arc], data_cite=cite)
        radius -= 38
    title = offer.rules.title.upper()
    size = min(36.0, radius * 100 / 57.3 / width(title, 1, 0.12))
    game = text_on_arc(title, CENTER, radius - 6, size, name="game", fill=look.accent, spaced=0.12)
    yield group([game], class_="game")
    yield _holder(offer, look, table.below_cards + 16, radius - 6 - size * 0.75 - 14)


def _named(offer: Offer, table: FeltPlan, look: Look) -> Iterator[str]:
    """On a screen: the same words, on flatter arcs between the dealer's cards and the near seat, from there inward."""
    if not table.near:
        above = min(y for spot in table.dealer for _, y in corners(spot))
        yield text(offer.rules.title.upper(), CENTER[0], above - 60, 34, bold=True, fill=look.accent, spacing=4)
        return
    inscribed = inscriptions(offer)
    lowest = min(y for spot in table.seat for _, y in corners(spot, table.nearest)) - 22
    leading = min(34.0, (lowest - table.below_cards - 74) / len(inscribed)) if inscribed else 0.0
    radius = lowest - table.arcs[1]
    for n, (words, cite) in enumerate(inscribed):
        size = min(leading * 0.76, (2 * half_of_focus(table) - 40) / width(words, 1, 0.05))
        arc = text_on_arc(words, table.arcs, radius, size, name=f"inscription-{n + 1}", fill=look.lines, spaced=0.05)
        yield group([arc], data_cite=cite)
        radius -= leading
    title = offer.rules.title.upper()
    game = text_on_arc(title, table.arcs, radius - 8, 32, name="game", fill=look.accent, spaced=0.12)
    yield group([game], class_="game")
    free = table.arcs[1] + radius - 8 - 24 - table.below_cards  # between the dealer's cards and the game's name
    if free > 80:
        yield _holder(offer, look, table.below_cards + free / 2 - 15, lowest - CENTER[1], tallest=80.0 if look.logo else 30.0)


def _holder(offer: Offer, look: Look, top: float, radius: float, tallest: float = 0) -> str:
    """The name or the logo of the certificate holder, as large as fits between the cards and the arc of the game's name."""
    ratio = look.logo.ratio if look.logo else width(offer.facility) / 0.8
    high = tallest or (110.0 if look.logo else 48.0)
    while high > 6 and hypot(high * ratio / 2, top + high - CENTER[1]) > radius:
        high -= 0.5
    wide = high * ratio
    middle = (top + CENTER[1] + radius) / 2 - high / 2  # halfway down, or as far as the arc leaves room
    lowest = CENTER[1] + sqrt(max(0.0, radius**2 - (wide / 2) ** 2)) - high
    top = top if tallest else max(top, min(middle, lowest))
    if look.logo:
        inside = tag("image", x=CENTER[0] - wide / 2, y=top, width=wide, height=high, href=look.logo.address)
    else:
        inside = text(offer.facility, CENTER[0], top + high * 0.92, high / 0.8, bold=True, fill=look.lines)
    cite = f"{offer.rules.number}.2(b)(1)"
    return group(
        [tag("title", f"Name or logo of the certificate holder ({cite})"), inside], id="certificate-holder", data_cite=cite
    )
