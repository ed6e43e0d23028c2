"""Facts: questions about one player's finished round, each with a few possible answers. Settlement depends on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Protocol

from croupier.cards import Card, Cards
from croupier.law.ranking import Ranking, or_better
from croupier.law.reading import Alternative, Reading, in_force

TIMED_OUT = "timed out"  # the answer of a hand whose time ran out: it loses only the wager the decision is about


class Place(Enum):
    """Where cards are when a round is settled."""

    PLAYER = "player's cards"
    DEALER = "dealer's cards"
    COMMUNITY = "community cards"
    FOURTH = "player's fourth card"

    @property
    def each_player(self) -> bool:
        return self in (PLAYER, FOURTH)


PLAYER, DEALER, COMMUNITY, FOURTH = Place


@dataclass(frozen=True)
class Position:
    """What one player's settlement may look at."""

    cards: Mapping[Place, Cards]
    seat: int = 0
    decided: tuple[str, ...] = ()
    folded: bool = False
    set_aside: Cards = ()  # the three-card hand that the player set
    drawn_card: Card | None = None
    drawn_position: int | str = ""  # a seat, or “dealer”
    readings: Mapping[str, str] = field(default_factory=dict)

    def at(self, *places: Place) -> Cards:
        return sum((self.cards.get(place, ()) for place in places), ())


class Fact(Protocol):
    """A named question, its possible answers, and how to find the answer from the cards."""

    @property
    def name(self) -> str: ...
    @property
    def values(self) -> tuple[Any, ...]: ...
    def of(self, position: Position) -> Any: ...


@dataclass(frozen=True)
class Holds:
    """Which row of a ranking do the cards at these places make? `first` limits how many community cards count."""

    ranking: Ranking
    places: tuple[Place, ...] = (PLAYER,)
    first: int = 0

    @property
    def name(self) -> str:
        return f"{self.ranking.name} of {' and '.join(place.value for place in self.places)}"

    @property
    def values(self) -> tuple[str, ...]:
        return self.ranking.rows

    def held(self, position: Position) -> Cards:
        most = {COMMUNITY: self.first or None}
        return tuple(card for place in self.places for card in position.at(place)[: most.get(place)])

    def of(self, position: Position) -> str:
        return self.ranking.row(self.held(position))

    def describe_nothing(self, position: Position) -> str:
        return self.ranking.describe_nothing(self.held(position))


class Comparison(Enum):
    HIGHER = "higher"
    EQUAL = "equal"
    LOWER = "lower"


HIGHER, EQUAL, LOWER = Comparison


@dataclass(frozen=True)
class Compared:
    """How does the player's hand rank against the dealer's?"""

    ranking: Ranking
    shared: tuple[Place, ...] = ()

    name = "player's hand against the dealer's"
    values = (HIGHER, EQUAL, LOWER)

    def of(self, position: Position) -> Comparison:
        mine = self.ranking.strength(position.at(PLAYER, *self.shared))
        theirs = self.ranking.strength(position.at(DEALER, *self.shared))
        return HIGHER if mine > theirs else EQUAL if mine == theirs else LOWER


@dataclass(frozen=True)
class _AtLeast:
    ranking: Ranking
    least: str

    values = (True, False)

    def __post_init__(self) -> None:
        self.ranking.require(self.least)


@dataclass(frozen=True)
class Has(_AtLeast):
    """Do the cards at these places make this hand or a better one?

    >>> from croupier.book.poker import hands
    >>> from croupier.cards import cards
    >>> pair = Has(Ranking("649a", "Hand", 5, hands(5), cite="6(a)"), "Pair")
    >>> pair.name, pair.of(Position({PLAYER: cards("Ks 9d 9c 4h 2s")}))
    ('pair or better', True)
    """

    places: tuple[Place, ...] = (PLAYER,)

    @property
    def name(self) -> str:
        return or_better(self.least.lower())

    def of(self, position: Position) -> bool:
        return self.ranking.is_at_least(position.at(*self.places), self.least)


@dataclass(frozen=True)
class DealerHas(_AtLeast):
    """Is the dealer's hand this or better?"""

    shared: tuple[Place, ...] = ()

    @property
    def name(self) -> str:
        return f"dealer has {or_better(self.least.lower())}"

    def of(self, position: Position) -> bool:
        return self.ranking.is_at_least(position.at(DEALER, *self.shared), self.least)


@dataclass(frozen=True)
class Folded:
    """Did the player fold, or time out?

    A hand that timed out loses only the wager the decision is about. For any other wager that a fold forfeits, only a fold
    `by_choice` counts.
    """

    by_choice: bool = False

    name = "player folded"
    values = (True, False)

    def of(self, position: Position) -> bool:
        return position.folded and not (self.by_choice and TIMED_OUT in position.decided)


FOLDED, FOLDED_BY_CHOICE = Folded(), Folded(by_choice=True)


@dataclass(frozen=True)
class Named:
    """A fact with its own name and its own function. `read_by` lists the readings that the function depends on."""

    name: str
    values: tuple[Hashable, ...]
    sees: Callable[[Position], Any]
    read_by: tuple[Reading, ...] = ()

    def of(self, position: Position) -> Any:
        return self.sees(position)


@dataclass(frozen=True)
class Drawn(Named):
    """Did the system draw the hand that was wagered on?

    `key` is what a submission calls the draw. It is of a card, or of a position if it has `wagered_only`: the alternative under
    which only positions with a wager, and the dealer's, are in the draw.
    """

    key: str = ""
    wagered_only: Alternative | None = None

    @property
    def called(self) -> str:
        """What is drawn, in the words of its reading."""
        return self.read_by[0].name

    @property
    def of_position(self) -> bool:
        return self.wagered_only is not None

    def positions(self, seats: int, wagered: Iterable[int], readings: Mapping[str, str]) -> tuple[int | str, ...]:
        """The positions in the draw: all on the layout, empty or not, and the dealer's."""
        return (*(sorted(wagered) if in_force(self.wagered_only, readings) else range(1, seats + 1)), "dealer")


@dataclass(frozen=True)
class Depending:
    """A fact that is determined in different ways, depending on a reading."""

    reading: Reading
    ways: Mapping[str, Holds] = field(hash=False)

    @property
    def name(self) -> str:
        return f"{self.reading.name}, as read"

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for way in self.ways.values() for value in way.values))

    def of(self, position: Position) -> str:
        return self.ways[self.reading.of(position)].of(position)

    def describe_nothing(self, position: Position) -> str:
        return self.ways[self.reading.of(position)].describe_nothing(position)


class _WatchedCards(dict[Place, Cards]):
    """The cards of a position, recording which places were looked at."""

    def __init__(self, cards: Mapping[Place, Cards]) -> None:
        super().__init__(cards)
        self.seen: set[Place] = set()

    def get(self, place: Place, default: Any = ()) -> Any:
        self.seen.add(place)
        return super().get(place, default)


def looks_at(fact: Fact, position: Position) -> frozenset[Place]:
    """The places whose cards a fact looks at.

    >>> position = Position({FOURTH: ()})
    >>> looks_at(Named("any fourth card", (True, False), lambda seen: bool(seen.at(FOURTH))), position) == {FOURTH}
    True
    """
    watched = _WatchedCards(position.cards)
    fact.of(replace(position, cards=watched))
    return frozenset(watched.seen)


def readings_of(fact: Fact | Reading) -> tuple[Reading, ...]:
    """The readings that the answer depends on."""
    match fact:
        case Reading():
            return (fact,)
        case Depending():
            return (fact.reading,)
        case Named():
            return fact.read_by
    return ()
