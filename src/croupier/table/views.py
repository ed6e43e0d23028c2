"""Views: what each role may see of a table, built by inclusion.

First comes what is public, then what a role may see in addition. Nothing that a role may not see is used to
build its view.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Holds, Place, Position
from croupier.law.procedure import Announcement
from croupier.table.accounts import DROP_BOX, TIP_BOX, chips, game_account
from croupier.table.commands import Role
from croupier.table.engine import role_and_seat
from croupier.table.rules.round_play import box_to_settle, face_down, in_play, pending, to_validate
from croupier.table.rules.wagers import stub_is_due
from croupier.table.state import Held, Phase, Round, State, cards_of
from croupier.wire import BoxView, DeckView, Limits, ResultView, RoundView, SeatView, StageView, View

PUBLIC = "public"
STAFF = (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE)


def view(table: State, by: str) -> View:
    """What “player:3”, “dealer”, “floorperson” or “surveillance” sees; “public” sees only what is public."""
    return with_own(table, public_view(table), by)


def with_own(table: State, public: View, by: str) -> View:
    """The public view of a table, plus what a viewpoint may see in addition."""
    if by == PUBLIC:
        return public
    role, seat = role_and_seat(by)
    accounts = {name: table.balance(name) for name in (TABLE_INVENTORY, DROP_BOX, TIP_BOX)} if role in STAFF else None
    return replace(
        public,
        viewer=by,
        round=_with_own_cards(table, table.round, public.round, role, seat) if table.round and public.round else None,
        accounts=accounts if table.submission else None,
    )


def public_view(table: State) -> View:
    opened = bool(table.submission)
    return View(
        table=table.table,
        viewer=PUBLIC,
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
        seats={
            seat: SeatView(player, table.balance(chips(seat)), table.balance(game_account(seat)))
            for seat, player in sorted(table.players.items())
        },
        wagers={box: dict(stakes) for box, stakes in sorted(table.stakes.items())},
        round=_round(table, table.round) if table.round is not None else None,
        results={box: ResultView(each.seat, tuple(each.lines)) for box, each in sorted(table.results.items())},
        players={box: table.boxes.get(box, 0) for box in sorted(table.stakes)},
    )


def _with_own_cards(table: State, current: Round, public: RoundView, role: Role, seat: int) -> RoundView:
    """All cards for surveillance; for a player, those of their own boxes except a fourth card that the dealer must reveal."""
    if role is Role.SURVEILLANCE:
        return replace(
            public,
            boxes={
                box: replace(each, cards=_faces(_on_table(current, box)), fourth=_faces(current.fourths.get(box, [])))
                for box, each in public.boxes.items()
            },
            dealer=_faces(current.dealer),
            community=_faces(current.community),
        )
    own = [box for box in public.boxes if role is Role.PLAYER and table.boxes.get(box, 0) == seat]
    cards = {box: replace(public.boxes[box], cards=_faces(_on_table(current, box))) for box in own}
    return replace(public, boxes=public.boxes | cards) if cards else public


def _round(table: State, current: Round) -> RoundView:
    stage = table.stages[current.stage] if table.phase is Phase.COMPLETING else None
    box = box_to_settle(table, current)
    waiting = to_validate(table, current, box) if box else []  # announced once the hand is face up
    return RoundView(
        number=current.number,
        stage=StageView(stage.act.value, str(stage.cite)) if stage else None,
        boxes={box: _box(table, current, box) for box in sorted(current.placed)},
        dealer=_open_cards(current.dealer),
        dealer_hand=dealers_hand(table, current),
        community=_open_cards(current.community),
        discarded=len(current.rack),
        found_face_up=current.found_face_up,
        magic_card=current.magic_card,
        lucky=current.lucky,
        void=current.void,
        asked=tuple(pending(table, current)[:1]) if stage else (),
        asked_at=current.asked_at or None,
        to_settle=(box,) if box else (),
        to_validate=() if waiting and face_down(table, current, box) else tuple(waiting),
        papers=tuple(current.papers),
        stub_due=bool(stage) and stub_is_due(table, current),
        dealer_made=dealer_made(table, current),
    )


def _box(table: State, current: Round, box: int) -> BoxView:
    return BoxView(
        seat=table.boxes.get(box, 0),
        wagers=in_play(table, current, box),
        cards=_open_cards(_on_table(current, box)),
        fourth=_open_cards(current.fourths.get(box, [])),
        decided=tuple(current.decided.get(box, [])),
        folded=box in current.folded,
        left=box in current.gone,
        set=tuple(current.sets.get(box, [])),
        hand=hand_of(table, current, box),
        settled=box in current.settled,
        made=hand_made(table, current, box),
    )


def _on_table(current: Round, box: int) -> list[Held]:
    """The cards of a box, except those collected when it folded."""
    racked = current.racked()
    return [held for held in current.hands.get(box, []) if held.position not in racked]


def _open_cards(held: list[Held]) -> tuple[str, ...]:
    """The face of each face-up card, and the back of the others."""
    return tuple(each.card if each.up else "" for each in held)


def _faces(held: list[Held]) -> tuple[str, ...]:
    return tuple(each.card for each in held)


# what is announced: the dealer's hand, and the hands that players set, once their cards are face up


def dealers_hand(table: State, current: Round) -> str:
    """“queen high, plays”; empty until the whole hand is face up, or if the hands are void."""
    position = _position(table, current, DEALER, {DEALER: current.dealer, COMMUNITY: current.community})
    return table.rules.announced(DEALER, position) if position else ""


def hand_of(table: State, current: Round, box: int) -> str:
    """What a player's hand is called, if the chapter has a name for it apart from its settlement."""
    position = _position(table, current, PLAYER, {PLAYER: current.hands.get(box, [])}, current.sets.get(box, ()))
    return table.rules.announced(PLAYER, position) if position else ""


def dealer_made(table: State, current: Round) -> tuple[str, ...]:
    """The cards that make the dealer's hand as it is called."""
    position = _position(table, current, DEALER, {DEALER: current.dealer, COMMUNITY: current.community})
    return tuple(map(str, table.rules.announced_by(DEALER, position))) if position else ()


def hand_made(table: State, current: Round, box: int) -> tuple[str, ...]:
    """The cards that make a player's hand, community cards included, once all are face up."""
    if any(rule.whose is PLAYER for rule in table.rules.of(Announcement)):  # it lies as the player set it
        return ()
    places = {PLAYER: current.hands.get(box, []), COMMUNITY: current.community}
    facts = (settlement.hand for settlement in table.rules.settlements)  # by which settlements call the hand
    holds = next((fact for fact in facts if isinstance(fact, Holds) and {*fact.places} <= {*places}), None)
    lying = [each for place in holds.places for each in places[place]] if holds else []
    if holds is None or not lying or current.void or box in current.folded or not all(each.up for each in lying):
        return ()
    held = cards_of(lying)
    return tuple(map(str, holds.ranking.made_of(held))) if len(held) >= holds.ranking.size else ()


def _position(
    table: State, current: Round, whose: Place, held: dict[Place, list[Held]], set_aside: Iterable[int] = ()
) -> Position | None:
    """The face-up cards; None if there are none, the hands are void, or cards that were set are still face down."""
    if current.void or not any(each.up for each in held[whose]):
        return None
    up = {place: cards_of([each for each in lying if each.up]) for place, lying in held.items()}
    aside = [held[whose][number - 1] for number in set_aside]
    if not all(each.up for each in aside):
        return None
    return Position(up, set_aside=cards_of(aside), readings=table.offer.readings)
