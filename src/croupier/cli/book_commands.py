"""The commands for the book: its games and chapters, a round settled by them, a chapter of your own."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from croupier import book
from croupier.book.chapter_file import chapter_problems, run_file
from croupier.cli import display
from croupier.cli.shared import BOOK, AsJson, Books, Game, InEdition, TomlFile, filed_offer, print_json, read_file, rules_of, stop
from croupier.filing.submission import read_toml
from croupier.law import plain_data
from croupier.law.chapter import Chapter
from croupier.law.paytable import Paytable

app = typer.Typer()
chapter = typer.Typer(no_args_is_help=True, help="Write your own chapter and check it.")
app.add_typer(chapter, name="chapter", rich_help_panel=BOOK)


@app.command(rich_help_panel=BOOK)
def games(books: Books = None, as_json: AsJson = False) -> None:
    """List the games: chapter, editions, seats, wagers, paytables."""
    listed = [chapter.edition() for chapter in book.chapters()]
    if not as_json:
        return display.games(listed)
    return print_json(
        [
            {
                **plain_data.heading(rules),
                "editions": [edition.name for edition in rules.chapter.editions],
                "wagers": [wager.key for wager in rules.wagers.values()],
                "paytables": [{"name": table.name, "letters": list(table.letters)} for table in rules.of(Paytable)],
            }
            for rules in listed
        ]
    )


@app.command(rich_help_panel=BOOK)
def show(game: Game, edition: InEdition = "", as_json: AsJson = False) -> None:
    """Print one chapter: every wager, ranking, paytable, decision, dealing method, irregularity and reading, with its citation."""
    rules = rules_of(game, edition)
    if as_json:
        return print_json(plain_data.chapter(rules))
    return display.chapter(rules)


@app.command(rich_help_panel=BOOK)
def settle(
    file: TomlFile,
    submission: Annotated[
        Path | None, typer.Option(help="Settle under this Rules Submission instead of the choices in the case.")
    ] = None,
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Settle a round described in a file: for each seat, every wager with its result, odds, payment and clause."""
    from croupier.table.case import read_case

    raw = read_file(file)
    case = read_case(raw, filed_offer(submission) if submission else None)
    result = case.settle()
    if as_json:
        return print_json(case.as_data(result))
    return display.settled(case, result, raw.get("title", ""))


@app.command(rich_help_panel=BOOK)
def demo() -> None:
    """Settle and explain an example round of each game."""
    from croupier.table.case import read_case

    for number in book.MODULES:
        raw = read_toml(files("croupier.examples").joinpath(f"{number}.toml").read_text())
        case = read_case(raw)
        display.settled(case, case.settle(), raw["title"])


@chapter.command()
def new(
    title: Annotated[str, typer.Argument(help="The game's name, such as “Mississippi Stud”.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file to write. By default named after the game.")] = None,
) -> None:
    """Write a commented chapter file to start from: a small game that can be dealt as it is."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 ']{1,59}", title):
        stop(f"“{title}” is not the name of a game; use letters, digits and spaces.")
    words = title.replace("'", "").split()
    file = out or Path("_".join(words).lower() + ".py")
    number = "".join(word[0] for word in words).upper() if len(words) > 1 else title[:3].upper()
    _refuse_duplicate(number, title, file)
    text = files("croupier.examples").joinpath("chapter.txt").read_text()
    for name, value in {"title": title, "number": number, "file": file.name}.items():
        text = text.replace("{" + name + "}", value)
    try:
        with file.open("x") as opened:
            opened.write(text)
    except OSError as problem:
        stop(f"{file} cannot be written: {problem.strerror}.")
    print(file)


def _refuse_duplicate(number: str, title: str, file: Path) -> None:
    """Refuse a title whose chapter `check` would refuse."""
    wanted = Chapter(number, title, ())
    for each in book.chapters():
        if each.file != str(file.resolve()) and (each.slug == wanted.slug or each.number.lower() == number.lower()):
            stop(f"“{title}” is already taken by chapter {each.number}, {each.title}. Choose another title.")


@chapter.command()
def check(
    file: Annotated[Path, typer.Argument(help="A chapter file. Croupier runs it as code, so name only files you trust.")],
    as_json: AsJson = False,
) -> None:
    """List what is missing or contradictory in a chapter file, each with its line. Exit 1 if anything is."""
    declared = run_file(file.resolve())
    found = [*book.duplicate_problems(declared), *chapter_problems(declared, thorough=True)]
    if as_json:
        print_json([{"where": each.where, "found": each.said, "write": each.write} for each in found])
    else:
        for each in found:
            print(f"{each}.")
        if not found:
            print(f"{file.name}: nothing is missing or contradictory.")
    raise typer.Exit(1 if found else 0)
