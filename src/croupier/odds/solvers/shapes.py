"""The shapes of games and wagers that can be counted. Any other is refused with a message that names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Depending, Fact, Holds, Place
from croupier.law.procedure import Act, Dealing, Setting, Stage, deliveries
from croupier.law.reading import Reading
from croupier.law.settlement import Settlement
from croupier.law.wager import Choice, Decision, Wager
from croupier.money import Kind, dollars
from croupier.odds.solvers.main_game import NotCounted, main_settlement

T = TypeVar("T")


def cards_at(rules: Rules, settlement: Settlement) -> dict[Place, int]:
    """How many cards each place has when this wager is made, from the dealing script and the round."""
    found = _dealt(rules, settlement)
    for stage in rules.of(Stage):
        if stage.act is Act.DEAL and stage.place:
            found[stage.place] += stage.cards
    return dict(found)


def _dealt(rules: Rules, settlement: Settlement) -> Counter[Place]:
    """How many cards the dealing script deals to each place."""
    dealing = rules.of(Dealing)[0]
    dealt = deliveries(dealing.script, {1: frozenset({dealing.entitled[0].key, settlement.wager.key})})
    return Counter(each.to for each in dealt if isinstance(each.to, Place))


# main games


@dataclass(frozen=True)
class Street:
    """A decision, and how many cards of each place the player has seen when it is asked."""

    decision: Decision
    seen: Mapping[Place, int]


@dataclass(frozen=True)
class GameShape:
    """What a solver needs to know about a main game, computed from the chapter's declarations."""

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


def game_shape(rules: Rules) -> GameShape:
    """The shape of a main game, whether or not a solver supports it."""
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
    return GameShape(
        cards, tuple(streets), tuple(shown), face_up, tuple(facts_of(main)), settings[0] if settings else None, rules.decks.jokers
    )


def _face_up(rules: Rules) -> dict[Place, int]:
    """The cards that are dealt face up, when every wager is made."""
    dealt = deliveries(rules.of(Dealing)[0].script, {1: frozenset(rules.wagers)})
    return dict(Counter(each.to for each in dealt if each.up and isinstance(each.to, Place)))


def verify_main_stakes(rules: Rules, main: Settlement) -> None:
    """Refuse unless every wager that a decision affects is one unit and is paid only at odds."""
    decided = {choice.makes[0] for decision in rules.decisions for choice in decision.choices if choice.makes}
    for other in rules.settlements:
        if other is not main and decided & {*other.settles}:
            shape = f"“{other.wager.name}” is settled apart from “{main.wager.name}”, so best play must weigh both"
            raise NotCounted(main, shape, "one settlement of all wagers that a decision affects")
    for wager in main.settles:
        if wager is not main.wager and not wager.made_by_decision and not _equals(wager, main.wager):
            shape = f"“{wager.name}” need not equal “{main.wager.name}”, so best play depends on the stakes"
            raise NotCounted(main, shape, "wagers of equal amounts")
    lines = [line for _, lines in main.every_case() for line in lines]
    odds = [odds for line in lines if line.table for column in line.table.columns.values() for odds in column.values()]
    if any(each.kind in (Kind.DOLLARS, Kind.METER) for each in (*odds, *(line.odds for line in lines if line.odds))):
        shape = f"the {main.wager.name} is paid fixed sums or from a meter, so best play depends on the stake"
        raise NotCounted(main, shape, "odds only")


def _equals(wager: Wager, other: Wager) -> bool:
    least, more = dollars(10), dollars(20)
    allows = wager.amounts.allows if wager.amounts else lambda stake, stakes: True
    return allows(least, {other.key: least}) and not allows(more, {other.key: least})


def facts_of(settlement: Settlement) -> list[Any]:
    return [fact for fact in settlement.asks if not isinstance(fact, Reading)]


def seen_as(fact: Any, readings: Mapping[str, str]) -> Any:
    """A fact, or the one that the reading in force puts in its place."""
    return fact.ways[readings.get(fact.reading.name, fact.reading.default)] if isinstance(fact, Depending) else fact


def cards_seen(way: Holds, at: Mapping[Place, int]) -> int:
    """How many cards a row is made of."""
    return sum(way.first if way.first and place is COMMUNITY else at.get(place, 0) for place in way.places)


def endings(shape: GameShape, before: tuple[Choice, ...] = ()) -> Iterator[tuple[Choice, ...]]:
    """Every way to answer until nothing more is asked."""
    if not shape.streets:
        yield ()
        return
    for choice in shape.streets[len(before)].decision.choices:
        if choice.goes_on and len(before) + 1 < len(shape.streets):
            yield from endings(shape, (*before, choice))
        else:
            yield (*before, choice)
