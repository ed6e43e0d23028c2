"""Sections .3 to .5: receiving, inspecting, spreading, washing, shuffling, cutting, recutting and replacing decks."""

from __future__ import annotations

import re

from croupier.cards import deck as full_deck
from croupier.law.cite import Cite, Refusal
from croupier.law.procedure import Dealing, Device, IdleSpread, Irregularity, Method, Moment
from croupier.table import commands as say
from croupier.table.card_reveals import deck_commitment, leaves
from croupier.table.commands import Command, Role, SealedDeck
from croupier.table.events import Consequences
from croupier.table.rules.context import INTERNAL_CONTROLS, Request, decides, granted, need, need_deck, need_phase, need_seated
from croupier.table.state import Condition, Deck, Idle, Phase, State, dealing_of

HOUR = 3_600_000
BETWEEN = (Phase.OPENING, Phase.BETTING)
SORTED = {jokers: sorted(map(str, full_deck(jokers))) for jokers in (0, 1)}
SHOES = (Method.AUTOMATED_SHOE.value, Method.CONTINUOUS_SHOE.value)
AT_REST = (Condition.STACKED, Condition.SHUFFLED, Condition.READY)  # between rounds
# Gaming activity between rounds. During a round, everything counts.
ACTIVITY: frozenset[type[Command]] = frozenset({
    say.OpenTable, say.Sit, say.BuyIn, say.FundGameAccount, say.ViewDecks, say.RequestSpread, say.WashDecks, say.StackDecks,
    say.ShuffleDeck, say.CutDeck, say.PlaceWager, say.TakeBackWager, say.ReturnWagers,
})  # fmt: skip


@decides(say.ReceiveDecks, "4(a)")
def receive_decks(table: State, command: say.ReceiveDecks, request: Request) -> Consequences:
    need_phase(table, *BETWEEN, cite=request.cite)
    names, most = [*(deck.name for deck in table.decks), *command.decks], table.offer.devices.decks
    need(len(set(names)) == len(names), "two decks have the same name", table.rules.cite("3(b)(1)"), "decks with different backs")
    need(len(names) <= most, f"{len(names)} decks are too many for this table", table.rules.cite("3(a)"), f"{most}")
    if not command.preshuffled:
        need(not command.sealed, "a deck that is not preshuffled has no order yet", table.rules.cite("4(e)"), "no order")
        return granted(request.cite)
    orders = len(command.sealed) == len(command.decks)
    need(orders, "each preshuffled deck needs its order", table.rules.cite("4(e)"), "one order for each deck")
    return granted(table.rules.cite("4(e)"), decks=tuple(committed(table, sealed) for sealed in command.sealed))


def committed(table: State, sealed: SealedDeck | None) -> str:
    """The commitment to an order, which must contain every card of the deck exactly once."""
    decks = table.rules.decks
    whole = sealed is not None and sorted(sealed.order) == SORTED[decks.jokers]
    need(whole, "the shuffle does not contain every card exactly once", table.rules.cite("3(a)"), f"{decks.cards} cards")
    assert sealed is not None
    spelled = re.fullmatch("[0-9a-f]{64}", sealed.secret)  # one spelling for each commitment
    need(spelled, "the secret of the shuffle is not 32 bytes", table.rules.cite("5(a)"), "64 lowercase hexadecimal digits")
    return deck_commitment(leaves(bytes.fromhex(sealed.secret), sealed.order))


def _any_in(table: State, condition: Condition) -> bool:
    return any(deck.condition is condition for deck in table.decks)


@decides(say.InspectDecks, "4(a)")
def inspect_decks(table: State, command: say.InspectDecks, request: Request) -> Consequences:
    need(_any_in(table, Condition.RECEIVED), "no deck is waiting for inspection", request.cite, "a deck that was just received")
    return granted(request.cite)


@decides(say.VerifyInspection, "4(a)")
def verify_inspection(table: State, command: say.VerifyInspection, request: Request) -> Consequences:
    inspected = _any_in(table, Condition.INSPECTED)
    need(inspected, "no inspection is waiting to be verified", request.cite, "after the dealer's inspection")
    return granted(request.cite)


@decides(say.SpreadDecks, "4(b)")
def spread_decks(table: State, command: say.SpreadDecks, request: Request) -> Consequences:
    need_phase(table, *BETWEEN, cite=table.rules.cite("5(f)"))
    if _any_in(table, Condition.VERIFIED):
        need(command.face_up, "a new deck must be spread face up", request.cite, "face up")
        return granted(request.cite)
    rule = idle_rule(table)
    cite = rule.cite
    if asked := [deck for deck in table.decks if deck.idle is Idle.ASKED]:
        need(command.face_up, "a player asked to see the cards face up", cite, "face up")
        return granted(*(rule.device if any(deck.condition is Condition.READY for deck in asked) else (cite,)))
    need(not table.reshuffles, "the device reshuffles automatically, so the cards are not spread", table.rules.cite("5(g)"))
    need(not _any_in(table, Condition.SPREAD), "the cards are already spread", cite, "once a player has seen them")
    need(is_unused(table), "the table is not idle", cite, "when there is no gaming activity")
    return granted(cite, *(rule.device if stored_deck(table) else ()))


@decides(say.ViewDecks, "4(c)")
def view_decks(table: State, command: say.ViewDecks, request: Request) -> Consequences:
    need_seated(table, request, command.seat)
    need(_any_in(table, Condition.SPREAD), "no cards are spread", request.cite, "after the spread")
    new = any(deck.condition is Condition.SPREAD and not deck.idle for deck in table.decks)
    cite = request.cite if new else idle_rule(table).cite
    for deck in table.decks:
        need(deck.idle is not Idle.ASKED, f"the {deck.name} deck must be spread face up first", cite, "after it is spread")
    return granted(cite)


@decides(say.WashDecks, "4(c)")
def wash_decks(table: State, command: say.WashDecks, request: Request) -> Consequences:
    rule, lying = idle_rule(table), [deck for deck in table.decks if deck.condition in (Condition.SPREAD, Condition.VIEWED)]
    cites = rule.wash if lying and all(deck.idle for deck in lying) else (request.cite,)
    seen = not _any_in(table, Condition.SPREAD)
    need(seen, "the first player has not yet looked at the cards", cites[0], "after a player has looked")
    need(lying, "no cards are spread", cites[0], "after the spread")
    if any(stacks_only(table, deck) for deck in lying):
        raise Refusal("the cards of an idle table go into the shuffling device unwashed", rule.device[0], "stacking them")
    return granted(*cites)


@decides(say.ShuffleDeck, "5(a)")
def shuffle_deck(table: State, command: say.ShuffleDeck, request: Request) -> Consequences:
    deck, by_device = need_deck(table, command.deck), table.shuffler or table.reshuffles
    need(by_device or request.role is not Role.DEVICE, "no shuffling device is in use", request.cite, "a shuffle by the dealer")
    need(deck.condition is Condition.STACKED, f"the {deck.name} deck is {deck.condition}", request.cite, "a stacked deck")
    cites = (request.cite,) if by_device else (request.cite, table.rules.cite("5(c)(2)"))
    return granted(*cites, decks=(committed(table, command.sealed),))


@decides(say.CutDeck, "5(d)")
def cut_deck(table: State, command: say.CutDeck, request: Request) -> Consequences:
    deck = need_deck(table, command.deck)
    to_be_cut = deck.condition in (Condition.SHUFFLED, Condition.RECUT)  # by hand, perhaps before the device was back in service
    uncut = "the device reshuffles automatically, so the cards are not cut"
    need(to_be_cut or not table.reshuffles, uncut, table.rules.cite("5(g)"))
    need(to_be_cut, f"the {deck.name} deck is {deck.condition}", request.cite, "a deck that is ready to be cut")
    least, most = cut_between(table, deck)
    found = f"the cover card is {command.depth} cards from the top"
    need(least <= command.depth <= most, found, request.cite, f"{least} to {most} cards from the top")
    return granted(request.cite)


def cut_between(table: State, deck: Deck) -> tuple[int, int]:
    """How few and how many cards may be above the cover card (5(d))."""
    return table.rules.decks.least_cut, len(deck.order) - 1


@decides(say.OrderRecut, "5(e)")
def order_recut(table: State, command: say.OrderRecut, request: Request) -> Consequences:
    deck = need_deck(table, command.deck)
    need(not table.reshuffles, "the device reshuffles automatically, so the cards are not cut", table.rules.cite("5(g)"))
    cut = deck.was_cut and deck.condition in (Condition.READY, Condition.IN_PLAY) and not deck.used
    need(cut, "only a deck that was cut and not yet dealt from can be recut", request.cite, "before any card is dealt")
    return granted(request.cite)


@decides(say.OrderShuffle, "5(a)")
def order_shuffle(table: State, command: say.OrderShuffle, request: Request) -> Consequences:
    deck = need_deck(table, command.deck)
    ready = deck.condition in (Condition.SHUFFLED, Condition.READY)
    need(ready, f"the {deck.name} deck is {deck.condition}", request.cite, "a shuffled deck that is not in play")
    return granted(request.cite)


@decides(say.RemoveDecks, INTERNAL_CONTROLS)
def remove_decks(table: State, command: say.RemoveDecks, request: Request) -> Consequences:
    cite = table.rules.cite("3(c)")
    need_phase(table, *BETWEEN, cite=cite)
    need(table.decks, "there is no deck at the table", cite, "after decks are received")
    return granted(cite)


def replacement_time(table: State, deck: Deck) -> tuple[int, Cite]:
    """When a deck is due for replacement, in milliseconds, and under which clause."""
    decks = table.rules.decks
    hand = table.method == Method.HAND.value
    hours, clause = (decks.hours_by_hand, "3(c)(1)") if hand else (decks.hours_by_shoe, "3(c)(2)")
    return deck.received + hours * HOUR, table.rules.cite(clause)


def replacement_due(table: State, deck: Deck, at: int) -> Cite | None:
    """The clause under which a deck is now due for replacement, if it is."""
    due, cite = replacement_time(table, deck)
    return cite if at >= due else None


# .5(f): a table that is open but idle has its cards spread until the first player has seen them. The text does not say how long
# gaming activity must have stopped, so the time is filed (`[dealing] idle_seconds`). It runs from the last act of play, no matter
# who is seated: what counts is whether anyone plays.


def idle_rule(table: State) -> IdleSpread:
    return table.rules.of(IdleSpread)[0]


def idle_from(table: State) -> int | None:
    """When the cards must be spread unless someone plays, in milliseconds; None if they need not be."""
    if table.phase is not Phase.BETTING or not is_unused(table) or table.reshuffles:
        return None
    return table.active + 1000 * table.offer.devices.idle_seconds


def is_unused(table: State) -> bool:
    """Whether every deck is at rest between rounds and no wager is placed."""
    return bool(table.decks) and all(deck.condition in AT_REST for deck in table.decks) and not table.stakes


def is_idle(table: State, at: int) -> bool:
    """Whether it is time to spread the cards."""
    over = idle_from(table)
    return over is not None and max(at, table.time) >= over


def stored_deck(table: State) -> Deck | None:
    """The deck that stays in the shuffling device while the other is spread, if edition and submission allow it (.5(f)(2)).

    The device holds the deck it has shuffled. If it has shuffled both, the next one is already in the shoe.
    """
    if not (idle_rule(table).device and table.offer.devices.stores_deck and table.shuffler and len(table.decks) == 2):
        return None
    ready = [deck for deck in table.decks if deck.condition is Condition.READY and not deck.was_cut]
    if len(ready) == 2:
        ready.remove(table.decks[table.next_deck()])
    return ready[0] if ready else None


def stacks_only(table: State, deck: Deck) -> bool:
    """Whether a deck spread at the idle table goes into the shuffling device without being washed."""
    return bool(deck.idle and idle_rule(table).device and table.shuffler)


def first_to_look(table: State, deck: Deck) -> int | None:
    """The seat of the first player to arrive at a spread deck. Players who were already seated do not count."""
    return next((seat for seat in table.players if not (deck.idle and seat in table.idlers)), None)


def need_betting(table: State, cite: Cite | str) -> None:
    """Require that wagers are open. At a table that was idle, the refusal cites the clause that keeps them closed."""
    idle = (deck for deck in table.decks if deck.idle not in (Idle.NO, Idle.STORED))
    if table.phase is Phase.OPENING and (deck := next(idle, None)):
        accepted = "once a player has looked at the cards and they have been shuffled"
        raise Refusal(f"the table was idle: the {deck.name} deck is {deck.condition}", idle_rule(table).cite, accepted)
    need_phase(table, Phase.BETTING, cite=cite)


@decides(say.StackDecks, "5(f)")
def stack_decks(table: State, command: say.StackDecks, request: Request) -> Consequences:
    rule = idle_rule(table)
    need(rule.device and table.shuffler, "cards must be washed unless a shuffling device takes them", rule.wash[0], "washing them")
    viewed = any(stacks_only(table, deck) and deck.condition is Condition.VIEWED for deck in table.decks)
    need(viewed, "no player has looked at the spread cards of the idle table", rule.cite, "after a player has looked")
    return granted(*rule.device)


@decides(say.RequestSpread, "5(f)")
def request_spread(table: State, command: say.RequestSpread, request: Request) -> Consequences:
    rule = idle_rule(table)
    need_seated(table, request, command.seat)
    need_phase(table, Phase.OPENING, Phase.BETTING, cite=rule.cite)
    deck = need_deck(table, command.deck)
    if deck.idle is Idle.STORED and deck.condition is Condition.READY:
        need(not table.stakes, "there are wagers on the layout", rule.device[0], "before the first wager")
        return granted(*rule.device)
    face_down = deck.idle is Idle.DOWN and deck.condition is Condition.SPREAD
    accepted = "a deck spread face down at an idle table, or one stored in the device"
    need(face_down, f"the {deck.name} deck is {deck.idle or deck.condition}", rule.cite, accepted)
    return granted(rule.cite)


# devices


@decides(say.UseMethod, INTERNAL_CONTROLS)
def use_method(table: State, command: say.UseMethod, request: Request) -> Consequences:
    rules, filed = table.rules, table.offer.devices
    need_phase(table, *BETWEEN, cite=rules.cite("13"))
    known = [dealing.method.value for dealing in rules.of(Dealing)]
    need(command.method in known, f"“{command.method}” is not a dealing method of this chapter", rules.cite("8"), ", ".join(known))
    dealing, broken = dealing_of(rules, command.method), out_of_order_clause(table)
    shuffler = command.shuffler and Device.SHUFFLER.value in table.out_of_order
    need(not shuffler, "the shuffling device is out of order", broken, "shuffling by hand")
    shoe = command.method in SHOES and Device.SHOE.value in table.out_of_order
    need(not shoe, "the automated shoe is out of order", broken, "another method")
    continuous = command.method == Method.CONTINUOUS_SHOE.value
    reshuffles = filed.reshuffles and not table.out_of_order
    need(reshuffles or not continuous, "no shoe here reshuffles automatically", dealing.cite, "another method")
    need(command.shuffler or not dealing.needs_shuffler, "dealing from the hand requires a shuffling device", rules.cite("9(a)(1)"))
    as_filed = command.method == filed.method.value and command.shuffler == filed.shuffler
    unchanged = "no device is out of order, so the dealing method stays as filed"
    need(as_filed or table.out_of_order, unchanged, broken, filed.method.value)
    return granted(rules.cite("13") if as_filed else broken)


def out_of_order_clause(table: State) -> Cite:
    return next(rule.cite for rule in table.rules.of(Irregularity) if rule.moment is Moment.ANY)


@decides(say.ReturnDevice, INTERNAL_CONTROLS)
def return_device(table: State, command: say.ReturnDevice, request: Request) -> Consequences:
    cite = out_of_order_clause(table)
    broken = ", ".join(table.out_of_order) or "none"
    need(command.device in table.out_of_order, f"the {command.device} is not out of order", cite, broken)
    return granted(cite)
