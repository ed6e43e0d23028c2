"""Run steps in a pit, show the auditor everything, and compare the house's state with its log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from croupier.floor.house.vault import Opener
from croupier.shift.audit.auditor import REFUSED, Auditor
from croupier.shift.audit.finding import AuditFinding, need
from croupier.shift.script import ScriptStep, Then, WriterAnswer
from croupier.shift.table_signs import signs_of
from croupier.shift.writers.writer import UNKNOWN, Writer
from croupier.table.state import State

RETRIES = 5  # of a client that got no definite answer
_bytes = msgspec.json.Encoder().encode


def _plain(thing: object) -> Any:
    """A command or a reply as plain data."""
    return msgspec.json.decode(_bytes(thing))


class AuditedPit:
    """Tables that share a log, a writer, and an auditor who watches both."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.auditor = Auditor(signs_of)
        self.incidents = writer.incidents
        self._bytes: dict[str, bytes] = {}

    def state(self, table: str) -> State:
        return self.writer.house.table(table).state

    async def step(self, step: ScriptStep) -> list[WriterAnswer]:
        """Carry out a step and check everything that can be checked after it."""
        for order in step.orders:
            self.auditor.sent(order.key, order.table, order.by, _plain(order.command.public()), order.person)
        if step.then in (Then.RESTART, Then.RESTART_BARE):
            await self.writer.restart(bare=step.then is Then.RESTART_BARE)
            self._same_as_before("the log")
        elif step.then in (Then.CRASH, Then.KILL):
            await self.writer.crash_during(step)
            step = msgspec.structs.replace(step, faults={})
        if step.then:
            self.incidents[step.then.value] += 1
        answers = await self._until_certain(step, await self.writer.send(step))
        tables = dict.fromkeys(order.table for order in step.orders)
        grown = self._follow(tables)
        self._judge(answers)
        for table in tables:
            self._compare(table, grew=table in grown)
        return answers

    async def _until_certain(self, step: ScriptStep, answers: list[WriterAnswer]) -> list[WriterAnswer]:
        """A client without a definite answer sends its command again with the same key."""
        for _ in range(RETRIES):
            again = [n for n, answer in enumerate(answers) if answer.failed == UNKNOWN]
            if not again:
                return answers
            self.incidents["retried after a lost connection"] += len(again)
            more = await self.writer.send(ScriptStep(step.at, tuple(step.orders[n] for n in again)))
            for n, answer in zip(again, more, strict=True):
                answers[n] = answer
        raise AuditFinding("house", f"no definite answer after {RETRIES} retries")

    def _follow(self, tables: Iterable[str]) -> set[str]:
        """Show the auditor what is new in the log. Returns the tables that grew."""
        grown = {table for table in tables if self._follow_stream(f"table/{table}")}
        for stream in self.auditor.feeders if grown else ():
            self._follow_stream(stream)
        self.auditor.check_meters()
        return grown

    def _follow_stream(self, stream: str) -> bool:
        before, opener = self.auditor.known(stream), Opener(self.writer.recorder, stream, self.writer.house.vault)
        for entry in self.writer.recorder.read(stream, before):
            orders = [_plain(order) for order in opener.open(entry).orders]
            self.auditor.entry(stream, entry.version, entry.body, entry.sealed, entry.hash, orders)
        return self.auditor.known(stream) > before

    def _judge(self, answers: list[WriterAnswer]) -> None:
        for n, answer in enumerate(answers):
            later = any(other.key == answer.key and other.reply for other in answers[n + 1 :])
            if answer.reply is not None:
                self.auditor.granted(answer.key, _plain(answer.reply))
            else:
                self.auditor.denied(answer.key, answer.failed or REFUSED, granted_later=later)

    def _compare(self, table: str, *, grew: bool) -> None:
        """Check the house's state of a table: it has the auditor's chips, and no byte changed unless the log grew."""
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
            raise AuditFinding("state", f"the house believes {words}", table)

    def _same_as_before(self, source: str) -> None:
        for table, before in self._bytes.items():
            now = _bytes(self.state(table))
            if now != before:
                raise AuditFinding(
                    "replay", f"the state rebuilt from {source} differs from the live one: {_difference(before, now)}", table
                )

    async def finish(self) -> None:
        """Rebuild everything from the log once more, without and with snapshots."""
        meters = {stream: (each.version, each.head, each.meter) for stream, each in self.writer.house.meters.items()}
        for bare in (True, False):
            await self.writer.restart(bare=bare)
            self._same_as_before("the whole log" if bare else "snapshot and log")
            for stream, shown in meters.items():
                again = self.writer.house.meter(stream)
                need((again.version, again.head, again.meter) == shown, "replay", f"{stream} differs from the live one")
        self.auditor.check_meters()
        self.auditor.check_closing()


async def run_script(writer: Writer, steps: Iterable[ScriptStep]) -> AuditFinding | None:
    """Run a script and return the auditor's finding, if any."""
    pit = AuditedPit(writer)
    try:
        for step in steps:
            await pit.step(step)
        await pit.finish()
    except AuditFinding as finding:
        return finding
    finally:
        await writer.close()
    return None


def _difference(before: bytes, now: bytes) -> str:
    """The parts of a state that differ, or the order of its parts."""
    live, again = msgspec.json.decode(before), msgspec.json.decode(now)
    parts = [f"{key} {live.get(key)} and {again.get(key)}" for key in {**live, **again} if live.get(key) != again.get(key)]
    return "; ".join(parts) or "the order of its parts"
