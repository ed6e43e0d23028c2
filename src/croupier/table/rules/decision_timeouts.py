"""The filed time limit for decisions, and what happens when a player's time runs out.

No chapter says how long a player may take, so the limit is filed. The chapter declares what an unanswered decision means.
"""

from __future__ import annotations

from croupier.law.chapter import Rules
from croupier.law.forfeits import forfeits
from croupier.law.procedure import Act, Setting
from croupier.law.wager import Choice, Decision, never_answered
from croupier.table.commands import LapseDecision
from croupier.table.events import Consequences
from croupier.table.rules.context import Desk, decides, granted, need
from croupier.table.rules.round_play import decision_clause, need_stage, pending, taken_back
from croupier.table.state import Round, State


def unanswered(table: State, decision: Decision) -> Choice:
    """The choice made for a player whose time runs out, according to the chapter and the submission's readings."""
    return decision.in_silence(table.offer.readings)


def lapses_at(table: State, current: Round) -> int | None:
    """When the current box runs out of time, in milliseconds; None if there is no limit or no open decision."""
    limited = table.decision_seconds and current.asked
    return current.asked_at + 1000 * table.decision_seconds if limited else None


def lost_in_time(rules: Rules) -> str:
    """What a hand that timed out has lost, in words."""
    lost = forfeits(rules, never_answered(rules.decisions, {}), {}).lost
    return f"the {' and the '.join(lost)} {'are' if len(lost) > 1 else 'is'} lost"


@decides(LapseDecision, decision_clause)
def lapse_decision(table: State, command: LapseDecision, desk: Desk) -> Consequences:
    current, stage = need_stage(table, Act.ASK, Act.SET)
    box, waiting = command.seat, pending(table, current)[0]
    cite = stage.decision.cite if stage.decision else table.rules.of(Setting)[0].cite
    need(box == waiting, f"it is box {waiting}'s turn, not box {box}'s", cite, f"box {waiting}")
    over = lapses_at(table, current)
    need(over is not None, "this table has no posted time limit for decisions", cite, "the player's own decision")
    assert over is not None
    rest = -((desk.at - over) // 1000)  # rounded up to whole seconds
    need(desk.at >= over, f"box {box} has {rest} more second{'s' * (rest > 1)} to decide", cite, "once the time has run out")
    if stage.decision is None:
        return granted(cite)
    choice = unanswered(table, stage.decision)
    return granted(table.rules.cite(choice.clause), moves=taken_back(table, current, box, choice), choice=choice.word)
