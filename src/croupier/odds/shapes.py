"""The shapes of games and wagers that the counters know. Any other is refused with a sentence that names it, never guessed at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any

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
from croupier.law.wager import Choice
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
    ONE_DECISION = "one decision, to play or to fold, with three cards against three or five against six"
    HOLD_EM = "two cards against two and five of the community, to play before the Flop, after it, or at the end or fold"


@dataclass(frozen=True)
class _Main:
    """What tells the main games apart."""

    rules: Rules
    facts: list[Any]  # asked by its settlement, readings aside
    cards: Mapping[Place, int]

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
        """Decisions, and the cards that are seen between them."""
        stages = [stage for stage in self.rules.of(Stage) if stage.act in (Act.ASK, Act.TURN, Act.DEAL)]
        return [(stage.act, stage.cards) for stage in stages if stage.act is Act.ASK or stage.place is COMMUNITY]


def _makes(choice: Choice) -> bool:
    return choice.makes is not None and not choice.goes_on and not choice.folds


def _folds(choice: Choice) -> bool:
    return choice.folds


def _goes_on(choice: Choice) -> bool:
    return choice.goes_on and not (choice.makes or choice.withdraws or choice.folds)


def _withdraws(choice: Choice) -> bool:
    return choice.goes_on and choice.withdraws is not None and not (choice.makes or choice.folds)


def _is_setting(main: _Main) -> bool:
    return main.asked(Named, Named) and main.choices() and len(main.rules.of(Setting)) == 1 and main.dealt(PLAYER=5, DEALER=5)


def _is_withdrawing(main: _Main) -> bool:
    rides = (_goes_on, _withdraws)
    return (
        main.asked(Said, Said, Holds)
        and main.only(Holds)[0] == Holds(main.only(Holds)[0].ranking, (PLAYER, COMMUNITY))
        and main.choices(rides, rides)
        and main.dealt(PLAYER=3, COMMUNITY=2)
        and main.told() == [(Act.ASK, 0), (Act.TURN, 1), (Act.ASK, 0), (Act.TURN, 1)]
    )


def _is_one_decision(main: _Main) -> bool:
    reaches, compared = main.only(DealerHas), main.only(Compared)
    three = main.dealt(PLAYER=3, DEALER=3) and not _has_up_card(main.rules)
    return (
        main.asked(Folded, Compared, *(type(each) for each in reaches), *(Holds for _ in main.only(Holds)))
        and len(reaches) <= (1 if three else 0)
        and all(each.ranking == compared[0].ranking for each in reaches)
        and not any(each.shared for each in (*reaches, *compared))
        and {each.places for each in main.only(Holds)} == {(PLAYER,)}
        and len(main.rules.decisions) == 1
        and main.choices((*[_makes] * (len(main.rules.decisions[0].choices) - 1), _folds))
        and (three or main.dealt(PLAYER=5, DEALER=6))
    )


def _has_up_card(rules: Rules) -> bool:
    dealing = rules.of(Dealing)[0]
    dealt = deliveries(dealing.script, {1: frozenset({dealing.entitled[0].key})})
    return any(each.to is DEALER and each.face is Face.UP for each in dealt)


def _is_hold_em(main: _Main) -> bool:
    return (
        main.asked(Folded, DealerHas, Compared, Holds)
        and all(each.shared == (COMMUNITY,) for each in (*main.only(DealerHas), *main.only(Compared)))
        and main.only(DealerHas)[0].ranking == main.only(Compared)[0].ranking
        and main.only(Holds)[0] == Holds(main.only(Holds)[0].ranking, (PLAYER, COMMUNITY))
        and main.choices((_makes, _makes, _goes_on), (_makes, _goes_on), (_makes, _folds))
        and main.dealt(PLAYER=2, DEALER=2, COMMUNITY=5)
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
    found = _Main(rules, facts_of(main), cards_at(rules, main))
    for game, fits in GAMES.items():
        if fits(found) and (game is Game.SETTING or not rules.decks.jokers):
            return game
    decisions = " and ".join(f"“{each.name}”" for each in rules.decisions) or "nothing"
    cards = ", ".join(f"{count} {place.value}" for place, count in found.cards.items())
    facts = ", ".join(f"“{fact.name}”" for fact in found.facts)
    shape = f"no solver knows a main game with {cards}, in which {decisions} is decided and the settlement asks {facts}"
    raise NotCounted(main, shape, "; ".join(each.value for each in Game))


def facts_of(settlement: Settlement) -> list[Any]:
    return [fact for fact in settlement.asks if not isinstance(fact, Reading)]


# side wagers


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
    return found


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

    def __getattribute__(self, name: str) -> Any:
        if name in HIDDEN:
            raise _Looked(HIDDEN[name])
        return super().__getattribute__(name)


def _ask(settlement: Settlement, fact: Named, cards: Mapping[Place, Any], allowed: str) -> Any:
    try:
        return fact.of(_Watched(_Shown(cards)))
    except _Looked as looked:
        raise NotCounted(settlement, f"“{fact.name}” looks at {looked}; no counter knows such a wager", allowed) from None
    except (TypeError, ValueError, IndexError, AttributeError):
        raise NotCounted(settlement, f"“{fact.name}” looks at more than {allowed}", allowed) from None


def by_color(settlement: Settlement, fact: Named, player: int, dealer: int) -> dict[tuple[int, int], Any]:
    """The value of a fact for so many red cards with the player and the dealer: proved, for every order of the colors."""
    allowed, found = "the colors of the player's and the dealer's cards", dict[tuple[int, int], Any]()
    for colors in product((True, False), repeat=player + dealer):
        mine, theirs = (tuple(map(_Coloured, each)) for each in (colors[:player], colors[player:]))
        value = _ask(settlement, fact, {PLAYER: mine, DEALER: theirs}, allowed)
        reds = sum(colors[:player]), sum(colors[player:])
        if found.setdefault(reds, value) != value:
            raise NotCounted(settlement, f"“{fact.name}” looks at the order of the cards; no counter knows such a wager", allowed)
    return dict(sorted(found.items()))


def by_fourth_card(settlement: Settlement, fact: Named, cards: Mapping[int, Any]) -> dict[int, Any]:
    """The value of a fact for each fourth card, when it sees nothing else."""
    return {number: _ask(settlement, fact, {FOURTH: (each,)}, "the player's fourth card") for number, each in cards.items()}
