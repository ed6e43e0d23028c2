"""What every wager pays under an Offer, derived from the chapter's own settlements: no odds are written here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.filing.offer import Offer
from croupier.filing.pricing import resolve
from croupier.law.fact import DealerHas, Depending, Fact, Folded, Holds
from croupier.law.paytable import Envy
from croupier.law.reading import Reading
from croupier.law.settlement import Line, Outcome, Settlement
from croupier.money import Kind, Odds, show_money
from croupier.odds.prices import Prices
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.strategy.vocabulary import NUMBERS
from croupier.printed.content.counted_cards import cards_counted, holds
from croupier.printed.content.phrases import a_hand, at_least, capitalized, listed, payout_limit_note, sentence, short, with_a

TOGETHER = " and "  # between the names of wagers that one block is for
FactValues = tuple[Any, ...]  # the values of a settlement's facts


@dataclass(frozen=True)
class Schedule:
    """A block of a sign: the hands that are paid and at what odds, with the clause and the letter that the filing chose."""

    wager: str
    title: str
    rows: tuple[tuple[str, str], ...]
    cite: str
    condition: str = ""
    table: str = ""
    note: str = ""  # which cards count, if not those of the main game; what a bonus is paid on top of
    bonus: bool = False  # paid on a wager that is also settled separately
    shared: str = ""  # who divides a share of the meter


@dataclass(eq=False)
class _Way:
    """One way in which a wager or a bonus wins: by a table or at fixed odds, in these cases."""

    line: Line
    cases: list[FactValues] = field(default_factory=list)
    paid: dict[str, Odds] = field(default_factory=dict)  # by the row that is filled

    @property
    def odds(self) -> str:
        """The odds, if there is no table."""
        return str(next(iter(self.paid.values())))


def schedules(offer: Offer) -> list[Schedule]:
    """Everything that pays, wager by wager in chapter order, then the envy bonuses."""
    found: dict[str, Schedule] = {}
    for settlement in offer.rules.settlements:
        if offer.offers(settlement.wager):
            for each in _schedules_of(offer, settlement):
                key = each.table or f"{settlement.wager.key} at fixed odds"
                found[key] = _merged(found[key], each) if key in found else each
    return [*found.values(), *_envies(offer)]


def _merged(one: Schedule, other: Schedule) -> Schedule:
    """Merge two bonuses or wagers that share a table into one block."""
    rows = tuple(dict.fromkeys([*one.rows, *other.rows]))
    one = replace(one, shared=one.shared or other.shared)
    if rows != one.rows:
        return replace(one, title=one.table, rows=rows)
    if one.bonus or other.title in one.title.split(TOGETHER):
        return one
    return replace(one, title=f"{one.title}{TOGETHER}{other.title}")


def possible_cases(offer: Offer, settlement: Settlement) -> Iterator[tuple[FactValues, tuple[Line, ...]]]:
    """The cases that are possible under the filed readings, with the chapter's lines."""
    read = {n: offer.reading(fact) for n, fact in enumerate(settlement.asks) if isinstance(fact, Reading)}
    for values, lines in settlement.every_case():
        if all(values[n] == alternative for n, alternative in read.items()):
            yield values, lines


def _ways(offer: Offer, settlement: Settlement) -> list[_Way]:
    ways: dict[tuple[str, str, str], _Way] = {}
    for values, lines in possible_cases(offer, settlement):
        for line in lines:
            match resolve(offer, line) if line.outcome is Outcome.WIN else None:
                case (outcome, Odds() as odds, _, row) if outcome is not Outcome.LOSE:
                    way = ways.setdefault((line.wager.key, line.bonus, line.table.name if line.table else str(odds)), _Way(line))
                    way.cases.append(values)
                    way.paid[row] = odds
    return list(ways.values())


def _schedules_of(offer: Offer, settlement: Settlement) -> Iterator[Schedule]:
    ways = _ways(offer, settlement)
    rivals = {way: [o for o in ways if (o.line.wager, o.line.bonus) == (way.line.wager, way.line.bonus)] for way in ways}
    fixed = [way for way in ways if way.line.table is None]
    apart = [way for way in fixed if not _row_of_table(settlement, way, rivals[way])]
    if apart:
        named = [(way, way.line.bonus or way.line.wager.name, _condition(settlement, way, rivals[way])) for way in apart]
        priced = [(f"{name}, {condition}" if condition else name, way.odds) for way, name, condition in named]
        rows = tuple(sorted(priced, key=lambda row: "any other" in row[0]))  # the exception before the rule
        names = dict.fromkeys(way.line.wager.name for way in apart)
        clauses = dict.fromkeys(f"{offer.rules.number}.{way.line.clause}" for way in apart)
        yield Schedule(settlement.wager.name, TOGETHER.join(names), rows, ", ".join(clauses))
    for way in ways:
        if way.line.table is not None:
            more = [other for other in fixed if other not in apart and other in rivals[way]]
            yield _by_table(offer, settlement, way, rivals[way], more)


def _by_table(offer: Offer, settlement: Settlement, way: _Way, rivals: list[_Way], more: list[_Way]) -> Schedule:
    assert way.line.table is not None
    table = offer.tables[way.line.table.name]
    paid = {row: str(odds) for row, odds in way.paid.items()}
    for other in more:  # a reading pays a row of this table at separate odds
        fact = _distinguishing_fact(settlement, other, rivals)
        assert fact is not None
        paid |= {str(case[fact]): other.odds for case in other.cases}
    order = [*([table.adds.name] if table.adds else []), *table.rows]
    rows = tuple((row, paid[row]) for row in order if row in paid)
    others = [other for other in rivals if other not in more]
    return Schedule(
        wager=way.line.wager.name,
        title=way.line.bonus or way.line.wager.group or way.line.wager.name,
        rows=rows,
        cite=str(table.cite),
        condition=_condition(settlement, way, others),
        table=table.name,
        note=_bonus_note(offer, settlement, way) if way.line.bonus else _cards(offer, settlement, way),
        bonus=bool(way.line.bonus),
        shared=_shared(way),
    )


def _shared(way: _Way) -> str:
    if not way.line.divided:
        return ""
    share, by_box = f"A share of the meter on the {way.line.wager.side}'s hand is", way.line.divided_by_box
    if way.line.divided_at_turn:
        turn, number = ("each wager's", "wagers") if by_box else ("each player's", "players who wagered")
        return f"{share} taken from what the meter shows at {turn} turn and divided by the number of {number} on it."
    return f"{share} divided equally among {'all wagers' if by_box else 'the players who wagered'} on it."


def _cards(offer: Offer, settlement: Settlement, way: _Way) -> str:
    """The cards that count for a side wager, if not those of the main game, and what happens to the stake for a fixed sum."""
    counted = cards_counted(offer, settlement)
    cards = f"Based on {counted}." if counted and counted != cards_counted(offer, main_settlement(offer.rules)) else ""
    way_held = holds(offer, settlement)
    larger = {hand.name: hand.size for hand in way_held.ranking.hands if hand.name in way.paid and hand.size} if way_held else {}
    cards += f" {rows_called(larger)} uses all {NUMBERS[max(larger.values())]}." if cards and larger else ""
    return " ".join(filter(None, [cards, way_held.ranking.note if way_held else "", _fixed_sums(way)]))


def _fixed_sums(way: _Way) -> str:
    """Which rows pay a fixed sum, and what happens to the stake."""
    fixed = [row for row, odds in way.paid.items() if odds.kind is Kind.DOLLARS]
    if not fixed:
        return ""
    which = "Pays" if len(fixed) == len(way.paid) else f"{rows_called(fixed)} pays"
    sums = way.line.wager.amounts.sums if way.line.wager.amounts else ()
    wager, whatever = (f"The wager is {show_money(sums[0])}. ", "") if len(sums) == 1 else ("", ", whatever the wager")
    return f"{wager}{which} a fixed amount{whatever}; your wager is {'' if way.line.stake_back else 'not '}returned."


def rows_called(rows: Iterable[str]) -> str:
    """Rows of a table by one name, at the beginning of a sentence: their common one if they differ only by suit.

    >>> rows_called(["Grand Hand of spades", "Grand Hand of clubs"]), rows_called(["Royal flush", "Flush"])
    ('A Grand Hand', 'A royal flush or flush')
    """
    names = dict.fromkeys(re.split(" of |—", row)[0] for row in rows)
    words = listed((name if name.istitle() and " " in name else name.lower() for name in names), "or")
    return capitalized(with_a(words))


def _bonus_note(offer: Offer, settlement: Settlement, way: _Way) -> str:
    """What happens to the wager itself when a bonus on it is paid."""
    wager, results, back = short(way.line.wager.name), set[tuple[Outcome, Odds | None]](), False
    for case, lines in possible_cases(offer, settlement):
        if case in way.cases:
            own = [resolve(offer, line) for line in lines if line.wager is way.line.wager and not line.bonus]
            results |= {(each[0], each[1]) for each in own if each}
            back |= any(line.stake_back for line in lines if line.bonus == way.line.bonus)
    counted = f", including the {wager} once" if way.line.stake_counted_in else ""
    match list(results):
        case [(Outcome.WIN, Odds() as odds)]:
            return f"Paid in addition to the {wager}'s own {odds}{counted}."
        case [(Outcome.RETURN | Outcome.PUSH, _)]:
            return f"Paid in addition to the {wager}, which is returned{counted}."
    folded = ", unless you fold" if any(isinstance(fact, Folded) for fact in settlement.asks) else ""
    returned = "; your wager is returned if it does not" if back else ""
    return f"Paid whether or not the {wager} itself wins{folded}{counted}{returned}."


def how_paid(paid: Sequence[Schedule]) -> str:
    """What the kinds of odds mean, for those that occur."""
    meanings = {
        " to ": "“to 1” is paid in addition to your wager, which is returned",
        " for ": "“for 1” includes your wager",
        "of meter": "a share of the meter is a share of what it shows when it is your turn to be paid",
    }
    odds = {mark: [each for each in paid if any(mark in words for _, words in each.rows)] for mark in meanings}
    odds[" for "] = [each for each in odds[" for "] if not each.bonus]  # a bonus says what it is paid on top of
    words = "; ".join(meanings[mark] for mark, found in odds.items() if found)
    return sentence(words) if words else ""


def price_notes(offer: Offer, prices: Prices) -> list[str]:
    """Notes on prices: a share of the meter that several players would divide, and the payout limit."""
    shared = any(each.shared for each in schedules(offer))
    alone = "A divided share of the meter is counted for a player alone at the table." if shared else ""
    return [alone, payout_limit_note(offer, prices)]


def _row_of_table(settlement: Settlement, way: _Way, rivals: list[_Way]) -> bool:
    """Do fixed odds stand for a row of the same wager's table?"""
    fact = _distinguishing_fact(settlement, way, rivals)
    tables = any(other.line.table for other in rivals)
    return tables and fact is not None and isinstance(settlement.asks[fact], Holds | Depending)


def _distinguishing_fact(settlement: Settlement, way: _Way, rivals: Sequence[_Way]) -> int | None:
    """The fact whose values distinguish this way of paying from the other ways of the same wager."""
    for n, fact in enumerate(settlement.asks):
        if isinstance(fact, Reading):
            continue
        mine = {case[n] for case in way.cases}
        others = [{case[n] for case in other.cases} for other in rivals if other is not way]
        if others and all(mine.isdisjoint(theirs) for theirs in others):
            return n
    return None


def _condition(settlement: Settlement, way: _Way, rivals: Sequence[_Way]) -> str:
    n = _distinguishing_fact(settlement, way, rivals)
    return "" if n is None else describe(settlement.asks[n], {case[n] for case in way.cases})


def dealer_has(fact: DealerHas, yes: bool) -> str:
    """
    >>> from croupier.law.ranking import Hand, Ranking
    >>> pairs = Ranking("649a", "Hand", 3, [Hand("Pair", lambda shape: shape.counts[0] == 2)], cite="6(a)")
    >>> dealer_has(DealerHas(pairs, "Pair"), False), dealer_has(DealerHas(pairs, "Queen high"), True)
    ('less than a pair', 'queen high or better')
    """
    return at_least(fact.least) if yes else f"less than {a_hand(fact.least)}"


def describe(fact: Fact | Reading, values: set[Any]) -> str:
    """The value of a fact as a patron reads it.

    >>> from croupier.law.fact import Named
    >>> describe(Named("fourth card is a 2", (True, False), bool), {False})
    'if the fourth card is not a 2'
    """
    if isinstance(fact, DealerHas):
        return f"if the dealer has {dealer_has(fact, values == {True})}"
    if values <= {True, False}:
        return f"if the {fact.name if True in values else fact.name.replace(' is ', ' is not ')}"
    what = fact.name.split(maxsplit=1)[-1]
    return f"with a {what} of {next(iter(values))}" if len(values) == 1 else f"with any other {what}"


def _envies(offer: Offer) -> Iterator[Schedule]:
    """The envy bonus of each progressive, for the amount that the filing names."""
    for envy in offer.rules.of(Envy):
        terms = offer.progressives.get(envy.wager.name)
        if terms and offer.offers(envy.wager):
            table = envy.schedules[terms.amount]
            column = table.columns[offer.letter(table)]
            rows = tuple((row, str(odds)) for row in table.rows if (odds := table.pays(column, row)))
            who = "box" if offer.reads(envy.own) else "player"
            to_whom = f"to each other {who} with the {show_money(terms.amount)} wager"
            yield Schedule(envy.wager.name, envy.name, rows, str(table.cite), to_whom, table.name)
