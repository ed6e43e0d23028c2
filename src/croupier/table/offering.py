"""What somebody may do now, as a screen shows it: the words, the clause, the command, and what is still to be filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.law.cite import Refusal
from croupier.table.commands import Command
from croupier.table.engine import grant
from croupier.table.meters import Meter
from croupier.table.state import State
from croupier.wire import Ask, Choice

MONEY, NUMBER, WORDS, ONE_OF, SOME_OF = "money", "number", "words", "one of", "some of"
YES_OR_NO, COUNTED = "yes or no", "counted"
SHUFFLE, SHUFFLES = "shuffle", "shuffles"  # orders of decks, which the house puts in and no browser sends or sees


class Offering:
    """The choices of one viewpoint, each granted by the engine before it is offered."""

    def __init__(self, table: State, by: str, at: int, meters: Mapping[str, Meter]) -> None:
        self.table, self.by, self.at, self.meters = table, by, max(at, table.time), meters
        self.found: list[Choice] = []

    def offer(self, command: Command, words: str, *asks: Ask, primary: bool = False, by: str = "") -> bool:
        """Offer a command if it would be granted. What it says where it asks is only an example."""
        try:
            then = grant(self.table, command, by or self.by, self.at, self.meters)
        except Refusal:
            return False
        plain: dict[str, Any] = msgspec.to_builtins(command)
        for ask in asks:
            plain.pop(ask.name, None)
        self.found.append(Choice(plain["do"], words, then.cites[0], plain, asks, primary))
        return True
