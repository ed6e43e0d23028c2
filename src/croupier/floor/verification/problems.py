"""Exceptions that the checks of a log raise."""

from __future__ import annotations


class CheckFailed(Exception):
    """The entry being checked is wrong, or another one that it refers to."""

    def __init__(self, what: str, stream: str = "", version: int = 0) -> None:
        super().__init__(what)
        self.stream, self.version = stream, version


class CannotCheck(Exception):
    """A check needs something that is damaged or missing elsewhere, so it has no result."""
