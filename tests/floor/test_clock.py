"""The floor's clock while the wall clock is set forward and back."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from croupier import book
from croupier.filing.template import example_submission as example
from croupier.floor.clock import Clock
from croupier.floor.dealer.pit import AT_ONCE
from croupier.floor.premises import Premises
from croupier.floor.registers.table_settings import TableSettings
from croupier.ledger.recorders.sqlite import SqliteReader
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.events import read_event
from croupier.table.state import State
from tests.floor.test_pit import until

T = "three-card-poker"
HOUR = 3_600_000  # milliseconds
START = 1_800_000_000_000
LIMIT = 5  # seconds for a decision


class Machine:
    """A machine's two clocks: the wall clock, which people set, and a monotonic one."""

    def __init__(self) -> None:
        self.set, self.gone = START, 0

    def wall(self) -> int:
        return self.set + self.gone

    def ticks(self) -> int:
        return 77 + self.gone

    def clock(self) -> Clock:
        return Clock(self.wall, self.ticks)


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_a_wall_clock_that_is_set_moves_nothing(machine: Machine) -> None:
    clock = machine.clock()
    for step in (HOUR, -HOUR, -HOUR, 2 * HOUR):
        before = clock()
        machine.set += step
        assert clock() == before
        machine.gone += 5000
        assert clock() == before + 5000


def test_each_step_is_reported_once(machine: Machine) -> None:
    clock = machine.clock()
    assert clock.stepped() == ""
    machine.set += HOUR
    assert clock.stepped().startswith("found the wall clock 1:00:00 ahead of the log’s time")
    machine.gone += HOUR
    assert clock.stepped() == ""
    machine.set -= 2 * HOUR
    assert clock.stepped().startswith("found the wall clock 1:00:00 behind the log’s time")
    machine.set += HOUR
    assert clock.stepped() == "found the wall clock and the log’s time in agreement again"
    machine.set += 400
    assert clock.stepped() == ""


async def floor(path: Path, machine: Machine) -> Premises:
    premises = Premises(str(path / "floor.db"), AT_ONCE, machine.clock())
    await premises.start()
    if not premises.table_settings:
        text = example(book.find("649a").edition()).replace("seconds = 90", f"seconds = {LIMIT}")
        filed = premises.filings.file(text, "administrator")
        premises.filings.approve(filed.id, "a second administrator", datetime.fromtimestamp(START / 1000, UTC).date())
        await premises.open(TableSettings(T, filed.id, practice=True, betting_seconds=30), "administrator")
    await until(lambda: T in premises.pit._watches and premises.pit._watches[T].ours_since)
    return premises


def state_of(premises: Premises) -> State:
    return premises.house.table(T).state


async def asked(premises: Premises) -> None:
    """Play until a player is asked for a decision."""
    if 1 not in state_of(premises).players:
        await premises.execute(T, say.Sit(seat=1, player="Ann"), "player:1")
        await premises.execute(T, say.BuyIn(seat=1, amount=dollars(1000)), "player:1")
    await until(lambda: state_of(premises).phase == "betting")
    await premises.execute(T, say.PlaceWager(seat=1, wager="Ante Wager", amount=dollars(10)), "player:1")
    premises.ready(T, 1)
    await until(lambda: (now := state_of(premises).round) and now.asked)


async def lapses_after(premises: Premises, machine: Machine, milliseconds: int) -> None:
    """Check that the pending decision lapses then, and not before."""
    machine.gone += milliseconds - 1
    premises.pit.wake(T)
    await asyncio.sleep(0.1)
    now = state_of(premises).round
    assert now is not None
    assert now.asked
    machine.gone += 1
    premises.pit.wake(T)
    await until(lambda: state_of(premises).round is None)


def times(path: Path, stream: str) -> list[int]:
    with closing(SqliteReader(path / "floor.db")) as log:
        return [read_event(entry.body).at for entry in log.read(stream)]


def test_a_decision_has_its_full_time_whatever_happens_to_the_wall_clock(tmp_path: Path, machine: Machine) -> None:
    async def main() -> None:
        premises = await floor(tmp_path, machine)
        await asked(premises)
        machine.set += HOUR
        await lapses_after(premises, machine, 1000 * LIMIT)
        machine.set -= HOUR
        await asked(premises)
        await lapses_after(premises, machine, 1000 * LIMIT)
        await premises.stop()

    asyncio.run(main())
    assert max(times(tmp_path, f"table/{T}")) == START + 2 * 1000 * LIMIT


def test_the_audit_says_where_the_wall_clock_stepped(tmp_path: Path, machine: Machine) -> None:
    async def main() -> None:
        premises = await floor(tmp_path, machine)
        machine.set -= HOUR
        await until(lambda: "1:00:00 behind" in premises.audit.lines().lines[0].what)
        assert premises.audit.lines().lines[0].at == START
        await premises.stop()

    asyncio.run(main())


def test_after_a_restart_the_log_goes_on_from_its_newest_time_and_a_decision_has_its_time_again(
    tmp_path: Path, machine: Machine
) -> None:
    async def main() -> None:
        premises = await floor(tmp_path, machine)
        machine.gone += 2000
        await asked(premises)
        machine.gone += 4000  # one second is left
        await premises.stop()
        machine.set -= HOUR
        machine.gone += 60_000
        premises = await floor(tmp_path, machine)
        assert START + 2000 <= premises.clock() <= START + 7000
        assert premises.pit.deadline(T) == premises.clock() + 1000 * LIMIT
        await lapses_after(premises, machine, 1000 * LIMIT)
        machine.set += 2 * HOUR
        await asked(premises)
        await premises.stop()
        premises = await floor(tmp_path, machine)
        assert premises.clock() == machine.wall()
        assert premises.pit.deadline(T) == premises.clock() + 1000 * LIMIT
        await lapses_after(premises, machine, 1000 * LIMIT)
        await premises.stop()

    asyncio.run(main())
    found = times(tmp_path, f"table/{T}")
    assert found == sorted(found)
