"""Which of a player's rounds are wanted: by game, table, time and result, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import Literal

import msgspec

from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.floor.surveillance.search import Key
from croupier.table.state import offer_of

Result = Literal["", "won", "lost", "even"]


class HandFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Empty fields are ignored. Times are those of “no more bets”, in milliseconds, from `since` on and before `until`."""

    game: str = ""  # the number of its chapter
    table: str = ""
    result: Result = ""
    since: int = 0
    until: int = 0


def rounds_of(records: Records, player: str, wish: HandFilter, after: Key | None = None) -> Iterator[tuple[Key, RecordedRound]]:
    """The finished rounds of a player, newest first, from after a key on."""
    tables = [name for name in records.tables() if not wish.table or name == wish.table]
    for key in merge(*(_keys(records, table, player) for table in tables), reverse=True):
        if after is None or key < after:
            found = records.round(key[1], key[2])
            if _fits(records, found, player, wish):
                yield key, found


def _keys(records: Records, table: str, player: str) -> Iterator[Key]:
    known = records.columns(table)
    for number in reversed(known.players.get(player, ())):
        if number <= len(known):
            yield known.order[number - 1], table, number


def _fits(records: Records, found: RecordedRound, player: str, wish: HandFilter) -> bool:
    net = found.net[player]
    result = "won" if net > 0 else "lost" if net < 0 else "even"
    if found.begun < wish.since or (wish.until and found.begun >= wish.until) or wish.result not in ("", result):
        return False
    return not wish.game or offer_of(records.opening(found.table, found.number).submission).rules.number == wish.game
