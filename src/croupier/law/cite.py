"""Citations, editions and the rule without which nothing is declared: every rule names its clause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

_CLAUSE = re.compile(r"(\d{1,2})((?:\((?:[a-z]{1,4}|\d{1,2}|[A-Z])\))*)")


@dataclass(frozen=True, order=True)
class Cite:
    """A clause of 58 Pa. Code: chapter, section and paragraphs.

    >>> str(Cite("649a", "11(c)(3)(ii)"))
    '649a.11(c)(3)(ii)'
    """

    chapter: str
    clause: str

    def __post_init__(self) -> None:
        if not _CLAUSE.fullmatch(self.clause):
            raise ValueError(f"“{self.clause}” is not a clause of chapter {self.chapter}")

    @cached_property
    def section(self) -> int:
        return int(self.clause.split("(")[0])

    @property
    def long(self) -> str:
        return f"58 Pa. Code § {self}"

    def __str__(self) -> str:
        return f"{self.chapter}.{self.clause}"


class Status(Enum):
    CODIFIED = "codified"
    PROPOSED = "proposed"
    FINAL_FORM = "final form"


@dataclass(frozen=True)
class Edition:
    """A text of a chapter, named by its date."""

    name: str
    source: str
    status: Status

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Whatever a chapter declares. It has a citation, and the editions in which it stands (none named: all)."""

    cites: tuple[Cite, ...]
    only: tuple[Edition, ...] = ()

    def __post_init__(self) -> None:
        if not self.cites:
            raise ValueError(f"a {type(self).__name__} without a citation")

    @cached_property
    def cite(self) -> Cite:
        return self.cites[0]

    def stands_in(self, edition: Edition) -> bool:
        return not self.only or edition in self.only


def one_line(text: str) -> str:
    """A sentence stays one line whatever was quoted in it."""
    return " ".join(text.split())


class Refusal(Exception):
    """A wish that the law does not grant: what was refused, under which clause, what would be accepted."""

    def __init__(self, said: str, cite: Cite | str, accepted: str = "") -> None:
        said, accepted = one_line(said), one_line(accepted)
        super().__init__(said, cite, accepted)
        self.said, self.cite, self.accepted = said, str(cite), accepted

    def at(self, where: str) -> Refusal:
        """The same refusal, saying where."""
        return self if self.said.startswith(where) else Refusal(f"{where}: {self.said}", self.cite, self.accepted)

    def __str__(self) -> str:
        return f"{self.said} ({self.cite})." + (f" Accepted: {self.accepted}." if self.accepted else "")
