"""The bundled typeface: no system font is used. Widths and outlines are read from the font files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any

from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent / "typefaces"
FAMILY = "Source Sans Pro"
MISSING = ".notdef"
READING = RLock()  # fontTools loads tables and glyphs lazily, which is not thread-safe


class Typeface:
    """The semibold face: how wide a character is, and how it is drawn."""

    def __init__(self) -> None:
        font = TTFont(FOLDER / "SourceSansPro-Semibold.ttf")
        self.units: int = font["head"].unitsPerEm
        self.names: dict[int, str] = font.getBestCmap()
        self.glyphs: Any = font.getGlyphSet()

    def glyph(self, character: str) -> Any:
        return self.glyphs[self.names.get(ord(character), MISSING)]

    def advance(self, character: str) -> float:
        """The width of a character as a fraction of the font size."""
        return float(self.glyph(character).width) / self.units


@cache
def face() -> Typeface:
    with READING:
        return Typeface()


@cache
def width(text: str, size: float = 1, spacing: float = 0) -> float:
    """The width of a line of text."""
    with READING:
        return sum(face().advance(character) * size + spacing for character in text)


@cache
def text_outline(text: str, size: float) -> str:
    """Text as the path of its outlines, from (0, 0) on its baseline: it looks the same with no font at all."""
    used, along = face(), 0.0
    pen = SVGPathPen(used.glyphs, ntos=lambda number: f"{round(number, 2):g}")
    scale = size / used.units
    with READING:
        for character in text:
            used.glyph(character).draw(TransformPen(pen, Transform(scale, 0, 0, -scale, along, 0)))
            along += used.advance(character) * size
    return str(pen.getCommands())
