"""Measure Croupier next to other libraries in one run, and write docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from random import Random

import eval7
import numpy as np
import pyspiel
from phevaluator import evaluate_cards
from pokerkit import Automation, FixedLimitTexasHoldem, StandardHighHand
from treys import Card as TreysCard
from treys import Evaluator as TreysEvaluator

from croupier import book
from croupier.filing.check import check
from croupier.odds.evaluator import evaluate
from croupier.odds.kernels.card_sets import card
from croupier.odds.simulation import players
from croupier.table.case import read_case
from tests import bench_floor, bench_table
from tests.browser.felt_harness import chromium
from tests.browser.test_light import SLOW, first_visit
from tests.examples import FILES
from tests.properties.rounds import random_case
from tests.recorders.server import new_database
from tests.web.serving import serving

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def seconds(work: Callable[[int], object], times: int, batches: int = 5) -> float:
    """Seconds for one call, the best of a few batches."""
    best = float("inf")
    for _ in range(batches):
        start = time.perf_counter()
        for number in range(times):
            work(number)
        best = min(best, (time.perf_counter() - start) / times)
    return best


def evaluators() -> Iterator[str]:
    """Seven-card hands per second on one core."""
    random = np.random.default_rng(1)
    hands = np.argsort(random.random((1_000_000, 52)), axis=1)[:, :7].astype(np.uint8)
    evaluate(hands[:10])
    ours = seconds(lambda _: evaluate(hands), 1) / len(hands)
    texts = [[str(card(int(n))) for n in row] for row in hands[:2000]]
    sevens = [[eval7.Card(text) for text in row] for row in texts]
    treys, evaluator = [[TreysCard.new(text) for text in row] for row in texts], TreysEvaluator()
    split = [("".join(row[:2]), "".join(row[2:])) for row in texts]
    theirs = {
        "phevaluator": seconds(lambda n: evaluate_cards(*texts[n]), len(texts)),
        "eval7": seconds(lambda n: eval7.evaluate(sevens[n]), len(texts)),
        "treys": seconds(lambda n: evaluator.evaluate(treys[n][:2], treys[n][2:]), len(texts)),
        "pokerkit": seconds(lambda n: StandardHighHand.from_game(*split[n]), 100),
    }
    yield "| evaluator, seven cards, one core | hands per second | speedup of croupier |"
    yield "|---|--:|--:|"
    yield f"| croupier.odds.evaluate (goal: 100 million) | {1 / ours:,.0f} | 1 |"
    for name, each in theirs.items():
        yield f"| {name} | {1 / each:,.0f} | {each / ours:,.0f} |"
    for size in (5, 6):
        fewer = np.ascontiguousarray(hands[:, :size])
        evaluate(fewer[:10])
        each = seconds(lambda _, some=fewer: evaluate(some), 1) / len(hands)
        yield f"| croupier.odds.evaluate, {size} cards | {1 / each:,.0f} | {each / ours:.2f} |"


def rounds() -> Iterator[str]:
    """Rounds per second on one core."""
    yield "| rounds, one core | rounds per second | compared with a hold'em hand in pokerkit |"
    yield "|---|--:|--:|"
    pokerkit = seconds(lambda _: _pokerkit_hand(), 5)
    spiel = seconds(_spiel_hand, 50)
    for game, wagers, aim in (
        ("649a", ["Six Card Bonus Wager"], "Three Card Poker, Ante, Play, Pair Plus, Six Card Bonus (goal: 5 million)"),
        ("653a", [], "Ultimate Texas Hold 'Em, Ante, Blind, Play, Trips (goal: 1 million)"),
    ):
        offer = check({"wagers": wagers}, rules=book.find(game).edition(), case=True).offer_or_refuse()
        player = players.player(offer, "best", 1)
        player.play(1, 0, 1000)
        each = seconds(lambda n, p=player: p.play(1, n, 1_000_000), 1) / 1_000_000
        yield f"| {aim} | {1 / each:,.0f} | {pokerkit / each:,.0f} times |"
    yield f"| open_spiel, leduc poker, random play | {1 / spiel:,.0f} | {pokerkit / spiel:,.0f} times |"
    yield f"| pokerkit, heads-up limit hold'em, called down | {1 / pokerkit:,.0f} | 1 |"


def _pokerkit_hand() -> None:
    state = FixedLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, 4, 200, 2)
    while state.status:
        state.check_or_call()


def _spiel_hand(seed: int) -> None:
    random, state = Random(seed), pyspiel.load_game("leduc_poker").new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))


def exact() -> Iterator[str]:
    """The exact odds of each game as a user asks for them: uncached, with compiled kernels, and from the cache."""
    yield "| exact odds, the whole command, two cores | first run | goal | from the cache |"
    yield "|---|--:|--:|--:|"
    aims = {"649a": 3, "679a": 3, "643a": 3, "680a": 3, "641a": 20, "682a": 20, "653a": 30}
    aims |= {str(file): 3 for file in FILES}
    with tempfile.TemporaryDirectory() as compiling, tempfile.TemporaryDirectory() as counting:
        for game, aim in aims.items():
            command = [sys.executable, "-m", "croupier", "odds", game, "--json"]
            times = []
            for cache in (compiling, counting, counting):
                start = time.perf_counter()
                subprocess.run(command, env={**os.environ, "CROUPIER_CACHE": cache}, stdout=subprocess.DEVNULL, check=True)
                times.append(time.perf_counter() - start)
            yield f"| {Path(game).stem} | {times[1]:.1f} s | {aim} s | {times[2]:.2f} s |"


def settlement() -> Iterator[str]:
    rules = book.find("649a").edition()
    cases = [read_case(random_case(rules, Random(seed), seats=7)) for seed in range(200)]
    settle = seconds(lambda number: cases[number].settle(), len(cases))
    hand = ["Ah", "Kh"], ["Qh", "Jh", "Th", "2c", "3d"]
    pokerkit = seconds(lambda _: StandardHighHand.from_game("".join(hand[0]), "".join(hand[1])), 50)
    yield "| settlement | time | for comparison |"
    yield "|---|--:|---|"
    yield f"| a seven-seat Three Card Poker round, every wager placed (goal: under 2 ms) | {settle * 1e3:.2f} ms | pokerkit evaluates {settle / pokerkit:.1f} seven-card hands in this time |"


def tables() -> Iterator[str]:
    """A house of 64 busy tables: commands per second on each recorder, and how fast a long table recovers."""
    found = bench_table.rates(new_database)
    aims = {bench_table.ALONE: "8,000 per second", bench_table.POSTGRES: "80% of SQLite"}
    yield "| 64 busy tables of all games, every wager, one process | commands per second | share of memory, one by one | share of memory, in turn | goal | CPU time per command |"
    yield "|---|--:|--:|--:|--:|--:|"
    for where, (best, of_alone, of_in_turn) in found.items():
        measured = f"{best.a_second:,.0f} | {of_alone:.0%} | {of_in_turn:.0%}"
        yield f"| {where} | {measured} | {aims.get(where, '')} | {best.microseconds:.0f} µs |"
    yield ""
    yield "| reloading a table of 10,000 rounds (SQLite) | seconds | goal |"
    yield "|---|--:|--:|"
    for how, elapsed in bench_table.recovery().items():
        yield f"| {how} | {elapsed:.2f} | {'2' if 'snapshot' in how else 'the same state'} |"


def floor() -> Iterator[str]:
    """The server under load: at a human pace, and as fast as it answers."""
    found = bench_floor.measure(seconds=30.0)
    paced, at_most = found["paced"], found["at most"]
    yield f"| one server process on SQLite, {found['tables']} tables with bots, {found['views']:,} live views, all on one machine | at a steady pace | flat out | goal |"
    yield "|---|--:|--:|--:|"
    aims = {"durable commands per second": "500, ideally 1,000", "p99 ms": "100, at a steady pace"}
    for name in paced:
        yield f"| {name} | {paced[name]:,} | {at_most[name]:,} | {aims.get(name, '')} |"
    yield ""
    yield "| server memory | |"
    yield "|---|--:|"
    for what, of in (("without tables", "MB of a server"), ("at the end, all tables busy", "MB at the end")):
        yield f"| {what} | {found[of]} MB |"
    for what, of in (("per table", "KB for a table"), ("per live view", "KB for a connection")):
        yield f"| {what} | {found[of]} KB |"


def first_visits() -> Iterator[str]:
    """A first visit to a table at 50 KB per second with 400 ms latency, throttled by the browser."""
    yield "| first visit to a table over a slow connection, 50 KB/s and 400 ms | KB over the wire | goal | seconds until a seat can be taken | goal |"
    yield "|---|--:|--:|--:|--:|"
    with tempfile.TemporaryDirectory() as folder, serving(f"{folder}/floor.db", Path(folder)) as server, chromium() as browser:
        for chapter in book.chapters():
            best, weight = float("inf"), 0
            for _ in range(3):
                with browser.new_context(base_url=server.address) as context:
                    weights, taken = first_visit(context.new_page(), f"/tables/{chapter.slug}", SLOW)
                    best, weight = min(best, taken), sum(weights.values())
            yield f"| {chapter.title} | {weight / 1000:.0f} | 120 | {best:.1f} | 2 |"


def main() -> None:
    subprocess.run(
        [sys.executable, "-m", "croupier", "odds", "653a", "--json"], stdout=subprocess.DEVNULL, check=True
    )  # compiled once
    lines = [
        "# Benchmarks",
        "",
        f"Measured by `make bench` in one run on {date.today():%Y-%m-%d} with Croupier {version('croupier')}. Machines differ, so compare the ratios."
        f" Python {platform.python_version()}, {os.cpu_count()} cores.",
        "",
    ]
    for part in (settlement, evaluators, rounds, exact, tables, floor, first_visits):
        lines += [*part(), ""]
        print("\n".join(lines[-12:]))
    PAGE.write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
