"""The filed time limit for a decision, and what is taken for a player who lets it pass.

No chapter says how long a player may take, so the limit is filed; what an unanswered decision means the chapter declares.
"""

from __future__ import annotations

from croupier.law.chapter import Rules
from croupier.law.cite import Cite
from croupier.law.forfeits import forfeits
from croupier.law.procedure import Act, Setting
from croupier.law.wager import Choice, Decision, never_answered
from croupier.table.accounts import Move, chips, layout
from croupier.table.commands import LapseDecision
from croupier.table.completing import need_stage, pending
from croupier.table.desk import Desk, decides, granted, need
from croupier.table.events import Consequences
from croupier.table.state import Round, State


def unanswered(table: State, decision: Decision) -> Choice:
    """What is taken for a player whose time for a decision runs out, as the chapter has it and the submission reads it."""
    return decision.unanswered.under(table.offer.readings)


def lapses_at(table: State, current: Round) -> int | None:
    """When the time of the box that is asked is over, in milliseconds; None without a limit or while nothing is asked."""
    limited = table.decision_seconds and current.asked
    return current.asked_at + 1000 * table.decision_seconds if limited else None


def lost_in_time(rules: Rules) -> str:
    """What a hand that timed out has lost, in words."""
    lost = forfeits(rules, never_answered(rules.decisions, {}), {}).lost
    return f"the {' and the '.join(lost)} {'are' if len(lost) > 1 else 'is'} lost"


@decides(LapseDecision)
def lapse_decision(table: State, command: LapseDecision, desk: Desk) -> Consequences:
    current, stage = need_stage(table, Act.ASK, Act.SET)
    box, waiting = command.seat, pending(table, current)[0]
    cite: Cite = stage.decision.cite if stage.decision else table.rules.of(Setting)[0].cite
    need(box == waiting, f"it is the turn of box {waiting}, not of box {box}", cite, f"box {waiting}")
    over = lapses_at(table, current)
    need(over is not None, "no time limit for a decision is published at this table", cite, "the player's own decision")
    assert over is not None
    rest = -((desk.at - over) // 1000)  # begun seconds count
    need(desk.at >= over, f"box {box} has {rest} more second{'s' * (rest > 1)} to decide", cite, "once the time has passed")
    if stage.decision is None:
        return granted(cite)
    choice, home = unanswered(table, stage.decision), table.boxes[box]
    back = choice.withdraws
    moves = (Move(layout(box), chips(home), current.stakes[box][back.key]),) if back else ()
    return granted(table.rules.cite(choice.clause), moves=moves, choice=choice.word)
