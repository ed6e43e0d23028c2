"""Views: what each role may see of a table, built by inclusion. Nothing that a role may not see takes part in making its view."""

from __future__ import annotations

from typing import Any

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.procedure import Act
from croupier.table.accounts import DROP_BOX, TIP_BOX, chips, game_account
from croupier.table.announcing import dealers_hand, hand_of
from croupier.table.commands import Role
from croupier.table.completing import face_down, pending, to_settle, to_validate
from croupier.table.engine import who
from croupier.table.state import Deck, Held, Phase, Round, State
from croupier.table.wagering import stub_is_due

View = dict[str, Any]
STAFF = (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE)


def view(table: State, by: str) -> View:
    """What “player:3”, “dealer”, “floorperson” or “surveillance” sees; anybody else sees what lies open."""
    role, seat = who(by) if by != "public" else (None, 0)
    seen: View = {"table": table.table, "for": by, "version": table.version, "phase": table.phase.value}
    if not table.submission:
        return seen
    seen |= {"game": table.rules.number, "edition": table.rules.edition.name, "offer": table.offer_hash}
    least, most = table.posted
    seen |= {"limits": {"minimum": least, "maximum": most}, "decision_seconds": table.decision_seconds}
    seen |= {"rounds": table.rounds, "method": table.method, "out_of_order": list(table.out_of_order)}
    seen["decks"] = [_deck(deck) for deck in table.decks]
    seen["seats"] = {str(number): _seat(table, number) for number in sorted(table.players)}
    seen["wagers"] = {str(box): dict(stakes) for box, stakes in sorted(table.stakes.items())}
    if table.round is not None:
        seen["round"] = _round(table, table.round, role, seat)
    if role in STAFF:
        seen["accounts"] = {account: table.balance(account) for account in (TABLE_INVENTORY, DROP_BOX, TIP_BOX)}
    return seen


def _deck(deck: Deck) -> View:
    return {"name": deck.name, "condition": deck.condition.value, "commitment": deck.commitment, "left": deck.left}


def _seat(table: State, seat: int) -> View:
    return {
        "player": table.players[seat],
        "chips": table.balance(chips(seat)),
        "game_account": table.balance(game_account(seat)),
    }


def _round(table: State, current: Round, role: Role | None, seat: int) -> View:
    stage = table.stages[current.stage] if table.phase is Phase.COMPLETING else None
    return {
        "number": current.number,
        "stage": {"act": stage.act.value, "cite": str(stage.cite)} if stage else None,
        "boxes": {str(box): _box(table, current, box, role, seat) for box in sorted(current.placed)},
        "dealer": _cards(current.dealer, everything=role is Role.SURVEILLANCE),
        "dealer_hand": dealers_hand(table, current),
        "community": _cards(current.community, everything=role is Role.SURVEILLANCE),
        "discarded": len(current.rack),
        "found_face_up": current.found_face_up,
        "magic_card": current.magic_card,
        "lucky": current.lucky,
        "void": current.void,
        "asked": [*pending(table, current)[:1]] if stage else [],
        "asked_at": current.asked_at or None,
        "to_settle": to_settle(table, current)[:1] if stage and stage.act is Act.SETTLE else [],
        "to_validate": _to_validate(table, current) if stage and stage.act is Act.SETTLE else [],
        "papers": list(current.papers),
        "stub_due": bool(stage) and stub_is_due(table, current),
    }


def _to_validate(table: State, current: Round) -> list[str]:
    """Only of a hand that lies face up."""
    box = to_settle(table, current)[0]
    return [] if face_down(table, current, box) else to_validate(table, current, box)


def _box(table: State, current: Round, box: int, role: Role | None, seat: int) -> View:
    home = table.boxes.get(box, 0)
    everything = role is Role.SURVEILLANCE or (role is Role.PLAYER and home == seat)
    return {
        "seat": home,
        "wagers": dict(current.stakes.get(box, {})),
        "cards": _cards(_on_table(current, box), everything),
        "fourth": _cards(
            current.fourths.get(box, []), everything=role is Role.SURVEILLANCE
        ),  # nobody's until the dealer reveals it
        "decided": list(current.decided.get(box, [])),
        "folded": box in current.folded,
        "left": box in current.gone,
        "set": list(current.sets.get(box, [])),
        "hand": hand_of(table, current, box),
        "settled": box in current.settled,
    }


def _on_table(current: Round, box: int) -> list[Held]:
    """The cards of a box, unless they were collected with what folding lost."""
    racked = current.racked()
    return [held for held in current.hands.get(box, []) if held.position not in racked]


def _cards(held: list[Held], everything: bool) -> list[str]:
    """A card that may be seen, or a back."""
    return [each.card if each.up or everything else "" for each in held]
