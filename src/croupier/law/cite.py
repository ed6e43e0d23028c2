"""Citations, editions, and the base class of all declarations: every rule names its clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field, fields
from datetime import date
from enum import Enum
from functools import cached_property

#: Roman numerals in order, as clauses are numbered: far more than any paragraph has.
NUMERALS = [tens + ones for tens in ("", "x", "xx", "xxx") for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")]
_CLAUSE = re.compile(r"(\d{1,2})((?:\((?:[a-z]{1,4}|[ivxlc]+|\d{1,2}|[A-Z])\))*)")


@dataclass(frozen=True, order=True)
class Cite:
    """A clause of 58 Pa. Code: chapter, section and paragraphs.

    >>> str(Cite("649a", "11(c)(3)(ii)"))
    '649a.11(c)(3)(ii)'
    """

    chapter: str
    clause: str

    def __post_init__(self) -> None:
        if not _CLAUSE.fullmatch(str(self.clause)):
            raise ValueError(f"“{self.clause}” is not a clause of chapter {self.chapter}")

    @cached_property
    def section(self) -> int:
        return int(self.clause.split("(")[0])

    def __str__(self) -> str:
        return f"{self.chapter}.{self.clause}"


class Status(Enum):
    CODIFIED = "codified"
    PROPOSED = "proposed"
    FINAL_FORM = "final form"
    EXAMPLE = "example"  # not law


@dataclass(frozen=True)
class Edition:
    """One edition of a chapter's text, named by its date."""

    name: str
    source: str
    status: Status

    def __post_init__(self) -> None:
        try:
            known = date.fromisoformat(self.name).isoformat() == self.name
        except (TypeError, ValueError):
            known = False
        if not known:
            raise ValueError(f"“{self.name}” is not the date of an edition, such as 2026-01-31")

    def __str__(self) -> str:
        return self.name


Only = Edition | tuple[Edition, ...]


def read_cites(number: str, text: str) -> tuple[Cite, ...]:
    """Parse citations of a chapter: clauses separated by commas, or a range of sibling clauses such as 4(a)-(e).

    >>> [str(cite) for cite in read_cites("649a", "7(d)(1), 4(a)-(c)")]
    ['649a.7(d)(1)', '649a.4(a)', '649a.4(b)', '649a.4(c)']
    >>> [cite.clause for cite in read_cites("649a", "6(b)(i)-(ix)")][-3:]
    ['6(b)(vii)', '6(b)(viii)', '6(b)(ix)']
    """
    if not isinstance(text, str):
        raise ValueError(f"the clause {text!r} of chapter {number} is not text, such as “11(b)”")
    return tuple(Cite(number, clause) for part in text.split(",") for clause in _clauses(part.strip()))


def _clauses(text: str) -> Iterator[str]:
    """One clause, or each clause of a range such as “(a)-(e)”."""
    first, dash, last = text.partition("-")
    yield first
    if dash:
        stem, start = first[: first.rindex("(")], first[first.rindex("(") + 1 : -1]
        end = last.strip("()")
        if start.isdigit():
            yield from (f"{stem}({number})" for number in range(int(start) + 1, int(end) + 1))
        elif start == "i":
            if end not in NUMERALS:
                raise ValueError(f"“{end}” is not a Roman numeral")
            yield from (f"{stem}({numeral})" for numeral in NUMERALS[2 : NUMERALS.index(end) + 1])
        else:
            yield from (f"{stem}({chr(letter)})" for letter in range(ord(start) + 1, ord(end) + 1))


class Cited:
    """Has citations; the first is the main one."""

    cites: tuple[Cite, ...]

    @cached_property
    def cite(self) -> Cite:
        return self.cites[0]


@dataclass(frozen=True, eq=False)
class Rule(Cited):
    """Anything a chapter declares, with its citations and the editions it belongs to (all if none is named).

    Chapters write citations as text (`cite`) and sequences as lists, which are stored as tuples. Rules are compared by
    identity, because two clauses may use the same words.
    """

    number: InitVar[str]  # of the chapter
    cite: InitVar[str] = field(kw_only=True)
    only: Only = field(default=(), kw_only=True)
    cites: tuple[Cite, ...] = field(init=False)

    def __post_init__(self, number: str, cite: str) -> None:
        object.__setattr__(self, "cites", read_cites(number, cite))
        for each in fields(self):
            if isinstance(value := self.__dict__.get(each.name), list):
                object.__setattr__(self, each.name, tuple(value))
        self.complete()

    def complete(self) -> None:
        """Reject what no clause can say, and fill in what the chapter leaves out."""

    def applies_in(self, edition: Edition) -> bool:
        return not self.only or edition in (self.only if isinstance(self.only, tuple) else (self.only,))


@dataclass(frozen=True, eq=False)
class ClauseFirst(Rule):
    """A rule that chapters write with the citation first: procedure, step by step."""

    cite: InitVar[str] = field()


def one_line(text: str) -> str:
    """Collapse whitespace, so that a sentence stays on one line whatever it quotes."""
    return " ".join(text.split())


class Refusal(Exception):
    """A refused request: the reason, the clause, and what is allowed instead."""

    def __init__(self, said: str, cite: Cite | str, accepted: str = "") -> None:
        said, accepted = one_line(said), one_line(accepted)
        super().__init__(said, cite, accepted)
        self.said, self.cite, self.accepted = said, str(cite), accepted

    def at(self, where: str) -> Refusal:
        """The same refusal, prefixed with where it happened."""
        return self if self.said.startswith(where) else Refusal(f"{where}: {self.said}", self.cite, self.accepted)

    def __str__(self) -> str:
        return f"{self.said} ({self.cite})." + (f" Allowed: {self.accepted}." if self.accepted else "")
