"""The typeface of the house, shipped with it: no system font is asked. Widths and outlines are read from the files themselves."""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
FAMILY = "Source Sans Pro"
REGULAR, SEMIBOLD = "Regular", "Semibold"
CAP_HEIGHT = 0.66  # of the size

Point = tuple[float, float]


class Face:
    """One TrueType file: what a character is as wide as, and how it is drawn."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        count = self._at(">H", 4)[0]
        rows = (12 + 16 * n for n in range(count))
        self._start = {self._data[row : row + 4].decode(): self._at(">I", row + 8)[0] for row in rows}
        self.units: int = self._at(">H", self._start["head"] + 18)[0]
        self._long_places = bool(self._at(">h", self._start["head"] + 50)[0])
        self._metrics: int = self._at(">H", self._start["hhea"] + 34)[0]
        self._segments = self._read_segments()

    def _at(self, form: str, offset: int) -> tuple[int, ...]:
        return struct.unpack_from(form, self._data, offset)

    def _read_segments(self) -> list[tuple[int, int, int, int, int]]:
        """The character map's ranges (format 4): first, last, delta, offset and where the offset itself stands."""
        cmap = self._start["cmap"]
        for n in range(self._at(">H", cmap + 2)[0]):
            platform, kind, offset = self._at(">HHI", cmap + 4 + 8 * n)
            if (platform, kind) == (3, 1):
                break
        else:
            raise ValueError("the font has no Unicode character map")
        table = cmap + offset
        double = self._at(">H", table + 6)[0]
        ends, starts = table + 14, table + 16 + double
        return [
            (
                self._at(">H", starts + n)[0],
                self._at(">H", ends + n)[0],
                self._at(">h", starts + double + n)[0],
                self._at(">H", starts + 2 * double + n)[0],
                starts + 2 * double + n,
            )
            for n in range(0, double, 2)
        ]

    def glyph(self, character: str) -> int:
        code = ord(character)
        for first, last, delta, offset, place in self._segments:
            if first <= code <= last:
                if not offset:
                    return (code + delta) & 0xFFFF
                return self._at(">H", place + offset + 2 * (code - first))[0]
        return 0

    def advance(self, character: str) -> float:
        """The width of a character in parts of the size."""
        at = min(self.glyph(character), self._metrics - 1)
        return self._at(">H", self._start["hmtx"] + 4 * at)[0] / self.units

    def contours(self, character: str) -> list[list[tuple[float, float, bool]]]:
        """The closed curves of a character: points in parts of the size, y downwards, and whether the curve goes through each."""
        glyph, loca = self.glyph(character), self._start["loca"]
        here = self._at(">I", loca + 4 * glyph)[0] if self._long_places else 2 * self._at(">H", loca + 2 * glyph)[0]
        start = self._start["glyf"] + here
        ends = [self._at(">H", start + 10 + 2 * n)[0] for n in range(self._at(">h", start)[0])]
        at = start + 10 + 2 * len(ends)
        at += 2 + self._at(">H", at)[0]
        flags, at = self._flags(at, ends[-1] + 1)
        xs, at = self._coordinates(at, flags, short=2, same=16)
        ys, at = self._coordinates(at, flags, short=4, same=32)
        points = [(x / self.units, -y / self.units, bool(f & 1)) for x, y, f in zip(xs, ys, flags, strict=True)]
        return [points[first:last] for first, last in zip([0, *(end + 1 for end in ends)], [end + 1 for end in ends], strict=False)]

    def _flags(self, at: int, count: int) -> tuple[list[int], int]:
        flags: list[int] = []
        while len(flags) < count:
            flag, repeats = self._data[at], 0
            at += 1
            if flag & 8:
                repeats, at = self._data[at], at + 1
            flags += [flag] * (1 + repeats)
        return flags, at

    def _coordinates(self, at: int, flags: list[int], *, short: int, same: int) -> tuple[list[int], int]:
        value, values = 0, []
        for flag in flags:
            if flag & short:
                value, at = value + (self._data[at] if flag & same else -self._data[at]), at + 1
            elif not flag & same:
                value, at = value + self._at(">h", at)[0], at + 2
            values.append(value)
        return values, at


@cache
def face(weight: str = REGULAR) -> Face:
    return Face(FOLDER / f"SourceSansPro-{weight}.ttf")


@cache
def width(text: str, size: float = 1, weight: str = REGULAR, spacing: float = 0) -> float:
    """How wide a line of text is set.

    >>> round(width("ANTE", 10), 1) < round(width("ANTE", 10, SEMIBOLD), 1)
    True
    """
    return sum(face(weight).advance(character) * size + spacing for character in text)


@cache
def outline(text: str, size: float, weight: str = SEMIBOLD) -> str:
    """Text as the path of its outlines, from (0, 0) on its baseline: it looks the same with no font at all."""
    parts, along = [], 0.0
    for character in text:
        for contour in face(weight).contours(character):
            parts.append(_path([(along + x * size, y * size, on) for x, y, on in contour]))
        along += face(weight).advance(character) * size
    return "".join(parts)


def _path(points: list[tuple[float, float, bool]]) -> str:
    """A closed curve of quadratic pieces: between two points off the curve lies one on it."""
    full: list[tuple[float, float, bool]] = []
    for here, after in zip(points, [*points[1:], points[0]], strict=True):
        full.append(here)
        if not here[2] and not after[2]:
            full.append(((here[0] + after[0]) / 2, (here[1] + after[1]) / 2, True))
    first = next(n for n, point in enumerate(full) if point[2])
    full = full[first:] + full[:first]
    told, n = [f"M{_show(full[0])}"], 1
    while n < len(full):
        if full[n][2]:
            told.append(f"L{_show(full[n])}")
            n += 1
        else:
            told.append(f"Q{_show(full[n])} {_show(full[(n + 1) % len(full)])}")
            n += 2
    return "".join(told) + "Z"


def _show(point: tuple[float, float, bool]) -> str:
    return f"{round(point[0], 2):g} {round(point[1], 2):g}"
