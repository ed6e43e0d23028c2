"""Section .13: what is void, what is returned, what is still settled, and what happens to the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.cite import Refusal
from croupier.law.procedure import RACK, Act, Device, Fate, Irregularity, Moment, Voiding
from croupier.law.wager import Decision, Wager
from croupier.money import Cents
from croupier.table.accounts import OUTSIDE, Move, balances, jackpot, layout, purse
from croupier.table.card_reveals import is_stuck, show_next, takes_cards, turned_over
from croupier.table.commands import RaiseIrregularity
from croupier.table.events import Consequences, Shown
from croupier.table.meters import MeterMove, with_contributions
from croupier.table.rules.context import Request, decides, granted, need, need_deck, need_inventory
from croupier.table.rules.decks import SHOES
from croupier.table.state import Condition, Phase, Round, State


@decides(RaiseIrregularity, "13")
def raise_irregularity(table: State, command: RaiseIrregularity, request: Request) -> Consequences:
    rule = find_irregularity(table, command.irregularity)
    need_moment(table, rule)
    _need_device(table, rule, command.device)
    if rule.cards is Fate.CARD_DISCARDED:
        return _discarded(table, rule)
    if rule.moment is Moment.SHUFFLE:
        deck = need_deck(table, command.deck)
        unused = deck.condition in (Condition.STACKED, Condition.SHUFFLED, Condition.READY)
        need(unused, f"the {deck.name} deck is {deck.condition}", rule.cite, "a deck being shuffled")
        return granted(rule.cite)
    if not rule.void:
        return granted(rule.cite)
    known = _cards_found(table) if rule.moment is Moment.BOARD else _exposed(table, rule, command.cards)
    return voided(table, request, rule, exposed=known)


_WHEN = {
    Moment.SHUFFLE: "while a deck is being shuffled",
    Moment.DEAL: "while cards are being dealt",
    Moment.HANDS: "while the hands are being dealt",
    Moment.BOARD: "while the community cards are being dealt",
    Moment.STUB: "when the stub is counted",
    Moment.ANY: "at any time while the table is open",
}


def find_irregularity(table: State, name: str) -> Irregularity:
    known = {rule.name: rule for rule in table.rules.of(Irregularity) if rule.moment is not Moment.STUB}
    need(name in known, f"“{name}” is not an irregularity of this chapter", table.rules.cite("13"), "; ".join(known))
    return known[name].under(table.offer.readings)


def need_moment(table: State, rule: Irregularity) -> None:
    """An irregularity can be raised only when it can happen. A refusal lists those that can happen now."""
    if not can_happen(table, rule):
        now = [each.name for each in table.rules.of(Irregularity) if each.moment is not Moment.STUB and can_happen(table, each)]
        allowed = f"only {raised_when(rule)}; can be raised now: {'; '.join(now) or 'none'}"
        raise Refusal(f"{rule.name}: cannot be raised now", rule.cite, allowed)


def raised_when(rule: Irregularity) -> str:
    """When an irregularity can be raised, in words: “while cards are being dealt”."""
    in_round = rule.during if rule.during.startswith("round") else f"round, {rule.during}"
    return _WHEN.get(rule.moment, f"during a {in_round}")


def unfinished_rule(table: State) -> Irregularity:
    """The rule that voids a round whose cards cannot all be opened: its hands have too few cards (13(c))."""
    return next(each for each in table.rules.of(Irregularity) if each.moment is Moment.ROUND and not each.exposes)


def can_happen(table: State, rule: Irregularity) -> bool:  # noqa: PLR0911
    """Can this irregularity happen now?"""
    current = table.round
    if is_stuck(table):
        return rule.name == unfinished_rule(table).name
    if current and current.void and rule.void:
        return False
    match rule.moment:
        case Moment.ANY:
            return table.phase is not Phase.CLOSED
        case Moment.SHUFFLE:
            return bool(table.decks) and table.phase is not Phase.CLOSED
        case Moment.DEAL if rule.device is Device.SHOE:
            return _in_the_deal(table)  # later cards are dealt from the dealer's hand (653a.10(c))
        case Moment.DEAL:
            return _in_the_deal(table) or _on_the_board(table)
        case Moment.HANDS:
            return _in_the_deal(table)
        case Moment.BOARD:
            return _on_the_board(table)
        case _:
            return current is not None and current.dealt > 0 and not _is_too_late(table, current, rule)


def _in_the_deal(table: State) -> bool:
    current = table.round if table.phase is Phase.DEALING else None
    return current is not None and table.decks[current.deck].condition is Condition.IN_PLAY


def _on_the_board(table: State) -> bool:
    """Are community cards being dealt after the hands?"""
    current = table.round
    return table.phase is Phase.COMPLETING and current is not None and takes_cards(current, table.stages[current.stage])


def _is_too_late(table: State, current: Round, rule: Irregularity) -> bool:
    """Is it too late: has the dealer revealed the cards, every player decided, or a wager been settled?"""
    act = rule.before
    if act is None or table.phase is not Phase.COMPLETING:
        return False
    first = next(n for n, stage in enumerate(table.stages) if stage.act is act)
    if act is not Act.COLLECT:
        return current.stage > first or (act is Act.SETTLE and bool(current.parts))
    if current.stage >= first or not any(decisions_left(table, current, box) for box in current.stakes):
        return True
    made = any(table.rules.wagers[key].made_by_decision for stakes in current.stakes.values() for key in stakes)
    return made and table.offer.reads(rule.until_first)


def decisions_left(table: State, current: Round, box: int) -> tuple[Decision, ...]:
    """The decisions that a box may still be asked for."""
    answers, decisions = current.decided.get(box, []), table.rules.decisions
    last = decisions[len(answers) - 1].taken(answers[-1], table.offer.readings) if answers else None
    over = box in current.gone or (last is not None and not last.goes_on)
    return () if over else decisions[len(answers) :]


def _need_device(table: State, rule: Irregularity, named: str) -> None:
    in_use = set()
    if table.shuffler or table.reshuffles:
        in_use.add(Device.SHUFFLER.value)
    if table.method in SHOES and Device.SHOE.value not in table.out_of_order:
        in_use.add(Device.SHOE.value)
    device = rule.device.value if rule.device else named if rule.moment is Moment.ANY else ""
    if device or rule.moment is Moment.ANY:
        need(device in in_use, f"no “{device}” is in use at this table", rule.cite, " or ".join(sorted(in_use)) or "none")
    if rule.moment is Moment.SHUFFLE and rule.cards is Fate.DECK_REMOVED:
        need(table.counts_cards, "the device does not count the cards", rule.cite, "a device that counts them")
    if rule.moment is Moment.ANY and device == Device.SHOE.value and table.phase is Phase.DEALING:
        jam = next(each for each in table.rules.of(Irregularity) if each.device is Device.SHOE)
        raise Refusal("the shoe has not dealt all the cards of the round", jam.cite, f"raising “{jam.name}” first")


def _discarded(table: State, rule: Irregularity) -> Consequences:
    """A card found face up goes to the discard rack; a second one voids the hands."""
    current = table.round
    assert current is not None
    more = [other.name for other in table.rules.of(Irregularity) if other.cite == rule.cite and other.void]
    second = current.found_face_up and not current.void
    need(not second, "a second card is face up in this deal", rule.cite, " or ".join(more))
    return granted(rule.cite, cards=[show_next(table.decks[current.deck], 0, RACK, up=True)])


def _cards_found(table: State) -> list[Shown]:
    """More than one card found face up: the rest go to the rack too, since none may be used in this round."""
    assert table.round is not None
    deck = table.decks[table.round.deck]
    return [show_next(deck, n, RACK, up=True) for n in range(max(1, 2 - table.round.found_face_up))]


def _exposed(table: State, rule: Irregularity, which: tuple[int, ...]) -> list[Shown]:
    if rule.exposes is None or table.round is None:
        need(not which, "this irregularity exposes no card", rule.cite, "no cards")
        return []
    held, deck = table.round.cards_at(rule.exposes, 0), table.decks[table.round.deck]
    need(held, f"there are no {rule.exposes.value}", rule.cite, "a card that was dealt")
    hidden = {n for n, each in enumerate(held, 1) if not each.up}
    need(hidden and set(which) <= hidden, f"{rule.name}: choose face-down cards", rule.cite, ", ".join(map(str, sorted(hidden))))
    return turned_over(deck, (held[n - 1] for n in which), rule.exposes)


def voided(table: State, request: Request, rule: Irregularity, exposed: Iterable[Shown] = ()) -> Consequences:
    """All hands are void. Wagers are returned, except those still to be settled, and what was settled is undone."""
    current, offer = table.round, table.offer
    assert current is not None
    (terms,) = table.rules.of(Voiding)
    undone = [box for box in current.parts if not offer.reads(terms.stands) and box not in (*current.away, *current.gone)]
    moves = [Move(made.target, made.source, made.cents) for box in undone for made in reversed(current.parts[box].moves)]
    wagered, owed = Counter[str](), {}
    for box in sorted(current.stakes):
        for wager, stake in _returned(table, current, rule, terms, box, undone):
            collected = wager.system is not None
            lost = box in current.gone or wager.key in current.forfeited.get(box, ())
            target = OUTSIDE if box in current.gone else purse(wager, table.boxes[box])
            moves.append(Move(TABLE_INVENTORY if collected or lost else layout(box), target, stake))
            if collected:
                wagered[wager.name] -= stake
    for account, cents in _missing(table, moves):
        moves.append(Move(TABLE_INVENTORY, account, cents))  # the house absorbs what a player can no longer pay back
        owed[account] = cents
    back = _redrawn(table, current, moves, undone)
    made, meters = with_contributions(offer.progressives, request.meters, moves, wagered, back)
    need_inventory(table, made, rule.cite)
    return granted(rule.cite, cards=exposed, moves=made, meters=meters, owed=owed)


def _returned(
    table: State, current: Round, rule: Irregularity, terms: Voiding, box: int, undone: list[int]
) -> Iterator[tuple[Wager, Cents]]:
    stay, forfeited = withdrawn(table, current, box), set(current.forfeited.get(box, ()))
    if box in current.parts and box not in undone:
        stay |= set(current.parts[box].wagers) - forfeited  # that turn was only for an Envy Bonus
    if table.offer.reads(terms.forfeited_lost):
        stay |= forfeited
    if box in current.away or (box in current.gone and not table.offer.reads(terms.abandoned_back)):
        return
    for key, stake in current.stakes[box].items():
        wager = table.rules.wagers[key]
        if key not in stay and wager not in rule.settled:
            yield wager, stake


def _missing(table: State, moves: list[Move]) -> list[tuple[str, Cents]]:
    """What players cannot pay back of what they were paid, because they may have spent it."""
    change = balances(moves)
    players = [account for account in change if account.endswith((" chips", " game account"))]
    left = {account: table.balance(account) + change[account] for account in players}
    return [(account, -cents) for account, cents in left.items() if cents < 0]


def _redrawn(table: State, current: Round, moves: list[Move], undone: list[int]) -> dict[str, MeterMove]:
    """Held jackpots are put back on the meters, and what restarted them returns to the cage. A reseed that stands is made."""
    change, back = balances(moves), dict[str, MeterMove]()
    for name in table.offer.meters:
        held = table.balance(jackpot(name)) + change[jackpot(name)]
        again = sum(current.parts[box].reseeded.get(name, 0) for box in undone)
        released = sum(current.parts[box].released.get(name, 0) for box in undone)
        stands = any(name in part.reseeds for box, part in current.parts.items() if box not in undone)
        waiting = current.reseeds.get(name, 0) if stands else 0
        if held or again or released or waiting:
            back[name] = MeterMove(drawn=-held, reseeded=waiting - again, released=-released)
    return back


def withdrawn(table: State, current: Round, box: int) -> set[str]:
    """Keys of the wagers that a player withdrew by a decision."""
    words = zip(table.rules.decisions, current.decided.get(box, ()), strict=False)
    choices = (decision.taken(word, table.offer.readings) for decision, word in words)
    return {choice.withdraws.key for choice in choices if choice and choice.withdraws}


def leaves_wagers(rule: Irregularity, current: Round) -> bool:
    """Is anything left to settle after it?"""
    keys = {wager.key for wager in rule.settled}
    return any(keys & set(stakes) for box, stakes in current.stakes.items() if box not in current.gone)
