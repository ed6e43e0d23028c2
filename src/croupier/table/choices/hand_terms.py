"""What a hand still costs and what a fold gives up, by the chapter's rules: shown to players before they decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product

from croupier.filing.pricing import price, resolve
from croupier.law.fact import Fact, Place, Position, looks_at
from croupier.law.forfeits import forfeits
from croupier.law.reading import Reading
from croupier.law.settlement import Line, Outcome, Settlement
from croupier.law.wager import Choice, Decision, least_to_play
from croupier.money import Cents, show
from croupier.table.meters import MeterState
from croupier.table.rules.round_play import logged_choice
from croupier.table.state import CARDS, Held, Round, State, offer_of


def to_keep(table: State, seat: int) -> Cents:
    """The chips a player needs to play every hand they have bet on without having to fold one."""
    boxes = [box for box, home in table.boxes.items() if home == seat]
    current = table.round
    if current is None:
        return sum(least_to_play(table.rules.decisions, table.stakes[box]) for box in boxes)
    return sum(least_to_play(_to_come(table, current, box), current.stakes.get(box, {})) for box in boxes)


def _to_come(table: State, current: Round, box: int) -> tuple[Decision, ...]:
    """The decisions that a box may still be asked for."""
    said, decisions = current.decided.get(box, []), table.rules.decisions
    over = current.void or box in current.gone or box in current.settled
    if over or (said and not logged_choice(table, decisions[len(said) - 1], said[-1]).goes_on):
        return ()
    return decisions[len(said) :]


# what a fold gives up


def lost_by(table: State, current: Round, box: int, choice: Choice) -> dict[str, Cents]:
    """The wagers of a box, by key, that are lost if the player folds now."""
    lost = _forfeited(table.submission, tuple(current.decided.get(box, ())), choice.word)
    return {key: stake for key, stake in current.stakes[box].items() if key in lost}


@lru_cache(maxsize=1024)
def _forfeited(submission: str, said: tuple[str, ...], last: str) -> frozenset[str]:
    offer = offer_of(submission)
    words = zip(offer.rules.decisions, (*said, last), strict=False)
    taken = [decision.taken(word, offer.readings) for decision, word in words]
    return frozenset(forfeits(offer.rules, filter(None, taken), offer.readings).lost)


def given_up(
    table: State, current: Round, box: int, lost: Mapping[str, Cents], meters: Mapping[str, MeterState]
) -> dict[str, Cents]:
    """What the hand is paid no matter which cards the player cannot see, by wager or bonus: what a fold gives up.

    Computed from the cards that the player sees, with arbitrary other cards in place of those that are face down.
    """
    if not all(held.card for held in current.hands[box]):  # sealed
        return {}
    position, hidden = _as_seen(table, current, box)
    paid = dict[str, Cents]()
    for settlement in table.rules.settlements:
        if settlement.of.key in lost:
            for name, cents in _sure(table, _cases(settlement, position, hidden), lost, meters).items():
                paid[name] = paid.get(name, 0) + cents
    return paid


def _sure(
    table: State, cases: Iterable[tuple[Line, ...]], lost: Mapping[str, Cents], meters: Mapping[str, MeterState]
) -> dict[str, Cents]:
    """What every case pays at least, by wager or bonus."""
    sure: dict[str, Cents] | None = None
    for lines in cases:
        wins = _wins(table, lines, lost, meters)
        sure = wins if sure is None else {name: min(cents, wins[name]) for name, cents in sure.items() if name in wins}
        if not sure:
            break
    return sure or {}


def _as_seen(table: State, current: Round, box: int) -> tuple[Position, frozenset[Place]]:
    """The position of a player who goes on to play, and the places of which they do not see every card."""
    held = {
        Place.PLAYER: [Held(each.position, each.card, up=True) for each in current.hands[box]],
        Place.FOURTH: current.fourths.get(box, []),
        Place.DEALER: current.dealer,
        Place.COMMUNITY: current.community,
    }
    seen = {each.card for cards in held.values() for each in cards if each.up}
    others = (card for name, card in CARDS.items() if name not in seen)
    places = {place: tuple(CARDS[each.card] if each.up else next(others) for each in cards) for place, cards in held.items()}
    whole = {place for place, cards in held.items() if cards and all(each.up for each in cards)}
    plays = next(choice.word for choice in _to_come(table, current, box)[-1].choices if not choice.folds)
    said = (*current.decided.get(box, ()), plays)
    return Position(places, seat=box, decided=said, readings=table.offer.readings), frozenset(Place) - whole


def _cases(settlement: Settlement, position: Position, hidden: frozenset[Place]) -> Iterator[tuple[Line, ...]]:
    """The lines of a settlement for everything that the hidden cards may be."""

    def values(fact: Fact | Reading) -> tuple[object, ...]:
        unknown = not isinstance(fact, Reading) and looks_at(fact, position) & hidden
        return fact.values if unknown else (fact.of(position),)

    for case in product(*map(values, settlement.asks)):
        yield settlement.lines(*case)


def _wins(table: State, lines: Iterable[Line], lost: Mapping[str, Cents], meters: Mapping[str, MeterState]) -> dict[str, Cents]:
    won = dict[str, Cents]()
    for line in (line for line in lines if line.wager.key in lost):
        found = resolve(table.offer, line)
        if found and found[0] is Outcome.WIN and not line.divided:
            meter = meters.get(line.wager.name)
            paid = price(table.offer, line, lost[line.wager.key], meter.amount if meter else 0, "")
            if paid and paid.pays:
                won[paid.wager] = won.get(paid.wager, 0) + paid.pays
    return won


def in_words(amounts: Mapping[str, Cents]) -> str:
    """“Ante $10 and Pair Plus $5”."""
    parts = [f"{name.replace(' Wager', '')} {show(cents)}" for name, cents in amounts.items()]
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
