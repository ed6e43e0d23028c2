"""Results of the main game's wagers in each situation a player can be in, as the chapter settles it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from croupier.filing.offer import Offer
from croupier.filing.pricing import resolve
from croupier.law.fact import Compared, Comparison, DealerHas, Folded, Holds
from croupier.law.ranking import NOTHING
from croupier.law.reading import Reading
from croupier.law.settlement import Line, Outcome, Settlement
from croupier.law.wager import Decision
from croupier.printed.content.payouts import FactValues, cases, dealer_has, describe

DOES = {
    Outcome.WIN: "wins",
    Outcome.LOSE: "loses",
    Outcome.PUSH: "pushes",
    Outcome.FORFEIT: "is lost",
    Outcome.RETURN: "is returned",
}
Found = list[tuple[FactValues, tuple[Line, ...]]]
Told = tuple[str, str, tuple[str, ...], tuple[str, ...]]  # where a player stands, how the hands compare, the results, the clauses
IN_ORDER = {Comparison.HIGHER: "higher", Comparison.EQUAL: "equal", Comparison.LOWER: "lower"}


@dataclass(frozen=True)
class Situations:
    """A table: the wagers at the head, a row for each situation with what becomes of each wager, then the bonuses.

    `clauses` are those that settle the wagers of each row.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    clauses: tuple[str, ...]


def situations(offer: Offer, settlement: Settlement) -> Situations:
    wagers = [wager.name for wager in settlement.settles]
    rows: dict[tuple[str, str], list[tuple[FactValues, tuple[Line, ...]]]] = {}
    for case, lines in cases(offer, settlement):
        rows.setdefault(_situation(settlement, case), []).append((case, lines))
    ordered = sorted(rows, key=lambda each: list(IN_ORDER.values()).index(each[1]) if each[1] else -1)
    ordered.sort(key=lambda each: list(dict.fromkeys(where for where, _ in rows)).index(each[0]))
    told = [
        (where, by, _results(offer, settlement, wagers, rows[where, by]), _clauses(offer, rows[where, by])) for where, by in ordered
    ]
    counts = [fact.name.split(maxsplit=1)[-1] for fact in settlement.asks if type(fact.values[0]) is int]
    merged = list(_merged(told, counts[0] if len(counts) == 2 else "hand"))
    return Situations((*wagers, "Bonus"), tuple(row for row, _ in merged), tuple(clauses for _, clauses in merged))


def _clauses(offer: Offer, found: Found) -> tuple[str, ...]:
    """The clauses that settle the wagers, bonuses aside; those of a paytable are with what it pays."""
    settled = (line for _, lines in found for line in lines if not line.bonus)
    return tuple(dict.fromkeys(str(offer.rules.cite(line.clause)) for line in settled))


def _merged(told: list[Told], what: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Merge situations that differ only in the comparison of `what` and have the same result."""
    for (where, results), same in groupby(told, key=lambda each: (each[0], each[2])):
        alike = list(same)
        by = [each[1] for each in alike if each[1]]
        clauses = ", ".join(dict.fromkeys(clause for each in alike for clause in each[3]))
        hands = "" if not by or len(by) == len(IN_ORDER) else f"your {what} is {' or '.join(by)}"
        words = "; ".join(filter(None, [where, hands])) or "In every case"
        yield (words[0].upper() + words[1:], *results), clauses


def _situation(settlement: Settlement, case: FactValues) -> tuple[str, str]:
    """Where a player stands, and how the hands compare."""
    facts = [(fact, case[n]) for n, fact in enumerate(settlement.asks) if not isinstance(fact, Reading)]
    if any(isinstance(fact, Folded) and value for fact, value in facts):
        return "you fold", ""
    counts = [value for _, value in facts if isinstance(value, int) and not isinstance(value, bool)]
    if len(counts) == 2:
        return _by_counts(*counts)
    parts = []
    for fact, value in facts:
        if isinstance(fact, DealerHas):
            parts.append(f"the dealer has {dealer_has(fact, bool(value))}")
        elif isinstance(fact, Decision):
            parts.append(f"{fact.name}: {value}")
    by = next((IN_ORDER[value] for fact, value in facts if isinstance(fact, Compared)), "")
    return ", ".join(parts), by


def _by_counts(mine: int, theirs: int) -> tuple[str, str]:
    """Two counts of which nothing means that a hand does not qualify."""
    if not mine and not theirs:
        return "neither hand qualifies", ""
    if not mine or not theirs:
        return ("only your hand qualifies" if mine else "only the dealer's hand qualifies"), ""
    return "both hands qualify", "higher" if mine > theirs else "equal" if mine == theirs else "lower"


def _results(offer: Offer, settlement: Settlement, wagers: list[str], found: Found) -> tuple[str, ...]:
    results = []
    for name in wagers:
        lines = [(case, line) for case, lines in found for line in lines if line.wager.name == name and not line.bonus]
        results.append(_result(offer, settlement, lines))
    bonuses = dict.fromkeys(line.bonus for _, lines in found for line in lines if line.bonus and resolve(offer, line))
    return (*results, ", ".join(bonuses) or "–")


def _result(offer: Offer, settlement: Settlement, lines: list[tuple[FactValues, Line]]) -> str:
    """The result of a wager: one word if it is the same for all hands, else by the fact that decides it."""
    told: dict[str, list[FactValues]] = {}
    for case, line in lines:
        told.setdefault(_does(offer, line), []).append(case)
    if len(told) < 2:
        return next(iter(told), "–")
    parting = _parting(settlement, list(told.values()))
    if parting is None:
        return " or ".join(told)
    usual = max(told, key=lambda words: (any(case[parting] == NOTHING for case in told[words]), len(told[words])))
    rest = [f"{words} {_when(settlement, parting, found)}" for words, found in told.items() if words != usual]
    return "; ".join([*rest, f"otherwise {usual}"])


def _does(offer: Offer, line: Line) -> str:
    """What becomes of a wager. It loses by its table where the chapter names the clause by which it does."""
    resolved = resolve(offer, line)
    assert resolved is not None
    if line.table and line.outcome is Outcome.WIN and not (line.lost and resolved[0] is Outcome.LOSE):
        return "paid by its table"
    return f"wins {resolved[1]}" if resolved[0] is Outcome.WIN else DOES[resolved[0]]


def _parting(settlement: Settlement, groups: list[list[FactValues]]) -> int | None:
    """The fact whose values distinguish these groups of cases."""
    for n, fact in enumerate(settlement.asks):
        sets = [{case[n] for case in group} for group in groups]
        if not isinstance(fact, Reading) and sum(map(len, sets)) == len(set().union(*sets)):
            return n
    return None


def _when(settlement: Settlement, n: int, found: list[FactValues]) -> str:
    fact, values = settlement.asks[n], list(dict.fromkeys(case[n] for case in found))
    if isinstance(fact, Holds):
        words: list[Any] = [value.lower() for value in values]
        return "with " + (words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}")
    return describe(fact, set(values))
