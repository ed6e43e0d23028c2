"""Colors as #rrggbb, and whether one is readable on another."""

from __future__ import annotations

import re


def read_color(text: str) -> str | None:
    """
    >>> read_color("#FFF"), read_color("green")
    ('#ffffff', None)
    """
    word = text.strip().lower()
    if re.fullmatch(r"#[0-9a-f]{3}", word):
        word = "#" + "".join(2 * digit for digit in word[1:])
    return word if re.fullmatch(r"#[0-9a-f]{6}", word) else None


def contrast(one: str, other: str) -> float:
    """From 1 (alike) to 21 (black on white), as WCAG defines it.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = (int(color[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
