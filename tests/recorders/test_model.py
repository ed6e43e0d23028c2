"""A state machine: whatever is done to a recorder, it behaves like the one in memory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier.ledger import Entry, Recorder, Unit, canonical, follow, open_recorder
from croupier.ledger.recorders.memory import MemoryRecorder
from tests.recorders.conftest import place

STREAMS = ["table/T1", "table/T2", "meter/é"]
KEYS = ["", "", "a", "b", "c", "d", "e", "f"]
PARTS = st.lists(
    st.tuples(st.sampled_from(STREAMS), st.integers(0, 3), st.sampled_from([0, 0, 0, 0, 1, -1]), st.binary(max_size=4)), max_size=3
)
UNITS = st.lists(st.tuples(PARTS, st.sampled_from(KEYS), st.binary(max_size=4)), max_size=5)


class RecorderMachine(RuleBasedStateMachine):
    """Some units follow the head or each other, some are off by one or repeat a key. Both recorders judge them."""

    kind: ClassVar[str]
    keys: ClassVar[tuple[bytes, ...]] = ()  # keys by which the two recognize each other's entries

    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.url = place(self.kind, Path(self.folder.name))
        self.model = MemoryRecorder()
        self.recorder, self.second = self.opened(), self.opened()

    def opened(self, *, create: bool = True) -> Recorder:
        recorder = open_recorder(self.url, create=create)
        if self.keys:
            recorder.hold(*self.keys)
        return recorder

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.recorder.close()
            self.second.close()
            self.folder.cleanup()

    def build(self, drawn: list[Any]) -> list[Unit]:
        heads = {stream: self.model.head(stream) for stream in STREAMS}
        units = []
        for parts, key, reply in drawn:
            entries: list[Entry] = []
            for stream, value, off, sealed in parts:
                version, previous = heads[stream]
                entries.append(follow(stream, version + 1 + off, previous, canonical(value), sealed))
                heads[stream] = (entries[-1].version, entries[-1].hash)
            units.append(Unit(tuple(entries), key, reply))
        return units

    @rule(drawn=UNITS, second=st.booleans())
    def append(self, drawn: list[Any], second: bool) -> None:
        units = self.build(drawn)
        expected = self.model.append(units)
        outcome = (self.second if second else self.recorder).append(units)
        assert [str(conflict) for conflict in outcome] == [str(conflict) for conflict in expected]

    @rule(stream=st.sampled_from(STREAMS), version=st.integers(0, 9), state=st.binary(max_size=4))
    def save_snapshot(self, stream: str, version: int, state: bytes) -> None:
        for recorder in (self.model, self.recorder):
            recorder.save_snapshot(stream, version, state)

    @rule(checkpoint=st.binary(max_size=4))
    def save_checkpoint(self, checkpoint: bytes) -> None:
        previous = next(self.model.checkpoints(newest_first=True), b"")
        for recorder in (self.model, self.recorder):
            recorder.save_checkpoint(checkpoint, previous)

    @rule()
    def reopen(self) -> None:
        self.recorder.close()
        self.recorder = self.opened(create=False)

    @rule(stream=st.sampled_from(STREAMS), after=st.integers(0, 9), limit=st.none() | st.integers(0, 5))
    def read(self, stream: str, after: int, limit: int | None) -> None:
        assert list(self.recorder.read(stream, after, limit)) == list(self.model.read(stream, after, limit))

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "folder"):
            return
        assert self.recorder.streams() == self.model.streams()
        assert list(self.recorder.checkpoints()) == list(self.model.checkpoints())
        for stream in STREAMS:
            assert self.recorder.head(stream) == self.second.head(stream) == self.model.head(stream)
            assert self.recorder.snapshot(stream) == self.model.snapshot(stream)
        for key in KEYS:
            assert self.second.reply(key) == self.model.reply(key)


class SqliteMachine(RecorderMachine):
    kind = "sqlite"


class PostgresMachine(RecorderMachine):
    kind = "postgres"


class HeldMachine(PostgresMachine):
    keys = (bytes(32),)

    @rule()
    def hold(self) -> None:
        self.recorder.hold()
        assert self.recorder.heads() == self.model.heads()
        assert self.recorder.foreign() == {}


SETTINGS = settings(max_examples=15, stateful_step_count=25, suppress_health_check=list(HealthCheck))
TestSqlite = SqliteMachine.TestCase
TestPostgres = pytest.mark.thorough(PostgresMachine.TestCase)  # all of it is in the next one
TestHeld = HeldMachine.TestCase
TestSqlite.settings = TestPostgres.settings = TestHeld.settings = SETTINGS
