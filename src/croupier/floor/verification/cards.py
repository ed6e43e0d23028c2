"""Checks where every card went: each from a committed deck, in order, once, and opened as it was committed.

It reads events only, never the state, so it can also check a transcript whose reader may not see the cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.floor.transcripts.sources import Opened
from croupier.floor.verification.problems import CheckFailed
from croupier.table import commands as say
from croupier.table.card_reveals import deck_commitment, leaf, leaves
from croupier.table.events import Event, Orders, Shown

FROM_THE_DECK = (say.DealCards, say.BurnCard)  # their cards were not on the table before


@dataclass
class ShuffledDeck:
    """A deck since its last shuffle: its leaves, its top card after the cut, and where the cards that left it are.

    In a sealed order each leaf is empty until its card is dealt. A `lost` order may stay sealed forever.
    """

    leaves: list[str]
    sealed: bool = False
    lost: bool = False
    top: int = 0
    out: dict[int, tuple[str, int]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)

    @property
    def next(self) -> int:
        return (self.top + len(self.out)) % len(self.leaves)


@dataclass
class DeckTrace:
    """The decks of one table."""

    decks: dict[str, ShuffledDeck] = field(default_factory=dict)
    in_play: ShuffledDeck | None = None
    opened: int = 0
    cards: int = 0  # of a deck
    lost: int = 0  # orders that nobody can open

    def follow(self, event: Event, orders: Orders, opened: Opened, *, lost: bool = False) -> None:
        """Follow an event. `lost` means that the log records its orders as lost."""
        self._prepare(event, orders, opened, lost=lost or opened.lost)
        for shown in event.then.cards:
            self._card(event, shown)
        for opening in opened.cards:
            self._opening(event, opening.position, opening.card, opening.salt)

    @property
    def sealed(self) -> int:
        """The number of sealed orders that are still to be opened."""
        return sum(deck.sealed and not deck.lost for deck in self.decks.values())

    def _prepare(self, event: Event, orders: Orders, opened: Opened, *, lost: bool) -> None:
        match event.command:
            case say.ShuffleDeck(deck=name):
                self._shuffled(event, orders, opened, (name,), lost=lost)
            case say.ReceiveDecks(preshuffled=True, decks=names):
                self._shuffled(event, orders, opened, names, lost=lost)
            case say.CutDeck(deck=name, depth=depth) if name in self.decks:
                deck = self.decks[name]
                deck.top = (deck.top + depth) % len(deck.leaves)
            case say.NoMoreBets():
                self.in_play = None
            case say.RemoveDecks() | say.OpenTable() | say.CloseTable():
                for name in list(self.decks):
                    self._forget(name)

    def _shuffled(self, event: Event, orders: Orders, opened: Opened, names: tuple[str, ...], *, lost: bool) -> None:
        """Take in the decks of a shuffle, from their orders or from the leaves in a transcript; sealed if there are neither."""
        known = [leaves(bytes.fromhex(each.secret), each.order) if each else () for each in orders] or opened.leaves
        known = known or [()] * len(names)
        if not len(known) == len(event.then.decks) == len(names):
            raise CheckFailed("the sealed orders do not match its decks")
        for name, deck_leaves, committed in zip(names, known, event.then.decks, strict=True):
            if deck_leaves and deck_commitment(deck_leaves) != committed:
                raise CheckFailed(f"the sealed order of the {name} deck is not the one that was committed to")
            self._forget(name)
            sealed = not deck_leaves
            self.lost += sealed and lost
            self.decks[name] = ShuffledDeck(list(deck_leaves) or [""] * self.cards, sealed, sealed and lost)

    def _forget(self, name: str) -> None:
        """Drop a deck that is removed or shuffled again. Its order has to be open by then."""
        deck = self.decks.pop(name, None)
        if deck and deck.sealed and not deck.lost:
            raise CheckFailed(f"the previous sealed order of the {name} deck was never opened")

    def _card(self, event: Event, shown: Shown) -> None:
        deck = self._deck_of(shown)
        place = (shown.at, shown.seat)
        if not shown.leaf:  # gathered for the discard rack
            if shown.position not in deck.out:
                raise CheckFailed(f"the card at position {shown.position} goes to the {shown.at} and was never dealt")
            return
        if shown.position not in deck.out:
            if shown.position != deck.next:
                raise CheckFailed(f"the card at position {shown.position} is dealt, but position {deck.next} is next")
            deck.out[shown.position] = place
        elif isinstance(event.command, FROM_THE_DECK) or deck.out[shown.position] != place or not shown.card:
            raise CheckFailed(f"the card at position {shown.position} is dealt a second time")
        if shown.card:
            self._open(deck, shown.position, shown.card, shown.salt)

    def _deck_of(self, shown: Shown) -> ShuffledDeck:
        """The deck that a leaf belongs to. All cards of a round come from one deck."""
        choices = list(self.decks.values()) if self.in_play is None else [self.in_play]
        for deck in sorted(choices, key=lambda each: (each.sealed, each.next != shown.position)):
            known = deck.leaves[shown.position] if shown.position < len(deck.leaves) else None
            if known is not None and (shown.leaf in ("", known) or (deck.sealed and not known)):
                deck.leaves[shown.position] = known or shown.leaf
                self.in_play = deck
                return deck
        raise CheckFailed(f"the leaf at position {shown.position} is not from the committed deck")

    def _open(self, deck: ShuffledDeck, position: int, card: str, salt: str) -> None:
        try:
            opens = leaf(bytes.fromhex(salt), card) == deck.leaves[position] and salt == salt.lower()
        except ValueError:
            opens = False
        if not opens:
            raise CheckFailed(f"{card} and its salt do not open the commitment at position {position}")
        self.opened += position not in deck.seen
        deck.seen.add(position)

    def _opening(self, event: Event, position: int, card: str, salt: str) -> None:
        """Check a card that the transcript opens for its reader with the event that dealt it."""
        if self.in_play is None or not any(shown.position == position and shown.leaf for shown in event.then.cards):
            raise CheckFailed(f"the transcript opens position {position}, which this event does not deal")
        self._open(self.in_play, position, card, salt)
