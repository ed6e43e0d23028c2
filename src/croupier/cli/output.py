"""Standard output when it is a file or a pipe: one that is full is an error in words, and one that nobody reads is none."""

from __future__ import annotations

import io
import sys
from typing import Any


class CannotWrite(Exception):
    """The output cannot be written; the message says why."""


class Output(io.FileIO):
    """Once writing has failed, the rest is dropped. If a pipe is closed, the command still ends with its own exit code."""

    failed = False

    def write(self, data: Any) -> int:
        if self.failed:
            return len(data)
        try:
            return super().write(data)
        except OSError as problem:
            self.failed = True
            if isinstance(problem, BrokenPipeError):
                return len(data)
            raise CannotWrite(problem.strerror) from None


def guard() -> None:
    """Replace standard output, unless it is a terminal or closed."""
    if sys.stdout and not sys.stdout.isatty():
        buffer = io.BufferedWriter(Output(sys.stdout.fileno(), "wb", closefd=False))
        at_once = bool(sys.stdout.line_buffering or getattr(sys.stdout, "write_through", False))  # as with PYTHONUNBUFFERED
        sys.stdout = io.TextIOWrapper(buffer, sys.stdout.encoding, sys.stdout.errors, line_buffering=at_once)


def flush() -> None:
    if sys.stdout:
        sys.stdout.flush()
