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
