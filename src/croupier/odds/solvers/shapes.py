"""The shapes of games and wagers that can be counted. Any other is refused with a message that names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any, TypeVar

from croupier.cards import JOKER, Card, Cards
from croupier.law.chapter import Rules
from croupier.law.fact import (
    COMMUNITY,
    DEALER,
    FOURTH,
    PLAYER,
    Depending,
    Fact,
    Holds,
    Named,
    Place,
    Position,
)
from croupier.law.procedure import Act, Dealing, Face, Setting, Stage, deliveries
from croupier.law.reading import Reading
from croupier.law.settlement import Settlement
from croupier.law.wager import Decision, Wager
from croupier.money import Kind, dollars
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.not_counted import NotCounted

T = TypeVar("T")


def cards_at(rules: Rules, settlement: Settlement) -> dict[Place, int]:
    """How many cards lie at each place when this wager is made; from the dealing script and the round."""
    found = _dealt(rules, settlement)
    for stage in rules.of(Stage):
        if stage.act is Act.DEAL and stage.place:
            found[stage.place] += stage.cards
    return dict(found)


def _dealt(rules: Rules, settlement: Settlement) -> Counter[Place]:
    """How many cards the dealing script deals to each place."""
    dealing = rules.of(Dealing)[0]
    dealt = deliveries(dealing.script, {1: frozenset({dealing.entitled[0].key, settlement.of.key})})
    return Counter(each.to for each in dealt if isinstance(each.to, Place))


# main games


@dataclass(frozen=True)
class Street:
    """A decision, and how many cards of each place the player has seen when it is asked."""

    decision: Decision
    seen: Mapping[Place, int]


@dataclass(frozen=True)
class Shape:
    """What a solver needs to know of a main game, computed from what the chapter declares."""

    cards: Mapping[Place, int]  # how many lie where at the end, in the order of the deal
    streets: tuple[Street, ...]
    shown: tuple[str, ...]  # cards other than the community's that are turned up before the last decision or the setting
    face_up: Mapping[Place, int]  # of the cards, those that are dealt so that everybody sees them
    facts: tuple[Fact, ...]  # asked by the settlement, readings aside
    sets: Setting | None  # how hands are set, if they are
    jokers: int

    def only(self, kind: type[T]) -> list[T]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def asks_only(self, *kinds: type) -> bool:
        return all(type(fact) in kinds for fact in self.facts)

    def asks(self, *kinds: type) -> bool:
        """Whether the settlement asks exactly these facts, with the same number of each."""
        return Counter(map(type, self.facts)) == Counter(kinds)

    def dealt(self, **cards: int) -> bool:
        return self.cards == {Place[place]: count for place, count in cards.items()}

    @property
    def words(self) -> str:
        """The shape in words, for the refusal."""
        cards = " and ".join(f"{count} {place.value}{self._seen(place)}" for place, count in self.cards.items())
        decisions = " and ".join(f"“{street.decision.name}”" for street in self.streets)
        first = "".join(f"; {shown} before the last decision" for shown in self.shown)
        facts = ", ".join(f"“{fact.name}”" for fact in self.facts)
        asks = f"the settlement asks {facts}" if facts else "the settlement asks nothing"
        return f"{cards or 'no cards'}; {f'decided: {decisions}' if decisions else 'nothing to decide'}{first}; {asks}"

    def _seen(self, place: Place) -> str:
        return f", {self.face_up[place]} of them face up," if self.face_up.get(place) else ""


_SHOWN = {Act.TURN: "a card is turned up", Act.DEAL: "a card is dealt", Act.REVEAL: "the dealer's cards are turned up"}


def shape_of(rules: Rules) -> Shape:
    """The shape of a main game, whether or not a solver knows it."""
    main = main_settlement(rules)
    cards, face_up = cards_at(rules, main), _face_up(rules)
    seen = {PLAYER: _dealt(rules, main).get(PLAYER, 0), DEALER: face_up.get(DEALER, 0), COMMUNITY: face_up.get(COMMUNITY, 0)}
    streets, shown, before = list[Street](), list[str](), list[str]()
    for stage in rules.of(Stage):
        place = stage.place or DEALER
        if stage.act in (Act.ASK, Act.SET):
            shown = list(before)
        if stage.act is Act.ASK and stage.decision:
            streets.append(Street(stage.decision, dict(seen)))
        elif stage.act is Act.REVEAL:
            seen[DEALER] = cards.get(DEALER, 0)
        elif stage.act in _SHOWN:
            seen[place] = seen.get(place, 0) + stage.cards
        if stage.act in _SHOWN and place is not COMMUNITY:
            before.append(_SHOWN[stage.act])
    settings = rules.of(Setting)
    return Shape(
        cards, tuple(streets), tuple(shown), face_up, tuple(facts_of(main)), settings[0] if settings else None, rules.decks.jokers
    )


def _face_up(rules: Rules) -> dict[Place, int]:
    """The cards that are dealt face up, when every wager is made."""
    dealt = deliveries(rules.of(Dealing)[0].script, {1: frozenset(rules.wagers)})
    return dict(Counter(each.to for each in dealt if each.face is Face.UP and isinstance(each.to, Place)))


def verify_stakes(rules: Rules, main: Settlement) -> None:
    """Best play is of all wagers that a decision bears on, each of one unit, and paid in odds alone."""
    decided = {choice.makes[0] for decision in rules.decisions for choice in decision.choices if choice.makes}
    for other in rules.settlements:
        if other is not main and decided & {*other.settles}:
            shape = f"“{other.of.name}” is settled apart from “{main.of.name}”, so that best play is of both"
            raise NotCounted(main, shape, "one settlement of all wagers that a decision bears on")
    for wager in main.settles:
        if wager is not main.of and not wager.made_by_decision and not _equals(wager, main.of):
            shape = f"“{wager.name}” need not equal “{main.of.name}”, so that best play depends on the stakes"
            raise NotCounted(main, shape, "wagers of equal amounts")
    lines = [line for _, lines in main.every_case() for line in lines]
    odds = [odds for line in lines if line.table for column in line.table.columns.values() for odds in column.values()]
    if any(each.kind in (Kind.DOLLARS, Kind.METER) for each in (*odds, *(line.odds for line in lines if line.odds))):
        shape = f"the {main.of.name} is paid fixed sums or from a meter, so that best play depends on the stake"
        raise NotCounted(main, shape, "odds alone")


def _equals(wager: Wager, other: Wager) -> bool:
    least, more = dollars(10), dollars(20)
    allows = wager.amounts.allows if wager.amounts else lambda stake, stakes: True
    return allows(least, {other.key: least}) and not allows(more, {other.key: least})


def facts_of(settlement: Settlement) -> list[Any]:
    return [fact for fact in settlement.asks if not isinstance(fact, Reading)]


# side wagers


MOST_CARDS = 7


class SideShape(Enum):
    """A kind of side wager that can be counted, in words."""

    ROW = "the row that some cards fill"
    ROW_OR_FOLD = "the row that the player's cards fill, alone or with the community's, and whether he folds"
    ROW_AND_DRAWS = "the row of five cards, and what the system draws"
    ROW_AND_FOURTH_CARD = "the row of the player's cards, and a fact about his fourth card alone"
    COLORS = "a fact about how many cards of the player and of the dealer are red"


def side_shape_of(rules: Rules, settlement: Settlement) -> SideShape:
    """The shape of a side wager by the facts that it asks. Raises `NotCounted` if it cannot be counted."""
    facts = facts_of(settlement)
    kinds = Counter("row" if isinstance(fact, Holds | Depending) else type(fact).__name__ for fact in facts)
    draws = kinds.pop("Drawn", 0)
    found = {
        (("row", 1),): SideShape.ROW_AND_DRAWS if draws else SideShape.ROW,
        (("Folded", 1), ("row", 1)): SideShape.ROW_OR_FOLD,
        (("Named", 1), ("row", 1)): SideShape.ROW_AND_FOURTH_CARD,
        (("Named", 1),): SideShape.COLORS,
    }.get(tuple(sorted(kinds.items())))
    if found is None or (draws and found is not SideShape.ROW_AND_DRAWS):
        asks = " and ".join(f"“{fact.name}”" for fact in facts)
        raise NotCounted(
            settlement, f"no counter knows a wager that asks {asks} together", "; ".join(each.value for each in SideShape)
        )
    if named := [fact for fact in facts if type(fact) is Named and fact.read_by]:
        raise NotCounted(settlement, f"“{named[0].name}” is seen by a reading", "a fact that no reading changes")
    if rules.decks.jokers and found is not SideShape.ROW:
        raise NotCounted(settlement, f"no counter knows this wager with a joker: {found.value}", SideShape.ROW.value)
    if together := [each for each in _settled(settlement) if each is not settlement.of]:
        names = " and ".join(f"“{wager.name}”" for wager in (settlement.of, *together))
        raise NotCounted(settlement, f"{names} are settled together; no counter knows such wagers", "one wager by itself")
    for fact in facts:
        for way in fact.ways.values() if isinstance(fact, Depending) else [fact] if isinstance(fact, Holds) else []:
            _verify_row(rules, settlement, way)
    return found


def _settled(settlement: Settlement) -> list[Wager]:
    """The wagers that a settlement settles or pays a bonus on."""
    paid = (line.wager for _, lines in settlement.every_case() for line in lines)
    return list(dict.fromkeys((*settlement.settles, *paid)))


def cards_seen(way: Holds, at: Mapping[Place, int]) -> int:
    """How many cards a row is made of."""
    return sum(way.first if way.first and place is COMMUNITY else at.get(place, 0) for place in way.places)


def _verify_row(rules: Rules, settlement: Settlement, way: Holds) -> None:
    """The tables of rows go to seven cards (`tables.WEIGHTS`), and with a joker to those of a hand."""
    number, size, jokers = cards_seen(way, cards_at(rules, settlement)), way.ranking.size, rules.decks.jokers
    shape = (
        f"a row of {number} cards" if number > MOST_CARDS
        else f"a row of {number} cards in a hand of {size}" if number < size
        else f"the best {size} of {number} cards with a joker" if jokers and number != size
        else ""
    )  # fmt: skip
    if shape:
        raise NotCounted(settlement, f"no counter knows {shape} (“{way.name}”)", f"as many cards as a hand has, up to {MOST_CARDS}")


class _Looked(Exception):
    """Raised when a fact looks at something that it was not shown."""


class _Shown(dict[Place, Any]):
    """The cards of these places, and no others."""

    def get(self, place: Place, default: Any = None) -> Any:
        return self[place]

    def __missing__(self, place: Place) -> Any:
        raise _Looked(f"the {place.value}")


class _Coloured:
    """A card that shows only its color."""

    __slots__ = ("is_red",)

    def __init__(self, is_red: bool) -> None:
        self.is_red = is_red

    def __getattr__(self, name: str) -> Any:
        raise _Looked(f"a card's {name}")

    def _which(self, *_: object) -> Any:
        raise _Looked("which card it is")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __iter__ = __len__ = __hash__ = __str__ = __repr__ = _which


class _Suitless:
    """A card that hides its suit and color, but still equals itself, and the joker the joker."""

    def __init__(self, card: Card) -> None:
        self._card, self.rank = card, card.rank

    def __getattr__(self, name: str) -> Any:
        raise _Looked(f"a card's {name}")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Suitless):
            return self._card == other._card
        if other == JOKER:
            return self._card == JOKER
        raise _Looked("which card it is")

    def __hash__(self) -> int:
        return hash((_Suitless, self._card))

    def _which(self, *_: object) -> Any:
        raise _Looked("which card it is")

    __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __iter__ = __len__ = __str__ = __repr__ = _which


HIDDEN = {
    "seat": "the seat",
    "decided": "what the player decided",
    "folded": "whether the player folded",
    "set_aside": "how the player set the cards",
    "magic_card": "what the system drew",
    "lucky": "what the system drew",
    "readings": "a reading",
}


class _Watched(Position):
    """A position that shows its cards alone."""

    shows: tuple[str, ...] = ()

    def __getattribute__(self, name: str) -> Any:
        if name in HIDDEN and name not in type(self).shows:
            raise _Looked(HIDDEN[name])
        return super().__getattribute__(name)


class _Set(_Watched):
    """A position that shows how the cards are set too."""

    shows = ("set_aside", "readings")


def _ask(settlement: Settlement, fact: Named, position: Position, allowed: str) -> Any:
    try:
        return fact.of(position)
    except _Looked as looked:
        raise NotCounted(settlement, f"“{fact.name}” looks at {looked}; no counter knows such a wager", allowed) from None
    except (TypeError, ValueError, IndexError, AttributeError):
        raise NotCounted(settlement, f"“{fact.name}” looks at more than {allowed}", allowed) from None


def by_color(settlement: Settlement, fact: Named, player: int, dealer: int) -> dict[tuple[int, int], Any]:
    """The value of a fact for so many red cards with the player and the dealer: proved, for every order of the colors."""
    allowed, found = "the colors of the player's and the dealer's cards", dict[tuple[int, int], Any]()
    for colors in product((True, False), repeat=player + dealer):
        mine, theirs = (tuple(map(_Coloured, each)) for each in (colors[:player], colors[player:]))
        value = _ask(settlement, fact, _Watched(_Shown({PLAYER: mine, DEALER: theirs})), allowed)
        reds = sum(colors[:player]), sum(colors[player:])
        if found.setdefault(reds, value) != value:
            raise NotCounted(settlement, f"“{fact.name}” looks at the order of the cards; no counter knows such a wager", allowed)
    return dict(sorted(found.items()))


def by_fourth_card(settlement: Settlement, fact: Named, cards: Mapping[int, Any]) -> dict[int, Any]:
    """The value of a fact for each fourth card, when it sees nothing else."""
    positions = {number: _Watched(_Shown({FOURTH: (each,)})) for number, each in cards.items()}
    return {number: _ask(settlement, fact, position, "the player's fourth card") for number, position in positions.items()}


def by_values(settlement: Settlement, fact: Named, place: Place, cards: Cards, three: Cards, readings: Mapping[str, str]) -> Any:
    """The value of a fact about a hand and how it is set, when it sees no suit and no other cards."""
    seen: dict[Card, Any] = {card: _Suitless(card) for card in cards}
    position = _Set(_Shown({place: tuple(seen.values())}), set_aside=tuple(seen[card] for card in three), readings=readings)
    return _ask(settlement, fact, position, "the values of one's own cards")
