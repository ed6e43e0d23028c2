"""The shapes of games and wagers that the counters know. Any other is refused with a sentence that names it, never guessed at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any

from croupier.cards import JOKER, Card, Cards
from croupier.law.chapter import Rules
from croupier.law.fact import (
    COMMUNITY,
    DEALER,
    FOURTH,
    PLAYER,
    Compared,
    DealerHas,
    Depending,
    Folded,
    Holds,
    Named,
    Place,
    Position,
    Said,
)
from croupier.law.procedure import Act, Dealing, Face, Setting, Stage, deliveries
from croupier.law.reading import Reading
from croupier.law.settling import Settlement
from croupier.law.wager import Choice, Wager
from croupier.money import Kind, dollars
from croupier.odds.refusing import NotCounted
from croupier.odds.solved import main_settlement


def cards_at(rules: Rules, settlement: Settlement) -> dict[Place, int]:
    """How many cards lie at each place when this wager is made; from the dealing script and the round."""
    dealing = rules.of(Dealing)[0]
    dealt = deliveries(dealing.script, {1: frozenset({dealing.entitled[0].key, settlement.of.key})})
    found = Counter(each.to for each in dealt if isinstance(each.to, Place))
    for stage in rules.of(Stage):
        if stage.act is Act.DEAL and stage.place:
            found[stage.place] += stage.cards
    return dict(found)


# main games


Test = Callable[[Choice], bool]


class Game(Enum):
    """A kind of main game that can be solved, in words."""

    SETTING = "five cards set into two hands, against a dealer's five, with nothing to decide"
    WITHDRAWING = "three cards and two of the community, and a bet to withdraw before and after the first of these"
    ONE_DECISION = (
        "one decision, to play or to fold, with three cards against three, or five against six of which one may lie face up"
    )
    HOLD_EM = "two cards against two and five of the community, to play before the Flop, after it, or at the end or fold"


@dataclass(frozen=True)
class _Main:
    """What tells the main games apart."""

    rules: Rules
    settlement: Settlement
    facts: list[Any]  # asked by it, readings aside
    cards: Mapping[Place, int]
    face_up: Mapping[Place, int]  # of these, dealt so that everybody sees them

    def asked(self, *kinds: type) -> bool:
        """Are there just these facts, and as many of each?"""
        return Counter(map(type, self.facts)) == Counter(kinds)

    def only(self, kind: type) -> list[Any]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def dealt(self, **cards: int) -> bool:
        return self.cards == {Place[place]: count for place, count in cards.items()}

    def choices(self, *decisions: tuple[Test, ...]) -> bool:
        """Has each decision these choices, in this order?"""
        made = [decision.choices for decision in self.rules.decisions]
        if [len(each) for each in made] != [len(each) for each in decisions]:
            return False
        pairs = (pair for each in zip(decisions, made, strict=True) for pair in zip(*each, strict=True))
        return all(test(choice) for test, choice in pairs)

    def told(self) -> list[tuple[Act, int]]:
        """Decisions, and what is turned up before the last of them or after."""
        stages = [stage for stage in self.rules.of(Stage) if stage.act in SHOWS or stage.act is Act.ASK]
        return [(stage.act, stage.cards) for stage in stages if stage.act is not Act.REVEAL or stage in self.shows_dealer]

    @property
    def shows_dealer(self) -> list[Stage]:
        """The stages that show cards of the dealer's, or of a place that no solver knows, before a decision or a setting."""
        stages = list(self.rules.of(Stage))
        asks = [n for n, stage in enumerate(stages) if stage.act in (Act.ASK, Act.SET)]
        before = stages[: asks[-1]] if asks else []
        return [stage for stage in before if stage.act in SHOWS and stage.place is not COMMUNITY]

    def words(self) -> str:
        """The shape, for a person who is refused it."""
        cards = " and ".join(f"{count} {place.value}{self._seen(place)}" for place, count in self.cards.items())
        decisions = " and ".join(f"“{each.name}”" for each in self.rules.decisions)
        first = "".join(f"; {_SEEN[stage.act]} before the last decision" for stage in self.shows_dealer)
        facts = ", ".join(f"“{fact.name}”" for fact in self.facts)
        asks = f"the settlement asks {facts}" if facts else "the settlement asks nothing"
        return f"{cards or 'no cards'}; {f'decided: {decisions}' if decisions else 'nothing to decide'}{first}; {asks}"

    def _seen(self, place: Place) -> str:
        return f", {self.face_up[place]} of them face up," if self.face_up.get(place) else ""


SHOWS = (Act.TURN, Act.DEAL, Act.REVEAL)
_SEEN = {Act.TURN: "a card is turned up", Act.DEAL: "a card is dealt", Act.REVEAL: "the dealer's cards are turned up"}


def _makes(choice: Choice) -> bool:
    return choice.makes is not None and not choice.goes_on and not choice.folds


def _folds(choice: Choice) -> bool:
    return choice.folds


def _goes_on(choice: Choice) -> bool:
    return choice.goes_on and not (choice.makes or choice.withdraws or choice.folds)


def _withdraws(choice: Choice) -> bool:
    return choice.goes_on and choice.withdraws is not None and not (choice.makes or choice.folds)


def _is_setting(main: _Main) -> bool:
    return (
        main.asked(Named, Named)
        and main.choices()
        and len(main.rules.of(Setting)) == 1
        and main.dealt(PLAYER=5, DEALER=5)
        and not main.face_up
        and not main.shows_dealer
    )


def _is_withdrawing(main: _Main) -> bool:
    rides = (_goes_on, _withdraws)
    return (
        main.asked(Said, Said, Holds)
        and [fact.name for fact in main.only(Said)] == [each.name for each in main.rules.decisions]
        and [fact.number for fact in main.only(Said)] == [0, 1]
        and len(main.settlement.settles) == 3
        and not main.face_up
        and main.only(Holds)[0] == Holds(main.only(Holds)[0].ranking, (PLAYER, COMMUNITY))
        and main.choices(rides, rides)
        and main.dealt(PLAYER=3, COMMUNITY=2)
        and main.told() == [(Act.ASK, 0), (Act.TURN, 1), (Act.ASK, 0), (Act.TURN, 1)]
    )


def _is_one_decision(main: _Main) -> bool:
    reaches, compared = main.only(DealerHas), main.only(Compared)
    three = main.dealt(PLAYER=3, DEALER=3) and not main.face_up
    return (
        main.asked(Folded, Compared, *(type(each) for each in reaches), *(Holds for _ in main.only(Holds)))
        and len(reaches) <= (1 if three else 0)
        and all(each.ranking == compared[0].ranking for each in reaches)
        and not any(each.shared for each in (*reaches, *compared))
        and {each.places for each in main.only(Holds)} == {(PLAYER,)}
        and len(main.rules.decisions) == 1
        and main.choices((*[_makes] * (len(main.rules.decisions[0].choices) - 1), _folds))
        and (three or (main.dealt(PLAYER=5, DEALER=6) and main.face_up in ({}, {DEALER: 1})))
        and main.told() == [(Act.ASK, 0)]
    )


def _face_up(rules: Rules) -> dict[Place, int]:
    """The cards that are dealt face up, when every wager is made."""
    dealt = deliveries(rules.of(Dealing)[0].script, {1: frozenset(rules.wagers)})
    return dict(Counter(each.to for each in dealt if each.face is Face.UP and isinstance(each.to, Place)))


def _is_hold_em(main: _Main) -> bool:
    return (
        main.asked(Folded, DealerHas, Compared, Holds)
        and all(each.shared == (COMMUNITY,) for each in (*main.only(DealerHas), *main.only(Compared)))
        and main.only(DealerHas)[0].ranking == main.only(Compared)[0].ranking
        and main.only(Holds)[0] == Holds(main.only(Holds)[0].ranking, (PLAYER, COMMUNITY))
        and main.choices((_makes, _makes, _goes_on), (_makes, _goes_on), (_makes, _folds))
        and main.dealt(PLAYER=2, DEALER=2, COMMUNITY=5)
        and not main.face_up
        and main.told() == [(Act.ASK, 0), (Act.DEAL, 3), (Act.ASK, 0), (Act.DEAL, 2), (Act.ASK, 0)]
    )


GAMES: Mapping[Game, Callable[[_Main], bool]] = {
    Game.SETTING: _is_setting,
    Game.WITHDRAWING: _is_withdrawing,
    Game.ONE_DECISION: _is_one_decision,
    Game.HOLD_EM: _is_hold_em,
}


def game_of(rules: Rules) -> Game:
    """The kind of a main game, or the refusal of one that no solver knows."""
    main = main_settlement(rules)
    found = _Main(rules, main, facts_of(main), cards_at(rules, main), _face_up(rules))
    for game, fits in GAMES.items():
        if fits(found) and (game is Game.SETTING or not rules.decks.jokers):
            _verify_stakes(rules, main)
            return game
    raise NotCounted(main, f"no solver knows this main game: {found.words()}", "; ".join(each.value for each in Game))


def _verify_stakes(rules: Rules, main: Settlement) -> None:
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


class Side(Enum):
    """A kind of side wager that can be counted, in words."""

    ROW = "the row that some cards fill"
    ROW_OR_FOLD = "the row that the player's cards fill, alone or with the community's, and whether he folds"
    ROW_AND_DRAWS = "the row of five cards, and what the system draws"
    ROW_AND_FOURTH_CARD = "the row of the player's cards, and a fact about his fourth card alone"
    COLORS = "a fact about how many cards of the player and of the dealer are red"


def side_of(rules: Rules, settlement: Settlement) -> Side:
    """The kind of a side wager by the facts that it asks, or the refusal of one that no counter knows."""
    facts = facts_of(settlement)
    kinds = Counter("row" if isinstance(fact, Holds | Depending) else type(fact).__name__ for fact in facts)
    draws = kinds.pop("Drawn", 0)
    found = {
        (("row", 1),): Side.ROW_AND_DRAWS if draws else Side.ROW,
        (("Folded", 1), ("row", 1)): Side.ROW_OR_FOLD,
        (("Named", 1), ("row", 1)): Side.ROW_AND_FOURTH_CARD,
        (("Named", 1),): Side.COLORS,
    }.get(tuple(sorted(kinds.items())))
    if found is None or (draws and found is not Side.ROW_AND_DRAWS):
        asks = " and ".join(f"“{fact.name}”" for fact in facts)
        raise NotCounted(settlement, f"no counter knows a wager that asks {asks} together", "; ".join(each.value for each in Side))
    if named := [fact for fact in facts if type(fact) is Named and fact.read_by]:
        raise NotCounted(settlement, f"“{named[0].name}” is seen by a reading", "a fact that no reading changes")
    if rules.decks.jokers and found is not Side.ROW:
        raise NotCounted(settlement, f"no counter knows this wager with a joker: {found.value}", Side.ROW.value)
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
        else f"a row with {jokers} jokers" if jokers > 1
        else f"the best {size} of {number} cards with a joker" if jokers and number != size
        else ""
    )  # fmt: skip
    if shape:
        raise NotCounted(settlement, f"no counter knows {shape} (“{way.name}”)", f"as many cards as a hand has, up to {MOST_CARDS}")


class _Looked(Exception):
    """A fact has looked at more than it was shown."""


class _Shown(dict[Place, Any]):
    """The cards of these places, and no others."""

    def get(self, place: Place, default: Any = None) -> Any:
        return self[place]

    def __missing__(self, place: Place) -> Any:
        raise _Looked(f"the {place.value}")


class _Coloured:
    """A card of which nothing but the color is seen."""

    __slots__ = ("is_red",)

    def __init__(self, is_red: bool) -> None:
        self.is_red = is_red

    def __getattr__(self, name: str) -> Any:
        raise _Looked(f"a card's {name}")

    def _which(self, *_: object) -> Any:
        raise _Looked("which card it is")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __iter__ = __len__ = __hash__ = __str__ = __repr__ = _which


class _Suitless:
    """A card of which suit and color are not seen. It knows itself again, and the joker."""

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
