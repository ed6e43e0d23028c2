"""The rules of an edition as plain data: the JSON of `croupier show`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from operator import attrgetter
from typing import Any

from croupier.law import procedure
from croupier.law.chapter import Rules
from croupier.law.cite import Cite, Rule
from croupier.law.layout import Area, Equipment, Inscription
from croupier.law.paytable import AddedRow, Envy, Limit, Meter, Paytable
from croupier.law.procedure import Deal, Script, to_each_player
from croupier.law.ranking import Ranking
from croupier.law.reading import Reading
from croupier.law.settlement import Settlement
from croupier.law.wager import Choice, Decision, GameVersion, Wager
from croupier.money import Odds

Data = dict[str, Any]


def chapter(rules: Rules) -> Data:
    """Everything an edition declares."""
    found = {name: [section.write(rules, rule) for rule in rules.of(section.kind)] for name, section in SECTIONS.items()}
    return heading(rules) | found | {name: next(iter(found[name]), None) for name in ("decks", "payout_limit")}


def heading(rules: Rules) -> Data:
    edition = rules.edition
    return {
        "game": rules.number,
        "title": rules.title,
        "name": rules.chapter.slug,
        "edition": edition.name,
        "source": edition.source,
        "status": edition.status.value,
        "seats": rules.seats,
    }


class _Written:
    """How rules of one kind are written: names in order, each a field of the rule (`name=field` to rename it) or computed."""

    def __init__(self, kind: type[Rule], names: str, **computed: Callable[[Rules, Any], Any]) -> None:
        fields = (name.partition("=") for name in names.split())
        self.kind, self.fields, self.computed = kind, {name: field or name for name, _, field in fields}, computed

    def write(self, rules: Rules, rule: Rule) -> Data:
        values = {name: None if name in self.computed else attrgetter(field)(rule) for name, field in self.fields.items()}
        values |= {name: value(rules, rule) for name, value in self.computed.items()}
        return {name: plain(value) for name, value in values.items()} | {"cite": str(rule.cite), "cites": plain(rule.cites)}


def plain(value: Any) -> Any:
    """A field's value for JSON: a rule becomes its name, a share a percentage.

    >>> plain((Fraction(21, 100), Cite("649a", "2(c)"), {100: None}))
    ['21%', '649a.2(c)', {'100': None}]
    """
    match value:
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case frozenset():
            return plain(sorted(value))
        case tuple() | list():
            return [plain(each) for each in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    match value:
        case Wager() | Decision() | Paytable():
            return value.name
        case Enum():
            return value.value
        case Fraction():
            return f"{value * 100}%"
        case Cite() | Odds():
            return str(value)
    return value


def script_lines(steps: Script) -> list[str]:
    """A dealing script in words.

    >>> from croupier.law.fact import DEALER, PLAYER
    >>> script_lines((Deal(1, PLAYER), Deal(1, DEALER)) * 3)
    ['3 times: [1 card face down to each player], 1 card face down to the dealer']
    """
    found = list[str]()
    while steps:
        size, times = _repeated(steps)
        each = ", ".join(map(_in_words, steps[:size]))
        found.append(f"{times} times: {each}" if times > 1 else each)
        steps = steps[size * times :]
    return found


def _repeated(steps: Script) -> tuple[int, int]:
    """How many of the first steps repeat immediately, and how often; (1, 1) if none do."""
    for size in range(1, len(steps) // 2 + 1):
        times = 1
        while steps[size * times : size * (times + 1)] == steps[:size]:
            times += 1
        if times > 1:
            return size, times
    return 1, 1


def _in_words(step: Deal | tuple[Deal, ...]) -> str:
    if isinstance(step, Deal) and not to_each_player(step):
        return _dealt(step, "the dealer")
    return "[" + ", ".join(_dealt(deal, "each player") for deal in to_each_player(step)) + "]"


def _dealt(deal: Deal, whom: str) -> str:
    made, missing = (_any_of(wagers) for wagers in (deal.when, deal.unless))
    if made and whom == "each player":
        whom, made = f"each player with {made}", ""
    place = deal.to if isinstance(deal.to, str) else deal.to.value
    places = {"player's cards": whom, "dealer's cards": "the dealer", "player's fourth card": f"the fourth-card area of {whom}"}
    where = places.get(place, f"the {place.replace('community cards', 'community-card area')}")
    words = f"{deal.count} card{'s' if deal.count > 1 else ''} face {'up' if deal.up else 'down'} to {where}"
    words += f", if any player has {made}" if made else ""
    return words + (f", if no player has {missing}" if missing else "")


def _any_of(wagers: tuple[Wager, ...]) -> str:
    names = dict.fromkeys(wager.name for wager in wagers)
    return " or ".join(f"{'an' if name[0] in 'AEIOU' else 'a'} {name}" for name in names)


def _hands(rules: Rules, ranking: Ranking) -> list[Data]:
    return [
        {
            "name": hand.name,
            "cards": hand.size or ranking.size,
            "otherwise": hand.otherwise,
            "cite": str(rules.cite(ranking.clause_of(hand))),
        }
        for hand in ranking.hands
        if not hand.only or rules.edition in hand.only
    ]


def _choice(decision: Decision, choice: Choice) -> Data:
    makes = {"wager": choice.makes[0].name, "times": choice.makes[1], "of": decision.base.name} if choice.makes else None
    return {"word": choice.word, "makes": makes, "withdraws": choice.withdraws, "folds": choice.folds, "clause": choice.clause}


def _added(row: AddedRow | None) -> Data | None:
    return {"row": row.name, "at_least": row.at_least, "clause": row.clause} if row else None


SECTIONS = {
    "definitions": _Written(procedure.Definition, "term meaning"),
    "layout": _Written(Area, "name each_player where note", where=Rules.wagers_calling_for),
    "inscriptions": _Written(Inscription, "advises words"),
    "equipment": _Written(Equipment, "name requires where", where=Rules.wagers_calling_for),
    "decks": _Written(procedure.Decks, "cards jokers cover_cards hours_by_hand hours_by_shoe"),
    "rankings": _Written(Ranking, "name cards=size compared hands", hands=_hands),
    "wagers": _Written(
        Wager,
        "name side required optional made_by_decision amount needs collected_before_the_deal=collected electronic survives_fold",
        amount=lambda _, wager: wager.amounts.words if wager.amounts else "",
        needs=lambda _, wager: [needed.key for needed in wager.needs],
    ),
    "forms": _Written(GameVersion, "form=cite.clause words"),
    "adjacent_boxes": _Written(procedure.AdjacentBoxes, "chosen_by_submission"),
    "dealing": _Written(
        procedure.Dealing,
        "method to_players_with=entitled cards needs_shuffler stub_counted_every",
        cards=lambda _, dealing: script_lines(dealing.script),
    ),
    "reshuffler": _Written(procedure.Reshuffler, "counts_cards=counts"),
    "idle_spread": _Written(procedure.IdleSpread, "wash device"),
    "decisions": _Written(
        Decision,
        "name asked_of knows choices unanswered",
        choices=lambda _, decision: [_choice(decision, choice) for choice in decision.choices],
        unanswered=lambda _, decision: {each: getattr(decision.unanswered, each) for each in ("word", "clause")},
    ),
    "stages": _Written(procedure.Stage, "act decision cards"),
    "settlement": _Written(
        Settlement,
        "settles asks",
        settles=lambda _, settlement: [wager.key for wager in settlement.settles],
        asks=lambda _, settlement: [fact.name for fact in settlement.asks],
    ),
    "paytables": _Written(
        Paytable, "name lettered form rows columns reconstructed may_add", may_add=lambda _, table: _added(table.adds)
    ),
    "meters": _Written(
        Meter,
        "wager=wager.key figures per_dollar seed reseed rate reserve",
        figures=lambda _, meter: "fixed" if meter.exact else "the least",
    ),
    "envy": _Written(Envy, "name wager schedules"),
    "payout_limit": _Written(Limit, "covers never per least", per=lambda _, limit: limit.unit({})),
    "irregularities": _Written(
        procedure.Irregularity,
        "name during void returned settled settled_under cards then",
        returned=lambda _, rule: "every wager" if rule.returns_everything else rule.returned,
    ),
    "readings": _Written(Reading, "name question alternatives chosen=default because cautions"),
    "steps": _Written(procedure.Step, "who does when"),
    "principles": _Written(procedure.Principle, "says kept_by"),
    "not_modelled": _Written(procedure.NotModeled, "reason"),
}
