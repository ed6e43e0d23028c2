"""Cards as the log shows them: first only a commitment; once they may be seen, opened with card and salt.

Each card of a shuffled deck has a leaf, the hash of a salt and the card; the deck's commitment is the hash of all its leaves.
The salts come from one secret per shuffle, so a single card can be opened (card and salt) while the others stay hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256

from croupier.law.fact import Place
from croupier.law.procedure import Act, Stage
from croupier.table.events import Shown
from croupier.table.state import Deck, Held, Phase, Round, State


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


def deck_commitment(deck_leaves: Sequence[str]) -> str:
    """The commitment to a deck: its leaves in order, hashed together."""
    return sha256("".join(deck_leaves).encode()).hexdigest()


def show_next(deck: Deck, ahead: int, at: Place | str, seat: int = 0, *, up: bool, slot: int = 0) -> Shown:
    """The card this many past the next one in the deck, with its commitment and, if face up, the card itself."""
    return _shown(deck, deck.position(ahead), at, seat, up=up, slot=slot)


def turned_over(deck: Deck, held: Iterable[Held], place: Place, seat: int = 0) -> list[Shown]:
    """The face-down cards of a place, as they look turned over."""
    return [_shown(deck, each.position, place, seat, up=True) for each in held if not each.up]


def _shown(deck: Deck, position: int, at: Place | str, seat: int, *, up: bool, slot: int = 0) -> Shown:
    """A card with its commitment and, if face up, what opens it: the card and the salt."""
    card, salted = (deck.order[position], salt(bytes.fromhex(deck.secret), position).hex()) if up else ("", "")
    return Shown(at.value if isinstance(at, Place) else at, position, deck.leaves[position], seat, card, salted, slot)


def takes_cards(current: Round, stage: Stage) -> bool:
    """Does a stage of .11 take cards from the deck? Not if the shoe dispensed the community cards before the hands."""
    return stage.act in (Act.BURN, Act.DEAL) and all(held.up for held in current.community)


def unseen(table: State, current: Round) -> int:
    """How many cards that the settlement may need come from a sealed deck and were never turned over."""
    if not table.decks[current.deck].is_sealed:
        return 0
    racked = current.racked()
    boxes = [box for box in current.hands if box not in current.gone and box not in current.settled]
    piles = [current.dealer, current.community]
    piles += [hands.get(box, []) for hands in (current.hands, current.fourths) for box in boxes]
    return sum(not held.card and held.position not in racked for pile in piles for held in pile)


def is_stuck(table: State) -> bool:
    """Whether the round cannot continue because it needs cards from a sealed deck that no available key opens."""
    current = table.round
    if current is None or not table.decks[current.deck].is_sealed:
        return False
    if table.phase is Phase.DEALING or unseen(table, current):
        return True
    return any(takes_cards(current, stage) for stage in table.stages[current.stage :])


def cards_named(shown: Iterable[Shown]) -> str:
    """Describe these cards in words.

    >>> cards_named([Shown("player's cards", 3, seat=2), Shown("community cards", 9)])
    'the hand of box 2 and the community card'
    """
    counts = Counter((each.at, each.seat) for each in shown)
    names = {Place.PLAYER.value: "the hand", Place.FOURTH.value: "the fourth card", Place.DEALER.value: "the dealer's cards"}
    parts = [
        names.get(at, f"the community card{'s' * (count > 1)}") + (f" of box {seat}" if seat else "")
        for (at, seat), count in counts.items()
    ]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
