"""Finds rounds, newest first: for surveillance by player, person, amount, hand and irregularity; for players their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from itertools import islice
from typing import Literal

import msgspec

from croupier.floor.surveillance.records import Records, TableRecords, by_player
from croupier.floor.surveillance.round_record import Box, RecordedRound
from croupier.money import Cents
from croupier.table.state import offer_of

LONGEST_PAGE = 500


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """Times are those of “no more bets”, in milliseconds, from `since` on and before `until`. Empty fields are ignored."""

    table: str = ""
    since: int = 0
    until: int = 0


class Query(Bounds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to search for; empty fields are ignored. Player, amounts and hand have to fit the same player.

    Amounts are for one player in one round: all they had at risk, or all they were paid on top of their stakes.
    """

    player: str = ""  # part of the name, in any case
    person: str = ""  # part of the name of anybody who acted in the round, staff included
    amount: Cents = 0  # staked or won, at least
    staked: Cents = 0
    won: Cents = 0
    hand: str = ""  # words of the ranking's row, as the settlement named it
    irregularity: str = ""  # words of its name
    irregular: bool = False  # any irregularity


Result = Literal["", "won", "lost", "even"]


class HandFilter(Bounds, frozen=True, kw_only=True):
    """Which of a player's rounds are wanted; empty fields are ignored."""

    game: str = ""  # the number of its chapter
    result: Result = ""


class RoundPage(msgspec.Struct, frozen=True):
    """Rounds, newest first. `cursor` requests the next page; it is empty on the last."""

    rounds: tuple[RecordedRound, ...]
    cursor: str = ""


class BadCursor(ValueError):
    """The cursor is not one that a search returned."""


Key = tuple[int, str, int]  # time, table, number: the order of rounds


def search(records: Records, query: Query, cursor: str = "", limit: int = 50) -> RoundPage:
    """The finished rounds that fit, newest first. Rounds that end between two pages do not shift later pages."""
    limit = max(1, min(limit, LONGEST_PAGE))
    rounds = _newest(records, query, lambda known: _candidates(known, query), read_cursor(cursor))
    page = list(islice(((key, found) for key, found in rounds if _fits(found, query)), limit + 1))
    more = cursor_of(page[limit - 1][0]) if len(page) > limit else ""
    return RoundPage(tuple(found for _, found in page[:limit]), more)


def rounds_of(records: Records, player: str, wanted: HandFilter, after: Key | None = None) -> Iterator[tuple[Key, RecordedRound]]:
    """The finished rounds of a player, newest first, from after a key on."""
    for key, found in _newest(records, wanted, lambda known: reversed(known.players.get(player, ())), after):
        net = found.net[player]
        result = "won" if net > 0 else "lost" if net < 0 else "even"
        game = offer_of(records.opening(found.table, found.number).submission).rules.number
        if wanted.result in ("", result) and wanted.game in ("", game):
            yield key, found


def _newest(
    records: Records, bounds: Bounds, numbers: Callable[[TableRecords], Iterable[int]], after: Key | None
) -> Iterator[tuple[Key, RecordedRound]]:
    """The finished rounds within bounds that have one of these numbers (the highest first), newest first, from after a key on."""

    def keys(table: str) -> Iterator[Key]:
        known = records.columns(table)
        last = len(known)
        for number in numbers(known):
            if number > last:  # it is just being added
                continue
            at = known.begun[number - 1]
            if at < bounds.since:
                return
            if (not bounds.until or at < bounds.until) and (after is None or (at, table, number) < after):
                yield at, table, number

    tables = [name for name in records.tables() if bounds.table in ("", name)]
    for key in merge(*map(keys, tables), reverse=True):
        yield key, records.round(key[1], key[2])


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


def _candidates(known: TableRecords, query: Query) -> Iterator[int]:
    """The numbers of the rounds of a table that may fit, by the columns alone, highest first."""
    for number in _listed(known, query):
        if _is_enough(known.staked[number - 1], known.won[number - 1], query):
            yield number


def _is_enough(staked: Cents, won: Cents, query: Query) -> bool:
    return staked >= query.staked and won >= query.won and max(staked, won) >= query.amount


def _listed(known: TableRecords, query: Query) -> Iterable[int]:
    """The numbers of the rounds that fit the lists of players, people, hands and irregularities, highest first."""
    words = ((query.player, known.players), (query.person, known.people), (query.hand, known.hands))
    asks = [each for each in (*words, (query.irregularity, known.irregular)) if each[0].strip()]
    asks += [("", known.irregular)] if query.irregular else []
    sets = [
        {number for name, rounds in list(lists.items()) if _has_words(name, asked) for number in rounds} for asked, lists in asks
    ]
    return sorted(set.intersection(*sets), reverse=True) if sets else range(len(known), 0, -1)


def _has_words(name: str, asked: str) -> bool:
    """Whether all the words are in the name, in any order.

    >>> _has_words("Straight flush", "flush STRAIGHT"), _has_words("Flush", "straight flush")
    (True, False)
    """
    folded = name.casefold()
    return all(word in folded for word in asked.casefold().split())


def _fits(round_: RecordedRound, query: Query) -> bool:
    """Whether one player of the round fits everything that is asked about a player."""
    return any(
        _has_words(player, query.player)
        and _is_enough(staked, won, query)
        and (not query.hand or _held(round_.boxes, player, query.hand))
        for player, (staked, won) in by_player(round_.boxes).items()
    )


def _held(boxes: tuple[Box, ...], player: str, hand: str) -> bool:
    return any(_has_words(bet.hand, hand) for box in boxes if box.player == player for bet in box.bets if bet.hand)
