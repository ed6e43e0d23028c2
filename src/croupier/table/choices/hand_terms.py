"""Whether wagers are dealt in, what a hand still costs and what a fold gives up: shown to players before they decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from croupier.filing.pricing import SeenHand, price_line, resolve
from croupier.law.cite import Refusal
from croupier.law.fact import Place, Position
from croupier.law.settlement import Line, Outcome
from croupier.law.wager import Choice, least_to_play
from croupier.money import Cents, show_money
from croupier.table.meters import MeterState
from croupier.table.rules.irregularities import decisions_left
from croupier.table.rules.round_play import lost_by_answers
from croupier.table.rules.stakes import verify_stakes
from croupier.table.settlement import places_unseen, possible_lines
from croupier.table.state import CARDS, Held, Phase, Round, State


def not_dealt_reason(table: State, seat: int) -> Refusal | None:
    """Why a player's wagers, as they lie before the deal, would be returned; None if they are dealt in."""
    own = [box for box, home in table.boxes.items() if home == seat] if table.phase is Phase.BETTING else []
    for box in own:
        try:
            verify_stakes(table.offer, box, table.stakes[box], table.posted)
        except Refusal as refusal:
            return refusal
    return None


def chips_needed(table: State, seat: int) -> Cents:
    """The chips a player needs to play every hand they have bet on without having to fold one."""
    boxes = [box for box, home in table.boxes.items() if home == seat]
    current = table.round
    if current is None:
        return sum(least_to_play(table.rules.decisions, table.stakes[box]) for box in boxes)
    left = [] if current.void else [box for box in boxes if box not in current.settled]
    return sum(least_to_play(decisions_left(table, current, box), current.stakes.get(box, {})) for box in left)


# what a fold gives up


def lost_by(table: State, current: Round, box: int, choice: Choice) -> dict[str, Cents]:
    """The wagers of a box, by key, that are lost if the player folds now."""
    lost = lost_by_answers(table.submission, (*current.decided.get(box, ()), choice.word))
    return {key: stake for key, stake in current.stakes[box].items() if key in lost}


def given_up(
    table: State, current: Round, box: int, lost: Mapping[str, Cents], meters: Mapping[str, MeterState]
) -> dict[str, Cents]:
    """What the hand is paid no matter which cards the player cannot see, by wager or bonus: what a fold gives up.

    Computed from the cards that the player sees, with arbitrary other cards in place of those that are face down.
    """
    if not all(held.card for held in current.hands[box]):  # sealed
        return {}
    seen, hidden = _as_seen(table, current, box)
    paid = Counter[str]()
    for settlement in table.rules.settlements:
        if settlement.wager.key in lost:
            cases = possible_lines(settlement, seen, places_unseen(settlement, seen, hidden))
            paid.update(_sure(table, cases, lost, meters))
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


def _as_seen(table: State, current: Round, box: int) -> tuple[SeenHand, frozenset[Place]]:
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
    plays = next(choice.word for choice in decisions_left(table, current, box)[-1].choices if not choice.folds)
    answers = (*current.decided.get(box, ()), plays)
    return SeenHand(Position(places, seat=box, decided=answers, readings=table.offer.readings)), frozenset(Place) - whole


def _wins(table: State, lines: Iterable[Line], lost: Mapping[str, Cents], meters: Mapping[str, MeterState]) -> dict[str, Cents]:
    won = Counter[str]()
    for line in (line for line in lines if line.wager.key in lost):
        found = resolve(table.offer, line)
        if found and found[0] is Outcome.WIN and not line.divided:
            meter = meters.get(line.wager.name)
            paid = price_line(table.offer, line, lost[line.wager.key], meter.amount if meter else 0, "")
            if paid and paid.pays:
                won[paid.wager] += paid.pays
    return won


def amounts_in_words(amounts: Mapping[str, Cents]) -> str:
    """“Ante $10 and Pair Plus $5”."""
    parts = [f"{name.replace(' Wager', '')} {show_money(cents)}" for name, cents in amounts.items()]
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
