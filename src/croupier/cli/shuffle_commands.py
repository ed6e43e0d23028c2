"""The commands for shuffles: test them, and print them with the bytes they were made of."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from croupier.cli.display import bar, console, print_rows
from croupier.cli.shared import FLOOR, AsJson, print_json, progress_shown, stop

if TYPE_CHECKING:
    from croupier.odds.randomness.shuffle_tests import ShuffleResult

USUAL = 200_000  # shuffles that a report makes unless you say how many
MOST = 100_000_000
WithJoker = Annotated[bool, typer.Option("--jokers", help="Use a deck of 53 cards with the joker.")]
WithSeed = Annotated[int | None, typer.Option("--seed", help="Use a repeatable generator with this seed, as a demonstration.")]

app = typer.Typer()


@app.command(rich_help_panel=FLOOR)
def rng_report(
    shuffles: Annotated[int, typer.Option(help="How many shuffles to make and test.")] = USUAL,
    jokers: WithJoker = False,
    seed: WithSeed = None,
    file: Annotated[
        Path | None,
        typer.Option("--from", help="Test the shuffles in this file instead, one deck per line; - for standard input."),
    ] = None,
    confidence: Annotated[int, typer.Option(min=90, max=99, help="Confidence of the whole report, in percent.")] = 99,
    as_json: AsJson = False,
) -> None:
    """Test shuffles statistically, at 99% confidence for all tests together. Exit 1 if a test fails."""
    if file and (shuffles != USUAL or jokers or seed is not None):
        stop("--from tests the shuffles in the file, so leave out --shuffles, --jokers and --seed.")
    cards, surely = 52 + jokers, confidence / 100
    if file:
        shuffles, cards, found = _tested(file, as_json)
    else:
        found = _made_and_tested(shuffles, int(jokers), seed, as_json)
    passes = all(each.passes_at(surely) for each in found)
    if as_json:
        heading = {"shuffles": shuffles, "cards": cards, "seed": seed, "file": str(file) if file else None, "confidence": surely}
        print_json({**heading, "passes": passes, "tests": [_plain(each, surely) for each in found]})
    else:
        generator = "the operating system's generator" if seed is None else f"seed {seed}, a demonstration"
        source = f"from {file}" if file else generator
        console.print(Text(f"{shuffles:,} shuffles of {cards} cards, {source}", style="bold"))
        _print_report(found, surely)
    raise typer.Exit(0 if passes else 1)


def _plain(test: ShuffleResult, confidence: float) -> dict[str, Any]:
    return {
        "name": test.name,
        "about": test.about,
        "statistic": test.statistic,
        "degrees_of_freedom": test.degrees or None,
        "p": test.p,
        "p_adjusted": test.adjusted,
        "passes": test.passes_at(confidence),
    }


def _print_report(results: Sequence[ShuffleResult], confidence: float) -> None:
    numbers = ("Statistic", "Degrees", "p", "p, all tests")
    rows = []
    for each in results:
        verdict = Text("passes", style="green") if each.passes_at(confidence) else Text("FAILS", style="bold red")
        statistic = (f"{each.statistic:,.2f}", f"{each.degrees:,}") if each.degrees else (f"{each.statistic:.4f}", "–")
        rows.append((each.name, each.about, *statistic, _chance(each.p), _chance(each.adjusted), verdict))
    print_rows("", ["Test", "What it checks", *numbers, ""], rows, right=numbers)
    failed, tests = sum(not each.passes_at(confidence) for each in results), len(results)
    verdict_of_all = f"{failed} of {tests} tests fail: these shuffles are not random." if failed else f"All {tests} tests pass."
    console.print(f"{verdict_of_all} A test fails where “p, all tests” is {1 - confidence:.2f} or less.")
    fail = f"good shuffles fail at most 1 report in {round(1 / (1 - confidence))}"
    holm = f"Holm's method adjusts p for all {tests} tests, so {fail}."
    console.print(f"Confidence {confidence:.0%} for the whole report: {holm}", soft_wrap=True)


def _chance(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


@app.command(rich_help_panel=FLOOR)
def rng_output(
    shuffles: Annotated[int, typer.Option(min=1, max=MOST, help="How many decks to shuffle.")] = 1,
    jokers: WithJoker = False,
    raw: Annotated[
        Path | None, typer.Option(help="Write the bytes that the shuffles drew from the generator to this file.")
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write the shuffles to this file.")] = None,
    seed: WithSeed = None,
) -> None:
    """Print shuffles made as in play, one deck per line, and save the raw bytes they were made from."""
    from croupier.floor.house.shuffle_report import write_shuffles

    if raw and raw == out:
        stop("Write the shuffles and their bytes to different files.")
    for file in (raw, out):
        if file and file.exists():
            stop(f"{file} already exists. Name another file.")
    try:
        with (
            out.open("x", encoding="ascii") if out else nullcontext(sys.stdout) as to,
            raw.open("xb") if raw else nullcontext() as bytes_to,
        ):
            write_shuffles(shuffles, to, bytes_to, jokers=int(jokers), seed=seed)
    except OSError as problem:
        stop(f"The shuffles cannot be written: {problem.strerror}.")
    except KeyboardInterrupt:
        stop("Stopped.")


def _made_and_tested(shuffles: int, jokers: int, seed: int | None, as_json: bool) -> list[ShuffleResult]:
    from concurrent.futures import BrokenExecutor

    from croupier.floor.house.shuffle_report import shuffle_report

    _need_enough(shuffles)
    try:
        with progress_shown(), bar("shuffles", shuffles, quiet=as_json) as watch:
            return shuffle_report(shuffles, jokers=jokers, seed=seed, watch=watch)
    except (OSError, BrokenExecutor) as problem:
        stop(f"The shuffling processes did not finish: {problem}")


def _tested(file: Path, as_json: bool) -> tuple[int, int, list[ShuffleResult]]:
    """How many shuffles a file has, of how many cards, and the results."""
    from croupier.floor.house.shuffle_report import NotAShuffle, read_shuffles, report_on_shuffles

    try:
        with progress_shown(), nullcontext(sys.stdin) if str(file) == "-" else file.open(encoding="utf-8") as lines:
            jokers, orders = read_shuffles(lines)
            with bar("shuffles", quiet=as_json) as watch:
                shuffles, found = report_on_shuffles(orders, jokers=jokers, watch=watch)
    except OSError as problem:
        stop(f"{file} cannot be read: {problem.strerror}.")
    except UnicodeDecodeError:
        stop(f"{file} is not a text file.")
    except NotAShuffle as problem:
        stop(f"{file} cannot be tested: {problem}.")
    _need_enough(shuffles)
    return shuffles, 52 + jokers, found


def _need_enough(shuffles: int) -> None:
    from croupier.floor.house.shuffle_report import FEWEST

    if not FEWEST <= shuffles <= MOST:
        stop(f"{shuffles:,} shuffles cannot be tested; use {FEWEST:,} to {MOST:,}.")
