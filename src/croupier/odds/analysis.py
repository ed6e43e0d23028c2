"""Every wager under every paytable and reading: the exact edge, and what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from math import lcm, sqrt
from typing import Any

from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.fact import Drawn, Fact, readings_of
from croupier.law.forfeits import silence_reading
from croupier.law.paytable import Envy, Paytable, Published
from croupier.law.procedure import Setting
from croupier.law.reading import Reading
from croupier.law.settlement import Outcome, Settlement
from croupier.law.wager import GameVersion
from croupier.money import Cents, Kind, fixed, percent
from croupier.odds import unanswered
from croupier.odds.counters import counter
from croupier.odds.names import EntryRole, wager_name
from croupier.odds.solvers import side_wagers
from croupier.odds.solvers.main_game import NotCounted, main_name, main_settlement
from croupier.odds.solvers.shapes import facts_of
from croupier.odds.solvers.solution import DOLLAR, Outcomes, Solved, Worth, asked, unit_of, worth

Chosen = dict[str, str]  # letters by the paytable's name, or alternatives by the reading's


@dataclass(frozen=True)
class OutcomeCount:
    """How many deals have this outcome, its odds as printed, its net in units, and its share of the meter."""

    hand: str
    count: int
    odds: str
    net: Fraction
    share: Fraction


@dataclass(frozen=True)
class Metered:
    """A progressive: its return apart from the meter, what each dollar on the meter adds, and where it breaks even.

    The base includes what the system draws, at the filed frequency.
    """

    base: Fraction
    per_dollar: Fraction
    seed: Cents

    @property
    def break_even(self) -> Fraction | None:
        """The meter at which the player breaks even; None if the wager returns more than it takes at any meter."""
        return (1 - self.base) / self.per_dollar if self.per_dollar and self.base < 1 else None


@dataclass(frozen=True)
class OddsEntry:
    """One wager under one choice of paytables and readings. The edge is of one unit of the wager (of the Ante for a main game).

    `stake` is the size of the unit where that changes the price: fixed sums and meters do not grow with it. `drawn` is what the
    system's draws return at the frequency in the Offer. Edge, variance, hits and the `results` (net, share of the meter, chance)
    include it; the outcomes do not.
    """

    wager: str
    paytables: Chosen
    readings: Chosen
    edge: Fraction
    wagered: Fraction
    variance: Fraction
    hits: Fraction
    combinations: int
    outcomes: tuple[OutcomeCount, ...]
    meter: Metered | None = None
    side: str = ""
    stake: Cents | None = None
    drawn: Fraction = Fraction(0)
    results: tuple[tuple[Fraction, Fraction, Fraction], ...] = ()
    role: EntryRole = EntryRole.WAGER

    @property
    def risk(self) -> Fraction:
        """The loss as a share of all money wagered."""
        return self.edge / self.wagered if self.wagered else self.edge

    @property
    def deviation(self) -> float:
        return sqrt(self.variance)


def full_offer(rules: Rules, paytables: Chosen, readings: Chosen, form: str = "") -> Offer:
    """An Offer with everything that the code's defaults leave open."""
    optional = sorted({wager.name for wager in rules.wagers.values() if wager.optional})
    raw: dict[str, Any] = {"wagers": optional, "paytables": paytables, "readings": readings}
    raw |= {"form": form} if form else {}
    return check(raw, rules=rules, case=True).offer_or_refuse()


@dataclass
class Analysis:
    """The entries of an edition, or of one Offer. Deals are counted once; prices are looked up."""

    rules: Rules
    offer: Offer | None = None
    _solved: dict[tuple[Any, ...], Solved] = field(default_factory=dict)
    _counts: dict[tuple[Any, ...], side_wagers.Counted] = field(default_factory=dict)
    _draws: dict[tuple[Any, ...], list[tuple[str, bool, int]]] = field(default_factory=dict)
    not_counted: dict[str, NotCounted] = field(default_factory=dict)  # by the wager, once the entries have been asked for

    def entries(self) -> Iterator[OddsEntry]:
        """The entries of every wager whose shape some counter supports."""
        for settlement in self._offered():
            yield from self._if_countable(settlement, self._wagers(settlement))
        for settlement in self._offered():
            for name in settlement.drawn:
                draws = self._in_role(settlement.readings, EntryRole.DRAW, partial(self._draw, settlement, name))
                yield from self._if_countable(settlement, draws)
        for envy in self.rules.of(Envy):
            yield from self._if_countable(self._settlement_of(envy), self._envies(envy))
        if not self.offer or self.offer.decision_seconds:
            for settlement in self._offered():
                yield from self._unanswered_entries(settlement)

    def _settlement_of(self, envy: Envy) -> Settlement:
        return next(each for each in self.rules.settlements if each.wager is envy.wager)

    def _if_countable(self, settlement: Settlement, entries: Iterator[OddsEntry]) -> list[OddsEntry]:
        """All entries of a wager, or none if it cannot be counted; wagers settled with it then have no price either."""
        try:
            return list(entries)
        except NotCounted as refused:
            main = settlement is main_settlement(self.rules)
            for wager in [settlement.wager] if main else settlement.settles:
                self.not_counted.setdefault(wager_name(wager), refused)
            return []

    def _wagers(self, settlement: Settlement) -> Iterator[OddsEntry]:
        for form in self._forms(settlement):
            for letters in self._letters(settlement, form):
                yield from self._wager(settlement, form, letters)

    def _offered(self) -> list[Settlement]:
        return [each for each in self.rules.settlements if not self.offer or self.offer.offers(each.wager)]

    # a player who never answers

    def _unanswered_entries(self, settlement: Settlement) -> list[OddsEntry]:
        """What a wager costs a player who never answers; one entry for all letters if they make no difference."""
        name, reading = wager_name(settlement.wager), silence_reading(self.rules)
        if not reading or name in self.not_counted or not unanswered.depends_on_answers(self.rules, settlement):
            return []
        try:
            found = [list(self._unanswered_by_reading(settlement, reading, letters)) for letters in self._letters(settlement, "")]
        except NotCounted as refused:
            self.not_counted[f"{name}, {EntryRole.UNANSWERED}"] = refused
            return []
        bare = [[replace(each, paytables={}, outcomes=()) for each in entries] for entries in found]
        if not self.offer and all(entries == bare[0] for entries in bare):
            return [replace(each, paytables={}) for each in found[0]]
        return [each for entries in found for each in entries]

    def _unanswered_by_reading(self, settlement: Settlement, reading: Reading, letters: Chosen) -> Iterator[OddsEntry]:
        """The entry under the reading in force, unless a side wager keeps its price, then each alternative that changes it."""
        first, *others = self._by_reading((reading,), partial(self._unanswered, settlement, letters))
        is_main = settlement is main_settlement(self.rules)
        in_force = self._in_force(self._readings_affecting(settlement))
        if is_main or first.edge != self._side(settlement, letters, self._lowest_stake(settlement), in_force).edge:
            yield first
        yield from others

    def _unanswered(self, settlement: Settlement, letters: Chosen, readings: Chosen) -> OddsEntry:
        if settlement is main_settlement(self.rules):
            name, found = wager_name(settlement.wager), unanswered.main_outcomes(self._offer(readings, letters))
            entry = _entry(name, letters, self._non_default(readings), found)
        else:
            counted = unanswered.side_counts(self._offer(readings, letters), settlement)
            entry = self._side(settlement, letters, self._lowest_stake(settlement), readings, counted)
        return replace(entry, wager=f"{entry.wager}, {EntryRole.UNANSWERED}", role=EntryRole.UNANSWERED)

    def _lowest_stake(self, settlement: Settlement) -> Cents:
        return unit_of(self.offer, settlement.wager) if self.offer else DOLLAR

    # readings and stakes

    def _wager(self, settlement: Settlement, form: str, letters: Chosen) -> Iterator[OddsEntry]:
        """A wager as offered, at its lowest and highest stake, and under each other alternative that changes it."""
        least, most = self._lowest_stake(settlement), self.offer.stakes(settlement.wager)[1] if self.offer else 0
        price = partial(self._main, form) if settlement is main_settlement(self.rules) else partial(self._side, settlement)
        first, *others = self._by_reading(self._readings_affecting(settlement), partial(price, letters, least))
        yield first
        if first.stake and most > first.stake:
            yield replace(price(letters, most, self._in_force(self._readings_affecting(settlement))), role=EntryRole.AT_MOST)
        yield from (replace(other, role=EntryRole.ALTERNATIVE) for other in others)

    def _in_role(self, readings: tuple[Reading, ...], role: EntryRole, price: Callable[[Chosen], OddsEntry]) -> Iterator[OddsEntry]:
        return (replace(entry, role=role) for entry in self._by_reading(readings, price))

    def _readings_affecting(self, settlement: Settlement) -> tuple[Reading, ...]:
        """The readings that can change a settlement's result, or what a player may do before it."""
        set_by = [setting.unless[0] for setting in self.rules.of(Setting)] if settlement is main_settlement(self.rules) else []
        return (*settlement.readings, *set_by)

    def _in_force(self, readings: tuple[Reading, ...]) -> Chosen:
        return {reading.name: self.offer.reading(reading) if self.offer else reading.default for reading in readings}

    def _by_reading(self, readings: tuple[Reading, ...], price: Callable[[Chosen], OddsEntry]) -> Iterator[OddsEntry]:
        """The entry under the readings in force, then one for each alternative reading that changes it."""
        in_force = self._in_force(readings)
        entry = price(in_force)
        yield entry
        for reading in readings:
            for alternative in reading.alternatives:
                other = price({**in_force, reading.name: alternative})
                if replace(other, readings=entry.readings) != entry:
                    yield other

    def _non_default(self, readings: Chosen) -> Chosen:
        return {name: each for name, each in readings.items() if each != self.rules.readings[name].default}

    # which choices affect a settlement

    def _forms(self, settlement: Settlement) -> list[str]:
        if self.offer:
            return [self.offer.form]
        own = any(table.form for table in self._tables(settlement))
        return ["", self.rules.of(GameVersion)[0].cite.clause] if own and settlement is main_settlement(self.rules) else [""]

    def _tables(self, settlement: Settlement) -> list[Any]:
        names = {line.table.name for _, lines in settlement.every_case() for line in lines if line.table}
        return [table for table in self.rules.of(Paytable) if table.name in names]

    def _letters(self, settlement: Settlement, form: str) -> list[Chosen]:
        tables = [
            table
            for table in self._tables(settlement)
            if table.lettered
            and bool(table.form) == bool(form and any(t.form for t in self._tables(settlement) if t.name == table.name))
        ]
        if self.offer:
            return [{table.name: self.offer.letters[table.name] for table in tables}]
        return [
            dict(zip([table.name for table in tables], letters, strict=True))
            for letters in product(*(table.letters for table in tables))
        ]

    def _offer(self, readings: Chosen, letters: Chosen | None = None, form: str = "") -> Offer:
        """The Offer that is priced, under these readings."""
        if self.offer:
            return replace(self.offer, readings={**self.offer.readings, **readings})
        return full_offer(self.rules, letters or {}, self._non_default(readings), form)

    # pricing

    def solved(self, offer: Offer) -> Solved:
        """The best play under an Offer, cached by the choices that affect the main game."""
        main = main_settlement(self.rules)
        tables = {table.name for table in self._tables(main)}
        letters = tuple(sorted((name, letter) for name, letter in offer.letters.items() if name in tables))
        readings = tuple(offer.reading(reading) for reading in self._readings_affecting(main))
        key = (offer.form, letters, tuple(sorted(offer.added.items(), key=str)), readings)
        if key not in self._solved:
            self._solved[key] = counter(self.rules).solve(offer)
        return self._solved[key]

    def _main(self, form: str, letters: Chosen, _: Cents, readings: Chosen) -> OddsEntry:
        solved = self.solved(self._offer(readings, letters, form))
        named = {"form": form} if form and not self.offer else {}
        return _entry(main_name(self.rules), letters, {**self._non_default(readings), **named}, solved.outcomes)

    def _side(
        self, settlement: Settlement, letters: Chosen, stake: Cents, readings: Chosen, counted: side_wagers.Counted | None = None
    ) -> OddsEntry:
        offer, outcomes = self._offer(readings, letters), Outcomes()
        stakes = {settlement.wager.key: Fraction(1)}
        for values, count in self._counted(offer, settlement) if counted is None else counted:
            facts = asked(settlement, offer, values)
            row = next((str(value) for value in values.values() if isinstance(value, str)), "")
            also = [fact.name.removeprefix("player ") for fact, value in zip(settlement.asks, facts, strict=True) if value is True]
            label = ", ".join([_as_paid(offer, settlement, facts, row), *also])
            outcomes.add(worth(offer, settlement, facts, stakes, unit=stake), count, label)
        metered = settlement.wager.name in offer.meters and any(key[2] for key in outcomes.counts)
        seed = offer.seed(settlement.wager.name, stake, again=False) if metered else None
        entry = _entry(settlement.wager.name, letters, self._non_default(readings), outcomes, settlement.wager.side, seed, stake)
        columns = [offer.column(table.name).values() for table in self._tables(settlement)]
        fixed_sums = any(odds.kind is Kind.DOLLARS for column in columns for odds in column)
        entry = replace(entry, stake=stake if metered or fixed_sums else None)
        return self._with_draws(entry, settlement, offer)

    def _with_draws(self, entry: OddsEntry, settlement: Settlement, offer: Offer) -> OddsEntry:
        """A wager with what the system draws for it, at the frequency in the Offer; without an Offer, nothing is drawn."""
        often = {fact: self.offer.draws.get(fact.key, 0) if self.offer else 0 for fact in settlement.drawn.values()}
        chances = {fact: Fraction(1, rounds) for fact, rounds in often.items() if rounds}
        if not chances:
            return entry
        found = Outcomes()
        results = list(self._drawn_results(settlement, offer, chances, entry.stake or DOLLAR))
        whole = lcm(*(chance.denominator for _, _, chance in results))
        for net, share, chance in results:
            found.add(Worth(net, share), int(chance * whole))
        again = _entry(entry.wager, {}, {}, found, seed=entry.meter.seed if entry.meter else None, stake=entry.stake or DOLLAR)
        added = entry.edge - again.edge
        return replace(
            entry, edge=again.edge, drawn=added, variance=again.variance, hits=again.hits, meter=again.meter, results=tuple(results)
        )

    def _drawn_results(
        self, settlement: Settlement, offer: Offer, chances: Mapping[Drawn, Fraction], stake: Cents
    ) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        """The result and its chance for each kind of hand and each combination of draws, which are independent."""
        matches = {fact: self._drawn(offer, settlement, fact) for fact in chances}  # for each kind of hand: drawn or not
        first = next(iter(matches.values()))
        everything = sum(count for _, _, count in first)
        for kind in range(0, len(first), 2):
            row, hands = first[kind][0], Fraction(first[kind][2] + first[kind + 1][2], everything)
            falls = {fact: Fraction(found[kind][2], found[kind][2] + found[kind + 1][2]) for fact, found in matches.items()}
            for fallen in product((True, False), repeat=len(chances)):
                known, chance = dict(zip(chances, fallen, strict=True)), hands
                for fact, yes in known.items():
                    chance *= chances[fact] * falls[fact] if yes else 1 - chances[fact] * falls[fact]
                found = _with_drawn(offer, settlement, row, known, stake)
                yield found.net, found.meter, chance

    def _counted(self, offer: Offer, settlement: Settlement) -> side_wagers.Counted:
        """The deals by the facts that a side wager asks. They depend only on readings that change those facts."""
        looked = (reading for fact in facts_of(settlement) if not isinstance(fact, Drawn) for reading in readings_of(fact))
        ways = tuple(offer.reading(reading) for reading in looked)
        if (settlement, ways) not in self._counts:
            chosen = self.offer or full_offer(self.rules, {}, {})
            self._counts[settlement, ways] = side_wagers.count(offer, settlement, lambda: self.solved(chosen))
        return self._counts[settlement, ways]

    def _drawn(self, offer: Offer, settlement: Settlement, fact: Drawn) -> list[tuple[str, bool, int]]:
        """How many hands and draws match. It depends only on readings that change what is drawn or what matches."""
        key = settlement, fact, offer.reads(fact.wagered_only), *map(offer.reading, readings_of(fact))
        if key not in self._draws:
            self._draws[key] = list(side_wagers.drawn(offer, settlement, fact))
        return self._draws[key]

    def _draw(self, settlement: Settlement, name: str, readings: Chosen) -> OddsEntry:
        """What a draw of the table game system adds to a wager, each time it is drawn."""
        offer, outcomes, fact = self._offer(readings), Outcomes(), settlement.drawn[name]
        for row, matches, count in sorted(self._drawn(offer, settlement, fact), key=lambda each: not each[1]):
            added = _with_drawn(offer, settlement, row, {fact: matches}).net - _with_drawn(offer, settlement, row, {}).net
            outcomes.add(Worth(added), count, f"{fact.name}: {'yes' if matches else 'no'}")
        return _entry(name, {}, self._non_default(readings), outcomes, settlement.wager.side)

    def _envies(self, envy: Envy) -> Iterator[OddsEntry]:
        """What an envy bonus adds for each other player at the table, on a wager of the filed amount or else one dollar."""
        settlement = self._settlement_of(envy)
        if settlement in self._offered():
            stake = self._lowest_stake(settlement)
            table = envy.schedules[stake]
            for letter in [self.offer.envy] if self.offer and table.lettered else table.letters:
                price = partial(self._envy, envy, settlement, letter, stake)
                yield from self._in_role((*settlement.readings, envy.unseen[0]), EntryRole.ENVY, price)

    def _envy(self, envy: Envy, settlement: Settlement, letter: str, stake: Cents, readings: Chosen) -> OddsEntry:
        offer, outcomes = self._offer(readings), Outcomes()
        table = envy.schedules[stake]
        for values, count in self._counted(offer, settlement):
            lines = settlement.lines(*asked(settlement, offer, values))
            seen = offer.reads(envy.unseen) or any(line.outcome is not Outcome.FORFEIT for line in lines)
            row = next(value for value in values.values() if isinstance(value, str))
            odds = table.pays(table.columns[letter], row) if seen else None
            paid = odds.amount / stake if odds else Fraction(0)
            outcomes.add(Worth(paid, odds=str(odds or fixed(0))), count, row)
        letters = {envy.name: letter} if table.lettered else {}
        entry = _entry(f"{envy.name}, for each other player", letters, self._non_default(readings), outcomes)
        return replace(entry, stake=stake)


def _with_drawn(offer: Offer, settlement: Settlement, row: str, drawn: Mapping[Drawn, bool], unit: Cents = DOLLAR) -> Worth:
    """What a wager on a hand of this row is worth with these draws, and no others."""
    known: dict[Fact, Any] = {fact: drawn.get(fact, False) for fact in settlement.drawn.values()}
    known |= {settlement.hand: row} if settlement.hand else {}
    return worth(offer, settlement, asked(settlement, offer, known), {settlement.wager.key: Fraction(1)}, unit=unit)


def _entry(
    wager: str, letters: Chosen, readings: Chosen, found: Outcomes, side: str = "", seed: Cents | None = None, stake: Cents = DOLLAR
) -> OddsEntry:
    """An entry from these outcomes, with any meter at its seed, in units of the stake."""
    mean, share = found.mean(), found.mean(part=2)
    start = Fraction(seed or 0, stake)
    meter = Metered(1 + mean, share * DOLLAR / stake, seed) if seed is not None else None
    by_label: dict[tuple[str, str, Fraction, Fraction], int] = {}
    for (label, net, part, _, printed), count in found.counts.items():
        key = (label, printed or _odds(net), net, part)
        by_label[key] = by_label.get(key, 0) + count
    outcomes = tuple(OutcomeCount(label, count, odds, net, part) for (label, odds, net, part), count in by_label.items())
    edge = -(mean + share * start)
    variance = Fraction(sum((k[1] + k[2] * start) ** 2 * n for k, n in found.counts.items())) / found.deals - edge**2
    return OddsEntry(wager, letters, readings, edge, found.mean(part=3), variance, found.hits, found.deals, outcomes, meter, side)


def _as_paid(offer: Offer, settlement: Settlement, facts: list[Any], row: str) -> str:
    """The row that a hand is paid by: if the column leaves its row blank, what else the hand counts as."""
    for line in settlement.lines(*facts):
        if line.table:
            row = offer.tables[line.table.name].paid_as(offer.column(line.table.name), row)
    return row


def _odds(net: Fraction) -> str:
    """A net result as odds to 1; negative for a loss."""
    return f"{net.numerator:,} to {net.denominator}"


@dataclass(frozen=True)
class PublishedComparison:
    """A published figure, ours, and the reading that would give the published one."""

    figure: Published
    ours: Fraction
    agrees: bool
    by_reading: tuple[str, str] | None

    @cached_property
    def says(self) -> str:
        letter = f" {self.figure.letter}" if self.figure.letter else ""
        bound = f", the {self.figure.bound}" if self.figure.bound else ""
        what = f"{self.figure.wager}{letter}{bound}: published {self.figure.percent}"
        if self.agrees:
            return f"{what}, and the text gives it"
        ours = f"the text gives {percent(self.ours)}"
        if self.by_reading:
            name, alternative = self.by_reading
            return f"{what}; {ours}, the reading “{alternative}” of “{name}” gives the published figure"
        return f"{what}; {ours}"


def compare(rules: Rules, entries: list[OddsEntry], offer: Offer | None = None) -> Iterator[PublishedComparison]:
    """Compare the published figures with ours; for an Offer, only those about exactly what it offers."""
    for figure in rules.of(Published):
        if offer and not _is_of(figure, offer):
            continue
        mine = [e for e in entries if e.wager == figure.wager and (not figure.letter or figure.letter in e.paytables.values())]
        places = len(figure.percent.rstrip("%").partition(".")[2])

        def value(entry: OddsEntry, of: str = figure.of) -> Fraction:
            return entry.risk if of == "risk" else entry.edge

        text = [value(e) for e in mine if not e.readings]
        if not text:
            continue
        ours = min(text) if figure.bound == "least" else max(text) if figure.bound == "most" else text[0]
        read = [value(e) for e in mine if figure.reading and e.readings == {figure.reading[0]: figure.reading[1]}]
        by_reading = figure.reading if read and percent(read[0], places) == figure.percent else None
        yield PublishedComparison(figure, ours, percent(ours, places) == figure.percent, by_reading)


def _is_of(figure: Published, offer: Offer) -> bool:
    """Whether a figure is about one letter, the usual version of the game, and tables to which the Offer adds no row."""
    of_main = figure.wager == main_settlement(offer.rules).wager.name
    added = {figure.wager} & {*offer.added} or (of_main and offer.added)
    return not (figure.bound or added or (of_main and offer.form))
