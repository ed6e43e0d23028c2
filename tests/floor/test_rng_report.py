"""The report passes the house's shuffle and finds every shuffle known to be bad."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.floor.house import shuffle_report as reports
from croupier.floor.house.shuffle import RandomSource, Seeded, random_below, shuffled
from croupier.floor.house.shuffle_report import FEWEST, Shuffle, shuffle_report
from croupier.odds.randomness.shuffle_tests import ShuffleResult
from tests.examples import thorough

SHUFFLES = 20_000
SUBTLE = {"swap with any", "remainder of a byte", "few seeds", "seven riffles"}  # the others are found with the fewest shuffles
runner = CliRunner()


def swap_with_any(cards: Sequence[int], source: RandomSource) -> list[int]:
    """The naive shuffle: 52^52 equally likely paths cannot divide evenly among 52! orders."""
    order = list(cards)
    for at in range(len(order)):
        other = random_below(len(order), source)
        order[at], order[other] = order[other], order[at]
    return order


def remainder_of_a_byte(cards: Sequence[int], source: RandomSource) -> list[int]:
    """Fisher-Yates without rejection: 256 is no multiple of 52."""
    order, drawn = list(cards), source(len(cards))
    for last in range(len(order) - 1, 0, -1):
        chosen = drawn[last] % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def always_another(cards: Sequence[int], source: RandomSource) -> list[int]:
    """Off by one: no card may stay in place, so only cycles come out (Sattolo)."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = random_below(last, source)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def bottom_stays(cards: Sequence[int], source: RandomSource) -> list[int]:
    return [*shuffled(cards[:-1], source), cards[-1]]


def sorted_by_bytes(cards: Sequence[int], source: RandomSource) -> list[int]:
    """A random key for each card; where keys are equal the old order stays."""
    keys = dict(zip(cards, source(len(cards)), strict=True))
    return sorted(cards, key=lambda card: keys[card])


def riffled(times: int, cards: Sequence[int], source: RandomSource) -> list[int]:
    """Gilbert-Shannon-Reeds: one bit per card says which packet it falls from."""
    order = list(cards)
    for _ in range(times):
        falls = [byte & 1 for byte in source(len(order))]
        cut = falls.count(0)
        left, right = iter(order[:cut]), iter(order[cut:])
        order = [next(right) if fall else next(left) for fall in falls]
    return order


def of_few_seeds(cards: Sequence[int], source: RandomSource) -> list[int]:
    """A good shuffle from a generator with only 65,536 states."""
    return shuffled(cards, Seeded(random_below(1 << 16, source)))


def repeating() -> Shuffle:
    """One shuffle in fifty repeats the previous one."""
    last: list[int] = []

    def shuffle(cards: Sequence[int], source: RandomSource) -> list[int]:
        if not last or random_below(50, source):
            last[:] = shuffled(cards, source)
        return list(last)

    return shuffle


def too_even() -> Shuffle:
    """Each order is cut at every place in turn, so every card is in every place exactly equally often."""
    order: list[int] = []
    calls = count()

    def shuffle(cards: Sequence[int], source: RandomSource) -> list[int]:
        cut = next(calls) % len(cards)
        if cut == 0:
            order[:] = shuffled(cards, source)
        return order[cut:] + order[:cut]

    return shuffle


BAD: dict[str, tuple[Shuffle, str]] = {
    "swap with any": (swap_with_any, "Card by position"),
    "remainder of a byte": (remainder_of_a_byte, "Card by position"),
    "always another": (always_another, "Fixed points"),
    "the bottom card stays": (bottom_stays, "Next card"),
    "sorted by bytes": (sorted_by_bytes, "Ascending runs"),
    "one riffle": (partial(riffled, 1), "Hands of 5 cards"),
    "seven riffles": (partial(riffled, 7), "Rising sequences"),
    "few seeds": (of_few_seeds, "Card by position"),
    "repeating": (repeating(), "Repeats"),
    "too even": (too_even(), "Card by position"),
}


@pytest.mark.parametrize("name", thorough(BAD, unless=BAD.keys() - {"swap with any", "seven riffles"}))
def test_a_bad_shuffle_is_found(name: str) -> None:
    shuffle, by = BAD[name]
    shuffles = SHUFFLES if name in SUBTLE else FEWEST
    failed = {each.name for each in shuffle_report(shuffles, seed=1, shuffle=shuffle, workers=1) if not each.passes_at(0.99)}
    assert by in failed


def test_every_test_can_fail() -> None:
    assert not any(each.passes_at(0.99) for each in shuffle_report(FEWEST, seed=1, shuffle=partial(riffled, 1), workers=1))


@pytest.mark.parametrize("jokers", [0, 1])
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_the_shuffle_of_the_house_passes(seed: int, jokers: int) -> None:
    assert all(each.passes_at(0.99) for each in shuffle_report(SHUFFLES, seed=seed, jokers=jokers, workers=1))


def test_the_answer_does_not_depend_on_the_workers() -> None:
    told: list[int] = []
    assert shuffle_report(12_001, seed=5, workers=1) == shuffle_report(12_001, seed=5, workers=2, watch=told.append)
    assert told == [5000, 5000, 2001]


def run(*args: str) -> Any:
    return runner.invoke(app, ["rng-report", "--shuffles", "5000", *args])


def test_the_command_prints_every_test_and_exits_0() -> None:
    printed = run("--seed", "7")
    assert printed.exit_code == 0, printed.output
    assert "5,000 shuffles of 52 cards, seed 7, a demonstration" in printed.stdout
    assert printed.stdout.count("passes") == 20
    assert "All 20 tests pass" in printed.stdout
    assert "Holm" in printed.stdout


def test_the_same_seed_gives_the_same_plain_data() -> None:
    one, other = (json.loads(run("--seed", "7", "--jokers", "--json").stdout) for _ in range(2))
    assert one == other
    assert (one["shuffles"], one["cards"], one["seed"], one["confidence"], one["passes"]) == (5000, 53, 7, 0.99, True)
    assert len(one["tests"]) == 21
    assert [test["name"] for test in one["tests"] if test["degrees_of_freedom"] is None] == ["Kolmogorov-Smirnov"]
    assert set(one["tests"][0]) == {"name", "about", "statistic", "degrees_of_freedom", "p", "p_adjusted", "passes"}


def test_without_a_seed_the_operating_system_shuffles() -> None:
    data = json.loads(run("--json").stdout)
    assert data["seed"] is None
    assert [test["p"] for test in data["tests"]] != [test["p"] for test in json.loads(run("--json").stdout)["tests"]]


def test_a_failure_exits_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "shuffle_report", partial(shuffle_report, shuffle=swap_with_any))
    printed = run("--seed", "7")
    assert printed.exit_code == 1
    assert "FAILS" in printed.stdout
    assert "these shuffles are not random" in printed.stdout


def test_at_95_percent_less_is_enough_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = [ShuffleResult("A test", "", 1.0, 1, 0.02, 0.02), ShuffleResult("Another", "", 1.0, 1, 0.5, 0.5)]
    monkeypatch.setattr(reports, "shuffle_report", lambda *_, **__: doubtful)
    assert run().exit_code == 0
    printed = run("--confidence", "95")
    assert printed.exit_code == 1
    assert "1 of 2 tests fail" in printed.stdout
    assert "is 0.05 or less" in printed.stdout
    assert "at most 1 report in 20" in printed.stdout
    assert json.loads(run("--confidence", "95", "--json").stdout)["passes"] is False
    assert run("--confidence", "100").exit_code == 2


@pytest.mark.parametrize("shuffles", ["0", "999", "-5", "100000001"])
def test_too_few_or_too_many_are_refused_in_one_sentence(shuffles: str) -> None:
    printed = runner.invoke(app, ["rng-report", f"--shuffles={shuffles}"])
    assert printed.exit_code == 2
    assert printed.stderr == f"{int(shuffles):,} shuffles cannot be tested; use 1,000 to 100,000,000.\n"


@pytest.mark.parametrize("wrong", [["--shuffles", "many"], ["--seed", "x"], ["extra"]])
def test_a_malformed_number_is_refused(wrong: list[str]) -> None:
    assert runner.invoke(app, ["rng-report", *wrong]).exit_code == 2


def test_the_fifteen_tests_of_810a_5_c_are_in_the_report() -> None:
    page = (Path(__file__).parents[2] / "docs" / "randomness.md").read_text()
    rows = re.findall(r"^\| \((\d+)\) \| [^|]+ \| ([^|:]+)", page, re.M)
    names = {each.name for each in shuffle_report(FEWEST, seed=1, workers=1)}
    assert [number for number, _ in rows] == [str(number) for number in range(1, 16)]
    for number, told in rows:
        assert any(name in told or name.removesuffix(" cards") in told for name in names), number


def test_the_example_of_the_documentation_is_what_the_program_prints() -> None:
    page = (Path(__file__).parents[2] / "docs" / "randomness.md").read_text()
    shown = re.search(r"```console\n\$ croupier ([^\n]*)\n(.*?)```", page, re.S)
    assert shown
    printed = runner.invoke(app, shown[1].split()).stdout
    lines = {" ".join(line.split()).strip("─ ") for line in printed.splitlines()}
    assert {" ".join(line.split()).strip("─ ") for line in shown[2].splitlines()} <= lines
