"""The blocks of a document, independent of the medium. Typst renders them as PDF, `page.py` as a web page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import date

import msgspec

from croupier.filing.finding import Checked, Severity
from croupier.filing.offer import Offer
from croupier.printed.drawing.look import Look


@dataclass(frozen=True)
class PrintedFiling:
    """A submission to print: its Offer, the checker's findings, and its look."""

    offer: Offer
    notices: tuple[str, ...]  # the warnings, printed on every document
    notes: tuple[str, ...]
    look: Look

    @property
    def name(self) -> str:
        return self.offer.rules.chapter.slug


def filing(checked: Checked, look: Look) -> PrintedFiling:
    """A checked submission, ready to print. One with errors is refused."""
    offer = checked.offer_or_refuse()
    found = {severity: tuple(str(each) for each in checked.findings if each.severity is severity) for severity in Severity}
    return PrintedFiling(offer, found[Severity.WARNING], found[Severity.NOTE], look)


class Block(msgspec.Struct, frozen=True, tag=str.lower, tag_field="is"):
    """A part of a document. As data it carries the name of its type."""


class Heading(Block, frozen=True):
    text: str
    level: int = 2
    cite: str = ""


class Paragraph(Block, frozen=True):
    text: str
    cite: str = ""
    quiet: bool = False


class Items(Block, frozen=True):
    """Points, or numbered steps; each with its clause."""

    items: Sequence[tuple[str, str]]
    numbered: bool = False


class DataTable(Block, frozen=True):
    """Rows under a head. `right` are the columns of figures; the `wide` ones share the room that the others leave."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    right: Set[int] = frozenset()
    quiet: Set[int] = frozenset()
    wide: Set[int] = frozenset({0})
    note: str = ""
    total: bool = False  # the last row is a sum
    long: bool = False  # may run over a page


class Figure(Block, frozen=True):
    """A drawing and its greatest width in millimeters."""

    svg: str
    wide: float


class FigureRow(Block, frozen=True):
    """Drawings side by side."""

    figures: Sequence[Figure]


class Ranked(Block, frozen=True):
    """Hands from the highest on, each as drawn cards with its name."""

    rows: Sequence[tuple[str, str, str]]  # drawing (empty if there is none), name, clause
    lane: float  # millimeters, of the widest drawing


class Pays(Block, frozen=True):
    """What a wager pays, large enough to read from a distance on a sign."""

    title: str
    condition: str
    rows: Sequence[tuple[str, str]]
    cite: str
    note: str = ""


class Paytables(Block, frozen=True):
    """What several wagers pay, in two columns of similar length."""

    columns: Sequence[Sequence[Pays]]


def in_two_columns(pays: Sequence[Pays]) -> Paytables:
    """Divide paytables, in order, where the two columns have the most similar length."""
    lengths = [len(each.rows) + 2.5 + bool(each.note) for each in pays]
    best = min(range(1, len(pays) + 1), key=lambda n: abs(sum(lengths[:n]) - sum(lengths[n:])))
    return Paytables([column for column in (pays[:best], pays[best:]) if column])


class Notice(Block, frozen=True):
    """A warning that has to stand out."""

    title: str
    lines: Sequence[str]


class Section(Block, frozen=True):
    """A new page, under another submission's name where one guide binds several."""

    identity: Identity


class Contents(Block, frozen=True):
    """The sections of a bound guide with their pages."""


class Identity(msgspec.Struct, frozen=True):
    """The footer of every page."""

    game: str
    facility: str
    edition: str
    dated: str
    hash: str
    notices: int


class Document(msgspec.Struct, frozen=True):
    """A document. Its kind decides the page layout (report, sign, card or felt)."""

    kind: str
    title: str
    subtitle: str
    identity: Identity
    paper: str
    blocks: Sequence[Block]
    dated: date = date(2000, 1, 1)  # of the file's own data; never today
    close: bool = False  # tighter spacing, if that saves a page


def identity(filed: PrintedFiling) -> Identity:
    rules, look = filed.offer.rules, filed.look
    edition = f"{rules.chapter.citation}, edition {rules.edition} ({rules.edition.source})"
    dated = look.dated.isoformat() if look.dated else ""
    return Identity(rules.title, filed.offer.facility, edition, dated, filed.offer.hash, len(filed.notices))


def document(filed: PrintedFiling, kind: str, title: str, subtitle: str, blocks: Iterable[Block], paper: str = "") -> Document:
    """A document of one submission. Its date is the filing's own, or that of the edition."""
    dated = filed.look.dated or date.fromisoformat(filed.offer.rules.edition.name)
    return Document(kind, title, subtitle, identity(filed), paper or filed.look.paper, list(blocks), dated)


def paragraph(words: str, cite: str = "") -> list[Block]:
    """A paragraph, or nothing without words."""
    return [Paragraph(words, cite)] if words else []


def notices(filed: PrintedFiling) -> list[Block]:
    """The checker's warnings, as a block at the top of a document."""
    return [Notice("Filed with warnings", filed.notices)] if filed.notices else []
