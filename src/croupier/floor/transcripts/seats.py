"""Who sits where, who wagers on which box, and which shuffle is dealt, without the rules of the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from croupier.table import commands as say
from croupier.table.commands import SealedDeck
from croupier.table.commitments import leaves
from croupier.table.engine import who
from croupier.table.events import Event, Orders, Shown

Sitting = tuple[int, int]  # a seat, and the number of the player there: 1 for the first, 2 for the next


@dataclass
class Seating:
    """Follows seats, boxes and shuffles from the events alone."""

    rounds: int = 0
    sat: Counter[int] = field(default_factory=Counter)  # how many players each seat has had
    seated: dict[int, str] = field(default_factory=dict)  # the current players
    boxes: dict[int, int] = field(default_factory=dict)  # by box: the seat of its player, in the next round
    owners: dict[int, Sitting] = field(default_factory=dict)  # of the boxes of this round
    decks: dict[str, tuple[int, SealedDeck]] = field(default_factory=dict)  # with the version of the entry that sealed them

    def follow(self, version: int, event: Event, orders: Orders = ()) -> None:
        match event.command:
            case say.Sit(seat=seat, player=player):
                self.sat[seat] += 1
                self.seated[seat] = player
            case say.Leave(seat=seat):
                self.seated.pop(seat, None)
            case say.PlaceWager(seat=box):
                self.boxes[box] = who(event.by)[1]
            case say.NoMoreBets():
                self.rounds += 1
                self.owners = {box: (home, self.sat[home]) for box, home in self.boxes.items()}
                self.boxes.clear()
            case say.ShuffleDeck(deck=name):
                self._shuffled(version, (name,), orders)
            case say.ReceiveDecks(decks=names, preshuffled=True):
                self._shuffled(version, names, orders)

    def _shuffled(self, version: int, names: tuple[str, ...], orders: Orders) -> None:
        for n, name in enumerate(names):
            self.decks.pop(name, None)
            if orders and (order := orders[n]):
                self.decks[name] = (version, order)

    def dealt_from(self, shown: Shown) -> tuple[int, SealedDeck] | None:
        """The deck that a card comes from, if its order is known."""
        for version, deck in self.decks.values():
            known = leaves(bytes.fromhex(deck.secret), deck.order)
            if shown.position < len(known) and known[shown.position] == shown.leaf:
                return version, deck
        return None
