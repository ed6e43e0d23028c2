"""Commitments: what the log says about a card before anyone may see it.

Each card of a shuffled deck has a leaf, the hash of a salt and the card; the deck's commitment is the hash of all its leaves.
The salts come from one secret per shuffle, so a single card can be opened (card and salt) while the others stay hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b, sha256


def salt(secret: bytes, position: int) -> bytes:
    return blake2b(position.to_bytes(2, "big"), key=secret, digest_size=16).digest()


def leaf(salted: bytes, card: str) -> str:
    """The commitment to one card.

    >>> leaf(bytes(16), "As")[:16]
    '583ee1312ec3eba7'
    """
    return sha256(salted + card.encode()).hexdigest()


@lru_cache(maxsize=512)  # tables that shuffle at the same time
def leaves(secret: bytes, order: tuple[str, ...]) -> tuple[str, ...]:
    """The commitments of a deck. Cached, because a shuffle is first decided and then applied."""
    return tuple([leaf(salt(secret, position), card) for position, card in enumerate(order)])


def commitment(deck_leaves: Sequence[str]) -> str:
    """The commitment to a deck: its leaves in order, hashed together."""
    return sha256("".join(deck_leaves).encode()).hexdigest()
