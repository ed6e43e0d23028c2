"""Wagers: who may make them and for how much, and the decisions that add or withdraw them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import NamedTuple

from croupier.law.cite import ClauseFirst, Refusal, Rule
from croupier.law.fact import TIMED_OUT, Has, Position
from croupier.law.layout import Area, Equipment
from croupier.law.ranking import Ranking
from croupier.law.reading import Alternative, Reading, in_force
from croupier.money import Cents, show_money

Stakes = Mapping[str, Cents]  # by the wager's key


@dataclass(frozen=True)
class Amounts:
    """The amounts allowed for a wager, apart from the table's limits."""

    words: str
    clause: str
    allows: Callable[[Cents, Stakes], bool] = field(compare=False)
    sums: tuple[Cents, ...] = ()  # the only amounts, if the code names them: posted limits cannot change them

    @property
    def fixed(self) -> bool:
        return bool(self.sums)


@dataclass(frozen=True, eq=False)
class Wager(Rule):
    """A wager, by the name that the code gives it.

    `side` is the hand it is placed on, if there is a choice. A `made_by_decision` wager is never placed before the deal.
    `needs` are wagers of which one must be made too, unless the filing reads the clause as `alone`; `equals` is one that it must
    be equal to. A wager through a `system` leaves the layout before the deal, and so is never returned: chips on its area are
    collected; without an area, it is placed on a screen from the player's game account.
    """

    name: str
    area: Area | None = None
    system: Equipment | None = None
    group: str = ""  # the code's name for several equal wagers as a group
    required: bool = False
    optional: bool = False  # offered only if the Rules Submission says so
    needs: Sequence[Wager] = ()
    alone: Alternative | None = None
    equals: Wager | None = None
    amounts: Amounts | None = None
    made_by_decision: bool = False
    side: str = ""
    survives_fold: str = ""  # the clause under which a fold does not lose it

    def complete(self) -> None:
        if other := self.equals:
            words, clause = f"equal to {the(other.name)}", self.cite.clause
            self.__dict__["amounts"] = Amounts(words, clause, lambda stake, stakes: stake == stakes.get(other.key))

    @cached_property
    def key(self) -> str:
        return f"{self.name}: {self.side}" if self.side else self.name

    @property
    def collected(self) -> bool:
        """Whether the dealer collects its chips before the deal."""
        return self.system is not None and self.area is not None

    @property
    def electronic(self) -> bool:
        """Whether it is placed from, and paid to, the player's game account."""
        return self.system is not None and self.area is None

    def lacks(self, stakes: Stakes, readings: Mapping[str, str]) -> bool:
        """Is a wager missing that it needs?"""
        may_stand_alone = not self.needs or in_force(self.alone, readings)
        return not may_stand_alone and not any(stakes.get(wager.key) for wager in self.needs)


def the(name: str) -> str:
    """A wager's name in a sentence.

    >>> the("Blind Wager"), the("Bet Number 3")
    ('the Blind Wager', 'Bet Number 3')
    """
    return f"the {name}" if name.partition(":")[0].endswith("Wager") else name


def one_of(*amounts: Cents, cite: str) -> Amounts:
    """A wager of one of these amounts.

    >>> one_of(100, 500, cite="12(e)(5)").words
    '$1 or $5'
    """
    return Amounts(" or ".join(map(show_money, amounts)), cite, lambda stake, _: stake in amounts, sums=amounts)


@dataclass(frozen=True, eq=False)
class GameVersion(ClauseFirst):
    """A version of the game that the submission may choose, with the amounts it requires for two wagers."""

    words: str
    allows: Callable[[Stakes], bool]


@dataclass(frozen=True)
class Choice:
    """One answer to a decision: the word a player says, and what it does to the wagers."""

    word: str
    clause: str
    makes: tuple[Wager, int | Fraction] | None = None  # a wager, as a multiple of the base
    withdraws: Wager | None = None
    folds: bool = False
    goes_on: bool = False  # this player also gets the next decision
    also_said: tuple[str, ...] = ()
    holding: Has | None = None  # the hand that a player needs to answer so
    phrase: str = ""  # the answer in a sentence, if that is more than its word; {} is what is decided on

    @property
    def in_full(self) -> str:
        """The word with its multiple, even if there is only one multiple."""
        return self.also_said[0] if self.also_said else self.word


@dataclass(frozen=True)
class Between:
    """A wager of any amount between two multiples of the base, if a reading allows it."""

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


@dataclass(frozen=True, eq=False)
class Decision(Rule):
    """A question the dealer asks each player who made a wager, starting at the dealer's left.

    A settlement can ask it like a fact: which word did the player answer with? `unanswered` is the choice made for a player whose
    time runs out, by default the fold, and `unless` another one under a reading.
    """

    name: str
    asked_of: Wager
    choices: Sequence[Choice]
    knows: str  # what the player has seen when asked
    unanswered: Choice = None  # type: ignore[assignment]  # set below
    unless: tuple[Alternative, Choice] | None = None
    any_amount: Alternative | None = None  # under which a wager may be any amount between the multiples of the choices
    ordinal: int = field(default=0, init=False)  # among the chapter's decisions, from 0

    def complete(self) -> None:
        if self.unanswered is None and self.choices:
            folds = next((choice for choice in self.choices if choice.folds), None)
            if folds is None:
                said = f"no choice on the {self.name} folds, so it must say what counts if it is `unanswered`"
                raise ValueError(f"{self.cite.chapter}: {said}")
            self.__dict__["unanswered"] = folds

    @property
    def values(self) -> tuple[str, ...]:
        """The words that the log may have for the answer."""
        silent = [self.unanswered, *([self.unless[1]] if self.unless else [])]
        return tuple(dict.fromkeys(choice.word for choice in (*self.choices, *silent)))

    def of(self, position: Position) -> str:
        return position.decided[self.ordinal]

    @property
    def base(self) -> Wager:
        """The wager that a choice multiplies."""
        return self.asked_of

    @cached_property
    def between(self) -> Between | None:
        """Any amount between the multiples of the choices."""
        made = [(choice, *choice.makes) for choice in self.choices if choice.makes]
        if self.any_amount is None or not made:
            return None
        (choice, wager, _), times = made[0], [int(multiple) for *_, multiple in made]
        return Between(choice.in_full.rpartition(" ")[0], wager, min(times), max(times), self.any_amount, choice.clause)

    @property
    def reading(self) -> Reading | None:
        """The reading that says what silence means."""
        return self.unless[0][0] if self.unless else None

    def in_silence(self, readings: Mapping[str, str]) -> Choice:
        """The choice made for a player whose time runs out."""
        return self.unless[1] if self.unless and in_force(self.unless[0], readings) else self.unanswered

    def read(self, text: str, readings: Mapping[str, str]) -> Choice | None:
        """Parse a player's words as a choice."""
        words = " ".join(text.lower().split())
        found = next((choice for choice in self.choices if words == choice.word or words in choice.also_said), None)
        return found or (self.between.read(words, readings) if self.between else None)

    def taken(self, word: str, readings: Mapping[str, str]) -> Choice | None:
        """The choice for a word in the log, whether the player or the clock made it."""
        return self.read(word, readings) or (self.unanswered if self.unanswered.word == word else None)


def never_answered(decisions: Iterable[Decision], readings: Mapping[str, str]) -> tuple[Choice, ...]:
    """The choices made, decision by decision, for a player who never answers."""
    taken = list[Choice]()
    for decision in decisions:
        taken.append(decision.in_silence(readings))
        if not taken[-1].goes_on:
            break
    return tuple(taken)


def least_to_play(decisions: Sequence[Decision], stakes: Stakes) -> Cents:
    """The least that a player must still wager, from the first of these decisions on, to reach the end without folding."""
    if not decisions or not stakes.get(decisions[0].base.key):
        return 0
    first, *later = decisions
    return min(
        (ceil(choice.makes[1] * stakes[first.base.key]) if choice.makes else 0)
        + (least_to_play(later, stakes) if choice.goes_on else 0)
        for choice in first.choices
        if not choice.folds
    )


def multiples(
    verb: str, wager: Wager, *times: int, cite: str, holding: tuple[Ranking, str] | None = None, goes_on: bool = False
) -> tuple[Choice, ...]:
    """Choices for a wager of one of these multiples of the base. A single one needs no number, unless it needs a hand.

    `holding` is the least hand of a ranking that a player needs for them.

    >>> [choice.word for choice in multiples("raise", Wager("682a", "Raise Wager", cite="1"), 1, 2, 3, cite="11(b)")]
    ['raise 1x', 'raise 2x', 'raise 3x']
    """
    if len(times) == 1 and holding is None:
        return (Choice(verb, cite, makes=(wager, times[0]), also_said=(f"{verb} {times[0]}x",), goes_on=goes_on),)
    needed = Has(*holding) if holding else None
    return tuple(Choice(f"{verb} {n}x", cite, makes=(wager, n), goes_on=goes_on, holding=needed) for n in times)


def fold(cite: str) -> Choice:
    return Choice("fold", cite, folds=True)


class Answer(NamedTuple):
    """A choice, and whether it was made for the player because their time ran out."""

    choice: Choice
    timed_out: bool = False

    @property
    def words(self) -> str:
        """
        >>> Answer(fold("11(b)")).words, Answer(fold("11(b)"), timed_out=True).words
        ('fold', 'fold (timed out)')
        """
        word = self.choice.word
        return f"{word} ({TIMED_OUT})" if self.timed_out and word != TIMED_OUT else word


def read_decisions(text: str, decisions: tuple[Decision, ...], readings: Mapping[str, str]) -> tuple[Answer, ...]:
    """Parse a player's words as answers, one for each decision asked of them, including those made when time ran out."""
    rest, made = text.lower().split(), list[Answer]()
    for decision in decisions:
        words = " or ".join(f"“{choice.word}”" for choice in decision.choices)
        if made and not rest:
            raise Refusal(f"there is no decision on the {decision.name} after “{text}”", decision.cite, words)
        size, answer = next(_first_answers(rest, decision, readings), (0, None))
        rest = rest[size:]
        goes_on = answer is not None and answer.choice.goes_on and decision is not decisions[-1]
        if answer is None or (rest and not goes_on):
            raise Refusal(f"“{text}” is not a decision on the {decision.name}", decision.cite, words)
        made.append(answer)
        if not goes_on:
            break
    return tuple(made)


def _first_answers(words: list[str], decision: Decision, readings: Mapping[str, str]) -> Iterator[tuple[int, Answer]]:
    """The answers that the first words can mean, with their number of words, the longest first."""
    for size in range(len(words), 0, -1):
        text = " ".join(words[:size])
        if text == TIMED_OUT:
            yield size, Answer(decision.in_silence(readings), timed_out=True)
        elif choice := decision.read(text, readings):
            yield size, Answer(choice)
