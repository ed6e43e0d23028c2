"""A chapter of 58 Pa. Code: everything its module declares, and the rules of one edition."""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from itertools import takewhile
from pathlib import Path
from types import FrameType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from croupier.cards import Cards
from croupier.law import procedure
from croupier.law.cite import Cite, Edition, Only, Refusal, Rule, read_cites
from croupier.law.fact import COMMUNITY, FOLDED, FOLDED_BY_CHOICE, Drawn, Fact, Holds, Place, Position
from croupier.law.layout import Area, Equipment, Inscription, TableSeats
from croupier.law.paytable import Envy, Limit, Meter, Paytable, Published
from croupier.law.procedure import Act, Announcement, Dealing, Decks, Setting, Stage, deals_of, dealt
from croupier.law.ranking import Ranking
from croupier.law.reading import Reading
from croupier.law.settlement import Lines, Settlement
from croupier.law.wager import Decision, GameVersion, Wager

NOT_LAW = "example, not law"  # what is printed of a chapter that belongs to no code
P = ParamSpec("P")
R = TypeVar("R", bound=Rule)


class Declares(Generic[P, R]):
    """A chapter method that creates a rule of one kind and adds it to the chapter. It takes the fields of that kind."""

    def __init__(self, kind: Callable[Concatenate[str, P], R]) -> None:
        self.kind = kind

    def __get__(self, chapter: Chapter, owner: type[Chapter]) -> Callable[P, R]:
        def declare(*args: P.args, **fields: P.kwargs) -> R:
            rule = self.kind(chapter.number, *args, **fields)
            chapter.add(rule, sys._getframe(1))
            return rule

        return declare


@dataclass
class Chapter:
    """A chapter's declarations, in the order of its sections. Editions run from oldest to newest."""

    number: str
    title: str
    editions: tuple[Edition, ...]
    law: str = ""  # the code that it is a chapter of; without one, it is an example
    rules: list[Rule] = field(default_factory=list)
    file: str = field(default="", init=False)  # the file that declares it
    line: int = field(default=1, init=False)
    lines: dict[Rule, int] = field(default_factory=dict, init=False, repr=False)  # where in this file each rule is declared

    def __post_init__(self) -> None:
        declared = sys._getframe(2)
        self.file, self.line = declared.f_code.co_filename, declared.f_lineno
        if not re.fullmatch(r"[A-Za-z0-9]+", str(self.number)):
            raise ValueError(f"“{self.number}” is not the number of a chapter, which has only letters and digits")
        if not str(self.title).strip() or not str(self.title).isprintable():
            raise ValueError(f"“{self.title}” is not the title of a chapter, which is one line and not empty")
        if isinstance(self.editions, Edition):
            raise ValueError("the editions of a chapter are a tuple, even of one: (Edition(…),)")

    def add(self, rule: Rule, declared: FrameType | None) -> None:
        """Add a rule that a frame of the chapter's file declares, itself or by a helper that it calls."""
        while declared and declared.f_code.co_filename != self.file:
            declared = declared.f_back
        self.rules.append(rule)
        self.lines[rule] = declared.f_lineno if declared else self.line
        if stage := self._stage_of(rule):
            self.add(stage, declared)

    def of(self, kind: type[R]) -> list[R]:
        """The rules of one kind that are declared so far, in any edition."""
        return [rule for rule in self.rules if isinstance(rule, kind)]

    def _stage_of(self, rule: Rule) -> Stage | None:
        """The stage of the round that a rule is as well: a decision is asked, hands are set, the dealer's hand is revealed."""
        match rule:
            case Decision():
                rule.__dict__["ordinal"] = len(self.of(Decision)) - 1
                return Stage(self.number, rule.cite.clause, Act.ASK, rule, only=rule.only)
            case Setting():
                return Stage(self.number, rule.cites[-1].clause, Act.SET, only=rule.only)
            case Announcement(whose=Place.DEALER):
                return Stage(self.number, rule.cite.clause, Act.REVEAL, only=rule.only)
        return None

    def where(self, at: Rule | int | None = None) -> str:
        """The file and the line that declare a rule, or the chapter itself."""
        return f"{Path(self.file).name}, line {at if isinstance(at, int) else self.lines.get(at, self.line) if at else self.line}"

    @cached_property
    def digest(self) -> str:
        """The hash of the file, as a cache key across processes."""
        return hashlib.sha256(Path(self.file).read_bytes()).hexdigest()

    @property
    def slug(self) -> str:
        """The game's name in kebab-case.

        >>> Chapter("653a", "Ultimate Texas Hold 'Em Poker", ()).slug
        'ultimate-texas-hold-em-poker'
        """
        return self.title.lower().replace("'", "").replace(" ", "-")

    @property
    def citation(self) -> str:
        """The chapter as people cite it, with the code that it belongs to.

        >>> Chapter("649a", "Three Card Poker", (), law="58 Pa. Code").citation, Chapter("MS", "Mississippi Stud", ()).citation
        ('58 Pa. Code Chapter 649a', 'Chapter MS (example, not law)')
        """
        return f"{self.law} Chapter {self.number}" if self.law else f"Chapter {self.number} ({NOT_LAW})"

    def cites(self, text: str) -> tuple[Cite, ...]:
        """Parse citations of this chapter."""
        return read_cites(self.number, text)

    # § .1 Definitions; § .2 the table; § .3 the decks
    definition = Declares(procedure.Definition)
    table = Declares(TableSeats)
    area = Declares(Area)
    inscription = Declares(Inscription)
    equipment = Declares(Equipment)
    decks = Declares(procedure.Decks)
    # § .4 and .5 opening, shuffle and cut; § .8 to .10 dealing; § .11 the round
    step = Declares(procedure.Step)
    reshuffler = Declares(procedure.Reshuffler)
    idle_spread = Declares(procedure.IdleSpread)
    dealing = Declares(procedure.Dealing)
    stage = Declares(procedure.Stage)
    setting = Declares(procedure.Setting)
    announces = Declares(procedure.Announcement)
    decision = Declares(Decision)
    validation = Declares(procedure.Validation)
    # § .6 rankings; § .7 wagers
    ranking = Declares(Ranking)
    wager = Declares(Wager)
    form = Declares(GameVersion)
    adjacent_boxes = Declares(procedure.AdjacentBoxes)
    # § .12 payouts
    reading = Declares(Reading)
    paytable = Declares(Paytable)
    meter = Declares(Meter)
    envy = Declares(Envy)
    limit = Declares(Limit)
    published = Declares(Published)
    # § .13 irregularities, and the rest
    irregularity = Declares(procedure.Irregularity)
    voiding = Declares(procedure.Voiding)
    principle = Declares(procedure.Principle)
    not_modeled = Declares(procedure.NotModeled)
    _settlement = Declares(Settlement)

    def define(self, terms: Mapping[str, str], *, wager: str = "", only: Only = ()) -> None:
        """Define the terms of section .1: of all the game, or of one optional `wager`, by name."""
        for term, meaning in terms.items():
            self.definition(term, meaning, wager, cite="1", only=only)

    def settles(
        self, *wagers: Wager, cite: str, asks: Mapping[str, Fact | Reading], hand: Fact | None = None, only: Only = ()
    ) -> Callable[[Callable[..., Iterator[Lines]]], Settlement]:
        """Declare a settlement function: the wagers it settles, its clause, and the fact passed for each parameter.

        The hand that people name is `hand`, or the only `Holds` among the facts.
        A hand whose time ran out has folded only for the wager that the decision is about.
        """
        asked = [decision.asked_of for decision in self.of(Decision)]
        folded = FOLDED_BY_CHOICE if asked and wagers[0] not in asked else FOLDED

        def declare(rule: Callable[..., Iterator[Lines]]) -> Settlement:
            if list(signature(rule).parameters) != list(asks):
                raise ValueError(
                    f"{self.number}: the settlement under {cite} must take {', '.join(asks) or 'no parameters'}, in this order"
                )
            for fact in (*asks.values(), *([hand] if hand is not None else [])):
                if not all(hasattr(fact, part) for part in ("name", "values", "of")):
                    raise ValueError(f"{self.number}: the settlement under {cite} asks {fact!r}, which is not a fact")
            held = [fact for fact in asks.values() if isinstance(fact, Holds)]
            named = held[0] if hand is None and len(held) == 1 else hand
            facts = tuple(folded if fact is FOLDED else fact for fact in asks.values())
            return self._settlement(wagers, facts, rule, named, cite=cite, only=only)

        return declare

    # editions

    @property
    def newest(self) -> Edition:
        return self.editions[-1]

    def edition(self, name: str = "") -> Rules:
        """The rules of the edition with this date, or of the newest if no date is given."""
        found = next((edition for edition in self.editions if edition.name == name), None if name else self.newest)
        if found is None:
            known = " or ".join(f"“{edition}”" for edition in self.editions)
            raise Refusal(f"chapter {self.number} has no edition “{name}”", self.citation, known)
        return Rules(self, found)


@dataclass(frozen=True)
class Rules:
    """The rules of one edition of a chapter."""

    chapter: Chapter
    edition: Edition
    _by_kind: dict[type[Rule], tuple[Any, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _cites: dict[str, Cite] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, kind: type[R]) -> tuple[R, ...]:
        """All rules of one kind, in chapter order."""
        if kind not in self._by_kind:
            self._by_kind[kind] = tuple(rule for rule in self.everything if isinstance(rule, kind))
        return self._by_kind[kind]

    @cached_property
    def everything(self) -> tuple[Rule, ...]:
        """Every rule of this edition, in chapter order."""
        return tuple(rule for rule in self.chapter.rules if rule.applies_in(self.edition))

    @property
    def number(self) -> str:
        return self.chapter.number

    @property
    def title(self) -> str:
        return self.chapter.title

    @cached_property
    def wagers(self) -> Mapping[str, Wager]:
        return {wager.key: wager for wager in self.of(Wager)}

    @cached_property
    def wagers_by_name(self) -> Mapping[str, tuple[Wager, ...]]:
        """Wagers by name: each by its key, or several by the name that the code gives them as a group."""
        groups = {wager.group for wager in self.of(Wager) if wager.group}
        each = {key: (wager,) for key, wager in self.wagers.items()}
        return each | {name: tuple(wager for wager in self.of(Wager) if wager.group == name) for name in groups}

    @cached_property
    def optional(self) -> tuple[str, ...]:
        """Names of the wagers that are offered only if the Rules Submission says so."""
        return tuple(dict.fromkeys(wager.name for wager in self.of(Wager) if wager.optional))

    @cached_property
    def meters(self) -> Mapping[str, Meter]:
        """The meter of each progressive wager, by wager name."""
        return {meter.wager.name: meter for meter in self.of(Meter)}

    def wagers_on(self, area: Area) -> list[Wager]:
        return [wager for wager in self.of(Wager) if wager.area is area]

    def wagers_calling_for(self, rule: Area | Equipment) -> list[str]:
        """Names of the wagers of which one must be offered for an area or equipment to be there; empty if it always is."""
        if isinstance(rule, Equipment):
            called = [wager for wager in self.of(Wager) if wager.system and wager.system in (rule, rule.part_of)]
        elif rule.cards:
            deals = [deal for dealing in self.of(Dealing) for deal in deals_of(dealing.script) if deal.to is rule.cards]
            dealt_for = {wager for deal in deals for wager in deal.when} if all(deal.when for deal in deals) else set()
            called = [wager for wager in self.of(Wager) if wager in dealt_for]
        else:
            laid = self.wagers_on(rule)
            called = laid if all(wager.optional for wager in laid) else []
        return list(dict.fromkeys(wager.name for wager in called))

    @cached_property
    def entitled(self) -> frozenset[str]:
        """Keys of the wagers that entitle a player to cards, under any dealing method."""
        return frozenset(wager.key for wager in self.of(Dealing)[0].entitled)

    @cached_property
    def dealt(self) -> Counter[Place | str]:
        """How many cards each place gets, for one player with every wager: in the deal, and to the board in later stages."""
        found = dealt(self.of(Dealing)[0].script)
        found[COMMUNITY] += sum(stage.cards for stage in self.of(Stage) if stage.act is Act.DEAL)
        return found

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        return self.of(Decision)

    def turned_before(self, decision: Decision) -> int:
        """How many community cards lie face up when a decision is asked."""
        before = takewhile(lambda stage: stage.decision is not decision, self.of(Stage))
        return sum(stage.cards for stage in before if stage.act in (Act.TURN, Act.DEAL))

    @cached_property
    def settlements(self) -> tuple[Settlement, ...]:
        return self.of(Settlement)

    def positions_drawn(self, wagered: Iterable[int], readings: Mapping[str, str]) -> tuple[int | str, ...]:
        """The positions that the table game system draws from, if it draws one."""
        return next((fact.positions(self.seats, wagered, readings) for fact in self.draws.values() if fact.of_position), ())

    @cached_property
    def draws(self) -> Mapping[str, Drawn]:
        """What the table game system draws, by its key in a submission: a fact about each draw."""
        return {fact.key: fact for settlement in self.settlements for fact in settlement.drawn.values()}

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        return {reading.name: reading for reading in self.of(Reading)}

    def announced(self, whose: Place, position: Position) -> str:
        """What a face-up hand is called; empty if the chapter does not compare such a hand or some of its cards are face down."""
        rule = next((each for each in self.of(Announcement) if each.whose is whose), None)
        return rule.of(position, sum(self.dealt[place] for place in (whose, *rule.shared))) if rule else ""

    def announced_by(self, whose: Place, position: Position) -> Cards:
        """The cards that make a face-up hand as it is called."""
        rules = (rule for rule in self.of(Announcement) if rule.whose is whose and self.announced(whose, position))
        return next((rule.made_of(position) for rule in rules), ())

    @cached_property
    def seats(self) -> int:
        return self.of(TableSeats)[0].seats

    @cached_property
    def decks(self) -> Decks:
        return self.of(Decks)[0]

    @cached_property
    def limit(self) -> Limit | None:
        return next(iter(self.of(Limit)), None)

    @cached_property
    def envy_schedules(self) -> frozenset[str]:
        """Names of the paytables that are envy schedules, which have their own letter or none."""
        return frozenset(table.name for envy in self.of(Envy) for table in envy.schedules.values())

    def paytables(self, form: str = "") -> Mapping[str, Paytable]:
        """Paytables by name. If a version of the game has its own table, only that one."""
        tables = self.of(Paytable)
        own = {table.name for table in tables if table.form and form}
        return {t.name: t for t in tables if (t.form and form) or (not t.form and t.name not in own)}

    def cite(self, clause: str) -> Cite:
        if clause not in self._cites:  # tables cite a clause for every choice they look at
            self._cites[clause] = Cite(self.number, clause)
        return self._cites[clause]
