"""The automatic dealer with decks that chance alone seldom makes: straight flushes for everybody, so that meters are won."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from croupier.cards import deck as full_deck
from croupier.floor.automatic import PracticeStaff
from croupier.floor.shuffling import secret
from croupier.table.commands import SealedDeck
from croupier.table.state import State

STACKED = 0.15  # of all shuffles


@dataclass
class ShiftDealer(PracticeStaff):
    random: Random = field(default_factory=Random)

    def seal(self, table: State) -> SealedDeck:
        if self.random.random() >= STACKED:
            return super().seal(table)
        cards = [str(card) for card in full_deck(table.rules.decks.jokers)]
        hands = self.random.choice((1, len(table.players), len(table.players) + 1))  # by the stack; card by card, the dealer too
        return SealedDeck(tuple(stacked(cards, max(1, hands))), secret(self.source).hex())


def stacked(cards: list[str], hands: int) -> list[str]:
    """Suit after suit from the ace down, so that so many hands, dealt card by card, get a run of a suit each.

    >>> stacked(["2s", "As", "2h", "Ah"], 2)
    ['Ah', 'As', '2h', '2s']
    """
    ranks = "AKQJT98765432"
    in_order = sorted(cards, key=lambda card: (card[-1], ranks.find(card[0])))
    size = len(in_order) // hands
    order = [in_order[hand * size + n] for n in range(size) for hand in range(hands)]
    return order + in_order[size * hands :]
