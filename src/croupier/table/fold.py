"""State as a fold over events: only events change the state."""

from __future__ import annotations

from collections.abc import Iterable, Set
from itertools import islice

from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.law.procedure import RACK, Act, Device, Fate, Irregularity, Moment
from croupier.table import commands as say
from croupier.table.accounts import Move, kept_for, must_not_be_overdrawn
from croupier.table.card_reveals import leaves
from croupier.table.commands import Command, SealedDeck
from croupier.table.events import Event, Orders, Shown
from croupier.table.rules.cage import boxes_abandoned, is_unpaid
from croupier.table.rules.context import need_deck
from croupier.table.rules.decks import ACTIVITY, stacks_only, stored_deck
from croupier.table.rules.irregularities import find_irregularity, leaves_wagers
from croupier.table.rules.round_play import forfeited, logged_choice, pending, settled_now, to_collect, to_settle
from croupier.table.rules.stakes import stake_made, wagers_named
from croupier.table.rules.wagers import deal_script, wrong_count
from croupier.table.state import BoxResult, Condition, Deck, Held, Idle, Part, Phase, Round, State, offer_of
from croupier.wire import WagerLine


class Unbalanced(AssertionError):
    """An event that would create or destroy money. It is never applied."""


def apply(table: State, event: Event, orders: Orders = ()) -> None:
    """Apply one event to the state. `orders` are the deck orders that the event only commits to; if one is missing, the state
    holds none of its cards."""
    command = event.command
    if isinstance(command, say.Leave) and table.round is not None:  # before the money moves: what is settled stands
        table.round.away += [box for box in table.round.settled if table.boxes[box] == command.seat]
        table.round.gone += boxes_abandoned(table, command.seat)
    move_money(table, event.then.moves)
    table.version += 1
    table.time = event.at
    if table.round is not None or type(command) in ACTIVITY:
        table.active = event.at
    if isinstance(command, (*say.PLAYED, say.CompletePapers)):
        assert table.round is not None
        _play(table, table.round, event)
    elif isinstance(command, say.RaiseIrregularity):
        _irregularity(table, command, event)
    else:
        _wagers(table, command, event)
        _people(table, command)
        _new_decks(table, command, event, orders)
        _decks_in_use(table, command, event, orders)
    if table.round is not None:
        advance(table, table.round)
        _ask(table, table.round)
    table.unpaid = {seat: table.unpaid.get(seat, event.at) for seat in table.players if is_unpaid(table, seat)}
    table.away = {
        seat: event.at if event.by == f"player:{seat}" or seat in table.boxes.values() else table.away.get(seat, event.at)
        for seat in table.players
    }


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


# the table and its people


def _people(table: State, command: Command) -> None:
    match command:
        case say.OpenTable():
            _open(table, command)
        case say.CloseTable():
            table.phase, table.decks = Phase.CLOSED, []
        case say.PostLimits(minimum=low, maximum=high):
            table.limits = (low, high)
        case say.Sit(seat=seat, player=player):
            table.players[seat] = player
            table.accounts.pop(kept_for(player), None)  # emptied
            table.idlers = [other for other in table.idlers if other != seat]
        case say.Leave(seat=seat):
            _leave(table, seat)


def _open(table: State, command: say.OpenTable) -> None:
    table.__dict__.clear()  # cached from the previous submission
    offer = offer_of(command.submission)
    devices = offer.devices
    table.table, table.submission, table.offer_hash = command.table, command.submission, command.offer
    table.linked = dict(sorted(command.linked.items()))  # as in the log: a state rebuilt from it is identical to the byte
    table.decision_seconds, table.limits = command.decision_seconds or offer.decision_seconds, None
    table.phase, table.method, table.shuffler = Phase.OPENING, devices.method.value, devices.shuffler
    table.decks, table.last_deck, table.out_of_order = [], -1, []


def _leave(table: State, seat: int) -> None:
    del table.players[seat]
    table.results = {box: result for box, result in table.results.items() if result.seat != seat}
    table.idlers = [other for other in table.idlers if other != seat]
    if table.round is None:
        for box in [box for box, home in table.boxes.items() if home == seat]:
            _clear_box(table, box)
    elif all(box in table.round.gone for box in table.round.stakes) and not table.round.parts:
        _end_round(table, table.round, Fate.RESHUFFLED)


def _clear_box(table: State, box: int) -> None:
    table.stakes.pop(box, None)
    table.boxes.pop(box, None)


# decks


def _new_decks(table: State, command: Command, event: Event, orders: Orders) -> None:
    match command:
        case say.ReceiveDecks():
            _receive(table, command, event, orders)
        case say.InspectDecks(defects=defects):
            if defects:
                table.decks = [deck for deck in table.decks if deck.condition is not Condition.RECEIVED]
            _move_decks(table, Condition.RECEIVED, Condition.INSPECTED)
        case say.VerifyInspection():
            _move_decks(table, Condition.INSPECTED, Condition.VERIFIED)
        case say.SpreadDecks(face_up=face_up):
            _spread(table, face_up=face_up)
        case say.ViewDecks():
            _move_decks(table, Condition.SPREAD, Condition.VIEWED)
        case say.RequestSpread(deck=name, seat=seat):
            need_deck(table, name).idle, table.phase = Idle.ASKED, Phase.OPENING
            table.idlers = [other for other in table.idlers if other != seat]
        case say.WashDecks() | say.StackDecks():
            _stack(table, washed=isinstance(command, say.WashDecks))


def _decks_in_use(table: State, command: Command, event: Event, orders: Orders) -> None:
    match command:
        case say.ShuffleDeck(deck=name):
            ready = Condition.READY if table.shuffler or table.reshuffles else Condition.SHUFFLED
            _shuffle(table, need_deck(table, name), event.then.decks[0], orders[0] if orders else None, ready)
            _open_for_wagers(table)
        case say.CutDeck(deck=name, depth=depth):
            deck = need_deck(table, name)
            deck.condition = Condition.IN_PLAY if deck.condition is Condition.RECUT else Condition.READY
            deck.top, deck.was_cut = (deck.top + depth) % len(deck.order), True
            _open_for_wagers(table)
        case say.OrderRecut(deck=name):
            deck = need_deck(table, name)
            deck.condition = Condition.RECUT if deck.condition is Condition.IN_PLAY else Condition.SHUFFLED
        case say.OrderShuffle(deck=name):
            need_deck(table, name).condition = Condition.STACKED
        case say.RemoveDecks():
            table.decks, table.last_deck = [], -1
        case say.UseMethod(method=method, shuffler=shuffler):
            table.method, table.shuffler = method, shuffler
        case say.ReturnDevice(device=device):
            table.out_of_order.remove(device)


def _move_decks(table: State, old: Condition, new: Condition) -> None:
    for deck in table.decks:
        if deck.condition is old:
            deck.condition = new


def _receive(table: State, command: say.ReceiveDecks, event: Event, orders: Orders) -> None:
    for n, name in enumerate(command.decks):
        deck = Deck(name, table.time)
        if command.preshuffled:
            ready = Condition.READY if table.reshuffles else Condition.SHUFFLED
            _shuffle(table, deck, event.then.decks[n], orders[n] if orders else None, ready)
        table.decks.append(deck)
    if any(deck.condition is Condition.READY for deck in table.decks):
        _open_for_wagers(table)


def _spread(table: State, *, face_up: bool) -> None:
    if any(deck.condition is Condition.VERIFIED for deck in table.decks):
        _move_decks(table, Condition.VERIFIED, Condition.SPREAD)
        return
    asked = [deck for deck in table.decks if deck.idle is Idle.ASKED]
    if not asked:
        table.idlers, table.phase = list(table.players), Phase.OPENING
    stored = None if asked else stored_deck(table)
    for deck in asked or table.decks:
        if deck is stored:
            deck.idle = Idle.STORED
        else:
            deck.condition, deck.idle = Condition.SPREAD, Idle.UP if face_up else Idle.DOWN
    if stored:  # it is next
        table.last_deck = 1 - table.decks.index(stored)


def _stack(table: State, *, washed: bool) -> None:
    for deck in table.decks:
        if deck.condition is Condition.VIEWED and (washed or stacks_only(table, deck)):
            deck.condition = Condition.STACKED
    if table.decks[table.next_deck()].condition is Condition.READY:  # comes from the device and is not reshuffled
        _open_for_wagers(table)


def _shuffle(table: State, deck: Deck, commitment: str, sealed: SealedDeck | None, condition: Condition) -> None:
    deck.commitment, deck.condition = commitment, condition
    deck.order = list(sealed.order) if sealed else [""] * table.rules.decks.cards
    deck.secret = sealed.secret if sealed else ""
    deck.leaves = list(leaves(bytes.fromhex(deck.secret), sealed.order)) if sealed else []
    deck.top, deck.used, deck.was_cut, deck.idle = 0, 0, False, Idle.NO


def _open_for_wagers(table: State) -> None:
    if table.phase is Phase.OPENING and not table.lies_idle:
        table.phase = Phase.BETTING


# wagers


def _wagers(table: State, command: Command, event: Event) -> None:
    match command:
        case say.PlaceWager(seat=box, wager=word, amount=amount):
            table.boxes[box] = int(event.by.removeprefix("player:"))
            table.stakes.setdefault(box, {}).update((wager.key, amount) for wager in wagers_named(table.rules, box, word))
        case say.TakeBackWager(seat=box, wager=word):
            for wager in wagers_named(table.rules, box, word):
                table.stakes[box].pop(wager.key, None)
            if not table.stakes[box]:
                _clear_box(table, box)
        case say.ReturnWagers(seat=box):
            _clear_box(table, box)
        case say.NoMoreBets():
            number = table.next_deck()
            table.rounds += 1
            table.round = Round(table.rounds, number, placed={b: list(s) for b, s in table.stakes.items()}, stakes=table.stakes)
            table.stakes, table.results = {}, {}
            table.decks[number].condition, table.decks[number].idle = Condition.IN_PLAY, Idle.NO
            table.phase = Phase.DEALING


# the deal and the decisions


def _play(table: State, current: Round, event: Event) -> None:
    then = event.then
    match event.command:
        case say.DealCards():
            current.dealt += len(then.cards)
            lay_down(table, current, then.cards)
            if current.dealt == len(deal_script(table, current)):
                table.phase = Phase.COMPLETING
        case say.CountStub(counted=counted) if counted == table.decks[current.deck].left:
            current.stub_counted = True
        case say.CountStub(misdealt=misdealt):
            _void(table, current, wrong_count(table, misdealt=misdealt))
        case say.Decide(seat=box, choice=word):
            _record_answer(table, current, box, word)
        case say.SetHand(seat=box, cards=cards):
            current.sets[box] = list(cards)
        case say.LapseDecision(seat=box) if then.choice:
            _record_answer(table, current, box, then.choice)
        case say.LapseDecision(seat=box):  # the chapter says how it counts; its cards stay hidden until they are turned over
            current.sets[box] = []
        case say.CollectForfeited():
            _collect(table, current, event)
        case say.TurnHand():
            turn_up(current, then.cards)
        case say.BurnCard() | say.DealCommunity() | say.TurnCard() | say.RevealDealer():
            lying = {held.position for held in (*current.community, *current.dealer)}
            lay_down(table, current, tuple(each for each in then.cards if each.position not in lying))
            turn_up(current, then.cards)
            current.stage += 1
        case _:
            _settlement(table, current, event)


def lay_down(table: State, current: Round, shown: tuple[Shown, ...]) -> None:
    """Move cards from the deck to their places."""
    deck, piles = table.decks[current.deck], {DEALER.value: current.dealer, COMMUNITY.value: current.community}
    boxes = {PLAYER.value: current.hands, FOURTH.value: current.fourths}
    for each in shown:
        held = Held(each.position, each.card or deck.order[each.position], bool(each.card), each.slot)
        deck.used += 1
        pile = boxes[each.at].setdefault(each.seat, []) if each.at in boxes else piles.get(each.at, current.rack)
        pile.append(held)
    current.community.sort(key=lambda lying: lying.slot)


def turn_up(current: Round, shown: tuple[Shown, ...]) -> None:
    seen = {each.position: each.card for each in shown if each.card}
    places = [current.dealer, current.community, *current.hands.values(), *current.fourths.values()]
    for held in (held for place in places for held in place):
        if held.position in seen:
            held.up, held.card = True, seen[held.position]


def _record_answer(table: State, current: Round, box: int, word: str) -> None:
    decision = table.stages[current.stage].decision
    assert decision is not None
    choice = logged_choice(table, decision, word)
    current.decided.setdefault(box, []).append(choice.word)
    if made := stake_made(current.stakes[box], decision, choice):
        current.stakes[box][made[0]] = made[1]
    if choice.folds:
        current.folded.append(box)


def _collect(table: State, current: Round, event: Event) -> None:
    lines = iter(event.then.lines)  # box by box, one for each wager
    for box in to_collect(current):
        lost = {(paid.wager, paid.side) for paid in forfeited(table, current, box)}
        current.forfeited[box] = _keys_named(table, current, box, lost)
        _add_results(table, box, islice(lines, len(current.forfeited[box])))
    for box in {each.seat for each in event.then.cards}:
        current.rack += current.hands[box]
    current.stage += 1


def _add_results(table: State, box: int, lines: Iterable[WagerLine]) -> None:
    table.results.setdefault(box, BoxResult(table.boxes[box])).lines.extend(lines)


def _keys_named(table: State, current: Round, box: int, lines: Set[tuple[str, str]]) -> list[str]:
    """Keys of a box's wagers that lines name, by wager and side."""
    wagers = (table.rules.wagers[key] for key in current.stakes[box])
    return [wager.key for wager in wagers if (wager.name, wager.side) in lines]


# the settlement


def _settlement(table: State, current: Round, event: Event) -> None:
    match event.command:
        case say.DrawBonus(magic_card=card, lucky=lucky):
            current.magic_card, current.lucky, current.drawn = card, lucky, True
        case say.ValidateProgressive(seat=box, wager=wager):
            current.validated.append(f"{box} {wager}")
        case say.SettleSeat(seat=box):
            _settle(table, current, box, event)
        case say.CompletePapers(seat=box):
            current.papers.remove(box)
        case say.ClearCards():
            _end_round(table, current, Fate.NONE)


def _settle(table: State, current: Round, box: int, event: Event) -> None:
    part = current.parts.setdefault(box, Part())
    if table.decks[current.deck].is_sealed:  # some hands are unknown, so only the lines tell
        part.wagers += _keys_named(table, current, box, {(line.wager, line.on) for line in event.then.lines})
    else:
        settled = (wager.key for each in settled_now(table, current, box) for wager in each.settles)
        part.wagers += [key for key in settled if key in current.stakes[box]]
    _add_results(table, box, event.then.lines)
    if not event.then.partly:
        current.settled.append(box)
    part.moves += [move for move in event.then.moves if "meter of" not in move.source + move.target]
    for name, change in event.then.meters.items():
        part.reseeded[name] = part.reseeded.get(name, 0) + change.reseeded
        part.released[name] = part.released.get(name, 0) + change.released
    part.reseeds += [name for name in event.then.reseeds if name not in current.reseeds]
    current.jackpots, current.reseeds = dict(sorted(event.then.jackpots.items())), dict(sorted(event.then.reseeds.items()))
    if event.then.papers and box not in current.papers:
        current.papers.append(box)


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


def _irregularity(table: State, command: say.RaiseIrregularity, event: Event) -> None:
    rule, current = find_irregularity(table, command.irregularity), table.round
    if rule.moment is Moment.SHUFFLE:
        deck = need_deck(table, command.deck)
        if rule.cards is Fate.DECK_REMOVED:
            _drop_deck(table, deck)
        else:
            deck.condition = Condition.STACKED
    elif rule.moment is Moment.ANY:
        table.out_of_order.append(command.device)
        table.shuffler = table.shuffler and command.device != Device.SHUFFLER.value
    elif rule.void or rule.cards is Fate.CARD_DISCARDED:
        assert current is not None
        found = tuple(each for each in event.then.cards if each.at == RACK)
        current.found_face_up += len(found)
        lay_down(table, current, found)
        if rule.void:
            turn_up(current, event.then.cards)
            _void(table, current, rule)


def _void(table: State, current: Round, rule: Irregularity) -> None:
    """If wagers remain to be settled, continue without decisions; otherwise the round is over."""
    table.results = {}
    if not leaves_wagers(rule, current):
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
    while table.phase is Phase.COMPLETING and table.round is current and _is_stage_done(table, current):
        current.stage += 1


def _ask(table: State, current: Round) -> None:
    """Record when the box that must answer was asked. What others do in the meantime does not give it more time."""
    asked: list[int] = []
    if table.phase is Phase.COMPLETING and table.stages[current.stage].act in (Act.ASK, Act.SET):
        asked = [current.stage, pending(table, current)[0]]
    if asked != current.asked:
        current.asked, current.asked_at = asked, table.time if asked else 0


def _is_stage_done(table: State, current: Round) -> bool:
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
            return not to_settle(current)
        case _:
            return False
