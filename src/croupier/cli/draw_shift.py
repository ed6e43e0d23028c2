"""Output of the night shift: the verdict, and the script that reproduces a finding."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.text import Text

from croupier.cli.draw import _table, console
from croupier.shift.script import read, write
from croupier.shift.shift import ShiftVerdict, length
from croupier.shift.shrink import rerun
from croupier.shift.writers.stores import Store

COUNTED = (
    "rounds", "commands", "granted", "refused", "repeated", "not recorded", "cards", "paid from a meter", "paid at the cage",
    "on several boxes", "cut by a payout limit", "envy bonuses", "parts of a jackpot",
)  # fmt: skip


def verdict(found: ShiftVerdict) -> None:
    counts = found.counts
    console.print(Text(f"Seed {found.seed}, {found.tables} tables, {found.store}", style="bold"))
    table = _table("", "Counted", "Times", right=("Times",))
    for name in COUNTED:
        table.add_row(name, f"{counts[name]:,}")
    console.print(table)
    _counted("Irregularities", found.irregularities)
    _counted("Faults", found.faults)
    _counted("Rounds by edition and dealing method", found.kinds)
    console.print(f"Temperaments: {', '.join(sorted(found.temperaments))}.", soft_wrap=True)
    speed = found.rounds / found.seconds if found.seconds else 0
    console.print(f"{found.rounds:,} rounds in {found.seconds:,.1f} s ({speed:,.0f} per second).")
    console.print(Text(found.words(), style="green" if found.holds else "bold red"), soft_wrap=True)


def _counted(heading: str, counts: Counter[str]) -> None:
    if not counts:
        return
    table = _table("", heading, "Times", right=("Times",))
    for name, often in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        table.add_row(name, f"{often:,}")
    console.print(table)


def script(found: ShiftVerdict) -> None:
    """The shortest script, on plain lines: to be kept in a file and run again."""
    if found.script:
        console.print(f"Shortest script that reproduces it ({length(found.script)}); save it to a file for --replay:")
        print(write(found.script), end="")


def replay(path: Path) -> int:
    """Run a script again, on the store that it was shrunk on where that needs no address."""
    told = read(path)
    store = Store(told.heading.store)
    found = rerun(told.steps, Store.SQLITE if store is Store.SQLITE else Store.MEMORY)
    for step in told.steps:
        for order in step.orders:
            console.print(Text(f"{order.table}  {order.by}: {type(order.command).name().replace('_', ' ')}"), soft_wrap=True)
    words = f"Reproduced: {found}" if found else "The script runs without a finding."
    console.print(Text(words, style="bold red" if found else "green"), soft_wrap=True)
    return 1 if found else 0
