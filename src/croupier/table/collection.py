"""Where a wager's stake comes from, and how collected stakes change the meters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.wager import Wager
from croupier.money import Cents
from croupier.table.accounts import CAGE, Move, chips, game_account, jackpot, meter, reserve
from croupier.table.meters import MeterMove, contribution
from croupier.table.rules.context import Desk
from croupier.table.state import State


def purse(wager: Wager, home: int) -> str:
    return game_account(home) if wager.electronic else chips(home)


def with_contributions(
    table: State, desk: Desk, moves: list[Move], wagered: Counter[str], redrawn: Mapping[str, MeterMove] | None = None
) -> tuple[tuple[Move, ...], dict[str, MeterMove]]:
    """The transfers and the meter changes. Returned wagers (negative) take back their contribution.

    `redrawn` is what a void round undoes: it puts back what was drawn (negative) and takes back what restarted a meter.
    """
    changes, back = {}, redrawn or {}
    for name in dict.fromkeys((*wagered, *back)):
        if terms := table.offer.progressives.get(name):
            change = contribution(desk.meters[name], terms, wagered[name], back.get(name, MeterMove()))
            changes[name] = change
            for account, part in ((meter(name), change.contributed), (reserve(name), change.reserved)):
                moves.append(_between(TABLE_INVENTORY, account, part))
            moves.append(_between(meter(name), jackpot(name), change.drawn))
            moves.append(_between(CAGE, meter(name), change.reseeded))
            moves.append(_between(reserve(name), meter(name), change.released))
    return tuple(move for move in moves if move.cents), changes


def _between(source: str, target: str, cents: Cents) -> Move:
    return Move(source, target, cents) if cents >= 0 else Move(target, source, -cents)
