"""A table to reproduce what the night shift found: opened, decks ready, players seated. The automatic dealer does the rest."""

from __future__ import annotations

from typing import Any

from croupier import book
from croupier.filing.template import example_choices
from croupier.floor.dealer.automatic_dealer import PracticeStaff
from croupier.floor.house.shuffle import Seeded
from croupier.shift.filings import toml
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.engine import Table
from croupier.table.meters import MeterState
from croupier.table.state import offer_of


class Dealt(Table):
    """A table with its dealer."""

    def __init__(self, game: str, edition: str = "", seed: int = 1, dealing: dict[str, Any] | None = None, **choices: Any) -> None:
        data = example_choices(book.find(game).edition(edition)) | choices
        data["dealing"] |= dealing or {}
        submission = toml(data)
        offer = offer_of(submission)
        super().__init__(meters={name: MeterState(terms.seed) for name, terms in offer.progressives.items()})
        self.dealer = PracticeStaff(Seeded(seed))
        self.do(say.OpenTable(table="T", submission=submission, offer=offer.hash, opener=100_000_00), "floorperson")

    def seat(self, *seats: int) -> None:
        for seat in seats:
            self.do(say.Sit(seat=seat, player=f"P{seat}"), f"player:{seat}")
            self.do(say.BuyIn(seat=seat, amount=1_000_00), f"player:{seat}")
        self.go()

    def wager(self, seat: int, **stakes: int) -> None:
        for name, cents in stakes.items():
            self.do(say.PlaceWager(seat=seat, wager=name.replace("_", " "), amount=cents), f"player:{seat}")

    def go(self, until: type[Command] | None = None) -> None:
        """Let the dealer work until players have to act, or until the dealer is about to do this."""
        while (action := self.dealer.next(self.state, self.state.time)) and not (until and isinstance(action[1], until)):
            self.do(action[1], action[0])

    def deal(self, until: type[Command] | None = None) -> None:
        self.go()
        by, command = self.dealer.no_more_bets(self.state)
        self.do(command, by)
        self.go(until)
