"""The commands for the program as a whole: its fingerprint, and a simulated night of play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from croupier.cli.display import bar, console, print_rows
from croupier.cli.shared import FLOOR, AsJson, Books, print_json, rules_of, stop
from croupier.floor import program

if TYPE_CHECKING:
    from croupier.shift.shift import ShiftVerdict

COUNTED = (
    "rounds", "commands", "granted", "refused", "repeated", "not recorded", "cards", "paid from a meter", "paid at the cage",
    "on several boxes", "cut by a payout limit", "envy bonuses", "parts of a jackpot",
)  # fmt: skip

app = typer.Typer()


@app.command(rich_help_panel=FLOOR)
def fingerprint(
    expect: Annotated[str, typer.Option(help="The fingerprint you expect. Exit 1 if it differs.")] = "",
    files: Annotated[bool, typer.Option("--files", help="List the files with their hashes, as sha256sum does.")] = False,
) -> None:
    """Print the SHA-256 of the program's own files, to compare with the version that was examined."""
    found = program.files()
    made = program.fingerprint(found)
    for digest, name in found if files else ():
        print(f"{digest}  {name}")
    if not files:
        print(made)
    if expect and expect.lower() != made:
        stop(f"The program's fingerprint is {made}, not {expect}.", 1)


@app.command(rich_help_panel=FLOOR)
def shift(
    games: Annotated[
        list[str] | None, typer.Argument(help="The games to play, as numbers, names or chapter files. By default all.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for the whole night.")] = 7,
    tables: Annotated[
        int,
        typer.Option(
            min=1, max=1_000, help="How many tables to open. With 30 or more, every edition is dealt by every method it allows."
        ),
    ] = 50,
    rounds: Annotated[int, typer.Option(min=1, max=100_000_000, help="Rounds to play, all tables together.")] = 10_000,
    store: Annotated[str, typer.Option(help="Where to keep the log: memory, sqlite or postgres.")] = "memory",
    database: Annotated[
        str, typer.Option(help="The PostgreSQL database, or a folder for SQLite. By default a temporary one.")
    ] = "",
    faults: Annotated[bool, typer.Option(help="Inject crashes, lost writes, duplicates and clock jumps.")] = True,
    workers: Annotated[
        int, typer.Option(min=0, help="Worker processes; 0 for one per core. Their number does not change the verdict.")
    ] = 0,
    replay: Annotated[str, typer.Option(help="Run a script that an earlier shift printed.")] = "",
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a night of play with faults, checked by an independent auditor. Exit 1 if the auditor finds a problem."""
    from croupier.shift.script import NotAScript
    from croupier.shift.shift import plan_nights, run_shift
    from croupier.shift.writers.stores import NoStore, Store

    numbers = [rules_of(game).number for game in games or ()]
    try:
        if replay:
            raise typer.Exit(_replay(Path(replay)))
        if store not in list(Store):
            stop(f"“{store}” is not a store; use {', '.join(Store)}.")
        with bar("rounds", rounds) as report:
            nights = plan_nights(seed, tables, rounds, Store(store), database, faults=faults, games=numbers)
            found = run_shift(nights, workers, report)
    except (NotAScript, NoStore) as problem:
        stop(f"{problem}.")
    except KeyboardInterrupt:
        stop("Stopped without a verdict.")
    if as_json:
        print_json(found.plain())
    else:
        _print_verdict(found)
    raise typer.Exit(0 if found.holds else 1)


def _print_verdict(verdict: ShiftVerdict) -> None:
    from croupier.shift.script import write_script

    tables = f"{verdict.tables} table{'s' * (verdict.tables > 1)}"
    console.print(Text(f"Seed {verdict.seed}, {tables}, {verdict.store}", style="bold"))
    _print_counts("Counted", [(name, verdict.counts[name]) for name in COUNTED])
    by_heading = {
        "Irregularities": verdict.irregularities,
        "Faults": verdict.faults,
        "Rounds by edition and dealing method": verdict.kinds,
    }
    for heading, counts in by_heading.items():
        _print_counts(heading, sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    console.print(f"Temperaments: {', '.join(sorted(verdict.temperaments))}.", soft_wrap=True)
    speed = verdict.rounds / verdict.seconds if verdict.seconds else 0
    console.print(f"{verdict.rounds:,} rounds in {verdict.seconds:,.1f} s ({speed:,.0f} per second).")
    console.print(Text(verdict.words(), style="green" if verdict.holds else "bold red"), soft_wrap=True)
    if verdict.script:  # on plain lines: to be kept in a file and run again
        steps, orders = verdict.script.steps, sum(len(step.orders) for step in verdict.script.steps)
        length = f"{len(steps)} steps, {orders} orders"
        console.print(f"Shortest script that reproduces it ({length}); save it to a file for --replay:")
        print(write_script(verdict.script), end="")


def _print_counts(heading: str, counts: Sequence[tuple[str, int]]) -> None:
    print_rows("", [heading, "Times"], [(name, f"{often:,}") for name, often in counts], right=["Times"])


def _replay(path: Path) -> int:
    """Run a script again, on the store that it was shrunk on where that needs no address."""
    from croupier.shift.script import read_script
    from croupier.shift.shrink import rerun
    from croupier.shift.writers.stores import Store

    script = read_script(path)
    found = rerun(script.steps, Store.SQLITE if script.heading.store == Store.SQLITE else Store.MEMORY)
    for step in script.steps:
        for order in step.orders:
            console.print(Text(f"{order.table}  {order.by}: {type(order.command).name().replace('_', ' ')}"), soft_wrap=True)
    words = f"Reproduced: {found}" if found else "The script runs without a finding."
    console.print(Text(words, style="bold red" if found else "green"), soft_wrap=True)
    return 1 if found else 0
