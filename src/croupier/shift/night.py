"""One night in one pit: tables open, play their rounds through every fault, and close, all from one seed."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass, field
from random import Random

from croupier.shift.audit.finding import AuditFinding
from croupier.shift.audited_pit import AuditedPit
from croupier.shift.filings import filings
from croupier.shift.people.table_play import TablePlay
from croupier.shift.script import Fault, Order, ScriptStep, Then
from croupier.shift.writers.stores import Store, temporary_log
from croupier.shift.writers.writer import InProcess, Remote, Writer
from croupier.table.state import Phase

START = 1_700_000_000_000  # milliseconds; any evening will do
HOUR = 3_600_000
REMEMBERED = 30  # recent orders that may arrive a second time
MOST_STEPS_A_ROUND = 2_000

# Shares of orders: sent twice at once, sent again later, held back.
TWICE, AGAIN, LATE = 0.01, 0.015, 0.01
# The recorder fails: share of orders, and share of steps for all their orders. The house fails: share of steps.
FAILS, STORMS, CRASHES, RESTARTS, RESTARTS_BARE, KILLS = 0.003, 0.002, 0.002, 0.001, 0.0003, 0.004
STEPS_BETWEEN_KILLS = 100
JUMPS = 0.0004  # share of steps at which the clock jumps


@dataclass(frozen=True)
class NightTask:
    """A pit for a night: everything that happens follows from this."""

    seed: int
    pit: int
    night: int
    tables: range
    rounds: int
    store: Store = Store.MEMORY
    database: str = ""
    faults: bool = True
    killed: bool = False  # the writer is a separate process, which is killed
    games: tuple[str, ...] = ()  # by their numbers; none for all

    @property
    def name(self) -> str:
        return f"{self.seed}/{self.pit}/{self.night}"


@dataclass
class NightResult:
    """What happened, counted, and what the auditor found."""

    counts: Counter[str] = field(default_factory=Counter)
    irregularities: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    temperaments: set[str] = field(default_factory=set)
    finding: AuditFinding | None = None
    steps: list[ScriptStep] = field(default_factory=list)  # kept only where something was found

    def add(self, other: NightResult) -> None:
        self.counts += other.counts
        self.irregularities += other.irregularities
        self.faults += other.faults
        self.kinds += other.kinds
        self.temperaments |= other.temperaments


def run_night(task: NightTask) -> NightResult:
    """Play a night. What the auditor finds is in the result, not an exception."""
    with temporary_log(task.store, task.database) as url:
        return asyncio.run(_run(task, url))


async def _run(task: NightTask, url: str) -> NightResult:
    writer: Writer = Remote(url, f"{task.name}/kill") if task.killed else InProcess(url)
    night = Night(task, writer)
    result = NightResult()
    try:
        await night.play()
    except AuditFinding as finding:
        result.finding, result.steps = finding, night.steps
    finally:
        await writer.close()
    auditor = night.pit.auditor
    result.counts = auditor.counts + Counter(rounds=auditor.rounds, steps=len(night.steps))
    result.irregularities = auditor.irregularities
    result.faults = writer.incidents
    for play in night.plays:
        if book := auditor.tables.get(play.filing.table):
            result.kinds[play.filing.kind] += book.chips.rounds
    result.temperaments = set().union(*(play.temperaments for play in night.plays))
    return result


class Night:
    """The simulated clock, the people at the tables, and random delays, repeats and losses of orders."""

    def __init__(self, task: NightTask, writer: Writer) -> None:
        self.task = task
        self.random = Random(f"{task.name}/night")
        self.pit = AuditedPit(writer)
        self.plays = [TablePlay(filing, task.name) for filing in filings(task.name, task.tables, task.games)]
        self.steps: list[ScriptStep] = []
        self.incidents = writer.incidents
        self._at = START
        self._late: list[tuple[int, Order]] = []
        self._recent: deque[Order] = deque(maxlen=REMEMBERED)

    async def play(self) -> None:
        most = MOST_STEPS_A_ROUND * self.task.rounds
        while self.pit.auditor.rounds < self.task.rounds and len(self.steps) < most:
            await self._step(self.plays)
        await self._close()
        await self.pit.finish()

    async def _close(self) -> None:
        """Finish the last rounds, let everyone leave, close the tables."""
        self._late.clear()
        for play in self.plays:
            play.closing = play.for_good = True
        for _ in range(MOST_STEPS_A_ROUND):
            open_still = [play for play in self.plays if self.pit.state(play.filing.table).phase is not Phase.CLOSED]
            if not open_still:
                return
            for play in open_still:
                play.closing = True
            await self._step(open_still)
        raise AuditFinding("stuck", "the tables cannot be closed", open_still[0].filing.table)

    async def _step(self, plays: list[TablePlay]) -> None:
        self._tick()
        orders = [
            order for play in plays for order in self._disturbed(play, play.next(self.pit.state(play.filing.table), self._at))
        ]
        step = ScriptStep(self._at, tuple(orders), self._faults(orders), self._then(orders))
        self.steps.append(step)
        answers = await self.pit.step(step)
        by_table = {play.filing.table: play for play in plays}
        for order, answer in zip(orders, answers, strict=True):
            by_table[order.table].on_answer(self.pit.state(order.table), order, answer)

    # chance

    def _tick(self) -> None:
        self._at += self.random.randint(200, 9_000)
        if self.task.faults and self.random.random() < JUMPS:
            forward = self.random.random() < 0.6
            self._at += self.random.randint(1, 9) * HOUR if forward else -self.random.randint(1, 5) * HOUR
            self.incidents["clock jumps forward" if forward else "clock jumps back"] += 1

    def _disturbed(self, play: TablePlay, orders: list[Order]) -> list[Order]:
        """Orders as they arrive: some late, some twice, some again later."""
        if not self.task.faults or play.for_good:
            return orders
        arrive: list[Order] = []
        for order in orders:
            pick = self.random.random()
            if pick < LATE and len(orders) == 1:
                self._late.append((len(self.steps) + self.random.randint(1, 12), order))
                self.incidents["order held back"] += 1
                continue
            arrive.append(order)
            self._recent.append(order)
            if pick > 1 - TWICE:
                arrive.append(order)
                self.incidents["order sent twice at once"] += 1
        return arrive + self._stragglers(play)

    def _stragglers(self, play: TablePlay) -> list[Order]:
        mine = [(due, order) for due, order in self._late if order.table == play.filing.table and due <= len(self.steps)]
        for each in mine:
            self._late.remove(each)
        arrive = [order for _, order in mine]
        if self.random.random() < AGAIN and (recent := [order for order in self._recent if order.table == play.filing.table]):
            arrive.append(self.random.choice(recent))
            self.incidents["order sent again later"] += 1
        return arrive

    def _faults(self, orders: list[Order]) -> dict[str, Fault]:
        if not self.task.faults or self.task.killed:  # a fault inside a killed writer would not be counted
            return {}
        if self.random.random() < STORMS:  # the disk or the network fails for everyone
            return dict.fromkeys((order.key for order in orders), self.random.choice(list(Fault)))
        return {order.key: self.random.choice(list(Fault)) for order in orders if self.random.random() < FAILS}

    def _then(self, orders: list[Order]) -> Then:
        if not self.task.faults:
            return Then.NOTHING
        pick, kills = self.random.random(), KILLS if self.task.killed and _one_a_table(orders) else 0.0
        if kills and len(self.steps) % STEPS_BETWEEN_KILLS == STEPS_BETWEEN_KILLS - 1:
            return Then.KILL
        shares = {Then.CRASH: CRASHES, Then.RESTART: RESTARTS, Then.RESTART_BARE: RESTARTS_BARE, Then.KILL: kills}
        for then, share in shares.items():
            if pick < share:
                return then
            pick -= share
        return Then.NOTHING


def _one_a_table(orders: list[Order]) -> bool:
    """Whether no table has two orders: a kill could come between them, and the seed does not control that."""
    return len({order.key for order in orders}) == len({order.table for order in orders})
