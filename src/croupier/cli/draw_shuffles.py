"""Output of the report on shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from croupier.cli.draw import _table, console
from croupier.odds.randomness.shuffle_tests import CONFIDENCE, ShuffleResult


def plain(found: Sequence[ShuffleResult], shuffles: int, cards: int, seed: int | None, file: str = "") -> dict[str, Any]:
    tests = [
        {
            "name": each.name,
            "about": each.about,
            "statistic": each.statistic,
            "degrees_of_freedom": each.degrees,
            "p": each.p,
            "p_adjusted": each.adjusted,
            "passes": each.passes,
        }
        for each in found
    ]
    heading = {"shuffles": shuffles, "cards": cards, "seed": seed, "file": file or None, "confidence": CONFIDENCE}
    return {**heading, "passes": all(each.passes for each in found), "tests": tests}


def report(found: Sequence[ShuffleResult], shuffles: int, cards: int, seed: int | None, file: str = "") -> None:
    source = f"from {file}" if file else "the operating system's generator" if seed is None else f"seed {seed}, a demonstration"
    console.print(Text(f"{shuffles:,} shuffles of {cards} cards, {source}", style="bold"))
    numbers = ("Statistic", "Degrees", "p", "p, all tests")
    table = _table("", "Test", "What it checks", *numbers, "", right=numbers)
    for each in found:
        verdict = Text("passes", style="green") if each.passes else Text("FAILS", style="bold red")
        figures = (f"{each.statistic:,.2f}", f"{each.degrees:,}", _chance(each.p), _chance(each.adjusted))
        table.add_row(each.name, each.about, *figures, verdict)
    console.print(table)
    failed, tests = sum(not each.passes for each in found), len(found)
    verdict_of_all = f"{failed} of {tests} tests fail: these shuffles are not random." if failed else f"All {tests} tests pass."
    console.print(f"{verdict_of_all} A test fails where “p, all tests” is {1 - CONFIDENCE:.2f} or less.")
    holm = f"Holm's method adjusts p for all {tests} tests, so good shuffles fail at most 1 report in 100."
    console.print(f"Confidence {CONFIDENCE:.0%} for the whole report: {holm}", soft_wrap=True)


def _chance(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"
