"""Section .11: decisions from the dealer's left, the reveal, settlement from the dealer's right, clearing the cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile

from croupier.filing.pricing import Paid
from croupier.law.chapter import Rules
from croupier.law.cite import Cite, Refusal
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Position
from croupier.law.forfeits import forfeits
from croupier.law.procedure import RACK, Act, NamedStep, Setting, Stage, Validation
from croupier.law.settlement import Outcome, Settlement
from croupier.law.wager import Choice, Decision, never_answered
from croupier.money import Cents
from croupier.table import commands as say
from croupier.table.accounts import CAGE, Move, chips, jackpot, layout, meter, moves, not_from_inventory, reserve
from croupier.table.card_reveals import cards_named, is_stuck, show_next, turned_over, unseen
from croupier.table.commands import Command
from croupier.table.events import Consequences, Shown, line_of
from croupier.table.meters import NO_CHANGE, MeterMove
from croupier.table.rules.context import Request, decides, granted, need, need_chips, need_inventory, need_stage, stage_clause
from croupier.table.rules.irregularities import decisions_left, withdrawn
from croupier.table.rules.stakes import stake_made
from croupier.table.rules.wagers import stub_is_due, task_clause
from croupier.table.settlement import SeatRound, Settling
from croupier.table.state import CARDS, Held, Part, Phase, Round, State, cards_of, offer_of
from croupier.wire import WagerLine

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
        unset = (box for box in sorted(current.hands) if box not in current.sets and box not in current.gone)
        return [box for box in unset if any(not table.rules.wagers[key].optional for key in current.stakes[box])]
    if stage.act is not Act.ASK or stage.decision is None:
        return []
    number, asked_of = table.rules.decisions.index(stage.decision), stage.decision.asked_of.key
    asked = [box for box in sorted(current.stakes) if len(current.decided.get(box, ())) == number]
    return [box for box in asked if asked_of in current.stakes[box] and decisions_left(table, current, box)]


def read_choice(table: State, decision: Decision, text: str) -> Choice:
    if choice := decision.read(text, table.offer.readings):
        return choice
    known = " or ".join(f"“{choice.word}”" for choice in decision.choices)
    raise Refusal(f"“{text}” is not a decision on the {decision.name}", decision.cite, known)


def logged_choice(table: State, decision: Decision, word: str) -> Choice:
    return decision.taken(word, table.offer.readings) or read_choice(table, decision, word)


@decides(say.Decide, decision_clause)
def decide(table: State, command: say.Decide, request: Request) -> Consequences:
    current, stage = need_stage(table, Act.ASK)
    decision, box = stage.decision, command.seat
    assert decision is not None
    home = _own_box(table, request, box)
    first, *others = pending(table, current)
    need(box == first or box in others, f"box {box} has no decision to make now", decision.cite, f"box {first}")
    need(box == first, f"it is box {first}'s turn", decision.cite, "one box at a time, from the dealer's left")
    choice = read_choice(table, decision, command.choice)
    cite = table.rules.cite(choice.clause)
    _need_holding(current, box, decision, choice, cite)
    if made := stake_made(current.stakes[box], decision, choice):
        need_chips(table, chips(home), made[1], cite)
        return granted(cite, moves=[Move(chips(home), layout(box), made[1])])
    return granted(cite, moves=taken_back(table, current, box, choice))


def taken_back(table: State, current: Round, box: int, choice: Choice) -> list[Move]:
    """The transfer of the wager that a choice withdraws."""
    wager = choice.withdraws
    return [Move(layout(box), chips(table.boxes[box]), current.stakes[box][wager.key])] if wager else []


def _need_holding(current: Round, box: int, decision: Decision, choice: Choice, cite: Cite) -> None:
    """The player needs the hand that the choice asks for, of the cards that they see."""
    up = {COMMUNITY: current.community, DEALER: current.dealer}
    seen = {place: cards_of([held for held in lying if held.up]) for place, lying in up.items()}
    if choice.holding and not choice.holding.of(Position({PLAYER: cards_of(current.hands[box]), **seen})):
        others = " or ".join(f"“{other.word}”" for other in decision.choices if not other.holding)
        raise Refusal(f"“{choice.word}” needs {choice.holding.name}", cite, others)


def _own_box(table: State, request: Request, box: int) -> int:
    home = table.boxes.get(box, 0)
    need(home and home == request.seat, f"box {box} is not yours", table.rules.cite("11(a)(1)"), "your own hand")
    return home


@decides(say.SetHand, _setting_clause)
def set_hand(table: State, command: say.SetHand, request: Request) -> Consequences:
    current, _ = need_stage(table, Act.SET)
    box, setting = command.seat, table.rules.of(Setting)[0]
    _own_box(table, request, box)
    need(box in pending(table, current), f"box {box} has no hand to set", request.cite, "each hand once")
    five, which = cards_of(current.hands[box]), sorted(set(command.cards))
    three = len(which) == 3 and which[-1] <= len(five)
    need(three, "choose three cards of the hand", request.cite, f"three different numbers from 1 to {len(five)}")
    qualifies = setting.may_be(five, tuple(five[n - 1] for n in command.cards), table.offer.readings)
    need(qualifies, "this setting does not qualify, but another setting of the hand does", request.cite, setting.words)
    return granted(request.cite)


# decisions that are not made in time: no chapter says how long a player may take, so the limit is filed


def lapses_at(table: State, current: Round) -> int | None:
    """When the current box runs out of time, in milliseconds; None if there is no limit or no open decision."""
    limited = table.decision_seconds and current.asked
    return current.asked_at + 1000 * table.decision_seconds if limited else None


def timeout_loss(rules: Rules) -> str:
    """What a hand that timed out has lost, in words."""
    lost = forfeits(rules, never_answered(rules.decisions, {}), {}).lost
    return f"the {' and the '.join(lost)} {'are' if len(lost) > 1 else 'is'} lost"


@decides(say.LapseDecision, decision_clause)
def lapse_decision(table: State, command: say.LapseDecision, request: Request) -> Consequences:
    current, stage = need_stage(table, Act.ASK, Act.SET)
    box, waiting = command.seat, pending(table, current)[0]
    cite = stage.decision.cite if stage.decision else table.rules.of(Setting)[0].cite
    need(box == waiting, f"it is box {waiting}'s turn, not box {box}'s", cite, f"box {waiting}")
    over = lapses_at(table, current)
    if over is None:
        raise Refusal("this table has no posted time limit for decisions", cite, "the player's own decision")
    rest = -((request.at - over) // 1000)  # rounded up to whole seconds
    need(request.at >= over, f"box {box} has {rest} more second{'s' * (rest > 1)} to decide", cite, "once the time has run out")
    if stage.decision is None:
        return granted(cite)
    choice = stage.decision.in_silence(table.offer.readings)
    return granted(table.rules.cite(choice.clause), moves=taken_back(table, current, box, choice), choice=choice.word)


# the chapter's settlement, computed once per round


def settling(table: State, current: Round) -> Settling:
    """The round being settled. Cached with the table until something it depends on changes."""
    key = (current.number, current.drawn, current.void, len(current.gone), unseen(table, current))
    memory: tuple[object, Settling] | None = table.__dict__.get("settling")
    if memory is None or memory[0] != key:
        rounds = {box: _seat_round(table, current, box) for box in current.stakes if _is_settled(current, box)}
        memory = table.__dict__["settling"] = (key, Settling(table.offer, rounds, {}))
    return memory[1]


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
        set_aside=tuple(five[n - 1] for n in current.sets.get(box, ())),
        drawn_card=CARDS[current.magic_card] if current.magic_card else None,
        drawn_position=int(current.lucky) if current.lucky.isdigit() else current.lucky,
    )
    return SeatRound(position, current.stakes[box], table.boxes[box])


# the dealer's actions


def to_collect(current: Round) -> list[int]:
    """The boxes that folded, or whose time ran out, since the last collection. One who has left has abandoned their wagers."""
    return sorted(box for box in current.folded if box not in current.gone and box not in current.forfeited)


def forfeited(table: State, current: Round, box: int) -> list[Paid]:
    """What a box lost by its answers, whatever its cards are: the others may still be playing, and nobody has seen the hand."""
    rules, stakes = table.rules, current.stakes[box]
    lost = [
        (rules.wagers[key], stakes[key], rules.cite(clause))
        for key, clause in lost_by_answers(table.submission, tuple(current.decided.get(box, ()))).items()
        if key in stakes
    ]
    return [Paid(wager.name, "", Outcome.FORFEIT, stake, 0, 0, None, "", cite, side=wager.side) for wager, stake, cite in lost]


@lru_cache(maxsize=1024)
def lost_by_answers(submission: str, answers: tuple[str, ...]) -> Mapping[str, str]:
    """Keys of the wagers that these answers lose, whatever the cards are, with the clauses."""
    rules, readings = offer_of(submission).rules, offer_of(submission).readings
    taken = (decision.taken(word, readings) for decision, word in zip(rules.decisions, answers, strict=False))
    return forfeits(rules, filter(None, taken), readings).lost


def in_play(table: State, current: Round, box: int) -> dict[str, Cents]:
    """The wagers of a box that are still in play: not those taken back, forfeited, abandoned or settled."""
    if box in current.settled or box in current.gone:
        return {}
    done = withdrawn(table, current, box).union(current.forfeited.get(box, ()), current.parts.get(box, Part()).wagers)
    return {key: stake for key, stake in current.stakes.get(box, {}).items() if key not in done}


@decides(say.CollectForfeited, Act.COLLECT)
def collect_forfeited(table: State, command: say.CollectForfeited, request: Request) -> Consequences:
    """Wagers lost by folding go to the table inventory, and the folded cards to the rack unless a wager on them stays in play."""
    current, stage = need_stage(table, Act.COLLECT)
    lines, made, racked = list[WagerLine](), list[Move](), list[Shown]()
    for box in to_collect(current):
        lost = forfeited(table, current, box)
        lines += map(line_of, lost)
        made += moves(table.offer, box, table.boxes[box], lost)
        if len(lost) == len(current.stakes[box]):
            racked += [Shown(RACK, held.position, seat=box) for held in current.hands[box]]
    return granted(stage.cite, lines=tuple(lines), moves=made, cards=racked)


@decides(say.BurnCard, Act.BURN)
def burn_card(table: State, command: say.BurnCard, request: Request) -> Consequences:
    current, stage = need_stage(table, Act.BURN)
    return granted(stage.cite, cards=[show_next(table.decks[current.deck], 0, RACK, up=False)])


@decides(say.DealCommunity, Act.DEAL)
def deal_community(table: State, command: say.DealCommunity, request: Request) -> Consequences:
    """Deal the next community cards face up, or turn them over if the shoe dispensed them before the hands (653a.10(g))."""
    current, stage = need_stage(table, Act.DEAL)
    deck = table.decks[current.deck]
    if lying := [held for held in current.community if not held.up]:
        return granted(stage.cite, table.dealing.cite, cards=turned_over(deck, lying[: stage.cards], COMMUNITY))
    cites = [stage.cite, table.rules.cite(table.dealing.later)] if table.dealing.later else [stage.cite]
    return granted(*cites, cards=[show_next(deck, n, COMMUNITY, up=True) for n in range(stage.cards)])


@decides(say.TurnCard, Act.TURN)
def turn_card(table: State, command: say.TurnCard, request: Request) -> Consequences:
    current, stage = need_stage(table, Act.TURN)
    lying = [held for held in current.community if not held.up]
    return granted(stage.cite, cards=turned_over(table.decks[current.deck], lying[: stage.cards], COMMUNITY))


@decides(say.RevealDealer, Act.REVEAL)
def reveal_dealer(table: State, command: say.RevealDealer, request: Request) -> Consequences:
    current, stage = need_stage(table, Act.REVEAL)
    return granted(stage.cite, cards=turned_over(table.decks[current.deck], current.dealer, DEALER))


# the settlement


def to_settle(current: Round) -> list[int]:
    """Boxes not yet settled, from the dealer's right."""
    return sorted((box for box in current.stakes if box not in current.settled and _is_settled(current, box)), reverse=True)


def box_to_settle(table: State, current: Round) -> int:
    """The next box to settle; 0 if it is not time to settle, or if cards cannot be opened."""
    settles = table.phase is Phase.COMPLETING and table.stages[current.stage].act is Act.SETTLE
    return to_settle(current)[0] if settles and not is_stuck(table) else 0


def to_validate(table: State, current: Round, box: int) -> list[str]:
    """The wagers being settled at a box whose win a floorperson still has to validate."""
    if not any(rule.wager.key in current.stakes[box] for rule in table.rules.of(Validation)):
        return []
    rules = settling(table, current).validated_first(box, settled_now(table, current, box))
    return [rule.wager.key for rule in rules if f"{box} {rule.wager.key}" not in current.validated]


def _unsettled(table: State, current: Round, box: int) -> list[Settlement]:
    done = current.parts[box].wagers if box in current.parts else ()
    return [each for each in settling(table, current).after_folding(box) if each.wager.key not in done]


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
        cards = turned_over(deck, held, place, 0 if place is COMMUNITY else seat)
        shown |= {each.position: each for each in cards}
    return list(shown.values())


def _looked_at(table: State, current: Round, box: int, settlement: Settlement) -> list[Held]:
    """The cards of a hand that a settlement depends on: all of them, unless the three set aside decide it."""
    held, three = current.hands.get(box, []), current.sets.get(box)
    setting = next((rule for rule in table.rules.of(Setting) if rule.of is settlement.wager), None)
    if setting is None or not three:
        return held
    aside = [held[number - 1] for number in three]
    return held if setting.reveals(cards_of(aside)) else aside


def _need_turn(table: State, box: int) -> tuple[Round, Stage]:
    """The round, if this box is next to be settled."""
    current, stage = need_stage(table, Act.SETTLE)
    first = to_settle(current)[0]
    need(box == first, f"box {first} must be settled first", stage.cite, "one box at a time, from the dealer's right")
    return current, stage


def _need_counted(table: State, current: Round) -> None:
    if stub_is_due(table, current):
        raise Refusal("the stub must be counted this round", task_clause(table, NamedStep.COUNT_STUB), "after the count")


def _need_turned(table: State, current: Round, stage: Stage, box: int) -> None:
    if lying := face_down(table, current, box):
        raise Refusal(f"still face down: {cards_named(lying)}", stage.cite, "once turned over")


@decides(say.TurnHand, Act.SETTLE)
def turn_hand(table: State, command: say.TurnHand, request: Request) -> Consequences:
    current, stage = _need_turn(table, command.seat)
    _need_counted(table, current)
    shown = face_down(table, current, command.seat)
    need(shown, f"box {command.seat} has no face-down card", stage.cite, "settling the box")
    return granted(stage.cite, cards=shown)


@decides(say.ValidateProgressive, lambda table, command: validation_clause(table, command.wager))
def validate_progressive(table: State, command: say.ValidateProgressive, request: Request) -> Consequences:
    current, stage = _need_turn(table, command.seat)
    _need_turned(table, current, stage, command.seat)
    to_do = to_validate(table, current, command.seat)
    need(
        command.wager in to_do, f"no win on the {command.wager} is waiting for validation", request.cite, ", ".join(to_do) or "none"
    )
    return granted(request.cite)


@decides(say.SettleSeat, Act.SETTLE)
def settle_seat(table: State, command: say.SettleSeat, request: Request) -> Consequences:
    box = command.seat
    current, stage = _need_turn(table, box)
    _need_counted(table, current)
    _need_turned(table, current, stage, box)
    round_, part = settling(table, current), settled_now(table, current, box)
    for rule in round_.validated_first(box, part):
        if f"{box} {rule.wager.key}" not in current.validated:
            raise Refusal(f"box {box}: the {rule.wager.name} win must be validated", rule.cite, "once a floorperson validates it")
    partly = part != _unsettled(table, current, box)
    round_.meters = {name: shown.amount for name, shown in request.meters.items()}  # as they are at this turn
    round_.reserves = {name: shown.reserve for name, shown in request.meters.items()}
    round_.jackpots, round_.reseeds, round_.changes = dict(current.jackpots), dict(current.reseeds), {}
    settled = round_.settle(box, part)
    if len(to_settle(current)) == 1 and not partly:
        round_.finish()
    meters = {name: change for name, change in sorted(round_.changes.items()) if change != NO_CHANGE}
    # forfeited wagers were already collected, and withdrawn ones returned
    back = withdrawn(table, current, box)
    done = {
        (paid.wager, paid.side)
        for paid in settled.lines
        if paid.outcome is Outcome.FORFEIT or (paid.outcome is Outcome.RETURN and paid.wager in back)
    }
    lines = [paid for paid in settled.lines if (paid.wager, paid.side) not in done]
    made = [*_drawn(meters), *moves(table.offer, box, table.boxes[box], lines)]
    need_inventory(table, made, stage.cite)
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


def _drawn(meters: dict[str, MeterMove]) -> list[Move]:
    """Money drawn from a meter is held for its winners; what restarts it comes from the cage or its reserve."""
    made = [Move(meter(name), jackpot(name), change.drawn) for name, change in meters.items()]
    made += [Move(CAGE, meter(name), change.reseeded) for name, change in meters.items()]
    return made + [Move(reserve(name), meter(name), change.released) for name, change in meters.items()]


def validation_clause(table: State, key: str) -> Cite:
    """The clause under which a floorperson validates a win on the wager, or that of the settlement if there is none."""
    found = [rule for rule in table.rules.of(Validation) if rule.wager.key == key] or table.rules.of(Validation)
    return found[0].cite if found else stage_clause(table, Act.SETTLE)


def papers_clauses(table: State, box: int) -> tuple[Cite, ...]:
    """The clauses that keep a hand until the paperwork is done: for wagers paid at the cage, or else for any wager."""
    part = table.round.parts.get(box) if table.round else None
    paid = {move.source for move in part.moves if move.target == CAGE} if part else set()
    rules = table.rules.of(Validation)
    found = [rule.cites[-1] for rule in rules if jackpot(rule.wager.name) in paid] or [rule.cites[-1] for rule in rules[:1]]
    return tuple(dict.fromkeys(found)) or (stage_clause(table, Act.SETTLE),)


@decides(say.CompletePapers, lambda table, command: papers_clauses(table, command.seat)[0])
def complete_papers(table: State, command: say.CompletePapers, request: Request) -> Consequences:
    current, cites = table.round, papers_clauses(table, command.seat)
    waiting = current.papers if current else []
    need(command.seat in waiting, f"box {command.seat} has no paperwork", cites[0], ", ".join(map(str, waiting)) or "none")
    return granted(*cites)


@decides(say.ClearCards, Act.CLEAR)
def clear_cards(table: State, command: say.ClearCards, request: Request) -> Consequences:
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
    releasing = (name for name in current.reseeds if table.offer.reads(table.offer.meters[name].releases))
    released = {name: request.meters[name].reserve for name in releasing}
    meters = {
        name: MeterMove(drawn=-held_over.get(name, 0), reseeded=current.reseeds.get(name, 0), released=released.get(name, 0))
        for name in sorted({*held_over, *current.reseeds})
    }
    return granted(
        stage.cite,
        cards=[Shown(RACK, held.position, seat=box) for box, held in racked],
        moves=[
            *(Move(jackpot(name), meter(name), left) for name, left in held_over.items()),
            *(Move(CAGE, meter(name), cents) for name, cents in current.reseeds.items()),
            *(Move(reserve(name), meter(name), cents) for name, cents in released.items()),
        ],
        meters=meters,
    )
