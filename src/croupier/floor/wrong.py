"""What the checks of a log say when it is not as it should be."""

from __future__ import annotations


class Wrong(Exception):
    """What is wrong with the entry that is looked at, or with another that it leads to."""

    def __init__(self, what: str, stream: str = "", version: int = 0) -> None:
        super().__init__(what)
        self.stream, self.version = stream, version


class CannotTell(Exception):
    """A check that needs what is damaged or missing elsewhere."""
