"""Sections .7 to .10: wagers, “no more bets”, dealing card by card, counting the stub; and what the table game system draws."""

from __future__ import annotations

from collections import Counter

from croupier.cards import JOKER
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.cite import Cite, Refusal
from croupier.law.procedure import Act, Delivery, Device, Irregularity, Method, Moment, NamedStep, Step, deliveries
from croupier.law.wager import Wager
from croupier.money import Cents, show_money
from croupier.table.accounts import Move, layout, purse
from croupier.table.card_reveals import show_next, takes_cards
from croupier.table.commands import Command, CountStub, DealCards, DrawBonus, NoMoreBets, PlaceWager, ReturnWagers, TakeBackWager
from croupier.table.events import Consequences
from croupier.table.meters import with_contributions
from croupier.table.rules.context import Request, decides, granted, need, need_chips, need_phase, need_round, need_seated
from croupier.table.rules.decks import SHOES, need_betting, out_of_order_clause, replacement_due
from croupier.table.rules.irregularities import voided
from croupier.table.rules.stakes import unfit_version, verify_amount, verify_boxes, verify_stakes, verify_wager, wagers_named
from croupier.table.state import CARDS, Condition, Phase, Round, State


@decides(PlaceWager, "7(b)")
def place_wager(table: State, command: PlaceWager, request: Request) -> Consequences:
    """`amount` is the new total; a second command raises or lowers it."""
    rules, offer, box, home = table.rules, table.offer, command.seat, request.seat
    need_betting(table, rules.cite("7(c)"))
    need(not command.cash, "verbal wagers with cash are not accepted", rules.cite("7(a)"), "value chips on the layout")
    need_seated(table, request, home)
    need_box(table, box, home)
    wagers = wagers_named(rules, box, command.wager)
    laid = table.stakes.get(box, {})
    stakes = laid | {wager.key: command.amount for wager in wagers}
    moves, target = [], layout(box)
    for wager in wagers:
        verify_wager(offer, box, wager, stakes)
        verify_amount(offer, box, wager, stakes, table.posted)
        more, source = command.amount - laid.get(wager.key, 0), purse(wager, home)
        moves.append(Move(source, target, more) if more > 0 else Move(target, source, -more))
    need_chips(table, purse(wagers[0], home), sum(m.cents for m in moves if m.target == target), wagers[0].cite)
    return granted(wagers[0].cite, moves=moves)


def need_box(table: State, box: int, home: int) -> None:
    """Players wager at their own seat and on as many adjacent boxes as the submission allows."""
    rules, boxes = table.rules, table.boxes
    need(1 <= box <= rules.seats, f"there is no box {box}", rules.cite("2(a)"), f"boxes 1 to {rules.seats}")
    free = boxes.get(box, home) == home and (box == home or box not in table.players)
    need(free, f"box {box} belongs to another player", rules.cite("7(b)"), "a free box")
    if box == home and len(boxes) == len(set(boxes.values())):
        return
    verify_boxes(rules, {box, home, *(other for other, owner in boxes.items() if owner == home)}, table.offer.adjacent_boxes)


@decides(TakeBackWager, "7(c)")
def take_back_wager(table: State, command: TakeBackWager, request: Request) -> Consequences:
    need_phase(table, Phase.BETTING, cite=request.cite)
    box, home = command.seat, table.boxes.get(command.seat, 0)
    need(home and home == request.seat, f"you have no wager on box {box}", table.rules.cite("7(b)"), "your own wagers")
    wagers = [wager for wager in wagers_named(table.rules, box, command.wager) if wager.key in table.stakes[box]]
    need(wagers, f"there is no {command.wager} on box {box}", request.cite, ", ".join(table.stakes[box]))
    return granted(request.cite, moves=_taken_back(table, box, wagers))


@decides(ReturnWagers, "7(c)")
def return_wagers(table: State, command: ReturnWagers, request: Request) -> Consequences:
    need_phase(table, Phase.BETTING, cite=request.cite)
    box, laid = command.seat, table.stakes.get(command.seat, {})
    need(laid, f"there is no wager on box {box}", request.cite, "a box with wagers")
    form = unfit_version(table.offer, laid)
    moves = _taken_back(table, box, [table.rules.wagers[key] for key in laid])
    return granted(*([form.cite] if form else []), request.cite, moves=moves)


def _taken_back(table: State, box: int, wagers: list[Wager]) -> list[Move]:
    home, stakes = table.boxes[box], table.stakes[box]
    return [Move(layout(box), purse(wager, home), stakes[wager.key]) for wager in wagers]


# “No more bets”


@decides(NoMoreBets, lambda table, command: task_clause(table, NamedStep.NO_MORE_BETS))
def no_more_bets(table: State, command: NoMoreBets, request: Request) -> Consequences:
    need_betting(table, request.cite)
    need(table.stakes, "nobody has placed a wager", table.rules.cite("7(b)"), "after the first wager")
    for box, stakes in table.stakes.items():
        verify_stakes(table.offer, box, stakes, table.posted)
    _need_ready(table, request.at)
    accepted = collected(table)
    counted = {name: cents for name, cents in command.collected.items() if cents}
    if counted != accepted:
        words = ", ".join(f"{name}: {show_money(cents)}" for name, cents in sorted(accepted.items())) or "none"
        raise Refusal("the chips collected do not match the wagers that the system accepted", request.cite, words)
    moves, wagered = list[Move](), Counter[str]()
    for box, stakes in sorted(table.stakes.items()):  # progressive and electronic wagers
        for key, stake in stakes.items():
            wager = table.rules.wagers[key]
            if wager.system:
                moves.append(Move(layout(box), TABLE_INVENTORY, stake))
                wagered[wager.name] += stake
    made, meters = with_contributions(table.offer.progressives, request.meters, moves, wagered)
    return granted(request.cite, moves=made, meters=meters)


def _need_ready(table: State, at: int) -> None:
    """Require a deck that is ready and not overdue, and working devices."""
    rules = table.rules
    need(table.decks, "there is no deck at the table", rules.cite("3(a)"), "a shuffled deck")
    deck = table.decks[table.next_deck()]
    need(deck.condition is Condition.READY, f"the {deck.name} deck is {deck.condition}", rules.cite("5(c)"), "a deck that is ready")
    need(
        not deck.is_sealed,
        f"no key opens the {deck.name} deck",
        rules.cite("5(c)"),
        "another deck, once a floorperson has removed this one",
    )
    if due := replacement_due(table, deck, at):
        raise Refusal("the decks have been in use too long", due, "new decks")
    needs_shuffler = table.dealing.needs_shuffler and not table.shuffler
    need(not needs_shuffler, "dealing from the hand requires a shuffling device", rules.cite("9(a)(1)"), "another method")
    broken = table.method in SHOES and Device.SHOE.value in table.out_of_order
    need(not broken, "the automated shoe is out of order", out_of_order_clause(table), "another method")
    continuous = table.method == Method.CONTINUOUS_SHOE.value
    need(table.reshuffles or not continuous, "the shoe does not reshuffle automatically", table.dealing.cite, "another method")


def collected(table: State) -> dict[str, Cents]:
    """What the system accepted for the wagers whose chips the dealer now collects."""
    sums: Counter[str] = Counter()
    for stakes in table.stakes.values():
        for key, stake in stakes.items():
            wager = table.rules.wagers[key]
            if wager.collected:
                sums[wager.name] += stake
    return dict(sums)


# the deal


def deal_script(table: State, current: Round) -> list[Delivery]:
    """The cards of this round's deal, in order, for the boxes that are dealt cards; computed once."""
    key = (current.number, table.method)
    memory: tuple[object, list[Delivery]] | None = table.__dict__.get("script")
    if memory is None or memory[0] != key:
        dealing = table.dealing
        to_any, entitled = table.offer.reads(dealing.alone), {wager.key for wager in dealing.entitled}
        placed = {box: frozenset(keys) for box, keys in current.placed.items() if to_any or not entitled.isdisjoint(keys)}
        memory = table.__dict__["script"] = (key, list(deliveries(dealing.script, placed)))
    return memory[1]


@decides(DealCards, lambda table, command: table.dealing.cite)
def deal_cards(table: State, command: DealCards, request: Request) -> Consequences:
    current = need_round(table, Phase.DEALING, request.cite)
    left, deck = deal_script(table, current)[current.dealt :], table.decks[current.deck]
    recut = deck.condition is not Condition.IN_PLAY
    need(not recut, f"the {deck.name} deck is {deck.condition}", table.rules.cite("5(e)"), "after the cut")
    most = len(left)
    need(command.count <= most, f"cannot deal {command.count} cards with {most} left to deal", request.cite, f"1 to {most}")
    now = left[: command.count]
    shown = (show_next(deck, n, each.to, each.seat, up=each.up, slot=each.slot) for n, each in enumerate(now))
    cites = dict.fromkeys(table.rules.cite(each.clause) if each.clause else request.cite for each in now)
    return granted(*cites, cards=shown)


# the stub


def stub_is_due(table: State, current: Round) -> bool:
    """Must the stub be counted before this round is settled? Not once a seat is settled, as a device may fail only then."""
    uncounted = max(table.uncounted, table.decks[current.deck].uncounted) + 1  # including this round
    done = table.counts_cards or current.stub_counted or bool(current.parts)
    return not done and uncounted >= table.dealing.stub_counted_every


def task_clause(table: State, task: NamedStep) -> Cite:
    """The clause of a dealer's task in this method's section."""
    section = table.dealing.cite.section
    return next(step.cite for step in table.rules.of(Step) if step.cite.section == section and step.task is task)


@decides(CountStub, lambda table, command: task_clause(table, NamedStep.COUNT_STUB))
def count_stub(table: State, command: CountStub, request: Request) -> Consequences:
    current, cite = need_round(table, Phase.COMPLETING, request.cite), request.cite
    to_be_dealt = any(takes_cards(current, stage) for stage in table.stages[current.stage :])
    need(not to_be_dealt, "the community cards have not been dealt yet", cite, "once all cards are dealt")
    settling = table.stages[current.stage].act in (Act.SETTLE, Act.CLEAR) and current.parts
    need(not settling, "the round is being settled", cite, "before the settlement")
    if command.counted == table.decks[current.deck].left:
        return granted(cite)
    return voided(table, request, wrong_count(table, misdealt=command.misdealt))


def wrong_count(table: State, *, misdealt: bool) -> Irregularity:
    """What a wrong stub count means, depending on whether the cards were misdealt."""
    section = table.dealing.cite.section
    both = [rule for rule in table.rules.of(Irregularity) if rule.moment is Moment.STUB and rule.cite.section == section]
    return both[0 if misdealt else 1]


# the table game system


def _drawn_by(table: State, command: Command) -> Cite:
    """Section .1 defines what the system draws, if a wager is placed through it."""
    return table.rules.cite("1" if any(wager.electronic for wager in table.rules.wagers.values()) else "7")


@decides(DrawBonus, _drawn_by)
def draw_bonus(table: State, command: DrawBonus, request: Request) -> Consequences:
    """The table game system draws a card or a position for wagers that ask for it."""
    rules, current, draws = table.rules, table.round, table.rules.draws
    cite = table.electronic_clause
    need(draws and current and not current.parts and not current.void, "the system does not draw now", cite, "during a round")
    assert current is not None
    need(not current.drawn, "the system has already drawn for this round", cite, "one draw per round")
    asking = {settlement.wager.key for settlement in rules.settlements if settlement.drawn}
    made = asking & {key for stakes in current.stakes.values() for key in stakes}
    need(made, "nobody made a wager that the system draws for", cite, "a round with such a wager")
    need(command.magic_card or command.lucky, "no draw is named", cite, " or ".join(f"a {fact.called}" for fact in draws.values()))
    if command.magic_card:
        _drawn_name(table, cite, of_position=False)
        is_card = command.magic_card in CARDS and command.magic_card != str(JOKER)
        need(is_card, f"“{command.magic_card}” is not a card", cite, "one of the 52 cards")
    if command.lucky:
        called = _drawn_name(table, cite, of_position=True)
        positions = [*map(str, rules.positions_drawn(current.stakes, table.offer.readings))]
        need(command.lucky in positions, f"“{command.lucky}” is not a {called}", cite, ", ".join(positions))
    return granted(cite)


def _drawn_name(table: State, cite: Cite, *, of_position: bool) -> str:
    """What the system draws is called; refused if the submission never has it drawn."""
    fact = next((each for each in table.rules.draws.values() if each.of_position is of_position), None)
    called = fact.called if fact else "position" if of_position else "card"
    need(fact and table.offer.draws.get(fact.key), f"no {called} is drawn under this submission", cite, f"no {called}")
    return called
