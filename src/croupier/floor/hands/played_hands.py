"""The rounds of one player as they saw them: cards, decisions and results, built from the views of their seat alone.

A server calls `price_hand` in a child process, which loads the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from croupier.cards import cards
from croupier.floor.house.meter_stream import meter_streams
from croupier.floor.surveillance.narration import sentence
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.replay import EVENTS_BETWEEN, Frames, announced
from croupier.floor.surveillance.round_record import ABANDONED, VOID, WITHDRAWN, Bet, RecordedRound, key_of, money_at_risk
from croupier.law.cite import Refusal
from croupier.law.procedure import Setting
from croupier.money import Cents, show_fraction
from croupier.table import commands as say
from croupier.table.events import Event
from croupier.table.state import State, offer_of
from croupier.table.views import PUBLIC, view
from croupier.wire import HandBox, HandDecision, HandFrame, PlayerHand, RoundView, ValuedChoice, View, WagerLine

LineKey = tuple[str, str, Cents, Cents, Cents]  # a wager's key, its outcome, stake, payment and what was returned


class DecisionSpot(msgspec.Struct, frozen=True):
    """A decision and everything that its player saw, for its price. Cards as text."""

    submission: str
    held: str
    said: str = ""
    up: str = ""
    board: str = ""
    before: tuple[str, ...] = ()
    set_aside: str = ""
    stakes: tuple[tuple[str, Cents], ...] = ()  # by the wager's key
    meters: tuple[tuple[str, Cents], ...] = ()  # by the wager's name


class PlayedHand(msgspec.Struct, frozen=True):
    """A hand whose decisions are not priced yet, with a spot to price for each decision, in order."""

    hand: PlayerHand
    spots: tuple[DecisionSpot, ...]


class RoundWatch:
    """Follows one round from “no more bets” on, as its player sees it. After leaving, a player sees the public view."""

    def __init__(self, round_: RecordedRound, player: str, meters: Mapping[str, Cents]) -> None:
        self.round, self.meters = round_, meters
        self.mine = {box.box: box for box in round_.boxes if box.player == player}
        self.seat = next(iter(self.mine.values())).seat
        self.by = f"player:{self.seat}"
        self.boxes: dict[int, HandBox] = {}  # what the player saw at each of their boxes
        self.spots: dict[int, list[DecisionSpot]] = {}
        self.lines: dict[int, dict[LineKey, WagerLine]] = {}
        self.dealer: tuple[str, ...] = ()
        self.community: tuple[str, ...] = ()
        self.dealer_hand = ""
        self.seen: View | None = None
        self.cites: dict[str, str] = {}  # by the outcome of a wager that no settlement lists

    def take(self, event: Event, state: State) -> View:
        """The view of the player after an event."""
        before = self.seen.round if self.seen else None
        match event.command:
            case say.Leave(seat=self.seat):
                self.by = PUBLIC
                self._cite(ABANDONED, event)
            case say.RaiseIrregularity() | say.CountStub() if event.then.moves:
                self._cite(VOID, event)
        self.seen = view(state, self.by)
        if self.seen.round:
            self._look(self.seen, self.seen.round)
        if before:
            self._decisions(event, state, before)
        return self.seen

    def own_view(self, event: Event, state: State) -> View:
        """The view after an event without other people: their boxes remain, but not their names or money."""
        seen = self.take(event, state)
        return replace(seen, seats={seat: each for seat, each in seen.seats.items() if seat == self.seat and self.by != PUBLIC})

    def _cite(self, outcome: str, event: Event) -> None:
        self.cites.setdefault(outcome, event.then.cites[0] if event.then.cites else "")

    def _look(self, seen: View, current: RoundView) -> None:
        for number in self.mine:
            if now := current.boxes.get(number):
                before = self.boxes.get(number) or HandBox(number, (), (), (), "", False, dict(now.wagers), (), ())
                self.boxes[number] = replace(
                    before,
                    cards=_fullest(before.cards, now.cards),
                    fourth=_fullest(before.fourth, now.fourth),
                    set=now.set or before.set,
                    hand=now.hand or before.hand,
                    folded=now.folded or before.folded,
                )
        for number, result in seen.results.items():
            if number in self.boxes:
                self.lines.setdefault(number, {}).update((_result(key_of(each), each), each) for each in result.lines)
        self.dealer, self.community = _fullest(self.dealer, current.dealer), _fullest(self.community, current.community)
        self.dealer_hand = current.dealer_hand or self.dealer_hand

    def _decisions(self, event: Event, state: State, before: RoundView) -> None:
        match event.command:
            case say.Decide(seat=box, choice=said) if box in self.mine:
                self._decided(box, said, event, state, before)
            case say.LapseDecision(seat=box) if box in self.mine:
                self._decided(box, event.then.choice, event, state, before, by_clock=True)
            case say.SetHand(seat=box, cards=three) if box in self.mine:
                held = before.boxes[box].cards
                self._decided(box, "", event, state, before, " ".join(held[n - 1] for n in three))

    def _decided(
        self, box: int, said: str, event: Event, state: State, before: RoundView, three: str = "", *, by_clock: bool = False
    ) -> None:
        then, rules = before.boxes[box], state.rules
        number, sets = len(then.decided), not (said and rules.decisions)
        rule = rules.of(Setting)[0] if sets else rules.decisions[number]
        if not sets and (taken := rules.decisions[number].taken(said, state.offer.readings)) and taken.withdraws:
            self._cite(WITHDRAWN, event)
        decision = HandDecision(
            box=box,
            asked="the hand to set" if sets else rules.decisions[number].name,
            cite=str(rule.cite),
            said=f"set {three}" if three else said or "not set in time",
            by_clock=by_clock,
        )
        spot = DecisionSpot(
            submission=state.submission,
            held=" ".join(then.cards),
            said=said,
            up="" if sets else " ".join(filter(None, before.dealer)),
            board=" ".join(filter(None, before.community)),
            before=then.decided,
            set_aside=three,
            stakes=tuple(then.wagers.items()),
            meters=tuple((name, cents) for name, cents in self.meters.items() if name in then.wagers),
        )
        kept, spots = ((), []) if sets else (self.boxes[box].decisions, self.spots.get(box, []))  # a hand may be set again
        self.boxes[box], self.spots[box] = replace(self.boxes[box], decisions=(*kept, decision)), [*spots, spot]

    def hand(self, state: State) -> PlayedHand:
        """The round, once it is over."""
        round_, bets = self.round, [bet for box in self.mine.values() for bet in box.bets]
        hand = PlayerHand(
            table=round_.table,
            title=state.rules.title,
            game=state.rules.number,
            edition=state.rules.edition.name,
            number=round_.number,
            at=round_.begun,
            ended=round_.ended,
            seat=self.seat,
            boxes=tuple(replace(each, lines=self._lines(number)) for number, each in sorted(self.boxes.items())),
            dealer=self.dealer,
            dealer_hand=self.dealer_hand,
            community=self.community,
            void=round_.void,
            wagered=money_at_risk(bets),
            net=sum(bet.net for bet in bets),
        )
        return PlayedHand(hand, tuple(spot for _, spots in sorted(self.spots.items()) for spot in spots))

    def _lines(self, number: int) -> tuple[WagerLine, ...]:
        """The lines of a box. No settlement lists a wager that was void, abandoned or withdrawn."""
        known = self.lines.get(number, {})
        return tuple(
            known.get(_result(bet.wager, bet))
            or WagerLine(bet.wager, "", bet.outcome, bet.stake, bet.pays, bet.returns, self.cites.get(bet.outcome, ""))
            for bet in self.mine[number].bets
        )


def _result(key: str, line: WagerLine | Bet) -> LineKey:
    return key, line.outcome, line.stake, line.pays, line.returns


def _fullest(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """The cards at a place when most of them were visible, since folded and cleared cards leave the table."""
    return now if sum(map(bool, now)) >= sum(map(bool, before)) and now else before


class PlayedHands:
    """The hands of any player, from the log."""

    def __init__(self, frames: Frames, records: Records) -> None:
        self.frames, self.records = frames, records

    def of(self, player: str, rounds: Sequence[RecordedRound]) -> Iterator[PlayedHand]:
        """The finished rounds of a player, which must be of one table, in the order of their numbers."""
        for part in _parts(rounds):
            waiting = list(part)
            watch: RoundWatch | None = None
            for entry, event, _, state in self.frames.follow(part[0].table, part[0].locked, part[-1].last):
                if waiting and entry.version == waiting[0].locked:
                    watch = self._watch(player, waiting.pop(0))
                if watch:
                    watch.take(event, state)
                    if entry.version == watch.round.last:
                        yield watch.hand(state)
                        watch = None

    def replay(self, player: str, round_: RecordedRound) -> tuple[HandFrame, ...]:
        """A round from “no more bets” to its end: what the player's seat saw after each event, without the names of others."""
        watch = self._watch(player, round_)
        return tuple(
            HandFrame(
                entry.version, event.at, _says(event, state), event.then.cites, event.then.lines, watch.own_view(event, state)
            )
            for entry, event, _, state in self.frames.follow(round_.table, round_.locked, round_.last)
        )

    def _watch(self, player: str, round_: RecordedRound) -> RoundWatch:
        opening = self.records.opening(round_.table, round_.number)
        streams = meter_streams(round_.table, opening.submission, opening.linked)
        shown = {wager: self.records.meters.at(stream, round_.table, round_.locked) for wager, stream in streams.items()}
        return RoundWatch(round_, player, {wager: cents for wager, cents in shown.items() if cents is not None})


def _says(event: Event, state: State) -> str:
    if isinstance(event.command, say.Sit):
        return f"A player sits down at seat {event.command.seat}."
    return sentence(event, state.rules, announced(event, state))


def _parts(rounds: Sequence[RecordedRound]) -> Iterator[list[RecordedRound]]:
    """Rounds that are read together, because they are near each other in the log."""
    part: list[RecordedRound] = []
    for each in rounds:
        if part and each.first - part[-1].last > EVENTS_BETWEEN:
            yield part
            part = []
        part.append(each)
    if part:
        yield part


# prices


def price_hand(played: PlayedHand) -> PlayerHand:
    """The hand, each decision with its best choice and its cost, or with the reason why it has none."""
    return with_prices(played, [price_decision(*each) for each in zip(played.spots, decisions_of(played.hand), strict=True)])


def decisions_of(hand: PlayerHand) -> list[HandDecision]:
    """The decisions of a hand, in the order of its spots."""
    return [decision for box in hand.boxes for decision in box.decisions]


def with_prices(played: PlayedHand, decisions: Sequence[HandDecision]) -> PlayerHand:
    left = iter(decisions)
    boxes = tuple(replace(box, decisions=tuple(next(left) for _ in box.decisions)) for box in played.hand.boxes)
    cost = sum((Fraction(each.cost) for each in decisions if each.cost), Fraction(0))
    return replace(played.hand, boxes=boxes, cost=str(cost), shown=show_fraction(cost))


def price_decision(spot: DecisionSpot, decision: HandDecision) -> HandDecision:
    from croupier.odds.decision_cost import TakenDecision, decision_cost

    held, up, board, three = (cards(text) for text in (spot.held, spot.up, spot.board, spot.set_aside))
    made = TakenDecision(held, spot.said, up, board, spot.before, three, dict(spot.stakes), dict(spot.meters))
    try:
        cost = decision_cost(offer_of(spot.submission), made)
    except Refusal as refusal:
        return replace(decision, problem=str(refusal))
    valued = (*cost.choices, *({cost.taken} - {*cost.choices}))  # a timeout is worth something too, but cannot be chosen
    return replace(
        decision,
        best=cost.best.choice,
        cost=str(cost.cents),
        shown=show_fraction(cost.cents),
        choices=tuple(ValuedChoice(each.choice, str(each.value), show_fraction(each.value, signed=True)) for each in valued),
        left_out=cost.left_out,
    )
