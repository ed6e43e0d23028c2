"""SVG drawings: shapes and text, playing cards, chips, words on an arc. Output is deterministic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import cos, pi, radians, sin

from croupier.cards import JOKER, RANK_NAMES, SUIT_NAMES, Card
from croupier.money import Cents, show_money
from croupier.printed.drawing.court_cards import FIGURES
from croupier.printed.drawing.fonts import FAMILY, text_outline, width

CARD_WIDTH, CARD_HEIGHT = 50.0, 70.0  # five to seven
FONTS = f"'{FAMILY}', system-ui, sans-serif"
TWO_COLORS = {"c": "#17191c", "d": "#c1121f", "h": "#c1121f", "s": "#17191c"}
FOUR_COLORS = {"c": "#0b7a3b", "d": "#1257b5", "h": "#c1121f", "s": "#17191c"}
CHIPS = {  # the color of a chip worth at least this many cents, and of its print
    100_000: ("#94600f", "#ffffff"),
    50_000: ("#5f2c82", "#ffffff"),
    10_000: ("#1d1f21", "#ffffff"),
    2_500: ("#1d6b3c", "#ffffff"),
    500: ("#b3202a", "#ffffff"),
    0: ("#f7f4ea", "#23262a"),
}
STEM = "M-.28-.3L.28-.3L.28.3L-.28.3ZM-.11-.15L.11-.15C.1.5.2.84.42 1L-.42 1C-.2.84-.1.5-.11-.15Z"
SUITS = {  # paths in a box from -1 to 1
    "d": "M0-1C.2-.62.48-.26.8 0C.48.26.2.62 0 1C-.2.62-.48.26-.8 0C-.48-.26-.2-.62 0-1Z",
    "h": "M0 .96C-.2.55-.98.2-.98-.4C-.98-.74-.72-.96-.46-.96C-.24-.96-.08-.82 0-.58C.08-.82.24-.96.46-.96"
    "C.72-.96.98-.74.98-.4C.98.2.2.55 0 .96Z",
    "s": "M0-1C.22-.56.98-.2.98.34C.98.66.74.84.5.84C.3.84.16.74.08.58C.1.78.22.92.42 1L-.42 1C-.22.92-.1.78-.08.58"
    "C-.16.74-.3.84-.5.84C-.74.84-.98.66-.98.34C-.98-.2-.22-.56 0-1Z",
    "c": "M-.44-.54A.44.44 0 1 1 .44-.54A.44.44 0 1 1-.44-.54ZM-.96.2A.44.44 0 1 1-.08.2A.44.44 0 1 1-.96.2Z"
    "M.08.2A.44.44 0 1 1 .96.2A.44.44 0 1 1 .08.2Z" + STEM,  # all parts wind the same way, so that none cuts a hole into another
}


def coordinate(value: float) -> str:
    """A coordinate with only as many decimals as are visible.

    >>> coordinate(3.0), coordinate(-0.001), coordinate(1 / 3)
    ('3', '0', '0.33')
    """
    return f"{round(value, 2) + 0:g}" if abs(value) < 1e5 else f"{value:.0f}"


def point(x: float, y: float) -> str:
    return f"{coordinate(x)} {coordinate(y)}"


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """An element. An attribute's underscore stands for a hyphen (`class_` for class); one without a value is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value not in (None, "")
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _value(value: object) -> str:
    return coordinate(value) if isinstance(value, float | int) and not isinstance(value, bool) else str(value)


def group(parts: Iterable[str], **attributes: object) -> str:
    return tag("g", "".join(parts), **attributes)


def drawing(parts: Iterable[str], wide: float, high: float, *, unit: str = "", title: str = "", box: str = "", **more: str) -> str:
    """A complete SVG; with a unit (mm) it is to scale. `box` is the part that is shown."""
    named = tag("title", escape(title)) if title else ""
    size = {"width": f"{coordinate(wide)}{unit}", "height": f"{coordinate(high)}{unit}"}
    box = box or f"0 0 {point(wide, high)}"
    return tag("svg", named + "".join(parts), xmlns="http://www.w3.org/2000/svg", viewBox=box, role="img", **size, **more)


def text(
    words: str, x: float, y: float, size: float, *, anchor: str = "middle", bold: bool = False, fill: str = "", spacing: float = 0,
    class_: str = "",
) -> str:  # fmt: skip
    return tag(
        "text", escape(words), x=x, y=y, font_size=size, font_family=FONTS, font_weight=600 if bold else None,
        text_anchor=anchor if anchor != "start" else None, fill=fill, letter_spacing=spacing or None, class_=class_,
    )  # fmt: skip


def around(center: tuple[float, float], radius: float, degrees: float) -> tuple[float, float]:
    """The point of a circle at an angle, 0 to the right and 90 below."""
    return center[0] + radius * cos(radians(degrees)), center[1] + radius * sin(radians(degrees))


def text_on_arc(
    words: str, center: tuple[float, float], radius: float, size: float, *, name: str, fill: str, spaced: float = 0.06
) -> str:
    """Words along the lower half of a circle, to be read from below; the middle of the line stands below the center.

    Between letters there is this share of their size.
    """
    degrees = width(words, size, size * spaced) / radius * 180 / pi
    assert degrees < 170
    start, end = (point(*around(center, radius, 90 + side * (degrees / 2 + 2))) for side in (1, -1))
    path = f"M{start}A{point(radius, radius)} 0 0 0 {end}"
    on_path = tag("textPath", escape(words), href=f"#{name}", startOffset="50%")
    return tag("path", id=name, d=path, fill="none") + tag(
        "text", on_path, font_size=size, font_family=FONTS, font_weight=600, text_anchor="middle", fill=fill,
        letter_spacing=size * spaced,
    )  # fmt: skip


# Cards

PAPER = tag("rect", x=0.4, y=0.4, width=49.2, height=69.2, rx=4.5, fill="#ffffff", stroke="#a9a598", stroke_width=0.8)


def suit(which: str, x: float, y: float, size: float, fill: str) -> str:
    """A suit as a shape of this height, centered here."""
    return tag("path", d=SUITS[which], transform=_place(x, y, size / 2), fill=fill)


def _place(x: float, y: float, scale: float) -> str:
    return f"translate({point(x, y)}) scale({coordinate(scale)})"


def card_drawing(card: Card, x: float = 0, *, four_colors: bool = False) -> str:
    """A card face up, its left edge here: a large index, and the suit again."""
    inside = [PAPER, *(_joker() if card == JOKER else _face(card, FOUR_COLORS if four_colors else TWO_COLORS))]
    return group([tag("title", card_name(card)), *inside], class_="card", transform=_place(x, 0, 1))


def card_name(card: Card) -> str:
    """A card's spoken name.

    >>> card_name(Card.parse("Qd")), card_name(JOKER)
    ('queen of diamonds', 'joker')
    """
    return f"{RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}" if card.rank else "joker"


def _face(card: Card, colors: dict[str, str]) -> list[str]:
    color, rank = colors[card.suit], "10" if card.rank == 10 else "23456789TJQKA"[card.rank - 2]
    size = 28.0 if rank != "10" else 25.0
    across = 4.5 + (16.5 - min(16.5, width(rank, size))) / 2 - (1.2 if rank == "10" else 0)
    index = tag("path", d=text_outline(rank, size), transform=f"translate({point(across, 23.5)})", fill=color)
    parts = [index, suit(card.suit, 12.7, 34.8, 14, color)]
    if card.rank in FIGURES:
        return [*parts, _figure(card, color)]
    return [*parts, suit(card.suit, 33.2, 50.5, 26, color)]


def _figure(card: Card, color: str) -> str:
    """A jack, queen or king, with the suit on the breast."""
    drawn = [tag("path", d=path, fill=fill or color) for path, fill in FIGURES[card.rank]]
    return group([*drawn, suit(card.suit, 0, 42.3, 7.6, "#fffdf5")], transform=_place(33.2, 22.6, 1))


def _joker() -> list[str]:
    points = [around((33.0, 47.0), 15 if n % 2 == 0 else 6.2, -90 + 36 * n) for n in range(10)]
    star = "M" + "L".join(point(x, y) for x, y in points) + "Z"
    letters = []
    for n, letter in enumerate("JOKER"):
        at = f"translate({coordinate(9.5 - width(letter, 11.5) / 2)} {14 + 10.4 * n})"
        letters.append(tag("path", d=text_outline(letter, 11.5), transform=at))
    return [group(letters, fill="#5f2c82"), tag("path", d=star, fill="#5f2c82")]


def card_back() -> str:
    """A card face down: a lattice of lozenges in a frame."""
    color, line = "#1f4d35", "#d9b45b"
    lozenges = "".join(
        f"M{point(cx, cy - 3.1)}l2.3 3.1l-2.3 3.1l-2.3-3.1Z"
        for row in range(15)
        for cx, cy in [
            (25 + 5.6 * (n - (3 if row % 2 == 0 else 2.5)), 35 + 3.9 * (row - 7)) for n in range(7 if row % 2 == 0 else 6)
        ]
    )
    frame = tag("rect", x=3, y=3, width=44, height=64, rx=2.6, fill=color)
    rule = tag("rect", x=4.6, y=4.6, width=40.8, height=60.8, rx=1.6, fill="none", stroke=line, stroke_width=0.6)
    lattice = tag("path", d=lozenges, fill="none", stroke=line, stroke_width=0.45)
    parts = [tag("title", "a face-down card"), PAPER, frame, lattice, rule]
    return group(parts, class_="back", transform=_place(0, 0, 1))


def hand_drawing(held: Sequence[Card], *, four_colors: bool = False) -> str:
    """Cards side by side, as a separate drawing."""
    step = CARD_WIDTH * 1.08
    parts = [card_drawing(each, n * step, four_colors=four_colors) for n, each in enumerate(held)]
    return drawing(parts, step * (len(held) - 1) + CARD_WIDTH, CARD_HEIGHT, title=", ".join(map(card_name, held)))


# Chips


def chip(value: Cents) -> str:
    """A chip seen from above: the house color for its value, and the value printed on it."""
    _, ink = _chip_colors(value)
    words = show_money(value).removeprefix("$")
    size = min(13.0, 21 / width(words))
    at = f"translate({point(-width(words, size) / 2, size * 0.33)})"
    parts = [
        tag("title", f"a {show_money(value)} chip"),
        *_chip_disc(value),
        tag("circle", r=13.6, fill="none", stroke=ink, stroke_width=0.7),
        tag("path", d=text_outline(words, size), transform=at, fill=ink),
    ]
    return group(parts, class_="chip", transform=_place(0, 0, 1))


def chip_edge(value: Cents) -> str:
    """The visible edge of a chip below another: its color and spots, shaded."""
    return group([*_chip_disc(value), tag("circle", r=20, fill="#000", fill_opacity=0.42)])


def _chip_disc(value: Cents) -> list[str]:
    fill, ink = _chip_colors(value)
    spots = [
        tag("path", d=_arc_band(15.6, 20, 60 * n - 11, 60 * n + 11), fill=ink if fill != "#f7f4ea" else "#2f5fa8") for n in range(6)
    ]
    return [tag("circle", r=20, fill=fill, stroke="#00000055", stroke_width=0.6), *spots]


def _chip_colors(value: Cents) -> tuple[str, str]:
    return next(colors for least, colors in CHIPS.items() if value >= least)


def _arc_band(inner: float, outer: float, start: float, end: float) -> str:
    """A part of a ring between two angles."""
    ends = ((outer, start), (outer, end), (inner, end), (inner, start))
    a, b, c, d = (point(*around((0, 0), radius, angle)) for radius, angle in ends)
    return f"M{a}A{outer} {outer} 0 0 1 {b}L{c}A{inner} {inner} 0 0 0 {d}Z"
