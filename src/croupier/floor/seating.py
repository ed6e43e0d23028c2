"""Who sits where, who wagers on which box, and which shuffle is dealt: what can be told of a table without its rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from croupier.table import commands as say
from croupier.table.commands import SealedDeck
from croupier.table.engine import who
from croupier.table.events import Event, Shown
from croupier.table.sealing import leaves

Sitting = tuple[int, int]  # a seat, and which of the players who sat there one after another


@dataclass
class Seating:
    """Who sits where, who wagers on which box, and which shuffle is dealt, from the events alone."""

    rounds: int = 0
    sat: Counter[int] = field(default_factory=Counter)  # how many players each seat has had
    seated: dict[int, str] = field(default_factory=dict)  # the players who sit there now
    boxes: dict[int, int] = field(default_factory=dict)  # the seat of the player on each box, in the round to come
    owners: dict[int, Sitting] = field(default_factory=dict)  # of the boxes of this round
    decks: dict[str, tuple[int, SealedDeck]] = field(default_factory=dict)  # with the version of the entry that sealed them

    def follow(self, version: int, event: Event, sealed: tuple[SealedDeck, ...]) -> None:
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
            case say.ShuffleDeck(deck=name) if sealed:
                self.decks[name] = (version, sealed[0])
            case say.ReceiveDecks(decks=names) if sealed:
                self.decks.update((name, (version, deck)) for name, deck in zip(names, sealed, strict=True))

    def dealt_from(self, shown: Shown) -> tuple[int, SealedDeck] | None:
        """The deck that a card comes from, if its sealed order is there."""
        for version, deck in self.decks.values():
            known = leaves(bytes.fromhex(deck.secret), deck.order)
            if shown.position < len(known) and known[shown.position] == shown.leaf:
                return version, deck
        return None
