"""The shortest script that shows a finding: steps and orders are left out as long as the auditor still finds the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from croupier.shift.audit.finding import AuditFinding
from croupier.shift.audited_pit import run_script
from croupier.shift.script import ScriptHeading, ScriptStep, ShiftScript, Then
from croupier.shift.writers.stores import Store, temporary_log
from croupier.shift.writers.writer import InProcess

MOST_RUNS = 3_000
MOST_SECONDS = 120.0
LONGEST_RUN = 16  # steps: about a round of one player
Shows = Callable[[Sequence[ScriptStep]], bool]


def rerun(steps: Sequence[ScriptStep], store: Store = Store.MEMORY, database: str = "") -> AuditFinding | None:
    """Run a script on an empty log. Returns the auditor's finding, if any."""
    with temporary_log(store, database) as url:
        return asyncio.run(run_script(InProcess(url), steps))


def shrink(seed: int, steps: Sequence[ScriptStep], finding: AuditFinding, store: Store, database: str = "") -> ShiftScript:
    """Shrink in memory, which is fast, if the finding shows there; otherwise on the store where it was found."""
    alone = of_table(steps, finding.table) if finding.table else list(steps)
    for on in dict.fromkeys([Store.MEMORY, store]):
        shows = _within_limits(finding.check, on, database)
        start = next((tried for tried in (alone, list(steps)) if shows(tried)), None)
        if start is not None:
            kept = _plainer(_fewest(_one_by_one(start, shows), shows), shows)
            found = rerun(kept, on, database)
            return ShiftScript(ScriptHeading(seed=seed, store=on.value, finding=str(found or finding)), tuple(kept))
    return ShiftScript(
        ScriptHeading(seed=seed, store=store.value, finding=f"{finding} (not shown again by its script)"), tuple(alone)
    )


def of_table(steps: Iterable[ScriptStep], table: str) -> list[ScriptStep]:
    """The steps of one table alone."""
    mine = (msgspec.structs.replace(step, orders=tuple(each for each in step.orders if each.table == table)) for step in steps)
    return [step for step in mine if step.orders or step.then]


def _within_limits(check: str, store: Store, database: str) -> Shows:
    """A function that tells whether some steps still violate a check; always False once the limits are reached."""
    runs, end = iter(range(MOST_RUNS)), time.monotonic() + MOST_SECONDS

    def shows(steps: Sequence[ScriptStep]) -> bool:
        if time.monotonic() > end or next(runs, None) is None:
            return False
        found = rerun(steps, store, database)
        return found is not None and found.check == check

    return shows


def _one_by_one(steps: list[ScriptStep], shows: Shows) -> list[ScriptStep]:
    """Split orders that arrived together, if the finding still shows."""
    single = [part for step in steps for part in _parts(step)]
    return single if len(single) > len(steps) and shows(single) else steps


def _parts(step: ScriptStep) -> Iterator[ScriptStep]:
    if len(step.orders) < 2:
        yield step
        return
    for n, order in enumerate(step.orders):
        faults = {key: fault for key, fault in step.faults.items() if key == order.key}
        yield ScriptStep(step.at, (order,), faults, step.then if n == 0 else Then.NOTHING)


def _fewest(steps: list[ScriptStep], shows: Shows) -> list[ScriptStep]:
    """Delta debugging: leave out shorter and shorter runs of steps until every one is needed."""
    size = max(1, len(steps) // 2)
    while True:
        before = len(steps)
        steps = _without_runs(steps, size, size, shows)
        if size == 1 and len(steps) == before:
            break
        size = max(1, size // 2)
    for longer in range(min(LONGEST_RUN, len(steps) - 1), 1, -1):  # a whole round can often be left out when no single step can
        steps = _without_runs(steps, longer, 1, shows)
    return steps


def _without_runs(steps: list[ScriptStep], size: int, stride: int, shows: Shows) -> list[ScriptStep]:
    start = 0
    while start < len(steps):
        without = steps[:start] + steps[start + size :]
        if without and shows(without):
            steps = without
        else:
            start += stride
    return steps


def _plainer(steps: list[ScriptStep], shows: Shows) -> list[ScriptStep]:
    """Without faults and restarts that it does not need."""
    for n, step in enumerate(steps):
        for plain in (msgspec.structs.replace(step, faults={}), msgspec.structs.replace(step, then=Then.NOTHING)):
            if plain != step and shows([*steps[:n], plain, *steps[n + 1 :]]):
                steps[n] = plain
    return steps
