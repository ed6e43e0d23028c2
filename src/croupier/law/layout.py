"""The table and its layout (section .2): seats, areas, inscriptions and equipment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from croupier.law.cite import Rule
from croupier.law.fact import Place

MOST_SEATS = 10  # that fit around a half-round table
DISCARD_RACK, DROP_AND_TIP_BOX = "Discard rack", "Drop box and tip box"  # equipment that is drawn on the layout


@dataclass(frozen=True, eq=False)
class TableSeats(Rule):
    """How many betting positions a table has."""

    seats: int

    def complete(self) -> None:
        if not 1 <= self.seats <= MOST_SEATS:
            raise ValueError(f"{self.cite.chapter}: a table has 1 to {MOST_SEATS} seats, not {self.seats}")


@dataclass(frozen=True, eq=False)
class Area(Rule):
    """An area of the layout, for the wagers that name it or for cards; one per player, or one per table.

    It is there if one of its wagers is offered, or one of those for which its cards are dealt.
    """

    name: str
    note: str = ""
    cards: Place | None = None  # whose cards lie here
    count: int = 0  # how many cards, if not all that are left of those dealt to the place
    sign: str = ""  # between this area and the next
    right_of_dealer: bool = False
    each_player: bool = True  # an area for cards is for each player if the cards are

    def complete(self) -> None:
        if self.cards:
            self.__dict__["each_player"] = self.cards.each_player


class Subject(Enum):
    """What an inscription is about, where the code does not prescribe its words."""

    ODDS = "the payout odds"
    LIMIT = "the payout limit"
    MULTIPLES = "how many times its base a wager may be"
    FACT = "that something holds"


@dataclass(frozen=True, eq=False)
class Inscription(Rule):
    """What the layout or a sign at the table must say: the exact `words` if the code prescribes them, else the subject."""

    advises: str
    words: str = ""
    about: Subject | None = None


@dataclass(frozen=True, eq=False)
class Equipment(Rule):
    """What a table must have: always, or if a wager is offered that is placed through this system or the one it is part of."""

    name: str
    requires: str
    part_of: Equipment | None = None
