"""Which deck orders are still in use, and which ones an event uses up, so that none of their cards can be dealt anymore."""

from __future__ import annotations

import msgspec

from croupier.table import commands as say
from croupier.table.events import Event
from croupier.table.fold import apply
from croupier.table.state import State

# commands that can end a round, or send a deck to be reshuffled or removed
USES_UP = (
    say.OpenTable, say.CloseTable, say.Leave, say.SpreadDecks, say.OrderShuffle, say.RemoveDecks, say.CountStub, say.ClearCards,
    say.RaiseIrregularity,
)  # fmt: skip

_encode, _decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(State).decode


def to_come(table: State) -> list[str]:
    """Commitments of the orders from which cards may still be dealt."""
    return [deck.commitment for deck in table.decks if deck.is_to_come]


def used_up(table: State, event: Event) -> list[str]:
    """Commitments of the orders that an event uses up, found by applying it to a copy of the table."""
    before = to_come(table)
    if not before or not isinstance(event.command, USES_UP):
        return []
    after = _decode(_encode(table))
    apply(after, event)
    left = to_come(after)
    return [commitment for commitment in before if commitment not in left]
