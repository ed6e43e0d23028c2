"""The operator's choice of looks: the [printed] table of a submission. It changes no rule, so no Offer's hash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from croupier.law.cite import Refusal
from croupier.printed.drawing.color import LEAST_CONTRAST, Colour
from croupier.printed.drawing.logo import CITE, Logo, read_logo

KEYS = ("logo", "felt", "lines", "accent", "four_colours", "help_line", "dated", "paper")
PAPERS = ("letter", "a4")


FELT, LINES, ACCENT = Colour("#1f4d35"), Colour("#f4ecd6"), Colour("#dcb965")


@dataclass(frozen=True)
class Look:
    """Colors of the felt and its inscriptions, the logo, the problem gambling line, the filing's date, the paper size."""

    felt: Colour = FELT
    lines: Colour = LINES
    accent: Colour = ACCENT
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
    if strangers := [key for key in raw if key not in KEYS]:
        raise Refusal(f"printed: “{strangers[0]}” is not a known key", CITE, ", ".join(KEYS))
    colours = {key: _colour(raw, key, getattr(HOUSE, key)) for key in ("felt", "lines", "accent")}
    for key in ("lines", "accent"):
        _verify_contrast(key, colours[key], colours["felt"])
    return Look(
        **colours,
        four_colours=_of(raw, "four_colours", bool, False, "true or false"),
        logo=read_logo(folder / raw["logo"]) if _of(raw, "logo", str, "", "the path of an SVG or PNG") else None,
        help_line=" ".join(_of(raw, "help_line", str, "", "a sentence").split()),
        dated=_of(raw, "dated", date, None, "a date such as 2026-03-01"),
        paper=_paper(raw),
    )


def _of(raw: Mapping[str, Any], key: str, kind: type, default: Any, accepted: str) -> Any:
    value = raw.get(key, default)
    if value is not default and type(value) is not kind:
        raise Refusal(f"printed, {key}: “{value}”", CITE, accepted)
    return value


def _colour(raw: Mapping[str, Any], key: str, default: Colour) -> Colour:
    if key not in raw:
        return default
    found = Colour.parse(str(raw[key]))
    if found is None:
        raise Refusal(f"printed, {key}: “{raw[key]}” is not a color", CITE, "a color such as #1f4d35")
    return found


def _verify_contrast(key: str, ink: Colour, felt: Colour) -> None:
    if (contrast := ink.contrast(felt)) < LEAST_CONTRAST:
        found = f"printed, {key}: {ink} on a felt of {felt} has a contrast of {contrast:.1f} to 1"
        raise Refusal(found, CITE, f"at least {LEAST_CONTRAST} to 1")


def _paper(raw: Mapping[str, Any]) -> str:
    paper = str(raw.get("paper", PAPERS[0])).lower()
    if paper not in PAPERS:
        raise Refusal(f"printed, paper: “{raw['paper']}”", CITE, " or ".join(PAPERS))
    return paper
