"""A pit at work: steps are carried out, the auditor hears everything, and what the house believes is held against its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from croupier.floor.house import House
from croupier.shift.auditing.finding import Finding, need
from croupier.shift.auditor import Auditor
from croupier.shift.orders import Answer, Order, Step, Then
from croupier.shift.signs import signs_of
from croupier.shift.writers import NOT_RECORDED, UNKNOWN, Writer
from croupier.table.state import State

RETRIES = 5  # of a client that was told nothing certain
_bytes = msgspec.json.Encoder().encode


def _plain(thing: object) -> Any:
    """A command or a reply as anybody reads it."""
    return msgspec.json.decode(_bytes(thing))


class Pit:
    """Some tables that share a log, a writer, and an auditor who watches both."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.auditor = Auditor(signs_of)
        self.happened: Counter[str] = Counter()
        self._bytes: dict[str, bytes] = {}

    def state(self, table: str) -> State:
        return self.writer.house().table(table).state

    async def step(self, step: Step) -> list[Answer]:
        """Carry out a step and check everything that can be checked after it."""
        for order in step.orders:
            self.auditor.sent(order.key, order.table, order.by, _plain(order.command.public()), order.person)
        if step.then in (Then.RESTART, Then.RESTART_BARE):
            await self.writer.restart(bare=step.then is Then.RESTART_BARE)
            self._same_as_before("the log")
        elif step.then in (Then.CRASH, Then.KILL):
            await self.writer.struck(step)
            step = msgspec.structs.replace(step, faults={})
        if step.then:
            self.happened[step.then.value] += 1
        answers = await self._until_certain(step, await self.writer.send(step))
        tables = dict.fromkeys(order.table for order in step.orders)
        grown = self._follow(tables)
        self._judge(answers)
        for table in tables:
            self._compare(table, grew=table in grown)
        return answers

    async def _until_certain(self, step: Step, answers: list[Answer]) -> list[Answer]:
        """A client that cannot know sends its command again, with its key."""
        for _ in range(RETRIES):
            again = [n for n, answer in enumerate(answers) if answer.failed == UNKNOWN]
            if not again:
                return answers
            self.happened["retried after a lost connection"] += len(again)
            more = await self.writer.send(Step(step.at, tuple(step.orders[n] for n in again)))
            for n, answer in zip(again, more, strict=True):
                answers[n] = answer
        raise Finding("house", f"no certain answer after {RETRIES} repetitions")

    def _follow(self, tables: Iterable[str]) -> set[str]:
        """Show the auditor what is new in the log. The tables that grew."""
        grown = {table for table in tables if self._follow_stream(f"table/{table}")}
        for stream in self.auditor.feeders if grown else ():
            self._follow_stream(stream)
        self.auditor.agreed()
        return grown

    def _follow_stream(self, stream: str) -> bool:
        before = self.auditor.known(stream)
        for entry in self.writer.recorder.read(stream, before):
            self.auditor.entry(stream, entry.version, entry.body, entry.sealed, entry.hash)
        return self.auditor.known(stream) > before

    def _judge(self, answers: list[Answer]) -> None:
        for n, answer in enumerate(answers):
            later = any(other.key == answer.key and other.reply for other in answers[n + 1 :])
            if answer.reply is not None:
                self.auditor.granted(answer.key, _plain(answer.reply))
            elif answer.failed == NOT_RECORDED:
                self.auditor.not_recorded(answer.key, granted_later=later)
            else:
                self.auditor.refused(answer.key, granted_later=later)

    def _compare(self, table: str, *, grew: bool) -> None:
        """What the house believes of a table: the auditor's chips, and not one byte changed unless the log grew."""
        state = self.state(table)
        now = _bytes(state)
        need(grew or now == self._bytes.get(table, now), "refusal", "a refusal changed the state", table)
        self._bytes[table] = now
        need(state.version == self.auditor.known(f"table/{table}"), "state", f"version {state.version} is not the log's", table)
        believed = {account: cents for account, cents in state.accounts.items() if cents}
        counted = self.auditor.balances(table)
        if believed != counted:
            piles = sorted(pile for pile in {*believed, *counted} if believed.get(pile, 0) != counted.get(pile, 0))
            words = ", ".join(f"{pile} {believed.get(pile, 0)}, counted {counted.get(pile, 0)}" for pile in piles)
            raise Finding("state", f"the house believes {words}", table)

    def _same_as_before(self, source: str) -> None:
        for table, before in self._bytes.items():
            now = _bytes(self.state(table))
            if now != before:
                raise Finding("replay", f"the state from {source} is another than the live one: {_difference(before, now)}", table)

    async def finish(self) -> None:
        """Everything once more from the log, without snapshots and with them."""
        meters = _meters(self.writer.house())
        for bare in (True, False):
            await self.writer.restart(bare=bare)
            self._same_as_before("the whole log" if bare else "snapshot and log")
            for stream, shown in meters.items():
                again = self.writer.house().meter(stream)
                need((again.version, again.head, again.meter) == shown, "replay", f"{stream} is another than the live one")
        self.auditor.agreed()
        self.auditor.closed()


def _meters(house: House) -> dict[str, tuple[object, ...]]:
    return {stream: (keeper.version, keeper.head, keeper.meter) for stream, keeper in house.meters.items()}


async def replay(writer: Writer, steps: Iterable[Step]) -> Finding | None:
    """Run a script. What the auditor finds, if he finds anything."""
    pit = Pit(writer)
    try:
        for step in steps:
            await pit.step(step)
        await pit.finish()
    except Finding as finding:
        return finding
    finally:
        await writer.close()
    return None


def of_table(steps: Iterable[Step], table: str) -> list[Step]:
    """The steps of one table alone."""
    mine = (msgspec.structs.replace(step, orders=_orders(step, table)) for step in steps)
    return [step for step in mine if step.orders or step.then]


def _orders(step: Step, table: str) -> tuple[Order, ...]:
    return tuple(order for order in step.orders if order.table == table)


def _difference(before: bytes, now: bytes) -> str:
    """The parts of a state that differ, or the order of its parts."""
    live, again = msgspec.json.decode(before), msgspec.json.decode(now)
    parts = [f"{key} {live.get(key)} and {again.get(key)}" for key in {**live, **again} if live.get(key) != again.get(key)]
    return "; ".join(parts) or "the order of its parts"
