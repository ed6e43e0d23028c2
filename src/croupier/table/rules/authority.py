"""Which clause assigns an action to a role: what a refusal cites when another role tries it."""

from __future__ import annotations

from collections.abc import Callable

from croupier.law.cite import Cite
from croupier.law.procedure import Act, Setting, Task
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.rules.context import INTERNAL_CONTROLS, SUBMISSION
from croupier.table.rules.round_play import papers_clauses, validation_clause
from croupier.table.rules.wagers import stub_clause, task_clause
from croupier.table.state import State

Giving = Callable[[State], Cite | str]


def _clause(clause: str) -> Giving:
    return lambda table: table.rules.cite(clause)


def _elsewhere(section: str) -> Giving:
    """Actions that the chapters leave to another section of the code."""
    return lambda table: section


def _stage(act: Act) -> Giving:
    return lambda table: next((stage.cite for stage in table.stages if stage.act is act), table.rules.cite("11"))


def _decision(table: State) -> Cite:
    stage = table.stages[table.round.stage] if table.round else None
    decision = stage.decision if stage and stage.decision else next(iter(table.rules.decisions), None)
    return decision.cite if decision else _setting(table)


def _setting(table: State) -> Cite:
    found = table.rules.of(Setting)
    return found[0].cite if found else table.rules.cite("11")


def _drawing(table: State) -> Cite:
    """Section .1 defines what the system draws, if a wager is placed through it."""
    return table.rules.cite("1") if any(wager.electronic for wager in table.rules.wagers.values()) else table.rules.cite("7")


def _electronic(table: State) -> Cite:
    return next((wager.cite for wager in table.rules.wagers.values() if wager.electronic), table.rules.cite("7"))


GIVEN: dict[type[Command], Giving] = {
    **dict.fromkeys((say.OpenTable, say.PostLimits), _elsewhere(SUBMISSION)),
    **dict.fromkeys(
        (
            say.CloseTable,
            say.Fill,
            say.Credit,
            say.CollectDrop,
            say.CollectTips,
            say.Tip,
            say.RemoveDecks,
            say.UseMethod,
            say.ReturnDevice,
        ),
        _elsewhere(INTERNAL_CONTROLS),
    ),
    **dict.fromkeys((say.ReceiveDecks, say.InspectDecks, say.VerifyInspection), _clause("4(a)")),
    say.SpreadDecks: _clause("4(b)"),
    **dict.fromkeys((say.RequestSpread, say.StackDecks), _clause("5(f)")),
    **dict.fromkeys((say.ViewDecks, say.WashDecks), _clause("4(c)")),
    **dict.fromkeys((say.ShuffleDeck, say.OrderShuffle), _clause("5(a)")),
    say.CutDeck: _clause("5(d)"),
    say.OrderRecut: _clause("5(e)"),
    say.BuyIn: _clause("7(a)"),
    **dict.fromkeys((say.Sit, say.Leave, say.PlaceWager), _clause("7(b)")),
    **dict.fromkeys((say.TakeBackWager, say.ReturnWagers), _clause("7(c)")),
    say.FundGameAccount: _electronic,
    say.DrawBonus: _drawing,
    say.NoMoreBets: lambda table: task_clause(table, Task.NO_MORE_BETS),
    say.DealCards: lambda table: table.dealing.cite,
    say.CountStub: stub_clause,
    **dict.fromkeys((say.Decide, say.LapseDecision), _decision),
    say.SetHand: _setting,
    say.CollectForfeited: _stage(Act.COLLECT),
    say.BurnCard: _stage(Act.BURN),
    say.DealCommunity: _stage(Act.DEAL),
    say.TurnCard: _stage(Act.TURN),
    say.RevealDealer: _stage(Act.REVEAL),
    **dict.fromkeys((say.TurnHand, say.SettleSeat), _stage(Act.SETTLE)),
    say.ValidateProgressive: lambda table: validation_clause(table, ""),
    say.CompletePapers: lambda table: papers_clauses(table, 0)[0],
    say.ClearCards: _stage(Act.CLEAR),
    say.RaiseIrregularity: _clause("13"),
}


def given_by(table: State, command: Command) -> str:
    """The clause that assigns a command to its role or, before a table is opened, that of the submission."""
    if not table.submission:
        return SUBMISSION
    if isinstance(command, say.ValidateProgressive):
        return str(validation_clause(table, command.wager))
    if isinstance(command, say.CompletePapers):
        return str(papers_clauses(table, command.seat)[0])
    return str(GIVEN[type(command)](table))
