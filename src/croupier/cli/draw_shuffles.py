"""Output of the report on shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from croupier.cli.draw import _table, console
from croupier.odds.randomness.shuffle_tests import ShuffleResult


@dataclass(frozen=True)
class Heading:
    """What was tested, and how strictly."""

    shuffles: int
    cards: int
    seed: int | None
    file: str
    confidence: float


def plain(found: Sequence[ShuffleResult], of: Heading) -> dict[str, Any]:
    tests = [
        {
            "name": each.name,
            "about": each.about,
            "statistic": each.statistic,
            "degrees_of_freedom": each.degrees or None,
            "p": each.p,
            "p_adjusted": each.adjusted,
            "passes": each.passes_at(of.confidence),
        }
        for each in found
    ]
    heading = {"shuffles": of.shuffles, "cards": of.cards, "seed": of.seed, "file": of.file or None, "confidence": of.confidence}
    return {**heading, "passes": all(test["passes"] for test in tests), "tests": tests}


def report(found: Sequence[ShuffleResult], of: Heading) -> None:
    generator = "the operating system's generator" if of.seed is None else f"seed {of.seed}, a demonstration"
    source = f"from {of.file}" if of.file else generator
    console.print(Text(f"{of.shuffles:,} shuffles of {of.cards} cards, {source}", style="bold"))
    numbers = ("Statistic", "Degrees", "p", "p, all tests")
    table = _table("", "Test", "What it checks", *numbers, "", right=numbers)
    for each in found:
        verdict = Text("passes", style="green") if each.passes_at(of.confidence) else Text("FAILS", style="bold red")
        statistic = (f"{each.statistic:,.2f}", f"{each.degrees:,}") if each.degrees else (f"{each.statistic:.4f}", "–")
        table.add_row(each.name, each.about, *statistic, _chance(each.p), _chance(each.adjusted), verdict)
    console.print(table)
    failed, tests = sum(not each.passes_at(of.confidence) for each in found), len(found)
    verdict_of_all = f"{failed} of {tests} tests fail: these shuffles are not random." if failed else f"All {tests} tests pass."
    console.print(f"{verdict_of_all} A test fails where “p, all tests” is {1 - of.confidence:.2f} or less.")
    fail = f"good shuffles fail at most 1 report in {round(1 / (1 - of.confidence))}"
    holm = f"Holm's method adjusts p for all {tests} tests, so {fail}."
    console.print(f"Confidence {of.confidence:.0%} for the whole report: {holm}", soft_wrap=True)


def _chance(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"
