"""The automatic dealer with decks that rarely come up by chance: straight flushes for everyone, so that meters are won."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from croupier.cards import deck as full_deck
from croupier.floor.dealer.automatic_dealer import PracticeStaff
from croupier.floor.house.shuffle import secret
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
        hands = self.random.randint(1, len(table.players) + 3)  # some players have several boxes, and the dealer has a hand too
        order = stacked(cards, hands, self.random.choice((3, 4, 5)), by_card=self.random.random() < 0.5)
        return SealedDeck(tuple(order), secret(self.source).hex())


def stacked(cards: list[str], hands: int, size: int, *, by_card: bool) -> list[str]:
    """Runs of a suit from the top down for so many hands, dealt card by card or by the stack; then the rest, suit by suit.

    >>> stacked(["2s", "As", "Kh", "2h", "Ah", "Ks"], 2, 2, by_card=True)
    ['Ah', 'As', 'Kh', 'Ks', '2h', '2s']
    """
    ranks = "AKQJT98765432"
    rest = sorted(cards, key=lambda card: (card[-1], ranks.find(card[0])))
    suits = sorted({card[-1] for card in cards} - {"k"})  # a joker is of none
    first: list[list[str]] = []
    for hand in range(hands):
        first.append([card for card in rest if card[-1] == suits[hand % len(suits)]][:size])
        rest = [card for card in rest if card not in first[-1]]
    in_order = zip(*first, strict=True) if by_card else first
    return [card for some in in_order for card in some] + rest
