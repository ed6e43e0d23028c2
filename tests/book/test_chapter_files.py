"""Chapters outside the book: their files are read when they are named, and an error in one is a sentence with its line."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier import book
from croupier.book import chapter_file
from croupier.cli.main import app
from croupier.filing.check import check
from croupier.law.cite import Refusal
from croupier.table.case import read_case
from tests.examples import MISSISSIPPI_STUD, started

SMALL = """
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status

chapter = Chapter("XY", "Small Game", (Edition("2026-01-01", "a test", Status.EXAMPLE),))
"""


def written(folder: Path, text: str, name: str = "game.py") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_every_module_of_the_book_is_a_chapter_found_by_its_file() -> None:
    folder = Path(book.__file__).parent
    assert sorted(book.MODULES.values()) == sorted(path.stem for path in folder.glob("ch[0-9]*.py"))
    for number, module in book.MODULES.items():
        found = book.chapter(number)
        assert module == f"ch{number}_{found.slug.replace('-', '_')}" == f"ch{found.number}_{found.slug.replace('-', '_')}"


def test_a_file_that_is_named_is_a_chapter_like_the_others() -> None:
    found = book.find(MISSISSIPPI_STUD)
    assert (found.number, found.title) == ("MS", "Mississippi Stud")
    assert book.find("MS") is book.find("ms") is book.find("mississippi-stud") is book.find(MISSISSIPPI_STUD) is found
    assert book.chapters() == (*map(book.chapter, book.MODULES), found)


def test_a_game_that_was_not_named_is_refused_with_what_to_do() -> None:
    with pytest.raises(Refusal, match=r"or a chapter file: \./game\.py"):
        book.find("MS")


def test_a_losing_hand_is_named_by_the_only_hand_that_its_settlement_asks_about(tmp_path: Path) -> None:
    text = (MISSISSIPPI_STUD.parent / "crazy_4_poker.py").read_text()
    assert ", hand=QUEENS_UP_HOLDS)" in text
    book.find(written(tmp_path, text.replace(", hand=QUEENS_UP_HOLDS)", ")")))
    wagers = {"Ante Wager": 5, "Super Bonus Wager": 5, "Queens Up Wager": 5}
    seat = {"cards": "Ah Kd 9c 6s 3h", "wagers": wagers, "decision": "fold"}
    case = read_case({"game": "C4", "dealer": {"cards": "Qh Jd 8c 5s 2h"}, "seats": {"1": seat}})
    (lost,) = (line for line in case.settle().seats[0].lines if line.wager == "Queens Up Wager")
    assert (lost.hand, lost.outcome.value) == ("Below queens or better", "lose")


def test_text_never_runs_a_file(tmp_path: Path) -> None:
    """A submission, a case or a request may name any text as its game."""
    file = written(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')\n" + SMALL)
    for game in (str(file), f"./{file.name}", file.name):
        with pytest.raises(Refusal):
            book.find(game)
        with pytest.raises(Refusal):
            read_case({"game": game})
        assert check({"game": game}).offer is None
    assert not (tmp_path / "ran").exists()


def test_a_child_process_reads_the_same_files() -> None:
    book.find(MISSISSIPPI_STUD)
    asked = "from croupier import book; print(book.find('MS').title)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert told.stdout == "Mississippi Stud\n"


def test_an_installed_chapter_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(tmp_path, started(tmp_path).read_text(), "small_game.py")
    monkeypatch.syspath_prepend(tmp_path)
    plugins = [EntryPoint("small-game", "small_game", book.PLUGINS)]
    monkeypatch.setattr(book, "entry_points", lambda group: plugins if group == book.PLUGINS else [])
    book._installed.cache_clear()
    try:
        assert book.find("river-poker").number == "RP"
        assert book.chapters()[-1] is book.find("RP")
    finally:
        book._installed.cache_clear()


def test_an_installed_chapter_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Refusal, match="the installed chapter x cannot be read: ModuleNotFoundError"):
        chapter_file.read_plugin(EntryPoint("x", "no_such_module_anywhere", book.PLUGINS))


BAD = {
    "a syntax error": ("x = 1\ndef (:\n", "invalid syntax", 2),
    "a name that is not there": ("x = 1\n\ny = z\n", "NameError name 'z' is not defined", 3),
    "no chapter": ("x = 1\n", "no chapter is declared here", 1),
    "something else called chapter": ("chapter = 7\n", "no chapter is declared here", 1),
    "it exits": ("import sys\nsys.exit(3)\n", "SystemExit 3", 2),
    "it recurses": ("def f():\n    f()\nf()\n", "RecursionError", 1),
    "a clause that is none": (SMALL + "chapter.table(7, cite='two')\n", "“two” is not a clause", 6),
    "a clause of a shared section": (
        SMALL + "from croupier.book import common\ncommon.decks(chapter, jokers=3)\n",
        "a deck has at most one joker",
        7,
    ),
    "a loop without an end": ("x = 1\nwhile True: x += 1\n", "a loop in the chapter takes 2,000,000 steps and does not end", 2),
    "a function without an end": ("def f():\n    while True: pass\nf()\n", "a loop in the chapter takes 2,000,000 steps", 2),
    "a huge deck": (
        SMALL + "chapter.decks(cite='3(a)', jokers=10**12, cover_cards=1, hours_by_hand=4, hours_by_shoe=8, least_cut=1)",
        "a deck has at most one joker",
        6,
    ),
}


@pytest.mark.parametrize("why", BAD)
def test_a_bad_chapter_file_gets_a_sentence_with_its_line(why: str, tmp_path: Path) -> None:
    text, sentence, line = BAD[why]
    ran = run("show", str(written(tmp_path, text)))
    assert ran.exit_code == 2
    assert ran.stdout == ""
    told = " ".join(ran.stderr.split())
    assert sentence in told and f"(game.py, line {line})" in told
    assert "Traceback" not in told


def test_a_syntax_error_says_what_is_read_instead(tmp_path: Path) -> None:
    told = " ".join(run("show", str(written(tmp_path, "def (:\n"))).stderr.split())
    assert told.endswith("(game.py, line 1). Allowed: a Python file with a chapter.")


def test_a_settlement_that_loops_is_refused_with_its_line(tmp_path: Path) -> None:
    text = started(tmp_path).read_text().replace("    if folded:", "    while compared is HIGHER:\n        pass\n    if folded:", 1)
    line = next(n for n, each in enumerate(text.splitlines(), 1) if each.startswith("    while compared"))
    for command in (["show"], ["chapter", "check"]):
        ran = run(*command, str(written(tmp_path, text)))
        assert (ran.exit_code, ran.stdout) == (2, "")
        told = " ".join(ran.stderr.split())
        assert "a loop in the chapter" in told and (f"line {line})" in told or f"line {line + 1})" in told)


def test_a_chapter_of_a_known_number_is_found_by_the_check(tmp_path: Path) -> None:
    text = started(tmp_path).read_text().replace('"RP"', '"649a"')
    line = next(n for n, each in enumerate(text.splitlines(), 1) if each.startswith("chapter = Chapter("))
    told = run("chapter", "check", str(written(tmp_path, text)))
    assert told.exit_code == 1
    assert f"game.py, line {line}: two chapters are called “649a”; write another number and title.\n" in told.stdout


@pytest.mark.parametrize("command", [["show"], ["new"], ["odds"], ["strategy"], ["simulate"], ["advise", "--cards", "As Ah"]])
def test_the_refusal_of_a_number_names_what_the_command_takes(command: list[str], tmp_path: Path) -> None:
    refused = run(command[0], "MS", *command[1:])
    assert refused.exit_code == 2
    assert "or a chapter file: ./game.py in place of the number" in " ".join(refused.stderr.split())
    # a file path given as the game: here the file is refused
    taken = run(command[0], str(written(tmp_path, "chapter = 7")), *command[1:])
    assert "no chapter is declared here (game.py, line 1)" in " ".join(taken.stderr.split())


@pytest.mark.parametrize(("old", "new"), [('"RP"', '"649a"'), ('"River Poker"', '"Saigon 5 Card"')])
def test_two_chapters_with_the_same_name_are_refused(old: str, new: str, tmp_path: Path) -> None:
    text = started(tmp_path).read_text().replace(f"Chapter({old}", f"Chapter({new}").replace(f", {old}, (Ed", f", {new}, (Ed")
    ran = run("show", str(written(tmp_path, text)))
    assert ran.exit_code == 2
    assert "two chapters are called" in ran.stderr and "(game.py, line " in ran.stderr


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_bytes(b"\x00\xff\xfe")
    for file, sentence in (
        (tmp_path / "game.py", "cannot be read"),
        (tmp_path / "none.py", "No such file"),
        (tmp_path, "directory"),
    ):
        ran = run("show", f"{file}/" if file == tmp_path else str(file))
        assert (ran.exit_code, sentence in ran.stderr) == (2, True), ran.stderr


def test_commands_that_read_a_file_are_told_the_chapter(tmp_path: Path) -> None:
    filed = written(tmp_path, run("new", str(MISSISSIPPI_STUD)).stdout, "filing.toml")
    assert run("check", str(filed), "--book", str(MISSISSIPPI_STUD)).exit_code == 0
    case = 'game = "MS"\n[community]\ncards = "9h 9d 2c"\n[seats.1]\ncards = "Ks 9s"\ndecision = "bet 1x bet 3x bet 1x"\nwagers = {"Ante Wager" = 10}\n'
    told = run("settle", str(written(tmp_path, case, "case.toml")), "--book", str(MISSISSIPPI_STUD))
    # three nines pay 3 to 1 on $10, $10, $30 and $10
    assert "Net +$180" in told.stdout, told.output
    refused = run("check", str(filed), "--book", str(written(tmp_path, "x = ")))
    assert (refused.exit_code, "game.py, line 1" in refused.stderr) == (2, True)


def test_without_the_chapter_a_submission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filed = written(tmp_path, run("new", str(MISSISSIPPI_STUD)).stdout, "filing.toml")
    monkeypatch.delenv(book.FILES_VARIABLE)
    refused = run("check", str(filed))
    assert refused.exit_code == 1
    assert "“MS” is not a game in the book" in " ".join(refused.stdout.split())


def test_a_chapter_outside_the_code_is_marked_as_an_example(tmp_path: Path) -> None:
    filed = written(tmp_path, run("new", str(MISSISSIPPI_STUD)).stdout, "filing.toml")
    for words in (["show", str(MISSISSIPPI_STUD)], ["new", str(MISSISSIPPI_STUD)]):
        told = run(*words).stdout
        assert "example, not law" in told and "58 Pa. Code" not in told
    assert run("print", "submission", str(filed), "-o", str(tmp_path / "form.html")).exit_code == 0
    form = (tmp_path / "form.html").read_text()
    assert "Chapter MS (example, not law)" in form and "58 Pa. Code" not in form


def test_each_declaration_knows_its_line() -> None:
    found = book.find(MISSISSIPPI_STUD)
    lines = MISSISSIPPI_STUD.read_text().splitlines()
    ante = found.edition().wagers["Ante Wager"]
    assert lines[found.lines[ante] - 1].startswith("ANTE = chapter.wager")
    assert found.where(found.edition().decks) == f"mississippi_stud.py, line {lines.index('common.decks(chapter)') + 1}"
