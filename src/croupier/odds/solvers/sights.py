"""What a fact with its own function sees of the cards, found by showing it as little as possible.

A fact is shown colors first, then ranks, then suits, and finally whole cards, only at the places that it looks at. It is asked
about every sequence of what it is shown, so facts that depend on the order of cards are counted too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, product
from math import factorial, perm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import JOKER, Card, Cards
from croupier.law.fact import Named, Place, Position
from croupier.law.settlement import Settlement
from croupier.odds.kernels.card_sets import FULL, Deck, card
from croupier.odds.solvers.main_game import NotCounted

MOST_ASKED = 1 << 20  # questions to one fact


class Looked(Exception):
    """Raised when a fact looks at something that it was not shown."""


class LookedElsewhere(Looked):
    """Raised when a fact looks at the cards of another place."""

    def __init__(self, place: Place) -> None:
        super().__init__(f"the {place.value}")
        self.place = place


class _Shown(dict[Place, Any]):
    """The cards of these places, and no others."""

    def get(self, place: Place, default: Any = None) -> Any:
        return self[place]

    def __missing__(self, place: Place) -> Any:
        raise LookedElsewhere(place)


class _Masked:
    """A card that shows only some attributes. A `marked` one still equals itself, and the joker equals the joker."""

    def __init__(self, shown: Mapping[str, Any], marked: Card | None = None) -> None:
        self.__dict__.update(shown)
        self._marked = marked

    def __getattr__(self, name: str) -> Any:
        raise Looked(f"a card's {name}")

    def __eq__(self, other: object) -> bool:
        if self._marked is not None and isinstance(other, _Masked):
            return self._marked == other._marked
        if self._marked is not None and other == JOKER:
            return self._marked == JOKER
        raise Looked("which card it is")

    def __hash__(self) -> int:
        if self._marked is None:
            raise Looked("which card it is")
        return hash((_Masked, self._marked))

    def _which(self, *_: object) -> Any:
        raise Looked("which card it is")

    __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __iter__ = __len__ = __str__ = __repr__ = _which


HIDDEN = {
    "seat": "the seat",
    "decided": "what the player decided",
    "folded": "whether the player folded",
    "set_aside": "how the player set the cards",
    "drawn_card": "what the system drew",
    "drawn_position": "what the system drew",
    "readings": "a reading",
}


class _CardsAlone(Position):
    """A position that shows its cards alone."""

    shows: tuple[str, ...] = ()

    def __getattribute__(self, name: str) -> Any:
        if name in HIDDEN and name not in type(self).shows:
            raise Looked(HIDDEN[name])
        return super().__getattribute__(name)


class _Read(_CardsAlone):
    """A position that shows how the text is read too."""

    shows = ("readings",)


class _Set(_CardsAlone):
    """A position that shows how the cards are set too."""

    shows = ("set_aside", "readings")


# what is shown of a card; finally all of it
VIEWS = {"color": ("is_red",), "rank": ("rank",), "suit": ("suit", "is_red"), "card": ()}


def _kind(view: str, card: Card) -> Any:
    """What a view shows of a card: cards of one kind look alike."""
    return tuple(getattr(card, name) for name in VIEWS[view]) or card


def _shown(view: str, card: Card) -> Any:
    return _Masked({name: getattr(card, name) for name in VIEWS[view]}) if VIEWS[view] else card


@dataclass(frozen=True)
class Sight:
    """What a fact sees: the places, the kinds of cards that it distinguishes, and its value for each sequence of kinds."""

    places: Mapping[Place, int]
    kind_of: Mapping[int, int]
    values: Mapping[tuple[int, ...], Any]

    def ways(self) -> dict[Any, int]:
        """How many deals give each value, ignoring the order of a place's cards if it makes no difference."""
        held, found = Counter(self.kind_of.values()), Counter[Any]()
        for kinds, value in self.values.items():
            found[value] += prod(perm(held[kind], count) for kind, count in Counter(kinds).items())
        alike = prod(map(factorial, self.places.values()))
        even = all(ways % alike == 0 for ways in found.values())
        return {value: ways // alike if even else ways for value, ways in found.items()}

    def in_any_order(self) -> dict[tuple[int, ...], Any] | None:
        """The values by kinds in ascending order; None if the order of the cards matters."""
        found: dict[tuple[int, ...], Any] = {}
        for kinds, value in self.values.items():
            if found.setdefault(tuple(sorted(kinds)), value) != value:
                return None
        return found

    def table(self, values: Sequence[Any]) -> tuple[list[int], NDArray[np.int16]]:
        """The kind of each card and last how many there are; and by the kinds of cards, as digits, the numbers of the values."""
        base, cards = max(self.kind_of.values()) + 1, sum(self.places.values())
        numbers = np.zeros(base**cards, dtype=np.int16)
        at = np.array(list(self.values), dtype=np.int64).reshape(-1, cards) @ base ** np.arange(cards)[::-1]
        numbers[at] = [values.index(value) for value in self.values.values()]
        return [*(self.kind_of.get(each, 0) for each in range(53)), base], numbers

    def is_suitless(self) -> bool:
        """Whether cards with two suits exchanged always have the same value."""
        for one, other in pairwise(range(4)):
            suits = {one: other, other: one}
            moved = {(kind, self.kind_of[(n & ~3) | suits.get(n & 3, n & 3)]) for n, kind in self.kind_of.items()}
            if len(moved) > len({*self.kind_of.values()}):  # a kind has cards of both suits
                return False
            to = dict(moved)
            if any(self.values[tuple(map(to.__getitem__, kinds))] != value for kinds, value in self.values.items()):
                return False
        return True


def sight(settlement: Settlement, fact: Named, at: Mapping[Place, int], readings: Mapping[str, str], deck: Deck = FULL) -> Sight:
    """What a fact sees of the cards at these places. Raises `NotCounted` if that is not cards alone, or too much."""
    return _sight(settlement, fact, tuple(at.items()), tuple(sorted(readings.items())), deck)


@lru_cache(maxsize=64)
def _sight(
    settlement: Settlement, fact: Named, lies: tuple[tuple[Place, int], ...], read: tuple[tuple[str, str], ...], deck: Deck
) -> Sight:
    at, readings = dict(lies), dict(read)
    places, views = list[Place](), list(VIEWS)
    while True:
        here = {place: at[place] for place in at if place in places}
        kinds = sorted({_kind(views[0], card(each)) for each in deck})
        if len(kinds) ** sum(here.values()) > MOST_ASKED:
            number = sum(here.values())
            shape = f"“{fact.name}” looks at {'suits and ranks' if views[0] == 'card' else f'the {views[0]}s'} of {number} cards"
            raise NotCounted(
                settlement, f"{shape}, which are too many to ask about", "a row of a ranking, or a fact about fewer cards"
            )
        try:
            return Sight(
                here,
                {each: kinds.index(_kind(views[0], card(each))) for each in deck},
                dict(_asked(settlement, fact, here, views[0], kinds, readings, deck)),
            )
        except LookedElsewhere as looked:
            if looked.place not in at:
                raise NotCounted(
                    settlement, f"“{fact.name}” looks at {looked}, where none are dealt", "cards that are dealt"
                ) from None
            places.append(looked.place)
        except Looked as looked:
            if len(views) == 1 or str(looked) in HIDDEN.values():
                shape = f"“{fact.name}” looks at {looked}; no counter supports such a wager"
                raise NotCounted(settlement, shape, "the cards on the table") from None
            views.pop(0)


def _asked(
    settlement: Settlement,
    fact: Named,
    places: Mapping[Place, int],
    view: str,
    kinds: list[Any],
    readings: Mapping[str, str],
    deck: Deck,
) -> Iterator[tuple[tuple[int, ...], Any]]:
    held = Counter(_kind(view, card(each)) for each in deck)
    shown = {_kind(view, card(each)): _shown(view, card(each)) for each in deck}
    for sequence in product(range(len(kinds)), repeat=sum(places.values())):
        if any(count > held[kinds[kind]] for kind, count in Counter(sequence).items()):
            continue
        seen, lies = [shown[kinds[kind]] for kind in sequence], dict[Place, Any]()
        for place, count in places.items():
            lies[place], seen = tuple(seen[:count]), seen[count:]
        yield sequence, _ask(settlement, fact, (_Read if fact.read_by else _CardsAlone)(_Shown(lies), readings=readings))


def _ask(settlement: Settlement, fact: Named, position: Position) -> Any:
    try:
        return fact.of(position)
    except Looked:
        raise
    except (TypeError, ValueError, IndexError, AttributeError):
        shape = f"“{fact.name}” looks at more than the cards on the table"
        raise NotCounted(settlement, shape, "the cards on the table") from None


@cache
def _suitless(card: Card) -> Any:
    return _Masked({"rank": card.rank}, marked=card)


def suitless(cards: Cards) -> Cards:
    """The same cards with their suits hidden."""
    return tuple(map(_suitless, cards))


def by_values(settlement: Settlement, fact: Named, place: Place, cards: Cards, three: Cards, readings: Mapping[str, str]) -> Any:
    """The value of a fact about a hand and how it is set, both `suitless`, when it sees no other cards."""
    try:
        return _ask(settlement, fact, _Set(_Shown({place: cards}), set_aside=three, readings=readings))
    except Looked as looked:
        shape = f"“{fact.name}” looks at {looked}; no counter supports such a wager"
        raise NotCounted(settlement, shape, "the values of one's own cards") from None
