"""One table: `decide` turns a command into an event or refuses it, citing a clause; the state is a fold over the events.

Every command exists in three forms: `verify_place_wager` says why not, `can_place_wager` asks, `place_wager` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from croupier.law.cite import Refusal
from croupier.table import commands as say
from croupier.table.card_reveals import is_stuck
from croupier.table.commands import Command, ReceiveDecks, Role, SealedDeck, ShuffleDeck, Sit, name_in_words
from croupier.table.events import VERSION, Consequences, Event, Orders
from croupier.table.fold import apply, verify_moves
from croupier.table.meters import MeterState
from croupier.table.meters import after as meter_after
from croupier.table.rules import cage, decks, irregularities, round_play, wagers  # noqa: F401  (rules)
from croupier.table.rules.context import RULES, Request, assigned_by
from croupier.table.rules.irregularities import unfinished_rule
from croupier.table.state import State

_SEAT = re.compile("[1-9][0-9]?")  # one spelling per seat
COMMANDS: Mapping[str, type[Command]] = {kind.name(): kind for kind in RULES}


@lru_cache(maxsize=1024)
def role_and_seat(by: str) -> tuple[Role, int]:
    """Parse “player:3”, “dealer” or “floorperson” as a role and a seat.

    >>> role_and_seat("player:3"), role_and_seat("dealer")
    ((<Role.PLAYER: 'player'>, 3), (<Role.DEALER: 'dealer'>, 0))
    """
    role, colon, seat = by.partition(":")
    named = _SEAT.fullmatch(seat) if role == Role.PLAYER else not colon
    if role not in [*Role] or not named:
        raise Refusal(f"“{by}” is not a role at a table", "601a.2", "player:N, dealer, floorperson, surveillance, device")
    return Role(role), int(seat or 0)


def decide(
    table: State,
    command: Command,
    by: str,
    at: int,
    meters: Mapping[str, MeterState] | None = None,
    key: str = "",
    person: str = "",
) -> Event:
    """The event for a command, or a refusal. Pure: the table does not change.

    `person` is the name of the staff member or device; a player is whoever has the seat.
    """
    now = max(at, table.time)  # if the clock jumps back, the log does not
    then = grant(table, command, by, now, meters or {})
    verify_moves(table, then.moves)
    role, seat = role_and_seat(by)
    if role is Role.PLAYER:
        person = (command.player if isinstance(command, Sit) else table.players.get(seat)) or person
    return Event(VERSION, command.done, now, by, command.public(), then, key, person)


def grant(table: State, command: Command, by: str, now: int, meters: Mapping[str, MeterState]) -> Consequences:
    """The consequences of a command, or a refusal."""
    role, seat = role_and_seat(by)
    cite = assigned_by(table, command)
    if role not in command.by:
        raise Refusal(f"“{name_in_words(type(command).__name__)}” is not a command for the {role}", cite, " or ".join(command.by))
    if isinstance(command, say.PLAYED) and is_stuck(table):
        rule = unfinished_rule(table)
        raise Refusal("no key opens the cards that this round needs", rule.cite, f"“{rule.name}”, by a floorperson")
    return RULES[type(command)](table, command, Request(role, seat, now, meters, cite))


def secrets_of(command: Command) -> tuple[SealedDeck, ...]:
    """The secrets that a command's event only commits to."""
    match command:
        case ShuffleDeck(sealed=SealedDeck() as sealed):
            return (sealed,)
        case ReceiveDecks(sealed=sealed):
            return sealed
    return ()


def with_secrets(command: Command, orders: Orders) -> Command:
    """A command from the log with its secrets restored."""
    match command:
        case ShuffleDeck() if orders:
            return msgspec.structs.replace(command, sealed=orders[0])
        case ReceiveDecks() if orders:
            return msgspec.structs.replace(command, sealed=orders)
    return command


# commands that can end a round, or send a deck to be reshuffled or removed
USES_UP = (
    say.OpenTable, say.CloseTable, say.Leave, say.SpreadDecks, say.OrderShuffle, say.RemoveDecks, say.CountStub, say.ClearCards,
    say.RaiseIrregularity,
)  # fmt: skip
_encode, _decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(State).decode


def to_come(table: State) -> list[str]:
    """Commitments of the deck orders from which cards may still be dealt."""
    return [deck.commitment for deck in table.decks if deck.is_to_come]


def used_up(table: State, event: Event) -> list[str]:
    """Commitments of the deck orders that an event uses up: none of their cards can be dealt anymore."""
    before = to_come(table)
    if not before or not isinstance(event.command, USES_UP):
        return []
    after = _decode(_encode(table))
    apply(after, event)
    left = to_come(after)
    return [commitment for commitment in before if commitment not in left]


class Table:
    """A table you can play from Python, with its events in memory.

    >>> table = Table()
    >>> table.can_no_more_bets(by="dealer")
    False
    """

    def __init__(self, clock: Callable[[], int] | None = None, meters: dict[str, MeterState] | None = None) -> None:
        self.state = State()
        self.events: list[Event] = []
        self.meters = meters if meters is not None else {}
        self._clock = clock or (lambda: self.state.time + 1000)

    def verify(self, command: Command, by: str) -> Refusal | None:
        """Why a command is refused, or None."""
        try:
            decide(self.state, command, by, self._clock(), self.meters)
        except Refusal as refusal:
            return refusal
        return None

    def can(self, command: Command, by: str) -> bool:
        return self.verify(command, by) is None

    def do(self, command: Command, by: str, person: str = "") -> Event:
        event = decide(self.state, command, by, self._clock(), self.meters, person=person)
        apply(self.state, event, secrets_of(command))
        self.events.append(event)
        for name, move in event.then.meters.items():
            self.meters[name] = meter_after(self.meters[name], move, self.state.offer.progressives[name])
        return event

    def __getattr__(self, name: str) -> Any:
        """`place_wager`, `can_place_wager` and `verify_place_wager`, for every command."""
        for prefix, form in (("verify_", self.verify), ("can_", self.can), ("", self.do)):
            kind = COMMANDS.get(name.removeprefix(prefix)) if name.startswith(prefix) else None
            if kind is not None:
                return lambda by, _kind=kind, _form=form, **fields: _form(msgspec.convert(fields, _kind), by)
        raise AttributeError(name)
