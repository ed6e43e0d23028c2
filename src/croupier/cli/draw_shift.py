"""What a night shift prints: a bar while it runs, the verdict, and the script of what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from croupier.cli.draw import _table, console
from croupier.shift.orders import read, write
from croupier.shift.shift import Progress as Report
from croupier.shift.shift import Verdict, length
from croupier.shift.shrinking import rerun
from croupier.shift.stores import Store

COUNTED = (
    "rounds", "commands", "granted", "refused", "repeated", "not recorded", "cards", "paid from a meter", "paid at the cage",
    "on several boxes", "cut by a payout limit", "envy bonuses", "parts of a jackpot",
)  # fmt: skip


@contextmanager
def progress(rounds: int) -> Iterator[Report]:
    """A bar on the error stream with an estimate of the time left; nothing where nobody watches."""
    columns = (TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, disable=not errors.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=rounds)
        yield lambda done: bar.advance(task, done)


def verdict(found: Verdict) -> None:
    counts = found.counts
    console.print(Text(f"Seed {found.seed}, {found.tables} tables, {found.store}", style="bold"))
    table = _table("", "What", "How often", right=("How often",))
    for name in COUNTED:
        table.add_row(name, f"{counts[name]:,}")
    console.print(table)
    _counted("Irregularities", found.irregularities)
    _counted("Faults", found.faults)
    _counted("Rounds by edition and way of dealing", found.kinds)
    console.print(f"Temperaments: {', '.join(sorted(found.temperaments))}.", soft_wrap=True)
    speed = found.rounds / found.seconds if found.seconds else 0
    console.print(f"{found.rounds:,} rounds in {found.seconds:,.1f} s, {speed:,.0f} a second.")
    console.print(Text(found.words(), style="green" if found.holds else "bold red"), soft_wrap=True)


def _counted(heading: str, counts: Counter[str]) -> None:
    if not counts:
        return
    table = _table("", heading, "How often", right=("How often",))
    for name, often in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        table.add_row(name, f"{often:,}")
    console.print(table)


def script(found: Verdict) -> None:
    """The shortest script, on plain lines: to be kept in a file and run again."""
    if found.script:
        console.print(f"The shortest script that shows it ({length(found.script)}); keep it in a file for --replay:")
        print(write(found.script), end="")


def replay(path: Path) -> int:
    """Run a script again, on the store that it was shrunk on where that needs no address."""
    told = read(path)
    store = Store(told.heading.store)
    found = rerun(told.steps, Store.SQLITE if store is Store.SQLITE else Store.MEMORY)
    for step in told.steps:
        for order in step.orders:
            console.print(Text(f"{order.table}  {order.by}: {type(order.command).name().replace('_', ' ')}"), soft_wrap=True)
    words = f"Found again: {found}" if found else "The script shows nothing wrong."
    console.print(Text(words, style="bold red" if found else "green"), soft_wrap=True)
    return 1 if found else 0
