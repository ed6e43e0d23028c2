"""The dealer's checklist: the steps of the current procedure in the chapter's words, and which one is next.

Nothing from a chapter is repeated here: the words and clauses come from its Steps, Stages and Dealings, and the next step
is the one whose command the engine would allow and the table expects.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from croupier.law.cite import Refusal, Rule
from croupier.law.plain_data import script_lines
from croupier.law.procedure import Act, Actor, Dealing, Principle, Stage, Step
from croupier.table.choices.players import choices
from croupier.table.rules.decks import idle_rule, is_idle
from croupier.table.state import Condition, Phase, State

DONE, PASSED, NOW, LATER = "done", "passed", "now", "later"
TO_OPEN = (Condition.RECEIVED, Condition.INSPECTED, Condition.VERIFIED, Condition.SPREAD, Condition.VIEWED)
TO_SHUFFLE = (Condition.STACKED, Condition.SHUFFLED, Condition.RECUT)


class Item(msgspec.Struct, frozen=True):
    """A step: what is done, by whom, under which clause. `when` is its condition; `command` performs it.

    A step before the current one is “done”, or “passed” if it is taken only under a condition, or by no one at the table.
    """

    words: str
    cite: str
    who: str
    state: str
    when: str = ""
    command: str = ""


class Correction(msgspec.Struct, frozen=True):
    """Feedback for a trainee: what was wrong and why, and the right step."""

    wrong: str
    cite: str
    accepted: str
    right: Item | None


class Next(NamedTuple):
    """An action that the table expects now: the clause, who does it, and the command."""

    cite: str
    who: Actor | None
    command: str


def checklist(table: State, at: int) -> list[Item]:
    """The steps of the current procedure, in order; none if the table is closed."""
    if not table.submission or table.phase is Phase.CLOSED:
        return []
    rules, items = _procedure(table, at), list[Item]()
    now, command = _place(table, rules, _expected(table, at))
    for n, rule in enumerate(rules):
        words, who, when = _in_words(rule)
        before = PASSED if when or who is Actor.CERTIFICATE_HOLDER else DONE  # what the holder chooses is filed
        state = NOW if n in now else before if n < now.start else LATER
        items.append(Item(words, str(rule.cite), who.value, state, when, command if state == NOW else ""))
    return items


def correction(table: State, refusal: Refusal, at: int) -> Correction:
    """Explain a refused command to a trainee."""
    right = next((item for item in checklist(table, at) if item.state == NOW), None)
    return Correction(refusal.said, refusal.cite, refusal.accepted, right)


# which steps


def _procedure(table: State, at: int) -> list[Rule]:
    match table.phase:
        case Phase.OPENING:
            was_idle = any(deck.idle for deck in table.decks) and not _in(table, TO_OPEN)
            return [*([] if was_idle else _steps(table, 4)), *_steps(table, 5)]
        case Phase.BETTING:
            return _before_the_deal(table, at)
        case Phase.DEALING:
            recut = _steps(table, 5) if table.round and table.decks[table.round.deck].condition is Condition.RECUT else []
            return [*recut, *_method_section(table)[0], table.dealing]
        case _:
            return _completion(table)


def _steps(table: State, section: int) -> list[Step]:
    return [step for step in table.rules.of(Step) if step.cite.section == section]


def _in(table: State, conditions: tuple[Condition, ...]) -> bool:
    """Whether any deck is in one of these conditions, not counting decks of an idle table."""
    return any(deck.condition in conditions and not deck.idle for deck in table.decks)


def _before_the_deal(table: State, at: int) -> list[Rule]:
    """Steps for decks that are not ready or must be spread, for the wagers of .7, and for “no more bets”."""
    opening = _steps(table, 4) if _in(table, TO_OPEN) or not table.decks else []
    unready = any(deck.condition in TO_SHUFFLE for deck in table.decks)
    shuffling = _steps(table, 5) if opening or unready or is_idle(table, at) else []
    wagers = [rule for rule in table.rules.of(Principle) if rule.cite.section == 7]
    return [*opening, *shuffling, *wagers, *_method_section(table)[0]]


def _method_section(table: State) -> tuple[list[Step], list[Step]]:
    """The steps in the method's section before and after the deal, including putting away or counting the stub."""
    section = table.dealing.cite.section
    own = [rule for rule in table.rules.everything if isinstance(rule, Step | Dealing) and rule.cite.section == section]
    deal = next(n for n, rule in enumerate(own) if isinstance(rule, Dealing))
    return [r for r in own[:deal] if isinstance(r, Step)], [r for r in own[deal:] if isinstance(r, Step)]


def _completion(table: State) -> list[Rule]:
    """The stages of .11 with their steps, by letter, with the stub before the settlement."""
    ordered: list[Rule] = [rule for rule in table.rules.everything if isinstance(rule, Stage | Step) and rule.cite.section == 11]
    ordered.sort(key=lambda rule: rule.cite.clause.split("(")[1])
    settle = next(n for n, rule in enumerate(ordered) if isinstance(rule, Stage) and rule.act is Act.SETTLE)
    return [*ordered[:settle], *_method_section(table)[1], *ordered[settle:]]


# which of them is next


def _expected(table: State, at: int) -> list[Next]:
    """What the table expects from its staff, based on their choices, or from a player it is waiting for."""
    roles = (("dealer", Actor.DEALER), ("floorperson", Actor.FLOORPERSON))
    waiting = [
        Next(choice.cite, Actor.PLAYER if choice.do == "view decks" else who, choice.do)
        for by, who in roles
        for choice in choices(table, by, at)
        if choice.primary
    ]
    if not waiting and any(deck.condition is Condition.SPREAD for deck in table.decks):
        waiting.append(
            Next(str(idle_rule(table).cite if table.lies_idle else table.rules.cite("4(c)")), Actor.PLAYER, "view decks")
        )
    return waiting


def _place(table: State, rules: list[Rule], expected: list[Next]) -> tuple[range, str]:
    """Which of the rules are next, and the command that performs them."""
    for each in expected:
        for n, rule in enumerate(rules):
            if isinstance(rule, Step) and rule.who is each.who and each.cite in map(str, rule.cites):
                return range(n, n + 1), each.command
    command = expected[0].command if expected else ""
    match table.phase:
        case Phase.COMPLETING:
            assert table.round is not None
            stage = table.stages[table.round.stage]
            n = next(n for n, rule in enumerate(rules) if rule is stage)
            answer = {Act.ASK: "decide", Act.SET: "set hand"}.get(stage.act, "")
            return range(n, n + 1), answer or command
        case Phase.DEALING:
            return range(len(rules) - 1, len(rules)), command
    wagers = [n for n, rule in enumerate(rules) if isinstance(rule, Principle)] or [len(rules)]
    return range(wagers[0], wagers[-1] + 1), "place wager" if wagers[0] < len(rules) else ""


def _in_words(rule: Rule) -> tuple[str, Actor, str]:
    match rule:
        case Step():
            return rule.does, rule.who, rule.when
        case Stage():
            of_players = rule.act in (Act.EXAMINE, Act.SET)
            words = f"{rule.act.value}: {rule.decision.name}" if rule.decision else rule.act.value
            return words, Actor.PLAYER if of_players else Actor.DEALER, ""
        case Dealing():
            return "; ".join(script_lines(rule.script)), Actor.DEALER, ""
        case Principle():
            return rule.says, Actor.PLAYER, ""
    raise AssertionError(rule)
