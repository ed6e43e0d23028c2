"""A chapter outside the book: the Python file that declares it, run and looked at. What is wrong is one sentence with its line."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from croupier.law.chapter import Chapter
from croupier.law.cite import Refusal
from croupier.law.problems import problems

DECLARES = "a file that declares: chapter = Chapter(…)"


@cache
def read_chapter(file: Path) -> Chapter:
    """The chapter of a file, if nothing in it is missing or contradictory."""
    return _sound(run_file(file), f"croupier chapter check {file.name} lists what is wrong")


@cache
def run_file(file: Path) -> Chapter:
    """Run a chapter file and return its chapter as it is. It is run once; only name files that you trust."""
    try:
        source = file.read_bytes()
    except OSError as problem:
        raise Refusal(f"the chapter cannot be read: {problem.strerror}", str(file), "a Python file with a chapter") from None
    module = ModuleType(f"chapter file {file}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # where a dataclass in it looks for its names
    try:
        exec(compile(source, str(file), "exec", dont_inherit=True), module.__dict__)
    except SyntaxError as wrong:
        raise Refusal(f"the chapter cannot be read: {wrong.msg}", _line(file, wrong.lineno or 1), "Python") from None
    except (Exception, SystemExit) as wrong:
        raise _refused(file, wrong) from None
    return _declared(module.__dict__.get("chapter"), _line(file, 1))


def read_plugin(entry: EntryPoint) -> Chapter:
    """The chapter that an installed package offers: the module with a `chapter`, or the chapter itself."""
    try:
        found = entry.load()
    except (Exception, SystemExit) as wrong:
        raise Refusal(f"the installed chapter {entry.name} cannot be read: {_said(wrong)}", entry.value) from None
    return _sound(_declared(getattr(found, "chapter", found), entry.value), "a later version")


def _sound(chapter: Chapter, instead: str) -> Chapter:
    for problem in problems(chapter):
        raise Refusal(f"the chapter cannot be used: {problem.said}", problem.where, problem.write or instead)
    return chapter


def _declared(found: Any, where: str) -> Chapter:
    if not isinstance(found, Chapter):
        raise Refusal("no chapter is declared here", where, DECLARES)
    return found


def _refused(file: Path, wrong: BaseException) -> Refusal:
    """What stopped the file, at the line of the file where it did."""
    lines = [frame.lineno for frame in extract_tb(wrong.__traceback__) if frame.filename == str(file)]
    return Refusal(f"the chapter cannot be read: {_said(wrong)}", _line(file, lines[-1] if lines else 1))


def _said(wrong: BaseException) -> str:
    """The words of an error; the vocabulary's own are sentences, others need the name of their kind."""
    said = str(wrong.said if isinstance(wrong, Refusal) else wrong)
    return said if said and isinstance(wrong, (ValueError, Refusal)) else f"{type(wrong).__name__} {said}".strip()


def _line(file: Path, number: int | None) -> str:
    return f"{file.name}, line {number}"
