"""What the dealer, the floorperson and the devices of a table may do now, and what a floorperson has to do.

A choice has the words, the clause, the command, and the fields left to fill in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from croupier.cards import deck as full_deck
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.cite import Cite, Refusal
from croupier.law.fact import TIMED_OUT
from croupier.law.procedure import Act, Dealing, Device, Irregularity, Moment
from croupier.money import show_money
from croupier.table import commands as say
from croupier.table.accounts import DROP_BOX, TIP_BOX
from croupier.table.card_reveals import cards_named, is_stuck
from croupier.table.commands import MOST_CENTS, Command, Role, SealedDeck
from croupier.table.engine import grant
from croupier.table.events import Consequences
from croupier.table.meters import MeterState
from croupier.table.rules.decks import cut_between, is_idle, replacement_due
from croupier.table.rules.irregularities import can_happen, unfinished_rule
from croupier.table.rules.round_play import box_to_settle, face_down, papers_clauses, timeout_loss, to_validate, validation_clause
from croupier.table.rules.wagers import collected, deal_script, stub_is_due
from croupier.table.state import Condition, Idle, Phase, Round, State
from croupier.wire import Ask, TableChoice

MONEY, NUMBER, WORDS, SOME_OF, YES_OR_NO, COUNTED = "money", "number", "words", "some of", "yes or no", "counted"
SHUFFLE, SHUFFLES = "shuffle", "shuffles"  # deck orders, which the house fills in and a browser never sends or sees
NAMES = ("red", "blue", "green")  # of decks, by their backs
ACTS: dict[Act, tuple[Command, str]] = {
    Act.COLLECT: (say.CollectForfeited(), "Collect the forfeited wagers"),
    Act.BURN: (say.BurnCard(), "Burn the next card"),
    Act.DEAL: (say.DealCommunity(), "Deal the community cards"),
    Act.TURN: (say.TurnCard(), "Turn over a community card"),
    Act.REVEAL: (say.RevealDealer(), "Turn over the dealer's cards"),
    Act.CLEAR: (say.ClearCards(), "Clear the cards"),
}


class Menu:
    """The choices of one viewpoint. Each is offered only if the engine would allow it."""

    def __init__(self, table: State, by: str, at: int, meters: Mapping[str, MeterState]) -> None:
        self.table, self.by, self.at, self.meters = table, by, max(at, table.time), meters
        self.choices: list[TableChoice] = []
        self.awaits_step = False  # whether the table waits for the next step with its decks

    def offer(
        self, command: Command, words: str | Callable[[Consequences], str], *asks: Ask,
        primary: bool = False, by: str = "", warns: str = "",
    ) -> bool:  # fmt: skip
        """Offer a command if the engine would allow it. Fields to fill in hold only examples."""
        try:
            then = grant(self.table, command, by or self.by, self.at, self.meters)
        except Refusal:
            return False
        plain: dict[str, Any] = msgspec.to_builtins(command)
        for ask in asks:
            plain.pop(ask.name, None)
        text = words if isinstance(words, str) else words(then)
        self.choices.append(TableChoice(plain["do"], text, then.cites[0], plain, asks, primary, warns))
        return True

    def step(self, command: Command, words: str, *asks: Ask, expected: bool = True) -> None:
        """Offer a step with the decks. If the table waits for one, the first that is allowed and expected is primary."""
        primary = self.awaits_step and expected
        if self.offer(command, words, *asks, primary=primary) and primary:
            self.awaits_step = False


# the dealer


def offer_to_dealer(menu: Menu) -> None:
    table, current = menu.table, menu.table.round
    if current is None:
        _before_the_deal(menu)
    elif table.phase is Phase.DEALING:
        _deal(menu, current)
    else:
        _complete(menu, current)
    if current is not None:
        menu.awaits_step = table.decks[current.deck].condition is Condition.RECUT
        _decks(menu)
        offer_lapse(menu, current)
    for seat in table.players:
        words = f"Sell chips to seat {seat}"
        menu.offer(say.BuyIn(seat=seat, amount=1), words, Ask("amount", MONEY, 1, table.balance(TABLE_INVENTORY)))
    offer_irregularities(menu)


def _before_the_deal(menu: Menu) -> None:
    table = menu.table
    accepted = collected(table)
    asks = (Ask("collected", COUNTED, of=tuple(accepted)),) if accepted else ()  # if any were made (10(a)(2))
    locked = bool(table.stakes) and menu.offer(say.NoMoreBets(collected=accepted), "“No more bets”", *asks, primary=True)
    menu.awaits_step = not locked
    _decks(menu)
    for box in table.stakes:
        menu.offer(say.ReturnWagers(seat=box), f"Return the wagers of box {box}")


def _decks(menu: Menu) -> None:
    """Offer the steps for decks, from receipt to the shoe."""
    table, step = menu.table, menu.step
    conditions = {deck.condition for deck in table.decks}
    if table.phase in (Phase.OPENING, Phase.BETTING):
        offer_receipt(menu)
    if Condition.RECEIVED in conditions:
        step(say.InspectDecks(), "Inspect the cards: no defects")
        step(say.InspectDecks(defects="…"), "Inspect the cards: report defects", Ask("defects", WORDS), expected=False)
    up = Condition.VERIFIED in conditions or any(deck.idle is Idle.ASKED for deck in table.decks)
    idle = is_idle(table, menu.at)
    step(say.SpreadDecks(), f"{'The table is idle: spread' if idle else 'Spread'} the cards face down", expected=idle)
    step(say.SpreadDecks(face_up=True), "Spread the cards face up", expected=up)
    if Condition.SPREAD in conditions:
        for seat in table.players:
            step(say.ViewDecks(seat=seat), f"The player at seat {seat} has looked at the cards")
    for seat in table.players:
        offer_spread_requests(menu, seat, f"The player at seat {seat} asks")
    if Condition.VIEWED in conditions:
        step(say.WashDecks(), "Wash and stack the cards")
        step(say.StackDecks(), "Stack the cards for the shuffling device")
    for deck in table.decks:
        if deck.condition is Condition.STACKED:
            offer_shuffle(menu, deck.name)
        if deck.condition in (Condition.SHUFFLED, Condition.RECUT):
            least, most = cut_between(table, deck)
            step(say.CutDeck(deck=deck.name, depth=least), f"Cut the {deck.name} deck", Ask("depth", NUMBER, least, most))


def offer_spread_requests(menu: Menu, seat: int, asks: str) -> None:
    """Offer the decks that a player at an idle table may ask to see."""
    for deck in (deck for deck in menu.table.decks if deck.idle):
        which = "deck from the device" if deck.idle is Idle.STORED else "deck face up"
        menu.offer(say.RequestSpread(seat=seat, deck=deck.name), f"{asks} to see the {deck.name} {which}")


def offer_receipt(menu: Menu) -> None:
    table = menu.table
    taken = {deck.name for deck in table.decks}
    missing = table.offer.devices.decks - len(taken)
    names = tuple(name for name in NAMES if name not in taken)[:missing]
    if names:
        words = f"the {' and the '.join(names)} deck"
        menu.step(say.ReceiveDecks(decks=names), f"Receive {words}")
        ready = say.ReceiveDecks(decks=names, preshuffled=True, sealed=(_whole(table.rules.decks.jokers),) * len(names))
        menu.step(ready, f"Receive {words}, preshuffled", Ask("sealed", SHUFFLES, len(names), len(names)), expected=False)


def offer_shuffle(menu: Menu, deck: str) -> None:
    sealed = _whole(menu.table.rules.decks.jokers)
    menu.step(say.ShuffleDeck(deck=deck, sealed=sealed), f"Shuffle the {deck} deck", Ask("sealed", SHUFFLE))


@lru_cache(maxsize=2)
def _whole(jokers: int) -> SealedDeck:
    """A sample order of a whole deck, to check whether a shuffle would be allowed."""
    return SealedDeck(tuple(map(str, full_deck(jokers))), "00" * 32)


def _deal(menu: Menu, current: Round) -> None:
    left = len(deal_script(menu.table, current)) - current.dealt
    if left > 1:
        menu.offer(say.DealCards(count=left), f"Deal all {left} cards", primary=True)
    menu.offer(say.DealCards(), "Deal one card", primary=left == 1)


def _complete(menu: Menu, current: Round) -> None:
    table = menu.table
    act = table.stages[current.stage].act
    if act in ACTS:
        menu.offer(*ACTS[act], primary=True)
    if box := box_to_settle(table, current):
        menu.offer(say.TurnHand(seat=box), f"Turn over {cards_named(face_down(table, current, box))}", primary=True)
        menu.offer(say.SettleSeat(seat=box), f"Settle box {box}", primary=True)
    deck = table.decks[current.deck]
    asks = (Ask("counted", NUMBER, 0, 99), Ask("misdealt", YES_OR_NO))
    due = act is Act.SETTLE and stub_is_due(table, current)
    menu.offer(say.CountStub(counted=deck.left), "Count the stub", *asks, primary=due)


def offer_lapse(menu: Menu, current: Round) -> None:
    if not current.asked or not menu.table.decision_seconds:
        return
    decision, box = menu.table.stages[current.stage].decision, current.asked[1]
    word = decision.in_silence(menu.table.offer.readings).word if decision else ""
    taken = timeout_loss(menu.table.rules) if word == TIMED_OUT else f"“{word}”" if word else "the hand counts as it is"
    menu.offer(say.LapseDecision(seat=box), f"Box {box} has run out of time: {taken}", primary=True)


def offer_irregularities(menu: Menu) -> None:
    """Offer each irregularity that can happen now. None depends on a face-down card."""
    table = menu.table
    for rule in table.rules.of(Irregularity):
        if not can_happen(table, rule.under(table.offer.readings)):
            continue
        if rule.moment is Moment.SHUFFLE:
            for deck in table.decks:
                spoiled = say.RaiseIrregularity(irregularity=rule.name, deck=deck.name)
                menu.offer(spoiled, f"{rule.name}: the {deck.name} deck")
        elif rule.moment is Moment.ANY:
            for device in Device:
                broken = say.RaiseIrregularity(irregularity=rule.name, device=device.value)
                menu.offer(broken, f"{rule.name}: the {device.value}")
        elif rule.moment is not Moment.STUB:
            menu.offer(say.RaiseIrregularity(irregularity=rule.name), rule.name, *_exposed(table, rule))


def _exposed(table: State, rule: Irregularity) -> tuple[Ask, ...]:
    if rule.exposes is None or table.round is None:
        return ()
    held = table.round.cards_at(rule.exposes, 0)
    hidden = tuple(n for n, each in enumerate(held, 1) if not each.up)
    return (Ask("cards", SOME_OF, only=hidden, words=f"of the {rule.exposes.value}"),)


# the floorperson: first what the regulation assigns to one and is due now


class Due(NamedTuple):
    """The command, in words, and the clauses that assign it to a floorperson. `blocks`: play waits for it."""

    command: Command
    words: str
    cites: tuple[Cite, ...]
    blocks: bool = True


def blocking_task(table: State, at: int) -> Due | None:
    """The floorperson's action that the dealer and players are waiting for, or None."""
    return next((due for due in floorperson_tasks(table, at) if due.blocks), None)


def floorperson_tasks(table: State, at: int) -> Iterator[Due]:
    """Everything that is due from a floorperson, whether or not play waits for it."""
    if table.phase is Phase.CLOSED:
        return
    if is_stuck(table):
        rule = unfinished_rule(table)
        yield Due(say.RaiseIrregularity(irregularity=rule.name), "void the round: no key opens its cards", (rule.cite,))
        return
    yield from _decks_due(table, max(at, table.time), between=table.phase in (Phase.OPENING, Phase.BETTING))
    if table.phase is Phase.COMPLETING and table.round is not None:
        yield from _settlement_due(table, table.round)


def _decks_due(table: State, at: int, *, between: bool) -> Iterator[Due]:
    after = "" if between else " after this round"
    if between and (sealed := next((deck for deck in table.decks if deck.is_sealed), None)):
        yield Due(say.RemoveDecks(), f"remove the decks: no key opens the {sealed.name} deck", (table.rules.cite("3(c)"),))
    if late := next((cite for deck in table.decks if (cite := replacement_due(table, deck, at))), None):
        yield Due(say.RemoveDecks(), f"remove the decks{after}: they are due for replacement", (late,), between)
    if any(deck.condition is Condition.INSPECTED for deck in table.decks):
        yield Due(say.VerifyInspection(), "verify the inspection of the cards", (table.rules.cite("4(a)"),), between)


def _settlement_due(table: State, current: Round) -> Iterator[Due]:
    box = box_to_settle(table, current)
    wagers = to_validate(table, current, box) if box else []
    if wagers and not stub_is_due(table, current) and not face_down(table, current, box):
        for wager in wagers:
            won = say.ValidateProgressive(seat=box, wager=wager)
            yield Due(won, f"validate box {box}'s win on the {wager}", (validation_clause(table, wager),))
    clearing = table.stages[current.stage].act is Act.CLEAR
    for box in current.papers:
        yield Due(say.CompletePapers(seat=box), f"complete the paperwork for box {box}", papers_clauses(table, box), clearing)


def offer_to_floorperson(menu: Menu) -> None:
    table, current = menu.table, menu.table.round
    if table.phase is Phase.CLOSED:
        return _open(menu)
    for due in floorperson_tasks(table, menu.at):
        menu.offer(due.command, f"{due.words[0].upper()}{due.words[1:]}", primary=True)
    if current is not None:
        offer_lapse(menu, current)
    _deck_orders(menu)
    _devices(menu)
    _inventory(menu)
    if table.phase in (Phase.OPENING, Phase.BETTING):
        _limits(menu)
        offer_receipt(menu)
        menu.offer(say.CloseTable(), "Close the table")
    for seat, player in table.players.items():
        menu.offer(say.Leave(seat=seat), f"Remove {player} from seat {seat}")
    for seat in free_seats(table):
        menu.offer(say.Sit(seat=seat, player="a name of one's own"), f"Seat a player at seat {seat}", Ask("player", WORDS))
    return None if is_stuck(table) else offer_irregularities(menu)  # then the task above is the only one


def free_seats(table: State) -> list[int]:
    return [seat for seat in range(1, table.rules.seats + 1) if seat not in table.players]


def _open(menu: Menu) -> None:
    """Offer to open the table with the same filing as before. Choosing another is up to the administrator."""
    table = menu.table
    offer, linked = table.offer.hash, dict(table.linked)  # computed with today's book
    again = say.OpenTable(table=table.table, submission=table.submission, offer=offer, opener=0, linked=linked)
    menu.offer(again, "Open the table", Ask("opener", MONEY, 0, MOST_CENTS), primary=True)


def _deck_orders(menu: Menu) -> None:
    table = menu.table
    if table.decks and not any(isinstance(due.command, say.RemoveDecks) for due in floorperson_tasks(table, menu.at)):
        menu.offer(say.RemoveDecks(), "Remove the decks")
    for deck in table.decks:
        menu.offer(say.OrderRecut(deck=deck.name, why="…"), f"Order a recut of the {deck.name} deck", Ask("why", WORDS))
        menu.offer(say.OrderShuffle(deck=deck.name), f"Order another shuffle of the {deck.name} deck")


def _devices(menu: Menu) -> None:
    table = menu.table
    for device in table.out_of_order:
        menu.offer(say.ReturnDevice(device=device), f"The {device} is back in service")
    if table.phase in (Phase.OPENING, Phase.BETTING):
        for dealing in table.rules.of(Dealing):
            for shuffler in (True, False):
                if (dealing.method.value, shuffler) != (table.method, table.shuffler):
                    words = f"Deal by {dealing.method.value}, shuffle by {'device' if shuffler else 'hand'}"
                    menu.offer(say.UseMethod(method=dealing.method.value, shuffler=shuffler), words)


def _inventory(menu: Menu) -> None:
    table = menu.table
    held = table.balance(TABLE_INVENTORY)
    menu.offer(say.Fill(amount=1), "Fill the table inventory", Ask("amount", MONEY, 1, MOST_CENTS), primary=not held)
    if held:
        menu.offer(say.Credit(amount=1), "Credit chips to the cage", Ask("amount", MONEY, 1, held))
    if dropped := table.balance(DROP_BOX):
        menu.offer(say.CollectDrop(), f"Collect the drop box: {show_money(dropped)}")
    if tips := table.balance(TIP_BOX):
        menu.offer(say.CollectTips(), f"Collect the tip box: {show_money(tips)}")


def _limits(menu: Menu) -> None:
    offer, (low, high) = menu.table.offer, menu.table.posted
    asks = (
        Ask("minimum", MONEY, offer.minimum, offer.maximum, now=low),
        Ask("maximum", MONEY, offer.minimum, offer.maximum, now=high),
    )
    menu.offer(say.PostLimits(minimum=low, maximum=high), "Post new limits", *asks)


# devices


def offer_to_devices(menu: Menu) -> None:
    table, current = menu.table, menu.table.round
    for deck in table.decks:
        offer_shuffle(menu, deck.name)
    if current is not None:
        offer_lapse(menu, current)
        called = {fact.of_position: fact.called for fact in table.rules.draws.values()}
        names = say.DrawBonus.__struct_fields__  # of a card, and of a position
        card, place = Ask(names[0], WORDS, words="one of the 52 cards"), Ask(names[1], WORDS, words="a position, or “dealer”")
        menu.offer(say.DrawBonus(magic_card="As"), f"Draw the {called.get(False)}", card)
        menu.offer(say.DrawBonus(lucky="dealer"), f"Draw the {called.get(True)}", place)
        menu.offer(say.DrawBonus(magic_card="As", lucky="dealer"), "Draw both", card, place)
    for seat in table.players:
        menu.offer(say.Leave(seat=seat), f"Free seat {seat}, which has no chips")
        away = say.Leave(seat=seat, away_since=table.away[seat])
        menu.offer(away, f"Free seat {seat}, whose player is away, and hold their chips")


STAFF = {Role.DEALER: offer_to_dealer, Role.FLOORPERSON: offer_to_floorperson, Role.DEVICE: offer_to_devices}
