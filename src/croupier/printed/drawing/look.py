"""The operator's choice of looks: the [printed] table of a submission. It changes no rule and no Offer's hash."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from croupier.law.cite import Refusal
from croupier.printed.drawing.logo import CITE, Logo, read_logo

KEYS = ("logo", "felt", "lines", "accent", "four_colours", "help_line", "dated", "paper")
PAPERS = ("letter", "a4")
LEAST_CONTRAST = 4.5


@dataclass(frozen=True)
class Look:
    """Colors of the felt and its inscriptions, the logo, the problem gambling line, the filing's date, the paper size."""

    felt: str = "#1f4d35"
    lines: str = "#f4ecd6"
    accent: str = "#dcb965"
    four_colours: bool = False
    logo: Logo | None = None
    help_line: str = ""
    dated: date | None = None
    paper: str = "letter"


HOUSE = Look()


def read_look(raw: object, folder: Path) -> Look:
    """Read the look of a submission; a logo's path is relative to the submission's folder."""
    if not isinstance(raw, Mapping):
        raise Refusal("“printed” is not a table of names and values", CITE, "[printed]")
    if unknown := [key for key in raw if key not in KEYS]:
        raise Refusal(f"printed: “{unknown[0]}” is not a known key", CITE, ", ".join(KEYS))
    colors = {key: _color(raw, key) for key in ("felt", "lines", "accent")}
    felt = colors["felt"]
    for key, ink in colors.items():
        if key != "felt" and (found := contrast(ink, felt)) < LEAST_CONTRAST:
            words = f"printed, {key}: {ink} on a felt of {felt} has a contrast of {found:.1f} to 1"
            raise Refusal(words, CITE, f"at least {LEAST_CONTRAST} to 1")
    return Look(
        **colors,
        four_colours=_of(raw, "four_colours", bool, False, "true or false"),
        logo=read_logo(folder / raw["logo"]) if _of(raw, "logo", str, "", "the path of an SVG or PNG") else None,
        help_line=" ".join(_of(raw, "help_line", str, "", "a sentence").split()),
        dated=_of(raw, "dated", date, None, "a date such as 2026-03-01"),
        paper=_paper(raw),
    )


def _of(raw: Mapping[str, Any], key: str, kind: type, default: Any, accepted: str) -> Any:
    value = raw.get(key, default)
    if value is not default and type(value) is not kind:
        raise Refusal(f"printed, {key}: “{value}” is not valid", CITE, accepted)
    return value


def _color(raw: Mapping[str, Any], key: str) -> str:
    """
    >>> _color({"felt": "#FFF"}, "felt")
    '#ffffff'
    """
    if key not in raw:
        return str(getattr(HOUSE, key))
    word = str(raw[key]).strip().lower()
    if re.fullmatch(r"#[0-9a-f]{3}", word):
        word = "#" + "".join(2 * digit for digit in word[1:])
    if not re.fullmatch(r"#[0-9a-f]{6}", word):
        raise Refusal(f"printed, {key}: “{raw[key]}” is not a color", CITE, "a color such as #1f4d35")
    return word


def contrast(one: str, other: str) -> float:
    """The contrast of two colors, from 1 (alike) to 21 (black on white), as WCAG defines it.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = (int(color[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _paper(raw: Mapping[str, Any]) -> str:
    paper = str(raw.get("paper", PAPERS[0])).lower()
    if paper not in PAPERS:
        raise Refusal(f"printed, paper: “{raw['paper']}” is not a paper size", CITE, " or ".join(PAPERS))
    return paper
