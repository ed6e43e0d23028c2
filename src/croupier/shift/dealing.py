"""The automatic dealer with decks that chance alone seldom makes: straight flushes for everybody, so that meters are won."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from croupier.cards import deck as full_deck
from croupier.floor.automatic import AutomaticDealer
from croupier.floor.shuffling import secret
from croupier.table.commands import SealedDeck
from croupier.table.state import State

STACKED = 0.15  # of all shuffles
HANDS = (1, 1, 2, 2, 3, 4, 5, 6)  # among which a stacked deck deals its suits


@dataclass
class ShiftDealer(AutomaticDealer):
    random: Random = field(default_factory=Random)

    def seal(self, table: State) -> SealedDeck:
        if self.random.random() >= STACKED:
            return super().seal(table)
        cards = [str(card) for card in full_deck(table.rules.decks.jokers)]
        return SealedDeck(tuple(stacked(cards, self.random)), secret(self.source).hex())


def stacked(cards: list[str], random: Random) -> list[str]:
    """Suit after suit from the ace down, dealt into so many hands card by card.

    >>> stacked(["2s", "As", "2h", "Ah"], Random(3))[0][0] in "A2"
    True
    """
    ranks = "AKQJT98765432"
    in_order = sorted(cards, key=lambda card: (card[-1], ranks.find(card[0])))
    hands = random.choice(HANDS)
    size = len(in_order) // hands
    order = [in_order[hand * size + n] for n in range(size) for hand in range(hands)]
    return order + in_order[size * hands :]
