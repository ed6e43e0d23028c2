"""Where every card went: from a committed deck, in order, each once, and opened as it was committed.

It looks at events only, never at the state: so it also judges a transcript whose reader may not see the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier.floor.openings import Opened
from croupier.floor.wrong import Wrong
from croupier.table import commands as say
from croupier.table.commands import SealedDeck
from croupier.table.events import Event, Shown
from croupier.table.sealing import commitment, leaf, leaves

FROM_THE_DECK = (say.DealCards, say.BurnCard)  # what they show was never on the table before


@dataclass
class Shuffled:
    """A deck since its last shuffle: its leaves, its top card after the cut, and where the cards that left it lie."""

    leaves: Sequence[str]
    top: int = 0
    out: dict[int, tuple[str, int]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)

    @property
    def next(self) -> int:
        return (self.top + len(self.out)) % len(self.leaves)


@dataclass
class Trace:
    """The decks of one table."""

    decks: dict[str, Shuffled] = field(default_factory=dict)
    in_play: Shuffled | None = None
    opened: int = 0

    def follow(self, event: Event, sealed: tuple[SealedDeck, ...], opened: Opened) -> None:
        self._prepare(event, sealed, opened)
        for shown in event.then.cards:
            self._card(event, shown)
        for opening in opened.cards:
            self._opening(event, opening.position, opening.card, opening.salt)

    def _prepare(self, event: Event, sealed: tuple[SealedDeck, ...], opened: Opened) -> None:
        match event.command:
            case say.ShuffleDeck(deck=name):
                self.decks[name] = _shuffled(event, sealed, opened, (name,))[0]
            case say.ReceiveDecks(preshuffled=True, decks=names):
                self.decks.update(zip(names, _shuffled(event, sealed, opened, names), strict=True))
            case say.CutDeck(deck=name, depth=depth) if name in self.decks:
                deck = self.decks[name]
                deck.top = (deck.top + depth) % len(deck.leaves)
            case say.NoMoreBets():
                self.in_play = None
            case say.RemoveDecks() | say.OpenTable() | say.CloseTable():
                self.decks.clear()

    def _card(self, event: Event, shown: Shown) -> None:
        deck = self._deck_of(shown)
        place = (shown.at, shown.seat)
        if not shown.leaf:  # gathered for the discard rack
            if shown.position not in deck.out:
                raise Wrong(f"the card of position {shown.position} goes to the {shown.at} and was never dealt")
            return
        if shown.position not in deck.out:
            if shown.position != deck.next:
                raise Wrong(f"the card of position {shown.position} is dealt where that of position {deck.next} is the next")
            deck.out[shown.position] = place
        elif isinstance(event.command, FROM_THE_DECK) or deck.out[shown.position] != place or not shown.card:
            raise Wrong(f"the card of position {shown.position} is dealt a second time")
        if shown.card:
            self._open(deck, shown.position, shown.card, shown.salt)

    def _deck_of(self, shown: Shown) -> Shuffled:
        """The deck that a leaf belongs to; all cards of a round come from one."""
        choices = list(self.decks.values()) if self.in_play is None else [self.in_play]
        for deck in choices:
            if shown.position < len(deck.leaves) and shown.leaf in ("", deck.leaves[shown.position]):
                self.in_play = deck
                return deck
        raise Wrong(f"the leaf of position {shown.position} is not one of the committed deck")

    def _open(self, deck: Shuffled, position: int, card: str, salt: str) -> None:
        try:
            opens = leaf(bytes.fromhex(salt), card) == deck.leaves[position] and salt == salt.lower()
        except ValueError:
            opens = False
        if not opens:
            raise Wrong(f"{card} and its salt do not open the commitment of position {position}")
        self.opened += position not in deck.seen
        deck.seen.add(position)

    def _opening(self, event: Event, position: int, card: str, salt: str) -> None:
        """A card that the transcript opens for its reader, beside the event that dealt it."""
        if self.in_play is None or not any(shown.position == position and shown.leaf for shown in event.then.cards):
            raise Wrong(f"the transcript opens position {position}, which this event does not deal")
        self._open(self.in_play, position, card, salt)


def _shuffled(event: Event, sealed: tuple[SealedDeck, ...], opened: Opened, names: tuple[str, ...]) -> list[Shuffled]:
    """The decks of a shuffle, from their sealed orders or from the leaves that a transcript hands on."""
    if sealed:
        all_leaves: list[Sequence[str]] = [leaves(bytes.fromhex(each.secret), each.order) for each in sealed]
    else:
        all_leaves = list(opened.leaves)
    if not len(all_leaves) == len(event.then.decks) == len(names):
        raise Wrong("the sealed order of a deck is missing" if not all_leaves else "the sealed orders are not those of its decks")
    for name, deck_leaves, committed in zip(names, all_leaves, event.then.decks, strict=True):
        if not deck_leaves or commitment(deck_leaves) != committed:
            raise Wrong(f"the sealed order of the {name} deck is not the one that was committed to")
    return [Shuffled(deck_leaves) for deck_leaves in all_leaves]
