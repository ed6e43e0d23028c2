"""What the commands on odds print for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from croupier.cli.draw import _rows, _table, console
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.odds.watching import COUNTING


def report(rules: Rules, data: dict[str, Any]) -> None:
    console.print(Text(f"{rules.title}, 58 Pa. Code Chapter {rules.number}, edition {data['edition']}", style="bold"))
    summary = _table("", "Wager", "Paytable", "Reading", "House edge", "Of all money", "Deviation", "Hits",
        right=["House edge", "Of all money", "Deviation", "Hits"])  # fmt: skip
    for entry in data["entries"]:
        figures = [f"{entry['edge_percent']:.4f}%", f"{entry['risk_percent']:.4f}%", f"{float(entry['standard_deviation']):.3f}"]
        summary.add_row(_name(entry), _letters(entry), _readings(entry), *figures, f"{entry['hit_frequency']:.2f}%")
    console.print(summary)
    if data["published"]:
        console.print(Text("Published figures", style="bold"))
        for line in data["published"]:
            console.print(f"  {line}")
        console.print()
    for entry in data["entries"]:
        _entry(entry)


def _name(entry: dict[str, Any]) -> str:
    wager: str = entry["wager"]
    return wager + (f" ({entry['on']}'s hand)" if entry.get("on") else "")


def _letters(entry: dict[str, Any]) -> str:
    own = {name: letter for name, letter in entry["paytables"].items() if name != entry["wager"]}
    letter: str = entry["paytables"].get(entry["wager"], "")
    return letter + ", ".join(f"{name} {letter}" for name, letter in own.items())


def _readings(entry: dict[str, Any]) -> str:
    return "; ".join(f"{name}: {alternative}" for name, alternative in entry["readings"].items())


def _entry(entry: dict[str, Any]) -> None:
    """One wager: the exact fraction, and each hand with its count and what it comes to."""
    title = " ".join(filter(None, [_name(entry), _letters(entry), _readings(entry)]))
    rows = [[each["hand"], f"{each['count']:,}", each["odds"]] for each in entry["outcomes"]]
    _rows(f"{title}: {entry['edge']}", ["Hand", "Deals", "Pays"], rows)
    if meter := entry["meter"]:
        even = f"; breaks even at ${meter['break_even']:,.2f}" if meter["break_even"] else "; more than it takes at any meter"
        console.print(f"  Returns {meter['base']} of the wager and {meter['per_dollar']} for each dollar on the meter{even}\n")


@contextmanager
def progress() -> Iterator[None]:
    """Show how far long counting has come, on a terminal only. A cached answer never gets here."""
    if not sys.stderr.isatty():
        yield
        return
    columns = (TextColumn("counting"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def watch(done: int, parts: int) -> None:
            bar.update(task, completed=done, total=parts)

        COUNTING.append(watch)
        try:
            yield
        finally:
            COUNTING.remove(watch)


def simulated(offer: Offer, rounds: int, seed: int, *, strategy: str, seats: int, cluster: str, quiet: bool) -> list[Any]:
    """Run a simulation with a progress bar."""
    from croupier.odds.simulation import simulate

    columns = (TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, disable=quiet or not console.is_terminal, transient=True) as progress:
        bar = progress.add_task("", total=rounds)
        return simulate(
            offer, rounds, seed, strategy=strategy, seats=seats, cluster=cluster, watch=lambda done: progress.advance(bar, done)
        )


def plain(each: Any) -> dict[str, Any]:
    return {
        "wager": each.wager,
        "rounds": each.rounds,
        "mean": f"{each.mean.numerator}/{each.mean.denominator}",
        "standard_deviation": f"{each.deviation:.6f}",
        "interval_99": None if each.error is None else f"{each.error:.8f}",
        "exact": f"{each.exact.numerator}/{each.exact.denominator}",
        "agrees": each.agrees,
    }


def simulation(rules: Rules, found: list[Any], seed: int) -> None:
    rows = [
        [
            each.wager,
            f"{each.rounds:,}",
            f"{-float(each.mean) * 100:.4f}%",
            "too few rounds" if each.error is None else f"± {each.error * 100:.4f}%",
            f"{-float(each.exact) * 100:.4f}%",
            {True: "agrees", False: "differs", None: ""}[each.agrees],
        ]
        for each in found
    ]
    heads = ["Wager", "Rounds", "Simulated edge", "99 of 100", "Exact edge", ""]
    _rows(f"{rules.title}, {rules.number}, seed {seed}", heads, rows)


def strategy(rules: Rules, found: Any) -> None:
    console.print(Text(f"{rules.title}, {rules.number}: best play, house edge {float(found.edge) * 100:.4f}%", style="bold"))
    for line in found.words:
        console.print(f"  {line}", soft_wrap=True)
    console.print()
    rows = [[each.name, f"{float(each.edge) * 100:.4f}%", f"{float(each.cost) * 100:.4f}%"] for each in found.simplified]
    _rows("Other ways to play", ["How", "House edge", "Costs"], rows)


def plain_strategy(rules: Rules, found: Any) -> dict[str, Any]:
    def exact(value: Any) -> str:
        return f"{value.numerator}/{value.denominator}"

    others = [{"name": each.name, "edge": exact(each.edge), "cost": exact(each.cost)} for each in found.simplified]
    return {
        "game": rules.number,
        "edition": rules.edition.name,
        "edge": exact(found.edge),
        "words": list(found.words),
        "simplified": others,
    }


def advice(found: list[Any]) -> None:
    rows = [[each.choice, f"{float(each.value):+.6f}", f"{each.value.numerator}/{each.value.denominator}"] for each in found]
    _rows("", ["Choice", "Worth, in units", "Exact"], rows)
