"""The pit: runs the automatic dealers. One task for each table does what its staff would do next, and watches the time."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from croupier.cards import deck
from croupier.floor.dealer.automatic_dealer import PERSONS, Action, AutomaticDealer, PracticeStaff
from croupier.floor.house.house import Damaged, House
from croupier.floor.house.shuffle import RandomSource, operating_system, random_below
from croupier.floor.processes.claims import Claims
from croupier.floor.registers.table_settings import TableSettings
from croupier.law.cite import Refusal
from croupier.ledger.recorders.recorder import Conflict, NotRecorded, Unknown
from croupier.table import commands as say
from croupier.table.accounts import chips, game_account
from croupier.table.choices.staff import blocking_task
from croupier.table.commands import Command
from croupier.table.rules.decks import idle_from
from croupier.table.rules.round_play import lapses_at
from croupier.table.rules.stakes import verify_stakes
from croupier.table.state import Phase, Round, State

log = logging.getLogger("croupier.pit")
FULL_DECK = deck()
AT_HAND = 0.0  # seconds: take the next step immediately
SECONDS_TO_TRY_AGAIN = 1.0  # after the ledger could not write
SECONDS_TO_ASK_AGAIN = 5.0  # for the table of another process; taking over its claim wakes the dealer


# How long the dealer takes for each step, in seconds, so that people can follow. Steps that are not listed take no time.
Pace = Mapping[type[Command], float]
UNHURRIED: Pace = {
    say.NoMoreBets: 0.3, say.DealCards: 1.0, say.DealCommunity: 0.5, say.TurnCard: 0.4, say.RevealDealer: 0.7,
    say.TurnHand: 0.4, say.SettleSeat: 0.5,
}  # fmt: skip
AT_ONCE: Pace = {}
SECONDS_TO_LOOK = 2.5  # at settled hands before they are cleared; less if everybody is ready
SECONDS_TO_INSPECT = 3.0  # the cards of an idle table, or to ask for more time; less if the player says so


@dataclass
class TableWatch:
    """What the pit remembers about a table beyond its log: who is ready, and since when there are wagers."""

    wake: asyncio.Event = field(default_factory=asyncio.Event)
    ready: set[int] = field(default_factory=set)  # home seats: their wagers are made, or they sit this round out
    absent: set[int] = field(default_factory=set)  # home seats that let a whole betting time pass; not waited for until they act
    changed: dict[int, int] = field(default_factory=dict)  # home seats, and the version of their last change of a wager
    ours_since: int = 0  # milliseconds: since when this process deals; 0 while another does
    wagers_since: int = 0
    settled_since: int = 0
    arrived_since: int = 0  # the first player at an idle table
    drawn_for: int = 0  # the round for which the table game system has drawn
    draw: Action | None = None  # what it drew, if anything, until it is written
    rounds: int = 0  # of the table: which round all this is about
    dealing: bool = False  # a step is being taken, and the next may follow without a pause

    def stand_by(self, state: State) -> None:
        """Let another process deal, but remember who is ready: that process may end before it says “no more bets”."""
        self.follow(state)
        if state.phase is not Phase.BETTING:
            self.forget()
        self.ours_since = 0

    def follow(self, state: State) -> None:
        """Forget what was noted about an earlier round."""
        if state.rounds != self.rounds:
            self.forget()
            self.rounds = state.rounds

    def forget(self) -> None:
        """Forget the previous round."""
        self.ready.clear()
        self.changed.clear()
        self.wagers_since = self.settled_since = 0


class Pit:
    """Runs the tables whose settings say that the automatic dealer deals."""

    def __init__(
        self, house: House, settings_of: Callable[[str], TableSettings | None], pace: Pace = UNHURRIED,
        claims: Claims | None = None, source: RandomSource = operating_system,
    ) -> None:  # fmt: skip
        self.house, self.settings_of, self.pace, self.claims = house, settings_of, pace, claims or Claims()
        self.source, self.dealer, self.practice = source, AutomaticDealer(source), PracticeStaff(source)
        self.on_claim: list[Callable[[str], None]] = []  # called with each table that this process begins to deal
        self._watches = defaultdict[str, TableWatch](TableWatch)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._keeping: asyncio.Task[None] | None = None

    def run(self, table: str) -> None:
        """Run a table from now on."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self.claims.keep(self._on_claim), name="claims")
        if table not in self._tasks:
            self._tasks[table] = asyncio.create_task(self._run(table), name=f"dealer of {table}")

    async def close(self) -> None:
        """Finish the current step of each table and begin no other."""
        tasks = [*self._tasks.values(), *([self._keeping] if self._keeping else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        await asyncio.to_thread(self.claims.close)

    def wake(self, table: str) -> None:
        self._watches[table].wake.set()

    def _on_claim(self, table: str) -> None:
        self.wake(table)
        for listener in self.on_claim:
            listener(table)

    def ready(self, table: str, seat: int, version: int) -> None:
        """Note that a player has made all the wagers they want, possibly none, as of a version of the table."""
        watch = self._watches[table]
        watch.follow(self.house.table(table).state)
        if version >= watch.changed.get(seat, 0):  # they have not changed a wager since
            watch.ready.add(seat)
        watch.absent.discard(seat)
        watch.wake.set()

    def unready(self, table: str, seat: int, version: int) -> None:
        """Note that a player has changed a wager and may want to make more, or that the seat has another player."""
        watch = self._watches[table]
        watch.follow(self.house.table(table).state)
        watch.ready.discard(seat)
        watch.absent.discard(seat)
        watch.changed[seat] = version

    def ready_seats(self, table: str) -> tuple[int, list[int]]:
        """The seats of the players who are ready, and after how many rounds of the table."""
        watch = self._watches[table]
        return watch.rounds, sorted(watch.ready)

    def is_dealing(self, table: str) -> bool:
        """Whether the dealer of this process is about to change the table."""
        return self._watches[table].dealing

    def betting_until(self, table: str) -> int | None:
        """When wagers close, as far as this process knows."""
        since, settings = self._watches[table].wagers_since, self.settings_of(table)
        return since + 1000 * settings.betting_seconds if since and settings and settings.betting_seconds else None

    def deadline(self, table: str) -> int | None:
        """When the decision that is asked lapses. One that was asked before this dealer took over gets its whole time again."""
        state = self.house.table(table).state
        if state.round is None or (over := lapses_at(state, state.round)) is None:
            return None
        return over + max(0, self._watches[table].ours_since - state.round.asked_at)

    async def _run(self, table: str) -> None:
        watch = self._watches[table]
        while True:
            watch.wake.clear()
            try:
                wait = await self._step(table, watch)
            except Damaged as problem:  # it stays closed until the log is read again
                log.error("damaged", extra={"table": table, "reason": str(problem)})
                watch.dealing = False
                return
            except Exception:  # the database may be unreachable; whatever failed, the dealer keeps trying
                log.exception("the dealer failed", extra={"table": table})
                wait = SECONDS_TO_TRY_AGAIN
            if wait != AT_HAND:
                watch.dealing = False
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await watch.wake.wait()

    async def _step(self, table: str, watch: TableWatch) -> float | None:
        """Do what comes next. Return the seconds until the next step; None to wait until somebody else acts."""
        state = self.house.table(table).state
        if not self._is_ours(table):
            watch.stand_by(state)
            return SECONDS_TO_ASK_AGAIN
        watch.follow(state)
        watch.ours_since = watch.ours_since or self.house.clock()
        action = self._next(state, watch, table)
        if not isinstance(action, tuple):
            return action
        return AT_HAND if await self._do(table, watch, *action) else SECONDS_TO_TRY_AGAIN

    def _is_ours(self, table: str) -> bool:
        settings = self.settings_of(table)
        return settings is not None and settings.dealer == "automatic" and self.claims.take(table)

    async def _do(self, table: str, watch: TableWatch, by: str, command: Command) -> bool:
        """Take a step. Cancellation waits for it, so that what is written is also folded."""
        watch.dealing = True
        step = asyncio.ensure_future(self.house.execute(table, command, by, person=PERSONS[by]))
        try:
            await asyncio.shield(step)
        except asyncio.CancelledError:
            await asyncio.wait([step])
            raise
        except Refusal as refusal:  # somebody acted first, or the table needs a person
            log.info("refused", extra={"table": table, "command": command.name(), "reason": str(refusal)})
            watch.draw = None
            return False
        except (Conflict, NotRecorded, Unknown) as problem:
            log.warning("not written", extra={"table": table, "command": command.name(), "reason": str(problem)})
            return False
        if pause := self.pace.get(type(command)):
            watch.dealing = False
            await asyncio.sleep(pause)
        return True

    # what comes next: an action, or the seconds to wait

    def _next(self, state: State, watch: TableWatch, table: str) -> Action | float | None:
        at, settings = self.house.clock(), self.settings_of(table)
        action = (self.practice if settings and settings.practice_floorperson else self.dealer).next(state, at)
        if action is None and blocking_task(state, at):
            return None
        if state.phase is Phase.BETTING:
            watch.arrived_since = 0
            if watch.settled_since:  # “ready” was about the last round
                watch.forget()
            return action or self._close_wagers(state, watch, table, at)
        watch.wagers_since = 0
        if state.round is not None and (drawn := self._draw(state, state.round, watch)):
            return drawn
        if action and isinstance(action[1], say.ClearCards | say.ViewDecks):
            return self._pause(state, watch, action[1], at) or action
        watch.ready.clear()
        if state.phase is Phase.COMPLETING and (action is None or isinstance(action[1], say.LapseDecision)):
            over = self.deadline(table)
            return action if action and over is not None and over <= at else _until(over, at)
        return action

    def _close_wagers(self, state: State, watch: TableWatch, table: str, at: int) -> Action | float | None:
        """“No more bets”, once everybody at the table is ready or the time is over."""
        if not state.stakes:
            watch.wagers_since = 0
            return _until(idle_from(state), at)
        watch.wagers_since = watch.wagers_since or at
        settings = self.settings_of(table)
        seconds = settings.betting_seconds if settings else 0
        left = watch.wagers_since + 1000 * seconds - at
        waited_for = _waited_for(state, watch.absent, limited=seconds > 0)
        if not waited_for <= watch.ready and (left > 0 or not seconds):
            return left / 1000 if left > 0 else None
        watch.absent |= waited_for - watch.ready - set(state.boxes.values())
        for box, stakes in state.stakes.items():
            try:
                verify_stakes(state.offer, box, stakes, state.posted)
            except Refusal:
                return "dealer", say.ReturnWagers(seat=box)
        return self.dealer.no_more_bets(state)

    def _pause(self, state: State, watch: TableWatch, command: Command, at: int) -> float:
        """How many more seconds players have to look at settled hands or, on arrival, at the cards of an idle table (.5(f))."""
        if isinstance(command, say.ClearCards):
            since = watch.settled_since = watch.settled_since or at
            seconds, skips = SECONDS_TO_LOOK, set(state.boxes.values()) & state.players.keys() <= watch.ready
        else:
            since = watch.arrived_since = watch.arrived_since or at
            seconds, skips = SECONDS_TO_INSPECT, not any(deck.idle for deck in state.decks)
        return 0.0 if skips or not self.pace else max(0.0, seconds - (at - since) / 1000)

    def _draw(self, state: State, current: Round, watch: TableWatch) -> Action | None:
        """What the table game system draws for a round before its first card. It stays the same until it is written."""
        if current.drawn or current.void or current.dealt:
            return None
        if watch.drawn_for != current.number:
            watch.drawn_for, watch.draw = current.number, self._drawn(state, current)
        return watch.draw

    def _drawn(self, state: State, current: Round) -> Action | None:
        """A card and a position, each as often as the submission says."""
        asking = {settlement.wager.key for settlement in state.rules.settlements if settlement.drawn}
        if not asking & {key for stakes in current.stakes.values() for key in stakes}:
            return None
        often = {fact.of_position: state.offer.draws.get(key, 0) for key, fact in state.rules.draws.items()}
        drawn = {kind for kind, rounds in often.items() if rounds and random_below(rounds, self.source) == 0}
        magic, lucky = False in drawn, True in drawn
        if not magic and not lucky:
            return None
        places = [*map(str, state.rules.positions_drawn(current.stakes, state.offer.readings))]
        card = str(FULL_DECK[random_below(len(FULL_DECK), self.source)]) if magic else ""
        return "device", say.DrawBonus(magic_card=card, lucky=places[random_below(len(places), self.source)] if lucky else "")


def _waited_for(state: State, absent: set[int], *, limited: bool) -> set[int]:
    """The seats that may still wager: those with a wager and, where the time is limited, all with chips that are not absent."""
    able = {seat for seat in state.players if limited and (state.balance(chips(seat)) or state.balance(game_account(seat)))}
    return (able - absent) | set(state.boxes.values())


def _until(over: int | None, at: int) -> float | None:
    """Seconds until a time, always positive; None if there is no such time."""
    return None if over is None else max(0.01, (over - at) / 1000)
