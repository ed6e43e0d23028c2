"""Searches rounds by player, person, table, time, amount, hand and irregularity: newest first, one page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import islice

import msgspec

from croupier.floor.surveillance.records import Records, TableRecords, by_player
from croupier.floor.surveillance.round_record import Box, RecordedRound
from croupier.money import Cents

LONGEST_PAGE = 500


class Query(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to search for; empty fields are ignored. Player, amounts and hand have to fit the same player.

    Times are those of “no more bets”, in milliseconds, from `since` on and before `until`. Amounts are for one player in one
    round: all they had at risk, or all they were paid on top of their stakes.
    """

    player: str = ""  # part of the name, in any case
    person: str = ""  # part of the name of anybody who acted in the round, staff included
    table: str = ""
    since: int = 0
    until: int = 0
    amount: Cents = 0  # staked or won, at least
    staked: Cents = 0
    won: Cents = 0
    hand: str = ""  # words of the ranking's row, as the settlement named it
    irregularity: str = ""  # words of its name
    irregular: bool = False  # any irregularity


class RoundPage(msgspec.Struct, frozen=True):
    """Rounds, newest first. `cursor` requests the next page; it is empty on the last."""

    rounds: tuple[RecordedRound, ...]
    cursor: str = ""


class BadCursor(ValueError):
    """The cursor is not one that a search returned."""


Key = tuple[int, str, int]  # time, table, number: the order of rounds


def search(records: Records, query: Query, cursor: str = "", limit: int = 50) -> RoundPage:
    """The finished rounds that fit, newest first. Rounds that end between two pages do not shift later pages."""
    limit, after = max(1, min(limit, LONGEST_PAGE)), read_cursor(cursor)
    tables = [name for name in records.tables() if not query.table or name == query.table]
    keys = merge(*(_candidates(records, name, query, after) for name in tables), reverse=True)
    fits = ((key, found) for key in keys if _fits(found := records.round(key[1], key[2]), query))
    page = list(islice(fits, limit + 1))
    more = cursor_of(page[limit - 1][0]) if len(page) > limit else ""
    return RoundPage(tuple(found for _, found in page[:limit]), more)


def cursor_of(key: Key) -> str:
    at, table, number = key
    return f"{at}.{number}.{table}"


def read_cursor(cursor: str) -> Key | None:
    if not cursor:
        return None
    at, _, rest = cursor.partition(".")
    number, _, table = rest.partition(".")
    if not (at.isascii() and at.isdigit() and number.isascii() and number.isdigit() and table):
        raise BadCursor("This is not a cursor that a search returned.")
    return int(at), table, int(number)


def _candidates(records: Records, table: str, query: Query, after: Key | None) -> Iterator[Key]:
    """The rounds of a table that may fit, by the columns alone, newest first."""
    known = records.columns(table)
    for number in _numbers(known, query):
        n = number - 1
        at, begun = known.order[n], known.begun[n]
        if after is not None and (at, table, number) >= after:
            continue
        if at < query.since:
            return
        if begun < query.since or (query.until and begun >= query.until):
            continue
        if known.staked[n] < query.staked or known.won[n] < query.won or max(known.staked[n], known.won[n]) < query.amount:
            continue
        yield at, table, number


def _numbers(known: TableRecords, query: Query) -> Iterable[int]:
    """The numbers of the rounds that fit the lists of players, people, hands and irregularities, highest first."""
    sets = list[set[int]]()
    asks = (
        (query.player, known.players), (query.person, known.people), (query.hand, known.hands),
        (query.irregularity, known.irregular),
    )  # fmt: skip
    for asked, lists in asks:
        if asked.strip():
            sets.append({number for name, rounds in list(lists.items()) if _says(name, asked) for number in rounds})
    if query.irregular:
        sets.append({number for rounds in list(known.irregular.values()) for number in rounds})
    last = len(known)
    if not sets:
        return range(last, 0, -1)
    return sorted((number for number in set.intersection(*sets) if number <= last), reverse=True)


def _says(name: str, asked: str) -> bool:
    """Whether all the words are in the name, in any order.

    >>> _says("Straight flush", "flush STRAIGHT"), _says("Flush", "straight flush")
    (True, False)
    """
    folded = name.casefold()
    return all(word in folded for word in asked.casefold().split())


def _fits(found: RecordedRound, query: Query) -> bool:
    """Whether one player of the round fits everything that is asked about a player."""
    if not (query.player or query.hand or query.staked or query.won or query.amount):
        return True
    for player, (staked, won) in by_player(found.boxes).items():
        if query.player and not _says(player, query.player):
            continue
        if staked < query.staked or won < query.won or max(staked, won) < query.amount:
            continue
        if query.hand and not _held(found.boxes, player, query.hand):
            continue
        return True
    return False


def _held(boxes: tuple[Box, ...], player: str, hand: str) -> bool:
    return any(_says(bet.hand, hand) for box in boxes if box.player == player for bet in box.bets if bet.hand)
