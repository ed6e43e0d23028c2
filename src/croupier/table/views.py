"""Views: what each role may see of a table, built by inclusion. Nothing that a role may not see takes part in making its view."""

from __future__ import annotations

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.procedure import Act
from croupier.table.accounts import DROP_BOX, TIP_BOX, chips, game_account
from croupier.table.announcing import dealers_hand, hand_of
from croupier.table.commands import Role
from croupier.table.completing import face_down, pending, to_settle, to_validate
from croupier.table.engine import who
from croupier.table.state import Held, Phase, Round, State
from croupier.table.wagering import stub_is_due
from croupier.wire import BoxView, DeckView, Limits, RoundView, SeatView, StageView, View

STAFF = (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE)


def view(table: State, by: str) -> View:
    """What “player:3”, “dealer”, “floorperson” or “surveillance” sees; anybody else sees what lies open."""
    role, seat = who(by) if by != "public" else (None, 0)
    opened = bool(table.submission)
    return View(
        table=table.table,
        viewer=by,
        version=table.version,
        phase=table.phase.value,
        game=table.rules.number if opened else "",
        edition=table.rules.edition.name if opened else "",
        offer=table.offer_hash,
        limits=Limits(*table.posted) if opened else Limits(0, 0),
        decision_seconds=table.decision_seconds,
        rounds=table.rounds,
        method=table.method,
        out_of_order=tuple(table.out_of_order),
        decks=tuple(DeckView(deck.name, deck.condition.value, deck.commitment, deck.left, deck.idle.value) for deck in table.decks),
        seats={number: _seat(table, number) for number in sorted(table.players)},
        wagers={box: dict(stakes) for box, stakes in sorted(table.stakes.items())},
        round=_round(table, table.round, role, seat) if table.round is not None else None,
        accounts={name: table.balance(name) for name in (TABLE_INVENTORY, DROP_BOX, TIP_BOX)} if opened and role in STAFF else None,
    )


def _seat(table: State, seat: int) -> SeatView:
    return SeatView(
        player=table.players[seat],
        chips=table.balance(chips(seat)),
        game_account=table.balance(game_account(seat)),
    )


def _round(table: State, current: Round, role: Role | None, seat: int) -> RoundView:
    stage = table.stages[current.stage] if table.phase is Phase.COMPLETING else None
    settling = stage is not None and stage.act is Act.SETTLE
    return RoundView(
        number=current.number,
        stage=StageView(stage.act.value, str(stage.cite)) if stage else None,
        boxes={box: _box(table, current, box, role, seat) for box in sorted(current.placed)},
        dealer=_cards(current.dealer, everything=role is Role.SURVEILLANCE),
        dealer_hand=dealers_hand(table, current),
        community=_cards(current.community, everything=role is Role.SURVEILLANCE),
        discarded=len(current.rack),
        found_face_up=current.found_face_up,
        magic_card=current.magic_card,
        lucky=current.lucky,
        void=current.void,
        asked=tuple(pending(table, current)[:1]) if stage else (),
        asked_at=current.asked_at or None,
        to_settle=tuple(to_settle(table, current)[:1]) if settling else (),
        to_validate=tuple(_to_validate(table, current)) if settling else (),
        papers=tuple(current.papers),
        stub_due=bool(stage) and stub_is_due(table, current),
    )


def _to_validate(table: State, current: Round) -> list[str]:
    """Only of a hand that lies face up."""
    box = to_settle(table, current)[0]
    return [] if face_down(table, current, box) else to_validate(table, current, box)


def _box(table: State, current: Round, box: int, role: Role | None, seat: int) -> BoxView:
    home = table.boxes.get(box, 0)
    everything = role is Role.SURVEILLANCE or (role is Role.PLAYER and home == seat)
    return BoxView(
        seat=home,
        wagers=_wagers(current, box),
        cards=_cards(_on_table(current, box), everything),
        fourth=_cards(current.fourths.get(box, []), everything=role is Role.SURVEILLANCE),  # nobody's until the dealer reveals it
        decided=tuple(current.decided.get(box, [])),
        folded=box in current.folded,
        left=box in current.gone,
        set=tuple(current.sets.get(box, [])),
        hand=hand_of(table, current, box),
        settled=box in current.settled,
    )


def _wagers(current: Round, box: int) -> dict[str, int]:
    """The wagers of a box; while it is being settled, those that are still to be."""
    stakes = current.stakes.get(box, {})
    done = current.parts[box].wagers if box in current.parts and box not in current.settled else ()
    return {key: stake for key, stake in stakes.items() if key not in done}


def _on_table(current: Round, box: int) -> list[Held]:
    """The cards of a box, unless they were collected with what folding lost."""
    racked = current.racked()
    return [held for held in current.hands.get(box, []) if held.position not in racked]


def _cards(held: list[Held], everything: bool) -> tuple[str, ...]:
    """A card that may be seen, or a back."""
    return tuple(each.card if each.up or everything else "" for each in held)
