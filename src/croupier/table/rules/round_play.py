"""Section .11: decisions from the dealer's left, the reveal, settlement from the dealer's right, clearing the cards."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from croupier.cards import JOKER, Cards, NotACard, cards
from croupier.filing.pricing import TABLE_INVENTORY, Paid
from croupier.law.cite import Cite, Refusal
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Position
from croupier.law.forfeits import forfeits
from croupier.law.procedure import RACK, Act, Setting, Stage, Validation
from croupier.law.settlement import Outcome, Settlement
from croupier.law.wager import Choice, Decision, Wager
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.accounts import CAGE, Move, chips, jackpot, layout, meter, moves, not_from_inventory, reserve
from croupier.table.card_reveals import cards_named, is_stuck, show_next, turned, unseen
from croupier.table.commands import Command
from croupier.table.events import Consequences, Shown, line_of
from croupier.table.meters import MeterMove
from croupier.table.rules.context import (
    Assigned,
    Desk,
    decides,
    electronic_clause,
    granted,
    need,
    need_chips,
    need_inventory,
    need_round,
)
from croupier.table.rules.irregularities import withdrawn
from croupier.table.rules.wagers import stub_clause, stub_is_due
from croupier.table.settlement import SeatRound, SeatSettled, Settling
from croupier.table.state import CARDS, Held, Part, Phase, Round, State, cards_of
from croupier.wire import WagerLine


def need_stage(table: State, *acts: Act) -> tuple[Round, Stage]:
    """The round, if its next stage is one of these acts."""
    current = table.round
    if current is None or table.phase is not Phase.COMPLETING:
        current = need_round(table, Phase.COMPLETING, _stage_clause(table, *acts))
    stage = table.stages[current.stage]
    if stage.act not in acts:
        raise Refusal(f"not now: the next step is “{stage.act.value}”", stage.cite, stage.act.value)
    return current, stage


def _stage_clause(table: State, *acts: Act) -> Cite:
    return next((stage.cite for stage in table.stages if stage.act in acts), table.rules.cite("11"))


def _at_stage(act: Act) -> Assigned[Command]:
    return lambda table, command: _stage_clause(table, act)


# decisions


def decision_clause(table: State, command: Command) -> Cite:
    stage = table.stages[table.round.stage] if table.round else None
    decision = stage.decision if stage and stage.decision else next(iter(table.rules.decisions), None)
    return decision.cite if decision else _setting_clause(table, command)


def _setting_clause(table: State, command: Command) -> Cite:
    found = table.rules.of(Setting)
    return found[0].cite if found else table.rules.cite("11")


def pending(table: State, current: Round) -> list[int]:
    """The boxes that still have to decide or set their hand in this stage, from the dealer's left."""
    stage = table.stages[current.stage]
    if current.void:
        return []
    if stage.act is Act.SET:
        return [box for box in sorted(current.hands) if box not in current.sets and box not in current.gone and _sets(table, box)]
    if stage.act is not Act.ASK or stage.decision is None:
        return []
    number = table.rules.decisions.index(stage.decision)
    return [box for box in sorted(current.stakes) if _is_asked(table, current, box, stage.decision, number)]


def _sets(table: State, box: int) -> bool:
    assert table.round is not None
    return any(not table.rules.wagers[key].optional for key in table.round.stakes[box])


def _is_asked(table: State, current: Round, box: int, decision: Decision, number: int) -> bool:
    said = current.decided.get(box, [])
    if box in current.gone or decision.asked_of.key not in current.stakes[box] or len(said) != number:
        return False
    return number == 0 or logged_choice(table, table.rules.decisions[number - 1], said[-1]).goes_on


def read_choice(table: State, decision: Decision, text: str) -> Choice:
    if choice := decision.read(text, table.offer.readings):
        return choice
    known = " or ".join(f"“{choice.word}”" for choice in decision.choices)
    raise Refusal(f"“{text}” is not a decision on the {decision.name}", decision.cite, known)


def logged_choice(table: State, decision: Decision, word: str) -> Choice:
    """The choice for a word in the log."""
    return decision.taken(word, table.offer.readings) or read_choice(table, decision, word)


def stake_made(current: Round, box: int, decision: Decision, choice: Choice) -> tuple[str, Cents] | None:
    """The wager that a choice makes and its amount."""
    if choice.makes is None:
        return None
    wager, times = choice.makes
    stake = times * current.stakes[box][decision.base.key]
    need(stake.denominator == 1, f"the {wager.name} is not a whole number of cents", decision.cite, "whole cents")
    return wager.key, int(stake)


@decides(say.Decide, decision_clause)
def decide(table: State, command: say.Decide, desk: Desk) -> Consequences:
    current, stage = need_stage(table, Act.ASK)
    decision, box = stage.decision, command.seat
    assert decision is not None
    home = _own_box(table, desk, box)
    first, *others = pending(table, current)
    if box != first and box not in others:
        raise Refusal(f"box {box} has no decision to make now", decision.cite, f"box {first}")
    if box != first:
        raise Refusal(f"it is box {first}'s turn", decision.cite, "one box at a time, from the dealer's left")
    choice = read_choice(table, decision, command.choice)
    cite = table.rules.cite(choice.clause)
    _need_holding(current, box, decision, choice, cite)
    if made := stake_made(current, box, decision, choice):
        need_chips(table, chips(home), made[1], cite)
        return granted(cite, moves=(Move(chips(home), layout(box), made[1]),))
    if choice.withdraws:
        return granted(cite, moves=(Move(layout(box), chips(home), current.stakes[box][choice.withdraws.key]),))
    return granted(cite)


def _need_holding(current: Round, box: int, decision: Decision, choice: Choice, cite: Cite) -> None:
    """The player needs the hand that the choice asks for, of the cards that they see."""
    up = {COMMUNITY: current.community, DEALER: current.dealer}
    seen = {place: cards_of([held for held in lying if held.up]) for place, lying in up.items()}
    if choice.holding and not choice.holding.of(Position({PLAYER: cards_of(current.hands[box]), **seen})):
        others = " or ".join(f"“{other.word}”" for other in decision.choices if not other.holding)
        raise Refusal(f"“{choice.word}” needs {choice.holding.name}", cite, others)


def _own_box(table: State, desk: Desk, box: int) -> int:
    home = table.boxes.get(box, 0)
    if not home or home != desk.seat:
        raise Refusal(f"box {box} is not yours", table.rules.cite("11(a)(1)"), "your own hand")
    return home


@decides(say.SetHand, _setting_clause)
def set_hand(table: State, command: say.SetHand, desk: Desk) -> Consequences:
    current, _ = need_stage(table, Act.SET)
    box, setting = command.seat, table.rules.of(Setting)[0]
    _own_box(table, desk, box)
    need(box in pending(table, current), f"box {box} has no hand to set", setting.cite, "each hand once")
    five = cards_of(current.hands[box])
    which = sorted(set(command.cards))
    need(len(which) == 3 and which[-1] <= len(five), "not three cards of the hand", setting.cite, f"three of 1 to {len(five)}")
    three = tuple(five[n - 1] for n in command.cards)
    qualifies = setting.may_be(five, three, table.offer.readings)
    need(qualifies, "this setting does not qualify, but the hand can", setting.cite, setting.words)
    return granted(setting.cite)


# the chapter's settlement, computed once per round


def settling(table: State, current: Round) -> Settling:
    """The round being settled. Cached with the table until something it depends on changes."""
    key = (current.number, current.drawn, current.void, len(current.gone), unseen(table, current))
    memory = table.__dict__.get("settling")
    if memory is None or memory[0] != key:
        rounds = {box: _seat_round(table, current, box) for box in current.stakes if _is_settled(current, box)}
        memory = table.__dict__["settling"] = (key, Settling(table.offer, rounds, {}))
    kept: Settling = memory[1]
    return kept


def _is_settled(current: Round, box: int) -> bool:
    return box not in current.gone and bool(current.hands.get(box))


def _seat_round(table: State, current: Round, box: int) -> SeatRound:
    five = cards_of(current.hands[box])
    position = Position(
        cards={
            PLAYER: five,
            FOURTH: cards_of(current.fourths.get(box, [])),
            DEALER: cards_of(current.dealer),
            COMMUNITY: cards_of(current.community),
        },
        seat=box,
        decided=tuple(current.decided.get(box, ())),
        folded=box in current.folded,
        set_aside=_set_aside(current, box, five),
        drawn_card=CARDS[current.magic_card] if current.magic_card else None,
        drawn_position=int(current.lucky) if current.lucky.isdigit() else current.lucky,
    )
    return SeatRound(position, current.stakes[box], table.boxes[box])


def _set_aside(current: Round, box: int, five: Cards) -> Cards:
    return tuple(five[n - 1] for n in current.sets.get(box, ()))


# the dealer's actions


def to_collect(current: Round) -> list[int]:
    """The boxes that folded, or whose time ran out, since the last collection. One who has left has abandoned their wagers."""
    return sorted(box for box in current.folded if box not in current.gone and box not in current.forfeited)


def forfeited(table: State, current: Round, box: int) -> list[Paid]:
    """What a box lost by its answers, whatever its cards are: the others may still be playing."""
    said, stakes = tuple(current.decided.get(box, ())), current.stakes[box]
    memory: dict[tuple[str, ...], Mapping[str, str]] = table.__dict__.setdefault("forfeits", {})
    if said not in memory:
        taken = [logged_choice(table, decision, word) for decision, word in zip(table.rules.decisions, said, strict=False)]
        memory[said] = forfeits(table.rules, taken, table.offer.readings).lost
    lost = memory[said]
    return [_forfeit(table.rules.wagers[key], stakes[key], table.rules.cite(lost[key])) for key in lost if key in stakes]


def _forfeit(wager: Wager, stake: Cents, cite: Cite) -> Paid:
    return Paid(wager.name, "", Outcome.FORFEIT, stake, 0, 0, None, "", cite, side=wager.side)  # nobody has seen the hand


def in_play(table: State, current: Round, box: int) -> dict[str, Cents]:
    """The wagers of a box that are still in play: not those taken back, forfeited, abandoned or settled."""
    if box in current.settled or box in current.gone:
        return {}
    done = withdrawn(table, current, box).union(current.forfeited.get(box, ()), current.parts.get(box, Part()).wagers)
    return {key: stake for key, stake in current.stakes.get(box, {}).items() if key not in done}


@decides(say.CollectForfeited, _at_stage(Act.COLLECT))
def collect_forfeited(table: State, command: say.CollectForfeited, desk: Desk) -> Consequences:
    """Wagers lost by folding go to the table inventory, and the folded cards to the rack unless a wager on them stays in play."""
    current, stage = need_stage(table, Act.COLLECT)
    lines, made, racked = list[WagerLine](), list[Move](), list[Shown]()
    for box in to_collect(current):
        lost = forfeited(table, current, box)
        lines += map(line_of, lost)
        made += moves(table.offer, box, table.boxes[box], lost)
        if len(lost) == len(current.stakes[box]):
            racked += [Shown(RACK, held.position, seat=box) for held in current.hands[box]]
    return granted(stage.cite, lines=tuple(lines), moves=tuple(made), cards=tuple(racked))


@decides(say.BurnCard, _at_stage(Act.BURN))
def burn_card(table: State, command: say.BurnCard, desk: Desk) -> Consequences:
    current, stage = need_stage(table, Act.BURN)
    return granted(stage.cite, cards=(show_next(table.decks[current.deck], 0, RACK, 0, up=False),))


@decides(say.DealCommunity, _at_stage(Act.DEAL))
def deal_community(table: State, command: say.DealCommunity, desk: Desk) -> Consequences:
    """Deal the next community cards face up, or turn them over if the shoe dispensed them before the hands (653a.10(g))."""
    current, stage = need_stage(table, Act.DEAL)
    deck = table.decks[current.deck]
    if lying := [held for held in current.community if not held.up]:
        return granted(stage.cite, table.dealing.cite, cards=tuple(turned(deck, lying[: stage.cards], COMMUNITY)))
    cites = (stage.cite, *(table.rules.cite(clause) for clause in (table.dealing.later,) if clause))
    return granted(*cites, cards=tuple(show_next(deck, n, COMMUNITY.value, 0, up=True) for n in range(stage.cards)))


@decides(say.TurnCard, _at_stage(Act.TURN))
def turn_card(table: State, command: say.TurnCard, desk: Desk) -> Consequences:
    current, stage = need_stage(table, Act.TURN)
    lying = [held for held in current.community if not held.up]
    return granted(stage.cite, cards=tuple(turned(table.decks[current.deck], lying[: stage.cards], COMMUNITY)))


@decides(say.RevealDealer, _at_stage(Act.REVEAL))
def reveal_dealer(table: State, command: say.RevealDealer, desk: Desk) -> Consequences:
    current, stage = need_stage(table, Act.REVEAL)
    return granted(stage.cite, cards=tuple(turned(table.decks[current.deck], current.dealer, DEALER)))


def _drawn_by(table: State, command: Command) -> Cite:
    """Section .1 defines what the system draws, if a wager is placed through it."""
    return table.rules.cite("1" if any(wager.electronic for wager in table.rules.wagers.values()) else "7")


@decides(say.DrawBonus, _drawn_by)
def draw_bonus(table: State, command: say.DrawBonus, desk: Desk) -> Consequences:
    """The table game system draws a card or a position for wagers that ask for it."""
    rules, current, draws = table.rules, table.round, table.rules.draws
    cite = electronic_clause(table)
    need(draws and current and not current.parts and not current.void, "the system does not draw now", cite, "during a round")
    assert current is not None
    need(not current.drawn, "the system has already drawn for this round", cite, "one draw per round")
    asking = {settlement.of.key for settlement in rules.settlements if settlement.drawn}
    made = asking & {key for stakes in current.stakes.values() for key in stakes}
    need(made, "nobody made a wager that the system draws for", cite, "a round with such a wager")
    need(command.magic_card or command.lucky, "no draw is named", cite, " or ".join(f"a {fact.called}" for fact in draws.values()))
    if command.magic_card:
        _is_drawn(table, cite, of_position=False)
        need(_is_card(command.magic_card), f"“{command.magic_card}” is not a card", cite, "one of the 52 cards")
    if command.lucky:
        called = _is_drawn(table, cite, of_position=True)
        positions = [*map(str, rules.positions_drawn(current.stakes, table.offer.readings))]
        need(command.lucky in positions, f"“{command.lucky}” is not a {called}", cite, ", ".join(positions))
    return granted(cite)


def _is_drawn(table: State, cite: Cite, *, of_position: bool) -> str:
    """What the system draws is called; refused if the submission never has it drawn."""
    fact = next((each for each in table.rules.draws.values() if each.of_position is of_position), None)
    called = fact.called if fact else "position" if of_position else "card"
    need(fact and table.offer.draws.get(fact.key), f"no {called} is drawn under this submission", cite, f"no {called}")
    return called


def _is_card(text: str) -> bool:
    try:
        return len(cards(text)) == 1 and cards(text)[0] != JOKER and str(cards(text)[0]) == text
    except NotACard:
        return False


# the settlement


def to_settle(table: State, current: Round) -> list[int]:
    """Boxes not yet settled, from the dealer's right."""
    return sorted((box for box in current.stakes if box not in current.settled and _is_settled(current, box)), reverse=True)


def box_to_settle(table: State, current: Round) -> int:
    """The next box to settle; 0 if it is not time to settle, or if cards cannot be opened."""
    settles = table.phase is Phase.COMPLETING and table.stages[current.stage].act is Act.SETTLE
    return to_settle(table, current)[0] if settles and not is_stuck(table) else 0


def to_validate(table: State, current: Round, box: int) -> list[str]:
    """The wagers being settled at a box whose win a floorperson still has to validate."""
    if not any(rule.wager.key in current.stakes[box] for rule in table.rules.of(Validation)):
        return []
    rules = settling(table, current).validated_first(box, settled_now(table, current, box))
    return [rule.wager.key for rule in rules if f"{box} {rule.wager.key}" not in current.validated]


def _unsettled(table: State, current: Round, box: int) -> list[Settlement]:
    done = current.parts[box].wagers if box in current.parts else ()
    return [each for each in settling(table, current).after_folding(box) if each.of.key not in done]


def settled_now(table: State, current: Round, box: int) -> list[Settlement]:
    """A box's next wagers, up to the first that depends on a face-down card."""
    left = _unsettled(table, current, box)
    return list(takewhile(lambda each: not _lying(table, current, box, each), left))


def face_down(table: State, current: Round, box: int) -> list[Shown]:
    """What must be turned over before a box's next wager is settled: only the cards it depends on."""
    left = _unsettled(table, current, box)
    return _lying(table, current, box, left[0]) if left else []


def _lying(table: State, current: Round, box: int, settlement: Settlement) -> list[Shown]:
    """The face-down cards that a settlement depends on, turned over."""
    deck, shown = table.decks[current.deck], dict[int, Shown]()
    down = {COMMUNITY: current.community, FOURTH: [held for fourth in current.fourths.values() for held in fourth]}
    hidden = frozenset(place for place, lying in down.items() if any(not held.up for held in lying))
    for place, seat in settling(table, current).looks_at(box, settlement, hidden):
        held = _looked_at(table, current, seat, settlement) if place is PLAYER else current.cards_at(place, seat)
        cards = turned(deck, held, place, 0 if place is COMMUNITY else seat)
        shown |= {each.position: each for each in cards}
    return list(shown.values())


def _looked_at(table: State, current: Round, box: int, settlement: Settlement) -> list[Held]:
    """The cards of a hand that a settlement depends on: all of them, unless the three set aside decide it."""
    held, three = current.hands.get(box, []), current.sets.get(box)
    setting = next((rule for rule in table.rules.of(Setting) if rule.of is settlement.of), None)
    if setting is None or not three:
        return held
    aside = [held[number - 1] for number in three]
    return held if setting.reveals(cards_of(aside)) else aside


def _need_turn(table: State, box: int) -> tuple[Round, Stage]:
    """The round, if this box is next to be settled."""
    current, stage = need_stage(table, Act.SETTLE)
    first = to_settle(table, current)[0]
    if box != first:
        raise Refusal(f"box {first} must be settled first", stage.cite, "one box at a time, from the dealer's right")
    return current, stage


def _need_counted(table: State, current: Round) -> None:
    if stub_is_due(table, current):
        raise Refusal("the stub must be counted this round", stub_clause(table), "after the count")


def _need_turned(table: State, current: Round, stage: Stage, box: int) -> None:
    if lying := face_down(table, current, box):
        raise Refusal(f"still face down: {cards_named(lying)}", stage.cite, "once turned over")


@decides(say.TurnHand, _at_stage(Act.SETTLE))
def turn_hand(table: State, command: say.TurnHand, desk: Desk) -> Consequences:
    current, stage = _need_turn(table, command.seat)
    _need_counted(table, current)
    shown = face_down(table, current, command.seat)
    if not shown:
        raise Refusal(f"box {command.seat} has no face-down card", stage.cite, "settling the box")
    return granted(stage.cite, cards=tuple(shown))


@decides(say.ValidateProgressive, lambda table, command: validation_clause(table, command.wager))
def validate_progressive(table: State, command: say.ValidateProgressive, desk: Desk) -> Consequences:
    current, stage = _need_turn(table, command.seat)
    _need_turned(table, current, stage, command.seat)
    to_do = to_validate(table, current, command.seat)
    cite = validation_clause(table, command.wager)
    need(command.wager in to_do, f"no win on the {command.wager} is waiting for validation", cite, ", ".join(to_do) or "none")
    return granted(cite)


@decides(say.SettleSeat, _at_stage(Act.SETTLE))
def settle_seat(table: State, command: say.SettleSeat, desk: Desk) -> Consequences:
    box = command.seat
    current, stage = _need_turn(table, box)
    _need_counted(table, current)
    _need_turned(table, current, stage, box)
    round_, part = settling(table, current), settled_now(table, current, box)
    for rule in round_.validated_first(box, part):
        if f"{box} {rule.wager.key}" not in current.validated:
            raise Refusal(f"box {box}: the {rule.wager.name} win must be validated", rule.cite, "once a floorperson validates it")
    partly = part != _unsettled(table, current, box)
    last = len(to_settle(table, current)) == 1 and not partly
    settled, meters = _at_this_turn(current, round_, desk, box, part, last=last)
    told = {(paid.wager, paid.side) for paid in settled.lines if _told_before(table, current, box, paid.wager, paid.outcome)}
    lines = [paid for paid in settled.lines if (paid.wager, paid.side) not in told]
    made = tuple(_drawn(meters)) + tuple(moves(table.offer, box, table.boxes[box], lines))
    need_inventory(table, made, stage.cite, TABLE_INVENTORY)
    return granted(
        stage.cite,
        lines=tuple(map(line_of, lines)),
        moves=made,
        meters=meters,
        jackpots=dict(round_.jackpots),
        reseeds=dict(round_.reseeds),
        papers=any(not_from_inventory(table.offer, paid) for paid in lines),
        partly=partly,
    )


def _told_before(table: State, current: Round, box: int, wager: str, outcome: Outcome) -> bool:
    """Forfeited wagers were already collected, and withdrawn ones already returned."""
    return outcome is Outcome.FORFEIT or (outcome is Outcome.RETURN and wager in withdrawn(table, current, box))


def _at_this_turn(
    current: Round, round_: Settling, desk: Desk, box: int, part: list[Settlement], *, last: bool
) -> tuple[SeatSettled, dict[str, MeterMove]]:
    """Settle a seat, or part of one, with the meters as they are at its turn."""
    round_.meters = {name: shown.amount for name, shown in desk.meters.items()}
    round_.reserves = {name: shown.reserve for name, shown in desk.meters.items()}
    round_.jackpots, round_.reseeds = dict(current.jackpots), dict(current.reseeds)
    round_.drawn.clear()
    round_.reseeded.clear()
    round_.released.clear()
    settled = round_.settle(box, part)
    if last:
        round_.finish()
    drawn, reseeded, released = round_.drawn, round_.reseeded, round_.released
    changed = sorted(name for name in round_.meters if drawn[name] or reseeded[name] or released[name])
    return settled, {name: MeterMove(drawn=drawn[name], reseeded=reseeded[name], released=released[name]) for name in changed}


def _drawn(meters: dict[str, MeterMove]) -> list[Move]:
    """Money drawn from a meter is held for its winners; what restarts it comes from the cage or its reserve."""
    made = [Move(meter(name), jackpot(name), change.drawn) for name, change in meters.items()]
    made += [Move(CAGE, meter(name), change.reseeded) for name, change in meters.items()]
    made += [Move(reserve(name), meter(name), change.released) for name, change in meters.items()]
    return [move for move in made if move.cents]


def validation_clause(table: State, key: str) -> Cite:
    """The clause under which a floorperson validates a win on the wager, or that of the settlement if there is none."""
    found = [rule for rule in table.rules.of(Validation) if rule.wager.key == key] or table.rules.of(Validation)
    return found[0].cite if found else _stage_clause(table, Act.SETTLE)


def papers_clauses(table: State, box: int) -> tuple[Cite, ...]:
    """The clauses that keep a hand until the paperwork is done: for wagers paid at the cage, or else for any wager."""
    part = table.round.parts.get(box) if table.round else None
    paid = {move.source for move in part.moves if move.target == CAGE} if part else set()
    rules = table.rules.of(Validation)
    found = [rule.cites[-1] for rule in rules if jackpot(rule.wager.name) in paid] or [rule.cites[-1] for rule in rules[:1]]
    return tuple(dict.fromkeys(found)) or (_stage_clause(table, Act.SETTLE),)


@decides(say.CompletePapers, lambda table, command: papers_clauses(table, command.seat)[0])
def complete_papers(table: State, command: say.CompletePapers, desk: Desk) -> Consequences:
    current, cites = table.round, papers_clauses(table, command.seat)
    waiting = current.papers if current else []
    need(command.seat in waiting, f"box {command.seat} has no paperwork", cites[0], ", ".join(map(str, waiting)) or "none")
    return granted(*cites)


@decides(say.ClearCards, _at_stage(Act.CLEAR))
def clear_cards(table: State, command: say.ClearCards, desk: Desk) -> Consequences:
    """Move the cards to the rack hand by hand, so that each hand can be reconstructed."""
    current, stage = need_stage(table, Act.CLEAR)
    boxes = ", ".join(map(str, current.papers))
    need(not boxes, f"the paperwork for box {boxes} is not done", stage.cite, "once it is done")
    before = current.racked()
    racked = [
        (box, held)
        for box in sorted(current.hands, reverse=True)
        for held in (*current.hands[box], *current.fourths.get(box, ()))
        if held.position not in before
    ]
    racked += [(0, held) for held in (*current.dealer, *current.community)]
    # a winner, or the last player to be settled, left before their turn
    held_over = {name: left for name in table.offer.meters if (left := table.balance(jackpot(name)))}
    changed = sorted({*held_over, *current.reseeds})
    released = {
        name: desk.meters[name].reserve
        for name in current.reseeds
        if table.offer.meters[name].releases_reserve(table.offer.readings)
    }
    meters = {
        name: MeterMove(drawn=-held_over.get(name, 0), reseeded=current.reseeds.get(name, 0), released=released.get(name, 0))
        for name in changed
    }
    return granted(
        stage.cite,
        cards=tuple(Shown(RACK, held.position, seat=box) for box, held in racked),
        moves=(
            *(Move(jackpot(name), meter(name), left) for name, left in held_over.items()),
            *(Move(CAGE, meter(name), cents) for name, cents in current.reseeds.items() if cents),
            *(Move(reserve(name), meter(name), cents) for name, cents in released.items() if cents),
        ),
        meters=meters,
    )
