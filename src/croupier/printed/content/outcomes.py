"""Results of the main game's wagers in each situation a player can be in, as the chapter settles it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from croupier.filing.offer import Offer
from croupier.filing.pricing import resolve
from croupier.law.fact import Compared, Comparison, DealerHas, Folded, Holds
from croupier.law.ranking import NOTHING
from croupier.law.reading import Reading
from croupier.law.settlement import Line, Outcome, Settlement
from croupier.law.wager import Decision
from croupier.printed.content.payouts import FactValues, dealer_has, describe, possible_cases
from croupier.printed.content.phrases import capitalized, listed

DOES = {
    Outcome.WIN: "wins",
    Outcome.LOSE: "loses",
    Outcome.PUSH: "pushes",
    Outcome.FORFEIT: "is lost",
    Outcome.RETURN: "is returned",
}
Found = list[tuple[FactValues, tuple[Line, ...]]]
IN_ORDER = {Comparison.HIGHER: "higher", Comparison.EQUAL: "equal", Comparison.LOWER: "lower"}


@dataclass(frozen=True)
class Situations:
    """A table: the wagers in the heading, a row for each situation with the result of each wager, then the bonuses.

    `clauses` are those that settle the wagers of each row, bonuses aside; those of a paytable are with what it pays.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    clauses: tuple[str, ...]


def situations(offer: Offer, settlement: Settlement) -> Situations:
    wagers = [wager.name for wager in settlement.settles]
    groups: dict[tuple[str, str], Found] = {}
    for case, lines in possible_cases(offer, settlement):
        groups.setdefault(_situation(settlement, case), []).append((case, lines))
    places, comparisons = list(dict.fromkeys(where for where, _ in groups)), ["", *IN_ORDER.values()]
    ordered = sorted(groups, key=lambda each: (places.index(each[0]), comparisons.index(each[1])))
    counts = [fact.name.split(maxsplit=1)[-1] for fact in settlement.asks if type(fact.values[0]) is int]
    what = counts[0] if len(counts) == 2 else "hand"
    rows, clauses = list[tuple[str, ...]](), list[str]()
    by_result = groupby(ordered, key=lambda each: (each[0], _results(offer, settlement, wagers, groups[each])))
    for (where, results), same in by_result:  # one row for comparisons with the same result
        alike = list(same)
        by = [each[1] for each in alike if each[1]]
        hands = "" if not by or len(by) == len(IN_ORDER) else f"your {what} is {' or '.join(by)}"
        words = "; ".join(filter(None, [where, hands])) or "In every case"
        rows.append((capitalized(words), *results))
        settled = [line for each in alike for _, lines in groups[each] for line in lines if not line.bonus]
        clauses.append(", ".join(dict.fromkeys(str(offer.rules.cite(line.clause)) for line in settled)))
    return Situations((*wagers, "Bonus"), tuple(rows), tuple(clauses))


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
    """Two counts; a hand with a count of 0 does not qualify."""
    if not mine and not theirs:
        return "neither hand qualifies", ""
    if not mine or not theirs:
        return ("only your hand qualifies" if mine else "only the dealer's hand qualifies"), ""
    return "both hands qualify", "higher" if mine > theirs else "equal" if mine == theirs else "lower"


def _results(offer: Offer, settlement: Settlement, wagers: list[str], cases: Found) -> tuple[str, ...]:
    results = []
    for name in wagers:
        lines = [(case, line) for case, lines in cases for line in lines if line.wager.name == name and not line.bonus]
        results.append(_result(offer, settlement, lines))
    bonuses = dict.fromkeys(line.bonus for _, lines in cases for line in lines if line.bonus and resolve(offer, line))
    return (*results, ", ".join(bonuses) or "–")


def _result(offer: Offer, settlement: Settlement, lines: list[tuple[FactValues, Line]]) -> str:
    """The result of a wager: one word if it is the same for all hands, else by the fact that decides it."""
    results: dict[str, list[FactValues]] = {}
    for case, line in lines:
        results.setdefault(_does(offer, line), []).append(case)
    if len(results) < 2:
        return next(iter(results), "–")
    parting = _distinguishing_fact(settlement, list(results.values()))
    if parting is None:
        return " or ".join(results)
    usual = max(results, key=lambda words: (any(case[parting] == NOTHING for case in results[words]), len(results[words])))
    rest = [f"{words} {_when(settlement, parting, found)}" for words, found in results.items() if words != usual]
    return "; ".join([*rest, f"otherwise {usual}"])


def _does(offer: Offer, line: Line) -> str:
    """What happens to a wager. It loses by its table if the chapter names the clause for that."""
    resolved = resolve(offer, line)
    assert resolved is not None
    if line.table and line.outcome is Outcome.WIN and not (line.lost and resolved[0] is Outcome.LOSE):
        return "paid by its table"
    return f"wins {resolved[1]}" if resolved[0] is Outcome.WIN else DOES[resolved[0]]


def _distinguishing_fact(settlement: Settlement, groups: list[list[FactValues]]) -> int | None:
    """The fact whose values distinguish these groups of cases."""
    for n, fact in enumerate(settlement.asks):
        sets = [{case[n] for case in group} for group in groups]
        if not isinstance(fact, Reading) and sum(map(len, sets)) == len(set().union(*sets)):
            return n
    return None


def _when(settlement: Settlement, n: int, cases: list[FactValues]) -> str:
    fact, values = settlement.asks[n], dict.fromkeys(case[n] for case in cases)
    if isinstance(fact, Holds):
        return f"with {listed((value.lower() for value in values), 'or')}"
    return describe(fact, set(values))
