"""The commands for shuffles: test them, and print them with the bytes they were made of."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.answers import AsJson, patience, print_json, stop

if TYPE_CHECKING:
    from croupier.odds.randomness.shuffle_tests import ShuffleResult

USUAL = 200_000  # shuffles that a report makes unless you say how many
MOST = 100_000_000
WithJoker = Annotated[bool, typer.Option("--jokers", help="Use a deck of 53 cards with the joker.")]
WithSeed = Annotated[int | None, typer.Option("--seed", help="Use a repeatable generator with this seed, as a demonstration.")]


def register(app: typer.Typer) -> None:
    for name, command in (("rng-report", rng_report), ("rng-output", rng_output)):
        app.command(name, rich_help_panel="The floor")(command)


def rng_report(
    shuffles: Annotated[int, typer.Option(help="How many shuffles to make and test.")] = USUAL,
    jokers: WithJoker = False,
    seed: WithSeed = None,
    file: Annotated[
        Path | None,
        typer.Option("--from", help="Test the shuffles in this file instead, one deck to a line; - for standard input."),
    ] = None,
    confidence: Annotated[int, typer.Option(min=90, max=99, help="Confidence of the whole report, in percent.")] = 99,
    as_json: AsJson = False,
) -> None:
    """Test shuffles statistically, at 99% confidence for all tests together. Exit 1 if a test fails."""
    from croupier.cli import draw_shuffles

    if file and (shuffles != USUAL or jokers or seed is not None):
        stop("--from tests the shuffles of the file: leave out --shuffles, --jokers and --seed.")
    cards = 52 + jokers
    if file:
        shuffles, cards, found = _tested(file, as_json)
    else:
        found = _made_and_tested(shuffles, int(jokers), seed, as_json)
    heading = draw_shuffles.Heading(shuffles, cards, seed, str(file or ""), confidence / 100)
    if as_json:
        print_json(draw_shuffles.plain(found, heading))
    else:
        draw_shuffles.report(found, heading)
    raise typer.Exit(0 if all(each.passes_at(heading.confidence) for each in found) else 1)


def rng_output(
    shuffles: Annotated[int, typer.Option(min=1, max=MOST, help="How many decks to shuffle.")] = 1,
    jokers: WithJoker = False,
    raw: Annotated[
        Path | None, typer.Option(help="Write the bytes that the shuffles drew from the generator to this file.")
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write the shuffles to this file.")] = None,
    seed: WithSeed = None,
) -> None:
    """Print shuffles made as for play, one deck to a line, and keep the raw bytes they were made of."""
    from croupier.floor.house.shuffle_files import write_shuffles

    if raw and raw == out:
        stop("The shuffles and their bytes need two files.")
    for file in (raw, out):
        if file and file.exists():
            stop(f"{file} exists already. Name another file.")
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

    from croupier.cli.draw import bar
    from croupier.floor.house.shuffle_report import report

    _need_enough(shuffles)
    try:
        with patience(), bar("shuffles", shuffles, quiet=as_json) as watch:
            return report(shuffles, jokers=jokers, seed=seed, watch=watch)
    except (OSError, BrokenExecutor) as problem:
        stop(f"the processes that shuffle did not finish: {problem}")


def _tested(file: Path, as_json: bool) -> tuple[int, int, list[ShuffleResult]]:
    """How many shuffles a file has, of how many cards, and the results."""
    from croupier.cli.draw import bar
    from croupier.floor.house.shuffle_files import NotAShuffle, read_shuffles
    from croupier.floor.house.shuffle_report import report_on

    try:
        with patience(), nullcontext(sys.stdin) if str(file) == "-" else file.open(encoding="utf-8") as lines:
            jokers, orders = read_shuffles(lines)
            with bar("shuffles", quiet=as_json) as watch:
                shuffles, found = report_on(orders, jokers=jokers, watch=watch)
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
