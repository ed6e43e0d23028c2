"""Cards as they are dealt or turned over: just the commitment, or opened with card and salt."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.law.fact import Place
from croupier.law.procedure import Act, Stage
from croupier.table.commitments import salt
from croupier.table.events import Shown
from croupier.table.state import Deck, Held, Phase, Round, State


def show_next(deck: Deck, ahead: int, at: str, seat: int, *, up: bool, slot: int = 0) -> Shown:
    """The card this many past the next one in the deck, with its commitment and, if face up, the card itself."""
    position = deck.position(ahead)
    shown = opened(deck, position) if up else ("", "")
    return Shown(at, position, deck.leaves[position], seat, *shown, slot)


def opened(deck: Deck, position: int) -> tuple[str, str]:
    """The card and salt that open the commitment."""
    return deck.order[position], salt(bytes.fromhex(deck.secret), position).hex()


def turned(deck: Deck, held: Iterable[Held], place: Place, seat: int = 0) -> list[Shown]:
    """The face-down cards of a place, turned over."""
    lying = [each.position for each in held if not each.up]
    return [Shown(place.value, position, deck.leaves[position], seat, *opened(deck, position)) for position in lying]


def draws(current: Round, stage: Stage) -> bool:
    """Does a stage of .11 take cards from the deck? Not if the shoe dispensed the community cards before the hands."""
    return stage.act in (Act.BURN, Act.DEAL) and all(held.up for held in current.community)


def unseen(table: State, current: Round) -> int:
    """How many cards that the settlement may need come from a sealed deck and were never turned over."""
    if not table.decks[current.deck].is_sealed:
        return 0
    racked = current.racked()
    boxes = [box for box in current.hands if box not in current.gone and box not in current.settled]
    piles = [current.dealer, current.community]
    piles += [hands.get(box, []) for hands in (current.hands, current.fourths) for box in boxes]
    return sum(not held.card and held.position not in racked for pile in piles for held in pile)


def is_stuck(table: State) -> bool:
    """Whether the round cannot continue because it needs cards from a sealed deck that no available key opens."""
    current = table.round
    if current is None or not table.decks[current.deck].is_sealed:
        return False
    if table.phase is Phase.DEALING or unseen(table, current):
        return True
    return any(draws(current, stage) for stage in table.stages[current.stage :])


def cards_named(shown: Iterable[Shown]) -> str:
    """Describe these cards in words.

    >>> cards_named([Shown("player's cards", 3, seat=2), Shown("community cards", 9)])
    'the hand of box 2 and the community card'
    """
    places: dict[tuple[str, int], int] = {}
    for each in shown:
        places[each.at, each.seat] = places.get((each.at, each.seat), 0) + 1
    names = {Place.PLAYER.value: "the hand", Place.FOURTH.value: "the fourth card", Place.DEALER.value: "the dealer's cards"}
    common = {1: "the community card"}
    parts = [
        names.get(at, common.get(count, "the community cards")) + (f" of box {seat}" if seat else "")
        for (at, seat), count in places.items()
    ]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
