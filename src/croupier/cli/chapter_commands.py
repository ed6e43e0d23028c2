"""The commands that help to write a chapter: a file to start from, and what is missing or contradictory in one."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.answers import AsJson, for_people, print_json, stop

chapter = typer.Typer(no_args_is_help=True, help="Write a chapter of your own, and check it.")


def register(app: typer.Typer) -> None:
    app.add_typer(chapter, name="chapter", rich_help_panel="The book")


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
    text = files("croupier.examples").joinpath("chapter.txt").read_text()
    for name, value in {"title": title, "number": number, "file": file.name}.items():
        text = text.replace("{" + name + "}", value)
    try:
        with file.open("x") as opened:
            opened.write(text)
    except OSError as problem:
        stop(f"{file} cannot be written: {problem.strerror}.")
    print(file)


@chapter.command()
def check(
    file: Annotated[Path, typer.Argument(help="A chapter file. It is code, and runs: name only files that you trust.")],
    as_json: AsJson = False,
) -> None:
    """Say what is missing or contradictory in a chapter file, each with its line. Exit 1 if anything is."""
    from croupier import book
    from croupier.book.outside import look_into, run_file

    with for_people():
        declared = run_file(file.resolve())
        found = [*book.twins(declared), *look_into(declared, thorough=True)]
    if as_json:
        print_json([{"where": each.where, "found": each.said, "write": each.write} for each in found])
    else:
        for each in found:
            print(f"{each}.")
        if not found:
            print(f"{file.name}: nothing is missing or contradictory.")
    raise typer.Exit(1 if found else 0)
