"""Shuffles in files: an examiner can derive the outcomes again from the raw bytes, and a machine's shuffles can be judged."""

from __future__ import annotations

import json
from pathlib import Path
from struct import unpack
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cards import deck, show
from croupier.cli.main import app
from croupier.floor.house.shuffle import Seeded, shuffled
from tests.floor.test_rng_report import riffled

SHUFFLES = 2_000
runner = CliRunner()


def run(*args: object) -> Any:
    return runner.invoke(app, [str(each) for each in args])


def derived(raw: bytes, jokers: int = 0) -> str:
    """A deck derived from the words of one shuffle as docs/randomness.md describes: from the last place down, by remainder."""
    order, words = [str(card) for card in deck(jokers)], iter(unpack(f"<{len(raw) // 2}H", raw))
    for last in range(len(order) - 1, 0, -1):
        word = next(words)
        while word >= 65_536 - 65_536 % (last + 1):
            word = next(words)
        chosen = word % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return " ".join(order)


@pytest.mark.parametrize("jokers", [0, 1])
@pytest.mark.parametrize("seed", ["", "7"])
def test_outcomes_are_derived_from_the_raw_output(tmp_path: Path, seed: str, jokers: int) -> None:
    raw, out = tmp_path / "raw", tmp_path / "shuffles"
    options = [*(["--seed", seed] if seed else []), *["--jokers"] * jokers]
    assert run("rng-output", "--shuffles", 50, "--raw", raw, "-o", out, *options).exit_code == 0
    drawn, size = raw.read_bytes(), 2 * (52 + jokers + 2)
    assert len(drawn) == 50 * size  # each shuffle asks once: more than two rejected words in one are too unlikely
    assert out.read_text().splitlines() == [derived(drawn[at : at + size], jokers) for at in range(0, len(drawn), size)]


def test_without_a_seed_they_come_from_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.urandom", bytes)  # zeros: every card is swapped with the first
    assert run("rng-output").stdout.strip() == derived(bytes(108))
    monkeypatch.undo()
    assert run("rng-output").stdout != run("rng-output").stdout


@pytest.mark.thorough
@pytest.mark.parametrize("jokers", [0, 1])
def test_a_file_is_judged_like_the_shuffles_it_was_written_from(tmp_path: Path, jokers: int) -> None:
    out, options = tmp_path / "shuffles", ["--shuffles", SHUFFLES, "--seed", 7, *["--jokers"] * jokers]
    run("rng-output", "-o", out, *options)
    made = json.loads(run("rng-report", "--json", *options).stdout)
    read = json.loads(run("rng-report", "--json", "--from", out).stdout)
    assert (read.pop("file"), read.pop("seed"), made.pop("file"), made.pop("seed")) == (str(out), None, None, 7)
    assert read == made
    piped = runner.invoke(app, ["rng-report", "--from", "-"], input=out.read_text())
    assert (piped.exit_code, f"{SHUFFLES:,} shuffles of {52 + jokers} cards, from -" in piped.stdout) == (0, True)


@pytest.mark.thorough
@pytest.mark.parametrize("shuffles", [SHUFFLES, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_machine_that_riffles_too_seldom_fails(tmp_path: Path, shuffles: int) -> None:
    """Each deck is made from the previous one, as in a mechanical shuffler fed over and over."""
    source, order = Seeded("machine"), shuffled(range(52), Seeded(1))
    with (tmp_path / "shuffles").open("w") as file:
        for _ in range(shuffles):
            order = riffled(2, order, source)
            print(show(deck()[at] for at in order).replace(" ", ", "), file=file)
    found = json.loads(run("rng-report", "--json", "--from", tmp_path / "shuffles").stdout)
    assert (found["passes"], found["shuffles"]) == (False, shuffles)
    assert "Next card" in {test["name"] for test in found["tests"] if not test["passes"]}


WHOLE = show(deck())
MALFORMED = {
    "": "the file has no shuffles",
    f"{WHOLE}\n\n{WHOLE.replace('2c', '1c')}\n": "line 3: “1c” is not a card",
    f"{WHOLE}\n{WHOLE.removesuffix(' As')}\n": "line 2 has As not at all",
    f"{WHOLE}\n{WHOLE.replace('Kd', 'Qd')}\n": "line 2 has Qd more than once",
    f"{WHOLE}\n{WHOLE} Jk\n": "line 2 has Jk more than once",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_shuffle_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "shuffles").write_text(text)
    found = run("rng-report", "--from", tmp_path / "shuffles")
    assert found.exit_code == 2
    assert MALFORMED[text] in found.stderr


def test_an_impossible_request_gets_a_one_sentence_error(tmp_path: Path) -> None:
    few, there = tmp_path / "few", tmp_path / "there"
    few.write_text(f"{WHOLE}\n" * 999)
    there.write_bytes(b"\xff")
    for args, says in {
        ("rng-report", "--from", few): "999 shuffles cannot be tested; use 1,000 to 100,000,000.",
        ("rng-report", "--from", there): f"{there} is not a text file.",
        ("rng-report", "--from", tmp_path): f"{tmp_path} cannot be read: Is a directory.",
        (
            "rng-report",
            "--from",
            few,
            "--seed",
            "1",
        ): "--from tests the shuffles in the file, so leave out --shuffles, --jokers and --seed.",
        ("rng-output", "-o", there): f"{there} already exists. Name another file.",
        ("rng-output", "-o", tmp_path / "a", "--raw", tmp_path / "a"): "Write the shuffles and their bytes to different files.",
        ("rng-output", "-o", tmp_path / "none" / "a"): "The shuffles cannot be written: No such file or directory.",
    }.items():
        found = run(*args)
        *before, last = found.stderr.strip().splitlines()
        assert (found.exit_code, last) == (2, says)
        assert before in ([], ["Compiling the counting code. This happens only once."])  # on a new machine
    assert there.read_bytes() == b"\xff"
