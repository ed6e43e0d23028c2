"""The command line as a user sees it: what it prints, how it exits, and that it never shows a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import croupier
from croupier import __version__, book
from croupier.book.coverage import outline
from croupier.cli import display
from croupier.cli.main import app
from croupier.law.ranking import Ranking
from croupier.odds.best_play import Simplified, Strategy
from croupier.odds.strategy_edge import TO_THE_LETTER
from tests.examples import FILES, thorough

runner = CliRunner()
CASE = """
game = "649a"
[offer]
paytables = { "Ante Bonus" = "A", "Pair Plus Wager" = "D" }
[meters."Three-Card Progressive Payout Wager"]
amount = 12345.67
[dealer]
cards = "Qh 7d 2c"
[seats.1]
cards = "As Ks Qs"
wagers = { "Ante Wager" = 10, "Pair Plus Wager" = 5, "Three-Card Progressive Payout Wager" = 1 }
decision = "play"
"""


def run(*args: str, text: str = "") -> Any:
    result = runner.invoke(app, list(args), input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def as_json(*args: str, text: str = "") -> Any:
    result = run(*args, "--json", text=text)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_games_lists_the_seven_games() -> None:
    found = as_json("games")
    assert [game["game"] for game in found] == ["641a", "643a", "649a", "653a", "679a", "680a", "682a"]
    poker = found[2]
    assert poker["editions"] == ["2011-06-14", "2019-11-02"]
    assert (poker["seats"], poker["title"]) == (7, "Three Card Poker")
    assert {"name": "Pair Plus Wager", "letters": ["A", "B", "C", "D", "E"]} in poker["paytables"]
    assert "Three Card Poker" in run("games").stdout


@pytest.mark.parametrize("number", book.MODULES)
def test_show_prints_every_declaration_with_a_citation(number: str) -> None:
    for edition in book.find(number).editions:
        data = as_json("show", number, "--edition", edition.name)
        clauses = {f"{number}.{clause}" for clause in outline(book.find(number).edition(edition.name))}
        for part in (
            "wagers",
            "rankings",
            "paytables",
            "dealing",
            "irregularities",
            "readings",
            "layout",
            "steps",
            "stages",
            "definitions",
        ):
            assert data[part], part
            assert all(set(each["cites"]) <= clauses and each["cites"] for each in data[part])
        assert data["decisions"] or number == "680a"
        printed = run("show", number, "--edition", edition.name).stdout
        assert f"58 Pa. Code Chapter {number}" in printed


@pytest.mark.parametrize("game", [*book.MODULES, *map(str, FILES)])
def test_new_writes_a_submission_that_checks_without_an_error(game: str, tmp_path: Path) -> None:
    for edition in book.find(book.path_or_name(game)).editions:
        written = run("new", game, "--edition", edition.name)
        file = tmp_path / "submission.toml"
        file.write_text(written.stdout)
        checked = run("check", str(file), "--json")
        assert checked.exit_code == 0
        assert json.loads(checked.stdout)["valid"]


def test_check_reads_what_an_editor_with_a_byte_order_mark_has_saved(tmp_path: Path) -> None:
    (tmp_path / "filed.toml").write_text(run("new", "649a").stdout, encoding="utf-8-sig")
    assert run("check", str(tmp_path / "filed.toml")).exit_code == 0


def test_check_prints_findings_and_exits_1(tmp_path: Path) -> None:
    file = tmp_path / "submission.toml"
    file.write_text(run("new", "649a").stdout.replace('"Pair Plus Wager" = "A"', '"Pair Plus Wager" = "F"'))
    checked = run("check", str(file))
    assert checked.exit_code == 1
    assert "649a.12(d)" in checked.stdout
    assert "A or B or C or D or E" in checked.stdout


def test_settle_prints_the_promised_json() -> None:
    found = as_json("settle", "-", text=CASE)
    assert set(found) == {"game", "edition", "dealer_hand", "settled", "meters"}
    assert found["meters"] == {"Three-Card Progressive Payout Wager": {"before": 1234567, "after": 100000}}
    seat = found["settled"][0]
    assert set(seat) == {"seat", "lines", "net"}
    assert all(
        set(line) == {"wager", "hand", "outcome", "stake", "pays", "returns", "odds", "from", "cite"} for line in seat["lines"]
    )
    progressive = seat["lines"][-1]
    assert progressive == {
        "wager": "Three-Card Progressive Payout Wager",
        "hand": "Ace, king and queen of spades",
        "outcome": "win",
        "stake": 100,
        "pays": 1234567,
        "returns": 0,
        "odds": "100% of meter",
        "from": "meter",
        "cite": "649a.12(e)(1)",
    }
    assert seat["net"] == sum(line["pays"] + line["returns"] - line["stake"] for line in seat["lines"])


def test_settle_prints_the_round_for_people() -> None:
    printed = run("settle", "-", text=CASE).stdout
    for words in ("Seat 1", "Straight flush", "40 to 1", "649a.12(d)", "$12,345.67"):
        assert words in printed


RIDE = """
game = "643a"
[community]
cards = "2s 7c"
[seats.4]
cards = "Ks Kh 4d"
wagers = { "Let It Ride Poker Wager" = 10 }
decision = "DECISION"
"""


@pytest.mark.parametrize(
    ("decision", "printed"),
    [
        ("timed out withdraw", "Ks Kh 4d, ride (timed out) withdraw"),
        ("timed out timed out", "Ks Kh 4d, ride (timed out) ride (timed out)"),
        ("ride withdraw", "Ks Kh 4d, ride withdraw"),
    ],
)
def test_settle_says_which_decisions_timed_out(decision: str, printed: str) -> None:
    assert printed in run("settle", "-", text=RIDE.replace("DECISION", decision)).stdout


PRIME = """
game = "679a"
[dealer]
cards = "Qs 8d 4c"
[seats.1]
cards = "9s 9h 2d"
wagers = { "Ante Wager" = 10, "Pair Bonus Wager" = 5 }
decision = "play"
"""
FOUR_CARD_PRIME = """
game = "682a"
[dealer]
cards = "Qs 8d 4c 2h 3s 6c"
[seats.1]
cards = "9s 9h 2d 5c 7h"
wagers = { "Ante Wager" = 10, "All-Six Bonus Wager" = 5 }
decision = "raise 1x"
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PRIME, "seat 1's fourth card is missing (679a.8(c)). Allowed: 1 card."),
        (PRIME.replace("2d", "2d / 3c 4h"), "seat 1's fourth card: 2 instead of 1 (3c 4h) (679a.8(c)). Allowed: 1 card."),
        (FOUR_CARD_PRIME, "the All-Six Bonus card is missing (682a.8(c)). Allowed: 1 card under [community]."),
        (CASE.replace("As Ks Qs", "As Ks"), "seat 1's cards: 2 instead of 3 (As Ks) (649a.8(d)). Allowed: 3 cards."),
        (CASE.replace("Qh 7d 2c", ""), "the dealer's cards are missing (649a.8(d)). Allowed: 3 cards."),
        (
            RIDE.replace('{ "Let It Ride Poker Wager" = 10 }', '{ "Bet Number 1" = 10, "Bet Number 2" = 10, "Bet Number 3" = 15 }'),
            "seat 4: $15 is not a valid amount for Bet Number 3 (643a.7(d)). Allowed: equal to Bet Number 1.",
        ),
        *(
            (
                CASE.replace('"Ante Wager" = 10', f'"Ante Wager" = {amount}'),
                f"seat 1: “{amount.strip(chr(34))}” is not a valid amount for the Ante Wager (649a.7(a)). "
                "Allowed: dollars and whole cents, more than $0, as a number without quotes.",
            )
            for amount in ("10.005", '"10"', "0")
        ),
    ],
)
def test_settle_refuses_in_plain_english(text: str, said: str) -> None:
    assert run("settle", "-", text=text).stderr.split("\n")[0].strip() == said


def test_settle_says_once_that_a_hand_timed_out() -> None:
    timed_out = run("settle", "-", text=CASE.replace('"play"', '"timed out"')).stdout
    assert "As Ks Qs, timed out" in timed_out
    assert "(timed out)" not in timed_out


def test_settle_under_a_filed_submission(tmp_path: Path) -> None:
    file = tmp_path / "submission.toml"
    file.write_text(run("new", "649a").stdout.replace('"Pair Plus Wager" = "A"', '"Pair Plus Wager" = "E"'))
    case = CASE.split("[offer]", maxsplit=1)[0] + "[meters" + CASE.split("[meters")[1]
    found = as_json("settle", "-", "--submission", str(file), text=case.replace("As Ks Qs", "9s 9d 9h"))
    assert next(line["odds"] for line in found["settled"][0]["lines"] if line["wager"] == "Pair Plus Wager") == "25 to 1"


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        (("As Ks Qs", "As Ks Qh"), "649a.3(a)"),
        (("As Ks Qs", "As Ks"), "649a.8(d)"),
        (("As Ks Qs", "As Ks Zz"), "649a.3(a)"),
        (('"Ante Wager" = 10', '"Bonus Wager" = 10'), "649a.7(d)"),
        (('"Pair Plus Wager" = "D"', '"Pair Plus Wager" = "Q"'), "649a.12(d)"),
        (('decision = "play"', 'decision = "raise"'), "649a.11(b)"),
        (('decision = "play"', ""), "649a.11(b)"),
        (('[offer]', '[offer]\npayout_limit = 50000'), "649a.12"),
        (('[offer]', '[offer]\nform = "7(e)(9)"'), "649a.7"),
        (('game = "649a"', 'game = "chess"'), "58 Pa. Code Part VII, Subpart K"),
        (('game = "649a"', 'game = "649a"\nedition = "1999-01-01"'), "58 Pa. Code Chapter 649a"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence_with_its_clause_and_exit_2(change: tuple[str, str], clause: str) -> None:
    result = run("settle", "-", text=CASE.replace(*change))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"({clause})" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_files_that_cannot_be_read_get_one_sentence_and_exit_2(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for args in (["settle", str(tmp_path / "none.toml")], ["check", str(tmp_path)], ["settle", str(binary)], ["check", "-"]):
        result = run(*args, text="= nonsense")
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) == 1


SIZE = 60_000
NASTY = {
    "dots": ".".join(['""'] * (SIZE // 3)) + " = 1",
    "dots below the limit of a line": "\n".join(f"k{n}." + ".".join("a" * 48) + " = 1" for n in range(SIZE // 110)),
    "long keys": "a" * SIZE + " = 1",
    "digits": "minimum = " + "9" * SIZE,
    "digits below the limit of a number": "minimum = " + "9" * 4_299,
    "hexadecimal digits": "minimum = 0x" + "f" * SIZE,
    "a great exponent": "minimum = 1e" + "9" * 17,
    "nested arrays": "wagers = " + "[" * SIZE,
    "nested tables": "wagers = " + "{a=" * (SIZE // 3),
    "deep arrays": "wagers = [" + ",".join(["[" * 150 + "]" * 150] * (SIZE // 301)) + "]",
    "dots in deep arrays": "x = " + ("[\n{" + "a." * 49 + "a = ") * 100 + "1" + "}\n]" * 100,
    "long arrays": "wagers = [" + "1," * (SIZE // 2) + "]",
    "many tables": "\n".join(f"[t{n}]" for n in range(SIZE // 8)),
    "many arrays of tables": "[[wagers]]\n" * (SIZE // 11),
    "too many bytes": "# " + "é" * 5_000_000,
}


@pytest.mark.parametrize("command", [["check"], ["settle"], ["print", "sign"], ["odds", "649a", "--submission"]], ids=" ".join)
@pytest.mark.parametrize("name", NASTY)
def test_no_file_takes_long_to_read(name: str, command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "nasty.toml"
    file.write_text(NASTY[name])
    began = time.process_time()
    result = run(*command, str(file))
    assert time.process_time() - began < 2, "a submission is read in a few hundredths of a second"
    assert result.exit_code in (1, 2)
    assert result.exit_code == 2 or command == ["check"]


def test_the_demo_settles_a_round_of_each_game() -> None:
    printed = run("demo").stdout
    for chapter in book.chapters():
        assert chapter.title in printed


def test_the_command_line_imports_no_numerics() -> None:
    program = (
        "import sys, croupier.cli, croupier.cli.display, croupier.table.case; sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_programs_that_tests_start_run_the_code_under_test(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "import croupier; print(croupier.__file__)"]
    assert subprocess.run(program, check=True, capture_output=True, text=True, cwd=tmp_path).stdout.strip() == croupier.__file__


def test_odds_prints_the_promised_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    found = as_json("odds", "643a")
    assert set(found) == {"game", "edition", "entries", "published", "not_counted"}
    keys = {
        "wager",
        "role",
        "paytables",
        "readings",
        "edge",
        "edge_percent",
        "drawn",
        "risk_percent",
        "wagered",
        "standard_deviation",
        "hit_frequency",
        "combinations",
        "outcomes",
        "meter",
    }
    assert all(set(entry) - {"stake"} == keys for entry in found["entries"])
    main = found["entries"][0]
    assert (main["wager"], main["paytables"], main["edge"]) == (
        "Let It Ride Poker Wager",
        {"Let It Ride Poker Wager": "A"},
        "37963/1082900",
    )
    assert sum(outcome["count"] for outcome in main["outcomes"]) == main["combinations"]
    assert "3.5057%" in run("odds", "643a").stdout


def test_odds_of_a_submission_are_of_its_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "submission.toml"
    file.write_text(run("new", "643a").stdout.replace('"Let It Ride Poker Wager" = "A"', '"Let It Ride Poker Wager" = "B"'))
    found = as_json("odds", "643a", "--submission", str(file))
    assert {entry["wager"]: entry["edge_percent"] for entry in found["entries"]}["Let It Ride Poker Wager"] == 3.736541
    assert "Let It Ride Poker Wager: B of " in run("odds", "643a", "--submission", str(file)).stdout
    assert run("odds", "649a", "--submission", str(file)).exit_code == 2
    file.write_text(run("new", "679a").stdout)
    assert run("odds", "679a", "--edition", "2015-12-12", "--submission", str(file)).exit_code == 2


def test_a_broken_or_unwritable_cache_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    first = as_json("odds", "643a")
    for kept in tmp_path.iterdir():
        kept.write_text("{ half")
    assert as_json("odds", "643a") == first
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / next(tmp_path.iterdir()).name / "below a file"))
    assert as_json("odds", "643a") == first


def test_a_cached_answer_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    as_json("odds", "643a")
    ask = "import sys; from croupier.cli.main import app; app(['odds', '643a', '--json'], standalone_mode=False); "
    needless = "{'numba', 'numpy', 'croupier.table', 'croupier.odds.analysis'}"
    program = f"{ask} sys.exit(bool({needless} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_advise_strategy_and_simulate_answer() -> None:
    assert as_json("advise", "649a", "--cards", "Qs 6h 4d") == [
        {"choice": "play", "value": "-9151/9212"},
        {"choice": "fold", "value": "-1/1"},
    ]
    assert "Q-6-4" in run("strategy", "649a").stdout
    found = as_json("simulate", "649a", "--rounds", "100000", "--seed", "3")
    assert [wager["wager"] for wager in found["wagers"]][:4] == [
        "Ante Wager", "Pair Plus Wager", "Three-Card Progressive Payout Wager", "Six Card Bonus Wager",
    ]  # fmt: skip
    assert found == as_json("simulate", "649a", "--rounds", "100000", "--seed", "3")
    assert "agrees" in run("simulate", "649a", "--rounds", "100000", "--seed", "3").stdout
    few = run("simulate", "649a", "--rounds", "2").stdout
    assert "too few rounds" in few
    assert "differs" not in few
    assert as_json("simulate", "649a", "--rounds", "2")["wagers"][0]["interval_99"] is None
    assert as_json("simulate", "680a", "--rounds", "1000", "--seats", "6")["wagers"][1]["wager"] == "Bonus Wager"


@pytest.mark.parametrize(
    ("cost", "heading"),
    [(0, "best play, house edge 2.0000%"), (Fraction(1, 20), "in words, house edge 7.0000% (best play: 2.0000%)")],
)
def test_strategy_puts_no_edge_above_words_that_do_not_reach_it(
    cost: Fraction, heading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = Fraction(1, 50)
    found = Strategy(best, ("always play.",), (Simplified(TO_THE_LETTER, best + cost, cost),))
    monkeypatch.setattr(sys.modules[Strategy.__module__], "strategy", lambda _: found)
    printed = " ".join(run("strategy", "649a").stdout.split())
    assert f"Three Card Poker, 649a: {heading} always play." in printed
    assert printed.startswith("No short rule is close to best play: this one costs 5.0000% more.") == (cost > 0)


@pytest.mark.parametrize(
    "args",
    [
        ["odds", "chess"],
        ["advise", "641a", "--cards", "Qs 6h 4d 3c 2c", "--up", "7d 8d"],
        ["odds", "649a", "--edition", "1999"],
        ["advise", "649a", "--cards", "Qs 6h"],
        ["advise", "649a", "--cards", "Qs 6h Zz"],
        ["strategy", "chess"],
        ["simulate", "649a", "--seats", "8"],
        ["simulate", "649a", "--strategy", "luck"],
        ["simulate", "680a", "--strategy", "always play"],
        ["simulate", "643a", "--seats", "8"],
    ],
    ids=" ".join,
)
def test_bad_questions_about_odds_get_one_sentence_and_exit_2(args: list[str]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Allowed" in result.stderr


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["odds"], "Missing argument 'game'; see --help."),
        (["odds", "649a", "--luck"], "No such option: --luck; see --help."),
        (["advise", "649a"], "Missing option '--cards'; see --help."),
        (["simulate", "649a", "--rounds", "many"], "Invalid value for '--rounds'"),
        (["simulate", "649a", "--rounds", "0"], "Invalid value for '--rounds'"),
        (["luck"], "No such command 'luck'; see --help."),
        (["odds", "649a", "--submission", "/dev/null"], "/dev/null is empty; `croupier new 649a` writes a Rules Submission"),
        (["advise", "641a", "--cards", "Qs 6h 4d 3c 2c"], "no up card (641a.8(d)). Allowed: the dealer's up card."),
        (["advise", "649a", "--cards", "Qs Qs 4d"], "Qs is on the table twice (649a.3(a)). Allowed: one deck of 52 cards."),
        (["advise", "649a", "--cards", "Qs Jk 4d"], "there is no joker in this game (649a.3(a)). Allowed: a deck of 52 cards."),
        (["advise", "649a", "--cards", "Qs 6h 4d", "--up", "7d"], "1 up card (7d) (649a.8(d)). Allowed: no up card in this game."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options_get_one_sentence_and_no_page(args: list[str], sentence: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(sentence)
    assert len(result.stderr.strip().splitlines()) == 1


def test_without_a_command_there_is_help() -> None:
    assert "strategy" in run().stdout


@pytest.mark.thorough
def test_odds_fit_a_terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display.console, "_width", 80)
    for args in (["odds", "649a"], ["strategy", "643a"], ["strategy", "649a"], ["advise", "643a", "--cards", "Ks Qs Jd"]):
        lines = run(*args).stdout.splitlines()
        assert lines
        assert max(map(len, lines)) <= 80
        assert "…" not in "".join(lines)


def test_odds_say_which_part_is_a_draw_and_which_an_envy_bonus() -> None:
    printed = run("odds", "649a").stdout
    assert "What a draw adds to the wager, each time it is drawn" in printed
    assert "Five Card Hand Bonus Wager, lucky seat (player's hand): adds 5/8 each time it is drawn" in printed
    envy = printed[printed.index("Three-Card Envy Bonus, for each other player, at $1: adds 7/884") :]
    assert [line.split()[-1] for line in envy.splitlines() if line.startswith(" Ace")][:2] == ["$100", "$25"]


def test_odds_list_the_outcomes_of_the_main_game_by_their_net() -> None:
    """Like the mathematics report, in units of the wager."""
    printed = run("odds", "649a").stdout
    below = printed[printed.index("Ante Wager, Ante Bonus A: house edge") :].splitlines()[4:]
    nets = [line.split()[-1] for line in takewhile(str.strip, below)]
    assert (nets[0], nets[-1]) == ("+7", "-2")
    assert {"0", "-1"} < set(nets)
    assert [int(net) for net in nets] == sorted(map(int, nets), reverse=True)


@pytest.mark.parametrize("game", thorough(["649a", "679a", "643a"], unless=["643a"]))
def test_odds_list_hands_from_the_highest(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    rankings = [list(each.rows) for each in book.find(game).edition().of(Ranking)]
    for entry in as_json("odds", game)["entries"]:
        hands = list(dict.fromkeys(outcome["hand"].partition(", f")[0] for outcome in entry["outcomes"]))
        if any(set(hands) <= set(rows) for rows in rankings):
            assert any(hands == [row for row in rows if row in hands] for rows in rankings), entry["wager"]


def test_advise_says_what_it_assumes() -> None:
    printed = run("advise", "643a", "--cards", "Ks Qs Jd", "--board", "2c").stdout
    assert "with best play before (Bet Number 1: withdraw)" in " ".join(printed.split())
    assert "best play before" not in run("advise", "643a", "--cards", "Ks Qs Jd").stdout


def test_check_with_odds_warns_of_what_returns_too_much_or_too_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "submission.toml"

    def warned(text: str) -> dict[str, str]:
        file.write_text(text)
        found = as_json("check", str(file), "--odds")["findings"]
        return {each["about"]: each["found"] for each in found if each["severity"] == "warning"}

    ours = run("new", "649a").stdout
    about = warned(ours)
    expected = "expected by GLI-19, section 4.7, to return at least 75%; returns 58.9140% of what it takes at $1"
    assert about["Three-Card Progressive Payout Wager"].startswith(expected)
    assert "Allowed: between" not in run("check", str(file), "--odds").stdout  # no clause says so
    over_time = "over time pays out or sets aside 116.1991% of what it takes"  # at the seed, with a draw in one round of five, 90%
    assert about["Five Card Hand Bonus Wager: player"] == over_time
    assert "Pair Plus Wager" not in about
    assert warned(ours.replace("magic_card = 5", "magic_card = 1"))["Five Card Hand Bonus Wager: player"].startswith("returns 2")


def test_the_version_is_printed() -> None:
    assert run("--version").stdout.strip() == f"croupier {__version__}"


@pytest.mark.parametrize(
    ("command", "missing", "extra"),
    [
        ("odds 649a --fresh", "numba", "odds"),
        ("print all FILING", "typst", "print"),
        ("print all FILING", "fontTools", "print"),
        ("serve", "litestar", "serve"),
        ("verify LEDGER", "cryptography", "ledger"),
    ],
)
def test_a_command_whose_extra_is_not_installed_names_it(tmp_path: Path, command: str, missing: str, extra: str) -> None:
    filing, ledger = tmp_path / "filing.toml", tmp_path / "floor.db"
    filing.write_text(run("new", "649a").stdout)
    ledger.write_bytes(b"")
    arguments = command.replace("FILING", str(filing)).replace("LEDGER", str(ledger)).split()
    code = f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['croupier', *{arguments!r}]; from croupier.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"needs {missing}" in done.stderr and f"'croupier[{extra}]'" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.thorough
def test_the_book_needs_no_extra(tmp_path: Path) -> None:
    """Chapters, filings and disputes need neither the odds nor the server nor printing."""
    blocked = [
        "numpy",
        "numba",
        "typst",
        "litestar",
        "uvicorn",
        "jinja2",
        "cryptography",
        "argon2",
        "psycopg",
        "httpx",
        "prometheus_client",
    ]
    filing = tmp_path / "filing.toml"
    filing.write_text(run("new", "649a").stdout)
    for arguments in (["games"], ["show", "649a"], ["new", "653a"], ["check", str(filing)], ["demo"]):
        code = f"import sys; sys.modules.update(dict.fromkeys({blocked!r})); sys.argv = ['croupier', *{arguments!r}]; from croupier.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), arguments


def started(output: Any, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "croupier", *words], stdout=output, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("words", thorough(["show 649a", "new 649a", "games --json", "--version"], unless=["new 649a"]))
def test_output_that_cannot_be_written_gets_a_sentence(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = started(full, *words.split())
    assert done.communicate()[1] == "Cannot write the output: No space left on device.\n"
    assert done.returncode == 2


@pytest.mark.parametrize(("words", "code"), [("show 653a", 0), ("new 649a", 0), ("show 653a --json", 0), ("show nothing", 2)])
def test_a_closed_pipe_changes_no_exit_code(words: str, code: int) -> None:
    done = started(subprocess.PIPE, *words.split())
    assert done.stdout
    done.stdout.close()
    told = done.stderr.read() if done.stderr else ""
    assert (done.wait(), told == "") == (code, code == 0), told


def test_without_standard_output_nothing_is_printed() -> None:
    done = subprocess.run(f"{sys.executable} -m croupier show 649a >&-", shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
