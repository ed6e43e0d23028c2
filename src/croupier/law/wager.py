"""Wagers, who may make them and in what amount; the decisions that make more of them or take them back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from croupier.law.cite import Refusal, Rule
from croupier.law.reading import Alternative, Reading, in_force
from croupier.money import Cents, show

Stakes = Mapping[str, Cents]  # by the wager's key


@dataclass(frozen=True)
class Amounts:
    """The amounts that a wager may have, apart from the table's limits."""

    words: str
    clause: str
    allows: Callable[[Cents, Stakes], bool] = field(compare=False)
    sums: tuple[Cents, ...] = ()  # the only ones, where the code names them: no posted limit can change them

    @property
    def fixed(self) -> bool:
        return bool(self.sums)


@dataclass(frozen=True)
class Needs:
    """A precondition: one of these wagers must stand, unless the submission reads the clause otherwise."""

    any_of: tuple[str, ...]
    clause: str
    unless: Alternative | None = None

    def met_by(self, stakes: Stakes, readings: Mapping[str, str]) -> bool:
        if self.unless and in_force(self.unless, readings):
            return True
        return any(stakes.get(key) for key in self.any_of)


@dataclass(frozen=True, kw_only=True)
class Wager(Rule):
    """A wager, under the name that the code gives it.

    `side` tells apart the hands that one wager can be placed on; `made_by_decision` is never placed before the deal;
    `collected` says that the stake leaves the layout before the deal (and so never goes back), under this clause.
    """

    name: str
    group: str = ""  # the name that the code gives several equal wagers together
    required: bool = False
    optional: bool = False  # offered only if the Rules Submission says so
    needs: Needs | None = None
    amounts: Amounts | None = None
    made_by_decision: bool = False
    collected: str = ""
    electronic: bool = False  # placed through, and paid to, the player's game account
    side: str = ""
    survives_fold: str = ""  # the clause by which a fold does not lose it

    @cached_property
    def key(self) -> str:
        return f"{self.name}: {self.side}" if self.side else self.name


def one_of(*amounts: Cents, cite: str) -> Amounts:
    """A wager of one of these sums.

    >>> one_of(100, 500, cite="12(e)(5)").words
    '$1 or $5'
    """
    return Amounts(" or ".join(map(show, amounts)), cite, lambda stake, _: stake in amounts, sums=amounts)


def needs(*wagers: Wager, cite: str, unless: Alternative | None = None) -> Needs:
    return Needs(tuple(wager.key for wager in wagers), cite, unless)


def equal_to(other: Wager, *, cite: str) -> Amounts:
    article = "the " if other.name.endswith(" Wager") else ""
    return Amounts(f"equal to {article}{other.name}", cite, lambda stake, stakes: stake == stakes.get(other.key))


@dataclass(frozen=True, kw_only=True)
class Form(Rule):
    """A version of the game that the submission may choose, with the amounts that it requires of two wagers."""

    words: str
    allows: Callable[[Stakes], bool] = field(compare=False)


@dataclass(frozen=True)
class Choice:
    """One answer to a decision: the word a player says, and what it does to the wagers."""

    word: str
    clause: str
    makes: tuple[Wager, int | Fraction] | None = None  # a wager of so many times the base
    withdraws: Wager | None = None
    folds: bool = False
    goes_on: bool = False  # the next decision is asked of this player too
    also_said: tuple[str, ...] = ()

    @property
    def in_full(self) -> str:
        """The word with its multiple, also where the decision leaves no other."""
        return self.also_said[0] if self.also_said else self.word


@dataclass(frozen=True)
class Between:
    """A wager of any amount between two multiples of the base, where a reading takes the clause so."""

    verb: str
    wager: Wager
    low: int
    high: int
    reading: Alternative
    clause: str

    def read(self, text: str, readings: Mapping[str, str]) -> Choice | None:
        """The choice that “play 1.5x” names, if the reading allows it."""
        found = re.fullmatch(rf"{self.verb} (\d{{1,3}}(?:\.\d{{1,6}})?)x", text)
        if not found or not in_force(self.reading, readings):
            return None
        times = Fraction(found[1])
        return Choice(text, self.clause, makes=(self.wager, times)) if self.low <= times <= self.high else None


TIMED_OUT = "timed out"  # a hand given up by the clock: it loses what the decision is about, and nothing else


@dataclass(frozen=True)
class Unanswered:
    """The choice taken for a player whose time runs out, with the clause for it; another where the filing reads it so."""

    choice: Choice
    unless: tuple[Alternative, Choice] | None = None

    @property
    def reading(self) -> Reading | None:
        return self.unless[0][0] if self.unless else None

    def under(self, readings: Mapping[str, str]) -> Choice:
        return self.unless[1] if self.unless and in_force(self.unless[0], readings) else self.choice


@dataclass(frozen=True, kw_only=True)
class Decision(Rule):
    """A question that the dealer asks each player who has made a wager, from the dealer's left."""

    name: str
    asked_of: Wager
    base: Wager
    choices: tuple[Choice, ...]
    knows: str  # what the player has seen when he is asked
    unanswered: Unanswered
    between: Between | None = None

    def read(self, text: str, readings: Mapping[str, str]) -> Choice | None:
        """The choice that a player's words name."""
        words = " ".join(text.lower().split())
        found = next((choice for choice in self.choices if words == choice.word or words in choice.also_said), None)
        return found or (self.between.read(words, readings) if self.between else None)

    def taken(self, word: str, readings: Mapping[str, str]) -> Choice | None:
        """The choice of a word in the log, whether the player said it or the clock."""
        by_clock = self.unanswered.choice
        return self.read(word, readings) or (by_clock if by_clock.word == word else None)


def never_answered(decisions: Iterable[Decision], readings: Mapping[str, str]) -> tuple[Choice, ...]:
    """The choices taken, decision after decision, for a player who answers none."""
    taken = list[Choice]()
    for decision in decisions:
        taken.append(decision.unanswered.under(readings))
        if not taken[-1].goes_on:
            break
    return tuple(taken)


def multiples(verb: str, wager: Wager, *times: int, cite: str) -> tuple[Choice, ...]:
    """A wager of one of these multiples of the base; a single one needs no number.

    >>> from croupier.law.cite import Cite
    >>> [c.word for c in multiples("raise", Wager(name="Raise Wager", cites=(Cite("682a", "1"),)), 1, 2, 3, cite="11(b)")]
    ['raise 1x', 'raise 2x', 'raise 3x']
    """
    if len(times) == 1:
        return (Choice(verb, cite, makes=(wager, times[0]), also_said=(f"{verb} {times[0]}x",)),)
    return tuple(Choice(f"{verb} {n}x", cite, makes=(wager, n)) for n in times)


def fold(cite: str) -> Choice:
    return Choice("fold", cite, folds=True)


def read_decisions(text: str, decisions: tuple[Decision, ...], readings: Mapping[str, str]) -> tuple[Choice, ...]:
    """The choices that a player's words name, one for each decision asked of him; or that are taken where his time ran out."""
    rest, made = " ".join(text.lower().split()), list[Choice]()
    for decision in decisions:
        words = " or ".join(f"“{choice.word}”" for choice in decision.choices)
        if not rest and made:
            raise Refusal(f"after “{text}” the decision on the {decision.name} is missing", decision.cite, words)
        if decision.between and (amount := decision.between.read(rest, readings)):
            made.append(amount)
            rest = ""
            break
        spoken = sorted(((word, c) for c in decision.choices for word in (c.word, *c.also_said)), key=lambda pair: -len(pair[0]))
        spoken.append((TIMED_OUT, decision.unanswered.under(readings)))
        choice = next((c for word, c in spoken if rest == word or rest.startswith(word + " ")), None)
        if choice is None:
            raise Refusal(f"“{text}” is not a decision on the {decision.name}", decision.cite, words)
        word = next(word for word, c in spoken if c is choice and (rest == word or rest.startswith(word + " ")))
        rest = rest[len(word) :].strip()
        made.append(choice)
        if not choice.goes_on:
            break
    if rest:
        last = decisions[len(made) - 1]
        words = " or ".join(f"“{choice.word}”" for choice in last.choices)
        raise Refusal(f"“{text}” is not a decision on the {last.name}", last.cite, words)
    return tuple(made)


def at_least(part: Fraction, of: Wager, by: Wager) -> Callable[[Stakes], bool]:
    """Where the one wager stands, the other is at least this part of it."""
    return lambda stakes: not stakes.get(of.key) or stakes.get(by.key, 0) >= part * stakes[of.key]
