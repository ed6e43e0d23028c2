"""Measure in one run, beside something else of the same run, and write docs/benchmarks.md."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from phevaluator import evaluate_cards
from pokerkit import StandardHighHand

from croupier import book
from croupier.cards import deck
from croupier.table.case import read_case
from tests.properties.rounds import random_case

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def seconds(work: Callable[[int], object], times: int) -> float:
    """Seconds for one call, the best of five batches."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for number in range(times):
            work(number)
        best = min(best, (time.perf_counter() - start) / times)
    return best


def main() -> None:
    rules = book.find("649a").edition()
    cases = [read_case(random_case(rules, Random(seed), seats=7)) for seed in range(200)]
    settle = seconds(lambda number: cases[number].settle(), len(cases))

    cards, random = deck(), Random(1)
    hands = [random.sample(cards, 7) for _ in range(2000)]
    texts = [[str(card) for card in hand] for hand in hands]
    theirs = seconds(lambda number: evaluate_cards(*texts[number]), len(texts))
    joined = ["".join(text[:2]) for text in texts], ["".join(text[2:]) for text in texts]
    pokerkit = seconds(lambda number: StandardHighHand.from_game(joined[0][number], joined[1][number]), 200)

    text = f"""# Benchmarks

Measured by `make bench` in one run; machines differ, so read the ratios. Python {platform.python_version()}.

| what | time | beside it |
|---|--:|---|
| settle a seven-seat Three Card Poker round, every wager placed (aim: under 2 ms) | {settle * 1e3:.2f} ms | as long as pokerkit takes to evaluate {settle / pokerkit:.1f} seven-card hands |
| pokerkit, one seven-card hand | {pokerkit * 1e6:.0f} µs | {pokerkit / theirs:.0f} times phevaluator |
| phevaluator, one seven-card hand | {theirs * 1e6:.1f} µs | 1 |
"""
    PAGE.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
