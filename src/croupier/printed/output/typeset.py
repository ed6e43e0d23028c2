"""Documents as PDF, PNG or SVG by typst: offline, with bundled fonts and no clock, so output is reproducible."""

from __future__ import annotations

from datetime import UTC, datetime, time
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import typst

from croupier.printed.drawing.fonts import FOLDER
from croupier.printed.output.document import Document

TEMPLATE = Path(__file__).parent / "house.typ"
PNG_PER_INCH = 144.0


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FOLDER)])


def typeset(document: Document, form: Literal["pdf", "png", "svg"] = "pdf", per_inch: float = PNG_PER_INCH) -> list[bytes]:
    """A document as one PDF, or as a PNG or SVG per page. A sign gets tighter spacing if that saves a page."""
    if document.kind == "sign":
        closer = msgspec.structs.replace(document, close=True)
        document = closer if len(_compiled(closer, "svg")) < len(_compiled(document, "svg")) else document
    return _compiled(document, form, per_inch)


def _compiled(document: Document, form: Literal["pdf", "png", "svg"], per_inch: float = PNG_PER_INCH) -> list[bytes]:
    made: bytes | list[bytes] = typst.compile(
        TEMPLATE.read_bytes(),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        format=form,
        ppi=per_inch if form == "png" else None,
        sys_inputs={"document": msgspec.json.encode(document).decode()},
        timestamp=datetime.combine(document.dated, time(12), UTC),
    )
    return [made] if isinstance(made, bytes) else list(made)
