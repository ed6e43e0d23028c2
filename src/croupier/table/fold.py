"""State as a fold over events: only events change the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from itertools import islice
from typing import Any, TypeVar

from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Place
from croupier.law.procedure import RACK, Act, Device, Fate, Irregularity, Moment
from croupier.table import commands as say
from croupier.table.accounts import Move, must_not_be_overdrawn
from croupier.table.commands import SealedDeck
from croupier.table.commitments import leaves
from croupier.table.events import Event, Orders, Shown
from croupier.table.rules.cage import boxes_abandoned, is_unpaid
from croupier.table.rules.idle_table import ACTIVITY, stacks_only, stored_deck
from croupier.table.rules.irregularities import find, goes_on
from croupier.table.rules.round_play import forfeited, logged_choice, pending, settled_now, stake_made, to_collect, to_settle
from croupier.table.rules.stakes import named
from croupier.table.rules.wagers import script, wrong_count
from croupier.table.state import Condition, Deck, Held, Idle, Part, Phase, Result, Round, State, offer_of
from croupier.wire import Line


class Unbalanced(AssertionError):
    """An event that would create or destroy money. It is never applied."""


def apply(table: State, event: Event, orders: Orders = ()) -> None:
    """Apply one event to the state. `orders` are the deck orders that the event only commits to; if one is missing, the state
    holds none of its cards."""
    command = event.command
    before = FOLDS_FIRST.get(type(command))
    if before:
        before(table, command, event)
    move_money(table, event.then.moves)
    table.version += 1
    table.time = event.at
    if table.round is not None or type(command) in ACTIVITY:
        table.active = event.at
    if fold := FOLDS.get(type(command)):
        fold(table, command, event, orders)
    if table.round is not None:
        advance(table, table.round)
        _ask(table, table.round)
    table.unpaid = {seat: table.unpaid.get(seat, event.at) for seat in table.players if is_unpaid(table, seat)}


def verify_moves(table: State, moves: tuple[Move, ...]) -> dict[str, int]:
    """Return the new balances. Asserts double entry at every event: no negative amount, no overdrawn account."""
    changed: dict[str, int] = {}
    held_now = table.accounts.get
    for move in moves:
        if move.cents < 0:
            raise Unbalanced(f"a negative transfer of {move.cents} from {move.source} to {move.target}")
        changed[move.source] = changed.get(move.source, held_now(move.source, 0)) - move.cents
        changed[move.target] = changed.get(move.target, held_now(move.target, 0)) + move.cents
    for account, held in changed.items():
        if held < 0 and must_not_be_overdrawn(account):
            raise Unbalanced(f"{account} is overdrawn by {-held} cents")
    return changed


def move_money(table: State, moves: tuple[Move, ...]) -> None:
    """Make the transfers. All accounts sum to zero before and after."""
    table.accounts.update(verify_moves(table, moves))
    if sum(table.accounts.values()):
        raise Unbalanced("the table's accounts do not sum to zero")


V = TypeVar("V")
Fold = Callable[[State, Any, Event, Orders], None]
FOLDS: dict[type, Fold] = {}
FOLDS_FIRST: dict[type, Callable[[State, Any, Event], None]] = {}


def _as_logged(mapping: dict[str, V]) -> dict[str, V]:
    """In the order that the log uses, so that a state rebuilt from the log is identical to the byte."""
    return dict(sorted(mapping.items()))


def folds(*kinds: type) -> Callable[[Fold], Fold]:
    def declare(fold: Fold) -> Fold:
        FOLDS.update(dict.fromkeys(kinds, fold))
        return fold

    return declare


# the table and its people


@folds(say.OpenTable)
def _opened(table: State, c: say.OpenTable, event: Event, orders: Orders) -> None:
    table.forget()
    offer = offer_of(c.submission)
    devices = offer.devices
    table.table, table.submission, table.offer_hash = c.table, c.submission, c.offer
    table.linked = _as_logged(c.linked)
    table.decision_seconds, table.limits = c.decision_seconds or offer.decision_seconds, None
    table.phase, table.method, table.shuffler = Phase.OPENING, devices.method.value, devices.shuffler
    table.decks, table.last_deck, table.out_of_order = [], -1, []


@folds(say.CloseTable)
def _closed(table: State, c: say.CloseTable, event: Event, orders: Orders) -> None:
    table.phase, table.decks = Phase.CLOSED, []


@folds(say.PostLimits)
def _posted(table: State, c: say.PostLimits, event: Event, orders: Orders) -> None:
    table.limits = (c.minimum, c.maximum)


@folds(say.Sit)
def _seated(table: State, c: say.Sit, event: Event, orders: Orders) -> None:
    table.players[c.seat] = c.player
    _no_idler(table, c.seat)


def _no_idler(table: State, seat: int) -> None:
    table.idlers = [other for other in table.idlers if other != seat]


def _leaving(table: State, c: say.Leave, event: Event) -> None:
    if table.round is not None:
        table.round.away += [box for box in table.round.settled if table.boxes[box] == c.seat]
        table.round.gone.extend(boxes_abandoned(table, c.seat))


FOLDS_FIRST[say.Leave] = _leaving


@folds(say.Leave)
def _left(table: State, c: say.Leave, event: Event, orders: Orders) -> None:
    del table.players[c.seat]
    table.results = {box: result for box, result in table.results.items() if result.seat != c.seat}
    _no_idler(table, c.seat)
    if table.round is None:
        for box in [box for box, home in table.boxes.items() if home == c.seat]:
            _clear_box(table, box)
    elif all(box in table.round.gone for box in table.round.stakes) and not table.round.parts:
        _end_round(table, table.round, Fate.RESHUFFLED)


def _clear_box(table: State, box: int) -> None:
    table.stakes.pop(box, None)
    table.boxes.pop(box, None)


# decks


def _set(table: State, old: tuple[Condition, ...], new: Condition) -> None:
    for deck in table.decks:
        if deck.condition in old:
            deck.condition = new


def _shuffled(table: State, deck: Deck, commitment: str, sealed: SealedDeck | None, condition: Condition) -> None:
    deck.commitment, deck.condition = commitment, condition
    deck.order = list(sealed.order) if sealed else [""] * table.rules.decks.cards
    deck.secret = sealed.secret if sealed else ""
    deck.leaves = list(leaves(bytes.fromhex(deck.secret), sealed.order)) if sealed else []
    deck.top, deck.used, deck.was_cut, deck.idle = 0, 0, False, Idle.NO


@folds(say.ReceiveDecks)
def _received(table: State, c: say.ReceiveDecks, event: Event, orders: Orders) -> None:
    for n, name in enumerate(c.decks):
        deck = Deck(name, table.time)
        if c.preshuffled:
            ready = Condition.READY if table.reshuffles else Condition.SHUFFLED
            _shuffled(table, deck, event.then.decks[n], orders[n] if orders else None, ready)
        table.decks.append(deck)
    if any(deck.condition is Condition.READY for deck in table.decks):
        _open_for_wagers(table)


_STEPS: dict[type, tuple[tuple[Condition, ...], Condition]] = {
    say.InspectDecks: ((Condition.RECEIVED,), Condition.INSPECTED),
    say.VerifyInspection: ((Condition.INSPECTED,), Condition.VERIFIED),
    say.ViewDecks: ((Condition.SPREAD,), Condition.VIEWED),
}


@folds(*_STEPS)
def _stepped(table: State, c: Any, event: Event, orders: Orders) -> None:
    if isinstance(c, say.InspectDecks) and c.defects:
        table.decks = [deck for deck in table.decks if deck.condition is not Condition.RECEIVED]
    _set(table, *_STEPS[type(c)])


@folds(say.WashDecks, say.StackDecks)
def _stacked(table: State, c: Any, event: Event, orders: Orders) -> None:
    for deck in table.decks:
        washed = isinstance(c, say.WashDecks)
        if deck.condition is Condition.VIEWED and (washed or stacks_only(table, deck)):
            deck.condition = Condition.STACKED
    if table.decks[table.next_deck()].condition is Condition.READY:  # comes from the device and is not reshuffled
        _open_for_wagers(table)


@folds(say.SpreadDecks)
def _spread(table: State, c: say.SpreadDecks, event: Event, orders: Orders) -> None:
    if any(deck.condition is Condition.VERIFIED for deck in table.decks):
        _set(table, (Condition.VERIFIED,), Condition.SPREAD)
        return
    asked = [deck for deck in table.decks if deck.idle is Idle.ASKED]
    if not asked:
        table.idlers, table.phase = list(table.players), Phase.OPENING
    stored = None if asked else stored_deck(table)
    for deck in asked or table.decks:
        if deck is stored:
            deck.idle = Idle.STORED
        else:
            deck.condition, deck.idle = Condition.SPREAD, Idle.UP if c.face_up else Idle.DOWN
    if stored:  # it is next
        table.last_deck = 1 - table.decks.index(stored)


@folds(say.RequestSpread)
def _requested(table: State, c: say.RequestSpread, event: Event, orders: Orders) -> None:
    _deck(table, c.deck).idle, table.phase = Idle.ASKED, Phase.OPENING
    _no_idler(table, c.seat)


@folds(say.ShuffleDeck)
def _shuffle(table: State, c: say.ShuffleDeck, event: Event, orders: Orders) -> None:
    device = table.shuffler or table.reshuffles
    ready = Condition.READY if device else Condition.SHUFFLED
    _shuffled(table, _deck(table, c.deck), event.then.decks[0], orders[0] if orders else None, ready)
    _open_for_wagers(table)


@folds(say.CutDeck)
def _cut(table: State, c: say.CutDeck, event: Event, orders: Orders) -> None:
    deck = _deck(table, c.deck)
    in_play = deck.condition is Condition.RECUT
    deck.top, deck.was_cut = (deck.top + c.depth) % len(deck.order), True
    deck.condition = Condition.IN_PLAY if in_play else Condition.READY
    _open_for_wagers(table)


@folds(say.OrderRecut)
def _recut(table: State, c: say.OrderRecut, event: Event, orders: Orders) -> None:
    deck = _deck(table, c.deck)
    deck.condition = Condition.RECUT if deck.condition is Condition.IN_PLAY else Condition.SHUFFLED


@folds(say.OrderShuffle)
def _reshuffle(table: State, c: say.OrderShuffle, event: Event, orders: Orders) -> None:
    _deck(table, c.deck).condition = Condition.STACKED


@folds(say.RemoveDecks)
def _removed(table: State, c: say.RemoveDecks, event: Event, orders: Orders) -> None:
    table.decks, table.last_deck = [], -1


def _deck(table: State, name: str) -> Deck:
    return next(deck for deck in table.decks if deck.name == name)


def _open_for_wagers(table: State) -> None:
    if table.phase is Phase.OPENING and not any(deck.lies_idle for deck in table.decks):
        table.phase = Phase.BETTING


@folds(say.UseMethod)
def _method(table: State, c: say.UseMethod, event: Event, orders: Orders) -> None:
    table.method, table.shuffler = c.method, c.shuffler


@folds(say.ReturnDevice)
def _returned(table: State, c: say.ReturnDevice, event: Event, orders: Orders) -> None:
    table.out_of_order.remove(c.device)


# wagers and the deal


@folds(say.PlaceWager)
def _placed(table: State, c: say.PlaceWager, event: Event, orders: Orders) -> None:
    stakes = table.stakes.setdefault(c.seat, {})
    table.boxes[c.seat] = int(event.by.removeprefix("player:"))
    for wager in named(table.rules, c.seat, c.wager):
        stakes[wager.key] = c.amount


@folds(say.TakeBackWager)
def _taken_back(table: State, c: say.TakeBackWager, event: Event, orders: Orders) -> None:
    for wager in named(table.rules, c.seat, c.wager):
        table.stakes[c.seat].pop(wager.key, None)
    if not table.stakes[c.seat]:
        _clear_box(table, c.seat)


@folds(say.ReturnWagers)
def _given_back(table: State, c: say.ReturnWagers, event: Event, orders: Orders) -> None:
    _clear_box(table, c.seat)


@folds(say.NoMoreBets)
def _locked(table: State, c: say.NoMoreBets, event: Event, orders: Orders) -> None:
    number = table.next_deck()
    table.rounds += 1
    table.round = Round(table.rounds, number, placed={b: list(s) for b, s in table.stakes.items()}, stakes=table.stakes)
    table.stakes, table.results = {}, {}
    table.decks[number].condition, table.decks[number].idle = Condition.IN_PLAY, Idle.NO
    table.phase = Phase.DEALING


@folds(say.DealCards)
def _dealt(table: State, c: say.DealCards, event: Event, orders: Orders) -> None:
    current = table.round
    assert current is not None
    current.dealt += len(event.then.cards)
    lay_down(table, current, event.then.cards)
    if current.dealt == len(script(table, current)):
        table.phase = Phase.COMPLETING


_PLACES = {place.value: place for place in Place}


def lay_down(table: State, current: Round, shown: tuple[Shown, ...]) -> None:
    """Move cards from the deck to their places."""
    deck = table.decks[current.deck]
    for each in shown:
        held = Held(each.position, each.card or deck.order[each.position], bool(each.card), each.slot)
        deck.used += 1
        place = _PLACES.get(each.at)
        if place is PLAYER:
            current.hands.setdefault(each.seat, []).append(held)
        elif place is FOURTH:
            current.fourths.setdefault(each.seat, []).append(held)
        elif place is DEALER:
            current.dealer.append(held)
        elif place is COMMUNITY:
            current.community.append(held)
            current.community.sort(key=lambda lying: lying.slot)
        else:
            current.rack.append(held)


def turn_up(current: Round, shown: tuple[Shown, ...]) -> None:
    """Turn over face-down cards."""
    seen = {each.position: each.card for each in shown if each.card}
    places = [current.dealer, current.community, *current.hands.values(), *current.fourths.values()]
    for held in (held for place in places for held in place):
        if held.position in seen:
            held.up, held.card = True, seen[held.position]


@folds(say.CountStub)
def _counted(table: State, c: say.CountStub, event: Event, orders: Orders) -> None:
    current = table.round
    assert current is not None
    deck = table.decks[current.deck]
    if c.counted == deck.left:
        current.stub_counted = True
    else:
        _void(table, current, wrong_count(table, misdealt=c.misdealt))


# the completion of the round


@folds(say.Decide)
def _decided(table: State, c: say.Decide, event: Event, orders: Orders) -> None:
    _answered(table, c.seat, c.choice)


def _answered(table: State, box: int, said: str) -> None:
    current = table.round
    assert current is not None
    decision = table.stages[current.stage].decision
    assert decision is not None
    choice = logged_choice(table, decision, said)
    current.decided.setdefault(box, []).append(choice.word)
    if made := stake_made(current, box, decision, choice):
        current.stakes[box][made[0]] = made[1]
    if choice.folds:
        current.folded.append(box)


@folds(say.SetHand)
def _set_hand(table: State, c: say.SetHand, event: Event, orders: Orders) -> None:
    assert table.round is not None
    table.round.sets[c.seat] = list(c.cards)


@folds(say.LapseDecision)
def _lapsed(table: State, c: say.LapseDecision, event: Event, orders: Orders) -> None:
    """A hand that was not set in time counts as the chapter says. Which cards those are stays hidden until it is turned over."""
    assert table.round is not None
    if event.then.choice:
        _answered(table, c.seat, event.then.choice)
    else:
        table.round.sets[c.seat] = []


@folds(say.CollectForfeited)
def _collected(table: State, c: say.CollectForfeited, event: Event, orders: Orders) -> None:
    current = table.round
    assert current is not None
    lines = iter(event.then.lines)  # box by box, one for each wager
    for box in to_collect(current):
        lost = {(paid.wager, paid.side) for paid in forfeited(table, current, box)}
        current.forfeited[box] = _named(table, current, box, lost)
        _told(table, box, islice(lines, len(current.forfeited[box])))
    for box in {each.seat for each in event.then.cards}:
        current.rack += current.hands[box]
    current.stage += 1


def _told(table: State, box: int, lines: Iterable[Line]) -> None:
    """What came of a box's wagers."""
    table.results.setdefault(box, Result(table.boxes[box])).lines.extend(lines)


def _named(table: State, current: Round, box: int, told: Set[tuple[str, str]]) -> list[str]:
    """Keys of a box's wagers that the lines name, by wager and side."""
    wagers = (table.rules.wagers[key] for key in current.stakes[box])
    return [wager.key for wager in wagers if (wager.name, wager.side) in told]


@folds(say.BurnCard, say.DealCommunity, say.TurnCard, say.RevealDealer)
def _stage_done(table: State, c: Any, event: Event, orders: Orders) -> None:
    current = table.round
    assert current is not None
    lying = {held.position for held in (*current.community, *current.dealer)}
    lay_down(table, current, tuple(each for each in event.then.cards if each.position not in lying))
    turn_up(current, event.then.cards)
    current.stage += 1


@folds(say.DrawBonus)
def _drawn(table: State, c: say.DrawBonus, event: Event, orders: Orders) -> None:
    assert table.round is not None
    table.round.magic_card, table.round.lucky, table.round.drawn = c.magic_card, c.lucky, True


@folds(say.TurnHand)
def _turned(table: State, c: say.TurnHand, event: Event, orders: Orders) -> None:
    assert table.round is not None
    turn_up(table.round, event.then.cards)


@folds(say.ValidateProgressive)
def _validated(table: State, c: say.ValidateProgressive, event: Event, orders: Orders) -> None:
    assert table.round is not None
    table.round.validated.append(f"{c.seat} {c.wager}")


@folds(say.SettleSeat)
def _settled(table: State, c: say.SettleSeat, event: Event, orders: Orders) -> None:
    current = table.round
    assert current is not None
    part = current.parts.setdefault(c.seat, Part())
    part.wagers += _settles(table, current, c.seat, event)
    _told(table, c.seat, event.then.lines)
    if not event.then.partly:
        current.settled.append(c.seat)
    part.moves += [move for move in event.then.moves if "meter of" not in move.source + move.target]
    for name, change in event.then.meters.items():
        part.reseeded[name] = part.reseeded.get(name, 0) + change.reseeded
        part.released[name] = part.released.get(name, 0) + change.released
    part.reseeds += [name for name in event.then.reseeds if name not in current.reseeds]
    current.jackpots, current.reseeds = _as_logged(event.then.jackpots), _as_logged(event.then.reseeds)
    if event.then.papers and c.seat not in current.papers:
        current.papers.append(c.seat)


def _settles(table: State, current: Round, box: int, event: Event) -> list[str]:
    """Keys of the wagers being settled; derived from the lines alone if hands of the round are sealed."""
    stakes = current.stakes[box]
    if table.decks[current.deck].is_sealed:
        return _named(table, current, box, {(line.wager, line.on) for line in event.then.lines})
    return [wager.key for each in settled_now(table, current, box) for wager in each.settles if wager.key in stakes]


@folds(say.CompletePapers)
def _papers_done(table: State, c: say.CompletePapers, event: Event, orders: Orders) -> None:
    assert table.round is not None
    table.round.papers.remove(c.seat)


@folds(say.ClearCards)
def _cleared(table: State, c: say.ClearCards, event: Event, orders: Orders) -> None:
    assert table.round is not None
    _end_round(table, table.round, Fate.NONE)


def _end_round(table: State, current: Round, fate: Fate) -> None:
    """End the round: the deck must be shuffled or is removed, and the boxes are free again."""
    deck = table.decks[current.deck]
    counted = current.stub_counted or table.counts_cards
    deck.uncounted, table.uncounted = (0, 0) if counted else (deck.uncounted + 1, table.uncounted + 1)
    deck.condition = Condition.STACKED
    table.last_deck = current.deck
    if fate is Fate.DECK_REMOVED:
        _drop_deck(table, deck)
    table.round, table.boxes, table.phase = None, {}, Phase.BETTING


def _drop_deck(table: State, deck: Deck) -> None:
    """The decks behind it move up, including the one in play."""
    place = table.decks.index(deck)
    del table.decks[place]
    table.last_deck = -1
    if table.round is not None and table.round.deck > place:
        table.round.deck -= 1


# irregularities


@folds(say.RaiseIrregularity)
def _irregular(table: State, c: say.RaiseIrregularity, event: Event, orders: Orders) -> None:
    rule, current = find(table, c.irregularity), table.round
    if rule.moment is Moment.SHUFFLE:
        _spoiled(table, _deck(table, c.deck), rule)
    elif rule.moment is Moment.ANY:
        table.out_of_order.append(c.device)
        table.shuffler = table.shuffler and c.device != Device.SHUFFLER.value
    elif rule.cards is Fate.CARD_DISCARDED:
        assert current is not None
        current.found_face_up += 1
        lay_down(table, current, event.then.cards)
    elif rule.void:
        assert current is not None
        found = tuple(each for each in event.then.cards if each.at == RACK)
        current.found_face_up += len(found)
        lay_down(table, current, found)
        turn_up(current, event.then.cards)
        _void(table, current, rule)


def _spoiled(table: State, deck: Deck, rule: Irregularity) -> None:
    if rule.cards is Fate.DECK_REMOVED:
        _drop_deck(table, deck)
    else:
        deck.condition = Condition.STACKED


def _void(table: State, current: Round, rule: Irregularity) -> None:
    """If wagers remain to be settled, continue without decisions; otherwise the round is over."""
    table.results = {}
    if not goes_on(table, rule, current):
        _end_round(table, current, rule.cards)
        return
    keys = {wager.key for wager in rule.settled}
    current.void = rule.name
    current.stakes = {
        box: {key: stake for key, stake in stakes.items() if key in keys or box in current.gone}
        for box, stakes in current.stakes.items()
    }
    current.stakes = {box: stakes for box, stakes in current.stakes.items() if stakes}
    current.folded, current.decided, current.forfeited = [], {}, {}


# the stages of .11


def advance(table: State, current: Round) -> None:
    """Skip stages with nothing left to do."""
    while table.phase is Phase.COMPLETING and table.round is current and _nothing_to_do(table, current):
        current.stage += 1


def _ask(table: State, current: Round) -> None:
    """Record when the box that must answer was asked. What others do in the meantime does not give it more time."""
    asked: list[int] = []
    if table.phase is Phase.COMPLETING and table.stages[current.stage].act in (Act.ASK, Act.SET):
        asked = [current.stage, pending(table, current)[0]]
    if asked != current.asked:
        current.asked, current.asked_at = asked, table.time if asked else 0


def _nothing_to_do(table: State, current: Round) -> bool:
    match table.stages[current.stage].act:
        case Act.EXAMINE:
            return True
        case Act.ASK | Act.SET:
            return not pending(table, current)
        case Act.COLLECT:
            return not to_collect(current)
        case Act.BURN:
            return any(not held.up for held in current.community)  # the shoe dispensed them before the hands
        case Act.SETTLE:
            return not to_settle(table, current)
        case _:
            return False
