"""Colors, and whether one is readable on another."""

from __future__ import annotations

import re
from dataclasses import dataclass

LEAST_CONTRAST = 4.5


@dataclass(frozen=True)
class Colour:
    """A color as #rrggbb.

    >>> Colour.parse("#FFF"), Colour.parse("green")
    (Colour(hex='#ffffff'), None)
    """

    hex: str

    @classmethod
    def parse(cls, text: str) -> Colour | None:
        word = text.strip().lower()
        if re.fullmatch(r"#[0-9a-f]{3}", word):
            word = "#" + "".join(2 * digit for digit in word[1:])
        return cls(word) if re.fullmatch(r"#[0-9a-f]{6}", word) else None

    @property
    def luminance(self) -> float:
        """The relative luminance, as WCAG defines it for contrast."""
        parts = (int(self.hex[n : n + 2], 16) / 255 for n in (1, 3, 5))
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(self, other: Colour) -> float:
        """From 1 (alike) to 21 (black on white).

        >>> Colour("#000000").contrast(Colour("#ffffff"))
        21.0
        """
        light, dark = sorted((self.luminance, other.luminance), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    def __str__(self) -> str:
        return self.hex
