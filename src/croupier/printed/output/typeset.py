"""Documents as PDF, PNG or SVG by typst: offline, with bundled fonts and no clock, so output is reproducible."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

import typst

from croupier.printed.drawing.fonts import FOLDER
from croupier.printed.output.document import Document

TEMPLATE = Path(__file__).parent / "house.typ"
PNG_PER_INCH = 144.0


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FOLDER)])


Form = Literal["pdf", "png", "svg"]


def typeset(document: Document, form: Form = "pdf", per_inch: float = PNG_PER_INCH) -> list[bytes]:
    """A document as one PDF, or as the PNG or SVG of each page. A sign is set closer where that saves a page."""
    if document.kind == "sign":
        closer = replace(document, close=True)
        document = closer if len(_compiled(closer, "svg")) < len(_compiled(document, "svg")) else document
    return _compiled(document, form, per_inch)


def _compiled(document: Document, form: Form, per_inch: float = PNG_PER_INCH) -> list[bytes]:
    noon = datetime(document.dated.year, document.dated.month, document.dated.day, 12, tzinfo=UTC)
    made: bytes | list[bytes] = typst.compile(
        TEMPLATE.read_bytes(),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        format=form,
        ppi=per_inch if form == "png" else None,
        sys_inputs={"document": json.dumps(plain(document), ensure_ascii=False)},
        timestamp=noon,
    )
    return [made] if isinstance(made, bytes) else list(made)


def plain(value: Any) -> Any:
    """A document as plain data; each block carries its type."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"is": type(value).__name__.lower(), **{each.name: plain(getattr(value, each.name)) for each in fields(value)}}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
