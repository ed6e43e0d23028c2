"""Opening and closing a table, and money in and out: buy-ins, tips, fills and credits, the drop, cashing out."""

from __future__ import annotations

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.cite import Refusal
from croupier.money import show_money
from croupier.table import commands as say
from croupier.table.accounts import CAGE, DROP_BOX, OUTSIDE, TIP_BOX, Move, chips, game_account, kept_for, layout
from croupier.table.commands import Role
from croupier.table.events import Consequences
from croupier.table.rules.context import (
    INTERNAL_CONTROLS,
    SUBMISSION,
    Request,
    decides,
    granted,
    need,
    need_chips,
    need_inventory,
    need_phase,
    need_seated,
)
from croupier.table.rules.stakes import verify_limits
from croupier.table.state import Phase, State, offer_of

OPEN = (Phase.OPENING, Phase.BETTING, Phase.DEALING, Phase.COMPLETING)


@decides(say.OpenTable, SUBMISSION)
def open_table(table: State, command: say.OpenTable, request: Request) -> Consequences:
    need(table.phase is Phase.CLOSED, "the table is already open", SUBMISSION, "once it is closed")
    need(
        not table.table or table.table == command.table,
        f"this is table {table.table}, not {command.table}",
        SUBMISSION,
        table.table,
    )
    offer = offer_of(command.submission)
    need(offer.hash == command.offer, "the hash does not match the submission's Offer", SUBMISSION, offer.hash)
    seconds = offer.decision_seconds
    need(command.decision_seconds in (0, seconds), "the time limit does not match the filing", SUBMISSION, f"{seconds} seconds")
    filed = ", ".join(f"{wager} to {meter}" for wager, meter in offer.linked.items()) or "none"
    need(command.linked == offer.linked, "the meters are not linked as filed", SUBMISSION, f"linked as filed: {filed}")
    return granted(SUBMISSION, offer.rules.cite("4(a)"), moves=[Move(CAGE, TABLE_INVENTORY, command.opener)])


@decides(say.CloseTable, INTERNAL_CONTROLS)
def close_table(table: State, command: say.CloseTable, request: Request) -> Consequences:
    need_phase(table, Phase.OPENING, Phase.BETTING, cite=table.rules.cite("11"))
    need(not table.stakes, "there are wagers on the layout", table.rules.cite("11"), "after the round")
    need(not table.players, "players are still seated", INTERNAL_CONTROLS, "once they have left")
    boxes = (TABLE_INVENTORY, DROP_BOX, TIP_BOX)
    return granted(INTERNAL_CONTROLS, moves=[Move(account, CAGE, table.balance(account)) for account in boxes])


@decides(say.PostLimits, SUBMISSION)
def post_limits(table: State, command: say.PostLimits, request: Request) -> Consequences:
    """Limits must be within the filed ones and must not invalidate a placed wager. A wager's own limits stay as filed."""
    need_phase(table, Phase.OPENING, Phase.BETTING, cite=SUBMISSION)
    offer, posted = table.offer, (command.minimum, command.maximum)
    filed = f"{show_money(offer.minimum)} to {show_money(offer.maximum)}"
    need(offer.minimum <= command.minimum, "the minimum is below the filed minimum", SUBMISSION, filed)
    need(command.maximum <= offer.maximum, "the maximum is above the filed maximum", SUBMISSION, filed)
    need(command.minimum <= command.maximum, "the minimum is above the maximum", SUBMISSION, "a maximum no lower than the minimum")
    for box, stakes in table.stakes.items():
        for key, stake in stakes.items():
            verify_limits(offer, box, offer.rules.wagers[key], stake, posted)
    return granted(SUBMISSION)


@decides(say.Fill, INTERNAL_CONTROLS)
def fill(table: State, command: say.Fill, request: Request) -> Consequences:
    need_phase(table, *OPEN, cite=INTERNAL_CONTROLS)
    return granted(INTERNAL_CONTROLS, moves=[Move(CAGE, TABLE_INVENTORY, command.amount)])


@decides(say.Credit, INTERNAL_CONTROLS)
def credit(table: State, command: say.Credit, request: Request) -> Consequences:
    need_phase(table, *OPEN, cite=INTERNAL_CONTROLS)
    need_chips(table, TABLE_INVENTORY, command.amount, INTERNAL_CONTROLS)
    return granted(INTERNAL_CONTROLS, moves=[Move(TABLE_INVENTORY, CAGE, command.amount)])


@decides(say.CollectDrop, INTERNAL_CONTROLS)
def collect_drop(table: State, command: say.CollectDrop, request: Request) -> Consequences:
    return _emptied(table, DROP_BOX)


@decides(say.CollectTips, INTERNAL_CONTROLS)
def collect_tips(table: State, command: say.CollectTips, request: Request) -> Consequences:
    return _emptied(table, TIP_BOX)


def _emptied(table: State, box: str) -> Consequences:
    need_phase(table, *OPEN, cite=INTERNAL_CONTROLS)
    held = table.balance(box)
    need(held, f"the {box} is empty", INTERNAL_CONTROLS, "when there is something in it")
    return granted(INTERNAL_CONTROLS, moves=[Move(box, CAGE, held)])


@decides(say.Sit, "7(b)")
def sit(table: State, command: say.Sit, request: Request) -> Consequences:
    rules, seat = table.rules, command.seat
    need_phase(table, *OPEN, cite=rules.cite("2(a)"))
    need(seat <= rules.seats, f"there is no seat {seat}", rules.cite("2(a)"), f"seats 1 to {rules.seats}")
    own = request.role is not Role.PLAYER or request.seat == seat
    need(own, f"you cannot seat someone else at seat {seat}", request.cite)
    if seat in table.players:
        free = [str(each) for each in range(1, rules.seats + 1) if each not in table.players and each not in table.boxes]
        found = f"seat {seat} is taken" + ("" if free else ", and no seat is free")
        raise Refusal(found, rules.cite("2(a)"), f"seat {', '.join(free)}" if free else "")
    need(seat not in table.boxes, f"another player is wagering on box {seat} this round", request.cite, "after the round")
    need(command.player not in table.players.values(), f"{command.player} is already seated", request.cite, "one seat per player")
    if held := table.balance(kept_for(command.player)):
        return granted(request.cite, INTERNAL_CONTROLS, moves=[Move(kept_for(command.player), chips(seat), held)])
    return granted(request.cite)


@decides(say.BuyIn, "7(a)")
def buy_in(table: State, command: say.BuyIn, request: Request) -> Consequences:
    """Cash goes into the drop box and chips come from the table inventory, because no wager is made with cash."""
    need_phase(table, *OPEN, cite=request.cite)
    need_seated(table, request, command.seat)
    moves = (Move(OUTSIDE, DROP_BOX, command.amount), Move(TABLE_INVENTORY, chips(command.seat), command.amount))
    need_inventory(table, moves, INTERNAL_CONTROLS)
    return granted(request.cite, INTERNAL_CONTROLS, moves=moves)


@decides(say.FundGameAccount, lambda table, command: table.electronic_clause)
def fund_game_account(table: State, command: say.FundGameAccount, request: Request) -> Consequences:
    need_phase(table, *OPEN, cite=table.rules.cite("7"))
    need_seated(table, request, command.seat)
    electronic = [w for w in table.rules.wagers.values() if w.electronic and table.offer.offers(w)]
    need(electronic, "no wager at this table is placed through a game account", table.rules.cite("7"), "chips on the layout")
    need_chips(table, chips(command.seat), command.amount, electronic[0].cite)
    return granted(electronic[0].cite, moves=[Move(chips(command.seat), game_account(command.seat), command.amount)])


@decides(say.Tip, INTERNAL_CONTROLS)
def tip(table: State, command: say.Tip, request: Request) -> Consequences:
    need_phase(table, *OPEN, cite=INTERNAL_CONTROLS)
    need_seated(table, request, command.seat)
    need_chips(table, chips(command.seat), command.amount, INTERNAL_CONTROLS)
    return granted(INTERNAL_CONTROLS, moves=[Move(chips(command.seat), TIP_BOX, command.amount)])


@decides(say.Leave, "7(b)")
def leave(table: State, command: say.Leave, request: Request) -> Consequences:
    """Between rounds, a player leaves with everything. Mid-round, their wagers are abandoned and lost (7(b))."""
    seat, purses = command.seat, (chips(command.seat), game_account(command.seat))
    need_seated(table, request, seat)
    if command.away_since:
        _need_away(table, command, request)
        keep = kept_for(table.players[seat])
        return granted(INTERNAL_CONTROLS, moves=[Move(account, keep, table.balance(account)) for account in purses])
    if request.role is Role.DEVICE:
        need(is_unpaid(table, seat), f"seat {seat} has money at the table", INTERNAL_CONTROLS, "a seat without money")
    abandoned = boxes_abandoned(table, seat)
    being_paid = {int(validated.split()[0]) for validated in table.round.validated} if table.round else set()
    need(not being_paid & {*abandoned}, f"a progressive payout is being paid to seat {seat}", request.cite, "after it is paid")
    moves = [Move(layout(box), TABLE_INVENTORY, table.balance(layout(box))) for box in abandoned]
    if table.phase is Phase.BETTING:
        laid = [box for box, home in table.boxes.items() if home == seat]
        moves += [Move(layout(box), OUTSIDE, table.balance(layout(box))) for box in laid]
    moves += [Move(account, OUTSIDE, table.balance(account)) for account in purses]
    return granted(request.cite, moves=moves)


def _need_away(table: State, command: say.Leave, request: Request) -> None:
    """Nobody is at the seat: the house keeps the chips. A player who has acted since, or has a wager on the table, is there."""
    seat, since = command.seat, table.away[command.seat]
    only = "only the table game system can report a player as away"
    need(request.role is Role.DEVICE, only, INTERNAL_CONTROLS, "leaving without “away_since”")
    need(seat not in table.boxes.values(), f"seat {seat} has a wager on the table", INTERNAL_CONTROLS, "after the round")
    need(command.away_since == since, f"the player at seat {seat} has acted since then", INTERNAL_CONTROLS, f"away since {since}")
    need(not is_unpaid(table, seat), f"seat {seat} has no money at the table", INTERNAL_CONTROLS, "leaving without “away_since”")


def is_unpaid(table: State, seat: int) -> bool:
    """Does the player have nothing at the table: no chips, no wager, no money in the game account?"""
    held = table.balance(chips(seat)) or table.balance(game_account(seat))
    return not held and seat not in table.boxes.values()


def boxes_abandoned(table: State, seat: int) -> list[int]:
    """The boxes where a player who leaves now has unsettled wagers."""
    if table.round is None:
        return []
    mine = [box for box, home in table.boxes.items() if home == seat]
    return [box for box in mine if box in table.round.stakes and box not in table.round.settled and box not in table.round.gone]
