"""Runs and checks a chapter file from outside the book. Each problem is one sentence with its line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from croupier.law.chapter import Chapter
from croupier.law.cite import Refusal
from croupier.law.problems import ChapterProblem, error_text, line_in, problems

A_CHAPTER = "a Python file with a chapter"
DECLARES = "a file that declares: chapter = Chapter(…)"
MOST_STEPS = 2_000_000  # interpreter steps, in the file or in one call of its functions, before it counts as endless


class EndlessLoop(BaseException):
    """A loop in a chapter file that does not end. Not an Exception, so that no check of the chapter catches it."""


@contextmanager
def _no_endless_loop(file: str) -> Iterator[None]:
    """Refuse an endless loop in the file, with its line. A loop in a library that the file calls is not noticed."""

    def count(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        steps = iter(range(MOST_STEPS))
        frame.f_trace_lines, frame.f_trace_opcodes = False, True  # a loop may be on one line

        def step(frame: FrameType, event: str, arg: Any) -> Any:
            if next(steps, None) is None:
                raise EndlessLoop
            return step

        return step

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    except EndlessLoop as endless:
        reason = f"a loop in the chapter takes {MOST_STEPS:,} steps and does not end"
        raise Refusal(reason, _line(Path(file), line_in(file, endless)), "a loop that ends") from None
    finally:
        sys.settrace(before)


@cache
def read_chapter(file: Path) -> Chapter:
    """The chapter that a file declares, if nothing in it is missing or contradictory."""
    return _without_problems(run_file(file), f"croupier chapter check {file.name} lists what is wrong")


@cache
def run_file(file: Path) -> Chapter:
    """Run a chapter file, once, and return its chapter unchecked. Only name files that you trust."""
    try:
        source = file.read_bytes()
    except OSError as problem:
        raise Refusal(f"the chapter cannot be read: {problem.strerror}", str(file), A_CHAPTER) from None
    module = ModuleType(f"chapter file {file}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # where a dataclass in it resolves its names
    with _no_endless_loop(str(file)):
        try:
            exec(compile(source, str(file), "exec", dont_inherit=True), module.__dict__)
        except SyntaxError as wrong:
            raise Refusal(f"the chapter cannot be read: {wrong.msg}", _line(file, wrong.lineno or 1), A_CHAPTER) from None
        except (Exception, SystemExit) as wrong:
            where = _line(file, line_in(str(file), wrong) or 1)
            raise Refusal(f"the chapter cannot be read: {error_text(wrong)}", where) from None
    return _declared(module.__dict__.get("chapter"), _line(file, 1))


def read_plugin(entry: EntryPoint) -> Chapter:
    """The chapter that an installed package offers: the module with a `chapter`, or the chapter itself."""
    try:
        found = entry.load()
    except (Exception, SystemExit) as wrong:
        raise Refusal(f"the installed chapter {entry.name} cannot be read: {error_text(wrong)}", entry.value) from None
    return _without_problems(_declared(getattr(found, "chapter", found), entry.value), "a later version")


def chapter_problems(chapter: Chapter, *, thorough: bool = False) -> list[ChapterProblem]:
    """What is missing or contradictory in a chapter. Runs its functions."""
    with _no_endless_loop(chapter.file):
        return problems(chapter, thorough=thorough)


def _without_problems(chapter: Chapter, instead: str) -> Chapter:
    for problem in chapter_problems(chapter):
        raise Refusal(f"the chapter cannot be used: {problem.said}", problem.where, problem.write or instead)
    return chapter


def _declared(found: Any, where: str) -> Chapter:
    if not isinstance(found, Chapter):
        raise Refusal("no chapter is declared here", where, DECLARES)
    return found


def _line(file: Path, number: int | None) -> str:
    return f"{file.name}, line {number}"
