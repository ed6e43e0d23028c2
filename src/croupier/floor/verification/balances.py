"""Checks the books of a table from its moves alone: nothing is overdrawn, and the meters moved as the events say."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.floor.verification.problems import Wrong
from croupier.money import Cents
from croupier.money import show as show_money
from croupier.table.accounts import balances, meter, must_not_be_overdrawn, reserve
from croupier.table.events import Consequences
from croupier.table.meters import MeterMove

METER, RESERVE = meter(""), reserve("")  # the prefixes of these accounts' names


@dataclass
class Books:
    """The accounts of one table."""

    accounts: dict[str, Cents] = field(default_factory=dict)
    moved: Cents = 0

    def enter(self, then: Consequences) -> None:
        if any(move.cents < 0 for move in then.moves):
            raise Wrong("it moves a negative amount")
        change = balances(then.moves)
        for account, cents in change.items():
            held = self.accounts[account] = self.accounts.get(account, 0) + cents
            if held < 0 and must_not_be_overdrawn(account):
                raise Wrong(f"the {account} is overdrawn by {show_money(-held)}")
        self.moved += sum(move.cents for move in then.moves)
        _verify_meters(then, change)


def _verify_meters(then: Consequences, change: dict[str, Cents]) -> None:
    """Check what an event says about a meter against its moves of the meter's account."""
    moved = {account.removeprefix(METER).removeprefix(RESERVE) for account in change if account.startswith((METER, RESERVE))}
    for name in {*then.meters, *moved}:
        move = then.meters.get(name, MeterMove())
        if change.get(meter(name), 0) != move.contributed - move.drawn + move.reseeded + move.released:
            raise Wrong(f"what it says about the {meter(name)} is not what it moved")
        if change.get(reserve(name), 0) != move.reserved - move.released:
            raise Wrong(f"what it says about the {reserve(name)} is not what it moved")
