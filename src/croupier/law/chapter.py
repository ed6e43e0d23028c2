"""A chapter of 58 Pa. Code: everything that its module declares, and the view of one edition of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from croupier.cards import Card, Cards, deck
from croupier.law.cite import Cite, Edition, Refusal, Rule
from croupier.law.fact import Draw, Fact, Place, Position
from croupier.law.paytable import AddedRow, Envy, Limit, Meter, Paytable, Published, check_rows, read_table
from croupier.law.procedure import (
    Act,
    Actor,
    AdjacentBoxes,
    Announcement,
    Area,
    Dealing,
    Decks,
    Definition,
    Device,
    Equipment,
    Fate,
    IdleSpread,
    Inscription,
    Irregularity,
    Method,
    Moment,
    NotModelled,
    Principle,
    Reshuffler,
    Script,
    Setting,
    Stage,
    Step,
    Table,
    Validation,
    Voiding,
)
from croupier.law.ranking import Hand, Ranking
from croupier.law.reading import Alternative, Reading
from croupier.law.settling import Lines, Settlement
from croupier.law.wager import Amounts, Between, Choice, Decision, Form, Needs, Stakes, Unanswered, Wager
from croupier.money import Cents, Odds, dollars

R = TypeVar("R", bound=Rule)
Only = Edition | tuple[Edition, ...]
Rate = Mapping[str, Fraction]


def _editions(only: Only) -> tuple[Edition, ...]:
    return (only,) if isinstance(only, Edition) else only


@dataclass
class Chapter:
    """The declarations of a chapter in the order of its sections. Editions stand from oldest to newest."""

    number: str
    title: str
    editions: tuple[Edition, ...]
    rules: list[Rule] = field(default_factory=list)

    @property
    def slug(self) -> str:
        """The game's name in kebab-case.

        >>> Chapter("653a", "Ultimate Texas Hold 'Em Poker", ()).slug
        'ultimate-texas-hold-em-poker'
        """
        return self.title.lower().replace("'", "").replace(" ", "-")

    @property
    def citation(self) -> str:
        return f"58 Pa. Code Chapter {self.number}"

    def cites(self, text: str) -> tuple[Cite, ...]:
        """Citations from text: clauses set apart by commas, or a run of sister clauses as in 4(a)-(e).

        >>> [str(cite) for cite in Chapter("649a", "", ()).cites("7(d)(1), 4(a)-(c)")]
        ['649a.7(d)(1)', '649a.4(a)', '649a.4(b)', '649a.4(c)']
        """
        return tuple(Cite(self.number, clause) for part in text.split(",") for clause in _clauses(part.strip()))

    def _add(self, rule: R) -> R:
        self.rules.append(rule)
        return rule

    # § .1 Definitions; § .2 the table; § .3 the decks

    def define(self, terms: Mapping[str, str], *, only: Only = ()) -> None:
        for term, meaning in terms.items():
            self._add(Definition(term=term, meaning=meaning, cites=self.cites("1"), only=_editions(only)))

    def table(self, seats: int, *, cite: str) -> Table:
        return self._add(Table(seats=seats, cites=self.cites(cite)))

    def area(
        self, name: str, *, cite: str, each_player: bool = True, where: Iterable[str] = (), note: str = "", only: Only = ()
    ) -> Area:
        return self._add(
            Area(name=name, each_player=each_player, where=tuple(where), note=note, cites=self.cites(cite), only=_editions(only))
        )

    def inscription(self, advises: str, *, cite: str, words: str = "", only: Only = ()) -> Inscription:
        return self._add(Inscription(advises=advises, words=words, cites=self.cites(cite), only=_editions(only)))

    def equipment(self, name: str, requires: str, *, cite: str, where: Iterable[str] = (), only: Only = ()) -> Equipment:
        return self._add(Equipment(name=name, requires=requires, where=tuple(where), cites=self.cites(cite), only=_editions(only)))

    def decks(
        self, *, cite: str, cards: int, jokers: int, cover_cards: int, hours_by_hand: int, hours_by_shoe: int, least_cut: int
    ) -> Decks:
        if cards != len(deck(jokers)):
            raise ValueError(f"{self.number}: a deck is 52 cards and the jokers, not {cards}")
        return self._add(
            Decks(
                cards=cards,
                jokers=jokers,
                cover_cards=cover_cards,
                hours_by_hand=hours_by_hand,
                hours_by_shoe=hours_by_shoe,
                least_cut=least_cut,
                cites=self.cites(cite),
            )
        )

    # procedure steps, § .4, .5, .8 to .11

    def reshuffler(self, cite: str, *, counts: bool, only: Only = ()) -> Reshuffler:
        return self._add(Reshuffler(counts=counts, cites=self.cites(cite), only=_editions(only)))

    def idle_spread(self, cite: str, *, wash: str, device: str = "", only: Only = ()) -> IdleSpread:
        apart = self.cites(device) if device else ()
        return self._add(IdleSpread(wash=self.cites(wash), device=apart, cites=self.cites(cite), only=_editions(only)))

    def step(self, cite: str, who: Actor, does: str, *, when: str = "", only: Only = ()) -> Step:
        return self._add(Step(who=who, does=does, when=when, cites=self.cites(cite), only=_editions(only)))

    def dealing(
        self,
        method: Method,
        *,
        cite: str,
        entitled: Iterable[Wager],
        script: Script,
        needs_shuffler: bool = False,
        later: str = "",
        only: Only = (),
    ) -> Dealing:
        return self._add(
            Dealing(
                method=method,
                entitled=tuple(entitled),
                script=script,
                stub_counted_every=5,
                needs_shuffler=needs_shuffler,
                later=later,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def stage(self, cite: str, act: Act, *, decision: Decision | None = None, only: Only = (), **cards: object) -> Stage:
        return self._add(
            Stage(act=act, decision=decision, cites=self.cites(cite), only=_editions(only), **cards)  # type: ignore[arg-type]
        )

    # § .6 Rankings; § .7 Wagers

    def ranking(
        self,
        name: str,
        *,
        cite: str,
        size: int,
        hands: Sequence[Hand],
        compared: bool = False,
        told: str = "",
        only: Only = (),
    ) -> Ranking:
        return self._add(
            Ranking(
                name=name,
                size=size,
                hands=tuple(hands),
                compared=compared,
                told=told,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def wager(
        self,
        name: str,
        *,
        cite: str,
        group: str = "",
        required: bool = False,
        optional: bool = False,
        needs: Needs | None = None,
        amounts: Amounts | None = None,
        made_by_decision: bool = False,
        collected: str = "",
        electronic: bool = False,
        side: str = "",
        survives_fold: str = "",
        only: Only = (),
    ) -> Wager:
        return self._add(
            Wager(
                name=name,
                group=group,
                required=required,
                optional=optional,
                needs=needs,
                amounts=amounts,
                made_by_decision=made_by_decision,
                collected=collected,
                electronic=electronic,
                side=side,
                survives_fold=survives_fold,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def form(self, clause: str, words: str, allows: Callable[[Stakes], bool]) -> Form:
        return self._add(Form(words=words, allows=allows, cites=self.cites(clause)))

    def setting(
        self,
        cite: str,
        words: str,
        *,
        of: Wager,
        reveals: Callable[[Cards], bool],
        values: Callable[[Card], tuple[int, ...]],
        allows: Callable[[Cards, Cards], bool],
        unless: Alternative,
        unset: Reading,
        told: Mapping[str, str],
    ) -> Setting:
        return self._add(
            Setting(
                words=words,
                of=of,
                reveals=reveals,
                values=values,
                allows=allows,
                unless=unless,
                unset=unset,
                told=tuple(told.items()),
                cites=self.cites(cite),
            )
        )

    def announces(
        self,
        whose: Place,
        hand: Ranking | Callable[[Position], str],
        *,
        cite: str,
        cards: int,
        shared: tuple[Place, ...] = (),
        asks: Fact | None = None,
        yes: str = "",
        no: str = "",
        enough: Callable[[Position], bool] | None = None,
    ) -> Announcement:
        """How a hand is called: by a ranking that compares hands, or in words of the chapter's own."""

        def called(position: Position) -> str:
            return hand.call(position.at(whose, *shared)) if isinstance(hand, Ranking) else hand(position)

        return self._add(
            Announcement(
                whose=whose,
                hand=called,
                shared=shared,
                cards=cards,
                asks=asks,
                yes=yes,
                no=no,
                enough=enough,
                cites=self.cites(cite),
            )
        )

    def adjacent_boxes(self, cite: str, *, chosen_by_submission: bool) -> AdjacentBoxes:
        return self._add(AdjacentBoxes(chosen_by_submission=chosen_by_submission, cites=self.cites(cite)))

    def decision(
        self,
        name: str,
        *,
        cite: str,
        asked_of: Wager,
        knows: str,
        choices: Sequence[Choice],
        unanswered: Unanswered,
        base: Wager | None = None,
        between: Between | None = None,
    ) -> Decision:
        return self._add(
            Decision(
                name=name,
                asked_of=asked_of,
                base=base or asked_of,
                knows=knows,
                choices=tuple(choices),
                unanswered=unanswered,
                between=between,
                cites=self.cites(cite),
            )
        )

    # § .11 Settlement; § .12 Payouts

    def reading(
        self,
        name: str,
        *,
        cite: str,
        question: str,
        alternatives: Mapping[str, str],
        because: str,
        needed_by: str = "",
        concerns: str = "",
        cautions: Mapping[str, str] | None = None,
        sound: str = "",
        only: Only = (),
    ) -> Reading:
        """The first alternative is the chosen one."""
        return self._add(
            Reading(
                name=name,
                question=question,
                alternatives=alternatives,
                chosen=next(iter(alternatives)),
                because=because,
                needed_by=needed_by,
                concerns=concerns,
                cautions=cautions or {},
                sound=sound,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def paytable(
        self,
        name: str,
        text: str,
        *,
        cite: str,
        pays: Ranking | tuple[str, ...],
        adds: AddedRow | None = None,
        form: str = "",
        only: Only = (),
    ) -> Paytable:
        """A paytable as the code prints it; every row must be one that `pays` can give."""
        columns, rows, lettered, reconstructed = read_table(text)
        otherwise = check_rows(f"{self.number} {name}", rows, pays.hands if isinstance(pays, Ranking) else pays)
        return self._add(
            Paytable(
                name=name,
                columns=columns,
                rows=rows,
                otherwise=otherwise,
                lettered=lettered,
                reconstructed=reconstructed,
                adds=adds,
                form=form,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def settles(
        self,
        *wagers: Wager,
        cite: str,
        asks: Sequence[Fact | Reading] = (),
        of: Wager | None = None,
        hand: Fact | None = None,
        only: Only = (),
    ) -> Callable[[Callable[..., Iterator[Lines]]], Settlement]:
        """Declare a settlement function: the wagers it settles, its clause and the facts it asks."""

        def declare(rule: Callable[..., Iterator[Lines]]) -> Settlement:
            return self._add(
                Settlement(
                    of=of or wagers[0],
                    settles=wagers,
                    asks=tuple(asks),
                    rule=rule,
                    hand=hand,
                    cites=self.cites(cite),
                    only=_editions(only),
                )
            )

        return declare

    def meter(
        self,
        wager: Wager,
        *,
        cite: str,
        seed: Mapping[str, Cents] | Cents,
        reseed: Mapping[str, Cents] | Cents | None = None,
        rate: Mapping[str, Fraction] | Fraction | None = None,
        reserve: Fraction = Fraction(0),
        releases: Alternative | None = None,
        system: str,
        linked: bool = False,
        exact: bool,
        per_dollar: bool,
        letters: str = "A",
        only: Only = (),
    ) -> Meter:
        def by_letter(value: Mapping[str, Cents] | Cents) -> Mapping[str, Cents]:
            return value if isinstance(value, Mapping) else dict.fromkeys(letters, value)

        rates: Rate = dict.fromkeys(letters, rate) if isinstance(rate, Fraction) else rate or {}
        return self._add(
            Meter(
                wager=wager,
                exact=exact,
                per_dollar=per_dollar,
                seed=by_letter(seed),
                reseed=by_letter(seed if reseed is None else reseed),
                rate=rates,
                reserve=reserve,
                releases=releases,
                system=system,
                linked=linked,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def envy(
        self,
        name: str,
        *,
        cite: str,
        to: Wager,
        hand: Fact,
        schedules: Mapping[Cents, Paytable],
        unseen: Alternative,
        own: Alternative | None = None,
        follows: Alternative | None = None,
        only: Only = (),
    ) -> Envy:
        return self._add(
            Envy(
                name=name,
                wager=to,
                hand=hand,
                schedules=schedules,
                unseen=unseen,
                own=own,
                follows=follows,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def limit(
        self,
        *,
        cite: str,
        covers: Sequence[str],
        most: Sequence[Position],
        never: Iterable[tuple[str, str]] = (),
        with_stakes: Alternative,
        each_box: Alternative | None = None,
    ) -> Limit:
        return self._add(
            Limit(
                covers=tuple(covers),
                never=frozenset(never),
                least=dollars(50_000),
                most=tuple(most),
                with_stakes=with_stakes,
                each_box=each_box,
                cites=self.cites(cite),
            )
        )

    def published(
        self,
        wager: str,
        percent: str,
        *,
        cite: str,
        source: str,
        letter: str = "",
        reading: tuple[str, str] | None = None,
        bound: str = "",
        of: str = "edge",
        only: Only = (),
    ) -> Published:
        return self._add(
            Published(
                wager=wager,
                percent=percent,
                source=source,
                letter=letter,
                reading=reading,
                bound=bound,
                of=of,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    # § .13 Irregularities, and the rest

    def irregularity(
        self,
        name: str,
        *,
        cite: str,
        during: str,
        void: bool,
        returned: Iterable[Wager] = (),
        settled: Iterable[Wager] = (),
        settled_under: str = "",
        cards: Fate,
        moment: Moment,
        before: Act | None = None,
        exposes: Place | None = None,
        device: Device | None = None,
        then: str = "",
        kept: tuple[Alternative, tuple[Wager, ...]] | None = None,
        until_first: Alternative | None = None,
        only: Only = (),
    ) -> Irregularity:
        return self._add(
            Irregularity(
                name=name,
                during=during,
                void=void,
                moment=moment,
                before=before,
                exposes=exposes,
                device=device,
                returned=tuple(returned),
                settled=tuple(settled),
                settled_under=settled_under,
                cards=cards,
                then=then,
                kept=kept,
                until_first=until_first,
                cites=self.cites(cite),
                only=_editions(only),
            )
        )

    def voiding(
        self, *, cite: str, stands: Alternative, forfeited_lost: Alternative | None, abandoned_back: Alternative
    ) -> Voiding:
        return self._add(
            Voiding(stands=stands, forfeited_lost=forfeited_lost, abandoned_back=abandoned_back, cites=self.cites(cite))
        )

    def validation(
        self, wager: Wager, *, cite: str, least: Odds | None = None, not_from_inventory: Fraction, only: Only = ()
    ) -> Validation:
        return self._add(
            Validation(
                wager=wager, least=least, not_from_inventory=not_from_inventory, cites=self.cites(cite), only=_editions(only)
            )
        )

    def principle(self, cite: str, says: str, *, kept_by: str, only: Only = ()) -> Principle:
        return self._add(Principle(says=says, kept_by=kept_by, cites=self.cites(cite), only=_editions(only)))

    def not_modelled(self, cite: str, reason: str, only: Only = ()) -> NotModelled:
        return self._add(NotModelled(reason=reason, cites=self.cites(cite), only=_editions(only)))

    # editions

    @property
    def newest(self) -> Edition:
        return self.editions[-1]

    def edition(self, name: str = "") -> Rules:
        """The rules of one edition, by its date; the newest without one."""
        found = next((edition for edition in self.editions if edition.name == name), None if name else self.newest)
        if found is None:
            known = " or ".join(f"“{edition}”" for edition in self.editions)
            raise Refusal(f"chapter {self.number} has no edition “{name}”", self.citation, known)
        return Rules(self, found)


def _clauses(text: str) -> Iterator[str]:
    """One clause, or the run of sister clauses that “(a)-(e)” names."""
    first, dash, last = text.partition("-")
    yield first
    if dash:
        stem, start = first[: first.rindex("(")], first[first.rindex("(") + 1 : -1]
        end = last.strip("()")
        if start.isdigit():
            yield from (f"{stem}({number})" for number in range(int(start) + 1, int(end) + 1))
        elif start == "i":
            roman = ["i", "ii", "iii", "iv", "v", "vi"]
            yield from (f"{stem}({number})" for number in roman[1 : roman.index(end) + 1])
        else:
            yield from (f"{stem}({chr(letter)})" for letter in range(ord(start) + 1, ord(end) + 1))


@dataclass(frozen=True)
class Rules:
    """A chapter as one edition has it."""

    chapter: Chapter
    edition: Edition

    def of(self, kind: type[R]) -> tuple[R, ...]:
        """All rules of a kind, in the order of the chapter."""
        if kind not in self._by_kind:
            self._by_kind[kind] = tuple(rule for rule in self.everything if isinstance(rule, kind))
        return self._by_kind[kind]

    @cached_property
    def _by_kind(self) -> dict[type[Rule], tuple[Any, ...]]:
        return {}

    @cached_property
    def everything(self) -> tuple[Rule, ...]:
        """All that stands in this edition, in the order of the chapter."""
        return tuple(rule for rule in self.chapter.rules if rule.stands_in(self.edition))

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
    def named(self) -> Mapping[str, tuple[Wager, ...]]:
        """The wagers by what they are called: each by its key, or several by the one name that the code gives them together."""
        groups = {wager.group for wager in self.of(Wager) if wager.group}
        each = {key: (wager,) for key, wager in self.wagers.items()}
        return each | {name: tuple(wager for wager in self.of(Wager) if wager.group == name) for name in groups}

    @cached_property
    def entitled(self) -> frozenset[str]:
        """The keys of the wagers that get cards, by whichever method."""
        return frozenset(wager.key for wager in self.of(Dealing)[0].entitled)

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        return self.of(Decision)

    @cached_property
    def settlements(self) -> tuple[Settlement, ...]:
        return self.of(Settlement)

    def positions_drawn(self, wagered: Iterable[int], readings: Mapping[str, str]) -> tuple[int | str, ...]:
        """The positions among which the table game system draws one, where it does."""
        facts = (fact for settlement in self.settlements for fact in settlement.drawn.values() if fact.draw is Draw.POSITION)
        return next((fact.positions(self.seats, wagered, readings) for fact in facts), ())

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        return {reading.name: reading for reading in self.of(Reading)}

    def announced(self, whose: Place, position: Position) -> str:
        """How a hand is called whose cards lie face up; nothing where the chapter compares no such hand, or while some do not."""
        return next((rule.of(position) for rule in self.of(Announcement) if rule.whose is whose), "")

    @cached_property
    def seats(self) -> int:
        return self.of(Table)[0].seats

    @cached_property
    def decks(self) -> Decks:
        return self.of(Decks)[0]

    @cached_property
    def limit(self) -> Limit | None:
        return next(iter(self.of(Limit)), None)

    @cached_property
    def envy_schedules(self) -> frozenset[str]:
        """The names of the paytables that are envy schedules, which have a letter of their own or none."""
        return frozenset(table.name for envy in self.of(Envy) for table in envy.schedules.values())

    def paytables(self, form: str = "") -> Mapping[str, Paytable]:
        """The paytables by name; where a version of the game has its own, only that one."""
        tables = self.of(Paytable)
        own = {table.name for table in tables if table.form and form}
        return {t.name: t for t in tables if (t.form and form) or (not t.form and t.name not in own)}

    @cached_property
    def _cites(self) -> dict[str, Cite]:
        return {}

    def cite(self, clause: str) -> Cite:
        if clause not in self._cites:
            self._cites[clause] = Cite(self.number, clause)
        return self._cites[clause]
