"""Exceptions that the checks of a log raise."""

from __future__ import annotations


class CheckFailed(Exception):
    """Something is wrong with the entry being checked, or with another that it leads to."""

    def __init__(self, what: str, stream: str = "", version: int = 0) -> None:
        super().__init__(what)
        self.stream, self.version = stream, version


class CannotCheck(Exception):
    """A check needs something that is damaged or missing elsewhere."""
