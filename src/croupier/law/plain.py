"""The rules of an edition as plain data, for machines and for whoever draws them."""

from __future__ import annotations

from typing import Any

from croupier.law.chapter import Rules
from croupier.law.cite import Rule
from croupier.law.paytable import Envy, Limit, Meter, Paytable
from croupier.law.procedure import (
    AdjacentBoxes,
    Area,
    Deal,
    Dealing,
    Decks,
    Definition,
    Each,
    Equipment,
    IdleSpread,
    Inscription,
    Irregularity,
    NotModelled,
    Principle,
    Repeat,
    Reshuffler,
    Script,
    Stage,
    Step,
)
from croupier.law.ranking import Ranking
from croupier.law.wager import Decision, Form, Wager

Data = dict[str, Any]


def cites(rule: Rule) -> Data:
    return {"cite": str(rule.cite), "cites": [str(cite) for cite in rule.cites]}


def chapter(rules: Rules) -> Data:
    """Everything that an edition declares."""
    return {
        **heading(rules),
        "definitions": [{"term": rule.term, "meaning": rule.meaning, **cites(rule)} for rule in rules.of(Definition)],
        "layout": [area(rule) for rule in rules.of(Area)],
        "inscriptions": [{"advises": rule.advises, "words": rule.words, **cites(rule)} for rule in rules.of(Inscription)],
        "equipment": [
            {"name": rule.name, "requires": rule.requires, "where": list(rule.where), **cites(rule)} for rule in rules.of(Equipment)
        ],
        "decks": decks(rules.decks),
        "rankings": [ranking(rules, rule) for rule in rules.of(Ranking)],
        "wagers": [wager(rule) for rule in rules.wagers.values()],
        "forms": [{"form": rule.cite.clause, "words": rule.words, **cites(rule)} for rule in rules.of(Form)],
        "adjacent_boxes": [{"chosen_by_submission": rule.chosen_by_submission, **cites(rule)} for rule in rules.of(AdjacentBoxes)],
        "dealing": [dealing(rule) for rule in rules.of(Dealing)],
        "reshuffler": [{"counts_cards": rule.counts, **cites(rule)} for rule in rules.of(Reshuffler)],
        "idle_spread": [
            {"wash": [*map(str, rule.wash)], "device": [*map(str, rule.device)], **cites(rule)} for rule in rules.of(IdleSpread)
        ],
        "decisions": [decision(rule) for rule in rules.decisions],
        "stages": [stage(rule) for rule in rules.of(Stage)],
        "settlement": [
            {"settles": [each.key for each in rule.settles], "asks": [fact.name for fact in rule.asks], **cites(rule)}
            for rule in rules.settlements
        ],
        "paytables": [paytable(rule) for rule in rules.of(Paytable)],
        "meters": [meter(rule) for rule in rules.of(Meter)],
        "envy": [envy(rule) for rule in rules.of(Envy)],
        "payout_limit": limit(rules.limit),
        "irregularities": [irregularity(rule) for rule in rules.of(Irregularity)],
        "readings": [reading(rules, name) for name in rules.readings],
        "steps": [{"who": rule.who.value, "does": rule.does, "when": rule.when, **cites(rule)} for rule in rules.of(Step)],
        "principles": [{"says": rule.says, "kept_by": rule.kept_by, **cites(rule)} for rule in rules.of(Principle)],
        "not_modelled": [{"reason": rule.reason, **cites(rule)} for rule in rules.of(NotModelled)],
    }


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


def area(rule: Area) -> Data:
    return {"name": rule.name, "each_player": rule.each_player, "where": list(rule.where), "note": rule.note, **cites(rule)}


def decks(rule: Decks) -> Data:
    return {
        "cards": rule.cards,
        "jokers": rule.jokers,
        "cover_cards": rule.cover_cards,
        "hours_by_hand": rule.hours_by_hand,
        "hours_by_shoe": rule.hours_by_shoe,
        **cites(rule),
    }


def ranking(rules: Rules, rule: Ranking) -> Data:
    standing = [hand for hand in rule.hands if not hand.only or rules.edition in hand.only]
    hands = [
        {
            "name": hand.name,
            "cards": hand.size or rule.size,
            "otherwise": hand.otherwise,
            "cite": str(rules.cite(rule.clause_of(hand))),
        }
        for hand in standing
    ]
    return {"name": rule.name, "cards": rule.size, "compared": rule.compared, "hands": hands, **cites(rule)}


def wager(rule: Wager) -> Data:
    return {
        "name": rule.name,
        "side": rule.side,
        "required": rule.required,
        "optional": rule.optional,
        "made_by_decision": rule.made_by_decision,
        "amount": rule.amounts.words if rule.amounts else "",
        "needs": list(rule.needs.any_of) if rule.needs else [],
        "collected_before_the_deal": bool(rule.collected),
        "electronic": rule.electronic,
        "survives_fold": rule.survives_fold,
        **cites(rule),
    }


def script(steps: Script) -> list[str]:
    """A dealing script in words.

    >>> from croupier.law.fact import DEALER, PLAYER
    >>> script((Repeat(3, (Each((Deal(1, PLAYER),)), Deal(1, DEALER))),))
    ['3 times: [1 card face down to each player], 1 card face down to the dealer']
    """
    return [_in_words(step) for step in steps]


def _in_words(step: Deal | Each | Repeat) -> str:
    match step:
        case Repeat(times, steps):
            return f"{times} times: " + ", ".join(_in_words(each) for each in steps)
        case Each(steps):
            return "[" + ", ".join(_dealt(deal, "each player") for deal in steps) + "]"
        case Deal():
            return _dealt(step, "the dealer")


def _dealt(deal: Deal, whom: str) -> str:
    made, missing = (_any_of(wagers) for wagers in (deal.when, deal.unless))
    if made and whom == "each player":
        whom, made = f"each player with {made}", ""
    place = deal.to if isinstance(deal.to, str) else deal.to.value
    places = {"player's cards": whom, "dealer's cards": "the dealer", "player's fourth card": f"the fourth-card area of {whom}"}
    where = places.get(place, f"the {place.replace('community cards', 'community-card area')}")
    words = f"{deal.count} card{'s' if deal.count > 1 else ''} {deal.face.value} to {where}"
    words += f", if any player has {made}" if made else ""
    return words + (f", if no player has {missing}" if missing else "")


def _any_of(wagers: tuple[Wager, ...]) -> str:
    names = dict.fromkeys(wager.name for wager in wagers)
    return " or ".join(f"{'an' if name[0] in 'AEIOU' else 'a'} {name}" for name in names)


def dealing(rule: Dealing) -> Data:
    return {
        "method": rule.method.value,
        "to_players_with": [each.name for each in rule.entitled],
        "cards": script(rule.script),
        "needs_shuffler": rule.needs_shuffler,
        "stub_counted_every": rule.stub_counted_every,
        **cites(rule),
    }


def decision(rule: Decision) -> Data:
    choices = []
    for choice in rule.choices:
        makes = {"wager": choice.makes[0].name, "times": choice.makes[1], "of": rule.base.name} if choice.makes else None
        withdraws = choice.withdraws.name if choice.withdraws else None
        choices.append(
            {"word": choice.word, "makes": makes, "withdraws": withdraws, "folds": choice.folds, "clause": choice.clause}
        )
    silent = rule.unanswered.choice
    return {
        "name": rule.name,
        "asked_of": rule.asked_of.name,
        "knows": rule.knows,
        "choices": choices,
        "unanswered": {"word": silent.word, "clause": silent.clause},
        **cites(rule),
    }


def stage(rule: Stage) -> Data:
    return {"act": rule.act.value, "decision": rule.decision.name if rule.decision else None, "cards": rule.cards, **cites(rule)}


def paytable(rule: Paytable) -> Data:
    return {
        "name": rule.name,
        "lettered": rule.lettered,
        "form": rule.form,
        "rows": list(rule.rows),
        "columns": {letter: {row: str(odds) for row, odds in column.items()} for letter, column in rule.columns.items()},
        "reconstructed": [list(cell) for cell in sorted(rule.reconstructed)],
        "may_add": {"row": rule.adds.name, "at_least": str(rule.adds.at_least), "clause": rule.adds.clause} if rule.adds else None,
        **cites(rule),
    }


def meter(rule: Meter) -> Data:
    return {
        "wager": rule.wager.key,
        "figures": "fixed" if rule.exact else "the least",
        "per_dollar": rule.per_dollar,
        "seed": dict(rule.seed),
        "reseed": dict(rule.reseed),
        "rate": {letter: f"{rate * 100}%" for letter, rate in rule.rate.items()},
        "reserve": f"{rule.reserve * 100}%",
        **cites(rule),
    }


def envy(rule: Envy) -> Data:
    schedules = {str(stake): table.name for stake, table in rule.schedules.items()}
    return {"name": rule.name, "wager": rule.wager.name, "schedules": schedules, **cites(rule)}


def limit(rule: Limit | None) -> Data | None:
    if rule is None:
        return None
    return {
        "covers": list(rule.covers),
        "never": sorted(map(list, rule.never)),
        "per": rule.unit({}),
        "least": rule.least,
        **cites(rule),
    }


def irregularity(rule: Irregularity) -> Data:
    return {
        "name": rule.name,
        "during": rule.during,
        "void": rule.void,
        "returned": "every wager" if rule.returns_everything else [each.name for each in rule.returned],
        "settled": [each.name for each in rule.settled],
        "settled_under": rule.settled_under,
        "cards": rule.cards.value,
        "then": rule.then,
        **cites(rule),
    }


def reading(rules: Rules, name: str) -> Data:
    rule = rules.readings[name]
    return {
        "name": rule.name,
        "question": rule.question,
        "alternatives": dict(rule.alternatives),
        "chosen": rule.chosen,
        "because": rule.because,
        "cautions": dict(rule.cautions),
        **cites(rule),
    }
