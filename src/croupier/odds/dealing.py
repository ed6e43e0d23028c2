"""Cards dealt at random for the simulation, and what lies before a seat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

BLOCK = 256  # so many rounds are dealt and decided, then their side wagers settled, one wager after another


class Layout(NamedTuple):
    """How many cards lie where: from the front of the deck each seat's, the dealer's, the community cards, each seat's fourth."""

    seats: int
    player: int
    dealer: int
    community: int = 0
    fourth: int = 0

    @property
    def cards(self) -> int:
        return self.seats * (self.player + self.fourth) + self.dealer + self.community

    @property
    def laid(self) -> int:
        return self.player + 2 * self.dealer + self.community + self.fourth


@njit(cache=True, nogil=True)
def start_of(seed, chunk):
    """The state of a chunk's generator: seed and number mixed twice."""
    return _mix(_mix(seed) ^ (chunk * np.uint64(0x9E3779B97F4A7C15)))


@njit(cache=True, nogil=True)
def _mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def deal(state, deck, count):
    """Deal cards to the front of a deck by Fisher-Yates, two from each 64 bits; 32 bits favour no card by more than 52 in 2**32."""
    bits = np.uint64(0)
    for place in range(count):
        if place & 1:
            bits >>= np.uint64(32)
        else:
            state += np.uint64(0x9E3779B97F4A7C15)
            bits = _mix(state)
        other = place + np.int64((bits & np.uint64(0xFFFFFFFF)) * np.uint64(len(deck) - place) >> np.uint64(32))
        deck[place], deck[other] = deck[other], deck[place]
    return state


@njit(cache=True, nogil=True)
def lay_out(deck, seat, layout, laid, row):
    """The cards that the wagers of a seat look at: the dealer's, the player's, the community cards, the dealer's again, the fourth.

    So laid, the cards of any two places lie side by side.
    """
    seats, player, dealer, community, fourth = layout
    before = seats * player
    for n in range(dealer):
        laid[row, n] = laid[row, dealer + player + community + n] = deck[before + n]
    for n in range(player):
        laid[row, dealer + n] = deck[seat * player + n]
    for n in range(community):
        laid[row, dealer + player + n] = deck[before + dealer + n]
    if fourth:
        laid[row, 2 * dealer + player + community] = deck[before + dealer + community + seat]


@njit(cache=True, nogil=True)
def in_order(cards):
    for i in range(1, len(cards)):
        each, j = cards[i], i - 1
        while j >= 0 and cards[j] > each:
            cards[j + 1] = cards[j]
            j -= 1
        cards[j + 1] = each


@njit(cache=True, nogil=True)
def enter(sums, wager, nets, rounds, seats):
    """Add the nets of a block of rounds to a wager's sums: of nets, of their squares, and of the squares of the rounds' totals."""
    for row in range(0, rounds * seats, seats):
        total = 0
        for net in nets[row : row + seats]:
            sums[wager, 0] += net
            sums[wager, 1] += net * net
            total += net
        sums[wager, 2] += total * total
