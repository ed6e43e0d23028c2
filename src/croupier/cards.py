"""Cards and decks: 52 cards, or 53 with one joker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Card", "cards", "deck"]  # public: docs/python.md

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
TEN, JACK, QUEEN, KING, ACE = 10, 11, 12, 13, 14
RANK_NAMES = {number: str(number) for number in range(2, TEN + 1)} | {JACK: "jack", QUEEN: "queen", KING: "king", ACE: "ace"}


class NotACard(ValueError):
    """The text is not a card."""


class Card(NamedTuple):
    """A card by rank (2 to 14, the ace high; the joker 0) and suit.

    >>> Card.parse("As"), str(Card.parse("10d"))
    (Card(rank=14, suit='s'), 'Td')
    """

    rank: int
    suit: str

    @classmethod
    def parse(cls, text: str) -> Card:
        word = text.strip().replace("10", "T")
        if word.lower() == "jk":
            return JOKER
        if len(word) != 2 or word[0].upper() not in RANKS or word[1].lower() not in SUITS:
            raise NotACard(
                f"“{text}” is not a card; write a rank 2-9, T, J, Q, K or A and a suit c, d, h or s, or Jk for the joker"
            )
        return cls(RANKS.index(word[0].upper()) + 2, word[1].lower())

    def __str__(self) -> str:
        return "Jk" if self.rank == 0 else RANKS[self.rank - 2] + self.suit

    @property
    def is_red(self) -> bool:
        return self.suit in "dh"


JOKER = Card(0, "")
Cards = tuple[Card, ...]


def cards(text: str) -> Cards:
    """Read cards from text.

    >>> [str(card) for card in cards("As 10d Jk")]
    ['As', 'Td', 'Jk']
    """
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


def show(hand: Iterable[Card]) -> str:
    return " ".join(str(card) for card in hand)


def deck(jokers: int = 0) -> Cards:
    """One deck in sequence by suit.

    >>> len(deck()), len(deck(jokers=1))
    (52, 53)
    """
    return tuple(Card(rank, suit) for suit in SUITS for rank in range(2, 15)) + (JOKER,) * jokers
