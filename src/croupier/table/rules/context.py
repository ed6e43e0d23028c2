"""What rules may look at besides the table: who is asking, when, and what the meters show; and checks that rules share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.cite import Cite, Refusal
from croupier.law.procedure import Act, Stage
from croupier.money import Cents, show_money
from croupier.table.accounts import Move, balances
from croupier.table.commands import Command, Role
from croupier.table.events import Consequences, Shown
from croupier.table.meters import MeterState
from croupier.table.state import Deck, Phase, Round, State

SUBMISSION = "601a.2"  # on Rules Submissions
INTERNAL_CONTROLS = "465a.2"  # on internal controls, to which the chapters leave the handling of money


class Request(NamedTuple):
    """Who gives a command, when, and under which clause."""

    role: Role
    seat: int  # the player's own seat; 0 for staff
    at: int  # milliseconds
    meters: Mapping[str, MeterState]  # by the wager's name
    cite: Cite | str  # the clause that assigns the command to its role


C = TypeVar("C", bound=Command)
CommandRule = Callable[[State, C, Request], Consequences]
RULES: dict[type[Command], Callable[..., Consequences]] = {}
ASSIGNED: dict[type[Command], str | Act | Callable[..., Cite | str]] = {}


def decides(command: type[C], assigned: str | Act | Callable[[State, C], Cite | str]) -> Callable[[CommandRule[C]], CommandRule[C]]:
    """Register the rule that allows or refuses a command, and the clause that assigns the command to its role: one of the
    chapter, that of a stage, or a section of the code that the chapters leave it to."""

    def declare(rule: CommandRule[C]) -> CommandRule[C]:
        RULES[command], ASSIGNED[command] = rule, assigned
        return rule

    return declare


def assigned_by(table: State, command: Command) -> Cite | str:
    """The clause that assigns a command to its role: what a refusal cites when another role tries it."""
    clause = ASSIGNED[type(command)] if table.submission else SUBMISSION
    if isinstance(clause, Act):
        return stage_clause(table, clause)
    if not isinstance(clause, str):
        return clause(table, command)
    return clause if clause in (SUBMISSION, INTERNAL_CONTROLS) else table.rules.cite(clause)


def stage_clause(table: State, *acts: Act) -> Cite:
    return next((stage.cite for stage in table.stages if stage.act in acts), table.rules.cite("11"))


def granted(*cites: Cite | str, moves: Iterable[Move] = (), cards: Iterable[Shown] = (), **what: Any) -> Consequences:
    """The consequences of an allowed command. Transfers of nothing are left out."""
    made = tuple(move for move in moves if move.cents)
    return Consequences(cites=tuple(map(str, cites)), moves=made, cards=tuple(cards), **what)


# checks that many commands share


def need(condition: object, said: str, cite: Cite | str, accepted: str = "") -> None:
    if not condition:
        raise Refusal(said, cite, accepted)


def need_phase(table: State, *phases: Phase, cite: Cite | str) -> None:
    if table.phase not in phases:
        raise Refusal(_NOW[table.phase], cite, " or ".join(f"while {_NOW[phase]}" for phase in phases))


_NOW = {
    Phase.CLOSED: "the table is closed",
    Phase.OPENING: "the table is being opened",
    Phase.BETTING: "betting is open",
    Phase.DEALING: "the cards are being dealt",
    Phase.COMPLETING: "a round is in progress",
}


def need_round(table: State, phase: Phase, cite: Cite | str) -> Round:
    need_phase(table, phase, cite=cite)
    assert table.round is not None
    return table.round


def need_stage(table: State, *acts: Act) -> tuple[Round, Stage]:
    """The round, if its next stage is one of these acts."""
    current = need_round(table, Phase.COMPLETING, stage_clause(table, *acts))
    stage = table.stages[current.stage]
    need(stage.act in acts, f"not now: the next step is “{stage.act.value}”", stage.cite, stage.act.value)
    return current, stage


def need_seated(table: State, request: Request, seat: int) -> None:
    """Players act for themselves; the dealer and the floorperson may act for anyone who is seated."""
    cite, own = table.rules.cite("7(b)"), request.role is not Role.PLAYER or request.seat == seat
    need(own, f"seat {seat} is not yours", cite, f"seat {request.seat}")
    need(seat in table.players, f"nobody is seated at seat {seat}", cite, "a seated player")


def need_deck(table: State, name: str) -> Deck:
    decks = {deck.name: deck for deck in table.decks}
    known = ", ".join(decks) or "after decks are received"
    need(name in decks, f"there is no deck “{name}” at the table", table.rules.cite("3(a)"), known)
    return decks[name]


def need_chips(table: State, account: str, cents: Cents, cite: Cite | str) -> None:
    held = table.balance(account)
    if held < cents:
        found = f"{account}: {show_money(cents)} is needed, and there is only {show_money(held)}"
        raise Refusal(found, cite, f"up to {show_money(held)}")


def need_inventory(table: State, moves: Iterable[Move], cite: Cite | str) -> None:
    """A payout needs chips: if the table inventory runs out, it must be filled first."""
    held = table.balance(TABLE_INVENTORY) + balances(moves)[TABLE_INVENTORY]
    if held < 0:
        raise Refusal(f"the {TABLE_INVENTORY} container is {show_money(-held)} short", cite, "after a fill")
