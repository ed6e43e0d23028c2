"""Choices as shown on screen: the words, the clause, the command, and the fields left to fill in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from croupier.law.cite import Refusal
from croupier.table.commands import Command
from croupier.table.engine import grant
from croupier.table.events import Consequences
from croupier.table.meters import MeterState
from croupier.table.state import State
from croupier.wire import Ask, TableChoice

MONEY, NUMBER, WORDS, ONE_OF, SOME_OF = "money", "number", "words", "one of", "some of"
YES_OR_NO, COUNTED = "yes or no", "counted"
SHUFFLE, SHUFFLES = "shuffle", "shuffles"  # deck orders, which the house fills in and a browser never sends or sees


class Offering:
    """The choices of one viewpoint. Each is offered only if the engine would allow it."""

    def __init__(self, table: State, by: str, at: int, meters: Mapping[str, MeterState]) -> None:
        self.table, self.by, self.at, self.meters = table, by, max(at, table.time), meters
        self.found: list[TableChoice] = []
        self.awaits_step = False  # whether the table waits for the next step with its decks

    def offer(
        self, command: Command, words: str | Callable[[Consequences], str], *asks: Ask,
        primary: bool = False, by: str = "", warns: str = "",
    ) -> bool:  # fmt: skip
        """Offer a command if the engine would allow it. Fields to fill in hold only examples."""
        try:
            then = grant(self.table, command, by or self.by, self.at, self.meters)
        except Refusal:
            return False
        plain: dict[str, Any] = msgspec.to_builtins(command)
        for ask in asks:
            plain.pop(ask.name, None)
        text = words if isinstance(words, str) else words(then)
        self.found.append(TableChoice(plain["do"], text, then.cites[0], plain, asks, primary, warns))
        return True

    def step(self, command: Command, words: str, *asks: Ask, expected: bool = True) -> None:
        """Offer a step with the decks. If the table waits for one, the first that is allowed and expected is primary."""
        primary = self.awaits_step and expected
        if self.offer(command, words, *asks, primary=primary) and primary:
            self.awaits_step = False
