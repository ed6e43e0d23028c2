"""The pit: the automatic dealers at work. One task for each table does what its staff would do next, and minds the clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from croupier.cards import deck
from croupier.floor.automatic import PERSONS, AutomaticDealer, PracticeStaff, Wish
from croupier.floor.claims import Alone, Claims
from croupier.floor.house import Damaged, House
from croupier.floor.shuffling import OS, Source, below
from croupier.floor.standing import Standing
from croupier.law.cite import Refusal
from croupier.ledger.recorder import Conflict, NotRecorded, Unknown
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.idling import idles_at
from croupier.table.lapsing import lapses_at
from croupier.table.staking import verify_stakes
from croupier.table.state import Phase, Round, State
from croupier.table.waiting import floorperson_is_due

log = logging.getLogger("croupier.pit")
FULL_DECK = deck()
AT_HAND = 0.0  # seconds: the next step is to be taken at once
SECONDS_TO_TRY_AGAIN = 1.0  # after the ledger could not write
SECONDS_TO_ASK_AGAIN = 5.0  # for the table of another process, should that process end


@dataclass(frozen=True)
class Pace:
    """How long the dealer takes, in seconds, so that people can follow. A step without a name takes no time."""

    steps: dict[type[Command], float] = field(default_factory=dict)

    def after(self, command: Command) -> float:
        return self.steps.get(type(command), 0.0)


UNHURRIED = Pace({
    say.NoMoreBets: 0.3, say.DealCards: 1.0, say.DealCommunity: 0.5, say.TurnCard: 0.4, say.RevealDealer: 0.7,
    say.TurnHand: 0.4, say.SettleSeat: 0.5,
})  # fmt: skip
AT_ONCE = Pace()
SECONDS_TO_LOOK = 2.5  # at the settled hands before they are cleared; less if everybody is ready
SECONDS_TO_INSPECT = 3.0  # the cards of an idle table, or to ask for more of them; less if the player says so


@dataclass
class Watch:
    """What the pit remembers of a table that is no part of its log: who is ready, and since when wagers lie there."""

    wake: asyncio.Event = field(default_factory=asyncio.Event)
    ready: set[int] = field(default_factory=set)  # home seats
    wagers_since: int = 0  # milliseconds
    settled_since: int = 0
    arrived_since: int = 0  # the first player at an idle table
    drawn_for: int = 0  # the round for which the table game system has drawn
    draw: Wish | None = None  # and what, if anything: until it is written

    def forget(self) -> None:
        """What was said and seen of the round before."""
        self.ready.clear()
        self.wagers_since = self.settled_since = 0


class Pit:
    """Runs the tables whose standing says that the automatic dealer deals."""

    def __init__(
        self, house: House, standing: Callable[[str], Standing | None], pace: Pace = UNHURRIED, claims: Claims | None = None,
        source: Source = OS,
    ) -> None:  # fmt: skip
        self.house, self.standing, self.pace, self.claims = house, standing, pace, claims or Alone()
        self.source, self.dealer, self.practice = source, AutomaticDealer(source), PracticeStaff(source)
        self._watches: dict[str, Watch] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def run(self, table: str) -> None:
        """See to a table from now on."""
        if table not in self._tasks:
            self._tasks[table] = asyncio.create_task(self._run(table), name=f"dealer of {table}")

    async def close(self) -> None:
        """A step that is being taken is finished; no other is begun."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks.clear()
        self.claims.close()

    def wake(self, table: str) -> None:
        if watch := self._watches.get(table):
            watch.wake.set()

    def ready(self, table: str, seat: int) -> None:
        """A player has made the wagers that he wants to make."""
        if watch := self._watches.get(table):
            watch.ready.add(seat)
            watch.wake.set()

    def betting_until(self, table: str) -> int | None:
        """When wagers close, as far as this process knows."""
        watch, standing = self._watches.get(table), self.standing(table)
        if not watch or not watch.wagers_since or not standing or not standing.betting_seconds:
            return None
        return watch.wagers_since + 1000 * standing.betting_seconds

    async def _run(self, table: str) -> None:
        watch = self._watches.setdefault(table, Watch())
        while True:
            watch.wake.clear()
            try:
                wait = await self._step(table, watch)
            except Damaged as problem:  # it stays closed until the log is read anew
                log.error("damaged", extra={"table": table, "reason": str(problem)})
                return
            except Exception:  # a database that is away, or a fault of ours: the dealer does not leave the table for it
                log.exception("the dealer stumbled", extra={"table": table})
                wait = SECONDS_TO_TRY_AGAIN
            if wait != AT_HAND:
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await watch.wake.wait()

    async def _step(self, table: str, watch: Watch) -> float | None:
        """Do what comes next. The seconds until there is something to do again; None until somebody else has done something."""
        if not self._is_ours(table):
            watch.forget()
            return SECONDS_TO_ASK_AGAIN
        wish = self._next(self.house.table(table).state, watch, table)
        if not isinstance(wish, tuple):
            return wish
        return AT_HAND if await self._do(table, watch, *wish) else SECONDS_TO_TRY_AGAIN

    def _is_ours(self, table: str) -> bool:
        standing = self.standing(table)
        return standing is not None and standing.dealer == "automatic" and self.claims.take(table)

    async def _do(self, table: str, watch: Watch, by: str, command: Command) -> bool:
        """Take a step. It is not broken off halfway: what is sent to the ledger is also folded."""
        step = asyncio.ensure_future(self.house.execute(table, command, by, person=PERSONS[by]))
        try:
            await asyncio.shield(step)
        except asyncio.CancelledError:
            await asyncio.wait([step])
            raise
        except Refusal as refusal:  # somebody was faster, or the table needs a person
            log.info("refused", extra={"table": table, "command": command.name(), "reason": str(refusal)})
            watch.draw = None
            return False
        except (Conflict, NotRecorded, Unknown) as problem:
            log.warning("not written", extra={"table": table, "command": command.name(), "reason": str(problem)})
            return False
        if pause := self.pace.after(command):
            await asyncio.sleep(pause)
        return True

    # what comes next: a wish, or for how many seconds there is none

    def _next(self, table: State, watch: Watch, name: str) -> Wish | float | None:
        at, standing = self.house.clock(), self.standing(name)
        wish = (self.practice if standing and standing.practice_floorperson else self.dealer).next(table, at)
        if wish is None and floorperson_is_due(table, at):
            return None
        if table.phase is Phase.BETTING:
            watch.arrived_since = 0
            if watch.settled_since:  # who was ready had seen enough of the last round
                watch.forget()
            return wish or self._close_wagers(table, watch, name, at)
        watch.wagers_since = 0
        if table.round is not None and (drawn := self._draw(table, table.round, watch)):
            return drawn
        if wish and isinstance(wish[1], say.ClearCards | say.ViewDecks):
            cleared = isinstance(wish[1], say.ClearCards)
            return (self._let_them_look if cleared else self._let_them_inspect)(table, watch, at) or wish
        watch.ready.clear()
        if wish is None and table.phase is Phase.COMPLETING:
            return self._mind_the_clock(table, at)
        return wish

    def _close_wagers(self, table: State, watch: Watch, name: str, at: int) -> Wish | float | None:
        """“No more bets”, once all who wagered are ready or the time for wagers is over."""
        if not table.stakes:
            watch.wagers_since = 0
            watch.ready.clear()
            return _until(idles_at(table), at)
        watch.wagers_since = watch.wagers_since or at
        standing = self.standing(name)
        left = watch.wagers_since + 1000 * (standing.betting_seconds if standing else 0) - at
        everybody = set(table.boxes.values()) <= watch.ready
        if not everybody and (left > 0 or not (standing and standing.betting_seconds)):
            return left / 1000 if left > 0 else None
        for box, stakes in table.stakes.items():
            try:
                verify_stakes(table.offer, box, stakes, table.posted)
            except Refusal:
                return "dealer", say.ReturnWagers(seat=box)
        return self.dealer.no_more_bets(table)

    def _let_them_look(self, table: State, watch: Watch, at: int) -> float:
        """For how long the settled hands still lie there."""
        watch.settled_since = watch.settled_since or at
        if not self.pace.steps or set(table.boxes.values()) & table.players.keys() <= watch.ready:
            return 0.0
        return max(0.0, SECONDS_TO_LOOK - (at - watch.settled_since) / 1000)

    def _let_them_inspect(self, table: State, watch: Watch, at: int) -> float:
        """For how long the cards of an idle table still lie there for the player who has come (.5(f))."""
        watch.arrived_since = watch.arrived_since or at
        if not self.pace.steps or not any(deck.idle for deck in table.decks):
            return 0.0
        return max(0.0, SECONDS_TO_INSPECT - (at - watch.arrived_since) / 1000)

    def _mind_the_clock(self, table: State, at: int) -> float | None:
        """The seconds until the decision that is asked lapses; the dealer sees to it then."""
        return _until(lapses_at(table, table.round) if table.round else None, at)

    def _draw(self, table: State, current: Round, watch: Watch) -> Wish | None:
        """What the table game system draws for a round, before its first card; the same until it is written."""
        if current.drawn or current.void or current.dealt:
            return None
        if watch.drawn_for != current.number:
            watch.drawn_for, watch.draw = current.number, self._drawn(table, current)
        return watch.draw

    def _drawn(self, table: State, current: Round) -> Wish | None:
        """A magic card and a lucky position, each in one round of so many as the submission says."""
        electronic = {wager.key for wager in table.rules.wagers.values() if wager.electronic}
        if not electronic & {key for stakes in current.stakes.values() for key in stakes}:
            return None
        odds = table.offer.draws
        magic, lucky = (bool(odds.get(what)) and below(odds[what], self.source) == 0 for what in ("magic_card", "lucky"))
        if not magic and not lucky:
            return None
        places = [*map(str, table.rules.positions_drawn(current.stakes, table.offer.readings))]
        card = str(FULL_DECK[below(len(FULL_DECK), self.source)]) if magic else ""
        return "device", say.DrawBonus(magic_card=card, lucky=places[below(len(places), self.source)] if lucky else "")


def _until(over: int | None, at: int) -> float | None:
    """The seconds until a moment, and a little more if it is over; None for no moment."""
    return None if over is None else max(0.01, (over - at) / 1000)
