"""The blocks of a document, independent of the medium. Typst renders them as PDF, `page.py` as a web page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

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
    told = {severity: tuple(str(each) for each in checked.findings if each.severity is severity) for severity in Severity}
    return PrintedFiling(offer, told[Severity.WARNING], told[Severity.NOTE], look)


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2
    cite: str = ""


@dataclass(frozen=True)
class Paragraph:
    text: str
    cite: str = ""
    quiet: bool = False


@dataclass(frozen=True)
class Items:
    """Points, or numbered steps; each with its clause."""

    items: tuple[tuple[str, str], ...]
    numbered: bool = False


@dataclass(frozen=True)
class DataTable:
    """Rows under a head. `right` are the columns of figures; the `wide` ones share the room that the others leave."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    right: frozenset[int] = frozenset()
    quiet: frozenset[int] = frozenset()
    wide: frozenset[int] = frozenset({0})
    note: str = ""
    total: bool = False  # the last row is a sum
    long: bool = False  # may run over a page


@dataclass(frozen=True)
class Figure:
    """A drawing and its greatest width in millimeters."""

    svg: str
    wide: float


@dataclass(frozen=True)
class Figures:
    """Drawings side by side."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Ranked:
    """Hands from the highest on, each as drawn cards with its name."""

    rows: tuple[tuple[str, str, str], ...]  # drawing (empty if there is none), name, clause
    lane: float  # millimeters, of the widest drawing


@dataclass(frozen=True)
class Pays:
    """What a wager pays, large enough to read from a distance on a sign."""

    title: str
    condition: str
    rows: tuple[tuple[str, str], ...]
    cite: str
    note: str = ""


@dataclass(frozen=True)
class Paytables:
    """What several wagers pay, in two columns of like length."""

    columns: tuple[tuple[Pays, ...], ...]


def paytables(pays: Sequence[Pays]) -> Paytables:
    """Divide them, in their order, where the columns become most alike."""
    lengths = [len(each.rows) + 2.5 + bool(each.note) for each in pays]
    best = min(range(1, len(pays) + 1), key=lambda n: abs(sum(lengths[:n]) - sum(lengths[n:])))
    return Paytables(tuple(filter(None, (tuple(pays[:best]), tuple(pays[best:])))))


@dataclass(frozen=True)
class Notice:
    """A warning that has to stand out."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A new page, under another submission's name where one guide binds several."""

    identity: Identity


@dataclass(frozen=True)
class Contents:
    """The sections of a bound guide with their pages."""


Block = Heading | Paragraph | Items | DataTable | Figure | Figures | Ranked | Pays | Paytables | Notice | Section | Contents


@dataclass(frozen=True)
class Identity:
    """The footer of every page."""

    game: str
    facility: str
    edition: str
    dated: str
    hash: str
    notices: int

    @property
    def short(self) -> str:
        return self.hash[:12]


@dataclass(frozen=True)
class Document:
    """A document: its kind says how a page is set (report, sign, card or felt)."""

    kind: str
    title: str
    subtitle: str
    identity: Identity
    paper: str
    blocks: tuple[Block, ...] = field(repr=False)
    dated: date = date(2000, 1, 1)  # of the file's own data; never today
    close: bool = False  # set closer, where that saves a page


def identity(filed: PrintedFiling) -> Identity:
    rules, look = filed.offer.rules, filed.look
    edition = f"{rules.chapter.citation}, edition {rules.edition} ({rules.edition.source})"
    dated = look.dated.isoformat() if look.dated else ""
    return Identity(rules.title, filed.offer.facility, edition, dated, filed.offer.hash, len(filed.notices))


def document(filed: PrintedFiling, kind: str, title: str, subtitle: str, blocks: Iterable[Block], paper: str = "") -> Document:
    """A document of one submission. Its date is the filing's own, or that of the edition."""
    dated = filed.look.dated or date.fromisoformat(filed.offer.rules.edition.name)
    return Document(kind, title, subtitle, identity(filed), paper or filed.look.paper, tuple(blocks), dated)


def notices(filed: PrintedFiling) -> list[Block]:
    """The checker's warnings, as a block at the top of a document."""
    return [Notice("Filed with warnings", filed.notices)] if filed.notices else []
