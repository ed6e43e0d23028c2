"""The book: chapters of 58 Pa. Code, one module each, plus chapter files that someone has named.

A chapter of the book is found by its file, `ch649a_three_card_poker.py`. A chapter outside it is third-party Python code. It runs only
if its file is named (as a `Path`, or in the environment variable CROUPIER_BOOK) or if it is installed as a plugin, with an entry
point of the group `croupier.chapters`. Text that names a game, as a submission does, never runs a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules

from croupier.book.chapter_file import read_chapter, read_plugin
from croupier.law.chapter import Chapter
from croupier.law.cite import Refusal
from croupier.law.problems import ChapterProblem

__all__ = ["chapter", "chapters", "find"]

#: The modules of the book by chapter number.
MODULES = {name[2:].partition("_")[0]: name for _, name, _ in iter_modules(__path__) if re.match(r"ch\d+a_", name)}
#: The environment variable that lists the named chapter files, so that child processes read the same ones.
FILES_VARIABLE = "CROUPIER_BOOK"
PLUGINS = "croupier.chapters"
ANOTHER = "or a chapter file: ./game.py in place of the number, --book ./game.py where a submission or a case names the game"
ANY_GAME = "58 Pa. Code Part VII, Subpart K"


@cache
def chapter(number: str) -> Chapter:
    """A chapter of the book by its number."""
    found: Chapter = import_module(f"croupier.book.{MODULES[number]}").chapter
    return found


def chapters() -> tuple[Chapter, ...]:
    """Every chapter: those of the book, then the installed ones, then those whose files were named."""
    every = (*map(chapter, MODULES), *_installed(), *map(read_chapter, _named_files()))
    _refuse(_duplicates(every))
    return every


def find(game: str | Path) -> Chapter:
    """A chapter by its number, by the game's name in kebab-case, or by the path of its file.

    >>> find("three-card-poker").number, find("649a").title
    ('649a', 'Three Card Poker')
    """
    if isinstance(game, Path):
        return _open(game)
    word = game.strip().lower().replace(" ", "-").replace("'", "")
    if word.rstrip("a") + "a" in MODULES:
        return chapter(word.rstrip("a") + "a")
    for found in chapters():
        if word in (found.number.lower(), found.slug, found.slug.removesuffix("-poker")):
            return found
    known = ", ".join(f"{found.number} ({found.slug})" for found in chapters())
    raise Refusal(f"“{game}” is not a game in the book", ANY_GAME, f"{known}; {ANOTHER}")


def path_or_name(game: str) -> str | Path:
    """What someone typed for a game, as a Path if it is one.

    >>> path_or_name("649a"), path_or_name("./mississippi_stud.py")
    ('649a', PosixPath('mississippi_stud.py'))
    """
    return Path(game) if game.endswith(".py") or "/" in game or os.sep in game else game


def _open(path: Path) -> Chapter:
    """Read a chapter file, and have child processes read it too."""
    file = path.expanduser().resolve()
    found, known = read_chapter(file), _named_files()
    if file not in known:
        _refuse(duplicate_problems(found))
        os.environ[FILES_VARIABLE] = os.pathsep.join(map(str, (*known, file)))
    return found


def _named_files() -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(file).resolve() for file in os.environ.get(FILES_VARIABLE, "").split(os.pathsep) if file))


@cache
def _installed() -> tuple[Chapter, ...]:
    return tuple(map(read_plugin, sorted(entry_points(group=PLUGINS))))


def duplicate_problems(new: Chapter) -> list[ChapterProblem]:
    """Problems with the number and name of a new chapter: another chapter already has them."""
    return list(_duplicates((*(each for each in chapters() if each.file != new.file), new)))


def _duplicates(every: tuple[Chapter, ...]) -> Iterator[ChapterProblem]:
    """Chapters that share a number or a name: a submission could not tell them apart."""
    seen = dict[str, Chapter]()
    for found in every:
        for word in (found.number.lower(), found.slug):
            if seen.setdefault(word, found) is not found:
                yield ChapterProblem(f"two chapters are called “{word}”", found.where(), "another number and title")


def _refuse(problems: Iterable[ChapterProblem]) -> None:
    for problem in problems:
        raise Refusal(problem.said, problem.where, problem.write)
