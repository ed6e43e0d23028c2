"""The auditor's findings, and what it can read on the layout of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

Plain = dict[str, Any]
T = TypeVar("T")


class AuditFinding(Exception):
    """A violated check: which one, and at which table."""

    def __init__(self, check: str, said: str, table: str = "") -> None:
        super().__init__(check, said, table)
        self.check, self.said, self.table = check, said, table

    def __str__(self) -> str:
        return f"{self.check}: {self.table + ': ' if self.table else ''}{self.said}"


def need(condition: object, check: str, said: str, table: str = "") -> None:
    if not condition:
        raise AuditFinding(check, said, table)


def needed(value: T | None, check: str, said: str) -> T:
    """The value, or a finding if there is none."""
    if value is None:
        raise AuditFinding(check, said)
    return value


@dataclass(frozen=True)
class LimitNotice:
    """The payout limit: what it covers, and whether it is for a player's round or for each hand."""

    cents: int
    clause: str
    covers: frozenset[str]
    never: frozenset[tuple[str, str]]  # wager and hand
    per_player: bool
    with_stakes: bool  # returned stakes use it up too


Hands = Mapping[str, tuple[str, ...]]  # the cards of a hand by where they lie


@dataclass(frozen=True)
class EnvyNotice:
    """The schedule of an envy bonus, and whose hands earn it."""

    area: str  # where a player must have wagered
    own: bool  # a hand at the same player's other box counts too
    unseen: bool  # so does a folded hand that nobody turned over
    row: Callable[[int, Hands], str]  # the paid row of a hand for a wager of this many cents; empty if it pays nothing


@dataclass(frozen=True)
class Sharing:
    """A jackpot that all who wagered on it share."""

    by_box: bool
    at_turn: bool  # each part is drawn when its player is paid


@dataclass(frozen=True)
class AnswerNotice:
    """What the notice says of one answer to a decision, or of none in time."""

    lays: str = ""  # the area where a wager is made
    times: tuple[int | Fraction, int | Fraction] = (0, 0)  # the least and the most, in multiples of the stake on the area `of`
    of: str = ""
    back: str = ""  # the area whose bet is taken back
    folds: bool = False
    loses: frozenset[str] = frozenset()  # without an answer: the areas whose wagers are lost; all others stay in play


@dataclass(frozen=True)
class Signs:
    """What anyone can read at a table before the first card: the areas of the layout and the posted notices."""

    circles: Mapping[str, tuple[str, ...]]  # the betting areas that one word of a player covers
    gathered: frozenset[str]  # areas whose chips the dealer takes in before the deal
    electronic: frozenset[str]  # areas that are wagered on from a game account
    meters: Mapping[str, str]  # the progressive wager whose meter an area feeds, or an envy bonus is paid from
    void: Mapping[str, frozenset[str]]  # irregularities that void the hands, with the areas that are still settled
    cards: int  # in a deck
    shuffler: bool  # a device shuffles
    broken: frozenset[str]  # irregularities that put a device out of order
    removed: frozenset[str]  # irregularities of the shuffle after which the deck leaves the table
    stores_deck: bool  # and keeps a deck that need not be spread when the table is idle
    limit: LimitNotice | None
    envy: Mapping[str, EnvyNotice]
    shared: Mapping[str, Sharing]  # by area
    answers: tuple[Mapping[str, AnswerNotice], ...] = ()  # by the number of the decision and the word; “” for any other word
    silence: tuple[AnswerNotice, ...] = ()  # by the number of the decision
    late_stands: bool = False  # what is settled stands when the round is void
    forfeited_lost: bool = False  # and what was forfeited stays lost
    abandoned_back: bool = False  # and players who left get theirs back
