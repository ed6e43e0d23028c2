"""Cards that are laid down or turned: with their commitment only, or opened with card and salt."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.law.fact import Place
from croupier.law.procedure import Act, Stage
from croupier.table.events import Shown
from croupier.table.sealing import salt
from croupier.table.state import Deck, Held, Round


def show_next(deck: Deck, ahead: int, at: str, seat: int, *, up: bool, slot: int = 0) -> Shown:
    """The next card of a deck but so many, with its commitment; face up with the card itself."""
    position = deck.position(ahead)
    shown = opened(deck, position) if up else ("", "")
    return Shown(at, position, deck.leaves[position], seat, *shown, slot)


def opened(deck: Deck, position: int) -> tuple[str, str]:
    """Card and salt, which open the commitment."""
    return deck.order[position], salt(bytes.fromhex(deck.secret), position).hex()


def turned(deck: Deck, held: Iterable[Held], place: Place, seat: int = 0) -> list[Shown]:
    """The cards of a place that still lie face down, turned."""
    lying = [each.position for each in held if not each.up]
    return [Shown(place.value, position, deck.leaves[position], seat, *opened(deck, position)) for position in lying]


def draws(current: Round, stage: Stage) -> bool:
    """Does a stage of .11 take cards from the deck? Not where the shoe dispensed the community cards before the hands."""
    return stage.act in (Act.BURN, Act.DEAL) and all(held.up for held in current.community)


def cards_named(shown: Iterable[Shown]) -> str:
    """Which cards these are, for a person.

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
