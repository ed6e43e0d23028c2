"""Where a wager's stake comes from, and what stakes that are collected do to the meters."""

from __future__ import annotations

from collections import Counter

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.wager import Wager
from croupier.table.accounts import CAGE, Move, chips, game_account, meter, reserve
from croupier.table.desk import Desk
from croupier.table.meters import MeterMove, contribution
from croupier.table.state import State


def purse(wager: Wager, home: int) -> str:
    return game_account(home) if wager.electronic else chips(home)


def with_contributions(
    table: State, desk: Desk, moves: list[Move], wagered: Counter[str]
) -> tuple[tuple[Move, ...], dict[str, MeterMove]]:
    """The moves and what they do to the meters; wagers that were returned (negative) take their part back."""
    changes = {}
    for name, cents in wagered.items():
        if terms := table.offer.progressives.get(name):
            change = contribution(desk.meters[name], terms, cents)
            changes[name] = change
            for account, part in ((meter(name), change.contributed), (reserve(name), change.reserved)):
                moves.append(Move(TABLE_INVENTORY, account, part) if part >= 0 else Move(account, TABLE_INVENTORY, -part))
            moves.append(Move(CAGE, meter(name), change.reseeded))
    return tuple(move for move in moves if move.cents), changes
