"""The hands of players, for their own pages: read from the log in a separate thread, priced in the coach's child processes.

A finished round never changes, so priced hands are cached.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby, islice
from typing import TypeVar

from msgspec.structs import replace

from croupier.floor.hands.figures import player_figures
from croupier.floor.hands.played_hands import PlayedHand, PlayedHands, decisions_of, price_hand, with_prices
from croupier.floor.premises import Premises
from croupier.floor.processes.child_process import ChildFailed
from croupier.floor.surveillance.replay import Frames
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.floor.surveillance.search import HandFilter, Key, cursor_of, read_cursor, rounds_of
from croupier.ledger import Missing
from croupier.table.state import offer_of
from croupier.web.live.table_view import felt
from croupier.web.workers.coach import Coach
from croupier.web.workers.jobs import Jobs
from croupier.web.workers.odds_worker import Edges
from croupier.wire import Figures, HandPage, HandReplay, PlayerHand

log = logging.getLogger("croupier.hands")
A = TypeVar("A")
KEPT = 2000  # priced hands in memory
AT_ONCE = 25  # hands that are read together
SCANNED = 200  # rounds that one request looks at for mistakes
MOST_ROUNDS = 20_000  # of one player's figures
PATIENCE, PATIENCE_FOR_FILES = 3.0, 20.0  # seconds that a request waits for prices

HandKey = tuple[str, str, int]  # player, table, number


class PlayerHands:
    def __init__(self, premises: Premises, edges: Edges, coach: Coach) -> None:
        self.premises, self.edges, self.coach, self.records = premises, edges, coach, premises.records
        self._played = PlayedHands(Frames(premises.recorder, self.records, premises.vault), self.records)
        self._thread = ThreadPoolExecutor(1, "hands")
        self._priced: Jobs[HandKey, PlayerHand] = Jobs(KEPT)

    async def _ask(self, work: Callable[[], A]) -> A:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def stop(self) -> None:
        await self._priced.stop()
        self._thread.shutdown(cancel_futures=True)

    # a page of hands

    async def page(self, player: str, wanted: HandFilter, cursor: str, limit: int, *, mistakes: bool = False) -> HandPage:
        """A page of hands; with `mistakes`, only those with a decision that cost something."""
        after, found, scanned = read_cursor(cursor), list[PlayerHand](), 0
        step = AT_ONCE if mistakes else limit
        while True:
            rounds = await self._ask(partial(self._chosen, player, wanted, after, step + 1))
            hands = await self.hands(player, [each for _, each in rounds[:step]])
            scanned += len(hands)
            taken = 0
            while taken < len(hands) and len(found) < limit:
                found += [hands[taken]] if not mistakes or hands[taken].cost != "0" else []
                taken += 1
            after = rounds[taken - 1][0] if taken else after
            more, pending = taken < len(rounds), any(map(is_pending, hands))
            if not more or len(found) == limit or scanned >= SCANNED or pending:
                return HandPage(tuple(found), cursor_of(after) if more and after else "", pending)

    def _chosen(self, player: str, wanted: HandFilter, after: Key | None, many: int) -> list[tuple[Key, RecordedRound]]:
        self.records.catch_up_all(self.premises.damaged)
        return list(islice(rounds_of(self.records, player, wanted, after), many))

    async def newest(self, player: str, wanted: HandFilter, many: int) -> list[PlayerHand]:
        """The newest hands, for a file. Those that are not priced in time say so."""
        rounds = [each for _, each in await self._ask(partial(self._chosen, player, wanted, None, many))]
        return await self.hands(player, rounds, PATIENCE_FOR_FILES)

    # reading and pricing

    async def hands(self, player: str, rounds: Sequence[RecordedRound], patience: float = PATIENCE) -> list[PlayerHand]:
        """These hands in order, each priced, or marked as pending after `patience` seconds."""
        keys = [(player, each.table, each.number) for each in rounds]
        done = {key: hand for key in keys if (hand := self._priced.kept(key))}
        read: dict[HandKey, PlayedHand] = {}
        lacking = [each for key, each in zip(keys, rounds, strict=True) if key not in done]
        for n in range(0, len(lacking), AT_ONCE):
            for each in await self._ask(partial(self._play, player, lacking[n : n + AT_ONCE])):
                read[player, each.hand.table, each.hand.number] = each
        if tasks := [self._priced.start(key, partial(self._price, each)) for key, each in read.items() if each.spots]:
            await asyncio.wait(tasks, timeout=patience)
        return [done.get(key) or self._priced.kept(key) or _unpriced(read[key]) for key in keys]

    def _play(self, player: str, rounds: Sequence[RecordedRound]) -> list[PlayedHand]:
        ordered = sorted(rounds, key=lambda each: (each.table, each.number))
        return [each for _, part in groupby(ordered, key=lambda each: each.table) for each in self._played.of(player, list(part))]

    async def _price(self, played: PlayedHand) -> PlayerHand:
        try:
            return await self.coach.call(played.hand.game, price_hand, played)
        except ChildFailed as problem:
            log.warning("no prices", extra={"game": played.hand.game, "reason": str(problem)})
            raise

    # figures, replays

    async def figures(self, player: str, wanted: HandFilter) -> Figures:
        found = [each for _, each in await self._ask(lambda: self._chosen(player, wanted, None, MOST_ROUNDS))]
        for submission in {self.records.opening(each.table, each.number).submission for each in found}:
            self.edges.want(submission)
        return await self._ask(lambda: player_figures(self.records, self.edges.of, player, reversed(found)))

    async def replay(self, player: str, table: str, number: int) -> HandReplay:
        """One round event by event, as its player saw it."""

        def work() -> HandReplay:
            found = self._find(player, table, number)
            rules = offer_of(submission := self.records.opening(table, number).submission).rules
            seat = next(box.seat for box in found.boxes if box.player == player)
            frames = self._played.replay(player, found)
            return HandReplay(table, rules.title, number, found.begun, seat, felt(submission, seat), frames)

        return await self._ask(work)

    async def need(self, player: str, table: str, number: int) -> None:
        """Missing, unless this player has finished this round."""
        await self._ask(lambda: self._find(player, table, number))

    def _find(self, player: str, table: str, number: int) -> RecordedRound:
        if table in self.premises.house.tables:
            self.records.catch_up(table)
        found = self.records.round(table, number) if 1 <= number <= self.records.count(table) else None
        if found is None or player not in found.net:
            raise Missing(f"You have no finished round {number} at table {table}.")
        return found


def _unpriced(played: PlayedHand) -> PlayerHand:
    return with_prices(played, [replace(each, pending=True) for each in decisions_of(played.hand)])


def mark_shared(page: HandPage, shared: set[tuple[str, int]]) -> HandPage:
    """A page with the hands marked that its player shares."""
    return replace(page, hands=tuple(replace(each, shared=(each.table, each.number) in shared) for each in page.hands))


def is_pending(hand: PlayerHand) -> bool:
    return any(each.pending for each in decisions_of(hand))
