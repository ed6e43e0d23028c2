"""Short shifts on every store, each with its own faults. The long ones are marked slow. Seed in, verdict out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.filing.submission import read_submission
from croupier.floor.verification.verify import Report, verify
from croupier.law.procedure import Irregularity
from croupier.shift.filings import filings, kinds
from croupier.shift.night import Night, NightResult, NightTask, run_night
from croupier.shift.people.players import TEMPERAMENTS
from croupier.shift.script import Fault, Then
from croupier.shift.shift import ShiftVerdict, plan_nights, run_shift
from croupier.shift.writers.stores import Store, temporary_log
from croupier.shift.writers.writer import InProcess
from croupier.table.state import offer_of
from tests.examples import mississippi_stud, thorough
from tests.recorders.server import server_url


def database(store: Store) -> str:
    return server_url() if store is Store.POSTGRES else ""


def told(verdict: ShiftVerdict) -> dict[str, Any]:
    return {key: value for key, value in verdict.plain().items() if key not in ("seconds", "rounds_per_second")}


def test_a_short_shift_of_every_edition_and_every_way_of_dealing() -> None:
    verdict = run_shift(plan_nights(7, len(kinds()), 300, Store.MEMORY), workers=1)
    assert verdict.holds, verdict.words()
    assert verdict.words() == "Nothing was lost or duplicated, and every account balances."
    assert len(verdict.kinds) == len(kinds()) == 30
    assert verdict.temperaments == set(TEMPERAMENTS)
    assert verdict.rounds >= 300
    assert verdict.counts["refused"] > 100
    assert verdict.counts["decisions lapsed"] > 0
    assert len(verdict.irregularities) > 3


@pytest.mark.thorough
def test_the_verdict_does_not_depend_on_the_number_of_workers() -> None:
    planned = plan_nights(3, 12, 30, Store.MEMORY)
    assert len(planned) == 2
    assert told(run_shift(planned, workers=1)) == told(run_shift(planned, workers=2))


@pytest.mark.parametrize("store", thorough([Store.SQLITE, Store.POSTGRES], unless=[Store.SQLITE]))
def test_a_short_shift_on_disk(store: Store) -> None:
    result = run_night(NightTask(5, 0, 0, range(9, 14), 30, store, database(store)))
    assert result.finding is None
    assert sum(result.faults[fault.value] for fault in Fault) > 0


@pytest.mark.parametrize("store", thorough([Store.SQLITE, Store.POSTGRES], unless=[Store.SQLITE]))
def test_a_writer_that_is_killed_has_kept_all_that_it_acknowledged(store: Store) -> None:
    result = run_night(NightTask(11, 0, 0, range(3, 5), 14, store, database(store), killed=True))
    assert result.finding is None
    assert result.faults[Then.KILL.value] > 0


@pytest.mark.thorough
def test_a_meter_read_next_to_a_killed_writer_is_up_to_date() -> None:
    """The night restarts once, which loads the meters of the reader next to the writer. Then wagers move the meters on."""
    result = run_night(plan_nights(7, 2, 60, Store.SQLITE, games=["649a"])[0])
    assert result.finding is None
    assert result.faults[Then.KILL.value] > 0


def test_the_same_night_is_the_same_on_every_store_without_faults() -> None:
    def plain(result: NightResult) -> tuple[object, ...]:
        return result.counts, result.irregularities, result.kinds

    nights = [run_night(NightTask(2, 0, 0, range(8, 11), 10, store, faults=False)) for store in (Store.MEMORY, Store.SQLITE)]
    assert plain(nights[0]) == plain(nights[1])


def test_a_disk_that_is_really_full() -> None:
    """SQLite really runs out of pages. Nothing unwritten is believed, and the night continues when there is room."""

    async def scene(url: str) -> Night:
        writer = InProcess(url)
        night = Night(NightTask(9, 0, 0, range(2), 12, Store.SQLITE, faults=False), writer)
        while night.pit.auditor.rounds < 4:
            await night._step(night.plays)
        pages = writer.recorder._writer  # type: ignore[attr-defined]
        (size,) = pages.execute("PRAGMA page_count").fetchone()
        pages.execute(f"PRAGMA max_page_count = {size}")
        for _ in range(60):
            await night._step(night.plays)
        assert night.pit.auditor.counts["not recorded"] > 10
        pages.execute("PRAGMA max_page_count = 1000000")
        await night.play()
        await writer.close()
        return night

    with temporary_log(Store.SQLITE) as url:
        assert asyncio.run(scene(url)).pit.auditor.rounds >= 12


@pytest.mark.parametrize("first", [0, 10, 20])
def test_the_log_of_a_night_verifies(first: int) -> None:
    """`croupier verify` decides every command again and gets the same events."""

    async def scene() -> Report:
        writer = InProcess("memory:")
        await Night(NightTask(31, 0, 0, range(first, first + 10), 20), writer).play()
        return verify(writer.recorder)

    report = asyncio.run(scene())
    assert report.holds, report.damage
    assert report.rounds >= 20


@pytest.mark.parametrize("seed", range(3))
def test_every_submission_is_valid_and_the_tables_of_an_edition_share_meters(seed: int) -> None:
    made = filings(str(seed), range(60))
    assert all(read_submission(filing.submission).offer for filing in made)
    streams = [stream for filing in made for stream in offer_of(filing.submission).linked.values()]
    assert len(set(streams)) < len(streams)


@pytest.mark.slow
def test_a_long_shift_raises_every_irregularity() -> None:
    verdict = run_shift(plan_nights(1, 60, 30_000, Store.MEMORY))
    assert verdict.holds, verdict.words()
    names = {rule.name for rules, _ in kinds() for rule in rules.of(Irregularity) if not rule.name.startswith("Stub count")}
    assert names <= set(verdict.irregularities)


@pytest.mark.slow
@pytest.mark.parametrize("store", [Store.SQLITE, Store.POSTGRES])
def test_a_longer_shift_on_disk(store: Store) -> None:
    verdict = run_shift(plan_nights(2, 30, 3_000, store, database(store)))
    assert verdict.holds, verdict.words()
    assert verdict.faults[Then.KILL.value] > 5


def test_a_chapter_outside_the_book_is_played_like_the_others() -> None:
    """Mississippi Stud folds and collects on each of three streets, and every bet but the ante is made by a decision."""
    mississippi_stud()
    verdict = run_shift(plan_nights(7, 3, 90, Store.MEMORY, games=["MS"]), workers=1)
    assert verdict.holds, verdict.words()
    assert verdict.rounds >= 90
    assert {kind.partition(",")[0] for kind in verdict.kinds} == {"MS 2026-11-17"}
