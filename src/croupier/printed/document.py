"""What a document is made of: blocks that know nothing of paper or screen. Typst sets them as PDF, `page.py` as a web page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from croupier.filing.finding import Checked, Severity
from croupier.filing.offer import Offer
from croupier.law.cite import Cite
from croupier.printed.look import Look


@dataclass(frozen=True)
class Filing:
    """One submission to print: what it offers, what the checker said of it, and how it is to look."""

    offer: Offer
    notices: tuple[str, ...]  # the warnings, which every document bears
    notes: tuple[str, ...]
    look: Look

    @property
    def name(self) -> str:
        return self.offer.rules.chapter.slug


def filing(checked: Checked, look: Look) -> Filing:
    """A submission without errors, as it is printed; one with errors is refused."""
    offer = checked.offer_or_refuse()
    told = {severity: tuple(str(each) for each in checked.findings if each.severity is severity) for severity in Severity}
    return Filing(offer, told[Severity.WARNING], told[Severity.NOTE], look)


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
class Table:
    """Rows under a head. `right` are the columns of figures; the `wide` ones share the room that the others leave."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    cite: str = ""
    right: frozenset[int] = frozenset()
    quiet: frozenset[int] = frozenset()
    wide: frozenset[int] = frozenset({0})
    note: str = ""
    total: bool = False  # the last row is a sum
    long: bool = False  # may run over a page


@dataclass(frozen=True)
class Figure:
    """A drawing, so wide at most, in millimetres."""

    svg: str
    wide: float
    caption: str = ""


@dataclass(frozen=True)
class Figures:
    """Drawings side by side."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Ranked:
    """Hands from the highest on, each as drawn cards with its name."""

    rows: tuple[tuple[str, str, str], ...]  # drawing, name, clause
    high: float = 11.0  # millimetres of a card
    lane: float = 42.0  # millimetres of the widest drawing


@dataclass(frozen=True)
class Pays:
    """What a wager pays, to be read from afar on a sign."""

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
    """What a reader must not miss."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A new page, under another submission's name where one guide binds several."""

    identity: Identity


@dataclass(frozen=True)
class Contents:
    """The sections of a bound guide with their pages."""


Block = Heading | Paragraph | Items | Table | Figure | Figures | Ranked | Pays | Paytables | Notice | Section | Contents


@dataclass(frozen=True)
class Identity:
    """What every page carries."""

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


def identity(filed: Filing) -> Identity:
    rules, look = filed.offer.rules, filed.look
    edition = f"58 Pa. Code Chapter {rules.number}, edition {rules.edition} ({rules.edition.source})"
    dated = look.dated.isoformat() if look.dated else ""
    return Identity(rules.title, filed.offer.facility, edition, dated, filed.offer.hash, len(filed.notices))


def document(filed: Filing, kind: str, title: str, subtitle: str, blocks: Iterable[Block], paper: str = "") -> Document:
    """A document of one submission. Its date is the filing's own, or that of the edition."""
    dated = filed.look.dated or date.fromisoformat(filed.offer.rules.edition.name)
    return Document(kind, title, subtitle, identity(filed), paper or filed.look.paper, tuple(blocks), dated)


def notices(filed: Filing) -> list[Block]:
    """The warnings of the checker, which a document bears."""
    return [Notice("Filed with warnings", filed.notices)] if filed.notices else []


def cites(rule: Sequence[Cite] | Cite | str) -> str:
    """Citations for the margin: the first, and how many more only where the text needs none of them.

    >>> cites((Cite("649a", "11(c)(3)"), Cite("649a", "12(a)")))
    '649a.11(c)(3), 649a.12(a)'
    """
    return str(rule) if isinstance(rule, Cite | str) else ", ".join(map(str, rule))
