"""Print filings to files, all of them or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from croupier.filing.check import check
from croupier.law.cite import Refusal
from croupier.printed.documents.form import submission_form
from croupier.printed.documents.guide import guide
from croupier.printed.documents.layout_sheet import layout_sheet
from croupier.printed.documents.mathematics import mathematics
from croupier.printed.documents.sign import sign
from croupier.printed.documents.strategy_card import strategy_card
from croupier.printed.drawing.felt import layout_drawing
from croupier.printed.drawing.look import read_look
from croupier.printed.output.document import Document, PrintedFiling, filing
from croupier.printed.output.page import page
from croupier.printed.output.typeset import PNG_PER_INCH, typeset

DOCUMENTS: Mapping[str, Callable[[PrintedFiling], Document]] = {
    "layout": layout_sheet,
    "sign": sign,
    "guide": lambda filed: guide([filed]),
    "strategy": strategy_card,
    "mathematics": mathematics,
    "submission": submission_form,
}
Format = Literal["pdf", "svg", "html", "png"]
FORMATS: tuple[Format, ...] = ("pdf", "svg", "html", "png")
Printed = dict[str, bytes]  # by the file's name


def read_filing(raw: Mapping[str, Any], folder: Path, use: str = "printed") -> PrintedFiling:
    """Read a submission for printing or another use. One with errors is refused, naming the first of them."""
    try:
        checked = check(raw)
        checked.offer_or_refuse()
    except Refusal as refusal:
        raise refusal.at(f"the submission has errors and is not {use}") from None
    return filing(checked, read_look(raw.get("printed", {}), folder))


def print_document(kind: str, filed: PrintedFiling, form: Format = "pdf", per_inch: float = PNG_PER_INCH) -> Printed:
    """One document of one submission, as one file or one for each page."""
    stem = f"{filed.name}-{kind}"
    if kind == "layout" and form == "svg":
        return {f"{stem}.svg": layout_drawing(filed.offer, filed.look).encode()}
    return _files(stem, DOCUMENTS[kind](filed), form, per_inch)


def bind_guide(filings: Sequence[PrintedFiling], form: Format = "pdf", per_inch: float = PNG_PER_INCH) -> Printed:
    """One gaming guide for a whole facility."""
    return _files("gaming-guide", guide(filings), form, per_inch)


def print_all(
    filings: Sequence[PrintedFiling], kinds: Sequence[str], form: Format = "pdf", per_inch: float = PNG_PER_INCH
) -> Iterator[Printed]:
    """Each document of each submission, one after another; submissions of the same game are distinguished by their hashes."""
    names = [filed.name for filed in filings]
    for filed in filings:
        for kind in kinds:
            made = print_document(kind, filed, form, per_inch)
            twice = names.count(filed.name) > 1
            yield {f"{filed.offer.hash[:8]}-{name}" if twice else name: data for name, data in made.items()}


def _files(stem: str, document: Document, form: Format, per_inch: float) -> Printed:
    if form == "html":
        return {f"{stem}.html": page(document).encode()}
    pages = typeset(document, form, per_inch)
    if len(pages) == 1:
        return {f"{stem}.{form}": pages[0]}
    return {f"{stem}-{n}.{form}": data for n, data in enumerate(pages, 1)}


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write all files or none: each is written under a temporary name before any is moved into place."""
    made: list[tuple[str, Path]] = []
    folders = [folder for folder in dict.fromkeys(path.parent for path in files) if not folder.exists()]
    try:
        for path, data in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError(21, "it is a folder", str(path))
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
                made.append((file.name, path))
                file.write(data)
            os.chmod(file.name, 0o644)
        for name, path in made:
            os.replace(name, path)
    except OSError:
        for name, _ in made:
            Path(name).unlink(missing_ok=True)
        for folder in folders:
            if folder.exists() and not any(folder.iterdir()):
                folder.rmdir()
        raise
